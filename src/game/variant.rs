//! Board geometry, and which rules apply: the three games the engine knows.
//!
//! The geometry is a set of compile-time constants of the trait [`Rules`], so that code which is
//! generic over it is compiled once per game and the main game pays nothing for the others.
//! [`Variant`] names a game at run time; [`with_rules!`](crate::with_rules) crosses from one to the other.

use std::fmt;
use std::str::FromStr;

use super::sowing::{self, Sowing, SowingTable};

/// The most pits a row may have in any game.
pub const MAX_PITS: usize = 9;

/// A game of the family, as named in the protocol option `UCI_Variant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// 2 × 9 pits, 9 stones each, with tuzdyqs: the national game.
    #[default]
    Togyzqumalaq,
    /// 2 × 5 pits, 5 stones each, no tuzdyq: the small game for beginners.
    Bestemshe,
    /// 2 × 7 pits, 7 stones each, with tuzdyqs.
    Kozdatu,
}

impl Variant {
    /// Every game, in the order in which they are listed to users.
    pub const ALL: [Variant; 3] = [Variant::Togyzqumalaq, Variant::Bestemshe, Variant::Kozdatu];

    /// The name in the protocol and on the command line: lower case, one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Togyzqumalaq => "togyzqumalaq",
            Variant::Bestemshe => "bestemshe",
            Variant::Kozdatu => "kozdatu",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a variant (togyzqumalaq, bestemshe or kozdatu)")]
pub struct UnknownVariant(pub String);

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Self, UnknownVariant> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}

/// The rules of one game, as compile-time constants.
pub trait Rules: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// Which game this is.
    const VARIANT: Variant;
    /// Pits in a row, at most [`MAX_PITS`].
    const PITS: usize;
    /// Stones in each pit at the start.
    const STONES_PER_PIT: u32;
    /// Whether a pit that becomes 3 is captured for good.
    const TUZDYQ: bool;
    /// All stones of the game.
    const TOTAL: u32 = 2 * Self::PITS as u32 * Self::STONES_PER_PIT;
    /// Half of the stones: a kazan with more has won, both with exactly this many have drawn.
    const HALF: u32 = Self::TOTAL / 2;

    /// The precomputed effect of sowing `stones` (0..=[`TOTAL`](Self::TOTAL)) from the mover's pit with this index.
    fn sowing(pit: usize, stones: usize) -> &'static Sowing;
}

/// Declares the type of one game together with its table of sowings.
macro_rules! rules {
    ($(#[$doc:meta])* $name:ident, pits: $pits:literal, stones: $stones:literal, tuzdyq: $tuzdyq:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;

        impl Rules for $name {
            const VARIANT: Variant = Variant::$name;
            const PITS: usize = $pits;
            const STONES_PER_PIT: u32 = $stones;
            const TUZDYQ: bool = $tuzdyq;

            #[inline(always)]
            fn sowing(pit: usize, stones: usize) -> &'static Sowing {
                static TABLE: SowingTable<$pits, { 2 * $pits * $stones + 1 }> = sowing::table();
                &TABLE[stones][pit]
            }
        }
    };
}

rules!(
    /// The rules of togyzqumalaq.
    Togyzqumalaq, pits: 9, stones: 9, tuzdyq: true
);
rules!(
    /// The rules of Bestemshe.
    Bestemshe, pits: 5, stones: 5, tuzdyq: false
);
rules!(
    /// The rules of Kozdatu.
    Kozdatu, pits: 7, stones: 7, tuzdyq: true
);

/// Evaluates an expression with a type alias bound to the rules of a [`Variant`] known only at run time.
///
/// ```
/// use tuzdyq::game::{Position, Rules, Variant};
/// let moves = tuzdyq::with_rules!(Variant::Bestemshe, R => Position::<R>::start().moves().count());
/// assert_eq!(moves, 5);
/// ```
#[macro_export]
macro_rules! with_rules {
    ($variant:expr, $R:ident => $body:expr) => {
        match $variant {
            $crate::game::Variant::Togyzqumalaq => {
                type $R = $crate::game::Togyzqumalaq;
                $body
            }
            $crate::game::Variant::Bestemshe => {
                type $R = $crate::game::Bestemshe;
                $body
            }
            $crate::game::Variant::Kozdatu => {
                type $R = $crate::game::Kozdatu;
                $body
            }
        }
    };
}
