//! Game records: the real games in every format, and `tuzdyq convert`.

mod common;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use common::files::{self, text};
use common::pipe::{Engine, LATER, SOON, output, run};
use common::real_games;
use tuzdyq::game::{Game, Pit, Togyzqumalaq};
use tuzdyq::records::{Format, GameResult, Reading, Record, Writer, read};

const SAMPLE: &str = "79:610 79:610, 510-511 910:912, 111:212 810:814, 213:512 92:13X, 92:114.";

/// The real games as records, with the results as recorded.
fn records() -> Vec<Record> {
    let record = |game: common::Record| {
        let mut played = Game::<Togyzqumalaq>::default();
        for number in game.moves {
            played.play(Pit::from_index(number - 1));
        }
        let mut record = Record::new(played);
        record.result = GameResult::read(&game.result).expect("a result");
        record.tags.set("Event", game.id);
        record
    };
    real_games().into_iter().map(record).collect()
}

fn written(records: &[Record], format: Format) -> String {
    let mut writer = Writer::new(format);
    for record in records {
        writer.add(record);
    }
    writer.finish()
}

fn moves(record: &Record) -> &[Pit] {
    record.game.of_rules::<Togyzqumalaq>().expect("the main game").moves()
}

#[test]
fn the_real_games_come_back_from_every_format() {
    let records = records();
    assert_eq!(records.len(), 975);
    for format in Format::ALL {
        let text = written(&records, format);
        assert_eq!(Format::guess(&text), format);
        let mut readings = read(&text);
        for record in &records {
            let Reading { record: again, contradictions, .. } =
                readings.next().expect("as many games").unwrap_or_else(|error| panic!("{format:?}: {error}"));
            assert!(contradictions.is_empty(), "{format:?}: {contradictions:?}");
            assert_eq!(again.final_fen(), record.final_fen(), "{format:?}");
            if format == Format::Fen {
                continue;
            }
            assert_eq!(moves(&again), moves(record), "{format:?}");
            if ![Format::Squares, Format::Pits].contains(&format) {
                assert_eq!((again.result, &again.tags), (record.result, &record.tags), "{format:?}");
            }
        }
        assert!(readings.next().is_none(), "{format:?}");
    }
}

#[test]
fn each_real_game_comes_back_alone() {
    for record in records() {
        for format in Format::ALL.into_iter().filter(|&format| format != Format::Fen) {
            let text = written(std::slice::from_ref(&record), format);
            let readings: Vec<Reading> = read(&text).map(|reading| reading.expect("a game")).collect();
            assert_eq!(readings.len(), 1, "{text}");
            assert_eq!(readings[0].contradictions, [], "{text}");
            assert_eq!(moves(&readings[0].record), moves(&record), "{text}");
        }
    }
}

#[test]
fn the_file_of_real_games_can_be_read_as_it_is() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.jsonl");
    let text = fs::read_to_string(path).expect("the games");
    let mut count = 0;
    for (reading, record) in read(&text).zip(records()) {
        let reading = reading.expect("a game");
        // Its kazans and results are those of the rules.
        assert_eq!(reading.contradictions, []);
        assert_eq!((moves(&reading.record), reading.record.result), (moves(&record), record.result));
        count += 1;
    }
    assert_eq!(count, 975);
}

/// How many games a second one core reads and checks:
/// `cargo test --test records -- --ignored --nocapture speed`.
#[test]
#[ignore = "measures the time"]
fn speed() {
    let records = records();
    for format in Format::ALL {
        let text = written(&records, format);
        let started = Instant::now();
        let mut games = 0;
        while started.elapsed().as_secs_f64() < 1.0 {
            games += read(&text)
                .filter(|reading| reading.as_ref().is_ok_and(|one| one.contradictions.is_empty()))
                .count();
        }
        let per_second = games as f64 / started.elapsed().as_secs_f64();
        println!("{:8} {per_second:9.0} games a second", format.name());
        assert!(per_second > 1_000.0);
    }
}

fn folder(name: &str) -> PathBuf {
    files::folder(&format!("records/{name}"))
}

