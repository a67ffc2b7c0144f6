//! What the moves of a game are worth, from what was found of its positions one by one.
//!
//! The value after a move is the value before the next move, seen from the other side, so that one search a ply is
//! enough. Searches of neighbouring positions differ all the same: the second looks one ply further. These rules make
//! one story of them, in which no move loses less than nothing:
//!
//! - What is proven is passed on: a position that is proven lost, or proven and followed by the move that keeps the
//!   result, leads to a position with that result.
//! - Where the move played is the one that the search chose, or the only one, both values are those found after it;
//!   unless another line was found that is now worth more.
//! - Otherwise the value before the move is the better of the two, and if that is the one found after it, the move
//!   counts as the best.
//!
//! The positions are gone through from the end, so that what a later search saw reaches the moves before it.

use crate::game::Pit;

use super::report::Verdict;
use super::worth::Worth;

/// What was found of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is worth to the side to move.
    pub worth: Worth,
    /// The lines that were found, best first; none where the game is over.
    pub lines: Vec<FoundLine>,
}

/// A line that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    /// What it is worth to the side to move at its beginning.
    pub worth: Worth,
    /// Its moves.
    pub pits: Vec<Pit>,
}

impl Finding {
    /// The move that the search chose.
    #[must_use]
    pub fn best(&self) -> Option<Pit> {
        self.lines.first()?.pits.first().copied()
    }
}

/// A move of the game, as the comparison needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// The move played.
    pub(super) pit: Pit,
    /// Whether there was no other.
    pub(super) is_forced: bool,
}

/// A move and what it is worth, for the mover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    /// What the best move is worth.
    pub(super) before: Worth,
    /// What the move played is worth: not more.
    pub(super) after: Worth,
    /// The best lines, best first.
    pub(super) lines: Vec<FoundLine>,
    /// Whether the move played is the best, or worth the same.
    pub(super) is_best: bool,
}

/// Compares moves in a row, given what was found of the positions before them, and of the one after the last. Where
/// there was only one move, nothing needs to have been found of the position before it. `lines` is the most lines of a
/// position.
///
/// `None` where a finding is missing.
pub(super) fn judge(moves: &[Move], findings: &[Option<Finding>], lines: usize) -> Option<Vec<Judgement>> {
    let mut findings = findings.to_vec();
    pass_on(moves, &mut findings);
    let last = findings.get(moves.len())?.clone()?;
    let (mut next, mut next_line) =
        (last.worth, last.lines.into_iter().next().map_or_else(Vec::new, |line| line.pits));
    let mut judgements = Vec::with_capacity(moves.len());
    for (played, finding) in moves.iter().zip(&findings).rev() {
        let judgement = judge_one(*played, finding.as_ref(), next.of_move_into(), &next_line, lines)?;
        next = judgement.before;
        next_line = judgement.lines.first().map_or_else(Vec::new, |line| line.pits.clone());
        judgements.push(judgement);
    }
    judgements.reverse();
    Some(judgements)
}

/// Tells each position what is proven of the one before it.
fn pass_on(moves: &[Move], findings: &mut [Option<Finding>]) {
    for (index, played) in moves.iter().enumerate() {
        let Some([Some(here), next]) = findings.get_mut(index..index + 2) else { continue };
        let verdict = here.worth.verdict();
        let keeps = verdict == Some(Verdict::Loss) || played.is_forced || here.best() == Some(played.pit);
        if verdict.is_none() || !keeps {
            continue;
        }
        let worth = here.worth.after_best_move();
        match next {
            Some(next) if next.worth.verdict().is_none() => {
                next.worth = worth;
                if let Some(line) = next.lines.first_mut() {
                    line.worth = worth;
                }
            }
            // A position with one move has not been searched: it hands on what it is told.
            None if moves.get(index + 1).is_some_and(|next| next.is_forced) => {
                *next = Some(Finding { worth, lines: Vec::new() });
            }
            _ => {}
        }
    }
}

