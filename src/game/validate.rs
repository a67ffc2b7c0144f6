//! What makes a set-up position possible: checked here once, so that no other code has to doubt a position.
//!
//! The checks refuse what the rules exclude in every game. They do not ask whether a game could lead to the
//! position: studies, such as an odd kazan without a tuzdyq, are welcome.

use super::board::Half;
use super::pit::Pit;
use super::position::{Position, Side};
use super::variant::{MAX_PITS, Rules, Variant};

/// The highest move number that a set-up position may have.
pub(super) const MAX_MOVE_NUMBER: u32 = 1_000_000_000;

/// The stones that a tuzdyq brings its owner at once.
const TUZDYQ_STONES: u32 = 3;

/// A position as someone describes it, not yet known to be possible. Pairs have South's value first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Stones in each side's own row, pit 1 first.
    pub stones: [Vec<u32>; 2],
    /// In each side's own row, the number of the pit that the *other* side has captured.
    pub tuzdyqs: [Option<u8>; 2],
    /// Stones in each side's kazan.
    pub kazans: [u32; 2],
    /// The side to move.
    pub turn: Side,
    /// The number of the move to be played, from 1 to 100,000.
    pub move_number: u32,
}

/// Why a set-up position is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A row has too few or too many pits.
    #[error("{side}'s row has {pits} pits instead of {expected}")]
    RowLength {
        /// Whose row it is.
        side: Side,
        /// The pits of the row.
        pits: usize,
        /// The pits that a row of this game has.
        expected: usize,
    },
    /// A pit holds more stones than the game has.
    #[error("{side}'s pit {pit} cannot hold {stones} stones: the game has {total}")]
    PitStones {
        /// Whose pit it is.
        side: Side,
        /// Which pit.
        pit: Pit,
        /// The stones in the pit.
        stones: u32,
        /// All stones of the game.
        total: u32,
    },
    /// A kazan holds more stones than the game has.
    #[error("{side}'s kazan cannot hold {stones} stones: the game has {total}")]
    KazanStones {
        /// Whose kazan it is.
        side: Side,
        /// The stones in the kazan.
        stones: u32,
        /// All stones of the game.
        total: u32,
    },
    /// Stones are missing, or there are too many.
    #[error("the stones add up to {sum} instead of {expected}")]
    Total {
        /// The stones in all pits and kazans.
        sum: u64,
        /// All stones of the game.
        expected: u32,
    },
    /// A tuzdyq in a game that is played without.
    #[error("there is no tuzdyq in {0}")]
    NoTuzdyqs(Variant),
    /// A tuzdyq in the last pit of a row, or in a pit that the row does not have.
    #[error("a tuzdyq in pit {number} of {side}'s row is impossible")]
    TuzdyqPit {
        /// Whose row it is.
        side: Side,
        /// The number of the pit.
        number: u8,
    },
    /// Both sides own a tuzdyq in the pit of the same number.
    #[error("both tuzdyqs have the number {0}")]
    SameNumber(Pit),
    /// Stones lie in a tuzdyq instead of its owner's kazan.
    #[error("{side}'s pit {pit} is a tuzdyq but holds {stones} stones")]
    TuzdyqStones {
        /// Whose row the tuzdyq is in.
        side: Side,
        /// Which pit.
        pit: Pit,
        /// The stones in the pit.
        stones: u32,
    },
    /// A kazan lacks the stones that its owner's tuzdyq brought.
    #[error("{side} owns a tuzdyq, so its kazan cannot hold only {stones}: a tuzdyq brings 3")]
    TuzdyqKazan {
        /// The owner of the tuzdyq.
        side: Side,
        /// The stones in the owner's kazan.
        stones: u32,
    },
    /// The move number is 0 or absurdly high.
    #[error("the move number {0} is not between 1 and {MAX_MOVE_NUMBER}")]
    MoveNumber(u32),
}

impl<R: Rules> Position<R> {
    /// The position that `setup` describes. A finished game is a position too.
    ///
    /// # Errors
    /// If the rules of the game exclude the position; the error names the first thing found wrong.
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let south = half::<R>(setup, Side::South)?;
        let north = half::<R>(setup, Side::North)?;
        if let (Some(pit), true) = (south.captured_pit(), south.captured_pit() == north.captured_pit()) {
            return Err(SetupError::SameNumber(pit));
        }
        check_tuzdyq(Side::South, &south, &north)?;
        check_tuzdyq(Side::North, &north, &south)?;
        check_total::<R>(setup)?;
        if !(1..=MAX_MOVE_NUMBER).contains(&setup.move_number) {
            return Err(SetupError::MoveNumber(setup.move_number));
        }
        Ok(Position::from_halves(south, north, setup.turn, setup.move_number))
    }
}

