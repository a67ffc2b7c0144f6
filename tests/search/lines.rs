//! What a search reports and answers is right.

use super::*;

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
