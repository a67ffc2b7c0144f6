//! What the search makes of the exact endgames.

mod common;

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;

use common::searching::{check_heard, random_endings, start};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tuzdyq::endgame::{Endgames, Verdict};
use tuzdyq::engine::Engine;
use tuzdyq::engine::endgames::built_in;
use tuzdyq::eval::Score;
use tuzdyq::game::{AnyGame, Bestemshe, Game, Kozdatu, Position, Rules, Togyzqumalaq};
use tuzdyq::options::Options;
use tuzdyq::search::Limits;

fn engine<R: Rules>() -> Engine {
    Engine::new(Options { variant: R::VARIANT, hash: 1, ..Options::default() }).expect("an engine")
}

fn endgames<R: Rules>() -> Endgames {
    Endgames::new::<R>(built_in(R::VARIANT), 1 << 27)
}

fn verdict<R: Rules>(endgames: &Endgames, position: &Position<R>) -> Verdict {
    Verdict::of(position.board(), endgames.probe(position.board()).expect("a layer built in"))
}

/// Whether a score claims the result that the tables know.
fn is_claimed(verdict: Verdict, score: Score) -> bool {
    match verdict {
        Verdict::Win => score.is_win(),
        Verdict::Loss => score.is_loss(),
        Verdict::Draw => score == Score::DRAW,
        Verdict::Unresolved => true,
    }
}

