//! What `d` and `eval` say of a position.

use std::fmt::Write;

use crate::eval::{Classic, Evaluate, Wdl};
use crate::game::{Diagram, Game, Rules, Side};

/// The position drawn, then one fact a line: `Fen:`, `Key:`, `Kazans:`, `Legal:`, `Result:`.
///
/// `Kazans` are South's and North's final stones once the game is over.
#[must_use]
pub fn describe_position<R: Rules>(game: &Game<R>) -> String {
    let position = game.position();
    let mut text = format!("{}\n\nFen: {position}\nKey: {:016x}\n", Diagram(position), position.key());
    let outcome = position.outcome();
    let (south, north) = match outcome {
        Some(outcome) => (outcome.south, outcome.north),
        None => (position.half(Side::South).kazan(), position.half(Side::North).kazan()),
    };
    let legal: Vec<String> = position.moves().map(|pit| pit.to_string()).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Kazans: {south} {north}");
    let _ = writeln!(text, "Legal: {}", if legal.is_empty() { "-".to_owned() } else { legal.join(" ") });
    let _ = write!(text, "Result: {}", outcome.map_or("*", |outcome| outcome.result()));
    text
}

/// The terms of the static evaluation for the side to move, in a table.
#[must_use]
pub fn describe_evaluation<R: Rules>(game: &Game<R>) -> String {
    let position = game.position();
    if let Some(outcome) = position.outcome() {
        return format!("The game is over: {outcome}");
    }
    let side = position.turn();
    let (own, other) = (side.to_string(), side.other().to_string());
    let mut text = format!("{:<16}{own:>8}{other:>8}{:>8}\n", "term (stones)", "lead");
    let stones = |centistones: i32| f64::from(centistones) / 100.0;
    for term in Classic.terms(position.board()) {
        let (mover, opponent) = (stones(term.mover), stones(term.opponent));
        let _ = writeln!(text, "{:<16}{mover:>8.2}{opponent:>8.2}{:>8.2}", term.name, mover - opponent);
    }
    let score = Classic.evaluate(position.board());
    let left = f64::from(position.board().stones_left()) / f64::from(R::TOTAL);
    let Wdl { win, draw, loss } = Wdl::new(score, left);
    let _ = writeln!(text, "{:<32}{:>8.2}", "expected final lead", stones(score.value()));
    let percent = |chance: u32| f64::from(chance) / 10.0;
    let (win, draw, loss) = (percent(win), percent(draw), percent(loss));
    let _ = write!(text, "{side} to move: win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %");
    text
}
