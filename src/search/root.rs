//! Iterative deepening at the root: aspiration windows, several lines, and the decision when to stop.

use crate::eval::{Evaluate, Score};
use crate::game::{Game, Pit, Position, Rules};

use super::alpha_beta::{Node, Window, side_index};
use super::history::Sowing;
use super::line::Line;
use super::ordering::{Candidate, MovePicker, Place};
use super::report::{Answer, Iteration};
use super::table::{Bound, Entry};
use super::time::Doubts;
use super::worker::{Environment, NO_ANCHOR, Search, Worker};

/// A move at the root with what the last iterations found of it.
struct RootMove {
    candidate: Candidate,
    /// In this iteration; below all others where the move is only known not to be the best.
    score: Score,
    /// What that score means.
    bound: Bound,
    /// In the last iteration.
    previous: Score,
    line: Line,
    /// The longest line looked at when the score was found, in plies.
    selective_depth: usize,
    /// Nodes spent on it in all iterations.
    nodes: u64,
}

impl RootMove {
    /// The move and the reply that is expected: what an answer is made of.
    fn head(&self) -> (Pit, Option<Pit>) {
        (self.candidate.pit(), self.line.iter().nth(1))
    }
}

/// Searches a game's current position as one of the threads of a search, and gives the answer of this thread.
///
/// All threads do the same and help each other through the table (Lazy SMP). Thread 0 decides when it is enough.
pub fn run<R: Rules, E: Evaluate>(
    game: &Game<R>,
    worker: &mut Worker,
    env: &Environment<'_, E>,
    thread: usize,
    report: &mut dyn FnMut(Iteration),
) -> Answer {
    let position = *game.position();
    let mut search = Search::new(worker, env, thread, game.repeatable_keys(), position.board().stones_left());
    let moves = search.root_moves(&position);
    let mut root = Root {
        position,
        moves,
        report,
        finished_depth: 0,
        best_changes: 0.0,
        score_before: Score::DRAW,
        told: None,
    };
    if !root.moves.is_empty() {
        root.deepen(&mut search);
    }
    search.publish_nodes();
    if thread == 0 {
        env.progress.expire();
    }
    root.answer(env)
}

impl<E: Evaluate> Search<'_, E> {
    /// The moves to consider, in the order of a first guess.
    fn root_moves<R: Rules>(&self, position: &Position<R>) -> Vec<RootMove> {
        if position.board().is_over() {
            return Vec::new();
        }
        let wanted = self.env.limits.searchmoves.and(position.moves());
        let wanted = if wanted.is_empty() { position.moves() } else { wanted };
        let keepers = self.keep_result(position, wanted);
        // More lines than that are for someone who wants to see the others, too.
        let filter = if keepers.count() >= self.env.lines { keepers } else { wanted };
        let place = Place { side: side_index(position), ply: 0, depth: 0, previous: Sowing::NONE };
        let mut picker = MovePicker::new(position.board(), None, place);
        std::iter::from_fn(|| picker.next(position.board(), &self.worker.history, &self.env.parameters))
            .filter(|candidate| filter.contains(candidate.pit()))
            .map(|candidate| RootMove {
                candidate,
                score: -Score::INFINITE,
                bound: Bound::Upper,
                previous: -Score::INFINITE,
                line: Line::EMPTY,
                selective_depth: 0,
                nodes: 0,
            })
            .collect()
    }

    fn root_child<R: Rules>(
        &mut self,
        position: &Position<R>,
        candidate: Candidate,
        tried: usize,
        window: Window,
    ) -> Score {
        let node = Node { window, entry: None, estimate: Score::DRAW, improving: true };
        let anchor = self.anchor;
        let score = self.try_move::<R, true>(position, &node, candidate, tried, 0);
        self.anchor = self.anchor.min(anchor);
        score
    }
}

