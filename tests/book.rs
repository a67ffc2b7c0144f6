//! `tuzdyq book` and the options of the opening book.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use common::files::{folder, text};
use common::pipe::{Engine, LATER, SOON, Search, ms, output, refusal};
use tuzdyq::book::{Analysis, Book, Contents, Knowledge, Tally};
use tuzdyq::engine::book::built_in;
use tuzdyq::eval::Score;
use tuzdyq::game::{Packed, Pit, Position, Rules, Togyzqumalaq, Variant};
use tuzdyq::records::{GameResult, read};
use tuzdyq::with_game;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.jsonl");

fn pit(number: usize) -> Pit {
    Pit::from_index(number - 1)
}

fn load(path: &Path) -> Book {
    Book::parse(fs::read(path).expect("a book")).unwrap_or_else(|error| panic!("{error}"))
}

/// Writes a book of the start position with these moves and scores.
fn scored(path: &Path, moves: &[(usize, i32)]) {
    let mut contents = Contents::new(Variant::Togyzqumalaq, "made by a test".to_owned());
    for &(number, score) in moves {
        let analysis = Some(Analysis { score: Score::centistones(score), depth: 11 });
        let start = Packed::of(&Position::<Togyzqumalaq>::start());
        *contents.entry(start, pit(number)) = Knowledge { analysis, tally: Tally::default() };
    }
    fs::write(path, contents.to_bytes()).expect("a book");
}

/// How often each move was made in each position of the first half-moves, and what came of it for the mover, counted
/// from the records alone.
fn counted(plies: usize, least: u32) -> BTreeMap<(Packed, Pit), [u32; 4]> {
    let text = fs::read_to_string(GAMES).expect("the games");
    let mut counts: BTreeMap<(Packed, Pit), [u32; 4]> = BTreeMap::new();
    for reading in read(&text) {
        let record = reading.expect("a game").record;
        let moves = with_game!(&record.game, game => game.moves().to_vec());
        let mut position = Position::<Togyzqumalaq>::start();
        for (index, &pit) in moves.iter().take(plies).enumerate() {
            let count = counts.entry((Packed::of(&position), pit)).or_default();
            let slot = match record.result.expect("a result") {
                GameResult::Draw => 2,
                GameResult::South if index % 2 == 0 => 1,
                GameResult::North if index % 2 == 1 => 1,
                _ => 3,
            };
            count[0] += 1;
            count[slot] += 1;
            position = position.play(pit).0;
        }
    }
    counts.retain(|_, count| count[0] >= least);
    counts
}

#[test]
fn a_book_of_games_counts_what_the_records_say() {
    let out = folder("book-games").join("games.tqb");
    let said = output(&["book", "build", GAMES, "--min-games", "5", "--depth", "8", "--out", text(&out)]);
    let book = load(&out);
    let expected = counted(8, 5);
    let found: BTreeMap<(Packed, Pit), [u32; 4]> = book
        .positions()
        .flat_map(|(packed, moves)| moves.into_iter().map(move |(pit, known)| ((packed, pit), known)))
        .map(|(key, Knowledge { analysis, tally })| {
            assert_eq!(analysis, None);
            (key, [tally.games, tally.wins, tally.draws, tally.losses])
        })
        .collect();
    assert!(expected.len() > 100, "{}", expected.len());
    assert!(found == expected, "{} moves, expected {}", found.len(), expected.len());
    let (positions, moves) = (book.header().positions, book.header().moves);
    let bytes = book.bytes().len();
    let expected = format!(
        "{}: {positions} positions, {moves} moves, {bytes} bytes, 975 games, 0 left out",
        out.display()
    );
    assert_eq!(said, expected);
    let info = output(&["book", "info", text(&out)]);
    assert!(info.contains(&format!("{moves} moves (0 with a score, {moves} with games)")), "{info}");
    assert!(info.contains("975 games to 8 half-moves, at least 5 for a move"), "{info}");
}

