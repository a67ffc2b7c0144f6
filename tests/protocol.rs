//! The scenarios of area "protocol", one test each, named after the scenario.
//!
//! Where a scenario leaves the policy open, this is the engine's: a position command with a fault is refused as a
//! whole, the old position stays; a bad option value is refused, the old value stays; leading unknown words are
//! skipped with a notice; at the end of the input bounded searches are finished and open-ended ones stopped.

mod common;

use std::thread::sleep;

use common::pipe::{CHASE, Engine, LATER, LONG_GAME, SOON, Search, chase, check_search, ms, spaced};
use tuzdyq::game::{Position, Togyzqumalaq};

fn start() -> Position<Togyzqumalaq> {
    Position::start()
}

fn after(moves: &str) -> Position<Togyzqumalaq> {
    common::pipe::replay(start(), &moves.split(' ').collect::<Vec<_>>())
}

#[test]
fn uci_01_a_stale_stop_does_nothing() {
    let mut engine = Engine::start();
    engine.send_all(&["uci", "isready"]);
    engine.wait_for("readyok", SOON);
    engine.send_all(&["stop", "stop"]);
    assert_eq!(engine.sync(), [""; 0], "idle stops are silent");

    engine.send_all(&["position startpos", "go infinite"]);
    sleep(ms(300));
    engine.send("stop");
    engine.wait_for("bestmove", SOON);
    engine.send_all(&["position startpos moves 7", "go infinite"]);
    sleep(ms(1500));
    engine.send("isready");
    engine.wait_for("readyok", SOON);
    assert_eq!(engine.count("bestmove"), 1, "{}", engine.transcript());
    engine.send("stop");
    engine.wait_for("bestmove", SOON);

    engine.send("stop");
    let last = engine.go("depth 6");
    assert_eq!(last.depth(), 6);
    engine.send("quit");
    engine.assert_exit(0, SOON);
    assert_eq!(engine.count("bestmove"), 3, "{}", engine.transcript());
}

#[test]
fn uci_02_a_solved_position_waits_for_stop_without_work() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {CHASE}"));
    engine.send("go infinite");
    sleep(ms(500));
    let before = processor_ticks(&engine);
    sleep(ms(1500));
    let ticks = processor_ticks(&engine) - before;
    assert!(ticks <= 15, "{ticks} ticks in 1.5 s of waiting");
    engine.send("isready");
    engine.wait_for("readyok", SOON);
    assert_eq!(engine.count("bestmove"), 0, "{}", engine.transcript());
    assert!(engine.count("info") < 300, "{} info lines", engine.count("info"));
    engine.send("stop");
    assert!(engine.wait_for("bestmove", SOON).text.starts_with("bestmove 1"));
    engine.finish();
}

/// Hundredths of seconds of processor time that the program has used; always 0 where the system does not tell.
fn processor_ticks(engine: &Engine) -> u64 {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{}/stat", engine.id())) else {
        if cfg!(target_os = "linux") {
            panic!("no /proc");
        }
        return 0;
    };
    let after_name = stat.rsplit_once(')').expect("a name").1;
    after_name.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("ticks")).sum()
}

#[test]
fn uci_04_isready_is_answered_before_uci_and_during_a_search() {
    let mut engine = Engine::start();
    engine.send("isready");
    engine.wait_for("readyok", SOON);
    engine.send_all(&["uci", "position startpos", "go infinite"]);
    engine.wait_for("info depth 5 ", SOON);
    let mut delays = Vec::new();
    for _ in 0..15 {
        let sent = engine.send("isready");
        delays.push(engine.wait_for("readyok", SOON).at - sent);
    }
    delays.sort();
    // Half of them may wait for a processor.
    assert!(delays[7] < ms(50), "{delays:?}");
    engine.take_lines();
    engine.wait_for("info depth ", LATER);
    assert_eq!(engine.count("bestmove"), 0, "the search goes on: {}", engine.transcript());
    engine.send_all(&["isready", "isready", "stop", "quit"]);
    engine.assert_exit(0, SOON);
    let known = [
        "info depth",
        "info string evaluation: ",
        "info string endgames of ",
        "readyok",
        "bestmove",
        "id ",
        "option ",
        "uciok",
    ];
    for line in engine.lines() {
        assert!(known.iter().any(|known| line.text.starts_with(known)), "{}", line.text);
    }
    assert_eq!(engine.count("readyok"), 18);
    assert_eq!(engine.count("bestmove"), 1);
}

