//! `tuzdyq book build`.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use crate::book::Contents;
use crate::cli::input::{Input, Warnings};
use crate::cli::{EvaluationArgs, Failure, interruptible, progress};
use crate::engine::endgames;
use crate::engine::evaluation::Evaluation;
use crate::game::Variant;
use crate::options::MAX_THREADS;
use crate::records;
use crate::search::Control;
use crate::tools::book::{AnalysisError, Games, Means, Plan, Searches, Told, analyse};
use crate::tools::files;
use crate::with_rules;

const EXAMPLES: &str = "\
Of the games, the recorded results count; a game without one counts as played. The analysis searches all moves of a
position, each with the same number of nodes, and follows those within the margin of the best. What it has searched is
kept in FILE.part until the book is there: after an interruption the same command goes on with it, and so does one with
more half-moves or another margin. The book depends neither on the order of the files nor on the number of threads.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BuildArgs {
    /// Files with games, in any format that convert reads, or - for stdin
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Leave out moves that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// Half-moves of each game that count
    #[arg(long, value_name = "PLIES", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    depth: u32,
    /// Analyse the positions up to so many half-moves from the start
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    analyse: Option<u32>,
    /// Nodes of each search of the analysis
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    nodes: u64,
    /// How far behind the best a move may be that the analysis follows, in centistones
    #[arg(long, value_name = "CENTISTONES", default_value_t = 50, value_parser = clap::value_parser!(u32).range(0..=16_200))]
    margin: u32,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Searches at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

pub(super) fn run(args: &BuildArgs) -> Result<(), Failure> {
    if args.files.is_empty() && args.analyse.is_none() {
        return Err(Failure::Usage("book build: give files with games, or --analyse, or both".to_owned()));
    }
    let wrong = |error: &dyn Display| Failure::Usage(format!("{}: {error}", args.out.display()));
    files::check_place(&args.out).map_err(|error| wrong(&error))?;
    if args.files.iter().any(|games| files::is_same_file(games, &args.out)) {
        return Err(wrong(&"the book cannot be written over the games"));
    }
    let control = interruptible()?;
    let mut contents = Contents::new(args.variant, format!("tuzdyq {}", env!("CARGO_PKG_VERSION")));
    let mut said = String::new();
    if !args.files.is_empty() {
        let games = count_games(args, &control)?;
        games.fill(&mut contents, args.min_games);
        let (counted, left_out) = (games.counted(), games.left_out());
        contents.origin += &format!(
            "; {counted} games to {} half-moves, at least {} for a move",
            args.depth, args.min_games
        );
        said = format!(", {counted} games, {left_out} left out");
    }
    let searches =
        args.analyse.map(|plies| add_analysis(args, plies, &control, &mut contents)).transpose()?;
    let name = args.out.display();
    if contents.positions.is_empty() {
        return Err(Failure::Failed(format!("{name}: not written: no move for the book{said}")));
    }
    let bytes = contents.to_bytes();
    files::write_atomically(&args.out, &bytes)
        .map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
    searches.map_or(Ok(()), Searches::remove).map_err(Failure::failed)?;
    let (positions, moves) = (contents.positions.len(), contents.moves());
    Ok(writeln!(io::stdout(), "{name}: {positions} positions, {moves} moves, {} bytes{said}", bytes.len())?)
}

/// Reads all games.
fn count_games(args: &BuildArgs, control: &Control) -> Result<Games, Failure> {
    let mut games = Games::new(args.variant, args.depth);
    let bar = progress::bar(Some(args.files.len() as u64), "{bar:24} file {pos} of {len}, {msg}")?;
    bar.enable_steady_tick(Duration::from_secs(1));
    for path in &args.files {
        count_file(path, &mut games, control, &bar)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(games)
}

fn count_file(path: &Path, games: &mut Games, control: &Control, bar: &ProgressBar) -> Result<(), Failure> {
    let input = Input::read(path)?;
    let name = &input.name;
    let failed = |error: &dyn Display| Failure::Failed(format!("{name}: {error}"));
    let text = input.text().map_err(|error| failed(&error))?;
    let mut warnings = Warnings::new(name);
    let mut is_empty = true;
    for reading in records::read(&text) {
        if control.is_stopped() {
            return Err(Failure::Interrupted);
        }
        let reading = reading.map_err(|error| failed(&error))?;
        is_empty = false;
        if !reading.contradictions.is_empty() {
            bar.suspend(|| reading.contradictions.iter().for_each(|it| warnings.add(it)));
        }
        games.add(&reading.record);
        bar.set_message(format!("{} games", games.counted()));
    }
    warnings.end();
    if is_empty { Err(failed(&"no game in it")) } else { Ok(()) }
}

/// Analyses the first moves; the searches stay in their file until the book is written.
fn add_analysis(
    args: &BuildArgs,
    plies: u32,
    control: &Control,
    contents: &mut Contents,
) -> Result<Searches, Failure> {
    let options = args.evaluation.options(args.variant)?;
    let evaluation = Evaluation::of_options(&options).map_err(Failure::usage)?;
    let (endgames, _) = endgames::of_options(&options);
    let plan = Plan { plies, nodes: args.nodes, margin: args.margin, threads: args.threads as usize };
    let part = files::with_ending(&args.out, ".part");
    let mut searches =
        Searches::open(&part, args.variant, plan.nodes, &evaluation.identity()).map_err(Failure::failed)?;
    let means = Means { evaluation: &evaluation, endgames: &endgames, control };
    let bar = progress::bar(None, "half-move {prefix} of {msg} {bar:24} {pos}/{len} positions  ETA {eta}")?;
    bar.set_message(plies.to_string());
    bar.enable_steady_tick(Duration::from_secs(1));
    let mut tell = |told| show(&bar, told);
    let result = with_rules!(args.variant, R => {
        analyse::<R>(&plan, &means, &mut searches, &mut tell).map(|tree| tree.fill(&searches, contents))
    });
    bar.finish_and_clear();
    match result {
        Err(AnalysisError::Interrupted) => return Err(Failure::Interrupted),
        result => result.map_err(Failure::failed)?,
    }
    contents.origin += &format!(
        "; analysis of {plies} half-moves, moves within {} centistones followed, {} nodes each, {evaluation}",
        plan.margin, plan.nodes
    );
    Ok(searches)
}

fn show(bar: &ProgressBar, told: Told) {
    match told {
        Told::Level { ply, searches, known } => {
            bar.set_prefix((ply + 1).to_string());
            bar.set_length(searches);
            bar.set_position(known);
            // What was there tells nothing of the speed.
            bar.reset_eta();
        }
        Told::Searched(count) => bar.inc(count),
    }
}
