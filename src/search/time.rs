//! How long to think.

use std::time::Duration;

use super::limits::{Clock, Limits};
use super::parameters::Parameters;

/// The time plan of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TimePlan {
    /// After this no new iteration begins.
    pub soft: Option<Duration>,
    /// After this the search stops wherever it is.
    pub hard: Option<Duration>,
}

/// Moves that the time left is planned for, at most, also when more are to go until the next control: the later ones
/// get their share of what is left then.
const EXPECTED_MOVES: u32 = 30;
/// The least that a search is given, however little is left: enough for the first iterations.
const LEAST: Duration = Duration::from_millis(1);

impl TimePlan {
    /// Plans a search. `overhead` is what a move costs outside the engine; it is kept back from the clock and from
    /// a fixed time for the move alike.
    #[must_use]
    pub fn new(limits: &Limits, overhead: Duration) -> TimePlan {
        let clock = limits.clock.map(|clock| TimePlan::for_clock(clock, overhead));
        let fixed = limits.movetime.map(|time| time.saturating_sub(overhead).max(LEAST));
        match (clock, fixed) {
            (Some(plan), Some(time)) => TimePlan {
                soft: plan.soft.map(|soft| soft.min(time)),
                hard: plan.hard.map(|hard| hard.min(time)),
            },
            (Some(plan), None) => plan,
            (None, time) => TimePlan { soft: None, hard: time },
        }
    }

    /// The plan with more time to begin new iterations, within the hard limit.
    #[must_use]
    pub fn extended(self, factor: f32) -> TimePlan {
        let soft = self.soft.map(|soft| soft.mul_f32(factor));
        TimePlan { soft: soft.map(|soft| self.hard.map_or(soft, |hard| soft.min(hard))), ..self }
    }

    fn for_clock(clock: Clock, overhead: Duration) -> TimePlan {
        let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        // The clock less one overhead is the most that can be used; with more moves to come, each costs its own.
        let usable = clock.remaining.saturating_sub(overhead);
        let spread = clock.remaining.saturating_sub(overhead.saturating_mul(moves)) / moves;
        // The increment is earned only after the move, so it counts only as far as the clock covers it.
        let target = spread.max(usable / (4 * moves)) + clock.increment.mul_f32(0.75);
        let most = if moves == 1 { usable.mul_f32(0.9) } else { usable.mul_f32(0.4) };
        TimePlan {
            soft: Some(target.min(most).mul_f32(0.6).max(LEAST)),
            hard: Some(target.saturating_mul(3).min(most).max(LEAST)),
        }
    }
}

/// What the iterations so far say of whether more thinking may change the move.
pub(super) struct Doubts {
    /// How often the best move changed lately; halved with each iteration.
    pub(super) best_changes: f32,
    /// The best move's share of all nodes: the others are easily refuted where it is large.
    pub(super) share: f32,
    /// Centistones that the last iteration took from the score.
    pub(super) drop: i32,
}

impl Doubts {
    /// How many times the soft limit to think.
    pub(super) fn factor(&self, parameters: &Parameters) -> f32 {
        let percent = |number: i32| number as f32 / 100.0;
        let changes =
            percent(parameters.time_base()) + percent(parameters.time_changes()) * self.best_changes.min(3.0);
        let share = 1.0 + percent(parameters.time_share()) * (0.6 - self.share);
        let drop = 1.0 + percent(parameters.time_drop()) * percent(self.drop.clamp(-100, 300));
        changes * share * drop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn plan(remaining: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64) -> (Duration, Duration) {
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let plan = TimePlan::new(&limits, ms(overhead));
        (plan.soft.unwrap(), plan.hard.unwrap())
    }

    #[test]
    fn never_more_than_the_clock_less_the_overhead() {
        for remaining in [0, 1, 5, 32, 50, 500, 3_000, 60_000, 86_400_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(1_000)] {
                    for overhead in [0, 10, 1_000] {
                        let (soft, hard) = plan(remaining, increment, moves_to_go, overhead);
                        assert!(soft <= hard);
                        assert!(hard <= ms(remaining.saturating_sub(overhead)).max(LEAST));
                    }
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_the_control_uses_a_good_part() {
        let (soft, hard) = plan(3_000, 0, Some(1), 10);
        assert!(soft >= ms(500) && hard < ms(2_990), "{soft:?} {hard:?}");
        let (_, hard) = plan(3_000, 0, Some(40), 10);
        assert!(hard <= ms(300), "{hard:?}");
    }

    #[test]
    fn a_fixed_time_keeps_the_overhead_back() {
        let limits = Limits { movetime: Some(ms(200)), ..Limits::default() };
        assert_eq!(TimePlan::new(&limits, ms(10)), TimePlan { soft: None, hard: Some(ms(190)) });
        assert_eq!(TimePlan::new(&limits, ms(1_000)), TimePlan { soft: None, hard: Some(LEAST) });
    }
}
