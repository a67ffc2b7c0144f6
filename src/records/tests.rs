//! Texts as people write them, and what comes of them.

use super::*;
use crate::game::Variant;
use crate::with_game;

/// The rulebook's sample game, from RULES.md.
const SAMPLE: &str = "79:610 79:610, 510-511 910:912, 111:212 810:814, 213:512 92:13X, 92:114.";
const SAMPLE_MOVES: &str = "7 7 5 9 1 8 2 9 9";

fn readings(text: &str) -> Vec<Reading> {
    read(text).map(|reading| reading.unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

fn moves(record: &Record) -> String {
    let moves: Vec<String> =
        with_game!(&record.game, game => game.moves().iter().map(ToString::to_string).collect());
    moves.join(" ")
}

/// The moves of each game of a text, which nothing may contradict.
#[track_caller]
fn clean(text: &str) -> Vec<String> {
    let readings = readings(text);
    let found: Vec<&Contradiction> = readings.iter().flat_map(|reading| &reading.contradictions).collect();
    assert!(found.is_empty(), "{text}: {found:?}");
    readings.iter().map(|reading| moves(&reading.record)).collect()
}

/// What is contradicted in a text, and the moves that are left of its only game.
#[track_caller]
fn contradicted(text: &str) -> (Vec<String>, String) {
    let readings = readings(text);
    assert_eq!(readings.len(), 1, "{text}");
    let told = readings[0].contradictions.iter().map(ToString::to_string).collect();
    (told, moves(&readings[0].record))
}

fn fault(text: &str) -> String {
    let error = read(text).find_map(Result::err);
    error.unwrap_or_else(|| panic!("{text}: can be read")).to_string()
}

#[test]
fn the_rulebooks_game_comes_to_its_kazans() {
    let readings = readings(SAMPLE);
    assert_eq!((readings.len(), moves(&readings[0].record).as_str()), (1, SAMPLE_MOVES));
    assert_eq!(readings[0].contradictions, []);
    assert_eq!((readings[0].record.stones(), readings[0].record.known_result()), ([48, 39], None));
}

#[test]
fn the_platforms_moves_are_read_however_they_are_wrapped() {
    let text = "1. 76(10) 98 2. 66 87(4) 3. 12(22) 76(8) 4. 25(34) 78 5. 48(38) 36X";
    let expected = ["7 9 6 8 1 7 2 7 4 3"];
    assert_eq!(clean(text), expected);
    assert_eq!(clean(&text.replace(' ', "\n")), expected);
    assert_eq!(clean(&text.replace(' ', "\r\n")), expected);
    assert_eq!(clean(&text.replace(". ", ".")), expected);
    let file = format!("\u{feff}[Event \"1\"]\r\n[White \"A\"]\r\n\r\n{text} 0-1 {{resigned}}\r\n\r\n");
    let twice = file.repeat(2);
    let readings = readings(&twice);
    assert_eq!(readings.len(), 2);
    for (index, Reading { number, record, contradictions, .. }) in readings.iter().enumerate() {
        assert_eq!((*number, contradictions.len()), (index + 1, 0));
        assert_eq!((record.tags.get("White"), record.tags.len()), (Some("A"), 2));
        assert_eq!((record.result, moves(record).as_str()), (Some(GameResult::North), expected[0]));
        assert_eq!(record.notes[&9].comment.as_deref(), Some("resigned"));
    }
}

#[test]
fn score_sheets_in_every_notation() {
    let expected = ["7 7 5 9 1 8 2 9 9"];
    for text in [
        "1. 7:6 (10) 7:6 (10)\n2. 5-5 9:9 (22)\n3. 1:2 (22) 8:8 (36)\n4. 2:5 (34) 9:1Х\n5. 9:1 (48)",
        "1 76 (10) 76 (10)\n2 55 99 (22)\n3 12 (22) 88 (36)\n4 25 (34) 91 х\n5 91 (48) 1-0",
        "1) 79:610 79:610\n2) 510–511 910:912\n3) 111:212! 810:814?\n4) 213:512 92:13х=\n5) 92:114!!",
        "79:610 | 79:610\n510-511 | 910:912\n111:212 | 810:814\n213:512 | 92:13X\n92:114 |",
        "79:610 79:610 2. 510! 910? 111:212 810 213:512 92:13X 92:114!",
        "79: 610\t79 :610\n510 -511\t910 : 912\n111:212 - 810:814\n213:512\t92:13X\n92:114",
    ] {
        assert_eq!(clean(text), expected, "{text}");
    }
}

#[test]
fn columns_side_by_side_are_put_in_order() {
    let text = "1. 79:610 79:610   4. 213:512 92:13X\n2. 510-511 910:912   5. 92:114\n3. 111:212 810:814";
    assert_eq!(clean(text), [SAMPLE_MOVES]);
}

#[test]
fn notes_of_score_sheets_are_kept() {
    let readings = readings("{a game} 1. 79:610! {good} 79:610 = ?! 2. 510-511 $4 {x\ny} {z}");
    let Record { comment, notes, .. } = &readings[0].record;
    assert_eq!(comment.as_deref(), Some("a game"));
    let note = |glyph, draw_offer, comment: &str| {
        let comment = Some(comment.to_owned()).filter(|comment| !comment.is_empty());
        Note { glyph: Some(glyph), draw_offer, comment }
    };
    let expected = [
        (0, note(Glyph::Good, false, "good")),
        (1, note(Glyph::Dubious, true, "")),
        (2, note(Glyph::Blunder, false, "x y z")),
    ];
    assert_eq!(*notes, expected.into());
}

#[test]
fn tournament_records() {
    let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[Count \"48-39\"]\n[Title \"GM\"]\n\n\
                1. 76 76\n2. 55 99\n3. 12 88\n4. 25 91x\n5. 91\n\n[White \"C\"]\n\n1. 76 76\n";
    let readings = readings(text);
    assert_eq!(clean(text), [SAMPLE_MOVES, "7 7"]);
    assert_eq!(
        (readings[0].record.tags.get("Title"), readings[0].record.result),
        (Some("GM"), Some(GameResult::South))
    );
    assert_eq!(readings[1].record.tags.get("white"), Some("C"));
    let (told, _) =
        contradicted(text.replace("48-39", "47-115").split("\n\n[White \"C").next().unwrap_or_default());
    // All stones shared out.
    assert_eq!(clean(&text.replace("48-39", "82 : 80")).len(), 2);
    assert_eq!(told, ["game 1, line 4, column 1: the recorded stones are 47-115, the rules give 48-39"]);
}

#[test]
fn squares_and_pits() {
    assert_eq!(clean("g1d2 c2f1"), ["7 7"]);
    assert_eq!(clean("1. G1D2 c2f1 2. e1e2"), ["7 7 5"]);
    assert_eq!(clean("[Variant \"Togyzkumalak\"]\n\n1. g1d2 c2f1"), ["7 7"]);
    assert_eq!(clean("7 7 5"), ["7 7 5"]);
    assert_eq!(clean("775"), ["7 7 5"]);
    // Without numbers a line is a game, with them it is not.
    assert_eq!(clean("# openings\n7 7 5\n\n7 2\n775"), ["7 7 5", "7 2", "7 7 5"]);
    assert_eq!(clean("g1d2 c2f1\ng1d2"), ["7 7", "7"]);
    assert_eq!(clean("1. 7 7\n2. 5 9"), ["7 7 5 9"]);
    assert_eq!(clean("775\n77"), ["7 7 5", "7 7"]);
}

#[test]
fn positions_alone() {
    let readings = readings("# two\n 8,1S/8,1S 80 80 S 1\n\n5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 S 1\n");
    assert_eq!(readings[0].record.final_fen(), "8,1S/8,1S 80 80 S 1");
    assert_eq!(readings[1].record.game.variant(), Variant::Bestemshe);
    assert_eq!(
        fault("8,1S/8,1S 80 80 S 1\n  9S/9S 0 0 S 1"),
        "line 2, column 3: the position: South's row has 1 pits instead of 9"
    );
}

#[test]
fn json_of_every_kind() {
    for text in [
        "{\"moves\": [7, 7, 5]}",
        "[{\"moves\": \"775\"}]",
        "{\"moves\": \"7 7 5\", \"id\": 3, \"other\": {\"a\": [[]]}}",
        "{\"moves\": \"1. 76(10) 76(10)\\n2. 55\"}",
        "{\"moves\": [\"g1d2\", \"79:610\", 55]}",
        "{\"moves\": [\"76 (10)\", \"76\", \"55!\"]}",
        "{\"moves\": \"76 76 55\"}",
    ] {
        assert_eq!(clean(text), ["7 7 5"], "{text}");
    }
    assert_eq!(clean("{\"moves\": \"7\"}\n{\"moves\": \"7\"}\n"), ["7", "7"].map(str::to_owned));
    assert_eq!(clean("{\"moves\": \"76\"}\n{\"moves\": [76]}\n{\"moves\": \"79\"}"), ["7", "7", "7 9"]);
    let text = "[\n {\"tags\": {\"White\": \"Ә\", \"Elo\": \"1\"}, \"moves\": [7], \"result\": null, \"end\": null,\n \
                \"kazans\": [10, 0], \"notes\": [{\"ply\": 1, \"glyph\": \"!\", \"comment\": \"c\"}]}\n]";
    assert_eq!(clean(text), ["7"]);
    let reading = &readings(text)[0];
    assert_eq!((reading.place.line, reading.place.column), (2, 2));
    assert_eq!(reading.record.tags.iter().collect::<Vec<_>>(), [("White", "Ә"), ("Elo", "1")]);
    assert_eq!(reading.record.notes[&0].comment.as_deref(), Some("c"));
    let start = "{\"start\": \"8,1S/1S,8 80 80 N 4\", \"moves\": [1], \"final\": \"7,1S,1/1S,8 80 80 S 5\"}";
    assert_eq!(clean(start), ["1"]);
}

/// Where escapes stand in a text of moves, the lines and columns of what they mean are not those of the file.
#[test]
fn places_in_json_are_in_the_file() {
    let text = |moves: &str| format!("{{\"moves\":\n \"{moves}\"}}");
    assert_eq!(fault(&text("7 7 y")), "line 2, column 7: 'y' is neither a move nor a result");
    assert_eq!(fault(&text("7\\n7\\ny")), "line 2, column 3: 'y' is neither a move nor a result");
    let (told, _) = contradicted(&text("7\\n7\\n75"));
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("game 1, line 2, column 3: "), "{told:?}");
}

#[test]
fn contradictions_are_told_and_the_moves_kept() {
    let number = |text: &str, expected: &[&str]| {
        let (told, _) = contradicted(text);
        assert_eq!(told, expected, "{text}");
    };
    number(
        "1. 76(10) 98(9)",
        &[
            "game 1, line 1, column 11: move 1 of North, '98(9)': the move takes nothing",
            "game 1, line 1, column 11: move 1 of North, '98(9)': North's kazan becomes 0, not 9",
        ],
    );
    number(
        "1. 75(10)\n98X",
        &[
            "game 1, line 1, column 4: move 1 of South, '75(10)': the last stone falls in pit 6, not in pit 5",
            "game 1, line 2, column 1: move 1 of North, '98X': the move makes no tuzdyq",
        ],
    );
    number(
        "1. 79-610 78:610 2. 510:512",
        &[
            "game 1, line 1, column 4: move 1 of South, '79-610': the move takes 10 stones",
            "game 1, line 1, column 11: move 1 of North, '78:610': pit 7 holds 9 stones, not 8",
            "game 1, line 1, column 21: move 2 of South, '510:512': pit 5 comes to 11 stones, not 12",
            "game 1, line 1, column 21: move 2 of South, '510:512': the move takes nothing",
        ],
    );
    number(
        "7:6 (12)",
        &["game 1, line 1, column 1: move 1 of South, '7:6 (12)': South's kazan becomes 10, not 12"],
    );
    number(
        "g1d1",
        &["game 1, line 1, column 1: move 1 of South, 'g1d1': the last stone falls in d2, not in d1"],
    );
    number("70", &["game 1, line 1, column 1: move 1 of South, '70': there is no pit 0 in a row of 9"]);
    number("1. 76 76 3. 55 99 4. 12", &["game 1, line 1, column 10: '3.' is written before move 2 of South"]);
    number("1... 76", &["game 1, line 1, column 1: '1...' is written before move 1 of South"]);
    number(
        "[Result \"1-0\"]\n1. 76 0-1",
        &["game 1, line 2, column 7: the result is 1-0 in the tags and 0-1 after the moves"],
    );
    number(
        "[Result \"won\"]\n1. 76",
        &["game 1, line 1, column 1: 'won' is not a result (1-0, 0-1, 1/2-1/2 or *)"],
    );
    number(
        "[Variant \"chess\"]\n1. 76",
        &["game 1, line 1, column 1: 'chess' is not a variant known here; the game is read as togyzqumalaq"],
    );
    number(
        "1. 76 {zero}",
        &["game 1, line 1, column 7: '{zero}' says that the game ended by atsyrau, which it did not"],
    );
    let (told, _) = contradicted("{\"moves\": [7], \"final\": \"8,1S/8,1S 80 80 S 1\"}");
    assert!(
        told[0].contains("the recorded final position is '8,1S/8,1S 80 80 S 1', the rules give '9S,"),
        "{told:?}"
    );
}

#[test]
fn illegal_moves_and_those_after_them_are_left_out() {
    let table = [
        ("7 7 0 5", "move 2 of South, '0': there is no pit 0 in a row of 9; 2 moves are left out", 2),
        ("g1d2 g1d2", "move 1 of North, 'g1d2': g1 is a pit of South, who is not to move; it is left out", 1),
        ("9 2 8 1 7 2 6 1 9 2 5 1", "move 6 of North, '1': the game is over; it is left out", 11),
        ("z1a1", "move 1 of South, 'z1a1': there is no square z1; it is left out", 0),
    ];
    for (text, message, left) in table {
        let (told, moves) = contradicted(text);
        assert_eq!(told.len(), 1, "{text}: {told:?}");
        assert!(told[0].ends_with(message), "{text}: {told:?}");
        assert_eq!(moves.split_whitespace().count(), left, "{text}");
    }
}

#[test]
fn a_result_is_what_is_recorded() {
    let result = |text: &str| {
        let readings = readings(text);
        assert!(readings[0].contradictions.is_empty(), "{text}: {:?}", readings[0].contradictions);
        (readings[0].record.result, readings[0].record.known_result())
    };
    let (south, north) = (Some(GameResult::South), Some(GameResult::North));
    assert_eq!(result("1. 76 *"), (None, None));
    assert_eq!(result("[Result \"?\"]\n1. 76"), (None, None));
    assert_eq!(result("[Result \"1-0\"]\n1. 76"), (south, south));
    assert_eq!(result("[Result \"1-0\"]\n1. 76 *"), (south, south));
    assert_eq!(result("[Result \"*\"]\n1. 76 0:1"), (north, north));
    assert_eq!(result("[Result \"0-1\"]\n"), (north, north));
    // The shortest game: White wins by the rules.
    let short = "9 2 8 1 7 2 6 1 9 2 5";
    assert_eq!(result(short), (None, south));
    let (told, _) = contradicted(&format!("{short} 0-1"));
    assert!(told[0].contains("the recorded result is 0-1, the rules give 1-0 ("), "{told:?}");
    // What was recorded stays.
    assert_eq!(readings(&format!("{short} 0-1"))[0].record.result, north);
}

#[test]
fn games_are_told_apart() {
    let first = "1. 76 76 2. 55";
    let games = |text: &str| clean(text).len();
    assert_eq!(games(&format!("{first}\n\n{first}\n")), 2);
    assert_eq!(games(&format!("{first}\n{first}\n")), 2);
    assert_eq!(games(&format!("{first} 1-0 {first} 0-1")), 2);
    assert_eq!(games(&format!("[White \"A\"]\n{first}\n[White \"B\"]\n{first}")), 2);
    assert_eq!(games("[White \"A\"]\n[Black \"B\"]\n\n[White \"C\"]\n\n1. 76"), 2);
    assert_eq!(games("[White \"A\"]\n[White \"C\"]\n"), 2);
    assert_eq!(games("{a file}\n[White \"A\"]\n\n1. 76\n\n98"), 1);
    assert_eq!(games("1. 76 76\n\n2. 55 99"), 1);
    assert_eq!(games("1. 76 {a}\n\n1... 76 2. 55"), 1);
    assert_eq!(games("76 76\n55 99\n\n76 76"), 2);
    assert_eq!(games("1-0\n"), 1);
    assert_eq!(games(" \n# nothing\n"), 0);
    assert_eq!(games("{zero}"), 0);
    assert_eq!(games("[]"), 0);
}

#[test]
fn other_games_of_the_family() {
    let text = "[Variant \"bestemshe\"]\n[FEN \"5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 N 3\"]\n\n3... 54(6) 4. 1";
    let readings = readings(text);
    assert_eq!(readings[0].contradictions, []);
    assert_eq!(
        (readings[0].record.game.variant(), moves(&readings[0].record)),
        (Variant::Bestemshe, "5 1".to_owned())
    );
}

#[test]
fn faults_have_their_place() {
    for (text, message) in [
        ("1. 76 Х76", "line 1, column 7: 'Х76' is neither a move nor a result"),
        ("1. 76\n\u{feff}(4) 3 (x", "line 2, column 8: '(x' is not a kazan (write it as (10))"),
        ("(10) 76", "line 1, column 1: '(10)' without a move before it"),
        (
            "[FEN \"9S/9S 0 0 S 1\"]\n1. 76",
            "line 1, column 1: the position: South's row has 1 pits instead of 9",
        ),
        ("{\"moves\": [7,\n \"7 7\"]}", "line 2, column 2: not a single move"),
        ("{\"moves\": [7, 1.5]}", "line 1, column 15: not a move"),
        ("{\"moves\": [7, -5]}", "line 1, column 15: '-5' is neither a move nor a result"),
        ("{\"moves\": 7}", "line 1, column 11: the moves are no text and no array"),
        ("{\"moves\": \"7 [A]\"}", "line 1, column 14: not a move"),
        ("{\"moves\": [7], \"notes\": [{\"ply\": 2}]}", "line 1, column 1: a note of move 2 of 1"),
        (
            "{\"moves\": [7], \"notes\": [{\"ply\": 1, \"glyph\": \"x\"}]}",
            "line 1, column 1: a glyph is !, ?, !!, ??, !? or ?!",
        ),
    ] {
        assert_eq!(fault(text), message, "{text}");
    }
    for (text, part) in [
        ("[{\"moves\": [7]}, 5]", "line 1, column 1"),
        ("[{\"moves\": [7]},\n {\"tags\": {}}]", "line 2, column "),
        ("{\"moves\": [7}", "line 1, column "),
        ("[[7]]", "line 1, column "),
        ("[7, 2]", "line 1, column "),
        (&format!("{{\"moves\": [{}7]}}", "7,".repeat(100_000)), "line 1, column 2000"),
        (&"[".repeat(100_000), "line 1, column "),
    ] {
        assert!(fault(text).starts_with(part), "{}: {}", &text[..text.len().min(40)], fault(text));
    }
    let many = "71".repeat(60_000);
    assert_eq!(fault(&many), "line 1, column 100001: more than 100000 moves in one game");
    let tags: String = (0..1_001).map(|number| format!("[T{number} \"\"]\n")).collect();
    assert_eq!(fault(&tags), "line 1001, column 1: more than 1000 tags in one game");
}

#[test]
fn nothing_comes_after_an_error() {
    let mut games = read("1. 76 1-0 1. resigns 1. 76");
    assert!(games.next().is_some_and(|reading| reading.is_ok()));
    assert!(games.next().is_some_and(|reading| reading.is_err()));
    assert!(games.next().is_none());
}

#[test]
fn contradictions_of_one_game_are_limited() {
    let cycle = "12 12 23 23 34 34 45 45 56 56 67 67 78 78 89 89 91 91 ".repeat(30).replace("12", "13");
    let text = format!("[FEN \"8,1S/1S,8 80 80 S 1\"]\n\n{}", cycle.replace("23", "24"));
    let reading = &readings(&text)[0];
    assert_eq!(reading.contradictions.len(), MAX_CONTRADICTIONS);
}

mod writing {
    use super::*;

    const TAGGED: &str = "[Event \"Cup \\\"A\\\"\"]\n[White \"Ә\"]\n[Elo \"1500\"]\n\n{start} 1. 76(10)! {a} 1... 76= 2. 55 {b {c} 1-0";

    fn written(text: &str, format: Format) -> String {
        let mut writer = Writer::new(format);
        for reading in readings(text) {
            writer.add(&reading.record);
        }
        writer.finish()
    }

    #[test]
    fn every_format_says_the_same() {
        let sheet = "[Event \"Cup \\\"A\\\"\"]\n[White \"Ә\"]\n[Result \"1-0\"]\n[Elo \"1500\"]\n\n{start}\n";
        for (format, expected) in [
            (
                Format::Pgn,
                format!(
                    "{}{}",
                    sheet.replace("{start}\n", "{start} "),
                    "1. 76(10)! {a} 1... 76(10)= 2. 55 {b {c} 1-0\n\n"
                ),
            ),
            (Format::Tgk, format!("{sheet}1. 76! {{a}} 76=\n2. 55 {{b {{c}}\n\n")),
            (Format::Short, format!("{sheet}1. 7:6 (10)! {{a}} 7:6 (10)=\n2. 5-5 {{b {{c}}\n1-0\n\n")),
            (Format::Full, format!("{sheet}1. 79:610! {{a}}  79:610=\n2. 510-511 {{b {{c}}\n1-0\n\n")),
            (Format::Squares, "g1d2 c2f1 e1e2\n".to_owned()),
            (Format::Pits, "7 7 5\n".to_owned()),
        ] {
            assert_eq!(written(TAGGED, format), expected);
        }
        let json = written(TAGGED, Format::Json);
        assert!(json.contains("\"tags\":{\"Event\":\"Cup \\\"A\\\"\",\"White\":\"Ә\",\"Elo\":\"1500\"},\"moves\":[7,7,5],\"result\":\"1-0\",\"kazans\":[10,10],"), "{json}");
        assert!(json.contains("{\"ply\":2,\"draw_offer\":true},{\"ply\":3,\"comment\":\"b {c\"}"), "{json}");
        assert!(written(TAGGED, Format::Fen).ends_with(" 10 10 N 2\n"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let from_north = "[FEN \"8,1S/1S,8 80 80 N 4\"]\n\n4... 12 5. 12 *";
        let small = "[Variant \"kozdatu\"]\n\n1. 1 2";
        let empty = "[White \"A\"]\n\n1-0\n";
        let text = [TAGGED, from_north, small, empty, SAMPLE, "1. 76"].join("\n\n");
        let originals = readings(&text);
        assert_eq!(originals.len(), 6);
        for format in Format::ALL.into_iter().filter(|&format| format != Format::Fen) {
            let text = written(&text, format);
            assert_eq!(
                clean(&text),
                originals.iter().map(|one| moves(&one.record)).collect::<Vec<_>>(),
                "{text}"
            );
            for (one, again) in originals.iter().zip(readings(&text)) {
                assert_eq!(one.record.final_fen(), again.record.final_fen(), "{text}");
                assert_eq!(one.record.game.variant(), again.record.game.variant());
                if ![Format::Squares, Format::Pits].contains(&format) {
                    assert_eq!(one.record.result, again.record.result, "{text}");
                    assert_eq!(one.record.notes, again.record.notes, "{text}");
                    assert_eq!(one.record.comment, again.record.comment, "{text}");
                    let tags = |record: &Record| {
                        record
                            .tags
                            .sorted()
                            .concat()
                            .iter()
                            .map(|(name, value)| format!("{name} {value}"))
                            .collect::<Vec<_>>()
                    };
                    assert_eq!(tags(&one.record), tags(&again.record), "{text}");
                }
            }
            // One form: what is written is written again as it is.
            assert_eq!(written(&text, format), text);
        }
    }

    #[test]
    fn an_atsyrau_is_told() {
        let text = "[FEN \"8,1S/1S,8 80 80 S 1\"]\n1. 12";
        assert!(!written(text, Format::Pgn).contains("zero"));
        let over = "[FEN \"9/1S,8 81 80 S 1\"]\n1. 12 {zero}";
        assert_eq!(clean(over), ["1"]);
        assert!(written(over, Format::Pgn).ends_with("\n\n1. 12 1-0 {zero}\n\n"));
    }

    #[test]
    fn texts_from_outside_cannot_break_the_form() {
        let mut record = readings(SAMPLE).remove(0).record;
        record.tags.set("a]b \"", "line\nbreak ] \" \\");
        record.tags.set("", "nameless");
        record.comment = Some("a } b\n\n1. 76".to_owned());
        record.notes.insert(0, Note { comment: Some("zero".to_owned()), ..Note::default() });
        record.notes.insert(1, Note { comment: Some(" } ".to_owned()), ..Note::default() });
        for format in [Format::Pgn, Format::Tgk, Format::Short, Format::Full] {
            let mut writer = Writer::new(format);
            writer.add(&record);
            let text = writer.finish();
            assert_eq!(clean(&text), [SAMPLE_MOVES], "{text}");
            let again = readings(&text).remove(0).record;
            assert_eq!(again.tags.get("a_b__"), Some("line break ] \" \\"), "{text}");
            assert_eq!(again.comment.as_deref(), Some("a ) b 1. 76"));
        }
    }
}
