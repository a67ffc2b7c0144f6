//! What an evaluation costs: the handcrafted one, and the network built in with each kind of instructions that this
//! machine has. An iteration evaluates 1,000 positions.

use criterion::{Criterion, criterion_group, criterion_main};
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use std::hint::black_box;
use tuzdyq::engine::evaluation::Evaluation;
use tuzdyq::eval::network::Level;
use tuzdyq::eval::{Classic, Evaluate};
use tuzdyq::game::{Board, Position, Togyzqumalaq};
use tuzdyq::options::Options;

/// Positions of random games.
fn boards() -> Vec<Board<Togyzqumalaq>> {
    let mut random = StdRng::seed_from_u64(1);
    let mut boards = Vec::new();
    while boards.len() < 1_000 {
        let mut position = Position::start();
        for _ in 0..random.random_range(0..120) {
            let Some(pit) = position.moves().choose(&mut random) else { break };
            position = position.play(pit).0;
        }
        if position.outcome().is_none() {
            boards.push(*position.board());
        }
    }
    boards
}

fn all<E: Evaluate>(evaluation: &E, boards: &[Board<Togyzqumalaq>]) -> i32 {
    boards.iter().map(|board| evaluation.evaluate(black_box(board)).value()).sum()
}

fn evaluations(criterion: &mut Criterion) {
    let boards = boards();
    let mut group = criterion.benchmark_group("1000 evaluations");
    group.bench_function("handcrafted", |bencher| bencher.iter(|| all(&Classic, &boards)));
    let Ok(Evaluation::Network(network)) = Evaluation::of_options(&Options::default()) else {
        panic!("no network is built in");
    };
    for level in Level::available() {
        let network = (*network).clone().with_level(level);
        group.bench_function(level.name(), |bencher| bencher.iter(|| all(&network, &boards)));
    }
    group.finish();
}

criterion_group!(benches, evaluations);
criterion_main!(benches);
