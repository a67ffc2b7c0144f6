//! Reads the files of endgames by docs/endgame-format.md alone, and compares with the library.

mod common;

use common::searching::random_endings;
use tuzdyq::endgame::Endgames;
use tuzdyq::engine::endgames::built_in;
use tuzdyq::game::{Bestemshe, Half, Kozdatu, Pit, Position, Rules, Togyzqumalaq};

fn number(bytes: &[u8], offset: usize, length: usize) -> usize {
    bytes[offset..offset + length].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

fn ways(stones: usize, pits: usize) -> usize {
    binomial(stones + pits - 1, pits - 1)
}

/// The stones of a row, without its tuzdyq.
fn row<R: Rules>(half: &Half) -> Vec<usize> {
    let live = Pit::all(R::PITS).filter(|&pit| half.captured_pit() != Some(pit));
    live.map(|pit| half.stones(pit) as usize).collect()
}

fn number_of_row(row: &[usize]) -> usize {
    let mut sum = 0;
    let mut number = 0;
    for (k, stones) in row.iter().rev().take(row.len() - 1).enumerate() {
        sum += stones;
        number += binomial(sum + k, k + 1);
    }
    number
}

fn number_of_position<R: Rules>(position: &Position<R>) -> usize {
    let (own, other) = (row::<R>(position.board().mover()), row::<R>(position.board().opponent()));
    let (p, q, m) = (own.len(), other.len(), own.iter().sum::<usize>());
    let n = m + other.iter().sum::<usize>();
    let before: usize = (m + 1..=n).map(|i| ways(i, p) * ways(n - i, q)).sum();
    before + number_of_row(&other) * ways(m, p) + number_of_row(&own)
}

fn configurations<R: Rules>() -> Vec<(usize, usize)> {
    let most = if R::TUZDYQ { R::PITS - 1 } else { 0 };
    let all = (0..=most).flat_map(|m| (0..=most).map(move |o| (m, o)));
    all.filter(|&(m, o)| m != o || m == 0).collect()
}

/// The value in the bytes of a file.
fn value<R: Rules>(file: &[u8], position: &Position<R>) -> (u8, u8) {
    assert_eq!(&file[..8], b"TUZDYQEG");
    assert_eq!(number(file, 8, 2), 1);
    assert_eq!(number(file, 11, 1), position.board().stones_left() as usize);
    let (block_size, tables, blocks) = (1 << file[12], number(file, 14, 2), number(file, 32, 8));
    assert_eq!(file.len(), 52 + tables + 8 * blocks + number(file, 40, 8));
    let place = |half: &Half| half.captured_pit().map_or(0, |pit| usize::from(pit.number()));
    let mine = (place(position.board().opponent()), place(position.board().mover()));
    let stones = number(file, 11, 1);
    let mut first = 0;
    for (index, &(m, o)) in configurations::<R>().iter().enumerate() {
        let pits = 2 * R::PITS - usize::from(m > 0) - usize::from(o > 0);
        let positions = ways(stones, pits);
        if (m, o) != mine {
            first += if file[48 + index] == 0 { 0 } else { positions.div_ceil(block_size) };
            continue;
        }
        let rank = number_of_position(position);
        let block = first + rank / block_size;
        let length = |block: usize| number(file, 48 + tables + 8 * block, 4);
        let start = 52 + tables + 8 * blocks + (0..block).map(length).sum::<usize>();
        let packed = &file[start..start + length(block)];
        let bytes = zstd::bulk::decompress(packed, 2 * block_size).expect("a frame");
        let size = block_size.min(positions - rank / block_size * block_size);
        let lower = bytes[rank % block_size];
        let width = if file[48 + index] == 2 { bytes[size + rank % block_size] } else { 0 };
        return (lower, lower + width);
    }
    panic!("no configuration {mine:?}");
}

fn files_are_as_described<R: Rules>(stones: u32) {
    let endgames = Endgames::new::<R>(built_in(R::VARIANT), 1 << 26);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/endgames");
    for game in random_endings::<R>(400, stones, 11) {
        let position = game.position();
        let left = position.board().stones_left();
        let file = std::fs::read(format!("{folder}/{}-{left:02}.tqe", R::VARIANT)).expect("a layer");
        let bounds = endgames.probe(position.board()).expect("a layer built in");
        assert_eq!(value(&file, position), (bounds.lower, bounds.upper), "{position}");
    }
}

#[test]
fn the_files_are_as_the_description_says() {
    files_are_as_described::<Togyzqumalaq>(7);
    files_are_as_described::<Kozdatu>(6);
    files_are_as_described::<Bestemshe>(11);
}

#[test]
fn the_example_of_the_description() {
    for pit in 0..9 {
        let row = |stone: bool| {
            let mut fields = ["", "", "", "", "", "", "", "", ""].map(|_| "1".to_owned());
            if stone {
                fields[pit] = "1S".to_owned();
            }
            fields
        };
        let (mut north, south) = (row(false), row(true));
        north.reverse();
        let fen = format!("{}/{} 81 80 S 1", north.join(","), south.join(","));
        let position: Position<Togyzqumalaq> = common::parse(&fen);
        assert_eq!(number_of_position(&position), pit);
        let (mut north, south) = (row(true), row(false));
        north.reverse();
        let fen = format!("{}/{} 81 80 S 1", north.join(","), south.join(","));
        assert_eq!(number_of_position::<Togyzqumalaq>(&common::parse(&fen)), 9 + pit);
    }
}
