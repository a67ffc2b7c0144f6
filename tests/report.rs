//! What people look at: positions as images, and reviews as pages. The tests that open a page need a Chromium, and are
//! run by `cargo test --test report -- --ignored`.

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use common::browser::Browser;
use common::{files, parse};
use serde_json::{Value, json};
use tuzdyq::game::{Game, Pit, Position, Rules, Side, Togyzqumalaq, Variant, parse_move};
use tuzdyq::report::{self, Lang};
use tuzdyq::with_rules;

/// Two reviewed games: one of the recorded ones, and one of Kozdatu that is reviewed in part, not ended, and has
/// markup in its tags.
const REVIEW: &str = include_str!("data/review.json");

fn review() -> Value {
    serde_json::from_str(REVIEW).expect("JSON")
}

/// A page in a file.
fn page_file(name: &str, review: &str, lang: Lang) -> PathBuf {
    let file = files::folder(&format!("page-{name}")).join("report.html");
    fs::write(&file, report::page(review, lang)).expect("a scratch file");
    file
}

fn show(args: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tuzdyq")).arg("show").args(args).output().expect("the program");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// Compares an image with the position that it shows.
fn check_image<R: Rules>(image: &str, fen: &str) {
    let position: Position<R> = parse(fen);
    let document = roxmltree::Document::parse(image).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
    let title = root.children().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    assert_eq!(title.and_then(|node| node.text()), Some(fen));
    let with = |name: &str, value: &str| {
        let found: Vec<_> = root.descendants().filter(|node| node.attribute(name) == Some(value)).collect();
        assert_eq!(found.len(), 1, "{name}={value} in {fen}");
        found[0]
    };
    let stones = |node: roxmltree::Node| {
        let count = node.descendants().find(|node| node.attribute("class") == Some("count"));
        let circles = node.descendants().filter(|node| node.tag_name().name() == "circle").count();
        (circles, count.and_then(|node| node.text()).expect("a count").to_owned())
    };
    for (side, letter) in [(Side::South, "s"), (Side::North, "n")] {
        let half = position.half(side);
        let is_to_move = position.outcome().is_none() && position.turn() == side;
        assert_eq!(with("data-side", letter).attribute("class") == Some("side to-move"), is_to_move, "{fen}");
        let kazan = half.kazan();
        assert_eq!(stones(with("data-kazan", letter)), (kazan as usize, kazan.to_string()), "{fen}");
        for pit in Pit::all(R::PITS) {
            let drawn = with("data-pit", &format!("{letter}{pit}"));
            let count = half.stones(pit);
            assert_eq!(stones(drawn), (count.min(50) as usize, count.to_string()), "{fen}");
            let is_tuzdyq = half.captured_pit() == Some(pit);
            assert_eq!(drawn.attribute("class") == Some("pit tuzdyq"), is_tuzdyq, "{fen}");
        }
    }
}

#[test]
fn show_draws_a_position_as_an_image() {
    for fen in [
        "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1",
        "9S,2S,19S,1S,9S,t,34S,12S,1S/6S,2,13S,t,3S,2S,20S,1S 22 8 N 4",
        "9/8,1S 81 80 N 50",
        "8,101S/9 30 31 N 50",
    ] {
        let (code, image, _) = show(&[fen, "--svg"]);
        assert_eq!(code, 0, "{fen}");
        check_image::<Togyzqumalaq>(&image, fen);
        assert_eq!(show(&["--svg", "--fen", fen]).1, image);
    }
    let (_, image, _) = show(&["--moves", "7", "2", "--svg"]);
    check_image::<Togyzqumalaq>(
        &image,
        "10S,10S,10S,1S,11S,11S,11S,1S,10S/10S,1,9S,9S,9S,9S,1S,10S,10S 10 10 S 2",
    );
}

#[test]
fn show_draws_every_variant() {
    for variant in Variant::ALL {
        let (code, image, _) = show(&["--svg", "--variant", variant.name()]);
        assert_eq!(code, 0, "{variant}");
        with_rules!(variant, R => check_image::<R>(&image, &Position::<R>::start().to_string()));
    }
}

#[test]
fn show_takes_one_position_and_refuses_a_wrong_one() {
    let (code, out, error) = show(&["9/9 80 80 S 1", "--svg"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("the stones add up to 160"), "{error}");
    let (code, _, error) = show(&["8,1S/1S,8 80 80 S 1", "--fen", "8,1S/1S,8 80 80 S 1"]);
    assert_eq!(code, 2);
    assert!(error.contains("cannot be used with"), "{error}");
    assert!(show(&["8,1S/1S,8 80 80 S 1"]).1.contains("Kazans: 80 80"));
}

/// Plays the moves of a list of the review and compares the positions.
fn check_moves<R: Rules>(start: &Position<R>, moves: &Value) {
    let mut game = Game::new(*start);
    for step in moves.as_array().expect("moves") {
        let pit = parse_move(game.position(), step["move"].as_str().expect("a move")).expect("a legal move");
        let effect = game.play(pit);
        assert_eq!(step["fen"], game.position().to_string());
        if step["ply"].is_u64() {
            let kazans = Side::BOTH.map(|side| game.position().half(side).kazan());
            assert_eq!(step["kazans"], json!(kazans), "{step}");
            assert_eq!(
                (&step["captured"], &step["tuzdyq"]),
                (&json!(effect.captured), &json!(effect.tuzdyq))
            );
        }
    }
}

/// The pages of the other tests are worth looking at only if the review in them could be one.
#[test]
fn the_review_is_of_legal_play() {
    for game in review()["games"].as_array().expect("games") {
        let variant: Variant = game["variant"].as_str().expect("a variant").parse().expect("a variant");
        with_rules!(variant, R => {
            let start: Position<R> = parse(game["start"].as_str().expect("a FEN"));
            check_moves(&start, &game["plies"]);
            let mut before = start;
            for ply in game["plies"].as_array().expect("plies") {
                for line in ply["lines"].as_array().expect("lines") {
                    check_moves(&before, &line["moves"]);
                }
                before = parse(ply["fen"].as_str().expect("a FEN"));
            }
        });
    }
}

/// The counts on the board: South's pits from 1, North's from 1, and the kazans.
const BOARD: &str = r#"["s", "n"].map((side) => {
    const texts = (parts) => [...document.querySelectorAll(`#board ${parts}`)].map((it) => it.textContent);
    return [...texts(`[data-side=${side}] .pit .count`), ...texts(`[data-side=${side}] .kazan .count`)].join(" ");
})"#;

