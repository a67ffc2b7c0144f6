//! The file of one layer: all positions of a game with the same number of stones in the pits.
//!
//! `docs/endgame-format.md` describes it byte by byte.

use std::sync::Arc;

use crate::game::{Rules, Variant};

use super::configuration::Configuration;
use super::index::{Index, MAX_STONES};
use super::solve::Values;

const MAGIC: &[u8; 8] = b"TUZDYQEG";
const VERSION: u16 = 1;
/// Bytes before the directories.
const HEADER: usize = 48;
/// Bytes of a block's entry in the directory.
const ENTRY: usize = 8;
/// The level at which zstd packs. The tables are written once and read for ever, but 22 takes half as long again as 20
/// for 0.6 % less.
const LEVEL: i32 = 20;

/// Sizes of blocks that are accepted, as powers of two, in positions.
const BLOCK_BITS: std::ops::RangeInclusive<u8> = 8..=24;

/// The bytes of a file, wherever they come from: built in, mapped, or read.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// What is wrong with the bytes of a layer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// It is no such file at all.
    #[error("not an endgame file")]
    Foreign,
    /// It comes from another version of the program.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// A number in the header is impossible.
    #[error("{field} {found} in the header is not possible")]
    Header {
        /// Which number.
        field: &'static str,
        /// What it says.
        found: u64,
    },
    /// The header or the directory has been changed.
    #[error("the header's checksum is wrong")]
    Checksum,
    /// The file has been cut or extended.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// Bytes that there should be.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// A block has been changed.
    #[error("block {0} is damaged")]
    Block(usize),
    /// There is no memory to unpack it.
    #[error("no memory to unpack a block")]
    Memory,
}

/// How the values of a configuration are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They are not in this file.
    Absent = 0,
    /// All are exact.
    Exact = 1,
    /// Some are not: the lower bounds of a block are followed by how much more the upper ones are.
    Bounds = 2,
}

/// A layer's numbers, as its header gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub variant: Variant,
    /// Stones in the pits.
    pub stones: u32,
    /// Positions in a block, as a power of two.
    pub block_bits: u8,
    /// Positions in the file.
    pub positions: u64,
    /// Those without an exact value.
    pub open: u64,
}

/// The values of one configuration, packed.
#[derive(Clone, Debug)]
pub struct Packed {
    kind: Kind,
    positions: u64,
    open: u64,
    blocks: Vec<Vec<u8>>,
}

impl Packed {
    /// Packs values in blocks of 2^`block_bits` positions. `go_on` is asked before each block; `None` when it said no.
    ///
    /// # Errors
    /// When zstd has no memory.
    pub fn new(values: &Values, block_bits: u8, go_on: impl Fn() -> bool) -> std::io::Result<Option<Packed>> {
        let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
        compressor.include_contentsize(false)?;
        compressor.include_checksum(false)?;
        let size = 1 << block_bits;
        let kind = if values.width.is_empty() { Kind::Exact } else { Kind::Bounds };
        let mut blocks = Vec::with_capacity(values.lower.len().div_ceil(size));
        for (number, lower) in values.lower.chunks(size).enumerate() {
            if !go_on() {
                return Ok(None);
            }
            let mut bytes = lower.to_vec();
            if kind == Kind::Bounds {
                let start = number * size;
                bytes.extend_from_slice(&values.width[start..start + lower.len()]);
            }
            blocks.push(compressor.compress(&bytes)?);
        }
        Ok(Some(Packed { kind, positions: values.lower.len() as u64, open: values.open(), blocks }))
    }
}

