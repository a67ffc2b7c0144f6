//! Many commands at once, in good and bad order: what waits, what is obeyed at once, and that nothing is lost, said
//! twice, or brings the session down.

mod common;

use std::thread::sleep;
use std::time::Instant;

use common::pipe::{Engine, LATER, Line, SOON, check_search, ms, replay};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tuzdyq::game::{Position, Togyzqumalaq};

fn texts(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn position_and_options_wait_for_the_end_of_the_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.wait_for("info depth 3 ", SOON);
    engine.send_all(&[
        "position startpos moves 7",
        "setoption name MultiPV value 3",
        "d",
        "eval",
        "ucinewgame",
        "d",
    ]);
    sleep(ms(300));
    assert_eq!((engine.count("Fen:"), engine.count("term")), (0, 0), "{}", engine.transcript());
    engine.send("stop");
    let lines = engine.read_until("Result:", SOON);
    let after = lines.iter().skip_while(|line| !line.is_bestmove()).skip(1);
    assert!(after.clone().all(|line| !line.is_info()), "{}", engine.transcript());
    assert!(after.clone().any(|line| line.text.starts_with("Fen: ") && line.text.ends_with(" N 1")));
    // What has waited is obeyed in order.
    let lines = engine.read_until("Result:", SOON);
    assert!(lines[0].text.starts_with("network"), "{:?}", texts(&lines));
    assert!(lines.iter().any(|line| line.text.ends_with("0 0 S 1")), "{:?}", texts(&lines));
    assert_eq!(engine.go("depth 2").infos().iter().map(|info| info.multipv).max(), Some(3));
    engine.finish();
}

#[test]
fn some_commands_are_obeyed_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.wait_for("info depth 3 ", SOON);
    for (command, answer) in [
        ("uci", "uciok"),
        ("isready", "readyok"),
        ("help", "tuzdyq speaks"),
        ("hello", "info string error: unknown command 'hello'"),
        ("position fen", "info string error: position fen"),
        ("debug x", "info string error: debug"),
    ] {
        engine.send(command);
        engine.wait_for(answer, SOON);
    }
    assert_eq!(engine.count("bestmove"), 0);
    engine.send("stop");
    engine.wait_for("bestmove", SOON);
    engine.finish();
}

#[test]
fn stop_is_answered_at_once() {
    let mut engine = Engine::start();
    let mut delays = Vec::new();
    for threads in [1, 1, 1, 2, 2, 2] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send("go infinite");
        sleep(ms(50));
        let sent = engine.send("stop");
        delays.push(engine.wait_for("bestmove", SOON).at - sent);
    }
    // All but a few, which a busy machine may hold up.
    delays.sort();
    assert!(delays[3] < ms(100), "{delays:?}");
    engine.finish();
}

#[test]
fn a_search_stopped_before_it_has_begun_still_answers() {
    let mut engine = Engine::start();
    let start = Position::<Togyzqumalaq>::start();
    for round in 1..=500 {
        engine.send_all(&["go infinite", "stop"]);
        let answer = engine.wait_for("bestmove", SOON).text;
        replay(start, &[answer.split(' ').nth(1).unwrap()]);
        assert_eq!(engine.count("bestmove"), round);
    }
    engine.finish();
    assert_eq!(engine.count("bestmove"), 500);
}

#[test]
fn a_second_go_waits_and_each_gets_its_answer() {
    let mut engine = Engine::start();
    engine.send_all(&[
        "position startpos",
        "go infinite",
        "position startpos moves 7",
        "go depth 3",
        "position startpos moves 7 2",
        "go infinite",
        "isready",
    ]);
    engine.wait_for("readyok", SOON);
    sleep(ms(200));
    assert_eq!(engine.count("bestmove"), 0, "{}", engine.transcript());
    engine.send("stop");
    engine.wait_for("bestmove", SOON);
    let sent = engine.send("isready");
    let second = common::pipe::Search { lines: engine.read_until("bestmove", SOON), sent };
    let second = common::pipe::Search {
        lines: second.lines.into_iter().filter(|line| line.is_info() || line.is_bestmove()).collect(),
        sent,
    };
    check_search(&second, replay(Position::<Togyzqumalaq>::start(), &["7"]));
    sleep(ms(200));
    assert_eq!(engine.count("bestmove"), 2, "{}", engine.transcript());
    engine.send("stop");
    engine.wait_for("bestmove", SOON);
    engine.finish();
    assert_eq!(engine.count("bestmove"), 3);
}

#[test]
fn a_stop_for_a_search_that_waits_is_kept_for_it() {
    let mut engine = Engine::start();
    engine.send_all(&["go infinite", "stop", "go infinite", "stop", "go infinite", "stop", "go depth 4"]);
    for _ in 0..3 {
        engine.wait_for("bestmove", SOON);
    }
    // The last one has not been stopped.
    engine.wait_for("info depth 4 ", SOON);
    engine.wait_for("bestmove", SOON);
    engine.finish();
    assert_eq!(engine.count("bestmove"), 4);
}

