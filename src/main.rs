use tuzdyq::game::*;
use tuzdyq::search::*;
use tuzdyq::eval::Classic;
fn main() {
    let depth: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut game = Game::<Togyzqumalaq>::default();
    for m in std::env::args().skip(2) { game.play(Pit::from_number(m.parse().unwrap()).unwrap()); }
    let table = Table::new(16).unwrap();
    let control = Control::new(false);
    let t = std::time::Instant::now();
    let clock = move || t.elapsed();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let nodes = [std::sync::atomic::AtomicU64::new(0)];
    let env = Environment { table: Some(&table), evaluation: &Classic, control: &control, clock: &clock, limits: &limits, time: TimePlan::default(), lines: 1, selectivity: Selectivity::FULL, nodes: &nodes };
    let mut w = Worker::default();
    let a = run(&game, &mut w, &env, 0, &mut |r| { let Report::Iteration(i) = r; println!("depth {} {} {:?} nodes {} time {} nps {} pv {:?}", i.depth, i.score, i.bound, i.nodes, i.time.as_millis(), i.nodes as f64/i.time.as_secs_f64(), i.line.iter().map(|p| p.number()).collect::<Vec<_>>()) });
    println!("{a:?}");
}
