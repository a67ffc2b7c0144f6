//! A record with the review in its margins: signs and comments.

use crate::records::Record;

use super::class::{Class, glyph};
use super::report::{GameReview, PlyReview, Proven, Value};

/// The record with a sign and a comment for each reviewed move, which the formats that have comments write. Signs and
/// comments of the record stay; what is added follows them.
#[must_use]
pub fn annotated(record: &Record, review: &GameReview, engine: &str) -> Record {
    let mut record = record.clone();
    if record.tags.get("Annotator").is_none() {
        record.tags.set("Annotator", engine);
    }
    for (index, ply) in review.plies.iter().enumerate() {
        let Some(comment) = comment(ply) else { continue };
        let note = record.notes.entry(index).or_default();
        note.glyph = note.glyph.or(ply.loss.and_then(|loss| glyph(loss.chance)));
        note.comment = Some(joined(note.comment.take(), comment));
    }
    if let Some(summary) = summary(review) {
        record.comment = Some(joined(record.comment.take(), summary));
    }
    record
}

fn joined(recorded: Option<String>, added: String) -> String {
    recorded.map_or_else(|| added.clone(), |recorded| format!("{recorded}; {added}"))
}

/// The value after the move; where it is no good move, also what it is, and the best line.
fn comment(ply: &PlyReview) -> Option<String> {
    let (after, class) = (ply.after?, ply.class?);
    if [Class::Best, Class::Good].contains(&class) {
        return Some(after.to_string());
    }
    let line = ply.lines.first()?;
    let moves: Vec<&str> = line.moves.iter().map(|it| it.notation.as_str()).collect();
    Some(format!("{after}; {}, best {} ({})", class.name(), moves.join(" "), line.value))
}

fn summary(review: &GameReview) -> Option<String> {
    let south = review.sides.south.stats.accuracy;
    let north = review.sides.north.stats.accuracy;
    let text = |accuracy: Option<f64>| accuracy.map_or_else(|| "-".to_owned(), |it| format!("{it:.1}"));
    (south.or(north).is_some()).then(|| format!("accuracy: South {}, North {}", text(south), text(north)))
}

/// For people: South's lead in stones and its expected score, or the proven result.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let winner = match self.proven {
            None => {
                let (stones, chance) = (self.stones.unwrap_or_default(), 100.0 * self.chance);
                return write!(f, "{stones:+.2}, {chance:.0} %");
            }
            Some(Proven::Draw) => return f.write_str("draw"),
            Some(Proven::South) => "South",
            Some(Proven::North) => "North",
        };
        match self.moves {
            Some(moves @ 1..) => write!(f, "{winner} wins in {moves}"),
            _ => write!(f, "{winner} wins"),
        }
    }
}
