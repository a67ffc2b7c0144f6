//! Reads the formats that are lists of moves: the platform's, TGK, score sheets, squares and pit numbers.

use std::borrow::Cow;
use std::ops::Range;

use crate::game::{Spot, Written};
use crate::text::quoted;

use super::draft::{Draft, MoveNumber};
use super::error::{Place, ReadError, ReadFault};
use super::lexer::{Kind, Lexer, Token};

/// The games of a text, one after the other.
pub(super) struct TextGames<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    /// Whether two bare digits are two pits.
    pits: bool,
    next: Option<Token<'a>>,
    games: usize,
}

impl<'a> TextGames<'a> {
    /// Begins to read; `pits` tells whether two bare digits are two pits, and not a pit and where its last stone falls.
    pub(super) const fn new(text: &'a str, pits: bool) -> TextGames<'a> {
        TextGames { text, lexer: Lexer::new(text, 0, Place::START), pits, next: None, games: 0 }
    }

    /// The next game; `None` when there is no more.
    pub(super) fn next_game(&mut self) -> Result<Option<Draft<'a>>, ReadError> {
        let draft = Draft::new(self.games + 1, Place::START, Cow::Borrowed(self.text));
        let mut reader = Reader { draft, pits: self.pits, sheet: Sheet::default() };
        loop {
            let token = match self.next.take() {
                Some(token) => Some(token),
                None => self.lexer.next()?,
            };
            let Some(token) = token else { break };
            if reader.ends_before(&token) {
                self.next = Some(token);
                break;
            }
            reader.take(token, self.lexer)?;
        }
        let mut draft = reader.draft;
        draft.sort_columns();
        self.games += 1;
        Ok(Some(draft).filter(|draft| !draft.is_empty()))
    }
}

/// What is known of the layout of a game.
#[derive(Debug, Default)]
struct Sheet {
    /// The moves have numbers.
    is_numbered: bool,
    /// The numbers stand bare at the beginning of lines.
    has_bare_numbers: bool,
    /// There is a comment, or a move of another form than squares or pits alone.
    is_rich: bool,
    /// The moves tell the stones in their houses.
    has_stones: bool,
}

/// Puts a game together.
pub(super) struct Reader<'a> {
    pub(super) draft: Draft<'a>,
    pits: bool,
    sheet: Sheet,
}

