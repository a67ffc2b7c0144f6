//! The end of a game and its result.

use std::fmt;

use super::position::{Position, Side};
use super::variant::Rules;

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// South's final stones: its kazan, with the stones left on the board after an atsyrau of North.
    pub south: u32,
    /// North's final stones, likewise.
    pub north: u32,
    /// Whether the game ended because the side to move had no stone.
    pub atsyrau: bool,
}

impl Outcome {
    /// The outcome of a position, `None` while the game goes on.
    ///
    /// A kazan with more than half of the stones ends the game at once, and the stones in the pits stay there.
    pub(super) fn of<R: Rules>(position: &Position<R>) -> Option<Outcome> {
        let kazan = |side| position.half(side).kazan();
        let (south, north) = (kazan(Side::South), kazan(Side::North));
        if position.board().is_decided() {
            return Some(Outcome { south, north, atsyrau: false });
        }
        if !position.board().mover().is_empty() {
            return None;
        }
        let row = |side| position.half(side).row_stones();
        Some(Outcome { south: south + row(Side::South), north: north + row(Side::North), atsyrau: true })
    }

    /// The side with more stones; `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        match self.south.cmp(&self.north) {
            std::cmp::Ordering::Greater => Some(Side::South),
            std::cmp::Ordering::Less => Some(Side::North),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The result as records write it: `1-0`, `0-1` or `1/2-1/2`, South (White) first.
    #[must_use]
    pub fn result(&self) -> &'static str {
        match self.winner() {
            Some(Side::South) => "1-0",
            Some(Side::North) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.atsyrau { ", atsyrau" } else { "" };
        write!(f, "{} ({}-{}{how})", self.result(), self.south, self.north)
    }
}
