//! When the answer comes, and that it comes once.

use super::*;

#[test]
fn an_infinite_search_answers_when_it_is_stopped() {
    let mut engine = engine();
    // All but the first have reached their end long before the stop.
    let searches = [
        (after(&[]), infinite()),
        (chase(0), infinite()),
        (after(&[]), Limits { infinite: true, ..depth(2) }),
        (after(&[]), Limits { infinite: true, ..nodes(3_000) }),
        (
            after(&[]),
            Limits { infinite: true, movetime: Some(Duration::from_millis(1)), ..Limits::default() },
        ),
    ];
    for (game, limits) in searches {
        engine.set_game(game.clone().into()).expect("an idle engine");
        let mut started = start(&mut engine, limits);
        started.expect_silence(SILENCE);
        assert!(engine.is_searching());
        engine.stop();
        check_heard(game.position(), &started.finish());
        assert!(!engine.is_searching());
    }
}

#[test]
fn a_pondering_search_answers_after_the_hit() {
    let mut engine = engine();
    let movetime = Limits { movetime: Some(Duration::from_millis(1)), ..Limits::default() };
    for limits in [depth(2), nodes(3_000), movetime] {
        let mut started = start(&mut engine, ponder(limits));
        started.expect_silence(SILENCE);
        assert!(engine.is_searching());
        engine.ponder_hit();
        check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
    }
}

#[test]
fn a_pondering_search_answers_when_it_is_stopped() {
    let mut engine = engine();
    for limits in [depth(2), Limits::default()] {
        let mut started = start(&mut engine, ponder(limits));
        started.expect_silence(SILENCE);
        engine.stop();
        check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
    }
}

#[test]
fn an_infinite_search_goes_on_after_a_ponder_hit() {
    let mut engine = engine();
    let mut started = start(&mut engine, Limits { infinite: true, ..ponder(depth(2)) });
    started.expect_silence(SILENCE);
    engine.ponder_hit();
    started.expect_silence(SILENCE);
    engine.stop();
    started.finish();
}

#[test]
fn a_ponder_hit_does_not_end_a_search_with_time_left() {
    let mut engine = engine();
    let limits = Limits { movetime: Some(Duration::from_secs(600)), ..Limits::default() };
    let mut started = start(&mut engine, ponder(limits));
    started.expect_silence(SILENCE);
    engine.ponder_hit();
    started.expect_silence(SILENCE);
    engine.stop();
    started.finish();
}

#[test]
fn a_stop_is_never_lost_however_early_it_comes() {
    let mut engine = engine();
    for threads in ["1", "4"] {
        engine.set_option("Threads", Some(threads)).expect("threads");
        for _ in 0..100 {
            let started = start(&mut engine, infinite());
            engine.stop();
            engine.stop();
            check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
        }
    }
}

#[test]
fn stops_and_hits_without_a_search_do_nothing() {
    let mut engine = engine();
    engine.stop();
    engine.ponder_hit();
    engine.wait();
    let first = search(&mut engine, after(&[]), depth(5));
    engine.stop();
    engine.ponder_hit();
    engine.wait();
    engine.new_game().expect("an idle engine");
    let second = search(&mut engine, after(&[]), depth(5));
    assert_eq!(first.timeless(), second.timeless());
}

#[test]
fn a_running_search_is_left_alone() {
    let mut engine = engine();
    let mut started = start(&mut engine, infinite());
    started.wait_for_iteration();
    let refusals = [
        engine.go(depth(1), Arc::new(|_| {})),
        engine.new_game(),
        engine.set_game(chase(1).into()),
        engine.set_option("Hash", Some("8")).map(drop),
        engine.set_option("Threads", Some("2")).map(drop),
        engine.set_option("Clear Hash", None).map(drop),
    ];
    for refusal in refusals {
        assert!(matches!(refusal, Err(EngineError::Busy)), "{refusal:?}");
    }
    engine.stop();
    check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
    assert_eq!(engine.options().hash, 4);
    engine.set_option("Hash", Some("8")).expect("an idle engine");
}

#[test]
fn the_answer_is_out_only_when_the_engine_is_free_again() {
    let engine = Arc::new(Mutex::new(engine()));
    let (sender, answers) = mpsc::channel();
    let from_observer = Arc::clone(&engine);
    let observer = Arc::new(move |event| {
        if let Event::Answer(_) = event {
            let is_searching = from_observer.lock().expect("the engine").is_searching();
            sender.send(is_searching).expect("a listener");
        }
    });
    engine.lock().expect("the engine").go(depth(5), observer).expect("an idle engine");
    assert_eq!(answers.recv_timeout(Duration::from_secs(60)), Ok(false));
}

#[test]
fn an_engine_that_is_dropped_answers_first() {
    let mut engine = engine();
    let mut started = start(&mut engine, infinite());
    started.wait_for_iteration();
    drop(engine);
    check_heard(&Position::<Togyzqumalaq>::start(), &started.finish());
}

#[test]
fn a_game_of_another_variant_is_refused() {
    let mut engine = engine();
    let error = engine.set_game(Game::<Bestemshe>::default().into()).expect_err("a refusal");
    assert_eq!(error.to_string(), "option UCI_Variant takes togyzqumalaq, not 'bestemshe'");
    assert_eq!(engine.game().variant(), Variant::Togyzqumalaq);
}
