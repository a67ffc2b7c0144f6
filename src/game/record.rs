//! A game in progress: where it began, the moves, and which earlier positions can still occur again.

use super::board::Effect;
use super::pit::Pit;
use super::position::Position;
use super::variant::Rules;

/// A game from some position on.
#[derive(Clone, Debug)]
pub struct Game<R: Rules> {
    start: Position<R>,
    position: Position<R>,
    moves: Vec<Pit>,
    /// The hash of each position before the current one.
    keys: Vec<u64>,
    /// Index in `keys` of the first position that can still occur again.
    repeatable_from: usize,
}

impl<R: Rules> Game<R> {
    /// A game without moves that begins with this position.
    #[must_use]
    pub fn new(start: Position<R>) -> Game<R> {
        Game { start, position: start, moves: Vec::new(), keys: Vec::new(), repeatable_from: 0 }
    }

    /// The position the game began with.
    #[must_use]
    pub const fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &Position<R> {
        &self.position
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Pit] {
        &self.moves
    }

    /// Plays a move, which must be legal.
    pub fn play(&mut self, pit: Pit) -> Effect {
        self.keys.push(self.position.key());
        self.moves.push(pit);
        let (next, effect) = self.position.play(pit);
        self.position = next;
        if effect.is_irreversible() {
            self.repeatable_from = self.keys.len();
        }
        effect
    }

    /// The hashes, oldest first, of the earlier positions that can still occur again: those since a stone last
    /// reached a kazan.
    #[must_use]
    pub fn repeatable_keys(&self) -> &[u64] {
        &self.keys[self.repeatable_from..]
    }

    /// How often the current position has occurred, this time included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        1 + self.repeatable_keys().iter().rev().skip(1).step_by(2).filter(|&&earlier| earlier == key).count()
    }
}

impl<R: Rules> Default for Game<R> {
    fn default() -> Game<R> {
        Game::new(Position::start())
    }
}