/// What `BOARD` gives for a position.
fn board_of<R: Rules>(fen: &str) -> Value {
    let position: Position<R> = parse(fen);
    let side = |side: Side| {
        let half = position.half(side);
        let mut counts: Vec<String> = Pit::all(R::PITS).map(|pit| half.stones(pit).to_string()).collect();
        counts.push(half.kazan().to_string());
        counts.join(" ")
    };
    json!([side(Side::South), side(Side::North)])
}

fn fen(game: usize, ply: usize) -> String {
    let game = &review()["games"][game];
    let fen = if ply == 0 { &game["start"] } else { &game["plies"][ply - 1]["fen"] };
    fen.as_str().expect("a FEN").to_owned()
}

/// What a choice in the selector of games does.
fn choose_game(browser: &mut Browser, index: usize) {
    browser.value(&format!(
        "(() => {{ const it = document.querySelector('#game'); it.selectedIndex = {index}; \
         it.dispatchEvent(new Event('change')); }})()"
    ));
}

fn assert_quiet(browser: &Browser) {
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

#[test]
#[ignore = "needs Chromium: cargo test --test report -- --ignored"]
fn keys_and_clicks_walk_through_the_game() {
    let mut browser = Browser::start("walk");
    browser.surroundings(1280, false);
    browser.open(&page_file("walk", REVIEW, Lang::En));
    let end = review()["games"][0]["plies"].as_array().expect("plies").len();
    assert_eq!(browser.value(BOARD), board_of::<Togyzqumalaq>(&fen(0, 0)));
    let mut ply = 0;
    for (key, next) in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", end),
        ("ArrowRight", end),
        ("ArrowLeft", end - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
    ] {
        browser.press(key);
        ply = next;
        assert_eq!(browser.value(BOARD), board_of::<Togyzqumalaq>(&fen(0, ply)), "{key}");
        assert_eq!(browser.text("#place"), format!("{ply} / {end}"));
        let current = browser.value("document.querySelector('#moves [aria-current]').dataset.ply");
        assert_eq!(current, ply.to_string());
        assert_eq!(browser.value("document.querySelector('#chart').ariaValueNow"), ply.to_string());
    }
    assert_eq!(browser.value("document.querySelectorAll('#board .from').length"), json!(1));
    browser.click("#moves [data-ply='9']");
    assert_eq!(browser.value(BOARD), board_of::<Togyzqumalaq>(&fen(0, 9)));
    assert_eq!(browser.value("document.querySelectorAll('#board .tuzdyq').length"), json!(1));
    browser.click("[data-go=next]");
    assert_eq!(browser.value(BOARD), board_of::<Togyzqumalaq>(&fen(0, 10)));
    browser.click("#chart");
    let middle =
        browser.value("Number(document.querySelector('#chart').ariaValueNow)").as_u64().expect("a ply");
    assert!((20..27).contains(&middle), "{middle}");
    assert_eq!(browser.value(BOARD), board_of::<Togyzqumalaq>(&fen(0, middle as usize)));
    browser.click(".places button");
    assert_eq!(browser.text("#place"), format!("{} / {end}", review()["games"][0]["turning_points"][0]));
    assert_ne!(ply, 0);
    assert_quiet(&browser);
}

#[test]
#[ignore = "needs Chromium: cargo test --test report -- --ignored"]
fn lines_are_played_on_the_board() {
    let mut browser = Browser::start("lines");
    browser.surroundings(1280, false);
    browser.open(&page_file("lines", REVIEW, Lang::En));
    let line = &review()["games"][0]["plies"][5]["lines"][1]["moves"];
    let at = |index: usize| board_of::<Togyzqumalaq>(line[index]["fen"].as_str().expect("a FEN"));
    let in_game = board_of::<Togyzqumalaq>(&fen(0, 6));
    browser.click("#moves [data-ply='6']");
    assert_eq!(browser.value(BOARD), in_game);
    browser.click(".lines li:nth-child(2) button:nth-of-type(2)");
    assert_eq!(browser.value(BOARD), at(1));
    for (key, expected) in [
        ("ArrowRight", at(2)),
        ("Home", board_of::<Togyzqumalaq>(&fen(0, 5))),
        ("ArrowRight", at(0)),
        ("End", at(line.as_array().expect("moves").len() - 1)),
        ("Escape", in_game.clone()),
        ("ArrowRight", board_of::<Togyzqumalaq>(&fen(0, 7))),
    ] {
        browser.press(key);
        assert_eq!(browser.value(BOARD), expected, "{key}");
    }
    browser.press("ArrowLeft");
    browser.click(".lines button");
    browser.click("#back");
    assert_eq!(browser.value(BOARD), in_game);
    assert_eq!(browser.value("document.querySelector('#back').hidden"), json!(true));
    assert_quiet(&browser);
}

/// All texts that are seen against what lies behind them, where the contrast is less than 4.5 to 1.
const FAINT: &str = r#"(() => {
    const rgb = (text) => text.match(/[\d.]+/g).map(Number);
    const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const behind = (node) => {
        for (; node; node = node.parentElement) {
            const colour = rgb(getComputedStyle(node).backgroundColor);
            if (colour.length === 3 || colour[3] > 0) return colour;
        }
    };
    const faint = [];
    for (const node of document.querySelectorAll("body :not(svg, svg *, script, template, noscript)")) {
        const isSeen = node.offsetParent && [...node.childNodes].some((it) => it.nodeType === 3 && it.data.trim());
        if (!isSeen) continue;
        const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) faint.push(`${node.tagName} ${node.className} ${node.textContent}: ${contrast}`);
    }
    return faint;
})()"#;

