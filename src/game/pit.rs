//! A pit of a row, which is also a move, and sets of pits.

use std::fmt;
use std::num::NonZeroU8;

use super::variant::MAX_PITS;

/// A pit of one row; as a move, the pit that the side to move sows from.
///
/// Each side numbers its own pits from its left, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pit(NonZeroU8);

impl Pit {
    /// The pit with this number, 1..=9; `None` for any other.
    #[inline(always)]
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Pit> {
        match NonZeroU8::new(number) {
            Some(pit) if number as usize <= MAX_PITS => Some(Pit(pit)),
            _ => None,
        }
    }

    /// The pit with this index, 0..=8.
    ///
    /// # Panics
    /// If the index is larger.
    #[inline(always)]
    #[must_use]
    pub const fn from_index(index: usize) -> Pit {
        assert!(index < MAX_PITS, "no such pit");
        Pit(NonZeroU8::MIN.saturating_add(index as u8))
    }

    /// The number of the pit as players count, from 1.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0.get()
    }

    /// The index of the pit, from 0.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0.get() - 1) as usize
    }

    /// The first `pits` pits of a row, in order.
    pub fn all(pits: usize) -> impl DoubleEndedIterator<Item = Pit> + ExactSizeIterator {
        (0..pits).map(Pit::from_index)
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// A set of pits of one row; iterating gives them by rising number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PitSet(u16);

impl PitSet {
    /// The set without a pit.
    pub const EMPTY: PitSet = PitSet(0);

    /// The set of the pits whose index is the place of a set bit; bits from 9 up are dropped.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u16) -> PitSet {
        PitSet(bits & 0x1FF)
    }

    /// The set as bits, bit 0 for pit 1.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether the pit belongs to the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, pit: Pit) -> bool {
        self.0 >> pit.index() & 1 == 1
    }

    /// The set with a pit added.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, pit: Pit) -> PitSet {
        PitSet(self.0 | 1 << pit.index())
    }

    /// The set with a pit taken out.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, pit: Pit) -> PitSet {
        PitSet(self.0 & !(1 << pit.index()))
    }

    /// The pits that belong to both sets.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: PitSet) -> PitSet {
        PitSet(self.0 & other.0)
    }

    /// Whether no pit belongs to the set.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for PitSet {
    type Item = Pit;

    #[inline(always)]
    fn next(&mut self) -> Option<Pit> {
        if self.0 == 0 {
            return None;
        }
        let pit = Pit::from_index(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(pit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for PitSet {}

impl FromIterator<Pit> for PitSet {
    fn from_iter<I: IntoIterator<Item = Pit>>(pits: I) -> PitSet {
        pits.into_iter().fold(PitSet::EMPTY, PitSet::with)
    }
}
