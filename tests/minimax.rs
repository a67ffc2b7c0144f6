//! Compares the search with a plain minimax, and its proven wins and losses with a solver of forced wins.

mod common;

use common::searching::{
    Solver, check_line, game_after, game_from, play_randomly, random_endings, random_games,
};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tuzdyq::eval::{Classic, Evaluate, Score};
use tuzdyq::game::{Bestemshe, Game, Kozdatu, Position, Rules, Side, Togyzqumalaq};
use tuzdyq::search::{
    self, Answer, Bound, Control, Environment, Iteration, Limits, Progress, Selectivity, Table, Worker,
};

/// Minimax without pruning and without memory.
struct Minimax<R: Rules> {
    /// All positions of the game and of the line before the current one.
    earlier: Vec<Position<R>>,
    /// Draws by repetition met so far.
    repetitions: u32,
}

impl<R: Rules> Minimax<R> {
    /// For the current position of a game.
    fn of(game: &Game<R>) -> Minimax<R> {
        let mut position = *game.start();
        let mut earlier = Vec::new();
        for &pit in game.moves() {
            earlier.push(position);
            position = position.play(pit).0;
        }
        assert!(position == *game.position());
        Minimax { earlier, repetitions: 0 }
    }

    /// The value of the position reached after `ply` half-moves, searched so many plies deep.
    fn value(&mut self, position: &Position<R>, ply: usize, depth: u32) -> Score {
        if let Some(outcome) = position.outcome() {
            return match outcome.winner() {
                None => Score::DRAW,
                Some(side) if side == position.turn() => Score::win_in(ply),
                Some(_) => Score::loss_in(ply),
            };
        }
        if ply > 0 && self.earlier.contains(position) {
            self.repetitions += 1;
            return Score::DRAW;
        }
        if depth == 0 {
            return Classic.evaluate(position.board());
        }
        position.moves().map(|pit| self.move_value(position, pit, ply, depth)).max().expect("a move")
    }

    /// The value of a move for the side that makes it.
    fn move_value(
        &mut self,
        position: &Position<R>,
        pit: tuzdyq::game::Pit,
        ply: usize,
        depth: u32,
    ) -> Score {
        self.earlier.push(*position);
        let value = -self.value(&position.play(pit).0, ply + 1, depth - 1);
        self.earlier.pop();
        value
    }

    /// The positions that minimax visits, without counting more than `most`.
    fn size(position: &Position<R>, depth: u32, most: u64) -> u64 {
        let mut size = 1;
        if depth > 0 {
            for pit in position.moves() {
                if size >= most {
                    break;
                }
                size += Minimax::size(&position.play(pit).0, depth - 1, most - size);
            }
        }
        size
    }
}

/// Searches with one thread; gives the answer and the reports.
fn run<R: Rules>(
    game: &Game<R>,
    worker: &mut Worker,
    table: Option<&Table>,
    depth: u32,
    lines: usize,
    selectivity: Selectivity,
) -> (Answer, Vec<Iteration>) {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (control, progress) = (Control::default(), Progress::new(1));
    let env =
        Environment { table, lines, selectivity, ..Environment::new(&Classic, &limits, &control, &progress) };
    let mut iterations = Vec::new();
    let answer = search::run(game, worker, &env, 0, &mut |iteration| iterations.push(iteration));
    (answer, iterations)
}

/// Checks that every iteration and the answer agree with minimax; gives the repetitions that minimax met.
fn compare<R: Rules>(game: &Game<R>, worker: &mut Worker, table: Option<&Table>, depth: u32) -> u32 {
    let position = game.position();
    let (answer, iterations) = run(game, worker, table, depth, 1, Selectivity::NONE);
    let mut minimax = Minimax::of(game);
    let mut finished = 0;
    for iteration in iterations.iter().filter(|it| it.bound == Bound::Exact) {
        let what = format!("{iteration:?} of {position} after {:?}", game.moves());
        finished += 1;
        assert_eq!(iteration.depth, finished, "{what}");
        let value = minimax.value(position, 0, iteration.depth);
        assert_eq!(iteration.score, value, "{what}");
        assert_eq!(minimax.move_value(position, iteration.line[0], 0, iteration.depth), value, "{what}");
        check_line(position, &iteration.line);
        check_leaf(game, iteration);
    }
    assert_eq!(finished, depth);
    let best = answer.best.expect("a move");
    assert_eq!((answer.depth, answer.score), (depth, minimax.value(position, 0, depth)));
    assert_eq!(minimax.move_value(position, best, 0, depth), answer.score);
    minimax.repetitions
}

