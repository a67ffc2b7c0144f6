//! The one comparison of a record with the rules: it plays the moves, and asks of each whether what is written is so.

use std::collections::BTreeMap;

use crate::game::{AnyGame, Game, Played, Position, Rules, Side, Variant};
use crate::text::{quoted, shortened};
use crate::with_rules;

use super::draft::{Draft, DraftMove, MoveNumber, Stated};
use super::error::{Conflict, Contradiction, Place, ReadError, ReadFault};
use super::record::{Note, Record};
use super::result::GameResult;

/// The most contradictions that are told of one game: where there are so many, it is another game.
pub const MAX_CONTRADICTIONS: usize = 100;

/// A game that has been read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Which game of the text, from 1.
    pub number: usize,
    /// Where it begins.
    pub place: Place,
    /// The legal moves of the record, and what else it says.
    pub record: Record,
    /// What the rules contradict, in the order of the text; at most [`MAX_CONTRADICTIONS`].
    pub contradictions: Vec<Contradiction>,
}

/// Plays a game and compares what is written with what the rules give.
///
/// # Errors
/// When the position that the game begins with is none.
pub(super) fn check(draft: Draft<'_>) -> Result<Reading, ReadError> {
    let mut found = Found { game: draft.game, contradictions: Vec::new() };
    let variant = draft.variant.as_ref().map_or(Variant::Togyzqumalaq, |stated| {
        variant(&stated.text).unwrap_or_else(|| {
            found.add(stated.place, Conflict::Variant(quoted(&stated.text)));
            Variant::Togyzqumalaq
        })
    });
    let (number, place) = (draft.game, draft.place);
    let record = with_rules!(variant, R => play::<R>(draft, &mut found))?;
    Ok(Reading { number, place, record, contradictions: found.contradictions })
}

/// The variant of a name; the main game has many.
fn variant(name: &str) -> Option<Variant> {
    let plain: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    let is_main = ["togyzkumalak", "toguzkorgool", "toguzkumalak", "togizkumalak", "standard"]
        .iter()
        .any(|main| plain.eq_ignore_ascii_case(main));
    if is_main || name.is_empty() { Some(Variant::Togyzqumalaq) } else { plain.parse().ok() }
}

/// The contradictions found.
struct Found {
    game: usize,
    contradictions: Vec<Contradiction>,
}

impl Found {
    fn add(&mut self, place: Place, conflict: Conflict) {
        if self.contradictions.len() < MAX_CONTRADICTIONS {
            self.contradictions.push(Contradiction { game: self.game, place, conflict });
        }
    }
}

