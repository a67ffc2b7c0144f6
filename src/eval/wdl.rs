//! The chances of win, draw and loss that a score stands for.

use super::Score;

/// Chances in thousandths, which add up to 1,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Of a win for the side to move.
    pub win: u32,
    /// Of a draw.
    pub draw: u32,
    /// Of a loss.
    pub loss: u32,
}

impl Wdl {
    /// Centistones of lead that change the odds of winning by a factor of e, with this share of the stones still in the
    /// pits (0 to 1).
    #[must_use]
    pub fn scale(left: f64) -> f64 {
        SCALE.0 + SCALE.1 * left
    }

    /// The chances for a score found by a search, with this share of the stones still in the pits (0 to 1).
    #[must_use]
    pub fn new(score: Score, left: f64) -> Wdl {
        if score.is_win() {
            return Wdl { win: 1000, draw: 0, loss: 0 };
        }
        if score.is_loss() {
            return Wdl { win: 0, draw: 0, loss: 1000 };
        }
        let chance = |lead: f64| 1.0 / (1.0 + (-lead / Wdl::scale(left)).exp());
        let lead = f64::from(score.value());
        let win = (1000.0 * chance(lead - HALF_DRAW)).round() as u32;
        let loss = (1000.0 * chance(-lead - HALF_DRAW)).round() as u32;
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

// The constants were fitted to 127,052 positions of 1,000 games that the engine played against itself at 3,000 nodes
// a move: `cargo run --release --example fit_wdl -- 1000 3000 3`.

/// Centistones of lead that change the odds by a factor of e: with no stones left, and added with all.
const SCALE: (f64, f64) = (540.0, 1_200.0);
/// Half the width in centistones of the scores that most often end in a draw.
const HALF_DRAW: f64 = 70.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for value in (-16_200..=16_200).step_by(50) {
            for left in [0.0, 0.3, 1.0] {
                let wdl = Wdl::new(Score::centistones(value), left);
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
                let mirrored = Wdl::new(Score::centistones(-value), left);
                assert_eq!((wdl.win, wdl.loss), (mirrored.loss, mirrored.win));
            }
        }
        assert_eq!(Wdl::new(Score::win_in(3), 0.5).win, 1000);
        assert_eq!(Wdl::new(Score::loss_in(3), 0.5).loss, 1000);
    }
}
