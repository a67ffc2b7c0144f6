//! The file of a network, as docs/network-format.md describes it byte by byte.

use super::inputs::ROWS;
use super::kernel::{GROUP, MAX_FIRST_BIAS, MAX_SECOND_BIAS, MAX_WEIGHT, MAX_WIDTH, PairWeights, SECOND};

const MAGIC: &[u8; 8] = b"TUZDYQNN";
const VERSION: u16 = 1;
/// Bytes before the text.
const HEADER: usize = 32;
/// The longest text, in bytes.
const MAX_ORIGIN: usize = 4_096;
/// The number of this kind of network: these inputs seen from both sides, two hidden layers with squared clipped
/// activations, and the lead. Architecture 1 had one layer and one point of view, 2 rows of 16-bit numbers.
const ARCHITECTURE: u16 = 3;
/// The most output buckets.
const MAX_BUCKETS: usize = 32;
/// The largest scale, in centistones.
const MAX_SCALE: u16 = 10_000;
/// The largest output bias, in centistones, either way.
pub const MAX_BIAS: i32 = 16_200;

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Neurons of the first layer for each side: a multiple of [`GROUP`], at most [`MAX_WIDTH`].
    pub width: usize,
    /// Output buckets, 1 to 32.
    pub buckets: usize,
    /// Centistones of an output of 1: 1 to 10,000.
    pub scale: u16,
    /// The first layer, row by row, [`ROWS`] times `width`; 1 is [`ONE`](super::ONE).
    pub rows: Vec<i8>,
    /// Its biases, `width` of them; 1 is the same, the largest [`MAX_FIRST_BIAS`] either way.
    pub bias: Vec<i16>,
    /// What follows, for each bucket.
    pub heads: Vec<Head>,
    /// How the network was made, in one line of at most 4,096 bytes: its name, and after a semicolon the rest.
    pub origin: String,
}

/// The layers after the first, for the positions of one bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The second layer, `width` of them: for the neurons of the first layer on the mover's side, two by two, then for
    /// those on the other.
    pub second: Vec<PairWeights>,
    /// Its biases; 1 is [`SECOND_ONE`](super::SECOND_ONE), the largest [`MAX_SECOND_BIAS`] either way.
    pub second_bias: [i32; SECOND],
    /// The output weights; 1 is [`WEIGHT_ONE`](super::WEIGHT_ONE), the largest [`MAX_WEIGHT`] either way.
    pub output: [i16; SECOND],
    /// The output bias in centistones, -16,200 to 16,200.
    pub output_bias: i32,
}

/// The bytes are no network that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Something else.
    #[error("not a network file")]
    Foreign,
    /// Another version of the format.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Another kind of network.
    #[error("architecture {0}, expected {ARCHITECTURE}")]
    Architecture(u16),
    /// A number in the header is impossible.
    #[error("{field} {found} in the header is not possible, expected {expected}")]
    Header {
        /// Which number.
        field: &'static str,
        /// What it says.
        found: u64,
        /// What it may say.
        expected: &'static str,
    },
    /// Bytes are missing, or there are more.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// Bytes that there should be.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// The bytes have been changed.
    #[error("checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// The sum in the file.
        expected: u32,
        /// The sum of the bytes.
        found: u32,
    },
    /// The text is not one line.
    #[error("the text of the network is not one line of UTF-8")]
    Text,
    /// A weight is so large that sums could overflow.
    #[error("a weight of the {0} is too large")]
    Weight(&'static str),
}

/// Reads numbers one after the other.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    /// The next number; there must be one.
    fn next<const BYTES: usize>(&mut self) -> [u8; BYTES] {
        let (first, rest) = self.0.split_first_chunk().unwrap_or((&[0; BYTES], &[]));
        self.0 = rest;
        *first
    }

    fn pair_weights(&mut self) -> PairWeights {
        let mut weight = || i16::from_le_bytes(self.next());
        std::array::from_fn(|_| std::array::from_fn(|_| weight()))
    }

    fn list<const BYTES: usize, T>(&mut self, count: usize, number: impl Fn([u8; BYTES]) -> T) -> Vec<T> {
        (0..count).map(|_| number(self.next())).collect()
    }
}

impl Layers {
    /// The name of the network.
    #[must_use]
    pub fn name(&self) -> &str {
        self.origin.split(';').next().unwrap_or_default()
    }

