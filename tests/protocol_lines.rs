//! The lines of the protocol one by one: what each command and option does, beyond the scenarios.

mod common;

use common::pipe::{Engine, LATER, LONG_GAME, SOON, Value, check_search, ms, replay, spaced};
use tuzdyq::game::{Position, Togyzqumalaq};
use tuzdyq::options::{Options, SPECS};

const START: &str = "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1";
/// South has 82 stones.
const WON: &str = "8,1S/1S,8 82 78 S 1";
/// North cannot move, so that South gets the last stone: 81 each.
const DRAWN: &str = "9/1S,8 80 81 N 1";

fn fen(text: &str) -> Position<Togyzqumalaq> {
    text.parse().expect(text)
}

#[test]
fn uci_identifies_the_engine_and_its_options() {
    let mut engine = Engine::start();
    let lines: Vec<String> = engine.ask("uci", "uciok").into_iter().map(|line| line.text).collect();
    assert_eq!(lines[0], format!("id name tuzdyq {}", env!("CARGO_PKG_VERSION")));
    let author = lines[1].strip_prefix("id author ").expect("the author");
    assert!(!author.trim().is_empty(), "an author without a name");
    let options: Vec<&str> = lines[2..lines.len() - 3].iter().map(String::as_str).collect();
    assert_eq!(lines[lines.len() - 2], "info string endgames of togyzqumalaq: up to 8 stones");
    assert!(lines[lines.len() - 3].starts_with("info string evaluation: network "));
    let declared = [
        "option name Hash type spin default 16 min 1 max 65536",
        "option name Threads type spin default 1 min 1 max 256",
        "option name MultiPV type spin default 1 min 1 max 9",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 10 min 0 max 10000",
        "option name UCI_Variant type combo default togyzqumalaq var togyzqumalaq var bestemshe var kozdatu",
        "option name UCI_ShowWDL type check default false",
        "option name Skill type spin default 8 min 1 max 8",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 2850 min 1000 max 2850",
        "option name Endgame type check default true",
        "option name EndgamePath type string default <empty>",
        "option name EndgameStones type spin default 31 min 0 max 31",
        "option name EndgameCache type spin default 128 min 1 max 65536",
        "option name UseNetwork type check default true",
        "option name EvalFile type string default <empty>",
        "option name OwnBook type check default false",
        "option name BookFile type string default <empty>",
        "option name BookDepth type spin default 30 min 0 max 1000",
        "option name BookVariety type spin default 0 min 0 max 1000",
        "option name Clear Hash type button",
    ];
    assert_eq!(options, declared);
    engine.finish();
}

#[test]
fn every_option_takes_its_default_in_any_case() {
    let mut engine = Engine::start();
    for spec in &SPECS {
        let value =
            spec.value(&Options::default()).map(|value| format!(" value {value}")).unwrap_or_default();
        for name in [spec.name.to_owned(), spec.name.to_uppercase(), spec.name.to_lowercase()] {
            let told = engine.say(&format!("setoption name {name}{value}"));
            let expected = if spec.id.is_of_endgames() {
                Some("info string endgames of togyzqumalaq: up to 8 stones")
            } else if spec.id.is_of_evaluation() {
                Some("info string evaluation: network ")
            } else if spec.id.is_of_book() {
                Some("info string book: not used (OwnBook is false)")
            } else {
                None
            };
            assert_eq!(told.len(), usize::from(expected.is_some()), "{name}{value}: {told:?}");
            assert!(told.iter().zip(expected).all(|(line, start)| line.starts_with(start)), "{told:?}");
        }
    }
    for (name, value) in [("Ponder", "TRUE"), ("UCI_ShowWDL", "False"), ("UCI_Variant", "BestemShe")] {
        assert_eq!(engine.say(&format!("setoption name {name} value {value}")), [""; 0]);
    }
    assert_eq!(engine.field("Legal:"), "1 2 3 4 5");
    engine.finish();
}

