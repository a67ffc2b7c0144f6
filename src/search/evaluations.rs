//! Static evaluations of the positions met lately: iterative deepening comes by most of them again.

use crate::eval::{Evaluate, Score};
use crate::game::{Position, Rules};

use super::worker::Search;

/// Entries, 8 bytes each: they should fit beside the network into the cache of a core.
const SIZE: usize = 1 << 16;
/// The bits of an entry that hold the value; the others are the key's.
const VALUE: u64 = 0xFFFF;

/// A table of evaluations; one position in millions of millions gets the value of another.
pub(super) struct Evaluations {
    entries: Box<[u64]>,
}

impl Default for Evaluations {
    fn default() -> Evaluations {
        Evaluations { entries: vec![0; SIZE].into_boxed_slice() }
    }
}

impl Evaluations {
    /// Forgets all, as must be done before another evaluation is used.
    pub(super) fn clear(&mut self) {
        self.entries.fill(0);
    }

    #[inline(always)]
    fn get_or(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        let entry = &mut self.entries[key as usize % SIZE];
        if (*entry ^ key) & !VALUE == 0 {
            return Score::centistones((*entry as i16).into());
        }
        let score = evaluate();
        *entry = key & !VALUE | u64::from(score.value() as u16);
        score
    }
}

impl<E: Evaluate> Search<'_, E> {
    /// The static evaluation of a position.
    #[inline(always)]
    pub(super) fn evaluate<R: Rules>(&mut self, position: &Position<R>) -> Score {
        let evaluation = self.env.evaluation;
        if !E::SLOW {
            return evaluation.evaluate(position.board());
        }
        self.worker.evaluations.get_or(position.key(), || evaluation.evaluate(position.board()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_kept_until_another_position_takes_its_place() {
        let mut evaluations = Evaluations::default();
        let key = 0x1234_5678_9ABC_DEF0;
        for value in [-16_200, -1, 0, 1, 16_200] {
            evaluations.clear();
            let score = Score::centistones(value);
            assert_eq!(evaluations.get_or(key, || score), score);
            assert_eq!(evaluations.get_or(key, || unreachable!()), score);
            let other = key ^ 1 << 60;
            assert_eq!(evaluations.get_or(other, || Score::DRAW), Score::DRAW);
            assert_eq!(evaluations.get_or(key, || score), score);
        }
    }
}
