//! `tuzdyq datagen`.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use crate::engine::endgames;
use crate::engine::evaluation::Evaluation;
use crate::game::Variant;
use crate::options::MAX_THREADS;
use crate::tools::Share;
use crate::tools::datagen::{
    Census, DatagenError, Plan, Player, Reader, Split, Told, merge, play, rescore, shuffle,
};
use crate::{with_evaluation, with_rules};

use super::{EvaluationArgs, Failure, interruptible, matches, openings, progress};

const EXAMPLES: &str = "\
Examples:
  tuzdyq datagen --games 20000 --out games.tqd --threads 2
  tuzdyq datagen --games 1000000 --shard 3/16 --out games-3.tqd
  tuzdyq datagen info games.tqd
  tuzdyq datagen merge games-1.tqd games-2.tqd --out games.tqd
  tuzdyq datagen rescore games.tqd --nodes 20000 --out deeper.tqd
  tuzdyq datagen shuffle games.tqd --training training.tqd --validation validation.tqd

Interrupted work is kept in FILE.part; the same command goes on with it.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct DatagenArgs {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Read files and say what is in them
    Info {
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Join files of games, without the positions that occur more than once
    Merge {
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Deal the games to a set for training and one for validation, and mix the positions of each
    Shuffle(ShuffleArgs),
    /// Search every position again
    Rescore(RescoreArgs),
}

#[derive(Debug, Args)]
struct PlayArgs {
    /// Games to play, of all shards together
    #[arg(long, required = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// The file to write
    #[arg(long, required = true, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Play only the games of shard K of N, for one of several jobs
    #[arg(long, value_name = "K/N", default_value_t = Share::WHOLE)]
    shard: Share,
    /// Positions after which a search begins no other iteration
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Random moves at the beginning: a range, both ends included, or a number
    #[arg(long, value_name = "A..B", default_value = "4..12", value_parser = parse_plies)]
    plies: RangeInclusive<u32>,
    /// A file with openings to begin with, instead of the start position; the random moves come after them
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Of 1,000 moves, how many are random
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    noise: u32,
    /// Another seed gives other games, the same seed the same
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Games played at once; they do not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

#[derive(Debug, Args)]
struct ShuffleArgs {
    /// The files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file for training
    #[arg(long, value_name = "FILE")]
    training: PathBuf,
    /// The file for validation
    #[arg(long, value_name = "FILE")]
    validation: PathBuf,
    /// Of 1,000 games, how many are for validation
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    share: u32,
    /// Another seed gives other sets
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Args)]
struct RescoreArgs {
    /// The file of games
    file: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions after which a search begins no other iteration
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Games searched at once; the scores do not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
}

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    openings::parse_range(text, 0, 200)
        .ok_or_else(|| "not a range of half-moves such as 4..12, from 0 to 200".to_owned())
}

pub(super) fn run(args: &DatagenArgs) -> Result<(), Failure> {
    match &args.task {
        Some(Task::Info { files }) => info(files),
        Some(Task::Merge { files, out }) => {
            let control = interruptible()?;
            let work = Work::new("records")?;
            let result = merge(files, out, &control, &mut |told| work.show(told));
            if let Some((read, dropped)) = work.end(result)? {
                writeln!(io::stdout(), "{} records, {dropped} dropped as repeated", read - dropped)?;
            }
            Ok(())
        }
        Some(Task::Shuffle(args)) => run_shuffle(args),
        Some(Task::Rescore(args)) => run_rescore(args),
        None => run_play(&args.play),
    }
}

impl From<DatagenError> for Failure {
    fn from(error: DatagenError) -> Failure {
        match error {
            DatagenError::Interrupted => Failure::Interrupted,
            error => Failure::failed(error),
        }
    }
}

/// Shows how a work goes: a bar on a terminal.
struct Work {
    bar: ProgressBar,
    started: Instant,
    /// What the bar counts.
    unit: &'static str,
}

impl Work {
    fn new(unit: &'static str) -> Result<Work, Failure> {
        let bar = progress::bar(None, "{bar:24} {pos}/{len} {prefix}  {msg}  ETA {eta}")?;
        bar.set_prefix(unit);
        Ok(Work { bar, started: Instant::now(), unit })
    }

    fn show(&self, told: Told<'_>) {
        match told {
            Told::There => {
                let text = "there already, made in the same way";
                self.bar.suspend(|| drop(writeln!(io::stdout(), "{text}")));
            }
            Told::Begun { done, of } => {
                if let Some(of) = of {
                    self.bar.set_length(of);
                }
                self.bar.set_position(done);
                self.bar.reset_eta();
                if done > 0 {
                    let unit = self.unit;
                    self.bar.suspend(|| drop(writeln!(io::stdout(), "going on after {done} {unit}")));
                }
            }
            Told::Done { done, .. } => self.bar.set_position(done),
        }
    }

    fn end<T>(&self, result: Result<T, DatagenError>) -> Result<T, Failure> {
        self.bar.finish_and_clear();
        Ok(result?)
    }
}

fn run_play(args: &PlayArgs) -> Result<(), Failure> {
    // Both are required where there is no subcommand.
    let (Some(games), Some(out)) = (args.games, &args.out) else {
        return Err(Failure::Usage("datagen: give --games and --out, or a subcommand".to_owned()));
    };
    let openings = args.openings.as_deref().map(|path| matches::read_openings(path, args.variant));
    let plan = Plan {
        games,
        share: args.shard,
        nodes: args.nodes,
        random_plies: args.plies.clone(),
        openings: openings.transpose()?,
        noise: args.noise,
        seed: args.seed,
        threads: args.threads as usize,
    };
    let control = interruptible()?;
    let options = args.evaluation.options(args.variant)?;
    let evaluation = Evaluation::of_options(&options).map_err(Failure::usage)?;
    let (endgames, _) = endgames::of_options(&options);
    let work = Work::new("games")?;
    let mut census = Census::default();
    let mut tell = |told: Told<'_>| {
        if let Told::Done { records, .. } = told {
            records.iter().for_each(|record| census.add(record));
            let speed = census.records() as f64 / work.started.elapsed().as_secs_f64();
            work.bar.set_message(format!("{speed:.0} positions/s"));
        }
        work.show(told);
    };
    let result = with_evaluation!(&evaluation, it => {
        let player = Player { evaluation: it, name: evaluation.identity(), endgames: &endgames, control: &control };
        with_rules!(args.variant, R => play::<R, _>(&plan, &player, out, &mut tell))
    });
    let seconds = work.started.elapsed().as_secs_f64();
    if census.records() > 0 {
        let speed = census.records() as f64 / seconds.max(1e-9);
        let text = format!("{census}made in {seconds:.1} s, {speed:.0} positions a second");
        work.bar.suspend(|| drop(writeln!(io::stdout(), "{text}")));
    }
    work.end(result)
}