#[test]
fn line_ends_tabs_and_case_do_not_count() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci\r\n");
    engine.wait_for("uciok", SOON);
    engine.send_bytes(b"\t POSITION \t StartPos\tMOVES  7\t1 \r\n");
    engine.send_bytes(b"ISREADY\r\r\n");
    assert_eq!(engine.read_until("readyok", SOON).len(), 1);
    assert_eq!(fen(&engine.field("Fen:")), replay(fen(START), &["7", "1"]));
    engine.send_bytes(b"Go DEPTH 3\r\n");
    let lines = engine.read_until("bestmove", SOON);
    assert!(lines.iter().all(|line| !line.text.contains('\r')));
    engine.finish();
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut engine = Engine::start();
    engine.send("position startpos moves 7");
    let before = engine.field("Fen:");
    for bytes in
        [&b"\xFF"[..], b"\0", b"\xC3\x28 \x80", b"position startpos moves \xFF", b"go\0depth 3", b"\x1B[31m"]
    {
        engine.send_bytes(bytes);
        engine.send_bytes(b"\n");
        let said = engine.sync();
        assert_eq!(said.len(), 1, "{bytes:?}: {said:?}");
        assert!(said[0].starts_with("info string error: "), "{said:?}");
        assert!(!said[0].contains(char::is_control), "{said:?}");
    }
    assert_eq!(engine.field("Fen:"), before);
    engine.finish();
}

#[test]
fn refused_lines_name_the_word_in_one_short_line() {
    let mut engine = Engine::start();
    engine.send("position startpos moves 7");
    let before = engine.field("Fen:");
    let long = "x".repeat(100_000);
    for (line, part) in [
        ("isready now", "'now'"),
        ("stop 7", "'7'"),
        ("debug", "debug"),
        ("debug maybe", "'maybe'"),
        ("position", "position"),
        ("position here", "'here'"),
        ("position startpos 7", "'7'"),
        ("position startpos fen", "'fen'"),
        ("position fen", "position"),
        ("position fen 9S/9S 0 0 S 1", "row"),
        (&format!("position fen {}", START.replace("0 0 S", "0 0 W")), "'W'"),
        (&format!("position fen {}", START.replace("0 0 S", "0 x S")), "'x'"),
        (&format!("position fen {START} 7"), "'7'"),
        (&format!("position fen {}", START.replace("/9S", "/9Q")), "'9Q'"),
        ("position startpos moves 75", "'75': the last stone falls in pit 6"),
        ("position startpos moves g1d3", "'g1d3'"),
        ("position startpos moves \u{7}", "\\u{7}"),
        ("go depth", "depth"),
        ("go depth x", "'x'"),
        ("go depth -3", "'-3'"),
        ("go depth 0", "'0'"),
        ("go fast", "'fast'"),
        ("go movetime", "movetime"),
        ("go perft", "perft"),
        ("go perft 0", "'0'"),
        ("go perft 31", "'31'"),
        ("go perft 3 4", "'4'"),
        ("bench 0", "'0'"),
        ("bench 5 5", "'5'"),
        (&format!("position startpos moves {long}"), "'xxxxxx"),
        (&format!("position fen {long}/9 0 0 S 1"), "'xxxxxx"),
        (&format!("go {long}"), "'xxxxxx"),
        (&long, "'xxxxxx"),
    ] {
        let said = engine.refused(line);
        assert!(said.contains(part), "{line:.80}: {said}");
        assert_eq!(engine.field("Fen:"), before, "after {line:.80}");
    }
    engine.finish();
}

#[test]
fn refused_options_are_named_in_one_short_line_too() {
    let mut engine = Engine::start();
    let long = "x".repeat(100_000);
    for (line, part) in [
        ("setoption name A\u{1b}[31mB", "there is no option"),
        ("setoption name MultiPV value 1\rx", "MultiPV"),
        ("setoption name Hash value \u{1b}[1m", "Hash"),
        (&format!("setoption name Hash value {long}"), "'xxxxxx"),
        (&format!("setoption name {long} value 1"), "'xxxxxx"),
        (&format!("setoption name Clear Hash value {long}"), "'xxxxxx"),
    ] {
        let said = engine.refused(line);
        assert!(said.contains(part), "{line:.80}: {said}");
    }
    engine.finish();
}

