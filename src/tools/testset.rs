//! Problem files: positions with a known best move, and how many of them the engine solves.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use crate::engine::{Engine, EngineError, Event};
use crate::game::{AnyGame, Variant};
use crate::search::{Answer, Limits};
use crate::with_game;

/// A position with its best moves.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its name, or its line in the file where it has none.
    pub id: String,
    /// The position.
    pub game: AnyGame,
    /// Any of these moves solves it.
    pub best: Vec<u8>,
}

/// What is wrong with a problem file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TestsetError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

/// Reads a problem file: a line `FEN; bm N [N ...]; id "name"; ...` for each problem. Other fields are passed over,
/// and so are blank lines and those that begin with `#`.
///
/// # Errors
/// At the first line that has no possible position or no legal best move.
pub fn parse(text: &str, variant: Variant) -> Result<Vec<Problem>, TestsetError> {
    let is_problem = |line: &str| !line.is_empty() && !line.starts_with('#');
    text.trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| is_problem(line))
        .map(|(line, text)| {
            parse_problem(line, text, variant).map_err(|reason| TestsetError { line, reason })
        })
        .collect()
}

fn parse_problem(line: usize, text: &str, variant: Variant) -> Result<Problem, String> {
    let mut fields = text.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let game = AnyGame::from_text(variant, Some(fen), &[]).map_err(|error| error.to_string())?;
    let mut problem = Problem { id: format!("line {line}"), game, best: Vec::new() };
    for field in fields {
        if let Some(moves) = field.strip_prefix("bm ") {
            problem.best = best_moves(&problem.game, moves)?;
        } else if let Some(id) = field.strip_prefix("id ") {
            problem.id = id.trim().trim_matches('"').to_owned();
        }
    }
    if problem.best.is_empty() { Err("no best move (bm)".to_owned()) } else { Ok(problem) }
}

fn best_moves(game: &AnyGame, moves: &str) -> Result<Vec<u8>, String> {
    with_game!(game, game => moves
        .split_whitespace()
        .map(|text| crate::game::parse_move(game.position(), text).map(|pit| pit.number()))
        .collect::<Result<_, _>>()
        .map_err(|error| format!("bm: {error}")))
}

/// How the engine did on a problem.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The engine's answer.
    pub answer: Answer,
    /// Whether it is one of the best moves.
    pub solved: bool,
    /// When the engine settled for its answer; zero if it never thought of another.
    pub settled_after: Duration,
}

/// Lets the engine search a problem from scratch.
///
/// # Errors
/// When the engine is busy or the problem is of another variant than the engine's.
pub fn attempt(problem: &Problem, engine: &mut Engine, limits: &Limits) -> Result<Attempt, EngineError> {
    engine.new_game()?;
    engine.set_game(problem.game.clone())?;
    let (sender, events) = mpsc::channel();
    // The receiver lives until the answer, the last event.
    engine.go(limits.clone(), Arc::new(move |event| drop(sender.send(event))))?;
    let mut settled = (None, Duration::ZERO);
    let mut answer = Answer::default();
    for event in events {
        match event {
            Event::Book(_) => {}
            Event::Iteration(line) => {
                if line.multipv == 1 && settled.0 != line.line.first().copied() {
                    settled = (line.line.first().copied(), line.time);
                }
            }
            Event::Answer(last) => {
                answer = last;
                break;
            }
        }
    }
    let solved = answer.best.is_some_and(|pit| problem.best.contains(&pit.number()));
    let settled_after = if settled.0 == answer.best { settled.1 } else { answer.time };
    Ok(Attempt { answer, solved, settled_after })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "5,2S,2S,2/3,1S,T,1S,3S,2S,1S 78 72 S 1";

    #[test]
    fn reads_best_moves_and_names() {
        let text = format!("# problems\n\n{FEN}; bm 6 4; goal win; id \"a 1\"\n{FEN}; bm 6\n");
        let problems = parse(&text, Variant::Togyzqumalaq).unwrap();
        let read: Vec<_> = problems.iter().map(|problem| (problem.id.as_str(), &problem.best[..])).collect();
        assert_eq!(read, [("a 1", &[6, 4][..]), ("line 4", &[6][..])]);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let fault = |text: &str| parse(text, Variant::Togyzqumalaq).unwrap_err().to_string();
        assert_eq!(fault(&format!("#\n{FEN}; id \"x\"")), "line 2: no best move (bm)");
        assert_eq!(fault(&format!("{FEN}; bm 1")), "line 1: bm: '1': pit 1 is empty");
        assert!(fault("9S/9S 0 0 S 1; bm 1").starts_with("line 1: position fen: "));
    }

    #[test]
    fn solves_a_win_in_one() {
        // Pit 1 takes the last two stones that are needed.
        let text = "9,1S/1S,8 81 79 S 1; bm 9";
        assert!(parse(text, Variant::Togyzqumalaq).is_err());
        let text = "8,1S/8,1S 80 80 S 1; bm 9; id \"last\"";
        let problems = parse(text, Variant::Togyzqumalaq).unwrap();
        let mut engine = Engine::new(crate::options::Options::default()).unwrap();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let attempt = attempt(&problems[0], &mut engine, &limits).unwrap();
        assert!(attempt.solved && attempt.answer.score.is_win());
    }
}
