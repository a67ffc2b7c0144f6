//! The rules of the game; nothing here knows of search.

mod any;
mod board;
mod notation;
mod outcome;
mod packed;
mod perft;
mod pit;
mod played;
mod position;
mod record;
mod sowing;
mod validate;
mod variant;
mod zobrist;

pub use any::{AnyGame, GameError};
pub use board::{Board, Capture, Effect, Half, Landing};
pub use notation::{Diagram, FenError, FenField, MoveError, MoveFault, Spot, Written, parse_move, squares};
pub use outcome::Outcome;
pub use packed::Packed;
pub use perft::perft;
pub use pit::{Pit, PitSet};
pub use played::Played;
pub use position::{Position, Side};
pub use record::Game;
pub use sowing::Sowing;
pub use validate::{Setup, SetupError};
pub use variant::{Bestemshe, Kozdatu, MAX_PITS, Rules, Togyzqumalaq, UnknownVariant, Variant};
