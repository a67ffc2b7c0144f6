//! What the games of a match begin with.

use rand::seq::SliceRandom;

use crate::game::{AnyGame, Game, Pit, Rules, Variant, parse_move};
use crate::tools::chance::{fingerprint, generator, random_plies};
use crate::{with_game, with_rules};

/// Where the openings come from.
#[derive(Clone, Debug)]
pub enum Openings {
    /// So many random plies; each pair of games has its own.
    Random {
        /// How many plies; fewer where every move would end the game.
        plies: usize,
    },
    /// Those of a file, in an order that depends on the seed; then the same again.
    List(OpeningList),
}

/// The openings of a file.
#[derive(Clone, Debug)]
pub struct OpeningList {
    games: Vec<AnyGame>,
    /// Tells lists apart.
    fingerprint: u64,
}

/// What is wrong with a file of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// A line is no opening.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// There is none.
    #[error("no opening in it")]
    Empty,
}

impl OpeningList {
    /// Reads a file: in each line moves from the start position with blanks between them, or a FEN. Blank lines and
    /// those that begin with `#` are passed over.
    ///
    /// # Errors
    /// At the first line that is neither, or after which no move can be made; when there is no opening at all.
    pub fn parse(text: &str, variant: Variant) -> Result<OpeningList, OpeningsError> {
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let lines = lines.map(|(index, line)| (index + 1, line.trim()));
        let games: Vec<AnyGame> = lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(line, text)| opening(text, variant).map_err(|reason| OpeningsError::Line { line, reason }))
            .collect::<Result<_, _>>()?;
        if games.is_empty() {
            return Err(OpeningsError::Empty);
        }
        let described: Vec<String> = games.iter().map(describe).collect();
        Ok(OpeningList { games, fingerprint: fingerprint(described.join("\n").as_bytes()) })
    }

    /// What tells the list from others, in words.
    #[must_use]
    pub fn identity(&self) -> String {
        format!("{} openings, fingerprint {:016x}", self.count(), self.fingerprint)
    }

    /// The opening with this number, from 0; after the last comes the first again.
    #[must_use]
    pub fn get(&self, number: u64) -> &AnyGame {
        &self.games[(number % self.games.len() as u64) as usize]
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.games.len()
    }
}

fn opening(text: &str, variant: Variant) -> Result<AnyGame, String> {
    // Only a FEN has a slash.
    let game = if text.contains('/') {
        AnyGame::from_text(variant, Some(text), &[]).map_err(|error| error.to_string())?
    } else {
        with_rules!(variant, R => moves::<R>(text)?.into())
    };
    let is_over = with_game!(&game, game => game.position().outcome().is_some());
    if is_over { Err("the game is over after this opening".to_owned()) } else { Ok(game) }
}

fn moves<R: Rules>(text: &str) -> Result<Game<R>, String> {
    let mut game = Game::<R>::default();
    for (index, word) in text.split_whitespace().enumerate() {
        let pit =
            parse_move(game.position(), word).map_err(|error| format!("move {}, {error}", index + 1))?;
        game.play(pit);
    }
    Ok(game)
}

fn describe(game: &AnyGame) -> String {
    with_game!(game, game => {
        let moves: Vec<String> = game.moves().iter().map(Pit::to_string).collect();
        format!("{} {}", game.start(), moves.join(" "))
    })
}

impl Openings {
    /// What tells these openings from others, in words.
    pub(super) fn identity(&self) -> String {
        match self {
            Openings::Random { plies } => format!("{plies} random plies"),
            Openings::List(list) => list.identity(),
        }
    }

    /// The openings in the order of their use.
    pub(super) fn ordered(&self, seed: u64, variant: Variant) -> Sequence<'_> {
        let order = match self {
            Openings::Random { .. } => Vec::new(),
            Openings::List(list) => {
                let mut order: Vec<usize> = (0..list.count()).collect();
                order.shuffle(&mut generator(seed, u64::MAX));
                order
            }
        };
        Sequence { openings: self, order, seed, variant }
    }
}

/// The openings of the pairs of a match.
pub(super) struct Sequence<'a> {
    openings: &'a Openings,
    order: Vec<usize>,
    seed: u64,
    variant: Variant,
}

impl Sequence<'_> {
    /// The opening of a pair, which depends on nothing else but the seed.
    pub(super) fn of_pair(&self, pair: u32) -> AnyGame {
        match self.openings {
            &Openings::Random { plies } => with_rules!(self.variant, R => {
                random_plies(Game::<R>::default(), plies, &mut generator(self.seed, u64::from(pair))).into()
            }),
            Openings::List(list) => list.games[self.order[pair as usize % self.order.len()]].clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const GAME: Variant = Variant::Togyzqumalaq;

    fn list(text: &str) -> Openings {
        Openings::List(OpeningList::parse(text, GAME).unwrap())
    }

    #[test]
    fn a_file_may_hold_moves_and_positions() {
        let text = "# openings\n\n 7 2  3 \n8,1S/8,1S 80 80 S 1\n1";
        let Openings::List(list) = list(text) else { unreachable!() };
        let read: Vec<String> = list.games.iter().map(describe).collect();
        assert_eq!(read.len(), 3);
        assert!(read[0].ends_with("S 1 7 2 3") && read[1] == "8,1S/8,1S 80 80 S 1 ", "{read:?}");
    }

    #[test]
    fn a_bad_line_is_named() {
        let fault = |text: &str| OpeningList::parse(text, GAME).unwrap_err().to_string();
        assert_eq!(fault("7 2\n#\n7 0"), "line 3: move 2, '0': there is no pit 0 in a row of 9");
        assert!(fault("9S/9S 0 0 S 1").starts_with("line 1: position fen: "));
        assert_eq!(fault("8,1S/1S,8 82 78 S 1"), "line 1: the game is over after this opening");
        assert_eq!(fault("# nothing\n"), "no opening in it");
    }

    #[test]
    fn a_list_is_used_up_before_it_begins_again() {
        let openings = list("1\n2\n3\n4\n5\n6\n7\n8");
        let order = |seed| {
            let sequence = openings.ordered(seed, GAME);
            (0..16).map(|pair| describe(&sequence.of_pair(pair))).collect::<Vec<_>>()
        };
        let first = order(1);
        assert_eq!(first[..8].iter().collect::<HashSet<_>>().len(), 8);
        assert_eq!(first[..8], first[8..]);
        assert_ne!(first, order(2));
        assert_eq!(first, order(1));
    }

    #[test]
    fn random_openings_differ_between_pairs_and_seeds_and_never_end_the_game() {
        let mut seen = HashSet::new();
        for seed in 0..4 {
            let openings = Openings::Random { plies: 4 };
            let sequence = openings.ordered(seed, GAME);
            for pair in 0..100 {
                let opening = sequence.of_pair(pair);
                assert_eq!(with_game!(&opening, game => game.moves().len()), 4);
                seen.insert(describe(&opening));
            }
        }
        // 400 of some 6,000 openings: a few coincide.
        assert!(seen.len() > 350, "{}", seen.len());
        let openings = Openings::Random { plies: 500 };
        for pair in 0..20 {
            let opening = openings.ordered(7, Variant::Bestemshe).of_pair(pair);
            assert!(with_game!(&opening, game => game.position().outcome().is_none()));
        }
    }
}
