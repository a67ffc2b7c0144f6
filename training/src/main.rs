//! Trains the neural evaluation of tuzdyq on files of training data, on the processor alone.
//!
//! ```text
//! cargo run --release -p tuzdyq-training -- training.tqd --validation validation.tqd --out network.tqn
//! ```

mod curve;
mod data;
mod model;
mod state;

use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use tuzdyq::eval::Network;
use tuzdyq::eval::network::Layers;
use tuzdyq::tools::files::{self, with_ending};

use data::{Data, Filter, Source, Target};
use model::{Adam, Loss, Numbers, Shape, Work};
use state::State;

/// A batch is learnt in so many parts, at most as many at once as there are threads. The parts are added up in their
/// order, so that the network does not depend on the threads.
const PARTS: usize = 4;

/// Trains a network.
#[derive(Clone, Debug, Parser)]
#[command(name = "tuzdyq-training")]
struct Args {
    /// Files of training data; their positions count W-fold with FILE=W
    #[arg(required = true, value_name = "FILE[=W]")]
    data: Vec<Source>,
    /// A file of other positions, on which the network is tested after each epoch
    #[arg(long, value_name = "FILE")]
    validation: PathBuf,
    /// The network to write; beside it a log and a picture of the loss, with .csv and .svg after the name
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A network to go on from, of the same shape, instead of random numbers
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// What the network is called, in the file
    #[arg(long, default_value = "unnamed")]
    name: String,
    /// Neurons of the first layer for each side: 64, 128, 192 or 256
    #[arg(long, default_value_t = 64)]
    width: usize,
    /// Output buckets, by the stones left
    #[arg(long, default_value_t = 16)]
    buckets: usize,
    /// Times that every position is learnt
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Positions of a step
    #[arg(long, default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    batch: u32,
    /// The size of the first steps...
    #[arg(long, default_value_t = 0.002, value_parser = within(1e-9..=1.0))]
    rate: f32,
    /// ...and of the last; a half cosine lies between
    #[arg(long, default_value_t = 0.00002, value_parser = within(1e-9..=1.0))]
    last_rate: f32,
    /// How much each number shrinks with a step, times its size
    #[arg(long, default_value_t = 0.3, value_parser = within(0.0..=100.0))]
    decay: f32,
    /// The share of the game's result in what is learnt, 0 to 1; the rest is the score's
    #[arg(long, default_value_t = 0.1, value_parser = within(0.0..=1.0))]
    mix: f32,
    /// How gently a lead becomes a chance of winning: multiplies the centistones of the engine's own scale
    #[arg(long, default_value_t = 1.7, value_parser = within(0.01..=100.0))]
    temperature: f32,
    /// Centistones of an output of 1
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u16).range(1..))]
    scale: u16,
    /// Leave out positions whose best move captures
    #[arg(long)]
    no_captures: bool,
    /// Leave out positions with a proven score
    #[arg(long)]
    no_decided: bool,
    /// Another seed gives another network
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the network does not depend on them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
}

/// Reads a number of a range.
fn within(range: RangeInclusive<f32>) -> impl Fn(&str) -> Result<f32, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("not a number from {} to {}", range.start(), range.end()))
    }
}

impl Args {
    fn shape(&self) -> Shape {
        Shape { width: self.width, buckets: self.buckets, scale: self.scale.into() }
    }

    fn target(&self) -> Target {
        Target { mix: self.mix, temperature: self.temperature }
    }
}

type Failure = Box<dyn Error + Send + Sync>;

/// What an epoch came to.
#[derive(Clone, Copy)]
pub struct Epoch {
    /// The mean loss of the training data while it was learnt.
    training: f64,
    /// The mean loss of the validation data after it.
    validation: f64,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tuzdyq-training: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(args.threads as usize).build_global()?;
    if args.name.contains(|letter: char| letter == ';' || letter.is_control()) || args.name.len() > 100 {
        return Err("--name is too long or holds a semicolon or a line break".into());
    }
    let filter = Filter { captures: args.no_captures, decided: args.no_decided };
    let training = Data::read(&args.data, filter)?;
    let validation = Source { path: args.validation.clone(), weight: 1.0 };
    let validation = Data::read(&[validation], filter)?;
    if training.len() == 0 || validation.len() == 0 {
        return Err("no positions to train with, or none for validation".into());
    }
    println!("{} positions for training, {} for validation", training.len(), validation.len());

