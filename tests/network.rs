//! The options of the neural evaluation, and files that are no networks.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::pipe::{Engine, LATER};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tuzdyq::engine::evaluation::Evaluation;
use tuzdyq::eval::network::{Head, Layers, Level, ROWS, SECOND};
use tuzdyq::options::Options;
use tuzdyq::search::Control;
use tuzdyq::tools::bench;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A network of random numbers.
fn write_network(name: &str, width: usize) -> Vec<u8> {
    let mut random = StdRng::seed_from_u64(1);
    let mut list = |count: usize, most: i16| -> Vec<i16> {
        (0..count).map(|_| random.random_range(-most..=most)).collect()
    };
    let layers = Layers {
        width,
        buckets: 2,
        scale: 1_000,
        rows: list(ROWS * width, 30).into_iter().map(|number| number as i8).collect(),
        bias: list(width, 30),
        heads: (0..2)
            .map(|_| Head {
                second: (0..width)
                    .map(|_| std::array::from_fn(|_| [list(1, 100)[0], list(1, 100)[0]]))
                    .collect(),
                second_bias: [0; SECOND],
                output: std::array::from_fn(|_| list(1, 1_000)[0]),
                output_bias: 0,
            })
            .collect(),
        origin: format!("a test of {width}; random"),
    };
    let bytes = layers.to_bytes();
    fs::write(path(name), &bytes).expect("a file");
    bytes
}

fn set(engine: &mut Engine, name: &str, value: &str) -> Vec<String> {
    engine.say(&format!("setoption name {name} value {value}"))
}

/// Nodes of a search of fixed depth in a new game.
fn nodes(engine: &mut Engine) -> u64 {
    engine.send("ucinewgame");
    engine.send("go depth 12");
    let lines = engine.read_until("bestmove", LATER);
    let number = |line: &str| line.split(" nodes ").nth(1)?.split(' ').next()?.parse().ok();
    lines.iter().filter_map(|line| number(&line.text)).next_back().expect("a node count")
}

#[test]
fn a_network_is_used_until_another_one_or_none_is_asked_for() {
    write_network("net-a.tqn", 64);
    write_network("net-b.tqn", 128);
    let mut engine = Engine::start();
    let usual = nodes(&mut engine);
    let file = path("net-a.tqn");
    let told = set(&mut engine, "EvalFile", file.to_str().expect("UTF-8"));
    assert_eq!(told, ["info string evaluation: network a test of 64"]);
    let with_a = nodes(&mut engine);
    assert_ne!(with_a, usual);
    let eval = engine.say("eval");
    assert_eq!(eval[0], "network: a test of 64; random");
    assert!(eval.iter().any(|line| line.starts_with("South worth ")), "{eval:#?}");
    assert!(eval.iter().any(|line| line.starts_with("atsyrau danger")), "{eval:#?}");

    let file = path("net-b.tqn");
    set(&mut engine, "EvalFile", file.to_str().expect("UTF-8"));
    assert_ne!(nodes(&mut engine), with_a);
    // Once it has been read, the file may go.
    fs::remove_file(file).expect("the file");
    assert_eq!(set(&mut engine, "UseNetwork", "false"), ["info string evaluation: handcrafted"]);
    let classic = nodes(&mut engine);
    assert_eq!(engine.say("eval").iter().filter(|line| line.contains("worth")).count(), 0);
    let told = set(&mut engine, "UseNetwork", "true");
    assert_eq!(told, ["info string evaluation: network a test of 128"]);
    // The network is of togyzqumalaq.
    set(&mut engine, "UCI_Variant", "kozdatu");
    let with = nodes(&mut engine);
    set(&mut engine, "UseNetwork", "false");
    assert_eq!(nodes(&mut engine), with);
    set(&mut engine, "UCI_Variant", "togyzqumalaq");
    assert_eq!(nodes(&mut engine), classic);
    set(&mut engine, "UseNetwork", "true");
    set(&mut engine, "EvalFile", "<empty>");
    assert_eq!(nodes(&mut engine), usual);
    engine.finish();
}

#[test]
fn a_wrong_file_is_refused_in_one_line_and_the_old_network_stays() {
    let good = write_network("net-good.tqn", 64);
    let mut engine = Engine::start();
    let file = path("net-good.tqn");
    set(&mut engine, "EvalFile", file.to_str().expect("UTF-8"));
    let before = nodes(&mut engine);
    let mut changed = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        fs::write(path(name), bytes).expect("a file");
        let file = path(name);
        let file = file.to_str().expect("UTF-8");
        let lines = set(&mut engine, "EvalFile", file);
        assert_eq!(lines.len(), 1, "{lines:#?}");
        let reason = lines[0].strip_prefix(&format!("info string error: option EvalFile: {file}: "));
        reason.unwrap_or_else(|| panic!("{lines:#?}")).to_owned()
    };
    let (half, whole) = (good.len() / 2, good.len());
    assert_eq!(changed("net-1", &|file| file.clear()), "not a network file");
    assert_eq!(changed("net-2", &|file| file.truncate(half)), format!("{half} bytes, expected {whole}"));
    assert_eq!(changed("net-3", &|file| file.push(7)), format!("{} bytes, expected {whole}", whole + 1));
    assert_eq!(changed("net-4", &|file| file[10] = 1), "architecture 1, expected 3");
    assert_eq!(changed("net-5", &|file| file[0] = b'X'), "not a network file");
    assert!(changed("net-6", &|file| file[half] ^= 64).starts_with("checksum "));
    // Long enough to be cut off.
    assert_eq!(
        changed("net-7", &|file| file.resize(3 << 20, 0)),
        format!("{} bytes, expected {whole}", 1 << 20)
    );
    let lines = set(&mut engine, "EvalFile", "/nowhere/at/all");
    assert!(
        lines.len() == 1 && lines[0].starts_with("info string error: option EvalFile: /nowhere/at/all: ")
    );
    let lines = set(&mut engine, "EvalFile", env!("CARGO_TARGET_TMPDIR"));
    assert!(lines.len() == 1 && lines[0].starts_with("info string error: option EvalFile: "), "{lines:#?}");
    assert_eq!(nodes(&mut engine), before);
    engine.finish();
}

#[test]
fn the_bench_is_the_same_with_all_instructions() {
    let Ok(Evaluation::Network(network)) = Evaluation::of_options(&Options::default()) else {
        panic!("no network is built in");
    };
    let nodes = |level: Level| {
        let evaluation = Evaluation::Network(Arc::new((*network).clone().with_level(level)));
        let last = bench::run(14, &evaluation, &Control::default(), &mut |_| {}).expect("a last line");
        last.split(' ').nth(1).expect("a count").to_owned()
    };
    let counts: Vec<String> = Level::available().into_iter().map(nodes).collect();
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}
