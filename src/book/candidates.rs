//! Which moves of a book come into question, and the choice of one.

use std::cmp::Reverse;

use crate::game::Pit;

use super::knowledge::Knowledge;

/// A move that a book knows, with its place among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub pit: Pit,
    /// What is known of it.
    pub knowledge: Knowledge,
    /// How far it is behind the best: in centistones of the score where the position is analysed, otherwise in
    /// thousandths of the best move's [points](super::Tally::points). `None` where the position is analysed but the
    /// move is not: such a move is never chosen.
    pub behind: Option<u64>,
}

/// The moves with their places, the best first.
///
/// Where any move has a score, the scores decide; otherwise the points of the games. Moves that are equal in this are
/// in the order of their points, then of their numbers.
#[must_use]
pub fn candidates(known: impl IntoIterator<Item = (Pit, Knowledge)>) -> Vec<Candidate> {
    let mut known: Vec<(Pit, Knowledge)> = known.into_iter().collect();
    let score = |it: &Knowledge| it.analysis.map(|analysis| analysis.score);
    known.sort_by_key(|(pit, it)| (Reverse(score(it)), Reverse(it.tally.points()), *pit));
    let Some((_, best)) = known.first().copied() else { return Vec::new() };
    let behind = |it: &Knowledge| match (score(&best), score(it)) {
        (Some(best), score) => score.map(|score| i64::from(best.value()).abs_diff(i64::from(score.value()))),
        (None, _) => {
            let (most, points) = (best.tally.points(), it.tally.points());
            Some((most - points) * 1_000 / most.max(1))
        }
    };
    known
        .into_iter()
        .map(|(pit, knowledge)| Candidate { pit, knowledge, behind: behind(&knowledge) })
        .collect()
}

/// The place of the move to play among [`candidates`].
///
/// With a variety of 0 it is the first, the best. Otherwise it is one of those that are at most `variety` behind the
/// best, each as likely as its weight says: `variety` + 1 less what it is behind, so that the best is the most likely
/// and a move that is just good enough has a weight of 1. `random` decides, any number: the same one always in the
/// same way. `None` where there is no candidate.
#[must_use]
pub fn choose(candidates: &[Candidate], variety: u64, random: u64) -> Option<usize> {
    if variety == 0 {
        return (!candidates.is_empty()).then_some(0);
    }
    let weight =
        |it: &Candidate| it.behind.and_then(|behind| (variety + 1).checked_sub(behind)).unwrap_or_default();
    let total: u64 = candidates.iter().map(weight).sum();
    let mut left = random.checked_rem(total)?;
    candidates.iter().position(|it| {
        let weight = weight(it);
        let chosen = left < weight;
        left = left.saturating_sub(weight);
        chosen
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Analysis, Tally};
    use crate::eval::Score;

    fn scored(score: i32) -> Knowledge {
        let analysis = Analysis { score: Score::centistones(score), depth: 9 };
        Knowledge { analysis: Some(analysis), tally: Tally::default() }
    }

    fn played(wins: u32, draws: u32, losses: u32) -> Knowledge {
        let tally = Tally { games: wins + draws + losses, wins, draws, losses };
        Knowledge { analysis: None, tally }
    }

    fn list(known: &[Knowledge]) -> Vec<Candidate> {
        candidates(Pit::all(9).zip(known.iter().copied()))
    }

    /// How often each pit is chosen over all random numbers below the sum of the weights.
    fn counts(candidates: &[Candidate], variety: u64, total: u64) -> [u64; 9] {
        let mut counts = [0; 9];
        for random in 0..total {
            counts[candidates[choose(candidates, variety, random).unwrap()].pit.index()] += 1;
        }
        counts
    }

    #[test]
    fn without_variety_the_best_is_chosen_whatever_is_drawn() {
        let moves = list(&[scored(10), scored(40), played(900, 0, 0), scored(40)]);
        let order: Vec<u8> = moves.iter().map(|it| it.pit.number()).collect();
        assert_eq!(order, [2, 4, 1, 3], "equal scores by number, a move without a score last");
        for random in [0, 1, 7, u64::MAX] {
            assert_eq!(choose(&moves, 0, random), Some(0));
        }
        assert_eq!(choose(&[], 0, 3), None);
    }

    #[test]
    fn weights_fall_from_the_best_to_the_margin() {
        let moves = list(&[scored(-20), scored(10), scored(0), played(5, 0, 0)]);
        // 11 for the best, 1 for the one that is 10 behind, nothing for the one that is 30 behind.
        assert_eq!(counts(&moves, 10, 12), [0, 11, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(counts(&moves, 30, 31 + 21 + 1), [1, 31, 21, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn without_scores_the_games_decide() {
        // 120, 90 and 2 points: 250 and 983 thousandths behind.
        let moves = list(&[played(1, 0, 0), played(50, 20, 30), played(45, 0, 2)]);
        let order: Vec<_> = moves.iter().map(|it| (it.pit.number(), it.behind)).collect();
        assert_eq!(order, [(2, Some(0)), (3, Some(250)), (1, Some(983))]);
        assert_eq!(counts(&moves, 300, 301 + 51), [0, 301, 51, 0, 0, 0, 0, 0, 0]);
        let lost = list(&[played(0, 0, 3), played(0, 0, 5)]);
        assert_eq!(counts(&lost, 1, 4)[..2], [2, 2], "no points at all: none is better");
    }
}
