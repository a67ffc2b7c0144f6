//! Golden cases: a test for each point of the rules, with boards worked out by hand or taken from recorded faults of
//! other programs. Every position is played by the packed position and by the model.

mod common;

use std::collections::HashSet;
use std::fmt::Write;

use common::model::{End, Game, Model, Move, NORTH, SOUTH};
use common::{Twin, pit};
use tuzdyq::game::{Bestemshe, Kozdatu, Position, Rules, Side, Togyzqumalaq};

/// Reads a board: South's pits 1.., North's pits 1.., kazans, tuzdyqs (of South, of North), side to move.
fn board(game: Game, text: &str) -> Model {
    let fields: Vec<&str> = text.split('|').map(str::trim).collect();
    let [south, north, kazans, tuzdyqs, side] = fields[..] else { panic!("five fields: {text}") };
    let number = |word: &str| word.parse::<u32>().expect(text);
    let row = |field: &str| field.split(' ').map(number).collect::<Vec<_>>();
    let kazans: Vec<u32> = kazans.split('-').map(number).collect();
    let tuzdyqs: Vec<Option<usize>> = tuzdyqs.split(' ').map(|word| word.parse().ok()).collect();
    let model = Model {
        game,
        rows: [row(south), row(north)],
        kazans: [kazans[SOUTH], kazans[NORTH]],
        tuzdyqs: [tuzdyqs[SOUTH], tuzdyqs[NORTH]],
        side: ["South", "North"].iter().position(|&name| name == side).expect(text),
        move_number: 1,
    };
    let stones = model.rows.iter().flatten().chain(&model.kazans).sum::<u32>();
    assert_eq!((stones, model.rows.each_ref().map(Vec::len)), (game.total(), [game.pits; 2]), "{text}");
    model
}

fn set_up<R: Rules>(text: &str) -> Twin<R> {
    Twin::from_model(board(common::game_of(R::VARIANT), text))
}

/// Sets up a board of the main game and plays one move.
fn play(text: &str, number: usize) -> (Twin<Togyzqumalaq>, Move) {
    let mut twin = set_up(text);
    let done = twin.play(number);
    (twin, done)
}

/// The position after a list of moves from the start.
fn after(moves: &str) -> Twin<Togyzqumalaq> {
    let mut twin = Twin::start();
    for word in moves.split(' ') {
        twin.play(word.parse().expect(moves));
    }
    twin
}

#[track_caller]
fn assert_board<R: Rules>(twin: &Twin<R>, text: &str) {
    let mut expected = board(twin.model.game, text);
    expected.move_number = twin.model.move_number;
    assert_eq!(twin.model, expected);
}

/// Checks a position after moves from the start against the board written in a report.
#[track_caller]
fn assert_after(moves: &str, text: &str) {
    assert_board(&after(moves), text);
}

/// A move that took, fed and lost nothing.
fn quiet(landing: (usize, usize)) -> Move {
    Move { landing, captured: 0, tuzdyq: false, fed: 0, lost: 0 }
}

fn captures(landing: (usize, usize), captured: u32) -> Move {
    Move { captured, ..quiet(landing) }
}

mod sowing {
    use super::*;

    #[test]
    fn the_start_has_nine_stones_in_each_pit_and_south_moves() {
        let twin = Twin::<Togyzqumalaq>::start();
        assert_board(&twin, "9 9 9 9 9 9 9 9 9 | 9 9 9 9 9 9 9 9 9 | 0-0 | - - | South");
        assert_eq!(twin.position.move_number(), 1);
        assert_eq!(twin.position.moves().count(), 9);
    }

    #[test]
    fn the_move_number_grows_after_norths_move() {
        let mut twin = Twin::<Togyzqumalaq>::start();
        twin.play(7);
        assert_eq!((twin.position.turn(), twin.position.move_number()), (Side::North, 1));
        twin.play(7);
        assert_eq!((twin.position.turn(), twin.position.move_number()), (Side::South, 2));
    }

    #[test]
    fn the_first_of_several_stones_returns_to_the_origin() {
        let (twin, done) = play("9 9 9 9 9 9 9 9 9 | 9 9 9 9 9 9 9 9 9 | 0-0 | - - | South", 1);
        assert_board(&twin, "1 10 10 10 10 10 10 10 10 | 9 9 9 9 9 9 9 9 9 | 0-0 | - - | North");
        assert_eq!(done, quiet((SOUTH, 9)));
    }

    #[test]
    fn two_stones_leave_one_behind() {
        let (twin, done) = play("0 0 0 2 0 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 76-77 | - - | South", 4);
        assert_board(&twin, "0 0 0 1 1 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 76-77 | - - | North");
        assert_eq!(done, quiet((SOUTH, 5)));
    }