fn judge_one(
    played: Move,
    finding: Option<&Finding>,
    after: Worth,
    next_line: &[Pit],
    lines: usize,
) -> Option<Judgement> {
    let own_line = || FoundLine { worth: after, pits: [&[played.pit], next_line].concat() };
    let finding = match finding {
        Some(finding) if !played.is_forced => finding,
        _ if played.is_forced => {
            return Some(Judgement { before: after, after, lines: vec![own_line()], is_best: true });
        }
        _ => return None,
    };
    let found = finding.worth;
    // A proof beats an estimate.
    let capped = found.verdict().is_some() && after.verdict().is_none() && after.score() > found.score();
    let after = if capped { found } else { after };
    let mut all = finding.lines.clone();
    if finding.best() == Some(played.pit) {
        all[0].worth = after;
        all.sort_by_key(|line| std::cmp::Reverse(line.worth.score()));
        let before = all[0].worth;
        return Some(Judgement { before, after, lines: all, is_best: after == before });
    }
    let is_best = after.score() >= found.score();
    if let Some(line) = all.iter_mut().find(|line| line.pits.first() == Some(&played.pit)) {
        line.worth = after;
        all.sort_by_key(|line| std::cmp::Reverse(line.worth.score()));
    }
    if is_best {
        all.retain(|line| line.pits.first() != Some(&played.pit));
        all.insert(0, FoundLine { worth: after, ..own_line() });
        all.truncate(lines.max(1));
    }
    let before = if is_best { after } else { found };
    Some(Judgement { before, after, lines: all, is_best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Score;

    fn pit(number: u8) -> Pit {
        Pit::from_number(number).unwrap()
    }

    fn worth(value: i32) -> Worth {
        Worth::found(Score::centistones(value))
    }

    /// What a search found: the worth, and the move that it chose.
    fn found(worth: Worth, best: u8) -> Option<Finding> {
        Some(Finding { worth, lines: vec![FoundLine { worth, pits: vec![pit(best)] }] })
    }

    fn played(number: u8) -> Move {
        Move { pit: pit(number), is_forced: false }
    }

    fn values(judgements: &[Judgement]) -> Vec<(i32, i32, bool)> {
        let value = |worth: Worth| worth.score().value();
        judgements.iter().map(|it| (value(it.before), value(it.after), it.is_best)).collect()
    }

    #[test]
    fn the_value_after_a_move_is_that_before_the_next() {
        let findings = [found(worth(100), 1), found(worth(40), 2), found(worth(-30), 3)];
        let judgements = judge(&[played(4), played(2)], &findings, 1).unwrap();
        // The reply was the one expected, so that it is worth what was found after it.
        assert_eq!(values(&judgements), [(100, -30, false), (30, 30, true)]);
        assert_eq!(judgements[0].lines[0].pits, [pit(1)]);
    }

    #[test]
    fn no_move_loses_less_than_nothing() {
        // After the move more was seen than before it.
        let findings = [found(worth(100), 1), found(worth(-150), 2)];
        let judgements = judge(&[played(4)], &findings, 2).unwrap();
        assert_eq!(values(&judgements), [(150, 150, true)]);
        let heads: Vec<Vec<Pit>> = judgements[0].lines.iter().map(|line| line.pits.clone()).collect();
        assert_eq!(heads, [vec![pit(4), pit(2)], vec![pit(1)]]);
        // Less was seen, but of the move that the search chose: it is not to blame.
        let findings = [found(worth(100), 4), found(worth(-20), 2)];
        let judgements = judge(&[played(4)], &findings, 1).unwrap();
        assert_eq!(values(&judgements), [(20, 20, true)]);
    }

    #[test]
    fn another_line_is_the_best_where_the_choice_of_the_search_turns_out_worse() {
        let line = |value, number| FoundLine { worth: worth(value), pits: vec![pit(number)] };
        let first = Some(Finding { worth: worth(100), lines: vec![line(100, 4), line(80, 1), line(-50, 2)] });
        for (seen, expected, order) in [
            (90, (90, 90, true), [4, 1, 2]),
            (80, (80, 80, true), [4, 1, 2]),
            (-20, (80, -20, false), [1, 4, 2]),
        ] {
            let judgements = judge(&[played(4)], &[first.clone(), found(worth(-seen), 3)], 3).unwrap();
            assert_eq!(values(&judgements), [expected]);
            let heads: Vec<Pit> = judgements[0].lines.iter().map(|line| line.pits[0]).collect();
            assert_eq!(heads, order.map(pit));
        }
    }

    #[test]
    fn what_a_later_search_saw_reaches_the_moves_before() {
        // Nobody errs; only the last search sees that South is 5 stones ahead.
        let findings = [found(worth(0), 1), found(worth(0), 2), found(worth(500), 3)];
        let judgements = judge(&[played(1), played(2)], &findings, 1).unwrap();
        assert_eq!(values(&judgements), [(500, 500, true), (-500, -500, true)]);
        // North has a better move: the error is North's.
        let findings = [found(worth(0), 1), found(worth(0), 5), found(worth(500), 3)];
        let judgements = judge(&[played(1), played(2)], &findings, 1).unwrap();
        assert_eq!(values(&judgements), [(0, 0, true), (0, -500, false)]);
    }

    #[test]
    fn an_only_move_loses_nothing_and_needs_no_search() {
        let forced = Move { pit: pit(6), is_forced: true };
        for first in [None, found(worth(900), 6)] {
            let judgements = judge(&[forced], &[first, found(worth(700), 2)], 1).unwrap();
            assert_eq!(values(&judgements), [(-700, -700, true)]);
            assert_eq!(judgements[0].lines[0].pits, [pit(6), pit(2)]);
        }
        assert_eq!(judge(&[played(6)], &[None, found(worth(700), 2)], 1), None);
        assert_eq!(judge(&[played(6)], &[found(worth(700), 2), None], 1), None);
    }

    #[test]
    fn a_proven_win_is_thrown_away_by_the_move_that_leaves_it() {
        let won = Worth::found(Score::win_in(7));
        let judgements = judge(&[played(4)], &[found(won, 1), found(worth(-300), 2)], 1).unwrap();
        let verdicts = [judgements[0].before.verdict(), judgements[0].after.verdict()];
        assert_eq!((verdicts, judgements[0].is_best), ([Some(Verdict::Win), None], false));
        // The move that wins leads to a lost position, even where the next search does not see it.
        let judgements = judge(&[played(1)], &[found(won, 1), found(worth(-300), 2)], 1).unwrap();
        assert_eq!(judgements[0].after, won);
    }

    #[test]
    fn whatever_is_played_in_a_lost_position_loses() {
        let lost = Worth::found(Score::loss_in(8));
        let findings = [found(lost, 1), found(worth(-400), 5), found(worth(250), 3)];
        // The reply leaves the proven win.
        let judgements = judge(&[played(4), played(2)], &findings, 1).unwrap();
        assert_eq!(judgements[0].after, lost);
        assert_eq!(judgements[1].before.verdict(), Some(Verdict::Win));
        assert_eq!((judgements[1].after, judgements[1].is_best), (worth(-250), false));
        // An only move, which has not been searched, changes nothing.
        let forced = Move { pit: pit(2), is_forced: true };
        let findings = [found(lost, 1), None, found(worth(250), 3)];
        let judgements = judge(&[played(4), forced], &findings, 1).unwrap();
        let verdicts: Vec<_> = judgements.iter().map(|it| it.after.verdict()).collect();
        assert_eq!(verdicts, [Some(Verdict::Loss), Some(Verdict::Win)]);
    }

    #[test]
    fn a_proven_draw_is_not_bettered_by_an_estimate() {
        let drawn = worth(0).known(Verdict::Draw);
        let judgements = judge(&[played(4)], &[found(drawn, 1), found(worth(-300), 2)], 1).unwrap();
        assert_eq!((judgements[0].before, judgements[0].after), (drawn, drawn));
    }
}
