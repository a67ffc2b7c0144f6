//! Keys of the position hash.
//!
//! A row's hash is a *sum* (modulo 2⁶⁴) of `key × stones` over its pits and its kazan, instead of the usual
//! exclusive-or of one key per pit and count: a sowing changes nine pits or more, and the change of a sum depends
//! only on the pit and the number of stones sown, so that one table look-up covers them all.
//! (Zobrist, "A new hashing method with application for game playing", 1970, is the exclusive-or form.)
//!
//! Both rows use the same keys. [`mix`] combines the mover's row with the opponent's, so that a position and its
//! mirror image with the other side to move, which have the same value, have the same hash.

use super::variant::MAX_PITS;

/// One step of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
const fn splitmix(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn key(index: usize) -> u64 {
    splitmix((index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1
}

const fn keys<const N: usize>(first: usize) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = key(first + i);
        i += 1;
    }
    keys
}

/// Per stone in the pit with this index.
pub(super) const PIT: [u64; MAX_PITS] = keys(0);
/// Per stone in the kazan of the row's owner.
pub(super) const KAZAN: u64 = key(100);
/// For a pit of the row that is the other side's tuzdyq.
pub(super) const TUZDYQ: [u64; MAX_PITS] = keys(200);

/// The hash of a position from the sums of its two rows.
///
/// The low bits of a sum of multiples show little more than parities, hence the multiply-and-shift finish
/// (of the kind in Appleby's MurmurHash3).
#[inline(always)]
pub(super) const fn mix(mover: u64, opponent: u64) -> u64 {
    let mut x = mover.wrapping_add(opponent.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    x = (x ^ (x >> 32)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    x ^ (x >> 29)
}