/// What `convert` makes of a text that comes on stdin: exit code, output, errors.
fn convert(input: &str, args: &[&str]) -> (i32, String, String) {
    let mut engine = Engine::with_args(&[&["convert", "-"], args].concat());
    for line in input.lines() {
        engine.send(line);
    }
    engine.close_stdin();
    let code = engine.exit_code(LATER);
    let lines: Vec<String> = engine.lines().into_iter().map(|line| line.text).collect();
    (code, lines.join("\n"), engine.stderr())
}

#[test]
fn convert_writes_every_format() {
    for (to, expected) in [
        (
            "pgn",
            "[Result \"*\"]\n\n1. 76(10) 76(10) 2. 55 99(22) 3. 12(22) 88(36) 4. 25(34) 91X 5. 91(48) *\n",
        ),
        ("TGK", "[Result \"*\"]\n\n1. 76 76\n2. 55 99\n3. 12 88\n4. 25 91x\n5. 91\n"),
        ("squares", "g1d2 c2f1 e1e2 a2i1 a1h2 b2h1 b1e2 a2a1 i1i2"),
        ("pits", "7 7 5 9 1 8 2 9 9"),
    ] {
        let (code, output, errors) = convert(SAMPLE, &["--to", to]);
        assert_eq!((code, output.as_str(), errors.as_str()), (0, expected, ""), "{to}");
    }
    let (_, json, _) = convert(SAMPLE, &["--to", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json[0]["kazans"], serde_json::json!([48, 39]));
    let (_, fen, _) = convert(SAMPLE, &["--to", "fen"]);
    assert!(fen.ends_with(" 48 39 N 5"), "{fen}");
}

#[test]
fn convert_tells_contradictions_and_refuses_them_if_it_is_strict() {
    let folder = folder("strict");
    let (file, out) = (folder.join("in.pgn"), folder.join("out.pgn"));
    fs::write(&file, "1. 76(10) 98\n2. 66(11) 1-0\n\n1. 76 75\n").expect("a file");
    fs::write(&out, "old").expect("a file");
    let args = ["convert", text(&file), "--out", text(&out)];
    let (code, shown, errors) = run(&args);
    assert_eq!((code, shown.as_str()), (0, ""));
    let told: Vec<&str> = errors.lines().collect();
    assert_eq!(told.len(), 3, "{errors}");
    let begin = format!("tuzdyq: {}: game ", text(&file));
    assert!(told.iter().all(|line| line.starts_with(&begin)), "{errors}");
    assert!(
        told[0].ends_with("1, line 2, column 4: move 2 of South, '66(11)': the move takes nothing"),
        "{errors}"
    );
    assert!(
        told[2].contains("game 2, line 4, column 7: move 1 of North, '75': the last stone falls in pit 6"),
        "{errors}"
    );
    assert_eq!(fs::read_to_string(&out).expect("a file").matches("[Result").count(), 2);

    fs::write(&out, "old").expect("a file");
    let (code, _, errors) = run(&[&args[..], &["--strict"]].concat());
    assert_eq!((code, errors.lines().count()), (1, 1), "{errors}");
    assert!(errors.contains(&format!("{}: game 1, line 2, column 4: ", text(&file))), "{errors}");
    assert_eq!(fs::read_to_string(&out).expect("a file"), "old");
    // Games that are not asked for are not judged.
    let (code, shown, errors) = run(&["convert", text(&file), "--game", "2", "--to", "pits"]);
    assert_eq!((code, shown.as_str(), errors.lines().count()), (0, "7 7", 1), "{errors}");
}

#[test]
fn convert_names_what_is_wrong_in_one_line() {
    let folder = folder("faults");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    };
    let good = file("good.txt", b"7 2 3");
    for (args, code, part) in [
        (vec!["convert"], 2, "FILE"),
        (vec!["convert", "no such file"], 2, "no such file: "),
        (vec!["convert", text(&good), "--to", "chess"], 2, "pgn, tgk"),
        (vec!["convert", text(&good), "--game", "0"], 2, "--game"),
        (vec!["convert", text(&good), "--game", "2"], 2, "good.txt: no game 2, only 1"),
        (vec!["convert", text(&good), "--out", "/no/such/folder/x"], 2, "/no/such/folder/x"),
        (vec!["convert", text(&file("empty.txt", b""))], 1, "empty.txt: no game in it"),
        (
            vec!["convert", text(&file("bytes.txt", b"7 2\n\xD5"))],
            1,
            "bytes.txt: line 2, column 1: not UTF-8 text",
        ),
        (
            vec!["convert", text(&file("word.txt", b"7 2\n 3 resigns"))],
            1,
            "word.txt: line 2, column 4: 'resigns'",
        ),
        (
            vec!["convert", text(&file("open.txt", b"1. 76 {open"))],
            1,
            "open.txt: line 1, column 7: a comment",
        ),
        (vec!["convert", text(&file("bad.json", b"[{\"moves\": [7}]"))], 1, "bad.json: line 1, column "),
    ] {
        let mut engine = Engine::with_args(&args);
        let (found, errors) = (engine.exit_code(SOON), engine.stderr());
        assert_eq!((found, errors.lines().count()), (code, 1), "{args:?}: {errors}");
        assert!(errors.contains(part), "{args:?}: {errors}");
    }
}