#[test]
fn the_order_of_the_files_does_not_matter() {
    let folder = folder("book-order");
    let all = fs::read_to_string(GAMES).expect("the games");
    let lines: Vec<&str> = all.lines().collect();
    let (first, second) = (folder.join("first"), folder.join("second"));
    fs::write(&first, lines[..300].join("\n")).expect("a file");
    fs::write(&second, lines[300..].join("\n")).expect("a file");
    let build = |name: &str, files: &[&str]| {
        let out = folder.join(name);
        let args = [&["book", "build", "--min-games", "2", "--out", text(&out)], files].concat();
        output(&args);
        fs::read(out).expect("a book")
    };
    let whole = build("whole", &[GAMES]);
    assert!(whole == build("parts", &[text(&first), text(&second)]));
    assert!(whole == build("turned", &[text(&second), text(&first)]));
}

/// An analysis that takes a moment, and games.
fn build_both(out: &Path, nodes: &str, threads: &str) -> Vec<String> {
    let fixed =
        ["book", "build", GAMES, "--min-games", "30", "--analyse", "3", "--margin", "80", "--classic"];
    let args = [&fixed[..], &["--nodes", nodes, "--threads", threads, "--out", text(out)]].concat();
    args.into_iter().map(str::to_owned).collect()
}

