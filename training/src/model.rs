//! The network while it learns: floating point numbers, their gradients, and the export to whole numbers.

use std::fmt;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use tuzdyq::eval::network::{
    Head, Layers, MAX_BIAS, MAX_FIRST_BIAS, MAX_ROW, MAX_SECOND_BIAS, MAX_WEIGHT, ONE, ROWS, SECOND,
    SECOND_ONE, View, WEIGHT_ONE, bucket,
};

use crate::data::{Sample, sigmoid};

/// Numbers that are worked on at once.
const LANES: usize = 16;

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Neurons of the first layer for each side.
    pub width: usize,
    /// Output buckets.
    pub buckets: usize,
    /// Centistones of an output of 1.
    pub scale: f32,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "width {}, {} buckets, scale {}", self.width, self.buckets, self.scale)
    }
}

impl Shape {
    /// Numbers of the first layer.
    const fn first(self) -> usize {
        (ROWS + 1) * self.width
    }

    /// Weights of the second layer in a bucket.
    const fn second(self) -> usize {
        SECOND * 2 * self.width
    }

    /// Numbers of a bucket.
    const fn head(self) -> usize {
        self.second() + SECOND + SECOND + 1
    }
}

/// All numbers of a network, or as many gradients, in one list: the rows of the first layer and its biases; then bucket
/// by bucket the weights of the second layer, its biases, the output weights, and the output bias.
#[derive(Clone)]
pub struct Numbers {
    shape: Shape,
    list: Vec<f32>,
}

/// The numbers of a bucket.
struct HeadParts<'a> {
    second: &'a [f32],
    second_bias: &'a [f32],
    output: &'a [f32],
    output_bias: f32,
}

/// What the layers say of a position.
pub struct Work {
    /// The sums of the first layer: the mover's side, then the other.
    first: Vec<f32>,
    /// What it passes on.
    passed_on: Vec<f32>,
    /// The sums of the second layer.
    second: [f32; SECOND],
    /// The slope of the loss by what the first layer passes on, and then by its sums.
    slopes: Vec<f32>,
}

impl Work {
    /// For networks of a shape.
    pub fn new(shape: Shape) -> Work {
        let zeros = vec![0.0; 2 * shape.width];
        Work { first: zeros.clone(), passed_on: zeros.clone(), second: [0.0; SECOND], slopes: zeros }
    }
}

/// What a neuron passes on: the square of its clipped sum.
#[inline(always)]
fn activation(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    clipped * clipped
}

/// The slope of [`activation`].
#[inline(always)]
fn slope(sum: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 }
}

/// The sum of the products, always added up in the same order.
#[inline(always)]
fn dot(numbers: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    for (numbers, weights) in numbers.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for lane in 0..LANES {
            lanes[lane] += numbers[lane] * weights[lane];
        }
    }
    lanes.iter().sum()
}

