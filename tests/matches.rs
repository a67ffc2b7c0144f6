//! `tuzdyq match`: whole matches of the real program, and of programs that misbehave.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use common::files::{self, text};
use common::pipe::{self, Engine, LATER, PROGRAM, SOON, ms};

/// Runs a match to its end: exit code, output, errors.
#[track_caller]
fn run(args: &[&str]) -> (i32, String, String) {
    pipe::run(&[&["match"], args].concat())
}

/// The output of a match that must come to its end.
#[track_caller]
fn output(args: &[&str]) -> String {
    pipe::output(&[&["match"], args].concat())
}

/// Both engines this one, in-process.
#[track_caller]
fn own(args: &str) -> String {
    let args: Vec<&str> = "--engine self --engine self".split(' ').chain(args.split(' ')).collect();
    output(&args)
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    files::folder(&format!("matches/{name}"))
}

/// A program that speaks the protocol, does `on_go` at a `go`, and is told its folder as `$1`.
fn fake(folder: &Path, on_go: &str) -> String {
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do\necho \"$line\" >> \"$1/heard\"\ncase $line in\n\
         uci) echo id name fake; echo uciok;;\nisready) echo readyok;;\nquit) exit 0;;\ngo*) {on_go};;\nesac\ndone\n"
    );
    let path = folder.join("fake.sh");
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable");
    format!("{} {}", path.display(), folder.display())
}

/// The line of a report that begins with this word.
#[track_caller]
fn line<'a>(report: &'a str, word: &str) -> &'a str {
    let found = report.lines().rfind(|line| line.split_whitespace().next() == Some(word));
    found.unwrap_or_else(|| panic!("no line '{word}' in\n{report}"))
}

/// Time losses, illegal moves, crashes and hangs of an engine.
#[track_caller]
fn faults(report: &str, engine: usize) -> [u32; 4] {
    let words: Vec<&str> = line(report, &engine.to_string()).split_whitespace().collect();
    [1, 2, 3, 4].map(|column| words[column].parse().expect("a count"))
}

/// What does not depend on the time.
fn results(report: &str) -> [&str; 4] {
    ["Games", "Pairs", "Elo", "Plies"].map(|word| line(report, word))
}

