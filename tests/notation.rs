//! Positions and moves as text: what is written can be read again, and bad text is refused with the reason.

use proptest::prelude::*;
use tuzdyq::game::{
    Bestemshe, Effect, Kozdatu, Pit, Position, Rules, Side, Togyzqumalaq, parse_move, squares,
};

const IMPOSSIBLE: &str = include_str!("../positions/impossible.fen");

/// The most half-moves of a playout: long enough to reach most ends.
const PLAYOUT: usize = 150;

/// Plays the moves that `choices` picks among the legal ones, and visits every position.
fn playout<R: Rules>(choices: &[u8], mut visit: impl FnMut(&Position<R>)) {
    let mut position = Position::start();
    visit(&position);
    for &choice in choices {
        let moves: Vec<Pit> = position.moves().collect();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[usize::from(choice) % moves.len()]).0;
        visit(&position);
    }
}

fn check_fen<R: Rules>(position: &Position<R>) {
    let fen = position.to_string();
    let again: Position<R> = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again, *position, "{fen}");
    assert_eq!(again.key(), position.key(), "{fen}");
    assert_eq!(again.move_number(), position.move_number(), "{fen}");
    assert_eq!(again.to_string(), fen);
}

/// Where the last stone falls, sown one by one.
fn landing<R: Rules>(position: &Position<R>, pit: Pit) -> (Side, usize) {
    let mut stones = position.half(position.turn()).stones(pit);
    let mut place = pit.index();
    if stones > 1 {
        stones -= 1;
    }
    for _ in 0..stones {
        place = (place + 1) % (2 * R::PITS);
    }
    let side = if place < R::PITS { position.turn() } else { position.turn().other() };
    (side, place % R::PITS + 1)
}

/// All spellings of a move, made from the rules as tests know them.
fn forms<R: Rules>(position: &Position<R>, pit: Pit) -> Vec<String> {
    let side = position.turn();
    let (next, Effect { tuzdyq, .. }) = position.play(pit);
    let (landing_side, number) = landing(position, pit);
    let kazan = next.half(side).kazan();
    let square = |side, number| {
        let letters = &"abcdefghi"[..R::PITS];
        match side {
            Side::South => format!("{}1", &letters[number - 1..number]),
            Side::North => format!("{}2", &letters[R::PITS - number..=R::PITS - number]),
        }
    };
    let from = square(side, usize::from(pit.number()));
    let in_squares = from + &square(landing_side, number);
    assert_eq!(in_squares, squares(position, pit), "{position}");

    let mut forms = vec![pit.to_string(), format!("{pit}{number}"), format!("{pit}{number}({kazan})")];
    if tuzdyq {
        for mark in ["X", "x", "Х", "х"] {
            forms.push(format!("{pit}{number}{mark}"));
            forms.push(format!("{pit}{number}{mark}({kazan})"));
        }
    }
    forms.push(in_squares.to_uppercase());
    forms.push(in_squares);
    forms
}

fn check_moves<R: Rules>(position: &Position<R>) {
    for pit in Pit::all(9) {
        if position.moves().contains(pit) {
            for form in forms(position, pit) {
                assert_eq!(parse_move(position, &form), Ok(pit), "{form} in {position}");
            }
        } else {
            assert!(parse_move(position, &pit.to_string()).is_err(), "{pit} in {position}");
        }
    }
}

/// A text that is a FEN, nearly one, or nothing of the kind.
fn fen_like() -> impl Strategy<Value = String> {
    let row =
        prop::collection::vec("[0-9]{0,3}S|[1-9]|t|T|[0-9]{8,12}|.?", 1..10).prop_map(|row| row.join(","));
    let board = (row.clone(), row).prop_map(|(north, south)| format!("{north}/{south}"));
    prop_oneof![
        any::<String>(),
        "[0-9StTN,/ -]{0,60}",
        (board, any::<u32>(), 0..200_u32, "[SNsn]?", any::<u32>()).prop_map(
            |(board, south, north, turn, number)| format!("{board} {south} {north} {turn} {number}")
        ),
    ]
}

/// A possible position, and mostly not one that play leads to.
fn possible_fen() -> impl Strategy<Value = String> {
    let cuts = prop::collection::vec(0..=162_u32, 19);
    (cuts, prop::option::of(0..8_usize), any::<bool>(), 1..=100_000_u32).prop_map(
        |(mut cuts, tuzdyq, south, number)| {
            cuts.extend([0, 162]);
            cuts.sort_unstable();
            let mut counts: Vec<u32> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let kazans = counts.split_off(18);
            let mut cells: Vec<String> = counts.iter().map(|count| format!("{count}S")).collect();
            let mut kazans = [kazans[0], kazans[1]];
            // One of South's pits becomes North's tuzdyq: its stones are in North's kazan.
            if let Some(pit) = tuzdyq.filter(|_| kazans[1] >= 3) {
                kazans[1] += counts[9 + pit];
                cells[9 + pit] = "T".to_owned();
            }
            let turn = if south { 'S' } else { 'N' };
            let (north, south) = (cells[..9].join(","), cells[9..].join(","));
            format!("{north}/{south} {} {} {turn} {number}", kazans[0], kazans[1])
        },
    )
}

fn canonical<R: Rules>(text: &str) {
    if let Ok(position) = text.parse::<Position<R>>() {
        check_fen(&position);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn positions_of_play_round_trip(choices in prop::collection::vec(any::<u8>(), PLAYOUT)) {
        playout::<Togyzqumalaq>(&choices, check_fen);
        playout::<Bestemshe>(&choices, check_fen);
        playout::<Kozdatu>(&choices, check_fen);
    }

    #[test]
    fn moves_of_play_round_trip(choices in prop::collection::vec(any::<u8>(), PLAYOUT)) {
        playout::<Togyzqumalaq>(&choices, check_moves);
        playout::<Bestemshe>(&choices, check_moves);
        playout::<Kozdatu>(&choices, check_moves);
    }

    #[test]
    fn set_up_positions_round_trip(fen in possible_fen()) {
        let position: Position<Togyzqumalaq> = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        check_fen(&position);
        check_moves(&position);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

    #[test]
    fn any_text_is_read_or_refused_as_a_position(text in fen_like()) {
        canonical::<Togyzqumalaq>(&text);
        canonical::<Bestemshe>(&text);
        canonical::<Kozdatu>(&text);
    }

    #[test]
    fn any_text_is_read_or_refused_as_a_move(
        text in prop_oneof![
            any::<String>(),
            "[0-9a-jA-JXxХх()é-]{0,8}",
            "[a-j][0-3][a-j][0-3]",
            "[0-9]{2}X?(\\([0-9]{0,3}\\))?",
        ],
    ) {
        let start = Position::<Togyzqumalaq>::start();
        match parse_move(&start, &text) {
            Ok(pit) => assert!(forms(&start, pit).contains(&text.to_lowercase()) || text.contains('(')),
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    let lines = IMPOSSIBLE.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for line in lines {
        let (fen, reason) = line.split_once(';').unwrap_or_else(|| panic!("no reason: {line}"));
        match fen.parse::<Position<Togyzqumalaq>>() {
            Ok(position) => panic!("accepted: {fen} as {position}"),
            Err(error) => assert!(error.to_string().contains(reason.trim()), "{fen}: {error}"),
        }
        count += 1;
    }
    assert!(count >= 50, "only {count} lines were read");
}
