//! The exact endgames against a solver of their own kind: the plain model of the rules, and values found move by move.

mod common;

use std::collections::HashMap;

use common::model::{Game, Model, SOUTH};
use common::{game_of, parse};
use tuzdyq::endgame::format::{Packed, Unpacker, write};
use tuzdyq::endgame::index::Index;
use tuzdyq::endgame::solve::{Bounds, Lower, Unit, Values};
use tuzdyq::endgame::{Configuration, Endgames, Verdict};
use tuzdyq::engine::endgames::built_in;
use tuzdyq::game::{Bestemshe, Kozdatu, Position, Rules, Togyzqumalaq, Variant};

/// What makes positions different for their values: the rows of the mover and of the other side, their tuzdyqs.
type Key = (Vec<u32>, Vec<u32>, [Option<usize>; 2]);

/// One position of the plain solver.
struct Node {
    model: Model,
    stones: u32,
    /// What each move gains, how many stones are left after it, and which position it leads to.
    moves: Vec<(u32, u32, usize)>,
    lower: u32,
    upper: u32,
}

/// All rows of so many pits with up to so many stones.
fn rows(pits: usize, most: u32) -> Vec<Vec<u32>> {
    let mut rows = vec![vec![]];
    for _ in 0..pits {
        let longer = |row: &Vec<u32>| {
            let left = most - row.iter().sum::<u32>();
            let row = row.clone();
            (0..=left).map(move |stones| [row.clone(), vec![stones]].concat()).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}

/// All positions with up to so many stones in the pits, South to move, empty kazans.
fn positions(game: Game, most: u32) -> Vec<Model> {
    let numbers = || std::iter::once(None).chain((1..game.pits).filter(|_| game.has_tuzdyq).map(Some));
    let all = rows(game.pits, most);
    let mut positions = Vec::new();
    for south in numbers() {
        for north in numbers().filter(|&north| north.is_none() || north != south) {
            let empty = |row: &[u32], captured: Option<usize>| captured.is_none_or(|pit| row[pit - 1] == 0);
            for own in all.iter().filter(|row| empty(row, north)) {
                let left = most - own.iter().sum::<u32>();
                for other in all.iter().filter(|row| empty(row, south) && row.iter().sum::<u32>() <= left) {
                    let rows = [own.clone(), other.clone()];
                    positions.push(Model { rows, tuzdyqs: [south, north], ..Model::start(game) });
                }
            }
        }
    }
    positions
}

fn key(model: &Model) -> Key {
    let (me, other) = (model.side, 1 - model.side);
    (model.rows[me].clone(), model.rows[other].clone(), [model.tuzdyqs[me], model.tuzdyqs[other]])
}

/// Solves all positions with up to so many stones: what the mover can be sure of, and what it can be held to, each from
/// those after its moves, again and again until nothing changes.
fn solve(game: Game, most: u32) -> Vec<Node> {
    let positions = positions(game, most);
    let numbers: HashMap<Key, usize> = positions.iter().map(key).zip(0..).collect();
    assert_eq!(numbers.len(), positions.len());
    let mut nodes: Vec<Node> = positions.into_iter().map(|model| node(model, &numbers)).collect();
    loop {
        let mut changed = false;
        for number in 0..nodes.len() {
            let after = |&(gain, left, child): &(u32, u32, usize)| {
                (gain + left - nodes[child].upper, gain + left - nodes[child].lower)
            };
            let bounds: Vec<_> = nodes[number].moves.iter().map(after).collect();
            let lower = bounds.iter().map(|&(lower, _)| lower).max().unwrap_or(0);
            let upper = bounds.iter().map(|&(_, upper)| upper).max().unwrap_or(0);
            changed |= (nodes[number].lower, nodes[number].upper) != (lower, upper);
            (nodes[number].lower, nodes[number].upper) = (lower, upper);
        }
        if !changed {
            return nodes;
        }
    }
}

fn node(model: Model, numbers: &HashMap<Key, usize>) -> Node {
    let stones = model.rows.iter().flatten().sum();
    let moves = model.legal_moves().into_iter().map(|pit| {
        let mut after = model.clone();
        after.play(pit);
        let left = after.rows.iter().flatten().sum();
        (after.kazans[SOUTH], left, numbers[&key(&after)])
    });
    Node { moves: moves.collect(), stones, lower: 0, upper: stones, model }
}

/// The same position with kazans that make it one of a game.
fn position_of<R: Rules>(node: &Node) -> Position<R> {
    let banked = node.model.game.total() - node.stones;
    let kazans = [banked / 2, banked - banked / 2];
    parse(&Model { kazans, ..node.model.clone() }.fen())
}

fn agrees_with_the_plain_solver<R: Rules>(most: u32, positions: usize) {
    let endgames = Endgames::new::<R>(built_in(R::VARIANT), 1 << 26);
    let nodes = solve(game_of(R::VARIANT), most);
    assert_eq!(nodes.len(), positions);
    for node in &nodes {
        let position: Position<R> = position_of(node);
        let bounds = endgames.probe(position.board()).expect("a layer built in");
        let expected = Bounds { lower: node.lower as u8, upper: node.upper as u8 };
        assert_eq!(bounds, expected, "{position}");
    }
}

#[test]
fn positions_of_up_to_five_stones_have_the_values_of_the_plain_solver() {
    agrees_with_the_plain_solver::<Togyzqumalaq>(5, 73 + 1186 + 10_235 + 62_340 + 300_561 + 1_220_142);
}

#[test]
fn so_have_those_of_the_smaller_games() {
    agrees_with_the_plain_solver::<Kozdatu>(5, 43 + 530 + 3537 + 16_940 + 65_170 + 213_864);
    agrees_with_the_plain_solver::<Bestemshe>(9, 92_378);
}

#[test]
fn layers_have_as_many_positions_as_can_be_counted() {
    let counts = [73, 1186, 10_235, 62_340, 300_561, 1_220_142, 4_333_539, 13_819_080, 40_306_695];
    for (layer, expected) in built_in(Variant::Togyzqumalaq).iter().zip(counts) {
        let header = layer.header();
        assert_eq!((header.positions, header.open), (expected, 0));
        assert_eq!(Index::layer::<Togyzqumalaq>(header.stones), expected);
    }
    assert_eq!(built_in(Variant::Togyzqumalaq).len(), counts.len());
    for (variant, layers) in [(Variant::Kozdatu, 7), (Variant::Bestemshe, 12)] {
        assert_eq!(built_in(variant).len(), layers);
    }
}

/// Layers solved here, as the builder does.
#[derive(Default)]
struct Solved(Vec<Vec<Values>>);

impl Lower for Solved {
    fn is_exact(&self) -> bool {
        self.0.iter().flatten().all(|values| values.open() == 0)
    }

    fn bounds(&self, stones: u32, configuration: usize, rank: u64) -> Bounds {
        self.0[stones as usize][configuration].get(rank as usize)
    }
}

fn rebuild<R: Rules>(most: u32) {
    let index = Index::new::<R>(most);
    let mut solved = Solved::default();
    let mut unpacker = Unpacker::new().unwrap();
    for layer in built_in(R::VARIANT).iter().take(most as usize + 1) {
        let stones = layer.header().stones;
        let mut tables: Vec<Option<Values>> = vec![None; index.configurations().len()];
        for configuration in Unit::<Solved>::all(&index) {
            let unit = Unit::new(&index, &solved, stones, configuration);
            for (number, values) in unit.solve::<R>(&mut |_| true).expect("never told to stop") {
                tables[number] = Some(values);
            }
        }
        let tables: Vec<Values> = tables.into_iter().map(|table| table.expect("solved")).collect();
        for (number, values) in tables.iter().enumerate() {
            assert!(
                *values == layer.values(number, &mut unpacker).unwrap(),
                "{stones} stones, table {number}"
            );
        }
        if stones <= 4 {
            let pack = |values: &Values| Packed::new(values, 16, || true).unwrap();
            let packed: Vec<_> = tables.iter().map(pack).collect();
            let path = format!("{}/endgames/{}-{stones:02}.tqe", env!("CARGO_MANIFEST_DIR"), R::VARIANT);
            let bytes = std::fs::read(path).expect("a layer built in");
            assert!(write(R::VARIANT, stones, 16, &packed) == bytes, "{stones} stones");
        }
        solved.0.push(tables);
    }
}

#[test]
fn the_layers_built_in_are_those_that_the_builder_makes() {
    rebuild::<Togyzqumalaq>(6);
    rebuild::<Kozdatu>(6);
    rebuild::<Bestemshe>(11);
}

#[test]
fn every_number_has_its_position_and_back() {
    fn check<R: Rules>(most: u32) {
        let index = Index::new::<R>(most);
        for stones in 0..=most {
            for &configuration in index.configurations() {
                let count = Index::count::<R>(configuration, stones);
                let mut next = count;
                Index::positions_from_last::<R>(stones, configuration, &mut |number, own, other| {
                    next -= 1;
                    assert_eq!(number as u64, next);
                    assert_eq!(index.rank::<R>(own, other), next);
                    let board = index.board::<R>(stones, configuration, next);
                    assert!([board.mover(), board.opponent()] == [own, other], "{board:?}");
                });
                assert_eq!(next, 0);
            }
        }
    }
    check::<Togyzqumalaq>(4);
    check::<Kozdatu>(5);
    check::<Bestemshe>(10);
}

#[test]
fn there_are_73_configurations_and_each_has_its_number() {
    for (number, expected) in [(Index::new::<Togyzqumalaq>(1), 73), (Index::new::<Kozdatu>(1), 43)] {
        assert_eq!(number.configurations().len(), expected);
        for (place, &configuration) in number.configurations().iter().enumerate() {
            assert_eq!(number.number(configuration), place);
            assert_eq!(configuration.turned().turned(), configuration);
        }
    }
    assert_eq!(Configuration::all::<Bestemshe>(), [Configuration::default()]);
}

#[test]
fn the_verdict_counts_the_kazans() {
    let endgames = Endgames::new::<Togyzqumalaq>(built_in(Variant::Togyzqumalaq), 1 << 26);
    for (fen, value, verdict) in [
        // South moves, and North has no stone then: what is left is South's.
        ("9/1S,8 81 80 S 60", 1, Verdict::Win),
        ("9/1S,8 80 81 S 60", 1, Verdict::Draw),
        ("9/1S,8 79 82 S 60", 1, Verdict::Loss),
        // South has no stone.
        ("8,1S/9 81 80 S 60", 0, Verdict::Draw),
        ("8,1S/9 80 81 S 60", 0, Verdict::Loss),
        ("9/9 81 81 S 60", 0, Verdict::Draw),
    ] {
        let position: Position<Togyzqumalaq> = parse(fen);
        let bounds = endgames.probe(position.board()).unwrap();
        assert_eq!(bounds, Bounds { lower: value, upper: value }, "{fen}");
        assert_eq!(Verdict::of(position.board(), bounds), verdict, "{fen}");
    }
}
