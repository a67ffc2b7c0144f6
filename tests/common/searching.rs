//! What the tests of the search share: positions to search, an engine whose events are collected, a solver of forced
//! wins, and the file of problems.

#![allow(unreachable_pub, reason = "`pub` says what the tests use; nothing else can reach it")]

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use tuzdyq::engine::{Engine, Event, Observer};
use tuzdyq::eval::Score;
use tuzdyq::game::{AnyGame, Game, Half, Pit, Position, Rules};
use tuzdyq::search::{Answer, Bound, Iteration, Limits};

use super::{game_of, parse, pit, random_setup};

/// Longer than any search of these tests takes, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A game from a set-up position, after these moves.
pub fn game_from<R: Rules>(fen: &str, moves: &[usize]) -> Game<R> {
    let mut game = Game::new(parse(fen));
    for &number in moves {
        assert!(game.position().moves().contains(pit(number)), "move {number} in {}", game.position());
        game.play(pit(number));
    }
    game
}

/// A game from the start position, after these moves.
pub fn game_after<R: Rules>(moves: &[usize]) -> Game<R> {
    game_from(&Position::<R>::start().to_string(), moves)
}

/// Plays up to so many random moves, as long as the game goes on.
pub fn play_randomly<R: Rules>(game: &mut Game<R>, moves: u32, rng: &mut impl Rng) {
    for _ in 0..moves {
        let legal: Vec<Pit> = game.position().moves().collect();
        let Some(&pit) = legal.choose(rng) else { return };
        if game.position().play(pit).0.board().is_over() {
            return;
        }
        game.play(pit);
    }
}

/// Unfinished games: every third one a random playout from the start, the others from random set-ups, which have few
/// or many stones left, in many pits or in one, often with tuzdyqs and nearly decided kazans.
pub fn random_games<R: Rules>(count: usize, seed: u64) -> Vec<Game<R>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let (mut game, moves) = if games.len() % 3 == 0 {
            (Game::default(), rng.random_range(0..100))
        } else {
            (Game::new(parse(&random_setup(game_of(R::VARIANT), &mut rng).fen())), rng.random_range(0..3))
        };
        play_randomly(&mut game, moves, &mut rng);
        if !game.position().board().is_over() {
            games.push(game);
        }
    }
    games
}

/// Unfinished games from random set-ups with at most this many stones left in the pits.
pub fn random_endings<R: Rules>(count: usize, stones: u32, seed: u64) -> Vec<Game<R>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let game = Game::<R>::new(parse(&random_setup(game_of(R::VARIANT), &mut rng).fen()));
        let board = game.position().board();
        if !board.is_over() && board.stones_left() <= stones {
            games.push(game);
        }
    }
    games
}

/// Checks that the moves can be played one after the other.
pub fn check_line<R: Rules>(position: &Position<R>, line: &[Pit]) {
    let mut reached = *position;
    for &pit in line {
        assert!(reached.moves().contains(pit), "{pit} of {line:?} is illegal in {position}");
        reached = reached.play(pit).0;
    }
}

/// Whether wins are forced, by trying all moves: no bounds, no ordering, no evaluation, no repetition.
///
/// It remembers what it has found of each pair of halves, the mover's first, so that one solver serves one variant.
#[derive(Default)]
pub struct Solver {
    known: HashMap<([Half; 2], u32), bool>,
}

impl Solver {
    /// Whether the side to move can win within so many plies, whatever the other side does.
    pub fn wins<R: Rules>(&mut self, position: &Position<R>, plies: u32) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome.winner() == Some(position.turn());
        }
        if plies == 0 {
            return false;
        }
        let board = position.board();
        let question = ([*board.mover(), *board.opponent()], plies);
        if let Some(&answer) = self.known.get(&question) {
            return answer;
        }
        let answer = position.moves().any(|pit| self.loses(&position.play(pit).0, plies - 1));
        self.known.insert(question, answer);
        answer
    }

    /// Whether the side to move loses within so many plies, whatever it does.
    pub fn loses<R: Rules>(&mut self, position: &Position<R>, plies: u32) -> bool {
        match position.outcome() {
            Some(outcome) => outcome.winner() == Some(position.turn().other()),
            None => plies > 0 && position.moves().all(|pit| self.wins(&position.play(pit).0, plies - 1)),
        }
    }

    /// Checks what a score claims of a decided game: that the end comes within so many plies.
    pub fn check<R: Rules>(&mut self, position: &Position<R>, score: Score, bound: Bound) {
        let Some(plies) = score.plies_to_end() else { return };
        if score.is_win() && bound != Bound::Upper {
            assert!(self.wins(position, plies), "no forced win in {plies} plies: {position}");
        }
        if score.is_loss() && bound != Bound::Lower {
            assert!(self.loses(position, plies), "no forced loss in {plies} plies: {position}");
        }
    }
}

/// What was heard of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    pub iterations: Vec<Iteration>,
    pub answer: Answer,
}

impl Heard {
    /// The last finished line of this rank.
    pub fn last(&self, multipv: usize) -> &Iteration {
        let is_it = |it: &&Iteration| it.bound == Bound::Exact && it.multipv == multipv;
        self.iterations.iter().rev().find(is_it).expect("a finished line")
    }

