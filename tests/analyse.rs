//! `tuzdyq analyse`: the review of recorded games.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::files::{self, text};
use common::pipe::{Engine, LATER, SOON, output, run};
use tuzdyq::game::Side;
use tuzdyq::records::{Reading, Record, read};
use tuzdyq::review::{Class, Report, SCHEMA, Span};
use tuzdyq::with_game;

/// Three games with all that a review must get along with: tags, comments and signs; a start of its own, and an end by
/// atsyrau; another game.
const GAMES: &str = r#"[Event "One"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. 76(10)! 76(10) {as always} 2. 55 99(22) 3. 12(22) 88(36) 4. 25(34) 91X 5. 91(48) 1-0

[Event "Two"]
[FEN "8,1S/8,1S 80 80 S 40"]
[Result "*"]

40. 91(82) *

[Event "Three"]
[Variant "bestemshe"]
[Result "0-1"]

1. 1 2 2. 3 4 3. 5 1 0-1
"#;

fn folder(name: &str) -> PathBuf {
    files::folder(&format!("analyse/{name}"))
}

/// A folder with the games in a file.
fn games(name: &str) -> (PathBuf, PathBuf) {
    let folder = folder(name);
    let path = folder.join("games.pgn");
    fs::write(&path, GAMES).expect("a file");
    (folder, path)
}

fn report(json: &str) -> Report {
    serde_json::from_str(json).expect("a report")
}

fn analysed(path: &Path, args: &[&str]) -> Report {
    report(&output(&[&["analyse", text(path), "--nodes", "1000", "--json"], args].concat()))
}

fn moves(record: &Record) -> Vec<String> {
    with_game!(&record.game, game => game.moves().iter().map(ToString::to_string).collect())
}

fn readings(text: &str) -> Vec<Reading> {
    read(text).map(|reading| reading.expect("a game")).collect()
}

#[test]
fn a_report_says_all_of_the_games() {
    let (_, path) = games("report");
    let report = analysed(&path, &["--multipv", "2"]);
    assert_eq!((report.schema.as_str(), report.limit.as_str(), report.multipv), (SCHEMA, "1000 nodes", 2));
    assert!(report.engine.starts_with("tuzdyq "), "{}", report.engine);
    for (game, reading) in report.games.iter().zip(readings(GAMES)) {
        let played: Vec<&str> = game.plies.iter().map(|ply| ply.pit.as_str()).collect();
        assert_eq!(played, moves(&reading.record));
        assert_eq!(game.plies.last().expect("a ply").fen, reading.record.final_fen());
        assert_eq!((game.number, game.result), (reading.number, reading.record.known_result()));
        assert_eq!(game.reviewed, Span { from: 1, to: game.plies.len() });
        for ply in &game.plies {
            let (before, after) = (ply.before.expect("a value"), ply.after.expect("a value"));
            let for_mover = |chance: f64| if ply.side == Side::South { chance } else { 1.0 - chance };
            let loss = for_mover(before.chance) - for_mover(after.chance);
            assert!(loss >= -1e-9, "{ply:?}");
            assert!((loss - ply.loss.expect("a loss").chance).abs() < 1e-4, "{ply:?}");
            assert_eq!(ply.best.as_deref() == Some(&ply.pit), ply.class == Some(Class::Best), "{ply:?}");
            assert!((1..=2).contains(&ply.lines.len()), "{ply:?}");
            assert_eq!(ply.lines[0].moves[0].pit, ply.best.clone().expect("a move"));
            assert_eq!(ply.lines[0].value.chance, before.chance);
        }
        let counted: usize = [&game.sides.south, &game.sides.north]
            .map(|side| side.classes.values().sum::<usize>())
            .iter()
            .sum();
        assert_eq!(counted, game.plies.len());
    }
    let [one, two, three] = &report.games[..] else { panic!("{} games", report.games.len()) };
    assert_eq!((one.tags["White"].as_str(), one.plies[0].glyph.as_deref()), ("A", Some("!")));
    assert_eq!(one.plies[1].comment.as_deref(), Some("as always"));
    assert_eq!((one.tuzdyqs[0].ply, one.tuzdyqs[0].side, one.tuzdyqs[0].pit), (8, Side::North, 1));
    assert!(two.end.is_some() && two.plies[0].number == 40, "{two:?}");
    assert_eq!(two.plies[0].verdict.and_then(|it| it.after), Some(tuzdyq::review::Verdict::Win));
    assert_eq!(three.variant.name(), "bestemshe");
}

