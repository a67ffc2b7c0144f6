//! Training data: positions of the engine's games against itself, with what its searches found.

mod census;
mod file;
mod play;
mod record;
mod rescore;
mod sets;

pub use census::Census;
pub use file::{Chunk, DataError, Fault, Header, Order, Reader};
pub use play::{Plan, Player, play};
pub use record::{Finding, Flags, GameResult, RECORD, Record, RecordError};
pub use rescore::rescore;
pub use sets::{Split, merge, shuffle};

use crate::search::OutOfMemory;

/// How far a work is.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// The file is there as it would be made.
    There,
    /// Work begins, or goes on.
    Begun {
        /// What is done already: games, or chunks of a file.
        done: u64,
        /// What there is to do, where it is known.
        of: Option<u64>,
    },
    /// A piece is done.
    Done {
        /// What is done so far.
        done: u64,
        /// What this piece brought.
        records: &'a [Record],
    },
}

/// Why a work is not finished.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// A file.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The threads could not be started.
    #[error("no threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There is no memory for the tables.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// It was told to stop. What is finished has been kept.
    #[error("interrupted")]
    Interrupted,
}
