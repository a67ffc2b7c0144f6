//! What a file of training data is made of.

use std::collections::HashSet;
use std::fmt;

use super::record::{Flags, GameResult, Record};

/// The first scores, in stones, of the classes of a histogram; a class ends where the next begins.
const SCORES: [i32; 11] = [0, 1, 2, 4, 7, 11, 16, 24, 40, 80, 162];
/// Likewise, for stones left in the pits.
const STONES: [u32; 10] = [0, 9, 21, 41, 61, 81, 101, 121, 141, 162];

/// Counts of the records of a file or of several.
#[derive(Clone, Debug, Default)]
pub struct Census {
    records: u64,
    games: u64,
    /// Losses, draws and wins of the side to move.
    results: [u64; 3],
    captures: u64,
    disturbed: u64,
    exact: u64,
    /// Scores that are proven wins or losses.
    decided: u64,
    /// By the size of the score.
    scores: [u64; SCORES.len()],
    /// By stones left.
    stones: [u64; STONES.len()],
    plies: u64,
    positions: HashSet<u64, ahash::RandomState>,
}

impl Census {
    /// Counts a record.
    pub fn add(&mut self, record: &Record) {
        let flags = record.flags();
        let count = |flag| u64::from(flags.has(flag));
        self.records += 1;
        self.games += count(Flags::FIRST);
        self.captures += count(Flags::CAPTURE);
        self.disturbed += count(Flags::DISTURBED);
        self.exact += count(Flags::EXACT);
        self.results[record.result() as usize] += 1;
        self.plies += u64::from(record.ply());
        let score = record.score();
        if score.is_decided() {
            self.decided += 1;
        } else {
            self.scores[class(&SCORES, (score.value().abs() + 50) / 100)] += 1;
        }
        self.stones[class(&STONES, record.stones())] += 1;
        let hash = self.positions.hasher().hash_one(record.position_bytes());
        self.positions.insert(hash);
    }

    /// How many records there are.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }
}

/// The last class that begins at or before a value.
fn class<N: PartialOrd>(begins: &[N], value: N) -> usize {
    begins.iter().rposition(|begin| *begin <= value).unwrap_or(0)
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |count: u64| 100.0 * count as f64 / self.records.max(1) as f64;
        let [losses, draws, wins] =
            [GameResult::Loss, GameResult::Draw, GameResult::Win].map(|result| self.results[result as usize]);
        writeln!(f, "records    {}", self.records)?;
        writeln!(f, "positions  {} different", self.positions.len())?;
        writeln!(f, "games      {}", self.games)?;
        writeln!(f, "mean ply   {:.1}", self.plies as f64 / self.records.max(1) as f64)?;
        let (win, draw, loss) = (percent(wins), percent(draws), percent(losses));
        writeln!(f, "results    win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %, of the side to move")?;
        writeln!(f, "captures   {:.1} % of the best moves", percent(self.captures))?;
        writeln!(f, "disturbed  {:.1} % before a random move", percent(self.disturbed))?;
        writeln!(f, "proven     {:.1} % win or loss by the search", percent(self.decided))?;
        writeln!(f, "exact      {:.1} % by the endgame tables", percent(self.exact))?;
        writeln!(f, "score in stones, either side ahead")?;
        let scores = SCORES.map(i64::from);
        histogram(f, &scores, &self.scores, self.records)?;
        writeln!(f, "stones left in the pits")?;
        histogram(f, &STONES.map(i64::from), &self.stones, self.records)
    }
}

fn histogram(f: &mut fmt::Formatter<'_>, begins: &[i64], counts: &[u64], all: u64) -> fmt::Result {
    for (index, (begin, &count)) in begins.iter().zip(counts).enumerate() {
        let class = match begins.get(index + 1) {
            Some(next) if next - 1 > *begin => format!("{begin}..{}", next - 1),
            _ => begin.to_string(),
        };
        let percent = 100.0 * count as f64 / all.max(1) as f64;
        let bar = "#".repeat((percent / 2.0).round() as usize);
        writeln!(f, "{class:>9}  {count:>10}  {percent:>5.1} %  {bar}")?;
    }
    Ok(())
}
