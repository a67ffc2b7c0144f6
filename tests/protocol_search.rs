//! The scenarios of area "search" through the real program, with shorter times.
//!
//! search-10 asks besides for a comparison with plain minimax: `minimax.rs` has it. search-07 asks for a debug build
//! too: all tests run on both.

mod common;

use common::pipe::{CHASE, Engine, LATER, SOON, Search, Value, chase, check_search, ms, replay};
use tuzdyq::game::{Pit, Position, Rules, Togyzqumalaq, parse_move};

fn start() -> Position<Togyzqumalaq> {
    Position::start()
}

fn after(moves: &str) -> Position<Togyzqumalaq> {
    replay(start(), &moves.split(' ').collect::<Vec<_>>())
}

#[test]
fn search_01_every_line_can_be_played() {
    let mut engine = Engine::start();
    engine.send_all(&["setoption name Hash value 1", "setoption name Threads value 8"]);
    // In these games pits are empty, or a tuzdyq, that hold stones in the next one: entries of one may lie in the
    // table of the other.
    for moves in ["7 5 3 7", "1 5 5 1 5 6 3 8 4 7 2 3 6", "7 5 3 7"] {
        engine.send(&format!("position startpos moves {moves}"));
        let search = engine.go("movetime 1000");
        check_search(&search, after(moves));
        assert!(search.depth() > 3, "{}", search.depth());
    }
    engine.send("setoption name MultiPV value 4");
    let search = engine.go("movetime 500");
    check_search(&search, after("7 5 3 7"));
    engine.finish();
}

#[test]
fn the_answer_is_the_first_move_of_the_last_line_wherever_the_search_stops() {
    let mut engine = Engine::start();
    for multipv in [1, 3] {
        engine.send(&format!("setoption name MultiPV value {multipv}"));
        for nodes in (1..120).map(|step| step * step) {
            engine.send("ucinewgame");
            check_search(&engine.go(&format!("nodes {nodes}")), start());
        }
    }
    engine.finish();
}

#[test]
fn search_03_any_number_of_threads() {
    let mut engine = Engine::start();
    for threads in ["256", "1", "4", "256"] {
        assert_eq!(engine.say(&format!("setoption name Threads value {threads}")), [""; 0]);
        let search = engine.go("depth 6");
        check_search(&search, start());
        assert_eq!(search.depth(), 6);
    }
    assert!(engine.refused("setoption name Threads value 100000").contains("'100000'"));
    assert!(engine.refused("setoption name Threads value 257").contains("'257'"));
    check_search(&engine.go("depth 6"), start());
    engine.finish();
}

/// The scenario limits the processes, which does not bind root; little memory stops the threads as well.
#[cfg(target_os = "linux")]
#[test]
fn search_03_threads_that_cannot_be_started_are_reported() {
    let mut engine = Engine::shell("ulimit -v 900000; exec \"$E\"");
    let said = engine.refused("setoption name Threads value 128");
    assert!(said.contains("128 threads"), "{said}");
    let search = engine.go("depth 4");
    check_search(&search, start());
    assert_eq!(search.depth(), 4);
    engine.send("setoption name Threads value 2");
    check_search(&engine.go("depth 4"), start());
    // Nor is a table that is too large the end.
    let said = engine.refused("setoption name Hash value 32768");
    assert!(said.contains("32768"), "{said}");
    check_search(&engine.go("depth 4"), start());
    engine.finish();
}

#[test]
fn search_04_decided_scores_do_not_upset_the_window() {
    let mut engine = Engine::start();
    let bounds = |search: &Search| search.infos().iter().filter(|info| info.bound.is_some()).count();

    engine.send("position startpos moves 9 2 8 1 7 2 6 1 9 2");
    let search = engine.go("depth 40");
    check_search(&search, after("9 2 8 1 7 2 6 1 9 2"));
    assert_eq!(search.bestmove(), "5");
    for info in search.infos() {
        assert_eq!(
            (info.score, info.pv.as_slice()),
            (Value::Mate(1), ["5".to_owned()].as_slice()),
            "{info:?}"
        );
    }
    assert_eq!(bounds(&search), 0);

    engine.send("position startpos moves 9 2 8 1 7 2 6 1 9");
    let search = engine.go("depth 12");
    check_search(&search, after("9 2 8 1 7 2 6 1 9"));
    assert!(bounds(&search) < 12 * 10, "{} bounds", bounds(&search));

    // Nine moves round, and then there is nothing left to move.
    engine.send(&format!("position fen {CHASE}"));
    let search = engine.go("depth 60");
    check_search(&search, CHASE.parse::<Position<Togyzqumalaq>>().unwrap());
    assert_eq!((search.bestmove(), search.score()), ("1", Value::Mate(-9)));
    assert!(bounds(&search) < 60 * 10, "{} bounds", bounds(&search));
    engine.finish();
}

