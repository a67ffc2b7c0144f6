//! Solves layers in order and writes a file for each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use crate::endgame::Configuration;
use crate::endgame::format::{self, FormatError, Header, Kind, Layer, Packed, Unpacker};
use crate::endgame::index::Index;
use crate::endgame::solve::{Bounds, Lower, Sweep, Unit, Values};
use crate::engine::folder::{self, Problem, layer_name};
use crate::game::Rules;
use crate::tools::Share;
use crate::tools::files::write_atomically;

/// Positions in a block of the files, as a power of two.
const BLOCK_BITS: u8 = 16;
/// A layer with at least so many positions keeps each unit in a file of its own until all are done, so that little is
/// lost by an interruption.
const LAYER_IN_PARTS: u64 = 20_000_000;
/// Bytes that solving takes for each position of a configuration: the bounds of both sides, and their values.
const BYTES_A_POSITION: u64 = 12;

/// What is to be built.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The most stones in the pits.
    pub stones: u32,
    /// The folder for the files; layers that are there already are used.
    pub folder: PathBuf,
    /// Units solved at once.
    pub threads: usize,
    /// The most memory to use, in bytes.
    pub memory: u64,
    /// Only a share of the last layer, left in parts; all layers before it must be there.
    pub share: Option<Share>,
}

/// What a build tells.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A file is damaged and will be replaced by a new one.
    Damaged(&'a Problem),
    /// A layer that was there is used.
    Found(Header),
    /// The solving of a layer begins.
    Begun {
        /// Its stones.
        stones: u32,
        /// Its positions, or those of the share that is to be solved.
        positions: u64,
    },
    /// A unit has been looked at once more.
    Swept {
        /// The unit's number.
        unit: usize,
        /// How far it is.
        sweep: Sweep,
    },
    /// A unit is done, or its part was there.
    Solved {
        /// Its positions.
        positions: u64,
        /// Whether it was there already.
        found: bool,
    },
    /// A layer has been written.
    Written {
        /// Its header.
        header: Header,
        /// The size of its file.
        bytes: u64,
    },
}

/// Why nothing or not all has been built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// It was told to stop. What is finished has been kept.
    #[error("interrupted")]
    Interrupted,
    /// There is not enough memory.
    #[error("{stones} stones need {needed} MB of memory, only {allowed} MB are allowed")]
    Memory {
        /// The layer.
        stones: u32,
        /// Needed for one unit, in MB.
        needed: u64,
        /// Allowed, in MB.
        allowed: u64,
    },
    /// A layer that a share builds on is not there.
    #[error("{0} is missing; build the layers below a share first")]
    Missing(PathBuf),
    /// A file that is there cannot be used, and is more than [damaged](Problem::is_damage) or needed by a share.
    #[error("{0}; remove the file to have it built again")]
    Problem(#[from] Problem),
    /// A file cannot be written, or a folder not be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// There are no threads or no memory for packing.
    #[error("cannot work: {0}")]
    System(String),
}

/// A unit's tables, as values and packed.
type Solved = Vec<(usize, Values, Packed)>;

/// The values of all finished layers.
#[derive(Default)]
struct Below {
    /// By stones, then by configuration.
    layers: Vec<Vec<Values>>,
    open: bool,
}

impl Lower for Below {
    fn is_exact(&self) -> bool {
        !self.open
    }

    #[inline(always)]
    fn bounds(&self, stones: u32, configuration: usize, rank: u64) -> Bounds {
        self.layers[stones as usize][configuration].get(rank as usize)
    }
}

impl Below {
    fn push(&mut self, layer: Vec<Values>) {
        self.open |= layer.iter().any(|values| !values.width.is_empty());
        self.layers.push(layer);
    }

    fn bytes(&self) -> u64 {
        let size = |values: &Values| (values.lower.len() + values.width.len()) as u64;
        self.layers.iter().flatten().map(size).sum()
    }
}

