//! What the network sees of a position, once from each side: one row of its first layer for each pit by its count, for
//! each kazan, for the tuzdyqs, and for each pit that a single move would take.
//!
//! Where a sowing ends depends on the exact count, so that each count has a row of its own. Of counts that hardly
//! occur, those that land in the same pit share one. What can be taken follows from the counts of two pits together,
//! which a first layer that only adds up cannot see.

use super::threats::{KINDS, Threats};
use crate::game::{Board, Pit, Rules};

/// Pits in a row.
pub(super) const PITS: usize = 9;
/// Counts with a row of their own, for each pit; from here on they repeat after each lap.
const COUNTS: usize = 54;
/// Pits of a lap.
pub(super) const LAP: usize = 2 * PITS;
/// Numbers of stones in a kazan, 0 to 81, in a game that is not over.
const KAZAN: usize = 82;
/// Numbers of a tuzdyq, 0 for none.
const TUZDYQ: usize = 10;

const KAZANS_FROM: usize = LAP * COUNTS;
const TUZDYQS_FROM: usize = KAZANS_FROM + 2 * KAZAN;
const THREATS_FROM: usize = TUZDYQS_FROM + TUZDYQ * TUZDYQ;

/// Rows that each position chooses for each side.
const ALWAYS: usize = LAP + 2 + 1;
/// Rows that a position chooses for each side, at most.
pub const ACTIVE: usize = ALWAYS + LAP;
/// Rows to choose from.
pub const ROWS: usize = THREATS_FROM + LAP * KINDS;

/// The rows that a position chooses, each below [`ROWS`]: always for the side to move and for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    always: [[u16; 2]; ALWAYS],
    threats: Threats,
}

impl Rows {
    /// Those of the pits, the kazans and the tuzdyqs.
    #[inline(always)]
    #[must_use]
    pub const fn always(&self) -> &[[u16; 2]; ALWAYS] {
        &self.always
    }

    /// Those of the threats: as many as there are threatened pits.
    #[inline(always)]
    pub fn threats(&self) -> impl Iterator<Item = [u16; 2]> {
        self.threats.map(|(side, pit, kind)| {
            [side, 1 - side].map(|side| (THREATS_FROM + (side * PITS + pit) * KINDS + kind - 1) as u16)
        })
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = [u16; 2]> {
        self.always.into_iter().chain(self.threats())
    }
}

/// A position as the network needs it, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Stones in the pits, 0 to 162: those of the side to move, then those of the other.
    pub stones: [u8; LAP],
    /// Stones in the kazans, likewise; 162 at most in both.
    pub kazans: [u8; 2],
    /// Numbers of the tuzdyqs of the side to move and of the other: 1 to 9, 0 for none.
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

    /// The rows that the position chooses as the side to move sees it, and as the other side does.
    #[must_use]
    pub fn rows(&self) -> Rows {
        self.rows_with(Threats::of(self))
    }

    /// The same when the threats have been found already.
    #[inline(always)]
    pub(super) fn rows_with(&self, threats: Threats) -> Rows {
        let mut always = [[0; 2]; ALWAYS];
        for side in 0..2 {
            let sides = [side, 1 - side];
            for pit in 0..PITS {
                let class = usize::from(CLASSES[usize::from(self.stones[side * PITS + pit])]);
                always[side * PITS + pit] = sides.map(|side| ((side * PITS + pit) * COUNTS + class) as u16);
            }
            let class = usize::from(self.kazans[side]).min(KAZAN - 1);
            always[LAP + side] = sides.map(|side| (KAZANS_FROM + side * KAZAN + class) as u16);
        }
        let [own, other] = self.tuzdyqs.map(|number| usize::from(number).min(TUZDYQ - 1));
        always[LAP + 2] =
            [(own, other), (other, own)].map(|(own, other)| (TUZDYQS_FROM + own * TUZDYQ + other) as u16);
        Rows { always, threats }
    }

    /// Stones in all pits.
    #[inline(always)]
    #[must_use]
    pub fn stones_left(&self) -> u32 {
        162_u32.saturating_sub(u32::from(self.kazans[0]) + u32::from(self.kazans[1]))
    }

