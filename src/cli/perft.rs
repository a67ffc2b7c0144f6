//! `tuzdyq perft`.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;

use crate::game::Pit;
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

pub(super) fn run(args: &PerftArgs) -> Result<(), Failure> {
    let settings = Settings { depth: args.depth, threads: args.threads as usize, hash: args.hash as usize };
    let started = Instant::now();
    let counts = count(&args.position, settings)?;
    let time = started.elapsed();
    if args.divide {
        print(&counts)?;
    }
    let nodes = total(&counts);
    let nps = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    Ok(writeln!(io::stdout(), "nodes {nodes} time {} ms nps {nps}", time.as_millis())?)
}

/// Counts and prints as the protocol's `go perft` does.
pub(super) fn run_as_in_protocol(position: &PositionArgs, depth: u32, threads: u64) -> Result<(), Failure> {
    let counts = count(position, Settings { depth, threads: threads as usize, hash: 0 })?;
    print(&counts)?;
    Ok(writeln!(io::stdout(), "{}", Reply::PerftTotal(total(&counts)))?)
}

fn count(position: &PositionArgs, settings: Settings) -> Result<Vec<(Pit, u64)>, Failure> {
    let game = position.game()?;
    let counts = with_game!(&game, game => {
        perft::divide(game.position().board(), settings, &Control::default()).map_err(Failure::failed)?
    });
    // Nothing stops the count but the end of the process.
    Ok(counts.unwrap_or_default())
}

fn total(counts: &[(Pit, u64)]) -> u64 {
    counts.iter().map(|&(_, count)| count).sum()
}

fn print(counts: &[(Pit, u64)]) -> io::Result<()> {
    counts.iter().try_for_each(|&(pit, count)| writeln!(io::stdout(), "{}", Reply::PerftMove(pit, count)))
}
