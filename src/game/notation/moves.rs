//! Moves as text, in the three forms found in records:
//!
//! - the number of the pit, `7`, which is what the engine itself writes;
//! - the pit and the number of the landing pit, `76`, perhaps with `X` for a tuzdyq (`25X`) and the mover's kazan
//!   after the move (`76(10)`);
//! - origin and landing as squares, `g1d2`: the columns are letters from South's left, South's row is 1 and
//!   North's 2, so that South's pits are `a1` to `i1` and North's pit 1 is `i2`.
//!
//! What a longer form says in addition must agree with the rules: a record that is one move out of step is noticed
//! at once.

use super::number;
use crate::game::board::Landing;
use crate::game::pit::Pit;
use crate::game::position::{Position, Side};
use crate::game::variant::Rules;
use crate::text::quoted;

/// A text that is not a legal move: which text, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{token}': {fault}")]
pub struct MoveError {
    /// The text, up to 40 characters of it.
    pub token: String,
    /// What is wrong with it.
    pub fault: MoveFault,
}

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveFault {
    /// The text has none of the known forms.
    #[error("not a move (write a pit as 7, a pit and its landing as 76, or squares as g1d2)")]
    Form,
    /// A number that no pit of the row has.
    #[error("there is no pit {number} in a row of {pits}")]
    NoPit {
        /// The number.
        number: u8,
        /// The pits of a row.
        pits: usize,
    },
    /// A square that is not on the board.
    #[error("there is no square {0}")]
    NoSquare(String),
    /// The origin square is a pit of the side that is not to move.
    #[error("{square} is a pit of {owner}, who is not to move")]
    OtherSide {
        /// The origin square.
        square: String,
        /// Whose pit it is.
        owner: Side,
    },
    /// Nothing can be played any more.
    #[error("the game is over")]
    GameOver,
    /// The pit is the opponent's tuzdyq.
    #[error("pit {0} is a tuzdyq of the other side")]
    Tuzdyq(Pit),
    /// The pit holds no stone.
    #[error("pit {0} is empty")]
    Empty(Pit),
    /// The last stone falls elsewhere.
    #[error("the last stone falls in {actual}, not in {written}")]
    Landing {
        /// Where the text says that the last stone falls: a pit or a square.
        written: String,
        /// Where it falls.
        actual: String,
    },
    /// The text claims a tuzdyq that the move does not make.
    #[error("the move makes no tuzdyq")]
    NoTuzdyq,
    /// The text claims a kazan that is not the mover's after the move.
    #[error("{side}'s kazan becomes {actual}, not {written}")]
    Kazan {
        /// The mover.
        side: Side,
        /// The stones that the text claims.
        written: u32,
        /// The stones in the kazan after the move.
        actual: u32,
    },
}

/// Reads a legal move of the side to move, in any of the forms `7`, `76`, `25X`, `76(10)`, `87X(43)` and `g1d2`.
///
/// The mark of a tuzdyq is a Latin or Cyrillic letter of either case, and may be missing. A landing given as a
/// number alone can be in either row.
///
/// # Errors
/// If the text has none of these forms, the move is illegal, or the text claims of the move what the rules do not
/// give.
pub fn parse_move<R: Rules>(position: &Position<R>, text: &str) -> Result<Pit, MoveError> {
    let is_squares =
        text.len() == 4 && text.is_ascii() && text.starts_with(|c: char| c.is_ascii_alphabetic());
    let pit = if position.board().is_over() {
        Err(MoveFault::GameOver)
    } else if is_squares {
        let text = text.to_ascii_lowercase();
        let (from, to) = text.split_at(2);
        read_squares(position, from, to)
    } else {
        read_numbers(position, text)
    };
    pit.map_err(|fault| MoveError { token: quoted(text), fault })
}

/// The move from `pit`, which must be legal, as origin and landing squares.
#[must_use]
pub fn squares<R: Rules>(position: &Position<R>, pit: Pit) -> String {
    square::<R>(position.turn(), pit) + &landing_square(position, pit)
}

fn landing_square<R: Rules>(position: &Position<R>, pit: Pit) -> String {
    let Landing { own, pit: landing } = position.board().landing(pit);
    let side = if own { position.turn() } else { position.turn().other() };
    square::<R>(side, landing)
}

fn square<R: Rules>(side: Side, pit: Pit) -> String {
    let (column, row) = match side {
        Side::South => (pit.index(), 1),
        Side::North => (R::PITS - 1 - pit.index(), 2),
    };
    format!("{}{row}", char::from(b'a' + column as u8))
}

