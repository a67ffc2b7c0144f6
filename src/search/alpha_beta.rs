//! The recursive search of one node: principal variation search (Marsland and Campbell, "Parallel search of strongly
//! ordered game trees", 1982).

use crate::eval::{Evaluate, Score};
use crate::game::{Board, MAX_PITS, Pit, Position, Rules, Side};

use super::MAX_PLY;
use super::busy::Claim;
use super::history::Sowing;
use super::ordering::{Candidate, MovePicker, Place};
use super::selective::Singular;
use super::table::{Bound, Entry};
use super::worker::{NO_ANCHOR, Search};

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
    /// Whether a cut-off is expected: an empty window, and the node before it is expected to need all its moves.
    pub(super) cut: bool,
}

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) window: Window,
    /// What the table knows.
    pub(super) entry: Option<Entry>,
    /// The static evaluation, bettered by what is known.
    pub(super) estimate: Score,
    /// Whether the static evaluation has grown since the mover's last turn.
    pub(super) improving: bool,
}

impl Node {
    pub(super) fn table_move(&self) -> Option<Pit> {
        self.entry.and_then(|entry| entry.best)
    }
}

/// How a move is to be searched, next to the window.
#[derive(Clone, Copy)]
struct Step {
    /// Moves tried before.
    tried: usize,
    /// Plies by which it is searched deeper.
    extension: i32,
    /// Plies by which the first try is less deep.
    reduction: i32,
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
        let Window { alpha, beta, mut depth, ply, .. } = window;
        let board = position.board();
        if PV {
            self.worker.lines[ply].clear();
        }
        if depth <= 0 && self.env.selectivity.quiescence {
            if let Some(anchor) = self.repeated(position) {
                return self.repetition(board, ply, anchor);
            }
            if !self.is_restless(board, ply) {
                return self.quiescence::<R, PV>(position, window);
            }
            depth = 1;
        }
        self.count_node(ply);
        if self.aborted {
            return Score::DRAW;
        }
        if let Some(score) = final_score(board, ply) {
            return score;
        }
        if let Some(anchor) = self.repeated(position) {
            return self.repetition(board, ply, anchor);
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.evaluate(position);
        }
        let known = self.known(board, ply);
        if let Some(score) = known.settled::<PV>(alpha, beta) {
            return score;
        }
        let (least, greatest) = score_limits(board, ply);
        // On the principal variation a child that is worth just the least still extends the line.
        let (alpha, beta) = (alpha.max(if PV { least - 1 } else { least }), beta.min(greatest));
        if alpha >= beta {
            return alpha;
        }
        let window = Window { alpha, beta, depth, ..window };

