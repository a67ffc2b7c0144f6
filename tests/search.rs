//! The engine as a program uses it: what its searches answer, when, and that the same input gives the same search.

mod common;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use common::searching::{
    Heard, Solver, check_heard, check_line, game_after, game_from, play_randomly, problems, random_endings,
    random_games, search, start,
};
use common::{parse, pit};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tuzdyq::engine::{Engine, EngineError, Event};
use tuzdyq::eval::{Classic, Evaluate, Score};
use tuzdyq::game::{AnyGame, Bestemshe, Game, Kozdatu, PitSet, Position, Rules, Togyzqumalaq, Variant};
use tuzdyq::options::Options;
use tuzdyq::search::{Bound, Control, Environment, Limits, MAX_DEPTH, MAX_PLY, Progress, Table, Worker, run};

/// One stone each, nearly decided kazans: the stones chase each other round the board.
const CHASE: &str = "8,1S/1S,8 80 80 S 1";
/// How long it must stay silent to be believed.
const SILENCE: Duration = Duration::from_millis(100);

fn engine_for(variant: Variant) -> Engine {
    Engine::new(Options { hash: 4, variant, ..Options::default() }).expect("an engine")
}

fn engine() -> Engine {
    engine_for(Variant::Togyzqumalaq)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

fn ponder(limits: Limits) -> Limits {
    Limits { ponder: true, ..limits }
}

/// The main game after these moves.
fn after(moves: &[usize]) -> Game<Togyzqumalaq> {
    game_after(moves)
}

/// The main game from a set-up position.
fn set_up(fen: &str) -> Game<Togyzqumalaq> {
    game_from(fen, &[])
}

fn chase(moves: usize) -> Game<Togyzqumalaq> {
    let moves: Vec<usize> = (0..moves).map(|ply| ply / 2 % 9 + 1).collect();
    game_from(CHASE, &moves)
}

// Determinism

/// Searches one after the other, each of which meets what the earlier ones left in the table and in the history.
fn session(engine: &mut Engine) -> Vec<Heard> {
    let searches: Vec<(Game<Togyzqumalaq>, Limits)> = vec![
        (after(&[]), depth(7)),
        (after(&[]), depth(9)),
        (after(&[7, 5, 3]), nodes(30_000)),
        (after(&[7, 5, 3, 7]), depth(8)),
        (set_up("1S,3,t,4/1S,1S,1S,1S,1S,1S,t,13S,1 61 81 S 1"), depth(10)),
        (after(&[]), Limits { mate: Some(3), ..nodes(20_000) }),
        (after(&[]), Limits { searchmoves: [pit(2), pit(5)].into_iter().collect(), ..depth(8) }),
        (chase(20), depth(12)),
        (after(&[]), depth(9)),
    ];
    searches.into_iter().map(|(game, limits)| search(engine, game, limits).timeless()).collect()
}

#[test]
fn the_same_searches_give_the_same_results_after_a_new_game() {
    let mut engine = engine();
    let expected = session(&mut engine);
    assert_ne!(expected[1].answer.nodes, expected[8].answer.nodes, "the table was of no use");
    engine.new_game().expect("an idle engine");
    assert_eq!(session(&mut engine), expected);

    // Whatever went on before the new game.
    engine.set_game(after(&[1, 2, 3, 4]).into()).expect("an idle engine");
    let mut started = start(&mut engine, infinite());
    started.wait_for_iteration();
    engine.stop();
    started.finish();
    engine.new_game().expect("an idle engine");
    assert_eq!(session(&mut engine), expected);
}

#[test]
fn the_same_searches_give_the_same_results_in_a_fresh_engine() {
    assert_eq!(session(&mut engine()), session(&mut engine()));
}

#[test]
fn the_same_searches_give_the_same_results_after_other_options() {
    let mut engine = engine();
    let expected = session(&mut engine);
    for (name, value) in [("Threads", "4"), ("Hash", "1"), ("UCI_Variant", "kozdatu")] {
        engine.set_option(name, Some(value)).expect(name);
    }
    search(&mut engine, Game::<Kozdatu>::default(), nodes(50_000));
    for (name, value) in [("UCI_Variant", "togyzqumalaq"), ("Hash", "4"), ("Threads", "1")] {
        engine.set_option(name, Some(value)).expect(name);
    }
    engine.new_game().expect("an idle engine");
    assert_eq!(session(&mut engine), expected);
}

#[test]
fn a_new_game_begins_at_the_start_position() {
    let mut engine = engine();
    engine.set_game(chase(3).into()).expect("an idle engine");
    engine.new_game().expect("an idle engine");
    let AnyGame::Togyzqumalaq(game) = engine.game() else { panic!("{:?}", engine.game()) };
    assert_eq!(*game.position(), Position::start());
    assert!(game.moves().is_empty());
}

// Lines and answers

/// Searches random positions and checks all that is reported of them.
fn check_lines<R: Rules>(count: usize, seed: u64)
where
    AnyGame: From<Game<R>>,
{
    let mut engine = engine_for(R::VARIANT);
    let mut to_the_end = 0;
    for (index, game) in random_games::<R>(count, seed).into_iter().enumerate() {
        let limits = depth(4 + index as u32 % 8);
        let heard = search(&mut engine, game.clone(), limits);
        let last = heard.last(1);
        assert_eq!(heard.answer.best, Some(last.line[0]), "{}", game.position());
        assert_eq!(heard.answer.ponder, last.line.get(1).copied(), "{}", game.position());
        assert_eq!((heard.answer.score, heard.answer.depth), (last.score, last.depth), "{}", game.position());
        assert_eq!(heard.exact().count() as u32, last.depth);
        to_the_end += u32::from(check_end(game.position(), &heard));
    }
    assert!(to_the_end > 0);
}

/// Checks that finished lines with a proven end are just as long; gives whether there is one that reaches it.
fn check_end<R: Rules>(position: &Position<R>, heard: &Heard) -> bool {
    let mut reaches = false;
    for iteration in heard.iterations.iter().filter(|it| it.bound == Bound::Exact) {
        if let Some(plies) = iteration.score.plies_to_end() {
            assert_eq!(iteration.line.len(), plies as usize, "{iteration:?} of {position}");
            let end = iteration.line.iter().fold(*position, |position, &pit| position.play(pit).0);
            let wins = end.outcome().is_some_and(|outcome| outcome.winner() == Some(position.turn()));
            let loses =
                end.outcome().is_some_and(|outcome| outcome.winner() == Some(position.turn().other()));
            if end.outcome().is_some() {
                assert_eq!(
                    (wins, loses),
                    (iteration.score.is_win(), iteration.score.is_loss()),
                    "{iteration:?}"
                );
            }
            reaches |= end.outcome().is_some();
        }
    }
    reaches
}

#[test]
fn lines_are_legal_and_the_answer_is_the_head_of_the_last() {
    check_lines::<Togyzqumalaq>(60, 1);
    check_lines::<Bestemshe>(60, 2);
    check_lines::<Kozdatu>(60, 3);
}

#[test]
fn an_interrupted_search_answers_with_the_head_of_its_last_line() {
    let mut engine = engine();
    for game in random_games::<Togyzqumalaq>(60, 4) {
        for limit in (2_000..10_000).step_by(200) {
            let heard = search(&mut engine, game.clone(), nodes(limit));
            let told = heard.iterations.last().expect("a line");
            assert_eq!(heard.answer.best, Some(told.line[0]), "{limit} nodes, {}: {told:?}", game.position());
        }
    }
}

#[test]
fn several_lines_are_all_the_moves_when_asked_for() {
    let mut engine = engine();
    engine.set_option("MultiPV", Some("9")).expect("an idle engine");
    for game in random_games::<Togyzqumalaq>(20, 5) {
        let heard = search(&mut engine, game.clone(), depth(7));
        let legal = game.position().moves().count();
        let lines: Vec<_> = (1..=legal).map(|multipv| heard.last(multipv)).collect();
        let heads: PitSet = lines.iter().map(|line| line.line[0]).collect();
        assert_eq!(heads, game.position().moves());
        assert!(
            lines.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].depth == pair[1].depth)
        );
        assert_eq!(heard.answer.best, Some(lines[0].line[0]));
        check_end(game.position(), &heard);
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mut engine = engine();
    for fen in ["9/9 82 80 S 1", "1S,8/9 81 80 S 1", "9/9S,9S,7 62 82 S 4", "9/9 81 81 N 1"] {
        let heard = search(&mut engine, set_up(fen), depth(5));
        assert_eq!((heard.answer.best, heard.answer.nodes), (None, 0), "{fen}");
    }
    // It keeps the order to answer only when it is stopped.
    let mut started = start(&mut engine, infinite());
    started.expect_silence(SILENCE);
    engine.stop();
    assert_eq!(started.finish().answer.best, None);
}

