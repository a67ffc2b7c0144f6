//! A minimal perfect index: every position with a given number of stones in the pits and given tuzdyqs has its own
//! number, from 0, without gaps.
//!
//! A row with a number of stones is a composition of them into the pits that are not tuzdyqs. Count the stones from the
//! last pit of the row towards the first, and let s(k) be those in the first k + 1 pits met: there are
//! binomial(s(k) + k, k + 1) ways in which s(0) to s(k) can rise to less than s(k). The sum of these numbers over all
//! pits but the last is the number of the row among those with as many stones (the combinatorial number system; Knuth,
//! "The Art of Computer Programming" 4A, 7.2.1.3).
//!
//! Positions are numbered by the stones in the mover's row, many first; then by the number of the opponent's row; then
//! by the number of the mover's. Of the orders tried this one compresses best, because neighbouring stretches of equal
//! length differ in one pit of the opponent's only. When the positions with either side to move are numbered as seen
//! from South, a move within a row leads to a larger number, and so does a move of South's into North's row: the
//! solver goes from the last number to the first. Only North's moves into South's row lead back.

use crate::game::{Board, Half, MAX_PITS, Pit, Rules};

use super::configuration::Configuration;

/// The most stones that an index can have: a power of two less one, so that a sum can be masked.
pub const MAX_STONES: usize = 31;

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// How many ways there are to put so many stones into so many pits, at least one.
fn compositions(stones: u64, pits: u64) -> u64 {
    binomial(stones + pits - 1, pits - 1)
}

/// What the stones behind each pit but the last of a row add to the row's number, by how many they are.
#[derive(Clone, Debug)]
struct RowWeights([[u32; MAX_STONES + 1]; MAX_PITS - 1]);

impl RowWeights {
    fn new<R: Rules>(captured: Option<Pit>) -> RowWeights {
        let mut weights = RowWeights([[0; MAX_STONES + 1]; MAX_PITS - 1]);
        let live = |pit: &usize| captured.map(Pit::index) != Some(*pit);
        // Behind pit `gap` are those with larger indices; where the next one is a tuzdyq they say nothing new.
        for gap in 0..R::PITS - 1 {
            let pits = (gap + 1..R::PITS).filter(live).count();
            let more = (0..=gap).any(|pit| live(&pit));
            for sum in 1..=MAX_STONES {
                if more && live(&(gap + 1)) {
                    let place = pits as u64 - 1;
                    weights.0[gap][sum] = binomial(sum as u64 + place, place + 1) as u32;
                }
            }
        }
        weights
    }

    #[inline(always)]
    fn rank<R: Rules>(&self, row: &Half, total: u32) -> u32 {
        let behind = u64::from(total).wrapping_mul(0x0101_0101_0101_0101).wrapping_sub(row.running_sums());
        let mut rank = 0;
        for gap in 0..R::PITS - 1 {
            rank += self.0[gap][(behind >> (8 * gap)) as usize & MAX_STONES];
        }
        rank
    }

    /// The row with this number.
    fn row<R: Rules>(&self, total: u32, captured: Option<Pit>, rank: u64) -> Half {
        let (mut counts, mut rest, mut left) = ([0; MAX_PITS], rank, total as usize);
        let pits = live_pits::<R>(captured);
        for pair in pits.windows(2) {
            let weights = &self.0[pair[1] - 1];
            let behind = (0..=left).rev().find(|&sum| u64::from(weights[sum]) <= rest).unwrap_or(0);
            rest -= u64::from(weights[behind]);
            counts[pair[0]] = (left - behind) as u8;
            left = behind;
        }
        counts[pits[pits.len() - 1]] = left as u8;
        Half::without_kazan(&counts, captured)
    }
}

/// The pits of a row that can hold stones, from the first.
fn live_pits<R: Rules>(captured: Option<Pit>) -> Vec<usize> {
    (0..R::PITS).filter(|&pit| captured.map(Pit::index) != Some(pit)).collect()
}

/// The rows with a number of stones, by rising number.
fn rows<R: Rules>(stones: u32, captured: Option<Pit>) -> Vec<Half> {
    let mut cells = live_pits::<R>(captured);
    cells.reverse();
    let mut counts = [0; MAX_PITS];
    counts[cells[cells.len() - 1]] = stones as u8;
    let mut rows = vec![Half::without_kazan(&counts, captured)];
    // The next row has one sum more by a stone from the next pit, and those before as small as can be.
    while let Some(source) = cells[1..].iter().position(|&cell| counts[cell] > 0) {
        let gathered = std::mem::take(&mut counts[cells[0]]);
        counts[cells[source + 1]] -= 1;
        counts[cells[source]] = gathered + 1;
        rows.push(Half::without_kazan(&counts, captured));
    }
    rows
}

/// The numbering of all positions of a game with few stones.
#[derive(Clone, Debug)]
pub struct Index {
    configurations: Vec<Configuration>,
    /// The number of a configuration by the pits captured in the mover's and the opponent's row (0: none).
    numbers: [[u8; MAX_PITS]; MAX_PITS],
    /// By the captured pit of the row (0: none).
    weights: Vec<RowWeights>,
    /// The rows with so many stones in so many pits less the whole row's.
    counts: [[u64; MAX_STONES + 1]; 2],
    /// The first number of the positions with so many stones in the mover's row: by the stones of both rows, and by
    /// whether a pit is captured in the mover's and in the opponent's row.
    starts: Vec<[[u64; MAX_STONES + 2]; 4]>,
}

