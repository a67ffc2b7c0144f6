//! Files of networks.

use tuzdyq::eval::network::{GROUP, Layers, ROWS};
use tuzdyq::eval::{Evaluate, Network};
use tuzdyq::game::{Position, Togyzqumalaq};

/// Bytes of memory for each byte of a file: the numbers, and a list while it grows.
const MEMORY: u64 = 3;
/// Bytes of the header before the text.
const HEADER: usize = 32;
/// Files are made up to this length, which is that of the smallest network with some buckets.
const LONGEST: usize = 250_000;

/// Reads bytes as a network as they are, and with the numbers that depend on the others put right.
pub fn check(bytes: &[u8]) {
    check_file(bytes);
    if let Some(bytes) = completed(bytes) {
        check_file(&bytes);
    }
}

fn check_file(bytes: &[u8]) {
    match super::bounded(MEMORY * bytes.len() as u64, || Layers::parse(bytes)) {
        Ok(layers) => {
            assert!(layers.to_bytes() == bytes, "written otherwise");
            // No sum overflows: in this build that is a panic.
            let network = Network::parse(bytes).expect("read before");
            for fen in
                ["8,81S/81S,8 0 0 S 1", "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 N 1"]
            {
                let position: Position<Togyzqumalaq> = fen.parse().expect("a position");
                let _ = network.evaluate(position.board());
            }
        }
        Err(error) => super::check_line(&error.to_string()),
    }
}

/// The file that the bytes begin, with zeros for all that is missing, the right lengths and the right checksum.
fn completed(bytes: &[u8]) -> Option<Vec<u8>> {
    let (width, buckets, text) =
        (super::number(bytes, 12, 2), super::number(bytes, 14, 2), super::number(bytes, 24, 4));
    let head = 4 * width * 8 + 4 * 8 + 2 * 8 + 4;
    let body = 2 * width * (ROWS + 1) + buckets * head;
    let length = HEADER.checked_add(text)?.checked_add(body)?;
    if bytes.len() < HEADER || !width.is_multiple_of(GROUP) || length > LONGEST {
        return None;
    }
    let mut file = bytes.to_vec();
    file[20..24].copy_from_slice(&(ROWS as u32).to_le_bytes());
    file[28..32].copy_from_slice(&(body as u32).to_le_bytes());
    file.resize(length + 4, 0);
    super::seal(&mut file, 0, length);
    Some(file)
}