fn play<R: Rules>(draft: Draft<'_>, found: &mut Found) -> Result<Record, ReadError>
where
    AnyGame: From<Game<R>>,
{
    let start = match &draft.start {
        None => Position::<R>::start(),
        Some(Stated { text, place }) => {
            text.parse().map_err(|error| ReadError { place: *place, fault: ReadFault::Fen(error) })?
        }
    };
    let mut play = Play { game: Game::new(start), numbering: Numbering::default(), notes: BTreeMap::new() };
    let total = draft.moves.len();
    for (index, one) in draft.moves.into_iter().enumerate() {
        let text = draft.source.get(one.range.clone()).unwrap_or_default();
        if !play.play(one, text, total - index, found) {
            break;
        }
    }
    let Play { game, mut numbering, notes } = play;
    let is_whole = game.moves().len() == total;
    if let Some(number) = draft.number.filter(|_| is_whole) {
        numbering.check(number, game.position(), found);
    }
    let record = Record {
        tags: draft.tags,
        result: result(draft.result_tag.as_ref(), draft.result, found),
        comment: draft.comment,
        notes,
        game: game.into(),
    };
    // Where moves are missing, the end says nothing.
    if is_whole {
        let place = draft.result.map_or(draft.place, |(_, place)| place);
        check_end(&record, place, found);
        check_stated::<R>(&record, draft.atsyrau, draft.count.as_ref(), draft.last.as_ref(), found);
    }
    Ok(record)
}

/// A game being played.
struct Play<R: Rules> {
    game: Game<R>,
    numbering: Numbering,
    notes: BTreeMap<usize, Note>,
}

impl<R: Rules> Play<R> {
    /// Plays a move, if it can be played: otherwise it is left out, and so are the others, `left` in all.
    fn play(&mut self, one: DraftMove, text: &str, left: usize, found: &mut Found) -> bool {
        let position = *self.game.position();
        let (side, number) = (position.turn(), position.move_number());
        if let Some(written) = one.number {
            self.numbering.check(written, &position, found);
        }
        let written = || quoted(text);
        let pit = match one.written.pit(&position) {
            Ok(pit) => pit,
            Err(fault) => {
                let conflict = Conflict::Illegal { number, side, written: written(), fault, dropped: left };
                found.add(one.place, conflict);
                return false;
            }
        };
        let (_, played) = Played::of(&position, pit);
        for fault in one.written.contradictions::<R>(&played) {
            found.add(one.place, Conflict::Mark { number, side, written: written(), fault });
        }
        if let Some(note) = one.note.filter(|note| !note.is_empty()) {
            self.notes.insert(self.game.moves().len(), *note);
        }
        self.game.play(pit);
        true
    }
}

/// How the written numbers of the moves relate to those of the positions.
#[derive(Default)]
struct Numbering {
    /// What is to be added to the number of the position.
    offset: i64,
}

impl Numbering {
    /// Notices where the numbers get out of step, and then goes on with those that are written.
    fn check<R: Rules>(&mut self, written: MoveNumber, position: &Position<R>, found: &mut Found) {
        let (number, side) = (position.move_number(), position.turn());
        let offset = i64::from(written.number) - i64::from(number);
        if offset == self.offset && !(written.north && side == Side::South) {
            return;
        }
        self.offset = offset;
        let dots = if written.north { "..." } else { "." };
        let text = format!("{}{dots}", written.number);
        found.add(written.place, Conflict::Number { written: text, number, side });
    }
}

/// The result of a record: that after the moves, or else that of the tags.
fn result(
    tag: Option<&Stated>,
    after: Option<(Option<GameResult>, Place)>,
    found: &mut Found,
) -> Option<GameResult> {
    let in_tags = tag.and_then(|stated| {
        let result = GameResult::read(&stated.text);
        if result.is_none() {
            found.add(stated.place, Conflict::NoResult(quoted(&stated.text)));
        }
        result.flatten()
    });
    let Some((Some(result), place)) = after else { return in_tags };
    if let Some(other) = in_tags.filter(|&other| other != result) {
        let conflict = Conflict::Results { tag: other.to_string(), moves: result.to_string() };
        found.add(place, conflict);
    }
    Some(result)
}

/// Compares the recorded result with that of the rules, if they ended the game.
fn check_end(record: &Record, place: Place, found: &mut Found) {
    let (Some(written), Some(actual)) = (record.result, record.outcome()) else { return };
    if written != GameResult::from(actual.winner()) {
        found.add(place, Conflict::Result { written, actual });
    }
}

/// Compares what else is said of the end.
fn check_stated<R: Rules>(
    record: &Record,
    atsyrau: Option<Place>,
    count: Option<&Stated>,
    last: Option<&Stated>,
    found: &mut Found,
) {
    if let Some(place) = atsyrau.filter(|_| !record.outcome().is_some_and(|outcome| outcome.atsyrau)) {
        found.add(place, Conflict::Atsyrau);
    }
    let [south, north] = record.stones();
    if let Some(stated) = count.filter(|stated| !is_count_of::<R>(&stated.text, record)) {
        let written = quoted(&stated.text);
        found.add(stated.place, Conflict::Count { written, south, north });
    }
    let Some(stated) = last else { return };
    let game = record.game.of_rules::<R>();
    let same = game.is_some_and(|game| stated.text.parse().as_ref() == Ok(game.position()));
    if !same {
        let conflict = Conflict::Final { written: shortened(&stated.text, 120), actual: record.final_fen() };
        found.add(stated.place, conflict);
    }
}

/// Whether a text tells both sides' stones at the end: those that the rules give, or unless they gave all, also with
/// all that were left shared out. What is no count says nothing.
fn is_count_of<R: Rules>(text: &str, record: &Record) -> bool {
    let Some([south, north]) = read_count(text) else { return true };
    let [least_south, least_north] = record.stones();
    let is_shared =
        south >= least_south && north >= least_north && south.checked_add(north) == Some(R::TOTAL);
    [south, north] == [least_south, least_north] || is_shared
}

/// The stones of both sides, as `82-80` or `82:80`.
fn read_count(text: &str) -> Option<[u32; 2]> {
    let (south, north) = text.split_once(['-', ':', '–'])?;
    Some([south.trim().parse().ok()?, north.trim().parse().ok()?])
}