    /// The finished lines of the first rank.
    pub fn exact(&self) -> impl Iterator<Item = &Iteration> {
        self.iterations.iter().filter(|it| it.bound == Bound::Exact && it.multipv == 1)
    }

    /// The same with what depends on the clock taken out.
    pub fn timeless(&self) -> Heard {
        let mut heard = self.clone();
        heard.answer.time = Duration::ZERO;
        for iteration in &mut heard.iterations {
            iteration.time = Duration::ZERO;
        }
        heard
    }
}

/// A search that has been started, with a way to hear of it.
pub struct Started {
    events: Receiver<Event>,
    iterations: Vec<Iteration>,
}

/// Starts a search of the engine's position.
pub fn start(engine: &mut Engine, limits: Limits) -> Started {
    let (sender, events) = mpsc::channel();
    let observer: Observer = Arc::new(move |event| _ = sender.send(event));
    engine.go(limits, observer).expect("an idle engine");
    Started { events, iterations: Vec::new() }
}

impl Started {
    /// Checks that no answer comes for some time.
    pub fn expect_silence(&mut self, time: Duration) {
        let begun = std::time::Instant::now();
        while let Some(rest) = time.checked_sub(begun.elapsed()) {
            match self.events.recv_timeout(rest) {
                Ok(Event::Answer(answer)) => panic!("an answer too early: {answer:?}"),
                Ok(Event::Iteration(iteration)) => self.iterations.push(iteration),
                Ok(Event::Book(known)) => panic!("no book was asked for: {known}"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the search ended without an answer"),
            }
        }
    }

    /// Waits for the first finished line.
    pub fn wait_for_iteration(&mut self) {
        match self.events.recv_timeout(PATIENCE) {
            Ok(Event::Iteration(iteration)) => self.iterations.push(iteration),
            other => panic!("expected an iteration: {other:?}"),
        }
    }

    /// Waits for the answer, and checks that nothing comes after it.
    pub fn finish(self) -> Heard {
        let Started { events, mut iterations } = self;
        let answer = loop {
            match events.recv_timeout(PATIENCE).expect("an answer") {
                Event::Iteration(iteration) => iterations.push(iteration),
                Event::Book(known) => panic!("no book was asked for: {known}"),
                Event::Answer(answer) => break answer,
            }
        };
        // The engine lets go of the observer when the search is over.
        match events.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Disconnected) => Heard { iterations, answer },
            other => panic!("after the answer: {other:?}"),
        }
    }
}

/// Searches a game's position to the end of the limits, and checks what every search must tell.
pub fn search(engine: &mut Engine, game: impl Into<AnyGame>, limits: Limits) -> Heard {
    let game = game.into();
    engine.set_game(game.clone()).expect("an idle engine of this variant");
    let heard = start(engine, limits).finish();
    tuzdyq::with_game!(&game, game => check_heard(game.position(), &heard));
    heard
}

/// Checks what every search must tell: legal lines, and an answer that fits to the last of them.
pub fn check_heard<R: Rules>(position: &Position<R>, heard: &Heard) {
    let Heard { iterations, answer } = heard;
    if position.board().is_over() {
        assert_eq!((answer.best, answer.ponder, iterations.len()), (None, None, 0), "{position}");
        return;
    }
    let best = answer.best.unwrap_or_else(|| panic!("no move in {position}"));
    check_line(position, &[best]);
    check_line(position, &answer.ponder.map_or(vec![], |ponder| vec![best, ponder]));
    let mut before = (0, 0);
    for iteration in iterations {
        assert!(!iteration.line.is_empty(), "an empty line in {position}: {iteration:?}");
        check_line(position, &iteration.line);
        assert!((iteration.depth, iteration.nodes) >= before, "{iteration:?} comes after {before:?}");
        before = (iteration.depth, iteration.nodes);
    }
    assert!(answer.nodes >= before.1, "{answer:?}");
    assert!(answer.depth <= before.0, "{answer:?}");
}

/// A problem of `positions/problems.epd`.
pub struct Problem {
    pub id: String,
    pub fen: String,
    pub best: Pit,
    /// `win` or `draw`.
    pub goal: String,
    /// Whether every other move is worse.
    pub is_unique: bool,
}

/// The problems, read strictly.
pub fn problems() -> Vec<Problem> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/problems.epd");
    let text = std::fs::read_to_string(path).expect("the problems");
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(problem).collect()
}

fn problem(line: &str) -> Problem {
    let (fen, fields) = line.strip_suffix(';').and_then(|line| line.split_once("; ")).expect(line);
    let fields: HashMap<&str, &str> =
        fields.split("; ").map(|field| field.split_once(' ').expect(line)).collect();
    let field = |name: &str| fields.get(name).copied().unwrap_or_else(|| panic!("no {name} in {line}"));
    Problem {
        id: field("id").strip_prefix('"').and_then(|id| id.strip_suffix('"')).expect(line).to_owned(),
        fen: fen.to_owned(),
        best: pit(field("bm").parse().expect(line)),
        goal: field("goal").to_owned(),
        is_unique: field("unique") == "1",
    }
}
