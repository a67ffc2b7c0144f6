//! `tuzdyq analyse`: recorded games reviewed move by move.

use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use crate::options::{MAX_HASH, MAX_THREADS};
use crate::records::{self, Format, Record, Writer};
use crate::report::{self, Lang};
use crate::review::{GameReview, annotated};
use crate::tools::analyse::{self, AnalyseError, Event, Limit, Settings, Subject, engine};
use crate::tools::{LogError, files};

use super::input::{Input, Warnings};
use super::review_table::table;
use super::{Failure, interruptible, progress};

/// Positions to visit for each move, where no limit is given.
const NODES: u64 = 200_000;

const EXAMPLES: &str = "\
Examples:
  tuzdyq analyse game.txt
  tuzdyq analyse games.pgn --game 3 --from 10 --to 25 --movetime 2000
  tuzdyq analyse games.pgn --threads 2 --resume review.log --out review.html --out annotated.pgn

A table is written, or the files that are asked for. The format of the input is guessed from its content:
docs/records.md describes the formats, docs/review.md the review.

Exit code: 0 also where the rules contradict a record, which is told on stderr; 2 where it cannot be read, or with
--strict where the rules contradict it; 130 after Ctrl-C, with what is finished written.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AnalyseArgs {
    /// The file with the records, or - for stdin
    file: PathBuf,
    #[command(flatten)]
    limit: LimitArgs,
    /// Positions that are searched at once, each by one thread
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// Transposition table of each thread, in MB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=MAX_HASH))]
    hash: u64,
    /// Lines to find of each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9))]
    multipv: u8,
    /// Only this game, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// The number of the first move to review
    #[arg(long, value_name = "MOVE", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from: u32,
    /// The number of the last move to review
    #[arg(long, value_name = "MOVE", value_parser = clap::value_parser!(u32).range(1..))]
    to: Option<u32>,
    /// Refuse records that the rules contradict, instead of reviewing their legal moves
    #[arg(long)]
    strict: bool,
    /// Write the report as JSON instead of a table
    #[arg(long)]
    json: bool,
    /// A file to write, by its ending: .html for a page to read in a browser, .json or .pgn; may be given several times
    #[arg(long, value_name = "FILE", value_parser = parse_out)]
    out: Vec<Out>,
    /// The language of the page: kk, ru or en; it can be switched there
    #[arg(long, default_value_t, value_name = "LANGUAGE")]
    lang: Lang,
    /// Log every finished game in this file; if it exists, go on with the review in it
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
struct LimitArgs {
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    movetime: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes to visit for each position [default: 200000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

/// A file to write.
#[derive(Clone, Debug)]
struct Out {
    path: PathBuf,
    form: Form,
}

/// In which form a report is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Html,
    Json,
    Pgn,
}

impl Form {
    /// The form of a file by the ending of its name.
    fn of(path: &Path) -> Result<Form, String> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "html" => Ok(Form::Html),
            "json" => Ok(Form::Json),
            "pgn" => Ok(Form::Pgn),
            _ => Err("the name must end in .html, .json or .pgn".to_owned()),
        }
    }
}

fn parse_out(text: &str) -> Result<Out, String> {
    let path = PathBuf::from(text);
    Ok(Out { form: Form::of(&path)?, path })
}

