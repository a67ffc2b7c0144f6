//! What earlier nodes taught about moves: killers and the history of cut-offs.

use crate::game::{MAX_PITS, Pit, PitSet};

use super::MAX_PLY;

/// Stone counts that the history tells apart; larger ones share the last.
const COUNTS: usize = 32;
/// The history's values stay within ± this.
pub(super) const HISTORY_LIMIT: i32 = 8_192;

/// The last two quiet moves that caused a cut-off at a distance from the root.
#[derive(Clone, Copy, Default)]
struct Killers {
    latest: Option<Pit>,
    earlier: Option<Pit>,
}

/// One thread's memory of which quiet moves were good, by side, pit and number of stones: the count decides where a
/// sowing ends.
pub(super) struct History {
    scores: [[[i16; COUNTS]; MAX_PITS]; 2],
    killers: [Killers; MAX_PLY + 1],
}

impl Default for History {
    fn default() -> History {
        History { scores: [[[0; COUNTS]; MAX_PITS]; 2], killers: [Killers::default(); MAX_PLY + 1] }
    }
}

impl History {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = History::default();
    }

    /// Keeps the history and forgets the killers, which belong to one root.
    pub(super) fn new_search(&mut self) {
        self.killers = [Killers::default(); MAX_PLY + 1];
    }

    #[inline(always)]
    pub(super) fn killers(&self, ply: usize) -> PitSet {
        let Killers { latest, earlier } = self.killers[ply];
        latest.into_iter().chain(earlier).collect()
    }

    /// How good the sowing of `stones` from `pit` has been, within ± [`HISTORY_LIMIT`].
    #[inline(always)]
    pub(super) fn score(&self, side: usize, pit: Pit, stones: u32) -> i32 {
        self.scores[side][pit.index()][(stones as usize).min(COUNTS - 1)].into()
    }

    /// Moves a value towards ± [`HISTORY_LIMIT`], the less the nearer it is.
    pub(super) fn update(&mut self, side: usize, pit: Pit, stones: u32, bonus: i32) {
        let score = &mut self.scores[side][pit.index()][(stones as usize).min(COUNTS - 1)];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    pub(super) fn add_killer(&mut self, ply: usize, pit: Pit) {
        let killers = &mut self.killers[ply];
        if killers.latest != Some(pit) {
            *killers = Killers { latest: Some(pit), earlier: killers.latest };
        }
    }
}
