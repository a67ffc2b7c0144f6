//! Self-play: the engine plays games against itself and notes what it thinks of each position.

use std::ops::RangeInclusive;
use std::path::Path;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IteratorRandom;
use rayon::prelude::*;

use crate::endgame::Endgames;
use crate::eval::{Evaluate, Score};
use crate::game::{Board, Game, Position, Rules, Side};
use crate::search::{self, Answer, Control, Environment, Limits, Progress, Table, Worker};
use crate::tools::Share;
use crate::tools::chance::{generator, random_plies};
use crate::tools::matches::{LONGEST_GAME, OpeningList, REPETITIONS};

use super::file::{Beginning, Header, Order, Writer};
use super::record::{Finding, Flags, GameResult, Record};
use super::{DatagenError, Told};

/// Games in a chunk of the file, which is what an interruption can lose.
const BATCH: u64 = 64;
/// A search may take so many times the nodes to finish its iteration.
const PATIENCE: u64 = 8;
/// Megabytes of each game's table.
const TABLE: usize = 2;

/// Which games to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games all shares have together.
    pub games: u64,
    /// Of these games, which.
    pub share: Share,
    /// After so many nodes a search begins no other iteration.
    pub nodes: u64,
    /// Random moves before the first search, each number as likely as another.
    pub random_plies: RangeInclusive<u32>,
    /// What the games begin with before the random moves: the start position if there is none.
    pub openings: Option<OpeningList>,
    /// How many of 1,000 moves of the games are random.
    pub noise: u32,
    /// Another seed gives other games.
    pub seed: u64,
    /// Games played at once; they do not depend on it.
    pub threads: usize,
}

impl Plan {
    /// What tells these games from others, in one line.
    fn origin(&self, evaluation: &str, endgames: &Endgames) -> String {
        let Plan { games, share, nodes, random_plies, noise, seed, .. } = self;
        let openings = self.openings.as_ref().map_or("start".to_owned(), OpeningList::identity);
        let stones = endgames.most().map_or("none".to_owned(), |most| format!("up to {most} stones"));
        format!(
            "datagen games={games} shard={share} seed={seed} nodes={nodes} openings={openings} plies={}..{} \
             noise={noise} evaluation={evaluation} endgames={stones} version={}",
            random_plies.start(),
            random_plies.end(),
            env!("CARGO_PKG_VERSION")
        )
    }
}

/// Plays what is missing of the games in the file, and tells after each batch how far it is.
///
/// # Errors
/// When the file cannot be written, or it is stopped; what has been written is found by the next run.
pub fn play<R: Rules, E: Evaluate>(
    plan: &Plan,
    player: &Player<'_, E>,
    path: &Path,
    tell: &mut dyn FnMut(Told<'_>),
) -> Result<(), DatagenError> {
    let origin = plan.origin(&player.name, player.endgames);
    let header = Header { variant: R::VARIANT, order: Order::Games, origin };
    let (mut writer, mut done) = match Writer::open(path, &header)? {
        Beginning::Complete => {
            tell(Told::There);
            return Ok(());
        }
        Beginning::Part(writer, done) => (writer, done),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads.max(1)).build()?;
    let games = plan.share.count(plan.games);
    tell(Told::Begun { done, of: Some(games) });
    while done < games {
        let batch = done..games.min(done + BATCH);
        let end = batch.end;
        let played: Vec<Vec<Record>> = pool.install(|| {
            let play = |number| player.game::<R>(plan, plan.share.piece(number));
            batch.into_par_iter().map(play).collect::<Result<_, DatagenError>>()
        })?;
        if player.control.is_stopped() {
            return Err(DatagenError::Interrupted);
        }
        let records = played.concat();
        // A batch in which every game is over before its first search leaves no chunk behind, and is played again.
        writer.add(&records, end)?;
        done = end;
        tell(Told::Done { done, records: &records });
    }
    Ok(writer.finish(done)?)
}

/// What plays the games.
pub struct Player<'a, E> {
    /// The evaluation.
    pub evaluation: &'a E,
    /// What the evaluation is called in the file.
    pub name: String,
    /// The exact endgames.
    pub endgames: &'a Endgames,
    /// Ends the work.
    pub control: &'a Control,
}

/// One side's memory, which is that of both.
pub(super) struct Mind {
    worker: Worker,
    table: Table,
}

impl Mind {
    pub(super) fn new() -> Result<Mind, DatagenError> {
        Ok(Mind { worker: Worker::default(), table: Table::new(TABLE)? })
    }
}