    #[test]
    fn sowing_goes_on_in_the_other_row_from_its_first_pit() {
        let (twin, done) = play("0 0 0 0 0 0 0 4 0 | 7 0 0 0 0 0 0 0 0 | 75-76 | - - | South", 8);
        assert_board(&twin, "0 0 0 0 0 0 0 1 1 | 8 1 0 0 0 0 0 0 0 | 75-76 | - - | North");
        assert_eq!(done, quiet((NORTH, 2)));
    }

    #[test]
    fn sowing_comes_round_to_the_movers_first_pit() {
        let (twin, done) = play("7 0 0 0 0 0 0 0 0 | 0 0 0 0 0 0 0 0 12 | 71-72 | - - | North", 9);
        assert_board(&twin, "8 1 1 1 1 1 1 1 1 | 1 1 0 0 0 0 0 0 1 | 71-72 | - - | South");
        assert_eq!(done, quiet((NORTH, 2)));
    }

    #[test]
    fn a_single_stone_moves_and_leaves_its_pit_empty() {
        let (twin, done) = play("0 0 1 0 0 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 77-77 | - - | South", 3);
        assert_board(&twin, "0 0 0 1 0 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 77-77 | - - | North");
        assert_eq!(done, quiet((SOUTH, 4)));
    }

    #[test]
    fn a_single_stone_crosses_to_the_other_row() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 1 | 6 0 0 0 0 0 0 0 0 | 77-78 | - - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 77-78 | - - | North");
        assert_eq!(done, quiet((NORTH, 1)));
    }

    #[test]
    fn eighteen_stones_end_just_before_the_origin() {
        let (twin, done) = play("0 0 0 18 0 0 0 0 0 | 0 0 0 0 0 0 0 0 0 | 72-72 | - - | South", 4);
        assert_board(&twin, "1 1 1 1 1 1 1 1 1 | 1 1 1 1 1 1 1 1 1 | 72-72 | - - | North");
        assert_eq!(done, quiet((SOUTH, 3)));
    }

    #[test]
    fn nineteen_stones_give_the_origin_a_second_one() {
        let (twin, done) = play("0 0 0 19 0 0 0 0 0 | 0 0 0 0 0 0 0 0 0 | 71-72 | - - | South", 4);
        assert_board(&twin, "1 1 1 2 1 1 1 1 1 | 1 1 1 1 1 1 1 1 1 | 71-72 | - - | North");
        assert_eq!(done, quiet((SOUTH, 4)));
    }

    #[test]
    fn forty_eight_stones_go_round_twice_and_capture() {
        let (twin, done) = play("0 0 48 0 0 0 0 0 0 | 0 0 0 0 1 0 0 0 0 | 60-53 | - - | South", 3);
        assert_board(&twin, "2 2 3 3 3 3 3 3 3 | 3 3 3 3 0 2 2 2 2 | 64-53 | - - | North");
        assert_eq!(done, captures((NORTH, 5), 4));
    }

    #[test]
    fn all_stones_in_one_pit_go_round_nine_times() {
        let (twin, done) = play("162 0 0 0 0 0 0 0 0 | 0 0 0 0 0 0 0 0 0 | 0-0 | - - | South", 1);
        assert_board(&twin, "9 9 9 9 9 9 9 9 9 | 9 9 9 9 9 9 9 9 9 | 0-0 | - - | North");
        assert_eq!(done, quiet((NORTH, 9)));
    }

    /// "79:610" reads: pit 7 with 9 stones, captures in pit 6, 10 stones; "X" marks a new tuzdyq.
    #[test]
    fn a_rulebooks_sample_game_ends_at_48_39() {
        let game = "79:610 79:610, 510-511 910:912, 111:212 810:814, 213:512 92:13X, 92:114.";
        let mut twin = Twin::<Togyzqumalaq>::start();
        for written in game.trim_end_matches('.').split([' ', ',']).filter(|word| !word.is_empty()) {
            let number = written[..1].parse().expect("a pit");
            let side = twin.model.side;
            let mut read_back = format!("{number}{}", twin.model.stones(side, number));
            let done = twin.play(number);
            let (row, landing) = done.landing;
            match done.captured {
                0 => write!(read_back, "-{landing}{}", twin.model.stones(row, landing)),
                captured => write!(read_back, ":{landing}{captured}{}", if done.tuzdyq { "X" } else { "" }),
            }
            .expect("a string grows");
            assert_eq!(read_back, written);
        }
        assert_eq!(twin.model.kazans, [48, 39]);
        assert_eq!(twin.model.tuzdyqs, [None, Some(1)]);
    }
}

mod capture {
    use super::*;

