//! Text from outside as error messages show it.

/// A token as error messages quote it: on one line, cut off where it grows long.
pub(crate) fn quoted(token: &str) -> String {
    shortened(token, 40)
}

/// A text on one line, cut off after so many characters.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    let mut short: String = text.chars().take(longest).flat_map(char::escape_debug).collect();
    if text.chars().nth(longest).is_some() {
        short.push_str("...");
    }
    short
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
