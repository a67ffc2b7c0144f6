//! The log of a match, from which it can go on: a line of JSON that says which match it is, then one for each game.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::text::shortened;

use super::Settings;
use super::record::Record;

/// The version of the format, in the first line of a log.
const FORMAT: u32 = 1;

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
    #[error("{0}: another match is writing it")]
    InUse(PathBuf),
    /// The file is something else.
    #[error("{0}: not the log of a match")]
    Foreign(PathBuf),
    /// It is the log of a match with other settings.
    #[error("{path}: the log of another match: {field} is {there} there, and {here} here")]
    OtherMatch {
        /// Which file.
        path: PathBuf,
        /// The first setting that differs.
        field: String,
        /// Its value in the file.
        there: String,
        /// Its value in this match.
        here: String,
    },
    /// A line is no game of the match.
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

/// An open log, locked against other matches.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens the log of a match and gives the games in it, or begins it. A last line that was cut off is dropped. A
    /// file that is not the log of this match stays as it is.
    pub(super) fn open(path: &Path, settings: &Settings) -> Result<(Log, Vec<Record>), LogError> {
        let failed = |error| LogError::File { path: path.to_owned(), error };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LogError::InUse(path.to_owned()),
            TryLockError::Error(error) => failed(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header = header(settings);
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let torn_header = whole == 0 && header.to_string().as_bytes().starts_with(&bytes);
        let mut log = Log { file, path: path.to_owned() };
        if torn_header {
            log.cut(0)?;
            log.write(&header.to_string())?;
            return Ok((log, Vec::new()));
        }
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| LogError::Foreign(path.to_owned()))?;
        let records = read(path, text, &header)?;
        log.cut(whole as u64)?;
        Ok((log, records))
    }

    /// Adds a game.
    pub(super) fn add(&mut self, record: &Record) -> Result<(), LogError> {
        let line = serde_json::to_string(record).map_err(|error| self.failed(error.into()))?;
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> Result<(), LogError> {
        // In one piece and without a buffer, so that a match that is killed leaves whole lines.
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

/// All that defines a match. The number of games and of those played at once do not.
fn header(settings: &Settings) -> Value {
    let engine = |engine: &super::Contestant| {
        json!({ "command": engine.command.as_ref().map_or_else(|| json!("self"), |words| json!(words)),
            "options": engine.options })
    };
    let mut header = json!({
        "format": FORMAT,
        "engine 1": engine(&settings.engines[0]),
        "engine 2": engine(&settings.engines[1]),
        "limit": settings.limit.to_string(),
        "variant": settings.variant.name(),
        "openings": settings.openings.identity(),
        "seed": settings.seed,
        "sprt": settings.sprt,
        "margin": settings.margin.as_millis() as u64,
        "patience": settings.patience.as_millis() as u64,
    });
    // Only where there is one, so that logs without are those of before.
    if let Some(resignation) = settings.resignation {
        header["resignation"] = json!(resignation);
    }
    if settings.engines.iter().any(|engine| engine.command.is_none()) {
        let version = format!("{} (commit {})", env!("CARGO_PKG_VERSION"), env!("TUZDYQ_COMMIT"));
        header["version of self"] = json!(version);
    }
    header
}

fn read(path: &Path, text: &str, header: &Value) -> Result<Vec<Record>, LogError> {
    let mut lines = text.lines();
    let first = lines.next().and_then(|line| serde_json::from_str::<Map<String, Value>>(line).ok());
    let there = first.filter(|map| map.contains_key("format"));
    let there = there.ok_or_else(|| LogError::Foreign(path.to_owned()))?;
    if let Some((field, there, here)) = difference(&there, header) {
        return Err(LogError::OtherMatch { path: path.to_owned(), field, there, here });
    }
    lines
        .enumerate()
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| LogError::Line {
                path: path.to_owned(),
                line: index + 2,
                reason: format!("not a game: {error}"),
            })
        })
        .collect()
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