#[inline(always)]
fn place(pit: Option<Pit>) -> usize {
    pit.map_or(0, |pit| usize::from(pit.number()))
}

impl Index {
    /// The index of a game, for up to so many stones.
    ///
    /// # Panics
    /// If there are more stones than [`MAX_STONES`].
    #[must_use]
    pub fn new<R: Rules>(most: u32) -> Index {
        assert!(most as usize <= MAX_STONES, "an index of {most} stones");
        let configurations = Configuration::all::<R>();
        let mut numbers = [[0; MAX_PITS]; MAX_PITS];
        for (number, configuration) in configurations.iter().enumerate() {
            numbers[place(configuration.opponent)][place(configuration.mover)] = number as u8;
        }
        let captures = std::iter::once(None).chain(Pit::all(R::PITS).map(Some));
        let mut counts = [[0; MAX_STONES + 1]; 2];
        for (captured, counts) in counts.iter_mut().enumerate() {
            for (stones, count) in counts.iter_mut().enumerate() {
                *count = compositions(stones as u64, (R::PITS - captured) as u64);
            }
        }
        let starts = (0..=most as usize).map(|stones| {
            std::array::from_fn(|captured| {
                let (own, other) = (captured & 1, captured >> 1);
                let mut starts = [0; MAX_STONES + 2];
                for mine in (0..stones).rev() {
                    starts[mine] =
                        starts[mine + 1] + counts[own][mine + 1] * counts[other][stones - mine - 1];
                }
                starts
            })
        });
        Index {
            numbers,
            weights: captures.map(RowWeights::new::<R>).collect(),
            counts,
            starts: starts.collect(),
            configurations,
        }
    }

    /// All configurations, by their numbers.
    #[must_use]
    pub fn configurations(&self) -> &[Configuration] {
        &self.configurations
    }

    /// The number of a configuration.
    #[inline(always)]
    #[must_use]
    pub fn number(&self, configuration: Configuration) -> usize {
        self.numbers[place(configuration.opponent)][place(configuration.mover)].into()
    }

    /// Where a position is among those with as many stones in the pits: the number of its configuration, and its own
    /// among those of this.
    #[inline(always)]
    #[must_use]
    pub fn locate<R: Rules>(&self, board: &Board<R>) -> (usize, u64) {
        (self.number(Configuration::of(board)), self.rank::<R>(board.mover(), board.opponent()))
    }

    /// The number of the position with these rows, of which `own` is the one whose side the numbers are seen from,
    /// among those with the same configuration and as many stones.
    #[inline(always)]
    #[must_use]
    pub fn rank<R: Rules>(&self, own: &Half, other: &Half) -> u64 {
        let (mine, theirs) = (own.row_stones(), other.row_stones());
        let (captured, taken) = (own.captured_pit(), other.captured_pit());
        let own_rank = self.weights[place(captured)].rank::<R>(own, mine);
        let other_rank = self.weights[place(taken)].rank::<R>(other, theirs);
        let lost = usize::from(captured.is_some());
        let start =
            self.starts[(mine + theirs) as usize][lost + 2 * usize::from(taken.is_some())][mine as usize];
        start + u64::from(other_rank) * self.counts[lost][mine as usize] + u64::from(own_rank)
    }

    /// The position with this number, with the side to move that the number is seen from; both kazans are empty.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn board<R: Rules>(&self, stones: u32, configuration: Configuration, rank: u64) -> Board<R> {
        let Configuration { mover: taken, opponent: captured } = configuration;
        let lost = usize::from(captured.is_some());
        let starts = &self.starts[stones as usize][lost + 2 * usize::from(taken.is_some())];
        let mine = (0..=stones as usize)
            .find(|&mine| starts[mine] <= rank)
            .expect("rank 0 has all stones in one row");
        let rest = rank - starts[mine];
        let count = self.counts[lost][mine];
        let own = self.weights[place(captured)].row::<R>(mine as u32, captured, rest % count);
        let other = self.weights[place(taken)].row::<R>(stones - mine as u32, taken, rest / count);
        Board::of_halves(own, other)
    }

    /// How many positions with so many stones the configuration has.
    #[must_use]
    pub fn count<R: Rules>(configuration: Configuration, stones: u32) -> u64 {
        compositions(stones.into(), configuration.pits::<R>() as u64)
    }

    /// How many positions with so many stones there are.
    #[must_use]
    pub fn layer<R: Rules>(stones: u32) -> u64 {
        Configuration::all::<R>()
            .into_iter()
            .map(|configuration| Index::count::<R>(configuration, stones))
            .sum()
    }

    /// The rows of all positions with so many stones and one configuration, the mover's first, from the last number
    /// to the first.
    pub fn positions_from_last<R: Rules>(
        stones: u32,
        configuration: Configuration,
        visit: &mut impl FnMut(usize, &Half, &Half),
    ) {
        let mut number = compositions(stones.into(), configuration.pits::<R>() as u64) as usize;
        for mine in 0..=stones {
            let own = rows::<R>(mine, configuration.opponent);
            for other in rows::<R>(stones - mine, configuration.mover).iter().rev() {
                for own in own.iter().rev() {
                    number -= 1;
                    visit(number, own, other);
                }
            }
        }
    }
}