// Limits

#[test]
fn a_limit_of_nodes_is_exact_with_one_thread() {
    let mut engine = engine();
    for limit in [1, 2, 10, 100, 1_000, 1_023, 1_024, 1_025, 2_048, 5_000, 33_333] {
        for game in [after(&[]), after(&[7, 5, 3, 7])] {
            let heard = search(&mut engine, game, nodes(limit));
            assert_eq!(heard.answer.nodes, limit);
        }
    }
}

#[test]
fn an_answer_after_very_few_nodes_has_an_honest_score() {
    let mut engine = engine();
    for game in random_games::<Togyzqumalaq>(20, 6) {
        for limit in 1..20 {
            engine.new_game().expect("an idle engine");
            let heard = search(&mut engine, game.clone(), nodes(limit));
            let mut solver = Solver::default();
            if heard.answer.depth == 0 {
                assert!(!heard.answer.score.is_loss(), "{limit} nodes, {}", game.position());
            } else {
                solver.check(game.position(), heard.answer.score, Bound::Exact);
            }
        }
    }
}

#[test]
fn a_limit_of_depth_ends_the_search() {
    let mut engine = engine();
    for limit in 1..=9 {
        let heard = search(&mut engine, after(&[7, 5, 3]), depth(limit));
        assert_eq!((heard.answer.depth, heard.last(1).depth), (limit, limit));
        assert!(heard.iterations.iter().all(|iteration| iteration.depth <= limit));
    }
}

