//! Writes records, in each format in one form.

mod json;
mod lines;
mod pgn;
mod sheet;

pub use pgn::notation;

use std::fmt::Write as _;

use crate::game::{Game, Played, Rules, Side, Variant};
use crate::with_game;

use super::guess::Format;
use super::record::{Note, Record};
use super::result::GameResult;

/// Writes games one after the other into one text.
#[derive(Clone, Debug)]
pub struct Writer {
    format: Format,
    text: String,
    games: usize,
}

impl Writer {
    /// Begins a text of a format.
    #[must_use]
    pub const fn new(format: Format) -> Writer {
        Writer { format, text: String::new(), games: 0 }
    }

    /// Adds a game.
    pub fn add(&mut self, record: &Record) {
        if self.format == Format::Json {
            self.text.push_str(if self.games == 0 { "[\n" } else { ",\n" });
        }
        let out = &mut self.text;
        match self.format {
            Format::Pgn => pgn::write(record, out),
            Format::Tgk => sheet::tgk(record, out),
            Format::Short => sheet::sheet(record, sheet::short, out),
            Format::Full => sheet::sheet(record, sheet::full, out),
            Format::Squares => lines::write(record, lines::squares, out),
            Format::Pits => lines::write(record, lines::pits, out),
            Format::Json => json::write(record, out),
            Format::Fen => {
                let _ = writeln!(out, "{}", record.final_fen());
            }
        }
        self.games += 1;
    }

    /// The text.
    #[must_use]
    pub fn finish(mut self) -> String {
        if self.format == Format::Json {
            self.text.push_str(if self.games == 0 { "[]\n" } else { "\n]\n" });
        }
        self.text
    }
}

/// A move with its number and what is noted of it.
struct Step<'a> {
    number: u32,
    played: Played,
    note: Option<&'a Note>,
}

/// The moves of a game as records tell them.
fn steps<'a, R: Rules>(record: &'a Record, game: &'a Game<R>) -> impl Iterator<Item = Step<'a>> {
    let mut position = *game.start();
    game.moves().iter().enumerate().map(move |(index, &pit)| {
        let number = position.move_number();
        let (next, played) = Played::of(&position, pit);
        position = next;
        Step { number, played, note: record.notes.get(&index) }
    })
}

impl Step<'_> {
    /// The signs after a move: how good it is, and an offer of a draw.
    fn signs(&self) -> String {
        let glyph = self.note.and_then(|note| note.glyph).map_or("", |glyph| glyph.sign());
        let offer = if self.note.is_some_and(|note| note.draw_offer) { "=" } else { "" };
        format!("{glyph}{offer}")
    }

    /// The comment in its braces.
    fn comment(&self) -> Option<String> {
        self.note.and_then(|note| note.comment.as_deref()).and_then(braced)
    }

    fn is_of_north(&self) -> bool {
        self.played.side == Side::North
    }
}

/// A comment in braces, on one line. A brace within it would end it.
fn braced(comment: &str) -> Option<String> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let text = words.join(" ").replace('}', ")");
    // This one word has a meaning of its own.
    let text = if text.eq_ignore_ascii_case("zero") { format!("{text}.") } else { text };
    (!text.is_empty()).then(|| format!("{{{text}}}"))
}

/// The tags in the order of chess's PGN, the result among them, then the variant and the start position where they are
/// not the usual ones.
fn tags(record: &Record, out: &mut String) {
    let [first, others] = record.tags.sorted();
    for (name, value) in first {
        tag(name, value, out);
    }
    tag("Result", GameResult::text(record.known_result()), out);
    start_tags(record, out);
    for (name, value) in others {
        tag(name, value, out);
    }
}

/// The variant and the start position, where they are not the usual ones; whether there are any.
fn start_tags(record: &Record, out: &mut String) -> bool {
    let before = out.len();
    let variant = record.game.variant();
    if variant != Variant::Togyzqumalaq {
        tag("Variant", variant.name(), out);
    }
    if let Some(fen) = start_fen(record) {
        tag("FEN", &fen, out);
    }
    out.len() > before
}

/// The start position, where it is not the usual one.
fn start_fen(record: &Record) -> Option<String> {
    with_game!(&record.game, game => {
        let usual = Game::default();
        let start = game.start();
        let is_usual = start == usual.start() && start.move_number() == usual.start().move_number();
        (!is_usual).then(|| start.to_string())
    })
}

fn tag(name: &str, value: &str, out: &mut String) {
    // A name that could not be read again is made one that can.
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name: String = name.chars().map(|letter| if is_part(letter) { letter } else { '_' }).collect();
    let name = if name.is_empty() { "_" } else { &name };
    let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    // Writing into a string cannot fail.
    let _ = writeln!(out, "[{name} \"{value}\"]");
}
