//! Captures at the end of a line, until the position is quiet enough for the static evaluation.

use crate::eval::{Evaluate, Score};
use crate::game::{Position, Rules};

use super::MAX_PLY;
use super::alpha_beta::{Window, final_score};
use super::ordering::captures;
use super::table::{Bound, Entry};
use super::worker::Search;

impl<E: Evaluate> Search<'_, E> {
    /// The value of a position when the side to move may capture or leave it at that.
    ///
    /// Every move here is a capture, so that no position can repeat, and a loss is never claimed unless the game is
    /// over or the endgame tables know it: the side to move can always leave it at the static evaluation.
    pub(super) fn quiescence<R: Rules, const PV: bool>(
        &mut self,
        position: &Position<R>,
        window: Window,
    ) -> Score {
        let Window { mut alpha, beta, ply, .. } = window;
        let board = position.board();
        self.count_node(ply);
        if self.aborted {
            return Score::DRAW;
        }
        if PV {
            self.worker.lines[ply].clear();
        }
        if let Some(score) = final_score(board, ply) {
            return score;
        }
        let known = self.known(board, ply);
        if let Some(score) = known.settled::<PV>(alpha, beta) {
            return score;
        }
        let asks = !PV && self.env.parameters.quiescence_table() == 1;
        let key = self.table_key(position);
        if let (true, Some(table)) = (asks, self.env.table)
            && let Some(entry) = table.probe(key, ply)
            && self.settles(entry, Window { depth: 0, ..window })
        {
            return entry.score;
        }
        let evaluation = self.evaluate(position);
        let mut best = known.with_result(self.corrected(position, evaluation));
        if best >= beta || ply >= MAX_PLY {
            return best;
        }
        alpha = alpha.max(best);
        for candidate in captures(board) {
            let (child, _) = position.play(candidate.pit());
            let next = Window { alpha: -beta, beta: -alpha, ply: ply + 1, ..window };
            let score = -self.quiescence::<R, PV>(&child, next);
            if self.aborted {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    if PV {
                        self.extend_line(ply, candidate.pit());
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if let (true, Some(table)) = (asks, self.env.table) {
            let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
            table.store(key, ply, Entry { best: None, bound, depth: 0, score: best });
        }
        best
    }
}
