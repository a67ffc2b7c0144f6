//! The neural evaluation: two hidden layers over the exact counts of the pits, trained on the engine's own games.
//!
//! A move changes half of the pits or more, so that nothing is kept from one position to the next: each evaluation adds
//! up 21 to 39 rows of 8-bit numbers for each side, with the same weights, its own pits first (as in Nasu,
//! "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018). The squares of the
//! clipped sums (a "squared clipped rectified linear unit", as many chess engines have it since 2022) go to a small
//! second layer and an output, of which there is one for each phase of the game.

mod file;
mod inputs;
mod kernel;
mod threats;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use file::{Head, Layers, MAX_BIAS, NetworkError};
pub use inputs::{ACTIVE, ROWS, Rows, View, bucket};
pub use kernel::{
    GROUP, Level, MAX_FIRST_BIAS, MAX_ROW, MAX_SECOND_BIAS, MAX_WEIGHT, MAX_WIDTH, ONE, OUTPUT_ONE,
    PairWeights, SECOND, SECOND_ONE, WEIGHT_ONE,
};

use kernel::{Weights, output};

use super::{Classic, Evaluate, Score, bounds};
use crate::game::{Board, Rules, Variant};

/// The neural evaluation of togyzqumalaq; other games are left to the [handcrafted one](Classic).
#[derive(Clone, Debug)]
pub struct Network {
    layers: Layers,
    level: Level,
}

impl Network {
    /// A network that uses the best instructions of this machine, of layers as [`Layers::parse`] lets them pass.
    fn new(layers: Layers) -> Network {
        Network { layers, level: Level::best() }
    }

    /// The same network with other instructions, for tests and measurements; the values are the same. Instructions that
    /// this machine does not have are not used.
    #[must_use]
    pub fn with_level(self, level: Level) -> Network {
        if Level::available().contains(&level) { Network { level, ..self } } else { self }
    }

    /// The network in the bytes of a file.
    ///
    /// # Errors
    /// When there is none, or it is damaged, or of a kind that this program does not know.
    pub fn parse(bytes: &[u8]) -> Result<Network, NetworkError> {
        Layers::parse(bytes).map(Network::new)
    }

    /// Its numbers.
    #[must_use]
    pub const fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The value of a position for the side to move, in centistones, before it is cut to what the stones left allow. It
    /// means nothing for positions with more than 162 stones, and may then depend on the instructions.
    #[inline(always)]
    #[must_use]
    pub fn value(&self, view: &View) -> i32 {
        let Layers { width, buckets, scale, rows, bias, heads, .. } = &self.layers;
        let head = &heads[bucket(view.stones_left(), *buckets)];
        let Head { second, second_bias, output: weights, output_bias } = head;
        debug_assert_eq!(second.len(), *width);
        let weights = Weights { rows, bias, second, second_bias, output: weights };
        let output = output(weights, view, self.level);
        let residual = i64::from(output) * i64::from(*scale) / i64::from(OUTPUT_ONE);
        100 * view.lead() + residual as i32 + output_bias
    }
}

impl Evaluate for Network {
    const SLOW: bool = true;

