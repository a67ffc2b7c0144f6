//! Which format a text is in.

use crate::game::{Position, Togyzqumalaq, parse_move};

use super::error::Place;
use super::lexer::{Kind, Lexer, Token};

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The files of the large platform: tags and numbered moves as `76(10)`, in the manner of chess's PGN.
    Pgn,
    /// Tournament records: tags and a line for each pair of moves, as `76 98x`.
    Tgk,
    /// A score sheet in short notation: `7:6 (10)`, `9-8`.
    Short,
    /// A score sheet in full notation: `79:610`, `510-511`.
    Full,
    /// Squares, as `g1d2`.
    Squares,
    /// The numbers of the pits.
    Pits,
    /// JSON.
    Json,
    /// Positions alone.
    Fen,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 8] = [
        Format::Pgn,
        Format::Tgk,
        Format::Short,
        Format::Full,
        Format::Squares,
        Format::Pits,
        Format::Json,
        Format::Fen,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Tgk => "tgk",
            Format::Short => "short",
            Format::Full => "full",
            Format::Squares => "squares",
            Format::Pits => "pits",
            Format::Json => "json",
            Format::Fen => "fen",
        }
    }

    /// The format of a text, by its first words. A text that could be of several is of the first of them.
    #[must_use]
    pub fn guess(text: &str) -> Format {
        if is_json(text) {
            Format::Json
        } else if is_fen(text) {
            Format::Fen
        } else {
            of_moves(text, Lexer::new(text, 0, Place::START))
        }
    }
}

/// How many tokens are looked at.
const TOKENS: usize = 10_000;

/// Whether the text begins as JSON: a tag begins with a letter in its bracket, and a comment hardly with a quoted word
/// and a colon.
fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    if let Some(inside) = text.strip_prefix('[') {
        let is_value = |first: char| "{[]\"-".contains(first) || first.is_ascii_digit();
        return inside.trim_start().starts_with(is_value);
    }
    let key = text.strip_prefix('{').and_then(|inside| inside.trim_start().strip_prefix('"'));
    let behind = key.and_then(|key| key.split_once('"')).map(|(_, behind)| behind.trim_start());
    behind.is_some_and(|behind| behind.starts_with(':'))
}

/// Whether the first line that is no comment begins with a board.
fn is_fen(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let board = lines.next().and_then(|line| line.split_whitespace().next()).unwrap_or_default();
    let is_board = |letter: char| letter.is_ascii_digit() || ",/StT".contains(letter);
    board.contains('/') && board.chars().all(is_board)
}

/// Which form the moves have. Bare pairs of digits are those of a platform's file or of TGK, unless other groups of
/// digits show that they are pits.
pub(super) fn of_moves(text: &str, mut lexer: Lexer<'_>) -> Format {
    let mut seen = Seen::default();
    for _ in 0..TOKENS {
        let Ok(Some(token)) = lexer.next() else { break };
        if let Some(format) = seen.format(text, &token) {
            return format;
        }
    }
    match seen.pairs[..] {
        [] if seen.single => Format::Pits,
        // There is nothing else, and the last stone would fall elsewhere.
        [pair] if seen.tokens == 1 && !pair.contains('0') && !is_first_move(pair) => Format::Pits,
        _ if seen.tgk => Format::Tgk,
        _ => Format::Pgn,
    }
}

/// Whether two digits are a pit and where its last stone falls in the first move of a game.
fn is_first_move(pair: &str) -> bool {
    parse_move(&Position::<Togyzqumalaq>::start(), pair).is_ok()
}

#[derive(Default)]
struct Seen<'a> {
    /// Two digits alone, at most the first two times.
    pairs: Vec<&'a str>,
    tokens: usize,
    /// One digit alone, which may also be the number of a line.
    single: bool,
    /// What only TGK has.
    tgk: bool,
    /// The end of the last token, if it was two digits.
    last: Option<usize>,
}

impl<'a> Seen<'a> {
    /// The format, if this token decides.
    fn format(&mut self, text: &str, token: &Token<'a>) -> Option<Format> {
        self.tokens += 1;
        let last = self.last.take();
        match &token.kind {
            Kind::Move(written) => match (written.takes, written.stones) {
                (None, _) => return Some(Format::Squares),
                (Some(_), None) => return Some(Format::Short),
                (Some(_), Some(_)) => return Some(Format::Full),
            },
            Kind::Digits(digits) => match digits.len() {
                1 => self.single = true,
                2 => {
                    self.last = Some(token.end);
                    if self.pairs.len() < 2 {
                        self.pairs.push(digits);
                    }
                }
                _ => return Some(Format::Pits),
            },
            // A blank before the brackets is the custom of score sheets.
            Kind::Kazan(_) if last == Some(token.start) => return Some(Format::Pgn),
            Kind::Kazan(_) if last.is_some() => return Some(Format::Short),
            Kind::Tuzdyq if last.is_some() && text[token.start..].starts_with('x') => self.tgk = true,
            Kind::Tag(name, _) => self.tgk |= name.eq_ignore_ascii_case("count"),
            _ => (),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_content() {
        for (text, format) in [
            ("1. 76(10) 98 2. 66", Format::Pgn),
            ("[White \"A\"]\n\n1. 76 98\n", Format::Pgn),
            ("[White \"A\"]\n[Count \"82-80\"]\n\n1. 76 98\n", Format::Tgk),
            ("1. 76 98x\n", Format::Tgk),
            ("[White \"A\"]\n", Format::Pgn),
            ("1 76 (10) 98", Format::Short),
            ("1) 9-8 8:7 (4)", Format::Short),
            ("79:610 79:610,\n510-511", Format::Full),
            ("{\"nice\"} 1 79:610", Format::Full),
            ("[Event \"x\"]\n1. g1d2", Format::Squares),
            ("7 2 3", Format::Pits),
            ("72", Format::Pits),
            ("76", Format::Pgn),
            ("72 11", Format::Pgn),
            ("# moves\n796817213", Format::Pits),
            ("76\n7968", Format::Pits),
            ("1. 7 2 2. 36 4", Format::Pgn),
            (" {\"moves\": \"7\"}", Format::Json),
            ("[{\"moves\": [7]}]", Format::Json),
            ("[]", Format::Json),
            ("[7, 2]", Format::Json),
            ("{} 76 98", Format::Pgn),
            ("# a\n9S,9S/9S,9S 0 0 S 1", Format::Fen),
            ("1/2-1/2", Format::Pgn),
            ("", Format::Pgn),
            ("nonsense", Format::Pgn),
        ] {
            assert_eq!(Format::guess(text), format, "{text}");
        }
        for format in Format::ALL {
            assert_eq!(Format::ALL.iter().filter(|other| other.name() == format.name()).count(), 1);
        }
    }
}
