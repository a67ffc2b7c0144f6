//! The review of a game: how good each move was, and what that comes to.
//!
//! [`assess()`] makes a [`GameReview`] from a record and from what an engine found of the positions; [`annotated`] puts
//! it into the margins of the record. The formulas and the form of the [`Report`] are described in `docs/review.md`.
//!
//! Nothing here searches or asks the operating system for anything: `tools::analyse` does the search.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod annotate;
mod assess;
mod class;
mod report;
mod summary;
mod tuzdyqs;
mod values;
mod worth;

pub use annotate::annotated;
pub use assess::{Incomplete, Material, assess};
pub use class::{BLUNDER, Case, Class, HALVING, INACCURACY, MISTAKE, accuracy, glyph};
pub use report::{
    End, GameReview, Line, LineMove, Loss, Phase, PhaseName, PlyReview, Proven, Report, SCHEMA, SideReview,
    Sides, Span, Stats, Tuzdyq, Value, Verdict, Verdicts,
};
pub use values::{Finding, FoundLine};
pub use worth::Worth;

#[cfg(test)]
mod tests;
