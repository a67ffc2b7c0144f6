//! The languages of a page.

use std::fmt;
use std::str::FromStr;

/// A language that the page of a review speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// Kazakh.
    Kk,
    /// Russian.
    Ru,
    /// English.
    #[default]
    En,
}

impl Lang {
    /// Every language, in the order in which they are offered to readers.
    pub const ALL: [Lang; 3] = [Lang::Kk, Lang::Ru, Lang::En];

    /// The code of the language by ISO 639-1: `kk`, `ru` or `en`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Lang::Kk => "kk",
            Lang::Ru => "ru",
            Lang::En => "en",
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A word that names no language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a language (kk, ru or en)")]
pub struct UnknownLang(pub String);

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(text: &str) -> Result<Lang, UnknownLang> {
        Lang::ALL
            .into_iter()
            .find(|lang| lang.code().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownLang(text.to_owned()))
    }
}
