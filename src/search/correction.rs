//! What the search taught about the errors of the static evaluation (correction history, an idea of Caissa's author
//! Witold Warchocki, generalised by many since): rows with the same stones tend to be misjudged in the same way.

use crate::eval::{Evaluate, Score, bounds};
use crate::game::{Half, Position, Rules};

use super::table::{Bound, Entry};
use super::worker::{Frame, Search};

const SIZE: usize = 1 << 13;
/// An error is remembered in centistones times this.
const GRAIN: i32 = 64;
/// The largest error remembered, in centistones.
const MOST: i32 = 400;

/// The errors remembered: by the mover's and by the opponent's row.
pub(super) struct Corrections {
    errors: [Vec<i16>; 2],
}

impl Default for Corrections {
    fn default() -> Corrections {
        Corrections { errors: [vec![0; SIZE], vec![0; SIZE]] }
    }
}

impl Corrections {
    fn places<R: Rules>(position: &Position<R>) -> [usize; 2] {
        let place = |half: &Half| (half.row_key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 51) as usize;
        [place(position.board().mover()), place(position.board().opponent())]
    }

    /// What to add to the static evaluation, in centistones.
    fn get<R: Rules>(&self, position: &Position<R>) -> i32 {
        let [mover, opponent] = Corrections::places(position);
        (i32::from(self.errors[0][mover]) + i32::from(self.errors[1][opponent])) / GRAIN
    }

    /// Moves what is remembered towards an error.
    fn update<R: Rules>(&mut self, position: &Position<R>, error: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        for (errors, place) in self.errors.iter_mut().zip(Corrections::places(position)) {
            let old = i32::from(errors[place]);
            let new = (old * (256 - weight) + error * GRAIN * weight) / 256;
            errors[place] = new.clamp(-MOST * GRAIN, MOST * GRAIN) as i16;
        }
    }
}

impl<E: Evaluate> Search<'_, E> {
    /// The static evaluation less its usual error, or with the errors of a weaker player.
    #[inline(always)]
    pub(super) fn corrected<R: Rules>(&self, position: &Position<R>, evaluation: Score) -> Score {
        let board = position.board();
        let weight = self.env.parameters.correction_weight();
        let mut value = evaluation.value();
        if weight != 0 {
            value += self.worker.corrections.get(position) * weight / 100;
        }
        if let Some(misjudgement) = self.env.misjudgement {
            value += misjudgement.error(board);
        }
        let (least, greatest) = bounds(board);
        Score::centistones(value.clamp(least, greatest))
    }

    /// Learns from the result of a node.
    pub(super) fn learn_correction<R: Rules>(&mut self, position: &Position<R>, entry: Entry, ply: usize) {
        if self.env.parameters.correction_weight() == 0 || !self.env.selectivity.pruning {
            return;
        }
        let Entry { best, bound, depth, score } = entry;
        let quiet = best.is_none_or(|pit| position.capture(pit).stones == 0);
        let Frame { evaluation, estimate, .. } = self.worker.frames[ply];
        let says_nothing = match bound {
            Bound::Lower => score <= estimate,
            Bound::Upper => score >= estimate,
            Bound::Exact => false,
        };
        if !quiet || score.is_decided() || says_nothing {
            return;
        }
        self.worker.corrections.update(position, score.value() - evaluation.value(), depth);
    }
}
