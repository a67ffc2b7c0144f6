//! Files of game records as commands take them in, and what is told of them.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use crate::records::{self, Contradiction, ReadError};

use super::Failure;

/// The most bytes that are read: some 100,000 games.
const MAX_INPUT: u64 = 128 << 20;
/// The most contradictions that are shown one by one.
const MAX_SHOWN: usize = 50;

/// Why the bytes of an input are no text.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoText {
    /// There are too many.
    #[error("more than {} MB", MAX_INPUT >> 20)]
    TooLong,
    /// They are none.
    #[error(transparent)]
    Encoding(#[from] ReadError),
}

/// A file, or stdin.
pub(super) struct Input {
    /// What messages call it.
    pub(super) name: String,
    /// What is in it; of what is too long a little more than may be read.
    pub(super) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file, or stdin where the path is `-`.
    pub(super) fn read(path: &Path) -> Result<Input, Failure> {
        let is_stdin = path.as_os_str() == "-";
        let name = if is_stdin { "stdin".to_owned() } else { path.display().to_string() };
        let mut bytes = Vec::new();
        let read = if is_stdin {
            io::stdin().take(MAX_INPUT + 1).read_to_end(&mut bytes)
        } else {
            File::open(path).and_then(|file| file.take(MAX_INPUT + 1).read_to_end(&mut bytes))
        };
        match read {
            Ok(_) => Ok(Input { name, bytes }),
            Err(error) => Err(Failure::Usage(format!("{name}: {error}"))),
        }
    }

    /// The text, whatever its encoding.
    pub(super) fn text(&self) -> Result<Cow<'_, str>, NoText> {
        if self.bytes.len() as u64 > MAX_INPUT {
            return Err(NoText::TooLong);
        }
        Ok(records::decode(&self.bytes)?)
    }
}

/// Tells contradictions on stderr.
pub(super) struct Warnings<'a> {
    name: &'a str,
    count: usize,
}

impl Warnings<'_> {
    pub(super) fn new(name: &str) -> Warnings<'_> {
        Warnings { name, count: 0 }
    }

    pub(super) fn add(&mut self, contradiction: &Contradiction) {
        self.count += 1;
        if self.count <= MAX_SHOWN {
            self.tell(contradiction);
        }
    }

    pub(super) fn end(&self) {
        if let Some(more @ 1..) = self.count.checked_sub(MAX_SHOWN) {
            self.tell(&format!("{more} more contradictions"));
        }
    }

    fn tell(&self, what: &dyn fmt::Display) {
        // Where stderr is closed, there is nobody to tell.
        let _ = writeln!(io::stderr(), "tuzdyq: {}: {what}", self.name);
    }
}
