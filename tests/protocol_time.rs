//! The scenarios of area "time" and the promise never to lose on time.
//!
//! A busy machine may hold up any single answer. So each limit is tested twice: strictly on the plan that the engine
//! states with `debug on`, and on the clock for the quickest of several attempts.

mod common;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use common::pipe::{Engine, SOON, Search, check_search, ms, replay};
use tuzdyq::game::{Position, Side, Togyzqumalaq};

/// One test at a time: they measure.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start() -> Position<Togyzqumalaq> {
    Position::start()
}

/// The soft and the hard limit in the line that `debug on` adds.
fn plan(search: &Search) -> (Option<Duration>, Option<Duration>) {
    let line = search.lines.iter().find_map(|line| line.text.strip_prefix("info string debug: "));
    let limits: Vec<_> = line
        .expect("the plan")
        .split(", ")
        .map(|part| {
            part.trim_start_matches(|c: char| !c.is_ascii_digit())
                .split(' ')
                .next()
                .and_then(|n| n.parse().ok())
        })
        .map(|milliseconds: Option<u64>| milliseconds.map(ms))
        .collect();
    (limits[0], limits[1])
}

/// The shortest of several searches; each of them must be legal, and none endless.
fn quickest(engine: &mut Engine, limits: &str, position: Position<Togyzqumalaq>) -> Duration {
    let attempts = (0..4).map(|_| {
        let search = engine.go(limits);
        check_search(&search, position);
        search.elapsed()
    });
    attempts.min().expect("attempts")
}

fn timed() -> Engine {
    let mut engine = Engine::start();
    engine.send("debug on");
    engine
}

#[test]
fn time_01_negative_zero_and_huge_clocks() {
    let _alone = alone();
    let mut engine = timed();
    // The other side's clock changes nothing.
    let with = engine.go("wtime 6000 btime -45000 winc 100 binc 100");
    let without = engine.go("wtime 6000 btime 6000 winc 100 binc 100");
    assert_eq!(plan(&with), plan(&without));
    assert!(with.elapsed() < ms(6000), "{:?}", with.elapsed());
    for clock in
        ["wtime -50 btime 30000", "wtime 0 btime 0 winc 0 binc 0", "wtime -99999999999999999999 winc 5"]
    {
        let search = engine.go(clock);
        assert!(plan(&search).1.unwrap() <= ms(5), "{clock}: {:?}", plan(&search));
        let time = quickest(&mut engine, clock, start());
        assert!(time < ms(50), "{clock}: {time:?}");
    }
    engine.take_lines();
    engine.send("go wtime 18446744073709551615 btime 1");
    sleep(ms(1000));
    assert!(engine.take_lines().iter().all(|line| !line.is_bestmove()), "{}", engine.transcript());
    engine.send("stop");
    engine.wait_for("bestmove", SOON);
    engine.finish();
}

#[test]
fn time_02_moves_to_go() {
    let _alone = alone();
    let mut engine = timed();
    engine.send("position startpos moves 7 2 3 4");
    let position = replay(start(), &["7", "2", "3", "4"]);
    let time = quickest(&mut engine, "wtime 32 btime 32 movestogo 1", position);
    assert!(time < ms(32), "{time:?}");

    let last = engine.go("wtime 3000 btime 3000 movestogo 1");
    assert!(last.elapsed() > ms(500), "{:?}", last.elapsed());
    assert!(plan(&last).1.unwrap() <= ms(2990), "{:?}", plan(&last));
    assert!(last.elapsed() < ms(4000), "{:?}", last.elapsed());

    let first = engine.go("wtime 3000 btime 3000 movestogo 40");
    assert!(plan(&first).1.unwrap() <= ms(300), "{:?}", plan(&first));
    let time = quickest(&mut engine, "wtime 3000 btime 3000 movestogo 40", position);
    assert!(time < ms(350), "{time:?}");

    let absent = plan(&engine.go("wtime 3000 btime 3000"));
    for nothing in ["movestogo 0", "movestogo -1"] {
        assert_eq!(plan(&engine.go(&format!("wtime 3000 btime 3000 {nothing}"))), absent, "{nothing}");
    }
    engine.finish();
}

