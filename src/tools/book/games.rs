//! What recorded games say of the moves at their beginning.

use ahash::AHashMap;

use crate::book::{Contents, Tally};
use crate::game::{Game, Packed, Pit, Position, Rules, Side, Variant};
use crate::records::{GameResult, Record};
use crate::with_game;

/// Counts the moves of games; the order of the games does not matter.
#[derive(Debug)]
pub struct Games {
    variant: Variant,
    /// Half-moves from the start that are counted.
    plies: u32,
    tallies: AHashMap<(Packed, Pit), Tally>,
    counted: u64,
    left_out: u64,
}

impl Games {
    /// For games of this variant, of which so many half-moves are counted.
    #[must_use]
    pub fn new(variant: Variant, plies: u32) -> Games {
        Games { variant, plies, tallies: AHashMap::new(), counted: 0, left_out: 0 }
    }

    /// Counts the moves of a game. One of another variant, one that does not begin with the start position and one
    /// without a move are left out.
    ///
    /// The result is the recorded one, or without one that of the rules, if they ended the game.
    pub fn add(&mut self, record: &Record) {
        let result = record.known_result();
        if record.game.variant() == self.variant && with_game!(&record.game, game => self.count(game, result))
        {
            self.counted += 1;
        } else {
            self.left_out += 1;
        }
    }

    /// Whether the game is one to be counted.
    fn count<R: Rules>(&mut self, game: &Game<R>, result: Option<GameResult>) -> bool {
        let mut position = Position::start();
        if *game.start() != position || game.moves().is_empty() {
            return false;
        }
        for &pit in game.moves().iter().take(self.plies as usize) {
            let tally = self.tallies.entry((Packed::of(&position), pit)).or_default();
            count(tally, position.turn(), result);
            position = position.play(pit).0;
        }
        true
    }

    /// How many games have been counted.
    #[must_use]
    pub const fn counted(&self) -> u64 {
        self.counted
    }

    /// How many games have been left out.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Puts the moves that were played in at least so many games into a book.
    pub fn fill(&self, contents: &mut Contents, least: u32) {
        for (&(position, pit), &tally) in self.tallies.iter().filter(|(_, tally)| tally.games >= least) {
            contents.entry(position, pit).tally = tally;
        }
    }
}

/// Counts a game in which `side` made the move.
fn count(tally: &mut Tally, side: Side, result: Option<GameResult>) {
    let winner = match side {
        Side::South => GameResult::South,
        Side::North => GameResult::North,
    };
    match result {
        None => {}
        Some(GameResult::Draw) => tally.draws += 1,
        Some(result) if result == winner => tally.wins += 1,
        Some(_) => tally.losses += 1,
    }
    tally.games += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::game::Togyzqumalaq;
    use crate::records::read;

    /// Games as a book of at least so many each.
    fn book(texts: &[&str], plies: u32, least: u32) -> (Book, u64, u64) {
        let mut games = Games::new(Variant::Togyzqumalaq, plies);
        for text in texts {
            read(text).for_each(|reading| games.add(&reading.unwrap().record));
        }
        let mut contents = Contents::new(Variant::Togyzqumalaq, String::new());
        games.fill(&mut contents, least);
        (Book::parse(contents.to_bytes()).unwrap(), games.counted(), games.left_out())
    }

    const GAMES: [&str; 4] = [
        "[Result \"1-0\"]\n\n1. 7 2 2. 3 *",
        "[Result \"0-1\"]\n\n1. 7 1 *",
        "[Result \"1/2-1/2\"]\n\n1. 7 2 *",
        "[Result \"*\"]\n\n1. 9 2 *",
    ];

    #[test]
    fn recorded_results_count_for_the_side_that_moved() {
        let (book, counted, left_out) = book(&GAMES, 10, 1);
        assert_eq!((counted, left_out), (4, 0));
        let start = Position::<Togyzqumalaq>::start();
        let of = |position: &Position<Togyzqumalaq>| -> Vec<(u8, [u32; 4])> {
            let known = book.ask(position);
            let numbers = |it: Tally| [it.games, it.wins, it.draws, it.losses];
            known.iter().map(|it| (it.pit.number(), numbers(it.knowledge.tally))).collect()
        };
        assert_eq!(of(&start), [(7, [3, 1, 1, 1]), (9, [1, 0, 0, 0])]);
        let after = start.play(Pit::from_index(6)).0;
        assert_eq!(of(&after), [(1, [1, 1, 0, 0]), (2, [2, 0, 1, 1])]);
    }

    #[test]
    fn rare_moves_and_late_ones_are_left_out() {
        let (book, ..) = super::tests::book(&GAMES, 1, 2);
        assert_eq!((book.header().positions, book.header().moves), (1, 1));
        // Neither another game nor one from elsewhere says anything of the start.
        let other = ["[FEN \"8,1S/1S,8 80 80 S 1\"]\n\n1. 1 *", "[Variant \"kozdatu\"]\n\n1. 3 *"];
        let (book, counted, left_out) = super::tests::book(&other, 9, 1);
        assert_eq!((book.header().moves, counted, left_out), (0, 0, 2));
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let mut turned = GAMES;
        turned.reverse();
        assert_eq!(book(&GAMES, 9, 1).0.bytes(), book(&turned, 9, 1).0.bytes());
    }
}
