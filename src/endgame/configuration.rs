//! Who has which tuzdyq: what a position is apart from its stones.

use crate::game::{Board, Pit, Rules};

/// The tuzdyqs of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Configuration {
    /// The opponent's pit that is the mover's tuzdyq.
    pub mover: Option<Pit>,
    /// The mover's pit that is the opponent's tuzdyq.
    pub opponent: Option<Pit>,
}

impl Configuration {
    /// The configuration of a board.
    #[inline(always)]
    #[must_use]
    pub fn of<R: Rules>(board: &Board<R>) -> Configuration {
        Configuration { mover: board.opponent().captured_pit(), opponent: board.mover().captured_pit() }
    }

    /// The same tuzdyqs with the other side to move.
    #[must_use]
    pub const fn turned(self) -> Configuration {
        Configuration { mover: self.opponent, opponent: self.mover }
    }

    /// All configurations that the rules allow, in the order of their numbers: by the mover's tuzdyq, then by the
    /// opponent's, none before the first pit.
    #[must_use]
    pub fn all<R: Rules>() -> Vec<Configuration> {
        let choices = || {
            let pits = if R::TUZDYQ { R::PITS - 1 } else { 0 };
            std::iter::once(None).chain(Pit::all(pits).map(Some))
        };
        let pairs = choices().flat_map(|mover| choices().map(move |opponent| (mover, opponent)));
        pairs
            .filter(|(mover, opponent)| mover.is_none() || mover != opponent)
            .map(|(mover, opponent)| Configuration { mover, opponent })
            .collect()
    }

    /// How many pits of the board are not tuzdyqs.
    #[must_use]
    pub fn pits<R: Rules>(self) -> usize {
        2 * R::PITS - usize::from(self.mover.is_some()) - usize::from(self.opponent.is_some())
    }
}
