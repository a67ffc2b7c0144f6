//! The engine's own analysis of the first moves.
//!
//! Breadth first from the start position: all moves of a position are searched, each by a search of the position after
//! it, with a fixed number of nodes, one thread and a new table; and the moves within a margin of the best are
//! followed. So a position is searched once, whatever moves lead to it, and what is found depends neither on the
//! number of threads nor on their speed. In the end the scores are backed up: the score of a move that is followed is
//! that of the best reply, as it is after all replies were searched, and so on from the last level to the first.
//! (Backing up the scores of a book by negamax is Buro's idea, "Toward opening book learning", 1999.)

use std::collections::{BTreeMap, HashSet};

use ahash::AHashMap;
use rayon::prelude::*;

use crate::book::{Analysis, Contents};
use crate::endgame::Endgames;
use crate::engine::evaluation::Evaluation;
use crate::eval::Score;
use crate::game::{Game, Packed, Pit, Position, Rules};
use crate::search::{self, Bound, Control, Environment, Limits, OutOfMemory, Progress, Table, Worker};
use crate::with_evaluation;

use super::searches::{Found, Searches};
use super::{AnalysisError, Told};

/// Megabytes of each search's table.
const TABLE: usize = 16;
/// Searches for each thread between two looks at what they found; the analysis does not depend on it.
const BATCH: usize = 4;

/// Which positions to analyse, and how.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The moves of positions up to so many half-moves from the start, at least 1.
    pub plies: u32,
    /// Nodes of each search.
    pub nodes: u64,
    /// How far behind the best a move that is followed may be, in centistones.
    pub margin: u32,
    /// Threads, at least 1.
    pub threads: usize,
}

/// What the searches use.
pub struct Means<'a> {
    /// The evaluation.
    pub evaluation: &'a Evaluation,
    /// The exact endgames.
    pub endgames: &'a Endgames,
    /// Stops the analysis.
    pub control: &'a Control,
}

/// The positions that were analysed: those at each distance from the start.
#[derive(Debug)]
pub struct Tree<R: Rules> {
    levels: Vec<Vec<Position<R>>>,
}

/// Analyses the first moves of the game. What is in the file of the searches is not searched again.
///
/// # Errors
/// When it is stopped, the file cannot be written, or there is no memory or thread.
pub fn analyse<R: Rules>(
    plan: &Plan,
    means: &Means<'_>,
    searches: &mut Searches,
    tell: &mut dyn FnMut(Told),
) -> Result<Tree<R>, AnalysisError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads.max(1)).build()?;
    let mut level = vec![Position::<R>::start()];
    let mut seen: HashSet<Packed> = level.iter().map(Packed::of).collect();
    let mut levels = Vec::new();
    for ply in 0..plan.plies {
        let after = |position| moves(position).map(|(_, next)| next).filter(|next| !next.board().is_over());
        let all: BTreeMap<Packed, Position<R>> =
            level.iter().flat_map(after).map(|next| (Packed::of(&next), next)).collect();
        let count = all.len() as u64;
        let todo: Vec<_> = all.into_iter().filter(|(packed, _)| searches.get(packed).is_none()).collect();
        tell(Told::Level { ply, searches: count, known: count - todo.len() as u64 });
        for batch in todo.chunks(plan.threads.max(1) * BATCH) {
            let found: Vec<Option<Found>> = pool.install(|| {
                batch.par_iter().map(|(_, next)| search(next, plan.nodes, means)).collect::<Result<_, _>>()
            })?;
            for ((packed, _), found) in batch.iter().zip(found) {
                found.map_or(Ok(()), |found| searches.add(*packed, found))?;
            }
            if means.control.is_stopped() {
                return Err(AnalysisError::Interrupted);
            }
            tell(Told::Searched(batch.len() as u64));
        }
        let mut next = BTreeMap::new();
        for position in &level {
            let within = |it: &Position<R>| seen.insert(Packed::of(it));
            let followed = follow(position, plan.margin, searches).into_iter().filter(within);
            next.extend(followed.map(|it| (Packed::of(&it), it)));
        }
        levels.push(std::mem::replace(&mut level, next.into_values().collect()));
    }
    Ok(Tree { levels })
}

