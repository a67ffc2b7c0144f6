use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::game::{Bestemshe, Kozdatu, Togyzqumalaq};

/// A position of a game: the start, and then a move chosen by each number.
fn reached<R: Rules>(choices: &[u8]) -> Position<R> {
    choices.iter().fold(Position::start(), |position, &choice| {
        let moves = position.moves();
        moves
            .clone()
            .nth(usize::from(choice) % moves.len().max(1))
            .map_or(position, |pit| position.play(pit).0)
    })
}

fn known(choice: u8, score: i16) -> Knowledge {
    let analysis = (!choice.is_multiple_of(3)).then_some(Analysis {
        score: Score::centistones(i32::from(score).clamp(-32_000, 32_000)),
        depth: choice,
    });
    let count = u32::from(choice);
    let tally = Tally { games: 5 + 3 * count, wins: count, draws: 5, losses: 2 * count };
    Knowledge { analysis, tally }
}

/// A book of the positions of some games; in each, the moves whose bit is set in the number.
fn contents<R: Rules>(games: &[(Vec<u8>, u16, i16)]) -> Contents {
    let mut contents = Contents::new(R::VARIANT, "made by a test".to_owned());
    for (choices, bits, score) in games {
        let position = reached::<R>(choices);
        for pit in position.moves().and(PitSet::from_bits(*bits)) {
            *contents.entry(Packed::of(&position), pit) = known(pit.number(), *score);
        }
    }
    contents
}

/// A small book, to be spoilt.
fn small() -> Contents {
    contents::<Togyzqumalaq>(&[(vec![], 0b1_0100_0001, 20), (vec![6], 0b11, -300)])
}

fn refused(bytes: &[u8]) -> String {
    Book::parse(bytes.to_vec()).expect_err("no book").to_string()
}

/// The bytes with a change, and the checksum that belongs to them.
fn changed(at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = small().to_bytes();
    bytes[at..at + new.len()].copy_from_slice(new);
    let end = bytes.len() - 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn a_book_is_asked_for_either_colour() {
    let book = Book::parse(small().to_bytes()).unwrap();
    assert_eq!((book.header().positions, book.header().moves), (2, 5));
    let start = Position::<Togyzqumalaq>::start();
    let numbers =
        |position: &Position<_>| book.ask(position).iter().map(|it| it.pit.number()).collect::<Vec<_>>();
    assert_eq!(numbers(&start), [7, 1, 9], "the one without a score last");
    assert_eq!(numbers(&start.pass()), [7, 1, 9]);
    assert_eq!(numbers(&start.play(Pit::from_index(0)).0), [0; 0]);
    assert_eq!(book.line(&start, Pit::from_index(6)), [7, 2].map(|number| Pit::from_index(number - 1)));
    assert!(book.ask(&Position::<Kozdatu>::start()).is_empty(), "another game");
}

#[test]
fn every_part_of_a_file_is_refused() {
    let bytes = small().to_bytes();
    for length in 0..bytes.len() {
        let error = refused(&bytes[..length]);
        let expected = format!("{length} bytes, expected ");
        assert!(error.starts_with(&expected), "{length}: {error}");
    }
    assert_eq!(refused(&[]), "0 bytes, expected a book, which has 28 or more");
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(refused(&longer), format!("{} bytes, expected {}", bytes.len() + 1, bytes.len()));
}

#[test]
fn every_changed_bit_is_noticed() {
    let bytes = small().to_bytes();
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(Book::parse(changed).is_err(), "bit {bit}");
    }
}

#[test]
fn wrong_headers_are_told_with_what_is_expected() {
    assert_eq!(
        refused(b"TUZDYQNN and so on, long enough for a header"),
        "not a book file: it begins with 'TUZDYQNN', expected 'TUZDYQBK'"
    );
    assert_eq!(refused(b"x"), "not a book file: it begins with 'x', expected 'TUZDYQBK'");
    assert_eq!(refused(&changed(8, &[9])), "format version 9, expected 1");
    let header = |at, new: &[u8]| refused(&changed(at, new));
    assert_eq!(header(10, &[3]), "game 3 in the header is not possible, expected 0 to 2");
    assert_eq!(header(11, &[1]), "reserved number 1 in the header is not possible, expected 0");
    assert_eq!(
        header(12, &[1, 16]),
        "length of the text 4097 in the header is not possible, expected 0 to 4096"
    );
    let length = small().to_bytes().len();
    assert_eq!(header(16, &[3]), format!("{length} bytes, expected {}", length + POSITION));
    assert_eq!(
        header(20, &[255; 4]),
        format!("{length} bytes, expected {}", length as u64 - 100 + 20 * 0xFFFF_FFFF)
    );
    assert_eq!(header(HEADER, b"\n"), "the text of the book is not one line of UTF-8");
    assert_eq!(header(HEADER, &[0xFF]), "the text of the book is not one line of UTF-8");
    let mut bytes = small().to_bytes();
    bytes[HEADER] ^= 1;
    let error = refused(&bytes);
    assert!(error.starts_with("checksum ") && error.contains(", expected "), "{error}");
}