#[test]
fn uci_05_a_bad_move_refuses_the_command_and_keeps_the_position() {
    let mut engine = Engine::start();
    assert_eq!(engine.say("position startpos moves 1 1 1"), [""; 0]);
    let fen = engine.field("Fen:");
    assert_eq!(fen, after("1 1 1").to_string());
    let ended = "9 2 8 1 7 2 6 1 9 2 5";
    assert!(after(ended).outcome().is_some());
    let bad = [
        // The first move captures the stones of pit 8.
        ("position startpos moves 9 8 9 8 0".to_owned(), "number 2, '8': pit 8 is empty"),
        ("position startpos moves 1 1 1 2 0".to_owned(), "number 5, '0'"),
        ("position startpos moves 7 7 10".to_owned(), "number 3, '10'"),
        (format!("position startpos moves {ended} 3"), "number 12, '3': the game is over"),
        ("position startpos moves 7 x 3".to_owned(), "number 2, 'x'"),
        ("position startpos moves 9 1 9 2 9".to_owned(), "number 5, '9': pit 9 is empty"),
    ];
    for (line, part) in bad {
        let said = engine.refused(&line);
        assert!(said.contains(part), "{line}: {said}");
        assert_eq!(engine.field("Fen:"), fen, "after {line}");
    }
    check_search(&engine.go("depth 3"), after("1 1 1"));
    engine.finish();
}

#[test]
fn uci_07_long_games_are_read_in_milliseconds() {
    let mut engine = Engine::start();
    let cycle = format!("position fen {CHASE} moves {}", chase(1260));
    let long = format!("position startpos moves {}", spaced(LONG_GAME));
    for line in [&cycle, &long] {
        let times = (0..5).map(|_| {
            let sent = engine.send(line);
            engine.send("isready");
            engine.wait_for("readyok", SOON).at - sent
        });
        let quickest = times.min().unwrap();
        assert!(quickest < ms(50), "{quickest:?}");
        assert_eq!(engine.count("info string"), 0, "{}", engine.transcript());
    }
    engine.send(&cycle);
    assert_eq!(engine.field("Fen:").rsplit_once(' ').unwrap().0, CHASE.rsplit_once(' ').unwrap().0);
    // Known positions do not end the game: the root is always searched.
    assert_eq!(engine.go("depth 4").bestmove(), "1");
    engine.send(&long);
    let search = engine.go("depth 4");
    check_search(&search, after(&spaced(LONG_GAME)));
    assert_eq!(search.depth(), 4);
    engine.finish();
}

#[test]
fn uci_08_unknown_words_get_one_notice_each() {
    let mut engine = Engine::start();
    assert_eq!(engine.say(""), [""; 0]);
    assert_eq!(engine.say("   \t "), [""; 0]);
    assert_eq!(engine.say("debug on"), [""; 0]);
    assert!(engine.refused("hello world").contains("'hello'"));
    assert!(engine.refused("register later").contains("'register'"));
    assert!(engine.refused("тоғыз құмалақ").contains("'тоғыз'"));
    engine.send_bytes(b"\xFF\xFE\0\n");
    assert_eq!(engine.sync().len(), 1);
    // A leading unknown word is skipped with a notice, and the rest obeyed.
    engine.take_lines();
    engine.send("joho isready");
    let lines = engine.read_until("readyok", SOON);
    assert_eq!(lines.len(), 2, "{}", engine.transcript());
    assert!(lines[0].text.contains("'joho'"), "{}", lines[0].text);
    engine.send_all(&["isready", "quit"]);
    engine.assert_exit(0, SOON);
}