/// The bytes of a file with these tables, by the numbers of their configurations; those that are `None` are absent.
#[must_use]
pub fn write(variant: Variant, stones: u32, block_bits: u8, tables: &[Option<Packed>]) -> Vec<u8> {
    let present = || tables.iter().flatten();
    let blocks: Vec<&Vec<u8>> = present().flat_map(|table| &table.blocks).collect();
    let data: usize = blocks.iter().map(|block| block.len()).sum();
    let mut file = Vec::with_capacity(HEADER + tables.len() + blocks.len() * ENTRY + data + 4);
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&[variant_number(variant), stones as u8, block_bits, 0]);
    file.extend_from_slice(&(tables.len() as u16).to_le_bytes());
    file.extend_from_slice(&present().map(|table| table.positions).sum::<u64>().to_le_bytes());
    file.extend_from_slice(&present().map(|table| table.open).sum::<u64>().to_le_bytes());
    file.extend_from_slice(&(blocks.len() as u64).to_le_bytes());
    file.extend_from_slice(&(data as u64).to_le_bytes());
    debug_assert_eq!(file.len(), HEADER);
    file.extend(tables.iter().map(|table| table.as_ref().map_or(Kind::Absent, |table| table.kind) as u8));
    for block in &blocks {
        file.extend_from_slice(&(block.len() as u32).to_le_bytes());
        file.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
    }
    file.extend_from_slice(&crc32fast::hash(&file).to_le_bytes());
    for block in blocks {
        file.extend_from_slice(block);
    }
    file
}

fn variant_number(variant: Variant) -> u8 {
    match variant {
        Variant::Togyzqumalaq => 0,
        Variant::Bestemshe => 1,
        Variant::Kozdatu => 2,
    }
}

/// The values of one configuration in a file.
#[derive(Clone, Copy, Debug)]
struct Table {
    kind: Kind,
    /// The number of its first block.
    first: usize,
    positions: u64,
}

/// Where a block is in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: usize,
    length: usize,
    checksum: u32,
}

/// Where a position's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The block.
    pub block: usize,
    /// The position's place in the block.
    pub offset: usize,
}

/// A file that has been looked through: header and directory are right, and its length is.
#[derive(Clone)]
pub struct Layer {
    bytes: Bytes,
    header: Header,
    tables: Vec<Table>,
    blocks: Vec<Place>,
}

/// Reads numbers from the front of bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(FormatError::Foreign)?;
        self.0 = rest;
        Ok(*head)
    }

    fn u64(&mut self) -> Result<u64, FormatError> {
        self.take().map(u64::from_le_bytes)
    }
}

