//! Positions as one line of text, the FEN that public platforms write:
//!
//! ```text
//! 13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4
//! ```
//!
//! North's row from its last pit down to pit 1, then South's from pit 1 up, as the board looks from South's seat:
//! `12S` is a pit with 12 stones, a bare number a run of so many empty pits, `t` a pit that is the other side's
//! tuzdyq. Then come South's kazan, North's kazan, the side to move (`S` or `N`) and the move number.
//!
//! Some writers mark a tuzdyq `T`, write `0S` or several runs in a row, the side in lower case, or leave out the
//! move number (then it is 1): all this is read, and written in the one form above.

use std::fmt;
use std::iter;
use std::str::FromStr;

use super::number;
use crate::game::board::Half;
use crate::game::pit::Pit;
use crate::game::position::{Position, Side};
use crate::game::validate::{MAX_MOVE_NUMBER, Setup, SetupError};
use crate::game::variant::Rules;
use crate::text::quoted;

/// A part of a FEN, as errors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenField {
    /// The two rows.
    Board,
    /// One side's row.
    Row(Side),
    /// One side's kazan.
    Kazan(Side),
    /// The side to move.
    Turn,
    /// The move number.
    MoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenField::Board => f.write_str("board"),
            FenField::Row(side) => write!(f, "{side}'s row"),
            FenField::Kazan(side) => write!(f, "{side}'s kazan"),
            FenField::Turn => f.write_str("side to move"),
            FenField::MoveNumber => f.write_str("move number"),
        }
    }
}

/// Why a text is not the FEN of a possible position. Tokens are quoted up to 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text ends too early.
    #[error("missing field: {0}")]
    Missing(FenField),
    /// Something follows the move number.
    #[error("'{0}' is one field too many")]
    Extra(String),
    /// The board does not consist of two rows.
    #[error("expected 2 rows separated by '/', found {0}")]
    Rows(usize),
    /// A row goes on after its last pit.
    #[error("{side}'s row has more than {expected} pits")]
    LongRow {
        /// Whose row it is.
        side: Side,
        /// The pits that a row of this game has.
        expected: usize,
    },
    /// A part of a field cannot be read.
    #[error("{field}: '{token}' is not {expected}")]
    Token {
        /// The field that the token stands in.
        field: FenField,
        /// The token.
        token: String,
        /// What might stand there.
        expected: &'static str,
    },
    /// One side would own two tuzdyqs.
    #[error("{side}'s row has two tuzdyqs, pits {first} and {second}")]
    TwoTuzdyqs {
        /// Whose row it is.
        side: Side,
        /// The lower pit.
        first: Pit,
        /// The next one.
        second: Pit,
    },
    /// The text can be read, but the position is impossible.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// What a FEN says of one pit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Stones(u32),
    Tuzdyq,
}

const EMPTY: Cell = Cell::Stones(0);

/// A piece of the text that has a meaning of its own, and the field it stands in.
#[derive(Clone, Copy)]
struct Token<'a> {
    field: FenField,
    text: &'a str,
}

impl Token<'_> {
    fn error(self, expected: &'static str) -> FenError {
        FenError::Token { field: self.field, token: quoted(self.text), expected }
    }

    fn number(self, expected: &'static str) -> Result<u32, FenError> {
        number(self.text).ok_or_else(|| self.error(expected))
    }

    fn turn(self) -> Result<Side, FenError> {
        match self.text {
            "S" | "s" => Ok(Side::South),
            "N" | "n" => Ok(Side::North),
            _ => Err(self.error("S or N")),
        }
    }

    /// What the token says of a pit, and of how many pits it says so.
    fn pits(self) -> Result<(Cell, u32), FenError> {
        if let "t" | "T" = self.text {
            return Ok((Cell::Tuzdyq, 1));
        }
        let pits = match self.text.strip_suffix('S') {
            Some(stones) => number(stones).map(|stones| (Cell::Stones(stones), 1)),
            None => number(self.text).filter(|&run| run > 0).map(|run| (EMPTY, run)),
        };
        pits.ok_or_else(|| self.error("a pit (as '12S'), a number of empty pits, or 't'"))
    }
}

/// Reads a row in the order in which it is written.
fn read_row<R: Rules>(side: Side, text: &str) -> Result<Vec<Cell>, FenError> {
    let mut cells = Vec::with_capacity(R::PITS);
    for text in text.split(',') {
        let (cell, count) = Token { field: FenField::Row(side), text }.pits()?;
        // Tested before the row grows: the count may be in the milliards.
        if count as usize > R::PITS - cells.len() {
            return Err(FenError::LongRow { side, expected: R::PITS });
        }
        cells.extend(iter::repeat_n(cell, count as usize));
    }
    Ok(cells)
}

