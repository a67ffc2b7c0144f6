//! The order in which moves are tried: the better the first, the smaller the tree.

use crate::game::{Board, MAX_PITS, Pit, PitSet, Rules};

use super::history::History;

/// A move with what the ordering knows of it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) pit: Pit,
    /// Whether it takes nothing from the opponent's row.
    pub(super) quiet: bool,
    priority: i32,
}

const TABLE_MOVE: i32 = 1 << 24;
const NEW_TUZDYQ: i32 = 1 << 20;
/// Per stone.
const CAPTURE: i32 = 1 << 14;
const KILLERS: [i32; 2] = [1 << 14, (1 << 14) - 1];
/// For sowing from a pit that the opponent is about to make a tuzdyq.
const ESCAPE: i32 = 1 << 15;

/// The moves of a node, best first.
pub(super) struct MovePicker {
    candidates: [Candidate; MAX_PITS],
    next: usize,
    len: usize,
}

const NONE: Candidate = Candidate { pit: Pit::from_index(0), quiet: true, priority: 0 };

impl MovePicker {
    /// All legal moves: the table's, new tuzdyqs, captures by size, killers, escapes, and the rest by history.
    #[inline]
    pub(super) fn all<R: Rules>(
        board: &Board<R>,
        table_move: Option<Pit>,
        history: &History,
        side: usize,
        ply: usize,
        threats: PitSet,
    ) -> MovePicker {
        let killers = history.killers(ply);
        let mut picker = MovePicker { candidates: [NONE; MAX_PITS], next: 0, len: 0 };
        for pit in board.mover().occupied() {
            let capture = board.capture(pit);
            let mut priority = history.score(side, pit, board.mover().stones(pit));
            priority += capture.stones as i32 * CAPTURE;
            if capture.tuzdyq {
                priority += NEW_TUZDYQ;
            }
            if table_move == Some(pit) {
                priority += TABLE_MOVE;
            }
            if threats.contains(pit) {
                priority += ESCAPE;
            }
            for (killer, bonus) in killers.into_iter().zip(KILLERS) {
                if killer == Some(pit) {
                    priority += bonus;
                }
            }
            picker.add(Candidate { pit, quiet: capture.stones == 0, priority });
        }
        picker
    }

    /// The moves that capture, largest first.
    #[inline]
    pub(super) fn captures<R: Rules>(board: &Board<R>) -> MovePicker {
        let mut picker = MovePicker { candidates: [NONE; MAX_PITS], next: 0, len: 0 };
        for pit in board.mover().occupied() {
            let capture = board.capture(pit);
            if capture.stones != 0 {
                let tuzdyq = if capture.tuzdyq { NEW_TUZDYQ } else { 0 };
                let priority = tuzdyq + capture.stones as i32 * CAPTURE;
                picker.add(Candidate { pit, quiet: false, priority });
            }
        }
        picker
    }

    #[inline(always)]
    fn add(&mut self, candidate: Candidate) {
        self.candidates[self.len] = candidate;
        self.len += 1;
    }
}

impl Iterator for MovePicker {
    type Item = Candidate;

    /// Selection sort, one step at a time: most nodes need only the first move or two.
    #[inline]
    fn next(&mut self) -> Option<Candidate> {
        let rest = &mut self.candidates[self.next..self.len];
        let (mut best, mut priority) = (0, rest.first()?.priority);
        for (index, candidate) in rest.iter().enumerate().skip(1) {
            if candidate.priority > priority {
                (best, priority) = (index, candidate.priority);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
    }
}
