//! The engine as a program uses it: what its searches answer, when, and that the same input gives the same search.

mod answers;
#[path = "../common/mod.rs"]
mod common;
mod determinism;
mod ends;
mod limits;
mod lines;
mod threads;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use common::searching::{
    Heard, Solver, check_heard, check_line, game_after, game_from, play_randomly, problems, random_endings,
    random_games, search, start,
};
use common::{parse, pit};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tuzdyq::engine::{Engine, EngineError, Event};
use tuzdyq::eval::{Classic, Evaluate, Score};
use tuzdyq::game::{AnyGame, Bestemshe, Game, Kozdatu, PitSet, Position, Rules, Togyzqumalaq, Variant};
use tuzdyq::options::Options;
use tuzdyq::search::{Bound, Control, Environment, Limits, MAX_DEPTH, MAX_PLY, Progress, Table, Worker, run};

/// One stone each, nearly decided kazans: the stones chase each other round the board.
const CHASE: &str = "8,1S/1S,8 80 80 S 1";
/// How long it must stay silent to be believed.
const SILENCE: Duration = Duration::from_millis(100);

fn engine_for(variant: Variant) -> Engine {
    Engine::new(Options { hash: 4, variant, ..Options::default() }).expect("an engine")
}

fn engine() -> Engine {
    engine_for(Variant::Togyzqumalaq)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

fn ponder(limits: Limits) -> Limits {
    Limits { ponder: true, ..limits }
}

/// The main game after these moves.
fn after(moves: &[usize]) -> Game<Togyzqumalaq> {
    game_after(moves)
}

/// The main game from a set-up position.
fn set_up(fen: &str) -> Game<Togyzqumalaq> {
    game_from(fen, &[])
}

fn chase(moves: usize) -> Game<Togyzqumalaq> {
    let moves: Vec<usize> = (0..moves).map(|ply| ply / 2 % 9 + 1).collect();
    game_from(CHASE, &moves)
}
