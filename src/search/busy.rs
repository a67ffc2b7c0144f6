//! Which moves the threads of a search are looking at, so that they do not all look at the same one (a simple form of
//! ABDADA; Weill, "The ABDADA distributed minimax-search algorithm", 1996, as simplified by Kerrigan, "Simplified
//! ABDADA", 2013).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::game::Pit;

/// Places for moves: far more than all threads have open at once.
const SLOTS: usize = 1 << 13;

/// The moves being searched. Two of them may share a place; then one is forgotten, which costs a little work and no
/// correctness.
#[derive(Debug)]
pub(super) struct Busy {
    keys: Vec<AtomicU64>,
}

impl Busy {
    pub(super) fn new() -> Busy {
        Busy { keys: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Says that a move is being searched to a depth, unless another thread has said so.
    #[inline(always)]
    pub(super) fn claim(&self, position: u64, pit: Pit, depth: i32) -> Claim<'_> {
        let what = u64::from(pit.number()) << 32 | depth as u64;
        let key = position ^ what.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = &self.keys[(key >> 40) as usize % SLOTS];
        let taken = slot.load(Relaxed) == key;
        if !taken {
            slot.store(key, Relaxed);
        }
        Claim { slot, key, taken }
    }
}

/// A move that this thread or another one is searching.
#[derive(Clone, Copy)]
pub(super) struct Claim<'a> {
    slot: &'a AtomicU64,
    key: u64,
    taken: bool,
}

impl Claim<'_> {
    /// Whether another thread is searching the move.
    #[inline(always)]
    pub(super) fn is_taken(&self) -> bool {
        self.taken
    }

    /// Says that this thread no longer searches it.
    #[inline(always)]
    pub(super) fn end(&self) {
        if !self.taken && self.slot.load(Relaxed) == self.key {
            self.slot.store(0, Relaxed);
        }
    }
}