#[test]
fn a_line_without_end_is_refused_and_the_next_one_read() {
    let mut engine = Engine::start();
    let mut bytes = b"position startpos moves".to_vec();
    bytes.extend(std::iter::repeat_n(*b" 7", 2_000_000).flatten());
    engine.send_bytes(&bytes);
    let said = engine.say("");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("info string error: "));
    assert_eq!(engine.field("Fen:"), START);
    engine.finish();
}

#[test]
fn d_draws_the_board_and_lists_facts() {
    let mut engine = Engine::start();
    engine.send("position fen 13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4");
    let lines: Vec<String> = engine.ask("d", "Result:").into_iter().map(|line| line.text).collect();
    assert!(lines[2].contains("|  13 |   2 |  12 |   3 |   2 |   1 |   . |  12 |  12 |"), "{lines:?}");
    assert!(lines[4].contains("|  12 |   2 |  13 |  13 |   X |   3 |  12 |  12 |   1 |"), "{lines:?}");
    let facts = &lines[lines.len() - 5..];
    assert_eq!(facts[0], "Fen: 13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4");
    let key = facts[1].strip_prefix("Key: ").expect("the key");
    assert!(key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    assert_eq!(facts[2..], ["Kazans: 22 15", "Legal: 1 2 3 4 6 7 8 9", "Result: *"]);
    engine.finish();
}

#[test]
fn a_finished_game_has_its_result_and_no_move() {
    let mut engine = Engine::start();
    for (position, kazans, result) in [
        (WON, "82 78", "1-0"),
        ("8,1S/1S,8 78 82 S 1", "78 82", "0-1"),
        (DRAWN, "81 81", "1/2-1/2"),
        ("9/1S,8 81 80 N 1", "82 80", "1-0"),
    ] {
        engine.send(&format!("position fen {position}"));
        assert_eq!(engine.field("Result:"), result);
        assert_eq!(engine.field("Kazans:"), kazans, "with the sweep: {position}");
        assert_eq!(engine.field("Legal:"), "-");
        for limits in ["depth 4", "movetime 100", "wtime 1000 btime 1000", "mate 3", "searchmoves 1 depth 3"]
        {
            let search = engine.go(limits);
            assert_eq!(search.lines.last().unwrap().text, "bestmove (none)", "go {limits}");
        }
        assert_eq!(engine.ask("go perft 3", "nodes").len(), 1);
        assert_eq!(engine.lines().last().unwrap().text, "nodes 0");
        assert_eq!(engine.ask("eval", "The game is over").len(), 1);
    }
    // Nor does it answer early where it may not.
    for open_ended in ["go infinite", "go ponder depth 3"] {
        let answers = engine.count("bestmove");
        engine.send(open_ended);
        std::thread::sleep(ms(200));
        assert_eq!(engine.count("bestmove"), answers, "{}", engine.transcript());
        engine.send("stop");
        assert_eq!(engine.wait_for("bestmove", SOON).text, "bestmove (none)");
    }
    assert!(engine.refused("position startpos moves 9 2 8 1 7 2 6 1 9 2 5 1").contains("the game is over"));
    engine.finish();
}

#[test]
fn moves_may_be_written_in_all_forms() {
    let mut engine = Engine::start();
    let expected = replay(fen(START), &["7", "1"]).to_string();
    for moves in ["7 1", "76 11", "76(10) 11(10)", "g1d2 i2a1", "G1D2 11", "76 I2a1"] {
        assert_eq!(engine.say(&format!("position startpos moves {moves}")), [""; 0]);
        assert_eq!(engine.field("Fen:"), expected, "{moves}");
    }
    engine.send("position startpos");
    let search = engine.go("depth 3 searchmoves g1d2");
    assert!(search.bestmove() == "7" && search.lines.iter().all(|line| !line.text.contains("string")));
    engine.finish();
}

#[test]
fn a_thousand_moves_are_read_in_milliseconds() {
    let mut engine = Engine::start();
    let lap = spaced(LONG_GAME);
    let legal = format!("position fen {} moves {}", common::pipe::CHASE, common::pipe::chase(1000));
    let refused = format!("position startpos moves {lap} {}", "9 ".repeat(1000));
    for line in [legal, refused] {
        let quickest = (0..5).map(|_| {
            let sent = engine.send(&line);
            engine.send("isready");
            engine.wait_for("readyok", SOON).at - sent
        });
        let quickest = quickest.min().unwrap();
        assert!(quickest < ms(20), "{quickest:?}");
    }
    engine.finish();
}

#[test]
fn eval_help_and_bench_are_for_people() {
    let mut engine = Engine::start();
    let eval = engine.say("eval");
    assert!(eval.len() > 5, "{eval:?}");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert!(eval[0].starts_with("network: "), "{eval:?}");
    assert!(eval.iter().any(|line| words(line) == ["term", "(stones)", "South", "North", "lead"]));
    let kazans = eval.iter().find(|line| line.starts_with("kazan")).expect("a term for the kazans");
    assert_eq!(words(kazans), ["kazan", "0.00", "0.00", "0.00"]);
    assert!(eval.iter().any(|line| line.starts_with("expected final lead")));

    let help = engine.say("help").join("\n");
    for word in ["position", "go", "setoption", "d", "eval", "bench", "quit"] {
        assert!(help.contains(word), "{word} in {help}");
    }

    let signature = |engine: &mut Engine| {
        let line = engine.ask("bench 3", "Bench: ").pop().unwrap().text;
        let words: Vec<&str> = line.split(' ').collect();
        assert!(words.len() == 5 && words[2] == "nodes" && words[4] == "nps", "{line}");
        words[1].parse::<u64>().expect("nodes")
    };
    let first = signature(&mut engine);
    // What has been searched and set before does not matter.
    engine.go("depth 5");
    engine.send_all(&[
        "setoption name Threads value 2",
        "setoption name Hash value 1",
        "position startpos moves 7",
    ]);
    assert_eq!(signature(&mut engine), first);
    assert_eq!(engine.field("Fen:"), replay(fen(START), &["7"]).to_string());
    engine.finish();
}

#[test]
fn chances_come_with_every_score_when_asked_for() {
    let mut engine = Engine::start();
    assert!(engine.go("depth 3").infos().iter().all(|info| info.wdl.is_none()));
    engine.send("setoption name UCI_ShowWDL value true");
    let infos = engine.go("depth 6").infos();
    assert!(!infos.is_empty());
    for info in infos {
        let [win, draw, loss] = info.wdl.expect("chances");
        assert_eq!(win + draw + loss, 1000);
    }
    engine.send("position startpos moves 9 2 8 1 7 2 6 1 9 2");
    let win = engine.go("depth 3").infos().pop().unwrap();
    assert_eq!((win.score, win.wdl), (Value::Mate(1), Some([1000, 0, 0])));
    engine.finish();
}

#[test]
fn a_decided_score_is_in_own_moves_and_negative_when_losing() {
    let mut engine = Engine::start();
    for (position, score, best) in [
        // The pit takes the last stones that are needed.
        ("8,1S/8,1S 80 80 S 1", Value::Mate(1), "9"),
        // North's only move puts its stone where South's three stones end.
        ("8,1S/8,3S 80 78 N 1", Value::Mate(-1), "1"),
    ] {
        engine.send(&format!("position fen {position}"));
        let search = engine.go("depth 6");
        check_search(&search, fen(position));
        assert_eq!((search.score(), search.bestmove()), (score, best), "{position}");
    }
    engine.finish();
}

#[test]
fn the_other_games_have_their_own_boards() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Variant value bestemshe");
    assert_eq!(engine.field("Fen:"), "5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 S 1");
    engine.send("go perft 4");
    engine.wait_for("nodes 407", SOON);
    assert!(engine.refused(&format!("position fen {START}")).contains("row"));
    assert!(engine.refused("position startpos moves 6").contains("'6'"));
    let search = engine.go("depth 8");
    check_search(&search, Position::<tuzdyq::game::Bestemshe>::start());
    engine.send("position startpos moves 1");
    // The same game again changes nothing, another one sets up its start, as does ucinewgame.
    engine.send("setoption name UCI_Variant value BESTEMSHE");
    assert_eq!(engine.field("Legal:"), "1 2 3 4 5");
    assert!(engine.field("Fen:").ends_with("N 1"));
    engine.send("ucinewgame");
    assert!(engine.field("Fen:").ends_with("0 0 S 1"));
    engine.send("setoption name UCI_Variant value kozdatu");
    engine.send("go perft 4");
    engine.wait_for("nodes 1775", SOON);
    engine.send("setoption name UCI_Variant value togyzqumalaq");
    assert_eq!(engine.field("Fen:"), START);
    engine.finish();
}

