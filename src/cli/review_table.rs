//! The review of a game as a table for people.

use std::fmt::Write as _;

use crate::game::{Side, Variant};
use crate::records::GameResult;
use crate::review::{
    Class, GameReview, Phase, PhaseName, PlyReview, Proven, SideReview, Stats, Tuzdyq, Value, glyph,
};

/// The review of a game, with a blank line after it.
pub(super) fn table(review: &GameReview) -> String {
    let mut text = title(review);
    text.push_str("\nScores are South's: its final lead in stones, and its chance.\n\n");
    let row = |columns: [&str; 6]| {
        let [move_, played, score, chance, class, best] = columns;
        let line = format!("{move_:>7} {played:<8} {score:>9} {chance:>6}  {class:<16} {best}");
        line.trim_end().to_owned() + "\n"
    };
    text += &row(["move", "played", "score", "chance", "", "best"]);
    for ply in review.plies.iter().filter(|ply| ply.after.is_some()) {
        let dots = if ply.side == Side::South { "." } else { "..." };
        let (score, chance) = ply.after.map_or_else(Default::default, columns);
        text += &row([
            &format!("{:>4}{dots:<3}", ply.number),
            &ply.notation,
            &score,
            &chance,
            &judgement(ply),
            &better(ply),
        ]);
    }
    text.push('\n');
    text += &summary(review);
    text += &turning_points(review);
    text += &tuzdyqs(review);
    text.push('\n');
    text
}

fn title(review: &GameReview) -> String {
    let name = |tag| {
        let name = review.tags.get(tag).map_or("?", String::as_str);
        name.replace(char::is_control, " ")
    };
    let mut text = format!("Game {}", review.number);
    if review.tags.contains_key("White") || review.tags.contains_key("Black") {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, ": {} (South) - {} (North)", name("White"), name("Black"));
    }
    if review.variant != Variant::Togyzqumalaq {
        let _ = write!(text, ", {}", review.variant);
    }
    if review.result.is_some() {
        let _ = write!(text, ", {}", GameResult::text(review.result));
    }
    if let Some(end) = review.end {
        let how = if end.atsyrau { ", atsyrau" } else { "" };
        let _ = write!(text, " ({}-{}{how})", end.south, end.north);
    }
    text
}

/// A value as South's score and chance.
fn columns(value: Value) -> (String, String) {
    let moves =
        value.moves.filter(|&moves| moves > 0).map_or_else(String::new, |moves| format!(" in {moves}"));
    let chance = percent(value.chance);
    match value.proven {
        None => (format!("{:+.2}", value.stones.unwrap_or_default()), chance),
        Some(Proven::South) => (format!("win{moves}"), chance),
        Some(Proven::Draw) => ("draw".to_owned(), chance),
        Some(Proven::North) => (format!("loss{moves}"), chance),
    }
}

fn percent(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

/// The sign and the class of a move that is not good.
fn judgement(ply: &PlyReview) -> String {
    let sign = ply.loss.and_then(|loss| glyph(loss.chance)).map_or("", |glyph| glyph.sign());
    match ply.class {
        None | Some(Class::Best | Class::Good) => String::new(),
        Some(class) => format!("{sign:<2} {}", class.name()),
    }
}

/// The best move and what it is worth, where another was played that is worth less.
fn better(ply: &PlyReview) -> String {
    let line = ply.lines.first().filter(|_| ply.class.is_some_and(|class| class != Class::Best));
    let best = line.and_then(|line| line.moves.first().map(|best| (line, best)));
    best.map_or_else(String::new, |(line, best)| {
        let (score, chance) = columns(line.value);
        format!("{:<8} {score:>9} {chance:>6}", best.notation)
    })
}

/// What the moves of both sides come to, side by side.
fn summary(review: &GameReview) -> String {
    let mut text = String::new();
    let mut row = |what: &str, south: &str, north: &str| {
        let _ = writeln!(text, "{what:<24} {south:>9} {north:>9}");
    };
    let decimals = |number: Option<f64>, decimals| {
        number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
    };
    let (south, north) = (&review.sides.south, &review.sides.north);
    row("", "South", "North");
    let accuracy = |stats: &Stats| decimals(stats.accuracy, 1);
    row("accuracy", &accuracy(&south.stats), &accuracy(&north.stats));
    for Phase { name, south, north, .. } in
        review.phases.iter().filter(|it| it.south.moves + it.north.moves > 0)
    {
        row(&format!("  {}", phase(*name)), &accuracy(south), &accuracy(north));
    }
    let loss = |side: &SideReview| decimals(side.stats.average_loss, 2);
    row("stones lost a move", &loss(south), &loss(north));
    for class in Class::ALL {
        let count = |side: &SideReview| side.classes.get(&class).copied().unwrap_or_default();
        let (south, north) = (count(south), count(north));
        if south + north > 0 {
            row(&format!("moves: {}", class.name()), &south.to_string(), &north.to_string());
        }
    }
    text
}

const fn phase(name: PhaseName) -> &'static str {
    match name {
        PhaseName::Opening => "opening",
        PhaseName::Middlegame => "middlegame",
        PhaseName::Endgame => "endgame",
    }
}

fn turning_points(review: &GameReview) -> String {
    let mut text = String::new();
    for &ply in &review.turning_points {
        let Some(ply) = review.plies.get(ply.wrapping_sub(1)) else { continue };
        let (Some([before, after]), Some(line)) = (ply.chances(), ply.lines.first()) else { continue };
        let moves: Vec<&str> = line.moves.iter().take(5).map(|it| it.notation.as_str()).collect();
        let _ = writeln!(
            text,
            "  {}: {}'s chance falls from {} to {}; better was {}",
            numbered(ply),
            ply.side,
            percent(before),
            percent(after),
            moves.join(" ")
        );
    }
    if text.is_empty() { text } else { format!("\nTurning points\n{text}") }
}

/// A move with its number: `12... 76(10)`.
fn numbered(ply: &PlyReview) -> String {
    let dots = if ply.side == Side::South { "." } else { "..." };
    format!("{}{dots} {}", ply.number, ply.notation)
}

fn tuzdyqs(review: &GameReview) -> String {
    if review.variant == Variant::Bestemshe {
        return String::new();
    }
    if review.tuzdyqs.is_empty() {
        return "\nNobody made a tuzdyq.\n".to_owned();
    }
    let mut text = "\nTuzdyqs\n".to_owned();
    for &Tuzdyq { ply, side, pit, stones } in &review.tuzdyqs {
        let made = review.plies.get(ply.wrapping_sub(1));
        let when =
            made.map_or_else(|| "there at the start".to_owned(), |ply| format!("made by {}", numbered(ply)));
        let _ =
            writeln!(text, "  {side} has {}'s pit {pit}, {when}; it brought {stones} stones", side.other());
    }
    text
}
