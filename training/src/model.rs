//! The network while it learns: floating point numbers, their gradients, and the export to whole numbers.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use tuzdyq::eval::network::{Layers, MAX_INPUT, MAX_OUTPUT, ONE, OUTPUT_ONE, ROWS, View, bucket};

use crate::data::{Sample, sigmoid};

/// Numbers that are worked on at once.
const LANES: usize = 16;

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Neurons.
    pub width: usize,
    /// Output buckets.
    pub buckets: usize,
    /// Centistones of an output of 1.
    pub scale: f32,
}

/// All numbers of a network, or as many gradients, in one list: the rows of the first layer, its biases, the output
/// weights by bucket, the output biases.
#[derive(Clone)]
pub struct Numbers {
    shape: Shape,
    list: Vec<f32>,
}

/// The parts of the list.
struct Parts<'a> {
    rows: &'a [f32],
    bias: &'a [f32],
    output: &'a [f32],
    output_bias: &'a [f32],
}

struct PartsMut<'a> {
    rows: &'a mut [f32],
    bias: &'a mut [f32],
    output: &'a mut [f32],
    output_bias: &'a mut [f32],
}

/// What the network says of a position, and what it needed for that.
struct Forward {
    bucket: usize,
    /// Centistones for the side to move.
    value: f32,
}

/// The loss over some positions, summed.
#[derive(Clone, Copy, Default)]
pub struct Loss {
    /// The squared error of the chance of winning, times the weight.
    pub sum: f64,
    /// The weights.
    pub weight: f64,
}

impl Loss {
    /// With another one added.
    pub fn plus(self, other: Loss) -> Loss {
        Loss { sum: self.sum + other.sum, weight: self.weight + other.weight }
    }

    /// The mean.
    pub fn mean(self) -> f64 {
        self.sum / self.weight.max(f64::MIN_POSITIVE)
    }
}

impl Numbers {
    /// Zeros.
    pub fn zeros(shape: Shape) -> Numbers {
        let Shape { width, buckets, .. } = shape;
        Numbers { shape, list: vec![0.0; ROWS * width + width + buckets * width + buckets] }
    }

    /// Random numbers to begin with.
    pub fn random(shape: Shape, seed: u64) -> Numbers {
        let mut random = StdRng::seed_from_u64(seed);
        let mut numbers = Numbers::zeros(shape);
        let mut fill = |part: &mut [f32], most: f32| {
            part.iter_mut().for_each(|number| *number = random.random_range(-most..most));
        };
        let parts = numbers.parts_mut();
        // Some 21 rows add up to about one half.
        fill(parts.rows, 0.15);
        fill(parts.output, 1.0 / (shape.width as f32).sqrt());
        parts.bias.fill(0.3);
        numbers
    }

    /// Neurons.
    pub fn width(&self) -> usize {
        self.shape.width
    }

    /// All numbers.
    pub fn list(&self) -> &[f32] {
        &self.list
    }

    /// All numbers.
    pub fn list_mut(&mut self) -> &mut [f32] {
        &mut self.list
    }

