//! What a search tells the outside.

use std::time::Duration;

use crate::eval::Score;
use crate::game::Pit;

use super::table::Bound;

/// One line of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The rank of the line, from 1.
    pub multipv: usize,
    /// Its score for the side to move.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Positions visited so far by all threads.
    pub nodes: u64,
    /// Answers that all threads had from the endgame tables.
    pub table_hits: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub fullness: u32,
    /// The line itself.
    pub line: Vec<Pit>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The move to play; `None` when the game is over.
    pub best: Option<Pit>,
    /// The reply that is expected.
    pub ponder: Option<Pit>,
    /// The score of the best move.
    pub score: Score,
    /// The last depth that was finished, in plies.
    pub depth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}
