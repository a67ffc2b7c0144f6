//! Where a record is wrong, and how: text that cannot be read, and marks that contradict the rules.

use std::fmt;

use crate::game::{FenError, MoveFault, Outcome, Side};

use super::result::GameResult;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in it, in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The beginning of a text.
    pub const START: Place = Place { line: 1, column: 1 };

    /// The place after a text that begins here.
    pub(super) fn after(mut self, text: &str) -> Place {
        let bytes = text.as_bytes();
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        if lines > 0 {
            self = Place { line: self.line + lines, column: 1 };
        }
        let last = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        // Every byte but those that go on a character.
        self.column += bytes[last..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A text that cannot be read as a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct ReadError {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub fault: ReadFault,
}

/// Why a text cannot be read as a record. Tokens are quoted up to 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// Bytes that are no text.
    #[error("not UTF-8 text")]
    Encoding,
    /// A token of no known kind.
    #[error("'{0}' is neither a move nor a result")]
    Word(String),
    /// A number that is much too large for what it should be.
    #[error("'{0}' is too large")]
    Number(String),
    /// A comment that has no end.
    #[error("a comment without its '}}'")]
    Comment,
    /// A tag that has no end on its line, or no name.
    #[error("not a tag (write [Name \"value\"])")]
    Tag,
    /// A mark that belongs to a move, where there is none.
    #[error("'{0}' without a move before it")]
    Mark(String),
    /// Brackets that hold no number.
    #[error("'{0}' is not a kazan (write it as (10))")]
    Brackets(String),
    /// More moves or tags than any game has.
    #[error("more than {most} {what} in one game")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// The most that are read.
        most: usize,
    },
    /// The position that the game begins with, or a line that should be one.
    #[error("the position: {0}")]
    Fen(FenError),
    /// JSON that is malformed or holds something else than games.
    #[error("{0}")]
    Json(String),
}

/// Something in a record that the rules contradict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, {place}: {conflict}")]
pub struct Contradiction {
    /// Which game of the text, from 1.
    pub game: usize,
    /// Where it is written.
    pub place: Place,
    /// What is written, and what the rules give.
    pub conflict: Conflict,
}

/// What is written in a record, against what the rules give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// A legal move of which something untrue is said. It is kept.
    #[error("move {number} of {side}, '{written}': {fault}")]
    Mark {
        /// The number of the move.
        number: u32,
        /// Who moves.
        side: Side,
        /// The move as it is written.
        written: String,
        /// What is not so.
        fault: MoveFault,
    },
    /// A move that cannot be played. It is left out, with all that follow.
    #[error("move {number} of {side}, '{written}': {fault}; {} left out", moves(*.dropped))]
    Illegal {
        /// The number of the move.
        number: u32,
        /// Who is to move.
        side: Side,
        /// The move as it is written.
        written: String,
        /// Why it cannot be played.
        fault: MoveFault,
        /// How many moves are left out: this one and those after it.
        dropped: usize,
    },
    /// A move has another number.
    #[error("'{written}' is written before move {number} of {side}")]
    Number {
        /// The number as it is written.
        written: String,
        /// The number of the move.
        number: u32,
        /// Who moves.
        side: Side,
    },
    /// The rules end the game with another result. The recorded one is kept.
    #[error("the recorded result is {written}, the rules give {actual}")]
    Result {
        /// The result as it is written.
        written: GameResult,
        /// The end of the game.
        actual: Outcome,
    },
    /// Two results. The one after the moves is kept.
    #[error("the result is {tag} in the tags and {moves} after the moves")]
    Results {
        /// That of the tag.
        tag: String,
        /// That after the moves.
        moves: String,
    },
    /// A tag that should hold a result and does not. It is left out.
    #[error("'{0}' is not a result (1-0, 0-1, 1/2-1/2 or *)")]
    NoResult(String),
    /// An atsyrau is recorded, and the game has not ended by one.
    #[error("'{{zero}}' says that the game ended by atsyrau, which it did not")]
    Atsyrau,
    /// The final stones are others.
    #[error("the recorded stones are {written}, the rules give {south}-{north}")]
    Count {
        /// The stones as they are written.
        written: String,
        /// South's stones at the end, with those left in the pits if the other side ran out of moves.
        south: u32,
        /// North's.
        north: u32,
    },
    /// The final position is another.
    #[error("the recorded final position is '{written}', the rules give '{actual}'")]
    Final {
        /// The position as it is written.
        written: String,
        /// The position after the last move.
        actual: String,
    },
    /// The name of a game that is not known. It is read as togyzqumalaq.
    #[error("'{0}' is not a variant known here; the game is read as togyzqumalaq")]
    Variant(String),
}

fn moves(count: usize) -> String {
    if count == 1 { "it is".to_owned() } else { format!("{count} moves are") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_lines_and_characters() {
        let place = |text| {
            let Place { line, column } = Place::START.after(text);
            (line, column)
        };
        assert_eq!(place(""), (1, 1));
        assert_eq!(place("25Х"), (1, 4));
        assert_eq!(place("a\nb\r\n"), (3, 1));
        assert_eq!(place("a\nәж"), (2, 3));
        let place = Place { line: 4, column: 7 }.after("ab");
        assert_eq!(place.to_string(), "line 4, column 9");
    }
}
