//! Replays real games: the recorded final stones, positions and results are what the rules give.

mod common;

use common::model::Model;
use common::{Record, Twin, parse, real_games};
use tuzdyq::game::{Position, Togyzqumalaq};

/// The games of the corpus, and how many of them the rules ended.
const GAMES: usize = 975;
const FINISHED: usize = 429;

fn replay(game: &Record) {
    let mut twin = Twin::<Togyzqumalaq>::start();
    for &number in &game.moves {
        twin.play(number);
    }
    let Twin { model, position } = &twin;
    assert_eq!(without_move_number(&model.fen()), without_move_number(&game.fen.replace('T', "t")));
    let recorded: Position<Togyzqumalaq> = parse(&game.fen);
    assert_eq!(recorded, *position);
    assert_eq!(recorded.key(), position.key());

    // The twin has found model and position to agree on the end.
    let end = model.end();
    assert_eq!(end.is_some(), game.over);
    assert_eq!(end.map_or(model.kazans, |end| end.stones), game.kazans);
    if let Some(outcome) = position.outcome() {
        assert_eq!(outcome.result(), game.result);
        assert_eq!(result(model), game.result);
    }
}

/// The recorded positions all have the move number 1.
fn without_move_number(fen: &str) -> &str {
    fen.rsplit_once(' ').expect("a FEN").0
}

fn result(model: &Model) -> &'static str {
    let [south, north] = model.end().expect("a finished game").stones;
    match south.cmp(&north) {
        std::cmp::Ordering::Greater => "1-0",
        std::cmp::Ordering::Less => "0-1",
        std::cmp::Ordering::Equal => "1/2-1/2",
    }
}

#[test]
fn every_real_game_replays_to_its_recorded_end() {
    let games = real_games();
    assert_eq!(games.len(), GAMES);
    assert_eq!(games.iter().filter(|game| game.over).count(), FINISHED);
    for game in &games {
        println!("{}", game.id);
        replay(game);
    }
}