#[test]
fn uci_10_option_names_and_values_may_hold_spaces() {
    let mut engine = Engine::start();
    let lines = |engine: &mut Engine| {
        let infos = engine.go("depth 2").infos();
        infos.iter().filter(|info| info.depth == 2 && info.bound.is_none()).count()
    };
    assert_eq!(engine.say("setoption name multipv value 2"), [""; 0]);
    assert_eq!(lines(&mut engine), 2);
    assert_eq!(engine.say("setoption NAME MultiPV VALUE 3"), [""; 0]);
    assert_eq!(engine.say("SetOption  name \t MULTIPV value\t3  "), [""; 0]);
    assert_eq!(engine.say("setoption name Clear Hash"), [""; 0]);
    assert_eq!(engine.say("setoption name clear   HASH"), [""; 0]);
    // Everything after the first 'value' is the value.
    let said = engine.refused("setoption name Clear Hash value $TMP/my  nets/best value net.bin ");
    assert!(said.contains("'$TMP/my  nets/best value net.bin'"), "{said}");
    let said = engine.refused("setoption name EvalFile value $TMP/my  nets/best value net.bin");
    assert!(said.contains("option EvalFile: $TMP/my  nets/best value net.bin: "), "{said}");
    for (line, part) in [
        ("setoption value 3", "'value'"),
        ("setoption name", "name"),
        ("setoption", "name"),
        ("setoption name value 3", "name"),
        ("setoption name NoSuch Option value x", "'NoSuch Option'"),
        ("setoption name MultiPV value", "MultiPV"),
        ("setoption name MultiPV", "MultiPV"),
        ("setoption name MultiPV value 1 value 2", "'1 value 2'"),
        ("setoption name MultiPV value 1 2", "'1 2'"),
    ] {
        let said = engine.refused(line);
        assert!(said.contains(part), "{line}: {said}");
        assert_eq!(lines(&mut engine), 3, "after {line}");
    }
    engine.finish();
}

#[test]
fn uci_11_bad_numbers_are_refused_and_the_old_value_stays() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 2");
    for (name, value) in [
        ("Threads", "x8"),
        ("Threads", "2cores"),
        ("Threads", "0"),
        ("Hash", "100000000000000000000"),
        ("Hash", "-1"),
        ("Hash", "0"),
        ("Hash", "0x10"),
        ("MultiPV", "1.5"),
        ("MultiPV", "10"),
        ("MultiPV", "٣"),
        ("Move Overhead", "-5"),
        ("Ponder", "maybe"),
        ("UCI_ShowWDL", "1"),
        ("UCI_Variant", "chess"),
    ] {
        let said = engine.refused(&format!("setoption name {name} value {value}"));
        assert!(said.contains(name) && said.contains(&format!("'{value}'")), "{said}");
    }
    let infos = engine.go("depth 3").infos();
    assert_eq!(infos.iter().map(|info| info.multipv).max(), Some(2));
    assert!(infos.iter().all(|info| info.wdl.is_none()));
    engine.finish();
}

#[test]
fn uci_13_go_needs_no_position_and_moves_nothing() {
    let mut engine = Engine::start();
    let first = engine.go("depth 4");
    check_search(&first, start());
    check_search(&engine.go("depth 4"), start());
    engine.send("ucinewgame");
    let third = engine.go("depth 4");
    assert_eq!((first.bestmove(), first.depth()), (third.bestmove(), 4));
    assert_eq!(engine.field("Fen:"), start().to_string());
    assert_eq!(engine.field("Kazans:"), "0 0");
    engine.finish();
}

/// In the position after these moves, pit 5 takes the 18 stones that are needed to win.
const WIN_IN_ONE: &str = "9 2 8 1 7 2 6 1 9 2";

