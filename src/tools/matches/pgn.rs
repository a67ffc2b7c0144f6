//! The games of a match as a file of games.

use std::io;
use std::path::Path;

use crate::game::{AnyGame, GameError};
use crate::records::{self, Format, Writer};
use crate::tools::files::write_atomically;

use super::Settings;
use super::record::Record;

/// Writes the games, ordered by pairs. A reader sees the old file or the whole new one.
pub(super) fn write(path: &Path, settings: &Settings, records: &[Record]) -> io::Result<()> {
    let mut records: Vec<&Record> = records.iter().collect();
    records.sort_by_key(|record| (record.pair, !record.first_is_south));
    let mut writer = Writer::new(Format::Pgn);
    for record in records {
        writer.add(&game(settings, record).map_err(io::Error::other)?);
    }
    write_atomically(path, writer.finish().as_bytes())
}

/// A game of the match as a record.
fn game(settings: &Settings, record: &Record) -> Result<records::Record, GameError> {
    let [white, black] = if record.first_is_south { [0, 1] } else { [1, 0] };
    let name = |engine: usize| settings.engines[engine].to_string();
    let moves: Vec<String> = record.moves.split_whitespace().map(str::to_owned).collect();
    let played = AnyGame::from_text(settings.variant, record.fen.as_deref(), &moves)?;
    let mut game = records::Record::new(played);
    game.result = Some(record.result);
    for (tag, value) in [
        ("Event", "tuzdyq match".to_owned()),
        ("Date", date(record.ended_at)),
        ("Round", format!("{}.{}", record.pair + 1, if record.first_is_south { 1 } else { 2 })),
        ("White", name(white)),
        ("Black", name(black)),
        ("TimeControl", settings.limit.to_string()),
        ("PlyCount", record.plies().to_string()),
        ("Termination", record.end.to_string()),
    ] {
        game.tags.set(tag, value);
    }
    Ok(game)
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
    use super::*;

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
