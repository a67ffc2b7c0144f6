//! `tuzdyq endgame`: builds, checks and asks the tables of exact endgames.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use crate::endgame::format::{Header, Layer};
use crate::endgame::index::MAX_STONES;
use crate::endgame::solve::Bounds;
use crate::endgame::{Endgames, Verdict};
use crate::engine::{endgames, folder};
use crate::game::{Pit, Position, Rules, Variant};
use crate::options::{MAX_THREADS, Options};
use crate::tools::Share;
use crate::tools::endgame::{BuildError, Event, Plan, Told, VerifyError, build, verify};
use crate::with_rules;

use super::{Failure, progress};

const EXAMPLES: &str = "\
Examples:
  tuzdyq endgame build --stones 10 --out tables --threads 2
  tuzdyq endgame verify tables
  tuzdyq endgame probe '6,1S,1,2S/7,1S,1 78 80 S 60'
  tuzdyq endgame info tables";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct EndgameArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Solve all positions with few stones in the pits, layer by layer
    Build(BuildArgs),
    /// Check every byte of the files, and a sample of the positions
    Verify(VerifyArgs),
    /// Tell the exact value of a position and of its moves
    Probe(ProbeArgs),
    /// List the files of a folder, or the layers built in
    Info(InfoArgs),
}

#[derive(Debug, Args)]
struct BuildArgs {
    /// The most stones in the pits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MAX_STONES as i64))]
    stones: u32,
    /// The folder for the files; what is there already is not built again
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Configurations to solve at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// The most memory to use, in GB
    #[arg(long, value_name = "GB", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    memory: u64,
    /// Solve only share K of M of the last layer, for one of several jobs; the same command without it joins them
    #[arg(long, value_name = "K/M")]
    share: Option<Share>,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

#[derive(Debug, Args)]
struct VerifyArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Positions of each layer to derive again
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    sample: u32,
    /// Chooses the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

#[derive(Debug, Args)]
struct ProbeArgs {
    /// The position
    fen: String,
    /// A folder with more layers than are built in
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

#[derive(Debug, Args)]
struct InfoArgs {
    /// The folder; the layers built in if not given
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

pub(super) fn run(args: &EndgameArgs) -> Result<(), Failure> {
    match &args.task {
        Task::Build(args) => run_build(args),
        Task::Verify(args) => run_verify(args),
        Task::Probe(args) => run_probe(args),
        Task::Info(args) => run_info(args),
    }
}

/// A flag that Ctrl-C sets.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    ctrlc::set_handler(move || set.store(true, Ordering::Relaxed)).map_err(Failure::failed)?;
    Ok(stop)
}

fn run_build(args: &BuildArgs) -> Result<(), Failure> {
    let stop = stop_on_interrupt()?;
    let plan = Plan {
        stones: args.stones,
        folder: args.out.clone(),
        threads: args.threads as usize,
        memory: args.memory << 30,
        share: args.share,
    };
    let progress = BuildProgress::new()?;
    let observe = |event: Event<'_>| progress.show(event);
    let result = with_rules!(args.variant, R => build::<R>(&plan, &stop, &observe));
    progress.bar.finish_and_clear();
    match result {
        Err(BuildError::Interrupted) => Err(Failure::Interrupted),
        result => result.map_err(Failure::failed),
    }
}

/// Shows how a build goes: a line for each layer, and on a terminal a bar for the one at hand.
struct BuildProgress {
    bar: ProgressBar,
    started: Instant,
}

impl BuildProgress {
    fn new() -> Result<BuildProgress, Failure> {
        let bar = progress::bar(None, "layer {prefix} {bar:24} {percent:>3} %  {msg}  ETA {eta}")?;
        Ok(BuildProgress { bar, started: Instant::now() })
    }

    fn show(&self, event: Event<'_>) {
        match event {
            Event::Damaged(problem) => {
                let text = format!("tuzdyq: {problem}; it is built again");
                self.bar.suspend(|| drop(writeln!(io::stderr(), "{text}")));
            }
            Event::Found(header) => self.line(&format!("{}, there already", layer_line(&header))),
            Event::Begun { stones, positions } => {
                self.bar.set_prefix(stones.to_string());
                self.bar.set_length(positions);
                self.bar.set_position(0);
                self.bar.reset_eta();
                self.bar.enable_steady_tick(Duration::from_secs(1));
            }
            Event::Swept { unit, sweep } => {
                self.bar
                    .set_message(format!("unit {unit}, sweep {}, {} unresolved", sweep.sweeps, sweep.open));
            }
            Event::Solved { positions, found } => {
                self.bar.inc(positions);
                if found {
                    // What was there tells nothing of the speed.
                    self.bar.reset_eta();
                }
            }
            Event::Written { header, bytes } => {
                let seconds = self.started.elapsed().as_secs_f64();
                self.line(&format!("{}, {bytes} bytes, after {seconds:.1} s", layer_line(&header)));
            }
        }
    }

