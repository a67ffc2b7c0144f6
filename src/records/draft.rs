//! A game as a text tells it, before anybody has asked the rules.

use std::borrow::Cow;
use std::ops::Range;

use crate::game::Written;

use super::error::{Place, ReadError, ReadFault};
use super::record::{Glyph, Note};
use super::result::GameResult;
use super::tags::Tags;

/// The most moves of a game. Games of masters have 200, and a longer text is no game.
pub(super) const MAX_MOVES: usize = 100_000;
/// The most tags of a game.
pub(super) const MAX_TAGS: usize = 1_000;

/// All that a text says of a game.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    /// Which game of the text, from 1.
    pub(super) game: usize,
    /// Where it begins.
    pub(super) place: Place,
    /// What the moves are slices of.
    pub(super) source: Cow<'a, str>,
    pub(super) tags: Tags,
    pub(super) variant: Option<Stated>,
    pub(super) start: Option<Stated>,
    /// The result of the tags.
    pub(super) result_tag: Option<Stated>,
    /// Both sides' stones at the end.
    pub(super) count: Option<Stated>,
    /// The position at the end.
    pub(super) last: Option<Stated>,
    pub(super) comment: Option<String>,
    pub(super) moves: Vec<DraftMove>,
    /// A move number that no move has followed yet.
    pub(super) number: Option<MoveNumber>,
    /// The result after the moves.
    pub(super) result: Option<(Option<GameResult>, Place)>,
    /// Where an atsyrau is recorded.
    pub(super) atsyrau: Option<Place>,
}

/// A statement with its place.
#[derive(Debug)]
pub(super) struct Stated {
    pub(super) text: String,
    pub(super) place: Place,
}

/// A move as it is written.
#[derive(Debug)]
pub(super) struct DraftMove {
    pub(super) written: Written,
    /// Its text in the source.
    pub(super) range: Range<usize>,
    pub(super) place: Place,
    /// The number written before it.
    pub(super) number: Option<MoveNumber>,
    pub(super) note: Option<Box<Note>>,
}

/// A number before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveNumber {
    pub(super) number: u32,
    /// Whether dots say that it is a move of North.
    pub(super) north: bool,
    pub(super) place: Place,
}

impl<'a> Draft<'a> {
    pub(super) fn new(game: usize, place: Place, source: Cow<'a, str>) -> Draft<'a> {
        Draft {
            game,
            place,
            source,
            tags: Tags::default(),
            variant: None,
            start: None,
            result_tag: None,
            count: None,
            last: None,
            comment: None,
            moves: Vec::new(),
            number: None,
            result: None,
            atsyrau: None,
        }
    }

    /// Whether nothing has been said of the game.
    pub(super) fn is_empty(&self) -> bool {
        !self.has_tags() && self.moves.is_empty() && self.result.is_none() && self.comment.is_none()
    }

    /// Whether there is any tag.
    pub(super) fn has_tags(&self) -> bool {
        let own = [&self.variant, &self.start, &self.result_tag, &self.count];
        !self.tags.is_empty() || own.into_iter().any(Option::is_some)
    }

    /// Whether there is a tag with this name.
    pub(super) fn has_tag(&self, name: &str) -> bool {
        match name.to_ascii_lowercase().as_str() {
            "variant" => self.variant.is_some(),
            "fen" => self.start.is_some(),
            "result" => self.result_tag.is_some(),
            _ => self.tags.get(name).is_some(),
        }
    }

    /// Adds a tag.
    pub(super) fn add_tag(&mut self, name: &str, text: String, place: Place) -> Result<(), ReadError> {
        if self.tags.len() >= MAX_TAGS {
            let fault = ReadFault::TooMany { what: "tags", most: MAX_TAGS };
            return Err(ReadError { place, fault });
        }
        match name.to_ascii_lowercase().as_str() {
            "variant" => self.variant = Some(Stated { text, place }),
            "fen" => self.start = Some(Stated { text, place }),
            "result" => self.result_tag = Some(Stated { text, place }),
            // Says only that there is a FEN.
            "setup" => (),
            "count" => {
                self.tags.set(name, text.clone());
                self.count = Some(Stated { text, place });
            }
            _ => self.tags.set(name, text),
        }
        Ok(())
    }

    /// Adds a move, with the number that came before it.
    pub(super) fn add_move(
        &mut self,
        written: Written,
        range: Range<usize>,
        place: Place,
    ) -> Result<(), ReadError> {
        if self.moves.len() >= MAX_MOVES {
            let fault = ReadFault::TooMany { what: "moves", most: MAX_MOVES };
            return Err(ReadError { place, fault });
        }
        let number = self.number.take();
        self.moves.push(DraftMove { written, range, place, number, note: None });
        Ok(())
    }

    /// Adds a comment: of the last move, or of the game before the first.
    pub(super) fn add_comment(&mut self, text: &str, place: Place) {
        // However it was wrapped.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.eq_ignore_ascii_case("zero") {
            self.atsyrau = Some(place);
            return;
        }
        let comment = match self.moves.last_mut() {
            Some(last) => &mut last.note_mut().comment,
            None => &mut self.comment,
        };
        match comment {
            Some(old) if !text.is_empty() => {
                old.push(' ');
                old.push_str(&text);
            }
            None if !text.is_empty() => *comment = Some(text),
            _ => (),
        }
    }

