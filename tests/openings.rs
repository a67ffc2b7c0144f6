//! `tuzdyq openings`, and the file made with it that the matches begin with.

mod common;

use std::collections::HashSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use common::pipe::{Engine, LATER, PROGRAM, SOON};
use tuzdyq::game::{Bestemshe, Game, Kozdatu, Position, Rules, Togyzqumalaq, parse_move};
use tuzdyq::tools::files::write_atomically;

/// Runs the command to its end, without input: exit code, output, errors.
#[track_caller]
fn run(args: &str) -> (i32, String, String) {
    let mut command = Command::new(PROGRAM);
    let output =
        command.arg("openings").args(args.split(' ')).stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// The output of a run that must succeed without a word on stderr.
#[track_caller]
fn output(args: &str) -> String {
    let (code, output, errors) = run(args);
    assert_eq!((code, errors.as_str()), (0, ""), "{args}");
    output
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('#')).collect()
}

/// Checks that each opening is legal, not the end of a game, of a length in the range, and leads to a position of
/// its own; gives how many there are.
#[track_caller]
fn check<R: Rules>(text: &str, plies: RangeInclusive<usize>) -> usize {
    let mut keys = HashSet::new();
    for line in lines(text) {
        let mut game = Game::<R>::default();
        for word in line.split(' ') {
            assert!(word.len() == 1, "a pit number: {line}");
            game.play(parse_move(game.position(), word).expect(line));
        }
        assert!(plies.contains(&game.moves().len()), "{line}");
        assert_eq!(game.position().outcome(), None, "{line}");
        assert!(keys.insert(game.position().key()), "the same position again: {line}");
    }
    keys.len()
}

