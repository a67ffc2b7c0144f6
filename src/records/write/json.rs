//! A game as a JSON object on one line.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::game::{Pit, Variant};
use crate::records::record::{Note, Record};
use crate::records::result::GameResult;
use crate::with_game;

use super::start_fen;

/// The object of a game; what there is not is left out.
#[derive(serde::Serialize)]
struct JsonGame<'a> {
    #[serde(skip_serializing_if = "is_empty")]
    tags: JsonTags<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: Vec<u8>,
    result: Option<GameResult>,
    kazans: [u32; 2],
    #[serde(rename = "final")]
    last: String,
    /// How the rules ended the game.
    end: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<JsonNote<'a>>,
}

#[derive(serde::Serialize)]
struct JsonNote<'a> {
    /// The move, from 1.
    ply: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    glyph: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    draw_offer: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'a str>,
}

struct JsonTags<'a>(Vec<(&'a str, &'a str)>);

fn is_empty(tags: &JsonTags<'_>) -> bool {
    tags.0.is_empty()
}

impl Serialize for JsonTags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Writes a game without a line break.
pub(super) fn write(record: &Record, out: &mut String) {
    let variant = record.game.variant();
    let notes = record.notes.iter().filter(|(_, note)| !note.is_empty()).map(|(&index, note)| {
        let Note { glyph, draw_offer, comment } = note;
        let glyph = glyph.map(|glyph| glyph.sign());
        JsonNote { ply: index + 1, glyph, draw_offer: *draw_offer, comment: comment.as_deref() }
    });
    let game = JsonGame {
        tags: JsonTags(record.tags.iter().collect()),
        variant: (variant != Variant::Togyzqumalaq).then(|| variant.name()),
        start: start_fen(record),
        moves: with_game!(&record.game, game => game.moves().iter().map(|pit: &Pit| pit.number()).collect()),
        result: record.known_result(),
        kazans: record.stones(),
        last: record.final_fen(),
        end: record.outcome().map(|outcome| if outcome.atsyrau { "atsyrau" } else { "majority" }),
        comment: record.comment.as_deref(),
        notes: notes.collect(),
    };
    // Nothing in it can fail to be written.
    out.push_str(&serde_json::to_string(&game).unwrap_or_default());
}
