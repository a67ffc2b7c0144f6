//! Files of records, as docs/data-format.md describes them byte by byte.
//!
//! A file grows by chunks under the name `FILE.part` and gets its own name when it is complete, so that work can go on
//! where it was interrupted, and a file with its own name is always whole.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::game::Variant;
use crate::tools::files::with_ending;
use crate::with_rules;

use super::record::{Flags, RECORD, Record, RecordError};

const MAGIC: &[u8; 8] = b"TUZDYQTD";
const VERSION: u16 = 1;
/// Bytes of the header before the text.
const HEADER: usize = 16;
/// The longest text in a header, in bytes.
const MAX_ORIGIN: usize = 4_096;
/// Bytes of a chunk before its records.
const CHUNK: usize = 20;
/// The most records in a chunk.
const MAX_CHUNK: usize = 1 << 20;

/// In which order the records of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Game by game, each from its first position to its last.
    Games = 0,
    /// Mixed.
    Shuffled = 1,
}

/// What a file says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub variant: Variant,
    /// The order of the records.
    pub order: Order,
    /// How the file was made, in one line of at most 4,096 bytes.
    pub origin: String,
}

/// A file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {fault}")]
pub struct DataError {
    /// Which file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process writes it.
    #[error("another process is writing it")]
    InUse,
    /// It is something else.
    #[error("not a file of training data")]
    Foreign,
    /// It comes from another version of the program.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Its header has been changed.
    #[error("the header is damaged")]
    Header,
    /// What the header is to say of the making is too long.
    #[error(
        "how it is made takes {0} bytes to say, at most {MAX_ORIGIN}: the name of the network is too long"
    )]
    Origin(usize),
    /// A chunk has been changed.
    #[error("chunk {0} is damaged")]
    Chunk(u64),
    /// It ends too early.
    #[error("cut off after chunk {0}")]
    Cut(u64),
    /// Something follows after its end.
    #[error("bytes after the end")]
    Trailing,
    /// A record is impossible.
    #[error("chunk {chunk}, record {record}: {error}")]
    Record {
        /// The chunk, from 0.
        chunk: u64,
        /// The record in it, from 0.
        record: usize,
        /// What is wrong.
        error: RecordError,
    },
    /// It holds another game than is wanted.
    #[error("a file of {found}, expected {expected}")]
    Variant {
        /// The game in the file.
        found: Variant,
        /// The game that is wanted.
        expected: Variant,
    },
    /// Its games have been torn apart.
    #[error("the positions are shuffled, expected whole games")]
    Shuffled,
    /// There is a complete file, made in another way.
    #[error("is there already, made in another way: {0}")]
    There(String),
    /// There is the beginning of a file, made in another way.
    #[error("the beginning of another file is there: {0}")]
    OtherPart(String),
}

impl Header {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.push(self.variant as u8);
        bytes.push(self.order as u8);
        bytes.extend_from_slice(&(self.origin.len() as u32).to_le_bytes());
        bytes.extend_from_slice(self.origin.as_bytes());
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn read(input: &mut impl Read) -> Result<Header, Fault> {
        let mut bytes = vec![0; HEADER];
        fill(input, &mut bytes, || Fault::Foreign)?;
        if &bytes[..8] != MAGIC {
            return Err(Fault::Foreign);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(Fault::Version(version));
        }
        let length = number(&bytes[12..16]) as usize;
        if length > MAX_ORIGIN {
            return Err(Fault::Header);
        }
        bytes.resize(HEADER + length + 4, 0);
        fill(input, &mut bytes[HEADER..], || Fault::Header)?;
        let (text, sum) = bytes.split_at(HEADER + length);
        if u64::from(crc32fast::hash(text)) != number(sum) {
            return Err(Fault::Header);
        }
        let variant = Variant::ALL.into_iter().find(|&variant| variant as u8 == bytes[10]);
        let order = [Order::Games, Order::Shuffled].into_iter().find(|&order| order as u8 == bytes[11]);
        let origin = String::from_utf8(text[HEADER..].to_vec()).ok();
        match (variant, order, origin) {
            (Some(variant), Some(order), Some(origin)) => Ok(Header { variant, order, origin }),
            _ => Err(Fault::Header),
        }
    }
}

