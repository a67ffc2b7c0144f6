//! `tuzdyq perft`.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;

use crate::options::{MAX_HASH, MAX_THREADS};
use crate::protocol::Reply;
use crate::search::Control;
use crate::tools::perft::{self, Settings};
use crate::with_game;

use super::{Failure, PositionArgs};

#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// Length of the sequences, in half-moves
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Also print the count for each first move
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    position: PositionArgs,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// Megabytes for positions already counted: worth it in endings, a loss near the start
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=MAX_HASH))]
    hash: u64,
}

/// Counts and prints as the protocol's `go perft` does.
pub(super) fn run_as_in_protocol(position: &PositionArgs, depth: u32, threads: u64) -> Result<(), Failure> {
    let game = position.game()?;
    let settings = Settings { depth, threads: threads as usize, hash: 0 };
    let counts = with_game!(&game, game => {
        perft::divide(game.position().board(), settings, &Control::default()).map_err(Failure::failed)?
    });
    let mut total = 0;
    for (pit, count) in counts.unwrap_or_default() {
        total += count;
        writeln!(io::stdout(), "{}", Reply::PerftMove(pit, count))?;
    }
    Ok(writeln!(io::stdout(), "{}", Reply::PerftTotal(total))?)
}

pub(super) fn run(args: &PerftArgs) -> Result<(), Failure> {
    let settings = Settings { depth: args.depth, threads: args.threads as usize, hash: args.hash as usize };
    let game = args.position.game()?;
    let control = Control::default();
    let started = Instant::now();
    let counts = with_game!(&game, game => {
        perft::divide(game.position().board(), settings, &control).map_err(Failure::failed)?
    });
    let time = started.elapsed();
    let counts = counts.unwrap_or_default();
    let mut out = io::stdout();
    if args.divide {
        for (pit, count) in &counts {
            writeln!(out, "{pit}: {count}")?;
        }
    }
    let nodes: u64 = counts.iter().map(|&(_, count)| count).sum();
    let nps = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    Ok(writeln!(out, "nodes {nodes} time {} ms nps {nps}", time.as_millis())?)
}
