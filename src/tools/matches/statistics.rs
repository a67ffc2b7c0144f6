//! What the results of pairs of games say about the strength of two players: Elo, its interval, the likelihood of
//! superiority, and the sequential test. Pure arithmetic.

use std::f64::consts::{LN_10, PI};

/// The quantile of the normal distribution for a two-sided interval of 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// Pairs of games by the points of engine 1 in the two games together: 0, ½, 1, 1½, 2.
///
/// The two games of a pair begin with the same opening, so that their results depend on each other; pairs do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u32; 5]);

/// A difference in Elo; infinite where one side has all the points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The most likely difference.
    pub value: f64,
    /// The ends of its 95 % interval; `None` where the pairs tell nothing of the spread.
    pub interval: Option<(f64, f64)>,
}

impl Pentanomial {
    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Points of engine 1 a game, 0 to 1; `None` without any pair.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let pairs = f64::from(self.pairs());
        (pairs > 0.0).then(|| self.values().map(|(count, points)| count * points).sum::<f64>() / pairs)
    }

    /// The variance of a pair's points a game; `None` without any pair.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self.values().map(|(count, points)| count * (points - mean).powi(2)).sum();
        Some(squares / f64::from(self.pairs()))
    }

    /// The difference in Elo, from engine 1's view; `None` without any pair.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        let mean = self.mean()?;
        let interval = self.standard_error().map(|error| {
            let at = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
            (at(mean - Z95 * error), at(mean + Z95 * error))
        });
        Some(Elo { value: elo_of_score(mean), interval })
    }

    /// The probability that engine 1 is the stronger one, 0 to 1; `None` where the pairs tell nothing of the spread.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        Some(normal_cdf((self.mean()? - 0.5) / self.standard_error()?))
    }

    /// The standard error of the mean; `None` with fewer than two pairs or when all of them are alike.
    fn standard_error(&self) -> Option<f64> {
        let variance = self.variance()?;
        (self.pairs() >= 2 && variance > 0.0).then(|| (variance / f64::from(self.pairs())).sqrt())
    }

    /// The counts with the points a game that they stand for.
    fn values(&self) -> impl Iterator<Item = (f64, f64)> {
        self.0.into_iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(count, points)| (f64::from(count), points))
    }
}

/// A sequential test of two hypotheses about the difference in Elo (logistic), and its risks.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sprt {
    /// The difference under H0, in Elo.
    pub elo0: f64,
    /// The difference under H1, in Elo; the larger one.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 holds, between 0 and ½.
    pub alpha: f64,
    /// The probability of accepting H0 when H1 holds, between 0 and ½.
    pub beta: f64,
}

/// How a sequential test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The difference is rather that of H0.
    H0,
    /// The difference is rather that of H1.
    H1,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 }
    }
}

impl Sprt {
    /// The log-likelihood ratios at which H0 and H1 are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0; 0 without any pair.
    ///
    /// This is the generalised test (GSPRT) on the five results of a pair in its normal approximation, as in Michel
    /// Van den Bergh's note "A practical introduction to the GSPRT": with mean m and variance v of N pairs, and
    /// scores s0 and s1 under the hypotheses, N (s1 - s0) (2 m - s0 - s1) / 2 v. Pairs that are all alike have no
    /// variance; the exact ratio of the likelihoods stands in for it then.
    #[must_use]
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        let (Some(mean), Some(variance)) = (results.mean(), results.variance()) else { return 0.0 };
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        let pairs = f64::from(results.pairs());
        if variance > 0.0 {
            pairs * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
        } else {
            pairs * (likelihood_of_one_value(mean, s1).ln() - likelihood_of_one_value(mean, s0).ln())
        }
    }

    /// Whether the results so far decide the test.
    #[must_use]
    pub fn decision(&self, results: &Pentanomial) -> Option<Decision> {
        let (llr, (lower, upper)) = (self.llr(results), self.bounds());
        if llr >= upper {
            Some(Decision::H1)
        } else if llr <= lower {
            Some(Decision::H0)
        } else {
            None
        }
    }
}

/// The largest probability that a distribution on 0 to 1 with this mean can give to one value.
fn likelihood_of_one_value(value: f64, mean: f64) -> f64 {
    if mean < value { mean / value } else { (1.0 - mean) / (1.0 - value) }
}

/// The expected score, 0 to 1, of a player who is so many Elo stronger.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo * LN_10 / 400.0).exp())
}

/// The difference in Elo that makes a score from 0 to 1 the expected one; infinite at its ends.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    400.0 / LN_10 * (score / (1.0 - score)).ln()
}

