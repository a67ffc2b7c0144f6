//! The packed board: 32 bytes, seen from the side to move, and the one place where the rules of a move are.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use super::pit::{Pit, PitSet};
use super::variant::{MAX_PITS, Rules};

/// The bytes of a word, one bit each.
const ONES: u64 = 0x0101_0101_0101_0101;
const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
const KAZAN_SHIFT: u32 = 8;
const TUZDYQ_SHIFT: u32 = 16;

/// Sets the top bit of each byte that is not zero and clears all other bits.
#[inline(always)]
const fn nonzero_bytes(word: u64) -> u64 {
    (((word & LOW_BITS) + LOW_BITS) | word) & !LOW_BITS
}

/// The sum of the bytes of a word; it must be below 256.
#[inline(always)]
const fn sum_bytes(word: u64) -> u32 {
    (word.wrapping_mul(ONES) >> 56) as u32
}

/// The sum of the bytes of a word, each times its place (0 to 7); it must be below 65,536.
#[inline(always)]
const fn weighted_sum(word: u64) -> u32 {
    const EVEN_BYTES: u64 = 0x00FF_00FF_00FF_00FF;
    // The top 16 bits of a product gather the others', each times the number at the mirrored place.
    let even = (word & EVEN_BYTES).wrapping_mul(0x0000_0002_0004_0006);
    let odd = (word >> 8 & EVEN_BYTES).wrapping_mul(0x0001_0003_0005_0007);
    (even.wrapping_add(odd) >> 48) as u32
}

/// The number if it is even, otherwise 0; without a branch, because it could go either way.
#[inline(always)]
const fn even(number: u64) -> u64 {
    number & (number & 1).wrapping_sub(1)
}

/// One side of the board: a row of pits, its owner's kazan, and the pit of the row that the other side has
/// captured as tuzdyq.
///
/// The counts are bytes of two words: pits 1 to 8 in `words[0]`, and in `words[1]`, from the lowest byte, pit 9,
/// the kazan, and the number of the captured pit (0: none). A ninth pit never becomes a tuzdyq, so that a tuzdyq
/// always lies in the first word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Half {
    words: [u64; 2],
}

impl Half {
    pub(super) fn new(stones: &[u8], kazan: u8, tuzdyq: Option<Pit>) -> Half {
        let mut half = Half::default();
        for (pit, &count) in stones.iter().enumerate() {
            half.words[pit / 8] |= u64::from(count) << (pit % 8 * 8);
        }
        half.words[1] |= u64::from(kazan) << KAZAN_SHIFT;
        half.words[1] |= tuzdyq.map_or(0, |pit| u64::from(pit.number())) << TUZDYQ_SHIFT;
        half
    }

    /// Stones in a pit.
    #[inline(always)]
    #[must_use]
    pub const fn stones(&self, pit: Pit) -> u32 {
        let index = pit.index();
        ((self.words[index / 8] >> (index % 8 * 8)) & 0xFF) as u32
    }

    /// Stones in the owner's kazan.
    #[inline(always)]
    #[must_use]
    pub const fn kazan(&self) -> u32 {
        ((self.words[1] >> KAZAN_SHIFT) & 0xFF) as u32
    }

    /// The pit of this row that is the *other* side's tuzdyq.
    #[inline(always)]
    #[must_use]
    pub const fn captured_pit(&self) -> Option<Pit> {
        Pit::from_number((self.words[1] >> TUZDYQ_SHIFT) as u8)
    }

    /// Stones in all pits of the row.
    #[inline(always)]
    #[must_use]
    pub const fn row_stones(&self) -> u32 {
        sum_bytes(self.words[0]) + (self.words[1] & 0xFF) as u32
    }

