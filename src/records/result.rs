//! Who has won, as records write it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// South.
    #[serde(rename = "1-0")]
    South,
    /// North.
    #[serde(rename = "0-1")]
    North,
    /// Nobody.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

/// Every spelling of a result that is read, longest first; `None` is a game without one.
pub(super) const SPELLINGS: [(&str, Option<GameResult>); 11] = [
    ("1/2-1/2", Some(GameResult::Draw)),
    ("0.5-0.5", Some(GameResult::Draw)),
    ("0,5-0,5", Some(GameResult::Draw)),
    ("½-½", Some(GameResult::Draw)),
    ("1-0", Some(GameResult::South)),
    ("1:0", Some(GameResult::South)),
    ("1–0", Some(GameResult::South)),
    ("0-1", Some(GameResult::North)),
    ("0:1", Some(GameResult::North)),
    ("0–1", Some(GameResult::North)),
    ("*", None),
];

impl GameResult {
    /// The result that a text names: `Some(None)` where it says that there is none (`*`, `?`, `-`, or nothing), `None`
    /// where it is no result.
    #[must_use]
    pub fn read(text: &str) -> Option<Option<GameResult>> {
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        if ["", "?", "-"].contains(&text.as_str()) {
            return Some(None);
        }
        SPELLINGS.iter().find(|(spelling, _)| *spelling == text).map(|&(_, result)| result)
    }

    /// A result as it is written, `*` where there is none.
    #[must_use]
    pub const fn text(result: Option<GameResult>) -> &'static str {
        match result {
            Some(GameResult::South) => "1-0",
            Some(GameResult::North) => "0-1",
            Some(GameResult::Draw) => "1/2-1/2",
            None => "*",
        }
    }
}

impl From<Option<Side>> for GameResult {
    fn from(winner: Option<Side>) -> GameResult {
        match winner {
            Some(Side::South) => GameResult::South,
            Some(Side::North) => GameResult::North,
            None => GameResult::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(GameResult::text(Some(*self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read_and_one_is_written() {
        for (spelling, result) in SPELLINGS {
            assert_eq!(GameResult::read(spelling), Some(result), "{spelling}");
            assert_eq!(GameResult::read(GameResult::text(result)), Some(result));
        }
        for text in ["", "?", "-", " "] {
            assert_eq!(GameResult::read(text), Some(None), "{text}");
        }
        assert_eq!(GameResult::read("1 - 0"), Some(Some(GameResult::South)));
        for text in ["1-1", "2-0", "10", "White", "1/2"] {
            assert_eq!(GameResult::read(text), None, "{text}");
        }
    }
}
