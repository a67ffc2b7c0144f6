//! The command line: what each subcommand takes, and what it prints.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod analyse;
mod book;
mod convert;
mod datagen;
mod endgame;
mod go;
mod input;
mod match_report;
mod matches;
mod openings;
mod output;
mod perft;
mod progress;
mod review_table;

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use clap::{Args, Parser, Subcommand};

use crate::engine::evaluation::Evaluation;
use crate::engine::{Engine, EngineError};
use crate::eval::network::Level;
use crate::game::{AnyGame, Variant};
use crate::options::{MAX_HASH, MAX_THREADS, Options};
use crate::protocol::{self, SessionError};
use crate::report;
use crate::search::{Control, Limits};
use crate::tools::{bench, testset};
use crate::with_game;

static VERSION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} (commit {}, {}, SIMD level: {})",
        env!("CARGO_PKG_VERSION"),
        env!("TUZDYQ_COMMIT"),
        env!("TUZDYQ_TARGET"),
        Level::best().name()
    )
});

const EXAMPLES: &str = "\
Examples:
  tuzdyq                                     speak the protocol on stdin and stdout
  tuzdyq go depth 20                         analyse the start position
  tuzdyq go movetime 5000 --moves 7 2 3      analyse after some moves, for 5 seconds
  tuzdyq go depth 18 --multipv 3 --threads 2
  tuzdyq show --moves 7 2 3                  draw a position
  tuzdyq show --moves 7 2 3 --svg            draw it as an image
  tuzdyq perft 8 --divide                    count move sequences
  tuzdyq testset positions/problems.epd --movetime 1000
  tuzdyq convert games.pgn --to full         write game records in another format
  tuzdyq analyse games.pgn --game 3           review a recorded game, move by move
  tuzdyq book show --moves 7                 what the opening book knows
  tuzdyq match --engine self --engine ./other --games 100 --movetime 100
  tuzdyq bench                               measure the search

Set RUST_LOG=debug to log to stderr.";

/// An engine for togyzqumalaq, the national board game of Kazakhstan and Kyrgyzstan.
///
/// Without a subcommand it speaks a UCI-like protocol on stdin and stdout.
#[derive(Debug, Parser)]
#[command(name = "tuzdyq", version = VERSION.as_str(), after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Analyse a position: a table on a terminal, protocol lines in a pipe
    Go(go::GoArgs),
    /// Count move sequences of a given length
    Perft(perft::PerftArgs),
    /// Search fixed positions; the last line is a signature of the search and its speed
    Bench {
        /// Depth of each search, in plies
        #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=200))]
        depth: u32,
        #[command(flatten)]
        evaluation: EvaluationArgs,
    },
    /// Make a file of balanced openings
    Openings(openings::OpeningsArgs),
    /// Draw a position
    Show(ShowArgs),
    /// Read game records in any format, check them by the rules, and write them in another format
    Convert(convert::ConvertArgs),
    /// Review recorded games: how good each move was, and what would have been better
    Analyse(Box<analyse::AnalyseArgs>),
    /// Run a file of problems and say which are solved
    Testset(TestsetArgs),
    /// Play games against itself and note what it thinks, for the training of an evaluation
    Datagen(Box<datagen::DatagenArgs>),
    /// Build opening books, and show what they know
    Book(book::BookArgs),
    /// Build, check and ask the tables of exact endgames
    Endgame(endgame::EndgameArgs),
    /// Let two engines play each other, and say which is the stronger one
    Match(Box<matches::MatchArgs>),
}

/// A position on the command line.
#[derive(Debug, Args)]
struct PositionArgs {
    /// The position as FEN; the start position if not given
    #[arg(long)]
    fen: Option<String>,
    /// Moves to play from there
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// The position as FEN, as with --fen
    #[arg(value_name = "FEN", conflicts_with = "fen")]
    shown: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// As an SVG image
    #[arg(long)]
    svg: bool,
}

/// What a search may use.
#[derive(Debug, Args)]
struct EngineArgs {
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// Transposition table, in MB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=MAX_HASH))]
    hash: u64,
}

