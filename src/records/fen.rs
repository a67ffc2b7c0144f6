//! Reads positions alone, one in each line: games that begin there and have no moves.

use std::borrow::Cow;

use crate::game::{Position, Rules, Variant};
use crate::with_rules;

use super::draft::{Draft, Stated};
use super::error::Place;

/// The positions of a text, one after the other.
pub(super) struct FenGames<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    games: usize,
}

impl<'a> FenGames<'a> {
    pub(super) fn new(text: &'a str) -> FenGames<'a> {
        FenGames { lines: text.lines().enumerate(), games: 0 }
    }

    /// The next position; `None` when there is no more. Blank lines and those that begin with `#` are passed over.
    pub(super) fn next_game(&mut self) -> Option<Draft<'a>> {
        let (index, line) =
            self.lines.find(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
        let blanks = line.chars().take_while(|letter| letter.is_whitespace()).count();
        let place = Place { line: index + 1, column: blanks + 1 };
        self.games += 1;
        let mut draft = Draft::new(self.games, place, Cow::Borrowed(""));
        let text = line.trim().to_owned();
        let variant = Variant::ALL.into_iter().find(|&variant| with_rules!(variant, R => is_of::<R>(&text)));
        draft.variant = variant.map(|variant| Stated { text: variant.name().to_owned(), place });
        draft.start = Some(Stated { text, place });
        Some(draft)
    }
}

fn is_of<R: Rules>(fen: &str) -> bool {
    fen.parse::<Position<R>>().is_ok()
}