#[test]
fn a_ponderhit_for_a_search_that_waits_is_kept_for_it() {
    let mut engine = Engine::start();
    engine.send_all(&["go nodes 300000", "go ponder depth 4", "ponderhit", "isready"]);
    engine.wait_for("bestmove", SOON);
    engine.wait_for("bestmove", SOON);
    engine.finish();
    assert_eq!(engine.count("bestmove"), 2);
}

#[test]
fn after_a_ponderhit_a_bounded_search_is_finished_at_the_end_of_the_input() {
    let mut engine = Engine::start();
    engine.send_all(&["go ponder depth 9", "ponderhit"]);
    engine.close_stdin();
    engine.assert_exit(0, SOON);
    assert!(engine.count("info depth 9 ") > 0 && engine.count("bestmove") == 1, "{}", engine.transcript());
    // And one without a limit is stopped.
    let mut engine = Engine::start();
    engine.send_all(&["go ponder", "ponderhit"]);
    engine.close_stdin();
    engine.assert_exit(0, SOON);
    assert_eq!(engine.count("bestmove"), 1);
}

#[test]
fn what_waits_is_done_before_the_end_of_the_input() {
    let mut engine = Engine::start();
    engine.send_all(&[
        "go infinite",
        "go depth 4",
        "go perft 3",
        "bench 2",
        "go ponder",
        "d",
        "go wtime 500 btime 500",
    ]);
    engine.close_stdin();
    engine.assert_exit(0, LATER);
    let order: Vec<String> = engine
        .lines()
        .iter()
        .filter_map(|line| line.text.split([' ', ':']).next().map(str::to_owned))
        .filter(|word| ["bestmove", "nodes", "Bench", "Result"].contains(&word.as_str()))
        .collect();
    let expected = ["bestmove", "bestmove", "nodes", "Bench", "bestmove", "Result", "bestmove"];
    assert_eq!(order, expected, "{}", engine.transcript());
    assert!(engine.count("info depth 4 ") > 0, "{}", engine.transcript());
}

#[test]
fn stop_and_quit_end_a_perft_and_a_bench() {
    for task in ["go perft 20", "bench 100"] {
        let mut engine = Engine::start();
        engine.send(task);
        sleep(ms(300));
        engine.send("isready");
        engine.wait_for("readyok", SOON);
        engine.send("stop");
        // `d` waits for the end of the task.
        engine.ask("d", "Result:");
        assert_eq!(engine.count("bestmove") + engine.count("nodes") + engine.count("Bench:"), 0);
        check_search(&engine.go("depth 3"), Position::<Togyzqumalaq>::start());
        engine.send(task);
        sleep(ms(100));
        engine.send("quit");
        engine.assert_exit(0, SOON);
    }
}

#[test]
fn a_stop_during_a_task_is_for_the_task_whatever_waits() {
    let mut engine = Engine::start();
    engine.send_all(&["go perft 20", "go infinite", "stop"]);
    engine.wait_for("info string perft stopped", SOON);
    sleep(ms(300));
    assert_eq!(engine.count("bestmove"), 0, "{}", engine.transcript());
    engine.send("stop");
    engine.wait_for("bestmove", SOON);
    engine.finish();
}

#[test]
fn quit_drops_what_waits() {
    let mut engine = Engine::start();
    engine.send_all(&["go infinite", "go depth 5", "d", "go infinite", "quit", "d"]);
    engine.assert_exit(0, SOON);
    assert_eq!((engine.count("bestmove"), engine.count("Fen:")), (1, 0), "{}", engine.transcript());
}

/// What a command says at its end when it is obeyed in order; none for those that are obeyed at once or say nothing.
fn end_of(command: &str) -> Option<&'static str> {
    match command.split(' ').next() {
        Some("go") if command.starts_with("go perft") => Some("nodes"),
        Some("go") => Some("bestmove"),
        Some("d") => Some("Result:"),
        _ => None,
    }
}

const COMMANDS: [&str; 30] = [
    "go infinite",
    "go infinite",
    "go ponder depth 3",
    "go ponder wtime 100 btime 100",
    "go depth 1",
    "go depth 5",
    "go nodes 2000",
    "go movetime 1",
    "go movetime 20",
    "go wtime 30 btime 10 winc 1000",
    "go mate 2",
    "go searchmoves 3 nonsense depth 4",
    "go perft 3",
    "stop",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "isready",
    "d",
    "position startpos",
    "position startpos moves 7 1 5",
    "position fen 8,1S/1S,8 80 80 S 1",
    "position startpos moves 9 2 8 1 7 2 6 1 9 2 5",
    "position startpos moves 0",
    "ucinewgame",
    "setoption name Threads value 3",
    "setoption name Threads value 1",
    "setoption name Hash value 2",
];

