//! `tuzdyq openings`.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use clap::Args;

use crate::engine::evaluation::Evaluation;
use crate::game::{Game, Rules, Variant};
use crate::options::{MAX_THREADS, Options};
use crate::search::MAX_DEPTH;
use crate::tools::bench;
use crate::tools::openings::{self, OpeningsError, Settings};
use crate::with_rules;

use super::output::OutputArgs;
use super::{Failure, interruptible, progress};

const MAX_PLIES: u32 = 100;
/// All the stones of the largest game.
const MAX_STONES: u32 = 162;
/// All the stones of the largest game, in centistones.
const MAX_LIMIT: i64 = 16_200;

#[derive(Debug, Args)]
pub(super) struct OpeningsArgs {
    /// Openings to find
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Their length in half-moves: a range, both ends included, or a number
    #[arg(long, value_name = "A..B", default_value = "4..10", value_parser = parse_plies)]
    plies: RangeInclusive<u32>,
    /// Endings instead: positions of games with so many stones left in the pits, written as FEN
    #[arg(long, value_name = "A..B", value_parser = parse_stones)]
    stones: Option<RangeInclusive<u32>>,
    /// Another seed gives other openings, the same seed the same
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Depth of the search that finds out whether an opening is balanced, in plies
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH as i64))]
    depth: u32,
    /// How far either side may be ahead, in centistones
    #[arg(long, value_name = "CENTISTONES", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=MAX_LIMIT))]
    limit_score: u32,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
    /// Threads; the openings do not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    #[command(flatten)]
    output: OutputArgs,
}

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let wrong = || format!("not a range of half-moves such as 4..10, from 1 to {MAX_PLIES}");
    parse_range(text, 1, MAX_PLIES).ok_or_else(wrong)
}

fn parse_stones(text: &str) -> Result<RangeInclusive<u32>, String> {
    let wrong = || format!("not a range of stones such as 12..30, from 1 to {MAX_STONES}");
    parse_range(text, 1, MAX_STONES).ok_or_else(wrong)
}

/// A range `A..B`, both ends included, or a number, within these limits.
pub(super) fn parse_range(text: &str, least: u32, most: u32) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (least <= first && first <= last && last <= most).then_some(first..=last)
}

pub(super) fn run(args: &OpeningsArgs) -> Result<(), Failure> {
    args.output.check()?;
    let control = interruptible()?;

    let options = Options { variant: args.variant, ..Options::default() };
    let evaluation = Evaluation::of_options(&options).map_err(Failure::usage)?;
    let settings = Settings {
        count: args.count as usize,
        plies: args.plies.clone(),
        stones: args.stones.clone(),
        seed: args.seed,
        depth: args.depth,
        limit: args.limit_score,
        threads: args.threads as usize,
    };
    let bar = progress::bar(Some(args.count.into()), "{bar:24} {pos}/{len} openings, {msg}  ETA {eta}")?;
    let mut tell = |found, drawn| {
        bar.set_position(found as u64);
        bar.set_message(format!("{drawn} drawn"));
    };
    let found = with_rules!(args.variant, R => {
        openings::find::<R>(&settings, &evaluation, &control, &mut tell).map(|games| games.iter().map(line).collect())
    });
    bar.finish();
    let found: Vec<String> = found.map_err(Failure::failed)?;
    // The values, and so the openings, are those of one search: its signature tells which.
    let signature = bench::run(bench::DEPTH, &evaluation, &control, &mut |_| {});
    let signature = signature.ok_or_else(|| Failure::failed(OpeningsError::Stopped))?;
    let text = file_text(args, &signature, &found);
    args.output.write(&text)
}

/// Comments that say how the file was made, and a line for each opening. Without a date: the same again is the same.
fn file_text(args: &OpeningsArgs, signature: &str, openings: &[String]) -> String {
    let OpeningsArgs { count, plies, stones, seed, depth, limit_score: limit, variant, .. } = args;
    let (first, last) = (plies.start(), plies.end());
    // The speed after it is not of the engine alone.
    let signature = signature.split(" nodes").next().unwrap_or_default();
    let (what, and, range) = match stones {
        None => (
            format!(
                "\
# {count} balanced openings of {variant}, from the start position. A line holds the numbers of the pits sown from,
# by South, North and so on. The moves are random; every opening ends in another position, in which a search to"
            ),
            "",
            String::new(),
        ),
        Some(stones) => (
            format!(
                "\
# {count} balanced endings of {variant}, with {} to {} stones left in the pits, as FEN. They come from games of a
# shallow search after random openings; every one is another position, in which a search to",
                stones.start(),
                stones.end()
            ),
            ", and no draw",
            format!(" --stones {}..{}", stones.start(), stones.end()),
        ),
    };
    let mut text = format!(
        "\
{what}
# depth {depth} finds neither side more than {limit} centistones ahead{and}. Made by
# tuzdyq openings --variant {variant} --count {count} --plies {first}..{last}{range} --seed {seed} --depth {depth} --limit-score {limit}
# The command gives the same again with any number of threads, by an engine that searches as the one that made this
# file: tuzdyq bench ends with '{signature} nodes'.
"
    );
    for opening in openings {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{opening}");
    }
    text
}

/// An opening as its moves, an ending as its position.
fn line<R: Rules>(game: &Game<R>) -> String {
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    if moves.is_empty() { game.position().to_string() } else { moves.join(" ") }
}
