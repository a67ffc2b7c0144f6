//! What a position is worth to the side to move, as the engine found it, and how that is told to people.

use crate::eval::{Score, Wdl};
use crate::game::{Outcome, Side};

use super::report::{Proven, Value, Verdict};

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    score: Score,
    /// Whether it is a proven draw; a proven win or loss is seen from the score.
    is_drawn: bool,
}

impl Worth {
    /// What a search found.
    #[must_use]
    pub const fn found(score: Score) -> Worth {
        Worth { score, is_drawn: false }
    }

    /// The same where the endgame tables know the result, for the side to move.
    #[must_use]
    pub fn known(self, verdict: Verdict) -> Worth {
        let score = match verdict {
            Verdict::Win => self.score.max(Score::LEAST_WIN),
            Verdict::Draw => Score::DRAW,
            Verdict::Loss => self.score.min(-Score::LEAST_WIN),
        };
        Worth { score, is_drawn: verdict == Verdict::Draw }
    }

    /// What the end of a game is worth to the side that would be to move.
    #[must_use]
    pub fn over(outcome: &Outcome, turn: Side) -> Worth {
        match outcome.winner() {
            None => Worth { score: Score::DRAW, is_drawn: true },
            Some(winner) if winner == turn => Worth::found(Score::win_in(0)),
            Some(_) => Worth::found(Score::loss_in(0)),
        }
    }

    /// The same for the other side, one ply earlier: what the move into this position is worth.
    #[must_use]
    pub fn of_move_into(self) -> Worth {
        Worth { score: Score::from_table((-self.score).to_table(0), 1), ..self }
    }

    /// The same for the other side, one ply later, where the best move leads to that position.
    #[must_use]
    pub fn after_best_move(self) -> Worth {
        Worth { score: Score::from_table((-self.score).to_table(1), 0), ..self }
    }

    /// The score, in which proven results of different length differ.
    #[must_use]
    pub const fn score(self) -> Score {
        self.score
    }

    /// The proven result.
    #[must_use]
    pub const fn verdict(self) -> Option<Verdict> {
        match self.score {
            score if score.is_win() => Some(Verdict::Win),
            score if score.is_loss() => Some(Verdict::Loss),
            _ if self.is_drawn => Some(Verdict::Draw),
            _ => None,
        }
    }

    /// The value as South sees it, where this is what it is worth to `side`. `left` is the share of the stones that
    /// are in the pits, which the chances depend on.
    #[must_use]
    pub fn value(self, side: Side, left: f64) -> Value {
        let verdict = self.verdict();
        let wdl = Wdl::new(self.score, left);
        // In thousandths of a point; a proven draw is worth half of one.
        let points = f64::from(2 * wdl.win + wdl.draw) / 2.0;
        let points = if verdict == Some(Verdict::Draw) { 500.0 } else { points };
        let score = f64::from(self.score.value());
        let (points, score) = match side {
            Side::South => (points, score),
            Side::North => (1000.0 - points, -score),
        };
        let proven = verdict.map(|verdict| match (verdict, side) {
            (Verdict::Draw, _) => Proven::Draw,
            (Verdict::Win, Side::South) | (Verdict::Loss, Side::North) => Proven::South,
            (Verdict::Win, Side::North) | (Verdict::Loss, Side::South) => Proven::North,
        });
        Value {
            // The sum with 0 makes no -0 of it.
            stones: proven.is_none().then_some(score / 100.0 + 0.0),
            chance: points / 1000.0,
            proven,
            moves: self.score.moves_to_end().map(i32::unsigned_abs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_as_south_sees_them() {
        let ahead = Worth::found(Score::centistones(250));
        let (south, north) = (ahead.value(Side::South, 0.5), ahead.value(Side::North, 0.5));
        assert_eq!(
            (south.stones, north.stones, south.proven, south.moves),
            (Some(2.5), Some(-2.5), None, None)
        );
        assert!(south.chance > 0.5 && (south.chance + north.chance - 1.0).abs() < 1e-9);
        let level = Worth::found(Score::DRAW).value(Side::North, 0.5);
        assert_eq!(serde_json::to_string(&level.stones).unwrap(), "0.0");
    }

    #[test]
    fn proven_results_have_no_stones() {
        let won = Worth::found(Score::win_in(5)).value(Side::North, 0.5);
        let expected = Value { stones: None, chance: 0.0, proven: Some(Proven::North), moves: Some(3) };
        assert_eq!(won, expected);
        let known = Worth::found(Score::centistones(40)).known(Verdict::Loss).value(Side::North, 0.5);
        let expected = Value { stones: None, chance: 1.0, proven: Some(Proven::South), moves: None };
        assert_eq!(known, expected);
        let drawn = Worth::found(Score::centistones(40)).known(Verdict::Draw).value(Side::South, 0.5);
        let expected = Value { stones: None, chance: 0.5, proven: Some(Proven::Draw), moves: None };
        assert_eq!(drawn, expected);
    }

    #[test]
    fn distances_are_counted_from_the_position_asked_of() {
        let lost = Worth::found(Score::loss_in(4));
        assert_eq!(lost.of_move_into().score(), Score::win_in(5));
        assert_eq!(lost.after_best_move().score(), Score::win_in(3));
        let even = Worth::found(Score::centistones(7));
        assert_eq!(even.of_move_into(), Worth::found(Score::centistones(-7)));
        let known = Worth::found(-Score::known_win_in(2));
        assert_eq!(known.of_move_into().score(), Score::known_win_in(3));
    }

    #[test]
    fn the_end_of_a_game_is_proven() {
        let outcome = |south, north| Outcome { south, north, atsyrau: true };
        let verdict = |outcome: Outcome, turn| Worth::over(&outcome, turn).verdict();
        assert_eq!(verdict(outcome(90, 72), Side::South), Some(Verdict::Win));
        assert_eq!(verdict(outcome(90, 72), Side::North), Some(Verdict::Loss));
        assert_eq!(verdict(outcome(81, 81), Side::North), Some(Verdict::Draw));
    }
}
