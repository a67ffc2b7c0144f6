//! A folder with files of exact endgames.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::endgame::format::{FormatError, Layer};
use crate::game::Variant;

/// The name of the file of a layer.
#[must_use]
pub fn layer_name(variant: Variant, stones: u32) -> String {
    format!("{variant}-{stones:02}.tqe")
}

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// There is something wrong with what is in it.
    #[error("{0}: {1}")]
    Format(PathBuf, FormatError),
    /// It is not what its name says.
    #[error("{path}: holds {found}, expected {expected}")]
    Misplaced {
        /// The file.
        path: PathBuf,
        /// The game and the stones in it.
        found: String,
        /// Those that it should hold.
        expected: String,
    },
    /// Configurations are missing.
    #[error("{0}: not complete")]
    Incomplete(PathBuf),
}

impl Problem {
    /// Whether it is a file of this format whose bytes are not as they were written: the one that is built again has
    /// all that was ever in it. Any other file may be of use to its owner.
    #[must_use]
    pub const fn is_damage(&self) -> bool {
        use FormatError::{Block, Checksum, Header, Length};
        matches!(self, Problem::Format(_, Header { .. } | Checksum | Length { .. } | Block(_)))
    }
}

/// A layer that is there, with its file.
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub layer: Layer,
}

/// Opens a file of a layer without reading the blocks, which are mapped into memory.
///
/// # Errors
/// When it cannot be used.
pub fn open(path: &Path, variant: Variant, stones: u32) -> Result<Layer, Problem> {
    let layer = map(path).map_err(|error| Problem::Io(path.to_owned(), error)).and_then(|bytes| {
        Layer::parse(Arc::new(bytes)).map_err(|error| Problem::Format(path.to_owned(), error))
    })?;
    let header = layer.header();
    if (header.variant, header.stones) != (variant, stones) {
        let name = |variant: Variant, stones: u32| format!("{variant} with {stones} stones");
        return Err(Problem::Misplaced {
            path: path.to_owned(),
            found: name(header.variant, header.stones),
            expected: name(variant, stones),
        });
    }
    Ok(layer)
}

/// Maps a file into memory.
#[allow(unsafe_code, reason = "there is no safe way to map a file")]
fn map(path: &Path) -> io::Result<memmap2::Mmap> {
    // Before it is opened, because opening a pipe waits for someone who writes.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let file = File::open(path)?;
    // SAFETY: the bytes must not change while they are mapped. The files are only ever replaced as a whole, by renaming,
    // which leaves the mapped one as it is; endgames/README.md asks the same of people. A block that someone changes all
    // the same is copied before its checksum is tested. A file cut short while it is in use ends the process, as in any
    // program that maps files.
    unsafe { memmap2::Mmap::map(&file) }
}

/// Looks for the layers of a game in a folder: those that can be used, by rising number of stones, and what is wrong
/// with the others.
///
/// # Errors
/// When the folder cannot be read.
pub fn look(folder: &Path, variant: Variant) -> io::Result<(Vec<Found>, Vec<Problem>)> {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(stones) = stones_in_name(&path, variant) else { continue };
        match open(&path, variant, stones) {
            Ok(layer) if layer.is_whole() => found.push(Found { path, layer }),
            Ok(_) => problems.push(Problem::Incomplete(path)),
            Err(problem) => problems.push(problem),
        }
    }
    found.sort_by_key(|found| found.layer.header().stones);
    problems.sort_by_key(ToString::to_string);
    Ok((found, problems))
}

fn stones_in_name(path: &Path, variant: Variant) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let stones = name.strip_prefix(variant.name())?.strip_prefix('-')?.strip_suffix(".tqe")?;
    stones.parse().ok().filter(|&stones| layer_name(variant, stones) == name)
}