pub(super) fn run(args: &AnalyseArgs) -> Result<(), Failure> {
    let settings = settings(args)?;
    check_outs(args)?;
    let input = Input::read(&args.file)?;
    let subjects = subjects(args, &input)?;
    if !subjects.iter().any(|subject| settings.plies(&subject.record).from > 0) {
        let which = if settings.moves == ALL_MOVES { "".to_owned() } else { moves_text(&settings.moves) };
        return Err(Failure::Usage(format!("{}: no move{which} to review", input.name)));
    }
    let control = interruptible()?;
    let mut view = View::new(args)?;
    let outcome = analyse::run(&subjects, &input.bytes, &settings, &control, &mut |event| {
        view.hear(event);
        if view.written.is_err() {
            control.stop();
        }
    });
    view.bar.finish_and_clear();
    view.written?;
    match outcome {
        Ok(()) | Err(AnalyseError::Interrupted) => {}
        Err(AnalyseError::Log(error)) if is_usage(&error) => return Err(Failure::usage(error)),
        Err(error) => return Err(Failure::failed(error)),
    }
    write_all(args, &settings, view.kept)?;
    if outcome.is_err() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// A log that the arguments name wrongly is a wrong argument.
const fn is_usage(error: &LogError) -> bool {
    !matches!(error, LogError::InUse { .. })
}

const ALL_MOVES: RangeInclusive<u32> = 1..=u32::MAX;

fn moves_text(moves: &RangeInclusive<u32>) -> String {
    match (moves.start(), moves.end()) {
        (first, &u32::MAX) => format!(" from number {first} on"),
        (first, last) => format!(" with a number from {first} to {last}"),
    }
}

fn settings(args: &AnalyseArgs) -> Result<Settings, Failure> {
    let LimitArgs { movetime, depth, nodes } = args.limit;
    let limit = match (movetime, depth) {
        (Some(ms), _) => Limit::MoveTime(Duration::from_millis(ms)),
        (None, Some(depth)) => Limit::Depth(depth),
        (None, None) => Limit::Nodes(nodes.unwrap_or(NODES)),
    };
    let moves = args.from..=args.to.unwrap_or(u32::MAX);
    if moves.is_empty() {
        let (from, to) = (moves.start(), moves.end());
        return Err(Failure::Usage(format!("analyse: --from {from} is behind --to {to}")));
    }
    Ok(Settings {
        limit,
        threads: args.threads as usize,
        hash: args.hash as usize,
        lines: args.multipv.into(),
        moves,
        log: args.resume.clone(),
    })
}

/// Checks before the long work that the files can be written at its end, and over nothing that is needed.
fn check_outs(args: &AnalyseArgs) -> Result<(), Failure> {
    for (index, Out { path, .. }) in args.out.iter().enumerate() {
        let wrong = |error: &dyn fmt::Display| Failure::Usage(format!("{}: {error}", path.display()));
        files::check_place(path).map_err(|error| wrong(&error))?;
        if files::is_same_file(path, &args.file) {
            return Err(wrong(&"the report cannot be written over the records"));
        }
        if args.resume.as_ref().is_some_and(|log| log == path || files::is_same_file(log, path)) {
            return Err(wrong(&"the report cannot be written over the log"));
        }
        if args.out[..index].iter().any(|other| other.path == *path) {
            return Err(wrong(&"given twice"));
        }
    }
    Ok(())
}

/// The games to be reviewed.
fn subjects(args: &AnalyseArgs, input: &Input) -> Result<Vec<Subject>, Failure> {
    let wrong = |error: &dyn fmt::Display| Failure::Usage(format!("{}: {error}", input.name));
    let text = input.text().map_err(|error| wrong(&error))?;
    let mut warnings = Warnings::new(&input.name);
    let (mut games, mut subjects) = (0, Vec::new());
    for reading in records::read(&text) {
        let reading = reading.map_err(|error| wrong(&error))?;
        games += 1;
        if args.game.is_some_and(|game| game != games) {
            continue;
        }
        for contradiction in &reading.contradictions {
            if args.strict {
                return Err(wrong(contradiction));
            }
            warnings.add(contradiction);
        }
        subjects.push(Subject { number: reading.number, record: reading.record });
        if args.game.is_some() {
            break;
        }
    }
    warnings.end();
    match args.game {
        _ if games == 0 => Err(wrong(&"no game in it")),
        Some(game) if subjects.is_empty() => Err(wrong(&format!("no game {game}, only {games}"))),
        _ => Ok(subjects),
    }
}

/// Shows how far the review is, and keeps or writes the games that are done.
struct View {
    bar: ProgressBar,
    /// Whether tables are written.
    tables: bool,
    /// What is to be written at the end.
    kept: Vec<(Record, GameReview)>,
    written: io::Result<()>,
}

impl View {
    fn new(args: &AnalyseArgs) -> Result<View, Failure> {
        let bar = progress::bar(None, "{bar:24} {pos}/{len} positions  ETA {eta}")?;
        let tables = !args.json && args.out.is_empty();
        Ok(View { bar, tables, kept: Vec::new(), written: Ok(()) })
    }

    fn hear(&mut self, event: Event<'_>) {
        match event {
            Event::Start(positions) => self.bar.set_length(positions),
            Event::Position => self.bar.inc(1),
            Event::Game(_, review) if self.tables => {
                let text = table(&review);
                self.written = self.bar.suspend(|| io::stdout().write_all(text.as_bytes()));
            }
            Event::Game(subject, review) => self.kept.push((subject.record.clone(), *review)),
        }
    }
}

/// Writes what has been kept, if there is anything.
fn write_all(
    args: &AnalyseArgs,
    settings: &Settings,
    kept: Vec<(Record, GameReview)>,
) -> Result<(), Failure> {
    if kept.is_empty() {
        return Ok(());
    }
    let wants_pgn = args.out.iter().any(|out| matches!(out.form, Form::Pgn));
    let pgn = if wants_pgn { pgn(&kept) } else { String::new() };
    let report = settings.report(kept.into_iter().map(|(_, review)| review).collect());
    let json = serde_json::to_string(&report).map_err(Failure::failed)? + "\n";
    for Out { path, form } in &args.out {
        let text = match form {
            Form::Html => &report::page(&json, args.lang),
            Form::Json => &json,
            Form::Pgn => &pgn,
        };
        files::write_atomically(path, text.as_bytes())
            .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    }
    if args.json {
        io::stdout().write_all(json.as_bytes())?;
    }
    Ok(())
}

/// The games with the review in their margins.
fn pgn(kept: &[(Record, GameReview)]) -> String {
    let mut writer = Writer::new(Format::Pgn);
    for (record, review) in kept {
        writer.add(&annotated(record, review, &engine()));
    }
    writer.finish()
}
