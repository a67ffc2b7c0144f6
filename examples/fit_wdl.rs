//! Fits the constants of `eval::Wdl` to games that the engine plays against itself:
//!
//! ```text
//! cargo run --release --example fit_wdl -- [GAMES] [NODES A MOVE] [SEED]
//! ```
//!
//! Each searched position gives a sample: the score, the share of stones left, and how the game ended for the side
//! to move. The constants are those with the greatest likelihood on a grid.

mod common;

use common::{Failure, Plan, SelfPlay};
use rayon::prelude::*;
use tuzdyq::game::{Rules, Togyzqumalaq};

/// A searched position.
struct Sample {
    /// Centistones, for the side to move.
    score: f64,
    /// Share of the stones still in the pits.
    left: f64,
    /// 1 for a win of the side to move, 0.5 for a draw, 0 for a loss.
    result: f64,
}

/// The samples of a game: all searched positions but those whose end was proven.
fn samples(game: &SelfPlay) -> impl Iterator<Item = Sample> {
    game.searched.iter().filter(|(_, score)| !score.is_decided()).map(|(position, score)| Sample {
        score: f64::from(score.value()),
        left: f64::from(position.board().stones_left()) / f64::from(Togyzqumalaq::TOTAL),
        result: game.result(position.turn()),
    })
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

fn main() -> Result<(), Failure> {
    let plan = Plan::from_args(Plan { games: 1_000, nodes: 5_000, seed: 1 })?;
    let samples: Vec<Sample> = plan.play()?.iter().flat_map(samples).collect();

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
        "{} games, {} positions: SCALE ({base}, {added}), HALF_DRAW {half_draw}, mean log likelihood {value:.4}",
        plan.games,
        samples.len()
    );
    Ok(())
}
