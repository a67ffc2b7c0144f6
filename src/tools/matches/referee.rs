//! One game: asks the players in turn, keeps the clocks, and says when it is over and why.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::game::{AnyGame, Game, Pit, Position, Rules, Side, parse_move};
use crate::records::GameResult;
use crate::text::quoted;
use crate::with_game;

use super::limit::{Clocks, Limit};
use super::player::{Fault, Player, Question, Silence};
use super::record::{End, Meter, Record};
use super::resignation::{Resignation, Watch};

/// A game of so many plies, its opening included, is a draw.
pub const LONGEST_GAME: usize = 1_000;
/// A position that has occurred so often is a draw.
pub const REPETITIONS: usize = 3;

/// What all games of a match have in common.
pub(super) struct Referee<'a> {
    pub limit: Limit,
    /// When a game is taken for decided.
    pub resignation: Option<Resignation>,
    /// How much later than allowed an answer may come.
    pub margin: Duration,
    /// How long after its time a player that has not answered is waited for.
    pub patience: Duration,
    /// Set when the match is broken off.
    pub abort: &'a AtomicBool,
}

/// The end of a game.
struct Verdict {
    winner: Option<Side>,
    /// Before engines are told apart: whose fault it was.
    end: SideEnd,
}

enum SideEnd {
    Fault(Side, Fault),
    Other(End),
}

/// The match has been broken off before the end of the game.
pub(super) struct Aborted;

impl Referee<'_> {
    /// Plays a game; `players` are engines 1 and 2.
    pub(super) fn play(
        &self,
        pair: u32,
        first_is_south: bool,
        opening: AnyGame,
        players: [&mut dyn Player; 2],
    ) -> Result<Record, Aborted> {
        let [first, second] = players;
        let seats = if first_is_south { [first, second] } else { [second, first] };
        let mut table = Table { referee: self, game: opening, seats, meters: Default::default() };
        let opening = with_game!(&table.game, game => game.moves().len());
        let verdict = table.play()?;
        let engine = |side: Side| if (side == Side::South) == first_is_south { 1 } else { 2 };
        let end = match verdict.end {
            SideEnd::Fault(side, fault) => End::Fault { engine: engine(side), fault },
            SideEnd::Other(end) => end,
        };
        let mut usage = table.meters.map(|meter| meter.usage());
        if !first_is_south {
            usage.reverse();
        }
        let (fen, moves) = with_game!(&table.game, game => described(game));
        let ended_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let result = GameResult::from(verdict.winner);
        Ok(Record { pair, first_is_south, fen, opening, moves, result, end, usage, ended_at })
    }

    /// How long to wait for the answer of a player who has so much time.
    fn patience(&self, time: Option<Duration>) -> Duration {
        time.unwrap_or_default() + self.margin + self.patience
    }
}

fn described<R: Rules>(game: &Game<R>) -> (Option<String>, String) {
    let fen = (*game.start() != Position::start()).then(|| game.start().to_string());
    let moves: Vec<String> = game.moves().iter().map(Pit::to_string).collect();
    (fen, moves.join(" "))
}

/// A game in progress with its players, South and North.
struct Table<'a, 'p> {
    referee: &'a Referee<'a>,
    game: AnyGame,
    seats: [&'p mut dyn Player; 2],
    meters: [Meter; 2],
}

impl Table<'_, '_> {
    fn play(&mut self) -> Result<Verdict, Aborted> {
        let mut clocks = Clocks::new(self.referee.limit);
        let mut watch = self.referee.resignation.map(Watch::new);
        loop {
            if let Some(verdict) = with_game!(&self.game, game => verdict(game)) {
                return Ok(verdict);
            }
            let turn = with_game!(&self.game, game => game.position().turn());
            match self.make_move(turn, &mut clocks) {
                Ok(score) => {
                    if let Some(winner) = watch.as_mut().and_then(|watch| watch.see(turn, score)) {
                        // A game that has ended by the rules has the end of the rules.
                        let by_rules = with_game!(&self.game, game => verdict(game));
                        let agreed = Verdict { winner: Some(winner), end: SideEnd::Other(End::Agreement) };
                        return Ok(by_rules.unwrap_or(agreed));
                    }
                }
                Err(Silence::Aborted) => return Err(Aborted),
                Err(Silence::Fault(fault)) => {
                    return Ok(Verdict { winner: Some(turn.other()), end: SideEnd::Fault(turn, fault) });
                }
            }
        }
    }