#[test]
fn the_tighter_of_two_limits_holds() {
    let mut engine = engine();
    let heard = search(&mut engine, after(&[]), Limits { depth: Some(3), ..nodes(1_000_000) });
    assert_eq!(heard.answer.depth, 3);
    let heard = search(&mut engine, after(&[]), Limits { depth: Some(100), ..nodes(20_000) });
    assert_eq!(heard.answer.nodes, 20_000);
}

#[test]
fn a_limit_of_time_ends_the_search() {
    let mut engine = engine();
    let limits = Limits { movetime: Some(Duration::from_millis(200)), ..Limits::default() };
    let begun = Instant::now();
    let heard = search(&mut engine, after(&[]), limits);
    // The clock of a busy machine may be late, but never early.
    assert!(begun.elapsed() >= Duration::from_millis(150), "{:?}", begun.elapsed());
    assert!(heard.answer.time < Duration::from_secs(5), "{:?}", heard.answer);
    assert!(heard.answer.depth >= 1);
}

/// The number of finished lines of an iteration.
fn finished(heard: &Heard, depth: u32) -> usize {
    heard.iterations.iter().filter(|it| it.depth == depth && it.bound == Bound::Exact).count()
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = engine();
    engine.set_option("MultiPV", Some("9")).expect("an idle engine");
    let game = after(&[1, 1]);
    let among = |numbers: &[usize]| numbers.iter().map(|&number| pit(number)).collect();
    for numbers in [&[3][..], &[3, 4], &[2, 5, 9]] {
        let limits = Limits { searchmoves: among(numbers), ..depth(5) };
        let heard = search(&mut engine, game.clone(), limits);
        assert_eq!(heard.answer.depth, 5);
        let heads: PitSet = heard.iterations.iter().map(|iteration| iteration.line[0]).collect();
        assert_eq!(heads, among(numbers));
        assert_eq!(finished(&heard, 5), numbers.len());
    }
    // One move is still searched to the limit, and the restriction does not last.
    let heard = search(&mut engine, game.clone(), Limits { searchmoves: among(&[2]), ..nodes(20_000) });
    assert_eq!((heard.answer.best, heard.answer.nodes), (Some(pit(2)), 20_000));
    let heard = search(&mut engine, game.clone(), depth(5));
    assert_eq!(finished(&heard, 5), game.position().moves().count());
}

