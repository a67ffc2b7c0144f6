//! The file of a book, as docs/book-format.md describes it byte by byte.

use std::borrow::Cow;

use crate::eval::Score;
use crate::game::{MAX_PITS, Packed, Pit, PitSet, Position, Rules, Variant};
use crate::text::quoted;
use crate::with_rules;

use super::candidates::{Candidate, candidates};
use super::contents::Contents;
use super::error::BookError;
use super::knowledge::{Analysis, Knowledge, Tally};

const MAGIC: &[u8; 8] = b"TUZDYQBK";
/// The version of the format.
pub(super) const VERSION: u16 = 1;
/// Bytes before the text.
pub(super) const HEADER: usize = 24;
/// The longest text, in bytes.
pub const MAX_ORIGIN: usize = 4_096;
/// Bytes of a position: itself, and the index of its first move.
const POSITION: usize = Packed::BYTES + 4;
/// Bytes of a move.
const MOVE: usize = 20;
/// The most moves of a position.
pub(super) const MAX_MOVES: usize = MAX_PITS;
/// The longest line of best moves that is followed, in plies.
const LONGEST_LINE: usize = 64;

/// What a book says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub variant: Variant,
    /// How it was made, in one line.
    pub origin: String,
    /// Positions in it.
    pub positions: usize,
    /// Moves of all positions.
    pub moves: usize,
}

/// A book: the bytes of its file, which have been checked.
#[derive(Clone, Debug)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
    header: Header,
}

/// Four bytes at a place, which must be there.
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

impl Contents {
    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let positions = self.positions.iter().filter(|(_, moves)| !moves.is_empty());
        let count = positions.clone().count();
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&[self.variant as u8, 0]);
        for number in [self.origin.len(), count, self.moves()] {
            bytes.extend_from_slice(&(number as u32).to_le_bytes());
        }
        debug_assert_eq!(bytes.len(), HEADER);
        bytes.extend_from_slice(self.origin.as_bytes());
        let mut first: u32 = 0;
        for (position, moves) in positions.clone() {
            bytes.extend_from_slice(position.bytes());
            bytes.extend_from_slice(&first.to_le_bytes());
            first += moves.len() as u32;
        }
        for (pit, knowledge) in positions.flat_map(|(_, moves)| moves) {
            bytes.extend_from_slice(&move_bytes(*pit, knowledge));
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }
}

fn move_bytes(pit: Pit, knowledge: &Knowledge) -> [u8; MOVE] {
    let (depth, score) = knowledge.analysis.map_or((0, 0), |it| (it.depth, it.score.value() as i16));
    let Tally { games, wins, draws, losses } = knowledge.tally;
    let mut bytes = [0; MOVE];
    bytes[..2].copy_from_slice(&[pit.number(), depth]);
    bytes[2..4].copy_from_slice(&score.to_le_bytes());
    for (place, number) in [games, wins, draws, losses].into_iter().enumerate() {
        bytes[4 + 4 * place..][..4].copy_from_slice(&number.to_le_bytes());
    }
    bytes
}

/// What is known of the move in these bytes, be it possible or not.
fn knowledge(bytes: &[u8; MOVE]) -> Knowledge {
    let score = Score::centistones(i16::from_le_bytes([bytes[2], bytes[3]]).into());
    let [games, wins, draws, losses] = std::array::from_fn(|place| number(bytes, 4 + 4 * place));
    let analysis = (bytes[1] != 0).then_some(Analysis { score, depth: bytes[1] });
    Knowledge { analysis, tally: Tally { games, wins, draws, losses } }
}

