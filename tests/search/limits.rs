//! Every limit holds.

use super::*;

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
