//! The scenarios of area "rules" through the real program; `rules.rs` has them for the library.

mod common;

use std::collections::HashMap;

use common::pipe::{CHASE, Engine, LONG_GAME, SOON, Value, chase, replay, spaced};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tuzdyq::game::{Pit, Position, Togyzqumalaq};

const START: &str = "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1";

/// A board as the scenarios write it, as the FEN without the move number: the first player is South, and a tuzdyq is
/// a `t` in the row where it lies.
fn fen(first: &str, second: &str, kazans: &str, to_move: &str) -> String {
    let row = |pits: Vec<&str>| {
        let mut fields: Vec<String> = Vec::new();
        let mut empty = 0;
        for pit in pits.into_iter().chain(["end"]) {
            if pit == "0" {
                empty += 1;
                continue;
            }
            if empty > 0 {
                fields.push(empty.to_string());
            }
            empty = 0;
            match pit {
                "end" => {}
                "t" => fields.push("t".to_owned()),
                stones => fields.push(format!("{stones}S")),
            }
        }
        fields.join(",")
    };
    let second: Vec<&str> = second.split(' ').rev().collect();
    format!("{}/{} {} {to_move}", row(second), row(first.split(' ').collect()), kazans.replace('-', " "))
}

#[track_caller]
fn assert_after(engine: &mut Engine, moves: &str, expected: &str) {
    assert_eq!(engine.say(&format!("position startpos moves {moves}")), [""; 0], "{moves}");
    let shown = engine.field("Fen:");
    assert_eq!(shown.rsplit_once(' ').unwrap().0, expected, "after {moves}");
}

#[test]
fn game_02_three_in_the_ninth_pit_stay() {
    let mut engine = Engine::start();
    let expected = fen("11 1 2 11 11 11 11 11 3", "11 0 11 11 11 11 11 1 1", "12-10", "S");
    assert_after(&mut engine, "9 2 3 9", &expected);
    let expected = fen("16 15 1 3 5 2 2 17 3", "1 18 17 1 6 2 17 4 2", "14-16", "S");
    assert_after(&mut engine, "5 6 7 5 9 8 4 9 6 4 9 6 7 1", &expected);
    engine.finish();
}

#[test]
fn game_03_no_tuzdyq_with_the_number_of_the_opponents() {
    let mut engine = Engine::start();
    let expected = fen("3 1 2 3 11 11 11 3 12", "2 1 13 t 13 13 3 12 12", "14-22", "S");
    assert_after(&mut engine, "8 4 1 1 3 2", &expected);
    engine.finish();
}

#[test]
fn game_05_stones_into_a_tuzdyq_go_to_its_owner() {
    let mut engine = Engine::start();
    let expected = fen("t 1 12 12 12 12 12 2 12", "2 12 0 11 11 11 11 11 0", "14-4", "S");
    assert_after(&mut engine, "1 9 8 1 2 9", &expected);
    assert!(
        engine.refused("position startpos moves 1 9 8 1 2 9 1").contains("'1'"),
        "a tuzdyq cannot be sown from"
    );
    assert!(!engine.field("Legal:").contains('1'));
    let expected = fen("t 11 10 10 1 11 11 11 1", "2 12 4 13 13 12 12 12 12", "0-4", "N");
    assert_after(&mut engine, "1 3 5 1 9", &expected);
    let expected = fen("12 2 3 0 3 t 12 12 12", "12 1 t 1 2 2 12 12 12", "26-26", "S");
    assert_after(&mut engine, "6 3 5 6 2 2", &expected);
    let expected = fen("3 7 8 9 10 2 2 t 18", "2 4 18 5 16 1 7 6 5", "18-21", "N");
    assert_after(&mut engine, "8 4 5 8 3 6 2 9 6 2 1 1 6 6 7", &expected);
    let expected = fen("t 3 6 5 8 2 1 17 17", "7 15 2 16 4 t 3 3 16", "11-26", "N");
    assert_after(&mut engine, "1 5 5 1 5 6 3 8 4 7 2 3 6", &expected);
    engine.finish();
}

