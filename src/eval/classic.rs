//! The handcrafted evaluation: a sum of a few terms, each for the mover less the same for the opponent.

use std::marker::PhantomData;

use super::{Evaluate, Score, bounds};
use crate::game::{Board, Half, MAX_PITS, Rules};

// The weights were fitted to 16,000 games that the engine, with the weights it had before (commit bd79e2e), played
// against itself at 2,000 nodes a move. `cargo run --release --example fit_classic -- 16000 2000 7`, when it plays with
// those, gives these to within 2 centistones.

/// Centistones for having the move.
const TEMPO: i32 = -54;
/// Centistones a stone in one's own row, with all stones and with none left in the pits.
const ROW: (i32, i32) = (-91, 88);
/// Centistones for each pit that a stone stands further on than the first, likewise.
const ADVANCE: (i32, i32) = (16, -13);
/// Centistones for a pit of one's own that holds stones, likewise.
const MOBILITY: (i32, i32) = (-1, 510);
/// Centistones added to that for a pit with a single stone, likewise.
const SINGLE: (i32, i32) = (62, -229);
/// Centistones for owning a tuzdyq, by pit, when all stones are left.
const TUZDYQ: [i32; MAX_PITS] = [2922, 4199, 1754, 1340, 1283, 2203, 2556, 1457, 0];
/// Centistones for owning a tuzdyq in any pit, when no stones are left.
const LATE_TUZDYQ: i32 = 1679;
/// Centistones lost for a row with so few stones, by number, beyond what the row and its pits count for (a gain
/// where they count for too little): its owner may soon have no move.
const DANGER: [i32; 8] = [-727, -394, -73, 152, 305, 258, 212, 108];

/// The handcrafted evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classic;

/// One line of the evaluation's account, in centistones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// Its worth to the side to move.
    pub mover: i32,
    /// Its worth to the opponent.
    pub opponent: i32,
}

/// The weights that depend on how many stones are left, in centistones.
#[derive(Clone, Copy)]
struct Phase {
    row: i32,
    advance: i32,
    mobility: i32,
    single: i32,
    tuzdyq: [i32; MAX_PITS],
}

/// More stones than any game has.
const MOST_STONES: usize = 256;

impl Phase {
    const fn new(left: i32, total: i32) -> Phase {
        /// A weight between its values for a full and for an empty board.
        const fn between(weight: (i32, i32), left: i32, total: i32) -> i32 {
            (weight.0 * left + weight.1 * (total - left)) / total
        }
        let mut tuzdyq = [0; MAX_PITS];
        let mut pit = 0;
        while pit < MAX_PITS {
            tuzdyq[pit] = between((TUZDYQ[pit], LATE_TUZDYQ), left, total);
            pit += 1;
        }
        Phase {
            row: between(ROW, left, total),
            advance: between(ADVANCE, left, total),
            mobility: between(MOBILITY, left, total),
            single: between(SINGLE, left, total),
            tuzdyq,
        }
    }

    /// The weights by the number of stones left.
    const fn table(total: i32) -> [Phase; MOST_STONES] {
        let mut table = [Phase::new(0, total); MOST_STONES];
        let mut left = 1;
        while left < MOST_STONES {
            table[left] = Phase::new(left as i32, total);
            left += 1;
        }
        table
    }

    /// The weights for a board.
    #[inline(always)]
    fn of<R: Rules>(board: &Board<R>) -> &'static Phase {
        &Phases::<R>::TABLE[board.stones_left() as usize % MOST_STONES]
    }
}

/// The weights of a game, computed once: four divisions less for each evaluation.
struct Phases<R>(PhantomData<R>);

impl<R: Rules> Phases<R> {
    const TABLE: &'static [Phase; MOST_STONES] = &Phase::table(R::TOTAL as i32);
}

/// The worth of the tuzdyq that lies in this half, to the other side.
#[inline(always)]
fn tuzdyq(host: &Half, phase: &Phase) -> i32 {
    host.captured_pit().map_or(0, |pit| phase.tuzdyq[pit.index()])
}

#[inline(always)]
fn danger(half: &Half) -> i32 {
    DANGER.get(half.row_stones() as usize).map_or(0, |&loss| -loss)
}

impl Classic {
    /// The terms of an evaluation, which add up to its value before it is cut to the bounds.
    #[must_use]
    pub fn terms<R: Rules>(&self, board: &Board<R>) -> Vec<Term> {
        let (mover, opponent) = (board.mover(), board.opponent());
        let phase = Phase::of(board);
        let term = |name, mover, opponent| Term { name, mover, opponent };
        let both = |name, worth: &dyn Fn(&Half) -> i32| term(name, worth(mover), worth(opponent));
        vec![
            both("kazan", &|half| 100 * half.kazan() as i32),
            both("row", &|half| phase.row * half.row_stones() as i32),
            both("advance", &|half| phase.advance * half.advance() as i32),
            both("mobility", &|half| phase.mobility * half.occupied_count() as i32),
            both("single stones", &|half| phase.single * half.singles() as i32),
            term("tuzdyq", tuzdyq(opponent, phase), tuzdyq(mover, phase)),
            both("atsyrau danger", &danger),
            term("tempo", TEMPO, 0),
        ]
    }
}

impl Evaluate for Classic {
    #[inline(always)]
    fn evaluate<R: Rules>(&self, board: &Board<R>) -> Score {
        let (mover, opponent) = (board.mover(), board.opponent());
        let phase = Phase::of(board);
        let lead = 100 * (mover.kazan() as i32 - opponent.kazan() as i32);
        let rows = mover.row_stones() as i32 - opponent.row_stones() as i32;
        let advances = mover.advance() as i32 - opponent.advance() as i32;
        let pits = mover.occupied_count() as i32 - opponent.occupied_count() as i32;
        let singles = mover.singles() as i32 - opponent.singles() as i32;
        let tuzdyqs = tuzdyq(opponent, phase) - tuzdyq(mover, phase);
        let value = lead
            + phase.row * rows
            + phase.advance * advances
            + phase.mobility * pits
            + phase.single * singles
            + tuzdyqs
            + danger(mover)
            - danger(opponent)
            + TEMPO;
        let (least, greatest) = bounds(board);
        Score::centistones(value.clamp(least, greatest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Togyzqumalaq};

    #[test]
    fn the_account_adds_up_to_the_evaluation() {
        let suite = include_str!("../../positions/perft-togyzqumalaq.txt");
        let mut compared = 0;
        for line in suite.lines().filter(|line| !line.starts_with('#')) {
            let Some(fen) = line.split(';').nth(1) else { continue };
            let position: Position<Togyzqumalaq> = fen.trim().parse().unwrap();
            let board = position.board();
            if board.is_over() {
                continue;
            }
            let (least, greatest) = bounds(board);
            let sum: i32 = Classic.terms(board).iter().map(|term| term.mover - term.opponent).sum();
            assert_eq!(Classic.evaluate(board).value(), sum.clamp(least, greatest), "{fen}");
            compared += 1;
        }
        assert!(compared > 30, "{compared}");
    }
}