    /// Has a move made, and gives the score that its player reports.
    fn make_move(&mut self, turn: Side, clocks: &mut Clocks) -> Result<Option<i32>, Silence> {
        let budget = clocks.budget(turn);
        let time = budget.time(turn);
        let patience = self.referee.patience(time);
        let question = Question { game: &self.game, budget, patience, abort: self.referee.abort };
        let thought = self.seats[turn as usize].think(&question)?;
        self.meters[turn as usize].add(&thought);
        if let Some(had) = time.filter(|&had| thought.elapsed > had + self.referee.margin) {
            // Rounded up, so that what is over the limit looks like it.
            let took = thought.elapsed.as_micros().div_ceil(1000) as u64;
            return Err(Silence::Fault(Fault::Time { took, had: had.as_millis() as u64 }));
        }
        clocks.moved(turn, thought.elapsed);
        let played = with_game!(&mut self.game, game => play(game, &thought.answer));
        played.map(|()| thought.score).map_err(Silence::Fault)
    }
}

fn play<R: Rules>(game: &mut Game<R>, answer: &str) -> Result<(), Fault> {
    let pit =
        parse_move(game.position(), answer).map_err(|_| Fault::IllegalMove { answer: quoted(answer) })?;
    game.play(pit);
    Ok(())
}

fn verdict<R: Rules>(game: &Game<R>) -> Option<Verdict> {
    let drawn = |end| Some(Verdict { winner: None, end: SideEnd::Other(end) });
    if let Some(outcome) = game.position().outcome() {
        let end = End::Stones { south: outcome.south, north: outcome.north, atsyrau: outcome.atsyrau };
        return Some(Verdict { winner: outcome.winner(), end: SideEnd::Other(end) });
    }
    if game.occurrences() >= REPETITIONS {
        return drawn(End::Repetition);
    }
    if game.moves().len() >= LONGEST_GAME { drawn(End::PlyLimit) } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::player::Thought;
    use super::*;
    use crate::game::Variant;

    /// Answers with the words of a list, each after its time in milliseconds, over and over.
    struct Scripted {
        answers: Vec<(&'static str, u64)>,
        at: usize,
    }

    impl Player for Scripted {
        fn new_game(&mut self, _: &AtomicBool) -> Result<(), Silence> {
            Ok(())
        }

        fn think(&mut self, _: &Question<'_>) -> Result<Thought, Silence> {
            let (answer, elapsed) = self.answers[self.at % self.answers.len()];
            self.at += 1;
            let elapsed = Duration::from_millis(elapsed);
            Ok(Thought { answer: answer.to_owned(), elapsed, score: None, depth: Some(3), visited: None })
        }
    }

    fn play(
        limit: Limit,
        fen: Option<&str>,
        first_is_south: bool,
        answers: [&[(&'static str, u64)]; 2],
    ) -> Record {
        let abort = AtomicBool::new(false);
        let (margin, patience) = (Duration::from_millis(5), Duration::from_secs(1));
        let referee = Referee { limit, resignation: None, margin, patience, abort: &abort };
        let [mut first, mut second] = answers.map(|answers| Scripted { answers: answers.to_vec(), at: 0 });
        let game = AnyGame::from_text(Variant::Togyzqumalaq, fen, &[]).unwrap();
        let players: [&mut dyn Player; 2] = [&mut first, &mut second];
        referee.play(3, first_is_south, game, players).unwrap_or_else(|Aborted| unreachable!())
    }

    fn pits(text: &'static str) -> Vec<(&'static str, u64)> {
        (0..text.len()).map(|at| (&text[at..=at], 0)).collect()
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        // One stone each, chasing each other: the position comes back after 18 half-moves.
        let chase = pits("123456789");
        let record = play(Limit::Depth(1), Some("8,1S/1S,8 80 80 S 1"), true, [&chase, &chase]);
        assert_eq!((record.plies(), record.half_points()), (36, 1));
        assert_eq!((record.end, record.result), (End::Repetition, GameResult::Draw));
    }

    #[test]
    fn an_illegal_move_loses_for_its_engine() {
        for (first_is_south, half_points) in [(true, 0), (false, 0)] {
            let record = play(Limit::Depth(1), None, first_is_south, [&pits("0"), &pits("7")]);
            assert_eq!(record.half_points(), half_points);
            let illegal = Fault::IllegalMove { answer: "0".to_owned() };
            assert_eq!(record.fault(), Some((0, &illegal)));
        }
    }

    #[test]
    fn the_clock_runs_out_over_the_moves_and_the_margin_is_on_top() {
        let limit = Limit::Clock("0.1+0.01".parse().unwrap());
        // After three moves 100 - 3 * 40 + 3 * 10 = 10 ms are left: 15 ms are within the margin of 5, 16 are not.
        let south = [("7", 40), ("2", 40), ("3", 40), ("4", 16)];
        let quick: Vec<_> =
            (1..=9).map(|pit| (["1", "2", "3", "4", "5", "6", "7", "8", "9"][pit - 1], 0)).collect();
        let record = play(limit, None, true, [&south, &quick]);
        assert_eq!(record.fault(), Some((0, &Fault::Time { took: 16, had: 10 })), "{record:?}");
        assert_eq!((record.plies(), record.usage[0].moves, record.usage[0].time_ms), (6, 4, 136));
        let south = [("7", 40), ("2", 40), ("3", 40), ("4", 15), ("x", 0)];
        let record = play(limit, None, true, [&south, &quick]);
        assert!(matches!(record.fault(), Some((0, Fault::IllegalMove { .. }))), "{record:?}");
    }

    #[test]
    fn the_stones_decide_for_the_engine_that_has_them() {
        let record = play(Limit::Nodes(1), Some("8,1S/8,1S 80 80 S 1"), false, [&pits("1"), &pits("9")]);
        assert_eq!((record.result, record.half_points()), (GameResult::South, 0));
        assert!(matches!(record.end, End::Stones { south: 82, .. }), "{record:?}");
        assert_eq!(record.fen.as_deref(), Some("8,1S/8,1S 80 80 S 1"));
        assert_eq!((record.usage[0].moves, record.usage[1].moves), (0, 1));
    }
}
