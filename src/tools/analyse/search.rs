//! Searches the positions of a game, several at once.
//!
//! A game is cut into pieces of some plies. One thread searches the positions of a piece from its end, with a table of
//! its own that is empty at the beginning: what has been found of a position helps with the one before it, which leads
//! to it. The pieces do not depend on the number of threads, so that neither do the values, as long as the limit is
//! one of nodes or depth.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crate::endgame::{self, Endgames};
use crate::engine::evaluation::Evaluation;
use crate::engine::{endgames, memory};
use crate::eval::{Evaluate, Score};
use crate::game::{AnyGame, Board, Game, Pit, Rules, Variant};
use crate::options::Options;
use crate::review::{Finding, FoundLine, Span, Verdict, Worth};
use crate::search::{self, Answer, Control, Environment, Iteration, Progress, Table, TimePlan, Worker};
use crate::{with_evaluation, with_game};

use super::{AnalyseError, Settings};

/// Plies of a piece.
const PIECE: usize = 16;
/// Stack of a thread in bytes, as that of the engine's search threads.
const STACK: usize = 16 << 20;

/// What is known of a variant without a search.
struct Knowledge {
    evaluation: Evaluation,
    endgames: Endgames,
}

/// What a thread searches with.
struct Mind {
    worker: Worker,
    table: Table,
}

/// Searches positions for a review.
pub(super) struct Searcher<'a> {
    settings: &'a Settings,
    control: &'a Control,
    minds: Vec<Mind>,
    knowledge: Vec<(Variant, Knowledge)>,
}

impl<'a> Searcher<'a> {
    /// With a table for each thread.
    pub(super) fn new(settings: &'a Settings, control: &'a Control) -> Result<Searcher<'a>, AnalyseError> {
        let mind = |_| Ok(Mind { worker: Worker::default(), table: memory::table(settings.hash)? });
        let minds = (0..settings.threads.max(1)).map(mind).collect::<Result<_, AnalyseError>>()?;
        Ok(Searcher { settings, control, minds, knowledge: Vec::new() })
    }

    /// Searches the position before each of these plies, and the one after the last, and tells of each that is done.
    /// Where there is but one move or none, there is nothing to search.
    pub(super) fn search(
        &mut self,
        game: &AnyGame,
        plies: Span,
        tell: &mut dyn FnMut(),
    ) -> Result<Vec<Option<Finding>>, AnalyseError> {
        let place = self.learn(game.variant())?;
        let Searcher { settings, control, minds, knowledge } = self;
        let (_, Knowledge { evaluation, endgames }) = &knowledge[place];
        with_game!(game, game => {
            let games = positions(game, plies);
            with_evaluation!(evaluation, evaluation => {
                let hunt = Hunt { settings, control, evaluation, endgames, games: &games };
                hunt.run(minds, tell)
            })
        })
        .map_err(AnalyseError::Thread)
    }

    /// Where the knowledge of a variant is, which is made when it is first asked for.
    fn learn(&mut self, variant: Variant) -> Result<usize, AnalyseError> {
        if let Some(place) = self.knowledge.iter().position(|(known, _)| *known == variant) {
            return Ok(place);
        }
        let options = Options { variant, ..Options::default() };
        let evaluation = Evaluation::of_options(&options)?;
        let (endgames, _) = endgames::of_options(&options);
        self.knowledge.push((variant, Knowledge { evaluation, endgames }));
        Ok(self.knowledge.len() - 1)
    }
}

/// The game as it stood before each of these plies, and after the last.
fn positions<R: Rules>(game: &Game<R>, plies: Span) -> Vec<Game<R>> {
    let mut so_far = Game::new(*game.start());
    let mut all = Vec::new();
    for (ply, &pit) in (1..).zip(game.moves()) {
        if plies.contains(ply) {
            all.push(so_far.clone());
        }
        so_far.play(pit);
        if ply == plies.to {
            all.push(so_far.clone());
        }
    }
    all
}

/// The search of the positions of one game.
struct Hunt<'a, R: Rules, E> {
    settings: &'a Settings,
    control: &'a Control,
    evaluation: &'a E,
    endgames: &'a Endgames,
    games: &'a [Game<R>],
}