#[test]
fn a_match_writes_games_that_nothing_contradicts() {
    let folder = folder("match");
    let pgn = folder.join("games.pgn");
    for variant in ["togyzqumalaq", "bestemshe", "kozdatu"] {
        let limits = ["--nodes", "200", "--games", "4", "--variant", variant, "--pgn", text(&pgn)];
        output(&[&["match", "--engine", "self", "--engine", "self"], &limits[..]].concat());
        let games = fs::read_to_string(&pgn).expect("games");
        let readings: Vec<Reading> = read(&games).map(|reading| reading.expect("a game")).collect();
        assert_eq!(readings.len(), 4);
        for reading in readings {
            assert_eq!(reading.contradictions, []);
            assert_eq!(reading.record.game.variant().name(), variant);
            assert_eq!(reading.record.tags.get("White"), Some("self"));
            assert!(reading.record.result.is_some());
        }
        assert_eq!(output(&["convert", text(&pgn), "--strict"]).trim_end(), games.trim_end());
    }
}

/// The blocks of a text in Markdown: the mark of each, and its lines.
fn blocks(text: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(mark) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((mark, block.join("\n")));
        }
    }
    blocks
}

#[test]
fn the_examples_of_the_documentation_are_what_is_read_and_written() {
    let doc = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/records.md");
    let doc = fs::read_to_string(doc).expect("the documentation");
    let sample = read(SAMPLE).next().expect("a game").expect("the sample").record;
    let mut tagged = sample.clone();
    for (name, value) in [("Event", "Sample"), ("Date", "2001.05.20"), ("White", "A"), ("Black", "B")] {
        tagged.tags.set(name, value);
    }
    for format in Format::ALL {
        let block = blocks(&doc).into_iter().find(|(mark, _)| *mark == format.name());
        let (_, block) = block.unwrap_or_else(|| panic!("no example of {format:?}"));
        assert_eq!(block, written(&[tagged.clone()], format).trim_end(), "{format:?}");
        let again =
            read(&block).next().expect("a game").unwrap_or_else(|error| panic!("{format:?}: {error}"));
        assert_eq!(again.contradictions, []);
        assert_eq!(again.record.final_fen(), sample.final_fen());
    }
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_documentation_say_what_it_says() {
    let doc = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/records.md");
    let doc = fs::read_to_string(doc).expect("the documentation");
    let sessions: Vec<String> =
        blocks(&doc).into_iter().filter(|(mark, _)| *mark == "console").map(|(_, block)| block).collect();
    assert_eq!(sessions.len(), 3);
    for session in sessions {
        let (command, expected) = session.split_once('\n').expect("a command");
        let command = command.strip_prefix("$ ").expect("a prompt").replace("tuzdyq", "\"$E\"");
        let mut shell = Engine::shell(&format!("{{ {command}; }} 2>&1"));
        shell.close_stdin();
        shell.exit_code(SOON);
        let lines: Vec<String> = shell.lines().into_iter().map(|line| line.text).collect();
        assert_eq!(lines.join("\n").trim_end(), expected);
    }
}
