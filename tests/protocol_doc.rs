//! `protocol.md` says what is true: its examples run, and its table of options is the program's. The examples of
//! `README.md` run too.
//!
//! An example is a block marked `session`. A line with `> ` and a word is sent, the others must come; a line `...`
//! stands for any number of lines, and `*` for any text within a line.

mod common;

use common::pipe::{Engine, SOON};
use tuzdyq::game::Variant;
use tuzdyq::options::{Kind, Options, SPECS};

fn read(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The blocks with this mark: the line where each begins, and its lines.
fn blocks<'a>(text: &'a str, mark: &str) -> Vec<(usize, Vec<&'a str>)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let block = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            if found == mark {
                blocks.push((number + 1, block));
            }
        }
    }
    blocks
}

/// Whether a line is of the form of a pattern, in which `*` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == line };
    let Some(mut line) = line.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = line.find(part) else { return false };
        line = &line[at + part.len()..];
    }
    line.ends_with(last)
}

/// What is sent by a line of an example; the drawing of a board has a `>` too.
fn input(line: &str) -> Option<&str> {
    line.strip_prefix("> ").filter(|input| !input.starts_with('|'))
}

/// Runs an example; after its last input comes the end of the input.
fn run_example(name: &str, lines: &[&str]) -> Result<(), String> {
    let mut engine = Engine::start();
    let mut inputs = lines.iter().filter(|line| input(line).is_some()).count();
    let mut skipping = false;
    for line in lines {
        if let Some(input) = input(line) {
            engine.send(input);
            inputs -= 1;
            if inputs == 0 {
                engine.close_stdin();
            }
        } else if *line == "..." {
            skipping = true;
        } else {
            loop {
                let next = engine.next_line(SOON).unwrap_or_else(|| "nothing more".to_owned());
                if matches(line, &next) {
                    break;
                }
                if !skipping || next == "nothing more" {
                    return Err(format!(
                        "{name}: '{line}' is expected, not '{next}'\n{}",
                        engine.transcript()
                    ));
                }
            }
            skipping = false;
        }
    }
    engine.assert_exit(0, SOON);
    match engine.next_line(SOON) {
        Some(line) if !skipping => {
            Err(format!("{name}: nothing is expected, not '{line}'\n{}", engine.transcript()))
        }
        _ => Ok(()),
    }
}

fn run_examples(name: &str) -> usize {
    let text = read(name);
    let examples = blocks(&text, "session");
    let faults: Vec<String> = examples
        .iter()
        .filter_map(|(line, block)| run_example(&format!("{name}, line {line}"), block).err())
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    examples.len()
}

#[test]
fn the_examples_of_the_reference_run() {
    assert!(run_examples("protocol.md") >= 10);
}

#[test]
fn the_examples_of_the_readme_run() {
    run_examples("README.md");
}

#[test]
fn an_example_that_is_wrong_is_noticed() {
    for example in [
        &["> isready", "uciok"][..],
        &["> isready"],
        &["> isready", "readyok", "readyok"],
        &["> uci", "...", "uciok *"],
        &["> go depth 1", "info depth 1 *", "bestmove (none)"],
    ] {
        assert!(run_example("wrong", example).is_err(), "{example:?}");
    }
    assert!(run_example("right", &["> isready", "...", "ready*", "> uci", "id *", "..."]).is_ok());
}

#[test]
fn patterns() {
    for (pattern, line, expected) in [
        ("a", "a", true),
        ("a", "ab", false),
        ("a*", "ab", true),
        ("*b", "ab", true),
        ("a*c*e", "abcde", true),
        ("a*c*e", "abde", false),
        ("a*a", "a", false),
        ("", "", true),
        ("*", "", true),
    ] {
        assert_eq!(matches(pattern, line), expected, "{pattern} {line}");
    }
}

/// The cells of the first table under a heading.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let lines = text.lines().skip_while(|line| *line != heading).skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    let cell = |text: &str| text.trim_matches([' ', '`']).to_owned();
    let cells = |row: &str| row.trim_matches('|').replace("\\|", "/").split('|').map(cell).collect();
    rows.map(cells).collect()
}

#[test]
fn the_table_of_options_is_the_programs() {
    let defaults = Options::default();
    let expected: Vec<Vec<String>> = SPECS
        .iter()
        .map(|spec| {
            let (kind, range) = match spec.kind {
                Kind::Spin { min, max } => ("spin", format!("{min} to {max}")),
                Kind::Check => ("check", "true, false".to_owned()),
                Kind::Variant => ("combo", Variant::ALL.map(Variant::name).join(", ")),
                Kind::Text => ("string", String::new()),
                Kind::Button => ("button", String::new()),
            };
            let default = spec.value(&defaults).unwrap_or_default();
            [spec.name, kind, &range, &default, spec.effect].map(str::to_owned).to_vec()
        })
        .collect();
    assert_eq!(table(&read("protocol.md"), "## Options"), expected);

    let mut engine = Engine::start();
    let declared: Vec<String> = engine
        .ask("uci", "uciok")
        .into_iter()
        .filter_map(|line| line.text.strip_prefix("option ").map(str::to_owned))
        .collect();
    let declarations: Vec<String> = expected
        .iter()
        .map(|row| {
            let default = if row[3].is_empty() { String::new() } else { format!(" default {}", row[3]) };
            let range = match row[1].as_str() {
                "spin" => format!(" min {}", row[2].replace(" to ", " max ")),
                "combo" => row[2].split(", ").map(|name| format!(" var {name}")).collect(),
                _ => String::new(),
            };
            format!("name {} type {}{default}{range}", row[0], row[1])
        })
        .collect();
    assert_eq!(declared, declarations);
    engine.finish();
}

#[test]
fn every_command_of_the_reference_is_known() {
    let mut engine = Engine::start();
    for row in table(&read("protocol.md"), "## Commands") {
        for command in row[0].split("`, `").flat_map(|command| command.split(' ').next()) {
            if command != "quit" {
                engine.send(command);
            }
        }
    }
    engine.finish();
    let unknown: Vec<String> = engine
        .lines()
        .into_iter()
        .map(|line| line.text)
        .filter(|line| line.contains("unknown command"))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
