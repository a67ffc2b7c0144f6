//! One position of a game with what its search found, in 26 bytes.

use crate::eval::Score;
use crate::game::{MAX_PITS, Packed, Pit, Position, Rules, SetupError, Side};

/// Bytes of a record.
pub const RECORD: usize = 26;
/// The bytes of a record that describe the position; two records with the same have the same position.
pub const POSITION: usize = Packed::BYTES;

/// How a game ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// It lost.
    Loss = 0,
    /// Nobody won.
    Draw = 1,
    /// It won.
    Win = 2,
}

impl GameResult {
    /// The result of a game with this winner, for `side`.
    #[must_use]
    pub fn of(winner: Option<Side>, side: Side) -> GameResult {
        match winner {
            None => GameResult::Draw,
            Some(winner) if winner == side => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// Points for the side to move: 1, ½ or 0.
    #[must_use]
    pub const fn points(self) -> f32 {
        self as u8 as f32 / 2.0
    }
}

/// What else is known of a record, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags(u8);

impl Flags {
    /// The first record of its game.
    pub const FIRST: Flags = Flags(1);
    /// The best move captures.
    pub const CAPTURE: Flags = Flags(2);
    /// A random move was played later in the game, so that its result says little of this position.
    pub const DISTURBED: Flags = Flags(4);
    /// The score is no estimate: the endgame tables know the final lead.
    pub const EXACT: Flags = Flags(8);

    const ALL: u8 = 15;

    /// Whether all bits of the other are set.
    #[must_use]
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// With the bits of the other set.
    #[must_use]
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// With the bits of the other set or not.
    #[must_use]
    pub const fn set(self, other: Flags, on: bool) -> Flags {
        if on { self.with(other) } else { Flags(self.0 & !other.0) }
    }
}

/// A position, seen from the side to move, with its score and the result of its game.
///
/// The bytes are described in docs/data-format.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record([u8; RECORD]);

/// What a record says cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The position.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// A pit that the game does not have holds stones.
    #[error("stones in a pit beyond the row")]
    Row,
    /// The result, the flags or the best move.
    #[error("result, flags or best move are none")]
    Fields,
}

/// What is found of a position, beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The score of the search, for the side to move.
    pub score: Score,
    /// The best move; `None` where no search was needed.
    pub best: Option<Pit>,
    /// How the game ended.
    pub result: GameResult,
    /// What else is known.
    pub flags: Flags,
}

impl Record {
    /// A record of a position.
    #[must_use]
    pub fn new<R: Rules>(position: &Position<R>, finding: Finding) -> Record {
        let mut bytes = [0; RECORD];
        bytes[..POSITION].copy_from_slice(Packed::of(position).bytes());
        let ply = position.half_moves();
        bytes[22..24].copy_from_slice(&(ply.min(u16::MAX.into()) as u16).to_le_bytes());
        bytes[24] = finding.best.map_or(0, Pit::number);
        let mut record = Record(bytes);
        record.set_score(finding.score);
        record.set_result(finding.result);
        record.set_flags(finding.flags);
        record
    }

    /// The record in these bytes.
    ///
    /// # Errors
    /// When they cannot be one of this game.
    pub fn parse<R: Rules>(bytes: [u8; RECORD]) -> Result<Record, RecordError> {
        let record = Record(bytes);
        let best = bytes[24] & 15;
        if bytes[24] >> 4 > 2 || bytes[25] & !Flags::ALL != 0 || usize::from(best) > R::PITS {
            return Err(RecordError::Fields);
        }
        let beyond = |row: &[u8]| row[R::PITS..].iter().any(|&stones| stones != 0);
        if beyond(record.mover()) || beyond(record.opponent()) {
            return Err(RecordError::Row);
        }
        let position = record.position::<R>()?;
        if record.best().is_some_and(|pit| position.board().mover().stones(pit) == 0) {
            return Err(RecordError::Fields);
        }
        Ok(record)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; RECORD] {
        &self.0
    }

    /// Those that describe the position.
    #[must_use]
    pub fn position_bytes(&self) -> &[u8] {
        &self.0[..POSITION]
    }

    /// Stones in the pits of the side to move, pit 1 first.
    #[must_use]
    pub fn mover(&self) -> &[u8] {
        &self.0[..MAX_PITS]
    }

    /// Stones in the pits of the other side, its pit 1 first.
    #[must_use]
    pub fn opponent(&self) -> &[u8] {
        &self.0[MAX_PITS..2 * MAX_PITS]
    }