/// Reads both rows, South's first, each with pit 1 first.
fn read_board<R: Rules>(text: &str) -> Result<[Vec<Cell>; 2], FenError> {
    let Some((north, south)) = text.split_once('/').filter(|(_, south)| !south.contains('/')) else {
        return Err(FenError::Rows(text.split('/').count()));
    };
    let mut north = read_row::<R>(Side::North, north)?;
    north.reverse();
    Ok([read_row::<R>(Side::South, south)?, north])
}

fn stones(row: &[Cell]) -> Vec<u32> {
    let stones = |cell: &Cell| match *cell {
        Cell::Stones(stones) => stones,
        Cell::Tuzdyq => 0,
    };
    row.iter().map(stones).collect()
}

fn tuzdyq(side: Side, row: &[Cell]) -> Result<Option<u8>, FenError> {
    let mut tuzdyqs =
        Pit::all(row.len()).zip(row).filter(|&(_, &cell)| cell == Cell::Tuzdyq).map(|(pit, _)| pit);
    match (tuzdyqs.next(), tuzdyqs.next()) {
        (Some(first), Some(second)) => Err(FenError::TwoTuzdyqs { side, first, second }),
        (pit, _) => Ok(pit.map(Pit::number)),
    }
}

/// Reads a FEN.
impl<R: Rules> FromStr for Position<R> {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut texts = text.split_whitespace();
        let mut next = |field| texts.next().map(|text| Token { field, text }).ok_or(FenError::Missing(field));

        let [south, north] = read_board::<R>(next(FenField::Board)?.text)?;
        let mut kazan = |side| next(FenField::Kazan(side))?.number("a possible number of stones");
        let kazans = [kazan(Side::South)?, kazan(Side::North)?];
        let turn = next(FenField::Turn)?.turn()?;
        let move_number = match next(FenField::MoveNumber) {
            Ok(token) => token.number("a possible move number")?,
            Err(_) => 1,
        };
        if let Some(extra) = texts.next() {
            return Err(FenError::Extra(quoted(extra)));
        }

        let tuzdyqs = [tuzdyq(Side::South, &south)?, tuzdyq(Side::North, &north)?];
        let stones = [stones(&south), stones(&north)];
        Ok(Position::from_setup(&Setup { stones, tuzdyqs, kazans, turn, move_number })?)
    }
}

fn write_row(half: &Half, pits: impl Iterator<Item = Pit>) -> String {
    let cell = |pit| {
        if half.captured_pit() == Some(pit) { Cell::Tuzdyq } else { Cell::Stones(half.stones(pit)) }
    };
    let cells: Vec<Cell> = pits.map(cell).collect();
    let tokens = cells.chunk_by(|&left, &right| (left, right) == (EMPTY, EMPTY)).map(|run| match run {
        [Cell::Stones(stones @ 1..)] => format!("{stones}S"),
        [Cell::Tuzdyq] => "t".to_owned(),
        empty => empty.len().to_string(),
    });
    tokens.collect::<Vec<_>>().join(",")
}

