//! A position in 20 bytes, as files with many positions keep it.

use super::pit::Pit;
use super::position::{Position, Side};
use super::validate::{Setup, SetupError};
use super::variant::{MAX_PITS, Rules};

/// Where the mover's kazan is, after the pits of both rows.
const KAZAN: usize = 2 * MAX_PITS;
/// Where the numbers of the tuzdyqs are.
const TUZDYQS: usize = KAZAN + 1;

/// A position seen from the side to move, whichever colour that is: equal positions have equal bytes, and all of the
/// position but the number of the move can be read from them.
///
/// The bytes are the stones in the mover's nine pits and in the opponent's, pit 1 first and 0 beyond the row of a
/// smaller game; the mover's kazan; and the number of the mover's tuzdyq, plus 16 times that of the opponent's, 0 for
/// none. What is in the opponent's kazan follows from the stones of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed([u8; Packed::BYTES]);

impl Packed {
    /// How many bytes there are.
    pub const BYTES: usize = TUZDYQS + 1;

    /// A position, packed.
    #[must_use]
    pub fn of<R: Rules>(position: &Position<R>) -> Packed {
        let board = position.board();
        let mut bytes = [0; Packed::BYTES];
        for pit in Pit::all(R::PITS) {
            bytes[pit.index()] = board.mover().stones(pit) as u8;
            bytes[MAX_PITS + pit.index()] = board.opponent().stones(pit) as u8;
        }
        let number = |pit: Option<Pit>| pit.map_or(0, Pit::number);
        bytes[KAZAN] = board.mover().kazan() as u8;
        bytes[TUZDYQS] = number(board.opponent().captured_pit()) | number(board.mover().captured_pit()) << 4;
        Packed(bytes)
    }

    /// What these bytes say; [`position`](Self::position) tells whether there is such a position.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Packed::BYTES]) -> Packed {
        Packed(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; Packed::BYTES] {
        &self.0
    }

    /// The position, after so many half-moves of a game: South moves after an even number.
    ///
    /// # Errors
    /// When it is impossible in this game.
    pub fn position<R: Rules>(&self, half_moves: u32) -> Result<Position<R>, SetupError> {
        // A row with stones beyond its last pit is refused for its length.
        let length =
            |row: &[u8]| if row[R::PITS..].iter().all(|&stones| stones == 0) { R::PITS } else { MAX_PITS };
        let counts = |row: &[u8]| row[..length(row)].iter().map(|&stones| u32::from(stones)).collect();
        let (mover, opponent) = self.0[..KAZAN].split_at(MAX_PITS);
        let in_pits: u32 = self.0[..KAZAN].iter().map(|&stones| u32::from(stones)).sum();
        let kazan = u32::from(self.0[KAZAN]);
        let other = R::TOTAL.saturating_sub(kazan + in_pits);
        let [own, theirs] = [self.0[TUZDYQS] & 15, self.0[TUZDYQS] >> 4]
            .map(|number| Some(number).filter(|&number| number != 0));
        let mut setup = Setup {
            stones: [counts(mover), counts(opponent)],
            // In each row, the pit that the other side has captured.
            tuzdyqs: [theirs, own],
            kazans: [kazan, other],
            turn: Side::South,
            move_number: half_moves / 2 + 1,
        };
        if half_moves % 2 == 1 {
            setup.turn = Side::North;
            setup.stones.swap(0, 1);
            setup.tuzdyqs.swap(0, 1);
            setup.kazans.swap(0, 1);
        }
        Position::from_setup(&setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Bestemshe, Kozdatu, Togyzqumalaq};

    /// Both colours see the same bytes, and get their position back.
    #[test]
    fn a_position_comes_back_for_either_side() {
        fn check<R: Rules>() {
            let mut position = Position::<R>::start();
            for step in 0..60 {
                let packed = Packed::of(&position);
                let half_moves = position.half_moves();
                let same = packed.position::<R>(half_moves).unwrap();
                assert_eq!((same, same.move_number()), (position, position.move_number()));
                let mirrored = packed.position::<R>(half_moves + 1).unwrap();
                assert_eq!((Packed::of(&mirrored), mirrored.key()), (packed, position.key()));
                let Some(pit) = position.moves().nth(step % position.moves().len().max(1)) else { break };
                position = position.play(pit).0;
            }
        }
        check::<Togyzqumalaq>();
        check::<Bestemshe>();
        check::<Kozdatu>();
    }

    #[test]
    fn bytes_of_no_position_are_refused() {
        let start = *Packed::of(&Position::<Kozdatu>::start()).bytes();
        let with = |place: usize, byte: u8| {
            let mut bytes = start;
            bytes[place] = byte;
            Packed::from_bytes(bytes).position::<Kozdatu>(0)
        };
        assert!(with(0, 0).is_ok(), "the stones are in the opponent's kazan then");
        for (place, byte) in [(0, 255), (7, 1), (8, 200), (18, 1), (19, 1), (19, 0xF0), (19, 8)] {
            assert!(with(place, byte).is_err(), "byte {place} {byte}");
        }
    }
}
