//! How good a move is: its class by what it loses, and its accuracy.

use serde::{Deserialize, Serialize};

use crate::records::Glyph;

use super::report::Verdict;

/// A move that loses so much of the expected score is an inaccuracy, at least.
pub const INACCURACY: f64 = 0.05;
/// A move that loses so much of the expected score is a mistake, at least.
pub const MISTAKE: f64 = 0.10;
/// A move that loses so much of the expected score is a blunder.
pub const BLUNDER: f64 = 0.20;
/// So much lost halves the accuracy of a move.
pub const HALVING: f64 = 0.10;

/// How good a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The best move, or one that is worth the same.
    Best,
    /// It loses less than [`INACCURACY`].
    Good,
    /// It loses [`INACCURACY`] or more.
    Inaccuracy,
    /// It loses [`MISTAKE`] or more.
    Mistake,
    /// It loses [`BLUNDER`] or more.
    Blunder,
    /// It loses [`MISTAKE`] or more where a win was proven.
    MissedWin,
    /// It loses [`INACCURACY`] or more where the best move makes a tuzdyq, and makes none itself.
    MissedTuzdyq,
}

/// What the class of a move depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Case {
    /// Whether it is the best move or worth the same.
    pub is_best: bool,
    /// What it loses of the mover's expected score, 0 to 1.
    pub loss: f64,
    /// What is proven of the position before it, for the mover.
    pub before: Option<Verdict>,
    /// Whether the best move makes a tuzdyq that the move played does not make.
    pub misses_tuzdyq: bool,
}

impl Class {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Class; 7] = [
        Class::Best,
        Class::Good,
        Class::Inaccuracy,
        Class::Mistake,
        Class::Blunder,
        Class::MissedWin,
        Class::MissedTuzdyq,
    ];

    /// The class of a move.
    #[must_use]
    pub fn of(case: &Case) -> Class {
        let Case { is_best, loss, before, misses_tuzdyq } = *case;
        match loss {
            _ if is_best => Class::Best,
            MISTAKE.. if before == Some(Verdict::Win) => Class::MissedWin,
            INACCURACY.. if misses_tuzdyq => Class::MissedTuzdyq,
            BLUNDER.. => Class::Blunder,
            MISTAKE.. => Class::Mistake,
            INACCURACY.. => Class::Inaccuracy,
            _ => Class::Good,
        }
    }

    /// The name as people read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Class::Best => "best",
            Class::Good => "good",
            Class::Inaccuracy => "inaccuracy",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
            Class::MissedWin => "missed win",
            Class::MissedTuzdyq => "missed tuzdyq",
        }
    }
}

/// The sign of a loss: none below [`INACCURACY`].
#[must_use]
pub fn glyph(loss: f64) -> Option<Glyph> {
    match loss {
        BLUNDER.. => Some(Glyph::Blunder),
        MISTAKE.. => Some(Glyph::Mistake),
        INACCURACY.. => Some(Glyph::Dubious),
        _ => None,
    }
}

/// The accuracy of a move, 0 to 100: 100 where nothing is lost, and half of it for each [`HALVING`] lost.
#[must_use]
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (-loss / HALVING).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(loss: f64) -> Class {
        Class::of(&Case { loss, ..Case::default() })
    }

    #[test]
    fn losses_have_their_classes_from_the_thresholds_on() {
        for (loss, expected) in [
            (0.0, Class::Good),
            (0.0499, Class::Good),
            (0.05, Class::Inaccuracy),
            (0.0999, Class::Inaccuracy),
            (0.10, Class::Mistake),
            (0.1999, Class::Mistake),
            (0.20, Class::Blunder),
            (1.0, Class::Blunder),
        ] {
            assert_eq!(class(loss), expected, "{loss}");
        }
        assert_eq!(Class::of(&Case { is_best: true, ..Case::default() }), Class::Best);
    }

    #[test]
    fn a_proven_win_is_missed_only_by_a_mistake() {
        let won = Case { before: Some(Verdict::Win), misses_tuzdyq: true, ..Case::default() };
        assert_eq!(Class::of(&Case { loss: 0.5, ..won }), Class::MissedWin);
        assert_eq!(Class::of(&Case { loss: 0.10, ..won }), Class::MissedWin);
        assert_eq!(Class::of(&Case { loss: 0.06, ..won }), Class::MissedTuzdyq);
        assert_eq!(Class::of(&Case { loss: 0.01, ..won }), Class::Good);
        for before in [Verdict::Draw, Verdict::Loss] {
            assert_eq!(
                Class::of(&Case { before: Some(before), loss: 0.5, ..Case::default() }),
                Class::Blunder
            );
        }
    }

    #[test]
    fn a_tuzdyq_is_missed_only_where_that_loses_something() {
        let missed = Case { misses_tuzdyq: true, ..Case::default() };
        assert_eq!(Class::of(&Case { loss: 0.05, ..missed }), Class::MissedTuzdyq);
        assert_eq!(Class::of(&Case { loss: 0.30, ..missed }), Class::MissedTuzdyq);
        assert_eq!(Class::of(&Case { loss: 0.04, ..missed }), Class::Good);
        assert_eq!(Class::of(&Case { is_best: true, ..missed }), Class::Best);
    }

    #[test]
    fn accuracy_is_halved_by_each_tenth_of_a_point() {
        for (loss, expected) in [(0.0, 100.0), (0.1, 50.0), (0.2, 25.0), (1.0, 100.0 / 1024.0)] {
            assert!((accuracy(loss) - expected).abs() < 1e-9, "{loss}");
        }
    }

    #[test]
    fn signs_follow_the_loss() {
        let signs = [0.0, 0.05, 0.1, 0.2].map(|loss| glyph(loss).map_or("", Glyph::sign));
        assert_eq!(signs, ["", "?!", "?", "??"]);
    }

    #[test]
    fn names_are_those_of_the_report() {
        for class in Class::ALL {
            let json = serde_json::to_value(class).unwrap();
            assert_eq!(json, class.name().replace(' ', "_"));
        }
    }
}