/// The moves and results of a file of games, without what names the players and the day.
fn games(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("games");
    let is_name = |line: &&str| ["[White", "[Black", "[Date"].iter().any(|tag| line.starts_with(tag));
    text.lines().filter(|line| !is_name(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn games_do_not_depend_on_concurrency_or_pipes() {
    let folder = folder("determinism");
    let file = |name: &str| folder.join(name);
    let limits = ["--nodes", "700", "--games", "10", "--seed", "5"];
    let play = |engines: [&str; 2], concurrency: &str, name: &str| {
        let pgn = file(name);
        let mut args = vec!["--engine", engines[0], "--engine", engines[1], "--option2", "MultiPV=2"];
        args.extend(limits);
        args.extend(["--concurrency", concurrency, "--pgn", text(&pgn)]);
        output(&args);
        games(&pgn)
    };
    let alone = play(["self", "self"], "1", "alone.pgn");
    assert_eq!(alone.matches("[Result").count(), 10);
    assert_eq!(play(["self", "self"], "3", "three.pgn"), alone);
    assert_eq!(play([PROGRAM, PROGRAM], "2", "pipes.pgn"), alone);
    assert_eq!(play(["self", PROGRAM], "1", "mixed.pgn"), alone);
}

#[test]
fn pairs_share_an_opening_and_swap_colours() {
    let folder = folder("openings");
    let (openings, pgn) = (folder.join("openings.txt"), folder.join("games.pgn"));
    fs::write(&openings, "# three\n7 2 3 8\n\n8,1S/8,1S 80 80 S 1\n1 1\n").expect("openings");
    own(&format!("--depth 1 --games 8 --openings {} --pgn {}", openings.display(), pgn.display()));
    let games = games(&pgn);
    let starts: Vec<&str> = games
        .split("[Event")
        .skip(1)
        .map(|game| {
            let moves = game.split("\n\n").nth(1).expect("moves");
            if game.contains("[FEN \"8,1S/8,1S 80 80 S 1\"]") {
                "fen"
            } else if moves.starts_with("1. 76(10) 22(10) 2. 32(12) 88(22) ") {
                "long"
            } else if moves.starts_with("1. 19 19 ") {
                "short"
            } else {
                panic!("{game}")
            }
        })
        .collect();
    assert_eq!(starts.len(), 8);
    for pair in starts.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert_eq!(starts[0], starts[6], "{starts:?}");
    let mut first: Vec<&str> = starts[..6].iter().step_by(2).copied().collect();
    first.sort_unstable();
    assert_eq!(first, ["fen", "long", "short"]);
    let rounds: Vec<&str> = games.lines().filter(|line| line.starts_with("[Round")).collect();
    assert_eq!((rounds[1], rounds[7]), ("[Round \"1.2\"]", "[Round \"4.2\"]"));
}

#[test]
fn other_variants_and_clocks_over_pipes() {
    let args = ["--engine", PROGRAM, "--engine", "self", "--variant", "bestemshe", "--games", "2"];
    let report = output(&[&args[..], &["--tc", "20/0.5+0.01", "--option", "Move Overhead=5"]].concat());
    assert!(line(&report, "Games").starts_with("Games  2 with tc 20/0.5+0.01: "), "{report}");
    assert_eq!(faults(&report, 1)[1..], [0, 0, 0], "{report}");
    // Both report their depth and speed.
    assert!(!line(&report, "1").contains(" - ") && !line(&report, "2").contains(" - "), "{report}");
}

#[test]
fn a_plain_program_hears_only_what_it_must_know() {
    let folder = folder("transcript");
    let engine = fake(&folder, "echo bestmove 0");
    let args =
        ["--engine", &engine, "--engine", "self", "--games", "1", "--tc", "8+0.08", "--random-plies", "2"];
    let report = output(&args);
    assert_eq!(faults(&report, 1), [0, 1, 0, 0], "{report}");
    let heard = fs::read_to_string(folder.join("heard")).expect("what was heard");
    let heard: Vec<&str> = heard.lines().collect();
    let [.., position, go, _] = heard[..] else { panic!("{heard:?}") };
    assert_eq!(heard[..4], ["uci", "isready", "ucinewgame", "isready"]);
    assert!(
        position.starts_with("position startpos moves ") && position.split(' ').count() == 5,
        "{position}"
    );
    assert_eq!(go, "go wtime 8000 btime 8000 winc 80 binc 80");
    assert_eq!((heard.len(), heard[6]), (7, "quit"), "{heard:?}");
}

#[test]
fn an_illegal_move_a_crash_a_hang_and_a_late_answer_lose_the_game() {
    for (name, on_go, limit, expected, reason) in [
        ("illegal", "echo bestmove 7x", "--nodes 100", [0, 2, 0, 0], "illegal move '7x'"),
        (
            "crash",
            "echo out of stones >&2; exit 3",
            "--nodes 100",
            [0, 0, 2, 0],
            "exit status: 3 (out of stones)",
        ),
        ("hang", ":", "--movetime 10 --patience 60", [0, 0, 0, 2], "no answer after 170 ms"),
        ("late", "sleep 0.4; echo bestmove 1", "--movetime 10 --margin 200", [2, 0, 0, 0], "ms used of 10"),
        ("clock", "sleep 0.4; echo bestmove 1", "--tc 0.2", [2, 0, 0, 0], "ms used of 200"),
    ] {
        let folder = folder(name);
        let engine = fake(&folder, on_go);
        let mut args = vec!["--engine", "self", "--engine", &engine, "--games", "2"];
        args.extend(limit.split(' '));
        let report = output(&args);
        let told = report.lines().filter(|line| line.contains("engine 2: ") && line.contains(reason)).count();
        assert_eq!((faults(&report, 1), faults(&report, 2), told), ([0; 4], expected, 2), "{name}: {report}");
        assert!(line(&report, "Pairs").ends_with("WW 1"), "{report}");
    }
}

#[test]
fn an_engine_that_does_not_start_ends_the_match_with_one_error() {
    let folder = folder("start");
    let refuse = |command: &str, options: &[&str]| {
        let args = ["--engine", "self", "--engine", command, "--games", "4", "--nodes", "100"];
        let (code, _, errors) = run(&[&args[..], options].concat());
        assert_eq!((code, errors.lines().count()), (1, 1), "{command}: {errors}");
        assert!(errors.starts_with("tuzdyq: engine 2 ("), "{errors}");
        errors
    };
    assert!(refuse("/no/such/engine", &[]).contains("cannot be started"));
    assert!(refuse("true", &[]).contains("ended with exit status: 0"));
    assert!(refuse(PROGRAM, &["--option2", "Depth=3"]).contains("it has no option 'Depth'"));
    assert!(refuse(PROGRAM, &["--option2", "Threads=0"]).contains("option Threads takes"));
    let fake = fake(&folder, "echo bestmove 1");
    assert!(refuse(&fake, &["--option2", "Threads=1"]).contains("it has no option 'Threads'"));
}

#[test]
fn an_engine_that_starts_no_more_ends_the_match_after_three_attempts_and_keeps_the_log() {
    let folder = folder("restart");
    let engine = fake(&folder, "exit 1");
    // From the second start on it does not work.
    let script = format!(
        "echo start >> {0}/starts; test $(wc -l < {0}/starts) -gt 1 && exit 7; exec {engine}",
        folder.display()
    );
    let (command, log) = (format!("sh -c '{script}'"), folder.join("log"));
    let args =
        ["--engine", &command, "--engine", "self", "--games", "10", "--nodes", "100", "--resume", text(&log)];
    let (code, report, errors) = run(&args);
    assert_eq!(code, 1, "{report}");
    assert!(errors.contains("cannot be started") && errors.contains("exit status: 7"), "{errors}");
    assert!(line(&report, "Games").contains("+0 =0 -1"), "{report}");
    assert_eq!(fs::read_to_string(folder.join("starts")).expect("starts").lines().count(), 4);
    assert_eq!(fs::read_to_string(&log).expect("a log").lines().count(), 2);
}

#[test]
fn a_match_goes_on_from_a_torn_log_to_the_same_result() {
    let folder = folder("resume");
    let (whole, torn) = (folder.join("whole"), folder.join("torn"));
    let play = |log: &Path, pgn: &str, games: &str| {
        let pgn = folder.join(pgn);
        let rest = format!("--nodes 400 --games {games} --resume {} --pgn {}", log.display(), pgn.display());
        let report = own(&rest);
        (report, self::games(&pgn))
    };
    let (expected, expected_games) = play(&whole, "whole.pgn", "24");
    let log = fs::read_to_string(&whole).expect("a log");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 25);
    let kept = lines[..8].join("\n") + "\n" + &lines[8][..lines[8].len() / 2];
    fs::write(&torn, kept).expect("a torn log");
    let (report, games) = play(&torn, "torn.pgn", "24");
    assert!(report.starts_with("7 games taken over from the log"), "{report}");
    assert_eq!((results(&report), games), (results(&expected), expected_games));
    assert_eq!(fs::read_to_string(&torn).expect("a log").lines().count(), 25);
    // More games are the same match; all of them are there already for fewer.
    assert!(line(&play(&torn, "more.pgn", "26").0, "Games").starts_with("Games  26 "));
    assert!(line(&play(&torn, "more.pgn", "4").0, "Games").starts_with("Games  26 "));
}

#[test]
fn a_log_of_something_else_is_left_alone() {
    let folder = folder("other log");
    let log = folder.join("log");
    let refuse = |args: &str| {
        let before = fs::read(&log).expect("a log");
        let mut all = vec!["--engine", "self", "--engine", "self", "--games", "2", "--resume", text(&log)];
        all.extend(args.split(' '));
        let (code, _, errors) = run(&all);
        assert_eq!((code, errors.lines().count()), (2, 1), "{errors}");
        assert_eq!(fs::read(&log).expect("a log"), before);
        errors
    };
    let all =
        ["--engine", "self", "--engine", "self", "--games", "2", "--resume", text(&log), "--nodes", "100"];
    output(&all);
    assert!(refuse("--nodes 200").contains("limit is \"nodes 100\" there, and \"nodes 200\" here"));
    assert!(refuse("--nodes 100 --seed 2").contains("seed is 1 there, and 2 here"));
    assert!(refuse("--nodes 100 --option1 Hash=2").contains("engine 1 is "));
    assert!(refuse("--nodes 100 --sprt").contains("sprt is null there"));
    assert!(refuse("--nodes 100 --resign").contains("resignation is not given there"));
    assert!(refuse("--nodes 100 --random-plies 3").contains("openings is "));
    let good = fs::read_to_string(&log).expect("a log");
    let lines: Vec<&str> = good.lines().collect();
    for (line, part) in [
        ("{}".to_owned(), "line 3: not a game"),
        (lines[2].replacen("\"moves\":\"", "\"moves\":\"0 ", 1), "line 3: position moves: number 1"),
        (
            lines[2].replacen("\"pair\":0", "\"pair\":1", 1),
            "line 3: the game does not begin with the opening",
        ),
        (lines[1].to_owned(), "line 3: the same game once more"),
    ] {
        fs::write(&log, [lines[0], lines[1], &line, ""].join("\n")).expect("a log");
        let errors = refuse("--nodes 100");
        assert!(errors.contains(part), "{errors}");
    }
    for foreign in ["my notes", "my notes\n", "{\"a\":1}\n", "\u{0}\n"] {
        fs::write(&log, foreign).expect("a file");
        assert!(refuse("--nodes 100").contains("not the log of a match"));
    }
    fs::write(&log, &good).expect("a log");
    let held = fs::File::open(&log).expect("the log");
    held.lock().expect("a lock");
    let (code, _, errors) = run(&all);
    assert!(code == 1 && errors.contains("another match is writing it"), "{errors}");
}

#[test]
fn a_game_that_both_take_for_decided_ends_early() {
    let args = "--nodes 200 --games 6 --seed 3";
    let whole = own(args);
    let agreed = own(&format!("{args} --resign score=1000 moves=2"));
    assert_eq!(line(&agreed, "Games"), line(&whole, "Games"));
    assert_eq!(line(&agreed, "Agreed"), "Agreed 6 games that both engines took for decided");
    let plies = |report: &str| -> f64 {
        line(report, "Plies").split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number")
    };
    assert!(plies(&agreed) < plies(&whole), "{agreed}{whole}");
    // The same engine behind pipes tells its scores in the protocol; one that tells none never agrees.
    let piped = format!("{PROGRAM} --engine self {args} --resign score=1000 moves=2");
    let piped = output(&["--engine"].into_iter().chain(piped.split(' ')).collect::<Vec<_>>());
    assert_eq!(results(&piped), results(&agreed));
    let folder = folder("silent");
    let silent = fake(&folder, "echo bestmove 0");
    let report =
        output(&["--engine", &silent, "--engine", "self", "--games", "2", "--nodes", "50", "--resign"]);
    assert!(line(&report, "Agreed").starts_with("Agreed 0 "), "{report}");
}

#[test]
fn a_decided_test_ends_the_match() {
    let folder = folder("sprt");
    let engine = fake(&folder, "echo bestmove 0");
    let args = ["--engine", "self", "--engine", &engine, "--games", "500", "--nodes", "50"];
    let args = [&args[..], &["--sprt", "elo0=0", "elo1=200", "alpha=0.1", "beta=0.1"]].concat();
    let report = output(&args);
    // Each pair won twice is worth ln(0.7597 / 0.5) = 0.418, and ln(9) = 2.197 is to be reached.
    assert!(line(&report, "Games").contains("+12 =0 -0"), "{report}");
    assert!(line(&report, "SPRT").ends_with("LLR 2.51 (-2.20 to 2.20), H1 accepted"), "{report}");
    assert_eq!(line(&report, "Elo"), "Elo    +inf; LOS -");
    let report = own("--nodes 50 --games 4 --sprt");
    assert!(line(&report, "SPRT").ends_with("(-2.94 to 2.94), undecided"), "{report}");
}

fn interrupt(engine: &Engine) {
    let status = Command::new("kill").args(["-INT", &engine.id().to_string()]).status().expect("kill");
    assert!(status.success());
}

#[test]
fn ctrl_c_keeps_what_has_been_played() {
    let folder = folder("interrupt");
    let (log, pgn) = (folder.join("log"), folder.join("pgn"));
    let args = format!("--engine self --engine {PROGRAM} --nodes 200 --games 100000 --concurrency 2");
    let args: Vec<&str> = args.split(' ').chain(["--resume", text(&log), "--pgn", text(&pgn)]).collect();
    let mut engine = Engine::spawn(Command::new(PROGRAM).arg("match").args(&args));
    // 20 or 21 games, whichever of the two at once completes the tenth pair.
    engine.wait_for("2", LATER);
    interrupt(&engine);
    engine.assert_exit(130, SOON);
    let report: Vec<String> = engine.lines().into_iter().map(|line| line.text).collect();
    let report = report.join("\n");
    let games = fs::read_to_string(&log).expect("a log").lines().count() - 1;
    assert!(games >= 20 && line(&report, "Games").starts_with(&format!("Games  {games} ")), "{report}");
    assert_eq!(fs::read_to_string(&pgn).expect("games").matches("[Result").count(), games);
    assert_eq!((faults(&report, 1), faults(&report, 2)), ([0; 4], [0; 4]));
    assert_eq!(engine.stderr(), "tuzdyq: interrupted\n");
    // Nothing is left beside the files.
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
}

#[test]
fn ctrl_c_does_not_wait_for_an_engine() {
    let folder = folder("interrupt a hang");
    let engine = fake(&folder, ":").replace("interrupt a hang", "interrupt\\ a\\ hang");
    let args = ["match", "--engine", "self", "--engine", &engine, "--nodes", "100", "--games", "2"];
    let mut engine = Engine::with_args(&args);
    let deadline = Instant::now() + SOON;
    while !fs::read_to_string(folder.join("heard")).is_ok_and(|heard| heard.contains("go ")) {
        assert!(Instant::now() < deadline, "{}", engine.transcript());
        std::thread::sleep(ms(5));
    }
    interrupt(&engine);
    engine.assert_exit(130, Duration::from_secs(5));
}

#[test]
fn on_a_terminal_there_is_a_bar() {
    let command = "\"$E\" match --engine self --engine self --nodes 50 --games 6";
    let mut engine = Engine::shell(&format!("TERM=xterm script -qec '{command}' /dev/null"));
    engine.wait_for("2 ", LATER);
    let shown = engine.transcript();
    assert!(shown.contains("/6 ") && shown.contains("ETA"), "{shown}");
}

#[test]
fn wrong_arguments_are_named_in_one_line() {
    let folder = folder("arguments");
    let openings = folder.join("bad.txt");
    fs::write(&openings, "7 2\n7 0\n").expect("openings");
    let openings = text(&openings);
    let start = ["--engine", "self", "--engine", "self", "--games", "2"];
    for (args, part) in [
        (&["--engine", "self", "--games", "2", "--nodes", "1"][..], "twice, not once"),
        (&["--games", "2", "--nodes", "1"], "--engine"),
        (&["--engine", "self", "--engine", "self", "--nodes", "1"], "--games"),
        (&["--engine", "self", "--engine", "a 'b", "--games", "2", "--nodes", "1"], "quotation mark"),
        (&["--engine", "self", "--engine", "", "--games", "2", "--nodes", "1"], "not ''"),
    ] {
        wrong(args, part);
    }
    for (args, part) in [
        ("", "--tc"),
        ("--nodes 0", "--nodes"),
        ("--nodes 5 --depth 3", "--depth"),
        ("--tc 0", "'0'"),
        ("--tc 1+x", "[moves/]base[+increment]"),
        ("--movetime -1", "-1"),
        ("--nodes 5 --engine self", "3 times"),
        ("--nodes 5 --margin 10", "--margin"),
        ("--nodes 5 --option Hash", "'Hash'"),
        ("--nodes 5 --option1 =3", "'=3'"),
        ("--nodes 5 --option2 Hash=0", "Hash takes"),
        ("--nodes 5 --option UCI_Variant=kozdatu", "the game"),
        ("--nodes 5 --sprt elo=3", "'elo=3'"),
        ("--nodes 5 --sprt elo1", "'elo1'"),
        ("--nodes 5 --sprt elo1=x", "'elo1=x'"),
        ("--nodes 5 --sprt elo1=1 elo1=2", "twice"),
        ("--nodes 5 --sprt elo0=5", "less than"),
        ("--nodes 5 --sprt alpha=0", "alpha"),
        ("--nodes 5 --sprt beta=0.7", "beta"),
        ("--nodes 5 --resign score", "'score'"),
        ("--nodes 5 --resign lead=5", "is none of score, moves"),
        ("--nodes 5 --resign moves=2 moves=3", "twice"),
        ("--nodes 5 --resign moves=1.5", "moves must be a whole number from 1 to 1000"),
        ("--nodes 5 --resign score=20000", "score must be a whole number from 1 to 16200"),
        ("--nodes 5 --concurrency 0", "--concurrency"),
        ("--nodes 5 --seed x", "--seed"),
        ("--nodes 5 --variant chess", "chess"),
        ("--nodes 5 --openings /no/such/file", "/no/such/file"),
        ("--nodes 5 --pgn /no/such/folder/x", "/no/such/folder/x"),
        ("--nodes 5 --resume /no/such/folder/x", "/no/such/folder/x"),
    ] {
        let args: Vec<&str> =
            start.into_iter().chain(args.split(' ').filter(|word| !word.is_empty())).collect();
        wrong(&args, part);
    }
    let (same, both) = (folder.join("x"), folder.join(".").join("x"));
    let args = [&start[..], &["--nodes", "5", "--resume", text(&same), "--pgn", text(&both)]].concat();
    wrong(&args, "over the log");
    let args = [&start[..], &["--nodes", "5", "--pgn", "/dev/null"]].concat();
    wrong(&args, "not a file");
    let args = [&start[..], &["--nodes", "5", "--openings", openings]].concat();
    wrong(&args, "bad.txt: line 2: move 2, '0': there is no pit 0");
    let args = [&start[..], &["--nodes", "5", "--openings", openings, "--random-plies", "3"]].concat();
    wrong(&args, "--random-plies");
}

#[track_caller]
fn wrong(args: &[&str], part: &str) {
    let (code, output, errors) = run(args);
    assert_eq!((code, output.as_str(), errors.lines().count()), (2, "", 1), "{args:?}: {errors}");
    assert!(errors.contains(part), "{args:?}: {errors}");
}
