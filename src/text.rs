//! Text from outside as error messages show it.

/// A token as error messages quote it: on one line, cut off where it grows long.
pub(crate) fn quoted(token: &str) -> String {
    const LONGEST: usize = 40;
    let mut quoted: String = token.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if token.chars().nth(LONGEST).is_some() {
        quoted.push_str("...");
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_stay_on_one_short_line() {
        assert_eq!(quoted("25Х"), "25Х");
        assert_eq!(quoted("a\nb\u{1b}"), "a\\nb\\u{1b}");
        assert_eq!(quoted(&"9".repeat(1000)).len(), 43);
    }
}