/// The pit that a square names, and whose it is.
fn find_square<R: Rules>(name: &str) -> Result<(Side, Pit), MoveFault> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| Pit::all(R::PITS).map(move |pit| (side, pit)))
        .find(|&(side, pit)| square::<R>(side, pit) == name)
        .ok_or_else(|| MoveFault::NoSquare(quoted(name)))
}

fn read_squares<R: Rules>(position: &Position<R>, from: &str, to: &str) -> Result<Pit, MoveFault> {
    let (owner, pit) = find_square::<R>(from)?;
    find_square::<R>(to)?;
    if owner != position.turn() {
        return Err(MoveFault::OtherSide { square: from.to_owned(), owner });
    }
    check_legal(position, pit)?;
    let landing = landing_square(position, pit);
    if landing != to {
        return Err(MoveFault::Landing { written: to.to_owned(), actual: landing });
    }
    Ok(pit)
}

fn read_numbers<R: Rules>(position: &Position<R>, text: &str) -> Result<Pit, MoveFault> {
    let written = Written::read(text).ok_or(MoveFault::Form)?;
    let pit = find_pit::<R>(written.pit)?;
    let landing = written.landing.map(find_pit::<R>).transpose()?;
    check_legal(position, pit)?;
    let actual = position.board().landing(pit).pit;
    if let Some(landing) = landing.filter(|&landing| landing != actual) {
        let (written, actual) = (format!("pit {landing}"), format!("pit {actual}"));
        return Err(MoveFault::Landing { written, actual });
    }
    check_effect(position, pit, &written)?;
    Ok(pit)
}

fn find_pit<R: Rules>(number: u8) -> Result<Pit, MoveFault> {
    let pit = Pit::from_number(number).filter(|pit| pit.index() < R::PITS);
    pit.ok_or(MoveFault::NoPit { number, pits: R::PITS })
}

/// Whether the move can be played in a game that is not over.
fn check_legal<R: Rules>(position: &Position<R>, pit: Pit) -> Result<(), MoveFault> {
    if position.moves().contains(pit) {
        Ok(())
    } else if position.board().mover().captured_pit() == Some(pit) {
        Err(MoveFault::Tuzdyq(pit))
    } else {
        Err(MoveFault::Empty(pit))
    }
}

/// Compares the claims about a legal move with what it does.
fn check_effect<R: Rules>(position: &Position<R>, pit: Pit, written: &Written) -> Result<(), MoveFault> {
    let side = position.turn();
    let (next, effect) = position.play(pit);
    if written.tuzdyq && !effect.tuzdyq {
        return Err(MoveFault::NoTuzdyq);
    }
    let actual = next.half(side).kazan();
    match written.kazan {
        Some(written) if written != actual => Err(MoveFault::Kazan { side, written, actual }),
        _ => Ok(()),
    }
}

/// A move written with numbers, as it stands there.
struct Written {
    pit: u8,
    landing: Option<u8>,
    tuzdyq: bool,
    kazan: Option<u32>,
}

impl Written {
    fn read(text: &str) -> Option<Written> {
        let (pit, rest) = read_digit(text)?;
        if rest.is_empty() {
            return Some(Written { pit, landing: None, tuzdyq: false, kazan: None });
        }
        let (landing, rest) = read_digit(rest)?;
        let marked = rest.strip_prefix(['X', 'x', 'Х', 'х']);
        let kazan = match marked.unwrap_or(rest) {
            "" => None,
            rest => Some(number(rest.strip_prefix('(')?.strip_suffix(')')?)?),
        };
        Some(Written { pit, landing: Some(landing), tuzdyq: marked.is_some(), kazan })
    }
}

