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
use super::written::{Spot, Written, square};
use crate::game::pit::Pit;
use crate::game::played::Played;
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
    /// The pit holds another number of stones before the move.
    #[error("pit {pit} holds {actual} stones, not {written}")]
    Stones {
        /// The pit that is sown from.
        pit: Pit,
        /// The stones that the text claims.
        written: u32,
        /// The stones in it.
        actual: u32,
    },
    /// The last stone falls elsewhere.
    #[error("the last stone falls in {actual}, not in {written}")]
    Landing {
        /// Where the text says that the last stone falls: a pit or a square.
        written: String,
        /// Where it falls.
        actual: String,
    },
    /// The last stone brings its pit to another number of stones.
    #[error("pit {pit} comes to {actual} stones, not {written}")]
    LandingStones {
        /// The pit where the last stone falls.
        pit: Pit,
        /// The stones that the text claims.
        written: u32,
        /// The stones in it, before anything is taken.
        actual: u32,
    },
    /// The text claims a capture that the move does not make.
    #[error("the move takes nothing")]
    TakesNothing,
    /// The text claims that the move takes nothing, but it takes so many stones.
    #[error("the move takes {0} stones")]
    Takes(u32),
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
    let pit = if position.board().is_over() { Err(MoveFault::GameOver) } else { read(position, text) };
    pit.map_err(|fault| MoveError { token: quoted(text), fault })
}

/// The move from `pit`, which must be legal, as origin and landing squares.
#[must_use]
pub fn squares<R: Rules>(position: &Position<R>, pit: Pit) -> String {
    let landing = position.board().landing(pit);
    square::<R>(position.turn(), pit) + &square::<R>(landing.side(position.turn()), landing.pit)
}

fn read<R: Rules>(position: &Position<R>, text: &str) -> Result<Pit, MoveFault> {
    let written = read_squares(text).or_else(|| read_numbers(text)).ok_or(MoveFault::Form)?;
    let pit = written.pit(position)?;
    let (_, played) = Played::of(position, pit);
    written.contradictions::<R>(&played).next().map_or(Ok(pit), Err)
}

fn read_squares(text: &str) -> Option<Written> {
    let lower = text.to_ascii_lowercase();
    let &[column, row, to_column, to_row] = lower.as_bytes() else { return None };
    let spot = |column, row| Spot::Square(char::from(column), char::from(row));
    let landing = Some(spot(to_column, to_row));
    let is_squares = text.is_ascii() && column.is_ascii_alphabetic();
    is_squares.then(|| Written { landing, ..Written::new(spot(column, row)) })
}

fn read_numbers(text: &str) -> Option<Written> {
    let (pit, rest) = read_digit(text)?;
    let written = Written::new(Spot::Pit(pit));
    if rest.is_empty() {
        return Some(written);
    }
    let (landing, rest) = read_digit(rest)?;
    let marked = rest.strip_prefix(['X', 'x', 'Х', 'х']);
    let kazan = match marked.unwrap_or(rest) {
        "" => None,
        rest => Some(number(rest.strip_prefix('(')?.strip_suffix(')')?)?),
    };
    Some(Written { landing: Some(Spot::Pit(landing)), tuzdyq: marked.is_some(), kazan, ..written })
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
