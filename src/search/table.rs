//! The transposition table, shared by all threads without a lock.
//!
//! An entry is two atomic words, of which the first is the key exclusive-or the second (Hyatt and Mann, "A lock-less
//! transposition-table implementation for parallel search", 2002): an entry torn by two threads writing at once
//! does not match any key that is asked for.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::eval::Score;
use crate::game::Pit;

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is at most this.
    Upper = 1,
    /// It is at least this.
    Lower = 2,
    /// It is this.
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, where one is known. A colliding key could bring any pit: check that it is legal.
    pub best: Option<Pit>,
    /// What the score means.
    pub bound: Bound,
    /// Plies searched below the position.
    pub depth: i32,
    /// The score, with distances from the root of the search that asks.
    pub score: Score,
}

const GENERATION_BITS: u32 = 6;
const GENERATION_MASK: u8 = (1 << GENERATION_BITS) - 1;

/// An entry's second word: bits 0..16 the score, 16..24 the depth, 24..28 the move, 28..30 the bound (0: empty),
/// 32..38 the generation.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    fn new(entry: &Entry, ply: usize, generation: u8) -> Data {
        let score = u64::from(entry.score.to_table(ply) as u16);
        let depth = u64::from(entry.depth.clamp(0, 255) as u8);
        let best = u64::from(entry.best.map_or(0, Pit::number));
        Data(score | depth << 16 | best << 24 | (entry.bound as u64) << 28 | u64::from(generation) << 32)
    }

    fn entry(self, ply: usize) -> Option<Entry> {
        let bound = match self.0 >> 28 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            best: Pit::from_number((self.0 >> 24 & 15) as u8),
            bound,
            depth: self.depth(),
            score: Score::from_table(self.0 as u16 as i16, ply),
        })
    }

    fn depth(self) -> i32 {
        (self.0 >> 16 & 0xFF) as i32
    }

    fn generation(self) -> u8 {
        (self.0 >> 32) as u8 & GENERATION_MASK
    }

    fn is_empty(self) -> bool {
        self.0 >> 28 & 3 == 0
    }

    /// What the entry is worth keeping: deep ones of this search most.
    fn worth(self, generation: u8) -> i32 {
        let age = generation.wrapping_sub(self.generation()) & GENERATION_MASK;
        if self.is_empty() { i32::MIN } else { self.depth() - 8 * i32::from(age) }
    }
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

const SLOTS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
pub(crate) struct Bucket([Slot; SLOTS]);

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket fills one cache line");

/// The table could not be made as large as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {megabytes} MB")]
pub struct OutOfMemory {
    /// The size asked for.
    pub megabytes: usize,
}

/// A transposition table.
pub struct Table {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
}

impl Table {
    /// An empty table of this many megabytes (2²⁰ bytes), at least one.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(megabytes: usize) -> Result<Table, OutOfMemory> {
        Table::prepared(megabytes, |_| ())
    }

    /// The same in memory that can be `prepare`d before anything is written to it.
    pub(crate) fn prepared(
        megabytes: usize,
        prepare: impl FnOnce(&mut [MaybeUninit<Bucket>]),
    ) -> Result<Table, OutOfMemory> {
        let out_of_memory = OutOfMemory { megabytes };
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(out_of_memory.clone())?;
        let count = bytes / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| out_of_memory)?;
        prepare(&mut buckets.spare_capacity_mut()[..count]);
        buckets.resize_with(count, Bucket::default);
        Ok(Table { buckets, generation: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// Starts a new search: entries of earlier ones are the first to be replaced.
    pub fn age(&self) {
        self.generation.store(self.generation().wrapping_add(1) & GENERATION_MASK, Relaxed);
    }

    /// Asks the processor for the memory in which the position with this key will soon be looked up.
    #[inline(always)]
    #[allow(unsafe_code, reason = "there is no safe way to prefetch")]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: the pointer is to a bucket of the table; a prefetch reads nothing and changes nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(key)).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key, at this distance from the root.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key { Data(data).entry(ply) } else { None }
        })
    }

    /// Remembers an entry, in the place of what is worth the least.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let generation = self.generation();
        let slots = &self.bucket(key).0;
        let mut victim = &slots[0];
        let mut least = i32::MAX;
        for slot in slots {
            let data = Data(slot.data.load(Relaxed));
            if slot.check.load(Relaxed) ^ data.0 == key && !data.is_empty() {
                let keeps = entry.bound != Bound::Exact && data.generation() == generation;
                if keeps && data.depth() > entry.depth + 3 {
                    return;
                }
                entry.best = entry.best.or(data.entry(ply).and_then(|old| old.best));
                victim = slot;
                break;
            }
            let worth = data.worth(generation);
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = Data::new(&entry, ply, generation).0;
        victim.data.store(data, Relaxed);
        victim.check.store(key ^ data, Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths, by a sample.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.buckets[..self.buckets.len().min(1000 / SLOTS)];
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(|slot| {
            let data = Data(slot.data.load(Relaxed));
            !data.is_empty() && data.generation() == generation
        });
        used.count() as u32
    }

    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    /// The high bits of the key choose the bucket.
    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, score: Score, best: u8, bound: Bound) -> Entry {
        Entry { best: Pit::from_number(best), bound, depth, score }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = Table::new(1).unwrap();
        let stored = entry(200, Score::centistones(-16_200), 9, Bound::Upper);
        table.store(77, 3, stored);
        assert_eq!(table.probe(77, 3), Some(stored));
        assert_eq!(table.probe(78, 3), None);
        table.clear();
        assert_eq!(table.probe(77, 3), None);
    }

    #[test]
    fn key_zero_is_not_found_in_an_empty_table() {
        assert_eq!(Table::new(1).unwrap().probe(0, 0), None);
    }

    #[test]
    fn a_shallow_bound_keeps_the_known_move() {
        let table = Table::new(1).unwrap();
        table.store(5, 0, entry(4, Score::DRAW, 3, Bound::Exact));
        table.store(5, 0, entry(6, Score::DRAW, 0, Bound::Upper));
        assert_eq!(table.probe(5, 0), Some(entry(6, Score::DRAW, 3, Bound::Upper)));
    }

    #[test]
    fn entries_of_earlier_searches_go_first() {
        let table = Table::new(1).unwrap();
        for key in 0..4 {
            table.store(key, 0, entry(8, Score::DRAW, 1, Bound::Exact));
        }
        table.age();
        for key in 4..7 {
            table.store(key, 0, entry(1, Score::DRAW, 1, Bound::Exact));
        }
        assert_eq!((4..7).filter(|&key| table.probe(key, 0).is_some()).count(), 3);
        assert_eq!((0..4).filter(|&key| table.probe(key, 0).is_some()).count(), 1);
        assert_eq!(table.fullness(), 3);
    }

    #[test]
    fn a_size_beyond_all_memory_is_an_error() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(usize::MAX >> 20).is_err());
    }
}
