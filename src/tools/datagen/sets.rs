//! Several files made one, and one made a set for training and one for validation.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::game::Variant;
use crate::search::Control;
use crate::tools::chance::{fingerprint, generator};

use super::file::{Beginning, DataError, Header, Order, Reader, Writer};
use super::record::{Flags, Record};
use super::{DatagenError, Told};

/// Records in a chunk of a shuffled file.
const CHUNK: usize = 1 << 16;

/// The positions that have been met, by their hashes: one new position in a million millions is taken for an old one.
struct Seen {
    hashes: HashSet<u64, ahash::RandomState>,
}

impl Seen {
    fn new() -> Seen {
        // Fixed, so that the same files always give the same.
        Seen { hashes: HashSet::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)) }
    }

    fn hash(&self, record: &Record) -> u64 {
        self.hashes.hasher().hash_one(record.position_bytes())
    }

    /// Whether the position is met for the first time.
    fn is_new(&mut self, record: &Record) -> bool {
        self.hashes.insert(self.hash(record))
    }

    fn has(&self, record: &Record) -> bool {
        self.hashes.contains(&self.hash(record))
    }
}

/// The variant of the files, which must all be of whole games of the same.
fn common_variant(inputs: &[PathBuf]) -> Result<(Variant, Vec<String>), DataError> {
    let mut variant = None;
    let mut origins = Vec::new();
    for path in inputs {
        let reader = Reader::open(path)?;
        reader.require(*variant.get_or_insert(reader.header().variant))?;
        origins.push(reader.header().origin.clone());
    }
    Ok((variant.unwrap_or_default(), origins))
}

/// Hands over the games of the files, those of a chunk at a time.
fn each_chunk(
    inputs: &[PathBuf],
    control: &Control,
    mut take: impl FnMut(Vec<Vec<Record>>) -> Result<(), DatagenError>,
) -> Result<(), DatagenError> {
    for path in inputs {
        let mut reader = Reader::open(path)?;
        while let Some(games) = reader.next_games()? {
            if control.is_stopped() {
                return Err(DatagenError::Interrupted);
            }
            take(games)?;
        }
    }
    Ok(())
}

/// Joins files of whole games in their order. Of positions that occur more than once, the first is kept.
///
/// Gives how many records there were, and how many of them were dropped; nothing when the file is there already.
///
/// # Errors
/// When a file cannot be used, or it is stopped; there is no new file then.
pub fn merge(
    inputs: &[PathBuf],
    output: &Path,
    control: &Control,
    tell: &mut dyn FnMut(Told<'_>),
) -> Result<Option<(u64, u64)>, DatagenError> {
    let (variant, origins) = common_variant(inputs)?;
    let header = Header { variant, order: Order::Games, origin: summary("merge", &origins) };
    // A merge is quick: what is left of an earlier one is thrown away.
    let mut writer = match Writer::open_anew(output, &header)? {
        Beginning::Complete => {
            tell(Told::There);
            return Ok(None);
        }
        Beginning::Part(writer, _) => writer,
    };
    let mut seen = Seen::new();
    let (mut read, mut dropped) = (0, 0);
    tell(Told::Begun { done: 0, of: None });
    each_chunk(inputs, control, |games| {
        let before: usize = games.iter().map(Vec::len).sum();
        let records: Vec<Record> =
            games.into_iter().flat_map(|game| without_repeats(game, &mut seen)).collect();
        read += before as u64;
        dropped += (before - records.len()) as u64;
        writer.add(&records, 0)?;
        tell(Told::Done { done: read, records: &records });
        Ok(())
    })?;
    writer.finish(0)?;
    Ok(Some((read, dropped)))
}

/// The positions of a game that are new; the first of them begins it.
fn without_repeats(game: Vec<Record>, seen: &mut Seen) -> Vec<Record> {
    let mut game: Vec<Record> = game.into_iter().filter(|record| seen.is_new(record)).collect();
    if let Some(first) = game.first_mut() {
        first.set_flags(first.flags().with(Flags::FIRST));
    }
    game
}

/// How to make sets for training.
#[derive(Clone, Debug)]
pub struct Split {
    /// How many of 1,000 games go to the set for validation.
    pub validation: u32,
    /// Another seed gives other sets, in another order.
    pub seed: u64,
}

/// Deals the games of some files whole to two sets, training and validation, and mixes the positions of each. A position
/// occurs in at most one set and once in it.
///
/// Gives how many records the sets have, and how many were dropped; nothing when both files are there already.
///
/// # Errors
/// When a file cannot be used, or it is stopped; there is no new file then.
pub fn shuffle(
    inputs: &[PathBuf],
    split: &Split,
    training: &Path,
    validation: &Path,
    control: &Control,
    tell: &mut dyn FnMut(Told<'_>),
) -> Result<Option<([u64; 2], u64)>, DatagenError> {
    let (variant, origins) = common_variant(inputs)?;
    let origin = summary(&format!("shuffle seed={} validation={}", split.seed, split.validation), &origins);
    // Before the work, so that a file that is in the way or cannot be written is found first.
    let open = |path: &Path, name: &str| {
        let header = Header { variant, order: Order::Shuffled, origin: format!("{name} of {origin}") };
        Writer::open_anew(path, &header)
    };
    let files = [open(training, "training")?, open(validation, "validation")?];
    if files.iter().all(|file| matches!(file, Beginning::Complete)) {
        tell(Told::There);
        return Ok(None);
    }
    let mut random = generator(split.seed, 0);
    let mut sets = [Vec::new(), Vec::new()];
    let mut seen = [Seen::new(), Seen::new()];
    let mut dropped = 0;
    tell(Told::Begun { done: 0, of: None });
    each_chunk(inputs, control, |games| {
        for game in games {
            let set = usize::from(random.random_range(0..1_000) < split.validation);
            let before = game.len();
            let new = game.into_iter().filter(|record| seen[set].is_new(record));
            let length = sets[set].len();
            sets[set].extend(new);
            dropped += (before - (sets[set].len() - length)) as u64;
        }
        tell(Told::Done { done: (sets[0].len() + sets[1].len()) as u64, records: &[] });
        Ok(())
    })?;
    let before = sets[1].len();
    sets[1].retain(|record| !seen[0].has(record));
    dropped += (before - sets[1].len()) as u64;
    for (file, records) in files.into_iter().zip(&mut sets) {
        records.shuffle(&mut random);
        if let Beginning::Part(mut writer, _) = file {
            records.chunks(CHUNK).try_for_each(|chunk| writer.add(chunk, 0))?;
            writer.finish(0)?;
        }
    }
    Ok(Some((sets.map(|records| records.len() as u64), dropped)))
}

/// How a file was made from others, in one line that is not too long.
pub(super) fn summary(what: &str, origins: &[String]) -> String {
    const LONGEST: usize = 3_000;
    let all = origins.join("; ");
    if all.len() <= LONGEST {
        return format!("{what}: {all}");
    }
    format!("{what}: {} files, fingerprint {:016x}", origins.len(), fingerprint(all.as_bytes()))
}