/// Builds what is missing of the plan, or damaged; other files in the folder are left alone.
///
/// `observe` is called from all threads. When `stop` is set the build ends after the sweep or the block at hand; what is
/// finished by then is found by the next one.
///
/// # Errors
/// When it cannot be finished.
pub fn build<R: Rules>(
    plan: &Plan,
    stop: &AtomicBool,
    observe: &(dyn Fn(Event<'_>) + Sync),
) -> Result<(), BuildError> {
    fs::create_dir_all(&plan.folder).map_err(|error| BuildError::Io(plan.folder.clone(), error))?;
    // A share replaces no layer: the other jobs read it.
    let may_replace = plan.share.is_none();
    let there = (0..=plan.stones)
        .map(|stones| {
            let path = plan.folder.join(layer_name(R::VARIANT, stones));
            let exists = path.try_exists().map_err(|error| BuildError::Io(path.clone(), error))?;
            if exists { usable(may_replace, observe, whole_layer::<R>(&path, stones)) } else { Ok(None) }
        })
        .collect::<Result<Vec<_>, BuildError>>()?;
    let missing = there.iter().rposition(Option::is_none).map(|stones| stones as u32);
    let mut builder = Builder::<R>::new(plan, stop, observe);
    if let Some(last) = missing {
        // Known at once, and not only after all the work before.
        builder.concurrency(last)?;
    }
    for (stones, layer) in (0..).zip(there) {
        let Some(layer) = layer else {
            builder.solve_layer(stones)?;
            continue;
        };
        // What is above needs it, if something is still to be solved there.
        if missing.is_some_and(|missing| stones < missing) {
            let values = builder.values(&layer, stones);
            builder.check_stop()?;
            let Some(values) = usable(may_replace, observe, values)? else {
                builder.solve_layer(stones)?;
                continue;
            };
            builder.below.push(values);
        }
        observe(Event::Found(*layer.header()));
        builder.remove_parts(stones);
    }
    Ok(())
}

fn whole_layer<R: Rules>(path: &Path, stones: u32) -> Result<Layer, BuildError> {
    let layer = folder::open(path, R::VARIANT, stones)?;
    if layer.is_whole() { Ok(layer) } else { Err(Problem::Incomplete(path.to_owned()).into()) }
}

/// What was found in a file, or nothing where it is damaged and may be replaced.
fn usable<T>(
    may_replace: bool,
    observe: &(dyn Fn(Event<'_>) + Sync),
    found: Result<T, BuildError>,
) -> Result<Option<T>, BuildError> {
    match found {
        Err(BuildError::Problem(problem)) if may_replace && problem.is_damage() => {
            observe(Event::Damaged(&problem));
            Ok(None)
        }
        found => found.map(Some),
    }
}

struct Builder<'a, R> {
    plan: &'a Plan,
    stop: &'a AtomicBool,
    observe: &'a (dyn Fn(Event<'_>) + Sync),
    index: Index,
    below: Below,
    rules: std::marker::PhantomData<R>,
}

impl<'a, R: Rules> Builder<'a, R> {
    fn new(plan: &'a Plan, stop: &'a AtomicBool, observe: &'a (dyn Fn(Event<'_>) + Sync)) -> Self {
        let index = Index::new::<R>(plan.stones);
        Builder { plan, stop, observe, index, below: Below::default(), rules: std::marker::PhantomData }
    }

    fn check_stop(&self) -> Result<(), BuildError> {
        if self.stop.load(Relaxed) { Err(BuildError::Interrupted) } else { Ok(()) }
    }

    fn path(&self, stones: u32) -> PathBuf {
        self.plan.folder.join(layer_name(R::VARIANT, stones))
    }

    fn part(&self, stones: u32, unit: usize) -> PathBuf {
        self.plan.folder.join(format!("{}-{stones:02}.unit-{unit:02}", R::VARIANT))
    }

    /// The values of a layer that is there.
    fn values(&self, layer: &Layer, stones: u32) -> Result<Vec<Values>, BuildError> {
        let tables: Result<Vec<Values>, FormatError> = self.pool(self.plan.threads)?.install(|| {
            let unpack = |configuration| layer.values(configuration, &mut Unpacker::new()?);
            (0..self.index.configurations().len()).into_par_iter().map(unpack).collect()
        });
        Ok(tables.map_err(|error| Problem::Format(self.path(stones), error))?)
    }

    fn pool(&self, threads: usize) -> Result<rayon::ThreadPool, BuildError> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
        builder.build().map_err(|error| BuildError::System(error.to_string()))
    }

    /// How many units of a layer can be solved at once in the memory allowed, with all layers below it unpacked.
    fn concurrency(&self, stones: u32) -> Result<usize, BuildError> {
        const MEGABYTE: u64 = 1 << 20;
        let largest =
            self.index.configurations().iter().map(|&it| Index::count::<R>(it, stones)).max().unwrap_or(0);
        // The layer itself is collected beside those below it, unless only parts of it are written.
        let loaded = self.below.layers.len() as u32;
        let below = self.below.bytes() + (loaded..stones).map(Index::layer::<R>).sum::<u64>();
        let kept = below + if self.share(stones).is_some() { 0 } else { Index::layer::<R>(stones) };
        let needed = kept + largest * BYTES_A_POSITION;
        let free = self.plan.memory.saturating_sub(kept);
        match (free / (largest * BYTES_A_POSITION).max(1)).min(self.plan.threads as u64) {
            0 => Err(BuildError::Memory {
                stones,
                needed: needed.div_ceil(MEGABYTE),
                allowed: self.plan.memory / MEGABYTE,
            }),
            units => Ok(units as usize),
        }
    }

    fn solve_layer(&mut self, stones: u32) -> Result<(), BuildError> {
        self.check_stop()?;
        let share = self.share(stones);
        if self.plan.share.is_some() && share.is_none() {
            return Err(BuildError::Missing(self.path(stones)));
        }
        let is_mine = |unit: usize| share.is_none_or(|share| share.has(unit as u64));
        let units = Unit::<Below>::all(&self.index).into_iter().enumerate();
        let mine: Vec<_> = units.filter(|&(unit, _)| is_mine(unit)).collect();
        let positions = mine.iter().map(|&(_, it)| self.unit_positions(it, stones)).sum();
        (self.observe)(Event::Begun { stones, positions });
        let solve = |&(unit, configuration): &(usize, Configuration)| self.unit(stones, unit, configuration);
        let pool = self.pool(self.concurrency(stones)?)?;
        let units = || mine.par_iter().with_max_len(1);
        if share.is_some() {
            return pool.install(|| units().try_for_each(|unit| solve(unit).map(drop)));
        }
        let solved: Vec<Solved> = pool.install(|| units().map(solve).collect::<Result<_, BuildError>>())?;
        let mut values: Vec<Option<Values>> = vec![None; self.index.configurations().len()];
        let mut packed: Vec<Option<Packed>> = vec![None; values.len()];
        for (configuration, table, pack) in solved.into_iter().flatten() {
            values[configuration] = Some(table);
            packed[configuration] = Some(pack);
        }
        self.write(&self.path(stones), stones, &packed)?;
        self.remove_parts(stones);
        self.below.push(values.into_iter().flatten().collect());
        Ok(())
    }

    /// The share of this layer that is to be solved, if it is not the whole.
    fn share(&self, stones: u32) -> Option<Share> {
        self.plan.share.filter(|_| stones == self.plan.stones)
    }

    /// Removes the parts of a layer that is there as a whole, and nothing else that has their names.
    fn remove_parts(&self, stones: u32) {
        for unit in 0..Unit::<Below>::all(&self.index).len() {
            let path = self.part(stones, unit);
            let is_part = match folder::open(&path, R::VARIANT, stones) {
                Ok(_) => true,
                Err(problem) => problem.is_damage(),
            };
            if is_part {
                // What stays does no harm.
                let _ = fs::remove_file(path);
            }
        }
    }

    fn unit_positions(&self, configuration: Configuration, stones: u32) -> u64 {
        let count = Index::count::<R>(configuration, stones);
        if configuration == configuration.turned() { count } else { 2 * count }
    }

    /// Solves a unit, or finds it in a file.
    fn unit(&self, stones: u32, unit: usize, configuration: Configuration) -> Result<Solved, BuildError> {
        self.check_stop()?;
        let positions = self.unit_positions(configuration, stones);
        let path = self.part(stones, unit);
        if path.exists() {
            let part = self.read_part(&path, stones, configuration);
            if let Some(solved) = usable(true, self.observe, part)? {
                (self.observe)(Event::Solved { positions, found: true });
                return Ok(solved);
            }
        }
        let mut go_on = |sweep| {
            (self.observe)(Event::Swept { unit, sweep });
            !self.stop.load(Relaxed)
        };
        let tables = Unit::new(&self.index, &self.below, stones, configuration)
            .solve::<R>(&mut go_on)
            .ok_or(BuildError::Interrupted)?;
        let solved: Solved = tables
            .into_iter()
            .map(|(configuration, values)| {
                let packed = Packed::new(&values, BLOCK_BITS, || !self.stop.load(Relaxed));
                let packed = packed.map_err(|error| BuildError::System(error.to_string()))?;
                Ok((configuration, values, packed.ok_or(BuildError::Interrupted)?))
            })
            .collect::<Result<_, BuildError>>()?;
        if self.plan.share.is_some() || Index::layer::<R>(stones) >= LAYER_IN_PARTS {
            let mut tables: Vec<Option<Packed>> = vec![None; self.index.configurations().len()];
            for (configuration, _, packed) in &solved {
                tables[*configuration] = Some(packed.clone());
            }
            self.write_bytes(&path, &format::write(R::VARIANT, stones, BLOCK_BITS, &tables))?;
        }
        (self.observe)(Event::Solved { positions, found: false });
        Ok(solved)
    }

    fn read_part(
        &self,
        path: &Path,
        stones: u32,
        configuration: Configuration,
    ) -> Result<Solved, BuildError> {
        let layer = folder::open(path, R::VARIANT, stones)?;
        let format_error = |error| Problem::Format(path.to_owned(), error);
        let block_bits = layer.header().block_bits;
        if block_bits != BLOCK_BITS {
            let error = FormatError::Header { field: "block size", found: block_bits.into() };
            return Err(format_error(error).into());
        }
        let mut unpacker = Unpacker::new().map_err(format_error)?;
        let mut numbers = vec![self.index.number(configuration), self.index.number(configuration.turned())];
        numbers.dedup();
        let mut solved = Vec::new();
        for number in numbers {
            if layer.kind(number) == Kind::Absent {
                return Err(Problem::Incomplete(path.to_owned()).into());
            }
            let (values, packed) = layer.packed(number, &mut unpacker).map_err(format_error)?;
            solved.push((number, values, packed));
        }
        Ok(solved)
    }

    fn write(&self, path: &Path, stones: u32, tables: &[Option<Packed>]) -> Result<(), BuildError> {
        let bytes = format::write(R::VARIANT, stones, BLOCK_BITS, tables);
        let bytes = Arc::new(bytes);
        let layer = Layer::parse(bytes.clone()).map_err(|error| Problem::Format(path.to_owned(), error))?;
        self.write_bytes(path, &bytes)?;
        (self.observe)(Event::Written { header: *layer.header(), bytes: bytes.len() as u64 });
        Ok(())
    }

    fn write_bytes(&self, path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
        write_atomically(path, bytes).map_err(|error| BuildError::Io(path.to_owned(), error))
    }
}
