//! The formats with a line for each pair of moves: TGK, and score sheets in short and in full notation.

use std::fmt::Write as _;

use crate::game::{Game, Played, Rules};
use crate::records::record::Record;
use crate::records::result::GameResult;
use crate::with_game;

use super::{Step, braced, steps, tags};

/// How wide the first column of a score sheet is.
const COLUMN: usize = 12;

/// Writes a tournament record: tags, then the lines of moves. The result is among the tags.
pub(super) fn tgk(record: &Record, out: &mut String) {
    tags(record, out);
    out.push('\n');
    lines(record, |step| format!("{}{}", step.played.pit, landing(step)), 0, out);
    out.push('\n');
}

fn landing(step: &Step<'_>) -> String {
    let Played { landing, effect, .. } = step.played;
    format!("{}{}", landing.pit, if effect.tuzdyq { "x" } else { "" })
}

/// Writes a score sheet: tags if there are any, the lines of moves, and the result.
pub(super) fn sheet(record: &Record, form: fn(&Step<'_>) -> String, out: &mut String) {
    if !record.tags.is_empty() || has_start(record) {
        tags(record, out);
        out.push('\n');
    }
    lines(record, form, COLUMN, out);
    let _ = writeln!(out, "{}\n", GameResult::text(record.known_result()));
}

fn has_start(record: &Record) -> bool {
    super::start_tags(record, &mut String::new())
}

/// A move in short notation: the house, `:` or `-`, the house of the last stone, and after a capture the kazan.
pub(super) fn short(step: &Step<'_>) -> String {
    let Played { pit, effect, kazan, .. } = step.played;
    let (sign, tuzdyq) = marks(step);
    let kazan = if effect.captured > 0 { format!(" ({kazan})") } else { String::new() };
    format!("{pit}{sign}{}{tuzdyq}{kazan}", step.played.landing.pit)
}

/// A move in full notation: each house with its stones.
pub(super) fn full(step: &Step<'_>) -> String {
    let Played { pit, stones, landing, landing_stones, .. } = step.played;
    let (sign, tuzdyq) = marks(step);
    format!("{pit}{stones}{sign}{}{landing_stones}{tuzdyq}", landing.pit)
}

fn marks(step: &Step<'_>) -> (char, &'static str) {
    let effect = step.played.effect;
    (if effect.captured > 0 { ':' } else { '-' }, if effect.tuzdyq { "X" } else { "" })
}

fn lines(record: &Record, form: impl Fn(&Step<'_>) -> String, column: usize, out: &mut String) {
    if let Some(comment) = record.comment.as_deref().and_then(braced) {
        let _ = writeln!(out, "{comment}");
    }
    with_game!(&record.game, game => lines_of(record, game, form, column, out));
}

fn lines_of<R: Rules>(
    record: &Record,
    game: &Game<R>,
    form: impl Fn(&Step<'_>) -> String,
    column: usize,
    out: &mut String,
) {
    let mut is_open = false;
    for step in steps(record, game) {
        let cell = format!("{}{}", form(&step), step.signs());
        let comment = step.comment().map(|comment| format!(" {comment}")).unwrap_or_default();
        if step.is_of_north() {
            if !is_open {
                let _ = write!(out, "{}... ", step.number);
            }
            let _ = writeln!(out, "{cell}{comment}");
        } else {
            let _ = write!(out, "{}. {:column$} ", step.number, format!("{cell}{comment}"));
        }
        is_open = !step.is_of_north();
    }
    if is_open {
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
}