impl Layer {
    /// Looks through the header and the directory; the blocks are checked when they are used.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(bytes: Bytes) -> Result<Layer, FormatError> {
        let all = (*bytes).as_ref();
        let mut reader = Reader(all);
        if reader.take()? != *MAGIC {
            return Err(FormatError::Foreign);
        }
        let version = u16::from_le_bytes(reader.take()?);
        if version != VERSION {
            return Err(FormatError::Version(version));
        }
        let [variant, stones, block_bits, reserved] = reader.take()?;
        let variant = Variant::ALL
            .into_iter()
            .find(|&it| variant_number(it) == variant)
            .ok_or(FormatError::Header { field: "variant", found: variant.into() })?;
        if usize::from(stones) > MAX_STONES {
            return Err(FormatError::Header { field: "number of stones", found: stones.into() });
        }
        if !BLOCK_BITS.contains(&block_bits) {
            return Err(FormatError::Header { field: "block size", found: block_bits.into() });
        }
        if reserved != 0 {
            return Err(FormatError::Header { field: "reserved byte", found: reserved.into() });
        }
        let tables = usize::from(u16::from_le_bytes(reader.take()?));
        let (positions, open) = (reader.u64()?, reader.u64()?);
        let (blocks, data) = (reader.u64()?, reader.u64()?);
        let directory = usize::try_from(blocks).ok().and_then(|blocks| blocks.checked_mul(ENTRY));
        let end = directory.and_then(|directory| directory.checked_add(HEADER + tables));
        let expected = end.and_then(|end| (end as u64).checked_add(4)?.checked_add(data));
        let (Some(end), Some(expected)) = (end, expected) else {
            return Err(FormatError::Header { field: "number of blocks", found: blocks });
        };
        if expected != all.len() as u64 {
            return Err(FormatError::Length { expected, found: all.len() as u64 });
        }
        if crc32fast::hash(&all[..end]).to_le_bytes() != all[end..end + 4] {
            return Err(FormatError::Checksum);
        }
        let header = Header { variant, stones: stones.into(), block_bits, positions, open };
        let kinds = &all[HEADER..HEADER + tables];
        let tables = crate::with_rules!(variant, R => tables_of::<R>(&header, kinds))?;
        let present = tables.iter().filter(|table| table.kind != Kind::Absent);
        if positions != present.map(|table| table.positions).sum::<u64>() {
            return Err(FormatError::Header { field: "number of positions", found: positions });
        }
        let blocks = places(&all[HEADER + kinds.len()..end], end + 4);
        let needed = tables.last().map_or(0, |table| table.first + table.blocks(block_bits));
        let data_end = blocks.last().map_or(end + 4, |last| last.offset + last.length);
        if needed != blocks.len() || data_end != all.len() {
            return Err(FormatError::Header { field: "number of blocks", found: blocks.len() as u64 });
        }
        Ok(Layer { header, tables, blocks, bytes })
    }

    /// What the header says.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The size of the file, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        (*self.bytes).as_ref().len()
    }

    /// How many blocks there are.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How the values of the configuration with this number are kept.
    #[must_use]
    pub fn kind(&self, configuration: usize) -> Kind {
        self.tables[configuration].kind
    }

    /// Whether the upper bounds of some positions are kept beside the lower ones.
    #[must_use]
    pub fn has_bounds(&self) -> bool {
        self.tables.iter().any(|table| table.kind == Kind::Bounds)
    }

    /// Whether all configurations are in the file.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.tables.iter().all(|table| table.kind != Kind::Absent)
    }

    /// Where the value of a position is, in a configuration that is not absent.
    #[inline(always)]
    #[must_use]
    pub fn spot(&self, configuration: usize, rank: u64) -> Spot {
        let bits = self.header.block_bits;
        Spot {
            block: self.tables[configuration].first + (rank >> bits) as usize,
            offset: (rank & ((1 << bits) - 1)) as usize,
        }
    }

    /// Unpacks a block.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn unpack(&self, block: usize, unpacker: &mut Unpacker) -> Result<Block, FormatError> {
        let damaged = FormatError::Block(block);
        let Place { offset, length, checksum } = self.blocks[block];
        // A copy: what has been checked must be what is unpacked, also where someone writes into a mapped file.
        let packed = (*self.bytes).as_ref()[offset..offset + length].to_vec();
        if crc32fast::hash(&packed) != checksum {
            return Err(damaged);
        }
        let number = self.tables.partition_point(|table| table.first <= block) - 1;
        let table = &self.tables[number];
        let before = ((block - table.first) as u64) << self.header.block_bits;
        let positions = (table.positions - before).min(1 << self.header.block_bits) as usize;
        let size = if table.kind == Kind::Bounds { 2 * positions } else { positions };
        let bytes = unpacker.0.decompress(&packed, size).map_err(|_| damaged.clone())?;
        if bytes.len() == size { Ok(Block { bytes, positions }) } else { Err(damaged) }
    }

    /// The values of a configuration.
    ///
    /// # Errors
    /// When a block is damaged, or the configuration is absent, which is told as damage of its first block.
    pub fn values(&self, configuration: usize, unpacker: &mut Unpacker) -> Result<Values, FormatError> {
        let table = &self.tables[configuration];
        if table.kind == Kind::Absent {
            return Err(FormatError::Block(table.first));
        }
        // Grows with what is unpacked: the header alone may promise more than there is memory.
        let mut values = Values { lower: Vec::new(), width: Vec::new() };
        for block in table.first..table.first + table.blocks(self.header.block_bits) {
            let Block { bytes, positions } = self.unpack(block, unpacker)?;
            values.lower.extend_from_slice(&bytes[..positions]);
            values.width.extend_from_slice(&bytes[positions..]);
        }
        Ok(values)
    }

    /// The values of a configuration that is not absent, unpacked and as they are.
    ///
    /// # Errors
    /// When a block is damaged.
    pub fn packed(
        &self,
        configuration: usize,
        unpacker: &mut Unpacker,
    ) -> Result<(Values, Packed), FormatError> {
        let values = self.values(configuration, unpacker)?;
        let table = &self.tables[configuration];
        let blocks = table.first..table.first + table.blocks(self.header.block_bits);
        let bytes = (*self.bytes).as_ref();
        let blocks =
            self.blocks[blocks].iter().map(|it| bytes[it.offset..it.offset + it.length].to_vec()).collect();
        let packed = Packed { kind: table.kind, positions: table.positions, open: values.open(), blocks };
        Ok((values, packed))
    }
}

