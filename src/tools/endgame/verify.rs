//! Checks files of exact endgames: every byte against its checksum, and a sample of positions against the rules.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::endgame::format::Unpacker;
use crate::endgame::index::Index;
use crate::endgame::solve::Bounds;
use crate::endgame::{Configuration, Endgames};
use crate::engine::folder::{self, Problem};
use crate::game::{Board, Pit, Rules};

/// Positions that the independent search may visit for one of the sample.
const SEARCH_NODES: u32 = 20_000;
/// Bytes of values kept at hand.
const CACHE: usize = 256 << 20;

/// The bounds of someone who gets nothing.
const NOTHING: Bounds = Bounds { lower: 0, upper: 0 };

/// What has been checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Layers.
    pub layers: u32,
    /// Positions in them, all read.
    pub positions: u64,
    /// Positions whose bounds follow from those after their moves.
    pub consistent: u64,
    /// Those of them that a search without the files has proven, too.
    pub proven: u64,
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It was told to stop.
    #[error("interrupted")]
    Interrupted,
    /// The folder cannot be read.
    #[error("{0}: {1}")]
    Folder(PathBuf, io::Error),
    /// There is no file of the game.
    #[error("{0}: no file of {1}")]
    Empty(PathBuf, String),
    /// A file cannot be used.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// A value is more than all the stones.
    #[error("{path}: configuration {configuration}, position {rank}: {upper} of {stones} stones")]
    Range {
        /// The file.
        path: PathBuf,
        /// The number of the configuration.
        configuration: usize,
        /// The number of the position.
        rank: usize,
        /// The impossible value.
        upper: u8,
        /// All the stones.
        stones: u32,
    },
    /// A value is not what follows from the positions after the moves, or from a search.
    #[error("{board}: {found:?} in the file, {expected:?} by {by}")]
    Wrong {
        /// The position.
        board: String,
        /// The bounds in the file.
        found: Bounds,
        /// The bounds that there should be.
        expected: Bounds,
        /// What says so.
        by: &'static str,
    },
}

/// Checks all files of a game in a folder, and `sample` positions of each layer, chosen by `seed`. `observe` hears of
/// each layer that is right: its stones and its positions.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify<R: Rules>(
    folder: &Path,
    sample: u32,
    seed: u64,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(u32, u64),
) -> Result<Report, VerifyError> {
    let looked = folder::look(folder, R::VARIANT);
    let (found, problems) = looked.map_err(|error| VerifyError::Folder(folder.to_owned(), error))?;
    if let Some(problem) = problems.into_iter().next() {
        return Err(problem.into());
    }
    if found.is_empty() {
        return Err(VerifyError::Empty(folder.to_owned(), R::VARIANT.to_string()));
    }
    let endgames = Endgames::new::<R>(found.iter().map(|found| found.layer.clone()), CACHE);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut report = Report::default();
    for folder::Found { path, layer } in &found {
        let stones = layer.header().stones;
        for configuration in 0..endgames.index().configurations().len() {
            if stop.load(Relaxed) {
                return Err(VerifyError::Interrupted);
            }
            let values = Unpacker::new().and_then(|mut unpacker| layer.values(configuration, &mut unpacker));
            let values = values.map_err(|error| Problem::Format(path.clone(), error))?;
            for rank in 0..values.lower.len() {
                let Bounds { upper, .. } = values.get(rank);
                if u32::from(upper) > stones {
                    return Err(VerifyError::Range {
                        path: path.clone(),
                        configuration,
                        rank,
                        upper,
                        stones,
                    });
                }
            }
            report.positions += values.lower.len() as u64;
        }
        for _ in 0..sample {
            if stop.load(Relaxed) {
                return Err(VerifyError::Interrupted);
            }
            let board = random_board::<R>(endgames.index(), stones, &mut rng);
            check(&board, &endgames, &mut report)?;
        }
        report.layers += 1;
        observe(stones, layer.header().positions);
    }
    Ok(report)
}

fn random_board<R: Rules>(index: &Index, stones: u32, rng: &mut Xoshiro256PlusPlus) -> Board<R> {
    let configurations = index.configurations();
    let configuration: Configuration = configurations[rng.random_range(0..configurations.len())];
    let rank = rng.random_range(0..Index::count::<R>(configuration, stones));
    index.board(stones, configuration, rank)
}

/// Checks a position whose layer, and all below it, are at hand; others are passed over.
fn check<R: Rules>(board: &Board<R>, endgames: &Endgames, report: &mut Report) -> Result<(), VerifyError> {
    let Some(found) = endgames.probe(board) else { return Ok(()) };
    let mut expected = NOTHING;
    for pit in board.moves() {
        let Some(after) = after_move(board, pit, |child| endgames.probe(child)) else { return Ok(()) };
        expected = expected.or(after);
    }
    let wrong = |expected, by| VerifyError::Wrong { board: format!("{board:?}"), found, expected, by };
    if found != expected {
        return Err(wrong(expected, "the positions after its moves"));
    }
    report.consistent += 1;
    let mut nodes = SEARCH_NODES;
    let mut searched = Bounds { lower: 0, upper: board.stones_in_pits() as u8 };
    for depth in 1.. {
        let Some(bounds) = search(board, depth, &mut nodes) else { break };
        searched = bounds;
        if searched.is_exact() {
            break;
        }
    }
    if searched.lower > found.lower || searched.upper < found.upper {
        return Err(wrong(searched, "a search"));
    }
    report.proven += u64::from(searched.is_exact() && searched == found);
    Ok(())
}

/// The bounds of the mover's share when it makes a move, from those of the next mover's share.
fn after_move<R: Rules>(
    board: &Board<R>,
    pit: Pit,
    value: impl FnOnce(&Board<R>) -> Option<Bounds>,
) -> Option<Bounds> {
    let (child, effect) = board.play(pit);
    let gained = (effect.captured + effect.fed) as u8;
    Some(value(&child)?.before_move(gained, child.stones_in_pits() as u8))
}

/// Plain minimax to a depth, at which anything is possible; `None` when there are no nodes left.
fn search<R: Rules>(board: &Board<R>, depth: u32, nodes: &mut u32) -> Option<Bounds> {
    *nodes = nodes.checked_sub(1)?;
    if board.mover().is_empty() {
        return Some(NOTHING);
    }
    if depth == 0 {
        return Some(Bounds { lower: 0, upper: board.stones_in_pits() as u8 });
    }
    let mut best = NOTHING;
    for pit in board.mover().occupied() {
        best = best.or(after_move(board, pit, |child| search(child, depth - 1, nodes))?);
    }
    Some(best)
}
