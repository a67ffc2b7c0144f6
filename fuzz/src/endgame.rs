//! Files of exact endgames.

use std::sync::Arc;

use tuzdyq::endgame::format::{Kind, Layer, Unpacker, write};

/// Bytes of memory for each byte of a file.
const MEMORY: u64 = 16;
/// Bytes of the header before the kinds of the tables.
const HEADER: usize = 48;
/// Files with more positions than this are not unpacked: a byte of them may stand for very many.
const POSITIONS: u64 = 1 << 18;

/// Reads bytes as a layer as they are, and with the lengths and checksums put right.
pub fn check(bytes: &[u8]) {
    check_file(bytes);
    check_file(&sealed(bytes));
}

fn check_file(bytes: &[u8]) {
    let shared = Arc::new(bytes.to_vec());
    let layer = match super::bounded(MEMORY * bytes.len() as u64, || Layer::parse(shared)) {
        Ok(layer) => layer,
        Err(error) => return super::check_line(&error.to_string()),
    };
    let mut unpacker = Unpacker::new().expect("memory");
    // What is unpacked is in proportion to what is there of it.
    let block = 2 << layer.header().block_bits;
    let mut damaged = None;
    for number in 0..layer.blocks().min(20) {
        let unpacked = super::bounded(2 * block + bytes.len() as u64, || layer.unpack(number, &mut unpacker));
        damaged = damaged.or(unpacked.err());
    }
    let tables = number_of_tables(bytes);
    if let Some(error) = damaged {
        super::check_line(&error.to_string());
        for table in (0..tables).filter(|&table| layer.kind(table) != Kind::Absent) {
            let most = 20 * 4 * block + 2 * bytes.len() as u64;
            let _ = super::bounded(most, || layer.values(table, &mut unpacker));
        }
    } else if layer.header().positions <= POSITIONS {
        check_tables(bytes, &layer, tables, &mut unpacker);
    }
}

fn number_of_tables(bytes: &[u8]) -> usize {
    super::number(bytes, 14, 2)
}

/// Unpacks all tables and writes them again as they are.
fn check_tables(bytes: &[u8], layer: &Layer, tables: usize, unpacker: &mut Unpacker) {
    let header = *layer.header();
    let mut all = Vec::new();
    let mut open = 0;
    for table in 0..tables {
        if layer.kind(table) == Kind::Absent {
            assert!(layer.values(table, unpacker).is_err());
            all.push(None);
            continue;
        }
        match layer.packed(table, unpacker) {
            Ok((values, packed)) => {
                open += values.open();
                all.push(Some(packed));
            }
            Err(error) => return super::check_line(&error.to_string()),
        }
    }
    let again = write(header.variant, header.stones, header.block_bits, &all);
    assert_eq!(again == bytes, open == header.open, "{header:?}");
}

/// The same bytes with the lengths and the checksums that belong to them, as far as there are any.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let (tables, blocks) = (number_of_tables(&bytes), super::number(&bytes, 32, 8));
    let directory = HEADER + tables;
    let end = blocks.checked_mul(8).and_then(|entries| entries.checked_add(directory));
    let Some(end) = end.filter(|&end| end.checked_add(4).is_some_and(|data| data <= bytes.len())) else {
        return bytes;
    };
    let data = bytes.len() - end - 4;
    bytes[40..48].copy_from_slice(&(data as u64).to_le_bytes());
    let mut start = end + 4;
    for entry in (directory..end).step_by(8) {
        let is_last = entry + 8 == end;
        let length = super::number(&bytes, entry, 4).min(bytes.len() - start);
        let length = if is_last { bytes.len() - start } else { length };
        let sum = crc32fast::hash(&bytes[start..start + length]);
        bytes[entry..entry + 4].copy_from_slice(&(length as u32).to_le_bytes());
        bytes[entry + 4..entry + 8].copy_from_slice(&sum.to_le_bytes());
        start += length;
    }
    super::seal(&mut bytes, 0, end);
    bytes
}