    #[inline(always)]
    fn evaluate<R: Rules>(&self, board: &Board<R>) -> Score {
        if R::VARIANT != Variant::Togyzqumalaq {
            return Classic.evaluate(board);
        }
        let (least, greatest) = bounds(board);
        Score::centistones(self.value(&View::of(board)).clamp(least, greatest))
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::game::{Position, Togyzqumalaq};

    /// Random numbers as large as they may be.
    fn layers(width: usize, buckets: usize) -> Layers {
        let mut random = StdRng::seed_from_u64(width as u64);
        let mut list = |count: usize, most: i16| -> Vec<i16> {
            (0..count).map(|_| random.random_range(-most..=most)).collect()
        };
        let pair = |list: &mut dyn FnMut(usize, i16) -> Vec<i16>| -> PairWeights {
            std::array::from_fn(|_| std::array::from_fn(|_| list(1, MAX_WEIGHT / 16)[0]))
        };
        Layers {
            width,
            buckets,
            scale: 1_000,
            rows: list(ROWS * width, MAX_ROW.into()).into_iter().map(|number| number as i8).collect(),
            bias: list(width, MAX_FIRST_BIAS),
            heads: (0..buckets)
                .map(|bucket| Head {
                    second: (0..width).map(|_| pair(&mut list)).collect(),
                    second_bias: std::array::from_fn(|_| list(1, i16::MAX)[0].into()),
                    output: std::array::from_fn(|_| list(1, MAX_WEIGHT)[0]),
                    output_bias: bucket as i32 - 1_000,
                })
                .collect(),
            origin: "a test".to_owned(),
        }
    }

    fn views() -> Vec<View> {
        let mut random = StdRng::seed_from_u64(1);
        let mut views = vec![
            View { stones: [0; 18], kazans: [81, 81], tuzdyqs: [0; 2] },
            View { stones: [0; 18], kazans: [0, 0], tuzdyqs: [8, 7] },
            View::of(Position::<Togyzqumalaq>::start().board()),
        ];
        for pit in 0..18 {
            let mut stones = [0; 18];
            stones[pit] = 162;
            views.push(View { stones, kazans: [0; 2], tuzdyqs: [1, 2] });
        }
        for _ in 0..500 {
            let most = random.random_range(1..=60);
            views.push(View {
                stones: std::array::from_fn(|_| random.random_range(0..most)),
                kazans: std::array::from_fn(|_| random.random_range(0..82)),
                tuzdyqs: std::array::from_fn(|_| random.random_range(0..10)),
            });
        }
        views
    }

    /// The value, as the definition has it.
    fn plain_value(layers: &Layers, view: &View) -> i32 {
        let left = 162 - usize::from(view.kazans[0]) - usize::from(view.kazans[1]);
        let head = &layers.heads[left * layers.buckets / 163];
        let mut first = Vec::new();
        let all = view.rows();
        for side in 0..2 {
            for neuron in 0..layers.width {
                let rows = all
                    .iter()
                    .map(|both| i64::from(layers.rows[usize::from(both[side]) * layers.width + neuron]));
                let sum = (i64::from(layers.bias[neuron]) + rows.sum::<i64>()).clamp(0, 255);
                first.push(sum * sum / 256);
            }
        }
        let mut output = 0_i64;
        for neuron in 0..16 {
            let products = first
                .iter()
                .enumerate()
                .map(|(index, input)| input * i64::from(head.second[index / 2][neuron][index % 2]));
            let sum = i64::from(head.second_bias[neuron]) + products.sum::<i64>();
            let kept = sum.clamp(0, 254 * 1024) / 8;
            output += ((kept * kept) >> 19) * i64::from(head.output[neuron]);
        }
        let lead = i32::from(view.kazans[0]) - i32::from(view.kazans[1]);
        let residual = output * i64::from(layers.scale) / (2016 * 1024);
        100 * lead + residual as i32 + head.output_bias
    }

    #[test]
    fn all_instructions_give_what_the_definition_says() {
        for (width, buckets) in [(64, 1), (128, 8), (256, 32)] {
            let layers = layers(width, buckets);
            let views = views();
            let expected: Vec<i32> = views.iter().map(|view| plain_value(&layers, view)).collect();
            assert!(expected.iter().any(|value| value.abs() > 1_000));
            for level in Level::available() {
                let network = Network::new(layers.clone()).with_level(level);
                let values: Vec<i32> = views.iter().map(|view| network.value(view)).collect();
                assert_eq!(values, expected, "{level:?}, {width} neurons");
            }
        }
    }

    #[test]
    fn sums_at_the_limits_do_not_overflow() {
        let mut layers = layers(256, 1);
        for (rows, second, last) in [(1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1), (-1, -1, -1)] {
            layers.rows.fill(if rows > 0 { i8::MAX } else { i8::MIN });
            layers.bias.fill(rows * MAX_FIRST_BIAS);
            let head = &mut layers.heads[0];
            head.second.fill([[second * MAX_WEIGHT; 2]; SECOND]);
            head.second_bias.fill(i32::from(second) * MAX_SECOND_BIAS);
            head.output.fill(last * MAX_WEIGHT);
            for level in Level::available() {
                let network = Network::new(layers.clone()).with_level(level);
                for view in views() {
                    assert_eq!(network.value(&view), plain_value(&layers, &view));
                }
            }
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let layers = layers(64, 3);
        assert_eq!(Layers::parse(&layers.to_bytes()).unwrap(), layers);
    }

    #[test]
    fn files_that_are_none_are_refused() {
        let layers = layers(64, 3);
        let good = layers.to_bytes();
        let refused = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = good.clone();
            change(&mut bytes);
            Layers::parse(&bytes).expect_err("a wrong file").to_string()
        };
        assert_eq!(refused(&|bytes| bytes.clear()), "not a network file");
        assert_eq!(refused(&|bytes| bytes[..8].copy_from_slice(b"TUZDYQEG")), "not a network file");
        assert_eq!(refused(&|bytes| bytes[8] = 2), "format version 2, expected 1");
        assert_eq!(refused(&|bytes| bytes[10] = 2), "architecture 2, expected 3");
        let wrong = "width 65 in the header is not possible, expected 64, 128, 192 or 256";
        assert_eq!(refused(&|bytes| bytes[12] = 65), wrong);
        let (whole, half) = (good.len(), good.len() / 2);
        assert_eq!(refused(&|bytes| bytes.truncate(half)), format!("{half} bytes, expected {whole}"));
        assert_eq!(refused(&|bytes| bytes.push(0)), format!("{} bytes, expected {whole}", whole + 1));
        assert!(refused(&|bytes| bytes[half] ^= 1).starts_with("checksum "));
        let too_large = |change: &dyn Fn(&mut Layers)| {
            let mut layers = layers.clone();
            change(&mut layers);
            Layers::parse(&layers.to_bytes()).expect_err("a wrong network").to_string()
        };
        let first = "a weight of the first layer is too large";
        assert_eq!(too_large(&|layers| layers.bias[63] = MAX_FIRST_BIAS + 1), first);
        let text = "the text of the network is not one line of UTF-8";
        assert_eq!(too_large(&|layers| layers.origin = "a\nbestmove 1".to_owned()), text);
        let second = "a weight of the second layer is too large";
        assert_eq!(too_large(&|layers| layers.heads[1].second[5][3][1] = MAX_WEIGHT + 1), second);
        assert_eq!(too_large(&|layers| layers.heads[2].second_bias[15] = MAX_SECOND_BIAS + 1), second);
        let last = "a weight of the output layer is too large";
        assert_eq!(too_large(&|layers| layers.heads[0].output[0] = -MAX_WEIGHT - 1), last);
        assert_eq!(too_large(&|layers| layers.heads[0].output_bias = i32::MIN), last);
    }
}
