//! Makes and checks the files of exact endgames.

mod build;
mod verify;

pub use build::{BuildError, Event, Plan, build};
pub use verify::{Report, Told, VerifyError, Wrong, verify};
