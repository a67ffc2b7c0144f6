//! Unpacked blocks that all threads share. Reading one takes no lock; two threads that miss the same block both unpack
//! it, and the later one's copy stays.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;

use super::format::{Block, FormatError, Unpacker};
use super::solve::Bounds;

/// A block with its number among those of all layers.
struct Hot {
    number: usize,
    block: Block,
}

/// The cache. The first blocks have a place each; the others share what is left, each with only one place to be.
pub(super) struct Cache {
    places: Vec<ArcSwapOption<Hot>>,
    /// Blocks below this number have a place of their own.
    own: usize,
    unpackers: Mutex<Vec<Unpacker>>,
}

impl Cache {
    /// With a place for each of the first `own` blocks, and `shared` more for all others.
    pub(super) fn new(own: usize, shared: usize) -> Cache {
        let places = (0..own + shared).map(|_| ArcSwapOption::empty()).collect();
        Cache { places, own, unpackers: Mutex::default() }
    }

    /// Spreads the blocks that share places; the golden ratio keeps neighbours apart.
    #[inline(always)]
    fn place(&self, number: usize) -> &ArcSwapOption<Hot> {
        if number < self.own {
            return &self.places[number];
        }
        let shared = self.places.len() - self.own;
        let spread = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        &self.places[self.own + ((u128::from(spread) * shared as u128) >> 64) as usize]
    }

    /// A value of a block, which is unpacked first where it is not at hand.
    #[inline(always)]
    pub(super) fn get(
        &self,
        number: usize,
        offset: usize,
        unpack: impl FnOnce(&mut Unpacker) -> Result<Block, FormatError>,
    ) -> Result<Bounds, FormatError> {
        let place = self.place(number);
        if let Some(hot) = &*place.load()
            && hot.number == number
        {
            return Ok(hot.block.get(offset));
        }
        self.fetch(place, number, offset, unpack)
    }

    #[cold]
    fn fetch(
        &self,
        place: &ArcSwapOption<Hot>,
        number: usize,
        offset: usize,
        unpack: impl FnOnce(&mut Unpacker) -> Result<Block, FormatError>,
    ) -> Result<Bounds, FormatError> {
        let unpacker = self.unpackers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut unpacker = unpacker.map_or_else(Unpacker::new, Ok)?;
        let block = unpack(&mut unpacker);
        self.unpackers.lock().unwrap_or_else(PoisonError::into_inner).push(unpacker);
        let block = block?;
        let bounds = block.get(offset);
        place.store(Some(Arc::new(Hot { number, block })));
        Ok(bounds)
    }
}