#[test]
fn a_win_by_the_reply_that_it_forces_is_a_mate_in_one() {
    // The only move leaves the opponent nothing but to sow the 82nd stone into the mover's tuzdyq.
    let mut engine = engine_for(Variant::Togyzqumalaq);
    let game = set_up("6,t,1S,1/1S,8 81 79 S 1");
    let heard = search(&mut engine, game, Limits { mate: Some(1), ..Limits::default() });
    assert_eq!(heard.answer.score, Score::win_in(2));
    assert_eq!(heard.answer.ponder.map(|pit| pit.number()), Some(2));
}

/// Asks for wins in so many moves where there is one, and where there is none.
fn check_mates<R: Rules>(count: usize, seed: u64)
where
    AnyGame: From<Game<R>>,
{
    let mut engine = engine_for(R::VARIANT);
    let mut solver = Solver::default();
    let (mut found, mut refuted) = (0, 0);
    for game in random_endings::<R>(count, 12, seed) {
        let position = *game.position();
        for moves in 1..=4 {
            let exists = solver.wins(&position, 2 * moves);
            if moves % 2 == 1 {
                // What a selective search leaves in the table must not hide a win.
                search(&mut engine, game.clone(), Limits { depth: Some(9), ..Limits::default() });
            }
            let limits = Limits { mate: Some(moves), ..Limits::default() };
            let Heard { answer, .. } = search(&mut engine, game.clone(), limits);
            let win = answer.score.moves_to_end().filter(|&win| win > 0 && win as u32 <= moves);
            assert_eq!(win.is_some(), exists, "mate {moves}: {} in {position}", answer.score);
            if exists {
                let after = position.play(answer.best.expect("a move")).0;
                assert!(solver.loses(&after, 2 * moves - 1), "mate {moves}: {:?} in {position}", answer.best);
                found += 1;
            } else {
                refuted += 1;
            }
        }
    }
    assert!(found >= 20 && refuted >= 20, "{found} {refuted}");
}

#[test]
fn a_limit_of_moves_to_win_finds_the_win_or_ends() {
    check_mates::<Togyzqumalaq>(80, 7);
    check_mates::<Bestemshe>(80, 8);
    check_mates::<Kozdatu>(80, 9);
}

// When it answers

#[test]
fn an_infinite_search_answers_when_it_is_stopped() {
    let mut engine = engine();
    // All but the first have reached their end long before the stop.
    let searches = [
        (after(&[]), infinite()),
        (chase(0), infinite()),
        (after(&[]), Limits { infinite: true, ..depth(2) }),
        (after(&[]), Limits { infinite: true, ..nodes(3_000) }),
        (
            after(&[]),
            Limits { infinite: true, movetime: Some(Duration::from_millis(1)), ..Limits::default() },
        ),
    ];
    for (game, limits) in searches {
        engine.set_game(game.clone().into()).expect("an idle engine");
        let mut started = start(&mut engine, limits);
        started.expect_silence(SILENCE);
        assert!(engine.is_searching());
        engine.stop();
        check_heard(game.position(), &started.finish());
        assert!(!engine.is_searching());
    }
}

#[test]
fn a_pondering_search_answers_after_the_hit() {
    let mut engine = engine();
    let movetime = Limits { movetime: Some(Duration::from_millis(1)), ..Limits::default() };
    for limits in [depth(2), nodes(3_000), movetime] {
        let mut started = start(&mut engine, ponder(limits));
        started.expect_silence(SILENCE);
        assert!(engine.is_searching());
        engine.ponder_hit();
        check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
    }
}

#[test]
fn a_pondering_search_answers_when_it_is_stopped() {
    let mut engine = engine();
    for limits in [depth(2), Limits::default()] {
        let mut started = start(&mut engine, ponder(limits));
        started.expect_silence(SILENCE);
        engine.stop();
        check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
    }
}