#[test]
fn search_06_repetitions_do_not_leak() {
    let mut engine = Engine::start();
    let answer = |engine: &mut Engine, half_moves: usize, limits: &str| {
        engine.send(&format!("position fen {CHASE} moves {}", chase(half_moves)));
        let search = engine.go(limits);
        (search.bestmove().to_owned(), search.score())
    };
    // North wins in the end by leaving the circle: known positions do not change that. Cold or warm is all one.
    let cold = answer(&mut engine, 18, "depth 24");
    assert_eq!(cold.0, "1");
    assert_eq!(answer(&mut engine, 36, "depth 24").0, "1");
    assert_eq!(answer(&mut engine, 18, "depth 24"), cold);
    engine.send("ucinewgame");
    assert_eq!(answer(&mut engine, 18, "depth 24"), cold);

    // Pit 9 repeats a position, pit 1 wins with 82: North has the last stone, and South cannot move.
    for new_game in [false, true] {
        if new_game {
            engine.send("ucinewgame");
        }
        let (best, score) = answer(&mut engine, 35, "depth 6");
        assert!(best == "1" && score.rank() >= Value::Mate(3).rank(), "{best} {score:?}");
        let draw = answer(&mut engine, 35, "depth 6 searchmoves 9");
        assert_eq!(draw, ("9".to_owned(), Value::Cp(0)), "a repetition counts as a draw");
    }
    engine.finish();
}

#[test]
fn search_07_deep_searches_do_not_overflow_a_stack() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {CHASE}"));
    assert_eq!(engine.go("depth 200").bestmove(), "1");
    // A single lap after the other, as deep as it goes.
    engine.send("position fen 8,1S/1,1S,7 81 79 S 1");
    check_search(
        &engine.go("depth 200 nodes 300000"),
        "8,1S/1,1S,7 81 79 S 1".parse::<Position<Togyzqumalaq>>().unwrap(),
    );
    engine.send_all(&["setoption name Threads value 4", "position startpos"]);
    engine.send("go wtime 600000 btime 600000 winc 5000 binc 5000");
    std::thread::sleep(ms(1500));
    engine.send("stop");
    engine.wait_for("bestmove", SOON);
    engine.finish();
}

#[cfg(target_os = "linux")]
#[test]
fn search_07_a_small_main_stack_is_enough() {
    let mut engine = Engine::shell("ulimit -s 512; printf 'go depth 14\\n' | \"$E\"");
    engine.assert_exit(0, LATER);
    assert!(engine.count("info depth 14 ") > 0 && engine.count("bestmove") == 1, "{}", engine.transcript());
}

#[test]
fn search_09_any_depth_may_be_asked_for() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {CHASE}"));
    for depth in ["127", "128", "255", "256", "100000", "4294967296", "99999999999999999999"] {
        let search = engine.go(&format!("depth {depth}"));
        assert_eq!(search.bestmove(), "1", "depth {depth}");
        assert!(search.lines.len() < 300, "depth {depth}: {} lines", search.lines.len());
        assert!(search.elapsed() < ms(5000), "depth {depth}: {:?}", search.elapsed());
    }
    // The same where every move is shown.
    engine.send("setoption name MultiPV value 9");
    let solved = "7,1S,1/1S,1S,7 80 79 S 1";
    engine.send(&format!("position fen {solved}"));
    engine.send("go infinite");
    std::thread::sleep(ms(1000));
    engine.send("stop");
    engine.wait_for("bestmove", SOON);
    assert!(engine.count("info depth") < 2500, "{}", engine.count("info depth"));
    engine.finish();
}