#[test]
fn go_without_a_limit_searches_until_stop() {
    let mut engine = Engine::start();
    for line in ["go", "go searchmoves 3 4", "go infinite depth 2"] {
        let answers = engine.count("bestmove");
        engine.send(line);
        engine.wait_for("info depth 2 ", SOON);
        std::thread::sleep(ms(200));
        assert_eq!(engine.count("bestmove"), answers, "{line}: {}", engine.transcript());
        engine.send("stop");
        engine.wait_for("bestmove", SOON);
    }
    engine.finish();
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    let mut engine = Engine::start();
    let search = engine.go("depth 30 nodes 3000 movetime 60000");
    assert!(search.infos().iter().all(|info| info.nodes <= 3000));
    assert_eq!(engine.go("depth 4 nodes 100000000 movetime 60000 wtime 600000 btime 600000").depth(), 4);
    let search = engine.go("depth 100 movetime 200 wtime 600000 btime 600000");
    assert!(search.elapsed() < ms(3000), "{:?}", search.elapsed());
    // Of a limit given twice the last one holds; parts that make no sense are left out.
    assert_eq!(engine.go("depth 20 depth 3").depth(), 3);
    let search = engine.go("depth 3 nonsense movetime x");
    let notices: Vec<&str> = search.lines.iter().map(|line| line.text.as_str()).take(3).collect();
    assert!(notices[0].contains("'nonsense'") && notices[1].contains("'x'"), "{notices:?}");
    assert_eq!(search.depth(), 3);
    // A single node is enough for a move.
    check_search(&engine.go("nodes 1"), fen(START));
    engine.finish();
}