    #[test]
    fn two_stones_are_captured() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 1 | 1 0 5 0 0 0 0 0 0 | 77-78 | - - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 0 | 0 0 5 0 0 0 0 0 0 | 79-78 | - - | North");
        assert_eq!(done, captures((NORTH, 1), 2));
    }

    #[test]
    fn any_even_number_is_captured() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 3 | 4 19 0 0 0 0 0 0 0 | 61-75 | - - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 1 | 5 0 0 0 0 0 0 0 0 | 81-75 | - - | North");
        assert_eq!(done, captures((NORTH, 2), 20));
    }

    #[test]
    fn a_pit_that_becomes_even_before_the_last_stone_stays() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 3 | 5 6 0 0 0 0 0 0 0 | 74-74 | - - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 1 | 6 7 0 0 0 0 0 0 0 | 74-74 | - - | North");
        assert_eq!(done, quiet((NORTH, 2)));
    }

    #[test]
    fn nothing_is_captured_in_the_movers_own_row() {
        let (twin, done) = play("0 0 0 2 3 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 75-75 | - - | South", 4);
        assert_board(&twin, "0 0 0 1 4 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 75-75 | - - | North");
        assert_eq!(done, quiet((SOUTH, 5)));
    }

    #[test]
    fn a_pit_filled_twice_in_one_sowing_is_captured() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 20 | 0 0 0 0 0 0 0 0 0 | 71-71 | - - | South", 9);
        assert_board(&twin, "1 1 1 1 1 1 1 1 2 | 0 1 1 1 1 1 1 1 1 | 73-71 | - - | North");
        assert_eq!(done, captures((NORTH, 1), 2));
    }

    #[test]
    fn north_captures_in_souths_row() {
        let (twin, done) = play("1 7 0 0 0 0 0 0 0 | 0 0 0 0 0 0 0 0 3 | 75-76 | - - | North", 9);
        assert_board(&twin, "2 0 0 0 0 0 0 0 0 | 0 0 0 0 0 0 0 0 1 | 75-84 | - - | South");
        assert_eq!(done, captures((SOUTH, 2), 8));
    }
}

mod tuzdyq_rules {
    use super::*;

    fn takes_tuzdyq(landing: (usize, usize)) -> Move {
        Move { captured: 3, tuzdyq: true, ..quiet(landing) }
    }

    #[test]
    fn a_pit_that_becomes_three_is_the_movers_tuzdyq() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 2 | 2 0 0 0 0 0 0 0 25 | 70-63 | - - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 1 | 0 0 0 0 0 0 0 0 25 | 73-63 | 1 - | North");
        assert_eq!(done, takes_tuzdyq((NORTH, 1)));
    }

    #[test]
    fn both_sides_may_have_one_with_different_numbers() {
        let (twin, done) = play("0 2 0 0 0 0 0 0 25 | 0 0 0 0 0 0 0 0 3 | 66-66 | 1 - | North", 9);
        assert_board(&twin, "1 0 0 0 0 0 0 0 25 | 0 0 0 0 0 0 0 0 1 | 66-69 | 1 2 | South");
        assert_eq!(done, takes_tuzdyq((SOUTH, 2)));
    }

    #[test]
    fn the_eighth_pit_may_be_taken() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 9 | 0 0 0 0 0 0 0 2 0 | 75-76 | - - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 1 | 1 1 1 1 1 1 1 0 0 | 78-76 | 8 - | North");
        assert_eq!(done, takes_tuzdyq((NORTH, 8)));
    }

    #[test]
    fn three_in_the_movers_own_row_is_nothing() {
        let (twin, done) = play("0 0 0 2 2 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 75-76 | - - | South", 4);
        assert_board(&twin, "0 0 0 1 3 0 0 0 0 | 7 0 0 0 0 0 0 0 0 | 75-76 | - - | North");
        assert_eq!(done, quiet((SOUTH, 5)));
    }

    #[test]
    fn no_second_tuzdyq() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 2 | 2 0 0 0 0 0 0 0 25 | 70-63 | 3 - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 1 | 3 0 0 0 0 0 0 0 25 | 70-63 | 3 - | North");
        assert_eq!(done, quiet((NORTH, 1)));
    }

    #[test]
    fn no_tuzdyq_in_the_ninth_pit() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 10 | 0 0 0 0 0 0 0 0 2 | 75-75 | - - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 1 | 1 1 1 1 1 1 1 1 3 | 75-75 | - - | North");
        assert_eq!(done, quiet((NORTH, 9)));
    }

    #[test]
    fn no_tuzdyq_with_the_number_of_the_opponents() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 2 | 2 0 0 0 0 0 0 0 25 | 70-63 | - 1 | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 1 | 3 0 0 0 0 0 0 0 25 | 70-63 | - 1 | North");
        assert_eq!(done, quiet((NORTH, 1)));
    }

    #[test]
    fn stones_into_tuzdyqs_go_to_their_owners_when_south_sows() {
        let (twin, done) = play("0 0 0 0 0 0 8 0 0 | 0 0 0 0 0 0 0 0 0 | 77-77 | 2 8 | South", 7);
        assert_board(&twin, "0 0 0 0 0 0 1 0 1 | 1 0 1 1 1 0 0 0 0 | 78-78 | 2 8 | North");
        assert_eq!(done, Move { fed: 1, lost: 1, ..quiet((NORTH, 5)) });
    }

    #[test]
    fn stones_into_tuzdyqs_go_to_their_owners_when_north_sows() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 0 | 0 0 0 0 0 0 5 0 0 | 79-78 | 8 1 | North", 7);
        assert_board(&twin, "0 1 0 0 0 0 0 0 0 | 0 0 0 0 0 0 1 0 1 | 80-79 | 8 1 | South");
        assert_eq!(done, Move { fed: 1, lost: 1, ..quiet((SOUTH, 2)) });
    }

    #[test]
    fn every_lap_of_a_sowing_feeds_a_tuzdyq() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 20 | 0 0 0 0 0 0 0 0 0 | 71-71 | 1 3 | South", 9);
        assert_board(&twin, "1 1 0 1 1 1 1 1 2 | 0 1 1 1 1 1 1 1 1 | 73-72 | 1 3 | North");
        assert_eq!(done, Move { fed: 2, lost: 1, ..quiet((NORTH, 1)) });
    }

    #[test]
    fn a_last_stone_into_the_movers_tuzdyq_does_nothing_more() {
        let (twin, done) = play("0 0 0 0 0 0 0 0 1 | 0 7 0 0 0 0 0 0 0 | 77-77 | 1 - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 0 | 0 7 0 0 0 0 0 0 0 | 78-77 | 1 - | North");
        assert_eq!(done, Move { fed: 1, ..quiet((NORTH, 1)) });
    }

    #[test]
    fn a_last_stone_into_the_opponents_tuzdyq_does_nothing_more() {
        let (twin, done) = play("0 0 2 0 0 0 0 0 0 | 0 7 0 0 0 0 0 0 0 | 76-77 | - 4 | South", 3);
        assert_board(&twin, "0 0 1 0 0 0 0 0 0 | 0 7 0 0 0 0 0 0 0 | 76-78 | - 4 | North");
        assert_eq!(done, Move { lost: 1, ..quiet((SOUTH, 4)) });
    }
}