/// Writes the position as FEN.
impl<R: Rules> fmt::Display for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (south, north) = (self.half(Side::South), self.half(Side::North));
        let turn = match self.turn() {
            Side::South => 'S',
            Side::North => 'N',
        };
        let north_row = write_row(north, Pit::all(R::PITS).rev());
        let south_row = write_row(south, Pit::all(R::PITS));
        let (south, north) = (south.kazan(), north.kazan());
        // What is written can be read again, even after the longest game.
        let move_number = self.move_number().min(MAX_MOVE_NUMBER);
        write!(f, "{north_row}/{south_row} {south} {north} {turn} {move_number}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Bestemshe, Kozdatu, Togyzqumalaq};

    const START: &str = "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1";
    const PLATFORM: &str = "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4";

    fn read(text: &str) -> Result<Position<Togyzqumalaq>, FenError> {
        text.parse()
    }

    fn rewritten(text: &str) -> String {
        read(text).unwrap().to_string()
    }

    #[test]
    fn start_positions() {
        assert_eq!(read(START), Ok(Position::start()));
        assert_eq!(Position::<Togyzqumalaq>::start().to_string(), START);
        let small = "5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 S 1";
        assert_eq!(small.parse(), Ok(Position::<Bestemshe>::start()));
        assert_eq!(Position::<Bestemshe>::start().to_string(), small);
        let middle = "7S,7S,7S,7S,7S,7S,7S/7S,7S,7S,7S,7S,7S,7S 0 0 S 1";
        assert_eq!(middle.parse(), Ok(Position::<Kozdatu>::start()));
        assert_eq!(Position::<Kozdatu>::start().to_string(), middle);
    }

    #[test]
    fn a_platform_position_is_read_in_the_right_direction() {
        let position = read(PLATFORM).unwrap();
        let row = |side| Pit::all(9).map(|pit| position.half(side).stones(pit)).collect::<Vec<_>>();
        assert_eq!(row(Side::South), [12, 2, 13, 13, 0, 3, 12, 12, 1]);
        assert_eq!(row(Side::North), [12, 12, 0, 1, 2, 3, 12, 2, 13]);
        assert_eq!(position.tuzdyq(Side::North), Pit::from_number(5));
        assert_eq!(position.tuzdyq(Side::South), None);
        assert_eq!((position.half(Side::South).kazan(), position.half(Side::North).kazan()), (22, 15));
        assert_eq!((position.turn(), position.move_number()), (Side::South, 4));
        assert_eq!(position.to_string(), PLATFORM);
    }

    #[test]
    fn other_spellings_are_written_in_one_form() {
        let canonical = "8,1S/1S,8 80 80 S 1";
        for text in [
            "8,1S/1S,8 80 80 S",
            "8,1S/1S,8 80 80 s 1",
            "  8,1S/1S,8\t80  80 S 01 ",
            "0S,7,1S/1S,3,0S,4 80 80 S 1",
            "1,1,1,1,1,1,1,1,001S/1S,8 80 80 S 1",
        ] {
            assert_eq!(rewritten(text), canonical, "{text}");
        }
        assert_eq!(rewritten("9/4,T,4 0 162 n 7"), "9/4,t,4 0 162 N 7");
    }

    #[test]
    fn unreadable_texts_are_refused_with_the_token_and_the_field() {
        let row = "9S,9S,9S,9S,9S,9S,9S,9S,9S";
        let pit = "is not a pit (as '12S'), a number of empty pits, or 't'";
        let table = [
            (String::new(), "missing field: board".to_owned()),
            (" \t ".to_owned(), "missing field: board".to_owned()),
            (format!("{row}/{row}"), "missing field: South's kazan".to_owned()),
            (format!("{row}/{row} 0"), "missing field: North's kazan".to_owned()),
            (format!("{row}/{row} 0 0"), "missing field: side to move".to_owned()),
            (format!("{row}/{row} 0 0 1"), "side to move: '1' is not S or N".to_owned()),
            (format!("{row}/{row} 0 0 w 1"), "side to move: 'w' is not S or N".to_owned()),
            (format!("{row}/{row} 0 0 S 1 x"), "'x' is one field too many".to_owned()),
            (format!("{row}/{row} 0 0 S one"), "move number: 'one' is not a possible move number".to_owned()),
            (
                format!("{row}/{row} -1 1 S 1"),
                "South's kazan: '-1' is not a possible number of stones".to_owned(),
            ),
            (
                format!("{row}/{row} 0 99999999999 S 1"),
                "North's kazan: '99999999999' is not a possible number of stones".to_owned(),
            ),
            (format!("{row} 0 0 S 1"), "expected 2 rows separated by '/', found 1".to_owned()),
            (format!("{row}/{row}/{row} 0 0 S 1"), "expected 2 rows separated by '/', found 3".to_owned()),
            (format!("{row}/12Q,8 0 0 S 1"), format!("South's row: '12Q' {pit}")),
            (format!("9s/{row} 0 0 S 1"), format!("North's row: '9s' {pit}")),
            (format!("S,8/{row} 0 0 S 1"), format!("North's row: 'S' {pit}")),
            (format!("{row}/9S,,7 0 0 S 1"), format!("South's row: '' {pit}")),
            (format!("{row}/0,9 0 0 S 1"), format!("South's row: '0' {pit}")),
            (format!("{row}/+9 0 0 S 1"), format!("South's row: '+9' {pit}")),
            (format!("/{row} 0 0 S 1"), format!("North's row: '' {pit}")),
            (format!("{row}/4000000000 0 0 S 1"), "South's row has more than 9 pits".to_owned()),
            (format!("9,9S/{row} 0 0 S 1"), "North's row has more than 9 pits".to_owned()),
            ("1,t,7/4,T,1,t,2 81 81 S 1".to_owned(), "South's row has two tuzdyqs, pits 5 and 7".to_owned()),
            ("t,t,7/9 81 81 S 1".to_owned(), "North's row has two tuzdyqs, pits 8 and 9".to_owned()),
            ("8/9 81 81 S 1".to_owned(), "North's row has 8 pits instead of 9".to_owned()),
        ];
        for (text, message) in table {
            assert_eq!(read(&text).unwrap_err().to_string(), message, "{text}");
        }
        let error = "3,t,1/5 26 24 S 1".parse::<Position<Bestemshe>>().unwrap_err();
        assert_eq!(error, FenError::Setup(SetupError::NoTuzdyqs(crate::game::Variant::Bestemshe)));
    }

    #[test]
    fn long_texts_are_refused_with_a_short_message() {
        for text in ["9".repeat(1 << 20), "1,".repeat(1 << 20), "/".repeat(1 << 20), "9 ".repeat(1 << 20)] {
            assert!(read(&text).unwrap_err().to_string().len() < 200);
        }
    }
}
