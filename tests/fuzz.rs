//! Whatever comes in is read or refused; nothing crashes, nothing grows without end. The checks are those of the targets
//! of `cargo fuzz`, over its seeds and random changes of them, so that every machine can run them.

#[path = "../fuzz/src/lib.rs"]
mod bodies;

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use tuzdyq::game::{AnyGame, Game, Pit, Position, Rules, Variant};
use tuzdyq::records::{Format, GameResult, Glyph, Note, Record, Writer, read_as};
use tuzdyq::{with_game, with_rules};

/// The words of fuzz/words.dict.
fn words() -> Vec<Vec<u8>> {
    let text = fs::read_to_string(folder().join("words.dict")).expect("the words");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(word).collect()
}

/// A word of libFuzzer's dictionaries: in quotation marks, with `\"`, `\\` and `\x` before two digits.
fn word(line: &str) -> Vec<u8> {
    let text = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).expect("quotation marks");
    let mut bytes = text.bytes();
    let mut word = Vec::new();
    while let Some(byte) = bytes.next() {
        let escaped = if byte == b'\\' { bytes.next() } else { None };
        word.push(match escaped {
            Some(b'x') => {
                let digits = [bytes.next(), bytes.next()].map(|digit| digit.expect("a digit").into());
                u8::from_str_radix(&String::from_iter::<[char; 2]>(digits), 16).expect("two digits")
            }
            escaped => escaped.unwrap_or(byte),
        });
    }
    word
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

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

/// A change of an input.
#[derive(Clone, Debug)]
enum Change {
    Cut(Index, usize),
    Insert(Index, Vec<u8>),
    Byte(Index, u8),
    Repeat(Index, usize),
    End(Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<Index>(), 1..20_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (any::<Index>(), prop::sample::select(words())).prop_map(|(at, piece)| Change::Insert(at, piece)),
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
                bytes.splice(at..at, piece.iter().copied());
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn records_come_back_from_every_format(records in prop::collection::vec(record(), 1..4)) {
        bodies::records::check_records(&records);
    }

    #[test]
    fn changed_records_are_read_or_refused(
        records in prop::collection::vec(record(), 1..3),
        format in prop::sample::select(Format::ALL.to_vec()),
        changes in prop::collection::vec(change(), 1..8),
    ) {
        bodies::records::check(&changed(written(&records, format).into_bytes(), &changes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    #[test]
    fn any_mixture_is_read_or_refused(
        pieces in prop::collection::vec(
            prop_oneof![
                prop::sample::select(words()),
                "[1-9]{1,3}".prop_map(String::into_bytes),
                "[1-9][0-9]{0,2}[:-][1-9][0-9]{0,2}".prop_map(String::into_bytes),
                "\\PC{0,3}".prop_map(String::into_bytes),
            ],
            0..40,
        ),
        separator in prop::sample::select(vec!["", " ", "\n"]),
    ) {
        bodies::records::check(&pieces.join(separator.as_bytes()));
    }
}

/// The seeds of a target, random changes of them, and any bytes.
fn holds_for_seeds_and_changes(target: &str, check: fn(&[u8])) {
    let files = fs::read_dir(folder().join("seeds").join(target)).expect("a folder of seeds");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let seeds: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).expect("a seed")).collect();
    assert!(seeds.len() > 1, "{target}");
    seeds.iter().for_each(|seed| check(seed));
    let inputs = prop_oneof![
        9 => (prop::sample::select(seeds), prop::collection::vec(change(), 1..8))
            .prop_map(|(seed, changes)| changed(seed, &changes)),
        1 => prop::collection::vec(any::<u8>(), 0..200),
    ];
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) };
    let tried = TestRunner::new(config).run(&inputs, |bytes| {
        check(&bytes);
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{target}: {error}"));
}

macro_rules! targets {
    ($($target:ident),*) => {$(
        #[test]
        fn $target() {
            holds_for_seeds_and_changes(stringify!($target), bodies::$target::check);
        }
    )*};
}

targets!(records, positions, moves, commands, network, endgame, data);

/// Long texts of one kind end soon, whatever they are made of.
#[test]
fn enormous_texts_are_read_or_refused() {
    let others = ["7", "71", "76 ", "1. ", "g1d2 ", "[A \"", "{}", "[[", "{\"a\":", "79:610 "];
    let words = words().into_iter().filter_map(|word| String::from_utf8(word).ok());
    for piece in words.chain(others.map(str::to_owned)) {
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
