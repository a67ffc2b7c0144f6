//! Runs the perft suites of `positions/`, and writes them anew.

mod common;

use std::fmt::Write;
use std::path::PathBuf;

use common::model::{Game, Model};
use common::{game_of, parse, random_setup, real_games};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tuzdyq::game::{Position, Rules, Variant, perft};
use tuzdyq::with_rules;

/// A line of a suite.
struct Entry {
    id: String,
    fen: String,
    /// Move sequences of 1, 2, 3... half-moves.
    counts: Vec<u64>,
}

fn path(variant: Variant) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "positions", &format!("perft-{variant}.txt")].iter().collect()
}

fn read_suite(variant: Variant) -> Vec<Entry> {
    let text = std::fs::read_to_string(path(variant)).expect("a perft suite");
    text.lines().filter(|line| !line.starts_with('#')).map(read_entry).collect()
}

fn read_entry(line: &str) -> Entry {
    let mut fields = line.split(" ; ");
    let mut field = || fields.next().expect(line).to_owned();
    let (id, fen) = (field(), field());
    let count = |(field, depth): (&str, u32)| {
        let count = field.strip_prefix(&format!("D{depth} ")).expect(line);
        count.parse().expect(line)
    };
    let counts: Vec<u64> = fields.zip(1..).map(count).collect();
    assert!(!counts.is_empty(), "{line}");
    Entry { id, fen, counts }
}

/// Runs a suite and gives the number of its positions.
fn run<R: Rules>() -> usize {
    let suite = read_suite(R::VARIANT);
    for Entry { id, fen, counts } in &suite {
        let position: Position<R> = parse(fen);
        assert_eq!(position.to_string(), *fen, "{id}");
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(position.board(), depth), count, "{id}, depth {depth}: {fen}");
        }
    }
    suite.len()
}

#[test]
fn togyzqumalaq_suite() {
    assert!(run::<tuzdyq::game::Togyzqumalaq>() > 40);
}

#[test]
fn bestemshe_suite() {
    assert!(run::<tuzdyq::game::Bestemshe>() > 15);
}

#[test]
fn kozdatu_suite() {
    assert!(run::<tuzdyq::game::Kozdatu>() > 15);
}

/// Figures that were known before this program.
#[test]
fn suites_begin_with_the_known_figures_of_the_start() {
    let known: [(Variant, &[u64]); 3] = [
        (Variant::Togyzqumalaq, &[9, 73, 613, 5199, 43_184, 360_035, 3_003_052, 25_166_174]),
        (Variant::Bestemshe, &[5, 21, 91, 407, 1761, 7782, 34_285, 153_588, 685_630]),
        (Variant::Kozdatu, &[7, 43, 274, 1775, 11_158, 70_797, 447_649, 2_857_234]),
    ];
    for (variant, counts) in known {
        let first = &read_suite(variant)[0];
        assert_eq!(first.fen, Model::start(game_of(variant)).fen());
        assert_eq!(first.counts[..counts.len()], *counts);
    }
}

/// Perft that plays every half-move and compares the hash at every node with the one computed afresh.
fn perft_with_keys<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    assert_eq!(position.key(), position.computed_key(), "{position}");
    if depth == 0 {
        return 1;
    }
    position.moves().map(|pit| perft_with_keys(&position.play(pit).0, depth - 1)).sum()
}

#[test]
fn the_hash_is_right_at_every_node() {
    for variant in Variant::ALL {
        with_rules!(variant, R => for Entry { fen, counts, .. } in read_suite(variant) {
            let depth = counts.iter().take_while(|&&count| count < 100_000).count();
            assert_eq!(perft_with_keys::<R>(&parse(&fen), depth as u32), counts[depth - 1], "{fen}");
        });
    }
}

/// Writing the suites: which positions they have, and what the counts are.
mod generator {
    use super::*;

    const HEADER: &str = "\
# Perft: how many move sequences of exactly 1, 2, 3... half-moves a position has; a finished game has none.
# A line is an id, the position (see src/game/notation/fen.rs) and the counts: id ; FEN ; D1 n ; D2 n ; ...
# Two independent implementations agree on every count: src/game and the plain model in tests/common/model.rs.
# tests/perft.rs runs this file; `cargo test --test perft write_suites -- --ignored` writes it anew, always the same.
";
    const SEED: u64 = 162;
    /// The deepest count of the start and of other positions is the last below these.
    const MOST_FROM_START: u64 = 30_000_000;
    const MOST: u64 = 4_000_000;
    const DEEPEST: u32 = 12;

    /// Collects the positions of a suite.
    struct Collection {
        game: Game,
        rng: Xoshiro256PlusPlus,
        positions: Vec<(String, Model)>,
    }

    impl Collection {
        fn add(&mut self, id: String, model: Model) {
            self.positions.push((id, model));
        }

        /// Adds positions that differ from those before and are as wanted, from single positions or whole games.
        fn draw(
            &mut self,
            kind: &str,
            number: usize,
            source: fn(Game, &mut Xoshiro256PlusPlus) -> Vec<Model>,
            wanted: impl Fn(&Model) -> bool,
        ) {
            for i in 1..=number {
                let model = loop {
                    let mut drawn = source(self.game, &mut self.rng);
                    drawn.retain(|model| {
                        wanted(model) && self.positions.iter().all(|(_, other)| other != model)
                    });
                    if !drawn.is_empty() {
                        break drawn.swap_remove(self.rng.random_range(0..drawn.len()));
                    }
                };
                self.add(format!("{kind}-{i}"), model);
            }
        }
    }