#[test]
fn game_06_a_single_stone_crosses_from_the_ninth_pit() {
    let mut engine = Engine::start();
    let expected = fen("0 9 9 9 9 9 9 9 0", "0 11 11 11 11 11 11 1 10", "12-10", "N");
    assert_after(&mut engine, "9 1 9", &expected);
    let expected = fen("t 11 11 11 11 1 12 12 11", "10 10 10 10 10 10 0 9 0", "10-3", "S");
    assert_after(&mut engine, "1 9 6 9", &expected);
    engine.finish();
}

#[test]
fn game_08_the_movers_own_stone_may_end_the_game() {
    const MOVES: &str = "9 4 8 2 7 2 3 5 6 2 8 9 7 6 8 8 4 5 6 8 8 5 5 9 8";
    let mut engine = Engine::start();
    let expected = fen("1 0 3 1 1 2 3 1 13", "1 1 1 8 1 1 t 2 2", "82-38", "S");
    assert_after(&mut engine, &format!("{MOVES} 6"), &expected);
    assert_eq!((engine.field("Result:"), engine.field("Legal:")), ("1-0".to_owned(), "-".to_owned()));
    assert_eq!(engine.go("depth 3").lines.last().unwrap().text, "bestmove (none)");

    engine.send(&format!("position startpos moves {MOVES}"));
    for depth in [1, 6] {
        let search = engine.go(&format!("depth {depth} searchmoves 6"));
        assert_eq!((search.score(), search.bestmove()), (Value::Mate(-1), "6"), "depth {depth}");
        let infos = search.infos();
        assert!(infos.iter().all(|info| info.pv == ["6"]), "{infos:?}");
    }
    engine.finish();
}

#[test]
fn game_09_positions_come_back_and_games_end() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {CHASE}"));
    let key = engine.field("Key:");
    engine.send(&format!("position fen {CHASE} moves {}", chase(18)));
    assert_eq!(engine.field("Key:"), key);
    assert_eq!(engine.field("Fen:"), CHASE.replace("S 1", "S 10"));
    engine.send(&format!("position fen {CHASE} moves {}", chase(36)));
    assert_eq!((engine.field("Key:"), engine.field("Result:")), (key, "*".to_owned()));

    // The position at the end of the long game has been there before.
    engine.send(&format!("position startpos moves {}", spaced(LONG_GAME)));
    let (key, turn) = (engine.field("Key:"), engine.field("Fen:").split(' ').nth(3).unwrap().to_owned());
    let mut position: Position<Togyzqumalaq> = START.parse().unwrap();
    let mut earlier = 0;
    for digit in LONG_GAME.chars() {
        let same =
            format!("{:016x}", position.key()) == key && position.to_string().contains(&format!(" {turn} "));
        earlier += usize::from(same);
        position = replay(position, &[digit.to_string()]);
    }
    assert_eq!((earlier, position.outcome()), (1, None), "a second occurrence");
    assert_eq!(engine.go("depth 6").depth(), 6);
    engine.finish();
}