/// Checks that each move of a line is one of the best: the value stays the same down to its end.
fn check_leaf<R: Rules>(game: &Game<R>, iteration: &Iteration) {
    let mut minimax = Minimax::of(game);
    let mut position = *game.position();
    let mut score = iteration.score;
    for (ply, &pit) in iteration.line.iter().enumerate() {
        minimax.earlier.push(position);
        position = position.play(pit).0;
        score = -score;
        let depth = iteration.depth - ply as u32 - 1;
        assert_eq!(
            minimax.value(&position, ply + 1, depth),
            score,
            "{iteration:?} at ply {ply} of {}",
            game.position()
        );
    }
}

/// What the random positions must contain.
#[derive(Default, Debug)]
struct Features {
    few_stones: u32,
    one_short_of_half: u32,
    half: u32,
    two_tuzdyqs: u32,
    two_laps: u32,
    decided: u32,
}

impl Features {
    fn add<R: Rules>(&mut self, position: &Position<R>, depth: u32) {
        let halves = Side::BOTH.map(|side| *position.half(side));
        let board = position.board();
        let has = |kazan| u32::from(halves.iter().any(|half| half.kazan() == kazan));
        self.few_stones += u32::from(board.stones_left() <= 12);
        self.one_short_of_half += has(R::HALF - 1);
        self.half += has(R::HALF);
        self.two_tuzdyqs += u32::from(halves.iter().all(|half| half.captured_pit().is_some()));
        self.two_laps +=
            u32::from(board.mover().occupied().any(|pit| board.mover().stones(pit) > 4 * R::PITS as u32));
        let value = Minimax { earlier: vec![], repetitions: 0 }.value(position, 0, depth);
        self.decided += u32::from(value.is_decided());
    }
}

/// Compares a number of random positions, with no table, with a fresh one, and with one for all.
fn compare_random<R: Rules>(count: usize, seed: u64) {
    let warm = Table::new(8).expect("memory");
    let mut warm_worker = Worker::default();
    let mut features = Features::default();
    let mut deep = 0;
    for game in random_games::<R>(count, seed) {
        let position = game.position();
        let is_cheap = Minimax::size(position, 5, 60_000) < 60_000;
        let depth = if is_cheap { 5 } else { 4 };
        deep += u32::from(is_cheap);
        features.add(position, depth);
        compare(&game, &mut Worker::default(), None, depth);
        compare(&game, &mut Worker::default(), Some(&Table::new(1).expect("memory")), depth);
        // Searched with other windows before, so that the bounds in the table are not all of use.
        for pit in position.moves().filter(|&pit| !position.play(pit).0.board().is_over()) {
            let mut next = game.clone();
            next.play(pit);
            compare(&next, &mut warm_worker, Some(&warm), depth - 1);
        }
        for _ in 0..2 {
            compare(&game, &mut warm_worker, Some(&warm), depth);
            warm.age();
        }
    }
    println!("{}: {features:?}, {deep} of {count} with depth 5", R::VARIANT);
    let Features { few_stones, one_short_of_half, half, two_tuzdyqs, two_laps, decided } = features;
    let counts = [few_stones, one_short_of_half, half, two_laps, decided, deep];
    assert!(counts.into_iter().all(|count| count >= 5), "{counts:?}");
    assert!(two_tuzdyqs >= 5 || !R::TUZDYQ);
}

#[test]
fn without_selectivity_the_search_is_minimax_in_togyzqumalaq() {
    compare_random::<Togyzqumalaq>(240, 1);
}

#[test]
fn without_selectivity_the_search_is_minimax_in_bestemshe() {
    compare_random::<Bestemshe>(300, 2);
}

#[test]
fn without_selectivity_the_search_is_minimax_in_kozdatu() {
    compare_random::<Kozdatu>(240, 3);
}

