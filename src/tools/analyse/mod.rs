//! The review of recorded games: the engine looks at every position, `review` says what that means for the moves.
//!
//! [`run`] tells an observer of every game that is done; it never prints.

mod search;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::engine::evaluation::{EvalFileError, Evaluation};
use crate::game::{Side, Variant};
use crate::options::Options;
use crate::records::Record;
use crate::review::{GameReview, Incomplete, Material, Report, SCHEMA, Span, assess};
use crate::search::{Control, Limits, OutOfMemory};
use crate::with_game;

use super::chance::fingerprint;
use super::log::{Log, LogError};
use search::Searcher;

/// The version of the format, in the first line of a log.
const FORMAT: u32 = 1;

/// What the search of each position is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A time.
    MoveTime(Duration),
    /// Plies.
    Depth(u32),
    /// Positions to visit.
    Nodes(u64),
}

impl Limit {
    /// The same as the limits of a search.
    #[must_use]
    pub fn limits(self) -> Limits {
        let limits = Limits::default();
        match self {
            Limit::MoveTime(time) => Limits { movetime: Some(time), ..limits },
            Limit::Depth(depth) => Limits { depth: Some(depth), ..limits },
            Limit::Nodes(nodes) => Limits { nodes: Some(nodes), ..limits },
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::MoveTime(time) => write!(f, "{} ms", time.as_millis()),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// How games are reviewed.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the search of each position is given.
    pub limit: Limit,
    /// Positions that are searched at once.
    pub threads: usize,
    /// Megabytes (2²⁰ bytes) of the table of each thread.
    pub hash: usize,
    /// Lines to find of each position.
    pub lines: usize,
    /// The moves to review, by their numbers.
    pub moves: RangeInclusive<u32>,
    /// The log, from which the review goes on if there is one.
    pub log: Option<PathBuf>,
}

impl Settings {
    /// A report of games that are reviewed in this way.
    #[must_use]
    pub fn report(&self, games: Vec<GameReview>) -> Report {
        Report {
            schema: SCHEMA.to_owned(),
            engine: engine(),
            limit: self.limit.to_string(),
            threads: self.threads,
            multipv: self.lines,
            games,
        }
    }

    /// The plies of a game that are to be reviewed.
    #[must_use]
    pub fn plies(&self, record: &Record) -> Span {
        let numbers: Vec<u32> = with_game!(&record.game, game => {
            let first = game.start();
            let first = 2 * (first.move_number() - 1) + u32::from(first.turn() == Side::North);
            (0..game.moves().len() as u32).map(|index| (first + index) / 2 + 1).collect()
        });
        let is_wanted = |number: &u32| self.moves.contains(number);
        let from = numbers.iter().position(is_wanted);
        let to = numbers.iter().rposition(is_wanted);
        from.zip(to).map_or_else(Span::default, |(from, to)| Span { from: from + 1, to: to + 1 })
    }
}

/// The engine, as reports name it.
#[must_use]
pub fn engine() -> String {
    format!("tuzdyq {} (commit {})", env!("CARGO_PKG_VERSION"), env!("TUZDYQ_COMMIT"))
}

/// A game to be reviewed.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Which game of the input, from 1.
    pub number: usize,
    /// The game.
    pub record: Record,
}

/// What an observer hears of a review.
#[derive(Debug)]
pub enum Event<'a> {
    /// Once, at the beginning: how many positions are to be searched.
    Start(u64),
    /// Another position has been searched.
    Position,
    /// A game is done, or was found in the log. They come in the order of the input.
    Game(&'a Subject, Box<GameReview>),
}

/// Why a review cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// There is no memory for the tables.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The evaluation.
    #[error(transparent)]
    Evaluation(#[from] EvalFileError),
    /// A thread cannot be started.
    #[error("a thread cannot be started: {0}")]
    Thread(io::Error),
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A position could not be searched.
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    /// It was stopped.
    #[error("interrupted")]
    Interrupted,
}

/// Reviews games, or those of them that are not in the log. `input` is what they were read from, by which the log is
/// known to be of them.
///
/// # Errors
/// When it is stopped, the log is of another review or cannot be used, or there is no memory or no thread. What was
/// done before has been told, and is in the log.
pub fn run(
    subjects: &[Subject],
    input: &[u8],
    settings: &Settings,
    control: &Control,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<(), AnalyseError> {
    let (mut log, mut done) = match &settings.log {
        None => (None, BTreeMap::new()),
        Some(path) => {
            let (log, games) = Log::open(path, "review", &header(settings, input)?)?;
            (Some(log), taken_over(path, games)?)
        }
    };
    let mut searcher = Searcher::new(settings, control)?;
    let open = subjects.iter().filter(|subject| !done.contains_key(&subject.number));
    let positions = open.map(|subject| positions(settings.plies(&subject.record)));
    tell(Event::Start(positions.sum()));
    for subject in subjects {
        if let Some(review) = done.remove(&subject.number) {
            tell(Event::Game(subject, Box::new(review)));
            continue;
        }
        let plies = settings.plies(&subject.record);
        let findings = searcher.search(&subject.record.game, plies, &mut || tell(Event::Position))?;
        if control.is_stopped() {
            return Err(AnalyseError::Interrupted);
        }
        let review = assess(&Material {
            number: subject.number,
            record: &subject.record,
            reviewed: plies,
            findings: &findings,
            lines: settings.lines,
        })?;
        if let Some(log) = &mut log {
            log.add(&review)?;
        }
        tell(Event::Game(subject, Box::new(review)));
    }
    Ok(())
}

/// How many positions are searched for the review of so many plies.
const fn positions(plies: Span) -> u64 {
    if plies.from == 0 { 0 } else { (plies.to - plies.from + 2) as u64 }
}

/// All that defines a review: the same input reviewed in the same way. Which of the games, and by how many threads,
/// does not.
fn header(settings: &Settings, input: &[u8]) -> Result<Value, AnalyseError> {
    let evaluation =
        Evaluation::of_options(&Options { variant: Variant::Togyzqumalaq, ..Options::default() })?;
    Ok(json!({
        "format": FORMAT,
        "input": format!("{} bytes with fingerprint {:016x}", input.len(), fingerprint(input)),
        "limit": settings.limit.to_string(),
        "hash": settings.hash,
        "multipv": settings.lines,
        "from": settings.moves.start(),
        "to": Some(settings.moves.end()).filter(|&&last| last < u32::MAX),
        "engine": engine(),
        "evaluation": evaluation.identity(),
    }))
}

/// The games of a log by their numbers.
fn taken_over(path: &Path, games: Vec<GameReview>) -> Result<BTreeMap<usize, GameReview>, LogError> {
    let mut seen = HashSet::new();
    let again = games.iter().position(|game| !seen.insert(game.number));
    match again {
        Some(index) => Err(LogError::Line {
            path: path.to_owned(),
            line: index + 2,
            reason: "the same game once more".to_owned(),
        }),
        None => Ok(games.into_iter().map(|game| (game.number, game)).collect()),
    }
}