        let excluded = self.worker.frames[ply].excluded.is_some();
        let entry = self.env.table.and_then(|table| table.probe(self.table_key(position), ply));
        if let (false, false, Some(entry)) = (PV, excluded, entry)
            && self.settles(entry, window)
        {
            return entry.score;
        }
        let mut node = self.look::<R>(position, window, entry);
        if !PV
            && !excluded
            && self.env.selectivity.pruning
            && let Some(score) = self.prune_node(position, &node)
        {
            return score;
        }
        // A node that no earlier iteration thought worth a move is not worth the whole depth either (internal
        // iterative reduction; Schröder, "Internal iterative reductions", 2020).
        if self.env.selectivity.reductions
            && depth >= self.env.parameters.iir_depth()
            && node.table_move().is_none()
            && !excluded
        {
            node.window.depth -= 1;
        }
        let score = self.search_moves::<R, PV>(position, &node);
        if PV { known.at_least_progress(score) } else { score }
    }

    /// Evaluates a node, and remembers that for the nodes below it.
    #[inline(always)]
    fn look<R: Rules>(&mut self, position: &Position<R>, window: Window, entry: Option<Entry>) -> Node {
        let ply = window.ply;
        if !self.env.selectivity.pruning {
            return Node { window, entry, estimate: Score::DRAW, improving: false };
        }
        let evaluation = self.evaluate(position);
        let mut estimate = self.corrected(position, evaluation);
        self.worker.frames[ply].evaluation = evaluation;
        self.worker.frames[ply].estimate = estimate;
        let improving = ply >= 2 && estimate > self.worker.frames[ply - 2].estimate;
        if let (1, Some(entry)) = (self.env.parameters.table_estimate(), entry)
            && !entry.score.is_decided()
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score > estimate,
                Bound::Upper => entry.score < estimate,
            }
        {
            estimate = entry.score;
        }
        Node { window, entry, estimate, improving }
    }

    /// Whether what the table knows is as good as a search.
    #[inline(always)]
    pub(super) fn settles(&self, entry: Entry, window: Window) -> bool {
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
        position.key() ^ self.salt
    }

    /// The move before a node.
    #[inline(always)]
    pub(super) fn previous(&self, ply: usize) -> Sowing {
        if ply == 0 { Sowing::NONE } else { self.worker.frames[ply - 1].sowing }
    }

    /// Tries the moves of a node in order and remembers the result.
    fn search_moves<R: Rules, const PV: bool>(&mut self, position: &Position<R>, node: &Node) -> Score {
        let Window { mut alpha, beta, ply, depth, .. } = node.window;
        let (excluded, outer_anchor) = (self.worker.frames[ply].excluded, self.anchor);
        let singular = match self.try_singular::<R, PV>(position, node) {
            Singular::Cut(score) => return score,
            Singular::Extend(plies) => plies,
        };
        if self.aborted {
            return Score::DRAW;
        }
        let place = Place { side: side_index(position), ply, depth, previous: self.previous(ply) };
        let mut picker = MovePicker::new(position.board(), node.table_move(), place);
        let skips = self.quiet_skips::<PV>(node);
        let mut best = Best::default();
        let mut failed = Tried::default();
        let mut tried = 0;
        while let Some(candidate) = picker.next(position.board(), &self.worker.history, &self.env.parameters)
        {
            let pit = candidate.pit();
            if excluded == Some(pit) {
                continue;
            }
            // A loss is claimed only when every move has been tried.
            if candidate.is_quiet()
                && !candidate.is_put_off()
                && tried > 0
                && !best.score.is_loss()
                && let Some(ceiling) = skips.ceiling(tried)
            {
                best.score = best.score.max(ceiling);
                tried += 1;
                continue;
            }
            let claim = if tried > 0 { self.claim(position, pit, depth) } else { None };
            if claim.as_ref().is_some_and(Claim::is_taken) && !candidate.is_put_off() {
                picker.put_off(candidate);
                continue;
            }
            let extension = if Some(pit) == node.table_move() { singular } else { 0 };
            let window = Window { alpha, ..node.window };
            let score =
                self.try_move::<R, PV>(position, &Node { window, ..*node }, candidate, tried, extension);
            claim.inspect(Claim::end);
            if self.aborted {
                return Score::DRAW;
            }
            best.anchor = best.anchor.min(self.anchor);
            best.score = best.score.max(score);
            if score > alpha {
                best.pit = Some(pit);
                if PV {
                    self.extend_line(ply, pit);
                }
                if score >= beta {
                    // Only the refutation matters, whatever the other moves depended on.
                    best.anchor = self.anchor;
                    self.reward(position, candidate, &failed, place);
                    break;
                }
                alpha = score;
            }
            failed.add(candidate);
            tried += 1;
        }
        self.anchor = outer_anchor;
        if best.score == -Score::INFINITE {
            // The excluded move is the only one.
            return alpha;
        }
        self.remember::<R, PV>(position, node, best);
        best.score
    }

    /// The value of a move, for the side that makes it.
    #[inline(always)]
    pub(super) fn try_move<R: Rules, const PV: bool>(
        &mut self,
        position: &Position<R>,
        node: &Node,
        candidate: Candidate,
        tried: usize,
        mut extension: i32,
    ) -> Score {
        let (pit, ply) = (candidate.pit(), node.window.ply);
        let (child, effect) = position.play(pit);
        if let Some(table) = self.env.table {
            table.prefetch(self.table_key(&child));
        }
        if effect.tuzdyq {
            extension = extension.max(self.tuzdyq_extension(ply));
        }
        let reduction = if tried > 0 { self.reduction::<R, PV>(position, node, candidate, tried) } else { 0 };
        self.anchor = NO_ANCHOR;
        self.worker.frames[ply].sowing = Sowing::of(position.board(), pit);
        let before = self.enter(position.key(), effect.is_irreversible());
        let score = self.search_child::<R, PV>(&child, Step { tried, extension, reduction }, node.window);
        self.leave(before);
        score
    }

    /// Keeps the result of a node for other nodes, unless it holds only here.
    fn remember<R: Rules, const PV: bool>(&mut self, position: &Position<R>, node: &Node, best: Best) {
        let Window { beta, depth, ply, .. } = node.window;
        // A value that rests on a repetition of a position above this node holds only in this line, so that it
        // must not reach others by way of the table.
        let depends_on_line = best.anchor < self.worker.keys.len();
        if depends_on_line {
            self.anchor = self.anchor.min(best.anchor);
        }
        if self.worker.frames[ply].excluded.is_some() {
            return;
        }
        let bound = if best.score >= beta {
            Bound::Lower
        } else if PV && best.pit.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry { best: best.pit, bound, depth, score: best.score };
        if let (false, Some(table)) = (depends_on_line, self.env.table) {
            table.store(self.table_key(position), ply, entry);
        }
        self.learn_correction(position, entry, ply);
    }

    /// The value of the position after a move, for the side that moved: the first move with the whole window, the
    /// others with an empty one and perhaps a reduced depth, again in full when they turn out better.
    fn search_child<R: Rules, const PV: bool>(
        &mut self,
        child: &Position<R>,
        step: Step,
        window: Window,
    ) -> Score {
        let Window { alpha, beta, ply, cut, .. } = window;
        let Step { tried, extension, reduction } = step;
        let depth = window.depth - 1 + extension;
        let full = Window { alpha: -beta, beta: -alpha, depth, ply: ply + 1, cut: !PV && !cut };
        if tried == 0 {
            return -self.alpha_beta::<R, PV>(child, full);
        }
        if PV {
            // The searches with an empty window leave no line.
            self.worker.lines[ply + 1].clear();
        }
        let empty = Window { alpha: -alpha - 1, cut: true, ..full };
        let mut score = -self.alpha_beta::<R, false>(child, Window { depth: depth - reduction, ..empty });
        if score > alpha && reduction > 0 {
            score = -self.alpha_beta::<R, false>(child, Window { cut: !cut, ..empty });
        }
        if PV && score > alpha && score < beta {
            score = -self.alpha_beta::<R, true>(child, full);
        }
        score
    }

    /// Teaches the histories that a move refuted the one before, and that the moves tried before it did not.
    fn reward<R: Rules>(
        &mut self,
        position: &Position<R>,
        candidate: Candidate,
        failed: &Tried,
        place: Place,
    ) {
        let (parameters, depth) = (&self.env.parameters, place.depth);
        let bonus = (depth * depth * parameters.history_square() + depth * parameters.history_linear())
            .min(parameters.history_most());
        let Place { side, ply, previous, .. } = place;
        let sowing = |candidate: Candidate| Sowing::of(position.board(), candidate.pit());
        let history = &mut self.worker.history;
        if candidate.is_quiet() {
            history.add_refutation(ply, previous, candidate.pit());
            history.update_quiet(side, previous, sowing(candidate), bonus);
            for quiet in failed.iter().filter(|candidate| candidate.is_quiet()) {
                history.update_quiet(side, previous, sowing(quiet), -bonus);
            }
        } else {
            history.update_capture(sowing(candidate), bonus);
        }
        for capture in failed.iter().filter(|candidate| !candidate.is_quiet()) {
            history.update_capture(sowing(capture), -bonus);
        }
    }

    pub(super) fn extend_line(&mut self, ply: usize, pit: Pit) {
        let (this, rest) = self.worker.lines.split_at_mut(ply + 1);
        this[ply].set(pit, &rest[0]);
    }

    fn repetition<R: Rules>(&mut self, board: &Board<R>, ply: usize, anchor: usize) -> Score {
        self.anchor = self.anchor.min(anchor);
        // At the third occurrence the game is drawn, whoever is winning.
        let key = self.worker.keys[anchor];
        let mut before = self.worker.keys[..anchor].iter().rev().skip(1).step_by(2);
        if before.any(|&earlier| earlier == key) {
            return Score::DRAW;
        }
        self.known(board, ply).repeated()
    }
}

