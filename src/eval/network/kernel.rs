//! The arithmetic of the network: whole numbers only, so that every machine gives the same.
//!
//! The same plain loops are compiled several times, for the instructions that a machine may have, and the best is
//! chosen at run time: there is no other code for any of them.

use super::inputs::ACTIVE;

/// An activation of 1 in the first layer's numbers. Its square fits 16 bits.
pub const ONE: i16 = 181;
/// A weight of 1 in the output layer's numbers.
pub const OUTPUT_ONE: i32 = 128;
/// The largest weight of the output layer, either way: sums of [`MAX_WIDTH`] squares with it fit 32 bits.
pub const MAX_OUTPUT: i16 = 255;
/// The largest weight of the first layer, either way: sums of all rows and the bias fit 16 bits.
pub const MAX_INPUT: i16 = (i16::MAX as usize / (ACTIVE + 1)) as i16;
/// The most neurons.
pub const MAX_WIDTH: usize = 256;

const _: () = {
    assert!((ONE as i32) * (ONE as i32) <= i16::MAX as i32);
    let square = (ONE as i64) * (ONE as i64);
    assert!(square * (MAX_OUTPUT as i64) * (MAX_WIDTH as i64) <= i32::MAX as i64);
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

/// The weights that one evaluation needs.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    /// The first layer, row by row.
    pub rows: &'a [i16],
    /// Its biases: as many as there are neurons, a multiple of 64.
    pub bias: &'a [i16],
    /// The output weights of the position's bucket.
    pub output: &'a [i16],
}

/// The sum over all neurons of the output weight times the square of the clipped activation.
#[inline(always)]
pub fn sum(weights: Weights<'_>, rows: &[u16; ACTIVE], level: Level) -> i32 {
    match level {
        Level::Portable => plain(weights, rows),
        #[cfg(target_arch = "x86_64")]
        #[allow(
            unsafe_code,
            reason = "the only way to call code for instructions that not every machine has"
        )]
        // SAFETY: a network only has a level that `Level::available` has found this machine to have.
        Level::Avx2 => unsafe { avx2(weights, rows) },
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code, reason = "as above")]
        // SAFETY: as above.
        Level::Avx512 => unsafe { avx512(weights, rows) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(weights: Weights<'_>, rows: &[u16; ACTIVE]) -> i32 {
    blocks::<64>(weights, rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
fn avx512(weights: Weights<'_>, rows: &[u16; ACTIVE]) -> i32 {
    blocks::<64>(weights, rows)
}

fn plain(weights: Weights<'_>, rows: &[u16; ACTIVE]) -> i32 {
    blocks::<32>(weights, rows)
}

/// The sum, by blocks of `LANES` neurons that stay in registers.
#[inline(always)]
fn blocks<const LANES: usize>(weights: Weights<'_>, rows: &[u16; ACTIVE]) -> i32 {
    let width = weights.bias.len();
    let mut total = 0;
    for (block, (bias, output)) in
        weights.bias.chunks_exact(LANES).zip(weights.output.chunks_exact(LANES)).enumerate()
    {
        let mut sums = [0_i16; LANES];
        sums.copy_from_slice(bias);
        for &row in rows {
            let start = usize::from(row) * width + block * LANES;
            let row = &weights.rows[start..start + LANES];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        let mut products = 0_i32;
        for (sum, weight) in sums.iter().zip(output) {
            let activation = (*sum).clamp(0, ONE);
            let square = activation.wrapping_mul(activation);
            products = products.wrapping_add(i32::from(square) * i32::from(*weight));
        }
        total += products;
    }
    total
}