/// Which evaluation the searches use.
#[derive(Debug, Args)]
struct EvaluationArgs {
    /// A file with a network to use instead of the one built in
    #[arg(long, value_name = "FILE")]
    eval_file: Option<String>,
    /// Use the handcrafted evaluation
    #[arg(long, conflicts_with = "eval_file")]
    classic: bool,
}

impl EvaluationArgs {
    /// # Errors
    /// When a network is named that the game has no use for.
    fn options(&self, variant: Variant) -> Result<Options, Failure> {
        if let (Some(file), true) = (&self.eval_file, variant != Variant::Togyzqumalaq) {
            let text = format!("--eval-file {file}: a network is for togyzqumalaq, not for {variant}");
            return Err(Failure::Usage(text));
        }
        Ok(Options {
            variant,
            use_network: !self.classic,
            eval_file: self.eval_file.clone().unwrap_or_default(),
            ..Options::default()
        })
    }
}

#[derive(Debug, Args)]
struct TestsetArgs {
    /// A file with a line `FEN; bm N; id "name"` for each problem
    file: PathBuf,
    #[command(flatten)]
    limit: ProblemLimit,
    #[command(flatten)]
    engine: EngineArgs,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

#[derive(Debug, Args)]
struct ProblemLimit {
    /// Milliseconds for each problem
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Positions to visit for each problem
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The arguments make no sense together, or name something that is not there: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Something did not work: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// The output could not be written; silently 0 when the reader has gone.
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
    /// Ctrl-C: exit code 130, as shells have it.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    fn usage(error: impl fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }

    fn failed(error: impl fmt::Display) -> Failure {
        Failure::Failed(error.to_string())
    }

    /// The exit code of the process.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Failure::Failed(_) | Failure::Output(_) => 1,
            Failure::Interrupted => 130,
        }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::failed(error)
    }
}

/// Reads the arguments of the process; prints help and version itself.
///
/// # Errors
/// One line that names the wrong argument.
pub fn parse() -> Result<Option<Cli>, Failure> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(Some(cli)),
        Err(error) => error,
    };
    let text = error.to_string();
    if !error.use_stderr() {
        io::stdout().write_all(text.as_bytes())?;
        return Ok(None);
    }
    // The first paragraph says what is wrong; the rest is about usage.
    let fault: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let fault = fault.join(" ");
    Err(Failure::Usage(fault.strip_prefix("error: ").unwrap_or(&fault).to_owned()))
}

/// A control that Ctrl-C stops.
fn interruptible() -> Result<Arc<Control>, Failure> {
    let control = Arc::new(Control::default());
    let interrupted = Arc::clone(&control);
    ctrlc::set_handler(move || interrupted.stop()).map_err(Failure::failed)?;
    Ok(control)
}

impl Cli {
    /// Does what the arguments say.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn run(self) -> Result<(), Failure> {
        match self.command {
            None => match protocol::run(io::BufReader::new(io::stdin()), io::stdout()) {
                Err(SessionError::Output(error)) => Err(error.into()),
                result => result.map_err(Failure::failed),
            },
            Some(Task::Go(args)) => go::run(&args),
            Some(Task::Perft(args)) => perft::run(&args),
            Some(Task::Bench { depth, evaluation }) => run_bench(depth, &evaluation),
            Some(Task::Openings(args)) => openings::run(&args),
            Some(Task::Show(args)) => show(&args),
            Some(Task::Convert(args)) => convert::run(&args),
            Some(Task::Analyse(args)) => analyse::run(&args),
            Some(Task::Testset(args)) => run_testset(&args),
            Some(Task::Datagen(args)) => datagen::run(&args),
            Some(Task::Book(args)) => book::run(&args),
            Some(Task::Endgame(args)) => endgame::run(&args),
            Some(Task::Match(args)) => matches::run(&args),
        }
    }
}

impl PositionArgs {
    fn game(&self) -> Result<AnyGame, Failure> {
        self.game_from(self.fen.as_deref())
    }