#[test]
fn mate_looks_for_a_win_of_that_length() {
    let mut engine = Engine::start();
    engine.send("position startpos moves 9 2 8 1 7 2 6 1 9 2");
    let search = engine.go("mate 1");
    assert_eq!((search.bestmove(), search.score()), ("5", Value::Mate(1)));
    engine.send("position startpos");
    let search = engine.go("mate 2");
    assert!(search.depth() <= 4, "two moves of each side are four half-moves");
    engine.finish();
}

#[test]
fn single_threaded_search_repeats_itself_after_ucinewgame() {
    let mut engine = Engine::start();
    let run = |engine: &mut Engine| {
        let mut lines = Vec::new();
        for moves in ["", " moves 7 2", " moves 7 2 6 1"] {
            engine.send(&format!("position startpos{moves}"));
            let infos = engine.go("depth 9").infos();
            lines.extend(infos.into_iter().map(|info| (info.depth, info.score, info.nodes, info.pv)));
        }
        lines
    };
    let first = run(&mut engine);
    engine.send("go movetime 50");
    engine.wait_for("bestmove", LATER);
    engine.send("ucinewgame");
    assert_eq!(run(&mut engine), first);
    engine.finish();
    assert_eq!(run(&mut Engine::start()), first);
}

#[test]
fn debug_tells_the_time_plan() {
    let mut engine = Engine::start();
    engine.send("debug on");
    let search = engine.go("movetime 50");
    assert!(search.lines[0].text.starts_with("info string debug: "), "{}", search.lines[0].text);
    engine.send("debug off");
    assert!(!engine.go("movetime 50").lines[0].text.contains("string"));
    engine.finish();
}
