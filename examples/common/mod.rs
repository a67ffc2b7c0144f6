//! What the programs that fit constants share: games that the engine plays against itself.

#![allow(dead_code, reason = "each program uses its part of this module")]

use std::error::Error;

use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tuzdyq::eval::{Classic, Score};
use tuzdyq::game::{Game, Position, Side, Togyzqumalaq};
use tuzdyq::search::{self, Control, Environment, Limits, Parameters, Progress, Table, Worker};
use tuzdyq::tools::matches::{LONGEST_GAME, REPETITIONS};

/// What ends a program, or one of its threads.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Random moves before the engine's first.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 4..=8;

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
        (0..games)
            .into_par_iter()
            .map(|game| {
                let mind = Mind::new(Parameters::default())?;
                play(opening(seed * 1_000_000 + game)?, &mut [mind], nodes)
            })
            .collect()
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

/// What a player keeps during a game.
struct Mind {
    worker: Worker,
    table: Table,
    parameters: Parameters,
}

impl Mind {
    fn new(parameters: Parameters) -> Result<Mind, Failure> {
        Ok(Mind { worker: Worker::default(), table: Table::new(4)?, parameters })
    }

    fn search(&mut self, game: &Game<Togyzqumalaq>, nodes: u64) -> search::Answer {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (control, progress) = (Control::default(), Progress::new(1));
        let env = Environment {
            table: Some(&self.table),
            parameters: self.parameters.clone(),
            ..Environment::new(&Classic, &limits, &control, &progress)
        };
        self.table.age();
        search::run(game, &mut self.worker, &env, 0, &mut |_| {})
    }
}

fn opening(seed: u64) -> Result<Game<Togyzqumalaq>, Failure> {
    let mut random = StdRng::seed_from_u64(seed);
    let plies = random.random_range(OPENING_PLIES);
    let mut game = Game::default();
    for _ in 0..plies {
        let pit = game.position().moves().choose(&mut random);
        game.play(pit.ok_or("an opening that ends the game")?);
    }
    Ok(game)
}

/// Plays a game to its end: `minds` are those of South and North, or one for both.
fn play(mut game: Game<Togyzqumalaq>, minds: &mut [Mind], nodes: u64) -> Result<SelfPlay, Failure> {
    let mut searched = Vec::new();
    while game.position().outcome().is_none()
        && game.occurrences() < REPETITIONS
        && game.moves().len() < LONGEST_GAME
    {
        let turn = usize::from(game.position().turn() == Side::North) % minds.len();
        let answer = minds[turn].search(&game, nodes);
        searched.push((*game.position(), answer.score));
        game.play(answer.best.ok_or("no move in an unfinished game")?);
    }
    let winner = game.position().outcome().and_then(|outcome| outcome.winner());
    Ok(SelfPlay { searched, winner })
}

/// Plays two games from one opening with swapped sides, and gives the first player's points, 0 to 2.
pub fn play_pair(seed: u64, players: [&Parameters; 2], nodes: u64) -> Result<f64, Failure> {
    let opening = opening(seed)?;
    let [one, two] = players;
    let game = |south: &Parameters, north: &Parameters| {
        let mut minds = [Mind::new(south.clone())?, Mind::new(north.clone())?];
        play(opening.clone(), &mut minds, nodes)
    };
    Ok(game(one, two)?.result(Side::South) + game(two, one)?.result(Side::North))
}
