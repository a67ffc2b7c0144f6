//! What a book knows of a move.

use crate::eval::Score;

/// What a book knows of a move; all of it is for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Knowledge {
    /// What the engine's own analysis found.
    pub analysis: Option<Analysis>,
    /// The games in which it was played.
    pub tally: Tally,
}

/// What the engine's own analysis found of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Its score.
    pub score: Score,
    /// How far ahead the score comes from, in plies, 1 to 255.
    pub depth: u8,
}

/// How many games there were, and how they ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    /// All games; those without a result are in this number only.
    pub games: u32,
    /// Those that the side won...
    pub wins: u32,
    /// ...those that were drawn...
    pub draws: u32,
    /// ...and those that it lost.
    pub losses: u32,
}

impl Tally {
    /// The games with a result.
    #[must_use]
    pub fn decided(&self) -> u64 {
        [self.wins, self.draws, self.losses].map(u64::from).iter().sum()
    }

    /// How a move is weighed by its games alone: 2 points for each that was won, 1 for each that was drawn or has no
    /// result, 0 for each that was lost. So a move counts for being played as well as for its success.
    #[must_use]
    pub fn points(&self) -> u64 {
        u64::from(self.games) + u64::from(self.wins) - u64::from(self.losses.min(self.games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_without_a_result_is_worth_as_much_as_a_draw() {
        let tally = Tally { games: 5, wins: 2, draws: 1, losses: 1 };
        assert_eq!((tally.points(), tally.decided()), (2 * 2 + 1 + 1, 4));
        assert_eq!(Tally::default().points(), 0);
    }
}
