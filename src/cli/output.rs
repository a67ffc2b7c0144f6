//! Where a command writes its text: stdout, or a file as a whole.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::tools::files;

use super::Failure;

#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// The file to write; stdout if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl OutputArgs {
    /// Makes sure, before any work, that the text can be written in the end.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let check =
            |path: &PathBuf| files::check_place(path).map_err(|error| Failure::Usage(named(path, &error)));
        self.out.as_ref().map_or(Ok(()), check)
    }

    /// Writes the text.
    ///
    /// # Errors
    /// When that fails; a file that was there is as it was then.
    pub(super) fn write(&self, text: &str) -> Result<(), Failure> {
        match &self.out {
            None => Ok(io::stdout().write_all(text.as_bytes())?),
            Some(path) => files::write_atomically(path, text.as_bytes())
                .map_err(|error| Failure::Failed(named(path, &error))),
        }
    }
}

fn named(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
