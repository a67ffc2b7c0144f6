//! What the network sees of a position: one row of its first layer for each pit by its count, for each kazan, and for the
//! tuzdyqs.
//!
//! Where a sowing ends depends on the exact count, so that each count has a row of its own. Of counts that hardly occur,
//! those that land in the same pit share one.

use crate::game::{Board, Pit, Rules};

/// Pits in a row.
const PITS: usize = 9;
/// Counts with a row of their own, for each pit; from here on they repeat after each lap.
const COUNTS: usize = 54;
/// Pits of a lap.
const LAP: usize = 2 * PITS;
/// Stones that a kazan can hold in a game that is not over.
const KAZAN: usize = 82;
/// Numbers of a tuzdyq, 0 for none.
const TUZDYQ: usize = 10;

const KAZANS_FROM: usize = LAP * COUNTS;
const TUZDYQS_FROM: usize = KAZANS_FROM + 2 * KAZAN;

/// Rows that a position chooses.
pub const ACTIVE: usize = LAP + 2 + 1;
/// Rows to choose from.
pub const ROWS: usize = TUZDYQS_FROM + TUZDYQ * TUZDYQ;

/// A position as the network needs it, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Stones in the pits: those of the side to move, then those of the other.
    pub stones: [u8; LAP],
    /// Stones in the kazans, likewise.
    pub kazans: [u8; 2],
    /// Numbers of the tuzdyqs of the side to move and of the other, 0 for none.
    pub tuzdyqs: [u8; 2],
}

impl View {
    /// What the network needs of a board.
    #[inline(always)]
    #[must_use]
    pub fn of<R: Rules>(board: &Board<R>) -> View {
        let (mover, opponent) = (board.mover(), board.opponent());
        let number = |pit: Option<Pit>| pit.map_or(0, Pit::number);
        View {
            stones: std::array::from_fn(|index| {
                let half = if index < PITS { mover } else { opponent };
                half.stones(Pit::from_index(index % PITS)) as u8
            }),
            kazans: [mover.kazan() as u8, opponent.kazan() as u8],
            tuzdyqs: [number(opponent.captured_pit()), number(mover.captured_pit())],
        }
    }

    /// The rows that the position chooses, each below [`ROWS`].
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> [u16; ACTIVE] {
        let mut rows = [0; ACTIVE];
        for (pit, &stones) in self.stones.iter().enumerate() {
            rows[pit] = (pit * COUNTS + class(stones.into())) as u16;
        }
        for (side, &kazan) in self.kazans.iter().enumerate() {
            rows[LAP + side] = (KAZANS_FROM + side * KAZAN + usize::from(kazan).min(KAZAN - 1)) as u16;
        }
        let [own, other] = self.tuzdyqs.map(|number| usize::from(number).min(TUZDYQ - 1));
        rows[LAP + 2] = (TUZDYQS_FROM + own * TUZDYQ + other) as u16;
        rows
    }

    /// Stones in all pits.
    #[inline(always)]
    #[must_use]
    pub fn stones_left(&self) -> u32 {
        162 - u32::from(self.kazans[0]) - u32::from(self.kazans[1])
    }

    /// By how many stones the side to move leads.
    #[inline(always)]
    #[must_use]
    pub fn lead(&self) -> i32 {
        i32::from(self.kazans[0]) - i32::from(self.kazans[1])
    }
}

/// The row of a count among those of its pit.
#[inline(always)]
fn class(stones: usize) -> usize {
    if stones < COUNTS { stones } else { COUNTS - LAP + (stones - COUNTS) % LAP }
}

/// Which of so many output buckets a position belongs to: by the stones left in the pits.
#[inline(always)]
#[must_use]
pub fn bucket(stones_left: u32, buckets: usize) -> usize {
    (stones_left as usize).min(162) * buckets / 163
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Togyzqumalaq};

    #[test]
    fn rows_are_those_of_the_counts() {
        let position: Position<Togyzqumalaq> = Position::start();
        let rows = View::of(position.board()).rows();
        assert_eq!(rows[0], 9);
        assert_eq!(rows[17], 17 * 54 + 9);
        assert_eq!(rows[18..], [972, 972 + 82, 972 + 164]);
    }

    #[test]
    fn rare_counts_share_the_row_of_those_that_land_alike() {
        for stones in 0..=162 {
            let class = class(stones);
            assert!(class < COUNTS && class % LAP == stones % LAP);
            assert!(class == stones || (stones >= COUNTS && class >= COUNTS - LAP));
        }
    }

    #[test]
    fn extreme_positions_choose_rows_that_exist() {
        let mut view = View { stones: [255; LAP], kazans: [255; 2], tuzdyqs: [15; 2] };
        assert!(view.rows().iter().all(|&row| usize::from(row) < ROWS));
        view.tuzdyqs = [9, 9];
        assert_eq!(usize::from(view.rows()[20]), ROWS - 1);
        assert_eq!((bucket(0, 8), bucket(162, 8), bucket(999, 8)), (0, 7, 7));
    }
}
