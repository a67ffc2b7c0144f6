//! The one score type.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move.
///
/// Between [`-MAX_STATIC`](Self::MAX_STATIC) and [`MAX_STATIC`](Self::MAX_STATIC) it is an estimate in centistones:
/// 100 is one stone of expected final lead. Beyond, it is a proven end of the game: [`WIN`](Self::WIN) less the
/// number of plies (half-moves) to it, or, where only the winner is known, about
/// [`KNOWN_WIN`](Self::KNOWN_WIN).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// A drawn game.
    pub const DRAW: Score = Score(0);
    /// A game won at this very ply.
    pub const WIN: Score = Score(32_000);
    /// A win that the endgame tables prove at this very ply; how long it takes is not known.
    pub const KNOWN_WIN: Score = Score(30_000);
    /// The least score of a position that is known to be won.
    pub const LEAST_WIN: Score = Score(29_200);
    /// Above every score.
    pub const INFINITE: Score = Score(32_001);
    /// The largest estimate: all the stones of the largest game.
    pub const MAX_STATIC: Score = Score(16_200);

    /// Above this the plies to the win, or to the proof of it, are part of the score.
    const TIMED: i32 = 29_700;
    /// Wins in more plies than this have no score: no search looks as far.
    const LONGEST_WIN: i32 = 1_000;

    /// An estimate in centistones.
    #[inline(always)]
    #[must_use]
    pub const fn centistones(value: i32) -> Score {
        Score(value)
    }

    /// A position known to be won without progress so far: worth more the better it looks, but less than any
    /// [`known_win_in`](Self::known_win_in).
    #[inline(always)]
    #[must_use]
    pub const fn won(estimate: Score) -> Score {
        Score(29_500 + estimate.0 / 100)
    }

    /// A position that the endgame tables know to be won, `ply` half-moves from here.
    #[inline(always)]
    #[must_use]
    pub const fn known_win_in(ply: usize) -> Score {
        Score(Self::KNOWN_WIN.0 - ply as i32)
    }

    /// A win that is complete after `ply` more half-moves.
    #[inline(always)]
    #[must_use]
    pub const fn win_in(ply: usize) -> Score {
        Score(Self::WIN.0 - ply as i32)
    }

    /// A loss that is complete after `ply` more half-moves.
    #[inline(always)]
    #[must_use]
    pub const fn loss_in(ply: usize) -> Score {
        Score(ply as i32 - Self::WIN.0)
    }

    /// The score as a plain number, in centistones while it is not [decided](Self::is_decided).
    #[inline(always)]
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether the score is a proven win.
    #[inline(always)]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 > Self::KNOWN_WIN.0 - Self::LONGEST_WIN
    }

    /// Whether the score is a proven loss.
    #[inline(always)]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 < Self::LONGEST_WIN - Self::KNOWN_WIN.0
    }

    /// Whether the score is a proven win or loss.
    #[inline(always)]
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The plies to the end of the game, for a [decided](Self::is_decided) score whose distance is known.
    #[must_use]
    pub const fn plies_to_end(self) -> Option<u32> {
        let plies = Self::WIN.0 - self.0.abs();
        if plies < Self::LONGEST_WIN { Some(plies.unsigned_abs()) } else { None }
    }

    /// The moves of the winning (positive) or losing (negative) side to move until the game is decided.
    #[must_use]
    pub const fn moves_to_end(self) -> Option<i32> {
        match self.plies_to_end() {
            None => None,
            Some(plies) if self.0 > 0 => Some(plies.div_ceil(2) as i32),
            Some(plies) => Some(-(plies.div_ceil(2) as i32)),
        }
    }

    /// The score as the transposition table keeps it: distances counted from the node instead of from the root.
    #[inline(always)]
    #[must_use]
    pub const fn to_table(self, ply: usize) -> i16 {
        let ply = ply as i32;
        let value = if self.0 > Self::TIMED {
            self.0 + ply
        } else if self.0 < -Self::TIMED {
            self.0 - ply
        } else {
            self.0
        };
        value as i16
    }

    /// The reverse of [`to_table`](Self::to_table).
    #[inline(always)]
    #[must_use]
    pub const fn from_table(value: i16, ply: usize) -> Score {
        let (score, ply) = (Score(value as i32), ply as i32);
        if score.0 > Self::TIMED {
            Score(score.0 - ply)
        } else if score.0 < -Self::TIMED {
            Score(score.0 + ply)
        } else {
            score
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, centistones: i32) -> Score {
        Score(self.0 + centistones)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, centistones: i32) -> Score {
        Score(self.0 - centistones)
    }
}

/// As the protocol writes it: `mate N` for a decided game whose end is seen, otherwise `cp N`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_end() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_the_end_are_counted_in_own_moves() {
        assert_eq!(Score::win_in(1).to_string(), "mate 1");
        assert_eq!(Score::win_in(3).to_string(), "mate 2");
        assert_eq!(Score::loss_in(1).to_string(), "mate -1");
        assert_eq!(Score::loss_in(2).to_string(), "mate -1");
        assert_eq!(Score::loss_in(18).to_string(), "mate -9");
        assert_eq!(Score::centistones(-250).to_string(), "cp -250");
    }

    #[test]
    fn wins_of_unknown_length_are_wins_below_those_that_are_seen() {
        for score in [Score::KNOWN_WIN, Score::known_win_in(254), Score::LEAST_WIN] {
            assert!(
                score.is_win()
                    && (-score).is_loss()
                    && score < Score::win_in(254)
                    && score > Score::MAX_STATIC
            );
            assert_eq!((score.plies_to_end(), (-score).moves_to_end()), (None, None));
        }
        assert_eq!(Score::known_win_in(3).to_string(), "cp 29997");
    }

    #[test]
    fn decided_scores_survive_the_table_at_any_ply() {
        for ply in [0, 1, 40, 254] {
            let known = [Score::known_win_in(ply), -Score::known_win_in(ply + 1), Score::LEAST_WIN];
            assert!(Score::won(Score::MAX_STATIC) < Score::known_win_in(255));
            assert!(Score::won(-Score::MAX_STATIC) > Score::LEAST_WIN);
            let others = [Score::win_in(ply + 5), Score::loss_in(ply + 8), Score::MAX_STATIC, Score::DRAW];
            for score in known.into_iter().chain(others) {
                assert_eq!(Score::from_table(score.to_table(ply), ply), score);
            }
            // Found 3 plies below a node at `ply`, read at a node two plies deeper.
            let stored = Score::win_in(ply + 3).to_table(ply);
            assert_eq!(Score::from_table(stored, ply + 2), Score::win_in(ply + 5));
        }
    }
}
