//! What of the tree is searched less deep, deeper, or not at all.

use crate::eval::{Evaluate, Score};
use crate::game::{Board, Position, Rules};

use super::alpha_beta::{Node, Window, side_index};
use super::history::{HISTORY_LIMIT, Sowing};
use super::ordering::{Candidate, captures};
use super::table::{Bound, Entry};
use super::worker::{NO_ANCHOR, Search};

/// Natural logarithms of 0 (as of 1) to 63, in 1024ths.
const LOGARITHMS: [i32; 64] = [
    0, 0, 710, 1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773, 2839, 2901,
    2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516, 3549, 3580, 3611,
    3641, 3670, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3921, 3943, 3964, 3985, 4006, 4026,
    4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243,
];

/// Which quiet moves of a node are not tried.
pub(super) struct QuietSkips {
    /// What a quiet move may reach at best, when that is below the window: none is tried after the first move then.
    futile: Option<Score>,
    /// None is tried after this many moves.
    after: usize,
}

impl QuietSkips {
    /// What a quiet move that comes after so many others counts for without being tried, if it is not to be tried.
    #[inline(always)]
    pub(super) fn ceiling(&self, tried: usize) -> Option<Score> {
        self.futile.or(if tried >= self.after { Some(-Score::MAX_STATIC) } else { None })
    }
}

/// What the search without the table's move says of that move.
pub(super) enum Singular {
    /// To be searched deeper by so many plies.
    Extend(i32),
    /// There are several moves as good as the window asks: the node is cut off.
    Cut(Score),
}

