//! Tools around the engine, each behind a subcommand.

pub mod bench;
pub mod files;
pub mod openings;
pub mod perft;
pub mod testset;
