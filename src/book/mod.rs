//! Opening knowledge: what games and the engine's own analysis say of the moves of a position.
//!
//! A [`Book`] is a file in memory, which docs/book-format.md describes byte by byte. [`Book::ask`] gives what it knows
//! of a position, the best move first, and [`choose`] picks one of the moves. [`Contents`] is a book in the making.
//!
//! Positions are kept as they are seen from the side to move, so that a position and the same one with the colours
//! exchanged, which the rules treat alike, are one. They are kept whole, not as a hash: no two positions can be taken
//! for each other, and whether a move is legal is checked when the book is read.
//!
//! Nothing here asks the operating system for anything.

mod candidates;
mod contents;
mod error;
mod format;
mod knowledge;

pub use candidates::{Candidate, candidates, choose};
pub use contents::Contents;
pub use error::BookError;
pub use format::{Book, Header, MAX_ORIGIN};
pub use knowledge::{Analysis, Knowledge, Tally};