struct Root<'r, R: Rules> {
    position: Position<R>,
    /// Best first; the first `env.lines` have exact scores after an iteration.
    moves: Vec<RootMove>,
    report: &'r mut dyn FnMut(Iteration),
    finished_depth: u32,
    /// How often the best move changed lately; halved with each iteration.
    best_changes: f32,
    /// The best score of the iteration before the last.
    score_before: Score,
    /// The head of the best line as last reported.
    told: Option<(Pit, Option<Pit>)>,
}

impl<R: Rules> Root<'_, R> {
    /// How many lines to find: not more than there are moves, of which there is at least one.
    fn line_count<E>(&self, env: &Environment<'_, E>) -> usize {
        env.lines.clamp(1, self.moves.len())
    }

    fn deepen<E: Evaluate>(&mut self, search: &mut Search<'_, E>) {
        let env = search.env;
        let lines = self.line_count(env);
        // Every other helper starts one ply deeper, so that the threads spread over two depths.
        let first = 1 + (search.thread as i32 % 2 * env.parameters.helper_offset()) as u32;
        for depth in first..=env.max_depth().max(first) {
            search.root_depth = depth as usize;
            let best_before = self.moves[0].candidate.pit();
            self.score_before = self.moves[0].score;
            for root_move in &mut self.moves {
                root_move.previous = root_move.score;
            }
            for line in 0..lines {
                search.selective_depth = 0;
                self.search_line(search, depth, line);
                if search.aborted {
                    self.tell_news(search, depth);
                    return;
                }
                self.moves[..=line].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            }
            self.finished_depth = depth;
            self.best_changes =
                self.best_changes / 2.0 + f32::from(best_before != self.moves[0].candidate.pit());
            for line in 0..lines {
                self.tell(search, depth, line);
            }
            if search.thread == 0 && self.is_enough(search, depth) {
                return;
            }
        }
    }

    /// Finds the best of the moves from `line` on and puts it at `line`.
    fn search_line<E: Evaluate>(&mut self, search: &mut Search<'_, E>, depth: u32, line: usize) {
        let guess = self.moves[line].previous;
        let parameters = &search.env.parameters;
        let mut width = parameters.aspiration_width();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= parameters.aspiration_depth() as u32 && !guess.is_decided() && guess > -Score::INFINITE {
            (alpha, beta) = (guess - width, guess + width);
        }
        loop {
            let score = self.search_moves(search, depth, line, alpha, beta);
            if search.aborted {
                return;
            }
            self.moves[line..].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            width = width * search.env.parameters.aspiration_growth() / 100;
            let open = width > 2_000 || score.is_decided();
            if score <= alpha {
                // The bound holds for the best of all moves, not only for the first.
                self.moves[line].score = score;
                self.tell(search, depth, line);
                alpha = if open { -Score::INFINITE } else { score - width };
            } else if score >= beta {
                self.tell(search, depth, line);
                beta = if open { Score::INFINITE } else { score + width };
            } else {
                return;
            }
        }
    }

    /// One pass over the moves from `first` on; moves that are not better than the best keep no score.
    fn search_moves<E: Evaluate>(
        &mut self,
        search: &mut Search<'_, E>,
        depth: u32,
        first: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let mut best = -Score::INFINITE;
        let mut window = Window { alpha, beta, depth: depth as i32, ply: 0, cut: false };
        search.anchor = NO_ANCHOR;
        for (tried, root_move) in self.moves[first..].iter_mut().enumerate() {
            let nodes_before = search.nodes;
            let score = search.root_child(&self.position, root_move.candidate, tried, window);
            root_move.nodes += search.nodes - nodes_before;
            if search.aborted {
                // What has been finished counts, once the best move of the last iteration is among it.
                self.moves[first..first + tried].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
                return best;
            }
            root_move.score = -Score::INFINITE;
            if tried == 0 || score > window.alpha {
                root_move.score = score;
                root_move.selective_depth = search.selective_depth;
                root_move.bound = if score >= beta {
                    Bound::Lower
                } else if score <= alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
                search.extend_line(0, root_move.candidate.pit());
                root_move.line = search.worker.lines[0];
            }
            best = best.max(score);
            window.alpha = window.alpha.max(score);
            if score >= beta {
                break;
            }
        }
        let is_exact = best > alpha && best < beta;
        let is_whole = first == 0 && search.env.limits.searchmoves.is_empty() && search.anchor == NO_ANCHOR;
        if let (true, Some(table)) = (is_exact && is_whole, search.env.table) {
            let best_move = self.moves.iter().max_by_key(|root_move| root_move.score);
            let best_move = best_move.map(|root_move| root_move.candidate.pit());
            let entry = Entry { best: best_move, bound: Bound::Exact, depth: depth as i32, score: best };
            table.store(search.table_key(&self.position), 0, entry);
        }
        best
    }

    /// Reports the best move of an interrupted iteration, if it has not been reported yet: the answer is always the
    /// head of the last line.
    fn tell_news<E: Evaluate>(&mut self, search: &Search<'_, E>, depth: u32) {
        let best = &self.moves[0];
        if best.score > -Score::INFINITE && self.told != Some(best.head()) {
            self.tell(search, depth, 0);
        }
    }

    fn tell<E: Evaluate>(&mut self, search: &Search<'_, E>, depth: u32, line: usize) {
        search.publish_nodes();
        let env = search.env;
        let root_move = &self.moves[line];
        if line == 0 {
            self.told = Some(root_move.head());
        }
        (self.report)(Iteration {
            depth,
            selective_depth: root_move.selective_depth.max(1) as u32,
            multipv: line + 1,
            score: root_move.score,
            bound: root_move.bound,
            nodes: env.progress.nodes(),
            table_hits: env.progress.table_hits(),
            time: (env.clock)(),
            fullness: env.table.map_or(0, super::Table::fullness),
            line: root_move.line.iter().collect(),
        });
    }

    /// Whether another iteration is not worth beginning.
    fn is_enough<E: Evaluate>(&self, search: &Search<'_, E>, depth: u32) -> bool {
        let env = search.env;
        if env.must_end() || env.limits.soft_nodes.is_some_and(|soft| env.progress.nodes() >= soft) {
            return true;
        }
        let best = self.moves[0].score;
        if let (Some(moves), Some(found @ 1..)) = (env.limits.mate, best.moves_to_end())
            && found.unsigned_abs() <= moves
        {
            return true;
        }
        // Twice as deep as the proven end, a shorter way to it will hardly be found.
        let lines = &self.moves[..self.line_count(env)];
        let proven = |it: &RootMove| it.score.plies_to_end().is_some_and(|plies| 2 * plies + 10 <= depth);
        if env.limits.depth.is_none() && lines.iter().all(proven) {
            return true;
        }
        let Some(soft) = env.time.soft else { return false };
        if env.control.is_pondering() {
            return false;
        }
        let settled = self.moves.len() == 1 || best.plies_to_end().is_some_and(|plies| plies <= depth);
        settled || (env.clock)() >= soft.mul_f32(self.doubts(search).factor(&env.parameters))
    }

    fn doubts<E: Evaluate>(&self, search: &Search<'_, E>) -> Doubts {
        let best = &self.moves[0];
        let drop = if best.score.is_decided() || self.score_before.is_decided() {
            0
        } else {
            (self.score_before - best.score.value()).value()
        };
        Doubts {
            best_changes: self.best_changes,
            share: best.nodes as f32 / search.nodes.max(1) as f32,
            drop,
        }
    }

    fn answer<E: Evaluate>(&self, env: &Environment<'_, E>) -> Answer {
        let Some(best) = self.moves.first() else {
            return Answer { time: (env.clock)(), ..Answer::default() };
        };
        let unknown = best.score == -Score::INFINITE;
        let (pit, ponder) = best.head();
        Answer {
            best: Some(pit),
            ponder,
            score: if unknown { env.evaluation.evaluate(self.position.board()) } else { best.score },
            depth: self.finished_depth,
            nodes: env.progress.nodes(),
            time: (env.clock)(),
        }
    }
}
