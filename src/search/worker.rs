//! One thread's state, and what the threads of a search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::endgame::Endgames;
use crate::eval::{Evaluate, Score};
use crate::game::{Pit, Position, Rules};

use super::busy::Busy;
use super::correction::Corrections;
use super::evaluations::Evaluations;
use super::history::{History, Sowing};
use super::limits::Limits;
use super::line::Line;
use super::misjudgement::Misjudgement;
use super::parameters::Parameters;
use super::table::Table;
use super::time::TimePlan;
use super::{MAX_DEPTH, MAX_PLY};

/// Nodes between two looks at the clock and at the stop flag: about a tenth of a millisecond.
const NODES_BETWEEN_CHECKS: u64 = 1_024;

/// The strings by which a running search is held.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// For a search that may start; `pondering` while the opponent's clock runs.
    #[must_use]
    pub fn new(pondering: bool) -> Control {
        Control { stop: AtomicBool::new(false), pondering: AtomicBool::new(pondering) }
    }

    /// Ends the search at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Lets the limits of time hold from now on.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Release);
    }

    /// Whether the search has been told to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Whether the opponent is still thinking.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }
}

/// How far a search is, as its threads tell each other; make a new one for each search.
#[derive(Debug)]
pub struct Progress {
    /// Nodes of each thread, as last published.
    nodes: Vec<AtomicU64>,
    /// Answers that each thread had from the endgame tables, as last published.
    table_hits: Vec<AtomicU64>,
    /// A limit has been reached, or the search is complete. The threads end then, but whoever runs them may still
    /// have to wait for a stop before the search may answer.
    expired: AtomicBool,
    /// What the threads are searching; none where there is only one.
    pub(super) busy: Option<Busy>,
}

impl Progress {
    /// For a search by so many threads.
    #[must_use]
    pub fn new(threads: usize) -> Progress {
        let zeros = || (0..threads).map(|_| AtomicU64::new(0)).collect();
        Progress {
            nodes: zeros(),
            table_hits: zeros(),
            expired: AtomicBool::new(false),
            busy: (threads > 1).then(Busy::new),
        }
    }

    /// Nodes of all threads together, as last published.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// Answers that all threads together had from the endgame tables, as last published.
    #[must_use]
    pub fn table_hits(&self) -> u64 {
        self.table_hits.iter().map(|hits| hits.load(Ordering::Relaxed)).sum()
    }

    pub(super) fn expire(&self) {
        self.expired.store(true, Ordering::Release);
    }
}

/// What of the tree the search may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selectivity {
    /// Search late moves less deep.
    pub reductions: bool,
    /// Cut nodes whose static evaluation is far outside the window, and skip moves that are unlikely to reach it.
    pub pruning: bool,
    /// Follow captures beyond the nominal depth.
    pub quiescence: bool,
    /// Take table entries from deeper searches too, not only of the very depth.
    pub deeper_entries: bool,
}

impl Selectivity {
    /// For playing.
    pub const FULL: Selectivity =
        Selectivity { reductions: true, pruning: true, quiescence: true, deeper_entries: true };
    /// Distinguishes the keys of table entries: what a selective search has found must not reach one that is not.
    pub(super) const fn salt(self) -> u64 {
        let full = self.reductions && self.pruning && self.quiescence;
        if full { 0 } else { 0x9E37_79B9_7F4A_7C15 }
    }

    /// For plain minimax of a fixed depth.
    pub const NONE: Selectivity =
        Selectivity { reductions: false, pruning: false, quiescence: false, deeper_entries: false };
}

/// Everything that the threads of one search share.
pub struct Environment<'a, E> {
    /// The transposition table; without one, nothing is remembered.
    pub table: Option<&'a Table>,
    /// The exact endgames, if there are any: those of the game that is played.
    pub endgames: Option<&'a Endgames>,
    /// The evaluation.
    pub evaluation: &'a E,
    /// Stop and ponder flags.
    pub control: &'a Control,
    /// Time since the search began, or a constant where there is no clock.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// What ends the search.
    pub limits: &'a Limits,
    /// The time plan that follows from the limits.
    pub time: TimePlan,
    /// How many lines to find, at least 1.
    pub lines: usize,
    /// What may be left out.
    pub selectivity: Selectivity,
    /// The numbers of the search.
    pub parameters: Parameters,
    /// How the evaluation is to err, to play like a weaker player.
    pub misjudgement: Option<Misjudgement>,
    /// What the threads tell each other.
    pub progress: &'a Progress,
}

