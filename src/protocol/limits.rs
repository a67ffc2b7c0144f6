//! From what a `go` says to the limits of a search.

use std::time::Duration;

use crate::game::{AnyGame, Pit, PitSet, Position, Rules, Side, parse_move};
use crate::search::{Clock, Limits};
use crate::with_game;

use super::command::Go;

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
        soft_nodes: None,
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
    if legal.is_empty() && !position.board().is_over() {
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
    use crate::game::Variant;
    use crate::protocol::{Command, parse};

    fn limits(line: &str, moves: &[&str]) -> (Limits, Vec<String>) {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let game = AnyGame::from_text(Variant::Togyzqumalaq, None, &moves).unwrap();
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
}