    let (numbers, start) = start(args)?;
    let origin = origin(args, training.len()) + &start;
    // A shape that the engine would refuse is refused before the work.
    Network::parse(&numbers.export(&origin).to_bytes())?;
    let adam = Adam::new(numbers.list().len(), args.decay);
    let mut state = State { numbers, adam, epochs: Vec::new() };
    let state_path = with_ending(&args.out, ".state");
    let task = format!("{origin}\n{}", data_files(&args.data));
    if state.read(&state_path, &task)? {
        println!("going on after {} epochs", state.epochs.len());
    }
    let mut trainer = Trainer::new(args, &training);
    let started = Instant::now();
    for number in state.epochs.len() as u32..args.epochs {
        let loss = trainer.epoch(&mut state, number);
        let epoch = Epoch {
            training: loss.mean(),
            validation: validation_loss(&state.numbers, &validation, args.target()).mean(),
        };
        state.epochs.push(epoch);
        println!(
            "epoch {:>3}: loss {:.6}, validation {:.6}, {:.0} s",
            number + 1,
            epoch.training,
            epoch.validation,
            started.elapsed().as_secs_f64()
        );
        state.write(&state_path, &task)?;
        write_log(&args.out, &origin, &state.epochs)?;
    }
    let bytes = state.numbers.export(&origin).to_bytes();
    let difference = compare(&state.numbers, &Network::parse(&bytes)?, &validation);
    println!(
        "whole numbers against floating point: {:.1} centistones off on average, {:.0} at most",
        difference.mean, difference.most
    );
    // Written so that a network of numbers that are none is refused, too.
    if !matches!(difference.mean, 0.0..=30.0) {
        return Err("the whole numbers do not stand for the network that was trained".into());
    }
    files::write_atomically(&args.out, &bytes)?;
    println!("written to {}, {} bytes", args.out.display(), bytes.len());
    if state_path.exists() {
        fs::remove_file(state_path)?;
    }
    Ok(())
}

/// The numbers that the training begins with, and where they come from, as the origin of the network says it.
fn start(args: &Args) -> Result<(Numbers, String), Failure> {
    let Some(path) = &args.start else {
        return Ok((Numbers::random(args.shape(), args.seed), String::new()));
    };
    let wrong = |error: &dyn Display| -> Failure { format!("{}: {error}", path.display()).into() };
    let bytes = fs::read(path).map_err(|error| wrong(&error))?;
    let layers = Layers::parse(&bytes).map_err(|error| wrong(&error))?;
    let numbers = Numbers::import(&layers);
    if numbers.shape() != args.shape() {
        let (found, wanted) = (numbers.shape(), args.shape());
        return Err(wrong(&format!("another shape: {found} instead of {wanted}")));
    }
    Ok((numbers, format!(" start={}:{:08x}", layers.name(), layers.checksum())))
}

/// The files that a network learns from, a line for each, with the weights of their positions.
fn data_files(sources: &[Source]) -> String {
    sources.iter().map(|source| format!("{}={}\n", source.path.display(), source.weight)).collect()
}

/// How a network was made, in one line.
fn origin(args: &Args, positions: usize) -> String {
    let Args {
        name,
        width,
        buckets,
        epochs,
        batch,
        rate,
        last_rate,
        decay,
        mix,
        temperature,
        scale,
        seed,
        ..
    } = args;
    format!(
        "{name}; positions={positions} width={width} buckets={buckets} epochs={epochs} batch={batch} rate={rate}..{last_rate} \
         decay={decay} mix={mix} temperature={temperature} scale={scale} captures={} decided={} seed={seed}",
        !args.no_captures, !args.no_decided
    )
}

/// Goes through the training data, batch by batch.
struct Trainer<'a> {
    args: &'a Args,
    data: &'a Data,
    order: Vec<u32>,
    gradients: Vec<Numbers>,
}

