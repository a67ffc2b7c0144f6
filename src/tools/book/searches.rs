//! The searches of an analysis, kept in a file from which an interrupted one goes on: a line of JSON that says which
//! searches they are, then a line for each position, with its bytes in hexadecimal, its score and the depth.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ahash::AHashMap;
use serde_json::{Value, json};

use crate::eval::Score;
use crate::game::{Packed, Variant};
use crate::text::shortened;

/// The version of the format, in the first line.
const FORMAT: u32 = 1;

/// What a search found of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The score.
    pub score: Score,
    /// The depth that it comes from, in plies, from 0.
    pub depth: u8,
}

/// The file of the searches cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SearchesError {
    /// It cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// Another process writes it.
    #[error("{0}: another analysis is writing it")]
    InUse(PathBuf),
    /// It is something else, or the searches are other ones.
    #[error("{path}: holds {found}, expected {expected}; remove the file to begin anew")]
    Other {
        /// Which file.
        path: PathBuf,
        /// Its first line.
        found: String,
        /// What that should be.
        expected: String,
    },
    /// A line is no search.
    #[error("{path}: line {line}: '{found}', expected a position, a score and a depth")]
    Line {
        /// Which file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is there.
        found: String,
    },
}

/// The searches that are done, with the file that keeps them.
#[derive(Debug)]
pub struct Searches {
    file: File,
    path: PathBuf,
    found: AHashMap<Packed, Found>,
}

/// The first line: all that the searches depend on.
fn header(variant: Variant, nodes: u64, evaluation: &str) -> Value {
    let version = format!("{} (commit {})", env!("CARGO_PKG_VERSION"), env!("TUZDYQ_COMMIT"));
    json!({ "book searches": FORMAT, "variant": variant.name(), "nodes": nodes, "evaluation": evaluation,
        "version": version })
}

impl Searches {
    /// Opens the file of the searches with so many nodes each and gives those in it, or begins it. A last line that was
    /// cut off is dropped. A file of something else stays as it is.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn open(
        path: &Path,
        variant: Variant,
        nodes: u64,
        evaluation: &str,
    ) -> Result<Searches, SearchesError> {
        let failed = |error| SearchesError::File(path.to_owned(), error);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => SearchesError::InUse(path.to_owned()),
            TryLockError::Error(error) => failed(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let expected = header(variant, nodes, evaluation).to_string();
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut searches = Searches { file, path: path.to_owned(), found: AHashMap::new() };
        if whole == 0 && expected.as_bytes().starts_with(&bytes) {
            searches.cut(0)?;
            searches.write(&format!("{expected}\n"))?;
            return Ok(searches);
        }
        let text = String::from_utf8_lossy(&bytes[..whole]);
        searches.read(&text, expected)?;
        searches.cut(whole as u64)?;
        Ok(searches)
    }

    fn read(&mut self, text: &str, expected: String) -> Result<(), SearchesError> {
        let mut lines = text.lines();
        let found = lines.next().unwrap_or_default();
        if found != expected {
            let found = shortened(found, 600).replace("\\\"", "\"");
            return Err(SearchesError::Other { path: self.path.clone(), found, expected });
        }
        for (index, line) in lines.enumerate() {
            let Some((position, found)) = parse(line) else {
                let found = shortened(line, 80);
                return Err(SearchesError::Line { path: self.path.clone(), line: index + 2, found });
            };
            self.found.insert(position, found);
        }
        Ok(())
    }

    /// What has been found of a position.
    #[must_use]
    pub fn get(&self, position: &Packed) -> Option<Found> {
        self.found.get(position).copied()
    }

    /// Adds a search.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, position: Packed, found: Found) -> Result<(), SearchesError> {
        let digits: String = position.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        self.write(&format!("{digits} {} {}\n", found.score.value(), found.depth))?;
        self.found.insert(position, found);
        Ok(())
    }

    /// Removes the file, when all that came of the searches is in a safe place.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), SearchesError> {
        fs::remove_file(&self.path).map_err(|error| SearchesError::File(self.path.clone(), error))
    }

    /// In one piece and without a buffer, so that an analysis that is killed leaves whole lines.
    fn write(&mut self, text: &str) -> Result<(), SearchesError> {
        self.file.write_all(text.as_bytes()).map_err(|error| self.failed(error))
    }

    /// Drops what comes after so many bytes, and goes on writing there.
    fn cut(&mut self, length: u64) -> Result<(), SearchesError> {
        self.file.set_len(length).map_err(|error| self.failed(error))?;
        self.file.seek(SeekFrom::End(0)).map(drop).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> SearchesError {
        SearchesError::File(self.path.clone(), error)
    }
}

/// A line.
fn parse(line: &str) -> Option<(Packed, Found)> {
    let mut words = line.split(' ');
    let digits = words.next().filter(|digits| digits.len() == 2 * Packed::BYTES && digits.is_ascii())?;
    let mut bytes = [0; Packed::BYTES];
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * place..2 * place + 2)?, 16).ok()?;
    }
    let score = words.next()?.parse().ok().filter(|score: &i32| score.abs() <= Score::WIN.value())?;
    let found = Found { score: Score::centistones(score), depth: words.next()?.parse().ok()? };
    words.next().is_none().then_some((Packed::from_bytes(bytes), found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Togyzqumalaq};

    fn open(path: &Path, nodes: u64) -> Result<Searches, SearchesError> {
        Searches::open(path, Variant::Togyzqumalaq, nodes, "classic")
    }

    #[test]
    fn searches_are_kept_and_a_torn_line_is_dropped() {
        let path = std::env::temp_dir().join(format!("tuzdyq-searches-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let start = Packed::of(&Position::<Togyzqumalaq>::start());
        let found = Found { score: Score::centistones(-321), depth: 17 };
        open(&path, 10).unwrap().add(start, found).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], b"0909"].concat()).unwrap();
        assert_eq!(open(&path, 10).unwrap().get(&start), Some(found));
        assert_eq!(fs::read(&path).unwrap(), whole);
        // Searches of another kind, and a damaged line, are not touched.
        let error = open(&path, 11).unwrap_err().to_string();
        assert!(error.contains("\"nodes\":10") && error.contains("\"nodes\":11"), "{error}");
        fs::write(&path, [&whole[..], b"0909 1 2\n"].concat()).unwrap();
        let error = open(&path, 10).unwrap_err().to_string();
        assert!(error.contains("line 3: '0909 1 2'"), "{error}");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn lines_that_are_none_are_refused() {
        let start = "09".repeat(18) + "0000";
        assert!(parse(&format!("{start} -5 3")).is_some());
        for line in ["", "09 1 2", &start, &format!("{start} 1"), &format!("{start} 1 300")] {
            assert_eq!(parse(line), None, "{line}");
        }
        for rest in ["x 3", "99999 3", "1 2 3", "1  2"] {
            assert_eq!(parse(&format!("{start} {rest}")), None, "{rest}");
        }
        assert_eq!(parse(&format!("{} 1 2", "0g".repeat(20))), None);
        assert_eq!(parse(&format!("{} 1 2", "é".repeat(20))), None);
    }
}
