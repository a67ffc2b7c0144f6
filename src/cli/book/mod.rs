//! `tuzdyq book`: builds opening books and shows what is in them.

mod build;
mod show;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::book::Book;
use crate::engine::book;

use super::Failure;

const EXAMPLES: &str = "\
Examples:
  tuzdyq book show                           what the book built in knows of the start position
  tuzdyq book show --moves 7 2
  tuzdyq book build games.pgn --min-games 3 --depth 20 --out club.tqb
  tuzdyq book build --analyse 4 --nodes 1000000 --margin 50 --out own.tqb
  tuzdyq book show --book own.tqb
  tuzdyq book info own.tqb

The option BookFile of the protocol uses a book, with OwnBook on. docs/book-format.md describes the file.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Make a book of games, of the engine's own analysis, or of both
    Build(Box<build::BuildArgs>),
    /// Show the moves that a book knows of a position, with their games and scores
    Show(show::ShowArgs),
    /// Tell how a book was made and what is in it
    Info {
        /// The book; the one built in if not given
        #[arg(value_name = "FILE")]
        book: Option<PathBuf>,
    },
}

pub(super) fn run(args: &BookArgs) -> Result<(), Failure> {
    match &args.task {
        Task::Build(args) => build::run(args),
        Task::Show(args) => show::run(args),
        Task::Info { book } => show::info(book.as_ref()),
    }
}

/// The book in a file, or the one built in.
fn open(path: Option<&PathBuf>) -> Result<Book, Failure> {
    match path {
        Some(path) => book::load(path).map_err(Failure::failed),
        None => book::built_in().ok_or_else(|| Failure::failed("the book built in is damaged")),
    }
}
