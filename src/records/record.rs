//! The one form that every format is read into and written from.

use std::collections::BTreeMap;
use std::fmt;

use crate::game::{AnyGame, Outcome, Side};
use crate::with_game;

use super::result::GameResult;
use super::tags::Tags;

/// A game as it was recorded: legal moves from a start position, and what else the record says.
#[derive(Clone, Debug)]
pub struct Record {
    /// Who, where and when. What the other fields hold is not among them: the result, the start position and the
    /// variant (`Result`, `FEN`, `SetUp`, `Variant`).
    pub tags: Tags,
    /// The start position and the moves.
    pub game: AnyGame,
    /// The result as it is recorded, `None` where it is not. It is never made up from the kazans.
    pub result: Option<GameResult>,
    /// A comment on the whole game.
    pub comment: Option<String>,
    /// What is noted of single moves, by the index of the move, from 0.
    pub notes: BTreeMap<usize, Note>,
}

impl Record {
    /// A record of a game of which nothing else is known.
    #[must_use]
    pub fn new(game: impl Into<AnyGame>) -> Record {
        Record {
            tags: Tags::default(),
            game: game.into(),
            result: None,
            comment: None,
            notes: BTreeMap::new(),
        }
    }

    /// How the rules ended the game: by more than half of the stones or by atsyrau. `None` where they did not, and the
    /// players stopped before.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        with_game!(&self.game, game => game.position().outcome())
    }

    /// The recorded result, or without one that of the rules, if they ended the game.
    #[must_use]
    pub fn known_result(&self) -> Option<GameResult> {
        self.result.or_else(|| self.outcome().map(|outcome| GameResult::from(outcome.winner())))
    }

    /// Both sides' stones at the end, South's first: their kazans, and after an atsyrau with the stones left.
    #[must_use]
    pub fn stones(&self) -> [u32; 2] {
        let kazans = with_game!(&self.game, game => {
            Side::BOTH.map(|side| game.position().half(side).kazan())
        });
        self.outcome().map_or(kazans, |outcome| [outcome.south, outcome.north])
    }

    /// The position after the last move, as FEN.
    #[must_use]
    pub fn final_fen(&self) -> String {
        with_game!(&self.game, game => game.position().to_string())
    }
}

/// What is noted of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// How good it is said to be.
    pub glyph: Option<Glyph>,
    /// Whether its player offered a draw.
    pub draw_offer: bool,
    /// A comment.
    pub comment: Option<String>,
}

impl Note {
    /// Whether nothing is noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Note::default()
    }
}

/// How good a move is said to be, in the signs of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// `!`
    Good,
    /// `?`
    Mistake,
    /// `!!`
    Brilliant,
    /// `??`
    Blunder,
    /// `!?`
    Interesting,
    /// `?!`
    Dubious,
}

impl Glyph {
    /// All of them, in the order of their numbers in PGN, from 1.
    pub const ALL: [Glyph; 6] =
        [Glyph::Good, Glyph::Mistake, Glyph::Brilliant, Glyph::Blunder, Glyph::Interesting, Glyph::Dubious];

    /// The sign.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Glyph::Good => "!",
            Glyph::Mistake => "?",
            Glyph::Brilliant => "!!",
            Glyph::Blunder => "??",
            Glyph::Interesting => "!?",
            Glyph::Dubious => "?!",
        }
    }

    /// The glyph with this sign.
    #[must_use]
    pub fn of_sign(sign: &str) -> Option<Glyph> {
        Glyph::ALL.into_iter().find(|glyph| glyph.sign() == sign)
    }
}

impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sign())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn a_result_is_made_up_only_where_the_rules_ended_the_game() {
        let mut record = Record::new(AnyGame::start(Variant::Togyzqumalaq));
        assert_eq!((record.known_result(), record.stones()), (None, [0, 0]));
        record.result = Some(GameResult::North);
        assert_eq!(record.known_result(), Some(GameResult::North));
        // South has nothing left to move: the stones go to North.
        let over = AnyGame::from_text(Variant::Togyzqumalaq, Some("8,2S/9 80 80 S 1"), &[]).unwrap();
        let record = Record::new(over);
        assert_eq!((record.known_result(), record.stones()), (Some(GameResult::North), [80, 82]));
    }

    #[test]
    fn signs_are_read_as_written() {
        for glyph in Glyph::ALL {
            assert_eq!(Glyph::of_sign(glyph.sign()), Some(glyph));
        }
        assert_eq!(Glyph::of_sign("!!!"), None);
    }
}