impl<'a> Reader<'a> {
    /// Puts a game together whose tokens are known to be of one game.
    pub(super) fn of_moves(draft: Draft<'a>, pits: bool) -> Reader<'a> {
        Reader { draft, pits, sheet: Sheet::default() }
    }

    /// Whether the token belongs to the next game.
    fn ends_before(&self, token: &Token<'_>) -> bool {
        let Reader { draft, sheet, .. } = self;
        if draft.is_empty() {
            return false;
        }
        if draft.result.is_some() {
            return token.after_blank || !matches!(token.kind, Kind::Comment(_));
        }
        let moves = draft.moves.len();
        match token.kind {
            Kind::Tag(name, _) => {
                let has_comment = draft.comment.is_some() && draft.has_tags();
                moves > 0 || has_comment || draft.has_tags() && token.after_blank || draft.has_tag(name)
            }
            // Not between 1. and 1... of the same game.
            Kind::Number { number: 1, north } => {
                token.after_blank && moves == 1 && !north || token.first_on_line && moves > 1
            }
            Kind::Digits(digits) if sheet.has_bare_numbers => {
                token.after_blank && token.first_on_line && digits == "1"
            }
            Kind::Digits(_) | Kind::Move(_) if moves > 0 && !sheet.is_numbered => {
                // A line of squares or pits alone is a game.
                let is_line = !sheet.is_rich && !draft.has_tags() && self.is_plain(&token.kind);
                token.after_blank || token.first_on_line && is_line
            }
            _ => false,
        }
    }

    /// Whether the token is a move of squares or pits alone.
    fn is_plain(&self, kind: &Kind<'_>) -> bool {
        match kind {
            Kind::Digits(digits) => self.pits || digits.len() != 2,
            Kind::Move(written) => matches!(written.origin, Spot::Square(..)),
            _ => false,
        }
    }

    /// Adds what a token says. `rest` stands behind it.
    pub(super) fn take(&mut self, token: Token<'_>, rest: Lexer<'_>) -> Result<(), ReadError> {
        if self.draft.is_empty() {
            self.draft.place = token.place;
        }
        if self.is_bare_number(&token, rest) {
            let number = self.slice(token.start..token.end).parse();
            let Ok(number) = number else { return Err(self.fault(&token, ReadFault::Number)) };
            self.sheet.has_bare_numbers = true;
            self.number(number, false, token.place);
            return Ok(());
        }
        self.sheet.is_rich |= !self.is_plain(&token.kind);
        match token.kind {
            Kind::Tag(name, value) => self.draft.add_tag(name, value, token.place)?,
            Kind::Comment(text) => self.draft.add_comment(text, token.place),
            Kind::Number { number, north } => self.number(number, north, token.place),
            Kind::Move(written) => {
                self.sheet.has_stones |= written.stones.is_some();
                self.draft.add_move(written, token.start..token.end, token.place)?;
            }
            Kind::Digits(digits) => self.digits(digits, &token)?,
            Kind::Result(result) => self.draft.result = Some((result, token.place)),
            Kind::Tuzdyq | Kind::Kazan(_) | Kind::Glyph(_) | Kind::DrawOffer => self.mark(&token)?,
        }
        Ok(())
    }

    /// Whether digits at the beginning of a line are the number of its moves: once the first line begins with 1 and a
    /// move of a longer form follows, all lines do.
    fn is_bare_number(&self, token: &Token<'_>, mut rest: Lexer<'_>) -> bool {
        let Kind::Digits(digits) = token.kind else { return false };
        if !token.first_on_line || self.pits || self.sheet.has_bare_numbers {
            return token.first_on_line && self.sheet.has_bare_numbers;
        }
        if digits != "1" || !self.draft.moves.is_empty() {
            return false;
        }
        rest.next().ok().flatten().is_some_and(|next| {
            let is_longer = match next.kind {
                Kind::Digits(digits) => digits.len() == 2,
                Kind::Move(_) => true,
                _ => false,
            };
            !next.first_on_line && is_longer
        })
    }

    fn number(&mut self, number: u32, north: bool, place: Place) {
        self.sheet.is_numbered = true;
        self.draft.number = Some(MoveNumber { number, north, place });
    }

    /// Adds the moves that digits alone are.
    fn digits(&mut self, digits: &str, token: &Token<'_>) -> Result<(), ReadError> {
        let pit = |digit: u8| Spot::Pit(digit - b'0');
        if let (&[origin, landing], false) = (digits.as_bytes(), self.pits) {
            let written = Written { landing: Some(pit(landing)), ..Written::new(pit(origin)) };
            return self.draft.add_move(written, token.start..token.end, token.place);
        }
        // In full notation a house and its stones, with nothing said of the last stone.
        if let (&[origin, _, _], true) = (digits.as_bytes(), self.sheet.has_stones) {
            let written = Written { stones: digits[1..].parse().ok(), ..Written::new(pit(origin)) };
            return self.draft.add_move(written, token.start..token.end, token.place);
        }
        for (index, &digit) in digits.as_bytes().iter().enumerate() {
            let at = token.start + index;
            let place = Place { column: token.place.column + index, ..token.place };
            self.draft.add_move(Written::new(pit(digit)), at..at + 1, place)?;
        }
        Ok(())
    }

    /// Adds a mark to the move before it.
    fn mark(&mut self, token: &Token<'_>) -> Result<(), ReadError> {
        if self.draft.moves.is_empty() {
            return Err(self.fault(token, ReadFault::Mark));
        }
        let Some(last) = self.draft.moves.last_mut() else { return Ok(()) };
        let written = &mut last.written;
        match token.kind {
            Kind::Tuzdyq => written.tuzdyq = true,
            Kind::Kazan(kazan) => {
                written.kazan = Some(kazan);
                // The brackets alone say that the move takes something; a dash before them says that it does not.
                written.takes = written.takes.or(Some(true));
            }
            Kind::Glyph(Some(glyph)) => last.set_glyph(glyph),
            Kind::DrawOffer => last.note_mut().draw_offer = true,
            _ => (),
        }
        if let Kind::Tuzdyq | Kind::Kazan(_) = token.kind {
            last.range.end = token.end;
        }
        Ok(())
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.draft.source.get(range).unwrap_or_default()
    }

    fn fault(&self, token: &Token<'_>, fault: impl Fn(String) -> ReadFault) -> ReadError {
        ReadError { place: token.place, fault: fault(quoted(self.slice(token.start..token.end))) }
    }
}
