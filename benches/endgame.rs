//! The speed of asking the exact endgames for random positions of the largest layer built in.

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tuzdyq::endgame::Endgames;
use tuzdyq::endgame::index::Index;
use tuzdyq::engine::endgames::built_in;
use tuzdyq::game::{Board, Togyzqumalaq, Variant};

const STONES: u32 = 8;
const POSITIONS: usize = 20_000;

/// Positions with the kazans of a game.
fn boards() -> Vec<Board<Togyzqumalaq>> {
    let index = Index::new::<Togyzqumalaq>(STONES);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut board = || {
        let configurations = index.configurations();
        let configuration = configurations[rng.random_range(0..configurations.len())];
        let count = Index::count::<Togyzqumalaq>(configuration, STONES);
        index.board(STONES, configuration, rng.random_range(0..count))
    };
    (0..POSITIONS).map(|_| board()).collect()
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(4))
        .configure_from_args();
    let mut group = criterion.benchmark_group("endgame probe");
    let boards = boards();
    // Room for all blocks, and for one.
    for (name, cache) in [("unpacked", 128 << 20), ("packed", 0)] {
        let endgames = Endgames::new::<Togyzqumalaq>(built_in(Variant::Togyzqumalaq), cache);
        let mut next = 0;
        let mut ask = || {
            next = (next + 1) % boards.len();
            endgames.probe(&boards[next])
        };
        if cache > 0 {
            for _ in 0..boards.len() {
                ask();
            }
        }
        group.bench_function(name, |bencher| bencher.iter(|| black_box(ask())));
    }
    group.finish();
    criterion.final_summary();
}