#[test]
fn the_threads_do_not_decide_the_values() {
    let path = folder("threads").join("game.txt");
    let game: Vec<String> = common::real_games()[2].moves.iter().map(ToString::to_string).collect();
    fs::write(&path, game.join(" ")).expect("a file");
    let one = analysed(&path, &["--threads", "1"]);
    let two = analysed(&path, &["--threads", "2"]);
    assert_eq!(one.games, two.games);
    assert_eq!(one.games[0].plies.len(), game.len());
}

#[test]
fn games_and_moves_are_chosen() {
    let (_, path) = games("chosen");
    let report = analysed(&path, &["--game", "3"]);
    assert_eq!(report.games.iter().map(|game| game.number).collect::<Vec<_>>(), [3]);
    let report = analysed(&path, &["--game", "1", "--from", "2", "--to", "3"]);
    assert_eq!(report.games[0].reviewed, Span { from: 3, to: 6 });
    let reviewed = report.games[0].plies.iter().filter(|ply| ply.before.is_some()).map(|ply| ply.ply);
    assert_eq!(reviewed.collect::<Vec<_>>(), [3, 4, 5, 6]);
    // The numbers are those of the record.
    let report = analysed(&path, &["--from", "40"]);
    let spans: Vec<Span> = report.games.iter().map(|game| game.reviewed).collect();
    assert_eq!(spans, [Span::default(), Span { from: 1, to: 1 }, Span::default()]);
}

#[test]
fn several_files_are_written_in_one_run() {
    let (folder, path) = games("files");
    let (json, pgn) = (folder.join("review.json"), folder.join("review.PGN"));
    let args = ["analyse", text(&path), "--nodes", "500", "--out", text(&json), "--out", text(&pgn)];
    assert_eq!(output(&args), "");
    let report = report(&fs::read_to_string(&json).expect("a report"));
    let annotated = fs::read_to_string(&pgn).expect("games");
    let again = readings(&annotated);
    assert_eq!((report.games.len(), again.len()), (3, 3));
    for (reading, before) in again.iter().zip(readings(GAMES)) {
        assert_eq!(reading.contradictions, [], "{annotated}");
        assert_eq!(moves(&reading.record), moves(&before.record));
        assert_eq!(reading.record.notes.len(), moves(&before.record).len(), "{annotated}");
        assert_eq!(reading.record.tags.get("Event"), before.record.tags.get("Event"));
    }
    // What the record says stays.
    let comment = again[0].record.notes[&1].comment.as_deref().expect("a comment");
    assert!(annotated.contains("76(10)! {") && comment.starts_with("as always; "), "{annotated}");
    assert!(annotated.contains("[Annotator \"tuzdyq "), "{annotated}");
    // Nothing else is left in the folder.
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 3);
}

#[test]
fn an_interrupted_review_goes_on_to_the_same_result() {
    let (folder, path) = games("resume");
    let log = folder.join("log");
    let whole = analysed(&path, &["--resume", text(&log)]);
    let logged = fs::read_to_string(&log).expect("a log");
    let lines: Vec<&str> = logged.lines().collect();
    assert_eq!(lines.len(), 4);
    // Killed in the middle of the second game's line.
    fs::write(&log, format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..lines[2].len() / 2]))
        .expect("a log");
    assert_eq!(analysed(&path, &["--resume", text(&log)]), whole);
    assert_eq!(fs::read_to_string(&log).expect("a log"), logged);
    // What is in the log is not searched again: a mark in it comes back.
    fs::write(&log, logged.replace("as always", "marked")).expect("a log");
    let marked = analysed(&path, &["--resume", text(&log), "--game", "1", "--threads", "2"]);
    assert_eq!(marked.games[0].plies[1].comment.as_deref(), Some("marked"));
}

