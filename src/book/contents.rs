//! A book in the making.

use std::collections::BTreeMap;

use crate::game::{Packed, Pit, Variant};

use super::knowledge::Knowledge;

/// What is to be in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The game.
    pub variant: Variant,
    /// How it was made, in one line of at most [`MAX_ORIGIN`](super::MAX_ORIGIN) bytes.
    pub origin: String,
    /// The positions, each with its moves; those without a move are left out.
    pub positions: BTreeMap<Packed, BTreeMap<Pit, Knowledge>>,
}

impl Contents {
    /// A book without a position.
    #[must_use]
    pub const fn new(variant: Variant, origin: String) -> Contents {
        Contents { variant, origin, positions: BTreeMap::new() }
    }

    /// What is known of a move, to be changed; nothing at first.
    pub fn entry(&mut self, position: Packed, pit: Pit) -> &mut Knowledge {
        self.positions.entry(position).or_default().entry(pit).or_default()
    }

    /// How many moves there are in all positions.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.positions.values().map(BTreeMap::len).sum()
    }
}
