//! What must hold of every reader, whatever it is given. The targets of `cargo fuzz` and tests/fuzz.rs check the same.
//!
//! What is read is written and read again, and is the same; what is refused is refused in one line, with a place that
//! is in the text; memory stays in proportion to the input.

pub mod commands;
pub mod data;
pub mod endgame;
pub mod moves;
pub mod network;
pub mod positions;
pub mod records;

/// Memory that a reader may use whatever the input is, in bytes.
const BASE: u64 = 1 << 16;

/// Does something that may use so many bytes of memory at a time, beside [`BASE`].
fn bounded<T>(most: u64, work: impl FnOnce() -> T) -> T {
    let mut result = None;
    let used = allocation_counter::measure(|| result = Some(work())).bytes_max;
    assert!(used <= BASE + most, "{used} bytes of memory, at most {} expected", BASE + most);
    result.expect("the work is done")
}

/// An error is told in one line that is not long.
fn check_line(message: &str) {
    assert_eq!(message.lines().count(), 1, "{message:?}");
    assert!(message.chars().count() <= 400, "{message:?}");
}

/// Writes a CRC-32 over the bytes before it, if there is room for it.
fn seal(bytes: &mut [u8], from: usize, to: usize) {
    if from <= to && to + 4 <= bytes.len() {
        let sum = crc32fast::hash(&bytes[from..to]);
        bytes[to..to + 4].copy_from_slice(&sum.to_le_bytes());
    }
}

/// A number of `length` bytes, the lowest first; 0 where there are not so many.
fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    let bytes = bytes.get(at..at + length).unwrap_or_default();
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}
