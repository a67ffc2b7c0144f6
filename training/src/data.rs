//! The positions that a network learns from.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use tuzdyq::eval::Wdl;
use tuzdyq::eval::network::View;
use tuzdyq::game::Variant;
use tuzdyq::tools::datagen::{DataError, Flags, Reader, Record};

/// A file, and how much its positions count.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// The weight of its positions; 1 if not given.
    pub weight: f32,
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Source, String> {
        match text.rsplit_once('=') {
            None => Ok(Source { path: text.into(), weight: 1.0 }),
            Some((path, weight)) => match weight.parse() {
                Ok(weight) if f32::is_finite(weight) && weight > 0.0 => {
                    Ok(Source { path: path.into(), weight })
                }
                _ => Err(format!("'{weight}' is not a weight above 0")),
            },
        }
    }
}

/// Which positions are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Those whose best move captures.
    pub captures: bool,
    /// Those with a score that is a proven win or loss.
    pub decided: bool,
}

/// What is to be learnt of a position.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The share of the game's result; the rest is the score's.
    pub mix: f32,
    /// What the centistones of the engine's scale are multiplied by.
    pub temperature: f32,
}

/// Positions in memory, each with its weight.
#[derive(Default)]
pub struct Data {
    records: Vec<Record>,
    /// Where the records of each file end, with their weight.
    weights: Vec<(usize, f32)>,
}

/// One position, ready to learn from.
pub struct Sample {
    /// What the network sees.
    pub view: View,
    /// The chance of winning that is to be learnt, 0 to 1.
    pub target: f32,
    /// Centistones that change the odds of winning by a factor of e.
    pub scale: f32,
    /// How much the position counts.
    pub weight: f32,
}

impl Data {
    /// Reads files.
    ///
    /// # Errors
    /// When one cannot be read or is of another game.
    pub fn read(sources: &[Source], filter: Filter) -> Result<Data, DataError> {
        let mut data = Data::default();
        for Source { path, weight } in sources {
            data.add(path, filter)?;
            data.weights.push((data.records.len(), *weight));
        }
        Ok(data)
    }

    fn add(&mut self, path: &Path, filter: Filter) -> Result<(), DataError> {
        let mut reader = Reader::open(path)?;
        reader.require(Variant::Togyzqumalaq)?;
        while let Some(chunk) = reader.next_chunk()? {
            let wanted = |record: &Record| {
                let captures = filter.captures && record.flags().has(Flags::CAPTURE);
                let decided = filter.decided && record.score().is_decided();
                !(captures || decided)
            };
            self.records.extend(chunk.records.into_iter().filter(wanted));
        }
        Ok(())
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// What the network sees of a position.
    pub fn view(&self, index: usize) -> View {
        view(&self.records[index])
    }

    /// A position, and what is to be learnt of it.
    pub fn sample(&self, index: usize, target: Target) -> Sample {
        let Target { mix, temperature } = target;
        let record = &self.records[index];
        let source = self.weights.partition_point(|&(end, _)| end <= index);
        let view = view(record);
        let scale = temperature * Wdl::scale(f64::from(view.stones_left()) / 162.0) as f32;
        let score = record.score();
        let chance = if score.is_decided() {
            f32::from(u8::from(score.is_win()))
        } else {
            sigmoid(score.value() as f32 / scale)
        };
        let mix = if record.flags().has(Flags::DISTURBED) { 0.0 } else { mix };
        let target = chance + mix * (record.result().points() - chance);
        Sample { view, target, scale, weight: self.weights[source].1 }
    }
}

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn view(record: &Record) -> View {
    let mut stones = [0; 18];
    stones[..9].copy_from_slice(record.mover());
    stones[9..].copy_from_slice(record.opponent());
    let other = 162 - record.stones() as u8 - record.kazan();
    View { stones, kazans: [record.kazan(), other], tuzdyqs: record.tuzdyqs() }
}