impl Book {
    /// The book in these bytes; all of it is checked.
    ///
    /// # Errors
    /// When there is none, or it is damaged or impossible.
    pub fn parse(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book, BookError> {
        let bytes = bytes.into();
        let header = parse_header(&bytes)?;
        let book = Book { bytes, header };
        with_rules!(book.header.variant, R => book.check::<R>())?;
        Ok(book)
    }

    /// What the book says of itself.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the book knows of the moves of a position, the best first; nothing where the position is not in it or the
    /// book is of another game.
    #[must_use]
    pub fn ask<R: Rules>(&self, position: &Position<R>) -> Vec<Candidate> {
        if R::VARIANT != self.header.variant {
            return Vec::new();
        }
        let legal = position.moves();
        let known = self.find(&Packed::of(position)).map(|index| self.moves_of(index)).unwrap_or_default();
        // The moves of the file are legal; nothing is ever played that was not checked here, too.
        candidates(known.into_iter().filter(|(pit, _)| legal.contains(*pit)))
    }

    /// The move and those that the book thinks best after it, as long as it knows any.
    #[must_use]
    pub fn line<R: Rules>(&self, position: &Position<R>, pit: Pit) -> Vec<Pit> {
        let mut line = vec![pit];
        let mut position = position.play(pit).0;
        while line.len() < LONGEST_LINE
            && let Some(best) = self.ask(&position).first()
        {
            line.push(best.pit);
            position = position.play(best.pit).0;
        }
        line
    }

    /// All positions with their moves, in the order of the file.
    pub fn positions(&self) -> impl Iterator<Item = (Packed, Vec<(Pit, Knowledge)>)> {
        (0..self.header.positions).map(|index| (self.position(index), self.moves_of(index)))
    }

    fn positions_at(&self) -> usize {
        HEADER + self.header.origin.len()
    }

    fn moves_at(&self) -> usize {
        self.positions_at() + self.header.positions * POSITION
    }

    fn position(&self, index: usize) -> Packed {
        let at = self.positions_at() + index * POSITION;
        let bytes = self.bytes.get(at..).and_then(<[u8]>::first_chunk);
        Packed::from_bytes(*bytes.unwrap_or(&[0; Packed::BYTES]))
    }

    /// The index of a position's first move; for the index after the last position that after the last move.
    fn first_move(&self, index: usize) -> usize {
        if index == self.header.positions {
            return self.header.moves;
        }
        number(&self.bytes, self.positions_at() + index * POSITION + Packed::BYTES) as usize
    }

    /// The bytes of the moves of a position.
    fn move_bytes_of(&self, index: usize) -> &[[u8; MOVE]] {
        let place = |index| self.moves_at() + self.first_move(index) * MOVE;
        let bytes = self.bytes.get(place(index)..place(index + 1)).unwrap_or_default();
        bytes.as_chunks().0
    }

    fn moves_of(&self, index: usize) -> Vec<(Pit, Knowledge)> {
        let moves = self.move_bytes_of(index).iter();
        moves.filter_map(|bytes| Some((Pit::from_number(bytes[0])?, knowledge(bytes)))).collect()
    }

    /// Binary search over the bytes.
    fn find(&self, wanted: &Packed) -> Option<usize> {
        let (mut low, mut high) = (0, self.header.positions);
        while low < high {
            let middle = low.midpoint(high);
            if self.position(middle) < *wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.header.positions && self.position(low) == *wanted).then_some(low)
    }

    /// Checks all positions and moves.
    fn check<R: Rules>(&self) -> Result<(), BookError> {
        for index in 0..self.header.positions {
            let number = index + 1;
            let packed = self.position(index);
            if index > 0 && packed <= self.position(index - 1) {
                return Err(BookError::Unsorted(number));
            }
            let impossible = |error| BookError::Position { number, variant: R::VARIANT, error };
            let position = packed.position::<R>(0).map_err(impossible)?;
            let (first, end) = (self.first_move(index), self.first_move(index + 1));
            let starts_right = index > 0 || first == 0;
            if !starts_right || end <= first || end - first > MAX_MOVES || end > self.header.moves {
                return Err(BookError::Moves { number, first, found: end });
            }
            self.check_moves(index, position.moves())?;
        }
        Ok(())
    }

    fn check_moves(&self, index: usize, mut left: PitSet) -> Result<(), BookError> {
        let number = index + 1;
        for bytes in self.move_bytes_of(index) {
            let pit = Pit::from_number(bytes[0]).filter(|&pit| left.contains(pit));
            let Some(pit) = pit else {
                let left: Vec<String> = left.map(|pit| pit.to_string()).collect();
                let expected =
                    if left.is_empty() { "no move".to_owned() } else { format!("one of {}", left.join(" ")) };
                return Err(BookError::Move { number, found: bytes[0], expected });
            };
            // What comes next must have a greater number.
            left = left.filter(|&other| other > pit).collect();
            let wrong = |found, expected| Err(BookError::Knowledge { number, pit, found, expected });
            let Knowledge { analysis, tally } = knowledge(bytes);
            let score = i16::from_le_bytes([bytes[2], bytes[3]]);
            if i32::from(score).abs() > Score::WIN.value() {
                return wrong(format!("score {score}"), "-32000 to 32000");
            }
            if analysis.is_none() && score != 0 {
                return wrong(format!("score {score} of depth 0"), "0 without an analysis");
            }
            if tally.decided() > tally.games.into() {
                return wrong(format!("{} results", tally.decided()), "not more than the games");
            }
            if analysis.is_none() && tally.games == 0 {
                return wrong("nothing".to_owned(), "games or an analysis");
            }
        }
        Ok(())
    }
}

/// Reads the header and checks all that needs no rules.
fn parse_header(bytes: &[u8]) -> Result<Header, BookError> {
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if !magic.is_empty() && magic != &MAGIC[..magic.len()] {
        return Err(BookError::Foreign(quoted(&String::from_utf8_lossy(magic))));
    }
    if bytes.len() < HEADER + 4 {
        return Err(BookError::Short(bytes.len()));
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(BookError::Version(version));
    }
    let wrong =
        |field, found: u64, expected: &str| BookError::Header { field, found, expected: expected.to_owned() };
    let variant = Variant::ALL.into_iter().find(|&variant| variant as u8 == bytes[10]);
    let variant = variant.ok_or_else(|| wrong("game", bytes[10].into(), "0 to 2"))?;
    if bytes[11] != 0 {
        return Err(wrong("reserved number", bytes[11].into(), "0"));
    }
    let [text, positions, moves] = [12, 16, 20].map(|at| number(bytes, at) as usize);
    if text > MAX_ORIGIN {
        return Err(wrong("length of the text", text as u64, "0 to 4096"));
    }
    let body = text as u64 + positions as u64 * POSITION as u64 + moves as u64 * MOVE as u64;
    let (expected, found) = (HEADER as u64 + body + 4, bytes.len() as u64);
    if expected != found {
        return Err(BookError::Length { expected, found });
    }
    if positions == 0 && moves > 0 {
        return Err(wrong("number of moves", moves as u64, "0 without positions"));
    }
    let (summed, sum) = bytes.split_at(bytes.len() - 4);
    let (expected, found) = (number(sum, 0), crc32fast::hash(summed));
    if expected != found {
        return Err(BookError::Checksum { expected, found });
    }
    let origin = str::from_utf8(&bytes[HEADER..HEADER + text]).map_err(|_| BookError::Text)?;
    // It is shown in lines of the protocol.
    if origin.contains(char::is_control) {
        return Err(BookError::Text);
    }
    Ok(Header { variant, origin: origin.to_owned(), positions, moves })
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
