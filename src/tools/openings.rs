//! Balanced openings, to begin the games of a match with.
//!
//! The method is draw and drop. Draw number `i` is made by a generator seeded with the seed and `i`: a number of
//! plies, each in the range as likely as another, then so many moves from the start position, each legal one as
//! likely as another. It is dropped when the game is over, when an earlier draw has led to the same position (or to
//! the same with the colours exchanged, which has the same key), and when a search of fixed depth finds one side more
//! than a limit ahead. The search has one thread and a new table, so that its value depends on the opening alone;
//! what is kept depends neither on the number of threads nor on their speed.
//!
//! For endings, both sides then play on with a shallow search until so few stones are in the pits as one of the range
//! allows, each as likely as another; the draw is dropped when the game ends before, and when the search of fixed depth sees
//! that the ending is drawn.
//!
//! Of togyzqumalaq openings, with a search to depth 14, 1 draw in 15 is within a stone at 4 plies and 1 in 25 at 10:
//! cheap enough. To choose among good moves only would keep no more: the start position is worth several stones to
//! South and one move is often better than all others by stones, so that the good lines are few and lopsided.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::engine::evaluation::Evaluation;
use crate::eval::Score;
use crate::game::{Game, Rules};
use crate::search::{self, Answer, Control, Environment, Limits, OutOfMemory, Progress, Table, Worker};
use crate::with_evaluation;

/// Draws that are searched in parallel between two reports; the openings do not depend on it.
const BATCH: u64 = 128;
/// After so many draws in a row without an opening there are no more.
const PATIENCE: u32 = 50_000;
/// Megabytes of each search's table: enough for depths that one can wait for.
const TABLE: usize = 1;
/// Depth of the searches that play on to an ending, in plies: good enough for positions that occur in games.
const PLAY_DEPTH: u32 = 6;

/// Which openings to find.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many.
    pub count: usize,
    /// Their length in half-moves.
    pub plies: RangeInclusive<u32>,
    /// How many stones are to be left in the pits, for endings.
    pub stones: Option<RangeInclusive<u32>>,
    /// Another seed gives other openings.
    pub seed: u64,
    /// Depth of the search of each, in plies.
    pub depth: u32,
    /// How far either side may be ahead, in centistones.
    pub limit: u32,
    /// Threads, at least 1.
    pub threads: usize,
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The threads could not be started.
    #[error("no threads for the openings: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There is no memory for the tables.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// There are not as many.
    #[error(
        "only {found} of {count} openings found, and no other in {PATIENCE} draws: allow other plies or a larger score"
    )]
    Exhausted {
        /// How many were found.
        found: usize,
        /// How many were asked for.
        count: usize,
    },
    /// It was told to stop.
    #[error("stopped, without a result")]
    Stopped,
}

/// Finds balanced openings of different positions, in the order of their draws; tells now and then how many it has,
/// and of how many draws.
///
/// # Errors
/// When there are not as many, or threads or memory cannot be had, or it is stopped.
pub fn find<R: Rules>(
    settings: &Settings,
    evaluation: &Evaluation,
    control: &Control,
    tell: &mut dyn FnMut(usize, u64),
) -> Result<Vec<Game<R>>, OpeningsError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.max(1)).build()?;
    let try_draw = |index| {
        let Some(game) = draw(settings, evaluation, index, control)? else { return Ok(None) };
        let score = search(&game, evaluation, &mut Worker::default(), settings.depth, control)?.score;
        // An ending that the search sees to be drawn is no question any more.
        let settled = settings.stones.is_some() && score == Score::DRAW;
        let balanced = score.value().unsigned_abs() <= settings.limit && !settled;
        Ok(balanced.then_some(game))
    };
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let (mut drawn, mut in_vain) = (0, 0);
    while found.len() < settings.count {
        let balanced: Vec<Option<Game<R>>> = pool.install(|| {
            (drawn..drawn + BATCH).into_par_iter().map(try_draw).collect::<Result<_, OutOfMemory>>()
        })?;
        if control.is_stopped() {
            return Err(OpeningsError::Stopped);
        }
        for opening in balanced {
            let opening = opening.filter(|game| seen.insert(game.position().key()));
            in_vain = if opening.is_some() { 0 } else { in_vain + 1 };
            found.extend(opening);
            if in_vain == PATIENCE && found.len() < settings.count {
                return Err(OpeningsError::Exhausted { found: found.len(), count: settings.count });
            }
        }
        drawn += BATCH;
        // The last batch may bring more than are needed.
        found.truncate(settings.count);
        tell(found.len(), drawn);
    }
    Ok(found)
}

/// The draw with this number: some random moves from the start, and for an ending the moves of a game after them; none
/// when the game ends before.
fn draw<R: Rules>(
    settings: &Settings,
    evaluation: &Evaluation,
    index: u64,
    control: &Control,
) -> Result<Option<Game<R>>, OutOfMemory> {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&settings.seed.to_le_bytes());
    seed[8..16].copy_from_slice(&index.to_le_bytes());
    let mut random = StdRng::from_seed(seed);
    let mut game = Game::default();
    for _ in 0..random.random_range(settings.plies.clone()) {
        let Some(pit) = game.position().moves().choose(&mut random) else { break };
        game.play(pit);
    }
    let Some(stones) = &settings.stones else {
        return Ok(Some(game).filter(|game| game.position().outcome().is_none()));
    };
    let target = random.random_range(stones.clone());
    let mut worker = Worker::default();
    while game.position().board().stones_left() > target {
        let Some(pit) = search(&game, evaluation, &mut worker, PLAY_DEPTH, control)?.best else { break };
        game.play(pit);
    }
    let position = game.position();
    let fits = position.outcome().is_none() && stones.contains(&position.board().stones_left());
    Ok(fits.then(|| Game::new(*position)))
}

/// What a search of fixed depth says of the game's position; meaningless when stopped.
fn search<R: Rules>(
    game: &Game<R>,
    evaluation: &Evaluation,
    worker: &mut Worker,
    depth: u32,
    control: &Control,
) -> Result<Answer, OutOfMemory> {
    let table = Table::new(TABLE)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let progress = Progress::new(1);
    Ok(with_evaluation!(evaluation, it => {
        let env = Environment { table: Some(&table), ..Environment::new(it, &limits, control, &progress) };
        search::run(game, worker, &env, 0, &mut |_| {})
    }))
}
