//! Several threads, changes of the memory, and the stack.

use super::*;

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
