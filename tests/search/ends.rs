//! Repetitions, ends of games, and scores near them.

use super::*;

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
