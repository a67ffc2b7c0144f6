//! `tuzdyq endgame` and the options of the endgames.

mod common;

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use common::files::{folder, text};
use common::pipe::{Engine, LATER, output, refusal, run};
use tuzdyq::endgame::format::{Packed, Unpacker, write};
use tuzdyq::engine::endgames::built_in;
use tuzdyq::game::{Kozdatu, Variant};
use tuzdyq::tools::endgame::{BuildError, Plan};

fn build(folder: &Path, stones: &str, more: &[&str]) -> String {
    output(&[&["endgame", "build", "--stones", stones, "--out", text(folder)], more].concat())
}

/// The line in which a check names the only wrong file.
#[track_caller]
fn wrong(verify: &[&str]) -> String {
    let (code, _, errors) = run(verify);
    let lines: Vec<&str> = errors.lines().collect();
    assert!(code == 1 && lines.len() == 2 && lines[1].ends_with(": 1 file is wrong"), "{errors}");
    lines[0].to_owned()
}

/// The names and the bytes of all files of a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.expect("a file");
        (entry.file_name().into_string().expect("UTF-8"), fs::read(entry.path()).expect("a file"))
    };
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").map(file).collect();
    files.sort();
    files
}

#[test]
fn a_build_is_the_same_at_once_later_and_in_shares() {
    let (once, later, shares) = (folder("eg-once"), folder("eg-later"), folder("eg-shares"));
    let report = build(&once, "5", &["--threads", "2"]);
    assert_eq!(report.lines().count(), 6, "{report}");
    assert!(report.contains("togyzqumalaq, 5 stones: 1220142 positions, 0 unresolved"), "{report}");
    build(&later, "3", &[]);
    let report = build(&later, "5", &[]);
    assert_eq!(report.lines().filter(|line| line.ends_with("there already")).count(), 4, "{report}");

    let error = refusal(&["endgame", "build", "--stones", "5", "--out", text(&shares), "--share", "1/2"], 1);
    assert!(
        error.contains("togyzqumalaq-00.tqe is missing; build the layers below a share first"),
        "{error}"
    );
    build(&shares, "4", &[]);
    for share in ["1/3", "2/3", "3/3"] {
        build(&shares, "5", &["--share", share]);
    }
    assert_eq!(files(&shares).len(), 5 + 37);
    build(&shares, "5", &[]);

    assert_eq!(files(&once).len(), 6);
    assert!(files(&once) == files(&later) && files(&once) == files(&shares));

    let verified = output(&["endgame", "verify", text(&once), "--sample", "200"]);
    assert!(
        verified.contains("6 layers, 1594537 positions: all checksums right; 1200 positions follow"),
        "{verified}"
    );
    let info = output(&["endgame", "info", text(&once)]);
    assert!(
        info.lines().last().is_some_and(|line| line.starts_with("6 layers, 1594537 positions, ")),
        "{info}"
    );
}

#[test]
fn layers_of_the_small_games_are_built_too() {
    let there = folder("eg-small");
    assert!(build(&there, "6", &["--variant", "kozdatu"]).contains("kozdatu, 6 stones: "));
    assert!(
        build(&there, "12", &["--variant", "bestemshe"])
            .contains("bestemshe, 12 stones: 293930 positions, 0 ")
    );
    for variant in ["kozdatu", "bestemshe"] {
        output(&["endgame", "verify", text(&there), "--variant", variant, "--sample", "100"]);
    }
    let error = refusal(&["endgame", "verify", text(&there)], 1);
    assert!(error.contains("no file of togyzqumalaq"), "{error}");
}

/// From 15 stones on both sides of Bestemshe can go round for ever: there the bounds are all that can be said.
#[test]
fn positions_that_go_round_for_ever_have_bounds() {
    let there = folder("eg-open");
    let report = build(&there, "16", &["--variant", "bestemshe", "--threads", "2"]);
    let last = report.lines().last().expect("16 stones");
    assert!(!last.contains(", 0 unresolved"), "{report}");
    assert!(report.lines().take(15).all(|line| line.contains(", 0 unresolved")), "{report}");
    output(&["endgame", "verify", text(&there), "--variant", "bestemshe", "--sample", "3000"]);
}

#[test]
fn too_little_memory_is_told_with_what_is_needed() {
    let plan = Plan { stones: 6, folder: folder("eg-memory"), threads: 2, memory: 1 << 20, share: None };
    let error =
        tuzdyq::tools::endgame::build::<Kozdatu>(&plan, &AtomicBool::new(false), &|_| {}).unwrap_err();
    let expected = BuildError::Memory { stones: 6, needed: 2, allowed: 1 };
    assert_eq!(error.to_string(), expected.to_string());
}