#[test]
fn an_infinite_search_goes_on_after_a_ponder_hit() {
    let mut engine = engine();
    let mut started = start(&mut engine, Limits { infinite: true, ..ponder(depth(2)) });
    started.expect_silence(SILENCE);
    engine.ponder_hit();
    started.expect_silence(SILENCE);
    engine.stop();
    started.finish();
}

#[test]
fn a_ponder_hit_does_not_end_a_search_with_time_left() {
    let mut engine = engine();
    let limits = Limits { movetime: Some(Duration::from_secs(600)), ..Limits::default() };
    let mut started = start(&mut engine, ponder(limits));
    started.expect_silence(SILENCE);
    engine.ponder_hit();
    started.expect_silence(SILENCE);
    engine.stop();
    started.finish();
}

#[test]
fn a_stop_is_never_lost_however_early_it_comes() {
    let mut engine = engine();
    for threads in ["1", "4"] {
        engine.set_option("Threads", Some(threads)).expect("threads");
        for _ in 0..100 {
            let started = start(&mut engine, infinite());
            engine.stop();
            engine.stop();
            check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
        }
    }
}

#[test]
fn stops_and_hits_without_a_search_do_nothing() {
    let mut engine = engine();
    engine.stop();
    engine.ponder_hit();
    engine.wait();
    let first = search(&mut engine, after(&[]), depth(5));
    engine.stop();
    engine.ponder_hit();
    engine.wait();
    engine.new_game().expect("an idle engine");
    let second = search(&mut engine, after(&[]), depth(5));
    assert_eq!(first.timeless(), second.timeless());
}

#[test]
fn a_running_search_is_left_alone() {
    let mut engine = engine();
    let mut started = start(&mut engine, infinite());
    started.wait_for_iteration();
    let refusals = [
        engine.go(depth(1), Arc::new(|_| {})),
        engine.new_game(),
        engine.set_game(chase(1).into()),
        engine.set_option("Hash", Some("8")).map(drop),
        engine.set_option("Threads", Some("2")).map(drop),
        engine.set_option("Clear Hash", None).map(drop),
    ];
    for refusal in refusals {
        assert!(matches!(refusal, Err(EngineError::Busy)), "{refusal:?}");
    }
    engine.stop();
    check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
    assert_eq!(engine.options().hash, 4);
    engine.set_option("Hash", Some("8")).expect("an idle engine");
}

#[test]
fn the_answer_is_out_only_when_the_engine_is_free_again() {
    let engine = Arc::new(Mutex::new(engine()));
    let (sender, answers) = mpsc::channel();
    let from_observer = Arc::clone(&engine);
    let observer = Arc::new(move |event| {
        if let Event::Answer(_) = event {
            let is_searching = from_observer.lock().expect("the engine").is_searching();
            sender.send(is_searching).expect("a listener");
        }
    });
    engine.lock().expect("the engine").go(depth(5), observer).expect("an idle engine");
    assert_eq!(answers.recv_timeout(Duration::from_secs(60)), Ok(false));
}

#[test]
fn an_engine_that_is_dropped_answers_first() {
    let mut engine = engine();
    let mut started = start(&mut engine, infinite());
    started.wait_for_iteration();
    drop(engine);
    check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
}

#[test]
fn a_game_of_another_variant_is_refused() {
    let mut engine = engine();
    let error = engine.set_game(Game::<Bestemshe>::default().into()).expect_err("a refusal");
    assert_eq!(error.to_string(), "option UCI_Variant takes togyzqumalaq, not 'bestemshe'");
    assert_eq!(engine.game().variant(), Variant::Togyzqumalaq);
}

// Repetitions and ends

#[test]
fn a_position_of_the_game_is_a_draw_with_warm_and_cold_table() {
    for played in [18, 36] {
        let mut engine = engine();
        // The tables know better, but this is about the repetition.
        engine.set_option("Endgame", Some("false")).expect("an option");
        let cold = search(&mut engine, chase(played), depth(20));
        let warm = search(&mut engine, chase(played), depth(20));
        assert_eq!((cold.answer.best, cold.answer.score), (Some(pit(1)), Score::DRAW), "{played}");
        assert_eq!((warm.answer.best, warm.answer.score), (Some(pit(1)), Score::DRAW), "{played}");
    }
}

