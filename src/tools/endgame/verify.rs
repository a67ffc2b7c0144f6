//! Checks files of exact endgames: every byte against its checksum, and a sample of positions against the rules.

use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::endgame::format::Unpacker;
use crate::endgame::index::Index;
use crate::endgame::solve::Bounds;
use crate::endgame::{Configuration, Endgames};
use crate::engine::folder::{self, Found, Problem};
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
    /// Layers that are right.
    pub layers: u32,
    /// Files that are not.
    pub wrong: u32,
    /// Positions of the layers that are right, all read.
    pub positions: u64,
    /// Positions whose bounds follow from those after their moves.
    pub consistent: u64,
    /// Those of them that a search without the files has proven, too.
    pub proven: u64,
}

/// What a check tells of a file.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// It is right.
    Right {
        /// The stones of its layer.
        stones: u32,
        /// The positions in it.
        positions: u64,
    },
    /// It is not.
    Wrong(&'a Wrong),
}

/// Why nothing or not all has been checked.
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
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// It cannot be used.
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
    #[error("{path}: {board}: {found:?} in the file, {expected:?} by {by}")]
    Value {
        /// The file.
        path: PathBuf,
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
/// each file whether it is right; of one that is not, the first thing that is wrong with it.
///
/// # Errors
/// When not all can be checked. A wrong file is no such error: the report counts them.
pub fn verify<R: Rules>(
    folder: &Path,
    sample: u32,
    seed: u64,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(Told<'_>),
) -> Result<Report, VerifyError> {
    let looked = folder::look(folder, R::VARIANT);
    let (found, problems) = looked.map_err(|error| VerifyError::Folder(folder.to_owned(), error))?;
    if found.is_empty() && problems.is_empty() {
        return Err(VerifyError::Empty(folder.to_owned(), R::VARIANT.to_string()));
    }
    let mut check = Check::<R> {
        endgames: Endgames::new::<R>(found.iter().map(|found| found.layer.clone()), CACHE),
        wrong_layers: Vec::new(),
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        stop,
        report: Report::default(),
        rules: PhantomData,
    };
    for problem in problems {
        check.report.wrong += 1;
        observe(Told::Wrong(&problem.into()));
    }
    for file in &found {
        let before = check.report;
        let (stones, positions) = (file.layer.header().stones, file.layer.header().positions);
        match check.file(file, sample) {
            Ok(()) => {
                check.report.layers += 1;
                observe(Told::Right { stones, positions });
            }
            Err(Ended::Interrupted) => return Err(VerifyError::Interrupted),
            Err(Ended::Wrong(wrong)) => {
                check.report = Report { wrong: before.wrong + 1, ..before };
                check.wrong_layers.push(stones);
                observe(Told::Wrong(&wrong));
            }
        }
    }
    Ok(check.report)
}

/// Why the check of a file has ended early.
enum Ended {
    Interrupted,
    Wrong(Wrong),
}

impl<E: Into<Wrong>> From<E> for Ended {
    fn from(wrong: E) -> Ended {
        Ended::Wrong(wrong.into())
    }
}

/// A check of a folder.
struct Check<'a, R> {
    endgames: Endgames,
    /// The stones of layers found wrong: nothing follows from them for those above.
    wrong_layers: Vec<u32>,
    rng: Xoshiro256PlusPlus,
    stop: &'a AtomicBool,
    report: Report,
    rules: PhantomData<R>,
}

impl<R: Rules> Check<'_, R> {
    fn check_stop(&self) -> Result<(), Ended> {
        if self.stop.load(Relaxed) { Err(Ended::Interrupted) } else { Ok(()) }
    }

    fn file(&mut self, file: &Found, sample: u32) -> Result<(), Ended> {
        for configuration in 0..self.endgames.index().configurations().len() {
            self.check_stop()?;
            self.report.positions += values(file, configuration)?;
        }
        for _ in 0..sample {
            self.check_stop()?;
            let stones = file.layer.header().stones;
            let board = random_board::<R>(self.endgames.index(), stones, &mut self.rng);
            self.board(&board, &file.path)?;
        }
        Ok(())
    }

    /// The bounds of a position, if its layer is at hand and not known to be wrong.
    fn probe(&self, board: &Board<R>) -> Option<Bounds> {
        if self.wrong_layers.contains(&board.stones_in_pits()) { None } else { self.endgames.probe(board) }
    }

    /// Checks a position whose layer, and all below it, are at hand; others are passed over.
    fn board(&mut self, board: &Board<R>, path: &Path) -> Result<(), Wrong> {
        let Some(found) = self.probe(board) else { return Ok(()) };
        let mut expected = NOTHING;
        for pit in board.moves() {
            let Some(after) = after_move(board, pit, |child| self.probe(child)) else { return Ok(()) };
            expected = expected.or(after);
        }
        let wrong = |expected, by| {
            let (path, board) = (path.to_owned(), format!("{board:?}"));
            Wrong::Value { path, board, found, expected, by }
        };
        if found != expected {
            return Err(wrong(expected, "the positions after its moves"));
        }
        self.report.consistent += 1;
        let searched = deepened(board);
        if searched.lower > found.lower || searched.upper < found.upper {
            return Err(wrong(searched, "a search"));
        }
        self.report.proven += u64::from(searched.is_exact() && searched == found);
        Ok(())
    }
}

/// Reads all values of a configuration, and counts them.
fn values(file: &Found, configuration: usize) -> Result<u64, Wrong> {
    let Found { path, layer } = file;
    let values = Unpacker::new().and_then(|mut unpacker| layer.values(configuration, &mut unpacker));
    let values = values.map_err(|error| Problem::Format(path.clone(), error))?;
    let stones = layer.header().stones;
    for rank in 0..values.lower.len() {
        let Bounds { upper, .. } = values.get(rank);
        if u32::from(upper) > stones {
            return Err(Wrong::Range { path: path.clone(), configuration, rank, upper, stones });
        }
    }
    Ok(values.lower.len() as u64)
}

fn random_board<R: Rules>(index: &Index, stones: u32, rng: &mut Xoshiro256PlusPlus) -> Board<R> {
    let configurations = index.configurations();
    let configuration: Configuration = configurations[rng.random_range(0..configurations.len())];
    let rank = rng.random_range(0..Index::count::<R>(configuration, stones));
    index.board(stones, configuration, rank)
}

/// What a search without the files finds of a position, as deep as its nodes reach.
fn deepened<R: Rules>(board: &Board<R>) -> Bounds {
    let mut nodes = SEARCH_NODES;
    let mut searched = Bounds { lower: 0, upper: board.stones_in_pits() as u8 };
    for depth in 1.. {
        let Some(bounds) = search(board, depth, &mut nodes) else { break };
        searched = bounds;
        if searched.is_exact() {
            break;
        }
    }
    searched
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