#[test]
fn a_folder_that_cannot_be_written_and_impossible_numbers_are_named() {
    let error = refusal(&["endgame", "build", "--stones", "2", "--out", "/proc/none"], 1);
    assert!(error.contains("/proc/none"), "{error}");
    refusal(&["endgame", "build", "--stones", "32", "--out", "x"], 2);
    refusal(&["endgame", "build", "--stones", "2", "--out", "x", "--share", "3/2"], 2);
}

#[test]
fn probe_tells_the_value_the_moves_and_the_verdict() {
    let text = output(&["endgame", "probe", "8,1S/1S,8 80 80 S 60"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("value ") && lines[0].ends_with(" of 2"), "{text}");
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].starts_with("move 1 value "), "{text}");
    assert_eq!(
        output(&["endgame", "probe", "9/1S,8 80 81 S 60"]),
        "value 1 of 1\nmove 1 value 1\ndraw 81-81"
    );
    assert_eq!(output(&["endgame", "probe", "8,1S/9 80 81 S 60"]), "value 0 of 1\nloss 80-82");
    let error =
        refusal(&["endgame", "probe", "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1"], 1);
    assert!(
        error.contains(
            "no endgame table for 162 stones in the pits; endgames of togyzqumalaq: up to 8 stones"
        ),
        "{error}"
    );
    refusal(&["endgame", "probe", "nonsense"], 2);
}

/// Every way in which a file can be wrong is told in one line, and the rest still works.
#[test]
fn wrong_files_are_named_and_not_used() {
    let there = folder("eg-wrong");
    build(&there, "4", &[]);
    let layer = |stones: u32| there.join(format!("togyzqumalaq-{stones:02}.tqe"));
    let whole = fs::read(layer(4)).unwrap();
    fs::write(layer(0), b"not an endgame file").unwrap();
    fs::write(layer(1), []).unwrap();
    fs::write(layer(2), &fs::read(layer(2)).unwrap()[..1000]).unwrap();
    fs::write(layer(3), &whole).unwrap();
    let mut damaged = whole.clone();
    damaged[60] ^= 1;
    fs::write(layer(4), &damaged).unwrap();

    let mut engine = Engine::start();
    let lines = engine.say(&format!("setoption name EndgamePath value {}", text(&there)));
    let errors: Vec<&String> = lines.iter().filter(|line| line.starts_with("info string error: ")).collect();
    assert_eq!(errors.len(), 5, "{lines:#?}");
    for (stones, reason) in [
        (0, "not an endgame file"),
        (1, "not an endgame file"),
        (2, "1000 bytes, expected "),
        (3, "holds togyzqumalaq with 4 stones, expected togyzqumalaq with 3 stones"),
        (4, "the header's checksum is wrong"),
    ] {
        let name = format!("togyzqumalaq-{stones:02}.tqe: ");
        let named = |line: &&&String| line.contains(&name) && line.contains(reason);
        assert_eq!(errors.iter().filter(named).count(), 1, "{name}{reason}: {errors:#?}");
    }
    // Those built in take their places.
    assert_eq!(
        lines.last().map(String::as_str),
        Some("info string endgames of togyzqumalaq: up to 8 stones")
    );
    let lines = engine.say("setoption name EndgamePath value /nowhere/at/all");
    assert!(lines[0].starts_with("info string error: /nowhere/at/all: "), "{lines:#?}");
    assert_eq!(
        engine.say("setoption name EndgameStones value 5"),
        [lines[0].as_str(), "info string endgames of togyzqumalaq: up to 5 stones"]
    );
    let lines = engine.say("setoption name EndgamePath value <empty>");
    assert_eq!(lines, ["info string endgames of togyzqumalaq: up to 5 stones"]);
    let lines = engine.say("setoption name Endgame value false");
    assert_eq!(lines, ["info string endgames of togyzqumalaq: none"]);
    engine.finish();
    let (code, listed, errors) = run(&["endgame", "info", text(&there)]);
    assert_eq!(code, 1, "{errors}");
    assert_eq!(listed.lines().filter(|line| line.starts_with("not used: ")).count(), 5, "{listed}");
    assert!(errors.trim_end().ends_with(": 5 files are not used"), "{errors}");
}