/// A number of up to eight bytes, the lowest first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Fills a buffer; where the input ends before, that is the fault that is given.
fn fill(input: &mut impl Read, buffer: &mut [u8], short: impl Fn() -> Fault) -> Result<(), Fault> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => short(),
        _ => error.into(),
    })
}

/// Some records of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The records; none in the last chunk of a file, which marks its end.
    pub records: Vec<Record>,
    /// How much of the work was done when the chunk was written: games, or chunks of another file.
    pub done: u64,
}

/// Reads a file chunk by chunk.
pub struct Reader {
    input: BufReader<File>,
    path: PathBuf,
    header: Header,
    /// Chunks read so far.
    chunks: u64,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is no such file.
    pub fn open(path: &Path) -> Result<Reader, DataError> {
        let fault = |fault| DataError { path: path.to_owned(), fault };
        let file = File::open(path).map_err(|error| fault(error.into()))?;
        let mut input = BufReader::with_capacity(1 << 20, file);
        let header = Header::read(&mut input).map_err(fault)?;
        Ok(Reader { input, path: path.to_owned(), header, chunks: 0 })
    }

    /// What the file says of itself.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// That something is wrong with the file.
    #[must_use]
    pub fn fault(&self, fault: Fault) -> DataError {
        DataError { path: self.path.clone(), fault }
    }

    /// Makes sure that the file is of this game.
    ///
    /// # Errors
    /// When it is of another one.
    pub fn require(&self, expected: Variant) -> Result<(), DataError> {
        let found = self.header.variant;
        if found == expected { Ok(()) } else { Err(self.fault(Fault::Variant { found, expected })) }
    }

    /// The next records; `None` at the end.
    ///
    /// # Errors
    /// When the file is damaged, cut off, or goes on after its end.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, DataError> {
        let chunk = self.read_chunk().map_err(|fault| self.fault(fault))?;
        if !chunk.records.is_empty() {
            return Ok(Some(chunk));
        }
        match self.input.read(&mut [0]) {
            Ok(0) => Ok(None),
            Ok(_) => Err(self.fault(Fault::Trailing)),
            Err(error) => Err(self.fault(error.into())),
        }
    }

    fn read_chunk(&mut self) -> Result<Chunk, Fault> {
        let number_of_chunk = self.chunks;
        let cut = || Fault::Cut(number_of_chunk);
        let damaged = || Fault::Chunk(number_of_chunk);
        let mut head = [0; CHUNK];
        fill(&mut self.input, &mut head, cut)?;
        let count = number(&head[..4]) as usize;
        if u64::from(crc32fast::hash(&head[..16])) != number(&head[16..]) || count > MAX_CHUNK {
            return Err(damaged());
        }
        // Grows with what is there: a file that is cut off may promise more.
        let mut bytes = Vec::new();
        let length = count * RECORD;
        self.input.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(cut());
        }
        if u64::from(crc32fast::hash(&bytes)) != number(&head[12..16]) {
            return Err(damaged());
        }
        let (whole, _) = bytes.as_chunks::<RECORD>();
        let parse =
            |(record, &bytes): (usize, &[u8; RECORD])| {
                with_rules!(self.header.variant, R => Record::parse::<R>(bytes))
                    .map_err(|error| Fault::Record { chunk: number_of_chunk, record, error })
            };
        let records = whole.iter().enumerate().map(parse).collect::<Result<_, Fault>>()?;
        self.chunks += 1;
        Ok(Chunk { records, done: number(&head[4..12]) })
    }

    /// The length of the file up to its last whole chunk, and the work that is done with it. What was being written when
    /// the work was interrupted is not whole; a file that cannot be read is another matter.
    fn whole_chunks(&mut self, mut length: u64) -> Result<(u64, u64), DataError> {
        let mut done = 0;
        loop {
            match self.next_chunk() {
                Ok(Some(chunk)) => {
                    length += (CHUNK + chunk.records.len() * RECORD) as u64;
                    done = chunk.done;
                }
                Err(error) if matches!(error.fault, Fault::Io(_)) => return Err(error),
                Ok(None) | Err(_) => return Ok((length, done)),
            }
        }
    }

    /// The games of the next records, each from its first position to its last; `None` at the end.
    ///
    /// # Errors
    /// As [`next_chunk`](Self::next_chunk), and when the file is shuffled.
    pub fn next_games(&mut self) -> Result<Option<Vec<Vec<Record>>>, DataError> {
        if self.header.order != Order::Games {
            return Err(self.fault(Fault::Shuffled));
        }
        let chunk = self.next_chunk()?;
        Ok(chunk.map(|chunk| games(&chunk.records)))
    }
}

