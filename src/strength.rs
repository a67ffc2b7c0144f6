//! What makes the engine play like a weaker person: it looks at fewer positions, which limits how far it sees, and it
//! misjudges positions.

use crate::search::Misjudgement;

/// A level of strength below the full one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Positions that a move may be thought about.
    pub nodes: u64,
    /// The usual error of the evaluation, in centistones.
    pub error: u32,
}

/// The rating of each level below the highest, and what makes it.
///
/// Differences of ratings are measured by matches of neighbouring levels, see CONTRIBUTING.md; the zero is set so that
/// level 1 has 1000.
const LEVELS: [(u32, Strength); 7] = [
    (1000, Strength { nodes: 150, error: 2_000 }),
    (1290, Strength { nodes: 200, error: 1_080 }),
    (1560, Strength { nodes: 300, error: 800 }),
    (1920, Strength { nodes: 500, error: 570 }),
    (2230, Strength { nodes: 1_000, error: 410 }),
    (2500, Strength { nodes: 2_500, error: 270 }),
    (2850, Strength { nodes: 10_000, error: 150 }),
];

/// The least rating that can be asked for.
pub const MIN_ELO: u64 = LEVELS[0].0 as u64;
/// The greatest rating that can be asked for.
pub const MAX_ELO: u64 = LEVELS[LEVELS.len() - 1].0 as u64;
/// The highest level, which is the full strength.
pub const MAX_SKILL: u64 = LEVELS.len() as u64 + 1;

impl Strength {
    /// The strength of a level from 1; none for the highest, which is unlimited.
    #[must_use]
    pub fn of_skill(skill: u64) -> Option<Strength> {
        LEVELS.get((skill as usize).saturating_sub(1)).map(|&(_, strength)| strength)
    }

    /// The strength of a rating from [`MIN_ELO`] to [`MAX_ELO`], between those of the levels next to it.
    #[must_use]
    pub fn of_elo(elo: u64) -> Strength {
        let elo = elo as f64;
        let above =
            LEVELS.iter().position(|&(rating, _)| f64::from(rating) >= elo).unwrap_or(LEVELS.len() - 1);
        let (low, high) = (LEVELS[above.saturating_sub(1)], LEVELS[above]);
        let share = if low.0 == high.0 { 0.0 } else { (elo - f64::from(low.0)) / f64::from(high.0 - low.0) };
        let share = share.clamp(0.0, 1.0);
        // Each doubling of the nodes is worth about the same.
        let nodes = (low.1.nodes as f64).powf(1.0 - share) * (high.1.nodes as f64).powf(share);
        let error = f64::from(low.1.error) * (1.0 - share) + f64::from(high.1.error) * share;
        Strength { nodes: nodes.round() as u64, error: error.round() as u32 }
    }

    /// The errors of one game.
    #[must_use]
    pub const fn misjudgement(self, seed: u64) -> Misjudgement {
        Misjudgement { size: self.error, seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_levels_rating_is_its_strength() {
        for (index, &(elo, strength)) in LEVELS.iter().enumerate() {
            assert_eq!(Strength::of_elo(elo.into()), strength);
            assert_eq!(Strength::of_skill(index as u64 + 1), Some(strength));
        }
        assert_eq!(Strength::of_skill(MAX_SKILL), None);
    }

    #[test]
    fn strength_grows_with_the_rating() {
        let strengths: Vec<Strength> = (MIN_ELO..=MAX_ELO).step_by(10).map(Strength::of_elo).collect();
        assert!(strengths.is_sorted_by(|a, b| a.nodes <= b.nodes && a.error >= b.error));
    }
}
