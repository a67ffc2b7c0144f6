//! The bar that long work shows on a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Failure;

/// A bar on stderr, which shows nothing where that is no terminal that can write a line again.
pub(super) fn bar(length: Option<u64>, template: &str) -> Result<ProgressBar, Failure> {
    let style = ProgressStyle::with_template(template).map_err(Failure::failed)?;
    let is_live = std::env::var_os("TERM").is_some_and(|term| term != "dumb") && io::stderr().is_terminal();
    let target = if is_live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    Ok(ProgressBar::with_draw_target(length, target).with_style(style))
}
