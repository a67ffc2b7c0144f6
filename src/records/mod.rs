//! Game records: what players have, read and written in the formats that they have it in.
//!
//! [`read`] guesses the format from the content and gives the games one after the other. Every mark of a record that
//! the rules make redundant (where the last stone falls, what is taken, the kazan, a tuzdyq, the end) is compared with
//! them: what is wrong is told, and the legal moves are kept. [`Writer`] writes games in any of the formats. The
//! formats are described in `docs/records.md`.
//!
//! ```
//! use tuzdyq::records::{Format, Writer, read};
//!
//! let text = "1. 79:610 79:610 2. 510-511 910:912";
//! let mut writer = Writer::new(Format::Pgn);
//! for reading in read(text) {
//!     let reading = reading?;
//!     assert!(reading.contradictions.is_empty());
//!     writer.add(&reading.record);
//! }
//! assert_eq!(writer.finish(), "[Result \"*\"]\n\n1. 76(10) 76(10) 2. 55 99(22) *\n\n");
//! # Ok::<(), tuzdyq::records::ReadError>(())
//! ```
//!
//! Nothing here asks the operating system for anything: a text comes in, a text goes out.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod check;
mod decode;
mod draft;
mod error;
mod fen;
mod guess;
mod json;
mod lexer;
mod record;
mod result;
mod tags;
mod text;
mod write;

pub use check::{MAX_CONTRADICTIONS, Reading};
pub use decode::decode;
pub use error::{Conflict, Contradiction, Place, ReadError, ReadFault};
pub use guess::Format;
pub use record::{Glyph, Note, Record};
pub use result::GameResult;
pub use tags::Tags;
pub use write::{Writer, notation};

use draft::Draft;

/// The games of a text, read and checked one after the other.
pub struct Games<'a> {
    source: Source<'a>,
    is_over: bool,
}

enum Source<'a> {
    Text(text::TextGames<'a>),
    Json(Box<json::JsonGames<'a>>),
    Fen(fen::FenGames<'a>),
}

/// Reads the games of a text in the format that it seems to have.
#[must_use]
pub fn read(text: &str) -> Games<'_> {
    read_as(text, Format::guess(text))
}

/// Reads the games of a text in a given format. The formats that are lists of moves are one here, but for two bare
/// digits: only with [`Format::Pits`] they are two pits.
#[must_use]
pub fn read_as(text: &str, format: Format) -> Games<'_> {
    let source = match format {
        Format::Json => Source::Json(Box::new(json::JsonGames::new(text))),
        Format::Fen => Source::Fen(fen::FenGames::new(text)),
        _ => Source::Text(text::TextGames::new(text, format == Format::Pits)),
    };
    Games { source, is_over: false }
}

impl<'a> Games<'a> {
    fn draft(&mut self) -> Result<Option<Draft<'a>>, ReadError> {
        match &mut self.source {
            Source::Text(games) => games.next_game(),
            Source::Json(games) => games.next_game(),
            Source::Fen(games) => Ok(games.next_game()),
        }
    }
}

/// After an error nothing more comes: what follows a text that cannot be read is not known.
impl Iterator for Games<'_> {
    type Item = Result<Reading, ReadError>;

    fn next(&mut self) -> Option<Result<Reading, ReadError>> {
        if self.is_over {
            return None;
        }
        let reading = self.draft().and_then(|draft| draft.map(check::check).transpose()).transpose();
        self.is_over = !matches!(reading, Some(Ok(_)));
        reading
    }
}

#[cfg(test)]
mod tests;
