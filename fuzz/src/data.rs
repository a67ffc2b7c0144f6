//! Files of training data.

use std::fs;
use std::path::{Path, PathBuf};

use tuzdyq::game::{Position, Rules};
use tuzdyq::tools::datagen::{Chunk, Finding, Header, RECORD, Reader, Record};
use tuzdyq::with_rules;

/// Bytes of memory for each byte of a file.
const MEMORY: u64 = 8;
/// What the reader reads ahead, in bytes.
const BUFFER: u64 = 1 << 20;
/// Bytes of the header before the text.
const HEADER: usize = 16;
/// Bytes of a chunk before its records.
const CHUNK: usize = 20;

/// Reads bytes as training data as they are, and with the lengths and checksums put right.
pub fn check(bytes: &[u8]) {
    let file = Scratch::new();
    check_file(&file.0, bytes);
    check_file(&file.0, &sealed(bytes));
}

/// A file that goes away at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let thread = format!("{:?}", std::thread::current().id());
        let name = format!("tuzdyq-fuzz-{}-{thread}.tqd", std::process::id());
        Scratch(folder.join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // There may be none.
        let _ = fs::remove_file(&self.0);
    }
}

fn check_file(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("a scratch file");
    let most = BUFFER + MEMORY * bytes.len() as u64;
    let mut reader = match super::bounded(most, || Reader::open(path)) {
        Ok(reader) => reader,
        Err(error) => return check_error(path, &error),
    };
    let mut again = header(reader.header());
    loop {
        match super::bounded(most, || reader.next_chunk()) {
            Ok(Some(chunk)) => {
                let variant = reader.header().variant;
                with_rules!(variant, R => chunk.records.iter().for_each(check_record::<R>));
                add(&mut again, &chunk);
            }
            Ok(None) => break,
            Err(error) => return check_error(path, &error),
        }
    }
    // The last chunk has no records; how much of the work was done with it is told nowhere.
    add(&mut again, &Chunk { records: Vec::new(), done: 0 });
    let (done, end) = (bytes.len() - CHUNK + 4, bytes.len() - CHUNK + 12);
    again[done..end].copy_from_slice(&bytes[done..end]);
    super::seal(&mut again, end - 12, end + 4);
    assert!(again == bytes, "written otherwise");
}

fn check_error(path: &Path, error: &impl ToString) {
    let message = error.to_string();
    let message = message.strip_prefix(&format!("{}: ", path.display()));
    super::check_line(message.expect("the name of the file"));
}

/// A record is what its position and its fields make.
fn check_record<R: Rules>(record: &Record) {
    let position: Position<R> = record.position().expect("a position that was accepted");
    let finding = Finding {
        score: record.score(),
        best: record.best(),
        result: record.result(),
        flags: record.flags(),
    };
    assert_eq!(Record::new(&position, finding), *record, "{position}");
}

/// The bytes of a header, by docs/data-format.md.
fn header(Header { variant, order, origin }: &Header) -> Vec<u8> {
    let mut bytes = b"TUZDYQTD\x01\0".to_vec();
    bytes.extend([*variant as u8, *order as u8]);
    bytes.extend((origin.len() as u32).to_le_bytes());
    bytes.extend(origin.as_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn add(bytes: &mut Vec<u8>, chunk: &Chunk) {
    let start = bytes.len();
    let records: Vec<u8> = chunk.records.iter().flat_map(|record| *record.bytes()).collect();
    bytes.extend((chunk.records.len() as u32).to_le_bytes());
    bytes.extend(chunk.done.to_le_bytes());
    bytes.extend(crc32fast::hash(&records).to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes[start..]).to_le_bytes());
    bytes.extend(records);
}

/// The same bytes with checksums that are right, as far as there are any.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut start = HEADER.saturating_add(super::number(&bytes, 12, 4));
    super::seal(&mut bytes, 0, start);
    start += 4;
    while start + CHUNK <= bytes.len() {
        let records = start + CHUNK;
        let end = records + RECORD * super::number(&bytes, start, 4);
        if end <= bytes.len() {
            let sum = crc32fast::hash(&bytes[records..end]);
            bytes[start + 12..start + 16].copy_from_slice(&sum.to_le_bytes());
        }
        super::seal(&mut bytes, start, start + 16);
        start = end;
    }
    bytes
}