/// Plays endings against moves chosen at random, or against itself. No position may occur as often as `third`.
fn result_is_kept<R: Rules>(seed: u64, games: usize, limits: &Limits, third: u32)
where
    AnyGame: From<Game<R>>,
{
    let (endgames, mut rng) = (endgames::<R>(), Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut engine = engine::<R>();
    let most = endgames.most().expect("layers built in");
    for (number, mut game) in random_endings::<R>(games, most, seed).into_iter().enumerate() {
        let before = verdict(&endgames, game.position());
        let side = game.position().turn();
        let at_random = number % 2 == 0;
        let mut seen: HashMap<u64, u32> = HashMap::new();
        while game.position().outcome().is_none() {
            let position = *game.position();
            let times = seen.entry(position.key()).or_default();
            *times += 1;
            if *times == third {
                // A winner who plays at random may, and a draw by repetition is one.
                assert!(
                    before == Verdict::Draw || before == Verdict::Loss && at_random,
                    "{before:?} repeats {position}"
                );
                break;
            }
            let pit = if position.turn() == side || !at_random {
                engine.set_game(game.clone().into()).expect("an idle engine");
                let heard = start(&mut engine, limits.clone()).finish();
                check_heard(&position, &heard);
                let now = verdict(&endgames, &position);
                assert!(is_claimed(now, heard.answer.score), "{now:?}, {}: {position}", heard.answer.score);
                heard.answer.best.expect("a move")
            } else {
                let moves: Vec<_> = position.moves().collect();
                moves[rng.random_range(0..moves.len())]
            };
            game.play(pit);
        }
        let Some(outcome) = game.position().outcome() else { continue };
        match before {
            Verdict::Win => assert_eq!(outcome.winner(), Some(side)),
            Verdict::Draw if at_random => assert_ne!(outcome.winner(), Some(side.other())),
            Verdict::Draw => assert_eq!(outcome.winner(), None),
            Verdict::Loss if at_random => {}
            Verdict::Loss => assert_eq!(outcome.winner(), Some(side.other())),
            Verdict::Unresolved => panic!("all layers built in are exact"),
        }
    }
}

#[test]
fn won_endings_are_won_and_drawn_ones_drawn_with_a_search_of_one_ply() {
    let limits = Limits { depth: Some(1), ..Limits::default() };
    // The search does not see that the opponent can repeat a position; but it never goes the same way again.
    result_is_kept::<Togyzqumalaq>(1, 400, &limits, 5);
    result_is_kept::<Kozdatu>(2, 200, &limits, 5);
    result_is_kept::<Bestemshe>(3, 200, &limits, 5);
}

#[test]
fn a_deeper_one_never_repeats_a_position_twice() {
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    result_is_kept::<Togyzqumalaq>(4, 600, &limits, 3);
    result_is_kept::<Kozdatu>(5, 200, &limits, 3);
}

#[test]
fn a_win_is_claimed_at_once_and_its_end_is_found_in_time() {
    let mut engine = engine::<Togyzqumalaq>();
    let endgames = endgames::<Togyzqumalaq>();
    let mut seen = 0;
    for game in random_endings::<Togyzqumalaq>(60, 8, 9) {
        if verdict(&endgames, game.position()) != Verdict::Win {
            continue;
        }
        engine.set_game(game.clone().into()).expect("an idle engine");
        let heard = start(&mut engine, Limits { depth: Some(14), ..Limits::default() }).finish();
        assert!(heard.exact().all(|iteration| iteration.score.is_win()), "{}", game.position());
        seen += u32::from(heard.answer.score.moves_to_end().is_some());
    }
    assert!(seen >= 10, "{seen} ends seen");
}

#[test]
fn several_threads_lines_and_chosen_moves_keep_to_what_is_known() {
    let endgames = endgames::<Togyzqumalaq>();
    let options = Options { hash: 1, threads: 4, multi_pv: 9, ..Options::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let mut mixed = 0;
    for game in random_endings::<Togyzqumalaq>(300, 8, 12) {
        let position = *game.position();
        let result = |pit| match position.play(pit).0.outcome() {
            Some(outcome) => match outcome.winner() {
                Some(side) if side == position.turn() => Verdict::Loss,
                Some(_) => Verdict::Win,
                None => Verdict::Draw,
            },
            None => verdict(&endgames, &position.play(pit).0),
        };
        engine.set_game(game.clone().into()).expect("an idle engine");
        let heard = start(&mut engine, Limits { depth: Some(6), ..Limits::default() }).finish();
        let lines = position.moves().count();
        for rank in 1..=lines {
            // Every move has its line, and each line the score that the tables give it.
            let line = heard.last(rank);
            assert!(is_claimed(result(line.line[0]), -line.score), "{position}: {line:?}");
        }
        let losing: Vec<_> = position.moves().filter(|&pit| result(pit) == Verdict::Win).collect();
        if losing.is_empty() || losing.len() == lines {
            continue;
        }
        mixed += 1;
        let searchmoves = losing.iter().copied().collect();
        let limits = Limits { depth: Some(6), searchmoves, ..Limits::default() };
        let heard = start(&mut engine, limits).finish();
        assert!(losing.contains(&heard.answer.best.expect("a move")) && heard.answer.score.is_loss());
    }
    assert!(mixed >= 10, "{mixed} positions with good and bad moves");
}

#[test]
fn what_the_tables_said_is_forgotten_when_they_are_switched_off() {
    let mut engine = engine::<Togyzqumalaq>();
    for game in random_endings::<Togyzqumalaq>(40, 8, 13) {
        engine.set_game(game.into()).expect("an idle engine");
        for (endgame, skill) in [("true", "8"), ("false", "8"), ("true", "3")] {
            engine.set_option("Endgame", Some(endgame)).expect("an option");
            engine.set_option("Skill", Some(skill)).expect("an option");
            let heard = start(&mut engine, Limits { depth: Some(8), ..Limits::default() }).finish();
            for iteration in heard.iterations {
                let asked = endgame == "true" && skill == "8";
                assert!(asked || iteration.table_hits == 0);
                let without_distance =
                    iteration.score.is_decided() && iteration.score.plies_to_end().is_none();
                assert!(asked || !without_distance, "{iteration:?}");
            }
        }
    }
}

#[test]
fn a_layer_that_is_missing_is_only_unknown() {
    let layers = built_in(Togyzqumalaq::VARIANT).into_iter().filter(|layer| layer.header().stones != 4);
    let endgames = Endgames::new::<Togyzqumalaq>(layers, 1 << 27);
    assert_eq!(
        tuzdyq::engine::endgames::describe(&endgames),
        "endgames of togyzqumalaq: 0, 1, 2, 3, 5, 6, 7, 8 stones"
    );
    for game in random_endings::<Togyzqumalaq>(500, 8, 14) {
        let board = game.position().board();
        assert_eq!(endgames.probe(board).is_none(), board.stones_left() == 4);
    }
}

#[test]
fn many_threads_may_ask_for_the_first_time_together() {
    let games = random_endings::<Togyzqumalaq>(3_000, 8, 6);
    let expected: Vec<_> = {
        let endgames = endgames::<Togyzqumalaq>();
        games.iter().map(|game| endgames.probe(game.position().board())).collect()
    };
    // Little room, so that blocks are thrown out all the time as well.
    for cache in [1 << 27, 1 << 20] {
        let shared = Arc::new(Endgames::new::<Togyzqumalaq>(built_in(Togyzqumalaq::VARIANT), cache));
        let ask = |endgames: &Endgames, games: &[Game<Togyzqumalaq>]| {
            games.iter().map(|game| endgames.probe(game.position().board())).collect::<Vec<_>>()
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| ask(&shared, &games))).collect();
            for thread in threads {
                assert!(thread.join().expect("no panic") == expected);
            }
        });
    }
}
