//! Reads games as JSON: an object for each, alone, in an array, or one after the other.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::draft::{Draft, MAX_MOVES, MAX_TAGS, Stated};
use super::error::{Place, ReadError, ReadFault};
use super::guess::{Format, of_moves};
use super::lexer::{Kind, Lexer};
use super::record::Glyph;
use super::text::Reader;

/// The games of a text, one after the other.
pub(super) struct JsonGames<'a> {
    text: &'a str,
    values: serde_json::StreamDeserializer<'a, serde_json::de::StrRead<'a>, &'a RawValue>,
    /// The games of an array that are left.
    array: std::vec::IntoIter<GameText<'a>>,
    locator: Locator<'a>,
    games: usize,
}

/// A game, as its object has it. Other fields are passed over.
#[derive(serde::Deserialize)]
struct JsonGame<'a> {
    #[serde(default)]
    tags: JsonTags,
    variant: Option<String>,
    start: Option<String>,
    #[serde(borrow)]
    moves: &'a RawValue,
    result: Option<String>,
    kazans: Option<[u32; 2]>,
    #[serde(rename = "final")]
    last: Option<String>,
    end: Option<String>,
    comment: Option<String>,
    #[serde(default)]
    notes: List<JsonNote, MAX_MOVES>,
}

#[derive(serde::Deserialize)]
struct JsonNote {
    ply: usize,
    glyph: Option<String>,
    #[serde(default)]
    draw_offer: bool,
    comment: Option<String>,
}

/// An object of strings, with its order.
#[derive(Default)]
struct JsonTags(Vec<(String, String)>);

impl<'de> Deserialize<'de> for JsonTags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonTags, D::Error> {
        deserializer.deserialize_map(TagVisitor)
    }
}

struct TagVisitor;

impl<'de> Visitor<'de> for TagVisitor {
    type Value = JsonTags;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonTags, A::Error> {
        let mut tags = Vec::new();
        while let Some(tag) = map.next_entry()? {
            if tags.len() == MAX_TAGS {
                return Err(A::Error::custom(format!("more than {MAX_TAGS} tags in one game")));
            }
            tags.push(tag);
        }
        Ok(JsonTags(tags))
    }
}

/// An array that is given up where it is too long: in memory it takes much more room than as text.
struct List<T, const MOST: usize>(Vec<T>);

impl<T, const MOST: usize> Default for List<T, MOST> {
    fn default() -> Self {
        List(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for List<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for ListVisitor<T, MOST> {
    type Value = List<T, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = array.next_element()? {
            if list.len() == MOST {
                return Err(A::Error::custom(format!("more than {MOST} in an array")));
            }
            list.push(value);
        }
        Ok(List(list))
    }
}

/// The text of a game, which is an object.
struct GameText<'a>(&'a RawValue);

impl<'de> Deserialize<'de> for GameText<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameText<'de>, D::Error> {
        let value = <&RawValue>::deserialize(deserializer)?;
        // Told before the whole array is taken in. The shortest is {"moves":[]}.
        if value.get().starts_with('{') && value.get().len() >= 12 {
            Ok(GameText(value))
        } else {
            Err(D::Error::custom(NO_GAME))
        }
    }
}

const NO_GAME: &str = "a game is an object with moves";

impl<'a> JsonGames<'a> {
    pub(super) fn new(text: &'a str) -> JsonGames<'a> {
        JsonGames {
            text,
            values: serde_json::Deserializer::from_str(text).into_iter(),
            array: Vec::new().into_iter(),
            locator: Locator { text, at: 0, place: Place::START },
            games: 0,
        }
    }

    /// The next game; `None` when there is no more.
    pub(super) fn next_game(&mut self) -> Result<Option<Draft<'a>>, ReadError> {
        loop {
            if let Some(GameText(value)) = self.array.next() {
                return self.game(value).map(Some);
            }
            let Some(value) = self.values.next() else { return Ok(None) };
            let value = value.map_err(|error| self.fault(&error, 0))?;
            if !value.get().starts_with('[') {
                return self.game(value).map(Some);
            }
            let array: Vec<GameText<'a>> =
                serde_json::from_str(value.get()).map_err(|error| self.fault(&error, self.offset(value)))?;
            self.array = array.into_iter();
        }
    }