    /// The game that begins with another FEN than that of the arguments.
    fn game_from(&self, fen: Option<&str>) -> Result<AnyGame, Failure> {
        let words = self.moves.iter().flat_map(|moves| moves.split([' ', ',']));
        let moves: Vec<String> = words.filter(|text| !text.is_empty()).map(str::to_owned).collect();
        AnyGame::from_text(self.variant, fen, &moves).map_err(Failure::usage)
    }
}

impl EngineArgs {
    fn engine(&self, variant: Variant, multi_pv: usize) -> Result<Engine, Failure> {
        let options = Options {
            hash: self.hash as usize,
            threads: self.threads as usize,
            multi_pv,
            variant,
            // There is no GUI between the engine and the clock.
            move_overhead: 0,
            ..Options::default()
        };
        let engine = Engine::new(options)?;
        let started = engine.options().threads;
        if started < self.threads as usize {
            let wanted = self.threads;
            return Err(Failure::Failed(format!("only {started} of {wanted} threads could be started")));
        }
        Ok(engine)
    }
}

fn show(args: &ShowArgs) -> Result<(), Failure> {
    let game = args.position.game_from(args.shown.as_deref().or(args.position.fen.as_deref()))?;
    if args.svg {
        let image = with_game!(&game, game => report::svg(game.position()));
        return Ok(io::stdout().write_all(image.as_bytes())?);
    }
    let text = with_game!(&game, game => protocol::describe_position(game));
    Ok(writeln!(io::stdout(), "{text}")?)
}

fn run_bench(depth: u32, evaluation: &EvaluationArgs) -> Result<(), Failure> {
    let evaluation =
        Evaluation::of_options(&evaluation.options(Variant::default())?).map_err(Failure::usage)?;
    let control = Control::default();
    let mut result = Ok(());
    let last = bench::run(depth, &evaluation, &control, &mut |line| {
        result = writeln!(io::stdout(), "{line}");
        if result.is_err() {
            control.stop();
        }
    });
    result?;
    Ok(last.map_or(Ok(()), |line| writeln!(io::stdout(), "{line}"))?)
}

fn run_testset(args: &TestsetArgs) -> Result<(), Failure> {
    let limits = Limits {
        depth: args.limit.depth,
        nodes: args.limit.nodes,
        movetime: args.limit.movetime.map(std::time::Duration::from_millis),
        ..Limits::default()
    };
    if !limits.is_bounded() {
        return Err(Failure::Usage("testset: give a limit, --movetime, --depth or --nodes".to_owned()));
    }
    let file = args.file.display();
    let text = fs::read_to_string(&args.file).map_err(|error| Failure::Usage(format!("{file}: {error}")))?;
    let problems =
        testset::parse(&text, args.variant).map_err(|error| Failure::Usage(format!("{file}: {error}")))?;
    if problems.is_empty() {
        return Err(Failure::Usage(format!("{file}: no problem in it")));
    }
    let mut engine = args.engine.engine(args.variant, 1)?;
    let mut out = io::stdout();
    let mut solved = 0;
    for problem in &problems {
        let attempt = testset::attempt(problem, &mut engine, &limits)?;
        let mark = if attempt.solved { "solved" } else { "FAILED" };
        let best = attempt.answer.best.map_or_else(|| "-".to_owned(), |pit| pit.to_string());
        let wanted: Vec<String> = problem.best.iter().map(ToString::to_string).collect();
        let (score, depth, nodes) = (attempt.answer.score, attempt.answer.depth, attempt.answer.nodes);
        let (score, settled) = (go::for_people(score), attempt.settled_after.as_millis());
        writeln!(
            out,
            "{mark}  {:<14} move {best} (best {})  {score}  depth {depth}  nodes {nodes}  found after {settled} ms",
            problem.id,
            wanted.join(" or ")
        )?;
        solved += usize::from(attempt.solved);
    }
    Ok(writeln!(out, "Solved {solved} of {}", problems.len())?)
}
