//! Whatever comes in as a record: it is read, or refused with its place; nothing crashes, nothing grows without end.

use proptest::prelude::*;
use proptest::sample::Index;
use tuzdyq::game::{AnyGame, Game, Pit, Position, Rules, Variant};
use tuzdyq::records::{Format, GameResult, Glyph, Note, Reading, Record, Writer, decode, read, read_as};
use tuzdyq::{with_game, with_rules};

/// Texts that mean something somewhere, or nearly do.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "\\",
    "\n",
    "\n\n",
    "\r",
    "\t",
    " ",
    "\u{feff}",
    "\0",
    "1-0",
    "1/2-1/2",
    "*",
    "½-½",
    "{zero}",
    "1.",
    "1...",
    "99999999999999999999",
    "0",
    "-",
    ":",
    "–",
    "X",
    "х",
    "Х",
    "(99)",
    "!?",
    "$7",
    "=",
    "a1",
    "j9",
    "[FEN \"8,1S/1S,8 80 80 S 1\"]",
    "[Variant \"bestemshe\"]",
    "#",
    "é",
];

/// A game of some moves, chosen among the legal ones.
fn playout<R: Rules>(start: Position<R>, choices: &[u8]) -> Game<R> {
    let mut game = Game::new(start);
    for &choice in choices {
        let moves: Vec<Pit> = game.position().moves().collect();
        if moves.is_empty() {
            break;
        }
        game.play(moves[usize::from(choice) % moves.len()]);
    }
    game
}

/// Any record of any game.
fn record() -> impl Strategy<Value = Record> {
    let variant = prop::sample::select(Variant::ALL.to_vec());
    let choices = prop::collection::vec(any::<u8>(), 0..160);
    let tags = prop::collection::vec(("[A-Za-z][A-Za-z0-9_]{0,6}", "\\PC{0,12}"), 0..4);
    let result = prop::sample::select(vec![
        None,
        Some(GameResult::South),
        Some(GameResult::North),
        Some(GameResult::Draw),
    ]);
    let glyph = prop::option::of(prop::sample::select(Glyph::ALL.to_vec()));
    let note = (any::<Index>(), glyph, any::<bool>(), prop::option::of("\\PC{0,12}"));
    let notes = prop::collection::vec(note, 0..3);
    (variant, choices, 0..6_usize, tags, result, notes, prop::option::of("\\PC{0,20}")).prop_map(
        |(variant, choices, skipped, tags, result, notes, comment)| {
            // Some begin later than at the start.
            let (first, rest) = choices.split_at(skipped.min(choices.len()));
            let game: AnyGame = with_rules!(variant, R => {
                playout(*playout(Position::<R>::start(), first).position(), rest).into()
            });
            let mut record = Record::new(game);
            (record.result, record.comment) = (result, comment);
            for (name, value) in tags {
                record.tags.set(&format!("T{name}"), value);
            }
            let moves = with_game!(&record.game, game => game.moves().len());
            for (place, glyph, draw_offer, comment) in notes.into_iter().filter(|_| moves > 0) {
                record.notes.insert(place.index(moves), Note { glyph, draw_offer, comment });
            }
            record
        },
    )
}

/// A change of a text.
#[derive(Clone, Debug)]
enum Change {
    Cut(Index, usize),
    Insert(Index, &'static str),
    Byte(Index, u8),
    Repeat(Index, usize),
    End(Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<Index>(), 1..20_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (any::<Index>(), prop::sample::select(PIECES.to_vec()))
            .prop_map(|(at, piece)| Change::Insert(at, piece)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (any::<Index>(), 1..60_usize).prop_map(|(at, length)| Change::Repeat(at, length)),
        any::<Index>().prop_map(Change::End),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let at = |index: &Index| index.index(bytes.len() + 1);
        match change {
            Change::Cut(index, length) => {
                let from = at(index);
                let to = (from + length).min(bytes.len());
                bytes.drain(from..to);
            }
            Change::Insert(index, piece) => {
                let at = at(index);
                bytes.splice(at..at, piece.bytes());
            }
            Change::Byte(index, byte) => {
                let at = at(index);
                if let Some(old) = bytes.get_mut(at) {
                    *old = *byte;
                }
            }
            Change::Repeat(index, length) => {
                let from = at(index);
                let to = (from + length).min(bytes.len());
                let again = bytes[from..to].to_vec();
                bytes.splice(to..to, again);
            }
            Change::End(index) => bytes.truncate(at(index)),
        }
    }
    bytes
}

fn written<'a>(records: impl IntoIterator<Item = &'a Record>, format: Format) -> String {
    let mut writer = Writer::new(format);
    records.into_iter().for_each(|record| writer.add(record));
    writer.finish()
}

fn moves(record: &Record) -> Vec<Pit> {
    with_game!(&record.game, game => game.moves().to_vec())
}

/// Reads whatever it is with every reader. What can be read is written and read again, and then nothing contradicts it.
fn check(bytes: &[u8]) {
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(error) => return assert!(error.to_string().starts_with("line ")),
    };
    check_readings(&text, read(&text));
    for format in [Format::Pgn, Format::Pits, Format::Json, Format::Fen] {
        check_readings(&text, read_as(&text, format));
    }
}