    /// The positions of a game of random moves, the finished one included.
    fn random_game(game: Game, rng: &mut Xoshiro256PlusPlus) -> Vec<Model> {
        let mut positions = vec![Model::start(game)];
        loop {
            let mut next = positions.last().expect("the start").clone();
            let legal = next.legal_moves();
            if legal.is_empty() {
                return positions;
            }
            next.play(legal[rng.random_range(0..legal.len())]);
            positions.push(next);
        }
    }

    fn one_setup(game: Game, rng: &mut Xoshiro256PlusPlus) -> Vec<Model> {
        vec![random_setup(game, rng)]
    }

    /// Positions from the real games, spread over the corpus and over the length of a game.
    fn add_real_positions(to: &mut Collection, number: usize) {
        let games = real_games();
        for i in 0..number {
            let record = &games[i * games.len() / number];
            let played = record.moves.len() * (i + 1) / (number + 1);
            let mut model = Model::start(to.game);
            for &pit in &record.moves[..played] {
                model.play(pit);
            }
            to.add(format!("{}-{played}", record.id), model);
        }
    }

    /// The position of a real game from which the most stones were sown.
    fn add_largest_real_sowing(to: &mut Collection) {
        let mut largest = (0, String::new(), Model::start(to.game));
        for record in real_games() {
            let mut model = Model::start(to.game);
            for (played, &pit) in record.moves.iter().enumerate() {
                let sown = model.stones(model.side, pit);
                if sown > largest.0 {
                    largest = (sown, format!("sows-{sown}-{}-{played}", record.id), model.clone());
                }
                model.play(pit);
            }
        }
        to.add(largest.1, largest.2);
    }

    fn collect(variant: Variant) -> Vec<(String, Model)> {
        let game = game_of(variant);
        let main = variant == Variant::Togyzqumalaq;
        let rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut to = Collection { game, rng, positions: Vec::new() };
        let start = Model::start(game);
        to.add("start".to_owned(), start.clone());

        let empty = Model { rows: [vec![0; game.pits], vec![0; game.pits]], ..start };
        let mut all_in_one = empty.clone();
        all_in_one.rows[0][0] = game.total();
        to.add("all-in-one-pit".to_owned(), all_in_one);
        let mut two_halves = empty;
        two_halves.rows[0][game.pits - 1] = game.total() / 2;
        two_halves.rows[1][game.pits / 2] = game.total() / 2;
        to.add("all-in-two-pits".to_owned(), two_halves);
        if main {
            add_largest_real_sowing(&mut to);
            add_real_positions(&mut to, 12);
        }

        let goes_on = |model: &Model| model.end().is_none();
        let left = |model: &Model| model.rows.iter().flatten().sum::<u32>();
        let largest = |model: &Model| model.rows.iter().flatten().copied().max().unwrap_or(0);
        let (few, more) = (2, if main { 4 } else { 3 });
        to.draw("random", more + 2, random_game, |model| {
            goes_on(model) && model.move_number > 3 && 2 * left(model) > game.total()
        });
        if game.has_tuzdyq {
            let both = |model: &Model| model.tuzdyqs.iter().all(Option::is_some);
            to.draw("both-tuzdyqs", more, random_game, |model| {
                goes_on(model) && both(model) && left(model) > 30
            });
            to.draw("huge-and-tuzdyqs", few, one_setup, |model| {
                goes_on(model) && both(model) && 4 * largest(model) > game.total()
            });
        }
        to.draw("huge", few, one_setup, |model| goes_on(model) && 3 * largest(model) > game.total());
        to.draw("ending", few, random_game, |model| goes_on(model) && (2..12).contains(&left(model)));
        to.draw("few-stones", more, one_setup, |model| goes_on(model) && (2..10).contains(&left(model)));
        to.draw("near-the-end", more, random_game, |model| {
            goes_on(model)
                && model.kazans.iter().any(|&kazan| kazan + 3 > game.total() / 2)
                && left(model) > 12
        });
        to.draw("decided", 1, random_game, |model| model.end().is_some_and(|end| !end.atsyrau));
        to.draw("atsyrau", 1, random_game, |model| model.end().is_some_and(|end| end.atsyrau));
        to.draw("drawn", 1, one_setup, |model| model.end().is_some_and(|end| end.stones[0] == end.stones[1]));
        to.positions
    }

    /// Counts by both implementations; a position where they differ is a fault of one of them.
    fn counts<R: Rules>(model: &Model, most: u64) -> Vec<u64> {
        let position: Position<R> = parse(&model.fen());
        let mut counts = Vec::new();
        for depth in 1..=DEEPEST {
            let count = perft(position.board(), depth);
            if count > most {
                break;
            }
            assert_eq!(count, model.perft(depth), "depth {depth}: {position}");
            counts.push(count);
            if count == 0 && depth >= 3 {
                break;
            }
        }
        counts
    }

    #[test]
    #[ignore = "writes the suites; takes a minute"]
    fn write_suites() {
        for variant in Variant::ALL {
            let mut text = HEADER.to_owned();
            for (id, model) in collect(variant) {
                let most = if id == "start" { MOST_FROM_START } else { MOST };
                let counts = with_rules!(variant, R => counts::<R>(&model, most));
                write!(text, "{id} ; {}", model.fen()).expect("a string grows");
                for (depth, count) in (1..).zip(counts) {
                    write!(text, " ; D{depth} {count}").expect("a string grows");
                }
                text.push('\n');
            }
            std::fs::write(path(variant), text).expect("the suite can be written");
        }
    }
}
