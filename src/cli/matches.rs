//! `tuzdyq match`: two engines play each other.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;

use crate::eval::Score;
use crate::game::Variant;
use crate::text::quoted;
use crate::tools::LogError;
use crate::tools::matches::Limit as MatchLimit;
use crate::tools::matches::{
    Contestant, Ending, Event, MARGIN_MOVETIME, Match, MatchError, OpeningList, Openings, PATIENCE_TIMED,
    PATIENCE_UNTIMED, Resignation, Settings, Sprt, TimeControl,
};

use super::Failure;
use super::match_report::{Progress, report};

const EXAMPLES: &str = "\
Examples:
  tuzdyq match --engine self --engine './other --fast' --games 100 --movetime 100
  tuzdyq match --engine self --engine self --option1 Threads=2 --games 1000 --tc 8+0.08 --sprt elo0=0 elo1=10
  tuzdyq match --engine self --engine self --nodes 25000 --games 200 --concurrency 2 --resume match.log --pgn games.pgn

Exit code: 0 when the match is over, 130 after Ctrl-C (a second one ends it at once), 1 when it could not go on.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct MatchArgs {
    /// An engine: 'self' for this one, without pipes, or a command line; give two
    #[arg(long = "engine", required = true, value_name = "COMMAND")]
    engines: Vec<String>,
    /// Games to play at most, two with each opening
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    #[command(flatten)]
    limit: LimitArgs,
    /// Options of both engines
    #[arg(long, num_args = 1.., value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Options of the first engine
    #[arg(long, num_args = 1.., value_name = "NAME=VALUE")]
    option1: Vec<String>,
    /// Options of the second engine
    #[arg(long, num_args = 1.., value_name = "NAME=VALUE")]
    option2: Vec<String>,
    /// A file with an opening in each line: moves from the start position, or a FEN
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Plies of random openings [default: 4]
    #[arg(long, conflicts_with = "openings", value_name = "N", value_parser = clap::value_parser!(u16).range(0..=200))]
    random_plies: Option<u16>,
    /// Games to play at once
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// End the match when this test is decided: elo0=0 elo1=5 alpha=0.05 beta=0.05, or others
    #[arg(long, num_args = 0..=4, value_name = "KEY=VALUE")]
    sprt: Option<Vec<String>>,
    /// End a game when both engines have seen the same winner by so many centistones in so many moves in a row:
    /// score=1000 moves=6, or others
    #[arg(long, num_args = 0..=2, value_name = "KEY=VALUE")]
    resign: Option<Vec<String>>,
    /// Write all games to this file at the end
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Determines the openings and their order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Log every game in this file; if it exists, go on with the match in it
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
    /// Milliseconds that an answer may be late [default: 0 with --tc, 100 with --movetime]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    margin: Option<u64>,
    /// Milliseconds to wait for an engine that has not answered, after its time is over if it has one
    /// [default: 5000 with --tc and --movetime, otherwise 60000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    patience: Option<u64>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct LimitArgs {
    /// A clock: [moves/]base[+increment] in seconds, such as 8+0.08
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    movetime: Option<u64>,
    /// Positions to visit for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

pub(super) fn run(args: &MatchArgs) -> Result<(), Failure> {
    let settings = settings(args)?;
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    let handler = move || {
        if interrupted.swap(true, Ordering::Relaxed) {
            // The second time nothing is worth waiting for.
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(Failure::failed)?;
    let this = Match::new(settings).map_err(unusable)?;
    let settings = this.settings().clone();
    let mut progress = Progress::new(&settings)?;
    let mut shown = Ok(());
    let outcome = this.run(&stop, &mut |event| {
        if shown.is_ok() {
            shown = match event {
                Event::Start(tally) => progress.start(tally),
                Event::Game(record, tally) => progress.game(record, tally),
            };
            if shown.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    progress.end();
    shown?;
    report(&settings, &outcome)?;
    match outcome.ending {
        Ending::Complete | Ending::Decided(_) => Ok(()),
        Ending::Interrupted => Err(Failure::Interrupted),
        Ending::Failed(error) => Err(Failure::failed(error)),
    }
}

/// Files that the arguments name wrongly are wrong arguments.
fn unusable(error: MatchError) -> Failure {
    match error {
        MatchError::Pgn { .. }
        | MatchError::Log(
            LogError::File { .. } | LogError::Foreign { .. } | LogError::Other { .. } | LogError::Line { .. },
        ) => Failure::usage(error),
        _ => Failure::failed(error),
    }
}

fn settings(args: &MatchArgs) -> Result<Settings, Failure> {
    let limit = args.limit.limit()?;
    if args.margin.is_some() && !limit.is_timed() {
        return Err(Failure::Usage("match: --margin needs --tc or --movetime".to_owned()));
    }
    let margin = match limit {
        MatchLimit::MoveTime(_) => MARGIN_MOVETIME,
        _ => Duration::ZERO,
    };
    let patience = if limit.is_timed() { PATIENCE_TIMED } else { PATIENCE_UNTIMED };
    Ok(Settings {
        engines: engines(args)?,
        games: args.games,
        limit,
        variant: args.variant,
        openings: openings(args)?,
        seed: args.seed,
        concurrency: args.concurrency.into(),
        sprt: args.sprt.as_deref().map(sprt).transpose()?,
        resignation: args.resign.as_deref().map(resignation).transpose()?,
        margin: args.margin.map_or(margin, Duration::from_millis),
        patience: args.patience.map_or(patience, Duration::from_millis),
        log: args.resume.clone(),
        pgn: args.pgn.clone(),
    })
}

impl LimitArgs {
    fn limit(&self) -> Result<MatchLimit, Failure> {
        let limit = self
            .tc
            .map(MatchLimit::Clock)
            .or(self.movetime.map(Duration::from_millis).map(MatchLimit::MoveTime))
            .or(self.nodes.map(MatchLimit::Nodes))
            .or(self.depth.map(MatchLimit::Depth));
        limit.ok_or_else(|| {
            Failure::Usage("match: give a limit, --tc, --movetime, --nodes or --depth".to_owned())
        })
    }
}

fn engines(args: &MatchArgs) -> Result<[Contestant; 2], Failure> {
    let [first, second] = args.engines.as_slice() else {
        let given = args.engines.len();
        return Err(Failure::Usage(format!("match: give --engine twice, not {}", times(given))));
    };
    let contestant = |command: &str, own: &[String]| {
        let options = args.option.iter().chain(own).map(|text| option(text)).collect::<Result<_, _>>()?;
        Contestant::new(command, options).map_err(|error| Failure::Usage(format!("match: {error}")))
    };
    Ok([contestant(first, &args.option1)?, contestant(second, &args.option2)?])
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn option(text: &str) -> Result<(String, String), Failure> {
    let pair = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    // A line break would be a command of its own.
    let pair = pair.filter(|_| !text.contains(char::is_control));
    let (name, value) =
        pair.ok_or_else(|| Failure::Usage(format!("match: '{}' is not an option NAME=VALUE", quoted(text))))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn openings(args: &MatchArgs) -> Result<Openings, Failure> {
    let Some(path) = &args.openings else {
        return Ok(Openings::Random { plies: args.random_plies.unwrap_or(4).into() });
    };
    read_openings(path, args.variant).map(Openings::List)
}

/// The openings of a file.
pub(super) fn read_openings(path: &Path, variant: Variant) -> Result<OpeningList, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::Usage(format!("{}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
    OpeningList::parse(&text, variant).map_err(|error| wrong(&error))
}

/// The numbers that an option gives to some of its keys; the others keep theirs.
fn numbers<const N: usize>(
    option: &str,
    words: &[String],
    mut known: [(&str, f64); N],
) -> Result<[f64; N], Failure> {
    let names = known.map(|(key, _)| key);
    let mut seen = Vec::new();
    for word in words {
        let wrong = |why: &str| Failure::Usage(format!("match: {option}: '{}' {why}", quoted(word)));
        let (key, value) = word.split_once('=').ok_or_else(|| wrong("is not KEY=VALUE"))?;
        let field = known.iter_mut().find(|(name, _)| *name == key);
        let field = field.ok_or_else(|| wrong(&format!("is none of {}", names.join(", "))))?;
        if seen.contains(&key) {
            return Err(wrong("is given twice"));
        }
        seen.push(key);
        let value = value.parse().ok().filter(|value: &f64| value.is_finite());
        field.1 = value.ok_or_else(|| wrong("has no number"))?;
    }
    Ok(known.map(|(_, value)| value))
}

fn sprt(words: &[String]) -> Result<Sprt, Failure> {
    let Sprt { elo0, elo1, alpha, beta } = Sprt::default();
    let known = [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)];
    let [elo0, elo1, alpha, beta] = numbers("--sprt", words, known)?;
    let sprt = Sprt { elo0, elo1, alpha, beta };
    let is_risk = |risk: f64| risk > 0.0 && risk < 0.5;
    if sprt.elo0 >= sprt.elo1 {
        return Err(Failure::Usage("match: --sprt: elo0 must be less than elo1".to_owned()));
    }
    if !is_risk(sprt.alpha) || !is_risk(sprt.beta) {
        return Err(Failure::Usage("match: --sprt: alpha and beta must be between 0 and 0.5".to_owned()));
    }
    Ok(sprt)
}

fn resignation(words: &[String]) -> Result<Resignation, Failure> {
    let Resignation { score, moves } = Resignation::default();
    let [score, moves] = numbers("--resign", words, [("score", score.into()), ("moves", moves.into())])?;
    let whole = |key: &str, value: f64, most: f64| {
        let fits = value.fract() == 0.0 && (1.0..=most).contains(&value);
        let wrong = || format!("match: --resign: {key} must be a whole number from 1 to {most}");
        if fits { Ok(value) } else { Err(Failure::Usage(wrong())) }
    };
    Ok(Resignation {
        score: whole("score", score, Score::MAX_STATIC.value().into())? as i32,
        moves: whole("moves", moves, 1000.0)? as u32,
    })
}
