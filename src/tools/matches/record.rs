//! What remains of a game: its moves, its result and what the players needed for it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::records::GameResult;

use super::player::{Fault, Thought};

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Which pair of the match, from 0.
    pub pair: u32,
    /// Whether engine 1 has South: the first game of the pair.
    pub first_is_south: bool,
    /// The position that the game began with, if not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// How many of the moves are the opening.
    pub opening: usize,
    /// All moves as pit numbers, with blanks between them.
    pub moves: String,
    /// The result.
    pub result: GameResult,
    /// Why the game ended.
    pub end: End,
    /// What engine 1 and engine 2 needed.
    pub usage: [Usage; 2],
    /// When the game ended, in seconds since the start of 1970.
    pub ended_at: u64,
}

impl Record {
    /// The points of engine 1, in halves.
    #[must_use]
    pub fn half_points(&self) -> u8 {
        match (self.result, self.first_is_south) {
            (GameResult::Draw, _) => 1,
            (GameResult::South, true) | (GameResult::North, false) => 2,
            (GameResult::South, false) | (GameResult::North, true) => 0,
        }
    }

    /// Which engine, 0 or 1, has lost by a fault of its own, and by which.
    #[must_use]
    pub const fn fault(&self) -> Option<(usize, &Fault)> {
        match &self.end {
            End::Fault { engine, fault } if *engine <= 2 && *engine > 0 => {
                Some((*engine as usize - 1, fault))
            }
            _ => None,
        }
    }

    /// How many moves were made, the opening included.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.split(' ').filter(|word| !word.is_empty()).count()
    }
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum End {
    /// By the stones.
    Stones {
        /// South's final stones.
        south: u32,
        /// North's final stones.
        north: u32,
        /// Whether the side to move had none.
        atsyrau: bool,
    },
    /// The position has occurred for the third time.
    Repetition,
    /// The game was too long.
    PlyLimit,
    /// Both players took it for decided.
    Agreement,
    /// A player has lost by a fault.
    Fault {
        /// Which engine, 1 or 2.
        engine: u8,
        /// What it did.
        fault: Fault,
    },
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Stones { south, north, atsyrau } => {
                write!(f, "{south}-{north} stones{}", if *atsyrau { ", atsyrau" } else { "" })
            }
            End::Repetition => f.write_str("third repetition"),
            End::PlyLimit => f.write_str("ply limit"),
            End::Agreement => f.write_str("both engines agreed"),
            End::Fault { engine, fault } => write!(f, "engine {engine}: {fault}"),
        }
    }
}

/// What an engine needed for its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Moves made.
    pub moves: u64,
    /// Milliseconds from the questions to the answers.
    pub time_ms: u64,
    /// Moves with a depth reported.
    pub depths: u64,
    /// The sum of these depths, in plies.
    pub depth_sum: u64,
    /// Positions visited, as reported.
    pub nodes: u64,
    /// Microseconds that they took, as reported.
    pub nodes_us: u64,
}

impl Usage {
    /// Adds what another game needed.
    pub fn add(&mut self, other: &Usage) {
        self.moves += other.moves;
        self.time_ms += other.time_ms;
        self.depths += other.depths;
        self.depth_sum += other.depth_sum;
        self.nodes += other.nodes;
        self.nodes_us += other.nodes_us;
    }

    /// The average depth of the moves that report one, in plies.
    #[must_use]
    pub fn average_depth(&self) -> Option<f64> {
        (self.depths > 0).then(|| self.depth_sum as f64 / self.depths as f64)
    }

    /// Positions a second, as reported.
    #[must_use]
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.nodes_us > 0).then(|| self.nodes as f64 * 1e6 / self.nodes_us as f64)
    }

    /// The average time of a move; `None` without any move.
    #[must_use]
    pub fn time_per_move(&self) -> Option<Duration> {
        (self.moves > 0).then(|| Duration::from_secs_f64(self.time_ms as f64 / self.moves as f64 / 1000.0))
    }
}

/// Sums up what an engine needs during a game, finer than a record holds it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meter {
    usage: Usage,
    elapsed: Duration,
    visiting: Duration,
}

impl Meter {
    pub(super) fn add(&mut self, thought: &Thought) {
        self.usage.moves += 1;
        self.elapsed += thought.elapsed;
        if let Some(depth) = thought.depth {
            self.usage.depths += 1;
            self.usage.depth_sum += u64::from(depth);
        }
        if let Some((nodes, time)) = thought.visited {
            self.usage.nodes += nodes;
            self.visiting += time;
        }
    }

    pub(super) fn usage(&self) -> Usage {
        Usage {
            time_ms: self.elapsed.as_millis() as u64,
            nodes_us: self.visiting.as_micros() as u64,
            ..self.usage
        }
    }
}