impl<'a, E> Environment<'a, E> {
    /// For a search of one line by one thread, selective as in play, without a table and without a clock.
    #[must_use]
    pub fn new(
        evaluation: &'a E,
        limits: &'a Limits,
        control: &'a Control,
        progress: &'a Progress,
    ) -> Environment<'a, E> {
        Environment {
            table: None,
            endgames: None,
            evaluation,
            control,
            clock: &|| Duration::ZERO,
            limits,
            time: TimePlan::default(),
            lines: 1,
            selectivity: Selectivity::FULL,
            parameters: Parameters::default(),
            misjudgement: None,
            progress,
        }
    }

    /// Whether the threads must end the search.
    pub(super) fn must_end(&self) -> bool {
        self.control.is_stopped() || self.progress.expired.load(Ordering::Acquire)
    }

    pub(super) fn max_depth(&self) -> u32 {
        // A win in N own moves can end with the opponent's N-th, when it has to feed the winner's tuzdyq.
        let mate = self.limits.mate.map_or(MAX_DEPTH, |moves| moves.saturating_mul(2));
        self.limits.depth.unwrap_or(MAX_DEPTH).min(mate).clamp(1, MAX_DEPTH)
    }
}

/// What a search remembers of the node at one distance from the root of the line that it looks at.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The static evaluation as it is...
    pub(super) evaluation: Score,
    /// ...and less its usual error.
    pub(super) estimate: Score,
    /// The move being tried.
    pub(super) sowing: Sowing,
    /// A move that is left out, to see how good the others are.
    pub(super) excluded: Option<Pit>,
    /// Whether the mover may not pass, because a pass is being verified.
    pub(super) no_null: bool,
    /// Whether it is a leaf that is searched one ply deeper.
    pub(super) prolonged: bool,
}

impl Frame {
    const NEW: Frame = Frame {
        evaluation: Score::DRAW,
        estimate: Score::DRAW,
        sowing: Sowing::NONE,
        excluded: None,
        no_null: false,
        prolonged: false,
    };
}

/// What a thread keeps from one search to the next; make one a thread and use it again.
pub struct Worker {
    pub(super) history: History,
    pub(super) corrections: Corrections,
    pub(super) evaluations: Evaluations,
    pub(super) lines: Vec<Line>,
    pub(super) frames: Vec<Frame>,
    /// Keys of the game's positions since the last irreversible move, then of the current line.
    pub(super) keys: Vec<u64>,
}

impl Default for Worker {
    fn default() -> Worker {
        Worker {
            history: History::default(),
            corrections: Corrections::default(),
            evaluations: Evaluations::default(),
            lines: vec![Line::EMPTY; MAX_PLY + 2],
            frames: vec![Frame::NEW; MAX_PLY + 2],
            keys: Vec::new(),
        }
    }
}

impl Worker {
    /// Forgets everything, for a new game or another evaluation.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections = Corrections::default();
        self.evaluations.clear();
    }
}

/// A search by one thread.
pub(super) struct Search<'a, E> {
    pub(super) worker: &'a mut Worker,
    pub(super) env: &'a Environment<'a, E>,
    /// Which thread this is.
    pub(super) thread: usize,
    pub(super) nodes: u64,
    next_check: u64,
    pub(super) selective_depth: usize,
    pub(super) aborted: bool,
    /// Answers of the endgame tables.
    pub(super) table_hits: u64,
    /// Stones in the pits at the root.
    pub(super) root_stones: u32,
    /// The most stones in the pits that the endgame tables know.
    pub(super) most_known: u32,
    /// Distinguishes the keys of table entries that mean different things: those of other kinds of searches, and of
    /// searches that know other endgames or count progress from another root.
    pub(super) salt: u64,
    /// The depth of this iteration.
    pub(super) root_depth: usize,
    /// Index of the first position in `worker.keys` that a position can repeat.
    reversible_from: usize,
    /// The least index in `worker.keys` that the value just returned depends on by a repetition.
    pub(super) anchor: usize,
}

