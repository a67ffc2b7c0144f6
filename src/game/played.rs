//! What a move does, as a record of it tells: the stones it takes up, where the last one falls, what it brings.

use super::board::{Effect, Landing};
use super::pit::Pit;
use super::position::{Position, Side};
use super::variant::Rules;

/// A move with all that a score sheet says of it; all counts in stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who moves.
    pub side: Side,
    /// The pit that is sown from.
    pub pit: Pit,
    /// What it holds before the move.
    pub stones: u32,
    /// Where the last stone falls.
    pub landing: Landing,
    /// What lies there with the last stone, before anything is taken. Of a tuzdyq, which never holds a stone, the
    /// stones that this sowing drops into it.
    pub landing_stones: u32,
    /// What the move brings.
    pub effect: Effect,
    /// The mover's kazan after the move.
    pub kazan: u32,
}

impl Played {
    /// Plays the move from `pit`, which must be legal: the next position, and the move as a record tells it.
    #[must_use]
    pub fn of<R: Rules>(position: &Position<R>, pit: Pit) -> (Position<R>, Played) {
        let side = position.turn();
        let stones = position.half(side).stones(pit);
        let landing = position.board().landing(pit);
        let (next, effect) = position.play(pit);
        let owner = landing.side(side);
        let landing_stones = if position.half(owner).captured_pit() == Some(landing.pit) {
            R::sowing(pit.index(), stones as usize).drops.into()
        } else {
            next.half(owner).stones(landing.pit) + effect.captured
        };
        let kazan = next.half(side).kazan();
        (next, Played { side, pit, stones, landing, landing_stones, effect, kazan })
    }

    /// Whose row the last stone falls into.
    #[must_use]
    pub const fn landing_side(&self) -> Side {
        self.landing.side(self.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Togyzqumalaq;

    fn played(fen: &str, pit: u8) -> Played {
        let position: Position<Togyzqumalaq> = fen.parse().unwrap();
        Played::of(&position, Pit::from_number(pit).unwrap()).1
    }

    #[test]
    fn a_capture_is_counted_before_it_is_taken() {
        let first = Played::of(&Position::<Togyzqumalaq>::start(), Pit::from_index(6)).1;
        assert_eq!((first.side, first.stones, first.landing_stones, first.kazan), (Side::South, 9, 10, 10));
        assert_eq!((first.landing.own, first.landing.pit.number()), (false, 6));
        assert_eq!(first.landing_side(), Side::North);
    }

    #[test]
    fn a_tuzdyq_is_made_of_three_and_later_holds_what_falls_in() {
        let made = played("9S,9S,9S,9S,2S,9S,9S,9S,9S/9S,13S,9S,t,9S,9S,9S,9S,1 0 21 S 1", 2);
        assert!(made.effect.tuzdyq);
        assert_eq!((made.landing_stones, made.kazan), (3, 3));
        let fed = played("8,t/8,2S 80 80 S 1", 9);
        assert_eq!((fed.landing_stones, fed.effect.fed, fed.kazan), (1, 1, 81));
    }

    #[test]
    fn after_a_whole_lap_the_last_stone_is_back_in_its_pit() {
        let lap = played("8,19S/9 72 71 N 1", 1);
        assert_eq!((lap.landing.own, lap.landing.pit.number(), lap.landing_stones), (true, 1, 2));
    }
}