#[test]
fn a_move_that_wins_at_once_is_seen_at_depth_one() {
    let game = game_after::<Togyzqumalaq>(&[9, 2, 8, 1, 7, 2, 6, 1]);
    for table in [None, Some(&Table::new(1).expect("memory"))] {
        for depth in 1..=4 {
            compare(&game, &mut Worker::default(), table, depth);
        }
    }
}

/// Compares endings with a history that a few moves lead back to.
fn compare_repetitions<R: Rules>(seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut games = 0;
    for mut game in random_endings::<R>(10_000, 4, seed) {
        play_randomly(&mut game, rng.random_range(2 * R::PITS as u32..100), &mut rng);
        if game.repeatable_keys().len() < 2 * R::PITS {
            continue;
        }
        let table = Table::new(1).expect("memory");
        let repetitions = compare(&game, &mut Worker::default(), None, 5);
        compare(&game, &mut Worker::default(), Some(&table), 5);
        // The table must not know of the draws that only this game has.
        compare(&Game::new(*game.position()), &mut Worker::default(), Some(&table), 5);
        games += u32::from(repetitions > 0);
    }
    println!("{}: {games} games with repetitions", R::VARIANT);
    assert!(games >= 20, "{games}");
}

#[test]
fn positions_of_the_game_repeat_as_draws() {
    compare_repetitions::<Togyzqumalaq>(4);
    compare_repetitions::<Bestemshe>(5);
    compare_repetitions::<Kozdatu>(6);
}

#[test]
fn a_cycle_of_lone_stones_repeats_as_a_draw() {
    let cycle: Vec<usize> = (0..36).map(|ply| ply / 2 % 9 + 1).collect();
    for played in 0..36 {
        let game = game_from::<Togyzqumalaq>("8,1S/1S,8 80 80 S 1", &cycle[..played]);
        for table in [None, Some(&Table::new(1).expect("memory"))] {
            let repetitions = compare(&game, &mut Worker::default(), table, 4);
            assert!(repetitions > 0 || played < 18 - 4, "{played}");
        }
    }
}

/// Searches endings as in play and verifies every proven end; gives the numbers of proven wins and losses.
fn verify_endings<R: Rules>(count: usize, lines: usize, seed: u64) -> (u32, u32) {
    let table = Table::new(8).expect("memory");
    let mut worker = Worker::default();
    let mut solver = Solver::default();
    let (mut wins, mut losses) = (0, 0);
    for game in random_endings::<R>(count, 10, seed) {
        let position = game.position();
        let (answer, iterations) = run(&game, &mut worker, Some(&table), 12, lines, Selectivity::FULL);
        for &Iteration { score, bound, ref line, multipv, .. } in &iterations {
            check_line(position, line);
            if bound != Bound::Exact || !score.is_decided() {
                continue;
            }
            wins += u32::from(score.is_win());
            losses += u32::from(score.is_loss());
            if multipv == 1 {
                solver.check(position, score, bound);
            }
            // The end is one ply nearer after the first move.
            let nearer = if score.is_win() { score + 1 } else { score - 1 };
            solver.check(&position.play(line[0]).0, -nearer, bound);
        }
        solver.check(position, answer.score, Bound::Exact);
        check_lines(position, &iterations, lines);
        table.age();
    }
    (wins, losses)
}

/// Checks that the finished lines of each iteration begin with different moves and come best first.
fn check_lines<R: Rules>(position: &Position<R>, iterations: &[Iteration], lines: usize) {
    let finished: Vec<&Iteration> = iterations.iter().filter(|it| it.bound == Bound::Exact).collect();
    let expected = lines.min(position.moves().count());
    assert!(finished.len().is_multiple_of(expected), "{position}: {finished:?}");
    for iteration in finished.chunks(expected) {
        for (rank, line) in iteration.iter().enumerate() {
            assert_eq!(
                (line.multipv, line.depth),
                (rank + 1, iteration[0].depth),
                "{position}: {iteration:?}"
            );
            assert!(rank == 0 || line.score <= iteration[rank - 1].score, "{position}: {iteration:?}");
            let is_new = iteration[..rank].iter().all(|earlier| earlier.line[0] != line.line[0]);
            assert!(is_new, "{position}: {iteration:?}");
        }
    }
}

