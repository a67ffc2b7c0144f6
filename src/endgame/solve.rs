//! Solves positions with few stones in the pits.
//!
//! The value of a position is the number of the stones in the pits that the side to move ends up with. It does not
//! depend on the kazans, so that it holds for every score. Each position has a lower and an upper bound: what the
//! mover can force in any case, and what the opponent can hold it to. They start at nothing and everything and are
//! tightened by each other until nothing changes. Where they meet, the value is exact whatever is said about
//! repetitions; where they do not, both sides can go round for ever, and the bounds are all that can be said.

use crate::game::{Board, Rules};

use super::configuration::Configuration;
use super::index::Index;

/// What the side to move ends up with of the stones in the pits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// At least so many.
    pub lower: u8,
    /// At most so many.
    pub upper: u8,
}

impl Bounds {
    /// Whether they meet.
    #[inline(always)]
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// For a position that a move led to, with so many stones left in the pits: what the one who made the move, and
    /// gained so many stones with it, ends up with.
    #[inline(always)]
    #[must_use]
    pub const fn before_move(self, gained: u8, left: u8) -> Bounds {
        Bounds { lower: gained + left - self.upper, upper: gained + left - self.lower }
    }

    /// The bounds of a player who may choose between two positions.
    #[inline(always)]
    #[must_use]
    pub fn or(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }
}

/// The values of all positions with a number of stones and a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The lower bounds.
    pub lower: Vec<u8>,
    /// How much more the upper bounds are; empty where all are exact.
    pub width: Vec<u8>,
}

impl Values {
    /// The bounds of the position with this number.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, rank: usize) -> Bounds {
        let lower = self.lower[rank];
        Bounds { lower, upper: lower.saturating_add(self.width.get(rank).copied().unwrap_or(0)) }
    }

    /// How many positions have no exact value.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.width.iter().filter(|&&width| width > 0).count() as u64
    }
}

/// Where the values of positions with fewer stones are.
pub trait Lower: Sync {
    /// Whether all of them are exact.
    fn is_exact(&self) -> bool;

    /// The bounds of a position, by its stones, the number of its configuration and its rank.
    fn bounds(&self, stones: u32, configuration: usize, rank: u64) -> Bounds;
}

/// How a unit of work is getting on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// Times that all positions have been looked at.
    pub sweeps: u32,
    /// Positions whose bounds have not met.
    pub open: u64,
}

/// A configuration and the same with the other side to move: moves that take nothing lead from one to the other, so
/// that they are solved together. One side is called South here.
pub struct Unit<'a, L> {
    index: &'a Index,
    lower: &'a L,
    stones: u32,
    /// With South and with North to move.
    configurations: [usize; 2],
}

