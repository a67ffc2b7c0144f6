//! The speed of the rules: move generation, making moves, the hash, and the static evaluation.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use tuzdyq::eval::{Classic, Evaluate};
use tuzdyq::game::{Board, Pit, Position, Togyzqumalaq, perft};

/// The start and positions from every phase of real games, one FEN a line.
const POSITIONS: &str = include_str!("../positions/bench.fen");

fn positions() -> Vec<Position<Togyzqumalaq>> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|fen| fen.parse().expect(fen)).collect()
}

fn bench_perft(criterion: &mut Criterion) {
    let start = Board::<Togyzqumalaq>::start();
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(&start, 6)));
    group.bench_function("6", |bencher| bencher.iter(|| perft(black_box(&start), 6)));
}

fn bench_position(criterion: &mut Criterion) {
    let positions = positions();
    let moves: Vec<(Position<Togyzqumalaq>, Pit)> =
        positions.iter().flat_map(|&position| position.moves().map(move |pit| (position, pit))).collect();
    let mut group = criterion.benchmark_group("position");

    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("play", |bencher| {
        bencher.iter(|| {
            for (position, pit) in &moves {
                black_box(black_box(position).play(*pit));
            }
        });
    });

    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("key", |bencher| {
        bencher
            .iter(|| positions.iter().map(|position| black_box(position).key()).fold(0, u64::wrapping_add));
    });
    group.bench_function("computed key", |bencher| {
        bencher.iter(|| {
            let keys = positions.iter().map(|position| black_box(position).computed_key());
            keys.fold(0, u64::wrapping_add)
        });
    });
}

fn bench_evaluation(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("classic", |bencher| {
        bencher.iter(|| {
            let values =
                positions.iter().map(|position| Classic.evaluate(black_box(position.board())).value());
            values.sum::<i32>()
        });
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(4))
        .configure_from_args();
    bench_perft(&mut criterion);
    bench_position(&mut criterion);
    bench_evaluation(&mut criterion);
    criterion.final_summary();
}
