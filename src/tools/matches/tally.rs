//! The running totals of a match.

use std::collections::HashMap;

use super::player::Fault;
use super::record::{End, Record, Usage};
use super::statistics::Pentanomial;

/// What the games of a match add up to, from engine 1's view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won by engine 1.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost by engine 1.
    pub losses: u32,
    /// The pairs of which both games are done.
    pub pairs: Pentanomial,
    /// How each engine has lost otherwise than by the stones.
    pub faults: [Faults; 2],
    /// Draws because a position occurred for the third time.
    pub repetitions: u32,
    /// Draws because the game was too long.
    pub ply_limits: u32,
    /// Games that both engines took for decided.
    pub agreements: u32,
    /// Plies of all games.
    pub plies: u64,
    /// What each engine needed.
    pub usage: [Usage; 2],
    /// Engine 1's half points in the pairs of which one game is done.
    halves: HashMap<u32, u8>,
}

/// How often an engine has lost by a fault of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Answers that came too late.
    pub time: u32,
    /// Moves that are none.
    pub illegal: u32,
    /// Ends of the program, or of its output.
    pub crashes: u32,
    /// Answers that never came.
    pub hangs: u32,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, record: &Record) {
        let half_points = record.half_points();
        *match half_points {
            0 => &mut self.losses,
            1 => &mut self.draws,
            _ => &mut self.wins,
        } += 1;
        match self.halves.remove(&record.pair) {
            Some(other) => self.pairs.0[usize::from(other + half_points)] += 1,
            None => drop(self.halves.insert(record.pair, half_points)),
        }
        if let Some((engine, fault)) = record.fault() {
            let faults = &mut self.faults[engine];
            *match fault {
                Fault::Time { .. } => &mut faults.time,
                Fault::IllegalMove { .. } => &mut faults.illegal,
                Fault::Crash { .. } => &mut faults.crashes,
                Fault::Hang { .. } => &mut faults.hangs,
            } += 1;
        }
        self.repetitions += u32::from(record.end == End::Repetition);
        self.ply_limits += u32::from(record.end == End::PlyLimit);
        self.agreements += u32::from(record.end == End::Agreement);
        self.plies += record.plies() as u64;
        for (total, usage) in self.usage.iter_mut().zip(&record.usage) {
            total.add(usage);
        }
    }

    /// Games that are done.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points of engine 1 a game, 0 to 1, over all games; `None` without any.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let games = f64::from(self.games());
        (games > 0.0).then(|| (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / games)
    }

    /// Plies of a game on average; `None` without any game.
    #[must_use]
    pub fn average_plies(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.plies as f64 / f64::from(self.games()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::GameResult;

    fn record(pair: u32, first_is_south: bool, result: GameResult, end: End) -> Record {
        let usage = [Usage { moves: 2, depths: 2, depth_sum: 9, ..Usage::default() }, Usage::default()];
        let moves = "1 2 3".to_owned();
        Record { pair, first_is_south, fen: None, opening: 1, moves, result, end, usage, ended_at: 0 }
    }

    #[test]
    fn a_pair_counts_when_both_games_are_done_in_whatever_order() {
        let stones = || End::Stones { south: 82, north: 80, atsyrau: false };
        let mut tally = Tally::default();
        tally.add(&record(0, false, GameResult::South, stones()));
        tally.add(&record(1, true, GameResult::Draw, End::Repetition));
        assert_eq!((tally.pairs.pairs(), tally.games()), (0, 2));
        tally.add(&record(0, true, GameResult::South, stones()));
        tally.add(&record(1, false, GameResult::North, stones()));
        assert_eq!(tally.pairs, Pentanomial([0, 0, 1, 1, 0]));
        let fault = Fault::Hang { waited: 3 };
        tally.add(&record(2, true, GameResult::South, End::Fault { engine: 2, fault }));
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 1));
        assert_eq!((tally.faults[0], tally.faults[1].hangs), (Faults::default(), 1));
        assert_eq!((tally.repetitions, tally.ply_limits), (1, 0));
        assert_eq!((tally.score(), tally.average_plies()), (Some(0.7), Some(3.0)));
        assert_eq!((tally.usage[0].average_depth(), tally.usage[1].average_depth()), (Some(4.5), None));
    }
}
