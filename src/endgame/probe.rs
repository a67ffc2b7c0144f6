//! Asks the layers for the value of a position.

use std::sync::OnceLock;

use crate::game::{Board, Rules, Variant};

use super::cache::Cache;
use super::format::{FormatError, Layer};
use super::index::Index;
use super::solve::Bounds;

/// What a position with known bounds comes to, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The mover wins.
    Win,
    /// Both sides end up with half of the stones.
    Draw,
    /// The opponent wins.
    Loss,
    /// The bounds leave more than one of these possible.
    Unresolved,
}

impl Verdict {
    /// The verdict on a board whose stones in the pits are worth so much to the mover.
    #[inline(always)]
    #[must_use]
    pub fn of<R: Rules>(board: &Board<R>, bounds: Bounds) -> Verdict {
        let kazan = board.mover().kazan();
        let (least, most) = (kazan + u32::from(bounds.lower), kazan + u32::from(bounds.upper));
        if least > R::HALF {
            Verdict::Win
        } else if most < R::HALF {
            Verdict::Loss
        } else if least == most {
            Verdict::Draw
        } else {
            Verdict::Unresolved
        }
    }
}

/// A layer in use.
struct Stored {
    layer: Layer,
    /// The number of its first block among those of all layers.
    first: usize,
    /// What is wrong with a block that has been looked at: the layer is not asked any more then.
    damage: OnceLock<FormatError>,
}

/// The layers of one game that are at hand.
pub struct Endgames {
    variant: Variant,
    index: Index,
    /// By the number of stones.
    layers: Vec<Option<Stored>>,
    cache: Cache,
}

impl Endgames {
    /// Puts layers of one game together; of two with the same number of stones the first is taken. Layers of other
    /// games and those that are not whole are left out.
    ///
    /// `cache` is how many bytes of unpacked values may be kept at hand, roughly.
    #[must_use]
    pub fn new<R: Rules>(layers: impl IntoIterator<Item = Layer>, cache: usize) -> Endgames {
        let mut by_stones: Vec<Option<Layer>> = Vec::new();
        for layer in layers {
            let stones = layer.header().stones as usize;
            if layer.header().variant != R::VARIANT || !layer.is_whole() {
                continue;
            }
            if by_stones.len() <= stones {
                by_stones.resize_with(stones + 1, || None);
            }
            by_stones[stones].get_or_insert(layer);
        }
        let (own, shared) = shares(by_stones.iter().flatten(), cache);
        let mut first = 0;
        let layers = by_stones.into_iter().map(|layer| {
            layer.map(|layer| {
                let before = first;
                first += layer.blocks();
                Stored { layer, first: before, damage: OnceLock::new() }
            })
        });
        let layers: Vec<_> = layers.collect();
        let most = layers.len().saturating_sub(1) as u32;
        Endgames { variant: R::VARIANT, index: Index::new::<R>(most), layers, cache: Cache::new(own, shared) }
    }

    /// The game.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The numbering of the positions.
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// The layers at hand, by rising number of stones.
    pub fn layers(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().flatten().map(|stored| &stored.layer)
    }

    /// The most stones in the pits of a position that may be known.
    #[inline(always)]
    #[must_use]
    pub fn most(&self) -> Option<u32> {
        (self.layers.len() as u32).checked_sub(1)
    }

    /// How many of the stones in the pits the side to move ends up with. `None` where there is no layer for so many
    /// stones, or it is [damaged](Self::damage).
    ///
    /// The board must be one of the game of [`variant`](Self::variant).
    #[inline]
    #[must_use]
    pub fn probe<R: Rules>(&self, board: &Board<R>) -> Option<Bounds> {
        debug_assert_eq!(R::VARIANT, self.variant);
        let stored = self.layers.get(board.stones_in_pits() as usize)?.as_ref()?;
        if stored.damage.get().is_some() {
            return None;
        }
        let (configuration, rank) = self.index.locate(board);
        let spot = stored.layer.spot(configuration, rank);
        let unpack = |unpacker: &mut _| stored.layer.unpack(spot.block, unpacker);
        match self.cache.get(stored.first + spot.block, spot.offset, unpack) {
            Ok(bounds) => Some(bounds),
            Err(error) => {
                stored.fail(error);
                None
            }
        }
    }

    /// What has turned out to be wrong with blocks, a line for each layer that is not asked any more.
    pub fn damage(&self) -> impl Iterator<Item = String> {
        self.layers.iter().flatten().filter_map(|stored| {
            let (error, stones) = (stored.damage.get()?, stored.layer.header().stones);
            Some(format!("endgames of {} with {stones} stones are not used any more: {error}", self.variant))
        })
    }
}

impl Stored {
    #[cold]
    fn fail(&self, error: FormatError) {
        // Another thread may have met the same. Where there is no memory now there may be some later.
        if error != FormatError::Memory {
            let _ = self.damage.set(error);
        }
    }
}

/// How many blocks get a place of their own in a cache of so many bytes, and how many places the others share. Where
/// all fit, each has its own; otherwise half of the cache goes to the smallest layers, which are asked most.
fn shares<'a>(layers: impl Iterator<Item = &'a Layer> + Clone, cache: usize) -> (usize, usize) {
    let bytes = |layer: &Layer| layer.header().positions as usize * if layer.has_bounds() { 2 } else { 1 };
    let all: usize = layers.clone().map(bytes).sum();
    let room = if all <= cache { all } else { cache / 2 };
    let (mut own, mut taken, mut largest) = (0, 0, 0);
    for layer in layers {
        if largest == 0 && taken + bytes(layer) <= room {
            taken += bytes(layer);
            own += layer.blocks();
        } else {
            let block = if layer.has_bounds() { 2 } else { 1 } << layer.header().block_bits;
            largest = largest.max(block);
        }
    }
    let shared = (cache - taken).checked_div(largest).map_or(0, |places| places.max(1));
    (own, shared)
}