#[test]
fn a_win_beside_a_repetition_is_found() {
    let mut engine = engine();
    for _ in 0..2 {
        // What the table knows of the same positions in other games must not hide the win, nor the draws.
        for played in [18, 36, 0, 17] {
            let heard = search(&mut engine, chase(played), depth(20));
            if played == 17 {
                assert_eq!((heard.answer.best, heard.answer.score), (Some(pit(1)), Score::win_in(1)));
            }
        }
    }
    let mut engine = self::engine();
    let heard = search(&mut engine, chase(17), depth(6));
    assert_eq!((heard.answer.best, heard.answer.score), (Some(pit(1)), Score::win_in(1)));
    assert!(heard.exact().all(|iteration| iteration.line == [pit(1)]));
}

#[test]
fn a_chase_without_a_history_is_lost() {
    let mut engine = engine();
    for limit in [200, 60, 18, 127, 128, 255, 256, 100_000, u32::MAX] {
        let heard = search(&mut engine, chase(0), depth(limit));
        assert_eq!(heard.answer.best, Some(pit(1)), "{limit}");
        assert_eq!(heard.answer.score, Score::loss_in(18), "{limit}");
        assert_eq!(heard.answer.score.to_string(), "mate -9", "{limit}");
        assert!(heard.iterations.len() < 300, "{limit}: {} reports", heard.iterations.len());
        assert!(heard.answer.time < Duration::from_secs(5), "{limit}: {:?}", heard.answer.time);
    }
}

#[test]
fn the_window_around_a_decided_score_closes() {
    let mut engine = engine();
    let heard = search(&mut engine, after(&[9, 2, 8, 1, 7, 2, 6, 1, 9, 2]), depth(40));
    assert_eq!(heard.answer.best, Some(pit(5)));
    for iteration in &heard.iterations {
        assert_eq!((iteration.score, iteration.bound), (Score::win_in(1), Bound::Exact), "{iteration:?}");
        assert_eq!(iteration.line, [pit(5)]);
    }
    let loss = search(&mut engine, after(&[9, 2, 8, 1, 7, 2, 6, 1, 9]), depth(12));
    let chase = search(&mut engine, chase(0), depth(60));
    for heard in [heard, loss, chase] {
        for depth in 1..=heard.answer.depth {
            let told = heard.iterations.iter().filter(|iteration| iteration.depth == depth).count();
            assert!((1..=20).contains(&told), "{told} reports of depth {depth}");
        }
    }
}

#[test]
fn a_small_table_leads_to_no_illegal_line() {
    let mut engine = engine();
    engine.set_option("Hash", Some("1")).expect("an idle engine");
    for moves in [&[9, 2, 8, 1, 7, 2, 6, 1][..], &[7, 5, 3]] {
        for limit in [1, 3, 9, 12] {
            let heard = search(&mut engine, after(moves), depth(limit));
            assert_eq!(heard.answer.depth, limit);
        }
    }
}

/// Checks that a side with half of the stones in its kazan is never said to lose, nor the other to win.
fn check_half<R: Rules>(seed: u64)
where
    AnyGame: From<Game<R>>,
{
    let mut engine = engine_for(R::VARIANT);
    let (mut safe, mut hopeless) = (0, 0);
    for game in random_endings::<R>(3_000, R::TOTAL / 2, seed) {
        let board = game.position().board();
        let kazans = [board.mover().kazan(), board.opponent().kazan()];
        if !kazans.contains(&R::HALF) || safe.min(hopeless) >= 30 {
            continue;
        }
        let heard = search(&mut engine, game.clone(), depth(9));
        for score in heard.exact().map(|iteration| iteration.score).chain([heard.answer.score]) {
            assert!(kazans[0] != R::HALF || score >= Score::DRAW, "{score} in {}", game.position());
            assert!(kazans[1] != R::HALF || score <= Score::DRAW, "{score} in {}", game.position());
        }
        safe += u32::from(kazans[0] == R::HALF);
        hopeless += u32::from(kazans[1] == R::HALF);
    }
    assert!(safe >= 20 && hopeless >= 20, "{safe} {hopeless}");
}