    /// The pits that hold stones: a tuzdyq never does.
    #[inline(always)]
    #[must_use]
    pub const fn occupied(&self) -> PitSet {
        // The multiplication gathers the top bits of the eight bytes into the top byte.
        let first = (nonzero_bytes(self.words[0]) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let ninth = (self.words[1] & 0xFF != 0) as u64;
        PitSet::from_bits((first | (ninth << 8)) as u16)
    }

    /// How many pits hold stones.
    #[inline(always)]
    #[must_use]
    pub const fn occupied_count(&self) -> u32 {
        sum_bytes(nonzero_bytes(self.words[0]) >> 7) + (self.words[1] & 0xFF != 0) as u32
    }

    /// How many pits hold just one stone.
    #[inline(always)]
    #[must_use]
    pub const fn singles(&self) -> u32 {
        let others = sum_bytes(nonzero_bytes(self.words[0] ^ ONES) >> 7);
        8 - others + (self.words[1] & 0xFF == 1) as u32
    }

    /// How far the stones have come: the distance of each from the row's first pit, in pits, summed.
    #[inline(always)]
    #[must_use]
    pub const fn advance(&self) -> u32 {
        weighted_sum(self.words[0]) + 8 * (self.words[1] & 0xFF) as u32
    }

    /// A number that tells rows with different stones or captured pits apart, whatever is in the kazan; not mixed,
    /// and two rows may share it.
    #[inline(always)]
    #[must_use]
    pub const fn row_key(&self) -> u64 {
        self.words[0].wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ (self.words[1] & !(0xFF << KAZAN_SHIFT))
    }

    /// A row with an empty kazan, for positions in which only the stones in the pits matter.
    #[inline(always)]
    pub(crate) fn without_kazan(stones: &[u8; MAX_PITS], captured: Option<Pit>) -> Half {
        Half::new(stones, 0, captured)
    }

    /// The stones in the first pit, in the first two, and so on to the first eight, from the lowest byte; the sum of
    /// the row must be below 256.
    #[inline(always)]
    pub(crate) const fn running_sums(&self) -> u64 {
        self.words[0].wrapping_mul(ONES)
    }

    /// Whether the row holds no stone.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.words[0] == 0 && self.words[1] & 0xFF == 0
    }

    #[inline(always)]
    fn add(&mut self, words: [u64; 2]) {
        self.words[0] = self.words[0].wrapping_add(words[0]);
        self.words[1] = self.words[1].wrapping_add(words[1]);
    }

    #[inline(always)]
    const fn tuzdyq_number(&self) -> u64 {
        self.words[1] >> TUZDYQ_SHIFT
    }

    #[inline(always)]
    fn set_tuzdyq(&mut self, number: u64) {
        self.words[1] |= number << TUZDYQ_SHIFT;
    }

    /// Takes the stones that a sowing dropped into the captured pit of this row.
    #[inline(always)]
    fn drain_tuzdyq(&mut self) -> u64 {
        let number = self.tuzdyq_number();
        if number == 0 {
            return 0;
        }
        let shift = (number - 1) * 8;
        let stones = (self.words[0] >> shift) & 0xFF;
        self.words[0] -= stones << shift;
        stones
    }

    #[inline(always)]
    fn bank(&mut self, stones: u64) {
        self.words[1] += stones << KAZAN_SHIFT;
    }
}

/// What a move did, from the mover's side; all counts in stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Stones taken from the landing pit, the 3 of a new tuzdyq included.
    pub captured: u32,
    /// Whether the landing pit became the mover's tuzdyq.
    pub tuzdyq: bool,
    /// Stones that fell into the mover's tuzdyq.
    pub fed: u32,
    /// Stones that fell into the opponent's tuzdyq.
    pub lost: u32,
}

impl Effect {
    /// Whether a stone reached a kazan. Such a move can never be undone by later ones: no position before it can
    /// occur again.
    #[inline(always)]
    #[must_use]
    pub const fn is_irreversible(self) -> bool {
        self.captured + self.fed + self.lost != 0
    }
}

