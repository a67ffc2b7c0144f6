//! What the moves of a game come to: the sides, the phases, the turning points.

use crate::game::{Rules, Side};

use super::assess::rounded;
use super::class::{Class, MISTAKE, accuracy};
use super::report::{Phase, PhaseName, PlyReview, SideReview, Sides, Stats};

/// The most turning points of a game.
const MOST_TURNING_POINTS: usize = 5;
/// A side with this expected score or more is winning; with no more than the rest of 1 it is losing.
const WINNING: f64 = 2.0 / 3.0;

/// What the moves of both sides come to.
pub(super) fn sides(plies: &[PlyReview]) -> Sides<SideReview> {
    let of = |side| {
        let own = plies.iter().filter(|ply| ply.side == side);
        let count = |class| (class, own.clone().filter(|ply| ply.class == Some(class)).count());
        SideReview { stats: stats(plies, side), classes: Class::ALL.into_iter().map(count).collect() }
    };
    Sides { south: of(Side::South), north: of(Side::North) }
}

/// What the moves of a side among these plies come to.
fn stats(plies: &[PlyReview], side: Side) -> Stats {
    let losses = plies.iter().filter(|ply| ply.side == side).filter_map(|ply| ply.loss);
    let mean = |numbers: Vec<f64>, decimals| {
        let sum: f64 = numbers.iter().sum();
        (!numbers.is_empty()).then(|| rounded(sum / numbers.len() as f64, decimals))
    };
    Stats {
        moves: losses.clone().count(),
        accuracy: mean(losses.clone().map(|loss| accuracy(loss.chance)).collect(), 1),
        average_loss: mean(losses.filter_map(|loss| loss.stones).collect(), 2),
    }
}

/// The phases of a game. `stones_left` gives the stones in the pits before the ply with an index.
///
/// The endgame begins when a third of the stones or fewer are in the pits; the opening has as many moves of each side
/// as a row has pits, unless the endgame comes before.
pub(super) fn phases<R: Rules>(plies: &[PlyReview], stones_left: impl Fn(usize) -> u32) -> Vec<Phase> {
    let phase_of = |index: usize| match &plies[index] {
        _ if 3 * stones_left(index) <= R::TOTAL => PhaseName::Endgame,
        ply if ply.number as usize <= R::PITS => PhaseName::Opening,
        _ => PhaseName::Middlegame,
    };
    let names: Vec<PhaseName> = (0..plies.len()).map(phase_of).collect();
    let mut first = 0;
    let parts = names.chunk_by(PartialEq::eq).map(|part| {
        let own = &plies[first..first + part.len()];
        first += part.len();
        Phase {
            name: part[0],
            from: first - part.len() + 1,
            to: first,
            south: stats(own, Side::South),
            north: stats(own, Side::North),
        }
    });
    parts.collect()
}

/// How a side stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Losing,
    Level,
    Winning,
}

impl Standing {
    fn of(chance: f64) -> Standing {
        match chance {
            WINNING.. => Standing::Winning,
            _ if chance <= 1.0 - WINNING => Standing::Losing,
            _ => Standing::Level,
        }
    }
}

/// The plies that decided the game: mistakes after which the mover, who was winning, is not any more, or, who was not
/// losing, is. Of more than five those that lose most.
pub(super) fn turning_points(plies: &[PlyReview]) -> Vec<usize> {
    let decided = |ply: &&PlyReview| {
        let loss = ply.loss.is_some_and(|loss| loss.chance >= MISTAKE);
        loss && ply.chances().is_some_and(|[before, after]| Standing::of(after) < Standing::of(before))
    };
    let mut turns: Vec<&PlyReview> = plies.iter().filter(decided).collect();
    let loss = |ply: &PlyReview| ply.loss.map_or(0.0, |loss| loss.chance);
    turns.sort_by(|one, other| loss(other).total_cmp(&loss(one)));
    turns.truncate(MOST_TURNING_POINTS);
    let mut numbers: Vec<usize> = turns.iter().map(|ply| ply.ply).collect();
    numbers.sort_unstable();
    numbers
}
