use super::*;
use crate::book::Book;
use crate::engine::endgames;
use crate::eval::Classic;
use crate::game::{Bestemshe, Variant};
use crate::options::Options;

const EVALUATION: Evaluation = Evaluation::Classic(Classic);

/// A file for searches that is not there yet.
fn scratch(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("tuzdyq-analysis-{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn plan(plies: u32, margin: u32, threads: usize) -> Plan {
    Plan { plies, nodes: 300, margin, threads }
}

/// The tree, the searches and the book of an analysis of Bestemshe.
fn analysed(name: &str, plan: Plan) -> (Tree<Bestemshe>, Searches, Contents) {
    let options = Options { variant: Variant::Bestemshe, ..Options::default() };
    let (endgames, _) = endgames::of_options(&options);
    let control = Control::default();
    let means = Means { evaluation: &EVALUATION, endgames: &endgames, control: &control };
    let path = scratch(name);
    let mut searches = Searches::open(&path, Variant::Bestemshe, plan.nodes, "classic").unwrap();
    let tree = analyse::<Bestemshe>(&plan, &means, &mut searches, &mut |_| {}).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut contents = Contents::new(Variant::Bestemshe, String::new());
    tree.fill(&searches, &mut contents);
    (tree, searches, contents)
}

/// The value of a position by plain minimax over the positions of a tree.
fn value(tree: &Tree<Bestemshe>, searches: &Searches, position: &Position<Bestemshe>, ply: usize) -> Score {
    let level = tree.levels.get(ply);
    if !level.is_some_and(|level| level.iter().any(|it| Packed::of(it) == Packed::of(position))) {
        return found(position, searches).unwrap().score;
    }
    let replies = moves(position).map(|(_, next)| -value(tree, searches, &next, ply + 1));
    replies.max().unwrap()
}

#[test]
fn scores_are_those_of_minimax_over_the_tree() {
    let (tree, searches, contents) = analysed("minimax", plan(4, 150, 1));
    assert!(tree.levels.len() == 4 && tree.len() > 10, "{}", tree.len());
    let book = Book::parse(contents.to_bytes()).unwrap();
    assert_eq!(book.header().positions, tree.len());
    for (ply, level) in tree.levels.iter().enumerate() {
        for position in level {
            let known = book.ask(position);
            assert_eq!(known.len(), position.moves().len(), "all moves are in the book");
            for it in known {
                let next = position.play(it.pit).0;
                let score = -value(&tree, &searches, &next, ply + 1);
                assert_eq!(it.knowledge.analysis.unwrap().score, score, "{position} {}", it.pit);
            }
        }
    }
    // The score of a move that is followed comes from further ahead than its own search.
    let start = &tree.levels[0][0];
    let best = book.ask(start)[0];
    let own = before(found(&start.play(best.pit).0, &searches).unwrap());
    assert!(best.knowledge.analysis.unwrap().depth > own.depth || own.depth > 20, "{best:?} {own:?}");
}

#[test]
fn only_moves_within_the_margin_are_followed() {
    let (tree, searches, _) = analysed("margin", plan(2, 30, 1));
    let start = Position::<Bestemshe>::start();
    let scores: Vec<(Packed, i32)> = moves(&start)
        .map(|(_, next)| (Packed::of(&next), before(found(&next, &searches).unwrap()).score.value()))
        .collect();
    let best = scores.iter().map(|&(_, score)| score).max().unwrap();
    for (packed, score) in scores {
        let followed = tree.levels[1].iter().any(|it| Packed::of(it) == packed);
        assert_eq!(followed, score >= best - 30, "{score} of {best}");
    }
}

#[test]
fn the_book_does_not_depend_on_the_threads() {
    let books = [1, 3].map(|threads| analysed(&format!("threads-{threads}"), plan(3, 100, threads)).2);
    assert_eq!(books[0], books[1]);
}

#[test]
fn an_ended_game_needs_no_search() {
    let over: Position<Bestemshe> = "4,1S/3,1S,1S 20 27 S 1".parse().unwrap();
    let path = scratch("over");
    let searches = Searches::open(&path, Variant::Bestemshe, 1, "classic").unwrap();
    std::fs::remove_file(&path).unwrap();
    let known = found(&over, &searches).unwrap();
    assert_eq!(known, Found { score: Score::loss_in(0), depth: 0 });
    assert_eq!(before(known), Analysis { score: Score::win_in(1), depth: 1 });
    assert_eq!(before(Found { score: Score::win_in(3), depth: 9 }).score, Score::loss_in(4));
}