    fn game(&mut self, value: &'a RawValue) -> Result<Draft<'a>, ReadError> {
        self.games += 1;
        let offset = self.offset(value);
        let place = self.locator.place(offset);
        if !value.get().starts_with('{') {
            return Err(json_fault(place, NO_GAME));
        }
        let game: JsonGame<'a> =
            serde_json::from_str(value.get()).map_err(|error| self.fault(&error, offset))?;
        let mut draft = Draft::new(self.games, place, Cow::Borrowed(self.text));
        for (name, value) in game.tags.0 {
            draft.add_tag(&name, value, place)?;
        }
        let stated = |text| Stated { text, place };
        draft.variant = game.variant.map(stated).or(draft.variant);
        draft.start = game.start.map(stated).or(draft.start);
        draft.result_tag = game.result.map(stated).or(draft.result_tag);
        draft.last = game.last.map(stated);
        draft.atsyrau = game.end.filter(|end| end == "atsyrau").map(|_| place);
        draft.comment = game.comment;
        draft.count = game.kazans.map(|[south, north]| stated(format!("{south}-{north}"))).or(draft.count);
        let mut draft = self.moves(draft, game.moves)?;
        add_notes(&mut draft, game.notes.0, place)?;
        Ok(draft)
    }

    /// Reads the moves: a text, or an array of numbers and texts.
    fn moves(&mut self, draft: Draft<'a>, moves: &'a RawValue) -> Result<Draft<'a>, ReadError> {
        let offset = self.offset(moves);
        let place = self.locator.place(offset);
        if moves.get().starts_with('"') {
            return text_of_moves(draft, moves.get(), offset, place);
        }
        if !moves.get().starts_with('[') {
            return Err(json_fault(place, "the moves are no text and no array"));
        }
        let array: Result<List<&'a RawValue, MAX_MOVES>, _> = serde_json::from_str(moves.get());
        let array = array.map_err(|error| self.fault(&error, offset))?.0;
        let mut reader = Reader::of_moves(draft, false);
        let mut locator = Locator { text: self.text, at: offset, place };
        for (index, one) in array.into_iter().enumerate() {
            let start = self.offset(one);
            let place = locator.place(start);
            let end = start + one.get().len();
            // Without the quotation marks.
            let mark = usize::from(one.get().starts_with('"'));
            let slice = self.text.get(..end - mark).unwrap_or_default();
            let mut lexer = Lexer::new(slice, start + mark, Place { column: place.column + mark, ..place });
            while let Some(token) = lexer.next()? {
                if let Kind::Tag(..) | Kind::Number { .. } | Kind::Result(_) = token.kind {
                    return Err(json_fault(token.place, "not a move"));
                }
                reader.take(token, lexer)?;
            }
            if reader.draft.moves.len() != index + 1 {
                return Err(json_fault(place, "not a single move"));
            }
        }
        Ok(reader.draft)
    }

    /// Where a value stands in the text.
    fn offset(&self, value: &RawValue) -> usize {
        (value.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    /// The fault that a parser found in the text from an offset on.
    fn fault(&self, error: &serde_json::Error, offset: usize) -> ReadError {
        let text = self.text.get(offset..).unwrap_or_default();
        let lines: usize =
            text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let mut at = (offset + lines + error.column().saturating_sub(1)).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        json_fault(Place::START.after(&self.text[..at]), message)
    }
}

/// Reads moves in one text, in any form. Where it has escapes, every place in it is its beginning.
fn text_of_moves<'a>(
    mut draft: Draft<'a>,
    raw: &'a str,
    offset: usize,
    place: Place,
) -> Result<Draft<'a>, ReadError> {
    let place = Place { column: place.column + 1, ..place };
    let has_escapes = raw.contains('\\');
    let (start, end) = if has_escapes {
        let text: String =
            serde_json::from_str(raw).map_err(|error| json_fault(place, &error.to_string()))?;
        draft.source = Cow::Owned(text);
        (0, draft.source.len())
    } else {
        (offset + 1, offset + raw.len() - 1)
    };
    let source = draft.source.clone();
    let source = source.get(..end).unwrap_or_default();
    let pits = of_moves(source, Lexer::new(source, start, place)) == Format::Pits;
    let mut reader = Reader::of_moves(draft, pits);
    let mut lexer = Lexer::new(source, start, place);
    // Counted behind an escape, a place is another one in the file, or none.
    let in_file = |counted| if has_escapes { place } else { counted };
    loop {
        let token = lexer.next().map_err(|error| ReadError { place: in_file(error.place), ..error })?;
        let Some(mut token) = token else { return Ok(reader.draft) };
        token.place = in_file(token.place);
        if let Kind::Tag(..) = token.kind {
            return Err(json_fault(token.place, "not a move"));
        }
        reader.take(token, lexer)?;
    }
}

fn add_notes(draft: &mut Draft<'_>, notes: Vec<JsonNote>, place: Place) -> Result<(), ReadError> {
    let moves = draft.moves.len();
    for note in notes {
        let index = note.ply.checked_sub(1);
        let Some(one) = index.and_then(|index| draft.moves.get_mut(index)) else {
            return Err(json_fault(place, &format!("a note of move {} of {moves}", note.ply)));
        };
        if let Some(sign) = &note.glyph {
            let glyph = Glyph::of_sign(sign);
            one.set_glyph(glyph.ok_or_else(|| json_fault(place, "a glyph is !, ?, !!, ??, !? or ?!"))?);
        }
        one.note_mut().draw_offer |= note.draw_offer;
        one.note_mut().comment = note.comment;
    }
    Ok(())
}

fn json_fault(place: Place, message: &str) -> ReadError {
    ReadError { place, fault: ReadFault::Json(crate::text::shortened(message, 100)) }
}

/// Finds places in a text from its beginning on.
struct Locator<'a> {
    text: &'a str,
    at: usize,
    place: Place,
}

impl Locator<'_> {
    fn place(&mut self, offset: usize) -> Place {
        if offset < self.at {
            (self.at, self.place) = (0, Place::START);
        }
        self.place = self.place.after(self.text.get(self.at..offset).unwrap_or_default());
        self.at = offset;
        self.place
    }
}
