//! The command line, with the scenarios of area "command line".
//!
//! Not here: cli-08 (Windows release files: no Windows here), and of cli-01 and cli-02 the installations and builds
//! from a package or an archive, which take minutes: `.ci/run` is the place for them. What the package must hold is
//! checked here.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::pipe::{Engine, LATER, PROGRAM, SOON, Search, check_search, ms, output, replay, run};
use tuzdyq::game::{Position, Togyzqumalaq};

/// A file in the scratch folder of the tests.
fn scratch(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a scratch file");
    path
}

#[test]
fn cli_02_the_package_holds_what_the_build_needs() {
    let list = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .expect("cargo runs");
    assert!(list.status.success(), "{}", String::from_utf8_lossy(&list.stderr));
    let list = String::from_utf8(list.stdout).expect("paths");
    let files: Vec<&str> = list.lines().collect();
    for file in [
        "Cargo.lock",
        "Cargo.toml",
        "build.rs",
        "README.md",
        "protocol.md",
        "positions/bench.fen",
        "src/main.rs",
    ] {
        assert!(files.contains(&file), "{file} is missing in {files:?}");
    }
}

#[cfg(unix)]
#[test]
fn cli_04_a_closed_output_ends_the_process_quietly() {
    for (script, lines) in [
        ("\"$E\" --help; echo \"code $?\" >&2", 1),
        ("\"$E\" perft 5 --divide; echo \"code $?\" >&2", 1),
        ("\"$E\" bench; echo \"code $?\" >&2", 2),
        ("(echo 'go infinite'; sleep 2) | { \"$E\"; echo \"code $?\" >&2; }", 1),
        ("\"$E\" go depth 60; echo \"code $?\" >&2", 1),
        ("\"$E\" go infinite --threads 2; echo \"code $?\" >&2", 1),
        ("\"$E\" show; echo \"code $?\" >&2", 1),
        ("(echo uci; echo bench; sleep 1) | { \"$E\"; echo \"code $?\" >&2; }", 3),
    ] {
        let mut engine = Engine::shell(&format!("({script}) | head -{lines}"));
        engine.close_stdin();
        engine.assert_exit(0, SOON);
        let stderr = engine.stderr();
        // 141: killed by SIGPIPE, as shells report it.
        assert!(["code 0\n", "code 141\n"].contains(&stderr.as_str()), "{script}: {stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn cli_04_a_full_disk_is_reported() {
    for args in ["bench 3", "--help", "--version", "perft 3", "show", "go depth 5", "go infinite"] {
        let mut engine = Engine::shell(&format!("\"$E\" {args} > /dev/full"));
        engine.close_stdin();
        engine.assert_exit(1, SOON);
        assert_eq!(engine.stderr().lines().count(), 1, "{args}: {}", engine.stderr());
    }
    let mut engine = Engine::shell("printf 'uci\\ngo infinite\\n' | \"$E\" > /dev/full");
    engine.assert_exit(1, SOON);
}

#[test]
fn cli_05_wrong_arguments_are_named_in_one_line_at_once() {
    let missing = scratch("missing.epd", "").with_file_name("no such file.epd");
    let missing = missing.to_str().expect("a path");
    let faulty =
        scratch("faulty.epd", "# one\n8,1S/8,1S 80 80 S 1; bm 9; id \"good\"\n9S/9S 0 0 S 1; bm 1\n");
    let faulty = faulty.to_str().expect("a path");
    for (args, part) in [
        (&["bench", "abc"][..], "abc"),
        (&["bench", "0"], "0"),
        (&["bench", "8", "extra"], "extra"),
        (&["perft"], "DEPTH"),
        (&["perft", "0"], "0"),
        (&["perft", "x"], "x"),
        (&["perft", "3", "--threads", "0"], "--threads"),
        (&["analyse", "--depth", "x"], "--depth"),
        (&["--no-such-flag"], "--no-such-flag"),
        (&["nonsense"], "nonsense"),
        (&["non\nsense"], "sense"),
        (&["go", "depth", "x"], "'x'"),
        (&["go", "depth"], "depth"),
        (&["go", "depth", "0"], "'0'"),
        (&["go", "dept", "3"], "'dept'"),
        (&["go", "depth", "3", "fast"], "'fast'"),
        (&["go", "depth", "3", "movetime"], "movetime"),
        (&["go", "ponder", "depth", "3"], "ponder"),
        (&["go", "stop"], "'stop'"),
        (&["go", "perft", "0"], "'0'"),
        (&["go", "depth", "3", "--fen", "nonsense"], "fen"),
        (&["go", "depth", "3", "--fen"], "--fen"),
        (&["go", "depth", "3", "--moves", "7", "x"], "'x'"),
        (&["go", "depth", "3", "--moves", "7", "0"], "'0'"),
        (&["go", "searchmoves", "1", "x", "depth", "3"], "'x'"),
        (&["go", "depth", "3", "--hash", "0"], "--hash"),
        (&["go", "depth", "3", "--multipv", "10"], "--multipv"),
        (&["go", "depth", "3", "--threads", "257"], "--threads"),
        (&["go", "depth", "3", "--variant", "chess"], "chess"),
        (&["show", "--moves", "75"], "'75'"),
        (&["show", "extra"], "position fen: expected 2 rows"),
        (&["show", "9 9 9 9", "extra"], "extra"),
        (&["testset", missing, "--depth", "3"], "no such file.epd"),
        (&["testset", faulty, "--depth", "3"], "line 3"),
        (&["testset", faulty], "--movetime"),
        (&["testset", faulty, "--depth", "0"], "--depth"),
        (&["testset", "--depth", "3"], "FILE"),
    ] {
        let mut engine = Engine::with_args(args);
        // Without an end of the input: nothing may wait for it.
        let code = engine.exit_code(SOON);
        let (stderr, lines) = (engine.stderr(), engine.lines());
        assert_eq!((code, stderr.lines().count()), (2, 1), "{args:?}: {stderr}");
        assert!(stderr.contains(part) && stderr.contains("--help"), "{args:?}: {stderr}");
        assert!(lines.is_empty(), "{args:?}: {lines:?}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused_too() {
    use std::os::unix::ffi::OsStrExt;
    for first in ["show", "go", "testset", "analyse"] {
        let mut engine =
            Engine::spawn(Command::new(PROGRAM).arg(first).arg(std::ffi::OsStr::from_bytes(b"\xFF\xFE")));
        engine.close_stdin();
        assert_eq!(engine.exit_code(SOON), 2, "{first}: {}", engine.stderr());
        assert_eq!(engine.stderr().lines().count(), 1, "{first}: {}", engine.stderr());
    }
}

#[test]
fn cli_07_no_colour_in_pipes() {
    for args in [&["--help"][..], &["go", "--help"], &["bench", "3"], &["go", "depth", "4"], &["nonsense"]] {
        let (_, output, errors) = run(args);
        assert!(!output.contains('\x1b') && !errors.contains('\x1b'), "{args:?}: {output:?} {errors:?}");
    }
    let mut engine = Engine::start();
    engine.send_all(&["d", "uci", "help", "eval", "go depth 4", "nonsense"]);
    engine.finish();
    assert!(engine.lines().iter().all(|line| !line.text.contains('\x1b')), "{}", engine.transcript());
}

/// What the program shows on a terminal, by the command `script` of util-linux.
#[cfg(target_os = "linux")]
fn on_a_terminal(env: &str, command: &str) -> String {
    let script = format!("{env} script -qec '\"$E\" {command}' /dev/null");
    let mut engine = Engine::shell(&script);
    engine.close_stdin();
    assert_eq!(engine.exit_code(LATER), 0, "is script installed? {}", engine.transcript());
    engine.lines().into_iter().map(|line| line.text + "\n").collect()
}

#[cfg(target_os = "linux")]
#[test]
fn cli_07_no_colour_where_it_is_not_wanted() {
    for env in ["NO_COLOR=1", "TERM=dumb"] {
        for command in ["--help", "bench 3", "go depth 4"] {
            let shown = on_a_terminal(env, command);
            assert!(!shown.is_empty() && !shown.contains('\x1b'), "{env} {command}: {shown:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_go_shows_a_table() {
    let shown = on_a_terminal("TERM=xterm", "go depth 8");
    assert!(shown.contains("depth") && shown.contains("score") && shown.contains("line"), "{shown}");
    assert!(
        shown.contains("Best move: ") && !shown.contains("bestmove") && !shown.contains("info"),
        "{shown}"
    );
    let shown = on_a_terminal("TERM=xterm", "go depth 8 --moves 9 2 8 1 7 2 6 1 9 2");
    assert!(shown.contains("win in 1") && shown.contains("Best move: 5"), "{shown}");
    let shown = on_a_terminal("TERM=xterm", "go depth 8 --moves 9 2 8 1 7 2 6 1 9 2 5");
    assert!(shown.contains("The game is over"), "{shown}");
    // Alive between the lines.
    let shown = on_a_terminal("TERM=xterm", "go movetime 1500 --threads 2");
    assert!(shown.contains("thinking"), "{shown:?}");
    let shown = on_a_terminal("TERM=dumb", "go movetime 600");
    assert!(!shown.contains("thinking"), "{shown:?}");
}

#[test]
fn version_tells_what_the_program_is_made_of() {
    let version = output(&["--version"]);
    assert_eq!(version.lines().count(), 1);
    let target = format!("{}-", std::env::consts::ARCH);
    for part in [env!("CARGO_PKG_VERSION"), "commit ", &target, "SIMD"] {
        assert!(version.contains(part), "{part} in {version}");
    }
    assert_eq!(output(&["-V"]), version);
}

#[test]
fn help_has_examples_that_work() {
    let help = output(&["--help"]);
    let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  tuzdyq ")).collect();
    assert!(examples.len() >= 5, "{help}");
    for example in examples {
        let words: Vec<&str> = example.split("  ").next().unwrap_or_default().split_whitespace().collect();
        // The whole of it would take too long: the command line is what must be right.
        let Some((&command, rest)) = words.split_first() else { continue };
        assert!(
            ["go", "show", "perft", "bench", "testset", "convert", "analyse", "book", "match"]
                .contains(&command),
            "{example}"
        );
        if ["show", "perft", "book"].contains(&command) {
            assert!(!output(&words).is_empty(), "{example}");
        }
        if command == "go" {
            let limits = rest.iter().position(|word| word.starts_with("--")).unwrap_or(rest.len());
            assert!(
                output(&[&["go", "depth", "2"], &rest[limits..]].concat()).contains("bestmove"),
                "{example}"
            );
        }
    }
    let help_of_endgame = output(&["endgame", "--help"]);
    let probe = help_of_endgame.lines().find_map(|line| line.strip_prefix("  tuzdyq endgame probe '"));
    let fen = probe.and_then(|rest| rest.strip_suffix('\'')).expect("an example");
    assert!(output(&["endgame", "probe", fen]).starts_with("value "), "{fen}");
    for command in ["go", "perft", "bench", "show", "testset", "convert", "analyse", "book", "endgame"] {
        assert!(help.contains(command), "{command}");
        assert!(output(&[command, "--help"]).contains("Usage: tuzdyq"), "{command}");
    }
}

/// What `go` has given on the command line.
fn analysis(args: &[&str]) -> Search {
    let mut engine = Engine::with_args(args);
    engine.close_stdin();
    engine.assert_exit(0, LATER);
    assert_eq!(engine.stderr(), "");
    Search { lines: engine.lines(), sent: std::time::Instant::now() }
}

#[test]
fn go_prints_protocol_lines_in_a_pipe() {
    let start = Position::<Togyzqumalaq>::start();
    let search = analysis(&["go", "depth", "9"]);
    assert_eq!(search.depth(), 9);
    check_search(&search, start);
    let search = analysis(&["go", "nodes", "5000", "--moves", "7", "2"]);
    check_search(&search, replay(start, &["7", "2"]));
    assert!(search.infos().iter().all(|info| info.nodes <= 5000));
    // Moves may also stand in one argument, in any form.
    check_search(&analysis(&["go", "depth", "5", "--moves", "76 11"]), replay(start, &["7", "1"]));
    let search = analysis(&["go", "depth", "4", "--multipv", "3", "--threads", "2", "--hash", "1"]);
    assert_eq!(search.infos().iter().map(|info| info.multipv).max(), Some(3));
    let search = analysis(&["go", "searchmoves", "3", "depth", "4"]);
    assert_eq!(search.bestmove(), "3");
    let search = analysis(&["go", "depth", "4", "--fen", "8,1S/8,1S 80 80 S 1"]);
    assert_eq!(search.bestmove(), "9");
    let search = analysis(&["go", "depth", "6", "--variant", "bestemshe", "--moves", "1"]);
    check_search(&search, replay(Position::<tuzdyq::game::Bestemshe>::start(), &["1"]));
    let search = analysis(&["go", "mate", "1", "--moves", "9", "2", "8", "1", "7", "2", "6", "1", "9", "2"]);
    assert_eq!(search.bestmove(), "5");
    assert_eq!(analysis(&["go", "depth", "3", "--fen", "8,1S/1S,8 82 78 S 1"]).bestmove(), "(none)");
    assert!(!analysis(&["go", "wtime", "-5", "btime", "5"]).bestmove().is_empty());
}

#[test]
fn go_keeps_to_the_time() {
    let quickest = (0..3).map(|_| {
        let mut engine = Engine::with_args(&["go", "movetime", "300"]);
        engine.close_stdin();
        let first = engine.wait_for("info depth 1 ", SOON).at;
        engine.wait_for("bestmove", SOON).at - first
    });
    let quickest = quickest.min().expect("attempts");
    assert!((ms(200)..ms(450)).contains(&quickest), "{quickest:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_go_with_its_answer() {
    let mut engine = Engine::with_args(&["go"]);
    engine.wait_for("info depth 5 ", SOON);
    let killed = Command::new("kill").args(["-INT", &engine.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    engine.wait_for("bestmove", SOON);
    engine.assert_exit(0, SOON);
}

#[test]
fn perft_counts() {
    let last = |args: &[&str]| output(args).lines().last().expect("a line").to_owned();
    let words: Vec<String> = last(&["perft", "5"]).split(' ').map(str::to_owned).collect();
    assert_eq!((words.len(), words[1].as_str(), words[4].as_str()), (7, "43184", "ms"));
    assert_eq!([&words[0], &words[2], &words[5]], ["nodes", "time", "nps"]);
    assert_eq!(output(&["perft", "5"]).lines().count(), 1);
    assert!(last(&["perft", "7", "--threads", "2"]).starts_with("nodes 3003052 "));
    assert!(last(&["perft", "6", "--variant", "bestemshe"]).starts_with("nodes 7782 "));
    assert!(last(&["perft", "5", "--variant", "kozdatu"]).starts_with("nodes 11158 "));
    assert!(last(&["perft", "4", "--fen", "8,1S/1S,8 80 80 S 1"]).starts_with("nodes 1 "));
    assert!(last(&["perft", "1", "--moves", "9"]).starts_with("nodes 8 "));

    // A memory changes nothing but the time.
    for args in [&["perft", "7", "--hash", "16"][..], &["perft", "7", "--hash", "16", "--threads", "2"]] {
        assert!(last(args).starts_with("nodes 3003052 "), "{args:?}");
    }

    let divided = output(&["perft", "3", "--divide"]);
    let counts = divided
        .lines()
        .take(9)
        .map(|line| line.split_once(": ").expect("a count").1.parse::<u64>().expect("a count"));
    assert_eq!((counts.sum::<u64>(), divided.lines().count()), (613, 10));
    assert!(output(&["go", "perft", "3"]).lines().last().expect("a line").starts_with("nodes 613"));
}

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_reported() {
    for args in [
        "perft 3 --hash 60000",
        "perft 3 --threads 200",
        "go depth 3 --hash 60000",
        "go depth 3 --threads 200",
    ] {
        let mut engine = Engine::shell(&format!("ulimit -v 700000; exec \"$E\" {args}"));
        engine.close_stdin();
        engine.assert_exit(1, SOON);
        assert_eq!(engine.stderr().lines().count(), 1, "{args}: {}", engine.stderr());
    }
}

#[test]
fn bench_has_a_signature() {
    let signature = || {
        let bench = output(&["bench", "4"]);
        let words: Vec<String> =
            bench.lines().last().expect("a line").split(' ').map(str::to_owned).collect();
        assert_eq!(
            (words.len(), words[0].as_str(), words[2].as_str(), words[4].as_str()),
            (5, "Bench:", "nodes", "nps")
        );
        words[1].parse::<u64>().expect("nodes")
    };
    let first = signature();
    assert!(first > 0);
    assert_eq!(signature(), first);
}

#[test]
fn show_draws_a_position() {
    let fen = "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4";
    let shown = output(&["show", "--fen", fen]);
    for line in [&format!("Fen: {fen}"), "Kazans: 22 15", "Legal: 1 2 3 4 6 7 8 9", "Result: *"] {
        assert!(shown.lines().any(|shown| shown == line), "{line} in {shown}");
    }
    let expected = replay(Position::<Togyzqumalaq>::start(), &["7"]).to_string();
    assert!(output(&["show", "--moves", "7"]).contains(&expected));
    assert!(output(&["show", "--variant", "bestemshe"]).contains("5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 S 1"));
    // The same as `d` says.
    let mut engine = Engine::start();
    engine.send(&format!("position fen {fen}"));
    let lines: Vec<String> = engine.ask("d", "Result:").into_iter().map(|line| line.text).collect();
    assert_eq!(lines.join("\n"), shown);
}

#[test]
fn testset_says_which_problems_are_solved() {
    // The first can only be solved; the second names a move that throws the win away.
    let file = scratch(
        "problems.epd",
        "# problems\n\n8,1S/8,1S 80 80 S 1; bm 9; id \"forced\"\n1S,8/7,1S,1S 80 79 S 1; bm 9; id \"wrong\"\n",
    );
    let file = file.to_str().expect("a path");
    for limit in [&["--depth", "20"][..], &["--nodes", "50000"], &["--movetime", "100"]] {
        let shown = output(&[&["testset", file], limit].concat());
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 3, "{shown}");
        assert!(lines[0].starts_with("solved") && lines[0].contains("forced"), "{shown}");
        assert!(lines[1].starts_with("FAILED") && lines[1].contains("wrong"), "{shown}");
        assert_eq!(lines[2], "Solved 1 of 2");
    }
}

#[test]
fn the_log_is_off_unless_asked_for() {
    let session = |level: Option<&str>| {
        let mut command = Command::new(PROGRAM);
        command.args(["go", "depth", "3"]);
        // `spawn` takes the variable away, so that it goes by way of a shell's env.
        let mut engine = match level {
            None => Engine::spawn(&mut command),
            Some(level) => Engine::spawn(Command::new("env").arg(format!("RUST_LOG={level}")).arg(PROGRAM)),
        };
        engine.send_all(&["uci", "go depth 3", "nonsense"]);
        engine.finish();
        let output = engine.lines();
        assert!(output.iter().all(|line| !line.text.contains("DEBUG")), "{}", engine.transcript());
        engine.stderr()
    };
    assert_eq!(session(None), "");
    if cfg!(unix) {
        let log = session(Some("debug"));
        assert!(log.contains("nonsense"), "RUST_LOG=debug logs what comes in, on stderr: {log:?}");
        assert!(!log.contains('\x1b'), "{log:?}");
    }
}
