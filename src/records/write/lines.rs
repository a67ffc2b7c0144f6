//! The formats with a line for each game, and nothing but the moves: squares and pit numbers.

use crate::game::{Game, Rules, squares as squares_of};
use crate::records::record::Record;
use crate::with_game;

use super::{start_tags, tag};

/// Which of the two.
pub(super) type Form = fn(&Record) -> Vec<String>;

/// Writes a game. Only one that does not begin as usual has tags, and one without moves, which would not be seen.
pub(super) fn write(record: &Record, form: Form, out: &mut String) {
    let has_tags = start_tags(record, out);
    let words = form(record);
    if words.is_empty() {
        tag("Result", "*", out);
        out.push_str("*\n");
    } else {
        out.push_str(&words.join(" "));
        out.push_str(if has_tags { "\n\n" } else { "\n" });
    }
}

/// The moves as origin and landing squares.
pub(super) fn squares(record: &Record) -> Vec<String> {
    with_game!(&record.game, game => in_squares(game))
}

/// The moves as pit numbers.
pub(super) fn pits(record: &Record) -> Vec<String> {
    with_game!(&record.game, game => game.moves().iter().map(ToString::to_string).collect())
}

fn in_squares<R: Rules>(game: &Game<R>) -> Vec<String> {
    let mut position = *game.start();
    let word = |&pit| {
        let word = squares_of(&position, pit);
        position = position.play(pit).0;
        word
    };
    game.moves().iter().map(word).collect()
}