#[test]
#[ignore = "needs Chromium: cargo test --test report -- --ignored"]
fn every_language_fits_a_phone_by_day_and_by_night() {
    let mut browser = Browser::start("fits");
    let file = page_file("fits", REVIEW, Lang::Kk);
    for (width, is_dark) in [(360, false), (360, true), (1280, false), (1280, true)] {
        browser.surroundings(width, is_dark);
        browser.open(&file);
        let paper = browser.value("getComputedStyle(document.body).backgroundColor");
        assert_eq!(paper, if is_dark { "rgb(23, 19, 15)" } else { "rgb(251, 248, 243)" });
        for (lang, moves) in [("kk", "Жүрістер"), ("ru", "Ходы"), ("en", "Moves")] {
            browser.click(&format!("[data-lang={lang}]"));
            assert_eq!(browser.value("document.documentElement.lang"), lang);
            assert_eq!(browser.text(".list h2"), moves);
            for game in 0..2 {
                choose_game(&mut browser, game);
                for key in ["Home", "ArrowRight", "End"] {
                    browser.press(key);
                    let what = format!("{width} px, {lang}, game {game}, {key}");
                    let fits = "document.scrollingElement.scrollWidth <= innerWidth";
                    assert_eq!(browser.value(fits), json!(true), "{what}");
                    assert_eq!(browser.value(FAINT), json!([]), "{what}");
                    let text = browser.text("body");
                    // The braces of a name, whole or shortened, are not those of a field.
                    for fault in ["undefined", "null", "NaN", "[object", "{"] {
                        assert!(!text.replace("{{sc", "").contains(fault), "{fault} in {what}");
                    }
                }
            }
        }
    }
    assert_quiet(&browser);
}

