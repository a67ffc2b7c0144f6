//! Which moves the threads of a search are looking at, so that they do not all look at the same one (a simple form of
//! ABDADA; Weill, "The ABDADA distributed minimax-search algorithm", 1996, as simplified by Kerrigan, "Simplified
//! ABDADA", 2013).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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

    #[inline(always)]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.keys[(key >> 40) as usize % SLOTS]
    }

    /// Whether a thread is searching the move with this key.
    #[inline(always)]
    pub(super) fn contains(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    /// Says that a move is being searched.
    #[inline(always)]
    pub(super) fn begin(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    /// Says that it no longer is.
    #[inline(always)]
    pub(super) fn end(&self, key: u64) {
        let slot = self.slot(key);
        if slot.load(Relaxed) == key {
            slot.store(0, Relaxed);
        }
    }
}
