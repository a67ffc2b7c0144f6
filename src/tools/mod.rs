//! Tools around the engine, each behind a subcommand.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod bench;
pub mod book;
mod chance;
pub mod datagen;
pub mod endgame;
pub mod files;
pub mod matches;
pub mod openings;
pub mod perft;
mod share;
pub mod testset;

pub use share::{NoShare, Share};
