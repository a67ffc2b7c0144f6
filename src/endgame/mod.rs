//! Exact values of positions with few stones in the pits, whatever is in the kazans.
//!
//! - [`index`] numbers the positions,
//! - [`solve`] finds their values,
//! - [`mod@format`] packs the values into files, one for each number of stones (a layer),
//! - [`Endgames`] asks the layers for a position.
//!
//! Nothing here opens a file: bytes come in from outside.

mod cache;
mod configuration;
pub mod format;
pub mod index;
mod probe;
pub mod solve;

pub use configuration::Configuration;
pub use probe::{Endgames, Verdict};
