//! The recursive search of one node: principal variation search (Marsland and Campbell, "Parallel search of strongly
//! ordered game trees", 1982) with late move reductions.

use std::sync::LazyLock;

use crate::eval::{Evaluate, Score};
use crate::game::{Board, Pit, Position, Rules, Side};

use super::MAX_PLY;
use super::history::HISTORY_LIMIT;
use super::ordering::{Candidate, MovePicker, Place};
use super::parameters::{
    FUTILITY_BASE, FUTILITY_DEPTH, FUTILITY_MARGIN, REDUCTION_BASE, REDUCTION_DEPTH, REDUCTION_DIVISOR,
    REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_MARGIN, UNKNOWN_DEPTH,
};
use super::table::{Bound, Entry};
use super::worker::{NO_ANCHOR, Search};

/// Reductions by depth and by number of moves tried before, in plies.
static REDUCTIONS: LazyLock<[[u8; 16]; 64]> = LazyLock::new(|| {
    let mut table = [[0; 16]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (tried, reduction) in row.iter_mut().enumerate().skip(1) {
            let logarithms = (depth as f64).ln() * (tried as f64).ln();
            *reduction = (REDUCTION_BASE + logarithms / REDUCTION_DIVISOR) as u8;
        }
    }
    table
});

/// The score of a finished game at this distance from the root.
#[inline(always)]
pub(super) fn final_score<R: Rules>(board: &Board<R>, ply: usize) -> Option<Score> {
    if !board.is_over() {
        return None;
    }
    // After an atsyrau the opponent gets what is left; in a decided game that changes nothing.
    let mover = if board.opponent().kazan() > R::HALF { 0 } else { board.mover().kazan() };
    Some(match mover.cmp(&R::HALF) {
        std::cmp::Ordering::Greater => Score::win_in(ply),
        std::cmp::Ordering::Equal => Score::DRAW,
        std::cmp::Ordering::Less => Score::loss_in(ply),
    })
}

/// The scores between which the value of an unfinished position lies, by the stones left and the plies to any end.
#[inline(always)]
pub(super) fn score_limits<R: Rules>(board: &Board<R>, ply: usize) -> (Score, Score) {
    let least = if board.mover().kazan() == R::HALF { Score::DRAW } else { Score::loss_in(ply + 1) };
    let greatest = if board.opponent().kazan() == R::HALF { Score::DRAW } else { Score::win_in(ply + 1) };
    (least, greatest)
}

pub(super) const fn side_index<R: Rules>(position: &Position<R>) -> usize {
    match position.turn() {
        Side::South => 0,
        Side::North => 1,
    }
}

/// The bounds and the depth a node is searched with.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// Plies still to search.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
}

/// Whether the static evaluation is so far above the window that the opponent will hardly make up for it in the
/// plies left (reverse futility pruning).
#[inline(always)]
fn is_reverse_futile(estimate: Score, window: Window) -> bool {
    let Window { beta, depth, .. } = window;
    depth <= REVERSE_FUTILITY_DEPTH
        && !beta.is_decided()
        && estimate - REVERSE_FUTILITY_MARGIN * depth >= beta
}

/// What a quiet move may reach at best in the plies left, if that is below the window, so that only captures need be
/// tried (futility pruning; Heinz, "Extended futility pruning", 1998).
#[inline(always)]
fn futility_ceiling(estimate: Score, window: Window) -> Option<Score> {
    let Window { alpha, depth, .. } = window;
    let ceiling = estimate + FUTILITY_BASE + FUTILITY_MARGIN * depth;
    if depth <= FUTILITY_DEPTH && ceiling <= alpha { Some(ceiling) } else { None }
}