/// The distribution function of the standard normal distribution.
fn normal_cdf(x: f64) -> f64 {
    // The series has all its terms of one sign but needs more of them the further out; there it is 0 or 1 anyway.
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut divisor) = (x, x, 1.0);
    while sum + term != sum {
        divisor += 2.0;
        term *= x * x / divisor;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual} instead of {expected}");
    }

    #[test]
    fn mean_and_variance_by_hand() {
        // Points 0, ¼, ½, ½, ¾, ¾, ¾, 1: mean 4.5 / 8, and squares 0 + 1 + 4 + 4 + 9 + 9 + 9 + 16 = 52 sixteenths.
        let results = Pentanomial([1, 1, 2, 3, 1]);
        near(results.mean().unwrap(), 0.5625, 1e-12);
        near(results.variance().unwrap(), 52.0 / 16.0 / 8.0 - 0.5625 * 0.5625, 1e-12);
    }

    #[test]
    fn elo_and_score_are_inverse_and_have_known_values() {
        near(elo_of_score(0.75), 190.848_501_887_865, 1e-9);
        near(score_of_elo(200.0), 0.759_746_926_647_958, 1e-12);
        near(elo_of_score(score_of_elo(-37.5)), -37.5, 1e-9);
        assert_eq!(elo_of_score(0.5), 0.0);
    }

    #[test]
    fn the_interval_comes_from_the_variance_of_pairs() {
        // Mean ½, variance ⅛ (half of the pairs at 0, half at 1 would be ¼).
        let results = Pentanomial([25, 0, 50, 0, 25]);
        let elo = results.elo().unwrap();
        let (low, high) = elo.interval.unwrap();
        assert_eq!(elo.value, 0.0);
        let error = 1.959_964 * (0.125_f64 / 100.0).sqrt();
        near(high, elo_of_score(0.5 + error), 1e-3);
        near(low, -high, 1e-9);
        near(results.superiority().unwrap(), 0.5, 1e-12);
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (-1.959_963_984_540_054, 0.025)] {
            near(normal_cdf(x), expected, 1e-12);
        }
        near(normal_cdf(5.0), 1.0 - 2.866_515_719e-7, 1e-15);
        assert_eq!((normal_cdf(40.0), normal_cdf(-40.0)), (1.0, 0.0));
    }

    #[test]
    fn the_test_has_walds_bounds_and_the_ratio_of_the_note() {
        let sprt = Sprt::default();
        let (lower, upper) = sprt.bounds();
        near(lower, -2.944_438_979, 1e-9);
        near(upper, 2.944_438_979, 1e-9);
        // Mean 0.55, variance 0.06; s0 = ½ and s1 = 0.507194...
        let results = Pentanomial([5, 15, 40, 35, 5]);
        let (mean, variance) = (0.55, (15.0 + 160.0 + 315.0 + 80.0) / 1600.0 - 0.55 * 0.55);
        near(results.mean().unwrap(), mean, 1e-12);
        let s1 = 1.0 / (1.0 + 10_f64.powf(-5.0 / 400.0));
        let expected = 100.0 * (s1 - 0.5) * (2.0 * mean - 0.5 - s1) / (2.0 * variance);
        near(sprt.llr(&results), expected, 1e-12);
        assert_eq!(sprt.decision(&results), None);
        assert_eq!(sprt.decision(&Pentanomial([50, 150, 400, 350, 50])), Some(Decision::H1));
        assert_eq!(sprt.decision(&Pentanomial([50, 350, 400, 150, 50])), Some(Decision::H0));
    }

    #[test]
    fn nothing_is_not_a_number_in_degenerate_matches() {
        let sprt = Sprt::default();
        for counts in [[0, 0, 0, 0, 0], [0, 0, 0, 0, 7], [9, 0, 0, 0, 0], [0, 0, 3, 0, 0], [0, 1, 0, 0, 0]] {
            let results = Pentanomial(counts);
            assert!(!sprt.llr(&results).is_nan(), "{counts:?}");
            assert!(
                results.elo().is_none_or(|elo| !elo.value.is_nan() && elo.interval.is_none()),
                "{counts:?}"
            );
            assert_eq!(results.superiority(), None, "{counts:?}");
        }
        assert_eq!(Pentanomial([0, 0, 0, 0, 7]).elo().unwrap().value, f64::INFINITY);
        assert_eq!(Pentanomial([0, 0, 0, 1, 99]).elo().unwrap().interval.unwrap().1, f64::INFINITY);
    }

    #[test]
    fn a_match_won_in_every_game_is_decided_but_not_at_once() {
        let sprt = Sprt::default();
        // Each pair is worth ln(s1 / s0), a little more than 0.0143.
        near(sprt.llr(&Pentanomial([0, 0, 0, 0, 100])), 100.0 * (score_of_elo(5.0) / 0.5).ln(), 1e-9);
        assert_eq!(sprt.decision(&Pentanomial([0, 0, 0, 0, 200])), None);
        assert_eq!(sprt.decision(&Pentanomial([0, 0, 0, 0, 210])), Some(Decision::H1));
        assert_eq!(sprt.decision(&Pentanomial([210, 0, 0, 0, 0])), Some(Decision::H0));
    }
}