/// One side's half of the board, its parts checked each by itself.
fn half<R: Rules>(setup: &Setup, side: Side) -> Result<Half, SetupError> {
    let row = &setup.stones[side as usize];
    if row.len() != R::PITS {
        return Err(SetupError::RowLength { side, pits: row.len(), expected: R::PITS });
    }
    let mut stones = [0; MAX_PITS];
    for (pit, &count) in Pit::all(R::PITS).zip(row) {
        let error = SetupError::PitStones { side, pit, stones: count, total: R::TOTAL };
        stones[pit.index()] = count_of::<R>(count).ok_or(error)?;
    }
    let kazan = setup.kazans[side as usize];
    let error = SetupError::KazanStones { side, stones: kazan, total: R::TOTAL };
    let kazan = count_of::<R>(kazan).ok_or(error)?;
    let tuzdyq = setup.tuzdyqs[side as usize].map(|number| tuzdyq::<R>(side, number)).transpose()?;
    Ok(Half::new(&stones[..R::PITS], kazan, tuzdyq))
}

/// The count as the board stores it, if the game has so many stones.
fn count_of<R: Rules>(stones: u32) -> Option<u8> {
    u8::try_from(stones).ok().filter(|_| stones <= R::TOTAL)
}

fn tuzdyq<R: Rules>(side: Side, number: u8) -> Result<Pit, SetupError> {
    if !R::TUZDYQ {
        return Err(SetupError::NoTuzdyqs(R::VARIANT));
    }
    Pit::from_number(number)
        .filter(|pit| pit.index() + 1 < R::PITS)
        .ok_or(SetupError::TuzdyqPit { side, number })
}

/// Checks the tuzdyq in the row of `side` against the stones in it and those of its owner.
fn check_tuzdyq(side: Side, row: &Half, owner: &Half) -> Result<(), SetupError> {
    let Some(pit) = row.captured_pit() else { return Ok(()) };
    if row.stones(pit) != 0 {
        return Err(SetupError::TuzdyqStones { side, pit, stones: row.stones(pit) });
    }
    if owner.kazan() < TUZDYQ_STONES {
        return Err(SetupError::TuzdyqKazan { side: side.other(), stones: owner.kazan() });
    }
    Ok(())
}