mod end {
    use super::*;

    fn decided(south: u32, north: u32) -> Option<End> {
        Some(End { stones: [south, north], atsyrau: false })
    }

    fn atsyrau(south: u32, north: u32) -> Option<End> {
        Some(End { stones: [south, north], atsyrau: true })
    }

    /// The end as the model and the packed position, compared by the twin, see it; and the result in words.
    #[track_caller]
    fn assert_end<R: Rules>(twin: &Twin<R>, end: Option<End>, result: &str) {
        assert_eq!(twin.model.end(), end);
        let outcome = twin.position.outcome().expect("the game is over");
        assert_eq!(outcome.result(), result);
        assert!(twin.position.moves().is_empty());
    }

    #[test]
    fn a_capture_to_82_ends_the_game_and_leaves_the_board() {
        let (twin, _) = play("0 0 0 0 0 0 0 0 1 | 1 0 5 0 0 0 0 0 9 | 80-66 | - - | South", 9);
        assert_board(&twin, "0 0 0 0 0 0 0 0 0 | 0 0 5 0 0 0 0 0 9 | 82-66 | - - | North");
        assert_end(&twin, decided(82, 66), "1-0");
    }

    #[test]
    fn eighty_one_do_not_end_the_game() {
        let (twin, _) = play("1 0 0 0 0 0 0 0 1 | 1 0 5 0 0 0 0 0 9 | 79-66 | - - | South", 9);
        assert_eq!(twin.model.kazans, [81, 66]);
        assert_eq!(twin.position.outcome(), None);
        assert_eq!(twin.model.legal_moves(), [3, 9]);
    }

    #[test]
    fn the_opponents_82nd_stone_ends_the_game_too() {
        let (twin, done) = play("0 0 3 0 0 0 0 0 9 | 0 7 0 0 0 0 0 0 0 | 62-81 | - 4 | South", 3);
        assert_eq!(done, Move { lost: 1, ..quiet((SOUTH, 5)) });
        assert_end(&twin, decided(62, 82), "0-1");
    }

    #[test]
    fn a_decided_set_up_is_over_for_either_side_to_move() {
        let over = set_up::<Togyzqumalaq>("1 0 0 0 0 0 0 0 1 | 1 0 5 0 0 0 0 0 0 | 82-72 | - - | South");
        assert_end(&over, decided(82, 72), "1-0");
        let over = set_up::<Togyzqumalaq>("1 0 0 0 0 0 0 0 1 | 1 0 5 0 0 0 0 0 0 | 82-72 | - - | North");
        assert_end(&over, decided(82, 72), "1-0");
    }

