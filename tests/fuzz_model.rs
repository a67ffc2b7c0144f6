//! Plays random games with the model and the packed position side by side; the twin compares all they can tell.

mod common;

use std::collections::BTreeSet;

use common::model::{Model, Move};
use common::{Twin, random_setup};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tuzdyq::game::{Bestemshe, Kozdatu, Rules, Togyzqumalaq};

/// Half-moves to be played in each game of the family.
const HALF_MOVES: u32 = 150_000;
/// Stones can go round for ever.
const LONGEST_GAME: u32 = 500;
/// The share of the games that begins with a random set-up.
const SETUPS: f64 = 0.5;

/// What a move met, so that the test can tell that the random games reach every rule.
fn events(before: &Model, number: usize, done: &Move, after: &Model) -> Vec<&'static str> {
    let (me, opponent) = (before.side, 1 - before.side);
    let (row, landing) = done.landing;
    let sown = before.stones(me, number);
    let three = row == opponent && after.stones(row, landing) == 3;
    let into_tuzdyq = |owner: usize| row != owner && before.tuzdyqs[owner] == Some(landing);
    let end = after.end();
    let table = [
        ("one stone", sown == 1),
        ("two laps", sown > 2 * before.game.pits as u32),
        ("four laps", sown > 6 * before.game.pits as u32),
        ("two captured", done.captured == 2),
        ("more captured", done.captured > 3),
        ("half the stones captured", 2 * done.captured > before.game.total()),
        ("a tuzdyq", done.tuzdyq),
        ("three, but one tuzdyq already", three && before.tuzdyqs[me].is_some()),
        ("three in the last pit", three && landing == before.game.pits),
        ("three, but the number is taken", three && before.tuzdyqs[opponent] == Some(landing)),
        ("own tuzdyq fed", done.fed > 0),
        ("the opponent's tuzdyq fed", done.lost > 0),
        ("both tuzdyqs fed twice", done.fed > 1 && done.lost > 1),
        ("a last stone into the own tuzdyq", into_tuzdyq(me)),
        ("a last stone into the opponent's tuzdyq", into_tuzdyq(opponent)),
        (
            "decided by the mover",
            end.is_some_and(|end| !end.atsyrau && end.stones[me] > end.stones[opponent]),
        ),
        (
            "decided for the opponent",
            end.is_some_and(|end| !end.atsyrau && end.stones[me] < end.stones[opponent]),
        ),
        ("atsyrau", end.is_some_and(|end| end.atsyrau)),
        ("a draw", end.is_some_and(|end| end.stones[me] == end.stones[opponent])),
        ("an empty row to be fed", end.is_none() && after.rows[me].iter().all(|&stones| stones == 0)),
    ];
    table.into_iter().filter(|&(_, met)| met).map(|(name, _)| name).collect()
}

/// Plays random games and gives the names of what happened in them.
fn play_random_games<R: Rules>(seed: u64) -> BTreeSet<&'static str> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut met = BTreeSet::new();
    let mut half_moves = 0;
    while half_moves < HALF_MOVES {
        let mut twin = Twin::<R>::start();
        if rng.random_bool(SETUPS) {
            twin = Twin::from_model(random_setup(twin.model.game, &mut rng));
        }
        for _ in 0..LONGEST_GAME {
            let legal = twin.model.legal_moves();
            if legal.is_empty() {
                break;
            }
            let number = legal[rng.random_range(0..legal.len())];
            let before = twin.model.clone();
            let done = twin.play(number);
            met.extend(events(&before, number, &done, &twin.model));
            half_moves += 1;
        }
    }
    met
}

#[test]
fn togyzqumalaq_agrees_with_the_model() {
    assert_eq!(play_random_games::<Togyzqumalaq>(1).len(), 20);
}

#[test]
fn kozdatu_agrees_with_the_model() {
    assert_eq!(play_random_games::<Kozdatu>(2).len(), 20);
}

#[test]
fn bestemshe_agrees_with_the_model() {
    let met = play_random_games::<Bestemshe>(3);
    assert!(!met.iter().any(|name| name.contains("tuzdyq") && !name.starts_with("three")), "{met:?}");
    assert!(
        met.is_superset(&BTreeSet::from(["four laps", "decided by the mover", "atsyrau", "a draw"])),
        "{met:?}"
    );
}