#[test]
fn impossible_positions_and_moves_are_named() {
    let positions = HEADER + "made by a test".len();
    let moves = positions + 2 * POSITION;
    // By the order of the bytes, the start position is the first one; its moves are 1, 7 and 9.
    let start = *Packed::of(&Position::<Togyzqumalaq>::start()).bytes();
    assert_eq!(small().to_bytes()[positions..][..Packed::BYTES], start);
    let second = small().to_bytes()[positions + POSITION..][..Packed::BYTES].to_vec();
    for (at, new, error) in [
        (positions, &second[..], "position 2: expected one that is greater than the one before it"),
        (positions + POSITION, &start, "position 2: expected one that is greater than the one before it"),
        (positions, &[255], "position 1: expected one of togyzqumalaq, found that "),
        (positions + 20, &[1], "position 1: its moves end at 3, expected 1 to 9 moves from 1 on"),
        (positions + POSITION + 20, &[0], "position 1: its moves end at 0, expected 1 to 9 moves from 0 on"),
        (positions + POSITION + 20, &[5], "position 1: move 1, expected no move"),
        (positions + POSITION + 20, &[255; 4], "position 1: its moves end at 4294967295, expected"),
        (moves, &[10], "position 1: move 10, expected one of 1 2 3 4 5 6 7 8 9"),
        (moves, &[0], "position 1: move 0, expected one of"),
        (moves + MOVE, &[1], "position 1: move 1, expected one of 2 3 4 5 6 7 8 9"),
        (moves + 2, &32_001_i16.to_le_bytes(), "position 1, move 1: score 32001, expected -32000 to 32000"),
        (moves + 1, &[0], "position 1, move 1: score 20 of depth 0, expected 0 without an analysis"),
        (moves + 4, &[1, 0], "position 1, move 1: 8 results, expected not more than the games"),
    ] {
        let found = refused(&changed(at, new));
        assert!(found.starts_with(error), "{found}\ninstead of\n{error}");
    }
    let mut nothing = small();
    *nothing.positions.values_mut().next().unwrap().values_mut().next().unwrap() = Knowledge::default();
    let found = refused(&nothing.to_bytes());
    assert_eq!(found, "position 1, move 1: nothing, expected games or an analysis");
}

#[test]
fn no_move_is_legal_in_a_game_that_is_over() {
    let over: Position<Togyzqumalaq> = "8,1S/9 80 81 S 1".parse().unwrap();
    let mut contents = Contents::new(Variant::Togyzqumalaq, String::new());
    *contents.entry(Packed::of(&over), Pit::from_index(0)) = known(1, 0);
    assert_eq!(refused(&contents.to_bytes()), "position 1: move 1, expected no move");
}

fn games() -> impl Strategy<Value = Vec<(Vec<u8>, u16, i16)>> {
    vec((vec(any::<u8>(), 0..30), 1..512_u16, any::<i16>()), 0..40)
}

fn comes_back<R: Rules>(games: &[(Vec<u8>, u16, i16)]) {
    let contents = contents::<R>(games);
    let bytes = contents.to_bytes();
    let book = Book::parse(bytes.clone()).unwrap();
    assert_eq!(book.bytes(), bytes);
    assert_eq!(book.header().origin, contents.origin);
    let read: Vec<_> = book.positions().collect();
    let written: Vec<(Packed, Vec<(Pit, Knowledge)>)> = contents
        .positions
        .iter()
        .map(|(packed, moves)| (*packed, moves.clone().into_iter().collect()))
        .collect();
    assert_eq!(read, written);
    for (choices, ..) in games {
        let position = reached::<R>(choices);
        let asked: Vec<Pit> = book.ask(&position).iter().map(|it| it.pit).collect();
        let there = contents.positions.get(&Packed::of(&position));
        assert_eq!(asked.len(), there.map_or(0, std::collections::BTreeMap::len));
        assert!(asked.iter().all(|&pit| position.moves().contains(pit)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_books_come_back(games in games()) {
        comes_back::<Togyzqumalaq>(&games);
        comes_back::<Kozdatu>(&games);
        comes_back::<Bestemshe>(&games);
    }

    #[test]
    fn random_bytes_are_refused(bytes in vec(any::<u8>(), 0..400)) {
        assert!(Book::parse(bytes).is_err());
    }

    /// Whatever is in the file, with the right length and checksum: it is refused, or all its moves are legal.
    #[test]
    fn spoilt_books_never_crash(
        games in games(),
        spoils in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = contents::<Kozdatu>(&games).to_bytes();
        let end = bytes.len() - 4;
        for (at, byte) in spoils {
            bytes[at.index(end)] = byte;
        }
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        if let Ok(book) = Book::parse(bytes) {
            for (packed, moves) in book.positions() {
                with_rules!(book.header().variant, R => {
                    let position = packed.position::<R>(0).unwrap();
                    assert!(moves.iter().all(|&(pit, _)| position.moves().contains(pit)));
                    assert_eq!(book.ask(&position).len(), moves.len());
                });
            }
        }
    }
}
