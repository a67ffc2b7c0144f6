//! The order in which moves are tried: the better the first, the smaller the tree.

use crate::game::{Board, MAX_PITS, Pit, PitSet, Rules};

use super::history::{History, Sowing};
use super::parameters::Parameters;

/// A move with what the ordering knows of it, in one number that compares by priority: bits 5.. the priority,
/// bit 4 whether the move is quiet, bits 0..4 the pit's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate(i32);

impl Candidate {
    pub(super) const NONE: Candidate = Candidate(0);

    #[inline(always)]
    fn new(pit: Pit, quiet: bool, priority: i32) -> Candidate {
        Candidate(priority << 5 | i32::from(quiet) << 4 | i32::from(pit.number()))
    }

    #[inline(always)]
    pub(super) fn pit(self) -> Pit {
        Pit::from_index((self.0 & 15) as usize - 1)
    }

    /// Whether the move takes nothing from the opponent's row.
    #[inline(always)]
    pub(super) fn is_quiet(self) -> bool {
        self.0 & 16 != 0
    }

    /// The same move, to come after all others.
    fn put_off(self) -> Candidate {
        Candidate(self.0 & 31 | LAST << 5)
    }

    /// Whether the move has been put off.
    #[inline(always)]
    pub(super) fn is_put_off(self) -> bool {
        self.0 >> 5 == LAST
    }
}

/// The unit of the priorities: the worth of a stone captured, above all that the histories say.
const STONE: i32 = 1 << 14;
const NEW_TUZDYQ: i32 = 64 * STONE;
/// Below all that the histories say.
const LAST: i32 = -64 * STONE;
/// For sowing from a pit that the opponent is about to make a tuzdyq.
const ESCAPE: i32 = 2 * STONE;

/// Where a node is in the tree, as far as the order of its moves depends on it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// 0 for South, 1 for North.
    pub(super) side: usize,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Plies still to search.
    pub(super) depth: i32,
    /// The move before.
    pub(super) previous: Sowing,
}

/// A list of moves from which the best is taken again and again: most nodes need only the first or two.
struct Candidates {
    moves: [Candidate; MAX_PITS],
    next: usize,
    len: usize,
}

impl Candidates {
    const EMPTY: Candidates = Candidates { moves: [Candidate::NONE; MAX_PITS], next: 0, len: 0 };

    #[inline(always)]
    fn add(&mut self, candidate: Candidate) {
        self.moves[self.len] = candidate;
        self.len += 1;
    }
}

impl Iterator for Candidates {
    type Item = Candidate;

    /// One step of a selection sort.
    #[inline(always)]
    fn next(&mut self) -> Option<Candidate> {
        let rest = self.moves.get_mut(self.next..self.len)?;
        let first = *rest.first()?;
        let (mut place, mut best) = (0, first);
        for (index, &candidate) in rest.iter().enumerate().skip(1) {
            if candidate > best {
                (place, best) = (index, candidate);
            }
        }
        rest[place] = first;
        self.next += 1;
        Some(best)
    }
}

/// The moves of a node, best first: the table's, new tuzdyqs, captures by size and history, escapes from a tuzdyq (like two
/// stones), killers (like one), and the rest by their histories.
pub(super) struct MovePicker {
    place: Place,
    table_move: Option<Pit>,
    rest: PitSet,
    candidates: Candidates,
}

impl MovePicker {
    #[inline(always)]
    pub(super) fn new<R: Rules>(board: &Board<R>, table_move: Option<Pit>, place: Place) -> MovePicker {
        let rest = board.mover().occupied();
        let table_move = table_move.filter(|&pit| rest.contains(pit));
        MovePicker { place, table_move, rest, candidates: Candidates::EMPTY }
    }

    /// The next move; the others are looked at only when the table's move has not been enough.
    #[inline(always)]
    pub(super) fn next<R: Rules>(
        &mut self,
        board: &Board<R>,
        history: &History,
        parameters: &Parameters,
    ) -> Option<Candidate> {
        if let Some(pit) = self.table_move.take() {
            self.rest = self.rest.without(pit);
            let quiet = board.capture(pit).stones == 0;
            return Some(Candidate::new(pit, quiet, 0));
        }
        if !self.rest.is_empty() {
            self.rate_rest(board, history, parameters);
        }
        self.candidates.next()
    }

    /// Gives back the move that came last, to come again when there is no other.
    pub(super) fn put_off(&mut self, candidate: Candidate) {
        self.candidates.next -= 1;
        self.candidates.moves[self.candidates.next] = candidate.put_off();
    }

    fn rate_rest<R: Rules>(&mut self, board: &Board<R>, history: &History, parameters: &Parameters) {
        let Place { side, ply, depth, previous } = self.place;
        let killers = history.killers(ply);
        let counter = history.counter(previous);
        let threats =
            if depth >= parameters.threats_depth() { board.threatened_tuzdyqs() } else { PitSet::EMPTY };
        for pit in self.rest {
            let capture = board.capture(pit);
            let sowing = Sowing::of(board, pit);
            let quiet = capture.stones == 0;
            let mut priority = capture.stones as i32 * STONE;
            if quiet {
                priority += history.quiet(side, previous, sowing, parameters);
                if killers.contains(pit) {
                    priority += parameters.killer_bonus();
                }
                if counter == Some(pit) {
                    priority += parameters.counter_bonus();
                }
            } else {
                priority += history.capture(sowing) * parameters.capture_history_weight() / 100;
            }
            if capture.tuzdyq {
                priority += NEW_TUZDYQ;
            }
            if threats.contains(pit) {
                priority += ESCAPE;
            }
            self.candidates.add(Candidate::new(pit, quiet, priority));
        }
        self.rest = PitSet::EMPTY;
    }
}

/// The moves that capture, largest first.
#[inline(always)]
pub(super) fn captures<R: Rules>(board: &Board<R>) -> impl Iterator<Item = Candidate> {
    let mut candidates = Candidates::EMPTY;
    for pit in board.mover().occupied() {
        let capture = board.capture(pit);
        if capture.stones != 0 {
            let tuzdyq = if capture.tuzdyq { NEW_TUZDYQ } else { 0 };
            let priority = tuzdyq + capture.stones as i32 * STONE;
            candidates.add(Candidate::new(pit, false, priority));
        }
    }
    candidates
}