fn read_digit(text: &str) -> Option<(u8, &str)> {
    let (digit, rest) = text.split_at_checked(1)?;
    Some((digit.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Bestemshe, Kozdatu, Togyzqumalaq};

    fn pit(number: u8) -> Pit {
        Pit::from_number(number).unwrap()
    }

    fn position(fen: &str) -> Position<Togyzqumalaq> {
        fen.parse().unwrap()
    }

    fn refusal<R: Rules>(position: &Position<R>, text: &str) -> String {
        parse_move(position, text).unwrap_err().to_string()
    }

    #[test]
    fn every_form_of_the_first_move() {
        let start = Position::<Togyzqumalaq>::start();
        for text in ["7", "76", "76(10)", "76(010)", "g1d2", "G1D2", "g1D2"] {
            assert_eq!(parse_move(&start, text), Ok(pit(7)), "{text}");
        }
        assert_eq!(squares(&start, pit(7)), "g1d2");
        let (next, _) = start.play(pit(7));
        for text in ["1", "11", "11(10)", "i2a1"] {
            assert_eq!(parse_move(&next, text), Ok(pit(1)), "{text}");
        }
        assert_eq!(squares(&next, pit(1)), "i2a1");
    }

    #[test]
    fn columns_follow_the_width_of_the_board() {
        assert_eq!(squares(&Position::<Bestemshe>::start(), pit(5)), "e1b2");
        assert_eq!(squares(&Position::<Kozdatu>::start(), pit(7)), "g1b2");
        assert_eq!(refusal(&Position::<Bestemshe>::start(), "f1a2"), "'f1a2': there is no square f1");
        assert_eq!(refusal(&Position::<Bestemshe>::start(), "6"), "'6': there is no pit 6 in a row of 5");
    }

    #[test]
    fn a_tuzdyq_may_be_marked() {
        let position = position("9S,9S,9S,9S,2S,9S,9S,9S,9S/9S,13S,9S,t,9S,9S,9S,9S,1 0 21 S 1");
        for text in ["25", "25X", "25x", "25Х", "25х", "25X(3)", "25Х(3)", "25(3)"] {
            assert_eq!(parse_move(&position, text), Ok(pit(2)), "{text}");
        }
        assert_eq!(refusal(&position, "25X(4)"), "'25X(4)': South's kazan becomes 3, not 4");
    }

    #[test]
    fn wrong_claims_are_refused() {
        let start = Position::<Togyzqumalaq>::start();
        let table = [
            ("75", "'75': the last stone falls in pit 6, not in pit 5"),
            ("70", "'70': there is no pit 0 in a row of 9"),
            ("76X", "'76X': the move makes no tuzdyq"),
            ("76(11)", "'76(11)': South's kazan becomes 10, not 11"),
            ("g1d1", "'g1d1': the last stone falls in d2, not in d1"),
            ("g1j2", "'g1j2': there is no square j2"),
            ("g1d3", "'g1d3': there is no square d3"),
            ("d2g1", "'d2g1': d2 is a pit of North, who is not to move"),
        ];
        for (text, message) in table {
            assert_eq!(refusal(&start, text), message);
        }
    }

    #[test]
    fn illegal_moves_are_refused_each_with_its_reason() {
        let position = position("9S,9S,9S,9S,2S,9S,9S,9S,9S/1,13S,9S,9S,t,9S,9S,9S,9S 0 21 S 1");
        assert_eq!(refusal(&position, "1"), "'1': pit 1 is empty");
        assert_eq!(refusal(&position, "11"), "'11': pit 1 is empty");
        assert_eq!(refusal(&position, "a1a1"), "'a1a1': pit 1 is empty");
        assert_eq!(refusal(&position, "5"), "'5': pit 5 is a tuzdyq of the other side");
        assert_eq!(refusal(&position, "0"), "'0': there is no pit 0 in a row of 9");
        // South may not have a tuzdyq of the number of North's: the stones stay.
        assert_eq!(refusal(&position, "25X"), "'25X': the move makes no tuzdyq");
    }

    #[test]
    fn nothing_is_legal_after_the_end() {
        for fen in ["8,1S/1S,8 82 78 S 1", "8,1S/9 81 80 S 1"] {
            for text in ["1", "12", "a1b1", "i2a1"] {
                assert_eq!(refusal(&position(fen), text), format!("'{text}': the game is over"));
            }
        }
    }

    #[test]
    fn other_texts_are_no_moves() {
        let start = Position::<Togyzqumalaq>::start();
        for text in [
            "",
            " 7",
            "7 ",
            "x",
            "-7",
            "+7",
            "777",
            "7X",
            "7(10)",
            "76()",
            "76(",
            "76)",
            "76(10",
            "76(1 0)",
            "76(+10)",
            "76(99999999999)",
            "76(10)X",
            "76XX",
            "76Y",
            "٧",
            "7é",
            "g1",
            "g1d",
            "g1d22",
            "ééd",
            "0000",
            "номер",
        ] {
            assert_eq!(parse_move(&start, text).unwrap_err().fault, MoveFault::Form, "{text}");
        }
    }
}