#[test]
fn uci_14_pondering_answers_after_ponderhit_or_stop_only() {
    let mut engine = Engine::start();
    engine.send(&format!("position startpos moves {WIN_IN_ONE}"));
    engine.send("go ponder wtime 60000 btime 60000");
    sleep(ms(1500));
    engine.send("isready");
    engine.wait_for("readyok", SOON);
    assert_eq!(engine.count("bestmove"), 0, "{}", engine.transcript());
    let sent = engine.send("ponderhit");
    let answer = engine.wait_for("bestmove", SOON);
    assert_eq!(answer.text, "bestmove 5");
    assert!(answer.at - sent < ms(1000), "{:?}", answer.at - sent);

    engine.send(&format!("position startpos moves {WIN_IN_ONE}"));
    engine.send("go ponder depth 4");
    sleep(ms(500));
    assert_eq!(engine.count("bestmove"), 1, "{}", engine.transcript());
    engine.send("stop");
    assert_eq!(engine.wait_for("bestmove", SOON).text, "bestmove 5");
    assert_eq!(engine.say("ponderhit"), [""; 0], "a ponderhit without a search is ignored");
    engine.finish();
    assert_eq!(engine.count("bestmove"), 2);
}

/// The root moves that a search has looked at, where `MultiPV` is 9.
fn root_moves(search: &Search) -> Vec<String> {
    let depth = search.depth();
    let infos = search.infos();
    let last = infos.iter().filter(|info| info.depth == depth && info.bound.is_none());
    let mut moves: Vec<String> = last.map(|info| info.pv[0].clone()).collect();
    moves.sort();
    moves
}

#[test]
fn uci_16_searchmoves_restrict_one_search() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 9");
    engine.send("position startpos moves 1 1");
    let legal: Vec<&str> = vec!["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    assert_eq!(engine.field("Legal:"), legal.join(" "));

    let search = engine.go("depth 5 searchmoves 3");
    assert_eq!((search.bestmove(), search.depth()), ("3", 5));
    let search = engine.go("searchmoves 3 4 depth 5");
    assert_eq!((root_moves(&search), search.depth()), (vec!["3".into(), "4".into()], 5));

    let search = engine.go("depth 5 searchmoves 10 x");
    let notices: Vec<&str> = search.lines.iter().map(|line| line.text.as_str()).take(3).collect();
    assert!(notices[0].contains("'10'") && notices[1].contains("'x'"), "{notices:?}");
    assert!(
        notices.iter().all(|notice| notice.starts_with("info string error: searchmoves: ")),
        "{notices:?}"
    );
    assert_eq!((root_moves(&search), search.depth()), (legal.iter().map(ToString::to_string).collect(), 5));
    let search = engine.go("searchmoves depth 5");
    assert!(search.lines[0].text.starts_with("info string error: searchmoves: "));
    assert_eq!((root_moves(&search).len(), search.depth()), (9, 5));
    // A legal one among illegal ones is enough.
    let search = engine.go("depth 3 searchmoves x 4 0");
    assert_eq!((root_moves(&search), search.depth()), (vec!["4".into()], 3));

    let search = engine.go("nodes 20000 searchmoves 2");
    assert_eq!(search.bestmove(), "2");
    assert!(search.depth() > 1, "one move is searched to its limit all the same");
    let search = engine.go("depth 5");
    assert_eq!((root_moves(&search).len(), search.depth()), (9, 5));
    engine.finish();
}

#[test]
fn uci_17_more_lines_than_moves() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 9");
    engine.send("position startpos moves 9");
    assert_eq!(engine.field("Legal:"), "1 2 3 4 5 6 7 9");
    let search = engine.go("depth 8");
    check_search(&search, after("9"));
    assert_eq!(search.depth(), 8);
    for depth in 1..=8 {
        let infos = search.infos();
        let lines: Vec<_> = infos.iter().filter(|info| info.depth == depth && info.bound.is_none()).collect();
        let ranks: Vec<usize> = lines.iter().map(|info| info.multipv).collect();
        assert_eq!(ranks, [1, 2, 3, 4, 5, 6, 7, 8], "depth {depth}");
        assert!(lines.is_sorted_by_key(|info| -info.score.rank()), "{lines:?}");
        let mut first: Vec<&str> = lines.iter().map(|info| info.pv[0].as_str()).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 8, "{lines:?}");
    }

    engine.send(&format!("position fen {CHASE}"));
    for multipv in [9, 1] {
        engine.send(&format!("setoption name MultiPV value {multipv}"));
        let search = engine.go("depth 8");
        assert_eq!((search.bestmove(), search.depth()), ("1", 8));
        assert!(search.infos().iter().all(|info| info.multipv == 1));
    }
    engine.finish();
}