#[test]
fn the_log_of_something_else_is_left_alone() {
    let (folder, path) = games("foreign log");
    let log = folder.join("log");
    let args = ["analyse", text(&path), "--nodes", "100", "--resume", text(&log), "--json"];
    output(&args);
    let good = fs::read_to_string(&log).expect("a log");
    let refuse = |nodes: &str, part: &str| {
        let before = fs::read(&log).expect("a log");
        let (code, out, errors) =
            run(&["analyse", text(&path), "--nodes", nodes, "--resume", text(&log), "--json"]);
        assert_eq!((code, out.as_str(), errors.lines().count()), (2, "", 1), "{errors}");
        assert!(errors.contains(part), "{part}: {errors}");
        assert_eq!(fs::read(&log).expect("a log"), before);
    };
    refuse("200", "the log of another review: limit is \"100 nodes\" there, and \"200 nodes\" here");
    fs::write(&log, good.clone() + good.lines().last().expect("a line") + "\n").expect("a log");
    refuse("100", "line 5: the same game once more");
    fs::write(&log, good.clone() + "{}\n").expect("a log");
    refuse("100", "line 5: not a game");
    fs::write(&log, "{}\n").expect("a log");
    refuse("100", "not the log of a review");
    fs::write(&log, good).expect("a log");
    fs::write(&path, GAMES.replace("as always", "as never")).expect("a file");
    refuse("100", "input is ");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_at_once_and_keeps_what_is_finished() {
    let (folder, path) = games("interrupted");
    let (log, out) = (folder.join("log"), folder.join("out.json"));
    // The first two games take no time; the third would take for ever.
    let start = "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 40";
    let long = GAMES.replace("1. 1 2 2. 3 4 3. 5 1", "40. 1 2 41. 3 4");
    let long = long.replace("[Variant \"bestemshe\"]", &format!("[FEN \"{start}\"]"));
    fs::write(&path, long).expect("a file");
    let files = ["--resume", text(&log), "--out", text(&out)];
    let mut engine = Engine::with_args(
        &[&["analyse", text(&path), "--movetime", "100000", "--from", "40"], &files[..]].concat(),
    );
    engine.close_stdin();
    let started = std::time::Instant::now();
    let games = |path: &Path| fs::read_to_string(path).map_or(0, |text| text.lines().count());
    while games(&log) < 3 && started.elapsed() < LATER {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &engine.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    assert_eq!(engine.exit_code(SOON), 130, "{}", engine.stderr());
    assert_eq!(engine.stderr().lines().count(), 1, "{}", engine.stderr());
    let report = report(&fs::read_to_string(&out).expect("a report"));
    assert_eq!(report.games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn bad_input_is_one_line() {
    let (folder, path) = games("bad");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let unreadable = write("unreadable.txt", "1. 76 76\n2. 55 resigns\n");
    let wrong = write("wrong.txt", "1. 76(10) 76(12)\n");
    let empty = write("empty.txt", "");
    let bytes = folder.join("bytes.txt");
    fs::write(&bytes, [b'7', 0xFF]).expect("a file");
    let missing = folder.join("missing.txt");
    let out = folder.join("no folder").join("review.json");
    let html = folder.join("review.html");
    let twice = folder.join("twice.json");
    for (args, part) in [
        (&[text(&unreadable)][..], "line 2, column 7"),
        (&[text(&wrong), "--strict"], "North's kazan becomes 10, not 12"),
        (&[text(&empty)], "no game"),
        (&[text(&bytes)], "not UTF-8"),
        (&[text(&missing)], "missing.txt"),
        (&[], "FILE"),
        (&[text(&path), "--game", "4"], "no game 4, only 3"),
        (&[text(&path), "--game", "0"], "--game"),
        (&[text(&path), "--from", "3", "--to", "2"], "--from 3"),
        (&[text(&path), "--from", "50"], "no move from number 50 on"),
        (&[text(&path), "--game", "2", "--to", "39"], "no move with a number from 1 to 39"),
        (&[text(&path), "--nodes", "10", "--depth", "3"], "--depth"),
        (&[text(&path), "--nodes", "0"], "--nodes"),
        (&[text(&path), "--multipv", "10"], "--multipv"),
        (&[text(&path), "--out", "review.txt"], ".html, .json or .pgn"),
        (&[text(&path), "--out", text(&html), "--lang", "de"], "'de' is not a language"),
        (&[text(&path), "--out", text(&out)], "review.json"),
        (&[text(&path), "--out", text(&path)], "over the records"),
        (&[text(&path), "--out", text(&twice), "--out", text(&twice)], "given twice"),
        (&[text(&path), "--out", text(&twice), "--resume", text(&twice)], "over the log"),
        (&[text(&path), "--resume", text(&folder)], "analyse"),
    ] {
        let (code, out, errors) = run(&[&["analyse"], args].concat());
        assert_eq!((code, errors.lines().count()), (2, 1), "{args:?}: {errors}");
        assert!(errors.contains(part), "{args:?}: {errors}");
        assert_eq!(out, "", "{args:?}");
    }
    assert_eq!(fs::read_to_string(&path).expect("the games"), GAMES);
}

#[test]
fn contradictions_are_told_and_the_legal_moves_reviewed() {
    let path = folder("contradictions").join("game.txt");
    fs::write(&path, "1. 76(10) 76(12) 2. 55 62 3. 12\n").expect("a file");
    let (code, out, errors) = run(&["analyse", text(&path), "--nodes", "200", "--json"]);
    assert_eq!((code, errors.lines().count()), (0, 2), "{errors}");
    assert!(errors.contains("game 1, line 1, column 11: move 1 of North, '76(12)'"), "{errors}");
    assert_eq!(report(&out).games[0].plies.len(), 3);
}

#[test]
fn the_table_is_for_people() {
    let (_, path) = games("table");
    let table = output(&["analyse", text(&path), "--nodes", "1000"]);
    for part in [
        "Game 1: A (South) - B (North), 1-0\n",
        "   1.   76(10) ",
        "   4... 91X ",
        "  North has South's pit 1, made by 4... 91X; it brought 3 stones\n",
        "Game 2, 1-0 (82-80",
        "  40.   91(82) ",
        "Game 3, bestemshe, 0-1",
        "accuracy ",
    ] {
        assert!(table.contains(part), "{part:?} in\n{table}");
    }
    assert!(table.lines().all(|line| line.trim_end() == line && line.len() < 100), "{table}");
    let input = GAMES.split("\n\n[Event \"Two\"]").next().expect("a game");
    let mut engine = Engine::with_args(&["analyse", "-", "--nodes", "1000"]);
    engine.send_bytes(input.as_bytes());
    engine.close_stdin();
    assert_eq!(engine.exit_code(LATER), 0, "{}", engine.stderr());
    let lines: Vec<String> = engine.lines().into_iter().map(|line| line.text).collect();
    assert!(table.starts_with(&lines.join("\n")), "{table}");
}

/// The blocks of the documentation with this mark.
fn documented(mark: &str) -> Vec<String> {
    let doc = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/review.md");
    let doc = fs::read_to_string(doc).expect("the documentation");
    let blocks = doc.split("\n```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix(mark)).map(|block| block.trim_start().to_owned()).collect()
}

#[cfg(unix)]
fn shell(command: &str) -> String {
    let mut shell = Engine::shell(&command.replace("tuzdyq", "\"$E\""));
    shell.close_stdin();
    shell.assert_exit(0, LATER);
    shell.lines().into_iter().map(|line| line.text + "\n").collect()
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_documentation_are_what_is_written() {
    let consoles = documented("console");
    let [session] = &consoles[..] else { panic!("{consoles:?}") };
    let (command, expected) = session.split_once('\n').expect("a command");
    assert_eq!(shell(command.strip_prefix("$ ").expect("a prompt")).trim_end(), expected);
    // The report, but for the version of the engine.
    let command = command.strip_prefix("$ ").expect("a prompt").replace(" 12 41. 91", "");
    let example = report(&documented("json").concat());
    let mut made = report(&shell(&format!("{command} --json")));
    made.engine.clone_from(&example.engine);
    assert_eq!(made, example);
    // Every field is there.
    let documented: serde_json::Value = serde_json::from_str(&documented("json").concat()).expect("JSON");
    assert_eq!(documented, serde_json::to_value(&made).expect("JSON"));
}
