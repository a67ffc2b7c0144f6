//! The trainer from outside: the same network whatever the threads and the interruptions, and one line for each fault.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tuzdyq::engine::endgames;
use tuzdyq::eval::{Classic, Network};
use tuzdyq::game::{Kozdatu, Rules, Togyzqumalaq, Variant};
use tuzdyq::options::Options;
use tuzdyq::search::Control;
use tuzdyq::tools::Share;
use tuzdyq::tools::datagen::{Plan, Player, Split, play, shuffle};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Games of quick searches.
fn games<R: Rules>(name: &str, games: u64) -> PathBuf {
    let file = path(name);
    // There may be none.
    let _ = fs::remove_file(&file);
    let plan = Plan {
        games,
        share: Share::WHOLE,
        nodes: 100,
        random_plies: 4..=8,
        openings: None,
        noise: 0,
        seed: 1,
        threads: 1,
    };
    let options = Options { variant: R::VARIANT, ..Options::default() };
    let (endgames, _) = endgames::of_options(&options);
    let control = Control::default();
    let player =
        Player { evaluation: &Classic, name: "classic".to_owned(), endgames: &endgames, control: &control };
    play::<R, _>(&plan, &player, &file, &mut |_| {}).expect("games");
    file
}

/// A set for training and one for validation.
fn sets(name: &str) -> (PathBuf, PathBuf) {
    let all = games::<Togyzqumalaq>(&format!("{name}-games"), 40);
    let sets = (path(&format!("{name}-training")), path(&format!("{name}-validation")));
    for file in [&sets.0, &sets.1] {
        let _ = fs::remove_file(file);
    }
    let split = Split { validation: 200, seed: 1 };
    shuffle(&[all], &split, &sets.0, &sets.1, &Control::default(), &mut |_| {}).expect("sets");
    sets
}

fn start(training: &Path, validation: &Path, out: &Path, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tuzdyq-training"))
        .arg(training)
        .args(["--validation".as_ref(), validation.as_os_str(), "--out".as_ref(), out.as_os_str()])
        .args(["--batch", "256"])
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the trainer")
}

/// What a run says, on stdout if it is one that works.
#[track_caller]
fn finish(child: Child, works: bool) -> String {
    let output = child.wait_with_output().expect("its output");
    let [out, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert_eq!(output.status.success(), works, "{out}{errors}");
    if works {
        out
    } else {
        assert_eq!(errors.lines().count(), 1, "{errors}");
        errors
    }
}

/// The losses that the epochs end with.
fn validation_losses(text: &str) -> Vec<f64> {
    let after_epoch = |line: &str| line.split("validation ").nth(1)?.split(',').next()?.parse().ok();
    text.lines().filter_map(after_epoch).collect()
}

#[test]
fn a_training_goes_on_from_a_network_of_its_shape() {
    let (training, validation) = sets("start");
    let train = |name: &str, works: bool, more: &[&str]| {
        finish(start(&training, &validation, &path(name), more), works)
    };
    let learnt = validation_losses(&train("start-1.tqn", true, &["--epochs", "6"]));
    let first = path("start-1.tqn").display().to_string();
    let barely = ["--epochs", "1", "--rate", "1e-6", "--last-rate", "1e-6", "--start"];
    let again = validation_losses(&train("start-2.tqn", true, &[&barely[..], &[&first]].concat()));
    assert!((again[0] - learnt[5]).abs() < 0.1 * (learnt[0] - learnt[5]), "{again:?} after {learnt:?}");
    let network = Network::parse(&fs::read(path("start-2.tqn")).expect("a file")).expect("a network");
    let before = Network::parse(&fs::read(&first).expect("a file")).expect("a network");
    let start = format!(" start=unnamed:{:08x}", before.layers().checksum());
    assert!(network.layers().origin.ends_with(&start), "{}", network.layers().origin);

    let other = train("start-3.tqn", false, &["--start", &first, "--buckets", "8"]);
    assert!(other.contains(
        "start-1.tqn: another shape: width 64, 16 buckets, scale 1000 instead of width 64, 8 buckets, scale 1000"
    ), "{other}");
    assert!(train("start-3.tqn", false, &["--start", "none.tqn"]).contains("none.tqn: "));
}

#[test]
fn a_network_depends_on_the_data_and_the_seed_alone() {
    let (training, validation) = sets("alone");
    let epochs = ["--epochs", "6"];
    let train = |name: &str, more: &[&str]| {
        let out = path(name);
        let text = finish(start(&training, &validation, &out, &[&epochs, more].concat()), true);
        (fs::read(out).expect("a network"), text)
    };
    let (one, text) = train("one.tqn", &[]);
    let losses = validation_losses(&text);
    assert!(losses.len() == 6 && losses[5] < losses[0], "{text}");
    let network = Network::parse(&one).expect("a network");
    assert_eq!((network.layers().width, network.layers().buckets), (64, 16));
    assert!(network.layers().origin.starts_with("unnamed; positions="), "{}", network.layers().origin);
    assert!(fs::read_to_string(path("one.tqn.csv")).expect("a log").lines().count() == 8);
    assert!(fs::read_to_string(path("one.tqn.svg")).expect("a picture").contains("validation"));
    assert!(!path("one.tqn.state").exists());

    assert!(train("two.tqn", &["--threads", "2"]).0 == one);
    assert!(train("other.tqn", &["--seed", "2"]).0 != one);

    // Killed somewhere after the first epoch.
    let out = path("later.tqn");
    let _ = fs::remove_file(&out);
    let state = path("later.tqn.state");
    let _ = fs::remove_file(&state);
    let mut child = start(&training, &validation, &out, &epochs);
    while !state.exists() && child.try_wait().expect("a child").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    let _ = child.wait();
    let was_interrupted = state.exists();
    let (later, text) = train("later.tqn", &[]);
    assert_eq!(text.contains("going on after "), was_interrupted, "{text}");
    assert!(later == one);
}

#[test]
fn what_cannot_be_used_is_named_in_one_line() {
    let (training, validation) = sets("faults");
    let out = path("faults.tqn");
    let fault = |data: &Path, more: &[&str]| finish(start(data, &validation, &out, more), false);
    let missing = path("missing");
    assert!(fault(&missing, &[]).contains("missing: "));
    let kozdatu = games::<Kozdatu>("kozdatu", 2);
    let expected = format!("a file of {}, expected {}", Variant::Kozdatu, Variant::Togyzqumalaq);
    assert!(fault(&kozdatu, &[]).contains(&expected));
    assert!(fault(&training, &["--width", "65"]).contains("width 65 in the header is not possible"));
    fs::write(path("faults.tqn.state"), b"nonsense").expect("a file");
    assert!(fault(&training, &[]).contains("faults.tqn.state: damaged; remove the file to begin anew"));
    fs::remove_file(path("faults.tqn.state")).expect("a file");
}