/// A new folder for a test.
fn folder(name: &str) -> PathBuf {
    common::files::folder(&format!("openings/{name}"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect()
}

#[test]
fn the_openings_of_the_repository_can_be_used() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/openings.txt");
    let text = fs::read_to_string(path).expect("the openings");
    let count = check::<Togyzqumalaq>(&text, 4..=10);
    assert!(count >= 2_000, "{count}");
    // How it was made is not forgotten.
    assert!(
        text.contains(&format!("# tuzdyq openings --variant togyzqumalaq --count {count} --plies 4..10 "))
    );
    assert!(text.contains("'Bench: "));
}

#[test]
fn the_seed_decides_and_the_threads_do_not() {
    let args = "--count 12 --plies 3..6 --depth 8";
    let first = output(&format!("{args} --threads 1"));
    assert_eq!(check::<Togyzqumalaq>(&first, 3..=6), 12);
    assert_eq!(output(&format!("{args} --threads 2 --seed 1")), first);
    let other = output(&format!("{args} --seed 2"));
    assert_ne!(lines(&other), lines(&first));
    // More of the same seed begin with the same.
    let more = output("--count 20 --plies 3..6 --depth 8 --threads 2");
    assert_eq!(lines(&more)[..12], lines(&first));
}

#[test]
fn the_header_tells_how_to_make_it_again() {
    let made = output("--count 5 --plies 6 --depth 6 --limit-score 250 --seed 77 --threads 2");
    assert_eq!(check::<Togyzqumalaq>(&made, 6..=6), 5);
    let command = made.lines().find_map(|line| line.strip_prefix("# tuzdyq openings ")).expect("a command");
    assert_eq!(output(command), made);
    let bench = Command::new(PROGRAM).arg("bench").stdin(Stdio::null()).output().expect("it runs");
    let bench = String::from_utf8(bench.stdout).expect("UTF-8");
    let signature = bench.lines().last().and_then(|line| line.split_once(" nodes")).expect("a signature").0;
    assert!(made.contains(&format!("'{signature} nodes'")), "{signature}: {made}");
}

#[test]
fn openings_are_balanced() {
    let made = output("--count 10 --plies 5..9 --depth 10 --limit-score 60");
    for line in lines(&made) {
        let mut args = vec!["go", "depth", "10", "--hash", "1", "--moves"];
        args.extend(line.split(' '));
        let mut engine = Engine::with_args(&args);
        engine.close_stdin();
        let last = engine.read_until("bestmove", LATER).into_iter().rev().nth(1).expect("a line").text;
        let score = last.split_once("score cp ").expect(&last).1.split(' ').next().expect("a score");
        let score: i32 = score.parse().expect(score);
        assert!(score.abs() <= 60, "{line}: {last}");
    }
}

#[test]
fn other_games_have_openings_too() {
    let args = "--count 10 --plies 2..5 --depth 6 --limit-score 200 --variant";
    assert_eq!(check::<Bestemshe>(&output(&format!("{args} bestemshe")), 2..=5), 10);
    assert_eq!(check::<Kozdatu>(&output(&format!("{args} kozdatu")), 2..=5), 10);
}

#[test]
fn too_few_openings_are_an_error() {
    let (code, output, errors) = run("--plies 1..1 --count 100 --limit-score 16200 --depth 4");
    assert_eq!((code, output.as_str(), errors.lines().count()), (1, "", 1), "{errors}");
    assert!(errors.contains("only 9 of 100"), "{errors}");
    let folder = folder("too_few");
    let file = folder.join("file").display().to_string();
    assert_eq!(run(&format!("--plies 1 --count 10 --depth 4 --out {file}")).0, 1);
    assert!(names(&folder).is_empty());
}

#[test]
fn a_file_is_the_same_as_the_output_and_replaces_an_older_one() {
    let folder = folder("file");
    let file = folder.join("made");
    let expected = output("--count 4 --depth 6");
    for older in [false, true] {
        if older {
            fs::write(&file, "old\n".repeat(1000)).expect("an older file");
        }
        assert_eq!(output(&format!("--count 4 --depth 6 --out {}", file.display())), "");
        assert_eq!(fs::read_to_string(&file).expect("the file"), expected);
        assert_eq!(names(&folder), ["made"]);
    }
}

#[test]
fn wrong_arguments_are_named_in_one_line_at_once() {
    let folder = folder("wrong").display().to_string();
    let nowhere = format!("--count 1000000 --out {folder}/no/file");
    let is_folder = format!("--count 1000000 --out {folder}");
    for (args, part) in [
        ("--seed 1", "--count"),
        ("--count 0", "--count"),
        ("--count x", "--count"),
        ("--count 5 --plies 0..3", "--plies"),
        ("--count 5 --plies 5..3", "--plies"),
        ("--count 5 --plies 3..", "--plies"),
        ("--count 5 --plies 1..1000", "--plies"),
        ("--count 5 --plies some", "--plies"),
        ("--count 5 --stones 0..3", "--stones"),
        ("--count 5 --stones 12..163", "--stones"),
        ("--count 5 --seed -1", "-1"),
        ("--count 5 --depth 0", "--depth"),
        ("--count 5 --depth 201", "--depth"),
        ("--count 5 --limit-score 16201", "--limit-score"),
        ("--count 5 --threads 0", "--threads"),
        ("--count 5 --variant chess", "chess"),
        ("--count 5 more", "more"),
        (&nowhere, "No such file or directory"),
        (&is_folder, "not a file"),
    ] {
        let (code, output, errors) = run(args);
        assert_eq!((code, output.as_str(), errors.lines().count()), (2, "", 1), "{args}: {errors}");
        assert!(errors.contains(part) && errors.contains("--help"), "{args}: {errors}");
    }
}

#[test]
fn endings_have_as_many_stones_as_asked_for() {
    let args = "--count 6 --stones 12..20 --depth 6 --limit-score 300";
    let text = output(args);
    let mut seen = HashSet::new();
    for line in lines(&text) {
        let position: Position<Togyzqumalaq> = line.parse().expect(line);
        assert!(
            (12..=20).contains(&position.board().stones_left()) && position.outcome().is_none(),
            "{line}"
        );
        assert!(seen.insert(position.key()), "{line}");
    }
    assert_eq!(seen.len(), 6);
    assert!(text.contains("--stones 12..20") && text.starts_with("# 6 balanced endings"), "{text}");
    assert_eq!(output(&format!("{args} --threads 2")), text);
}

#[cfg(unix)]
#[test]
fn a_closed_output_ends_it_quietly() {
    let mut engine = Engine::shell("(\"$E\" openings --count 4 --depth 4; echo \"code $?\" >&2) | head -0");
    engine.close_stdin();
    engine.assert_exit(0, LATER);
    assert!(["code 0\n", "code 141\n"].contains(&engine.stderr().as_str()), "{}", engine.stderr());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    // A device is no place for a file that is there as a whole or not at all.
    for (out, code) in [("> /dev/full", 1), ("--out /dev/full", 2)] {
        let mut engine = Engine::shell(&format!("\"$E\" openings --count 4 --depth 4 {out}"));
        engine.close_stdin();
        engine.assert_exit(code, LATER);
        assert_eq!(engine.stderr().lines().count(), 1, "{out}: {}", engine.stderr());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_the_older_file() {
    let folder = folder("interrupt");
    let file = folder.join("file");
    fs::write(&file, "old").expect("an older file");
    let out = file.to_str().expect("UTF-8");
    let mut engine = Engine::with_args(&["openings", "--count", "1000000", "--depth", "60", "--out", out]);
    // From when the program catches the signal; before that there is nothing to leave behind.
    let status = format!("/proc/{}/status", engine.id());
    let catches = || {
        let text = fs::read_to_string(&status).expect("a process");
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("signals").trim();
        u64::from_str_radix(caught, 16).expect("a mask") & 2 != 0
    };
    let started = Instant::now();
    while !catches() {
        assert!(started.elapsed() < SOON, "the signal is not caught");
        std::thread::sleep(common::pipe::ms(10));
    }
    std::thread::sleep(common::pipe::ms(100));
    let killed = Command::new("kill").args(["-INT", &engine.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    engine.assert_exit(1, SOON);
    assert_eq!(engine.stderr().lines().count(), 1, "{}", engine.stderr());
    assert_eq!(fs::read_to_string(&file).expect("the file"), "old");
    assert_eq!(names(&folder), ["file"]);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_it_shows_how_far_it_is() {
    for (term, shown) in [("xterm", true), ("dumb", false)] {
        let script = format!("TERM={term} script -qec '\"$E\" openings --count 4 --depth 4' /dev/null");
        let mut engine = Engine::shell(&script);
        engine.close_stdin();
        assert_eq!(engine.exit_code(LATER), 0, "is script installed? {}", engine.transcript());
        assert_eq!(engine.lines().iter().any(|line| line.text.contains("4/4 openings")), shown, "{term}");
    }
}

#[test]
fn a_write_that_fails_leaves_nothing() {
    let folder = folder("atomic");
    assert!(write_atomically(&folder.join("no/file"), b"new").is_err());
    assert!(write_atomically(&folder, b"new").is_err());
    assert!(write_atomically(Path::new(""), b"new").is_err());
    assert!(names(&folder).is_empty());
    let file = folder.join("file");
    for text in ["first", "second"] {
        write_atomically(&file, text.as_bytes()).expect("it is written");
        assert_eq!(fs::read_to_string(&file).expect("the file"), text);
    }
    #[cfg(unix)]
    {
        let link = folder.join("link");
        std::os::unix::fs::symlink("file", &link).expect("a link");
        write_atomically(&link, b"third").expect("it is written");
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).expect("the file"), "third");
    }
}