/// What is known of a position without a search: the final lead of the side to move, in centistones.
pub(super) fn exact_lead<R: Rules>(board: &Board<R>, endgames: &Endgames) -> Option<Score> {
    let bounds = endgames.probe(board)?;
    let own = board.mover().kazan() + u32::from(bounds.lower);
    bounds.is_exact().then(|| Score::centistones(100 * (2 * own as i32 - R::TOTAL as i32)))
}

impl<E: Evaluate> Player<'_, E> {
    pub(super) fn search<R: Rules>(&self, game: &Game<R>, mind: &mut Mind, nodes: u64) -> Answer {
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(PATIENCE)),
            ..Limits::default()
        };
        let progress = Progress::new(1);
        let env = Environment {
            table: Some(&mind.table),
            endgames: Some(self.endgames).filter(|endgames| endgames.most().is_some()),
            ..Environment::new(self.evaluation, &limits, self.control, &progress)
        };
        mind.table.age();
        search::run(game, &mut mind.worker, &env, 0, &mut |_| {})
    }

    /// The records of one game. It ends by the rules, or as soon as its result is proven.
    fn game<R: Rules>(&self, plan: &Plan, number: u64) -> Result<Vec<Record>, DatagenError> {
        let mut random = generator(plan.seed, number);
        let mut game = opening::<R>(plan, number, &mut random);
        let mut mind = Mind::new()?;
        let mut records = Vec::new();
        let mut undisturbed_from = 0;
        let winner = loop {
            let position = *game.position();
            if let Some(outcome) = position.outcome() {
                break outcome.winner();
            }
            if game.occurrences() >= REPETITIONS || game.moves().len() >= LONGEST_GAME {
                break None;
            }
            if let Some(lead) = exact_lead(position.board(), self.endgames) {
                records.push((position, known(lead)));
                break leader(&position, lead);
            }
            let answer = self.search(&game, &mut mind, plan.nodes);
            // An interrupted search says nothing; its game is thrown away.
            let (Some(best), false) = (answer.best, self.control.is_stopped()) else { break None };
            records.push((position, found(&position, &answer)));
            if answer.score.is_decided() {
                break leader(&position, answer.score);
            }
            let noise = random.random_range(0..1_000) < plan.noise;
            let other = position.moves().filter(|&pit| noise && pit != best).choose(&mut random);
            if other.is_some() {
                undisturbed_from = records.len();
            }
            game.play(other.unwrap_or(best));
        };
        Ok(finish(records, winner, undisturbed_from))
    }
}

/// What the tables know of a position.
fn known(lead: Score) -> Finding {
    Finding { score: lead, best: None, result: GameResult::Draw, flags: Flags::EXACT }
}

/// What a search found of a position.
pub(super) fn found<R: Rules>(position: &Position<R>, answer: &Answer) -> Finding {
    let captures = answer.best.is_some_and(|pit| position.play(pit).1.captured > 0);
    let flags = Flags::default().set(Flags::CAPTURE, captures);
    Finding { score: answer.score, best: answer.best, result: GameResult::Draw, flags }
}

/// Who wins by a score that is proven.
fn leader<R: Rules>(position: &Position<R>, score: Score) -> Option<Side> {
    match score.cmp(&Score::DRAW) {
        std::cmp::Ordering::Greater => Some(position.turn()),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(position.turn().other()),
    }
}

/// The records, when the game is over.
fn finish<R: Rules>(
    records: Vec<(Position<R>, Finding)>,
    winner: Option<Side>,
    undisturbed_from: usize,
) -> Vec<Record> {
    let record = |(index, (position, finding)): (usize, (Position<R>, Finding))| {
        let flags =
            finding.flags.set(Flags::FIRST, index == 0).set(Flags::DISTURBED, index < undisturbed_from);
        let result = GameResult::of(winner, position.turn());
        Record::new(&position, Finding { result, flags, ..finding })
    };
    records.into_iter().enumerate().map(record).collect()
}

/// How a game begins.
fn opening<R: Rules>(plan: &Plan, number: u64, random: &mut Xoshiro256PlusPlus) -> Game<R> {
    let begun = plan.openings.as_ref().and_then(|list| list.get(number).of_rules().cloned());
    let plies = random.random_range(plan.random_plies.clone()) as usize;
    random_plies(begun.unwrap_or_default(), plies, random)
}
