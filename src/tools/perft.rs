//! Perft over several threads, interruptible.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::game::{self, Board, Pit, Rules};

/// Below this depth a count takes milliseconds and is not interrupted.
const UNINTERRUPTED: u32 = 6;
/// Plies that are split into parallel tasks: 9 × 9 or so are enough for any number of cores we know.
const SPLIT: u32 = 3;

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("no threads for perft: {0}")]
pub struct NoThreads(#[from] rayon::ThreadPoolBuildError);

/// For each legal move, how many move sequences of exactly `depth` half-moves begin with it; `None` if stopped.
///
/// # Errors
/// When the threads cannot be started.
pub fn divide<R: Rules>(
    board: &Board<R>,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<Vec<(Pit, u64)>>, NoThreads> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let moves: Vec<Pit> = if depth == 0 { Vec::new() } else { board.moves().collect() };
    let count = |pit: Pit| (pit, parallel(&board.play(pit).0, depth - 1, SPLIT, stop));
    let counts = if threads == 1 {
        moves.into_iter().map(|pit| (pit, serial(&board.play(pit).0, depth - 1, stop))).collect()
    } else {
        pool.install(|| moves.into_par_iter().map(count).collect())
    };
    Ok(if stop.load(Ordering::Relaxed) { None } else { Some(counts) })
}

fn parallel<R: Rules>(board: &Board<R>, depth: u32, split: u32, stop: &AtomicBool) -> u64 {
    if split == 0 || depth <= UNINTERRUPTED {
        return serial(board, depth, stop);
    }
    let children: Vec<Board<R>> = board.moves().map(|pit| board.play(pit).0).collect();
    children.into_par_iter().map(|child| parallel(&child, depth - 1, split - 1, stop)).sum()
}

fn serial<R: Rules>(board: &Board<R>, depth: u32, stop: &AtomicBool) -> u64 {
    if depth <= UNINTERRUPTED {
        return if stop.load(Ordering::Relaxed) { 0 } else { game::perft(board, depth) };
    }
    board.moves().map(|pit| serial(&board.play(pit).0, depth - 1, stop)).sum()
}