#[test]
fn half_of_the_stones_cannot_lose() {
    check_half::<Togyzqumalaq>(10);
    check_half::<Bestemshe>(11);
    check_half::<Kozdatu>(12);
}

/// Checks that no estimate promises more stones than are left: with half of the stones in a kazan, no loss.
fn check_estimates<R: Rules>(seed: u64)
where
    AnyGame: From<Game<R>>,
{
    let mut engine = engine_for(R::VARIANT);
    for game in random_games::<R>(60, seed).into_iter().chain(random_endings(60, 10, seed)) {
        let board = game.position().board();
        let lead = board.mover().kazan() as i32 - board.opponent().kazan() as i32;
        let left = board.stones_left() as i32;
        let heard = search(&mut engine, game.clone(), depth(6));
        let scores = heard.exact().map(|iteration| iteration.score).filter(|score| !score.is_decided());
        for score in scores.chain([Classic.evaluate(board)]) {
            let is_possible = (100 * (lead - left)..=100 * (lead + left)).contains(&score.value());
            assert!(is_possible, "{score} in {}", game.position());
        }
    }
}

#[test]
fn scores_stay_within_the_stones_left() {
    check_estimates::<Togyzqumalaq>(13);
    check_estimates::<Bestemshe>(15);
    check_estimates::<Kozdatu>(16);
}

#[test]
fn all_stones_may_lie_in_one_pit() {
    let mut engine = engine();
    for threads in ["1", "4"] {
        engine.set_option("Threads", Some(threads)).expect("threads");
        for fen in [
            "9/162S,8 0 0 S 1",
            "9/8,162S 0 0 S 1",
            "162S,8/9 0 0 N 1",
            "8,162S/9 0 0 N 1",
            "9/4,162S,4 0 0 S 1",
        ] {
            let game = set_up(fen);
            let heard = search(&mut engine, game.clone(), depth(8));
            assert_eq!(heard.answer.best, game.position().moves().next(), "{fen}");
            // All pits hold nine stones after the move.
            assert!(!heard.answer.score.is_decided(), "{fen}: {}", heard.answer.score);
        }
    }
}

// Threads and memory

#[test]
fn four_threads_search_one_position_again_and_again() {
    let mut engine = engine();
    engine.set_option("Threads", Some("4")).expect("threads");
    engine.set_option("Hash", Some("1")).expect("memory");
    let games = [after(&[1, 5, 5, 1, 5, 6, 3, 8, 4, 7, 2, 3, 6]), after(&[7, 5, 3, 7])];
    for round in 0..30 {
        for game in &games {
            let heard = search(&mut engine, game.clone(), nodes(20_000 + 1_000 * round));
            assert!(heard.answer.nodes >= 20_000, "{:?}", heard.answer);
            let heard = search(&mut engine, game.clone(), depth(6));
            assert_eq!(heard.answer.best, Some(heard.last(1).line[0]));
        }
    }
}

#[test]
fn threads_and_memory_may_change_between_searches() {
    let mut engine = engine();
    let options = [
        ("Threads", Some("4")),
        ("Hash", Some("1")),
        ("Threads", Some("2")),
        ("Hash", Some("16")),
        ("Clear Hash", None),
        ("MultiPV", Some("3")),
        ("Threads", Some("1")),
        ("Hash", Some("2")),
        ("MultiPV", Some("1")),
        ("Threads", Some("256")),
        ("Threads", Some("3")),
    ];
    for (name, value) in options {
        engine.set_option(name, value).expect(name);
        let heard = search(&mut engine, after(&[7, 5, 3]), depth(7));
        assert_eq!(heard.answer.depth, 7, "{name} {value:?}");
    }
}

#[test]
fn refused_options_change_nothing() {
    let mut engine = engine();
    let before = engine.options().clone();
    for (name, value) in
        [("Hash", Some("0")), ("Threads", Some("257")), ("Threads", None), ("MultiPV", Some("x"))]
    {
        engine.set_option(name, value).expect_err(name);
    }
    assert_eq!(*engine.options(), before);
    search(&mut engine, after(&[]), depth(5));
}