/// The moves of a position and the positions after them.
fn moves<R: Rules>(position: &Position<R>) -> impl Iterator<Item = (Pit, Position<R>)> {
    position.moves().map(|pit| (pit, position.play(pit).0))
}

/// The positions after the moves within the margin, but for those that end the game.
fn follow<R: Rules>(position: &Position<R>, margin: u32, searches: &Searches) -> Vec<Position<R>> {
    let scored: Vec<(i64, Position<R>)> = moves(position)
        .filter_map(|(_, next)| {
            let found = found(&next, searches)?;
            Some((before(found).score.value().into(), next))
        })
        .collect();
    let best = scored.iter().map(|&(score, _)| score).max().unwrap_or_default();
    let good = scored.into_iter().filter(|&(score, _)| score >= best - i64::from(margin));
    good.map(|(_, next)| next).filter(|next| !next.board().is_over()).collect()
}

/// What is known of a position by the rules or by its search.
fn found<R: Rules>(position: &Position<R>, searches: &Searches) -> Option<Found> {
    let Some(outcome) = position.outcome() else { return searches.get(&Packed::of(position)) };
    let score = match outcome.winner() {
        None => Score::DRAW,
        Some(winner) if winner == position.turn() => Score::win_in(0),
        Some(_) => Score::loss_in(0),
    };
    Some(Found { score, depth: 0 })
}

/// A move by what is known of the position after it.
fn before(found: Found) -> Analysis {
    // A score of a node one ply away, as this one sees it.
    let score = -Score::from_table(found.score.to_table(0), 1);
    Analysis { score, depth: found.depth.saturating_add(1) }
}

/// Searches a position; `None` when it was stopped.
fn search<R: Rules>(
    position: &Position<R>,
    nodes: u64,
    means: &Means<'_>,
) -> Result<Option<Found>, OutOfMemory> {
    if means.control.is_stopped() {
        return Ok(None);
    }
    let table = Table::new(TABLE)?;
    let mut worker = Worker::default();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let progress = Progress::new(1);
    let endgames = means.endgames.most().map(|_| means.endgames);
    // The last score that is no bound: the end of the nodes may come in the middle of an iteration.
    let mut exact = None;
    let answer = with_evaluation!(means.evaluation, it => {
        let env = Environment {
            table: Some(&table),
            endgames,
            ..Environment::new(it, &limits, means.control, &progress)
        };
        search::run(&Game::new(*position), &mut worker, &env, 0, &mut |iteration| {
            if iteration.bound == Bound::Exact {
                exact = Some((iteration.score, iteration.depth));
            }
        })
    });
    let (score, depth) = exact.unwrap_or((answer.score, 0));
    let depth = u8::try_from(depth).unwrap_or(u8::MAX);
    Ok((!means.control.is_stopped()).then_some(Found { score, depth }))
}

impl<R: Rules> Tree<R> {
    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts all moves of the positions into a book, with the scores backed up.
    pub fn fill(&self, searches: &Searches, contents: &mut Contents) {
        let mut backed_up: AHashMap<Packed, Found> = AHashMap::new();
        for level in self.levels.iter().rev() {
            // A level at once: where a line comes back to a position of its own level or of one before, the search of
            // that position has to do.
            let mut values = Vec::new();
            for position in level {
                let known = moves(position).filter_map(|(pit, next)| {
                    let value = backed_up.get(&Packed::of(&next)).copied();
                    Some((pit, before(value.or_else(|| found(&next, searches))?)))
                });
                let known: Vec<(Pit, Analysis)> = known.collect();
                let packed = Packed::of(position);
                if let Some(&(_, best)) = known.iter().rev().max_by_key(|(_, it)| it.score) {
                    values.push((packed, Found { score: best.score, depth: best.depth }));
                }
                for (pit, analysis) in known {
                    contents.entry(packed, pit).analysis = Some(analysis);
                }
            }
            backed_up.extend(values);
        }
    }
}

#[cfg(test)]
#[path = "analysis_tests.rs"]
mod tests;