/// Where the last stone of a move falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    /// Whether the pit is in the mover's own row.
    pub own: bool,
    /// The pit of that row.
    pub pit: Pit,
}

/// What a move would capture, found without playing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Stones to be taken from the landing pit.
    pub stones: u32,
    /// Whether the landing pit becomes the mover's tuzdyq.
    pub tuzdyq: bool,
}

/// A board seen from the side to move.
///
/// It does not know which colour moves: a position and its mirror image are the same board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board<R> {
    pub(super) mover: Half,
    pub(super) opponent: Half,
    pub(super) rules: PhantomData<R>,
}

impl<R: Rules> Board<R> {
    /// The board before the first move.
    #[must_use]
    pub fn start() -> Self {
        let half = Half::new(&[R::STONES_PER_PIT as u8; MAX_PITS][..R::PITS], 0, None);
        Board { mover: half, opponent: half, rules: PhantomData }
    }

    /// A board from its rows.
    #[inline(always)]
    pub(crate) const fn of_halves(mover: Half, opponent: Half) -> Self {
        Board { mover, opponent, rules: PhantomData }
    }

    /// The side to move.
    #[inline(always)]
    #[must_use]
    pub const fn mover(&self) -> &Half {
        &self.mover
    }

    /// The other side.
    #[inline(always)]
    #[must_use]
    pub const fn opponent(&self) -> &Half {
        &self.opponent
    }

    /// Stones in the pits of both sides.
    #[inline(always)]
    #[must_use]
    pub fn stones_left(&self) -> u32 {
        R::TOTAL - self.mover.kazan() - self.opponent.kazan()
    }

    /// Stones in the pits of both sides, counted pit by pit: right also where the kazans are left empty.
    #[inline(always)]
    #[must_use]
    pub const fn stones_in_pits(&self) -> u32 {
        self.mover.row_stones() + self.opponent.row_stones()
    }

