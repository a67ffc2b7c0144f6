//! Tunes numbers of the search by simultaneous perturbation (Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", 1992): each step plays pairs of games between the values moved a
//! little in a random direction and the values moved the other way, and then moves them towards the winner.
//!
//! ```text
//! cargo run --release --features tune --example spsa -- STATE STEPS NODES PAIRS NAME:STEP...
//! cargo run --release --features tune --example spsa -- spsa.txt 1000 10000 8 lmr_base:15 lmr_divisor:10
//! ```
//!
//! STEP is how far a value is moved at the end of the run; at its beginning it is about twice as far. The file STATE
//! is written after each step; a run that was interrupted goes on from it with the same arguments.

mod common;

use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tuzdyq::search::Parameters;
use tuzdyq::tools::files::write_atomically;

use common::Failure;

/// The usual exponents, and the share of the steps that the first ones are slowed down by.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const SLOW_START: f64 = 0.1;
/// How far a value moves at the end of the run for a pair of games won, in units of its own step.
const LEARNING: f64 = 0.003;

/// A number being tuned.
struct Tuned {
    name: String,
    value: f64,
    /// How far it is moved at the end of the run.
    step: f64,
    least: f64,
    greatest: f64,
}

impl Tuned {
    fn parse(text: &str) -> Result<Tuned, Failure> {
        let (name, step) = text.split_once(':').ok_or_else(|| format!("'{text}' is not NAME:STEP"))?;
        let &(_, default, least, greatest) = Parameters::ALL
            .iter()
            .find(|(known, ..)| *known == name)
            .ok_or_else(|| format!("no number of the search is named '{name}'"))?;
        let step = step.parse().map_err(|_| format!("'{step}' is no step"))?;
        let [value, least, greatest] = [default, least, greatest].map(f64::from);
        Ok(Tuned { name: name.to_owned(), value, step, least, greatest })
    }

    fn moved(&self, by: f64) -> i32 {
        (self.value + by).clamp(self.least, self.greatest).round() as i32
    }
}

/// The state as a line `step N`, then a line `name value` each.
fn save(path: &Path, step: usize, tuned: &[Tuned]) -> Result<(), Failure> {
    let lines: String = tuned.iter().map(|it| format!("{} {:.3}\n", it.name, it.value)).collect();
    Ok(write_atomically(path, format!("step {step}\n{lines}").as_bytes())?)
}

fn load(path: &Path, tuned: &mut [Tuned]) -> Result<usize, Failure> {
    if !path.exists() {
        return Ok(0);
    }
    let text = std::fs::read_to_string(path)?;
    let mut step = 0;
    for (number, line) in text.lines().enumerate() {
        let wrong = || format!("{}: line {}: '{line}'", path.display(), number + 1);
        let (name, value) = line.split_once(' ').ok_or_else(wrong)?;
        if name == "step" {
            step = value.parse().map_err(|_| wrong())?;
        } else {
            let it = tuned.iter_mut().find(|it| it.name == name).ok_or_else(wrong)?;
            it.value = value.parse().map_err(|_| wrong())?;
        }
    }
    Ok(step)
}

fn with_values(tuned: &[Tuned], moves: &[f64]) -> Parameters {
    let mut parameters = Parameters::default();
    for (it, &by) in tuned.iter().zip(moves) {
        if let Some(place) = parameters.get_mut(&it.name) {
            *place = it.moved(by);
        }
    }
    parameters
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [state, steps, nodes, pairs, names @ ..] = &args[..] else {
        return Err("give STATE STEPS NODES PAIRS NAME:STEP...".into());
    };
    let (state, steps, nodes, pairs) = (Path::new(state), steps.parse()?, nodes.parse()?, pairs.parse()?);
    let mut tuned = names.iter().map(|text| Tuned::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let first = load(state, &mut tuned)?;
    for step in first..steps {
        let mut random = StdRng::seed_from_u64(step as u64);
        let left = steps as f64 / (step + 1) as f64;
        let slow = SLOW_START * steps as f64;
        let rate = LEARNING * ((slow + steps as f64) / (slow + step as f64 + 1.0)).powf(ALPHA);
        let spread = left.powf(GAMMA);
        let signs: Vec<f64> = tuned.iter().map(|_| if random.random() { 1.0 } else { -1.0 }).collect();
        let moves: Vec<f64> = tuned.iter().zip(&signs).map(|(it, sign)| sign * it.step * spread).collect();
        let back: Vec<f64> = moves.iter().map(|by| -by).collect();
        let players = [with_values(&tuned, &moves), with_values(&tuned, &back)];
        let results: Result<Vec<f64>, Failure> = (0..pairs)
            .into_par_iter()
            .map(|pair: u64| common::play_pair(step as u64 * pairs + pair, [&players[0], &players[1]], nodes))
            .collect();
        // From -2 to 2 for each pair.
        let lead: f64 = results?.iter().map(|points| 2.0 * (points - 1.0)).sum();
        for (it, sign) in tuned.iter_mut().zip(&signs) {
            it.value = (it.value + rate * lead * sign * it.step).clamp(it.least, it.greatest);
        }
        save(state, step + 1, &tuned)?;
        if (step + 1) % 20 == 0 || step + 1 == steps {
            let values: Vec<String> = tuned.iter().map(|it| format!("{}={:.1}", it.name, it.value)).collect();
            println!("{} of {steps}: {}", step + 1, values.join(" "));
        }
    }
    Ok(())
}