    /// Puts the move pairs of a sheet with several columns of numbers in order: where each has its number, and the
    /// numbers are those from 1 on in another order.
    pub(super) fn sort_columns(&mut self) {
        let starts = |draft_move: &DraftMove| draft_move.number.is_some_and(|number| !number.north);
        let numbers: Vec<u32> = self.moves.iter().filter(|one| starts(one)).filter_map(number_of).collect();
        let first_has_number = self.moves.first().is_some_and(starts);
        if !first_has_number || numbers.is_sorted() {
            return;
        }
        let mut sorted = numbers;
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(1..=sorted.len() as u32) {
            return;
        }
        let mut pair = 0;
        let mut keyed = Vec::with_capacity(self.moves.len());
        for draft_move in self.moves.drain(..) {
            if starts(&draft_move) {
                pair = number_of(&draft_move).unwrap_or_default();
            }
            keyed.push((pair, draft_move));
        }
        // Stable: the two moves of a pair stay in their order.
        keyed.sort_by_key(|&(pair, _)| pair);
        self.moves.extend(keyed.into_iter().map(|(_, draft_move)| draft_move));
    }
}

fn number_of(draft_move: &DraftMove) -> Option<u32> {
    draft_move.number.map(|number| number.number)
}

impl DraftMove {
    pub(super) fn note_mut(&mut self) -> &mut Note {
        self.note.get_or_insert_default()
    }

    pub(super) fn set_glyph(&mut self, glyph: Glyph) {
        self.note_mut().glyph = Some(glyph);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Spot;

    fn draft() -> Draft<'static> {
        Draft::new(1, Place::START, Cow::Borrowed(""))
    }

    #[test]
    fn comments_belong_to_the_game_or_to_the_last_move() {
        let mut draft = draft();
        draft.add_comment(" a \n b", Place::START);
        draft.add_comment("", Place::START);
        draft.add_move(Written::new(Spot::Pit(7)), 0..1, Place::START).unwrap();
        draft.add_comment("c", Place::START);
        draft.add_comment("d", Place::START);
        draft.add_comment(" Zero ", Place::START);
        assert_eq!(draft.comment.as_deref(), Some("a b"));
        assert_eq!(draft.moves[0].note_mut().comment.as_deref(), Some("c d"));
        assert_eq!(draft.atsyrau, Some(Place::START));
    }

    #[test]
    fn columns_are_sorted_only_where_the_numbers_say_so() {
        let order = |numbers: &[Option<u32>]| {
            let mut draft = draft();
            for (pit, &number) in (1..).zip(numbers) {
                draft.number = number.map(|number| MoveNumber { number, north: false, place: Place::START });
                draft.add_move(Written::new(Spot::Pit(pit)), 0..1, Place::START).unwrap();
            }
            draft.sort_columns();
            draft.moves.iter().map(|one| one.written.origin).collect::<Vec<_>>()
        };
        let pits = |pits: [u8; 4]| pits.map(Spot::Pit).to_vec();
        assert_eq!(order(&[Some(1), Some(3), Some(2), Some(4)]), pits([1, 3, 2, 4]));
        assert_eq!(order(&[Some(2), None, Some(1), None]), pits([3, 4, 1, 2]));
        assert_eq!(order(&[Some(1), Some(4), Some(2), None]), pits([1, 2, 3, 4]));
        assert_eq!(order(&[None, Some(2), Some(1), None]), pits([1, 2, 3, 4]));
    }
}