impl<'e, E: Evaluate> Search<'e, E> {
    /// Says to the other threads that this one searches a move, unless another one does so already.
    #[inline(always)]
    fn claim<R: Rules>(&self, position: &Position<R>, pit: Pit, depth: i32) -> Option<Claim<'e>> {
        let env = self.env;
        let busy = env.progress.busy.as_ref()?;
        (depth >= env.parameters.defer_depth()).then(|| busy.claim(position.key(), pit, depth))
    }
}

/// The best of the moves tried so far.
#[derive(Clone, Copy)]
struct Best {
    score: Score,
    /// The move, if it is better than what the window asks.
    pit: Option<Pit>,
    /// The least index in `worker.keys` that the score depends on by a repetition.
    anchor: usize,
}

impl Default for Best {
    fn default() -> Best {
        Best { score: -Score::INFINITE, pit: None, anchor: NO_ANCHOR }
    }
}

/// The moves that a node has tried in vain.
struct Tried {
    moves: [Candidate; MAX_PITS],
    len: usize,
}

impl Default for Tried {
    #[inline(always)]
    fn default() -> Tried {
        Tried { moves: [Candidate::NONE; MAX_PITS], len: 0 }
    }
}

impl Tried {
    #[inline(always)]
    fn add(&mut self, candidate: Candidate) {
        self.moves[self.len] = candidate;
        self.len += 1;
    }

    fn iter(&self) -> impl Iterator<Item = Candidate> {
        self.moves[..self.len].iter().copied()
    }
}