fn run_shuffle(args: &ShuffleArgs) -> Result<(), Failure> {
    let control = interruptible()?;
    let split = Split { validation: args.share, seed: args.seed };
    let work = Work::new("records")?;
    let mut tell = |told: Told<'_>| work.show(told);
    let result = shuffle(&args.files, &split, &args.training, &args.validation, &control, &mut tell);
    if let Some(([training, validation], dropped)) = work.end(result)? {
        writeln!(
            io::stdout(),
            "{training} records for training, {validation} for validation, {dropped} dropped as repeated"
        )?;
    }
    Ok(())
}

fn run_rescore(args: &RescoreArgs) -> Result<(), Failure> {
    let control = interruptible()?;
    let variant = Reader::open(&args.file).map_err(Failure::usage)?.header().variant;
    let options = args.evaluation.options(variant)?;
    let evaluation = Evaluation::of_options(&options).map_err(Failure::usage)?;
    let (endgames, _) = endgames::of_options(&options);
    let work = Work::new("chunks")?;
    let mut tell = |told: Told<'_>| work.show(told);
    let threads = args.threads as usize;
    let result = with_evaluation!(&evaluation, it => {
        let player = Player { evaluation: it, name: evaluation.identity(), endgames: &endgames, control: &control };
        with_rules!(variant, R => {
            rescore::<R, _>(&args.file, args.nodes, &player, threads, &args.out, &mut tell)
        })
    });
    work.end(result)
}

fn info(files: &[PathBuf]) -> Result<(), Failure> {
    let mut census = Census::default();
    for path in files {
        let mut reader = Reader::open(path).map_err(Failure::usage)?;
        let header = reader.header();
        writeln!(io::stdout(), "{}: {}, {}", path.display(), header.variant, header.origin)?;
        while let Some(chunk) = reader.next_chunk().map_err(Failure::failed)? {
            chunk.records.iter().for_each(|record| census.add(record));
        }
    }
    Ok(write!(io::stdout(), "{census}")?)
}
