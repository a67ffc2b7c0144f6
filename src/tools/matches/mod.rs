//! A match of two players in colour-swapped pairs of games: how it is played, counted, logged and decided.
//!
//! [`Match::run`] plays it and tells an observer of every game; it never prints. The referee is the library.

mod header;
mod limit;
mod openings;
mod pgn;
mod player;
mod program;
mod record;
mod referee;
mod resignation;
mod run;
mod statistics;
mod tally;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::game::Variant;
use crate::tools::log::LogError;

pub use self::limit::{Budget, Limit, TimeControl, TimeControlError};
pub use self::openings::{OpeningList, Openings, OpeningsError};
pub use self::player::{Contestant, ContestantError, Fault};
pub use self::record::{End, Record, Usage};
pub use self::referee::{LONGEST_GAME, REPETITIONS};
pub use self::resignation::Resignation;
pub use self::run::Match;
pub use self::statistics::{Decision, Elo, Pentanomial, Sprt, elo_of_score, score_of_elo};
pub use self::tally::{Faults, Tally};

/// How often in a row a player that has failed is started again before the match is given up.
pub const RESTARTS: u32 = 3;
/// How long after its time a player is waited for, when the limit is a time.
pub const PATIENCE_TIMED: Duration = Duration::from_secs(5);
/// How long a player is waited for when the limit is no time.
pub const PATIENCE_UNTIMED: Duration = Duration::from_secs(60);
/// How much later than allowed an answer may come, when each move has its own time. It is 0 with clocks.
pub const MARGIN_MOVETIME: Duration = Duration::from_millis(100);

/// All that defines a match.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The two engines.
    pub engines: [Contestant; 2],
    /// Games to play at most, two with each opening.
    pub games: u32,
    /// How long the engines may think.
    pub limit: Limit,
    /// The game.
    pub variant: Variant,
    /// What the games begin with.
    pub openings: Openings,
    /// Determines the openings.
    pub seed: u64,
    /// Games that are played at once.
    pub concurrency: usize,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
    /// When a game is taken for decided; `None` plays every game to its end.
    pub resignation: Option<Resignation>,
    /// How much later than allowed an answer may come.
    pub margin: Duration,
    /// How long an engine that has not answered is waited for: after its time, or from the question on where the limit
    /// is no time.
    pub patience: Duration,
    /// The log, from which the match goes on if there is one.
    pub log: Option<PathBuf>,
    /// Where to write the games.
    pub pgn: Option<PathBuf>,
}

/// What an observer hears of a match.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Once, before the first game: the games found in the log.
    Start(&'a Tally),
    /// A game has ended; the totals include it.
    Game(&'a Record, &'a Tally),
}

/// What has come of a match.
#[derive(Debug)]
pub struct Outcome {
    /// The totals.
    pub tally: Tally,
    /// Why it is over.
    pub ending: Ending,
}

/// Why a match is over.
#[derive(Debug)]
pub enum Ending {
    /// All games have been played.
    Complete,
    /// The test is decided.
    Decided(Decision),
    /// It was broken off from outside.
    Interrupted,
    /// It cannot go on.
    Failed(MatchError),
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine does not start.
    #[error("engine {engine} ({name}) cannot be started: {reason}")]
    Start {
        /// Which engine, 1 or 2.
        engine: usize,
        /// What it is.
        name: String,
        /// Why.
        reason: String,
    },
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The file of games.
    #[error("{path}: {error}")]
    Pgn {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A thread for the games cannot be started.
    #[error("a thread cannot be started: {0}")]
    Thread(io::Error),
}
