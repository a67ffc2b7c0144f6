//! The games of a match as text, in the manner of chess's PGN: tags, then the moves as pit numbers.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crate::tools::files::write_atomically;

use super::Settings;
use super::record::Record;

/// Columns of the lines of moves, at most.
const WIDTH: usize = 80;

/// Writes the games, ordered by pairs. A reader sees the old file or the whole new one.
pub(super) fn write(path: &Path, settings: &Settings, records: &[Record]) -> io::Result<()> {
    let mut records: Vec<&Record> = records.iter().collect();
    records.sort_by_key(|record| (record.pair, !record.first_is_south));
    let text: String = records.into_iter().map(|record| game(settings, record)).collect();
    write_atomically(path, text.as_bytes())
}

/// One game as text, with a blank line after it.
#[must_use]
pub fn game(settings: &Settings, record: &Record) -> String {
    let [white, black] = if record.first_is_south { [0, 1] } else { [1, 0] };
    let name = |engine: usize| settings.engines[engine].to_string();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing into a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", "tuzdyq match");
    tag("Date", &date(record.ended_at));
    tag("Round", &format!("{}.{}", record.pair + 1, if record.first_is_south { 1 } else { 2 }));
    tag("White", &name(white));
    tag("Black", &name(black));
    tag("Result", &record.result.to_string());
    tag("Variant", settings.variant.name());
    tag("TimeControl", &settings.limit.to_string());
    tag("PlyCount", &record.plies().to_string());
    if let Some(fen) = &record.fen {
        tag("FEN", fen);
    }
    tag("Termination", &record.end.to_string());
    text.push('\n');
    text.push_str(&movetext(record));
    text.push('\n');
    text
}

fn movetext(record: &Record) -> String {
    // The number of the first move and who makes it are at the end of a FEN.
    let mut fields = record.fen.as_deref().unwrap_or_default().split(' ').rev();
    let mut number: u32 = fields.next().and_then(|number| number.parse().ok()).unwrap_or(1);
    let mut is_south = fields.next().is_none_or(|side| side != "N");
    let mut words = Vec::new();
    for (index, pit) in record.moves.split(' ').filter(|word| !word.is_empty()).enumerate() {
        if is_south {
            words.push(format!("{number}."));
        } else if index == 0 {
            words.push(format!("{number}..."));
        }
        words.push(pit.to_owned());
        number += u32::from(!is_south);
        is_south = !is_south;
    }
    words.push(record.result.to_string());
    wrapped(&words)
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
    text
}

/// The day, in UTC, as `YYYY.MM.DD`.
fn date(seconds: u64) -> String {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut day = seconds / 86_400;
    let mut year = 1970;
    // The lengths of years and months are taken off, oldest first; a clock that is far out ends the loop soon enough.
    while year < 9999 && day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::super::{End, GameResult, Usage};
    use super::*;

    fn record(fen: Option<&str>, moves: &str) -> Record {
        Record {
            pair: 0,
            first_is_south: true,
            fen: fen.map(str::to_owned),
            opening: 0,
            moves: moves.to_owned(),
            result: GameResult::Draw,
            end: End::PlyLimit,
            usage: [Usage::default(); 2],
            ended_at: 0,
        }
    }

    #[test]
    fn moves_are_numbered_from_where_the_game_began() {
        assert_eq!(movetext(&record(None, "7 2 3")), "1. 7 2 2. 3 1/2-1/2\n");
        assert_eq!(movetext(&record(Some("8,1S/1S,8 80 80 N 4"), "5 3 1")), "4... 5 5. 3 1 1/2-1/2\n");
        assert_eq!(movetext(&record(Some("8,1S/1S,8 80 80 S 4"), "5")), "4. 5 1/2-1/2\n");
        let long = movetext(&record(None, &["1"; 300].join(" ")));
        assert!(long.lines().all(|line| line.len() <= WIDTH) && long.lines().count() > 10, "{long}");
    }

    #[test]
    fn days_are_counted_from_1970() {
        for (seconds, expected) in [
            (0, "1970.01.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_735_689_599, "2024.12.31"),
            (1_735_689_600, "2025.01.01"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }
}
