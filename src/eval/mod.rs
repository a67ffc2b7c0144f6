//! Static evaluation: what a position is worth without looking ahead.

mod classic;
pub mod network;
mod score;
mod wdl;

pub use classic::{Classic, Term};
pub use network::Network;
pub use score::Score;
pub use wdl::Wdl;

use crate::game::{Board, Rules};

/// Something that estimates positions.
pub trait Evaluate: Send + Sync {
    /// Whether it takes so long that the values of positions met lately are worth keeping.
    const SLOW: bool = false;

    /// The expected final lead of the side to move, within the [`bounds`] that the stones left allow.
    ///
    /// The game must not be over.
    fn evaluate<R: Rules>(&self, board: &Board<R>) -> Score;
}

/// The least and the greatest score, short of a proven end, that the stones left allow the side to move.
///
/// The final lead lies between what it is if the opponent gets all stones left and if the mover does. In particular
/// it is not negative for a side that has half of the stones.
#[inline(always)]
#[must_use]
pub fn bounds<R: Rules>(board: &Board<R>) -> (i32, i32) {
    let lead = board.mover().kazan() as i32 - board.opponent().kazan() as i32;
    let left = board.stones_left() as i32;
    (100 * (lead - left), 100 * (lead + left))
}
