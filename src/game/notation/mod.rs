//! Positions and moves as text: reading with typed errors, and writing.

mod diagram;
mod fen;
mod moves;
mod written;

pub use diagram::Diagram;
pub use fen::{FenError, FenField};
pub use moves::{MoveError, MoveFault, parse_move, squares};
pub use written::{Spot, Written};

use std::fmt;

use super::position::Side;

/// `South` or `North`.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::South => "South",
            Side::North => "North",
        })
    }
}

/// The number that `text` writes with decimal digits alone: no sign, and at least one digit.
fn number(text: &str) -> Option<u32> {
    // `parse` alone would also take "+5".
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits_only() {
        assert_eq!(number("0"), Some(0));
        assert_eq!(number("0012"), Some(12));
        assert_eq!(number("4294967295"), Some(u32::MAX));
        for text in ["", "+5", "-1", "4294967296", "1 ", "٣", "1.0"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