#[test]
fn uci_19_the_end_of_the_input_and_quit_end_the_process() {
    let cases: [(&[u8], usize); 7] = [
        (b"uci\n", 0),
        (b"", 0),
        (b"position startpos\ngo infinite\n", 1),
        (b"setoption name Threads value 4\ngo infinite\nquit\n", 1),
        // A last line without its end is a line.
        (b"position startpos moves 7\ngo depth 3", 1),
        (b"go ponder wtime 1000 btime 1000\n", 1),
        (b"setoption name Threads value 4\nposition fen 8,1S/1S,8 80 80 S 1\ngo infinite\n", 1),
    ];
    for (input, answers) in cases {
        let mut engine = Engine::start();
        engine.send_bytes(input);
        if input.ends_with(b"go infinite\n") {
            sleep(ms(300));
        }
        if !input.ends_with(b"quit\n") {
            engine.close_stdin();
        }
        engine.assert_exit(0, ms(5000));
        assert_eq!(engine.count("bestmove"), answers, "{}", engine.transcript());
        assert_eq!(engine.stderr(), "");
    }
}

#[test]
fn uci_20_a_bounded_search_is_finished_at_the_end_of_the_input() {
    let answer = |input: &str| {
        let mut engine = Engine::start();
        let sent = engine.send_bytes(input.as_bytes());
        engine.close_stdin();
        engine.assert_exit(0, LATER);
        let search = Search { lines: engine.lines(), sent };
        assert_eq!(
            search.lines.iter().filter(|line| line.is_bestmove()).count(),
            1,
            "{}",
            engine.transcript()
        );
        search
    };
    assert_eq!(answer("position startpos moves 7 2\ngo depth 12\n").depth(), 12);
    let timed = answer("position startpos\ngo movetime 700\n").elapsed();
    assert!((ms(600)..ms(2000)).contains(&timed), "{timed:?}");
    answer("position startpos\ngo nodes 200000\nquit\n");
    let clock = answer("go wtime 9000 btime 9000\n").elapsed();
    assert!(clock > ms(50), "a search by the clock is finished too: {clock:?}");
}

#[test]
fn uci_22_output_comes_line_by_line() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.wait_for("uciok", SOON);
    engine.send("position startpos");
    let search = engine.go("movetime 1000");
    let answered = search.lines.last().unwrap().at;
    let early = |line: &&common::pipe::Line| answered - line.at > ms(300);
    assert!(search.lines.iter().filter(early).count() >= 3, "{}", engine.transcript());
    // The engine's own clock and ours agree on when a line was found.
    for (line, info) in search.lines.iter().zip(search.infos()) {
        let late = (line.at - search.sent).saturating_sub(ms(info.time));
        assert!(late < ms(500), "{late:?}: {}", line.text);
    }
    engine.send("quit");
    engine.assert_exit(0, SOON);

    // Nothing is lost when the end comes quickly.
    let mut engine = Engine::start();
    engine.send_all(&["uci", "d", "isready", "quit"]);
    engine.assert_exit(0, SOON);
    assert_eq!((engine.count("uciok"), engine.count("Result:"), engine.count("readyok")), (1, 1, 1));
}

#[test]
fn uci_23_limits_hold_for_one_search() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    let small = engine.go("nodes 500");
    assert!(small.infos().iter().all(|info| info.nodes <= 500));
    let full = engine.go("depth 10");
    assert_eq!(full.depth(), 10);
    assert!(full.infos().last().unwrap().nodes > 500);
    engine.go("movetime 50");
    assert_eq!(engine.go("depth 10").depth(), 10);
    engine.go("wtime 1000 btime 1000 movestogo 1");
    engine.send("go infinite");
    sleep(ms(1000));
    assert_eq!(engine.count("bestmove"), 5, "{}", engine.transcript());
    engine.send_all(&["stop", "quit"]);
    engine.assert_exit(0, SOON);
    assert_eq!(engine.count("bestmove"), 6, "{}", engine.transcript());
}
