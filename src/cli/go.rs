//! `tuzdyq go`: analysis from a shell.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use clap::Args;

use crate::engine::Event;
use crate::eval::Score;
use crate::protocol::{Command, Go, Reply, limits_from, parse};
use crate::search::{Answer, Bound, Iteration, Limits};
use crate::with_game;

use super::{EngineArgs, Failure, PositionArgs, perft};

#[derive(Debug, Args)]
pub(super) struct GoArgs {
    /// As in the protocol's go: depth N, movetime MS, nodes N, mate N, searchmoves M..., wtime MS and so on
    ///
    /// Several limits hold together; without one the analysis goes on until Ctrl-C. Write them before --moves.
    #[arg(value_name = "LIMIT", allow_negative_numbers = true)]
    limits: Vec<String>,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Lines to find
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9))]
    multipv: u8,
}

pub(super) fn run(args: &GoArgs) -> Result<(), Failure> {
    let line = format!("go {}", args.limits.join(" "));
    match parse(&line).command {
        Some(Ok(Command::Go(go))) => analyse(args, &go),
        Some(Ok(Command::Perft(depth))) => {
            perft::run_as_in_protocol(&args.position, depth, args.engine.threads)
        }
        Some(Err(error)) => Err(Failure::usage(error)),
        other => Err(Failure::Usage(format!("go: {other:?} is not a search"))),
    }
}

fn analyse(args: &GoArgs, go: &Go) -> Result<(), Failure> {
    let game = args.position.game()?;
    let (mut limits, complaints) = limits_from(go, &game);
    // Nobody waits for the end of the analysis of a finished game.
    limits.infinite &= with_game!(&game, game => game.position().outcome().is_none());
    if let Some(complaint) = complaints.into_iter().next() {
        return Err(Failure::Usage(complaint));
    }
    if limits.ponder {
        return Err(Failure::Usage("go: ponder needs a GUI that sends ponderhit".to_owned()));
    }
    let mut engine = args.engine.engine(args.position.variant, args.multipv.into())?;
    engine.set_game(game)?;

    let (sender, events) = mpsc::channel();
    let interrupts = sender.clone();
    ctrlc::set_handler(move || drop(interrupts.send(Message::Interrupt))).map_err(Failure::failed)?;
    engine.go(limits.clone(), Arc::new(move |event| drop(sender.send(Message::Search(event)))))?;

    let mut view = View::new(&limits)?;
    loop {
        match events.recv_timeout(Duration::from_millis(200)) {
            Ok(Message::Interrupt) => engine.stop(),
            // There is no option for a book here.
            Ok(Message::Search(Event::Book(_))) => {}
            Ok(Message::Search(Event::Iteration(iteration))) => view.line(iteration)?,
            Ok(Message::Search(Event::Answer(answer))) => return Ok(view.end(answer)?),
            Err(mpsc::RecvTimeoutError::Timeout) => view.tick()?,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(Failure::Failed("the search has ended without an answer".to_owned()));
            }
        }
    }
}

enum Message {
    Search(Event),
    Interrupt,
}

/// How the analysis is shown.
struct View {
    out: io::Stdout,
    /// A table for a person, otherwise protocol lines.
    table: bool,
    /// Whether the terminal can write a line again.
    live: bool,
    started: Instant,
}

impl View {
    fn new(limits: &Limits) -> io::Result<View> {
        let mut out = io::stdout();
        let table = out.is_terminal();
        let live = table && std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        if table {
            if limits.infinite {
                writeln!(out, "Ctrl-C ends the analysis.")?;
            }
            writeln!(
                out,
                "{:>5} {:>4} {:>9} {:>13} {:>7} {:>8}  line",
                "depth", "sel", "score", "nodes", "kn/s", "time"
            )?;
        }
        Ok(View { out, table, live, started: Instant::now() })
    }

    fn line(&mut self, iteration: Iteration) -> io::Result<()> {
        if !self.table {
            return writeln!(self.out, "{}", Reply::Info(iteration, None));
        }
        let sign = match iteration.bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        let score = format!("{sign}{}", for_people(iteration.score));
        self.wipe()?;
        let seconds = iteration.time.as_secs_f64();
        let speed = iteration.nodes as f64 / seconds.max(1e-6) / 1000.0;
        let line: Vec<String> = iteration.line.iter().map(ToString::to_string).collect();
        writeln!(
            self.out,
            "{:>5} {:>4} {:>9} {:>13} {speed:>7.0} {seconds:>7.2}s  {}",
            iteration.depth,
            iteration.selective_depth,
            score,
            iteration.nodes,
            line.join(" ")
        )
    }

    /// Shows that the search is alive.
    fn tick(&mut self) -> io::Result<()> {
        if self.live {
            write!(self.out, "\r  thinking {:.1}s", self.started.elapsed().as_secs_f64())?;
            self.out.flush()?;
        }
        Ok(())
    }

    fn end(&mut self, answer: Answer) -> io::Result<()> {
        if !self.table {
            return writeln!(self.out, "{}", Reply::BestMove(answer));
        }
        self.wipe()?;
        match answer.best {
            Some(best) => {
                writeln!(self.out, "Best move: {best}  ({} for the side to move)", for_people(answer.score))
            }
            None => writeln!(self.out, "The game is over."),
        }
    }

    fn wipe(&mut self) -> io::Result<()> {
        if self.live { write!(self.out, "\r{:24}\r", "") } else { Ok(()) }
    }
}

/// A score in stones, or a proven end and how far it is, if that is known.
pub(super) fn for_people(score: Score) -> String {
    match score.moves_to_end() {
        Some(moves) if moves > 0 => format!("win in {moves}"),
        Some(moves) => format!("loss in {}", -moves),
        None if score.is_win() => "win".to_owned(),
        None if score.is_loss() => "loss".to_owned(),
        None => format!("{:+.2}", f64::from(score.value()) / 100.0),
    }
}
