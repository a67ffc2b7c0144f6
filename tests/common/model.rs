//! A second implementation of the rules, slow and plain, to check the packed one against.
//!
//! It is written from the rules alone and shares nothing with `src/game`: the board is absolute (two rows that
//! never turn round), stones are sown one by one, nothing is precomputed, and the game is chosen at run time.

/// The first mover's row and side.
pub const SOUTH: usize = 0;
/// The second mover's row and side.
pub const NORTH: usize = 1;

/// Which game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    pub pits: usize,
    pub stones_per_pit: u32,
    pub has_tuzdyq: bool,
}

impl Game {
    pub const TOGYZQUMALAQ: Game = Game { pits: 9, stones_per_pit: 9, has_tuzdyq: true };
    pub const BESTEMSHE: Game = Game { pits: 5, stones_per_pit: 5, has_tuzdyq: false };
    pub const KOZDATU: Game = Game { pits: 7, stones_per_pit: 7, has_tuzdyq: true };

    pub fn total(self) -> u32 {
        2 * self.pits as u32 * self.stones_per_pit
    }
}

/// What a move did, all counts in stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The row and the pit, numbered from 1, where the last stone fell.
    pub landing: (usize, usize),
    /// Stones taken from the landing pit.
    pub captured: u32,
    /// Whether the landing pit became the mover's tuzdyq.
    pub tuzdyq: bool,
    /// Stones that fell into the mover's tuzdyq.
    pub fed: u32,
    /// Stones that fell into the opponent's tuzdyq.
    pub lost: u32,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The final stones of South and North.
    pub stones: [u32; 2],
    /// Whether the side to move had no stone.
    pub atsyrau: bool,
}

/// A position. Pits are numbered from 1, sides are [`SOUTH`] and [`NORTH`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub game: Game,
    /// The stones of each side's pits; pit 1 is the first of its row.
    pub rows: [Vec<u32>; 2],
    pub kazans: [u32; 2],
    /// The pit of the opponent that each side has as tuzdyq.
    pub tuzdyqs: [Option<usize>; 2],
    pub side: usize,
    pub move_number: u32,
}

impl Model {
    pub fn start(game: Game) -> Model {
        Model {
            game,
            rows: [vec![game.stones_per_pit; game.pits], vec![game.stones_per_pit; game.pits]],
            kazans: [0, 0],
            tuzdyqs: [None, None],
            side: SOUTH,
            move_number: 1,
        }
    }

    pub fn stones(&self, side: usize, pit: usize) -> u32 {
        self.rows[side][pit - 1]
    }

    /// The pits that may be sown from.
    pub fn legal_moves(&self) -> Vec<usize> {
        if self.end().is_some() {
            return Vec::new();
        }
        (1..=self.game.pits).filter(|&pit| self.stones(self.side, pit) > 0).collect()
    }

    /// How the game ended, if it did.
    pub fn end(&self) -> Option<End> {
        if self.kazans.iter().any(|&kazan| 2 * kazan > self.game.total()) {
            return Some(End { stones: self.kazans, atsyrau: false });
        }
        if self.rows[self.side].iter().all(|&stones| stones == 0) {
            let mut stones = self.kazans;
            let other = 1 - self.side;
            stones[other] += self.rows[other].iter().sum::<u32>();
            return Some(End { stones, atsyrau: true });
        }
        None
    }

    /// Plays a legal move.
    pub fn play(&mut self, pit: usize) -> Move {
        assert!(self.legal_moves().contains(&pit), "illegal move {pit} in {}", self.fen());
        let (me, opponent) = (self.side, 1 - self.side);
        let mut sown_into_kazans = [0, 0];

        let mut hand = std::mem::take(&mut self.rows[me][pit - 1]);
        let mut at = (me, pit);
        if hand == 1 {
            at = self.next_pit(at);
        }
        loop {
            let (row, number) = at;
            if self.tuzdyqs[1 - row] == Some(number) {
                self.kazans[1 - row] += 1;
                sown_into_kazans[1 - row] += 1;
            } else {
                self.rows[row][number - 1] += 1;
            }
            hand -= 1;
            if hand == 0 {
                break;
            }
            at = self.next_pit(at);
        }

        let (row, number) = at;
        let mut captured = 0;
        let mut tuzdyq = false;
        if row == opponent && self.tuzdyqs[me] != Some(number) {
            let stones = self.stones(row, number);
            tuzdyq = stones == 3 && self.may_take_tuzdyq(number);
            if tuzdyq {
                self.tuzdyqs[me] = Some(number);
            }
            if tuzdyq || stones.is_multiple_of(2) {
                captured = stones;
                self.rows[row][number - 1] = 0;
                self.kazans[me] += captured;
            }
        }

        if me == NORTH {
            self.move_number += 1;
        }
        self.side = opponent;
        Move { landing: at, captured, tuzdyq, fed: sown_into_kazans[me], lost: sown_into_kazans[opponent] }
    }

    /// Whether the side to move may have a tuzdyq in the opponent's pit with this number.
    fn may_take_tuzdyq(&self, number: usize) -> bool {
        let has_one_already = self.tuzdyqs[self.side].is_some();
        let is_last_pit = number == self.game.pits;
        let opponent_has_same_number = self.tuzdyqs[1 - self.side] == Some(number);
        self.game.has_tuzdyq && !has_one_already && !is_last_pit && !opponent_has_same_number
    }

    /// The pit that follows in the order of sowing.
    fn next_pit(&self, (row, number): (usize, usize)) -> (usize, usize) {
        if number == self.game.pits { (1 - row, 1) } else { (row, number + 1) }
    }

    /// The number of move sequences of exactly `depth` half-moves.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        for pit in self.legal_moves() {
            let mut next = self.clone();
            next.play(pit);
            count += next.perft(depth - 1);
        }
        count
    }

    /// The position in the notation of the online platforms: North's row from its last pit to its first, South's
    /// row from the first to the last, the kazans, the side to move, the number of the move. A `t` is a pit of the
    /// row that the other side has captured.
    pub fn fen(&self) -> String {
        let mut north = self.row_fields(NORTH);
        north.reverse();
        let south = self.row_fields(SOUTH);
        let side = ["S", "N"][self.side];
        let [south_kazan, north_kazan] = self.kazans;
        let rows = [merge_empty(&north), merge_empty(&south)].join("/");
        format!("{rows} {south_kazan} {north_kazan} {side} {}", self.move_number)
    }

    /// One field for each pit of a row; an empty string for an empty pit.
    fn row_fields(&self, row: usize) -> Vec<String> {
        let field = |number| match self.stones(row, number) {
            _ if self.tuzdyqs[1 - row] == Some(number) => "t".to_string(),
            0 => String::new(),
            stones => format!("{stones}S"),
        };
        (1..=self.game.pits).map(field).collect()
    }
}

/// Joins the fields of a row, runs of empty ones as their length.
fn merge_empty(fields: &[String]) -> String {
    let mut parts = Vec::new();
    let mut empty = 0;
    for field in fields {
        if field.is_empty() {
            empty += 1;
            continue;
        }
        if empty > 0 {
            parts.push(empty.to_string());
            empty = 0;
        }
        parts.push(field.clone());
    }
    if empty > 0 {
        parts.push(empty.to_string());
    }
    parts.join(",")
}
