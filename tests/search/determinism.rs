//! The same input gives the same search.

use super::*;

/// Searches one after the other, each of which meets what the earlier ones left in the table and in the history.
fn session(engine: &mut Engine) -> Vec<Heard> {
    let searches: Vec<(Game<Togyzqumalaq>, Limits)> = vec![
        (after(&[]), depth(7)),
        (after(&[]), depth(9)),
        (after(&[7, 5, 3]), nodes(30_000)),
        (after(&[7, 5, 3, 7]), depth(8)),
        (set_up("1S,3,t,4/1S,1S,1S,1S,1S,1S,t,13S,1 61 81 S 1"), depth(10)),
        (after(&[]), Limits { mate: Some(3), ..nodes(20_000) }),
        (after(&[]), Limits { searchmoves: [pit(2), pit(5)].into_iter().collect(), ..depth(8) }),
        (chase(20), depth(12)),
        (after(&[]), depth(9)),
    ];
    searches.into_iter().map(|(game, limits)| search(engine, game, limits).timeless()).collect()
}

#[test]
fn the_same_searches_give_the_same_results_after_a_new_game() {
    let mut engine = engine();
    let expected = session(&mut engine);
    assert_ne!(expected[1].answer.nodes, expected[8].answer.nodes, "the table was of no use");
    engine.new_game().expect("an idle engine");
    assert_eq!(session(&mut engine), expected);

    // Whatever went on before the new game.
    engine.set_game(after(&[1, 2, 3, 4]).into()).expect("an idle engine");
    let mut started = start(&mut engine, infinite());
    started.wait_for_iteration();
    engine.stop();
    started.finish();
    engine.new_game().expect("an idle engine");
    assert_eq!(session(&mut engine), expected);
}

#[test]
fn the_same_searches_give_the_same_results_in_a_fresh_engine() {
    assert_eq!(session(&mut engine()), session(&mut engine()));
}

#[test]
fn the_same_searches_give_the_same_results_after_other_options() {
    let mut engine = engine();
    let expected = session(&mut engine);
    for (name, value) in [("Threads", "4"), ("Hash", "1"), ("UCI_Variant", "kozdatu")] {
        engine.set_option(name, Some(value)).expect(name);
    }
    search(&mut engine, Game::<Kozdatu>::default(), nodes(50_000));
    for (name, value) in [("UCI_Variant", "togyzqumalaq"), ("Hash", "4"), ("Threads", "1")] {
        engine.set_option(name, Some(value)).expect(name);
    }
    engine.new_game().expect("an idle engine");
    assert_eq!(session(&mut engine), expected);
}

#[test]
fn a_new_game_begins_at_the_start_position() {
    let mut engine = engine();
    engine.set_game(chase(3).into()).expect("an idle engine");
    engine.new_game().expect("an idle engine");
    let AnyGame::Togyzqumalaq(game) = engine.game() else { panic!("{:?}", engine.game()) };
    assert_eq!(*game.position(), Position::start());
    assert!(game.moves().is_empty());
}