    /// Stones in the pits of both sides.
    #[must_use]
    pub fn stones(&self) -> u32 {
        self.0[..2 * MAX_PITS].iter().map(|&stones| u32::from(stones)).sum()
    }

    /// Stones in the kazan of the side to move.
    #[must_use]
    pub const fn kazan(&self) -> u8 {
        self.0[18]
    }

    /// The numbers of the tuzdyqs of the side to move and of the other side, 0 for none.
    #[must_use]
    pub const fn tuzdyqs(&self) -> [u8; 2] {
        [self.0[19] & 15, self.0[19] >> 4]
    }

    /// The score of the search, for the side to move.
    #[must_use]
    pub fn score(&self) -> Score {
        Score::centistones(i16::from_le_bytes([self.0[20], self.0[21]]).into())
    }

    /// Half-moves of the game before the position.
    #[must_use]
    pub const fn ply(&self) -> u16 {
        u16::from_le_bytes([self.0[22], self.0[23]])
    }

    /// The best move; `None` where the score needed no search.
    #[must_use]
    pub fn best(&self) -> Option<Pit> {
        Pit::from_number(self.0[24] & 15)
    }

    /// How the game ended for the side to move.
    #[must_use]
    pub const fn result(&self) -> GameResult {
        match self.0[24] >> 4 {
            0 => GameResult::Loss,
            1 => GameResult::Draw,
            _ => GameResult::Win,
        }
    }

    /// What else is known.
    #[must_use]
    pub const fn flags(&self) -> Flags {
        Flags(self.0[25])
    }

    /// Puts another score in its place.
    pub fn set_score(&mut self, score: Score) {
        self.0[20..22].copy_from_slice(&(score.value() as i16).to_le_bytes());
    }

    /// Puts another best move in its place.
    pub fn set_best(&mut self, best: Option<Pit>) {
        self.0[24] = self.0[24] & 0xF0 | best.map_or(0, Pit::number);
    }

    /// Puts another result in its place.
    pub fn set_result(&mut self, result: GameResult) {
        self.0[24] = self.0[24] & 15 | (result as u8) << 4;
    }

    /// Puts other flags in their place.
    pub fn set_flags(&mut self, flags: Flags) {
        self.0[25] = flags.0;
    }

    /// The position.
    ///
    /// # Errors
    /// When it is impossible in this game.
    pub fn position<R: Rules>(&self) -> Result<Position<R>, SetupError> {
        let (position, _) = self.0.split_first_chunk().unwrap_or((&[0; POSITION], &[]));
        Packed::from_bytes(*position).position(self.ply().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Bestemshe, Game, Kozdatu, Togyzqumalaq};
    use crate::tools::chance::{generator, random_plies};

    const FINDING: Finding = Finding {
        score: Score::centistones(-1234),
        best: None,
        result: GameResult::Win,
        flags: Flags::FIRST.with(Flags::DISTURBED),
    };

    #[test]
    fn what_goes_in_comes_out_again() {
        fn check<R: Rules>() {
            for number in 0..200 {
                let game =
                    random_plies(Game::<R>::default(), number as usize % 60, &mut generator(1, number));
                let position = game.position();
                let best = position.moves().last();
                let record = Record::new(position, Finding { best, ..FINDING });
                let record = Record::parse::<R>(*record.bytes()).unwrap();
                let read = record.position::<R>().unwrap();
                assert_eq!((&read, read.move_number()), (position, position.move_number()));
                assert_eq!(record.best(), best);
                assert_eq!((record.score(), record.result()), (FINDING.score, FINDING.result));
                assert_eq!(record.flags(), FINDING.flags);
                assert_eq!(record.stones(), position.board().stones_left());
            }
        }
        check::<Togyzqumalaq>();
        check::<Bestemshe>();
        check::<Kozdatu>();
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let record = Record::new(&Position::<Kozdatu>::start(), FINDING);
        let with = |place: usize, byte: u8| {
            let mut bytes = *record.bytes();
            bytes[place] = byte;
            Record::parse::<Kozdatu>(bytes).err()
        };
        assert_eq!(with(0, 7), None);
        assert!(matches!(with(0, 99), Some(RecordError::Position(_))));
        assert_eq!(with(8, 1), Some(RecordError::Row));
        assert_eq!(with(24, 0x30), Some(RecordError::Fields));
        assert_eq!(with(24, 9), Some(RecordError::Fields));
        assert_eq!(with(25, 0x10), Some(RecordError::Fields));
    }
}