    /// How many bytes come after the text and before the checksum.
    fn body(width: usize, buckets: usize) -> usize {
        width * (ROWS + 2) + buckets * (2 * 2 * width * SECOND + 4 * SECOND + 2 * SECOND + 4)
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [VERSION, ARCHITECTURE, self.width as u16, self.buckets as u16, self.scale, 0] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&(ROWS as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.origin.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(Layers::body(self.width, self.buckets) as u32).to_le_bytes());
        debug_assert_eq!(bytes.len(), HEADER);
        bytes.extend_from_slice(self.origin.as_bytes());
        bytes.extend(self.rows.iter().map(|&number| number as u8));
        bytes.extend(self.bias.iter().flat_map(|number| number.to_le_bytes()));
        for head in &self.heads {
            let second = head.second.as_flattened().as_flattened();
            bytes.extend(second.iter().flat_map(|number| number.to_le_bytes()));
            bytes.extend(head.second_bias.iter().flat_map(|number| number.to_le_bytes()));
            bytes.extend(head.output.iter().flat_map(|number| number.to_le_bytes()));
            bytes.extend_from_slice(&head.output_bias.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The checksum at the end of the file.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let bytes = self.to_bytes();
        bytes.last_chunk().map_or(0, |sum| u32::from_le_bytes(*sum))
    }

    /// The network in these bytes.
    ///
    /// # Errors
    /// When there is none, or it is damaged, or of a kind that this program does not know.
    pub fn parse(bytes: &[u8]) -> Result<Layers, NetworkError> {
        let mut cursor = Cursor(bytes);
        if bytes.len() < HEADER || &cursor.next::<8>() != MAGIC {
            return Err(NetworkError::Foreign);
        }
        let mut short = || u16::from_le_bytes(cursor.next());
        let (version, architecture) = (short(), short());
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        if architecture != ARCHITECTURE {
            return Err(NetworkError::Architecture(architecture));
        }
        let (width, buckets, scale, reserved) = (short(), short(), short(), short());
        let [rows, text, body] = [(); 3].map(|()| u32::from_le_bytes(cursor.next()) as usize);
        let check = |field, found: usize, fits: bool, expected| {
            let found = found as u64;
            if fits { Ok(()) } else { Err(NetworkError::Header { field, found, expected }) }
        };
        let (width, buckets) = (usize::from(width), usize::from(buckets));
        let fits = width > 0 && width.is_multiple_of(GROUP) && width <= MAX_WIDTH;
        check("width", width, fits, "64, 128, 192 or 256")?;
        check("buckets", buckets, (1..=MAX_BUCKETS).contains(&buckets), "1 to 32")?;
        check("scale", scale.into(), (1..=MAX_SCALE).contains(&scale), "1 to 10000")?;
        check("reserved number", reserved.into(), reserved == 0, "0")?;
        check("rows", rows, rows == ROWS, "1434")?;
        check("length of the text", text, text <= MAX_ORIGIN, "0 to 4096")?;
        check("length", body, body == Layers::body(width, buckets), "that of the width and the buckets")?;
        let expected = HEADER + text + body + 4;
        if bytes.len() != expected {
            return Err(NetworkError::Length { expected, found: bytes.len() });
        }
        let (summed, sum) = bytes.split_at(expected - 4);
        let (expected, found) = (u32::from_le_bytes(Cursor(sum).next()), crc32fast::hash(summed));
        if expected != found {
            return Err(NetworkError::Checksum { expected, found });
        }
        let (origin, body) = summed[HEADER..].split_at(text);
        let origin = String::from_utf8(origin.to_vec()).map_err(|_| NetworkError::Text)?;
        // It is shown in lines of the protocol.
        if origin.contains(char::is_control) {
            return Err(NetworkError::Text);
        }
        let mut cursor = Cursor(body);
        let layers = Layers {
            width,
            buckets,
            scale,
            rows: cursor.list(ROWS * width, i8::from_le_bytes),
            bias: cursor.list(width, i16::from_le_bytes),
            heads: (0..buckets)
                .map(|_| Head {
                    second: (0..width).map(|_| cursor.pair_weights()).collect(),
                    second_bias: std::array::from_fn(|_| i32::from_le_bytes(cursor.next())),
                    output: std::array::from_fn(|_| i16::from_le_bytes(cursor.next())),
                    output_bias: i32::from_le_bytes(cursor.next()),
                })
                .collect(),
            origin,
        };
        layers.check_weights()?;
        Ok(layers)
    }

    /// Makes sure that no sum can overflow, whatever the position.
    fn check_weights(&self) -> Result<(), NetworkError> {
        let within =
            |numbers: &[i16], most: i16| numbers.iter().all(|number| number.unsigned_abs() <= most as u16);
        if !within(&self.bias, MAX_FIRST_BIAS) {
            return Err(NetworkError::Weight("first layer"));
        }
        let fits = |bias: i32, most: i32| bias.unsigned_abs() <= most as u32;
        for Head { second, second_bias, output, output_bias } in &self.heads {
            let second = second.as_flattened().as_flattened();
            if !within(second, MAX_WEIGHT) || !second_bias.iter().all(|&bias| fits(bias, MAX_SECOND_BIAS)) {
                return Err(NetworkError::Weight("second layer"));
            }
            if !within(output, MAX_WEIGHT) || !fits(*output_bias, MAX_BIAS) {
                return Err(NetworkError::Weight("output layer"));
            }
        }
        Ok(())
    }
}
