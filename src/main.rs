use tuzdyq::game::*;
fn main() {
    for v in Variant::ALL {
        tuzdyq::with_rules!(v, R => {
            for d in 1..=8 {
                println!("{v} {d} {}", perft(&Board::<R>::start(), d));
            }
        });
    }
    let t = std::time::Instant::now();
    let n = perft(&Board::<Togyzqumalaq>::start(), 9);
    let e = t.elapsed();
    println!("nodes {n} time {} nps {}", e.as_millis(), n as f64 / e.as_secs_f64());
}
