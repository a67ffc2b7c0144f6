//! What the tests of the rules share: the plain model, and a twin that plays it and the packed position side by side.

#![allow(dead_code, reason = "every test crate compiles this module and uses a part of it")]

pub mod browser;
pub mod files;
pub mod model;
pub mod pipe;
pub mod searching;

use model::{End, Game, Model, Move, NORTH, SOUTH};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use serde_json::Value;
use tuzdyq::game::{Capture, Effect, Landing, Outcome, Pit, Position, Rules, Side, Variant, parse_move};

/// A position held twice, by the model and by the packed position. They are compared whenever the twin changes.
#[derive(Clone, Debug)]
pub struct Twin<R: Rules> {
    pub model: Model,
    pub position: Position<R>,
}

impl<R: Rules> Twin<R> {
    /// The position before the first move.
    pub fn start() -> Self {
        let twin = Twin { model: Model::start(game_of(R::VARIANT)), position: Position::start() };
        twin.check();
        twin
    }

    /// A position set up through the model's FEN.
    pub fn from_model(model: Model) -> Self {
        let position = parse(&model.fen());
        let twin = Twin { model, position };
        twin.check();
        twin
    }

    pub fn from_fen(fen: &str) -> Self {
        let position = parse(fen);
        let twin = Twin { model: model_of(&position), position };
        twin.check();
        assert_eq!(twin.model.fen(), fen);
        twin
    }

    /// Plays a move, compares the two, and gives what the move did.
    pub fn play(&mut self, number: usize) -> Move {
        let done = self.model.play(number);
        self.position = self.position.play(pit(number)).0;
        self.check();
        done
    }

    /// Compares all that the two can tell about the position and about each of its moves.
    fn check(&self) {
        let Twin { model, position } = self;
        let fen = model.fen();
        assert_eq!(model_of(position), *model, "{fen}");
        assert_eq!(position.to_string(), fen);
        let parsed: Position<R> = parse(&fen);
        assert_eq!(parsed, *position, "{fen}");
        assert_eq!(parsed.move_number(), model.move_number, "{fen}");
        assert_eq!(parsed.key(), position.key(), "{fen}");
        assert_eq!(position.key(), position.computed_key(), "{fen}");

        let board = position.board();
        let end = model.end();
        assert_eq!(position.outcome().map(end_of), end, "{fen}");
        assert_eq!(board.is_over(), end.is_some(), "{fen}");
        assert_eq!(board.is_decided(), end.is_some_and(|end| !end.atsyrau), "{fen}");
        assert_eq!(board.stones_left(), model.rows.iter().flatten().sum::<u32>(), "{fen}");
        for (side, row) in Side::BOTH.into_iter().zip(&model.rows) {
            let half = position.half(side);
            let occupied: Vec<usize> = (1..=row.len()).filter(|&number| row[number - 1] > 0).collect();
            assert_eq!(numbers(half.occupied()), occupied, "{fen}");
            assert_eq!(half.occupied_count() as usize, occupied.len(), "{fen}");
            assert_eq!(half.is_empty(), occupied.is_empty(), "{fen}");
            assert_eq!(half.row_stones(), row.iter().sum::<u32>(), "{fen}");
        }

        let legal = model.legal_moves();
        assert_eq!(numbers(position.moves()), legal, "{fen}");
        assert_eq!(board.move_count() as usize, legal.len(), "{fen}");
        for number in 0..=R::PITS + 1 {
            let read = parse_move(position, &number.to_string()).ok().map(number_of);
            assert_eq!(read, legal.contains(&number).then_some(number), "move {number} in {fen}");
        }
        for number in legal {
            self.check_move(number);
        }
    }

    /// Compares what the two say about a legal move.
    fn check_move(&self, number: usize) {
        let mut after = self.model.clone();
        let done = after.play(number);
        let what = format!("move {number} in {}", self.model.fen());

        let Landing { own, pit: landing } = self.position.board().landing(pit(number));
        let row = if own { self.model.side } else { 1 - self.model.side };
        assert_eq!((row, number_of(landing)), done.landing, "{what}");

        let Move { captured, tuzdyq, fed, lost, .. } = done;
        assert_eq!(self.position.capture(pit(number)), Capture { stones: captured, tuzdyq }, "{what}");
        let (next, effect) = self.position.play(pit(number));
        assert_eq!(effect, Effect { captured, tuzdyq, fed, lost }, "{what}");
        assert_eq!(effect.is_irreversible(), after.kazans != self.model.kazans, "{what}");
        assert_eq!(model_of(&next), after, "{what}");
        assert_eq!(next.key(), next.computed_key(), "{what}");
    }
}

