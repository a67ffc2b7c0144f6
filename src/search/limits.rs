//! What ends a search.

use std::time::Duration;

use crate::game::PitSet;

/// The limits of one search; those that are given hold together, and the first that is reached ends it.
///
/// Without any limit the search is as good as infinite: it ends at [`MAX_DEPTH`](super::MAX_DEPTH).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Positions visited by all threads together.
    pub nodes: Option<u64>,
    /// After so many positions no new iteration begins.
    pub soft_nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clocks, when the game is timed.
    pub clock: Option<Clock>,
    /// Search for a win in at most this many own moves, without selective pruning or reductions.
    pub mate: Option<u32>,
    /// Report nothing as final before being stopped.
    pub infinite: bool,
    /// Think on the opponent's time until the ponder move is played.
    pub ponder: bool,
    /// The root moves to consider; empty means all.
    pub searchmoves: PitSet,
}

impl Limits {
    /// Whether a limit ends the search.
    #[must_use]
    pub const fn is_bounded(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
            || self.mate.is_some()
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left, zero when the clock has run out.
    pub remaining: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// Moves until more time comes, at least 1; `None` when the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}
