//! What can be wrong with the bytes of a book.

use crate::game::{Pit, SetupError, Variant};

use super::format::{HEADER, MAX_MOVES, VERSION};

/// The bytes are no book that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// Something else.
    #[error("not a book file: it begins with '{0}', expected 'TUZDYQBK'")]
    Foreign(String),
    /// Nothing, or less than a header.
    #[error("{0} bytes, expected a book, which has {min} or more", min = HEADER + 4)]
    Short(usize),
    /// Another version of the format.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// A number in the header is impossible.
    #[error("{field} {found} in the header is not possible, expected {expected}")]
    Header {
        /// Which number.
        field: &'static str,
        /// What it says.
        found: u64,
        /// What it may say.
        expected: String,
    },
    /// Bytes are missing, or there are more.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// Bytes that there should be.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// The bytes have been changed.
    #[error("checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// The sum in the file.
        expected: u32,
        /// The sum of the bytes.
        found: u32,
    },
    /// The text is not one line.
    #[error("the text of the book is not one line of UTF-8")]
    Text,
    /// A position is none of the game.
    #[error("position {number}: expected one of {variant}, found that {error}")]
    Position {
        /// Which position, from 1.
        number: usize,
        /// The game.
        variant: Variant,
        /// What is wrong.
        error: SetupError,
    },
    /// The positions are not in order.
    #[error("position {0}: expected one that is greater than the one before it in the order of the bytes")]
    Unsorted(usize),
    /// The moves of a position do not begin where those of the one before end, or there are none or too many.
    #[error("position {number}: its moves end at {found}, expected 1 to {MAX_MOVES} moves from {first} on")]
    Moves {
        /// Which position, from 1.
        number: usize,
        /// The index of its first move.
        first: usize,
        /// The index after its last.
        found: usize,
    },
    /// A move cannot be played there, or is there twice, or the moves are not in order.
    #[error("position {number}: move {found}, expected {expected}")]
    Move {
        /// Which position, from 1.
        number: usize,
        /// The number of the pit.
        found: u8,
        /// The moves that may be there.
        expected: String,
    },
    /// What is known of a move is impossible.
    #[error("position {number}, move {pit}: {found}, expected {expected}")]
    Knowledge {
        /// Which position, from 1.
        number: usize,
        /// The move.
        pit: Pit,
        /// What is there.
        found: String,
        /// What may be there.
        expected: &'static str,
    },
}