impl<'a, L: Lower> Unit<'a, L> {
    /// The unit of a configuration, for so many stones.
    #[must_use]
    pub fn new(index: &'a Index, lower: &'a L, stones: u32, configuration: Configuration) -> Unit<'a, L> {
        let configurations = [index.number(configuration), index.number(configuration.turned())];
        Unit { index, lower, stones, configurations }
    }

    /// The configurations of all units of a game: of two that belong together, the one with the smaller number.
    #[must_use]
    pub fn all(index: &Index) -> Vec<Configuration> {
        let first = |it: &Configuration| index.number(*it) <= index.number(it.turned());
        index.configurations().iter().copied().filter(first).collect()
    }

    /// The values with South to move, and, where that is another configuration, with North to move; each with the
    /// number of its configuration.
    ///
    /// `observe` hears of each sweep and says whether to go on; `None` if not.
    #[must_use]
    pub fn solve<R: Rules>(&self, observe: &mut dyn FnMut(Sweep) -> bool) -> Option<Vec<(usize, Values)>> {
        let count =
            Index::count::<R>(self.index.configurations()[self.configurations[0]], self.stones) as usize;
        let unknown = Bounds { lower: 0, upper: self.stones as u8 };
        // Both are numbered as seen from South: from the last number to the first, all that most moves lead to is known
        // by then. North's moves into South's row lead back, and ask for more sweeps.
        let mut bounds = [vec![unknown; count], vec![unknown; count]];
        let mut sweeps = 0;
        loop {
            let changed = self.sweep::<R>(&mut bounds, sweeps == 0 || !self.lower.is_exact());
            sweeps += 1;
            let open = bounds.iter().flatten().filter(|bounds| !bounds.is_exact()).count() as u64;
            if !observe(Sweep { sweeps, open }) {
                return None;
            }
            if !changed || open == 0 {
                break;
            }
        }
        let [south, north] = bounds;
        let mut tables = vec![(self.configurations[0], values(&south))];
        if self.configurations[0] != self.configurations[1] {
            let turned = self.renumbered::<R>(&north);
            tables.push((self.configurations[1], values(&turned)));
        }
        Some(tables)
    }

    /// Tightens all bounds once; says whether one has changed.
    fn sweep<R: Rules>(&self, bounds: &mut [Vec<Bounds>; 2], with_captures: bool) -> bool {
        let configuration = self.index.configurations()[self.configurations[0]];
        let mut changed = false;
        Index::positions_from_last::<R>(self.stones, configuration, &mut |rank, south, north| {
            for side in 0..2 {
                let old = bounds[side][rank];
                if old.is_exact() {
                    continue;
                }
                let (mover, opponent) = if side == 0 { (south, north) } else { (north, south) };
                let board = Board::of_halves(*mover, *opponent);
                let new = self.tighten::<R>(&board, old, with_captures, |child: &Board<R>| {
                    // After South's move North is the mover.
                    let (south, north) = if side == 0 {
                        (child.opponent(), child.mover())
                    } else {
                        (child.mover(), child.opponent())
                    };
                    bounds[1 - side][self.index.rank::<R>(south, north) as usize]
                });
                changed |= new != old;
                bounds[side][rank] = new;
            }
        });
        changed
    }

    /// The bounds of a position that follow from those of the positions after its moves.
    #[inline(always)]
    fn tighten<R: Rules>(
        &self,
        board: &Board<R>,
        old: Bounds,
        with_captures: bool,
        same_layer: impl Fn(&Board<R>) -> Bounds,
    ) -> Bounds {
        let all = self.stones as u8;
        // What a move that takes something leads to is known. Where that is exact it need not be asked again after the
        // first sweep: it is part of the lower bound, and that is not above the upper one.
        let mut new = Bounds { lower: old.lower, upper: old.lower };
        for pit in board.moves() {
            let (child, _) = board.play(pit);
            let (gained, lost) = (child.opponent().kazan() as u8, child.mover().kazan() as u8);
            if gained + lost == 0 {
                new = new.or(same_layer(&child).before_move(0, all));
            } else if with_captures {
                let left = all - gained - lost;
                let (configuration, rank) = self.index.locate(&child);
                new = new.or(self.lower.bounds(left.into(), configuration, rank).before_move(gained, left));
            }
        }
        new.upper = new.upper.max(new.lower);
        new
    }

    /// The bounds with North to move, numbered from North's side.
    fn renumbered<R: Rules>(&self, bounds: &[Bounds]) -> Vec<Bounds> {
        let configuration = self.index.configurations()[self.configurations[0]];
        let mut turned = bounds.to_vec();
        Index::positions_from_last::<R>(self.stones, configuration, &mut |rank, south, north| {
            turned[self.index.rank::<R>(north, south) as usize] = bounds[rank];
        });
        turned
    }
}

fn values(bounds: &[Bounds]) -> Values {
    let lower = bounds.iter().map(|bounds| bounds.lower).collect();
    let exact = bounds.iter().all(|bounds| bounds.is_exact());
    let width =
        if exact { Vec::new() } else { bounds.iter().map(|bounds| bounds.upper - bounds.lower).collect() };
    Values { lower, width }
}
