//! A principal variation.

use crate::game::Pit;

use super::MAX_PLY;

/// A sequence of moves with a fixed capacity, so that the search never allocates.
#[derive(Clone, Copy)]
pub(super) struct Line {
    moves: [Option<Pit>; MAX_PLY + 1],
    len: usize,
}

impl Line {
    /// No moves.
    pub(super) const EMPTY: Line = Line { moves: [None; MAX_PLY + 1], len: 0 };

    /// The moves, first to last.
    pub(super) fn iter(&self) -> impl Iterator<Item = Pit> + '_ {
        self.moves[..self.len].iter().copied().flatten()
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Makes this line the move followed by the other line.
    pub(super) fn set(&mut self, first: Pit, rest: &Line) {
        let len = rest.len.min(MAX_PLY);
        self.moves[0] = Some(first);
        self.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        self.len = len + 1;
    }
}