impl<E: Evaluate> Search<'_, E> {
    /// The value of a position, exact within the window, otherwise a bound beyond it.
    ///
    /// `PV`: on the principal variation, where the window is open and the line is wanted.
    pub(super) fn alpha_beta<R: Rules, const PV: bool>(
        &mut self,
        position: &Position<R>,
        window: Window,
    ) -> Score {
        let Window { alpha, beta, depth, ply } = window;
        let board = position.board();
        if PV {
            self.worker.lines[ply].clear();
        }
        if depth <= 0 && self.env.selectivity.quiescence {
            if let Some(anchor) = self.repeated(position) {
                return self.repetition(anchor);
            }
            return self.quiescence::<R, PV>(position, window);
        }
        self.count_node(ply);
        if self.aborted {
            return Score::DRAW;
        }
        if let Some(score) = final_score(board, ply) {
            return score;
        }
        if let Some(anchor) = self.repeated(position) {
            return self.repetition(anchor);
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.env.evaluation.evaluate(board);
        }
        let (least, greatest) = score_limits(board, ply);
        // On the principal variation a child that is worth just the least still extends the line.
        let (alpha, beta) = (alpha.max(if PV { least - 1 } else { least }), beta.min(greatest));
        if alpha >= beta {
            return alpha;
        }

        let key = self.table_key(position);
        let entry = self.env.table.and_then(|table| table.probe(key, ply));
        if let (false, Some(entry)) = (PV, entry)
            && self.settles(entry, Window { alpha, beta, depth, ply })
        {
            return entry.score;
        }

        let table_move = entry.and_then(|entry| entry.best);
        // A node that no earlier iteration thought worth a move is not worth the whole depth either (internal
        // iterative reduction; Schröder, "Internal iterative reductions", 2020).
        let reduced = self.env.selectivity.reductions && depth >= UNKNOWN_DEPTH && table_move.is_none();
        let depth = depth - i32::from(reduced);
        let window = Window { alpha, beta, depth, ply };
        let mut ceiling = None;
        if !PV && self.env.selectivity.pruning {
            let estimate = self.env.evaluation.evaluate(board);
            if is_reverse_futile(estimate, window) {
                return estimate;
            }
            ceiling = futility_ceiling(estimate, window);
        }
        self.search_moves::<R, PV>(position, window, table_move, ceiling)
    }

    /// Whether what the table knows is as good as a search.
    #[inline(always)]
    fn settles(&self, entry: Entry, window: Window) -> bool {
        let Window { alpha, beta, depth, .. } = window;
        let deep_enough =
            if self.env.selectivity.deeper_entries { entry.depth >= depth } else { entry.depth == depth };
        deep_enough
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            }
    }

    #[inline(always)]
    pub(super) fn table_key<R: Rules>(&self, position: &Position<R>) -> u64 {
        position.key() ^ self.env.selectivity.salt()
    }

    /// Tries the moves of a node in order and remembers the result.
    fn search_moves<R: Rules, const PV: bool>(
        &mut self,
        position: &Position<R>,
        window: Window,
        table_move: Option<Pit>,
        ceiling: Option<Score>,
    ) -> Score {
        let Window { mut alpha, beta, depth, ply } = window;
        let place = Place { side: side_index(position), ply, depth };
        let mut picker = MovePicker::new(position.board(), table_move, place);
        let index = self.worker.keys.len();
        let outer_anchor = self.anchor;
        let mut anchor = NO_ANCHOR;
        let mut best_score = -Score::INFINITE;
        let mut best = None;
        let mut tried_quiets = [None; crate::game::MAX_PITS];

        let mut tried = 0;
        while let Some(candidate) = picker.next(position.board(), &self.worker.history) {
            // A loss is claimed only when every move has been tried.
            if let (Some(ceiling), true) =
                (ceiling, candidate.is_quiet() && tried > 0 && !best_score.is_loss())
            {
                best_score = best_score.max(ceiling);
                tried += 1;
                continue;
            }
            let (child, effect) = position.play(candidate.pit());
            self.anchor = NO_ANCHOR;
            let before = self.enter(position.key(), effect);
            let score = self.search_child::<R, PV>(&child, candidate, tried, Window { alpha, ..window });
            self.leave(before);
            if self.aborted {
                return Score::DRAW;
            }
            anchor = anchor.min(self.anchor);
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best = Some(candidate.pit());
                    if PV {
                        self.extend_line(ply, candidate.pit());
                    }
                    if score >= beta {
                        // Only the refutation matters, whatever the other moves depended on.
                        anchor = self.anchor;
                        self.reward(position, candidate, &tried_quiets, depth, ply);
                        break;
                    }
                    alpha = score;
                }
            }
            if candidate.is_quiet() {
                tried_quiets[tried] = Some(candidate.pit());
            }
            tried += 1;
        }

        // A value that rests on a repetition of a position above this node holds only in this line, so that it
        // must not reach others by way of the table.
        let depends_on_line = anchor < index;
        self.anchor = outer_anchor.min(if depends_on_line { anchor } else { NO_ANCHOR });
        if let (false, Some(table)) = (depends_on_line, self.env.table) {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if PV && best.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            table.store(self.table_key(position), ply, Entry { best, bound, depth, score: best_score });
        }
        best_score
    }

    /// The value of the position after a move, for the side that moved: the first move with the whole window, the
    /// others with an empty one and perhaps a reduced depth, again in full when they turn out better.
    pub(super) fn search_child<R: Rules, const PV: bool>(
        &mut self,
        child: &Position<R>,
        candidate: Candidate,
        tried: usize,
        window: Window,
    ) -> Score {
        let Window { alpha, beta, depth, ply } = window;
        let full = Window { alpha: -beta, beta: -alpha, depth: depth - 1, ply: ply + 1 };
        if tried == 0 {
            return -self.alpha_beta::<R, PV>(child, full);
        }
        if PV {
            // The searches with an empty window leave no line.
            self.worker.lines[ply + 1].clear();
        }
        let empty = Window { alpha: -alpha - 1, ..full };
        let reduction = self.reduction::<PV>(candidate, tried, depth);
        let mut score = -self.alpha_beta::<R, false>(child, Window { depth: depth - 1 - reduction, ..empty });
        if score > alpha && reduction > 0 {
            score = -self.alpha_beta::<R, false>(child, empty);
        }
        if PV && score > alpha && score < beta {
            score = -self.alpha_beta::<R, true>(child, full);
        }
        score
    }

    #[inline(always)]
    fn reduction<const PV: bool>(&self, candidate: Candidate, tried: usize, depth: i32) -> i32 {
        if !self.env.selectivity.reductions || depth < REDUCTION_DEPTH {
            return 0;
        }
        let mut reduction = i32::from(REDUCTIONS[depth.min(63) as usize][tried]);
        if !candidate.is_quiet() {
            reduction /= 2;
        }
        if PV {
            reduction -= 1;
        }
        reduction.clamp(0, depth - 2)
    }

    /// Teaches the history that a move refuted the one before, and that the quiet moves before it did not.
    fn reward<R: Rules>(
        &mut self,
        position: &Position<R>,
        candidate: Candidate,
        tried_quiets: &[Option<Pit>],
        depth: i32,
        ply: usize,
    ) {
        if !candidate.is_quiet() {
            return;
        }
        let side = side_index(position);
        let bonus = (depth * depth * 4).min(HISTORY_LIMIT / 4);
        let stones = |pit| position.board().mover().stones(pit);
        self.worker.history.add_killer(ply, candidate.pit());
        self.worker.history.update(side, candidate.pit(), stones(candidate.pit()), bonus);
        for &pit in tried_quiets.iter().flatten() {
            self.worker.history.update(side, pit, stones(pit), -bonus);
        }
    }

    pub(super) fn extend_line(&mut self, ply: usize, pit: Pit) {
        let (this, rest) = self.worker.lines.split_at_mut(ply + 1);
        this[ply].set(pit, &rest[0]);
    }

    fn repetition(&mut self, anchor: usize) -> Score {
        self.anchor = self.anchor.min(anchor);
        Score::DRAW
    }
}
