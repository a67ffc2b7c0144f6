//! Precomputed sowings: what a move does to the two rows before anything is captured.
//!
//! A row is two 64-bit words with a stone count in each byte (see [`Half`](super::board::Half)). A sowing adds a
//! constant to each word that depends only on the origin and the number of stones, with wrapping arithmetic: the
//! origin's loss is a negative byte in the constant, and the borrow cancels because every byte of the result is a
//! count from 0 to 255.

use super::variant::MAX_PITS;
use super::zobrist;

/// The effect of sowing a given number of stones from a given pit, seen from the mover.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Sowing {
    /// To add to the words of the mover's row.
    pub(super) mover: [u64; 2],
    /// To add to the words of the opponent's row.
    pub(super) opponent: [u64; 2],
    /// To add to the hash sums of the mover's and of the opponent's row.
    pub(super) keys: [u64; 2],
    /// Where the last stone falls: 0.. on the mover's row, then on the opponent's.
    pub(crate) landing: u8,
    /// How many of the sown stones fall into the landing pit.
    pub(crate) drops: u8,
    /// The landing pit's byte in its word of the opponent's row: how far to shift it down...
    pub(super) shift: u8,
    /// ...in which word it is...
    pub(super) word: u8,
    /// ...and 255, or 0 where the landing pit is the mover's.
    pub(super) mask: u8,
}

const _: () = assert!(size_of::<Sowing>() == 64, "a sowing fills one cache line");

/// Sowings by number of stones, then by origin.
pub(super) type SowingTable<const PITS: usize, const COUNTS: usize> = [[Sowing; PITS]; COUNTS];

/// The distance from the origin to the landing pit: the first of several stones returns to the origin.
const fn reach(stones: usize) -> usize {
    match stones {
        0 => 0,
        1 => 1,
        _ => stones - 1,
    }
}

/// How much sowing `stones` changes the pit that lies `distance` after the origin, on a ring of `ring` pits.
const fn change(stones: usize, distance: usize, ring: usize) -> i64 {
    match stones {
        0 => 0,
        1 => match distance {
            0 => -1,
            1 => 1,
            _ => 0,
        },
        _ => {
            let dropped = (stones / ring + (distance < stones % ring) as usize) as i64;
            if distance == 0 { dropped - stones as i64 } else { dropped }
        }
    }
}

const fn sow(stones: usize, origin: usize, pits: usize) -> Sowing {
    let ring = 2 * pits;
    let landing = (origin + reach(stones)) % ring;
    let own = landing < pits;
    let pit = landing % pits;
    let mut sowing = Sowing {
        mover: [0; 2],
        opponent: [0; 2],
        keys: [0; 2],
        landing: landing as u8,
        drops: 0,
        shift: if own { 0 } else { (pit % 8 * 8) as u8 },
        word: if own { 0 } else { (pit / 8) as u8 },
        mask: if own { 0 } else { 255 },
    };
    let mut distance = 0;
    while distance < ring {
        let at = (origin + distance) % ring;
        let change = change(stones, distance, ring);
        let byte = (change as u64) << (at % pits % 8 * 8);
        let key = zobrist::PIT[at % pits].wrapping_mul(change as u64);
        let word = at % pits / 8;
        if at < pits {
            sowing.mover[word] = sowing.mover[word].wrapping_add(byte);
            sowing.keys[0] = sowing.keys[0].wrapping_add(key);
        } else {
            sowing.opponent[word] = sowing.opponent[word].wrapping_add(byte);
            sowing.keys[1] = sowing.keys[1].wrapping_add(key);
        }
        if at == landing && distance > 0 {
            sowing.drops = change as u8;
        }
        distance += 1;
    }
    sowing
}

/// All sowings of a board, made at compile time.
pub(super) const fn table<const PITS: usize, const COUNTS: usize>() -> SowingTable<PITS, COUNTS> {
    assert!(PITS <= MAX_PITS);
    let mut table = [[sow(0, 0, PITS); PITS]; COUNTS];
    let mut stones = 0;
    while stones < COUNTS {
        let mut origin = 0;
        while origin < PITS {
            table[stones][origin] = sow(stones, origin, PITS);
            origin += 1;
        }
        stones += 1;
    }
    table
}
