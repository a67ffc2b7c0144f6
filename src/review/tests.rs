//! The review of whole games, with values made by hand.

use super::*;
use crate::eval::Score;
use crate::game::{AnyGame, Pit, Side, Variant};
use crate::records::{Format, GameResult, Glyph, Note, Record, Writer, read};

fn record(variant: Variant, fen: Option<&str>, moves: &str) -> Record {
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    Record::new(AnyGame::from_text(variant, fen, &moves).unwrap())
}

fn pit(number: u8) -> Pit {
    Pit::from_number(number).unwrap()
}

/// What a search found: centistones for the side to move, and its line.
fn found(score: Score, line: &[u8]) -> Option<Finding> {
    let worth = Worth::found(score);
    Some(Finding { worth, lines: vec![FoundLine { worth, pits: line.iter().map(|&it| pit(it)).collect() }] })
}

fn stones(score: i32, line: &[u8]) -> Option<Finding> {
    found(Score::centistones(100 * score), line)
}

fn review(record: &Record, reviewed: Span, findings: &[Option<Finding>]) -> GameReview {
    assess(&Material { number: 1, record, reviewed, findings, lines: 1 }).unwrap()
}

/// The opening of the rulebook's sample; the third ply is no good, the fourth answers it in the best way.
fn sample() -> (Record, Span, Vec<Option<Finding>>) {
    let record = record(Variant::Togyzqumalaq, None, "7 7 5 9");
    let findings = vec![
        stones(1, &[7, 7]),
        stones(-1, &[7]),
        stones(1, &[9, 9]),
        stones(11, &[9, 1]),
        stones(-11, &[1]),
    ];
    (record, Span { from: 1, to: 4 }, findings)
}

#[test]
fn each_side_is_judged_from_its_own_point_of_view() {
    let (record, span, findings) = sample();
    let game = review(&record, span, &findings);
    let classes: Vec<_> = game.plies.iter().map(|ply| ply.class.unwrap()).collect();
    assert_eq!(classes, [Class::Best, Class::Best, Class::Mistake, Class::Best]);
    let ply = &game.plies[2];
    assert_eq!((ply.side, ply.number, ply.pit.as_str(), ply.notation.as_str()), (Side::South, 2, "5", "55"));
    // Values are South's, whoever moves; the loss is the mover's.
    assert_eq!((ply.before.unwrap().stones, ply.after.unwrap().stones), (Some(1.0), Some(-11.0)));
    assert_eq!((ply.best.as_deref(), ply.loss.unwrap().stones), (Some("9"), Some(12.0)));
    let [before, after] = ply.chances().unwrap();
    assert!(before > 0.5 && after < 0.4, "{before} {after}");
    let north = &game.plies[3];
    assert_eq!((north.before.unwrap().stones, north.after.unwrap().stones), (Some(-11.0), Some(-11.0)));
    let [before, after] = north.chances().unwrap();
    assert!(before > 0.6 && before == after, "{before} {after}");
    let notation: Vec<&str> = ply.lines[0].moves.iter().map(|it| it.notation.as_str()).collect();
    assert_eq!(notation, ["99", "91"]);

    // The same for North: a mistake of North's is good for South.
    let mirrored = [stones(0, &[7]), stones(0, &[1]), stones(6, &[5])];
    let game = review(&record, Span { from: 1, to: 2 }, &mirrored);
    assert_eq!(game.plies[1].class, Some(Class::Inaccuracy));
    assert_eq!(game.plies[1].after.unwrap().stones, Some(6.0));
}

#[test]
fn a_proven_win_thrown_away_is_a_missed_win() {
    let (record, span, mut findings) = sample();
    findings[2] = found(Score::win_in(5), &[9]);
    let game = review(&record, span, &findings);
    let ply = &game.plies[2];
    assert_eq!(ply.class, Some(Class::MissedWin));
    assert_eq!(ply.verdict, Some(Verdicts { before: Some(Verdict::Win), after: None }));
    assert_eq!((ply.before.unwrap().proven, ply.before.unwrap().moves), (Some(Proven::South), Some(3)));
    assert_eq!(ply.loss.unwrap().stones, None);
    assert_eq!(game.sides.south.classes[&Class::MissedWin], 1);
    assert_eq!(game.turning_points, [3]);
    // North's win, thrown away by North's move.
    findings[3] = found(Score::win_in(3), &[1]);
    findings[4] = stones(5, &[1]);
    let game = review(&record, span, &findings);
    assert_eq!(game.plies[3].class, Some(Class::MissedWin));
    assert_eq!(game.plies[3].before.unwrap().proven, Some(Proven::North));
}