/// Reads a FEN that must be right.
pub fn parse<R: Rules>(fen: &str) -> Position<R> {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The pit with this number, as a move.
pub fn pit(number: usize) -> Pit {
    Pit::from_index(number - 1)
}

fn number_of(pit: Pit) -> usize {
    pit.number().into()
}

fn numbers(pits: impl Iterator<Item = Pit>) -> Vec<usize> {
    pits.map(number_of).collect()
}

/// The model's description of a variant.
pub fn game_of(variant: Variant) -> Game {
    match variant {
        Variant::Togyzqumalaq => Game::TOGYZQUMALAQ,
        Variant::Bestemshe => Game::BESTEMSHE,
        Variant::Kozdatu => Game::KOZDATU,
    }
}

/// The model's form of a position, read off count by count.
fn model_of<R: Rules>(position: &Position<R>) -> Model {
    let row = |side| Pit::all(R::PITS).map(|pit| position.half(side).stones(pit)).collect();
    Model {
        game: game_of(R::VARIANT),
        rows: Side::BOTH.map(row),
        kazans: Side::BOTH.map(|side| position.half(side).kazan()),
        tuzdyqs: Side::BOTH.map(|side| position.tuzdyq(side).map(number_of)),
        side: if position.turn() == Side::South { SOUTH } else { NORTH },
        move_number: position.move_number(),
    }
}

fn end_of(outcome: Outcome) -> End {
    End { stones: [outcome.south, outcome.north], atsyrau: outcome.atsyrau }
}

/// A random set-up that play might lead to: a few or many stones left, in many pits or in one, with or without
/// tuzdyqs. The side to move may be unable to move.
pub fn random_setup(game: Game, rng: &mut impl Rng) -> Model {
    let mut model = Model::start(game);
    model.side = rng.random_range(0..2);
    model.move_number = rng.random_range(1..200);
    model.rows = [vec![0; game.pits], vec![0; game.pits]];
    if game.has_tuzdyq {
        for side in [SOUTH, NORTH] {
            let number = rng.random_range(1..game.pits);
            if rng.random_bool(0.6) && model.tuzdyqs[1 - side] != Some(number) {
                model.tuzdyqs[side] = Some(number);
            }
        }
    }

    // Whoever has a tuzdyq has at least the three stones that were in it.
    let banked = model.tuzdyqs.map(|tuzdyq| if tuzdyq.is_some() { 3 } else { 0 });
    let most = game.total() - banked[SOUTH] - banked[NORTH];
    let left = match rng.random_range(0..8) {
        0..3 => rng.random_range(0..=12),
        3..5 => rng.random_range(0..=most / 2),
        5..7 => rng.random_range(0..=most),
        _ => most,
    };
    let pits: Vec<(usize, usize)> = [SOUTH, NORTH]
        .into_iter()
        .flat_map(|row| (1..=game.pits).map(move |number| (row, number)))
        .filter(|&(row, number)| model.tuzdyqs[1 - row] != Some(number))
        .collect();
    let used = [1, 2, 6, pits.len()][rng.random_range(0..4)];
    let used: Vec<(usize, usize)> = pits.sample(rng, used).copied().collect();
    let share_of_first = [0.0, 0.5, 0.9][rng.random_range(0..3)];
    for _ in 0..left {
        let among = if rng.random_bool(share_of_first) { &used[..1] } else { &used[..] };
        let (row, number) = among[rng.random_range(0..among.len())];
        model.rows[row][number - 1] += 1;
    }

    // The rest is in the kazans: most often evenly, so that the game goes on.
    let rest = most - left;
    let south = match rng.random_range(0..4) {
        0 => rng.random_range(0..=rest),
        _ => (rest + rng.random_range(0..=rest.min(8))) / 2,
    };
    model.kazans = [banked[SOUTH] + south, banked[NORTH] + rest - south];
    model
}

/// A real game of the corpus.
pub struct Record {
    pub id: String,
    /// The pits sown from.
    pub moves: Vec<usize>,
    /// Whether the rules ended it.
    pub over: bool,
    /// The final stones of South and North, after the sweep when the game is over.
    pub kazans: [u32; 2],
    /// The last position, before the sweep, with 1 as the number of the move.
    pub fen: String,
    /// The recorded result: the rules' one when the game is over.
    pub result: String,
}

/// The real games of `tests/data/games.jsonl`, main game, from an online platform.
pub fn real_games() -> Vec<Record> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.jsonl");
    let text = std::fs::read_to_string(path).expect("the game corpus");
    text.lines().map(|line| record(&serde_json::from_str(line).expect(line))).collect()
}

fn record(game: &Value) -> Record {
    let text = |field: &str| game[field].as_str().expect(field).to_owned();
    let kazan = |side: usize| game["kazans"][side].as_u64().expect("kazans") as u32;
    let digit = |digit: char| digit.to_digit(10).expect("a pit number") as usize;
    Record {
        id: text("id"),
        moves: text("moves").chars().map(digit).collect(),
        over: game["over"].as_bool().expect("over"),
        kazans: [kazan(SOUTH), kazan(NORTH)],
        fen: text("fen"),
        result: text("result"),
    }
}
