//! Bytes as text: UTF-8, or UTF-16 where a byte order mark says so.

use std::borrow::Cow;

use super::error::{Place, ReadError, ReadFault};

/// The text of a file, without its byte order mark.
///
/// # Errors
/// At the first byte that is no text.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes).map(Cow::Owned),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes).map(Cow::Owned),
        _ => utf8(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).map(Cow::Borrowed),
    }
}

fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (good, _) = bytes.split_at(error.valid_up_to());
        undecodable(&String::from_utf8_lossy(good))
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, ReadError> {
    let (pairs, rest) = bytes.as_chunks();
    let mut text = String::with_capacity(bytes.len());
    for letter in char::decode_utf16(pairs.iter().copied().map(unit)) {
        match letter {
            Ok(letter) => text.push(letter),
            Err(_) => return Err(undecodable(&text)),
        }
    }
    if rest.is_empty() { Ok(text) } else { Err(undecodable(&text)) }
}

fn undecodable(good: &str) -> ReadError {
    ReadError { place: Place::START.after(good), fault: ReadFault::Encoding }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_byte_order_are_taken_off() {
        for bytes in [&b"7 2"[..], b"\xEF\xBB\xBF7 2", b"\xFF\xFE7\0 \x002\0", b"\xFE\xFF\x007\0 \x002"] {
            assert_eq!(decode(bytes).as_deref(), Ok("7 2"), "{bytes:?}");
        }
        assert_eq!(decode(b"").as_deref(), Ok(""));
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_place() {
        let fault = |bytes: &[u8]| decode(bytes).unwrap_err().to_string();
        assert_eq!(fault(b"7 2\n3\xFF"), "line 2, column 2: not UTF-8 text");
        assert_eq!(fault(b"\xEF\xBB\xBF\xD5"), "line 1, column 1: not UTF-8 text");
        assert_eq!(fault(b"\xFF\xFE7\0\x00\xD8"), "line 1, column 2: not UTF-8 text");
        assert_eq!(fault(b"\xFF\xFE7\0 "), "line 1, column 2: not UTF-8 text");
    }
}