#[test]
fn search_10_the_landing_formula_holds_at_the_root_and_below() {
    let mut engine = Engine::start();
    for moves in ["9 2 8 1 7 2 6 1", "7 5 3"] {
        engine.send_all(&["ucinewgame", "setoption name Hash value 1"]);
        let position = after(moves);
        for depth in [1, 3, 9] {
            engine.send(&format!("position startpos moves {moves}"));
            let search = engine.go(&format!("depth {depth}"));
            assert_eq!(search.depth(), depth);
            check_search(&search, position);
        }
        // n > 1 stones end n - 1 pits on, a single stone 1 pit on.
        let half = position.board().mover();
        for pit in position.moves() {
            let stones = half.stones(pit) as usize;
            let landing = (pit.index() + if stones == 1 { 1 } else { stones - 1 }) % 18 % 9 + 1;
            for written in 1..=9 {
                let line = format!("position startpos moves {moves} {pit}{written}");
                assert_eq!(engine.say(&line).is_empty(), written == landing, "{line}");
            }
        }
    }
    engine.finish();
}

#[test]
fn more_threads_and_more_lines_keep_the_forced_results() {
    let mut engine = Engine::start();
    for (threads, lines) in [(1, 9), (4, 1), (4, 9)] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name MultiPV value {lines}"));
        engine.send("position startpos moves 9 2 8 1 7 2 6 1 9 2");
        let search = engine.go("depth 8");
        check_search(&search, after("9 2 8 1 7 2 6 1 9 2"));
        assert_eq!((search.bestmove(), search.score()), ("5", Value::Mate(1)));
        engine.send("position fen 1S,8/7,1S,1S 80 79 S 1");
        let search = engine.go("depth 30");
        assert_eq!(search.bestmove(), "8", "the only winning move");
        assert!(matches!(search.score(), Value::Mate(1..)), "{:?}", search.score());
    }
    engine.finish();
}

/// A win is played out against any defence, each time with all moves sent.
#[test]
fn a_won_ending_is_won() {
    const WON: &str = "1S,8/7,1S,1S 80 79 S 1";
    fn play(engine: &mut Engine, moves: &mut Vec<Pit>, position: Position<Togyzqumalaq>) -> usize {
        assert!(moves.len() < 40, "{moves:?}");
        if let Some(outcome) = position.outcome() {
            assert_eq!(outcome.result(), "1-0", "{moves:?}");
            return 1;
        }
        let replies: Vec<Pit> = if moves.len() % 2 == 1 {
            position.moves().collect()
        } else {
            let list = moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            engine.send(&format!("position fen {WON} moves {list}"));
            let search = engine.go("depth 30");
            vec![parse_move(&position, search.bestmove()).unwrap()]
        };
        let mut games = 0;
        for pit in replies {
            moves.push(pit);
            games += play(engine, moves, position.play(pit).0);
            moves.pop();
        }
        games
    }
    let mut engine = Engine::start();
    assert!(play(&mut engine, &mut Vec::new(), WON.parse().unwrap()) >= 1);
    engine.finish();
}

#[test]
fn every_field_of_every_line_is_there() {
    // `check_search` reads each line strictly; here in other games.
    fn check<R: Rules>(engine: &mut Engine, variant: &str) {
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        for threads in [1, 2] {
            engine.send(&format!("setoption name Threads value {threads}"));
            let search = engine.go("depth 12");
            assert_eq!(search.depth(), 12);
            check_search(&search, Position::<R>::start());
            let depths: Vec<u32> = search.infos().iter().map(|info| info.depth).collect();
            assert!(depths.is_sorted(), "{depths:?}");
        }
    }
    let mut engine = Engine::start();
    check::<tuzdyq::game::Togyzqumalaq>(&mut engine, "togyzqumalaq");
    check::<tuzdyq::game::Bestemshe>(&mut engine, "bestemshe");
    check::<tuzdyq::game::Kozdatu>(&mut engine, "kozdatu");
    engine.finish();
}
