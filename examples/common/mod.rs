//! What the programs that fit constants share: games that the engine plays against itself.

use std::error::Error;

use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tuzdyq::eval::{Classic, Score};
use tuzdyq::game::{Game, Position, Side, Togyzqumalaq};
use tuzdyq::search::{self, Control, Environment, Limits, Progress, Table, Worker};

/// What ends a program, or one of its threads.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Random moves before the engine's first.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 4..=8;
const LONGEST_GAME: usize = 1_000;

/// How many games to play, and how.
#[derive(Clone, Copy)]
pub struct Plan {
    /// How many games.
    pub games: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// What the openings depend on, and nothing else does.
    pub seed: u64,
}

impl Plan {
    /// The plan of the command line, `[GAMES] [NODES A MOVE] [SEED]`; numbers left out are as given here.
    pub fn from_args(default: Plan) -> Result<Plan, Failure> {
        let numbers: Vec<u64> =
            std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
        let number = |index: usize, default| numbers.get(index).copied().unwrap_or(default);
        Ok(Plan {
            games: number(0, default.games),
            nodes: number(1, default.nodes),
            seed: number(2, default.seed),
        })
    }

    /// Plays the games, as many at a time as there are cores.
    pub fn play(self) -> Result<Vec<SelfPlay>, Failure> {
        let Plan { games, nodes, seed } = self;
        (0..games).into_par_iter().map(|game| play(seed * 1_000_000 + game, nodes)).collect()
    }
}

/// A game as the engine played it against itself.
pub struct SelfPlay {
    /// The positions that were searched, with their scores.
    pub searched: Vec<(Position<Togyzqumalaq>, Score)>,
    winner: Option<Side>,
}

impl SelfPlay {
    /// How the game ended for a side: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn result(&self, side: Side) -> f64 {
        self.winner.map_or(0.5, |winner| f64::from(winner == side))
    }
}

fn search_move(game: &Game<Togyzqumalaq>, worker: &mut Worker, table: &Table, nodes: u64) -> search::Answer {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (control, progress) = (Control::default(), Progress::new(1));
    let env = Environment { table: Some(table), ..Environment::new(&Classic, &limits, &control, &progress) };
    search::run(game, worker, &env, 0, &mut |_| {})
}

fn play(seed: u64, nodes: u64) -> Result<SelfPlay, Failure> {
    let mut random = StdRng::seed_from_u64(seed);
    let opening = random.random_range(OPENING_PLIES);
    let (mut worker, table) = (Worker::default(), Table::new(4)?);
    let mut game = Game::<Togyzqumalaq>::default();
    let mut searched = Vec::new();
    while game.position().outcome().is_none() && game.occurrences() < 3 && game.moves().len() < LONGEST_GAME {
        let best = if game.moves().len() < opening {
            game.position().moves().choose(&mut random)
        } else {
            let answer = search_move(&game, &mut worker, &table, nodes);
            searched.push((*game.position(), answer.score));
            answer.best
        };
        game.play(best.ok_or("no move in an unfinished game")?);
    }
    let winner = game.position().outcome().and_then(|outcome| outcome.winner());
    Ok(SelfPlay { searched, winner })
}
