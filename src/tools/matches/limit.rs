//! How long the players may think: the limit of a match, and what is left of it at one move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::game::Side;
use crate::search::{Clock, Limits};
use crate::text::quoted;

/// The limit of every move of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A clock for each player.
    Clock(TimeControl),
    /// A time for each move.
    MoveTime(Duration),
    /// Positions for each move.
    Nodes(u64),
    /// Plies for each move.
    Depth(u32),
}

impl Limit {
    /// Whether players can lose on time.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        matches!(self, Limit::Clock(_) | Limit::MoveTime(_))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Clock(control) => write!(f, "tc {control}"),
            Limit::MoveTime(time) => write!(f, "movetime {}", time.as_millis()),
            Limit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// A clock's time, written `[moves/]base[+increment]` in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// After so many moves of a player the base is added again; `None` when it must do for the game.
    pub moves: Option<u32>,
    /// The time at the start.
    pub base: Duration,
    /// What is added after each move.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time control ([moves/]base[+increment] in seconds, such as 8+0.08 or 40/60)")]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let parse = || {
            let (moves, time) = match text.split_once('/') {
                Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), time),
                None => (None, text),
            };
            let (base, increment) = match time.split_once('+') {
                Some((base, increment)) => (seconds(base)?, seconds(increment)?),
                None => (seconds(time)?, Duration::ZERO),
            };
            (!base.is_zero()).then_some(TimeControl { moves, base, increment })
        };
        parse().ok_or_else(|| TimeControlError(quoted(text)))
    }
}

/// Whole milliseconds: the protocol knows no shorter time.
fn seconds(text: &str) -> Option<Duration> {
    const LONGEST: f64 = 1e6;
    let seconds: f64 = text.parse().ok()?;
    (0.0..=LONGEST).contains(&seconds).then(|| Duration::from_millis((seconds * 1000.0).round() as u64))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// What a player may use for one move; as text, the words after `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// The clocks of South and North.
    Clocks {
        /// What is left.
        remaining: [Duration; 2],
        /// What each move adds.
        increment: Duration,
        /// Moves of the side to move until more time comes.
        moves_to_go: Option<u32>,
    },
    /// A time for the move.
    MoveTime(Duration),
    /// Positions.
    Nodes(u64),
    /// Plies.
    Depth(u32),
}

impl Budget {
    /// The time that the side to move has; `None` when it may take any.
    #[must_use]
    pub fn time(&self, turn: Side) -> Option<Duration> {
        match *self {
            Budget::Clocks { remaining, .. } => Some(remaining[turn as usize]),
            Budget::MoveTime(time) => Some(time),
            Budget::Nodes(_) | Budget::Depth(_) => None,
        }
    }

    /// The same as the limits of a search by the side to move.
    #[must_use]
    pub fn limits(&self, turn: Side) -> Limits {
        let limits = Limits::default();
        match *self {
            Budget::Clocks { remaining, increment, moves_to_go } => {
                let clock = Clock { remaining: remaining[turn as usize], increment, moves_to_go };
                Limits { clock: Some(clock), ..limits }
            }
            Budget::MoveTime(time) => Limits { movetime: Some(time), ..limits },
            Budget::Nodes(nodes) => Limits { nodes: Some(nodes), ..limits },
            Budget::Depth(depth) => Limits { depth: Some(depth), ..limits },
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Clocks { remaining: [white, black], increment, moves_to_go } => {
                let (white, black, increment) = (white.as_millis(), black.as_millis(), increment.as_millis());
                write!(f, "wtime {white} btime {black} winc {increment} binc {increment}")?;
                moves_to_go.map_or(Ok(()), |moves| write!(f, " movestogo {moves}"))
            }
            Budget::MoveTime(time) => write!(f, "movetime {}", time.as_millis()),
            Budget::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Budget::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// The clocks of one game under the limit of the match.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    limit: Limit,
    remaining: [Duration; 2],
    /// Moves that each side has made.
    moves: [u32; 2],
}

impl Clocks {
    pub(super) fn new(limit: Limit) -> Clocks {
        let base = if let Limit::Clock(control) = limit { control.base } else { Duration::ZERO };
        Clocks { limit, remaining: [base; 2], moves: [0; 2] }
    }

    pub(super) fn budget(&self, turn: Side) -> Budget {
        match self.limit {
            Limit::Clock(control) => Budget::Clocks {
                remaining: self.remaining,
                increment: control.increment,
                moves_to_go: control.moves.map(|moves| moves - self.moves[turn as usize] % moves),
            },
            Limit::MoveTime(time) => Budget::MoveTime(time),
            Limit::Nodes(nodes) => Budget::Nodes(nodes),
            Limit::Depth(depth) => Budget::Depth(depth),
        }
    }

    /// Takes the time of a move off the clock of its player, and adds what the move earns.
    pub(super) fn moved(&mut self, turn: Side, elapsed: Duration) {
        let Limit::Clock(control) = self.limit else { return };
        let side = turn as usize;
        self.moves[side] += 1;
        self.remaining[side] = self.remaining[side].saturating_sub(elapsed) + control.increment;
        if control.moves.is_some_and(|moves| self.moves[side].is_multiple_of(moves)) {
            self.remaining[side] += control.base;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn time_controls_are_read_and_written() {
        let read = |text: &str| text.parse::<TimeControl>();
        let expected = TimeControl { moves: None, base: ms(8_000), increment: ms(80) };
        assert_eq!(read("8+0.08"), Ok(expected));
        assert_eq!(read("40/1.5"), Ok(TimeControl { moves: Some(40), base: ms(1_500), increment: ms(0) }));
        for text in ["8+0.08", "40/1.5", "0.25", "3/1+2"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        for text in
            ["", "x", "0", "-1", "1+", "1+-1", "/5", "0/5", "5/", "1e9", "inf", "NaN", "1+1+1", "0.0001"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_loses_the_time_of_a_move_and_gains_what_it_earns() {
        let control = TimeControl { moves: Some(2), base: ms(1_000), increment: ms(10) };
        let mut clocks = Clocks::new(Limit::Clock(control));
        assert_eq!(
            clocks.budget(Side::South).to_string(),
            "wtime 1000 btime 1000 winc 10 binc 10 movestogo 2"
        );
        clocks.moved(Side::South, ms(300));
        assert_eq!(
            clocks.budget(Side::North).to_string(),
            "wtime 710 btime 1000 winc 10 binc 10 movestogo 2"
        );
        clocks.moved(Side::North, ms(2_000));
        assert_eq!(clocks.budget(Side::South).to_string(), "wtime 710 btime 10 winc 10 binc 10 movestogo 1");
        clocks.moved(Side::South, ms(110));
        assert_eq!(clocks.budget(Side::South).time(Side::South), Some(ms(1_610)));
        assert_eq!(clocks.budget(Side::South).limits(Side::South).clock.unwrap().moves_to_go, Some(2));
    }
}