    /// A line of the result, above the bar where there is one. A reader that has gone stops no build.
    fn line(&self, text: &str) {
        self.bar.suspend(|| drop(writeln!(io::stdout(), "{text}")));
    }
}

fn layer_line(header: &Header) -> String {
    let Header { variant, stones, positions, open, .. } = header;
    format!("{variant}, {stones} stones: {positions} positions, {open} unresolved")
}

fn run_verify(args: &VerifyArgs) -> Result<(), Failure> {
    let stop = stop_on_interrupt()?;
    // A reader that has gone stops no check.
    let mut tell = |told: Told<'_>| match told {
        Told::Right { stones, positions } => {
            drop(writeln!(io::stdout(), "{}, {stones} stones: {positions} positions read", args.variant));
        }
        Told::Wrong(wrong) => drop(writeln!(io::stderr(), "tuzdyq: {wrong}")),
    };
    let report =
        with_rules!(args.variant, R => verify::<R>(&args.folder, args.sample, args.seed, &stop, &mut tell));
    let report = match report {
        Err(VerifyError::Interrupted) => return Err(Failure::Interrupted),
        report => report.map_err(Failure::failed)?,
    };
    writeln!(
        io::stdout(),
        "{} layers, {} positions: all checksums right; {} positions follow from their moves, {} proven by a search",
        report.layers,
        report.positions,
        report.consistent,
        report.proven
    )?;
    not_all_right(&args.folder, report.wrong as usize, "wrong")
}

/// That some files of a folder are not right, after each has been named.
fn not_all_right(folder: &Path, files: usize, what: &str) -> Result<(), Failure> {
    match files {
        0 => Ok(()),
        1 => Err(Failure::Failed(format!("{}: 1 file is {what}", folder.display()))),
        _ => Err(Failure::Failed(format!("{}: {files} files are {what}", folder.display()))),
    }
}

fn run_probe(args: &ProbeArgs) -> Result<(), Failure> {
    let endgame_path = args.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let options = Options { variant: args.variant, endgame_path, ..Options::default() };
    let (endgames, problems) = endgames::of_options(&options);
    for problem in &problems {
        writeln!(io::stderr(), "tuzdyq: not used: {problem}")?;
    }
    let text = with_rules!(args.variant, R => {
        let position: Position<R> = args.fen.parse().map_err(Failure::usage)?;
        describe(&position, &endgames)?
    });
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// The value of a position, those of its moves, and what they come to with the stones in the kazans.
fn describe<R: Rules>(position: &Position<R>, endgames: &Endgames) -> Result<String, Failure> {
    let board = position.board();
    let stones = board.stones_left();
    let unknown = || {
        let damage = endgames.damage().next();
        Failure::Failed(damage.unwrap_or_else(|| {
            format!("no endgame table for {stones} stones in the pits; {}", endgames::describe(endgames))
        }))
    };
    let bounds = endgames.probe(board).ok_or_else(unknown)?;
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(text, "value {} of {stones}", value(bounds));
    for pit in position.moves() {
        let after = value_of_move(position, pit, endgames).ok_or_else(unknown)?;
        let _ = writeln!(text, "move {pit} value {}", value(after));
    }
    let kazans = [board.mover().kazan(), board.opponent().kazan()];
    let score = |own: u8| format!("{}-{}", kazans[0] + u32::from(own), kazans[1] + stones - u32::from(own));
    let _ = match Verdict::of(board, bounds) {
        Verdict::Unresolved => {
            writeln!(text, "unresolved {} to {}", score(bounds.lower), score(bounds.upper))
        }
        verdict => {
            let name = match verdict {
                Verdict::Win => "win",
                Verdict::Loss => "loss",
                _ => "draw",
            };
            let scores = if bounds.is_exact() {
                score(bounds.lower)
            } else {
                format!("{} to {}", score(bounds.lower), score(bounds.upper))
            };
            writeln!(text, "{name} {scores}")
        }
    };
    Ok(text)
}

fn value(bounds: Bounds) -> String {
    let Bounds { lower, upper } = bounds;
    if bounds.is_exact() { lower.to_string() } else { format!("{lower} to {upper}") }
}

/// What the side to move ends up with of the stones in the pits when it makes a move.
fn value_of_move<R: Rules>(position: &Position<R>, pit: Pit, endgames: &Endgames) -> Option<Bounds> {
    let (child, effect) = position.board().play(pit);
    // A move that decides the game is worth what the stones left in the pits would still give.
    let bounds = endgames.probe(&child)?;
    Some(bounds.before_move((effect.captured + effect.fed) as u8, child.stones_left() as u8))
}

fn run_info(args: &InfoArgs) -> Result<(), Failure> {
    let Some(path) = &args.folder else { return list(&endgames::built_in(args.variant)) };
    let looked = folder::look(path, args.variant);
    let (found, problems) =
        looked.map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    for problem in &problems {
        writeln!(io::stdout(), "not used: {problem}")?;
    }
    let layers: Vec<Layer> = found.into_iter().map(|found| found.layer).collect();
    list(&layers)?;
    not_all_right(path, problems.len(), "not used")
}

fn list(layers: &[Layer]) -> Result<(), Failure> {
    let (mut positions, mut bytes) = (0, 0);
    for layer in layers {
        let (header, size) = (layer.header(), layer.size());
        positions += header.positions;
        bytes += size;
        let ratio = header.positions as f64 / size as f64;
        writeln!(io::stdout(), "{}, {size} bytes, {ratio:.1} positions a byte", layer_line(header))?;
    }
    Ok(writeln!(io::stdout(), "{} layers, {positions} positions, {bytes} bytes", layers.len())?)
}
