//! Who plays: this engine in-process, or a program behind pipes.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::engine::{Engine, Event};
use crate::game::{AnyGame, Variant};
use crate::options::{Id, Options, Spec};
use crate::text::quoted;
use crate::with_game;

use super::limit::Budget;
use super::program::Program;

/// How often a player that waits looks whether the match has been broken off.
const GLANCE: Duration = Duration::from_millis(50);

/// What plays for one side of a match, and how it is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// The words of a command line; `None` for this engine in-process.
    pub command: Option<Vec<String>>,
    /// Options with their values, in the order in which they are set.
    pub options: Vec<(String, String)>,
}

/// What is wrong with the description of a contestant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    /// The command line cannot be split into words.
    #[error("'{0}' is not a command line: a quotation mark is not closed")]
    Quotes(String),
    /// There is no word in it.
    #[error("an engine is 'self' or a command line, not ''")]
    Empty,
    /// This engine refuses an option.
    #[error("self: {0}")]
    Option(String),
}

impl Contestant {
    /// A contestant from the word `self` or a command line as a shell would split it.
    ///
    /// # Errors
    /// When the command line has no word or an open quotation mark, or this engine refuses an option.
    pub fn new(command: &str, options: Vec<(String, String)>) -> Result<Contestant, ContestantError> {
        let words = shlex::split(command).ok_or_else(|| ContestantError::Quotes(quoted(command)))?;
        let contestant = match words.first() {
            None => return Err(ContestantError::Empty),
            Some(word) if word.is_empty() => return Err(ContestantError::Empty),
            Some(word) if word == "self" && words.len() == 1 => Contestant { command: None, options },
            Some(_) => Contestant { command: Some(words), options },
        };
        if contestant.command.is_none() {
            contestant.engine_options(Variant::default()).map_err(ContestantError::Option)?;
        }
        Ok(contestant)
    }

    fn engine_options(&self, variant: Variant) -> Result<Options, String> {
        let mut options = Options::default();
        for (name, value) in &self.options {
            if Spec::find(name).is_ok_and(|spec| spec.id == Id::Variant) {
                return Err("the game is that of the match, no option of an engine".to_owned());
            }
            options.set(name, Some(value)).map_err(|error| error.to_string())?;
        }
        Ok(Options { variant, ..options })
    }