#[test]
fn time_04_an_increment_is_not_spent_before_it_is_earned() {
    let _alone = alone();
    let mut engine = timed();
    for (clock, most) in [
        ("wtime 50 btime 50 winc 1000 binc 1000", 50),
        ("wtime 1000 btime 1000 winc 5000 binc 5000", 1000),
        ("wtime 12000 btime 12000 winc 200 binc 200", 1800),
    ] {
        let search = engine.go(clock);
        let hard = plan(&search).1.unwrap();
        assert!(hard <= ms(most - 10), "{clock}: {hard:?}");
        let time = (0..2).map(|_| engine.go(clock).elapsed()).fold(search.elapsed(), Duration::min);
        assert!(time < ms(most), "{clock}: {time:?}");
    }
    engine.finish();
}

#[test]
fn time_05_the_move_overhead_is_kept_back() {
    let _alone = alone();
    let mut engine = timed();
    engine.send("setoption name Move Overhead value 1000");
    let time = quickest(&mut engine, "wtime 500 btime 500", start());
    assert!(time < ms(100), "{time:?}");
    let search = engine.go("wtime 3000 btime 3000");
    assert!(plan(&search).1.unwrap() <= ms(2000), "{:?}", plan(&search));
    assert!(search.elapsed() < ms(3000), "{:?}", search.elapsed());
    // It is kept back from a time for the move as well.
    let time = quickest(&mut engine, "movetime 200", start());
    assert!(time < ms(100), "{time:?}");
    engine.send("setoption name Move Overhead value 60");
    assert_eq!(plan(&engine.go("movetime 200")).1, Some(ms(140)));
    engine.send("setoption name Move Overhead value 0");
    let search = engine.go("movetime 200");
    assert_eq!(plan(&search), (None, Some(ms(200))));
    assert!(search.elapsed() >= ms(150), "{:?}", search.elapsed());
    engine.send("setoption name Move Overhead value 10");
    let time = quickest(&mut engine, "movetime 200", start());
    assert!((ms(150)..=ms(200)).contains(&time), "{time:?}");
    engine.finish();
}

#[test]
fn time_07_a_keyword_without_its_number_swallows_nothing() {
    let _alone = alone();
    let mut engine = timed();
    let search = engine.go("wtime btime 3000 winc 100");
    let notices = search.lines.iter().filter(|line| line.text.starts_with("info string error: ")).count();
    assert_eq!(notices, 1, "{}", engine.transcript());
    // With one clock only, it stands for both; the increment goes with its clock.
    let own = plan(&engine.go("wtime 3000"));
    assert_eq!((plan(&search), plan(&engine.go("btime 3000"))), (own, own));
    assert!(own.0.is_some() && own.1.is_some());

    let search = engine.go("wtime 1e4 btime 3000");
    assert_eq!(plan(&search), own);
    assert!(search.lines[0].text.contains("'1e4'"), "{}", search.lines[0].text);
    assert!(engine.refused("go depth").contains("depth"));
    // Given twice, the last one holds.
    assert_eq!(plan(&engine.go("wtime 1000 btime 1000 wtime 3000")), own);
    engine.finish();
}

#[test]
fn time_limits_hold_together() {
    let _alone = alone();
    let mut engine = timed();
    let both = plan(&engine.go("movetime 100 wtime 60000 btime 60000"));
    assert_eq!(both.1, Some(ms(90)));
    assert!(plan(&engine.go("movetime 60000 wtime 500 btime 500")).1.unwrap() <= ms(490));
    let negative = quickest(&mut engine, "movetime -100", start());
    assert!(negative < ms(50), "{negative:?}");
    assert_eq!(plan(&engine.go("depth 3")), (None, None));
    engine.finish();
}

