//! Plays a match: threads that play games, and the one that counts them.

use std::collections::HashSet;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::game::{AnyGame, Pit};
use crate::tools::files;
use crate::tools::log::{Log, LogError};
use crate::with_game;

use super::header::header;
use super::openings::Sequence;
use super::player::{Contestant, Fault, Player, Silence, StartError, locked};
use super::record::Record;
use super::referee::{Aborted, Referee};
use super::{Ending, Event, MatchError, Outcome, RESTARTS, Settings, Tally, pgn};

/// How often the counting thread looks whether it is to break off.
const GLANCE: Duration = Duration::from_millis(50);

/// A match, ready to be played.
pub struct Match {
    settings: Settings,
    log: Option<Log>,
    records: Vec<Record>,
    tally: Tally,
}

impl Match {
    /// Opens the files of a match and takes over the games of its log.
    ///
    /// # Errors
    /// When the log is of another match or cannot be used, or the games cannot be written where they should be.
    pub fn new(settings: Settings) -> Result<Match, MatchError> {
        if let Some(path) = &settings.pgn {
            files::check_place(path).map_err(|error| MatchError::Pgn { path: path.clone(), error })?;
        }
        let mut this = Match { settings, log: None, records: Vec::new(), tally: Tally::default() };
        if let Some(path) = this.settings.log.clone() {
            let (log, records) = Log::open(&path, "match", &header(&this.settings))?;
            this.log = Some(log);
            if let Some(games) = this.settings.pgn.clone().filter(|games| files::is_same_file(games, &path)) {
                let error = io::Error::other("the games cannot be written over the log");
                return Err(MatchError::Pgn { path: games, error });
            }
            this.take_over(records).map_err(|(index, reason)| LogError::Line {
                path,
                line: index + 2,
                reason,
            })?;
        }
        Ok(this)
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Takes over the games of a log, each of which must be one of this match.
    fn take_over(&mut self, records: Vec<Record>) -> Result<(), (usize, String)> {
        let openings = self.settings.openings.ordered(self.settings.seed, self.settings.variant);
        let mut seen = HashSet::new();
        for (index, record) in records.iter().enumerate() {
            if !seen.insert((record.pair, record.first_is_south)) {
                return Err((index, "the same game once more".to_owned()));
            }
            check(record, &openings.of_pair(record.pair)).map_err(|reason| (index, reason))?;
            self.tally.add(record);
        }
        drop(openings);
        self.records = records;
        Ok(())
    }

    /// Plays the match, or the rest of it, until it is over or `stop` is set. What has been played is in the log and
    /// the file of games however it ends.
    pub fn run(mut self, stop: &AtomicBool, observer: &mut dyn FnMut(Event<'_>)) -> Outcome {
        observer(Event::Start(&self.tally));
        let played = self.play(stop, observer);
        let written = self.settings.pgn.as_ref().map_or(Ok(()), |path| {
            pgn::write(path, &self.settings, &self.records)
                .map_err(|error| MatchError::Pgn { path: path.clone(), error })
        });
        let ending = match (played, written) {
            (Ending::Failed(error), _) | (_, Err(error)) => Ending::Failed(error),
            (ending, Ok(())) => ending,
        };
        Outcome { tally: self.tally, ending }
    }

    fn play(&mut self, stop: &AtomicBool, observer: &mut dyn FnMut(Event<'_>)) -> Ending {
        let done: HashSet<_> =
            self.records.iter().map(|record| (record.pair, record.first_is_south)).collect();
        let all = (0..self.settings.games).map(|game| (game / 2, game.is_multiple_of(2)));
        let queue: Vec<_> = all.filter(|game| !done.contains(game)).collect();
        if let Some(ending) = self.ending(queue.len() as u32) {
            return ending;
        }
        let settings = self.settings.clone();
        let abort = AtomicBool::new(false);
        let hall = Hall {
            settings: &settings,
            openings: settings.openings.ordered(settings.seed, settings.variant),
            left: AtomicU32::new(queue.len() as u32),
            queue: Mutex::new(queue.into_iter()),
            abort: &abort,
        };
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..settings.concurrency.max(1).min(hall.left.load(Ordering::Relaxed) as usize) {
                let (sender, hall) = (sender.clone(), &hall);
                let worker = move || {
                    if let Err(error) = hall.play_games(&sender) {
                        // The receiver goes only when the match is over.
                        drop(sender.send(Err(error)));
                    }
                };
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, worker) {
                    abort.store(true, Ordering::Relaxed);
                    return Ending::Failed(MatchError::Thread(error));
                }
            }
            drop(sender);
            let ending = self.count(&results, stop, observer);
            abort.store(true, Ordering::Relaxed);
            ending
        })
    }