    #[test]
    fn a_decided_game_is_not_swept() {
        let over = set_up::<Togyzqumalaq>("0 0 0 0 0 0 0 0 0 | 1 0 5 0 0 0 0 0 0 | 82-74 | - - | South");
        assert_end(&over, decided(82, 74), "1-0");
    }

    #[test]
    fn atsyrau_is_tested_for_the_side_to_move_only() {
        let (mut swept, _) = play("0 0 0 0 0 0 0 0 1 | 4 0 0 0 0 0 0 0 3 | 77-77 | - - | South", 9);
        assert_board(&swept, "0 0 0 0 0 0 0 0 0 | 5 0 0 0 0 0 0 0 3 | 77-77 | - - | North");
        assert_eq!(swept.position.outcome(), None);

        let mut fed = swept.clone();
        fed.play(9);
        assert_board(&fed, "1 1 0 0 0 0 0 0 0 | 5 0 0 0 0 0 0 0 1 | 77-77 | - - | South");
        assert_eq!(fed.position.outcome(), None);

        swept.play(1);
        assert_board(&swept, "0 0 0 0 0 0 0 0 0 | 1 1 1 1 1 0 0 0 3 | 77-77 | - - | South");
        assert_end(&swept, atsyrau(77, 85), "0-1");
    }

    #[test]
    fn south_sweeps_its_own_row_when_north_has_no_stone() {
        let (twin, _) = play("0 0 0 0 0 4 0 0 0 | 0 0 0 0 0 0 0 0 0 | 79-79 | 3 1 | South", 6);
        assert_board(&twin, "0 0 0 0 0 1 1 1 1 | 0 0 0 0 0 0 0 0 0 | 79-79 | 3 1 | North");
        assert_end(&twin, atsyrau(83, 79), "1-0");
    }

    #[test]
    fn the_sweep_may_draw() {
        let over = set_up::<Togyzqumalaq>("0 0 0 0 0 0 0 0 0 | 1 0 5 0 0 0 0 0 2 | 81-73 | - - | South");
        assert_end(&over, atsyrau(81, 81), "1/2-1/2");
    }

    #[test]
    fn the_last_capture_may_draw() {
        let (twin, _) = play("0 0 0 0 0 0 0 0 1 | 1 0 0 0 0 0 0 0 0 | 79-81 | - - | South", 9);
        assert_end(&twin, atsyrau(81, 81), "1/2-1/2");
    }

    /// Whether the game may end in the next half-moves: bounds from above what each can gain or remove.
    fn may_end_within(position: &Position<Togyzqumalaq>, half_moves: u32) -> bool {
        let half = |side| position.half(side);
        let stones = Side::BOTH.map(|side| (1..=9).map(move |number| half(side).stones(pit(number))));
        let mut largest = stones.into_iter().flatten().max().expect("18 pits");
        let (mover, other) = (position.turn(), position.turn().other());
        let mut kazans = [half(mover).kazan(), half(other).kazan()];
        let mut rows = [half(mover).row_stones(), half(other).row_stones()];
        for _ in 0..half_moves {
            // No pit gets more than `laps` stones of one sowing.
            let laps = largest.div_ceil(18);
            kazans = [kazans[0] + largest + 2 * laps, kazans[1] + laps];
            rows = [rows[0].saturating_sub(largest), rows[1].saturating_sub(largest + laps)];
            largest += laps;
            if kazans.iter().any(|&kazan| kazan > 81) || rows[1] == 0 {
                return true;
            }
            kazans.swap(0, 1);
            rows.swap(0, 1);
        }
        false
    }

    /// Collects, for the move sequences of at most `left` half-moves that end the game, their length and winner.
    fn finished(position: &Position<Togyzqumalaq>, left: u32, ends: &mut Vec<(u32, Option<Side>)>) {
        if let Some(outcome) = position.outcome() {
            ends.push((11 - left, outcome.winner()));
        } else if left > 0 && may_end_within(position, left) {
            for pit in position.moves() {
                finished(&position.play(pit).0, left - 1, ends);
            }
        }
    }

    #[test]
    fn the_shortest_games_have_11_half_moves() {
        let mut ends = Vec::new();
        finished(&Position::start(), 11, &mut ends);
        assert_eq!(ends, vec![(11, Some(Side::South)); 1391]);
    }
}

/// Positions from reported faults of other programs.
mod scenarios {
    use super::*;