#[test]
fn bursts_of_commands_in_random_order_get_one_answer_each_and_in_order() {
    for seed in 0..12 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut engine = Engine::start();
        let mut expected = Vec::new();
        let mut ready = 0;
        for _ in 0..150 {
            let command = *COMMANDS.choose(&mut rng).unwrap();
            expected.extend(end_of(command));
            ready += usize::from(command == "isready");
            engine.send(command);
            if rng.random_bool(0.1) {
                sleep(ms(rng.random_range(0..8)));
            }
        }
        // One stop for each search that may still be open-ended; those too many do nothing.
        engine.send_all(&vec!["stop"; expected.len()]);
        engine.send("go mate 1");
        expected.push("bestmove");
        let searches = expected.iter().filter(|&&end| end == "bestmove").count();
        while engine.count("bestmove") < searches {
            engine.wait_for("bestmove", SOON);
        }
        engine.finish();
        let lines = engine.lines();
        let ends = [
            ("bestmove", "bestmove"),
            ("nodes", "nodes"),
            ("info string perft stopped", "nodes"),
            ("Result:", "Result:"),
        ];
        let end =
            |line: &Line| ends.iter().find(|(start, _)| line.text.starts_with(start)).map(|&(_, end)| end);
        let said: Vec<&str> = lines.iter().filter_map(end).collect();
        assert_eq!(said, expected, "seed {seed}: {}", engine.transcript());
        assert_eq!(engine.count("readyok"), ready, "seed {seed}");
        assert_eq!(engine.stderr(), "", "seed {seed}");
    }
}

#[test]
fn quit_in_the_middle_of_a_burst_always_ends_the_process() {
    for seed in 100..140 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut engine = Engine::start();
        for _ in 0..rng.random_range(0..20) {
            engine.send(COMMANDS.choose(&mut rng).unwrap());
        }
        if rng.random() {
            engine.send("quit");
        } else {
            engine.close_stdin();
        }
        engine.assert_exit(0, SOON);
        assert_eq!(engine.stderr(), "", "seed {seed}");
    }
}

const WORDS: [&str; 44] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "name",
    "value",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "mate",
    "stop",
    "ponderhit",
    "debug",
    "on",
    "d",
    "eval",
    "help",
    "Hash",
    "MultiPV",
    "Move",
    "Overhead",
    "UCI_Variant",
    "bestemshe",
    "Clear",
    "1",
    "3",
    "9",
    "-1",
    "0",
    "99999999999999999999",
    "76",
    "8,1S/1S,8",
];

/// A line of known words in any order, damaged here and there, or of any bytes at all.
fn random_line(rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut line = Vec::new();
    if rng.random_bool(0.2) {
        line.extend((0..rng.random_range(0..60)).map(|_| rng.random::<u8>()));
    } else {
        for _ in 0..rng.random_range(1..9) {
            line.extend_from_slice(WORDS.choose(rng).unwrap().as_bytes());
            line.push(*b"  \t".choose(rng).unwrap());
        }
        if rng.random_bool(0.3) {
            let place = rng.random_range(0..line.len());
            line[place] = rng.random();
        }
    }
    line.retain(|&byte| byte != b'\n');
    line.push(b'\n');
    line
}

#[test]
fn random_lines_do_no_harm() {
    const KNOWN: [&str; 9] = [
        "id ",
        "option ",
        "uciok",
        "readyok",
        "info depth ",
        "info string ",
        "bestmove ",
        "Fen: ",
        "Result: ",
    ];
    for seed in 200..204 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut engine = Engine::start();
        for round in 0..1500 {
            engine.send_bytes(&random_line(&mut rng));
            if round % 20 == 0 {
                // Whatever has been started: it can be stopped, and the session answers.
                engine.send_bytes(b"isready\nstop\n");
                engine.wait_for("readyok", SOON);
            }
        }
        let sent = engine.transcript();
        engine.send_all(&["setoption name UCI_Variant value togyzqumalaq", "setoption name MultiPV value 1"]);
        engine.send_all(&["position fen 8,1S/1S,8 80 80 S 77777", "d", "position startpos moves 7"]);
        // Searches that wait need a stop each.
        let deadline = Instant::now() + LATER;
        while !engine.take_lines().iter().any(|line| line.text.ends_with(" S 77777")) {
            assert!(Instant::now() < deadline, "{}", engine.transcript());
            engine.send("stop");
            sleep(ms(2));
        }
        check_search(&engine.go("depth 4"), replay(Position::<Togyzqumalaq>::start(), &["7"]));
        engine.finish();
        assert_eq!(engine.stderr(), "", "seed {seed}: {sent}");
        for line in engine.lines() {
            assert!(!line.text.contains(|c: char| c.is_control()), "seed {seed}: {:?}", line.text);
            if line.text.starts_with("info") || line.text.starts_with("bestmove") {
                assert!(KNOWN.iter().any(|known| line.text.starts_with(known)), "seed {seed}: {}", line.text);
            }
        }
    }
}

#[test]
fn whoever_reads_the_last_line_of_a_task_may_go_on_at_once() {
    let mut engine = Engine::start();
    for (task, last) in [("bench 1", "Bench: "), ("go perft 2", "nodes 73")].repeat(20) {
        engine.send(task);
        engine.wait_for(last, SOON);
        // Neither waits for the task any more, so that the stop is for the search.
        engine.send_all(&["go infinite", "stop"]);
        engine.wait_for("bestmove", SOON);
    }
    engine.finish();
}
