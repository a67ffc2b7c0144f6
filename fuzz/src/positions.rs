//! Positions as FEN.

use tuzdyq::game::{Position, Variant};
use tuzdyq::with_rules;

/// Bytes of memory for each byte of a text.
const MEMORY: u64 = 16;

/// Reads a text as a position of each game.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for variant in Variant::ALL {
        with_rules!(variant, R => {
            match super::bounded(MEMORY * text.len() as u64, || text.parse::<Position<R>>()) {
                Ok(position) => {
                    let written = position.to_string();
                    let again: Position<R> = written.parse().expect("a FEN that was written");
                    assert_eq!((&again, again.move_number()), (&position, position.move_number()));
                    assert_eq!(again.to_string(), written);
                    assert_eq!(position.key(), position.computed_key());
                }
                Err(error) => super::check_line(&error.to_string()),
            }
        });
    }
}
