//! The report of a review as it is written: the types of `docs/review.md`, one for one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::{Side, Variant};
use crate::records::GameResult;

use super::class::Class;

/// What the field `schema` says of reports of this form.
pub const SCHEMA: &str = "tuzdyq-review/1";

/// The games of an input, reviewed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// Which engine it was.
    pub engine: String,
    /// What each move was given, as `200000 nodes`.
    pub limit: String,
    /// Search threads; with a limit of nodes or depth the values do not depend on them.
    pub threads: usize,
    /// The most lines of a position.
    pub multipv: usize,
    /// The games, in the order of the input.
    pub games: Vec<GameReview>,
}

/// A game, reviewed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReview {
    /// Which game of the input, from 1.
    pub number: usize,
    /// The game that is played.
    #[serde(with = "VariantName")]
    pub variant: Variant,
    /// Names and values as recorded.
    pub tags: BTreeMap<String, String>,
    /// The position that the game begins with, as FEN.
    pub start: String,
    /// The result as recorded, or where nothing is recorded by the rules' end.
    pub result: Option<GameResult>,
    /// How the rules ended the game, if they did.
    pub end: Option<End>,
    /// The plies that have been reviewed.
    pub reviewed: Span,
    /// All plies of the game.
    pub plies: Vec<PlyReview>,
    /// What the moves of both sides come to.
    pub sides: Sides<SideReview>,
    /// The plies that decided the game, at most five, in the order of the game.
    pub turning_points: Vec<usize>,
    /// The tuzdyqs, in the order of the game.
    pub tuzdyqs: Vec<Tuzdyq>,
    /// The phases that the game has, in order.
    pub phases: Vec<Phase>,
}

/// How the rules ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// South's final stones.
    pub south: u32,
    /// North's final stones.
    pub north: u32,
    /// Whether the side to move had no stone.
    pub atsyrau: bool,
}

/// Plies in a row, numbered from 1, both ends included; both are 0 where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The first.
    pub from: usize,
    /// The last.
    pub to: usize,
}

impl Span {
    /// Whether a ply is one of them.
    #[must_use]
    pub const fn contains(self, ply: usize) -> bool {
        self.from <= ply && ply <= self.to && ply > 0
    }
}

/// Something of each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sides<T> {
    /// Of South.
    pub south: T,
    /// Of North.
    pub north: T,
}

impl<T> Sides<T> {
    /// That of one side.
    pub const fn of(&self, side: Side) -> &T {
        match side {
            Side::South => &self.south,
            Side::North => &self.north,
        }
    }
}

/// A half-move, reviewed or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyReview {
    /// Which ply of the game, from 1.
    pub ply: usize,
    /// The number of the move.
    pub number: u32,
    /// Who moves.
    #[serde(with = "SideName")]
    pub side: Side,
    /// The pit that is sown from.
    #[serde(rename = "move")]
    pub pit: String,
    /// The move as in the PGN-style files: `76(10)`.
    pub notation: String,
    /// The position after the move.
    pub fen: String,
    /// Both kazans after the move, South's first.
    pub kazans: [u32; 2],
    /// The stones captured, those of a new tuzdyq included.
    pub captured: u32,
    /// Whether the move made a tuzdyq.
    pub tuzdyq: bool,
    /// How good the record says it is, as `!?`.
    pub glyph: Option<String>,
    /// The comment of the record.
    pub comment: Option<String>,
    /// What the position before it is worth with the best move.
    pub before: Option<Value>,
    /// What it is worth with the move played; measured by the same yardstick as `before`.
    pub after: Option<Value>,
    /// The best move.
    pub best: Option<String>,
    /// How good the move played is.
    pub class: Option<Class>,
    /// What the move lost against the best one.
    pub loss: Option<Loss>,
    /// What is proven, for the mover; `None` where nothing is.
    pub verdict: Option<Verdicts>,
    /// The best lines from the position before the move, best first.
    pub lines: Vec<Line>,
}

/// What a position is worth, seen from South.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// South's expected final lead in stones; `None` where the result is proven.
    pub stones: Option<f64>,
    /// South's expected score, from 0 (lost) to 1 (won).
    pub chance: f64,
    /// The result, where it is proven.
    pub proven: Option<Proven>,
    /// Moves to the proven end, where known: counted from the position before the move, the move included.
    pub moves: Option<u32>,
}

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proven {
    /// South wins.
    South,
    /// Nobody does.
    Draw,
    /// North wins.
    North,
}

/// What a move has lost; never less than nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// In stones of final lead; `None` where one of the two values is a proven result.
    pub stones: Option<f64>,
    /// In expected score, 0 to 1.
    pub chance: f64,
}

/// A proven result, for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The mover wins.
    Win,
    /// Nobody does.
    Draw,
    /// The opponent wins.
    Loss,
}

/// What is proven before and after a move, both for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdicts {
    /// With the best move.
    pub before: Option<Verdict>,
    /// With the move played.
    pub after: Option<Verdict>,
}

/// A line of best play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What it leads to.
    pub value: Value,
    /// Its moves, at most twelve.
    pub moves: Vec<LineMove>,
}

/// A move of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineMove {
    /// The pit that is sown from.
    #[serde(rename = "move")]
    pub pit: String,
    /// The move as in the PGN-style files.
    pub notation: String,
    /// The position after it.
    pub fen: String,
}

/// What the moves of a side come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// Moves that have been reviewed.
    pub moves: usize,
    /// The mean accuracy of the moves, 0 to 100; `None` without a move.
    pub accuracy: Option<f64>,
    /// Stones lost a move, over the moves whose loss in stones is known; `None` without any.
    pub average_loss: Option<f64>,
}

/// What the moves of a side come to in the whole game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideReview {
    /// Count, accuracy and average loss.
    #[serde(flatten)]
    pub stats: Stats,
    /// How many moves are of each class; classes without a move have 0.
    pub classes: BTreeMap<Class, usize>,
}

/// A tuzdyq and what it brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tuzdyq {
    /// When it was made; 0 where it was there at the start.
    pub ply: usize,
    /// Who has it.
    #[serde(with = "SideName")]
    pub side: Side,
    /// Which pit of the other side, as that side numbers it.
    pub pit: u8,
    /// The stones that it has brought in until the end, the three that it was made with included.
    pub stones: u32,
}

/// A phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PhaseName {
    /// The first moves.
    Opening,
    /// What is between the others.
    Middlegame,
    /// When few stones are left.
    Endgame,
}

/// A phase, and how both sides played it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Which phase.
    pub name: PhaseName,
    /// Its first ply.
    pub from: usize,
    /// Its last ply.
    pub to: usize,
    /// South's moves in it.
    pub south: Stats,
    /// North's.
    pub north: Stats,
}

/// How a [`Side`] is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Side", rename_all = "lowercase")]
enum SideName {
    South,
    North,
}

/// How a [`Variant`] is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Variant", rename_all = "lowercase")]
enum VariantName {
    Togyzqumalaq,
    Bestemshe,
    Kozdatu,
}

impl PlyReview {
    /// The mover's expected score with the best move and with the move played, 0 to 1; `None` where the ply has not
    /// been reviewed.
    #[must_use]
    pub fn chances(&self) -> Option<[f64; 2]> {
        let of_mover = |value: Value| match self.side {
            Side::South => value.chance,
            Side::North => 1.0 - value.chance,
        };
        Some([of_mover(self.before?), of_mover(self.after?)])
    }
}
