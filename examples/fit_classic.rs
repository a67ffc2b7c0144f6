//! Fits the weights of `eval::Classic` to games that the engine plays against itself:
//!
//! ```text
//! cargo run --release --example fit_classic -- [GAMES] [NODES A MOVE] [SEED]
//! ```
//!
//! Texel's method (Peter Österlund, 2014): from each searched position the captures are played out, and the weights
//! are those under which the evaluation of the quiet positions best foretells how the games ended, as the logistic
//! function of the evaluation by a scale that depends on the stones left. A stone in the kazan stays at 100
//! centistones. The weights and the scale are found together by the method of Gauss and Newton. Every fifth game is
//! held out.

mod common;

use common::{Failure, Plan, SelfPlay};
use rayon::prelude::*;
use tuzdyq::eval::{Classic, Evaluate, Score};
use tuzdyq::game::{Half, Pit, Position, Rules, Togyzqumalaq};

/// The constants to be fitted, as in `classic.rs`, with how many weights each has; those with two are for a full and
/// for an empty board.
const CONSTANTS: [(&str, usize); 8] = [
    ("TEMPO", 1),
    ("ROW", 2),
    ("ADVANCE", 2),
    ("MOBILITY", 2),
    ("SINGLE", 2),
    ("TUZDYQ", 8),
    ("LATE_TUZDYQ", 1),
    ("DANGER", 8),
];
/// The scale's two constants follow the weights.
const SCALE: usize = 2;
const STEPS: usize = 12;
const SAMPLES_AT_A_TIME: usize = 4_096;

/// A quiet position.
struct Sample {
    /// The lead of the side to move, in centistones.
    lead: f64,
    /// What `Classic` takes the position for now, in centistones, before it is cut to the bounds.
    current: f64,
    /// What each weight is multiplied by.
    features: Vec<f64>,
    /// Share of the stones still in the pits.
    left: f64,
    /// 1 for a win of the side to move, 0.5 for a draw, 0 for a loss.
    result: f64,
}

impl Sample {
    fn new(position: &Position<Togyzqumalaq>, result: f64) -> Sample {
        let board = position.board();
        let (mover, opponent) = (board.mover(), board.opponent());
        let left = f64::from(board.stones_left()) / f64::from(Togyzqumalaq::TOTAL);
        let phased = |count: fn(&Half) -> u32| {
            let more = f64::from(count(mover)) - f64::from(count(opponent));
            [more * left, more * (1.0 - left)]
        };
        let mut features = vec![1.0];
        features.extend(phased(Half::row_stones));
        features.extend(phased(Half::advance));
        features.extend(phased(Half::occupied_count));
        features.extend(phased(Half::singles));
        let tuzdyqs = Pit::all(8).map(|pit| {
            let owned = |host: &Half| f64::from(host.captured_pit() == Some(pit));
            owned(opponent) - owned(mover)
        });
        let tuzdyqs: Vec<f64> = tuzdyqs.collect();
        features.extend(tuzdyqs.iter().map(|more| more * left));
        features.push(tuzdyqs.iter().sum::<f64>() * (1.0 - left));
        features.extend((0..8).map(|stones| {
            let poor = |half: &Half| f64::from(half.row_stones() == stones);
            poor(opponent) - poor(mover)
        }));
        let current = Classic.terms(board).iter().map(|term| term.mover - term.opponent).sum::<i32>();
        let lead = 100.0 * (f64::from(mover.kazan()) - f64::from(opponent.kazan()));
        Sample { lead, current: f64::from(current), features, left, result }
    }
}

/// The position after the best captures, with its value for the side to move in the first; `None` for a game that
/// is over then.
fn play_out(
    position: &Position<Togyzqumalaq>,
    alpha: Score,
    beta: Score,
) -> (Score, Option<Position<Togyzqumalaq>>) {
    let board = position.board();
    if let Some(outcome) = position.outcome() {
        let score = match outcome.winner() {
            Some(winner) if winner == position.turn() => Score::WIN,
            Some(_) => -Score::WIN,
            None => Score::DRAW,
        };
        return (score, None);
    }
    let (mut best, mut quiet) = (Classic.evaluate(board), Some(*position));
    for pit in board.mover().occupied().filter(|&pit| board.capture(pit).stones > 0) {
        if best >= beta {
            break;
        }
        let (score, end) = play_out(&position.play(pit).0, -beta, -alpha.max(best));
        if -score > best {
            (best, quiet) = (-score, end);
        }
    }
    (best, quiet)
}

/// The samples of a game: the quiet ends of all searched positions but those whose end was proven.
fn samples(game: &SelfPlay) -> Vec<Sample> {
    let open = game.searched.iter().filter(|(_, score)| !score.is_decided());
    let quiet = open.filter_map(|(position, _)| play_out(position, -Score::INFINITE, Score::INFINITE).1);
    quiet.map(|position| Sample::new(&position, game.result(position.turn()))).collect()
}

/// What is fitted: weights, whose sum is added to a fixed part of the evaluation, and a scale.
struct Model {
    /// The part of the evaluation without weights.
    fixed: fn(&Sample) -> f64,
    /// The weights, then the scale with no stones left and what is added to it with all.
    constants: Vec<f64>,
}

impl Model {
    fn weights(&self) -> &[f64] {
        &self.constants[..self.constants.len() - SCALE]
    }

    /// The logarithm of the odds of a win, and the scale.
    fn odds(&self, sample: &Sample) -> (f64, f64) {
        let weights = self.weights();
        let scale = self.constants[weights.len()] + self.constants[weights.len() + 1] * sample.left;
        let sum: f64 = weights.iter().zip(&sample.features).map(|(weight, feature)| weight * feature).sum();
        (((self.fixed)(sample) + sum) / scale, scale)
    }

