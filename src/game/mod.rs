//! The rules of the game; nothing here knows of search.

mod board;
mod outcome;
mod perft;
mod pit;
mod position;
mod sowing;
mod variant;
mod zobrist;

pub use board::{Board, Capture, Effect, Half};
pub use outcome::Outcome;
pub use perft::perft;
pub use pit::{Pit, PitSet};
pub use position::{Position, Side};
pub use sowing::Sowing;
pub use variant::{Bestemshe, Kozdatu, MAX_PITS, Rules, Togyzqumalaq, UnknownVariant, Variant};