    #[test]
    fn game_02_three_in_the_ninth_pit() {
        assert_after("9 2 3 9", "11 1 2 11 11 11 11 11 3 | 11 0 11 11 11 11 11 1 1 | 12-10 | - - | South");
        assert_after(
            "5 6 7 5 9 8 4 9 6 4 9 6 7 1",
            "16 15 1 3 5 2 2 17 3 | 1 18 17 1 6 2 17 4 2 | 14-16 | - - | South",
        );
    }

    #[test]
    fn game_03_three_in_the_pit_with_the_number_of_the_opponents_tuzdyq() {
        assert_after("8 4 1 1 3 2", "3 1 2 3 11 11 11 3 12 | 2 1 13 0 13 13 3 12 12 | 14-22 | 4 - | South");
    }

    #[test]
    fn game_05a_a_single_stone_into_the_movers_tuzdyq() {
        assert_after("1 9 8 1 2 9", "0 1 12 12 12 12 12 2 12 | 2 12 0 11 11 11 11 11 0 | 14-4 | - 1 | South");
    }

    #[test]
    fn game_05b_a_last_stone_into_the_opponents_tuzdyq() {
        assert_after("1 3 5 1 9", "0 11 10 10 1 11 11 11 1 | 2 12 4 13 13 12 12 12 12 | 0-4 | - 1 | North");
    }

    #[test]
    fn game_05c_feeding_the_opponents_tuzdyq_and_capturing() {
        assert_after("6 3 5 6 2 2", "12 2 3 0 3 0 12 12 12 | 12 1 0 1 2 2 12 12 12 | 26-26 | 3 6 | South");
    }

    #[test]
    fn game_05d_feeding_the_opponents_tuzdyq_twice() {
        assert_after(
            "8 4 5 8 3 6 2 9 6 2 1 1 6 6 7",
            "3 7 8 9 10 2 2 0 18 | 2 4 18 5 16 1 7 6 5 | 18-21 | - 8 | North",
        );
    }

    #[test]
    fn game_05e_feeding_both_tuzdyqs() {
        let twin = after("1 5 5 1 5 6 3 8 4 7 2 3 6");
        assert_board(&twin, "0 3 6 5 8 2 1 17 17 | 7 15 2 16 4 0 3 3 16 | 11-26 | 6 1 | North");
        assert_eq!(twin.model.legal_moves(), [1, 2, 3, 4, 5, 7, 8, 9]);
    }

    #[test]
    fn game_06_a_single_stone_from_the_ninth_pit() {
        assert_after("9 1 9", "0 9 9 9 9 9 9 9 0 | 0 11 11 11 11 11 11 1 10 | 12-10 | - - | North");
        assert_after("1 9 6 9", "0 11 11 11 11 1 12 12 11 | 10 10 10 10 10 10 0 9 0 | 10-3 | - 1 | South");
    }

    #[test]
    fn game_08_the_mover_sows_the_opponents_82nd_stone() {
        let mut twin = after("9 4 8 2 7 2 3 5 6 2 8 9 7 6 8 8 4 5 6 8 8 5 5 9 8");
        assert_eq!(twin.position.outcome(), None);
        assert_ne!(twin.play(6).lost, 0);
        assert_board(&twin, "1 0 3 1 1 2 3 1 13 | 1 1 1 8 1 1 0 2 2 | 82-38 | 7 - | South");
        let outcome = twin.position.outcome().expect("82 end the game");
        assert_eq!((outcome.winner(), outcome.atsyrau), (Some(Side::South), false));
    }

    #[test]
    fn game_09_two_lone_stones_go_round() {
        let start = Twin::<Togyzqumalaq>::from_fen("8,1S/1S,8 80 80 S 1");
        let mut twin = start.clone();
        for number in 1..=9 {
            twin.play(number);
            assert_ne!(twin.position, start.position);
            twin.play(number);
            assert_eq!(twin.position == start.position, number == 9);
        }
        assert_eq!(twin.position.key(), start.position.key());
        assert_eq!(twin.position.move_number(), 10);
    }