#[test]
#[ignore = "needs Chromium: cargo test --test report -- --ignored"]
fn board_and_chart_are_there_with_labels() {
    let mut browser = Browser::start("labels");
    browser.surroundings(1280, false);
    for lang in Lang::ALL {
        browser.open(&page_file("labels", REVIEW, lang));
        assert_eq!(browser.value("document.documentElement.lang"), lang.code());
        browser.press("End");
        let drawn = "['#board .pit', '#chart .line', '#chart .dot', '#chart .turning', '.card']\
                     .map((parts) => document.querySelectorAll(parts).length)";
        assert_eq!(browser.value(drawn), json!([18, 1, 7, 4, 5]));
        // Nobody is to move after the end.
        assert_eq!(browser.value("document.querySelectorAll('#board .to-move').length"), json!(0));
        let unnamed = "[...document.querySelectorAll('button, select, [role]')].filter((it) => \
                       !(it.ariaLabel || it.textContent.trim())).map((it) => it.outerHTML.slice(0, 80))";
        assert_eq!(browser.value(unnamed), json!([]));
        let label = browser.value("document.querySelector('#board svg').ariaLabel");
        let words = match lang {
            Lang::Kk => ["Бастаушы отаулары", "Партия аяқталды"],
            Lang::Ru => ["Бастаушы, лунки", "Партия окончена"],
            Lang::En => ["South, pits", "The game is over"],
        };
        for word in words {
            assert!(label.as_str().expect("a label").contains(word), "{label}");
        }
    }
    assert_quiet(&browser);
}

#[test]
#[ignore = "needs Chromium: cargo test --test report -- --ignored"]
fn texts_of_a_game_are_shown_as_they_stand() {
    let mut browser = Browser::start("hostile");
    browser.surroundings(360, false);
    let mut review = review();
    // One that was there at the start.
    review["games"][1]["tuzdyqs"] = json!([{"ply": 0, "side": "north", "pit": 2, "stones": 5}]);
    browser.open(&page_file("hostile", &review.to_string(), Lang::En));
    let elements = browser.value("document.querySelectorAll('script, img, body > *').length");
    choose_game(&mut browser, 1);
    let tags = &review["games"][1]["tags"];
    let (white, black) = (&tags["White"], &tags["Black"]);
    assert!(white.as_str().expect("a name").contains("</script>"));
    let name = |side: &str| format!("document.querySelector('#player-{side} b').textContent");
    assert_eq!((&browser.value(&name("south")), &browser.value(&name("north"))), (white, black));
    assert!(browser.text("#cards").contains("Черные & белые: pit 2 as tuzdyq, stones it brought: 5"));
    // A comment on a move that was not reviewed.
    for _ in 0..3 {
        browser.press("ArrowRight");
    }
    let details = browser.text("#details");
    assert!(details.contains("</script><script>throw 1</script>"), "{details}");
    assert!(details.contains("This move was not reviewed."), "{details}");
    assert_eq!(browser.value("document.querySelectorAll('script, img, body > *').length"), elements);
    assert_quiet(&browser);
}

#[test]
#[ignore = "needs Chromium: cargo test --test report -- --ignored"]
fn a_page_without_a_game_says_so() {
    let mut browser = Browser::start("empty");
    let empty = json!({"schema": "tuzdyq-review/1", "engine": "", "limit": "", "games": []}).to_string();
    for (review, text) in
        [(empty.as_str(), "В этом файле нет партий."), ("{", "Не удалось прочитать разбор на этой странице.")]
    {
        browser.open(&page_file("empty", review, Lang::Ru));
        assert_eq!(browser.text("#failure"), text);
    }
    assert_quiet(&browser);
}
