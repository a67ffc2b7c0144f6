//! What a single move would take from each pit.

use super::inputs::{PITS, View};
use crate::game::{Rules, Togyzqumalaq};

/// Kinds of threats to a pit: by half the stones that would be taken, and to become a tuzdyq. They count from 1.
pub(super) const KINDS: usize = 11;
/// No threat.
const NO_THREAT: u8 = 0;
/// To become a tuzdyq.
pub(super) const TUZDYQ_THREAT: u8 = KINDS as u8;
/// Half the stones from which on a kind stands for several numbers.
pub(super) const MANY: u8 = 9;
/// The last such half of the kind [`MANY`].
pub(super) const MANY_TO: u8 = 12;

/// Places for the pits of a side: the bytes of a vector.
pub(super) const PLACES: usize = 16;

/// The greatest threat to each pit of the side to move by a single move of the other side, and the other way round,
/// whoever is to move.
///
/// Iterates over the pits that are threatened: whose they are (0: of the side to move), their index, and the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    /// The kinds: those to the pits of the side to move, then those to the others.
    kinds: [u8; 2 * PLACES],
    /// The places of those that are threats.
    places: u32,
}

impl Threats {
    /// Those of a position.
    pub(super) fn of(view: &View) -> Threats {
        let (own, other) = view.stones.split_at(PITS);
        let [own_tuzdyq, other_tuzdyq] = view.tuzdyqs;
        let mut kinds = [NO_THREAT; 2 * PLACES];
        let (to_own, to_other) = kinds.split_at_mut(PLACES);
        find(other, own, other_tuzdyq, own_tuzdyq, to_own);
        find(own, other, own_tuzdyq, other_tuzdyq, to_other);
        let places = kinds.iter().rev().fold(0, |places, &kind| places << 1 | u32::from(kind != NO_THREAT));
        Threats { kinds, places }
    }

    /// With these kinds, of which those at these places are threats.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) const fn new(kinds: [u8; 2 * PLACES], places: u32) -> Threats {
        Threats { kinds, places }
    }
}

impl Iterator for Threats {
    type Item = (usize, usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize, usize)> {
        if self.places == 0 {
            return None;
        }
        let place = self.places.trailing_zeros() as usize;
        self.places &= self.places - 1;
        Some((place / PLACES, place % PLACES, self.kinds[place].into()))
    }
}

/// Finds the threats of a side, whose tuzdyq has the number `mine`, to the pits of the other, whose tuzdyq has the
/// number `theirs`.
fn find(stones: &[u8], targets: &[u8], mine: u8, theirs: u8, kinds: &mut [u8]) {
    for (pit, &stones) in stones.iter().enumerate() {
        let sowing = Togyzqumalaq::sowing(pit, usize::from(stones).min(Togyzqumalaq::TOTAL as usize));
        let Some(landing) = usize::from(sowing.landing).checked_sub(PITS) else { continue };
        let number = landing as u8 + 1;
        // Nothing is taken from a tuzdyq.
        if number != mine {
            let may_become_tuzdyq = mine == 0 && number != theirs && landing != PITS - 1;
            let after = u32::from(targets[landing]) + u32::from(sowing.drops);
            kinds[landing] = kinds[landing].max(kind(after, may_become_tuzdyq));
        }
    }
}

/// The kind of threat to a pit by the stones in it after the last one has fallen.
fn kind(after: u32, may_become_tuzdyq: bool) -> u8 {
    let half = (after / 2) as u8;
    match after {
        3 if may_become_tuzdyq => TUZDYQ_THREAT,
        _ if after % 2 == 1 => NO_THREAT,
        _ if half < MANY => half,
        _ => MANY + u8::from(half > MANY_TO),
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use rand::seq::IteratorRandom;

    use super::*;
    use crate::game::Position;

    /// What the rules say that the side to move takes from each of the other side's pits, at most, and where it could
    /// make a tuzdyq.
    fn threats_by_the_rules(position: &Position<Togyzqumalaq>) -> [u8; 9] {
        let mut threats = [NO_THREAT; 9];
        for pit in position.moves() {
            let capture = position.capture(pit);
            let target = position.board().landing(pit).pit;
            let kind = match capture.stones {
                _ if capture.tuzdyq => 11,
                0 => continue,
                1..=17 => capture.stones / 2,
                18..=25 => 9,
                _ => 10,
            };
            threats[target.index()] = threats[target.index()].max(kind as u8);
        }
        threats
    }

    #[test]
    fn threats_are_the_captures_of_the_rules() {
        let mut random = StdRng::seed_from_u64(5);
        let (mut seen, mut tuzdyqs) = (0, 0);
        for _ in 0..300 {
            let mut position: Position<Togyzqumalaq> = Position::start();
            while let Some(pit) = position.moves().choose(&mut random) {
                let view = View::of(position.board());
                let mut threats = [[NO_THREAT; 9]; 2];
                Threats::of(&view).for_each(|(side, pit, kind)| threats[side][pit] = kind as u8);
                let expected = threats_by_the_rules(&position);
                assert_eq!(threats[1], expected, "{position}");
                assert_eq!(threats[0], threats_by_the_rules(&position.pass()), "{position}");
                seen += expected.iter().filter(|&&threat| threat != NO_THREAT).count();
                tuzdyqs += expected.iter().filter(|&&threat| threat == TUZDYQ_THREAT).count();
                position = position.play(pit).0;
            }
        }
        assert!(seen > 10_000 && tuzdyqs > 100, "{seen}, {tuzdyqs}");
    }
}