#[test]
fn proven_ends_are_forced() {
    let (wins, losses) = verify_endings::<Togyzqumalaq>(300, 1, 7);
    assert!(wins > 100 && losses > 100, "{wins} {losses}");
    let (wins, losses) = verify_endings::<Bestemshe>(300, 1, 8);
    assert!(wins > 100 && losses > 100, "{wins} {losses}");
    let (wins, losses) = verify_endings::<Kozdatu>(300, 1, 9);
    assert!(wins > 100 && losses > 100, "{wins} {losses}");
}

#[test]
fn several_lines_are_different_and_come_best_first() {
    for lines in [2, 3, 9] {
        let (wins, losses) = verify_endings::<Togyzqumalaq>(60, lines, 10);
        assert!(wins > 20 && losses > 20, "{wins} {losses}");
        let (wins, losses) = verify_endings::<Bestemshe>(60, lines, 11);
        assert!(wins > 20 && losses > 20, "{wins} {losses}");
    }
}

/// Checks what iterations say before they are finished: that the value is at least or at most so much.
fn verify_bounds<R: Rules>(count: usize, seed: u64) -> u32 {
    let mut worker = Worker::default();
    let mut bounds = 0;
    for game in random_games::<R>(count, seed) {
        let position = game.position();
        let depth = if Minimax::size(position, 6, 20_000) < 20_000 { 6 } else { 5 };
        let (_, iterations) = run(&game, &mut worker, None, depth, 1, Selectivity::NONE);
        for iteration in iterations.iter().filter(|it| it.bound != Bound::Exact) {
            bounds += 1;
            let value = Minimax::of(&game).value(position, 0, iteration.depth);
            let holds = match iteration.bound {
                Bound::Lower => value >= iteration.score,
                _ => value <= iteration.score,
            };
            assert!(holds, "{iteration:?} of {position}, which is worth {value}");
        }
    }
    bounds
}

#[test]
fn bounds_reported_before_the_end_of_an_iteration_hold() {
    assert!(verify_bounds::<Togyzqumalaq>(100, 15) > 20);
    assert!(verify_bounds::<Bestemshe>(100, 16) > 20);
    assert!(verify_bounds::<Kozdatu>(100, 17) > 20);
}

/// The same of proven ends, in searches as in play.
fn verify_proven_bounds<R: Rules>(count: usize, seed: u64) -> u32 {
    let table = Table::new(8).expect("memory");
    let mut worker = Worker::default();
    let mut solver = Solver::default();
    let mut bounds = 0;
    for game in random_endings::<R>(count, 10, seed) {
        let (_, iterations) = run(&game, &mut worker, Some(&table), 12, 1, Selectivity::FULL);
        for iteration in iterations.iter().filter(|it| it.bound != Bound::Exact) {
            bounds += u32::from(iteration.score.is_decided());
            solver.check(game.position(), iteration.score, iteration.bound);
        }
        table.age();
    }
    bounds
}

#[test]
fn bounds_that_prove_an_end_hold() {
    assert!(verify_proven_bounds::<Togyzqumalaq>(300, 7) > 10);
    assert!(verify_proven_bounds::<Bestemshe>(300, 8) > 10);
}

/// Each line of several has the value of the best move but for those before it.
fn compare_lines<R: Rules>(count: usize, seed: u64) {
    let warm = Table::new(8).expect("memory");
    let mut worker = Worker::default();
    for game in random_games::<R>(count, seed) {
        let position = game.position();
        let (_, iterations) = run(&game, &mut worker, Some(&warm), 3, R::PITS, Selectivity::NONE);
        check_lines(position, &iterations, R::PITS);
        let mut minimax = Minimax::of(&game);
        for iteration in iterations.iter().filter(|it| it.bound == Bound::Exact) {
            let value = minimax.move_value(position, iteration.line[0], 0, iteration.depth);
            assert_eq!(iteration.score, value, "{iteration:?} of {position}");
        }
    }
}

#[test]
fn without_selectivity_every_line_has_its_minimax_value() {
    compare_lines::<Togyzqumalaq>(100, 12);
    compare_lines::<Bestemshe>(100, 13);
    compare_lines::<Kozdatu>(100, 14);
}