/// Every wrong file is named, whatever is wrong with it, and all others are checked.
#[test]
fn verify_names_every_wrong_file() {
    let there = folder("eg-all");
    build(&there, "12", &["--variant", "bestemshe"]);
    let layer = |stones: u32| there.join(format!("bestemshe-{stones:02}.tqe"));
    fs::write(layer(1), b"anything").unwrap();
    fs::copy(layer(4), layer(3)).unwrap();
    write_wrong(&there, 5, |value| (value + 1) % 6);
    let mut bytes = fs::read(layer(9)).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(layer(9), bytes).unwrap();
    let verify = ["endgame", "verify", text(&there), "--variant", "bestemshe"];
    let (code, told, errors) = run(&verify);
    assert_eq!(code, 1, "{errors}");
    let lines: Vec<&str> = errors.lines().collect();
    let reasons =
        [(1, "not an endgame file"), (3, "holds bestemshe with 4 stones"), (5, "in the file"), (9, "block ")];
    for ((stones, reason), line) in reasons.into_iter().zip(&lines) {
        let path = layer(stones);
        assert!(line.contains(&format!("{}: ", text(&path))) && line.contains(reason), "{errors}");
    }
    assert_eq!(lines.len(), 5, "{errors}");
    assert!(lines[4].ends_with(": 4 files are wrong"), "{errors}");
    assert_eq!(told.lines().filter(|line| line.ends_with(" positions read")).count(), 9, "{told}");
    assert!(told.lines().last().is_some_and(|line| line.starts_with("9 layers, ")), "{told}");
}

/// A block is looked at only when it is needed: then the layer is given up, in one line, and the search goes on.
#[test]
fn a_damaged_block_costs_the_layer_and_nothing_else() {
    let there = folder("eg-block");
    build(&there, "12", &["--variant", "bestemshe"]);
    let path = there.join("bestemshe-12.tqe");
    let mut bytes = fs::read(&path).unwrap();
    let blocks = usize::from(bytes[32]);
    for byte in &mut bytes[52 + 1 + 8 * blocks..] {
        *byte ^= 1;
    }
    fs::write(&path, &bytes).unwrap();
    let error = wrong(&["endgame", "verify", text(&there), "--variant", "bestemshe"]);
    assert!(error.ends_with("bestemshe-12.tqe: block 0 is damaged"), "{error}");
    let fen = "2S,1S,1S,1S,1S/1S,1S,1S,1S,2S 19 19 S 30";
    let error = refusal(&["endgame", "probe", fen, "--variant", "bestemshe", "--path", text(&there)], 1);
    assert!(error.contains("endgames of bestemshe with 12 stones are not used any more: block "), "{error}");

    let mut engine = Engine::start();
    engine.say("setoption name UCI_Variant value bestemshe");
    let lines = engine.say(&format!("setoption name EndgamePath value {}", text(&there)));
    assert_eq!(lines, ["info string endgames of bestemshe: up to 12 stones"]);
    engine.send("setoption name Threads value 4");
    for told in [1, 0] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 12");
        let lines = engine.read_until("bestmove", LATER);
        let damage = lines.iter().filter(|line| line.text.contains("with 12 stones are not used any more"));
        assert_eq!(damage.count(), told, "{}", engine.transcript());
        let tbhits =
            |line: &str| line.split("tbhits ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
        let hits: Option<u64> = lines.iter().filter_map(|line| tbhits(&line.text)).next_back();
        assert!(hits.is_some_and(|hits| hits > 0), "the other layers work: {}", engine.transcript());
    }
    engine.finish();
}

/// Writes a layer of Bestemshe with values that are not those of the game.
fn write_wrong(folder: &Path, stones: u32, change: impl Fn(u8) -> u8) {
    let built_in = built_in(Variant::Bestemshe);
    let mut values = built_in[stones as usize].values(0, &mut Unpacker::new().unwrap()).unwrap();
    values.lower.iter_mut().for_each(|value| *value = change(*value));
    let packed = Packed::new(&values, 16, || true).unwrap();
    let name = format!("bestemshe-{stones:02}.tqe");
    fs::write(folder.join(name), write(Variant::Bestemshe, stones, 16, &[packed])).unwrap();
}

#[test]
fn verify_finds_wrong_values_under_right_checksums() {
    let there = folder("eg-values");
    build(&there, "6", &["--variant", "bestemshe"]);
    let verify = ["endgame", "verify", text(&there), "--variant", "bestemshe"];
    output(&verify);
    write_wrong(&there, 5, |value| (value + 1) % 6);
    let error = wrong(&verify);
    assert!(error.contains("in the file") && error.contains("by the positions after its moves"), "{error}");
    write_wrong(&there, 5, |value| value + 3);
    let error = wrong(&verify);
    assert!(
        error.contains("bestemshe-05.tqe: configuration 0, position ") && error.contains("of 5 stones"),
        "{error}"
    );
}

