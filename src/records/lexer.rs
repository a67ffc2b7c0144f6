//! The tokens of the formats that are lists of moves: tags, comments, numbers, moves with their marks, results.
//!
//! All these formats share one lexer, because no token of one means something else in another. Only two bare digits
//! can be two things, and the reader decides on them.

use crate::game::{Spot, Written};
use crate::text::quoted;

use super::error::{Place, ReadError, ReadFault};
use super::record::Glyph;
use super::result::{GameResult, SPELLINGS};

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    /// Its text.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) place: Place,
    /// Whether it is the first on its line.
    pub(super) first_on_line: bool,
    /// Whether a blank line is before it.
    pub(super) after_blank: bool,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// `[Name "value"]`
    Tag(&'a str, String),
    /// `{text}`
    Comment(&'a str),
    /// `12.`, `12)`, or `12...` before a move of North.
    Number { number: u32, north: bool },
    /// A move in squares or with `:` or `-` in it.
    Move(Written),
    /// Digits alone.
    Digits(&'a str),
    /// `X` in any alphabet and case.
    Tuzdyq,
    /// `(10)`
    Kazan(u32),
    /// `!`, `?!`, `$1`; `None` where the number means nothing here.
    Glyph(Option<Glyph>),
    /// `=`
    DrawOffer,
    /// `1-0`, `*`
    Result(Option<GameResult>),
}

/// Reads a text token by token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    place: Place,
}

type Lexed<'a> = Result<Option<Kind<'a>>, ReadFault>;

const TUZDYQ: [char; 4] = ['X', 'x', 'Х', 'х'];
const BLANKS: [char; 2] = [' ', '\t'];
const DASHES: [char; 4] = ['-', '–', '—', '−'];

impl<'a> Lexer<'a> {
    /// Begins in the middle of a text, at this byte, which stands at this place.
    pub(super) const fn new(text: &'a str, at: usize, place: Place) -> Lexer<'a> {
        Lexer { text, at, place }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let taken = self.rest().get(..bytes).unwrap_or_default();
        self.place = self.place.after(taken);
        self.at += taken.len();
        taken
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, ReadError> {
        let from = self.at;
        let breaks = self.skip();
        let (start, place) = (self.at, self.place);
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let kind = self.lex(first).and_then(|kind| kind.ok_or_else(|| self.word(start)));
        let kind = kind.map_err(|fault| ReadError { place, fault })?;
        let (first_on_line, after_blank) = (from == 0 || breaks > 0, breaks > 1);
        Ok(Some(Token { kind, start, end: self.at, place, first_on_line, after_blank }))
    }

    /// Passes over what separates tokens, and gives the number of line breaks in it.
    fn skip(&mut self) -> usize {
        let mut breaks = 0;
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return breaks };
            let at_line_start = self.place.column == 1;
            if at_line_start && ['#', '%'].contains(&first) {
                // With its line break, so that it is as if the line were not there.
                self.take(rest.find('\n').map_or(rest.len(), |end| end + 1));
            } else if first == '\n' {
                breaks += 1;
                self.take(1);
            } else if is_separator(first) || is_lone_dash(rest) {
                self.take(first.len_utf8());
            } else {
                return breaks;
            }
        }
    }

    /// Lexes a token that begins with this character; `None` where it is of no known kind.
    fn lex(&mut self, first: char) -> Lexed<'a> {
        match first {
            '[' => self.tag(),
            '{' => self.comment(),
            '(' => self.kazan(),
            '*' | '½' | '0'..='9' => self.digits(),
            '!' | '?' => Ok(self.glyph()),
            '$' => Ok(self.numbered_glyph()),
            '=' => {
                self.take(1);
                Ok(Some(Kind::DrawOffer))
            }
            _ if TUZDYQ.contains(&first) && ends_word(&self.rest()[first.len_utf8()..]) => {
                self.take(first.len_utf8());
                Ok(Some(Kind::Tuzdyq))
            }
            'a'..='z' | 'A'..='Z' => Ok(self.squares()),
            _ => Ok(None),
        }
    }

    /// The fault of a token of no known kind.
    fn word(&self, start: usize) -> ReadFault {
        let text = self.text.get(start..).unwrap_or_default();
        let end = text.find(|letter: char| is_separator(letter) || letter == '\n').unwrap_or(text.len());
        ReadFault::Word(quoted(&text[..end]))
    }

    fn tag(&mut self) -> Lexed<'a> {
        let rest = self.rest();
        let inside = rest[1..].trim_start_matches(BLANKS);
        let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_';
        let (name, behind) = inside.split_at(inside.find(is_end).ok_or(ReadFault::Tag)?);
        let value = tag_value(behind.trim_start_matches(BLANKS)).filter(|_| !name.is_empty());
        let (value, behind) = value.ok_or(ReadFault::Tag)?;
        self.take(rest.len() - behind.len());
        Ok(Some(Kind::Tag(name, value)))
    }

    fn comment(&mut self) -> Lexed<'a> {
        let length = self.rest().find('}').ok_or(ReadFault::Comment)?;
        let text = self.take(length + 1);
        Ok(Some(Kind::Comment(&text[1..length])))
    }

    fn kazan(&mut self) -> Lexed<'a> {
        let rest = self.rest();
        let wrong = || {
            let end = rest.find([')', '\n']).map_or(rest.len(), |end| end + 1);
            ReadFault::Brackets(quoted(rest[..end].trim_end()))
        };
        let inside = rest[1..].trim_start_matches(BLANKS);
        let digits = leading_digits(inside);
        let behind = inside[digits.len()..].trim_start_matches(BLANKS).strip_prefix(')');
        let kazan = digits.parse().ok().zip(behind);
        let (kazan, behind) = kazan.ok_or_else(wrong)?;
        self.take(rest.len() - behind.len());
        Ok(Some(Kind::Kazan(kazan)))
    }

    fn glyph(&mut self) -> Option<Kind<'a>> {
        let rest = self.rest();
        let length = rest.find(|letter| !['!', '?'].contains(&letter)).unwrap_or(rest.len());
        let glyph = Glyph::of_sign(&rest[..length])?;
        self.take(length);
        Some(Kind::Glyph(Some(glyph)))
    }

    fn numbered_glyph(&mut self) -> Option<Kind<'a>> {
        let digits = leading_digits(&self.rest()[1..]);
        let number: usize = digits.parse().ok()?;
        self.take(1 + digits.len());
        Some(Kind::Glyph(number.checked_sub(1).and_then(|index| Glyph::ALL.get(index).copied())))
    }

    /// Two squares, perhaps with a dash between them.
    fn squares(&mut self) -> Option<Kind<'a>> {
        let rest = self.rest();
        let (from, behind) = square(rest)?;
        let (to, behind) = square(behind.strip_prefix('-').unwrap_or(behind))?;
        if !ends_word(behind.trim_start_matches(TUZDYQ)) {
            return None;
        }
        self.take(rest.len() - behind.len());
        Some(Kind::Move(Written { landing: Some(to), ..Written::new(from) }))
    }

    /// What begins with a digit: a result, a number, a move.
    fn digits(&mut self) -> Lexed<'a> {
        let rest = self.rest();
        let spelling = SPELLINGS.iter().find(|(text, _)| rest.strip_prefix(text).is_some_and(ends_word));
        if let Some((text, result)) = spelling {
            self.take(text.len());
            return Ok(Some(Kind::Result(*result)));
        }
        let digits = leading_digits(rest);
        let behind = &rest[digits.len()..];
        if digits.is_empty() {
            return Ok(None);
        }
        if behind.starts_with(['.', '…', ')']) {
            let number = digits.parse().map_err(|_| ReadFault::Number(quoted(digits)))?;
            // An ellipsis has three bytes.
            let dots = behind.len() - behind.trim_start_matches(['.', '…']).len();
            self.take(digits.len() + dots.max(1));
            return Ok(Some(Kind::Number { number, north: dots > 1 }));
        }
        if let Some((takes, to, behind)) = landing_part(behind) {
            let written = sheet_move(digits, takes, to)?;
            self.take(rest.len() - behind.len());
            return Ok(Some(Kind::Move(written)));
        }
        if behind.starts_with(|letter: char| letter.is_alphanumeric() && !TUZDYQ.contains(&letter)) {
            return Ok(None);
        }
        Ok(Some(Kind::Digits(self.take(digits.len()))))
    }
}