#[test]
fn a_missed_tuzdyq_is_told() {
    // South's pit 2 would make North's pit 5 a tuzdyq.
    let fen = "9S,9S,9S,9S,2S,9S,9S,9S,9S/9S,13S,9S,t,9S,9S,9S,9S,1 0 21 S 1";
    let record = record(Variant::Togyzqumalaq, Some(fen), "1");
    let findings = [stones(20, &[2]), stones(5, &[1])];
    let game = review(&record, Span { from: 1, to: 1 }, &findings);
    assert_eq!(game.plies[0].class, Some(Class::MissedTuzdyq));
    // Where it hardly matters, it is not missed.
    let findings = [stones(-5, &[2]), stones(6, &[1])];
    let game = review(&record, Span { from: 1, to: 1 }, &findings);
    assert_eq!(game.plies[0].class, Some(Class::Good));
}

#[test]
fn sides_and_phases_are_summed_up() {
    let (record, span, findings) = sample();
    let game = review(&record, span, &findings);
    let south = &game.sides.south;
    assert_eq!((south.stats.moves, south.stats.average_loss), (2, Some(6.0)));
    let lost = game.plies[2].loss.unwrap().chance;
    let mean = (100.0 + accuracy(lost)) / 2.0;
    assert!((south.stats.accuracy.unwrap() - mean).abs() < 0.06, "{mean}");
    assert_eq!(game.sides.north.stats, Stats { moves: 2, accuracy: Some(100.0), average_loss: Some(0.0) });
    assert_eq!(south.classes.values().sum::<usize>(), 2);
    assert_eq!(south.classes.len(), Class::ALL.len());
    let [opening] = game.phases[..] else { panic!("{:?}", game.phases) };
    assert_eq!((opening.name, opening.from, opening.to), (PhaseName::Opening, 1, 4));
    assert_eq!(opening.south, south.stats);
}

#[test]
fn phases_follow_the_moves_and_the_stones() {
    let names = |record: &Record| {
        let game = review(record, Span::default(), &[]);
        game.phases.iter().map(|it| (it.name, it.from, it.to)).collect::<Vec<_>>()
    };
    // Move 9 is the last of an opening.
    let fen = "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 9";
    let game = record(Variant::Togyzqumalaq, Some(fen), "1 1 2");
    assert_eq!(names(&game), [(PhaseName::Opening, 1, 2), (PhaseName::Middlegame, 3, 3)]);
    let game = record(Variant::Togyzqumalaq, Some("8,1S/8,1S 80 80 S 1"), "9");
    assert_eq!(names(&game), [(PhaseName::Endgame, 1, 1)]);
    assert_eq!(names(&record(Variant::Kozdatu, None, "")), []);
}

#[test]
fn turning_points_are_the_mistakes_that_change_the_standing() {
    let moves = "7 7 5 9";
    let record = record(Variant::Togyzqumalaq, None, moves);
    // South is far ahead: the second ply gives it more, the third throws much of it away but stays winning.
    let findings =
        [stones(40, &[7]), stones(-40, &[1]), stones(70, &[9]), stones(-30, &[1]), stones(25, &[1])];
    let game = review(&record, Span { from: 1, to: 4 }, &findings);
    assert!(game.turning_points.is_empty());
    // From winning to level is one, and so is from level to lost.
    let findings = [stones(40, &[7]), stones(-40, &[7]), stones(40, &[9]), stones(0, &[1]), stones(60, &[1])];
    let game = review(&record, Span { from: 1, to: 4 }, &findings);
    assert_eq!(game.turning_points, [3, 4]);
}

