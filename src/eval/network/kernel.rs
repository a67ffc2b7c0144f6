//! The arithmetic of the network: whole numbers only, so that every machine gives the same.
//!
//! Plain loops say what is computed, and serve every machine; where an x86-64 processor has wider instructions, found
//! at run time, the threats and the first two layers are those of [`x86`](super::x86).

use super::inputs::{ACTIVE, Rows, View};
#[cfg(target_arch = "x86_64")]
use super::x86;

/// A sum of 1 in the first layer's numbers. Its square fits 16 bits without a sign.
pub const ONE: i16 = 255;
/// The largest number of a row of the first layer that is mirrored by a number below zero.
pub const MAX_ROW: i8 = i8::MAX;
/// The largest bias of the first layer, either way: sums of all rows and the bias fit 16 bits.
pub const MAX_FIRST_BIAS: i16 = i16::MAX + ACTIVE as i16 * i8::MIN as i16;
/// Neurons of the first layer come in groups of so many.
pub const GROUP: usize = 64;
/// The most neurons of the first layer, for each side.
pub const MAX_WIDTH: usize = 256;
/// Neurons of the second layer.
pub const SECOND: usize = 16;
/// A weight of 1 in the second and in the output layer.
pub const WEIGHT_ONE: i32 = 1_024;
/// The largest such weight, either way.
pub const MAX_WEIGHT: i16 = 8 * WEIGHT_ONE as i16;
/// A sum of 1 in the second layer, and so a bias of 1.
pub const SECOND_ONE: i32 = FIRST_OUT * WEIGHT_ONE;
/// The largest bias of the second layer, either way.
pub const MAX_SECOND_BIAS: i32 = 8 * SECOND_ONE;
/// An output of 1.
pub const OUTPUT_ONE: i32 = SECOND_OUT * WEIGHT_ONE;

/// Bits of the squared sum of the first layer that are dropped.
pub(super) const FIRST_SHIFT: u32 = 8;
/// What a neuron of the first layer passes on at most.
const FIRST_OUT: i32 = (ONE as i32 * ONE as i32) >> FIRST_SHIFT;
/// Bits of the sum of the second layer that are dropped before it is squared, and of the square.
const SECOND_SHIFTS: (u32, u32) = (3, 19);
/// What a neuron of the second layer passes on at most.
const SECOND_OUT: i32 = {
    let kept = SECOND_ONE >> SECOND_SHIFTS.0;
    (kept * kept) >> SECOND_SHIFTS.1
};

const _: () = {
    assert!(ONE as i32 * ONE as i32 <= u16::MAX as i32);
    let first = 2 * MAX_WIDTH as i64 * FIRST_OUT as i64 * MAX_WEIGHT as i64;
    assert!(first + MAX_SECOND_BIAS as i64 <= i32::MAX as i64);
    assert!(SECOND as i64 * SECOND_OUT as i64 * MAX_WEIGHT as i64 <= i32::MAX as i64);
};

/// Instructions beyond those that every machine of a kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// None.
    Portable,
    /// x86-64 with AVX2: 256 bits at once.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with AVX-512 F and BW: 512 bits at once.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// All that this machine has, the best last.
    #[must_use]
    pub fn available() -> Vec<Level> {
        #[cfg(target_arch = "x86_64")]
        {
            let mut levels = vec![Level::Portable];
            if is_x86_feature_detected!("avx2") {
                levels.push(Level::Avx2);
            }
            let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            if wide && is_x86_feature_detected!("avx2") {
                levels.push(Level::Avx512);
            }
            levels
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            vec![Level::Portable]
        }
    }

    /// The best that this machine has.
    #[must_use]
    pub fn best() -> Level {
        Level::available().pop().unwrap_or(Level::Portable)
    }

    /// As the program calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Portable if cfg!(target_arch = "aarch64") => "NEON",
            Level::Portable if cfg!(target_arch = "x86_64") => "SSE2",
            Level::Portable => "none",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "AVX-512",
        }
    }
}

/// The weights of the second layer for two neurons of the first: for each neuron of the second, both; 1 is
/// [`WEIGHT_ONE`], the largest [`MAX_WEIGHT`] either way.
pub type PairWeights = [[i16; 2]; SECOND];

