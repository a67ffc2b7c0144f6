//! A position: the board, its incremental hash, and whose turn it is. Nothing else holds or updates a hash.

use std::marker::PhantomData;

use super::board::{Board, Capture, Effect, Half, Landing};
use super::outcome::Outcome;
use super::pit::{Pit, PitSet};
use super::variant::Rules;
use super::zobrist;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that moves first (White, bastaushy), with the lower row.
    South,
    /// The side that moves second (Black, qostaushy), with the upper row.
    North,
}

impl Side {
    /// Both sides, South first.
    pub const BOTH: [Side; 2] = [Side::South, Side::North];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }
}

impl Landing {
    /// Whose row the pit is in, if this side has moved.
    #[must_use]
    pub const fn side(self, mover: Side) -> Side {
        if self.own { mover } else { mover.other() }
    }
}

/// A position of the game: copied to make a move, never unmade.
#[derive(Clone, Copy, Debug)]
pub struct Position<R: Rules> {
    board: Board<R>,
    /// The hash sums of the mover's and of the opponent's row.
    sums: [u64; 2],
    /// Half-moves before this one, counted from move 1: even when South is to move.
    half_moves: u32,
}

impl<R: Rules> Position<R> {
    /// The position before the first move.
    #[must_use]
    pub fn start() -> Self {
        Position::from_board(Board::start(), 0)
    }

    /// A position from its halves; `validate` checks them first.
    pub(super) fn from_halves(south: Half, north: Half, turn: Side, move_number: u32) -> Self {
        let (mover, opponent, offset) = match turn {
            Side::South => (south, north, 0),
            Side::North => (north, south, 1),
        };
        let half_moves = 2 * (move_number - 1) + offset;
        Position::from_board(Board { mover, opponent, rules: PhantomData }, half_moves)
    }

    fn from_board(board: Board<R>, half_moves: u32) -> Self {
        let sums = [sum::<R>(&board.mover), sum::<R>(&board.opponent)];
        Position { board, sums, half_moves }
    }

    /// The board, from the side to move.
    #[inline(always)]
    #[must_use]
    pub const fn board(&self) -> &Board<R> {
        &self.board
    }

    /// The side to move.
    #[inline(always)]
    #[must_use]
    pub const fn turn(&self) -> Side {
        if self.half_moves.is_multiple_of(2) { Side::South } else { Side::North }
    }

    /// Half-moves before this one, counted from move 1: even when South is to move.
    #[must_use]
    pub const fn half_moves(&self) -> u32 {
        self.half_moves
    }

    /// The number of the move to be played, from 1; it grows after North's move.
    #[must_use]
    pub const fn move_number(&self) -> u32 {
        self.half_moves / 2 + 1
    }

    /// One side's half of the board.
    #[must_use]
    pub fn half(&self, side: Side) -> &Half {
        if side == self.turn() { self.board.mover() } else { self.board.opponent() }
    }

    /// The pit of the opponent that is `side`'s tuzdyq.
    #[must_use]
    pub fn tuzdyq(&self, side: Side) -> Option<Pit> {
        self.half(side.other()).captured_pit()
    }

    /// The hash: equal for equal boards seen from the side to move, whichever colour that is.
    #[inline(always)]
    #[must_use]
    pub const fn key(&self) -> u64 {
        zobrist::mix(self.sums[0], self.sums[1])
    }

    /// The hash computed afresh from the board; always equal to [`key`](Self::key).
    #[must_use]
    pub fn computed_key(&self) -> u64 {
        zobrist::mix(sum::<R>(&self.board.mover), sum::<R>(&self.board.opponent))
    }

    /// The legal moves: none when the game is over.
    #[inline(always)]
    #[must_use]
    pub fn moves(&self) -> PitSet {
        self.board.moves()
    }

    /// What the move from `pit` would capture.
    #[inline(always)]
    #[must_use]
    pub fn capture(&self, pit: Pit) -> Capture {
        self.board.capture(pit)
    }

    /// The result, when the game is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        Outcome::of(self)
    }

    /// The position when the side to move passes: no legal move, but a question that a search asks.
    #[must_use]
    pub fn pass(&self) -> Self {
        let Board { mover, opponent, rules } = self.board;
        let board = Board { mover: opponent, opponent: mover, rules };
        let [mover, opponent] = self.sums;
        Position { board, sums: [opponent, mover], half_moves: self.half_moves + 1 }
    }

    /// The position after the move from `pit`, which must be legal, and what the move did.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, pit: Pit) -> (Self, Effect) {
        debug_assert!(self.moves().contains(pit), "illegal move {pit} in {:?}", self.board);
        let sowing = R::sowing(pit.index(), self.board.mover.stones(pit) as usize);
        let (board, effect) = self.board.play(pit);
        let [mut mover, mut opponent] = self.sums;
        mover = mover.wrapping_add(sowing.keys[0]);
        opponent = opponent.wrapping_add(sowing.keys[1]);

        let landing = usize::from(sowing.landing) % R::PITS;
        let captured = u64::from(effect.captured);
        let gained = captured + u64::from(effect.fed);
        mover = mover.wrapping_add(zobrist::KAZAN.wrapping_mul(gained));
        opponent = opponent.wrapping_sub(zobrist::PIT[landing].wrapping_mul(captured));
        if effect.tuzdyq {
            opponent = opponent.wrapping_add(zobrist::TUZDYQ[landing]);
        }
        if let (Some(pit), true) = (self.board.opponent.captured_pit(), effect.fed != 0) {
            opponent = opponent.wrapping_sub(zobrist::PIT[pit.index()].wrapping_mul(effect.fed.into()));
        }
        if let (Some(pit), true) = (self.board.mover.captured_pit(), effect.lost != 0) {
            let lost = u64::from(effect.lost);
            mover = mover.wrapping_sub(zobrist::PIT[pit.index()].wrapping_mul(lost));
            opponent = opponent.wrapping_add(zobrist::KAZAN.wrapping_mul(lost));
        }
        let next = Position { board, sums: [opponent, mover], half_moves: self.half_moves + 1 };
        (next, effect)
    }
}

/// Positions are equal when the boards and the sides to move are; the move number does not count.
impl<R: Rules> PartialEq for Position<R> {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board && self.turn() == other.turn()
    }
}

impl<R: Rules> Eq for Position<R> {}

/// The hash sum of one half of the board.
fn sum<R: Rules>(half: &Half) -> u64 {
    let pits = Pit::all(R::PITS).map(|pit| zobrist::PIT[pit.index()].wrapping_mul(half.stones(pit).into()));
    let kazan = zobrist::KAZAN.wrapping_mul(half.kazan().into());
    let tuzdyq = half.captured_pit().map_or(0, |pit| zobrist::TUZDYQ[pit.index()]);
    pits.fold(kazan.wrapping_add(tuzdyq), u64::wrapping_add)
}
