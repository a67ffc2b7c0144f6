//! Makes the review of a game from its record and what the engine found of its positions.

use crate::game::{Game, Pit, Played, Position, Rules, Side};
use crate::records::{Record, notation};
use crate::with_game;

use super::class::{Case, Class};
use super::report::{End, GameReview, Line, LineMove, Loss, PlyReview, Span, Verdicts};
use super::summary::{phases, sides, turning_points};
use super::tuzdyqs::tuzdyqs;
use super::values::{Finding, FoundLine, Judgement, Move, judge};

/// The longest line that is reported, in plies.
const LONGEST_LINE: usize = 12;

/// What a review of one game is made from.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// Which game of the input, from 1.
    pub number: usize,
    /// The game.
    pub record: &'a Record,
    /// The plies that are reviewed; none where it is empty.
    pub reviewed: Span,
    /// What was found of the position before each reviewed ply, and of the one after the last. Where a ply had only
    /// one move, nothing needs to have been found of the position before it.
    pub findings: &'a [Option<Finding>],
    /// The most lines of a position.
    pub lines: usize,
}

/// A finding that is needed is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {0}: a position has not been searched")]
pub struct Incomplete(usize);

/// Reviews a game.
///
/// # Errors
/// When a finding is missing.
pub fn assess(material: &Material<'_>) -> Result<GameReview, Incomplete> {
    with_game!(&material.record.game, game => assess_game(material, game))
}

/// A move and the positions around it.
struct Step<R: Rules> {
    before: Position<R>,
    after: Position<R>,
    played: Played,
}

fn steps<R: Rules>(game: &Game<R>) -> Vec<Step<R>> {
    let mut position = *game.start();
    let step = |&pit: &Pit| {
        let before = position;
        let (after, played) = Played::of(&before, pit);
        position = after;
        Step { before, after, played }
    };
    game.moves().iter().map(step).collect()
}

fn assess_game<R: Rules>(material: &Material<'_>, game: &Game<R>) -> Result<GameReview, Incomplete> {
    let &Material { number, record, reviewed, findings, lines } = material;
    let steps = steps(game);
    let span = if reviewed.from == 0 { 0..0 } else { reviewed.from - 1..reviewed.to };
    let moves = steps.get(span).unwrap_or_default().iter();
    let moves: Vec<Move> = moves
        .map(|step| Move { pit: step.played.pit, is_forced: step.before.moves().count() == 1 })
        .collect();
    let judgements = if moves.is_empty() { Some(Vec::new()) } else { judge(&moves, findings, lines) };
    let judgements = judgements.ok_or(Incomplete(number))?;
    let plies: Vec<PlyReview> = (1..)
        .zip(&steps)
        .map(|(ply, step)| {
            let judgement = reviewed.contains(ply).then(|| &judgements[ply - reviewed.from]);
            ply_review(record, ply, step, judgement)
        })
        .collect();
    let stones_left = |step: &Step<R>| step.before.board().stones_left();
    let phases = phases::<R>(&plies, |index| stones_left(&steps[index]));
    let outcome = record.outcome();
    Ok(GameReview {
        number,
        variant: R::VARIANT,
        tags: record.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        start: game.start().to_string(),
        result: record.known_result(),
        end: outcome.map(|it| End { south: it.south, north: it.north, atsyrau: it.atsyrau }),
        reviewed,
        sides: sides(&plies),
        turning_points: turning_points(&plies),
        tuzdyqs: tuzdyqs(game.start(), steps.iter().map(|step| step.played)),
        phases,
        plies,
    })
}

fn ply_review<R: Rules>(
    record: &Record,
    ply: usize,
    step: &Step<R>,
    judgement: Option<&Judgement>,
) -> PlyReview {
    let Step { before, after, played } = step;
    let note = record.notes.get(&(ply - 1));
    let mut review = PlyReview {
        ply,
        number: before.move_number(),
        side: played.side,
        pit: played.pit.to_string(),
        notation: notation(played),
        fen: after.to_string(),
        kazans: Side::BOTH.map(|side| after.half(side).kazan()),
        captured: played.effect.captured,
        tuzdyq: played.effect.tuzdyq,
        glyph: note.and_then(|note| note.glyph).map(|glyph| glyph.sign().to_owned()),
        comment: note.and_then(|note| note.comment.clone()),
        before: None,
        after: None,
        best: None,
        class: None,
        loss: None,
        verdict: None,
        lines: Vec::new(),
    };
    if let Some(judgement) = judgement {
        add_judgement(&mut review, step, judgement);
    }
    review
}

fn add_judgement<R: Rules>(review: &mut PlyReview, step: &Step<R>, judgement: &Judgement) {
    let Step { before: position, played, .. } = step;
    let left = f64::from(position.board().stones_left()) / f64::from(R::TOTAL);
    let value = |worth: super::Worth| worth.value(played.side, left);
    let (before, after) = (value(judgement.before), value(judgement.after));
    let best = judgement.lines.first().and_then(|line| line.pits.first()).copied();
    let best = if judgement.is_best { Some(played.pit) } else { best };
    let chance = rounded((before.chance - after.chance).abs(), 4);
    let stones = before.stones.zip(after.stones).map(|(before, after)| rounded((before - after).abs(), 2));
    let verdicts = Verdicts { before: judgement.before.verdict(), after: judgement.after.verdict() };
    let makes_tuzdyq = |pit| position.capture(pit).tuzdyq;
    review.class = Some(Class::of(&Case {
        is_best: judgement.is_best,
        loss: chance,
        before: verdicts.before,
        misses_tuzdyq: best.is_some_and(makes_tuzdyq) && !played.effect.tuzdyq,
    }));
    review.before = Some(before);
    review.after = Some(after);
    review.best = best.map(|pit| pit.to_string());
    review.loss = Some(Loss { stones, chance });
    review.verdict = Some(verdicts).filter(|it| it.before.is_some() || it.after.is_some());
    let line = |line: &FoundLine| Line { value: value(line.worth), moves: line_moves(position, &line.pits) };
    review.lines = judgement.lines.iter().map(line).collect();
}

/// The moves of a line, as far as they can be played.
fn line_moves<R: Rules>(start: &Position<R>, pits: &[Pit]) -> Vec<LineMove> {
    let mut position = *start;
    let mut moves = Vec::new();
    for &pit in pits.iter().take(LONGEST_LINE) {
        if !position.moves().contains(pit) {
            break;
        }
        let (next, played) = Played::of(&position, pit);
        position = next;
        moves.push(LineMove { pit: pit.to_string(), notation: notation(&played), fen: position.to_string() });
    }
    moves
}

/// The number with so many decimals.
pub(super) fn rounded(number: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (number * unit).round() / unit
}
