use super::*;

fn kinds(text: &str) -> Vec<Kind<'_>> {
    let mut lexer = Lexer::new(text, 0, Place::START);
    let mut kinds = Vec::new();
    while let Some(token) = lexer.next().unwrap_or_else(|error| panic!("{text}: {error}")) {
        kinds.push(token.kind);
    }
    kinds
}

fn fault(text: &str) -> String {
    let mut lexer = Lexer::new(text, 0, Place::START);
    loop {
        match lexer.next() {
            Ok(Some(_)) => (),
            Ok(None) => panic!("{text}: can be read"),
            Err(error) => return error.to_string(),
        }
    }
}

/// A move of a score sheet.
fn sheet(
    origin: u8,
    stones: Option<u32>,
    takes: bool,
    landing: u8,
    landing_stones: Option<u32>,
) -> Kind<'static> {
    let written = Written::new(Spot::Pit(origin));
    let landing = Some(Spot::Pit(landing));
    Kind::Move(Written { stones, landing, landing_stones, takes: Some(takes), ..written })
}

#[test]
fn moves_of_every_form() {
    assert_eq!(kinds("76(10)"), [Kind::Digits("76"), Kind::Kazan(10)]);
    assert_eq!(kinds("76 ( 10 )"), [Kind::Digits("76"), Kind::Kazan(10)]);
    for mark in ["36X", "36x", "36Х", "36 х"] {
        assert_eq!(kinds(mark), [Kind::Digits("36"), Kind::Tuzdyq], "{mark}");
    }
    for text in ["79:610", "79: 610", "79 :610", "79 : 610"] {
        assert_eq!(kinds(text), [sheet(7, Some(9), true, 6, Some(10))], "{text}");
    }
    for text in ["510-511", "510–511", "510 -511", "510- 511", "510—511", "510−511"] {
        assert_eq!(kinds(text), [sheet(5, Some(10), false, 5, Some(11))], "{text}");
    }
    assert_eq!(
        kinds("9-8 8:7 (4)"),
        [sheet(9, None, false, 8, None), sheet(8, None, true, 7, None), Kind::Kazan(4)]
    );
    // A dash that stands apart is one between columns.
    assert_eq!(kinds("76 - 98 —"), [Kind::Digits("76"), Kind::Digits("98")]);
    let squares = |column, row, to, to_row| {
        let landing = Some(Spot::Square(to, to_row));
        Kind::Move(Written { landing, ..Written::new(Spot::Square(column, row)) })
    };
    assert_eq!(
        kinds("g1d2 I2-A1x"),
        [squares('g', '1', 'd', '2'), squares('i', '2', 'a', '1'), Kind::Tuzdyq]
    );
    assert_eq!(kinds("7 2\t3, 796817"), ["7", "2", "3", "796817"].map(Kind::Digits));
}

#[test]
fn numbers_and_marks() {
    let number = |number, north| Kind::Number { number, north };
    assert_eq!(
        kinds("1. 2) 3... 4… 5. ..."),
        [number(1, false), number(2, false), number(3, true), number(4, true), number(5, false)]
    );
    assert_eq!(kinds("1.76"), [number(1, false), Kind::Digits("76")]);
    assert_eq!(kinds("92:114."), [sheet(9, Some(2), true, 1, Some(14))]);
    let glyphs =
        [Glyph::Good, Glyph::Mistake, Glyph::Brilliant, Glyph::Blunder].map(|glyph| Kind::Glyph(Some(glyph)));
    assert_eq!(kinds("! ? !! $4"), glyphs);
    assert_eq!(kinds("= $140"), [Kind::DrawOffer, Kind::Glyph(None)]);
}

#[test]
fn results_are_no_moves() {
    for (text, result) in [
        ("1-0", Some(GameResult::South)),
        ("0:1", Some(GameResult::North)),
        ("½-½", Some(GameResult::Draw)),
        ("0,5-0,5", Some(GameResult::Draw)),
        ("0.5-0.5", Some(GameResult::Draw)),
        ("1/2-1/2", Some(GameResult::Draw)),
        ("*", None),
    ] {
        assert_eq!(
            kinds(&format!("{text} {{zero}}")),
            [Kind::Result(result), Kind::Comment("zero")],
            "{text}"
        );
    }
}

#[test]
fn tags_with_any_value() {
    let tag = |text| match kinds(text).remove(0) {
        Kind::Tag(name, value) => format!("{name}={value}"),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(tag("[White \"A\"]"), "White=A");
    assert_eq!(tag("[ White  \" A ]\" ]"), "White= A ]");
    assert_eq!(
        tag(r#"[Event "the "open" \"cup\" \\ a\b"]"#),
        r#"Event=the "open" "cup" \ ab"#.replace("ab", "a\\b")
    );
    assert_eq!(tag("[Round 3]"), "Round=3");
    assert_eq!(tag("[Date]"), "Date=");
    assert_eq!(kinds("[A \"1\"] [B \"2\"]").len(), 2);
}

#[test]
fn lines_are_noticed() {
    let mut lexer = Lexer::new("7 2\r\n# no game\n3 {a\nb}\n \n4", 0, Place::START);
    let mut seen = Vec::new();
    while let Some(token) = lexer.next().unwrap() {
        seen.push((token.place.line, token.place.column, token.first_on_line, token.after_blank));
    }
    assert_eq!(
        seen,
        [
            (1, 1, true, false),
            (1, 3, false, false),
            (3, 1, true, false),
            (3, 3, false, false),
            (6, 1, true, true)
        ]
    );
}

#[test]
fn what_is_no_token_is_refused_with_its_place() {
    for (text, message) in [
        ("7 resigns", "line 1, column 3: 'resigns' is neither a move nor a result"),
        ("7\n 2é 3", "line 2, column 2: '2é' is neither a move nor a result"),
        ("7 {a\n\nb", "line 1, column 3: a comment without its '}'"),
        ("7 }", "line 1, column 3: '}' is neither a move nor a result"),
        ("[White \"A\n\"]", "line 1, column 1: not a tag (write [Name \"value\"])"),
        ("[\"A\"]", "line 1, column 1: not a tag (write [Name \"value\"])"),
        ("[", "line 1, column 1: not a tag (write [Name \"value\"])"),
        ("76(", "line 1, column 3: '(' is not a kazan (write it as (10))"),
        ("76(1 0) 98", "line 1, column 3: '(1 0)' is not a kazan (write it as (10))"),
        ("76(99999999999)", "line 1, column 3: '(99999999999)' is not a kazan (write it as (10))"),
        ("7 (2 (3))", "line 1, column 3: '(2 (3)' is not a kazan (write it as (10))"),
        ("99999999999. 7", "line 1, column 1: '99999999999' is too large"),
        ("71234:6", "line 1, column 1: '1234' is too large"),
        ("!!!", "line 1, column 1: '!!!' is neither a move nor a result"),
        ("g1d", "line 1, column 1: 'g1d' is neither a move nor a result"),
        ("g1d2e", "line 1, column 1: 'g1d2e' is neither a move nor a result"),
        ("36X47", "line 1, column 3: 'X47' is neither a move nor a result"),
        ("٧", "line 1, column 1: '٧' is neither a move nor a result"),
        ("½", "line 1, column 1: '½' is neither a move nor a result"),
    ] {
        assert_eq!(fault(text), message, "{text}");
    }
}