fn check_total<R: Rules>(setup: &Setup) -> Result<(), SetupError> {
    let counts = setup.stones.iter().flatten().chain(&setup.kazans);
    let sum = counts.map(|&count| u64::from(count)).sum();
    if sum == u64::from(R::TOTAL) { Ok(()) } else { Err(SetupError::Total { sum, expected: R::TOTAL }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Bestemshe, Kozdatu, Togyzqumalaq};

    fn start<R: Rules>() -> Setup {
        let row = vec![R::STONES_PER_PIT; R::PITS];
        let stones = [row.clone(), row];
        Setup { stones, tuzdyqs: [None; 2], kazans: [0; 2], turn: Side::South, move_number: 1 }
    }

    /// The message for the starting position with something changed.
    fn refusal<R: Rules>(change: impl Fn(&mut Setup)) -> String {
        let mut setup = start::<R>();
        change(&mut setup);
        Position::<R>::from_setup(&setup).expect_err("an impossible position").to_string()
    }

    #[test]
    fn start_positions_are_the_same_as_the_built_in_ones() {
        fn check<R: Rules>() {
            let position = Position::<R>::from_setup(&start::<R>()).unwrap();
            assert_eq!(position, Position::start());
            assert_eq!(position.key(), Position::<R>::start().key());
            assert_eq!(position.move_number(), 1);
        }
        check::<Togyzqumalaq>();
        check::<Bestemshe>();
        check::<Kozdatu>();
    }

    #[test]
    fn every_part_reaches_its_place() {
        let setup = Setup {
            stones: [vec![1, 2, 3, 0, 5, 6, 7, 8, 9], vec![0, 1, 0, 2, 0, 3, 0, 4, 0]],
            tuzdyqs: [Some(4), Some(7)],
            kazans: [80, 31],
            turn: Side::North,
            move_number: 57,
        };
        let position = Position::<Togyzqumalaq>::from_setup(&setup).unwrap();
        for side in Side::BOTH {
            let half = position.half(side);
            let stones: Vec<u32> = Pit::all(9).map(|pit| half.stones(pit)).collect();
            assert_eq!(stones, setup.stones[side as usize]);
            assert_eq!(half.captured_pit().map(Pit::number), setup.tuzdyqs[side as usize]);
            assert_eq!(half.kazan(), setup.kazans[side as usize]);
        }
        assert_eq!((position.turn(), position.move_number()), (Side::North, 57));
        assert_eq!(position.key(), position.computed_key());
    }

    #[test]
    fn all_stones_may_lie_in_one_pit() {
        let mut setup = start::<Togyzqumalaq>();
        setup.stones = [vec![0; 9], vec![0; 9]];
        setup.stones[0][0] = 162;
        let position = Position::<Togyzqumalaq>::from_setup(&setup).unwrap();
        let (next, effect) = position.play(Pit::from_index(0));
        assert_eq!(effect.captured, 0);
        for side in Side::BOTH {
            assert!(Pit::all(9).all(|pit| next.half(side).stones(pit) == 9));
        }
    }

    #[test]
    fn a_finished_game_is_a_position() {
        let mut setup = start::<Togyzqumalaq>();
        setup.stones = [vec![0; 9], vec![0; 9]];
        setup.kazans = [82, 80];
        assert!(Position::<Togyzqumalaq>::from_setup(&setup).unwrap().outcome().is_some());
        setup.kazans = [0, 162];
        assert!(Position::<Togyzqumalaq>::from_setup(&setup).unwrap().outcome().is_some());
    }

    #[test]
    fn impossible_positions_are_refused_with_the_reason() {
        type T = Togyzqumalaq;
        let table = [
            (refusal::<T>(|s| _ = s.stones[0].pop()), "South's row has 8 pits instead of 9"),
            (refusal::<T>(|s| s.stones[1].push(0)), "North's row has 10 pits instead of 9"),
            (refusal::<T>(|s| s.stones[0][8] = 8), "the stones add up to 161 instead of 162"),
            (refusal::<T>(|s| s.kazans[1] = 1), "the stones add up to 163 instead of 162"),
            (
                refusal::<T>(|s| s.stones[1][2] = u32::MAX),
                "North's pit 3 cannot hold 4294967295 stones: the game has 162",
            ),
            (
                refusal::<T>(|s| s.stones[0][0] = 256 + 9),
                "South's pit 1 cannot hold 265 stones: the game has 162",
            ),
            (refusal::<T>(|s| s.kazans[0] = 256), "South's kazan cannot hold 256 stones: the game has 162"),
            (
                refusal::<T>(|s| s.kazans = [u32::MAX; 2]),
                "South's kazan cannot hold 4294967295 stones: the game has 162",
            ),
            (refusal::<T>(|s| s.tuzdyqs[1] = Some(9)), "a tuzdyq in pit 9 of North's row is impossible"),
            (refusal::<T>(|s| s.tuzdyqs[0] = Some(0)), "a tuzdyq in pit 0 of South's row is impossible"),
            (refusal::<T>(|s| s.tuzdyqs[0] = Some(255)), "a tuzdyq in pit 255 of South's row is impossible"),
            (refusal::<T>(|s| s.tuzdyqs = [Some(4); 2]), "both tuzdyqs have the number 4"),
            (refusal::<T>(|s| s.tuzdyqs[0] = Some(3)), "South's pit 3 is a tuzdyq but holds 9 stones"),
            (
                refusal::<T>(|s| {
                    s.stones[0] = vec![0, 9, 9, 9, 9, 9, 9, 9, 16];
                    s.tuzdyqs[0] = Some(1);
                    s.kazans = [0, 2];
                }),
                "North owns a tuzdyq, so its kazan cannot hold only 2: a tuzdyq brings 3",
            ),
            (refusal::<T>(|s| s.move_number = 0), "the move number 0 is not between 1 and 1000000000"),
            (
                refusal::<T>(|s| s.move_number = 1_000_000_001),
                "the move number 1000000001 is not between 1 and 1000000000",
            ),
            (refusal::<Bestemshe>(|s| s.tuzdyqs[0] = Some(1)), "there is no tuzdyq in bestemshe"),
            (refusal::<Bestemshe>(|s| s.stones[0][0] = 4), "the stones add up to 49 instead of 50"),
            (
                refusal::<Kozdatu>(|s| s.tuzdyqs[0] = Some(7)),
                "a tuzdyq in pit 7 of South's row is impossible",
            ),
            (refusal::<Kozdatu>(|s| s.stones[0].push(0)), "South's row has 8 pits instead of 7"),
            (
                refusal::<Kozdatu>(|s| s.stones[0][1] = 99),
                "South's pit 2 cannot hold 99 stones: the game has 98",
            ),
        ];
        for (message, expected) in table {
            assert_eq!(message, expected);
        }
    }
}