/// The weights that one evaluation needs.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    /// The first layer, row by row.
    pub rows: &'a [i8],
    /// Its biases: as many as there are neurons, a multiple of [`GROUP`], at most [`MAX_WIDTH`].
    pub bias: &'a [i16],
    /// The second layer of the position's bucket: for the neurons of the first layer on the mover's side, two by two,
    /// then for those on the other.
    pub second: &'a [PairWeights],
    /// Its biases.
    pub second_bias: &'a [i32; SECOND],
    /// The output weights of the position's bucket.
    pub output: &'a [i16; SECOND],
}

/// The output for a position; 1 is [`OUTPUT_ONE`].
#[inline(always)]
pub fn output(weights: Weights<'_>, view: &View, level: Level) -> i32 {
    match level {
        Level::Portable => portable(weights, view),
        #[cfg(target_arch = "x86_64")]
        #[allow(
            unsafe_code,
            reason = "the only way to call code for instructions that not every machine has"
        )]
        // SAFETY: a network only has a level that `Level::available` has found this machine to have.
        Level::Avx2 => unsafe { avx2(weights, view) },
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code, reason = "as above")]
        // SAFETY: as above.
        Level::Avx512 => unsafe { avx512(weights, view) },
    }
}

fn portable(weights: Weights<'_>, view: &View) -> i32 {
    let rows = &view.rows();
    let mut passed_on = [0; 2 * MAX_WIDTH];
    let passed_on = &mut passed_on[..2 * weights.bias.len()];
    first_layer(weights, rows, passed_on);
    third_layer(weights, second_layer(weights, passed_on))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(weights: Weights<'_>, view: &View) -> i32 {
    let rows = &view.rows_with(x86::threats(view));
    third_layer(weights, x86::by_width!(avx2, weights, rows))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
fn avx512(weights: Weights<'_>, view: &View) -> i32 {
    let rows = &view.rows_with(x86::threats(view));
    third_layer(weights, x86::by_width!(avx512, weights, rows))
}

/// What the first layer passes on for both sides, by blocks of neurons whose sums stay in registers.
fn first_layer(weights: Weights<'_>, rows: &Rows, passed_on: &mut [i16]) {
    const LANES: usize = 32;
    let width = weights.bias.len();
    for (side, passed_on) in passed_on.chunks_exact_mut(width).enumerate() {
        let blocks = weights.bias.chunks_exact(LANES).zip(passed_on.chunks_exact_mut(LANES));
        for (block, (bias, passed_on)) in blocks.enumerate() {
            let mut sums = [0_i16; LANES];
            sums.copy_from_slice(bias);
            for both in rows.iter() {
                let start = usize::from(both[side]) * width + block * LANES;
                let row = &weights.rows[start..start + LANES];
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum = sum.wrapping_add((*weight).into());
                }
            }
            for (sum, passed_on) in sums.iter().zip(passed_on) {
                let clipped = (*sum).clamp(0, ONE) as u16;
                *passed_on = (clipped.wrapping_mul(clipped) >> FIRST_SHIFT) as i16;
            }
        }
    }
}

/// The sums of the second layer.
fn second_layer(weights: Weights<'_>, passed_on: &[i16]) -> [i32; SECOND] {
    let mut sums = *weights.second_bias;
    for (pair, weights) in passed_on.chunks_exact(2).zip(weights.second) {
        let (first, second) = (i32::from(pair[0]), i32::from(pair[1]));
        for (sum, weights) in sums.iter_mut().zip(weights) {
            let products = first * i32::from(weights[0]) + second * i32::from(weights[1]);
            *sum = sum.wrapping_add(products);
        }
    }
    sums
}

/// The output, from the sums of the second layer.
#[inline(always)]
fn third_layer(weights: Weights<'_>, sums: [i32; SECOND]) -> i32 {
    let mut output = 0_i32;
    for (sum, &weight) in sums.into_iter().zip(weights.output) {
        let kept = sum.clamp(0, SECOND_ONE) >> SECOND_SHIFTS.0;
        let square = kept.wrapping_mul(kept) >> SECOND_SHIFTS.1;
        output = output.wrapping_add(square.wrapping_mul(weight.into()));
    }
    output
}