    /// By how many stones the side to move leads.
    #[inline(always)]
    #[must_use]
    pub fn lead(&self) -> i32 {
        i32::from(self.kazans[0]) - i32::from(self.kazans[1])
    }
}

/// The row of each count among those of its pit.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut stones = 0;
    while stones < 256 {
        let class = if stones < COUNTS { stones } else { COUNTS - LAP + (stones - COUNTS) % LAP };
        classes[stones] = class as u8;
        stones += 1;
    }
    classes
};

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

    /// The rows for each side in order.
    fn sorted(view: &View) -> [Vec<u16>; 2] {
        let rows = view.rows();
        [0, 1].map(|side| {
            let mut rows: Vec<u16> = rows.iter().map(|both| both[side]).collect();
            rows.sort_unstable();
            rows
        })
    }

    #[test]
    fn rows_are_those_of_the_counts() {
        let position: Position<Togyzqumalaq> = Position::start();
        for rows in sorted(&View::of(position.board())) {
            let pits = (0..18).map(|pit| pit * 54 + 9);
            // Nine stones from pit 2 on end on the other side, in pits of ten then.
            let threats = (0..8).chain(9..17).map(|pit| 1_236 + pit * 11 + 4);
            let expected = pits.chain([972, 972 + 82, 972 + 164]).chain(threats);
            assert_eq!(rows, expected.collect::<Vec<u16>>());
        }
    }

    /// Number by number as docs/network-format.md has them.
    #[test]
    fn rows_of_a_position_without_symmetry() {
        // The mover's pit 9 takes four stones from the other side's pit 1; the other side's pit 5 takes two from the
        // mover's pit 2.
        let stones = [54, 1, 0, 0, 0, 0, 0, 0, 2, /* the other side */ 3, 0, 0, 0, 7, 0, 0, 0, 2];
        let pits = [36, 55, 108, 162, 216, 270, 324, 378, 434, 489, 540, 594, 648, 709, 756, 810, 864, 920];
        let sides = sorted(&View { stones, kazans: [7, 70], tuzdyqs: [3, 7] });
        let mut own = pits.to_vec();
        own.extend([972 + 7, 1_054 + 70, 1_136 + 37, 1_236 + 11, 1_236 + 99 + 1]);
        assert_eq!(sides[0], own);
        let mut other = pits.map(|row| (row + 486) % 972).to_vec();
        other.extend([972 + 70, 1_054 + 7, 1_136 + 73, 1_236 + 1, 1_236 + 110]);
        other.sort_unstable();
        assert_eq!(sides[1], other);
    }

    #[test]
    fn the_other_side_sees_its_own_pits_first() {
        let view =
            View { stones: std::array::from_fn(|index| 2 * index as u8), kazans: [3, 30], tuzdyqs: [0, 4] };
        let mut stones = view.stones;
        stones.rotate_left(9);
        let turned = View { stones, kazans: [30, 3], tuzdyqs: [4, 0] };
        let ([own, other], [turned_own, turned_other]) = (sorted(&view), sorted(&turned));
        assert_eq!(other, turned_own);
        assert_eq!(own, turned_other);
        assert_ne!(own, other);
    }

    #[test]
    fn rare_counts_share_the_row_of_those_that_land_alike() {
        for (stones, &class) in CLASSES.iter().enumerate() {
            let class = usize::from(class);
            assert!(class < COUNTS && class % LAP == stones % LAP);
            assert!(class == stones || (stones >= COUNTS && class >= COUNTS - LAP));
        }
    }

    #[test]
    fn extreme_positions_choose_rows_that_exist() {
        for stones in [[255; LAP], [1; LAP], [2; LAP], [100; LAP]] {
            for tuzdyqs in [[15; 2], [0; 2], [9; 2], [255, 1]] {
                let rows = View { stones, kazans: [255; 2], tuzdyqs }.rows();
                assert!(rows.iter().flatten().all(|row| usize::from(row) < ROWS));
            }
        }
        assert_eq!((bucket(0, 8), bucket(162, 8), bucket(999, 8)), (0, 7, 7));
    }
}