impl<E: Evaluate> Search<'_, E> {
    /// Whether a leaf is too restless for the quiescence search, so that all its moves are tried once.
    #[inline(always)]
    pub(super) fn is_restless<R: Rules>(&mut self, board: &Board<R>, ply: usize) -> bool {
        let parameters = &self.env.parameters;
        if parameters.quiescence_escapes() == 0 && parameters.quiescence_stones() == 0 {
            return false;
        }
        let restless = self.env.selectivity.pruning
            && ply > 0
            && !self.worker.frames[ply - 1].prolonged
            && (board.stones_left() as i32 <= parameters.quiescence_stones()
                || parameters.quiescence_escapes() > 0 && !board.threatened_tuzdyqs().is_empty());
        self.worker.frames[ply].prolonged = restless;
        restless
    }

    /// Cuts a node off without trying all its moves, when that seems safe; never with a proven win or loss that is
    /// none.
    pub(super) fn prune_node<R: Rules>(&mut self, position: &Position<R>, node: &Node) -> Option<Score> {
        if node.window.beta.is_decided() || node.window.alpha.is_decided() {
            return None;
        }
        if self.is_reverse_futile(node) {
            return Some(node.estimate);
        }
        self.razor(position, node)
            .or_else(|| self.try_null_move(position, node))
            .or_else(|| self.try_probcut(position, node))
    }

    /// Whether the static evaluation is so far above the window that the opponent will hardly make up for it in the
    /// plies left (reverse futility pruning).
    #[inline(always)]
    fn is_reverse_futile(&self, node: &Node) -> bool {
        let (parameters, Window { beta, depth, .. }) = (&self.env.parameters, node.window);
        let improving = if node.improving { parameters.reverse_futility_improving() } else { 0 };
        depth <= parameters.reverse_futility_depth()
            && node.estimate - parameters.reverse_futility_margin() * depth + improving >= beta
    }

    /// Leaves a node to the quiescence search whose static evaluation is far below the window (razoring).
    fn razor<R: Rules>(&mut self, position: &Position<R>, node: &Node) -> Option<Score> {
        let (parameters, Window { alpha, depth, .. }) = (&self.env.parameters, node.window);
        if depth > parameters.razoring_depth()
            || node.estimate + parameters.razoring_base() + parameters.razoring_margin() * depth > alpha
        {
            return None;
        }
        let score = self.quiescence::<R, false>(position, Window { beta: alpha + 1, ..node.window });
        if score <= alpha || self.aborted { Some(score) } else { None }
    }

    /// Cuts a node off that stays above the window although the mover passes (Donninger, "Null move and deep
    /// search", 1993).
    fn try_null_move<R: Rules>(&mut self, position: &Position<R>, node: &Node) -> Option<Score> {
        let (parameters, Window { beta, depth, ply, .. }) = (&self.env.parameters, node.window);
        if depth < parameters.null_move_depth()
            || node.estimate < beta + parameters.null_move_margin()
            || (position.board().stones_left() as i32) < parameters.null_move_stones()
            || self.worker.frames[ply].no_null
            || self.previous(ply) == Sowing::NONE
        {
            return None;
        }
        let reduction = (parameters.null_move_base() + parameters.null_move_slope() * depth) / 100;
        let (verification, outer) = (parameters.null_move_verification(), self.anchor);
        let child = position.pass();
        self.worker.frames[ply].sowing = Sowing::NONE;
        let before = self.enter(position.key(), true);
        let window =
            Window { alpha: -beta, beta: -beta + 1, depth: depth - reduction, ply: ply + 1, cut: false };
        let score = -self.alpha_beta::<R, false>(&child, window);
        self.leave(before);
        if self.aborted {
            return Some(Score::DRAW);
        }
        if score < beta {
            self.anchor = outer;
            return None;
        }
        if depth < verification {
            return Some(beta);
        }
        self.worker.frames[ply].no_null = true;
        let window = Window { alpha: beta - 1, beta, depth: depth - reduction, ..node.window };
        let score = self.alpha_beta::<R, false>(position, window);
        self.worker.frames[ply].no_null = false;
        if score >= beta || self.aborted {
            return Some(score);
        }
        self.anchor = outer;
        None
    }

    /// Cuts a node off where a capture is good enough by a margin in a less deep search (Buro, "ProbCut: an effective
    /// selective extension of the alpha-beta algorithm", 1995).
    fn try_probcut<R: Rules>(&mut self, position: &Position<R>, node: &Node) -> Option<Score> {
        let (parameters, Window { beta, depth, ply, .. }) = (&self.env.parameters, node.window);
        let bar = beta + parameters.probcut_margin();
        if depth < parameters.probcut_depth() || bar.is_decided() {
            return None;
        }
        let reduced = depth - parameters.probcut_reduction();
        if node
            .entry
            .is_some_and(|entry| entry.depth >= reduced && entry.score < bar && entry.bound != Bound::Lower)
        {
            return None;
        }
        let outer = self.anchor;
        for candidate in captures(position.board()) {
            let pit = candidate.pit();
            let (child, _) = position.play(pit);
            self.anchor = outer;
            self.worker.frames[ply].sowing = Sowing::of(position.board(), pit);
            let before = self.enter(position.key(), true);
            let window =
                Window { alpha: -bar, beta: -bar + 1, depth: 0, ply: ply + 1, cut: !node.window.cut };
            let mut score = -self.quiescence::<R, false>(&child, window);
            if score >= bar && reduced > 1 {
                score = -self.alpha_beta::<R, false>(&child, Window { depth: reduced - 1, ..window });
            }
            self.leave(before);
            if self.aborted {
                return Some(Score::DRAW);
            }
            if score >= bar {
                if let (Some(table), true) = (self.env.table, self.anchor == NO_ANCHOR) {
                    let entry = Entry { best: Some(pit), bound: Bound::Lower, depth: reduced, score };
                    table.store(self.table_key(position), ply, entry);
                }
                return Some(score);
            }
        }
        self.anchor = outer;
        None
    }

    /// Which quiet moves need not be tried: those that may not reach the window in the plies left (futility pruning;
    /// Heinz, "Extended futility pruning", 1998), and those that come late near the leaves.
    #[inline(always)]
    pub(super) fn quiet_skips<const PV: bool>(&self, node: &Node) -> QuietSkips {
        let (parameters, Window { alpha, depth, .. }) = (&self.env.parameters, node.window);
        if PV || !self.env.selectivity.pruning {
            return QuietSkips { futile: None, after: usize::MAX };
        }
        let ceiling = node.estimate + parameters.futility_base() + parameters.futility_margin() * depth;
        // The static evaluation says nothing of how a game that is decided goes on.
        let futile = depth <= parameters.futility_depth() && ceiling <= alpha && !alpha.is_win();
        let after = if depth <= parameters.lmp_depth() {
            let worsening = if node.improving { 0 } else { parameters.lmp_worsening() };
            ((parameters.lmp_base() + parameters.lmp_slope() * depth - worsening) / 100).max(1) as usize
        } else {
            usize::MAX
        };
        QuietSkips { futile: futile.then_some(ceiling), after }
    }

    /// By how many plies a move is searched less deep at first.
    #[inline(always)]
    pub(super) fn reduction<R: Rules, const PV: bool>(
        &self,
        position: &Position<R>,
        node: &Node,
        candidate: Candidate,
        tried: usize,
    ) -> i32 {
        let (parameters, Window { depth, ply, cut, .. }) = (&self.env.parameters, node.window);
        if !self.env.selectivity.reductions || depth < parameters.lmr_depth() {
            return 0;
        }
        let logarithms = (LOGARITHMS[depth.min(63) as usize] * LOGARITHMS[tried.min(63)]) >> 10;
        let mut reduction = parameters.lmr_base() + logarithms * 100 * 100 / 1024 / parameters.lmr_divisor();
        if candidate.is_quiet() {
            if parameters.lmr_history() != 0 {
                let sowing = Sowing::of(position.board(), candidate.pit());
                let (side, previous) = (side_index(position), self.previous(ply));
                let history = self.worker.history.quiet(side, previous, sowing, parameters);
                reduction -= history * parameters.lmr_history() / HISTORY_LIMIT;
            }
            if self.worker.history.killers(ply).contains(candidate.pit()) {
                reduction -= parameters.lmr_killer();
            }
        } else {
            reduction = reduction * parameters.lmr_capture_share() / 100 - parameters.lmr_capture();
        }
        if PV {
            reduction -= parameters.lmr_pv();
        }
        if !node.improving {
            reduction += parameters.lmr_worsening();
        }
        if cut {
            reduction += parameters.lmr_cut_node();
        }
        (reduction / 100).clamp(0, depth - 2)
    }

    /// How much deeper the table's move is searched because all others are clearly worse (Anantharaman, Campbell and
    /// Hsu, "Singular extensions: adding selectivity to brute-force searching", 1990; multi-cut after Björnsson and
    /// Marsland, "Multi-cut alpha-beta pruning", 1998).
    pub(super) fn try_singular<R: Rules, const PV: bool>(
        &mut self,
        position: &Position<R>,
        node: &Node,
    ) -> Singular {
        let (parameters, Window { beta, depth, ply, .. }) = (&self.env.parameters, node.window);
        let Some((entry, pit)) = node.entry.and_then(|entry| Some((entry, entry.best?))) else {
            return Singular::Extend(0);
        };
        if !self.env.selectivity.pruning
            || depth < parameters.singular_depth()
            || ply == 0
            || ply >= 2 * self.root_depth
            || self.worker.frames[ply].excluded.is_some()
            || entry.depth < depth - parameters.singular_table_depth()
            || entry.bound == Bound::Upper
            || entry.score.is_decided()
            || !position.moves().contains(pit)
        {
            return Singular::Extend(0);
        }
        let bar = entry.score - parameters.singular_margin() * depth / 100;
        let shallow = (depth - 1) * parameters.singular_share() / 100;
        let (double, multi_cut, negative) =
            (parameters.singular_double(), parameters.singular_multi_cut(), parameters.singular_negative());
        let outer = self.anchor;
        self.worker.frames[ply].excluded = Some(pit);
        let window = Window { alpha: bar - 1, beta: bar, depth: shallow, ..node.window };
        let score = self.alpha_beta::<R, false>(position, window);
        self.worker.frames[ply].excluded = None;
        if score < bar {
            self.anchor = outer;
            return Singular::Extend(if !PV && score < bar - double { 2 } else { 1 });
        }
        if !PV && multi_cut == 1 && bar >= beta && !bar.is_decided() {
            return Singular::Cut(bar);
        }
        self.anchor = outer;
        Singular::Extend(if entry.score >= beta { -negative } else { 0 })
    }

    /// How much deeper a move that makes a tuzdyq is searched.
    #[inline(always)]
    pub(super) fn tuzdyq_extension(&self, ply: usize) -> i32 {
        if self.env.selectivity.pruning && ply < 2 * self.root_depth {
            self.env.parameters.tuzdyq_extension()
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LOGARITHMS;

    #[test]
    fn logarithms_are_those_of_the_numbers() {
        for (number, &logarithm) in LOGARITHMS.iter().enumerate() {
            let exact = (number.max(1) as f64).ln() * 1024.0;
            assert!((f64::from(logarithm) - exact).abs() <= 0.5, "{number}: {logarithm}");
        }
    }
}