#[test]
fn thinking_on_the_opponents_time_counts_after_the_ponderhit() {
    let _alone = alone();
    let mut engine = timed();
    // Longer than the whole plan: the answer comes with the ponderhit.
    let quickest = (0..3).map(|_| {
        engine.send("go ponder wtime 3000 btime 3000");
        sleep(ms(700));
        let sent = engine.send("ponderhit");
        engine.wait_for("bestmove", SOON).at - sent
    });
    let quickest = quickest.min().unwrap();
    assert!(quickest < ms(100), "{quickest:?}");
    // Shorter than the plan: thinking goes on.
    engine.send("go ponder movetime 600");
    sleep(ms(100));
    let sent = engine.send("ponderhit");
    let more = engine.wait_for("bestmove", SOON).at - sent;
    assert!(more > ms(300), "{more:?}");
    // The limits other than time hold at once, but the answer waits.
    engine.send("go ponder depth 3");
    engine.wait_for("info depth 3 ", SOON);
    let sent = engine.send("ponderhit");
    engine.wait_for("bestmove", SOON);
    assert!(engine.lines().last().unwrap().at - sent < ms(1000));
    engine.finish();
}

/// How long the threads of the program and of this test have waited for a processor, on a system that tells.
fn held_up(engine: &Engine) -> Duration {
    let threads = ["self".to_owned(), engine.id().to_string()].map(|process| format!("/proc/{process}/task"));
    let threads = threads.iter().filter_map(|path| std::fs::read_dir(path).ok()).flatten().flatten();
    let waited = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').nth(1)?.parse::<u64>().ok()
    });
    Duration::from_nanos(waited.sum())
}

/// A time control, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Control {
    base: i64,
    increment: i64,
    /// After so many own moves the base comes again.
    moves: Option<u32>,
}

/// Plays a game of the engine against itself with clocks kept here, which do not count the time for which a busy
/// machine has held up the players; gives the least that was left on a clock after a move, in milliseconds.
fn play(Control { base, increment, moves }: Control) -> i64 {
    let mut engine = timed();
    let mut position = start();
    let (mut list, mut clocks, mut done, mut least) = (String::new(), [base; 2], [0; 2], base);
    while position.outcome().is_none() && done[0] < 150 {
        let side = usize::from(position.turn() == Side::North);
        let to_go =
            moves.map(|moves| format!(" movestogo {}", moves - done[side] % moves)).unwrap_or_default();
        let [white, black] = clocks;
        engine.send(&format!("position startpos moves{list}"));
        engine.sync();
        let waited = held_up(&engine);
        let search =
            engine.go(&format!("wtime {white} btime {black} winc {increment} binc {increment}{to_go}"));
        let waited = held_up(&engine).saturating_sub(waited);
        let hard = plan(&search).1.expect("a limit");
        assert!(
            hard <= ms(clocks[side].unsigned_abs().saturating_sub(10)).max(ms(1)),
            "{hard:?} of {clocks:?}"
        );
        clocks[side] -= search.elapsed().saturating_sub(waited).as_millis() as i64 + 1;
        least = least.min(clocks[side]);
        done[side] += 1;
        clocks[side] += increment;
        if moves.is_some_and(|moves| done[side] % moves == 0) {
            clocks[side] += base;
        }
        list = format!("{list} {}", search.bestmove());
        position = replay(position, &[search.bestmove()]);
    }
    engine.finish();
    assert!(done[0] > 5, "{list}");
    least
}

#[test]
fn no_game_is_lost_on_time() {
    let _alone = alone();
    for control in [
        Control { base: 1000, increment: 0, moves: None },
        Control { base: 150, increment: 20, moves: None },
        Control { base: 300, increment: 0, moves: Some(10) },
    ] {
        let mut left = Vec::new();
        while left.last().is_none_or(|&least| least < 0) {
            assert!(left.len() < 3, "{control:?}: {left:?} ms left");
            left.push(play(control));
        }
    }
}
