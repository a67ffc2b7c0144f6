//! How a weaker player sees positions.

use crate::game::{Board, Rules};

/// Errors to add to the static evaluation: the same position is always misjudged by the same amount, as a person
/// does who likes or fears something wrongly, so that the search pursues wrong plans instead of blundering at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misjudgement {
    /// The usual size of an error (its standard deviation), in centistones.
    pub size: u32,
    /// Another seed gives other errors.
    pub seed: u64,
}

impl Misjudgement {
    /// The error in centistones for the side to move: about normally distributed, at most four times the usual size.
    pub(super) fn error<R: Rules>(self, board: &Board<R>) -> i32 {
        let rows = board.mover().row_key() ^ board.opponent().row_key().rotate_left(32);
        let mut hash = (rows ^ self.seed).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        hash ^= hash >> 29;
        // The sum of four bytes, less its mean; 74 is the standard deviation of a byte's uniform distribution.
        let sum: i32 = hash.to_le_bytes()[..4].iter().map(|&byte| i32::from(byte)).sum::<i32>() - 2 * 255;
        sum * self.size as i32 / (2 * 74)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Togyzqumalaq};

    /// Errors along a game of first legal moves.
    fn errors(misjudgement: Misjudgement) -> Vec<i32> {
        let mut position = Position::<Togyzqumalaq>::start();
        let mut errors = Vec::new();
        while let Some(pit) = position.moves().next() {
            errors.push(misjudgement.error(position.board()));
            position = position.play(pit).0;
        }
        errors
    }

    #[test]
    fn errors_are_repeatable_unbiased_and_of_the_size_asked_for() {
        let all: Vec<i32> = (0..200).flat_map(|seed| errors(Misjudgement { size: 100, seed })).collect();
        let count = all.len() as f64;
        let mean = all.iter().map(|&error| f64::from(error)).sum::<f64>() / count;
        let deviation = (all.iter().map(|&error| f64::from(error).powi(2)).sum::<f64>() / count).sqrt();
        assert!(all.len() > 5_000, "{}", all.len());
        assert!(mean.abs() < 5.0, "{mean}");
        assert!((deviation - 100.0).abs() < 5.0, "{deviation}");
        assert_eq!(errors(Misjudgement { size: 100, seed: 1 }), errors(Misjudgement { size: 100, seed: 1 }));
        assert_ne!(errors(Misjudgement { size: 100, seed: 1 }), errors(Misjudgement { size: 100, seed: 2 }));
    }
}
