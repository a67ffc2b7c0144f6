//! What a text says of a move, apart from its form: where it begins and ends, what it takes. Records say the same in
//! many ways; the comparison with the rules is here, once.

use super::moves::MoveFault;
use crate::game::board::Landing;
use crate::game::pit::Pit;
use crate::game::played::Played;
use crate::game::position::{Position, Side};
use crate::game::variant::Rules;

/// A pit as a text names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// By its number in the row of its owner; 0 and numbers beyond the row are no pits.
    Pit(u8),
    /// By a square: a lower-case letter for the column and a digit for the row, as `g1`.
    Square(char, char),
}

/// What a text says of a move. All but the origin may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where the move begins.
    pub origin: Spot,
    /// The stones in that pit before the move.
    pub stones: Option<u32>,
    /// Where the last stone falls. A number may be of either row.
    pub landing: Option<Spot>,
    /// What lies there with the last stone, before anything is taken.
    pub landing_stones: Option<u32>,
    /// Whether the move is said to bring stones, or to bring none.
    pub takes: Option<bool>,
    /// Whether the move is said to make a tuzdyq. `false` says nothing: the mark may be missing.
    pub tuzdyq: bool,
    /// The mover's kazan after the move.
    pub kazan: Option<u32>,
}

impl Written {
    /// A move of which nothing is said but where it begins.
    #[must_use]
    pub const fn new(origin: Spot) -> Written {
        Written {
            origin,
            stones: None,
            landing: None,
            landing_stones: None,
            takes: None,
            tuzdyq: false,
            kazan: None,
        }
    }

    /// The legal move that begins there.
    ///
    /// # Errors
    /// When there is none: the game is over, or the pit is empty, a tuzdyq, the other side's, or not on the board.
    pub fn pit<R: Rules>(&self, position: &Position<R>) -> Result<Pit, MoveFault> {
        if position.board().is_over() {
            return Err(MoveFault::GameOver);
        }
        let pit = match self.origin {
            Spot::Pit(number) => find_pit::<R>(number)?,
            Spot::Square(column, row) => {
                let (owner, pit) = find_square::<R>(column, row)?;
                if owner != position.turn() {
                    return Err(MoveFault::OtherSide { square: format!("{column}{row}"), owner });
                }
                pit
            }
        };
        if position.moves().contains(pit) {
            Ok(pit)
        } else if position.board().mover().captured_pit() == Some(pit) {
            Err(MoveFault::Tuzdyq(pit))
        } else {
            Err(MoveFault::Empty(pit))
        }
    }

    /// What is said of a move and is not what the rules give, in the order in which a score sheet says it. A move
    /// whose stones or last stone fall into a tuzdyq may be said to bring stones or none: sources differ.
    pub fn contradictions<R: Rules>(&self, played: &Played) -> impl Iterator<Item = MoveFault> {
        let landing = self.landing.and_then(|spot| wrong_landing::<R>(spot, played));
        let landing_stones = self.landing_stones.filter(|_| landing.is_none());
        let &Played { side, pit, stones: actual, effect, .. } = played;
        let stones = self.stones.filter(|&written| written != actual);
        let takes = match self.takes {
            Some(true) if effect.captured == 0 && effect.fed == 0 => Some(MoveFault::TakesNothing),
            Some(false) if effect.captured > 0 => Some(MoveFault::Takes(effect.captured)),
            _ => None,
        };
        let kazan = self.kazan.filter(|&written| written != played.kazan);
        [
            stones.map(|written| MoveFault::Stones { pit, written, actual }),
            landing,
            landing_stones.filter(|&written| written != played.landing_stones).map(|written| {
                let (pit, actual) = (played.landing.pit, played.landing_stones);
                MoveFault::LandingStones { pit, written, actual }
            }),
            takes,
            (self.tuzdyq && !effect.tuzdyq).then_some(MoveFault::NoTuzdyq),
            kazan.map(|written| MoveFault::Kazan { side, written, actual: played.kazan }),
        ]
        .into_iter()
        .flatten()
    }
}

fn wrong_landing<R: Rules>(spot: Spot, played: &Played) -> Option<MoveFault> {
    let Landing { pit: actual, .. } = played.landing;
    match spot {
        Spot::Pit(number) => match find_pit::<R>(number) {
            Err(fault) => Some(fault),
            Ok(pit) if pit == actual => None,
            Ok(pit) => {
                Some(MoveFault::Landing { written: format!("pit {pit}"), actual: format!("pit {actual}") })
            }
        },
        Spot::Square(column, row) => {
            if let Err(fault) = find_square::<R>(column, row) {
                return Some(fault);
            }
            let (written, actual) = (format!("{column}{row}"), square::<R>(played.landing_side(), actual));
            (written != actual).then_some(MoveFault::Landing { written, actual })
        }
    }
}

