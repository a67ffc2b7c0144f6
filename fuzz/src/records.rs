//! Game records: every format, and the guess of the format.

use tuzdyq::game::Pit;
use tuzdyq::records::{
    Conflict, Format, MAX_CONTRADICTIONS, Place, ReadError, Reading, Record, Writer, decode, read, read_as,
};
use tuzdyq::with_game;

/// Bytes of memory for each byte of a text: a move of one digit has all that may be said of a move.
const MEMORY: u64 = 1_000;
/// Bytes written for each byte read: a lone result is a game.
const OUTPUT: usize = 300;
/// So many games of a text are written and read again.
const GAMES: usize = 40;
/// One format for each reader.
const READERS: [Format; 4] = [Format::Pgn, Format::Pits, Format::Json, Format::Fen];

/// Reads whatever it is with every reader. What can be read is written and read again, and then nothing contradicts it.
pub fn check(bytes: &[u8]) {
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(ReadError { place, .. }) => {
            let breaks = bytes.iter().filter(|&&byte| byte == b'\n').count();
            assert!((1..=breaks + 1).contains(&place.line), "{place}");
            return assert!((1..=bytes.len() + 1).contains(&place.column), "{place}");
        }
    };
    assert!(Format::ALL.contains(&Format::guess(&text)));
    for format in READERS {
        check_readings(&text, format);
    }
}

fn check_readings(text: &str, format: Format) {
    let most = MEMORY * text.len() as u64;
    let games = bounded_games(text, format, most);
    assert!(games <= text.len(), "{games} games");
    let mut records = Vec::new();
    for reading in read_as(text, format).take(GAMES) {
        match reading {
            Ok(reading) => {
                check_reading(text, &reading);
                records.push(reading.record);
            }
            Err(error) => {
                check_place(text, error.place);
                super::check_line(&error.to_string());
            }
        }
    }
    for format in Format::ALL {
        let written = written(&records, format);
        assert!(written.len() <= super::BASE as usize + OUTPUT * text.len(), "{} bytes", written.len());
    }
    check_records(&records);
}

fn bounded_games(text: &str, format: Format, most: u64) -> usize {
    super::bounded(most, || read_as(text, format).filter(Result::is_ok).count())
}

fn check_reading(text: &str, reading: &Reading) {
    check_place(text, reading.place);
    assert!(reading.contradictions.len() <= MAX_CONTRADICTIONS);
    for contradiction in &reading.contradictions {
        check_place(text, contradiction.place);
        super::check_line(&contradiction.to_string());
    }
}

/// A place is in the text, or just behind its end.
fn check_place(text: &str, Place { line, column }: Place) {
    let found = text.split('\n').nth(line.wrapping_sub(1));
    let columns = found.unwrap_or_else(|| panic!("no line {line}")).chars().count();
    assert!((1..=columns + 1).contains(&column), "no column {column} in line {line}");
}

fn written(records: &[Record], format: Format) -> String {
    let mut writer = Writer::new(format);
    records.iter().for_each(|record| writer.add(record));
    writer.finish()
}

fn moves(record: &Record) -> &[Pit] {
    with_game!(&record.game, game => game.moves())
}

/// Writes games in every format, together and each alone, and reads them again.
pub fn check_records(records: &[Record]) {
    for format in Format::ALL {
        let text = written(records, format);
        let again = check_same(&text, read_as(&text, format), records, format);
        if format != Format::Fen {
            assert_eq!(written(&again, format), text);
        }
        for record in records {
            let alone = std::slice::from_ref(record);
            let text = written(alone, format);
            check_same(&text, read(&text), alone, format);
        }
    }
}

/// These games, and nothing contradicts them but what the records themselves say.
fn check_same(
    text: &str,
    readings: impl Iterator<Item = Result<Reading, ReadError>>,
    records: &[Record],
    format: Format,
) -> Vec<Record> {
    let readings: Result<Vec<Reading>, ReadError> = readings.collect();
    let readings = readings.unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(readings.len(), records.len(), "{text}");
    for (Reading { record: again, contradictions, .. }, record) in readings.iter().zip(records) {
        assert_eq!(again.final_fen(), record.final_fen(), "{text}");
        assert_eq!(again.game.variant(), record.game.variant(), "{text}");
        if format != Format::Fen {
            assert_eq!(moves(again), moves(record), "{text}");
        }
        if ![Format::Fen, Format::Squares, Format::Pits].contains(&format) {
            assert_eq!(again.known_result(), record.known_result(), "{text}");
        }
        let is_known =
            |conflict: &Conflict| matches!(conflict, Conflict::Result { .. } | Conflict::Count { .. });
        assert!(contradictions.iter().all(|one| is_known(&one.conflict)), "{contradictions:?}: {text}");
    }
    readings.into_iter().map(|reading| reading.record).collect()
}