#[test]
fn a_game_played_to_its_end_meets_no_trouble() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(14);
    let mut engine = engine_for(Variant::Bestemshe);
    for _ in 0..5 {
        let mut game = Game::<Bestemshe>::default();
        let opening = rng.random_range(0..6);
        play_randomly(&mut game, opening, &mut rng);
        while game.position().outcome().is_none() && game.occurrences() < 3 {
            let heard = search(&mut engine, game.clone(), nodes(2_000));
            game.play(heard.answer.best.expect("a move"));
        }
        assert!(game.moves().len() > 8);
    }
}

/// The stack of the engine's search threads in bytes.
const STACK: usize = 16 << 20;

/// On a stack that is smaller than the engine's in proportion to the length of the lines, an overflow (which ends the
/// whole test program) tells that lines of the greatest length would not fit on the engine's.
#[test]
fn the_longest_lines_fit_on_the_stack() {
    let stack = STACK / 16;
    let thread = std::thread::Builder::new().stack_size(stack).spawn(|| {
        let control = Control::new(false);
        let limits = Limits { depth: Some(MAX_DEPTH), ..nodes(300_000) };
        let mut longest = 0;
        for fen in ["4,4S,4/1,2S,7 80 76 N 105", "1,1S,1,1S,1S,1S,t,2/4,2S,1,1S,1S,1 80 74 N 61"] {
            let (table, progress) = (Table::new(4).expect("memory"), Progress::new(1));
            let env = Environment {
                table: Some(&table),
                ..Environment::new(&Classic, &limits, &control, &progress)
            };
            run(&set_up(fen), &mut Worker::default(), &env, 0, &mut |iteration| {
                longest = longest.max(iteration.selective_depth as usize);
            });
        }
        longest
    });
    let longest = thread.expect("a thread").join().expect("no panic");
    assert!(longest * STACK >= MAX_PLY * stack, "{longest} plies prove nothing");
}

#[test]
fn a_proven_end_is_searched_as_deep_as_asked_for() {
    let mut engine = engine();
    engine.set_option("Endgame", Some("false")).expect("an option");
    for threads in ["1", "4"] {
        engine.set_option("Threads", Some(threads)).expect("threads");
        for fen in [CHASE, "8,1S/2S,4,t,3 78 81 S 99", "7,1S,t/1,1S,t,1,1S,1,1S,2 79 79 S 134"] {
            let heard = search(&mut engine, set_up(fen), depth(MAX_DEPTH));
            assert_eq!(heard.answer.depth, MAX_DEPTH, "{fen}");
            Solver::default().check(set_up(fen).position(), heard.answer.score, Bound::Exact);
            assert!(heard.answer.score.is_decided(), "{fen}: {}", heard.answer.score);
        }
    }
}

// Problems

#[test]
fn the_problems_are_well_formed() {
    let problems = problems();
    assert_eq!(problems.len(), 21);
    let ids: BTreeSet<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
    assert_eq!(ids.len(), problems.len());
    for problem in &problems {
        let position: Position<Togyzqumalaq> = parse(&problem.fen);
        assert_eq!(position.to_string(), problem.fen);
        check_line(&position, &[problem.best]);
        assert!(["win", "draw"].contains(&problem.goal.as_str()), "{}", problem.id);
    }
}

/// Far more than any of them takes, so that changes of the search do no harm; most end long before.
const PROBLEM_NODES: u64 = 3_000_000;

#[test]
fn the_problems_are_solved() {
    let mut engine = engine();
    engine.set_option("Hash", Some("16")).expect("memory");
    for problem in problems().into_iter().filter(|problem| problem.is_unique) {
        engine.new_game().expect("an idle engine");
        let Heard { answer, .. } = search(&mut engine, set_up(&problem.fen), nodes(PROBLEM_NODES));
        assert_eq!(answer.best, Some(problem.best), "{}: {}", problem.id, answer.score);
        let is_reached =
            if problem.goal == "win" { answer.score.is_win() } else { answer.score == Score::DRAW };
        assert!(is_reached, "{}: {}", problem.id, answer.score);
    }
}