    fn parts(&self) -> Parts<'_> {
        let Shape { width, buckets, .. } = self.shape;
        let (rows, rest) = self.list.split_at(ROWS * width);
        let (bias, rest) = rest.split_at(width);
        let (output, output_bias) = rest.split_at(buckets * width);
        Parts { rows, bias, output, output_bias }
    }

    fn parts_mut(&mut self) -> PartsMut<'_> {
        let Shape { width, buckets, .. } = self.shape;
        let (rows, rest) = self.list.split_at_mut(ROWS * width);
        let (bias, rest) = rest.split_at_mut(width);
        let (output, output_bias) = rest.split_at_mut(buckets * width);
        PartsMut { rows, bias, output, output_bias }
    }

    /// Keeps every number within what the whole numbers can express.
    pub fn clip(&mut self) {
        let input = f32::from(MAX_INPUT) / f32::from(ONE);
        let output = f32::from(MAX_OUTPUT) / OUTPUT_ONE as f32;
        let parts = self.parts_mut();
        let clip = |part: &mut [f32], most: f32| {
            part.iter_mut().for_each(|number| *number = number.clamp(-most, most));
        };
        clip(parts.rows, input);
        clip(parts.bias, input);
        clip(parts.output, output);
    }

    /// The value of a position; `sums` becomes the sums of the hidden layer.
    #[inline(always)]
    fn forward(&self, view: &View, sums: &mut [f32]) -> Forward {
        let parts = self.parts();
        let width = self.shape.width;
        sums.copy_from_slice(parts.bias);
        for row in view.rows() {
            let row = &parts.rows[usize::from(row) * width..][..width];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        let bucket = bucket(view.stones_left(), self.shape.buckets);
        let output = &parts.output[bucket * width..][..width];
        let mut lanes = [0.0_f32; LANES];
        for (sums, output) in sums.chunks_exact(LANES).zip(output.chunks_exact(LANES)) {
            for lane in 0..LANES {
                let activation = sums[lane].clamp(0.0, 1.0);
                lanes[lane] += activation * activation * output[lane];
            }
        }
        let residual = lanes.iter().sum::<f32>() + parts.output_bias[bucket];
        Forward { bucket, value: 100.0 * view.lead() as f32 + self.shape.scale * residual }
    }

    /// The value of a position, in centistones.
    pub fn value(&self, view: &View, sums: &mut [f32]) -> f32 {
        self.forward(view, sums).value
    }

    /// The loss of some positions; adds their gradients.
    pub fn learn(&self, samples: impl Iterator<Item = Sample>, gradients: &mut Numbers) -> Loss {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[allow(
                unsafe_code,
                reason = "the only way to call code for instructions that not every machine has"
            )]
            // SAFETY: the machine has them, as the line above says.
            return unsafe { self.learn_avx2(samples, gradients) };
        }
        self.learn_plain(samples, gradients)
    }

    /// The same code with wider instructions, in the same order: the same numbers come out.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn learn_avx2(&self, samples: impl Iterator<Item = Sample>, gradients: &mut Numbers) -> Loss {
        self.learn_plain(samples, gradients)
    }

    #[inline(always)]
    fn learn_plain(&self, samples: impl Iterator<Item = Sample>, gradients: &mut Numbers) -> Loss {
        let width = self.shape.width;
        let mut sums = vec![0.0; width];
        let mut loss = Loss::default();
        let outputs = self.parts().output;
        let into = gradients.parts_mut();
        for sample in samples {
            let Forward { bucket, value } = self.forward(&sample.view, &mut sums);
            let chance = sigmoid(value / sample.scale);
            let error = chance - sample.target;
            loss.sum += f64::from(sample.weight * error * error);
            loss.weight += f64::from(sample.weight);
            let slope =
                2.0 * error * chance * (1.0 - chance) * self.shape.scale / sample.scale * sample.weight;
            into.output_bias[bucket] += slope;
            let output = &outputs[bucket * width..][..width];
            let output_gradient = &mut into.output[bucket * width..][..width];
            for ((sum, weight), gradient) in sums.iter_mut().zip(output).zip(output_gradient) {
                let activation = sum.clamp(0.0, 1.0);
                *gradient += slope * activation * activation;
                // From here on the slope by the sum; it is 0 where the activation is clipped.
                let inside = if *sum > 0.0 && *sum < 1.0 { 2.0 * activation } else { 0.0 };
                *sum = slope * weight * inside;
            }
            for (gradient, slope) in into.bias.iter_mut().zip(&sums) {
                *gradient += slope;
            }
            for row in sample.view.rows() {
                let row = &mut into.rows[usize::from(row) * width..][..width];
                for (gradient, slope) in row.iter_mut().zip(&sums) {
                    *gradient += slope;
                }
            }
        }
        loss
    }

    /// The network in whole numbers.
    pub fn export(&self, origin: &str) -> Layers {
        let parts = self.parts();
        let round = |part: &[f32], one: f32, most: i16| {
            let number = |number: &f32| ((number * one).round() as i16).clamp(-most, most);
            part.iter().map(number).collect()
        };
        let one = f32::from(ONE);
        Layers {
            width: self.shape.width,
            buckets: self.shape.buckets,
            scale: self.shape.scale as u16,
            rows: round(parts.rows, one, MAX_INPUT),
            bias: round(parts.bias, one, MAX_INPUT),
            output: round(parts.output, OUTPUT_ONE as f32, MAX_OUTPUT),
            output_bias: parts
                .output_bias
                .iter()
                .map(|bias| (bias * self.shape.scale).round() as i32)
                .collect(),
            origin: origin.to_owned(),
        }
    }
}

/// The method that turns gradients into steps (Kingma and Ba, "Adam: a method for stochastic optimization", 2015, with the
/// decay of Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
    decay: f32,
}

impl Adam {
    const MEAN: f32 = 0.9;
    const SQUARE: f32 = 0.999;

    /// For a list of so many numbers.
    pub fn new(count: usize, decay: f32) -> Adam {
        Adam { mean: vec![0.0; count], square: vec![0.0; count], steps: 0, decay }
    }

    /// Steps so far.
    pub fn steps(&self) -> i32 {
        self.steps
    }

    /// Takes up the work after so many steps.
    pub fn set_steps(&mut self, steps: i32) {
        self.steps = steps;
    }

    /// The mean of the gradients.
    pub fn mean(&self) -> &[f32] {
        &self.mean
    }

    /// The mean of their squares.
    pub fn square(&self) -> &[f32] {
        &self.square
    }

    /// Both means.
    pub fn moments_mut(&mut self) -> (&mut [f32], &mut [f32]) {
        (&mut self.mean, &mut self.square)
    }

    /// One step of this size.
    pub fn step(&mut self, numbers: &mut [f32], gradients: &[f32], rate: f32) {
        self.steps += 1;
        let mean_part = 1.0 - Adam::MEAN.powi(self.steps);
        let square_part = 1.0 - Adam::SQUARE.powi(self.steps);
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((number, gradient), (mean, square)) in numbers.iter_mut().zip(gradients).zip(moments) {
            *mean = Adam::MEAN * *mean + (1.0 - Adam::MEAN) * gradient;
            *square = Adam::SQUARE * *square + (1.0 - Adam::SQUARE) * gradient * gradient;
            let direction = (*mean / mean_part) / ((*square / square_part).sqrt() + 1e-8);
            *number -= rate * (direction + self.decay * *number);
        }
    }
}
