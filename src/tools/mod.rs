//! Tools around the engine, each behind a subcommand.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod analyse;
pub mod bench;
pub mod book;
mod chance;
pub mod datagen;
pub mod endgame;
pub mod files;
mod log;
pub mod matches;
pub mod openings;
pub mod perft;
mod share;
pub mod testset;

pub use log::LogError;
pub use share::{NoShare, Share};
