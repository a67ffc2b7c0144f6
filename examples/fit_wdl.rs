//! Fits the constants of `eval::Wdl` to games that the engine plays against itself:
//!
//! ```text
//! cargo run --release --example fit_wdl -- [GAMES] [NODES A MOVE] [SEED]
//! ```
//!
//! Each searched position gives a sample: the score, the share of stones left, and how the game ended for the side
//! to move. The constants are those with the greatest likelihood on a grid.

use std::error::Error;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rayon::prelude::*;
use tuzdyq::eval::Classic;
use tuzdyq::game::{Game, Rules, Togyzqumalaq};
use tuzdyq::search::{self, Control, Environment, Limits, Progress, Table, Worker};

const OPENING_PLIES: usize = 8;
const LONGEST_GAME: usize = 1_000;

/// A searched position.
struct Sample {
    /// Centistones, for the side to move.
    score: f64,
    /// Share of the stones still in the pits.
    left: f64,
    /// 1 for a win of the side to move, 0.5 for a draw, 0 for a loss.
    result: f64,
}

fn search_move(game: &Game<Togyzqumalaq>, worker: &mut Worker, table: &Table, nodes: u64) -> search::Answer {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (control, progress) = (Control::default(), Progress::new(1));
    let env = Environment { table: Some(table), ..Environment::new(&Classic, &limits, &control, &progress) };
    search::run(game, worker, &env, 0, &mut |_| {})
}

fn play(seed: u64, nodes: u64) -> Result<Vec<Sample>, Box<dyn Error + Send + Sync>> {
    let mut random = StdRng::seed_from_u64(seed);
    let (mut worker, table) = (Worker::default(), Table::new(4)?);
    let mut game = Game::<Togyzqumalaq>::default();
    let mut scores = Vec::new();
    while game.position().outcome().is_none() && game.occurrences() < 3 && game.moves().len() < LONGEST_GAME {
        let best = if game.moves().len() < OPENING_PLIES {
            game.position().moves().choose(&mut random)
        } else {
            let answer = search_move(&game, &mut worker, &table, nodes);
            if !answer.score.is_decided() {
                let left = f64::from(game.position().board().stones_left()) / f64::from(Togyzqumalaq::TOTAL);
                scores.push((game.position().turn(), f64::from(answer.score.value()), left));
            }
            answer.best
        };
        game.play(best.ok_or("no move in an unfinished game")?);
    }
    let winner = game.position().outcome().and_then(|outcome| outcome.winner());
    let sample = |(side, score, left)| {
        let result = winner.map_or(0.5, |winner| f64::from(winner == side));
        Sample { score, left, result }
    };
    Ok(scores.into_iter().map(sample).collect())
}

/// The mean log likelihood of the samples under the constants.
fn likelihood(samples: &[Sample], scale: (f64, f64), half_draw: f64) -> f64 {
    let log = |sample: &Sample| {
        let chance = |lead: f64| 1.0 / (1.0 + (-lead / (scale.0 + scale.1 * sample.left)).exp());
        let (win, loss) = (chance(sample.score - half_draw), chance(-sample.score - half_draw));
        let chance = match sample.result {
            result if result > 0.75 => win,
            result if result < 0.25 => loss,
            _ => 1.0 - win - loss,
        };
        chance.max(1e-9).ln()
    };
    samples.par_iter().map(log).sum::<f64>() / samples.len() as f64
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let numbers: Vec<u64> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let number = |index: usize, default| numbers.get(index).copied().unwrap_or(default);
    let (games, nodes, seed) = (number(0, 1_000), number(1, 5_000), number(2, 1));
    let played: Vec<Vec<Sample>> = (0..games)
        .into_par_iter()
        .map(|game| play(seed * 1_000_000 + game, nodes))
        .collect::<Result<_, _>>()?;
    let samples: Vec<Sample> = played.into_iter().flatten().collect();

    let grid = |step: f64, count: u32| (0..=count).map(move |index| step * f64::from(index));
    let mut best = (f64::NEG_INFINITY, (0.0, 0.0), 0.0);
    for base in grid(20.0, 40).skip(1) {
        for added in grid(100.0, 40) {
            for half_draw in grid(10.0, 30).skip(1) {
                let value = likelihood(&samples, (base, added), half_draw);
                if value > best.0 {
                    best = (value, (base, added), half_draw);
                }
            }
        }
    }
    let (value, (base, added), half_draw) = best;
    println!(
        "{games} games, {} positions: SCALE ({base}, {added}), HALF_DRAW {half_draw}, mean log likelihood {value:.4}",
        samples.len()
    );
    Ok(())
}
