//! What the endgame tables say of a node.

use crate::endgame::Verdict;
use crate::eval::{Evaluate, Score};
use crate::game::{Board, PitSet, Position, Rules};

use super::alpha_beta::final_score;
use super::worker::Search;

/// What the tables know of a node, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing.
    Nothing,
    /// It is drawn.
    Draw,
    /// It is won by one side.
    Decided {
        /// Whether by the side to move.
        won: bool,
        /// Its score where there has been progress: a stone has reached a kazan on the way from the root.
        progress: Option<Score>,
    },
}

impl Known {
    /// The score of a node that need not be searched with this window.
    ///
    /// Where there has been no progress, a winner that were content with being so could go round for ever: such a node is
    /// searched on, unless the window asks no more than who wins. On the principal variation the search also looks how
    /// the game ends after the progress.
    #[inline(always)]
    pub(super) fn settled<const PV: bool>(self, alpha: Score, beta: Score) -> Option<Score> {
        match self {
            Known::Nothing => None,
            Known::Draw => Some(Score::DRAW),
            Known::Decided { progress: Some(score), .. } if !PV => Some(score),
            Known::Decided { won: true, .. } => Some(Score::LEAST_WIN).filter(|&least| least >= beta),
            Known::Decided { won: false, .. } => Some(-Score::LEAST_WIN).filter(|&most| most <= alpha),
        }
    }

    /// What the search of a node that was not settled comes to: not less than the progress made.
    #[inline(always)]
    pub(super) fn at_least_progress(self, score: Score) -> Score {
        match self {
            Known::Decided { won: true, progress: Some(progress) } => score.max(progress),
            Known::Decided { won: false, progress: Some(progress) } => score.min(progress),
            _ => score,
        }
    }

    /// The static evaluation of a node, moved to where its result belongs.
    #[inline(always)]
    pub(super) fn with_result(self, evaluation: Score) -> Score {
        match self {
            Known::Decided { progress: Some(score), .. } => score,
            Known::Decided { won: true, .. } => Score::won(evaluation),
            Known::Decided { won: false, .. } => -Score::won(-evaluation),
            Known::Draw | Known::Nothing => evaluation,
        }
    }

    /// The score of a position that has occurred before: a draw, unless the tables know better. A win is still one then,
    /// but no progress, so that any other way to win is better for the winner, and none for the loser.
    pub(super) fn repeated(self) -> Score {
        match self {
            Known::Decided { won: true, .. } => Score::LEAST_WIN,
            Known::Decided { won: false, .. } => -Score::LEAST_WIN,
            Known::Draw | Known::Nothing => Score::DRAW,
        }
    }
}

impl<E: Evaluate> Search<'_, E> {
    /// What the tables know of a node.
    #[inline(always)]
    pub(super) fn known<R: Rules>(&mut self, board: &Board<R>, ply: usize) -> Known {
        let Some(endgames) = self.env.endgames else { return Known::Nothing };
        let stones = board.stones_left();
        if stones > self.most_known {
            return Known::Nothing;
        }
        let Some(bounds) = endgames.probe(board) else { return Known::Nothing };
        self.table_hits += 1;
        let won = match Verdict::of(board, bounds) {
            Verdict::Win => true,
            Verdict::Loss => false,
            Verdict::Draw => return Known::Draw,
            Verdict::Unresolved => return Known::Nothing,
        };
        let win = Score::known_win_in(ply);
        let progress = (stones < self.root_stones).then_some(if won { win } else { -win });
        Known::Decided { won, progress }
    }

    /// The moves that keep the result which the tables know the root to have: all, where they do not know it.
    pub(super) fn keep_result<R: Rules>(&self, position: &Position<R>, moves: PitSet) -> PitSet {
        let verdict_of = |board: &Board<R>| {
            Some(match final_score(board, 0) {
                Some(score) if score.is_win() => Verdict::Win,
                Some(score) if score.is_loss() => Verdict::Loss,
                Some(_) => Verdict::Draw,
                None => Verdict::of(board, self.env.endgames?.probe(board)?),
            })
        };
        // What is a loss for the next mover is best, then a draw; nothing can be said where one is not known.
        let rank = |pit| match verdict_of(position.play(pit).0.board())? {
            Verdict::Loss => Some(2),
            Verdict::Draw => Some(1),
            Verdict::Win => Some(0),
            Verdict::Unresolved => None,
        };
        let ranks: Option<Vec<_>> = moves.map(|pit| Some((pit, rank(pit)?))).collect();
        let Some(ranks) = ranks else { return moves };
        let best = ranks.iter().map(|&(_, rank)| rank).max();
        ranks.into_iter().filter(|&(_, rank)| Some(rank) == best).map(|(pit, _)| pit).collect()
    }
}