/// Adds the multiple of some numbers to others.
#[inline(always)]
fn add(into: &mut [f32], factor: f32, numbers: &[f32]) {
    for (into, number) in into.iter_mut().zip(numbers) {
        *into += factor * number;
    }
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
        Numbers { shape, list: vec![0.0; shape.first() + shape.buckets * shape.head()] }
    }

    /// Random numbers to begin with.
    pub fn random(shape: Shape, seed: u64) -> Numbers {
        let mut random = StdRng::seed_from_u64(seed);
        let mut numbers = Numbers::zeros(shape);
        let mut fill = |part: &mut [f32], most: f32| {
            part.iter_mut().for_each(|number| *number = random.random_range(-most..most));
        };
        let (first, heads) = numbers.list.split_at_mut(shape.first());
        let (rows, bias) = first.split_at_mut(ROWS * shape.width);
        // With the biases, the sums of some thirty rows spread around the middle of the range that is not clipped.
        fill(rows, 0.15);
        bias.fill(0.3);
        for head in heads.chunks_exact_mut(shape.head()) {
            let (second, rest) = head.split_at_mut(shape.second());
            let (second_bias, rest) = rest.split_at_mut(SECOND);
            fill(second, 1.0 / (2.0 * shape.width as f32).sqrt());
            second_bias.fill(0.3);
            fill(&mut rest[..SECOND], 1.0 / (SECOND as f32).sqrt());
        }
        numbers
    }

    /// The numbers that [`Numbers::export`] made these whole numbers of, as near as they tell.
    pub fn import(layers: &Layers) -> Numbers {
        let shape = Shape { width: layers.width, buckets: layers.buckets, scale: layers.scale.into() };
        let one = f32::from(ONE);
        let weight = |&weight: &i16| f32::from(weight) / WEIGHT_ONE as f32;
        let mut list: Vec<f32> = layers.rows.iter().map(|&number| f32::from(number) / one).collect();
        list.extend(layers.bias.iter().map(|&number| f32::from(number) / one));
        for head in &layers.heads {
            for neuron in 0..SECOND {
                list.extend(head.second.iter().flat_map(|pair| &pair[neuron]).map(weight));
            }
            list.extend(head.second_bias.iter().map(|&number| number as f32 / SECOND_ONE as f32));
            list.extend(head.output.iter().map(weight));
            list.push(head.output_bias as f32 / shape.scale);
        }
        Numbers { shape, list }
    }

    /// The shape of the network.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All numbers.
    pub fn list(&self) -> &[f32] {
        &self.list
    }

    /// All numbers.
    pub fn list_mut(&mut self) -> &mut [f32] {
        &mut self.list
    }

    fn rows(&self) -> &[f32] {
        &self.list[..ROWS * self.shape.width]
    }

    fn bias(&self) -> &[f32] {
        &self.list[ROWS * self.shape.width..self.shape.first()]
    }

    fn head(&self, bucket: usize) -> HeadParts<'_> {
        let list = &self.list[self.shape.first() + bucket * self.shape.head()..][..self.shape.head()];
        let (second, rest) = list.split_at(self.shape.second());
        let (second_bias, rest) = rest.split_at(SECOND);
        HeadParts { second, second_bias, output: &rest[..SECOND], output_bias: rest[SECOND] }
    }

    /// Keeps every number within what the whole numbers can express; the output biases, which are far from that, are
    /// cut by [`Numbers::export`].
    pub fn clip(&mut self) {
        let clip = |part: &mut [f32], most: f32| {
            part.iter_mut().for_each(|number| *number = number.clamp(-most, most));
        };
        let (first, heads) = self.list.split_at_mut(self.shape.first());
        let (rows, bias) = first.split_at_mut(ROWS * self.shape.width);
        clip(rows, f32::from(MAX_ROW) / f32::from(ONE));
        clip(bias, f32::from(MAX_FIRST_BIAS) / f32::from(ONE));
        // The biases of the second layer have the same range as its weights.
        clip(heads, f32::from(MAX_WEIGHT) / WEIGHT_ONE as f32);
    }

    /// The value of a position in centistones for the side to move, and its bucket; `work` becomes what the layers say.
    #[inline(always)]
    fn forward(&self, view: &View, work: &mut Work) -> (f32, usize) {
        let width = self.shape.width;
        let (own, other) = work.first.split_at_mut(width);
        own.copy_from_slice(self.bias());
        other.copy_from_slice(self.bias());
        let rows = self.rows();
        for [own_row, other_row] in view.rows().iter() {
            add(own, 1.0, &rows[usize::from(own_row) * width..][..width]);
            add(other, 1.0, &rows[usize::from(other_row) * width..][..width]);
        }
        for (passed_on, sum) in work.passed_on.iter_mut().zip(&work.first) {
            *passed_on = activation(*sum);
        }
        let bucket = bucket(view.stones_left(), self.shape.buckets);
        let head = self.head(bucket);
        let mut output = head.output_bias;
        for (neuron, weights) in head.second.chunks_exact(2 * width).enumerate() {
            let sum = head.second_bias[neuron] + dot(&work.passed_on, weights);
            work.second[neuron] = sum;
            output += activation(sum) * head.output[neuron];
        }
        (100.0 * view.lead() as f32 + self.shape.scale * output, bucket)
    }

    /// The value of a position, in centistones.
    pub fn value(&self, view: &View, work: &mut Work) -> f32 {
        self.forward(view, work).0
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
        let scale = self.shape.scale;
        let mut work = Work::new(self.shape);
        let mut loss = Loss::default();
        for sample in samples {
            let (value, bucket) = self.forward(&sample.view, &mut work);
            let chance = sigmoid(value / sample.scale);
            let error = chance - sample.target;
            loss.sum += f64::from(sample.weight * error * error);
            loss.weight += f64::from(sample.weight);
            let by_output = 2.0 * error * chance * (1.0 - chance) * scale / sample.scale * sample.weight;
            self.backward(&sample.view, &mut work, bucket, by_output, gradients);
        }
        loss
    }

    /// Adds the gradients of a position, from the slope of the loss by the output.
    #[inline(always)]
    fn backward(&self, view: &View, work: &mut Work, bucket: usize, by_output: f32, gradients: &mut Numbers) {
        let Shape { width, .. } = self.shape;
        let (first, heads) = gradients.list.split_at_mut(self.shape.first());
        let into = &mut heads[bucket * self.shape.head()..][..self.shape.head()];
        let (into_second, rest) = into.split_at_mut(self.shape.second());
        let (into_second_bias, rest) = rest.split_at_mut(SECOND);
        let head = self.head(bucket);
        rest[SECOND] += by_output;
        work.slopes.fill(0.0);
        for neuron in 0..SECOND {
            let sum = work.second[neuron];
            rest[neuron] += by_output * activation(sum);
            let by_sum = by_output * head.output[neuron] * slope(sum);
            if by_sum != 0.0 {
                into_second_bias[neuron] += by_sum;
                let range = neuron * 2 * width..(neuron + 1) * 2 * width;
                add(&mut work.slopes, by_sum, &head.second[range.clone()]);
                add(&mut into_second[range], by_sum, &work.passed_on);
            }
        }
        for (by, sum) in work.slopes.iter_mut().zip(&work.first) {
            *by *= slope(*sum);
        }
        let (into_rows, into_bias) = first.split_at_mut(ROWS * width);
        let (own, other) = work.slopes.split_at(width);
        add(into_bias, 1.0, own);
        add(into_bias, 1.0, other);
        for [own_row, other_row] in view.rows().iter() {
            add(&mut into_rows[usize::from(own_row) * width..][..width], 1.0, own);
            add(&mut into_rows[usize::from(other_row) * width..][..width], 1.0, other);
        }
    }

    /// The network in whole numbers.
    pub fn export(&self, origin: &str) -> Layers {
        let whole = |number: f32, one: f32, most: i32| ((number * one).round() as i32).clamp(-most, most);
        let row = |number: &f32| whole(*number, ONE.into(), MAX_ROW.into()) as i8;
        let bias = |number: &f32| whole(*number, ONE.into(), MAX_FIRST_BIAS.into()) as i16;
        let weight = |number: &f32| whole(*number, WEIGHT_ONE as f32, MAX_WEIGHT.into()) as i16;
        let heads = (0..self.shape.buckets).map(|bucket| self.head(bucket)).map(|head| Head {
            second: (0..self.shape.width)
                .map(|pair| {
                    std::array::from_fn(|neuron| {
                        let first = neuron * 2 * self.shape.width + 2 * pair;
                        [weight(&head.second[first]), weight(&head.second[first + 1])]
                    })
                })
                .collect(),
            second_bias: std::array::from_fn(|neuron| {
                whole(head.second_bias[neuron], SECOND_ONE as f32, MAX_SECOND_BIAS)
            }),
            output: std::array::from_fn(|neuron| weight(&head.output[neuron])),
            output_bias: whole(head.output_bias, self.shape.scale, MAX_BIAS),
        });
        Layers {
            width: self.shape.width,
            buckets: self.shape.buckets,
            scale: self.shape.scale as u16,
            rows: self.rows().iter().map(row).collect(),
            bias: self.bias().iter().map(bias).collect(),
            heads: heads.collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { width: 64, buckets: 2, scale: 1_000.0 };

    fn sample() -> Sample {
        let stones = [12, 1, 0, 3, 9, 2, 0, 14, 2, /* the other side */ 3, 0, 8, 1, 7, 0, 6, 11, 2];
        let view = View { stones, kazans: [41, 40], tuzdyqs: [0, 0] };
        Sample { view, target: 0.8, scale: 700.0, weight: 2.0 }
    }

    fn loss(numbers: &Numbers) -> f64 {
        numbers.learn([sample()].into_iter(), &mut Numbers::zeros(SHAPE)).sum
    }

    /// What changes when a number changes a little, against the slope that is claimed.
    #[test]
    fn gradients_are_the_slopes_of_the_loss() {
        const STEP: f32 = 0.001;
        // With this seed no sum is so near to where it is clipped that a step crosses that.
        let mut numbers = Numbers::random(SHAPE, 4);
        let mut gradients = Numbers::zeros(SHAPE);
        numbers.learn([sample()].into_iter(), &mut gradients);
        let head = SHAPE.first() + bucket(sample().view.stones_left(), SHAPE.buckets) * SHAPE.head();
        let row = usize::from(sample().view.rows().always()[7][1]) * SHAPE.width;
        let bias = ROWS * SHAPE.width;
        let (second, output) = (head + SHAPE.second(), head + SHAPE.second() + SECOND);
        let parts =
            [row..row + 64, bias..bias + 64, head..head + 400, second..output, output..output + SECOND + 1];
        for part in parts {
            let mut steep = 0;
            for index in part.clone() {
                let before = numbers.list[index];
                numbers.list[index] = before + STEP;
                let more = loss(&numbers);
                numbers.list[index] = before - STEP;
                let less = loss(&numbers);
                numbers.list[index] = before;
                let slope = (more - less) / f64::from(2.0 * STEP);
                let claimed = f64::from(gradients.list[index]);
                assert!(
                    (slope - claimed).abs() <= 0.03 * claimed.abs() + 0.000_5,
                    "{index}: {slope}, {claimed}"
                );
                steep += u32::from(claimed.abs() > 0.005);
            }
            assert!(steep > 0, "no slope worth the name in {part:?}");
        }
        let elsewhere = SHAPE.first() + (head == SHAPE.first()) as usize * SHAPE.head();
        assert!(gradients.list[elsewhere..][..SHAPE.head()].iter().all(|&gradient| gradient == 0.0));
    }

    #[test]
    fn an_import_is_exported_as_it_was() {
        let numbers = Numbers::random(SHAPE, 4);
        let layers = numbers.export("a test");
        let again = Numbers::import(&layers);
        assert_eq!(again.list.len(), numbers.list.len());
        assert_eq!(again.export("a test").to_bytes(), layers.to_bytes());
        let off = again.list.iter().zip(&numbers.list).map(|(again, number)| (again - number).abs());
        assert!(off.fold(0.0, f32::max) <= 0.5 / f32::from(ONE));
    }

    #[test]
    fn the_export_is_a_network_that_can_be_used_whatever_the_numbers() {
        let mut numbers = Numbers::zeros(SHAPE);
        for number in [1e9, -1e9] {
            numbers.list.fill(number);
            let bytes = numbers.export("a test").to_bytes();
            assert!(tuzdyq::eval::Network::parse(&bytes).is_ok(), "{number}");
        }
    }
}
