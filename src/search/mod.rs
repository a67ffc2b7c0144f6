//! The search: parallel iterative deepening of a principal variation alpha-beta.
//!
//! Nothing here asks the operating system for anything: the clock, the threads and the place to report to come in
//! from outside, see [`Environment`].

mod alpha_beta;
mod busy;
mod correction;
mod evaluations;
mod history;
mod known;
mod limits;
mod line;
mod misjudgement;
mod ordering;
mod parameters;
mod quiescence;
mod report;
mod root;
mod selective;
mod table;
mod time;
mod worker;

pub use limits::{Clock, Limits};
pub use misjudgement::Misjudgement;
pub use parameters::Parameters;
pub use report::{Answer, Iteration};
pub use root::run;
pub use table::{Bound, Entry, OutOfMemory, Table};
pub use time::TimePlan;
pub use worker::{Control, Environment, Progress, Selectivity, Worker};

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 200;
/// The longest line, captures at its end included.
pub const MAX_PLY: usize = 255;