/// The name of a pit's square.
pub(super) fn square<R: Rules>(side: Side, pit: Pit) -> String {
    let (column, row) = match side {
        Side::South => (pit.index(), 1),
        Side::North => (R::PITS - 1 - pit.index(), 2),
    };
    format!("{}{row}", char::from(b'a' + column as u8))
}

/// The pit that a square names, and whose it is.
fn find_square<R: Rules>(column: char, row: char) -> Result<(Side, Pit), MoveFault> {
    let place = (column as usize).checked_sub('a' as usize).filter(|&place| place < R::PITS);
    let found = match row {
        '1' => place.map(|place| (Side::South, Pit::from_index(place))),
        '2' => place.map(|place| (Side::North, Pit::from_index(R::PITS - 1 - place))),
        _ => None,
    };
    found.ok_or_else(|| MoveFault::NoSquare(format!("{column}{row}")))
}

fn find_pit<R: Rules>(number: u8) -> Result<Pit, MoveFault> {
    let pit = Pit::from_number(number).filter(|pit| pit.index() < R::PITS);
    pit.ok_or(MoveFault::NoPit { number, pits: R::PITS })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Togyzqumalaq;

    fn start() -> Position<Togyzqumalaq> {
        Position::start()
    }

    /// What is wrong with a text that says something of the first move from pit 7.
    fn faults(change: impl FnOnce(&mut Written)) -> Vec<String> {
        let mut written = Written::new(Spot::Pit(7));
        change(&mut written);
        let pit = written.pit(&start()).unwrap();
        let played = Played::of(&start(), pit).1;
        written.contradictions::<Togyzqumalaq>(&played).map(|fault| fault.to_string()).collect()
    }

    #[test]
    fn what_is_right_or_not_said_is_no_contradiction() {
        assert!(faults(|_| ()).is_empty());
        let whole = faults(|written| {
            *written = Written {
                stones: Some(9),
                landing: Some(Spot::Pit(6)),
                landing_stones: Some(10),
                takes: Some(true),
                kazan: Some(10),
                ..*written
            };
        });
        assert!(whole.is_empty(), "{whole:?}");
        assert!(faults(|written| written.landing = Some(Spot::Square('d', '2'))).is_empty());
    }

    #[test]
    fn every_wrong_statement_is_named() {
        let wrong = faults(|written| {
            *written = Written {
                stones: Some(8),
                landing: Some(Spot::Pit(6)),
                landing_stones: Some(11),
                takes: Some(false),
                tuzdyq: true,
                kazan: Some(12),
                ..*written
            };
        });
        assert_eq!(
            wrong,
            [
                "pit 7 holds 9 stones, not 8",
                "pit 6 comes to 10 stones, not 11",
                "the move takes 10 stones",
                "the move makes no tuzdyq",
                "South's kazan becomes 10, not 12",
            ]
        );
        // Nothing can be said of the stones in another pit than the right one.
        let wrong = faults(|written| {
            (written.landing, written.landing_stones) = (Some(Spot::Pit(5)), Some(9));
        });
        assert_eq!(wrong, ["the last stone falls in pit 6, not in pit 5"]);
    }

    #[test]
    fn stones_in_a_tuzdyq_may_count_as_taken_or_not() {
        let position: Position<Togyzqumalaq> = "8,t/8,2S 80 80 S 1".parse().unwrap();
        for takes in [true, false] {
            let written = Written { takes: Some(takes), ..Written::new(Spot::Pit(9)) };
            let played = Played::of(&position, written.pit(&position).unwrap()).1;
            assert_eq!(written.contradictions::<Togyzqumalaq>(&played).count(), 0);
        }
    }

    #[test]
    fn squares_are_those_of_the_board() {
        assert_eq!(find_square::<Togyzqumalaq>('i', '2'), Ok((Side::North, Pit::from_index(0))));
        for (column, row) in [('j', '1'), ('a', '3'), ('A', '1'), ('ә', '1'), ('`', '1')] {
            let expected = MoveFault::NoSquare(format!("{column}{row}"));
            assert_eq!(find_square::<Togyzqumalaq>(column, row), Err(expected));
        }
    }
}
