//! The files of the large platform: tags, then numbered moves with the landing pit, the kazan after a capture, and `X`
//! for a tuzdyq.

use crate::game::{Game, Played, Rules};
use crate::records::record::Record;
use crate::records::result::GameResult;
use crate::with_game;

use super::{Step, braced, steps, tags};

/// Columns of the lines of moves, at most, where words are not longer.
const WIDTH: usize = 80;

/// Writes a game, with a blank line after it.
pub(super) fn write(record: &Record, out: &mut String) {
    tags(record, out);
    out.push('\n');
    let mut words: Vec<String> = record.comment.as_deref().and_then(braced).into_iter().collect();
    with_game!(&record.game, game => movetext(record, game, &mut words));
    words.push(GameResult::text(record.known_result()).to_owned());
    if record.outcome().is_some_and(|outcome| outcome.atsyrau) {
        words.push("{zero}".to_owned());
    }
    wrap(words.iter().flat_map(|word| word.split(' ')), out);
    out.push_str("\n\n");
}

fn movetext<R: Rules>(record: &Record, game: &Game<R>, words: &mut Vec<String>) {
    let mut is_fresh = true;
    for step in steps(record, game) {
        let number = step.number;
        if !step.is_of_north() {
            words.push(format!("{number}."));
        } else if is_fresh {
            words.push(format!("{number}..."));
        }
        words.push(word(&step));
        is_fresh = false;
        if let Some(comment) = step.comment() {
            words.push(comment);
            is_fresh = true;
        }
    }
}

fn word(step: &Step<'_>) -> String {
    format!("{}{}", notation(&step.played), step.signs())
}

/// A move as the files of the large platform write it: the pit, the pit of the last stone, and `X` for a tuzdyq or
/// the mover's kazan after a capture, as `76(10)`.
#[must_use]
pub fn notation(played: &Played) -> String {
    let &Played { pit, landing, effect, kazan, .. } = played;
    let mark = match effect {
        _ if effect.tuzdyq => "X".to_owned(),
        _ if effect.captured > 0 => format!("({kazan})"),
        _ => String::new(),
    };
    format!("{pit}{}{mark}", landing.pit)
}

/// Writes words with blanks and line breaks between them.
fn wrap<'a>(words: impl Iterator<Item = &'a str>, out: &mut String) {
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyGame, Variant};

    fn written(fen: Option<&str>, moves: &str) -> String {
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        let game = AnyGame::from_text(Variant::Togyzqumalaq, fen, &moves).unwrap();
        let mut text = String::new();
        write(&Record::new(game), &mut text);
        text.split_once("\n\n").unwrap().1.to_owned()
    }

    #[test]
    fn moves_are_numbered_from_where_the_game_began() {
        assert_eq!(written(None, "7 2 3"), "1. 76(10) 22(10) 2. 32(12) *\n\n");
        assert_eq!(
            written(Some("8,1S/1S,8 80 80 N 4"), "1 1 2"),
            "4... 12 5. 12 23 *

"
        );
        assert_eq!(written(Some("8,1S/1S,8 80 80 S 4"), "1"), "4. 12 *\n\n");
    }

    #[test]
    fn lines_are_wrapped() {
        let mut text = String::new();
        wrap(["123456789"; 30].into_iter(), &mut text);
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.lines().count() == 4, "{text}");
    }
}
