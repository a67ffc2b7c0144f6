//! From what a line says to what the engine needs: games and search limits.

use std::time::Duration;

use crate::game::{
    AnyGame, FenError, Game, MoveError, Pit, PitSet, Position, Rules, Side, Variant, parse_move,
};
use crate::search::{Clock, Limits};
use crate::{with_game, with_rules};

use super::command::Go;

/// Why a position was not set; the old one stays.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// The FEN.
    #[error("position fen: {0}")]
    Fen(#[from] FenError),
    /// A move.
    #[error("position moves: number {number}, {error}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
}

/// The game that a position command describes.
///
/// # Errors
/// When the FEN or a move is refused.
pub fn game_from(variant: Variant, fen: Option<&str>, moves: &[String]) -> Result<AnyGame, Refused> {
    with_rules!(variant, R => {
        let start = match fen {
            Some(fen) => fen.parse::<Position<R>>()?,
            None => Position::start(),
        };
        let mut game = Game::new(start);
        for (index, text) in moves.iter().enumerate() {
            let pit = parse_move(game.position(), text)
                .map_err(|error| Refused::Move { number: index + 1, error })?;
            game.play(pit);
        }
        Ok(game.into())
    })
}

/// The limits of a search of the game's current position, with a complaint for each root move left out.
#[must_use]
pub fn limits_from(go: &Go, game: &AnyGame) -> (Limits, Vec<String>) {
    let mut complaints = go.complaints.iter().map(ToString::to_string).collect();
    let (turn, searchmoves) = with_game!(game, game => {
        let position = game.position();
        (position.turn(), root_moves(position, go, &mut complaints))
    });
    let mut limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        movetime: go.movetime.map(duration),
        clock: clock(go, turn),
        mate: go.mate,
        infinite: go.infinite,
        ponder: go.ponder,
        searchmoves,
    };
    // A plain `go` has no end of its own, so that it goes on until `stop`.
    limits.infinite |= !limits.is_bounded() && !limits.ponder;
    (limits, complaints)
}

fn root_moves<R: Rules>(position: &Position<R>, go: &Go, complaints: &mut Vec<String>) -> PitSet {
    let Some(moves) = &go.searchmoves else { return PitSet::EMPTY };
    let legal: Vec<Pit> = moves
        .iter()
        .filter_map(|text| match parse_move(position, text) {
            Ok(pit) => Some(pit),
            Err(error) => {
                complaints.push(format!("searchmoves: {error}"));
                None
            }
        })
        .collect();
    if legal.is_empty() {
        complaints.push("searchmoves: no legal move given, all are searched".to_owned());
    }
    legal.into_iter().collect()
}

/// The clock of the side to move; where only the other side's is given, it stands for both.
fn clock(go: &Go, turn: Side) -> Option<Clock> {
    let (own, other) = match turn {
        Side::South => (0, 1),
        Side::North => (1, 0),
    };
    let used = if go.time[own].is_some() { own } else { other };
    let remaining = go.time[used].map(duration)?;
    let increment = go.increment[used].map_or(Duration::ZERO, duration);
    Some(Clock { remaining, increment, moves_to_go: go.moves_to_go })
}

fn duration(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Command, parse};

    fn limits(line: &str, moves: &[&str]) -> (Limits, Vec<String>) {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let game = game_from(Variant::Togyzqumalaq, None, &moves).unwrap();
        match parse(line).command {
            Some(Ok(Command::Go(go))) => limits_from(&go, &game),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_side_gets_its_own_clock_or_else_the_other_one() {
        let of = |line, moves| limits(line, moves).0.clock.unwrap();
        assert_eq!(of("go wtime 5000 btime 70 winc 1", &[]).remaining.as_millis(), 5000);
        assert_eq!(of("go wtime 5000 btime 70 binc 1", &["7"]).remaining.as_millis(), 70);
        assert_eq!(of("go btime 50 binc 3", &[]).increment.as_millis(), 3);
        assert_eq!(of("go wtime -50 btime 70", &[]).remaining, Duration::ZERO);
    }

    #[test]
    fn only_a_go_without_any_limit_is_infinite_by_itself() {
        assert!(limits("go", &[]).0.infinite);
        assert!(limits("go searchmoves 3", &[]).0.infinite);
        assert!(!limits("go depth 3", &[]).0.infinite);
        assert!(!limits("go ponder", &[]).0.infinite);
        assert!(limits("go infinite depth 3", &[]).0.infinite);
    }

    #[test]
    fn illegal_root_moves_are_left_out() {
        let (read, complaints) = limits("go depth 5 searchmoves 3 10 x", &[]);
        assert_eq!(read.searchmoves.bits(), 0b100);
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        let (read, complaints) = limits("go searchmoves depth 5", &[]);
        assert!(read.searchmoves.is_empty());
        assert_eq!(complaints, ["searchmoves: no legal move given, all are searched"]);
    }

    #[test]
    fn a_bad_move_is_named_with_its_place() {
        let moves = ["9", "2", "0"].map(str::to_owned);
        let error = game_from(Variant::Togyzqumalaq, None, &moves).unwrap_err().to_string();
        assert_eq!(error, "position moves: number 3, '0': there is no pit 0 in a row of 9");
    }
}