    /// Starts the player.
    ///
    /// # Errors
    /// Why it does not start, in one line.
    pub(super) fn start(&self, variant: Variant, abort: &AtomicBool) -> Result<Box<dyn Player>, StartError> {
        let Some(command) = &self.command else {
            let options = self.engine_options(variant).map_err(StartError::Failed)?;
            let wanted = options.threads;
            let engine = Engine::new(options).map_err(|error| StartError::Failed(error.to_string()))?;
            let started = engine.options().threads;
            if started < wanted {
                return Err(StartError::Failed(format!(
                    "only {started} of {wanted} threads could be started"
                )));
            }
            return Ok(Box::new(InProcess { engine }));
        };
        let program = Program::start(command, &self.options, variant, abort)?;
        Ok(Box::new(program))
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.command {
            None => f.write_str("self")?,
            Some(words) => f.write_str(&words.join(" "))?,
        }
        self.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

/// Why a player did not start.
#[derive(Debug)]
pub(super) enum StartError {
    Failed(String),
    Aborted,
}

/// How a player has lost a game against the clock or the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Fault {
    /// The move is none of this position.
    IllegalMove {
        /// What was answered.
        answer: String,
    },
    /// The player has ended, or failed.
    Crash {
        /// What is known of it.
        detail: String,
    },
    /// No answer long after its time.
    Hang {
        /// Milliseconds waited.
        waited: u64,
    },
    /// The answer came too late.
    Time {
        /// Milliseconds that it took.
        took: u64,
        /// Milliseconds that there were, the margin left out.
        had: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::IllegalMove { answer } => write!(f, "illegal move '{answer}'"),
            Fault::Crash { detail } => write!(f, "crash: {detail}"),
            Fault::Hang { waited } => write!(f, "no answer after {waited} ms"),
            Fault::Time { took, had } => write!(f, "time loss: {took} ms used of {had}"),
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Silence {
    Fault(Fault),
    /// The match has been broken off.
    Aborted,
}

/// The answer of a player.
#[derive(Clone, Debug)]
pub(super) struct Thought {
    /// The move as written.
    pub answer: String,
    /// From the question to the answer.
    pub elapsed: Duration,
    /// The last score reported, in centistones from the player's view; more than any estimate when it is proven.
    pub score: Option<i32>,
    /// The last depth reported, in plies.
    pub depth: Option<u32>,
    /// Positions visited, and in which time, as the player says.
    pub visited: Option<(u64, Duration)>,
}

/// One move to be made.
pub(super) struct Question<'a> {
    pub game: &'a AnyGame,
    pub budget: Budget,
    /// How long to wait for the answer at most.
    pub patience: Duration,
    /// Set when the match is broken off.
    pub abort: &'a AtomicBool,
}

pub(super) trait Player {
    /// Forgets everything learnt.
    fn new_game(&mut self, abort: &AtomicBool) -> Result<(), Silence>;

    fn think(&mut self, question: &Question<'_>) -> Result<Thought, Silence>;
}

/// Waits for the next message, for as long as the match goes on.
pub(super) fn receive<T>(
    messages: &mpsc::Receiver<T>,
    deadline: Instant,
    abort: &AtomicBool,
) -> Result<T, Missing> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match messages.recv_timeout(left.min(GLANCE)) {
            Ok(message) => return Ok(message),
            Err(RecvTimeoutError::Disconnected) => return Err(Missing::Ended),
            Err(RecvTimeoutError::Timeout) if abort.load(Ordering::Relaxed) => return Err(Missing::Aborted),
            Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Missing::Late),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Why no message came.
pub(super) enum Missing {
    Ended,
    Late,
    Aborted,
}

/// This engine, without pipes.
struct InProcess {
    engine: Engine,
}

impl Player for InProcess {
    fn new_game(&mut self, _: &AtomicBool) -> Result<(), Silence> {
        self.engine.new_game().map_err(crash)
    }

    fn think(&mut self, question: &Question<'_>) -> Result<Thought, Silence> {
        let turn = with_game!(question.game, game => game.position().turn());
        self.engine.set_game(question.game.clone()).map_err(crash)?;
        let (sender, answers) = mpsc::channel();
        let started = Instant::now();
        let tell = move |event| {
            if let Event::Answer(answer) = event {
                // The receiver may have gone when the match was broken off.
                drop(sender.send((started.elapsed(), answer)));
            }
        };
        self.engine.go(question.budget.limits(turn), Arc::new(tell)).map_err(crash)?;
        let received = receive(&answers, started + question.patience, question.abort);
        let (elapsed, answer) = received.map_err(|missing| {
            self.engine.stop();
            match missing {
                Missing::Aborted => Silence::Aborted,
                Missing::Ended => crash("the search has ended without an answer"),
                Missing::Late => hang(question.patience),
            }
        })?;
        Ok(Thought {
            answer: answer.best.map_or_else(|| "(none)".to_owned(), |pit| pit.to_string()),
            elapsed,
            score: Some(answer.score.value()),
            depth: Some(answer.depth),
            visited: Some((answer.nodes, answer.time)),
        })
    }
}

pub(super) fn crash(detail: impl fmt::Display) -> Silence {
    Silence::Fault(Fault::Crash { detail: detail.to_string() })
}

pub(super) fn hang(waited: Duration) -> Silence {
    Silence::Fault(Fault::Hang { waited: waited.as_millis() as u64 })
}

/// What a lock guards, also when another thread has panicked with it.
pub(super) fn locked<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_as_in_a_shell() {
        let words = |text: &str| Contestant::new(text, Vec::new()).unwrap().command;
        assert_eq!(words("self"), None);
        assert_eq!(
            words(" 'an engine' --x \"a b\""),
            Some(vec!["an engine".into(), "--x".into(), "a b".into()])
        );
        assert_eq!(Contestant::new("  ", Vec::new()), Err(ContestantError::Empty));
        assert!(matches!(Contestant::new("a 'b", Vec::new()), Err(ContestantError::Quotes(_))));
    }

    #[test]
    fn this_engine_refuses_wrong_options_at_once() {
        let refuse = |name: &str, value: &str| {
            Contestant::new("self", vec![(name.to_owned(), value.to_owned())]).unwrap_err().to_string()
        };
        assert_eq!(
            refuse("Threads", "0"),
            "self: option Threads takes a whole number from 1 to 256, not '0'"
        );
        assert_eq!(refuse("Depth", "0"), "self: there is no option 'Depth'");
        assert!(refuse("UCI_Variant", "kozdatu").contains("the match"));
    }
}
