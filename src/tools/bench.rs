//! The speed of the search over fixed positions, and a signature of its behaviour: the node count.

use std::time::{Duration, Instant};

use crate::engine::evaluation::Evaluation;
use crate::engine::memory;
use crate::eval::Evaluate;
use crate::game::{Game, Position, Rules, Togyzqumalaq};
use crate::search::{self, Control, Environment, Limits, Progress, Table, Worker};
use crate::with_evaluation;

/// The depth of the bench where none is given, in plies.
pub const DEPTH: u32 = 22;

/// Positions from every phase of the game, one FEN a line.
const POSITIONS: &str = include_str!("../../positions/bench.fen");

/// Searches each position to a fixed depth with one thread and a cleared table of 16 MB, tells a line for each, and
/// gives the last line, `Bench: N nodes M nps`; `None` when it is stopped.
///
/// N is the same on every machine, for the same evaluation.
pub fn run(
    depth: u32,
    evaluation: &Evaluation,
    control: &Control,
    tell: &mut dyn FnMut(String),
) -> Option<String> {
    let table = match memory::table(16) {
        Ok(table) => table,
        Err(error) => return Some(format!("bench: {error}")),
    };
    let mut worker = Worker::default();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, fen) in positions().enumerate() {
        let position: Position<Togyzqumalaq> = match fen.parse() {
            Ok(position) => position,
            Err(error) => return Some(format!("bench: position {}: {error}", index + 1)),
        };
        table.clear();
        worker.clear();
        let started = Instant::now();
        let game = Game::new(position);
        let count = with_evaluation!(evaluation, it => {
            search_position(&game, it, depth, &table, &mut worker, control)
        });
        if control.is_stopped() {
            return None;
        }
        time += started.elapsed();
        nodes += count;
        tell(format!("position {:>2}: {count:>9} nodes  {fen}", index + 1));
    }
    let nps = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    Some(format!("Bench: {nodes} nodes {nps} nps"))
}

fn positions() -> impl Iterator<Item = &'static str> {
    POSITIONS.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn search_position<R: Rules, E: Evaluate>(
    game: &Game<R>,
    evaluation: &E,
    depth: u32,
    table: &Table,
    worker: &mut Worker,
    control: &Control,
) -> u64 {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let progress = Progress::new(1);
    let env = Environment { table: Some(table), ..Environment::new(evaluation, &limits, control, &progress) };
    search::run(game, worker, &env, 0, &mut |_| {}).nodes
}