impl Table {
    fn blocks(&self, block_bits: u8) -> usize {
        if self.kind == Kind::Absent { 0 } else { self.positions.div_ceil(1 << block_bits) as usize }
    }
}

fn tables_of<R: Rules>(header: &Header, kinds: &[u8]) -> Result<Vec<Table>, FormatError> {
    let configurations = Configuration::all::<R>();
    if kinds.len() != configurations.len() {
        return Err(FormatError::Header { field: "number of tables", found: kinds.len() as u64 });
    }
    let mut first = 0;
    let mut tables = Vec::with_capacity(kinds.len());
    for (configuration, &kind) in configurations.into_iter().zip(kinds) {
        let kind = match kind {
            0 => Kind::Absent,
            1 => Kind::Exact,
            2 => Kind::Bounds,
            _ => return Err(FormatError::Header { field: "kind of table", found: kind.into() }),
        };
        let table = Table { kind, first, positions: Index::count::<R>(configuration, header.stones) };
        first += table.blocks(header.block_bits);
        tables.push(table);
    }
    Ok(tables)
}

fn places(directory: &[u8], mut offset: usize) -> Vec<Place> {
    let (entries, _) = directory.as_chunks::<ENTRY>();
    let place = |&[a, b, c, d, e, f, g, h]: &[u8; ENTRY]| {
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        let place = Place { offset, length, checksum: u32::from_le_bytes([e, f, g, h]) };
        offset = offset.saturating_add(length);
        place
    };
    entries.iter().map(place).collect()
}

/// The unpacked values of neighbouring positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    bytes: Vec<u8>,
    positions: usize,
}

impl Block {
    /// The lower and the upper bound of the position at this place.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, offset: usize) -> super::solve::Bounds {
        let lower = self.bytes[offset];
        let width = self.bytes.get(self.positions + offset).copied().unwrap_or(0);
        super::solve::Bounds { lower, upper: lower.saturating_add(width) }
    }
}

