//! Perft over several threads, interruptible, with an optional memory of positions already counted.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::game::{self, Board, Pit, Rules};
use crate::search::Control;

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

/// Why nothing was counted.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// The threads could not be started.
    #[error("no threads for perft: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There is no memory for positions already counted.
    #[error("no memory for {0} MB of positions")]
    Memory(usize),
}

/// For each legal move, how many move sequences of exactly that length begin with it; `None` if stopped.
///
/// # Errors
/// When the threads or the memory cannot be had.
pub fn divide<R: Rules>(
    board: &Board<R>,
    settings: Settings,
    control: &Control,
) -> Result<Option<Vec<(Pit, u64)>>, PerftError> {
    let Settings { depth, threads, hash } = settings;
    let depth = depth.max(1);
    let threads = threads.max(1);
    let mut counters = (0..threads)
        .map(|_| Counter::new((hash << 20) / threads, control).ok_or(PerftError::Memory(hash)))
        .collect::<Result<Vec<_>, _>>()?;
    let moves: Vec<Pit> = board.moves().collect();
    let counts = if let [counter] = &mut counters[..] {
        moves.into_iter().map(|pit| (pit, counter.count(&board.play(pit).0, depth - 1))).collect()
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        // The threads take the next task whenever they are free, each with a memory of its own.
        let tasks = Mutex::new(tasks(board, depth).into_iter());
        let work = |counter: &mut Counter<'_, R>| {
            let mut counted = Vec::new();
            while let Some(task) = next_task(&tasks) {
                counted.push((task.first, counter.count(&task.board, task.depth)));
            }
            counted
        };
        let counted: Vec<(Pit, u64)> = pool.install(|| counters.par_iter_mut().flat_map_iter(work).collect());
        let sum = |pit| counted.iter().filter(|&&(first, _)| first == pit).map(|&(_, count)| count).sum();
        moves.into_iter().map(|pit| (pit, sum(pit))).collect()
    };
    Ok(if control.is_stopped() { None } else { Some(counts) })
}

/// A part of the count: the positions after a few moves.
struct Task<R: Rules> {
    first: Pit,
    board: Board<R>,
    depth: u32,
}

fn next_task<R: Rules>(tasks: &Mutex<std::vec::IntoIter<Task<R>>>) -> Option<Task<R>> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner).next()
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
    control: &'a Control,
}

impl<'a, R: Rules> Counter<'a, R> {
    /// `None` when there is no memory.
    fn new(bytes: usize, control: &'a Control) -> Option<Counter<'a, R>> {
        let entries = bytes / size_of::<Option<(Board<R>, u32, u64)>>();
        let mut memory = Vec::new();
        memory.try_reserve_exact(entries).ok()?;
        memory.resize(entries, None);
        Some(Counter { memory, hasher: ahash::RandomState::with_seed(0), control })
    }

    fn count(&mut self, board: &Board<R>, depth: u32) -> u64 {
        if self.memory.is_empty() { self.plain(board, depth) } else { self.remembered(board, depth) }
    }

    fn plain(&self, board: &Board<R>, depth: u32) -> u64 {
        if self.control.is_stopped() {
            return 0;
        }
        if depth <= UNINTERRUPTED {
            return game::perft(board, depth);
        }
        board.moves().map(|pit| self.plain(&board.play(pit).0, depth - 1)).sum()
    }

    fn remembered(&mut self, board: &Board<R>, depth: u32) -> u64 {
        if depth < LEAST_REMEMBERED {
            return game::perft(board, depth);
        }
        if self.control.is_stopped() {
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