fn run(args: &[String]) -> String {
    output(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_goes_on_to_the_same_book() {
    let folder = folder("book-interrupted");
    let (once, later) = (folder.join("once.tqb"), folder.join("later.tqb"));
    run(&build_both(&once, "4000", "2"));
    fs::write(&later, "the old file").expect("a file");

    let args = build_both(&later, "4000", "1");
    let part = folder.join("later.tqb.part");
    let mut engine = Engine::with_args(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let lines = || fs::read_to_string(&part).map_or(0, |text| text.lines().count());
    let started = Instant::now();
    while lines() < 5 {
        assert!(started.elapsed() < LATER, "no search is done");
        std::thread::sleep(ms(1));
    }
    let killed = Command::new("kill").args(["-INT", &engine.id().to_string()]).status();
    assert!(killed.expect("kill").success());
    let code = engine.exit_code(LATER);
    if code == 130 {
        assert_eq!(fs::read_to_string(&later).expect("the old file"), "the old file");
        let kept = lines();
        assert!(kept >= 5, "{kept} lines");
        // Other searches do not mix with these.
        let other = build_both(&later, "4001", "1");
        let error = refusal(&other.iter().map(String::as_str).collect::<Vec<_>>(), 1);
        assert!(error.contains("\"nodes\":4000") && error.contains("\"nodes\":4001"), "{error}");
        assert_eq!(lines(), kept);
        run(&args);
    } else {
        // The machine was too fast for the signal.
        assert_eq!(code, 0, "{}", engine.transcript());
    }
    assert!(!part.exists(), "the searches are kept after the book is written");
    assert!(fs::read(&once).expect("a book") == fs::read(&later).expect("a book"));

    let book = load(&later);
    let known = book.ask(&Position::<Togyzqumalaq>::start());
    assert_eq!(known.len(), 9, "all moves of the start position are analysed");
    assert!(known.iter().all(|it| it.knowledge.analysis.is_some()));
    assert!(known.iter().any(|it| it.knowledge.tally.games >= 30), "and the games count beside it");
}

#[test]
fn what_cannot_be_built_is_told_in_a_line() {
    let folder = folder("book-refused");
    let out = folder.join("no.tqb");
    let refused =
        |files: &[&str], code| refusal(&[&["book", "build", "--out", text(&out)], files].concat(), code);
    assert!(refused(&[], 2).contains("give files with games, or --analyse"));
    assert!(refused(&["/no/such/games"], 2).contains("/no/such/games"));
    let empty = folder.join("empty");
    fs::write(&empty, "").expect("a file");
    assert!(refused(&[text(&empty)], 1).contains("empty: no game in it"));
    assert!(refused(&[GAMES, "--min-games", "5000"], 1).contains("no move for the book, 975 games"));
    let small = refused(&[GAMES, "--variant", "kozdatu"], 1);
    assert!(small.contains("no move for the book, 0 games, 975 left out"), "{small}");
    assert!(!out.exists());
    // The games stay, whatever path leads to them.
    let games = folder.join("games.pits");
    fs::write(&games, "723").expect("a file");
    let around = folder.join(".").join("games.pits");
    let refused = refusal(&["book", "build", text(&games), "--out", text(&around)], 2);
    assert!(refused.contains("the book cannot be written over the games"), "{refused}");
    assert_eq!(fs::read(&games).expect("the games"), b"723");
}

#[test]
fn the_explorer_shows_moves_games_and_scores() {
    let folder = folder("book-show");
    let path = folder.join("book.tqb");
    let start = Position::<Togyzqumalaq>::start();
    let mut contents = Contents::new(Variant::Togyzqumalaq, "made by a test".to_owned());
    let tally = Tally { games: 10, wins: 3, draws: 1, losses: 4 };
    let analysis = Some(Analysis { score: Score::centistones(-35), depth: 21 });
    *contents.entry(Packed::of(&start), pit(7)) = Knowledge { analysis, tally };
    let analysis = Some(Analysis { score: Score::centistones(125), depth: 20 });
    *contents.entry(Packed::of(&start), pit(2)) = Knowledge { analysis, tally: Tally::default() };
    let after = start.play(pit(7)).0;
    *contents.entry(Packed::of(&after), pit(1)) = Knowledge { analysis: None, tally };
    fs::write(&path, contents.to_bytes()).expect("a book");

    let shown = output(&["book", "show", "--book", text(&path)]);
    let expected = "\
South to move: 2 moves, 10 games

move    score  depth  games   win  draw  loss  goes on
21(10)  +1.25     20      -     -     -     -  -
76(10)  -0.35     21     10  38 %  12 %  50 %  1";
    assert_eq!(shown, expected);
    let shown = output(&["book", "show", "--book", text(&path), "--moves", "7"]);
    let expected = "\
North to move after 7: 1 move, 10 games

move    games   win  draw  loss
11(10)     10  38 %  12 %  50 %";
    assert_eq!(shown, expected);
    // The same position with the colours exchanged.
    let shown = output(&["book", "show", &start.pass().to_string(), "--book", text(&path)]);
    assert!(shown.starts_with("North to move: 2 moves, 10 games\n"), "{shown}");

    assert!(refusal(&["book", "show", "--moves", "9", "--book", text(&path)], 1).contains("not in the book"));
    assert!(refusal(&["book", "show", "nonsense"], 2).contains("fen"));
    assert!(refusal(&["book", "show", "--moves", "x"], 2).contains("'x'"));
    assert!(refusal(&["book", "show", "--book", "/no/such/book"], 1).contains("/no/such/book: "));
    let other = refusal(&["book", "show", "--variant", "kozdatu"], 1);
    assert!(other.contains("of togyzqumalaq, expected kozdatu"), "{other}");
}

/// What comes before the answer, without times.
fn told(search: &Search) -> Vec<&str> {
    search.lines.iter().map(|line| line.text.as_str()).collect()
}

fn is_from_book(search: &Search) -> bool {
    search.lines[0].text.starts_with("info string book: ")
}

#[test]
fn the_book_answers_at_once_and_only_where_a_move_is_to_be_played() {
    let path = folder("book-play").join("book.tqb");
    scored(&path, &[(3, -40), (8, -90)]);
    let mut engine = Engine::start();
    assert_eq!(engine.say("setoption name OwnBook value true").len(), 1);
    let said = engine.say(&format!("setoption name BookFile value {}", path.display()));
    assert_eq!(said, ["info string book of togyzqumalaq: 1 position"]);
    for limits in ["movetime 600000", "wtime 600000 btime 600000", "depth 60", "nodes 1000000000"] {
        let search = engine.go(limits);
        let expected = [
            "info string book: 2 moves known",
            "info depth 11 seldepth 11 multipv 1 score cp -40 nodes 0 nps 0 hashfull 0 tbhits 0 time 0 pv 3",
            "bestmove 3",
        ];
        assert_eq!(told(&search), expected, "{limits}");
        assert!(search.elapsed() < SOON);
    }
    // The same board with the other side to move is the same position; by its number it may be too late for the book.
    let board = Position::<Togyzqumalaq>::start().to_string().replace(" S 1", "");
    for (rest, asked) in [("N 1", true), ("S 15", true), ("N 15", true), ("S 16", false)] {
        engine.send(&format!("position fen {board} {rest}"));
        assert_eq!(is_from_book(&engine.go("depth 1")), asked, "{rest}");
    }
    engine.send("setoption name BookDepth value 0");
    engine.send("position startpos");
    assert!(!is_from_book(&engine.go("depth 1")));
    engine.send("setoption name BookDepth value 1");
    assert!(is_from_book(&engine.go("depth 1")));
    engine.send("position startpos moves 3");
    assert!(!is_from_book(&engine.go("depth 1")), "not in the book");

    engine.send("position startpos");
    for limits in ["depth 1 searchmoves 8", "mate 1"] {
        assert!(!is_from_book(&engine.go(limits)), "{limits}");
    }
    for (go, end) in [("go infinite", "stop"), ("go", "stop"), ("go ponder depth 1", "ponderhit")] {
        engine.send(go);
        assert_eq!(engine.wait_for("info ", LATER).text.split(' ').nth(1), Some("depth"), "{go}");
        engine.send(end);
        engine.wait_for("bestmove", LATER);
    }
    for (set, reset) in [("MultiPV value 2", "MultiPV value 1"), ("Skill value 3", "Skill value 8")] {
        engine.send(&format!("setoption name {set}"));
        assert!(!is_from_book(&engine.go("depth 1")), "{set}");
        engine.send(&format!("setoption name {reset}"));
        assert!(is_from_book(&engine.go("depth 1")), "{reset}");
    }
    let said = engine.say("setoption name UCI_Variant value kozdatu");
    assert_eq!(said, ["info string book: none of kozdatu"]);
    assert!(!is_from_book(&engine.go("depth 1")));
    engine.say("setoption name UCI_Variant value togyzqumalaq");
    assert!(is_from_book(&engine.go("depth 1")), "the file is still there");
    let said = engine.say("setoption name OwnBook value false");
    assert_eq!(said.last().map(String::as_str), Some("info string book: not used (OwnBook is false)"));
    assert!(!is_from_book(&engine.go("depth 1")));
    engine.finish();
}

#[test]
fn a_book_of_games_plays_without_a_score() {
    let path = folder("book-results").join("book.tqb");
    let mut contents = Contents::new(Variant::Togyzqumalaq, String::new());
    let tally = Tally { games: 9, wins: 4, draws: 2, losses: 3 };
    let start = Packed::of(&Position::<Togyzqumalaq>::start());
    *contents.entry(start, pit(2)) = Knowledge { analysis: None, tally };
    fs::write(&path, contents.to_bytes()).expect("a book");
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    engine.say(&format!("setoption name BookFile value {}", path.display()));
    let expected = ["info string book: 1 move known, played in 9 games: +4 =2 -3", "bestmove 2"];
    assert_eq!(told(&engine.go("depth 3")), expected);
    engine.finish();
}

#[test]
fn variety_chooses_among_the_good_moves() {
    let path = folder("book-variety").join("book.tqb");
    scored(&path, &[(1, 20), (2, 18), (3, -30)]);
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    engine.say(&format!("setoption name BookFile value {}", path.display()));
    let mut played = |variety: u32| {
        engine.say(&format!("setoption name BookVariety value {variety}"));
        let mut moves: Vec<String> = (0..60).map(|_| engine.go("depth 1").bestmove().to_owned()).collect();
        moves.sort();
        moves.dedup();
        moves
    };
    assert_eq!(played(0), ["1"]);
    // 41 to 39; that one of them is missing in 60 has a chance of 1 in 10^17.
    assert_eq!(played(40), ["1", "2"]);
    assert_eq!(played(1000), ["1", "2", "3"]);
}

#[test]
fn a_wrong_file_is_refused_and_the_old_book_stays() {
    let folder = folder("book-wrong");
    let good = folder.join("good.tqb");
    scored(&good, &[(3, 0)]);
    let bytes = fs::read(&good).expect("a book");
    let mut damaged = bytes.clone();
    damaged[30] ^= 1;
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    };
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/networks/togyzqumalaq.tqn");
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    engine.say(&format!("setoption name BookFile value {}", good.display()));
    for (path, part) in [
        (folder.join("missing"), "No such file"),
        (folder.clone(), "not a file"),
        (file("empty", b""), "0 bytes, expected a book"),
        (file("half", &bytes[..bytes.len() / 2]), "bytes, expected"),
        (file("trailing", &[&bytes[..], b"\n"].concat()), "bytes, expected"),
        (file("damaged", &damaged), "checksum "),
        (PathBuf::from(network), "begins with 'TUZDYQNN', expected 'TUZDYQBK'"),
    ] {
        let said = engine.refused(&format!("setoption name BookFile value {}", path.display()));
        let start = format!("info string error: option BookFile: {}: ", path.display());
        assert!(said.starts_with(&start) && said.contains(part), "{said}");
        assert_eq!(engine.go("depth 2").bestmove(), "3");
    }
    let said = engine.say("setoption name BookFile value");
    let positions = built_in().expect("a book").header().positions;
    assert_eq!(said, [format!("info string book of togyzqumalaq: {positions} positions")]);
    engine.finish();
}

#[test]
fn the_book_built_in_is_the_one_that_is_documented() {
    let document =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/book-format.md")).expect("it");
    let command = document
        .lines()
        .find(|line| line.starts_with("tuzdyq book build") && line.ends_with("--out books/togyzqumalaq.tqb"))
        .expect("the command");
    let value = |name: &str| {
        let mut words = command.split(' ').skip_while(|&word| word != name);
        words.nth(1).unwrap_or_else(|| panic!("no {name} in {command}")).to_owned()
    };
    let book = built_in().expect("a book");
    let origin = &book.header().origin;
    let (plies, margin, nodes) = (value("--analyse"), value("--margin"), value("--nodes"));
    let expected = format!(
        "analysis of {plies} half-moves, moves within {margin} centistones followed, {nodes} nodes each, evaluation: "
    );
    assert!(origin.contains(&expected), "{origin}\n{expected}");
    assert!(!origin.contains("games"), "no recorded games are part of the program: {origin}");
    assert!(document.contains(&format!(
        "{} positions with {} moves",
        book.header().positions,
        book.header().moves
    )));
}

/// Every line of best moves can be played, and every position of the book can be reached from the start.
#[test]
fn the_book_built_in_can_be_played_from_the_start() {
    let book = built_in().expect("a book");
    let mut seen = std::collections::BTreeSet::new();
    let mut waiting = vec![Position::<Togyzqumalaq>::start()];
    while let Some(position) = waiting.pop() {
        let known = book.ask(&position);
        if known.is_empty() || !seen.insert(Packed::of(&position)) {
            continue;
        }
        assert_eq!(known.len(), position.moves().len(), "all moves are known");
        assert!(known.iter().all(|it| it.knowledge.tally.games == 0));
        assert!(known.is_sorted_by_key(|it| std::cmp::Reverse(it.knowledge.analysis.map(|it| it.score))));
        let line = book.line(&position, known[0].pit);
        common::pipe::replay(position, &line.iter().map(ToString::to_string).collect::<Vec<_>>());
        waiting.extend(known.iter().map(|it| position.play(it.pit).0));
    }
    assert_eq!(seen.len(), book.header().positions);
    assert!(Togyzqumalaq::VARIANT == book.header().variant);
}