/// The value depends on no repetition.
pub(super) const NO_ANCHOR: usize = usize::MAX;

impl<'a, E: Evaluate> Search<'a, E> {
    /// `history` holds the keys of earlier positions that can still occur again.
    pub(super) fn new(
        worker: &'a mut Worker,
        env: &'a Environment<'a, E>,
        thread: usize,
        history: &[u64],
        root_stones: u32,
    ) -> Search<'a, E> {
        worker.history.new_search();
        worker.frames.fill(Frame::NEW);
        worker.keys.clear();
        worker.keys.extend_from_slice(history);
        worker.keys.reserve(MAX_PLY + 2);
        let most_known = env.endgames.and_then(Endgames::most).unwrap_or(0);
        let progress_from = if root_stones <= most_known { root_stones } else { u32::MAX };
        let endgame_salt = match env.endgames {
            None => 0,
            Some(_) => u64::from(progress_from).wrapping_mul(0xD1B5_4A32_D192_ED03),
        };
        let mut search = Search {
            worker,
            env,
            thread,
            nodes: 0,
            next_check: 0,
            selective_depth: 0,
            aborted: false,
            table_hits: 0,
            root_stones,
            most_known,
            salt: env.selectivity.salt() ^ endgame_salt,
            root_depth: 0,
            reversible_from: 0,
            anchor: NO_ANCHOR,
        };
        search.plan_check();
        search
    }

    fn plan_check(&mut self) {
        let limit = match self.env.limits.nodes {
            Some(limit) if self.env.progress.nodes.len() == 1 => limit,
            _ => u64::MAX,
        };
        self.next_check = (self.nodes + NODES_BETWEEN_CHECKS).min(limit);
    }

    /// Counts a node; every now and then looks whether the search must end.
    #[inline(always)]
    pub(super) fn count_node(&mut self, ply: usize) {
        if self.nodes >= self.next_check {
            self.check();
            if self.aborted {
                return;
            }
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
    }

    pub(super) fn publish_nodes(&self) {
        self.env.progress.nodes[self.thread].store(self.nodes, Ordering::Relaxed);
        self.env.progress.table_hits[self.thread].store(self.table_hits, Ordering::Relaxed);
    }

    #[cold]
    fn check(&mut self) {
        self.publish_nodes();
        self.plan_check();
        if self.is_limit_reached() {
            self.env.progress.expire();
        }
        self.aborted = self.env.must_end();
    }

    fn is_limit_reached(&self) -> bool {
        let out_of_nodes = self.env.limits.nodes.is_some_and(|limit| self.env.progress.nodes() >= limit);
        let out_of_time = !self.env.control.is_pondering()
            && self.env.time.hard.is_some_and(|hard| (self.env.clock)() >= hard);
        out_of_nodes || out_of_time
    }

    /// Steps to the position after a move; gives what [`leave`](Self::leave) needs.
    #[inline(always)]
    pub(super) fn enter(&mut self, key: u64, irreversible: bool) -> usize {
        let before = self.reversible_from;
        self.worker.keys.push(key);
        if irreversible {
            self.reversible_from = self.worker.keys.len();
        }
        before
    }

    /// Steps back.
    #[inline(always)]
    pub(super) fn leave(&mut self, before: usize) {
        self.worker.keys.pop();
        self.reversible_from = before;
    }

    /// Where the position with this key stands already in the line or the game before it, with the same side to
    /// move.
    #[inline(always)]
    pub(super) fn repeated<R: Rules>(&self, position: &Position<R>) -> Option<usize> {
        let keys = &self.worker.keys[self.reversible_from..];
        if keys.len() < 2 {
            return None;
        }
        let key = position.key();
        let back = keys.iter().rev().skip(1).step_by(2).position(|&earlier| earlier == key)?;
        Some(self.worker.keys.len() - 2 - 2 * back)
    }
}
