//! Fits the constants of `eval::Wdl` to games that the engine has played against itself:
//!
//! ```text
//! cargo run --release --example fit_wdl -- FILE...
//! ```
//!
//! The files are those of `tuzdyq datagen`. Each position gives a sample: the score of its search, the share of stones
//! left, and how the game ended for the side to move; those before a random move and those with a proven score are left
//! out. The constants are those with the greatest likelihood on a grid.

use std::error::Error;
use std::path::Path;

use rayon::prelude::*;
use tuzdyq::game::{Rules, Togyzqumalaq, Variant};
use tuzdyq::tools::datagen::{Flags, GameResult, Reader, Record};

/// A searched position.
struct Sample {
    /// Centistones, for the side to move.
    score: f64,
    /// Share of the stones still in the pits.
    left: f64,
    /// How the game ended for the side to move.
    result: GameResult,
}

fn sample(record: &Record) -> Option<Sample> {
    let says_nothing = record.flags().has(Flags::DISTURBED) || record.score().is_decided();
    (!says_nothing).then(|| Sample {
        score: f64::from(record.score().value()),
        left: f64::from(record.stones()) / f64::from(Togyzqumalaq::TOTAL),
        result: record.result(),
    })
}

/// The mean log likelihood of the samples under the constants.
fn likelihood(samples: &[Sample], scale: (f64, f64), half_draw: f64) -> f64 {
    let log = |sample: &Sample| {
        let chance = |lead: f64| 1.0 / (1.0 + (-lead / (scale.0 + scale.1 * sample.left)).exp());
        let (win, loss) = (chance(sample.score - half_draw), chance(-sample.score - half_draw));
        let chance = match sample.result {
            GameResult::Win => win,
            GameResult::Loss => loss,
            GameResult::Draw => 1.0 - win - loss,
        };
        chance.max(1e-9).ln()
    };
    samples.par_iter().map(log).sum::<f64>() / samples.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut samples = Vec::new();
    for path in std::env::args().skip(1) {
        let mut reader = Reader::open(Path::new(&path))?;
        reader.require(Variant::Togyzqumalaq)?;
        while let Some(chunk) = reader.next_chunk()? {
            samples.extend(chunk.records.iter().filter_map(sample));
        }
    }
    if samples.is_empty() {
        return Err("name files of training data".into());
    }
    let mut best = (f64::NEG_INFINITY, (0.0, 0.0), 0.0);
    // A coarse grid first, then a fine one around its best point.
    let mut centre = ((400.0, 600.0), 100.0);
    for step in [100.0, 40.0, 10.0] {
        let around = |middle: f64| (-5..=5).map(move |index| middle + step * f64::from(index));
        let scales = around(centre.0.0).flat_map(|base| around(centre.0.1).map(move |added| (base, added)));
        for (base, added) in scales.filter(|&(base, added)| base >= 10.0 && base + added >= 10.0) {
            for half_draw in around(centre.1).filter(|&half_draw| half_draw > 0.0) {
                let value = likelihood(&samples, (base, added), half_draw);
                if value > best.0 {
                    best = (value, (base, added), half_draw);
                }
            }
        }
        centre = (best.1, best.2);
    }
    let (value, (base, added), half_draw) = best;
    println!(
        "{} positions: SCALE ({base}, {added}), HALF_DRAW {half_draw}, mean log likelihood {value:.4}",
        samples.len()
    );
    Ok(())
}