#[test]
fn what_is_not_reviewed_is_there_all_the_same() {
    let (mut record, _, findings) = sample();
    record
        .notes
        .insert(0, Note { glyph: Some(Glyph::Good), comment: Some("x".to_owned()), ..Note::default() });
    record.result = Some(GameResult::North);
    record.tags.set("White", "A");
    let game = review(&record, Span { from: 3, to: 3 }, &findings[2..4]);
    let reviewed: Vec<bool> = game.plies.iter().map(|ply| ply.before.is_some()).collect();
    assert_eq!(reviewed, [false, false, true, false]);
    assert_eq!((game.plies[0].glyph.as_deref(), game.plies[0].comment.as_deref()), (Some("!"), Some("x")));
    assert_eq!((game.result, game.end, game.tags["White"].as_str()), (Some(GameResult::North), None, "A"));
    assert_eq!((game.sides.south.stats.moves, game.sides.north.stats.accuracy), (1, None));
    let material =
        Material { number: 7, record: &record, reviewed: Span { from: 1, to: 4 }, findings: &[], lines: 1 };
    assert_eq!(assess(&material).unwrap_err().to_string(), "game 7: a position has not been searched");
}

#[test]
fn the_end_of_a_game_needs_no_search() {
    let record = record(Variant::Togyzqumalaq, Some("8,1S/8,1S 80 80 S 1"), "9");
    let outcome = record.outcome().unwrap();
    let worth = Worth::over(&outcome, Side::North);
    let findings = [stones(1, &[9]), Some(Finding { worth, lines: Vec::new() })];
    let game = review(&record, Span { from: 1, to: 1 }, &findings);
    let ply = &game.plies[0];
    let proven = Value { stones: None, chance: 1.0, proven: Some(Proven::South), moves: Some(1) };
    assert_eq!((ply.after, ply.before, ply.class), (Some(proven), Some(proven), Some(Class::Best)));
    assert_eq!(game.end, Some(End { south: outcome.south, north: outcome.north, atsyrau: outcome.atsyrau }));
}

#[test]
fn a_report_is_read_back_as_it_was_written() {
    let (record, span, mut findings) = sample();
    findings[3] = found(Score::win_in(9), &[1, 2]);
    let report = Report {
        schema: SCHEMA.to_owned(),
        engine: "tuzdyq".to_owned(),
        limit: "1 nodes".to_owned(),
        threads: 1,
        multipv: 1,
        games: vec![review(&record, span, &findings)],
    };
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    for part in [r#""side":"south","move":"7""#, r#""variant":"togyzqumalaq""#, r#""missed_win":0"#] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn the_margins_can_be_read_back() {
    let (mut record, span, findings) = sample();
    record.notes.insert(
        2,
        Note { glyph: Some(Glyph::Interesting), comment: Some("why?".to_owned()), ..Note::default() },
    );
    let game = review(&record, span, &findings);
    let annotated = annotated(&record, &game, "tuzdyq 1");
    let mut writer = Writer::new(Format::Pgn);
    writer.add(&annotated);
    let text = writer.finish();
    let reading = read(&text).next().unwrap().unwrap();
    assert_eq!(reading.contradictions, []);
    assert_eq!(reading.record.final_fen(), record.final_fen());
    assert_eq!((&reading.record.notes, &reading.record.comment), (&annotated.notes, &annotated.comment));
    assert_eq!(reading.record.tags.get("Annotator"), Some("tuzdyq 1"));
    // What the record says of a move stays.
    let note = &reading.record.notes[&2];
    assert_eq!(note.glyph, Some(Glyph::Interesting));
    let comment = note.comment.as_deref().unwrap();
    assert!(
        comment.starts_with("why?; -11.00, ") && comment.contains("; mistake, best 99 91 ("),
        "{comment}"
    );
    record.notes.clear();
    let bare = super::annotated(&record, &game, "tuzdyq 1");
    assert_eq!(bare.notes[&2].glyph, Some(Glyph::Mistake));
    assert_eq!(bare.notes[&3].glyph, None);
}