impl<R: Rules, E: Evaluate> Hunt<'_, R, E> {
    fn run(&self, minds: &mut [Mind], tell: &mut dyn FnMut()) -> io::Result<Vec<Option<Finding>>> {
        let mut findings = vec![None; self.games.len()];
        let next_piece = AtomicUsize::new(0);
        let (sender, found) = mpsc::channel();
        thread::scope(|scope| {
            for mind in minds.iter_mut() {
                let (sender, next_piece) = (sender.clone(), &next_piece);
                let work = move || self.work(mind, next_piece, &sender);
                Builder::new().name("review".to_owned()).stack_size(STACK).spawn_scoped(scope, work)?;
            }
            drop(sender);
            for (index, finding) in found {
                findings[index] = finding;
                tell();
            }
            Ok(findings)
        })
    }

    /// Searches pieces until there is none left.
    fn work(&self, mind: &mut Mind, next_piece: &AtomicUsize, found: &Sender<(usize, Option<Finding>)>) {
        loop {
            let first = PIECE * next_piece.fetch_add(1, Ordering::Relaxed);
            let piece = first..self.games.len().min(first + PIECE);
            if piece.is_empty() {
                return;
            }
            mind.worker.clear();
            mind.table.clear();
            for index in piece.rev() {
                if self.control.is_stopped() {
                    return;
                }
                let finding = self.look(mind, index);
                // Nobody listens any more where the work has been broken off.
                let _ = found.send((index, finding));
            }
        }
    }

    /// What is found of a position; `None` where it has only one move, unless it is the last.
    fn look(&self, mind: &mut Mind, index: usize) -> Option<Finding> {
        let game = &self.games[index];
        let position = game.position();
        if let Some(outcome) = position.outcome() {
            return Some(Finding { worth: Worth::over(&outcome, position.turn()), lines: Vec::new() });
        }
        let is_last = index + 1 == self.games.len();
        if position.moves().count() == 1 && !is_last {
            return None;
        }
        let lines = self.lines(game, mind);
        let worth = self.known(position.board(), lines.first()?.worth);
        Some(Finding { worth, lines })
    }

    /// The best lines from a position, best first.
    fn lines(&self, game: &Game<R>, mind: &mut Mind) -> Vec<FoundLine> {
        let mut ranks = BTreeMap::new();
        let mut replaced = Vec::new();
        let answer = self.search(game, mind, &mut |iteration| {
            replaced.extend(ranks.insert(iteration.multipv, (iteration.score, iteration.line)));
        });
        // Of so small a limit that nothing was told, the answer is still a move.
        let answer = answer.best.map(|best| (answer.score, vec![best]));
        let mut lines: Vec<FoundLine> = Vec::new();
        for (score, pits) in ranks.into_values().chain(answer) {
            let Some(&head) = pits.first() else { continue };
            // A search that is broken off may tell a new best line, and not what has become of the others.
            if lines.len() < self.settings.lines && !lines.iter().any(|line| line.pits[0] == head) {
                lines.push(FoundLine { worth: self.worth_of(game, head, score), pits });
            }
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.worth.score()));
        // What has become of the others is then not known, but they are no better than the lines that replaced them.
        for (score, pits) in replaced.into_iter().rev() {
            let (Some(&head), Some(last)) = (pits.first(), lines.last()) else { continue };
            if lines.len() < self.settings.lines && !lines.iter().any(|line| line.pits[0] == head) {
                let worth = self.worth_of(game, head, score);
                let worth = std::cmp::min_by_key(worth, last.worth, |worth| worth.score());
                lines.push(FoundLine { worth, pits });
            }
        }
        lines
    }

    /// What a move with this score is worth.
    fn worth_of(&self, game: &Game<R>, pit: Pit, score: Score) -> Worth {
        let next = game.position().play(pit).0;
        let found = Worth::found(score).after_best_move();
        let worth = match next.outcome() {
            Some(outcome) => Worth::over(&outcome, next.turn()),
            None => self.known(next.board(), found),
        };
        worth.of_move_into()
    }

    fn search(&self, game: &Game<R>, mind: &mut Mind, tell: &mut dyn FnMut(Iteration)) -> Answer {
        let started = Instant::now();
        let clock = || started.elapsed();
        let limits = self.settings.limit.limits();
        let progress = Progress::new(1);
        let env = Environment {
            table: Some(&mind.table),
            endgames: Some(self.endgames).filter(|endgames| endgames.most().is_some()),
            clock: &clock,
            time: TimePlan::new(&limits, Duration::ZERO),
            lines: self.settings.lines,
            ..Environment::new(self.evaluation, &limits, self.control, &progress)
        };
        mind.table.age();
        search::run(game, &mut mind.worker, &env, 0, tell)
    }

    /// The worth of a position, made certain where the endgame tables know its result.
    fn known(&self, board: &Board<R>, worth: Worth) -> Worth {
        let Some(bounds) = self.endgames.probe(board) else { return worth };
        match endgame::Verdict::of(board, bounds) {
            endgame::Verdict::Win => worth.known(Verdict::Win),
            endgame::Verdict::Draw => worth.known(Verdict::Draw),
            endgame::Verdict::Loss => worth.known(Verdict::Loss),
            endgame::Verdict::Unresolved => worth,
        }
    }
}