fn check_readings(text: &str, readings: impl Iterator<Item = Result<Reading, tuzdyq::records::ReadError>>) {
    for reading in readings {
        let Reading { record, contradictions, .. } = match reading {
            Ok(reading) => reading,
            Err(error) => {
                assert!(
                    error.place.line >= 1 && error.place.line <= text.matches('\n').count() + 1,
                    "{error}"
                );
                assert!(error.place.column >= 1, "{error}");
                return assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        };
        for contradiction in contradictions {
            assert_eq!(contradiction.to_string().lines().count(), 1, "{contradiction}");
        }
        check_record(&record);
    }
}

/// Writes a record in every format, and reads it again.
fn check_record(record: &Record) {
    for format in Format::ALL {
        let text = written([record], format);
        let mut again = read_as(&text, format);
        let reading = again.next().unwrap_or_else(|| panic!("no game in {text}"));
        let reading = reading.unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(again.next().is_none(), "{text}");
        let fen = reading.record.final_fen();
        assert_eq!(fen, record.final_fen(), "{text}");
        if format != Format::Fen {
            assert_eq!(moves(&reading.record), moves(record), "{text}");
            assert_eq!(reading.record.game.variant(), record.game.variant(), "{text}");
            assert_eq!(written([&reading.record], format), text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn records_come_back_from_every_format(records in prop::collection::vec(record(), 1..4)) {
        for format in Format::ALL {
            let text = written(&records, format);
            let readings: Vec<Reading> = read_as(&text, format)
                .map(|reading| reading.unwrap_or_else(|error| panic!("{error}: {text}")))
                .collect();
            prop_assert_eq!(readings.len(), records.len(), "{}", text);
            for (reading, record) in readings.iter().zip(&records) {
                prop_assert_eq!(reading.record.final_fen(), record.final_fen(), "{}", text);
                let known = reading.contradictions.iter().all(|one| one.to_string().contains("the recorded result is"));
                prop_assert!(known, "{:?}", reading.contradictions);
            }
            records.iter().for_each(check_record);
        }
    }

    #[test]
    fn changed_records_are_read_or_refused(
        records in prop::collection::vec(record(), 1..3),
        format in prop::sample::select(Format::ALL.to_vec()),
        changes in prop::collection::vec(change(), 1..8),
    ) {
        check(&changed(written(&records, format).into_bytes(), &changes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    #[test]
    fn any_mixture_is_read_or_refused(
        pieces in prop::collection::vec(
            prop_oneof![prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned), "[1-9]{1,3}", "[1-9][0-9]{0,2}[:-][1-9][0-9]{0,2}", "\\PC{0,3}"],
            0..40,
        ),
        separator in prop::sample::select(vec!["", " ", "\n"]),
    ) {
        check(pieces.join(separator).as_bytes());
    }
}

/// Long texts of one kind end soon, whatever they are made of.
#[test]
fn enormous_texts_are_read_or_refused() {
    for piece in PIECES
        .iter()
        .copied()
        .chain(["7", "71", "76 ", "1. ", "g1d2 ", "[A \"", "{}", "[[", "{\"a\":", "79:610 "])
    {
        let text = piece.repeat(1_000_000 / piece.len());
        for format in [Format::Pgn, Format::Pits, Format::Json, Format::Fen] {
            let (mut games, mut error) = (0, None);
            for reading in read_as(&text, format) {
                match reading {
                    Ok(_) => games += 1,
                    Err(fault) => error = Some(fault.to_string()),
                }
            }
            assert!(error.as_ref().is_none_or(|error| error.len() < 300), "{piece}: {error:?}");
            assert!(games <= text.len(), "{piece}");
        }
        assert!(Format::ALL.contains(&Format::guess(&text)));
    }
}
