//! A game whose variant is known only at run time.

use super::record::Game;
use super::variant::{Bestemshe, Kozdatu, Togyzqumalaq, Variant};

/// A game of any variant.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// A game of togyzqumalaq.
    Togyzqumalaq(Game<Togyzqumalaq>),
    /// A game of Bestemshe.
    Bestemshe(Game<Bestemshe>),
    /// A game of Kozdatu.
    Kozdatu(Game<Kozdatu>),
}

impl AnyGame {
    /// A new game from the start position.
    #[must_use]
    pub fn start(variant: Variant) -> AnyGame {
        crate::with_rules!(variant, R => Game::<R>::default().into())
    }

    /// Which game it is.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        match self {
            AnyGame::Togyzqumalaq(_) => Variant::Togyzqumalaq,
            AnyGame::Bestemshe(_) => Variant::Bestemshe,
            AnyGame::Kozdatu(_) => Variant::Kozdatu,
        }
    }
}

macro_rules! from_game {
    ($($rules:ident),*) => {
        $(impl From<Game<$rules>> for AnyGame {
            fn from(game: Game<$rules>) -> AnyGame {
                AnyGame::$rules(game)
            }
        })*
    };
}

from_game!(Togyzqumalaq, Bestemshe, Kozdatu);

/// Evaluates an expression with the [`Game`] inside an [`AnyGame`] bound to a name, once for each variant.
///
/// ```
/// use tuzdyq::game::{AnyGame, Variant};
/// let game = AnyGame::start(Variant::Kozdatu);
/// assert_eq!(tuzdyq::with_game!(&game, game => game.position().moves().len()), 7);
/// ```
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            $crate::game::AnyGame::Togyzqumalaq($game) => $body,
            $crate::game::AnyGame::Bestemshe($game) => $body,
            $crate::game::AnyGame::Kozdatu($game) => $body,
        }
    };
}
