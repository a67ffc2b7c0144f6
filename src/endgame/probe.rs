//! Asks the layers for the value of a position.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::game::{Board, Rules, Variant};

use super::cache::Cache;
use super::configuration::Configuration;
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
    /// Whether a block has turned out to be damaged: the layer is not asked any more then.
    damaged: AtomicBool,
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
                Stored { layer, first: before, damaged: AtomicBool::new(false) }
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
    /// stones, or it is damaged: that is logged once.
    ///
    /// The board must be one of the game of [`variant`](Self::variant).
    #[inline]
    #[must_use]
    pub fn probe<R: Rules>(&self, board: &Board<R>) -> Option<Bounds> {
        debug_assert_eq!(R::VARIANT, self.variant);
        let (mover, opponent) = (board.mover(), board.opponent());
        let stones = mover.row_stones() + opponent.row_stones();
        let stored = self.layers.get(stones as usize)?.as_ref()?;
        if stored.damaged.load(Relaxed) {
            return None;
        }
        let configuration = self.index.number(Configuration::of(board));
        let spot = stored.layer.spot(configuration, self.index.rank::<R>(mover, opponent));
        let unpack = |unpacker: &mut _| stored.layer.unpack(spot.block, unpacker);
        match self.cache.get(stored.first + spot.block, spot.offset, unpack) {
            Ok(bounds) => Some(bounds),
            Err(error) => stored.fail(self.variant, &error),
        }
    }
}

impl Stored {
    #[cold]
    fn fail(&self, variant: Variant, error: &FormatError) -> Option<Bounds> {
        if !self.damaged.swap(true, Relaxed) {
            log::error!(
                "endgames of {variant} with {} stones are not used: {error}",
                self.layer.header().stones
            );
        }
        None
    }
}

/// How many blocks get a place of their own in a cache of so many bytes, and how many places the others share: the
/// smallest layers are asked most, so that half of the cache goes to them.
fn shares<'a>(layers: impl Iterator<Item = &'a Layer>, cache: usize) -> (usize, usize) {
    let (mut own, mut others, mut taken, mut largest) = (0, 0, 0, 1);
    for layer in layers {
        let header = layer.header();
        let bytes = header.positions as usize * if layer.has_bounds() { 2 } else { 1 };
        if others == 0 && taken + bytes <= cache / 2 {
            taken += bytes;
            own += layer.blocks();
        } else {
            others += layer.blocks();
            largest = largest.max(1 << header.block_bits);
        }
    }
    let room = (cache.saturating_sub(taken) / largest).max(1);
    if others == 0 { (own, 0) } else { (own, others.min(room)) }
}