impl<'a> Trainer<'a> {
    fn new(args: &'a Args, data: &'a Data) -> Trainer<'a> {
        let zeros = Numbers::zeros(args.shape());
        Trainer { args, data, order: (0..data.len() as u32).collect(), gradients: vec![zeros; PARTS] }
    }

    /// The step's size after this share of the work.
    fn rate(&self, done: f32) -> f32 {
        let Args { rate, last_rate, .. } = self.args;
        last_rate + (rate - last_rate) * 0.5 * (1.0 + (std::f32::consts::PI * done).cos())
    }

    fn epoch(&mut self, state: &mut State, number: u32) -> Loss {
        // From the same order each time, so that an epoch does not depend on those before it.
        self.order.sort_unstable();
        self.order.shuffle(&mut StdRng::seed_from_u64(self.args.seed << 20 | u64::from(number)));
        let order = std::mem::take(&mut self.order);
        let bar = ProgressBar::new(order.len() as u64);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:24} {pos}/{len} positions  {per_sec}  ETA {eta}")
        {
            bar.set_style(style);
        }
        let mut loss = Loss::default();
        for batch in order.chunks(self.args.batch as usize) {
            loss = loss.plus(self.learn(&state.numbers, batch));
            let before = number as f32 + bar.position() as f32 / order.len() as f32;
            let rate = self.rate(before / self.args.epochs as f32);
            let sum = &self.gradients[0];
            state.adam.step(state.numbers.list_mut(), sum.list(), rate);
            state.numbers.clip();
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        self.order = order;
        loss
    }

    /// Puts the mean gradients of a batch into the first of the lists.
    fn learn(&mut self, numbers: &Numbers, batch: &[u32]) -> Loss {
        let (data, target) = (self.data, self.args.target());
        let parts = batch.chunks(batch.len().div_ceil(PARTS));
        let work: Vec<_> = self.gradients.iter_mut().zip(parts).collect();
        let losses: Vec<Loss> = work
            .into_par_iter()
            .map(|(gradients, part)| {
                gradients.list_mut().fill(0.0);
                numbers.learn(part.iter().map(|&index| data.sample(index as usize, target)), gradients)
            })
            .collect();
        let loss = losses.iter().fold(Loss::default(), |sum, &loss| sum.plus(loss));
        let share = 1.0 / loss.weight.max(1.0) as f32;
        let (sum, others) = self.gradients.split_at_mut(1);
        let others = &others[..losses.len() - 1];
        for (index, number) in sum[0].list_mut().iter_mut().enumerate() {
            let rest: f32 = others.iter().map(|other| other.list()[index]).sum();
            *number = (*number + rest) * share;
        }
        loss
    }
}

/// The loss on positions that are not learnt.
fn validation_loss(numbers: &Numbers, data: &Data, target: Target) -> Loss {
    const PIECE: usize = 4_096;
    let pieces: Vec<usize> = (0..data.len()).step_by(PIECE).collect();
    let losses: Vec<Loss> = pieces
        .into_par_iter()
        .map(|start| {
            let mut work = Work::new(numbers.shape());
            let piece = start..data.len().min(start + PIECE);
            piece.fold(Loss::default(), |loss, index| {
                let sample = data.sample(index, target);
                let error =
                    data::sigmoid(numbers.value(&sample.view, &mut work) / sample.scale) - sample.target;
                loss.plus(Loss { sum: f64::from(error * error), weight: 1.0 })
            })
        })
        .collect();
    losses.into_iter().fold(Loss::default(), Loss::plus)
}

/// How far the whole numbers are from the floating point ones, in centistones.
struct Difference {
    mean: f64,
    most: f64,
}

fn compare(numbers: &Numbers, network: &Network, data: &Data) -> Difference {
    let mut work = Work::new(numbers.shape());
    let count = data.len().min(100_000);
    let differences = (0..count).map(|index| {
        let view = data.view(index);
        f64::from((numbers.value(&view, &mut work) - network.value(&view) as f32).abs())
    });
    let (sum, most) = differences.fold((0.0, 0.0), |(sum, most): (f64, f64), off| (sum + off, most.max(off)));
    Difference { mean: sum / count as f64, most }
}

/// The losses as numbers and as a picture.
fn write_log(out: &Path, origin: &str, epochs: &[Epoch]) -> Result<(), Failure> {
    let mut text = format!("# {origin}\nepoch,training,validation\n");
    for (number, epoch) in epochs.iter().enumerate() {
        text.push_str(&format!("{},{:.7},{:.7}\n", number + 1, epoch.training, epoch.validation));
    }
    files::write_atomically(&with_ending(out, ".csv"), text.as_bytes())?;
    files::write_atomically(&with_ending(out, ".svg"), curve::draw(epochs)?.as_bytes())?;
    Ok(())
}
