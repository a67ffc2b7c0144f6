//! Moves in every spelling, in a position.

use tuzdyq::game::{Position, Rules, Variant, parse_move, squares};
use tuzdyq::with_rules;

/// Bytes of memory for each byte of a text.
const MEMORY: u64 = 16;

/// The first line is the position, and without one the start; each other line is a move.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for variant in Variant::ALL {
        with_rules!(variant, R => check_in::<R>(&text));
    }
}

fn check_in<R: Rules>(text: &str) {
    let mut lines = text.split('\n');
    let start = lines.next().and_then(|line| line.parse::<Position<R>>().ok());
    let mut position = start.unwrap_or_else(Position::start);
    for line in lines {
        match super::bounded(MEMORY * line.len() as u64, || parse_move(&position, line)) {
            Ok(pit) => {
                assert!(position.moves().contains(pit), "{line}");
                for spelling in [pit.to_string(), squares(&position, pit)] {
                    assert_eq!(parse_move(&position, &spelling), Ok(pit), "{line}: {spelling}");
                }
                position = position.play(pit).0;
            }
            Err(error) => super::check_line(&error.to_string()),
        }
    }
}
