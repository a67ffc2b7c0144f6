//! The line protocol, a UCI adapted to this game; `protocol.md` is its reference.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod describe;
mod limits;
mod reply;
mod session;

pub use command::{Command, Go, ParseError, Parsed, parse};
pub use describe::{describe_evaluation, describe_position};
pub use limits::limits_from;
pub use reply::Reply;
pub use session::{SessionError, run};