    /// The mean loss: the logarithm of the likelihood, negated.
    fn loss(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| {
            let (odds, _) = self.odds(sample);
            sample.result * (-odds).exp().ln_1p() + (1.0 - sample.result) * odds.exp().ln_1p()
        };
        samples.par_iter().map(loss).sum::<f64>() / samples.len() as f64
    }

    /// The gradient of the summed loss and its approximate second derivatives.
    fn normal_equations(&self, samples: &[Sample]) -> Equations {
        let size = self.constants.len();
        let weights = size - SCALE;
        let mut equations = Equations::new(size);
        let mut slopes = vec![0.0; size];
        for sample in samples {
            let (odds, scale) = self.odds(sample);
            for (slope, feature) in
                slopes.iter_mut().zip(&sample.features[..weights.min(sample.features.len())])
            {
                *slope = feature / scale;
            }
            slopes[weights] = -odds / scale;
            slopes[weights + 1] = -odds * sample.left / scale;
            let chance = 1.0 / (1.0 + (-odds).exp());
            equations.add_slopes(&slopes, sample.result - chance, chance * (1.0 - chance));
        }
        equations
    }

    /// Takes the constants to the least loss, and gives their standard errors, as if all samples were independent.
    fn fit(&mut self, samples: &[Sample]) -> Vec<f64> {
        let size = self.constants.len();
        let equations = |model: &Model| {
            let parts = samples.par_chunks(SAMPLES_AT_A_TIME).map(|part| model.normal_equations(part));
            parts.reduce(|| Equations::new(size), Equations::plus)
        };
        for _ in 0..STEPS {
            let step = equations(self).solve();
            self.constants.iter_mut().zip(step).for_each(|(constant, step)| *constant += step);
        }
        let last = equations(self);
        let variance = |index| Equations { right: unit(size, index), ..last.clone() }.solve()[index];
        (0..size).map(|index| variance(index).sqrt()).collect()
    }
}

fn unit(size: usize, index: usize) -> Vec<f64> {
    (0..size).map(|place| f64::from(place == index)).collect()
}

/// Linear equations.
#[derive(Clone)]
struct Equations {
    left: Vec<Vec<f64>>,
    right: Vec<f64>,
}

impl Equations {
    /// Of so many unknowns, with a trace of a diagonal: a weight that no sample tells of stays.
    fn new(size: usize) -> Equations {
        let row = |index| unit(size, index).into_iter().map(|one| 1e-9 * one).collect();
        Equations { left: (0..size).map(row).collect(), right: vec![0.0; size] }
    }

    fn add_slopes(&mut self, slopes: &[f64], error: f64, weight: f64) {
        for (index, &slope) in slopes.iter().enumerate().filter(|&(_, &slope)| slope != 0.0) {
            self.right[index] += error * slope;
            for (entry, other) in self.left[index].iter_mut().zip(slopes) {
                *entry += weight * slope * other;
            }
        }
    }

    fn plus(mut self, other: Equations) -> Equations {
        let rows = self.left.iter_mut().flatten().chain(&mut self.right);
        rows.zip(other.left.iter().flatten().chain(&other.right)).for_each(|(sum, more)| *sum += more);
        self
    }

    /// Gauss-Jordan elimination; the left side is positive definite, so that no pivot need be looked for.
    fn solve(mut self) -> Vec<f64> {
        let size = self.right.len();
        for pivot in 0..size {
            let (row, right) = (self.left[pivot].clone(), self.right[pivot]);
            for other in (0..size).filter(|&other| other != pivot) {
                let factor = self.left[other][pivot] / row[pivot];
                self.left[other].iter_mut().zip(&row).for_each(|(entry, &value)| *entry -= factor * value);
                self.right[other] -= factor * right;
            }
        }
        (0..size).map(|index| self.right[index] / self.left[index][index]).collect()
    }
}

/// Numbers in the form of the constants of `classic.rs`.
fn print_constants(title: &str, values: &[f64]) {
    println!("{title}:");
    let mut rest = values.iter().map(|value| format!("{value:.0}"));
    for (name, count) in CONSTANTS {
        let numbers: Vec<String> = rest.by_ref().take(count).collect();
        let text = numbers.join(", ");
        match count {
            1 => println!("  {name} = {text}"),
            2 => println!("  {name} = ({text})"),
            _ => println!("  {name} = [{text}]"),
        }
    }
    println!("  scale ({})", rest.collect::<Vec<_>>().join(", "));
}

fn main() -> Result<(), Failure> {
    let plan = Plan::from_args(Plan { games: 4_000, nodes: 2_000, seed: 1 })?;
    let games: Vec<Vec<Sample>> = plan.play()?.par_iter().map(samples).collect();
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    for (index, game) in games.into_iter().enumerate() {
        if index % 5 == 0 { &mut held_out } else { &mut training }.extend(game);
    }
    println!("{} games, {} positions and {} held out", plan.games, training.len(), held_out.len());

    let weights = CONSTANTS.iter().map(|(_, count)| count).sum::<usize>();
    let scale = [400.0, 2_000.0];
    let mut before = Model { fixed: |sample| sample.current, constants: scale.to_vec() };
    before.fit(&training);
    let mut after =
        Model { fixed: |sample| sample.lead, constants: [vec![0.0; weights], scale.to_vec()].concat() };
    let errors = after.fit(&training);
    for (name, model) in [("before", &before), ("after", &after)] {
        println!("loss {name}: {:.5}, held out {:.5}", model.loss(&training), model.loss(&held_out));
    }
    print_constants("weights", &after.constants);
    print_constants("standard errors", &errors);
    Ok(())
}
