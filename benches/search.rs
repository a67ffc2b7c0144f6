//! The speed of the search: single-threaded, to a fixed depth, with a cleared table.

use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput};
use tuzdyq::eval::Classic;
use tuzdyq::game::{Game, Togyzqumalaq};
use tuzdyq::search::{Control, Environment, Limits, Progress, Table, Worker, run};

/// Names, FENs, and depths in plies.
const SEARCHES: [(&str, &str, u32); 3] = [
    ("start", "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1", 16),
    ("early middlegame", "1S,1S,5S,7S,6S,18S,5S,1S,t/8S,1S,19S,6S,18S,t,2,2S 41 23 S 10", 16),
    ("late middlegame", "3S,2S,2S,1,19S,1,1S,1S,t/2,2S,4S,1,23S,t,1,2S 51 52 S 26", 16),
];

/// Searches a game's position and gives the number of nodes.
fn search(game: &Game<Togyzqumalaq>, depth: u32, table: &Table, worker: &mut Worker) -> u64 {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (control, progress) = (Control::default(), Progress::new(1));
    let env = Environment { table: Some(table), ..Environment::new(&Classic, &limits, &control, &progress) };
    run(game, worker, &env, 0, &mut |_| {}).nodes
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(4))
        .configure_from_args();
    let mut group = criterion.benchmark_group("search");
    let table = Table::new(4).expect("memory");
    for (name, fen, depth) in SEARCHES {
        let game = Game::new(fen.parse().expect(fen));
        table.clear();
        let nodes = search(&game, depth, &table, &mut Worker::default());
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{name}, depth {depth}"), |bencher| {
            let setup = || {
                table.clear();
                Worker::default()
            };
            let routine = |mut worker: Worker| search(&game, depth, &table, &mut worker);
            bencher.iter_batched(setup, routine, BatchSize::PerIteration);
        });
    }
    group.finish();
    criterion.final_summary();
}