/// Games of the engine against itself, at depth 1 after some random moves. The harness declares the third occurrence
/// of a position a draw, as the tools do, and sets no other end.
#[test]
fn game_09_self_play_always_ends() {
    let mut engine = Engine::start();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut longest = 0;
    for _ in 0..60 {
        let mut position: Position<Togyzqumalaq> = START.parse().unwrap();
        let mut moves = String::new();
        let mut occurrences: HashMap<String, u32> = HashMap::new();
        let opening = rng.random_range(0..12);
        let mut played = 0;
        while position.outcome().is_none() {
            let shown = position.to_string();
            let times = occurrences.entry(shown.rsplit_once(' ').unwrap().0.to_owned()).or_default();
            *times += 1;
            if *times == 3 {
                break;
            }
            let next = if played < opening {
                let legal: Vec<Pit> = position.moves().collect();
                legal.choose(&mut rng).unwrap().to_string()
            } else {
                engine.send(&format!("position startpos moves{moves}\ngo depth 1"));
                let answer = engine.wait_for("bestmove", SOON).text;
                answer.split(' ').nth(1).unwrap().to_owned()
            };
            position = replay(position, &[&next]);
            moves = format!("{moves} {next}");
            played += 1;
            assert!(played < 5000, "{moves}");
        }
        longest = longest.max(played);
        engine.send(&format!("position startpos moves{moves}"));
        let result = position.outcome().map_or("*", |outcome| outcome.result());
        assert_eq!(engine.field("Result:"), result);
    }
    assert!(longest > 50, "{longest}");
    engine.finish();
}

#[test]
fn game_11_impossible_set_ups_are_refused_with_the_reason() {
    let mut engine = Engine::start();
    engine.send("position startpos moves 7 1");
    let before = engine.field("Fen:");
    let pits = |first: &str| format!("9S,9S,9S,9S,9S,9S,9S,9S,9S/{first},9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1");
    for (position, reason) in [
        (pits("8S"), "add up to 161"),
        (pits("10S"), "add up to 163"),
        ("t,8/9 82 80 S 1".into(), "pit 9"),
        ("5,t,3/3,t,5 81 81 S 1".into(), "number 4"),
        ("9S,9S,9S,9S,9S,9S,9S,9S,9S/3St,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1".into(), "'3St'"),
        ("9/9 256 0 S 1".into(), "256"),
        (pits("-9S"), "'-9S'"),
        ("9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 9 0 S 1".into(), "8 pits"),
        (pits("9S").replace(" S 1", ""), "side to move"),
        (format!("9S,{}", pits("9S")), "more than 9"),
    ] {
        let said = engine.refused(&format!("position fen {position}"));
        assert!(said.contains(reason), "{position}: {said}");
        assert_eq!(engine.field("Fen:"), before, "{position}");
    }

    // All stones in one pit: nine laps, and the last one falls in North's pit 9, the ninth there.
    engine.send("position fen 9/162S,8 0 0 S 1");
    assert_eq!((engine.field("Legal:"), engine.go("depth 4").bestmove()), ("1".to_owned(), "1"));
    engine.send("position fen 9/162S,8 0 0 S 1 moves 1");
    assert_eq!(engine.field("Fen:"), START.replace("S 1", "N 1"));
    // A decided position is a position.
    engine.send("position fen 8,1S/1S,8 82 78 S 1");
    assert_eq!((engine.field("Result:").as_str(), engine.go("depth 4").bestmove()), ("1-0", "(none)"));
    engine.finish();
}

#[test]
fn game_12_perft_counts_are_right_on_any_number_of_threads() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    let mut count = |depth: u32| {
        let lines = engine.ask(&format!("go perft {depth}"), "nodes ");
        let number = |text: &str| text.rsplit(' ').next().unwrap().parse::<u64>().expect("a count");
        let (total, moves) = lines.split_last().unwrap();
        let pits: Vec<&str> = moves.iter().map(|line| line.text.split(':').next().unwrap()).collect();
        assert_eq!(pits, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
        assert_eq!(moves.iter().map(|line| number(&line.text)).sum::<u64>(), number(&total.text));
        number(&total.text)
    };
    let counts: Vec<u64> = (1..=6).map(&mut count).collect();
    assert_eq!(counts, [9, 73, 613, 5199, 43184, 360_035]);
    let engine_with_threads = |threads: u32| {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Threads value {threads}"));
        let lines = engine.ask("go perft 7", "nodes ");
        lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
    };
    let serial = engine_with_threads(1);
    assert_eq!(serial.last().unwrap(), "nodes 3003052");
    assert_eq!(engine_with_threads(4), serial);
}
