//! What `d` and `eval` say of a position.

use std::fmt::Write;

use crate::engine::evaluation::Evaluation;
use crate::eval::network::View;
use crate::eval::{Classic, Evaluate, Network, Wdl};
use crate::game::{Diagram, Game, Pit, Position, Rules, Side};
use crate::with_evaluation;

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

/// The static evaluation for the side to move: what each pit is worth to the network, if there is one in use, the terms
/// of the handcrafted evaluation, and what it all comes to.
#[must_use]
pub fn describe_evaluation<R: Rules>(game: &Game<R>, evaluation: &Evaluation) -> String {
    let position = game.position();
    if let Some(outcome) = position.outcome() {
        return format!("The game is over: {outcome}");
    }
    let mut text = String::new();
    if let Evaluation::Network(network) = evaluation {
        text.push_str(&worth_of_pits(position, network));
        text.push_str("\nhandcrafted evaluation, for comparison\n");
    }
    text.push_str(&classic_terms(position));
    let score = with_evaluation!(evaluation, it => it.evaluate(position.board()));
    let left = f64::from(position.board().stones_left()) / f64::from(R::TOTAL);
    let Wdl { win, draw, loss } = Wdl::new(score, left);
    let percent = |chance: u32| f64::from(chance) / 10.0;
    let (win, draw, loss) = (percent(win), percent(draw), percent(loss));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:<32}{:>8.2}", "expected final lead", stones(score.value()));
    let _ = write!(text, "{} to move: win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %", position.turn());
    text
}

/// Centistones in stones.
fn stones(centistones: i32) -> f64 {
    f64::from(centistones) / 100.0
}

/// The pits of both sides with their stones, and by how much the network's value for the side to move would be less
/// without them.
fn worth_of_pits<R: Rules>(position: &Position<R>, network: &Network) -> String {
    let view = View::of(position.board());
    let value = network.value(&view);
    let worth = |pit: usize| {
        let mut without = view;
        without.stones[pit] = 0;
        stones(value - network.value(&without))
    };
    let mut text = format!("network: {}\n{:<16}", network.layers().origin, "pit");
    let sides = [(position.turn(), 0), (position.turn().other(), R::PITS)];
    let _ = writeln!(text, "{}", Pit::all(R::PITS).map(|pit| format!("{pit:>8}")).collect::<String>());
    for (side, first) in sides {
        let pits = first..first + R::PITS;
        let counts: String = pits.clone().map(|pit| format!("{:>8}", view.stones[pit])).collect();
        let worths: String = pits.map(|pit| format!("{:>+8.2}", worth(pit))).collect();
        let side = side.to_string();
        let _ = writeln!(
            text,
            "{:<16}{counts}\n{:<16}{worths}",
            format!("{side} stones"),
            format!("{side} worth")
        );
    }
    let _ = writeln!(text, "{:<32}{:>8.2}", "network's value", stones(value));
    text
}

/// The terms of the handcrafted evaluation, in a table.
fn classic_terms<R: Rules>(position: &Position<R>) -> String {
    let side = position.turn();
    let (own, other) = (side.to_string(), side.other().to_string());
    let mut text = format!("{:<16}{own:>8}{other:>8}{:>8}\n", "term (stones)", "lead");
    let terms = Classic.terms(position.board());
    for term in &terms {
        let (mover, opponent) = (stones(term.mover), stones(term.opponent));
        let _ = writeln!(text, "{:<16}{mover:>8.2}{opponent:>8.2}{:>8.2}", term.name, mover - opponent);
    }
    let _ = writeln!(
        text,
        "{:<32}{:>8.2}",
        "sum",
        stones(terms.iter().map(|term| term.mover - term.opponent).sum())
    );
    text
}