/// Splits records where games begin.
fn games(records: &[Record]) -> Vec<Vec<Record>> {
    let begins = |record: &Record| record.flags().has(Flags::FIRST);
    records.chunk_by(|_, next| !begins(next)).map(<[Record]>::to_vec).collect()
}

/// A file being written.
pub struct Writer {
    file: File,
    path: PathBuf,
    part: PathBuf,
}

/// What there is of a file that is to be written.
pub enum Beginning {
    /// All of it.
    Complete,
    /// So much of the work, none where it is new.
    Part(Writer, u64),
}

impl Writer {
    /// Begins a file, or finds how far it is: what is damaged at the end of an unfinished one is cut off.
    ///
    /// # Errors
    /// When it cannot be written, another process writes it, or what is there was made in another way; nothing is
    /// changed then.
    pub fn open(path: &Path, header: &Header) -> Result<Beginning, DataError> {
        Writer::open_part(path, header, true)
    }

    /// Begins a file, and throws away what there is of an unfinished one that was made in the same way.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_anew(path: &Path, header: &Header) -> Result<Beginning, DataError> {
        Writer::open_part(path, header, false)
    }

    fn open_part(path: &Path, header: &Header, resume: bool) -> Result<Beginning, DataError> {
        let fault = |fault| DataError { path: path.to_owned(), fault };
        if header.origin.len() > MAX_ORIGIN {
            return Err(fault(Fault::Origin(header.origin.len())));
        }
        if path.try_exists().map_err(|error| fault(error.into()))? {
            let there = Reader::open(path)?.header;
            return if there == *header {
                Ok(Beginning::Complete)
            } else {
                Err(fault(Fault::There(there.origin)))
            };
        }
        let part = with_ending(path, ".part");
        let part_fault = |fault| DataError { path: part.clone(), fault };
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&part).map_err(|error| part_fault(error.into()))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => part_fault(Fault::InUse),
            TryLockError::Error(error) => part_fault(error.into()),
        })?;
        let length = file.metadata().map_err(|error| part_fault(error.into()))?.len();
        let start = header.bytes();
        let (mut done, mut keep) = (0, 0);
        // A header that was cut off is begun again.
        if length >= start.len() as u64 {
            let mut reader = Reader::open(&part)?;
            if reader.header != *header {
                return Err(part_fault(Fault::OtherPart(reader.header.origin)));
            }
            if resume {
                (keep, done) = reader.whole_chunks(start.len() as u64)?;
            }
        } else if !start.starts_with(&fs::read(&part).map_err(|error| part_fault(error.into()))?) {
            return Err(part_fault(Fault::Foreign));
        }
        let prepared = file.set_len(keep).and_then(|()| {
            file.seek(SeekFrom::End(0))?;
            if keep == 0 { file.write_all(&start) } else { Ok(()) }
        });
        prepared.map_err(|error| part_fault(error.into()))?;
        Ok(Beginning::Part(Writer { file, path: path.to_owned(), part }, done))
    }

    /// Adds a chunk of at most 2²⁰ records; `done` is how much of the work is done with them. Without a record
    /// there is no chunk.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add(&mut self, records: &[Record], done: u64) -> Result<(), DataError> {
        debug_assert!(records.len() <= MAX_CHUNK, "{} records in a chunk", records.len());
        if records.is_empty() { Ok(()) } else { self.write(records, done) }
    }

    fn write(&mut self, records: &[Record], done: u64) -> Result<(), DataError> {
        let payload: Vec<u8> = records.iter().flat_map(|record| *record.bytes()).collect();
        let mut bytes = (records.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&done.to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend_from_slice(&payload);
        self.file.write_all(&bytes).map_err(|error| self.fault(error))
    }

    /// Marks the end and gives the file its name.
    ///
    /// # Errors
    /// When that cannot be done; the part stays then.
    pub fn finish(mut self, done: u64) -> Result<(), DataError> {
        self.write(&[], done)?;
        let renamed = self.file.sync_all().and_then(|()| fs::rename(&self.part, &self.path));
        renamed.map_err(|error| self.fault(error))
    }

    fn fault(&self, error: io::Error) -> DataError {
        DataError { path: self.part.clone(), fault: error.into() }
    }
}
