//! What earlier nodes taught about moves: killers, counter-moves, and histories of cut-offs.

use crate::game::{Board, MAX_PITS, Pit, PitSet, Rules};

use super::MAX_PLY;
use super::parameters::Parameters;

/// Stone counts that the histories tell apart; larger ones share the last.
const COUNTS: usize = 32;
const SOWINGS: usize = MAX_PITS * COUNTS;
/// The histories' values stay within ± this.
pub(super) const HISTORY_LIMIT: i32 = 8_192;

/// A move as the histories know it: the pit and the number of stones, which together decide where the sowing ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Sowing(u16);

impl Sowing {
    /// No move; shares its place with the sowing of no stones, which never happens.
    pub(super) const NONE: Sowing = Sowing(0);

    #[inline(always)]
    pub(super) fn of<R: Rules>(board: &Board<R>, pit: Pit) -> Sowing {
        Sowing((pit.index() * COUNTS + (board.mover().stones(pit) as usize).min(COUNTS - 1)) as u16)
    }

    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The last two quiet moves that caused a cut-off at a distance from the root.
#[derive(Clone, Copy, Default)]
struct Killers {
    latest: Option<Pit>,
    earlier: Option<Pit>,
}

/// A value for each sowing, within ± [`HISTORY_LIMIT`].
#[derive(Clone, Copy)]
struct Values([i16; SOWINGS]);

impl Values {
    const ZERO: Values = Values([0; SOWINGS]);

    #[inline(always)]
    fn get(&self, sowing: Sowing) -> i32 {
        self.0[sowing.index()].into()
    }

    /// Moves a value towards ± [`HISTORY_LIMIT`], the less the nearer it is.
    fn update(&mut self, sowing: Sowing, bonus: i32) {
        let value = &mut self.0[sowing.index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

/// One thread's memory of which moves were good.
pub(super) struct History {
    /// Quiet moves, by side.
    quiets: [Values; 2],
    /// Quiet moves, by the move before them (Stockfish's name: continuation history).
    continuations: Vec<Values>,
    /// Captures.
    captures: Values,
    /// The last reply that refuted a move (Uiterwijk, "The countermove heuristic", 1992).
    counters: [Option<Pit>; SOWINGS],
    killers: [Killers; MAX_PLY + 1],
}

impl Default for History {
    fn default() -> History {
        History {
            quiets: [Values::ZERO; 2],
            continuations: vec![Values::ZERO; SOWINGS],
            captures: Values::ZERO,
            counters: [None; SOWINGS],
            killers: [Killers::default(); MAX_PLY + 1],
        }
    }
}

impl History {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = History::default();
    }

    /// Keeps the histories and forgets the killers, which belong to one root.
    pub(super) fn new_search(&mut self) {
        self.killers = [Killers::default(); MAX_PLY + 1];
    }

    #[inline(always)]
    pub(super) fn killers(&self, ply: usize) -> PitSet {
        let Killers { latest, earlier } = self.killers[ply];
        latest.into_iter().chain(earlier).collect()
    }

    #[inline(always)]
    pub(super) const fn counter(&self, previous: Sowing) -> Option<Pit> {
        self.counters[previous.index()]
    }

    /// How good a quiet move has been, by itself and after the move before it.
    #[inline(always)]
    pub(super) fn quiet(
        &self,
        side: usize,
        previous: Sowing,
        sowing: Sowing,
        parameters: &Parameters,
    ) -> i32 {
        let continuation = self.continuations[previous.index()].get(sowing);
        self.quiets[side].get(sowing) + continuation * parameters.continuation_weight() / 100
    }

    /// How good a capture has been.
    #[inline(always)]
    pub(super) fn capture(&self, sowing: Sowing) -> i32 {
        self.captures.get(sowing)
    }

    pub(super) fn update_quiet(&mut self, side: usize, previous: Sowing, sowing: Sowing, bonus: i32) {
        self.quiets[side].update(sowing, bonus);
        self.continuations[previous.index()].update(sowing, bonus);
    }

    pub(super) fn update_capture(&mut self, sowing: Sowing, bonus: i32) {
        self.captures.update(sowing, bonus);
    }

    /// Remembers a quiet move that caused a cut-off.
    pub(super) fn add_refutation(&mut self, ply: usize, previous: Sowing, pit: Pit) {
        self.counters[previous.index()] = Some(pit);
        let killers = &mut self.killers[ply];
        if killers.latest != Some(pit) {
            *killers = Killers { latest: Some(pit), earlier: killers.latest };
        }
    }
}
