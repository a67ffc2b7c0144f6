//! A game whose variant is known only at run time.

use std::any::Any;

use super::notation::{FenError, MoveError, parse_move};
use super::position::Position;
use super::record::Game;
use super::variant::{Bestemshe, Kozdatu, Rules, Togyzqumalaq, Variant};

/// Why a text describes no game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GameError {
    /// The FEN.
    #[error("position fen: {0}")]
    Fen(#[from] FenError),
    /// A move.
    #[error("position moves: number {number}, {error}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
}

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

    /// The game that begins with a FEN, or with the start position, and goes on with these moves.
    ///
    /// # Errors
    /// When the FEN or a move is refused.
    pub fn from_text(variant: Variant, fen: Option<&str>, moves: &[String]) -> Result<AnyGame, GameError> {
        crate::with_rules!(variant, R => {
            let start = match fen {
                Some(fen) => fen.parse::<Position<R>>()?,
                None => Position::start(),
            };
            let mut game = Game::new(start);
            for (index, text) in moves.iter().enumerate() {
                let pit = parse_move(game.position(), text)
                    .map_err(|error| GameError::Move { number: index + 1, error })?;
                game.play(pit);
            }
            Ok(game.into())
        })
    }

    /// The game, if it is one by these rules.
    #[must_use]
    pub fn of_rules<R: Rules>(&self) -> Option<&Game<R>> {
        crate::with_game!(self, game => (game as &dyn Any).downcast_ref())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_move_is_named_with_its_place() {
        let moves = ["9", "2", "0"].map(str::to_owned);
        let error = AnyGame::from_text(Variant::Togyzqumalaq, None, &moves).unwrap_err().to_string();
        assert_eq!(error, "position moves: number 3, '0': there is no pit 0 in a row of 9");
    }
}
