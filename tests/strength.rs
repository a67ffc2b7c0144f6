//! Limited strength: what the options do, and that a higher level plays better.

mod common;

use common::searching;
use tuzdyq::engine::Engine;
use tuzdyq::game::{Game, Side, Togyzqumalaq};
use tuzdyq::options::Options;
use tuzdyq::search::{Answer, Limits};

fn engine(options: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::new(Options { hash: 1, ..Options::default() }).expect("an engine");
    for (name, value) in options {
        engine.set_option(name, Some(value)).expect("an option");
    }
    engine
}

fn search(engine: &mut Engine, game: &Game<Togyzqumalaq>, limits: Limits) -> Answer {
    searching::search(engine, game.clone(), limits).answer
}

/// The nodes of a search that nothing but the strength ends early.
fn nodes(options: &[(&str, &str)]) -> u64 {
    search(
        &mut engine(options),
        &Game::default(),
        Limits { depth: Some(40), nodes: Some(500_000), ..Limits::default() },
    )
    .nodes
}

#[test]
fn the_strength_limits_the_nodes() {
    let levels: Vec<u64> = (1..=8).map(|level| nodes(&[("Skill", &level.to_string())])).collect();
    assert!(levels.is_sorted_by(|a, b| a < b), "{levels:?}");
    assert_eq!(levels[7], 500_000);
    let (least, most) = (Options::default().elo.min(1000).to_string(), Options::default().elo.to_string());
    assert_eq!(nodes(&[("UCI_Elo", &least)]), 500_000, "UCI_Elo alone does nothing");
    assert_eq!(nodes(&[("UCI_LimitStrength", "true"), ("UCI_Elo", &least)]), levels[0]);
    assert_eq!(nodes(&[("UCI_LimitStrength", "true"), ("UCI_Elo", &most)]), levels[6]);
    assert_eq!(nodes(&[("UCI_LimitStrength", "true"), ("UCI_Elo", &least), ("Skill", "5")]), levels[0]);
}

#[test]
fn other_limits_hold_as_well() {
    let mut engine = engine(&[("Skill", "3")]);
    let answer = search(&mut engine, &Game::default(), Limits { nodes: Some(20), ..Limits::default() });
    assert_eq!(answer.nodes, 20);
    assert!(answer.best.is_some());
}

#[test]
fn a_game_is_misjudged_in_the_same_way_throughout_and_the_next_in_another() {
    let mut engine = engine(&[("Skill", "2")]);
    let game = Game::default();
    let limits = || Limits { depth: Some(1), ..Limits::default() };
    let first = search(&mut engine, &game, limits()).score;
    engine.set_option("Clear Hash", None).expect("idle");
    assert_eq!(search(&mut engine, &game, limits()).score, first);
    let others = (0..20).map(|_| {
        engine.new_game().expect("idle");
        search(&mut engine, &game, limits()).score
    });
    assert!(others.filter(|&score| score != first).count() > 10);
}

/// The points of a level in two games against another.
fn points(level: &str, other: &str, opening: &[usize]) -> f64 {
    let game = |south: &str, north: &str| {
        let mut engines = [engine(&[("Skill", south)]), engine(&[("Skill", north)])];
        let mut game = Game::<Togyzqumalaq>::default();
        for &index in opening {
            let pit = game.position().moves().nth(index).expect("a move");
            game.play(pit);
        }
        while game.position().outcome().is_none() && game.moves().len() < 1_000 {
            let turn = usize::from(game.position().turn() == Side::North);
            let answer = search(&mut engines[turn], &game, Limits { depth: Some(40), ..Limits::default() });
            game.play(answer.best.expect("a move"));
        }
        match game.position().outcome().and_then(|outcome| outcome.winner()) {
            Some(Side::South) => 1.0,
            Some(Side::North) => 0.0,
            None => 0.5,
        }
    };
    game(level, other) + 1.0 - game(other, level)
}

#[test]
fn a_much_higher_level_wins_most_games() {
    let points: f64 = (0..8).map(|index| points("4", "1", &[index, 8 - index])).sum();
    assert!(points >= 12.0, "{points} of 16");
}
