//! Perft: counts the move sequences of a given length, to validate move generation and to measure its speed.

use super::board::Board;
use super::variant::Rules;

/// The number of move sequences of exactly `depth` half-moves; a finished game has no continuation.
///
/// The last half-move is counted, not played.
#[must_use]
pub fn perft<R: Rules>(board: &Board<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.move_count().into(),
        _ => board.moves().map(|pit| perft(&board.play(pit).0, depth - 1)).sum(),
    }
}
