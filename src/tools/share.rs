//! A share of a long work, for one of several jobs.

use std::fmt;
use std::str::FromStr;

/// One of several equal shares of numbered pieces of work, written `K/N` with K from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The pieces with a number that leaves this rest...
    number: u64,
    /// ...when divided by this.
    of: u64,
}

impl Share {
    /// All of it.
    pub const WHOLE: Share = Share { number: 0, of: 1 };

    /// Whether the piece with this number belongs to the share.
    #[must_use]
    pub const fn has(self, number: u64) -> bool {
        number % self.of == self.number
    }

    /// How many of so many pieces belong to the share.
    #[must_use]
    pub const fn count(self, pieces: u64) -> u64 {
        pieces.saturating_sub(self.number).div_ceil(self.of)
    }

    /// The number, among all, of the piece with this number in the share.
    #[must_use]
    pub const fn piece(self, index: u64) -> u64 {
        self.number + index * self.of
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number + 1, self.of)
    }
}

/// A text that is no share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a share such as 1/4")]
pub struct NoShare;

impl FromStr for Share {
    type Err = NoShare;

    fn from_str(text: &str) -> Result<Share, NoShare> {
        let (number, of) = text.split_once('/').ok_or(NoShare)?;
        match (number.parse::<u32>(), of.parse::<u32>()) {
            (Ok(number @ 1..), Ok(of)) if number <= of => {
                Ok(Share { number: u64::from(number) - 1, of: of.into() })
            }
            _ => Err(NoShare),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_every_piece_once() {
        for of in 1..6 {
            for pieces in 0..20 {
                let shares = (1..=of).map(|number| format!("{number}/{of}").parse::<Share>().unwrap());
                let mut taken: Vec<u64> = shares
                    .flat_map(|share| {
                        let own: Vec<u64> = (0..pieces).filter(|&piece| share.has(piece)).collect();
                        let counted: Vec<u64> =
                            (0..share.count(pieces)).map(|index| share.piece(index)).collect();
                        assert_eq!(own, counted);
                        own
                    })
                    .collect();
                taken.sort_unstable();
                assert_eq!(taken, (0..pieces).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for text in ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b"] {
            assert_eq!(text.parse::<Share>(), Err(NoShare), "{text}");
        }
        assert_eq!("3/4".parse::<Share>().unwrap().to_string(), "3/4");
    }
}