    /// Whether a kazan holds more than half of the stones.
    #[inline(always)]
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.mover.kazan() > R::HALF || self.opponent.kazan() > R::HALF
    }

    /// Whether the game is over: decided, or the side to move has no stone (atsyrau).
    #[inline(always)]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.mover.is_empty() || self.is_decided()
    }

    /// The legal moves: empty when the game is over.
    #[inline(always)]
    #[must_use]
    pub fn moves(&self) -> PitSet {
        if self.is_decided() { PitSet::EMPTY } else { self.mover.occupied() }
    }

    /// The number of legal moves.
    #[inline(always)]
    #[must_use]
    pub fn move_count(&self) -> u32 {
        if self.is_decided() { 0 } else { self.mover.occupied_count() }
    }

    /// Where the last stone of a move falls.
    #[must_use]
    pub fn landing(&self, pit: Pit) -> Landing {
        let landing = usize::from(R::sowing(pit.index(), self.mover.stones(pit) as usize).landing);
        Landing { own: landing < R::PITS, pit: Pit::from_index(landing % R::PITS) }
    }

    /// What the move from `pit` would capture.
    #[inline(always)]
    #[must_use]
    pub fn capture(&self, pit: Pit) -> Capture {
        let sowing = R::sowing(pit.index(), self.mover.stones(pit) as usize);
        let before = (self.opponent.words[usize::from(sowing.word)] >> sowing.shift) & 0xFF;
        let stones = (before + u64::from(sowing.drops)) & u64::from(sowing.mask);
        let number = u64::from(sowing.landing).wrapping_add(1).wrapping_sub(R::PITS as u64);
        // Several stones fall into the mover's own tuzdyq, where nothing is captured, only after a whole lap.
        if R::TUZDYQ && sowing.drops > 1 && number == self.opponent.tuzdyq_number() {
            return Capture { stones: 0, tuzdyq: false };
        }
        if stones == 3 && self.may_take_tuzdyq(number) {
            return Capture { stones: 3, tuzdyq: true };
        }
        Capture { stones: even(stones) as u32, tuzdyq: false }
    }

    /// Whether the mover may have a tuzdyq in the opponent's pit with this number.
    #[inline(always)]
    fn may_take_tuzdyq(&self, number: u64) -> bool {
        R::TUZDYQ
            && number != R::PITS as u64
            && self.opponent.tuzdyq_number() == 0
            && self.mover.tuzdyq_number() != number
    }

    /// The mover's pits that the opponent could make its tuzdyq now, if it were to move.
    #[inline]
    #[must_use]
    pub fn threatened_tuzdyqs(&self) -> PitSet {
        if !R::TUZDYQ || self.mover.tuzdyq_number() != 0 {
            return PitSet::EMPTY;
        }
        let turned = Board { mover: self.opponent, opponent: self.mover, rules: PhantomData::<R> };
        let makes = turned.mover.occupied().filter(|&pit| turned.capture(pit).tuzdyq);
        makes.map(|pit| turned.landing(pit).pit).collect()
    }

    /// Plays the move from `pit`, which must hold stones, and turns the board to the next mover.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, pit: Pit) -> (Self, Effect) {
        debug_assert!(self.mover.stones(pit) > 0, "pit {pit} is empty in {self:?}");
        let sowing = R::sowing(pit.index(), self.mover.stones(pit) as usize);
        let mut next = *self;
        let (mover, opponent) = (&mut next.mover, &mut next.opponent);
        mover.add(sowing.mover);
        opponent.add(sowing.opponent);

        let (mut fed, mut lost) = (0, 0);
        if R::TUZDYQ {
            fed = opponent.drain_tuzdyq();
            lost = mover.drain_tuzdyq();
            opponent.bank(lost);
        }

        let word = &mut opponent.words[usize::from(sowing.word)];
        let stones = (*word >> sowing.shift) & u64::from(sowing.mask);
        let mut captured = even(stones);
        let number = u64::from(sowing.landing).wrapping_add(1).wrapping_sub(R::PITS as u64);
        let tuzdyq = stones == 3 && self.may_take_tuzdyq(number);
        if tuzdyq {
            captured = 3;
        }
        *word -= captured << sowing.shift;
        if tuzdyq {
            opponent.set_tuzdyq(number);
        }
        mover.bank(captured + fed);

        std::mem::swap(&mut next.mover, &mut next.opponent);
        let effect = Effect { captured: captured as u32, tuzdyq, fed: fed as u32, lost: lost as u32 };
        (next, effect)
    }
}

impl<R: Rules> Hash for Board<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.mover, self.opponent).hash(state);
    }
}

impl<R: Rules> fmt::Debug for Board<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |half: &Half| Pit::all(R::PITS).map(|pit| half.stones(pit)).collect::<Vec<_>>();
        f.debug_struct("Board")
            .field("mover", &row(&self.mover))
            .field("opponent", &row(&self.opponent))
            .field("kazans", &(self.mover.kazan(), self.opponent.kazan()))
            .field("tuzdyqs", &(self.opponent.captured_pit(), self.mover.captured_pit()))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_row_are_those_of_its_pits() {
        let rows: [[u8; MAX_PITS]; 4] =
            [[9; MAX_PITS], [1, 0, 1, 2, 3, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 152, 0], [0; MAX_PITS]];
        for row in rows {
            let half = Half::new(&row, 200, None);
            let places = row.iter().enumerate();
            assert_eq!(half.row_stones(), row.iter().map(|&count| u32::from(count)).sum::<u32>());
            assert_eq!(half.occupied_count() as usize, row.iter().filter(|&&count| count > 0).count());
            assert_eq!(half.singles() as usize, row.iter().filter(|&&count| count == 1).count());
            assert_eq!(
                half.advance() as usize,
                places.map(|(place, &count)| place * usize::from(count)).sum::<usize>()
            );
        }
    }
}
