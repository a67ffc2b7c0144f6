//! The opening book that the engine uses: the one built in, or one from a file.

use std::borrow::Cow;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::book::{Book, BookError, Knowledge, choose};
use crate::game::{Game, Pit, Rules};
use crate::options::Options;
use crate::search::{Answer, Bound, Iteration, Limits};

/// The book that is part of the program, made as docs/book-format.md says.
const BUILT_IN: &[u8] = include_bytes!("../../books/togyzqumalaq.tqb");
/// The longest file that is read, in bytes.
const LONGEST_FILE: u64 = 1 << 30;

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookFileError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// There is something wrong with what is in it.
    #[error("{0}: {1}")]
    Book(PathBuf, BookError),
}

/// What a book says instead of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// What it knows of the move.
    pub knowledge: Knowledge,
    /// The move, and those that it thinks best after it.
    pub line: Vec<Pit>,
    /// How many moves of the position it knows.
    pub known: usize,
}

/// In one line.
impl fmt::Display for BookMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.known == 1 { "move" } else { "moves" };
        write!(f, "book: {} {plural} known", self.known)?;
        let tally = self.knowledge.tally;
        if tally.games > 0 {
            let (games, wins, draws, losses) = (tally.games, tally.wins, tally.draws, tally.losses);
            write!(f, ", played in {games} games: +{wins} ={draws} -{losses}")?;
        }
        Ok(())
    }
}

impl BookMove {
    /// The score and the line as a search would report them; none where the book has no score.
    #[must_use]
    pub fn iteration(&self) -> Option<Iteration> {
        let analysis = self.knowledge.analysis?;
        Some(Iteration {
            depth: analysis.depth.into(),
            selective_depth: analysis.depth.into(),
            multipv: 1,
            score: analysis.score,
            bound: Bound::Exact,
            nodes: 0,
            table_hits: 0,
            time: Duration::ZERO,
            fullness: 0,
            line: self.line.clone(),
        })
    }

    /// The answer; its score is a draw's where the book has none.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let analysis = self.knowledge.analysis;
        Answer {
            best: self.line.first().copied(),
            ponder: self.line.get(1).copied(),
            score: analysis.map(|it| it.score).unwrap_or_default(),
            depth: analysis.map_or(0, |it| it.depth.into()),
            ..Answer::default()
        }
    }
}

/// The book that the options name, or the one built in; none only if that is damaged.
///
/// # Errors
/// When a file that they name cannot be used.
pub fn of_options(options: &Options) -> Result<Option<Book>, BookFileError> {
    if options.book_file.is_empty() { Ok(built_in()) } else { load(Path::new(&options.book_file)).map(Some) }
}

/// The book that is part of the program.
#[must_use]
pub fn built_in() -> Option<Book> {
    Book::parse(BUILT_IN).inspect_err(|error| log::error!("built in: {error}")).ok()
}

/// The book in a file.
///
/// # Errors
/// When it cannot be read or is no book that can be used.
pub fn load(path: &Path) -> Result<Book, BookFileError> {
    let bytes = read(path).map_err(|error| BookFileError::Io(path.to_owned(), error))?;
    Book::parse(Cow::Owned(bytes)).map_err(|error| BookFileError::Book(path.to_owned(), error))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Before it is opened, because opening a pipe waits for someone who writes.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST_FILE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What is used, in one line.
#[must_use]
pub fn describe(book: Option<&Book>, options: &Options) -> String {
    let variant = options.variant;
    let header = book.map(Book::header).filter(|header| header.variant == variant);
    match header {
        _ if !options.own_book => "book: not used (OwnBook is false)".to_owned(),
        None => format!("book: none of {variant}"),
        Some(header) => {
            let plural = if header.positions == 1 { "" } else { "s" };
            format!("book of {variant}: {} position{plural}", header.positions)
        }
    }
}

/// Whether a search with these limits may be answered from a book: where a move is to be played at full strength, and
/// nothing else is asked for.
#[must_use]
pub fn may_answer(options: &Options, limits: &Limits) -> bool {
    let is_analysis = limits.infinite
        || limits.ponder
        || limits.mate.is_some()
        || !limits.is_bounded()
        || !limits.searchmoves.is_empty()
        || options.multi_pv > 1;
    options.own_book && !is_analysis && options.strength().is_none()
}

/// What a book answers in a position, if the options let it and it knows a move. `random` chooses where there is a
/// choice.
#[must_use]
pub fn answer<R: Rules>(book: &Book, game: &Game<R>, options: &Options, random: u64) -> Option<BookMove> {
    let position = game.position();
    if u64::from(position.half_moves()) >= options.book_depth {
        return None;
    }
    let known = book.ask(position);
    let chosen = known.get(choose(&known, options.book_variety, random)?)?;
    let line = book.line(position, chosen.pit);
    Some(BookMove { knowledge: chosen.knowledge, line, known: known.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{PitSet, Variant};

    #[test]
    fn the_book_built_in_is_whole_and_knows_the_first_move() {
        let book = built_in().unwrap();
        assert_eq!(book.header().variant, Variant::Togyzqumalaq);
        assert!(book.bytes().len() <= 200_000, "{} bytes", book.bytes().len());
        let options = Options { own_book: true, ..Options::default() };
        let game = Game::<crate::game::Togyzqumalaq>::default();
        let known = answer(&book, &game, &options, 0).unwrap();
        assert!(known.line.len() > 1 && known.iteration().is_some(), "{known:?}");
        assert!(book.header().origin.contains("analysis"), "{}", book.header().origin);
        assert_eq!(answer(&book, &game, &Options { book_depth: 0, ..options }, 0), None);
    }

    #[test]
    fn only_a_move_to_be_played_comes_from_the_book() {
        let on = Options { own_book: true, ..Options::default() };
        let depth = Limits { depth: Some(5), ..Limits::default() };
        assert!(may_answer(&on, &depth));
        assert!(may_answer(&on, &Limits { movetime: Some(Duration::ZERO), ..Limits::default() }));
        assert!(!may_answer(&Options::default(), &depth));
        for limits in [
            Limits { infinite: true, ..depth.clone() },
            Limits { ponder: true, ..depth.clone() },
            Limits { mate: Some(3), ..Limits::default() },
            Limits { searchmoves: PitSet::from_bits(1), ..depth.clone() },
            Limits::default(),
        ] {
            assert!(!may_answer(&on, &limits), "{limits:?}");
        }
        for options in [
            Options { multi_pv: 2, ..on.clone() },
            Options { skill: 3, ..on.clone() },
            Options { limit_strength: true, ..on.clone() },
        ] {
            assert!(!may_answer(&options, &depth), "{options:?}");
        }
    }
}