/// What unpacking needs: make one and use it again.
pub struct Unpacker(zstd::bulk::Decompressor<'static>);

impl Unpacker {
    /// A new one.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn new() -> Result<Unpacker, FormatError> {
        zstd::bulk::Decompressor::new().map(Unpacker).map_err(|_| FormatError::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::solve::Bounds;

    /// A file of Bestemshe with 3 stones, whose values are made up.
    fn file(width: bool) -> (Values, Vec<u8>) {
        let count = Index::count::<crate::game::Bestemshe>(Configuration::default(), 3) as usize;
        let lower = (0..count).map(|rank| (rank * 7 % 3) as u8).collect();
        let width = if width { (0..count).map(|rank| u8::from(rank % 5 == 0)).collect() } else { Vec::new() };
        let values = Values { lower, width };
        let packed = Packed::new(&values, 8, || true).unwrap().unwrap();
        (values, write(Variant::Bestemshe, 3, 8, &[Some(packed)]))
    }

    fn read(bytes: Vec<u8>) -> Result<Values, FormatError> {
        Layer::parse(Arc::new(bytes))?.values(0, &mut Unpacker::new()?)
    }

    #[test]
    fn what_was_written_is_read() {
        for width in [false, true] {
            let (values, bytes) = file(width);
            let layer = Layer::parse(Arc::new(bytes.clone())).unwrap();
            let open = if width { 44 } else { 0 };
            let header =
                Header { variant: Variant::Bestemshe, stones: 3, block_bits: 8, positions: 220, open };
            assert_eq!((*layer.header(), layer.is_whole(), layer.has_bounds()), (header, true, width));
            assert_eq!(read(bytes), Ok(values.clone()));
            let mut unpacker = Unpacker::new().unwrap();
            for rank in 0..220 {
                let Spot { block, offset } = layer.spot(0, rank);
                let bounds: Bounds = layer.unpack(block, &mut unpacker).unwrap().get(offset);
                assert_eq!(bounds, values.get(rank as usize));
            }
        }
    }

    #[test]
    fn a_file_cut_or_extended_anywhere_is_refused() {
        let (_, bytes) = file(true);
        for length in 0..bytes.len() {
            assert!(read(bytes[..length].to_vec()).is_err(), "{length} bytes");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        let expected = bytes.len() as u64;
        assert_eq!(read(longer), Err(FormatError::Length { expected, found: expected + 1 }));
    }

    #[test]
    fn a_change_of_any_bit_is_found() {
        let (values, bytes) = file(true);
        for byte in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[byte] ^= 1 << bit;
                assert!(read(changed) != Ok(values.clone()), "byte {byte}, bit {bit}");
                let mut changed = bytes.clone();
                changed[byte] ^= 1 << bit;
                assert!(read(changed).is_err(), "byte {byte}, bit {bit}");
            }
        }
    }

    #[test]
    fn bytes_that_belong_to_no_block_are_refused() {
        let mut bytes = write(Variant::Bestemshe, 3, 8, &[None]);
        assert!(Layer::parse(Arc::new(bytes.clone())).is_ok());
        bytes[40] = 5;
        let end = HEADER + 1;
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        bytes.extend([0; 5]);
        assert_eq!(read(bytes), Err(FormatError::Header { field: "number of blocks", found: 0 }));
    }

    /// A header with right checksums can still be impossible.
    #[test]
    fn impossible_headers_are_refused() {
        let (_, bytes) = file(false);
        let tables = 1;
        let resealed = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = bytes.clone();
            change(&mut bytes);
            let end = HEADER + tables + ENTRY;
            let sum = crc32fast::hash(&bytes[..end]);
            bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
            read(bytes)
        };
        let header = |field, found| Err(FormatError::Header { field, found });
        assert_eq!(resealed(&|bytes| bytes[8] = 9), Err(FormatError::Version(9)));
        assert_eq!(resealed(&|bytes| bytes[10] = 7), header("variant", 7));
        assert_eq!(resealed(&|bytes| bytes[11] = 200), header("number of stones", 200));
        assert_eq!(resealed(&|bytes| bytes[12] = 63), header("block size", 63));
        assert_eq!(resealed(&|bytes| bytes[13] = 1), header("reserved byte", 1));
        assert_eq!(resealed(&|bytes| bytes[HEADER] = 3), header("kind of table", 3));
        // More stones than the blocks have positions for.
        assert_eq!(resealed(&|bytes| bytes[11] = 9), header("number of positions", 220));
        assert_eq!(
            resealed(&|bytes| {
                bytes[11] = 9;
                bytes[16..24].copy_from_slice(&48_620u64.to_le_bytes());
            }),
            header("number of blocks", 1)
        );
        // The length of a block.
        assert!(resealed(&|bytes| bytes[HEADER + tables] = 0).is_err());
        assert!(resealed(&|bytes| bytes[HEADER + tables + 3] = 0xFF).is_err());
        // The number of blocks.
        assert!(resealed(&|bytes| bytes[32..40].fill(0xFF)).is_err());
        assert!(resealed(&|bytes| bytes[40..48].fill(0xFF)).is_err());
    }
}