#[test]
fn parts_that_cannot_be_used_are_named() {
    let there = folder("eg-parts");
    build(&there, "3", &["--variant", "bestemshe"]);
    let part = there.join("bestemshe-04.unit-00");
    let build_more = ["endgame", "build", "--stones", "4", "--out", text(&there), "--variant", "bestemshe"];
    fs::write(&part, b"anything").unwrap();
    let error = refusal(&build_more, 1);
    assert!(error.contains("bestemshe-04.unit-00: not an endgame file; remove the file"), "{error}");
    fs::copy(there.join("bestemshe-03.tqe"), &part).unwrap();
    let error = refusal(&build_more, 1);
    assert!(error.contains("holds bestemshe with 3 stones, expected bestemshe with 4 stones"), "{error}");
    assert_eq!(fs::read(&part).unwrap(), fs::read(there.join("bestemshe-03.tqe")).unwrap());
    fs::remove_file(&part).unwrap();
    output(&build_more);
    // What is somebody else's stays.
    fs::write(&part, b"anything").unwrap();
    output(&build_more);
    assert!(part.exists());
}

/// A file of the build's own that is damaged is made anew, and is as it was; others are left alone.
#[test]
fn damaged_files_are_built_again() {
    let (whole, there) = (folder("eg-whole"), folder("eg-again"));
    build(&whole, "4", &[]);
    let name = |stones: u32| format!("togyzqumalaq-{stones:02}.tqe");
    let copy = |stones: u32, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(whole.join(name(stones))).unwrap();
        change(&mut bytes);
        fs::write(there.join(name(stones)), bytes).unwrap();
    };
    copy(0, &|_| ());
    copy(1, &|bytes| bytes[20] ^= 1);
    copy(2, &|bytes| bytes.truncate(1000));
    // Told by its block alone.
    copy(3, &|bytes| *bytes.last_mut().unwrap() ^= 1);
    fs::write(there.join("notes.txt"), b"mine").unwrap();
    fs::write(there.join("togyzqumalaq-4.tqe"), b"mine").unwrap();
    let part = there.join("togyzqumalaq-04.unit-03");
    let share = ["--share", "4/37"];

    let arguments = ["endgame", "build", "--stones", "4", "--out", text(&there)];
    let error = refusal(&[&arguments[..], &share].concat(), 1);
    assert!(
        error.contains("togyzqumalaq-01.tqe: ") && error.trim_end().ends_with("to have it built again"),
        "{error}"
    );

    let (code, told, errors) = run(&arguments);
    assert_eq!(code, 0, "{errors}");
    assert_eq!(told.lines().filter(|line| line.ends_with("there already")).count(), 1, "{told}");
    for stones in 1..=3 {
        let line = errors.lines().find(|line| line.contains(&name(stones)));
        assert!(line.is_some_and(|line| line.ends_with("; it is built again")), "{errors}");
    }
    for stones in 0..=4 {
        assert!(fs::read(there.join(name(stones))).unwrap() == fs::read(whole.join(name(stones))).unwrap());
    }
    assert_eq!(fs::read(there.join("notes.txt")).unwrap(), b"mine");
    assert_eq!(fs::read(there.join("togyzqumalaq-4.tqe")).unwrap(), b"mine");

    // A damaged part is solved again; one that has been joined goes, damaged or not.
    fs::remove_file(there.join(name(4))).unwrap();
    build(&there, "4", &share);
    let solved = fs::read(&part).unwrap();
    fs::write(&part, &solved[..solved.len() - 1]).unwrap();
    let (code, _, errors) = run(&[&arguments[..], &share].concat());
    assert!(code == 0 && errors.trim_end().ends_with("; it is built again"), "{errors}");
    assert!(fs::read(&part).unwrap() == solved);
    fs::write(&part, &solved[1..]).unwrap();
    let error = refusal(&arguments, 1);
    assert!(error.contains("unit-03: not an endgame file; remove the file"), "{error}");
    fs::write(&part, &solved[..solved.len() - 1]).unwrap();
    let (code, _, errors) = run(&arguments);
    assert!(code == 0 && errors.contains("unit-03"), "{errors}");
    assert!(!part.exists());
}

#[test]
fn an_interrupted_build_goes_on_where_it_was() {
    let there = folder("eg-interrupted");
    let mut engine = Engine::with_args(&["endgame", "build", "--stones", "7", "--out", text(&there)]);
    engine.wait_for("togyzqumalaq, 5 stones", LATER);
    let killed = std::process::Command::new("kill").args(["-INT", &engine.id().to_string()]).status();
    assert!(killed.expect("kill").success());
    engine.assert_exit(130, LATER);
    let kept = files(&there);
    assert!(kept.len() >= 6 && kept.iter().all(|(name, _)| name.ends_with(".tqe")), "{:?}", kept.len());
    let report = build(&there, "6", &[]);
    assert!(report.lines().take(6).all(|line| line.ends_with("there already")), "{report}");
}
