//! The making of opening books: from games that were played, and from the engine's own analysis.

mod analysis;
mod games;
mod searches;

pub use analysis::{Means, Plan, Tree, analyse};
pub use games::Games;
pub use searches::{Found, Searches, SearchesError};

use crate::search::OutOfMemory;

/// How far an analysis is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The moves of all positions at this distance from the start are searched next.
    Level {
        /// Half-moves from the start.
        ply: u32,
        /// Positions to search, all that are known from before included.
        searches: u64,
        /// Those that are known from before.
        known: u64,
    },
    /// Positions have been searched.
    Searched(u64),
}

/// Why an analysis is not finished.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The file of the searches.
    #[error(transparent)]
    Searches(#[from] SearchesError),
    /// The threads could not be started.
    #[error("no threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There is no memory for the tables.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// It was told to stop. The searches that are finished have been kept.
    #[error("interrupted")]
    Interrupted,
}