    /// A game of 320 half-moves whose last position occurred before.
    const REPEATING: &str = "7 1 4 5 1 4 6 7 1 5 3 7 4 2 7 7 2 2 8 8 6 4 1 6 9 5 2 1 5 5 7 3 9 7 6 4 6 6 8 2 4 9 6 4 5 2 \
        9 9 9 8 5 8 5 7 4 2 6 7 2 4 7 9 5 8 9 9 8 8 9 4 2 6 9 8 2 3 8 5 4 4 5 6 3 6 3 9 1 7 4 2 6 9 8 9 4 3 9 4 9 3 3 2 \
        6 3 4 4 5 8 6 7 5 9 7 5 8 4 8 6 9 6 1 1 9 2 2 7 2 7 4 3 3 5 3 6 7 8 1 5 5 7 4 9 2 8 4 4 8 9 3 8 9 5 4 6 5 1 7 9 \
        8 7 6 2 6 3 5 6 1 7 8 8 2 4 6 5 7 9 1 6 3 8 7 7 2 8 4 9 5 9 9 1 9 1 8 2 2 2 9 4 8 5 6 6 9 7 7 8 8 9 1 3 3 4 9 5 \
        2 3 3 1 3 6 4 2 6 4 4 7 7 5 8 8 5 9 9 6 6 3 5 1 1 4 7 2 6 7 7 8 8 3 8 5 2 9 9 1 3 4 9 5 4 6 5 1 6 6 1 7 7 8 8 2 \
        2 3 9 9 3 1 4 7 1 4 2 5 3 6 5 2 6 3 4 2 5 3 7 4 8 4 6 7 9 8 7 9 8 1 9 8 1 1 2 5 3 9 1 5 4 6 2 6 3 7";

    #[test]
    fn game_09_a_long_game_comes_back_to_a_position() {
        let moves: Vec<usize> = REPEATING.split(' ').map(|word| word.parse().expect("a pit")).collect();
        assert_eq!(moves.len(), 320);
        let mut twin = Twin::<Togyzqumalaq>::start();
        let mut seen = vec![twin.position];
        for number in moves {
            assert_eq!(seen.iter().filter(|&&earlier| earlier == twin.position).count(), 1);
            twin.play(number);
            seen.push(twin.position);
        }
        let last: Vec<_> = seen.iter().filter(|&&position| position == twin.position).collect();
        assert_eq!(last.len(), 2);
        assert_eq!(last[0].key(), last[1].key());
    }

    #[test]
    fn game_11_impossible_set_ups_are_refused() {
        let possible = "1S,8/1S,T,7 80 80 S 1";
        let impossible = [
            ("161 stones", "1S,8/1S,T,7 80 79 S 1"),
            ("163 stones", "1S,8/1S,T,7 80 81 S 1"),
            ("a tuzdyq in the ninth pit", "T,7,1S/1S,8 80 80 S 1"),
            ("tuzdyqs with the same number", "1S,4,T,3/1S,2,t,5 80 80 S 1"),
            ("two tuzdyqs in a row", "1S,8/1S,t,t,6 80 80 S 1"),
            ("a kazan of 256", "1S,8/1S,t,7 256 80 S 1"),
            ("a kazan of 256 that wraps to a right total", "1S,8/1S,t,7 336 80 S 1"),
            ("a negative kazan", "1S,8/1S,t,7 164 -4 S 1"),
            ("a negative pit", "1S,8/-1S,t,7 81 81 S 1"),
            ("eight pits in a row", "1S,7/1S,t,7 80 80 S 1"),
            ("ten pits in a row", "1S,9/1S,t,7 80 80 S 1"),
            ("no side to move", "1S,8/1S,t,7 80 80"),
            ("one row", "1S,8 80 81 S 1"),
            ("no text", ""),
        ];
        assert!(possible.parse::<Position<Togyzqumalaq>>().is_ok());
        let mut reasons = HashSet::new();
        for (what, fen) in impossible {
            let error = fen.parse::<Position<Togyzqumalaq>>().expect_err(what);
            reasons.insert(error.to_string());
        }
        assert!(reasons.len() > 8, "the reasons tell the faults apart: {reasons:?}");
    }

    #[test]
    fn game_11_a_set_up_may_have_all_stones_in_one_pit() {
        let mut twin = Twin::<Togyzqumalaq>::from_fen("9/162S,8 0 0 S 1");
        twin.play(1);
        assert_board(&twin, "9 9 9 9 9 9 9 9 9 | 9 9 9 9 9 9 9 9 9 | 0-0 | - - | North");
    }

    /// The published table counts distinct positions, not move sequences.
    #[test]
    fn game_12_distinct_positions_of_the_opening() {
        let mut layer = vec![Position::<Togyzqumalaq>::start()];
        let mut sizes = Vec::new();
        for _ in 0..6 {
            let mut keys = HashSet::new();
            let next = layer.iter().flat_map(|position| position.moves().map(|pit| position.play(pit).0));
            layer = next.filter(|position| keys.insert(position.key())).collect();
            let moves: u32 = layer.iter().map(|position| position.board().move_count()).sum();
            sizes.push((layer.len(), moves));
        }
        assert_eq!(sizes[4..], [(42_841, 357_277), (350_462, 2_924_670)]);
    }
}

mod other_games {
    use super::*;

    #[test]
    fn bestemshe_starts_with_five_times_five() {
        let mut twin = Twin::<Bestemshe>::start();
        assert_board(&twin, "5 5 5 5 5 | 5 5 5 5 5 | 0-0 | - - | South");
        assert_eq!(twin.play(3), captures((NORTH, 2), 6));
        assert_board(&twin, "5 5 1 6 6 | 6 0 5 5 5 | 6-0 | - - | North");
    }

