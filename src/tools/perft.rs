//! Perft over several threads, interruptible, with an optional memory of positions already counted.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::game::{self, Board, Pit, Rules};

/// Below this depth a count takes milliseconds and is not interrupted.
const UNINTERRUPTED: u32 = 6;
/// Plies that are split into parallel tasks: 9 × 9 × 9 are enough for any number of cores we know.
const SPLIT: u32 = 3;
/// Counts of fewer plies are cheaper to make than to remember.
const LEAST_REMEMBERED: u32 = 3;

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Length of the sequences in half-moves, at least 1.
    pub depth: u32,
    /// Threads, at least 1.
    pub threads: usize,
    /// Megabytes (2²⁰ bytes) for positions already counted, over all threads; 0 for none.
    pub hash: usize,
}

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("no threads for perft: {0}")]
pub struct NoThreads(#[from] rayon::ThreadPoolBuildError);

/// For each legal move, how many move sequences of exactly that length begin with it; `None` if stopped.
///
/// # Errors
/// When the threads cannot be started.
pub fn divide<R: Rules>(
    board: &Board<R>,
    settings: Settings,
    stop: &AtomicBool,
) -> Result<Option<Vec<(Pit, u64)>>, NoThreads> {
    let Settings { depth, threads, hash } = settings;
    let depth = depth.max(1);
    let bytes_a_thread = (hash << 20) / threads.max(1);
    let moves: Vec<Pit> = board.moves().collect();
    let counts = if threads <= 1 {
        let mut counter = Counter::new(bytes_a_thread, stop);
        moves.into_iter().map(|pit| (pit, counter.count(&board.play(pit).0, depth - 1))).collect()
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let tasks = tasks(board, depth);
        let counted: Vec<(Pit, u64)> = pool.install(|| {
            let make = || Counter::new(bytes_a_thread, stop);
            let count = |counter: &mut Counter<'_, R>, task: &Task<R>| {
                (task.first, counter.count(&task.board, task.depth))
            };
            tasks.par_iter().with_max_len(1).map_init(make, count).collect()
        });
        let sum = |pit| counted.iter().filter(|&&(first, _)| first == pit).map(|&(_, count)| count).sum();
        moves.into_iter().map(|pit| (pit, sum(pit))).collect()
    };
    Ok(if stop.load(Ordering::Relaxed) { None } else { Some(counts) })
}

/// A part of the count: the positions after a few moves.
struct Task<R: Rules> {
    first: Pit,
    board: Board<R>,
    depth: u32,
}

fn tasks<R: Rules>(board: &Board<R>, depth: u32) -> Vec<Task<R>> {
    let mut tasks: Vec<Task<R>> =
        board.moves().map(|first| Task { first, board: board.play(first).0, depth: depth - 1 }).collect();
    for _ in 1..SPLIT.min(depth) {
        tasks = tasks
            .iter()
            .flat_map(|task| {
                task.board.moves().map(|pit| Task {
                    first: task.first,
                    board: task.board.play(pit).0,
                    depth: task.depth - 1,
                })
            })
            .collect();
    }
    tasks
}

/// One thread's count, with its memory.
struct Counter<'a, R: Rules> {
    /// Positions by their hash, each with a depth and its count; the whole board is kept, so that nothing is ever
    /// mistaken for something else.
    memory: Vec<Option<(Board<R>, u32, u64)>>,
    hasher: ahash::RandomState,
    stop: &'a AtomicBool,
}

impl<'a, R: Rules> Counter<'a, R> {
    fn new(bytes: usize, stop: &'a AtomicBool) -> Counter<'a, R> {
        let entries = bytes / size_of::<Option<(Board<R>, u32, u64)>>();
        Counter { memory: vec![None; entries], hasher: ahash::RandomState::with_seed(0), stop }
    }

    fn count(&mut self, board: &Board<R>, depth: u32) -> u64 {
        if self.memory.is_empty() { self.plain(board, depth) } else { self.remembered(board, depth) }
    }

    fn plain(&self, board: &Board<R>, depth: u32) -> u64 {
        if depth <= UNINTERRUPTED {
            return if self.stop.load(Ordering::Relaxed) { 0 } else { game::perft(board, depth) };
        }
        board.moves().map(|pit| self.plain(&board.play(pit).0, depth - 1)).sum()
    }

    fn remembered(&mut self, board: &Board<R>, depth: u32) -> u64 {
        if depth < LEAST_REMEMBERED {
            return game::perft(board, depth);
        }
        if self.stop.load(Ordering::Relaxed) {
            return 0;
        }
        let hash = self.hasher.hash_one((board, depth));
        let index = ((u128::from(hash) * self.memory.len() as u128) >> 64) as usize;
        if let Some((known, known_depth, count)) = &self.memory[index]
            && (known, *known_depth) == (board, depth)
        {
            return *count;
        }
        let count = board.moves().map(|pit| self.remembered(&board.play(pit).0, depth - 1)).sum();
        self.memory[index] = Some((*board, depth, count));
        count
    }
}