/// White space, what stands between the columns of a table, and dots that belong to no number.
fn is_separator(letter: char) -> bool {
    letter.is_whitespace() && letter != '\n' || [',', ';', '|', '.', '…', '\u{feff}'].contains(&letter)
}

/// A dash for a move that is not there, or between columns.
fn is_lone_dash(rest: &str) -> bool {
    rest.strip_prefix(DASHES).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

fn ends_word(rest: &str) -> bool {
    !rest.starts_with(char::is_alphanumeric)
}

fn leading_digits(text: &str) -> &str {
    let length = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    &text[..length]
}

fn square(text: &str) -> Option<(Spot, &str)> {
    let &[column, row, ..] = text.as_bytes() else { return None };
    if !column.is_ascii_alphabetic() || !row.is_ascii_digit() {
        return None;
    }
    let spot = Spot::Square(char::from(column.to_ascii_lowercase()), char::from(row));
    Some((spot, &text[2..]))
}

/// The second part of a move on a score sheet: whether it takes something, the digits, and what is behind them.
fn landing_part(behind: &str) -> Option<(bool, &str, &str)> {
    let sign = behind.trim_start_matches(BLANKS);
    let takes = sign.starts_with(':');
    let to = if takes { sign.strip_prefix(':')? } else { sign.strip_prefix(DASHES)? };
    let digits = leading_digits(to.trim_start_matches(BLANKS));
    let apart = sign.len() < behind.len() && to.starts_with(BLANKS);
    // A dash that stands apart is no part of a move.
    if digits.is_empty() || apart && !takes {
        return None;
    }
    Some((takes, digits, &to.trim_start_matches(BLANKS)[digits.len()..]))
}

/// A move of a score sheet: in each part the house, and perhaps the stones in it.
fn sheet_move(from: &str, takes: bool, to: &str) -> Result<Written, ReadFault> {
    let part = |digits: &str| {
        let (house, stones) = digits.split_at(1);
        let stones = match stones {
            "" => None,
            _ if stones.len() > 3 => return Err(ReadFault::Number(quoted(stones))),
            _ => stones.parse().ok(),
        };
        Ok((Spot::Pit(house.parse().unwrap_or_default()), stones))
    };
    let ((origin, stones), (landing, landing_stones)) = (part(from)?, part(to)?);
    let landing = Some(landing);
    Ok(Written { stones, landing, landing_stones, takes: Some(takes), ..Written::new(origin) })
}

/// The value of a tag, and what follows its bracket, all on one line. Without quotation marks it ends at the bracket.
fn tag_value(text: &str) -> Option<(String, &str)> {
    let Some(text) = text.strip_prefix('"') else {
        let (value, rest) = text.split_at(text.find([']', '\n'])?);
        return Some((value.trim().to_owned(), rest.strip_prefix(']')?));
    };
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next().filter(|&(_, letter)| letter != '\n') {
        let behind = &text[at + letter.len_utf8()..];
        // A quotation mark within the value is not followed by the bracket.
        let end = if letter == '"' { behind.trim_start_matches(BLANKS).strip_prefix(']') } else { None };
        if let Some(rest) = end {
            return Some((value, rest));
        }
        let escaped = behind.chars().next().filter(|next| letter == '\\' && ['"', '\\'].contains(next));
        value.push(escaped.unwrap_or(letter));
        if escaped.is_some() {
            letters.next();
        }
    }
    None
}

#[cfg(test)]
#[path = "lexer_tests.rs"]
mod tests;
