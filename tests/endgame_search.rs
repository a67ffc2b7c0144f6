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
                assert!(
                    is_claimed(now, heard.answer.score),
                    "{now:?}, {}: {position} {:?} {heard:?}",
                    heard.answer.score,
                    game.moves()
                );
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
fn weak_levels_know_no_endgame() {
    let options = Options { skill: 3, hash: 1, ..Options::default() };
    let mut engine = Engine::new(options).expect("an engine");
    for game in random_endings::<Togyzqumalaq>(5, 8, 5) {
        engine.set_game(game.into()).expect("an idle engine");
        let heard = start(&mut engine, Limits { depth: Some(4), ..Limits::default() }).finish();
        assert!(heard.iterations.iter().all(|iteration| iteration.table_hits == 0));
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
