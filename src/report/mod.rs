//! What people look at: a position as a drawing.

mod board;
mod lang;

pub use board::svg;
pub use lang::{Lang, UnknownLang};
