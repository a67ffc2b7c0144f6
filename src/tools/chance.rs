//! Chance that can be had again: generators that depend on a seed and a number, and random moves.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IteratorRandom;

use crate::game::{Game, Pit, Rules};

/// A generator for one of many streams: the same on every machine and in every version.
pub(super) fn generator(seed: u64, stream: u64) -> Xoshiro256PlusPlus {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&stream.to_le_bytes());
    // Seeds that differ in a few bits only must not give numbers that resemble each other.
    let mixed = [fingerprint(&bytes[..16]), seed].map(u64::to_le_bytes).concat();
    bytes[16..].copy_from_slice(&mixed);
    let mut generator = Xoshiro256PlusPlus::from_seed(bytes);
    for _ in 0..16 {
        rand::Rng::next_u64(&mut generator);
    }
    generator
}

/// The hash FNV-1a with 64 bits: the same on every machine and in every version.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// The game with so many random moves more; fewer where every move would end it.
pub(super) fn random_plies<R: Rules>(
    mut game: Game<R>,
    plies: usize,
    generator: &mut Xoshiro256PlusPlus,
) -> Game<R> {
    for _ in 0..plies {
        let position = *game.position();
        let goes_on = |&pit: &Pit| position.play(pit).0.outcome().is_none();
        match position.moves().filter(goes_on).choose(generator) {
            Some(pit) => game.play(pit),
            None => break,
        };
    }
    game
}