    /// Counts games until the match is over.
    fn count(
        &mut self,
        results: &mpsc::Receiver<Result<Record, MatchError>>,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Ending {
        loop {
            match results.recv_timeout(GLANCE) {
                Ok(Ok(record)) => {
                    if let Err(error) = self.log.as_mut().map_or(Ok(()), |log| log.add(&record)) {
                        return Ending::Failed(error.into());
                    }
                    self.tally.add(&record);
                    observer(Event::Game(&record, &self.tally));
                    self.records.push(record);
                    if let Some(ending) = self.ending(u32::MAX) {
                        return ending;
                    }
                }
                Ok(Err(error)) => return Ending::Failed(error),
                Err(RecvTimeoutError::Disconnected) => return Ending::Complete,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if stop.load(Ordering::Relaxed) {
                return Ending::Interrupted;
            }
        }
    }

    /// Whether the match is over with the games so far.
    fn ending(&self, left: u32) -> Option<Ending> {
        let decision = self.settings.sprt.and_then(|sprt| sprt.decision(&self.tally.pairs));
        decision.map(Ending::Decided).or((left == 0).then_some(Ending::Complete))
    }
}

/// Whether a logged game can be played and has the opening of its pair.
fn check(record: &Record, opening: &AnyGame) -> Result<(), String> {
    let moves: Vec<String> = record.moves.split_whitespace().map(str::to_owned).collect();
    let game = AnyGame::from_text(opening.variant(), record.fen.as_deref(), &moves)
        .map_err(|error| error.to_string())?;
    let plies = with_game!(opening, game => game.moves().len());
    if record.opening != plies || beginning(&game, plies) != beginning(opening, plies) {
        return Err("the game does not begin with the opening of its pair".to_owned());
    }
    Ok(())
}

/// The position that a game began with, and its first moves.
fn beginning(game: &AnyGame, plies: usize) -> (String, Vec<Pit>) {
    with_game!(game, game => {
        (game.start().to_string(), game.moves().iter().copied().take(plies).collect())
    })
}

/// Where the games are played.
struct Hall<'a> {
    settings: &'a Settings,
    openings: Sequence<'a>,
    /// Games to be begun: the pair, and whether engine 1 has South.
    queue: Mutex<std::vec::IntoIter<(u32, bool)>>,
    left: AtomicU32,
    /// Set when the match is over.
    abort: &'a AtomicBool,
}

impl Hall<'_> {
    /// Plays one game after the other until there is none left.
    fn play_games(&self, results: &Sender<Result<Record, MatchError>>) -> Result<(), MatchError> {
        let settings = self.settings;
        let Settings { limit, resignation, margin, patience, .. } = *settings;
        let referee = Referee { limit, resignation, margin, patience, abort: self.abort };
        let mut seats = [0, 1].map(|index| Seat {
            index,
            contestant: &settings.engines[index],
            player: None,
            started: false,
        });
        loop {
            if self.abort.load(Ordering::Relaxed) {
                return Ok(());
            }
            let Some((pair, first_is_south)) = locked(&self.queue).next() else { return Ok(()) };
            let [first, second] = &mut seats;
            let players = match (first.ready(self)?, second.ready(self)?) {
                (Some(first), Some(second)) => [first, second],
                _ => return Ok(()),
            };
            match referee.play(pair, first_is_south, self.openings.of_pair(pair), players) {
                Ok(record) => {
                    if let Some((engine, Fault::Crash { .. } | Fault::Hang { .. })) = record.fault() {
                        seats[engine].player = None;
                    }
                    if results.send(Ok(record)).is_err() {
                        return Ok(());
                    }
                }
                Err(Aborted) => return Ok(()),
            }
        }
    }
}

/// The place of an engine in one of the games that are played at once.
struct Seat<'a> {
    index: usize,
    contestant: &'a Contestant,
    player: Option<Box<dyn Player>>,
    /// Whether it has ever been started.
    started: bool,
}

impl Seat<'_> {
    /// The player, ready for a new game; `None` when the match has been broken off. One that has ended is started
    /// again.
    fn ready(&mut self, hall: &Hall<'_>) -> Result<Option<&mut dyn Player>, MatchError> {
        let attempts = if self.started { RESTARTS } else { 1 };
        // A player that only now turns out to have ended costs no attempt to start one.
        if let Some(player) = &mut self.player {
            match player.new_game(hall.abort) {
                Ok(()) => return Ok(self.player.as_deref_mut().map(|player| player as &mut dyn Player)),
                Err(Silence::Aborted) => return Ok(None),
                Err(Silence::Fault(fault)) => {
                    ::log::warn!("engine {} between games: {fault}", self.index + 1)
                }
            }
            self.player = None;
        }
        let mut reason = String::new();
        for _ in 0..attempts {
            match self.start(hall) {
                Ok(player) => {
                    self.started = true;
                    return Ok(Some(self.player.insert(player).as_mut()));
                }
                Err(StartError::Aborted) => return Ok(None),
                Err(StartError::Failed(why)) => reason = why,
            }
        }
        Err(MatchError::Start { engine: self.index + 1, name: self.contestant.to_string(), reason })
    }

    fn start(&self, hall: &Hall<'_>) -> Result<Box<dyn Player>, StartError> {
        let mut player = self.contestant.start(hall.settings.variant, hall.abort)?;
        player.new_game(hall.abort).map_err(|silence| match silence {
            Silence::Aborted => StartError::Aborted,
            Silence::Fault(fault) => StartError::Failed(fault.to_string()),
        })?;
        Ok(player)
    }
}