    #[test]
    fn bestemshe_has_no_tuzdyq() {
        let mut twin = set_up::<Bestemshe>("0 0 0 0 2 | 2 0 0 0 4 | 21-21 | - - | South");
        assert_eq!(twin.play(5), quiet((NORTH, 1)));
        assert_board(&twin, "0 0 0 0 1 | 3 0 0 0 4 | 21-21 | - - | North");
        assert!("1S,3,T/1S,4 24 24 S 1".parse::<Position<Bestemshe>>().is_err());
    }

    #[test]
    fn bestemshe_is_won_with_26() {
        let mut twin = set_up::<Bestemshe>("0 0 0 0 1 | 1 0 0 0 3 | 23-22 | - - | South");
        twin.play(5);
        assert_eq!((twin.model.kazans, twin.position.outcome()), ([25, 22], None));
        let mut twin = set_up::<Bestemshe>("0 0 0 0 1 | 1 0 0 0 3 | 24-21 | - - | South");
        twin.play(5);
        assert_eq!(twin.model.end(), Some(End { stones: [26, 21], atsyrau: false }));
    }

    #[test]
    fn bestemshe_sows_fifty_stones_five_times_round() {
        let mut twin = set_up::<Bestemshe>("50 0 0 0 0 | 0 0 0 0 0 | 0-0 | - - | South");
        assert_eq!(twin.play(1), quiet((NORTH, 5)));
        assert_board(&twin, "5 5 5 5 5 | 5 5 5 5 5 | 0-0 | - - | North");
    }

    #[test]
    fn kozdatu_starts_with_seven_times_seven() {
        let mut twin = Twin::<Kozdatu>::start();
        assert_board(&twin, "7 7 7 7 7 7 7 | 7 7 7 7 7 7 7 | 0-0 | - - | South");
        assert_eq!(twin.play(3), captures((NORTH, 2), 8));
        assert_board(&twin, "7 7 1 8 8 8 8 | 8 0 7 7 7 7 7 | 8-0 | - - | North");
    }

    #[test]
    fn kozdatu_takes_a_tuzdyq_but_not_in_the_seventh_pit() {
        let mut twin = set_up::<Kozdatu>("0 0 0 0 0 0 7 | 0 0 0 0 0 2 1 | 44-44 | - - | South");
        assert_eq!(twin.play(7), Move { captured: 3, tuzdyq: true, ..quiet((NORTH, 6)) });
        assert_board(&twin, "0 0 0 0 0 0 1 | 1 1 1 1 1 0 1 | 47-44 | 6 - | North");

        let mut twin = set_up::<Kozdatu>("0 0 0 0 0 0 8 | 0 0 0 0 0 0 2 | 44-44 | - - | South");
        assert_eq!(twin.play(7), quiet((NORTH, 7)));
        assert_board(&twin, "0 0 0 0 0 0 1 | 1 1 1 1 1 1 3 | 44-44 | - - | North");
        assert!("T,6/1S,6 48 49 S 1".parse::<Position<Kozdatu>>().is_err());
    }

    #[test]
    fn kozdatu_takes_no_tuzdyq_with_the_number_of_the_opponents() {
        let mut twin = set_up::<Kozdatu>("0 0 0 0 0 0 2 | 2 0 0 0 0 0 0 | 47-47 | - 1 | South");
        assert_eq!(twin.play(7), quiet((NORTH, 1)));
        assert_board(&twin, "0 0 0 0 0 0 1 | 3 0 0 0 0 0 0 | 47-47 | - 1 | North");
    }

    #[test]
    fn kozdatu_is_won_with_50() {
        let mut twin = set_up::<Kozdatu>("0 0 0 0 0 0 1 | 1 0 0 0 0 0 3 | 47-46 | - - | South");
        twin.play(7);
        assert_eq!((twin.model.kazans, twin.position.outcome()), ([49, 46], None));
        let mut twin = set_up::<Kozdatu>("0 0 0 0 0 0 1 | 1 0 0 0 0 0 3 | 48-45 | - - | South");
        twin.play(7);
        assert_eq!(twin.model.end(), Some(End { stones: [50, 45], atsyrau: false }));
    }

    #[test]
    fn kozdatu_sows_98_stones_seven_times_round() {
        let mut twin = set_up::<Kozdatu>("98 0 0 0 0 0 0 | 0 0 0 0 0 0 0 | 0-0 | - - | South");
        assert_eq!(twin.play(1), quiet((NORTH, 7)));
        assert_board(&twin, "7 7 7 7 7 7 7 | 7 7 7 7 7 7 7 | 0-0 | - - | North");
    }
}
