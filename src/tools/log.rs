//! A log of long work in pieces, from which it can go on: a line of JSON that says which work it is, then one for each
//! piece.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::text::shortened;

/// A log cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another process writes it.
    #[error("{path}: another {work} is writing it")]
    InUse {
        /// Which file.
        path: PathBuf,
        /// What the log is of.
        work: &'static str,
    },
    /// The file is something else.
    #[error("{path}: not the log of a {work}")]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// What the log should be of.
        work: &'static str,
    },
    /// It is the log of the same kind of work, with other settings.
    #[error("{path}: the log of another {work}: {field} is {there} there, and {here} here")]
    Other {
        /// Which file.
        path: PathBuf,
        /// What the log is of.
        work: &'static str,
        /// The first setting that differs.
        field: String,
        /// Its value in the file.
        there: String,
        /// Its value here.
        here: String,
    },
    /// A line is no piece of the work.
    #[error("{path}: line {line}: {reason}")]
    Line {
        /// Which file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
}

/// An open log, locked against other processes.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens the log of a work, such as a match, and gives the pieces in it, or begins it. The header is an object with
    /// all that defines the work; its field `format` says what the other lines are. A last line that was cut off is
    /// dropped. A file that is not the log of this work stays as it is.
    pub(super) fn open<P: DeserializeOwned>(
        path: &Path,
        work: &'static str,
        header: &Value,
    ) -> Result<(Log, Vec<P>), LogError> {
        let failed = |error| LogError::File { path: path.to_owned(), error };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LogError::InUse { path: path.to_owned(), work },
            TryLockError::Error(error) => failed(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let torn_header = whole == 0 && header.to_string().as_bytes().starts_with(&bytes);
        let mut log = Log { file, path: path.to_owned() };
        if torn_header {
            log.cut(0)?;
            log.write(&header.to_string())?;
            return Ok((log, Vec::new()));
        }
        let foreign = || LogError::Foreign { path: path.to_owned(), work };
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| foreign())?;
        let mut lines = text.lines();
        let there = lines.next().and_then(|line| serde_json::from_str::<Map<String, Value>>(line).ok());
        let there = there.filter(|map| map.contains_key("format")).ok_or_else(foreign)?;
        if let Some((field, there, here)) = difference(&there, header) {
            return Err(LogError::Other { path: path.to_owned(), work, field, there, here });
        }
        let pieces = read(path, lines)?;
        log.cut(whole as u64)?;
        Ok((log, pieces))
    }

    /// Adds a piece.
    pub(super) fn add(&mut self, piece: &impl Serialize) -> Result<(), LogError> {
        let line = serde_json::to_string(piece).map_err(|error| self.failed(error.into()))?;
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> Result<(), LogError> {
        // In one piece and without a buffer, so that a process that is killed leaves whole lines.
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(|error| self.failed(error))
    }

    /// Drops what comes after so many bytes, and goes on writing there.
    fn cut(&mut self, length: u64) -> Result<(), LogError> {
        self.file.set_len(length).map_err(|error| self.failed(error))?;
        self.file.seek(SeekFrom::End(0)).map(drop).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> LogError {
        LogError::File { path: self.path.clone(), error }
    }
}

/// The pieces, in the lines after the header.
fn read<'a, P: DeserializeOwned>(
    path: &Path,
    lines: impl Iterator<Item = &'a str>,
) -> Result<Vec<P>, LogError> {
    let piece = |(index, line)| {
        serde_json::from_str(line).map_err(|error| LogError::Line {
            path: path.to_owned(),
            line: index + 2,
            reason: format!("not a game: {error}"),
        })
    };
    lines.enumerate().map(piece).collect()
}

/// The first field that differs, with its values.
fn difference(there: &Map<String, Value>, here: &Value) -> Option<(String, String, String)> {
    let empty = Map::new();
    let here = here.as_object().unwrap_or(&empty);
    let show = |value: Option<&Value>| {
        value.map_or_else(
            || "not given".to_owned(),
            |value| shortened(&value.to_string(), 80).replace("\\\"", "\""),
        )
    };
    // The format says what the other fields mean.
    let names = std::iter::once("format").chain(there.keys().chain(here.keys()).map(String::as_str));
    names
        .into_iter()
        .find(|&name| there.get(name) != here.get(name))
        .map(|name| (name.to_owned(), show(there.get(name)), show(here.get(name))))
}
