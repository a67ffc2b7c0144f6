//! What people look at: positions as drawings, and reviews of games as pages.
//!
//! A page is one file that loads nothing: the style, the words of three languages, the script and the review itself are
//! in it, and a policy in it forbids the browser any connection. The script holds no rule of the game. It shows the
//! positions of the review, in the drawing that [`svg`] makes.

mod board;
mod lang;

pub use board::svg;
pub use lang::{Lang, UnknownLang};

use crate::game::Variant;
use crate::with_rules;

const TEMPLATE: &str = include_str!("page/template.html");
const STYLE: &str = include_str!("page/style.css");
/// The one table of words: for each key its text in each language.
const WORDS: &str = include_str!("page/words.json");
/// In the order in which they use each other.
const SCRIPTS: [&str; 5] = [
    include_str!("page/words.js"),
    include_str!("page/board.js"),
    include_str!("page/chart.js"),
    include_str!("page/cards.js"),
    include_str!("page/main.js"),
];

/// A review as a page that needs nothing else, in a language that the reader may switch.
///
/// `report_json` is the JSON of a review with the schema `tuzdyq-review/1`. Whatever its texts hold, markup of any kind
/// included, is shown as it stands. Where it is no JSON, the page says that it cannot be read.
#[must_use]
pub fn page(report_json: &str, lang: Lang) -> String {
    fill(TEMPLATE, |name| match name {
        "lang" => lang.code().to_owned(),
        "style" => [board::STYLE, STYLE].concat(),
        "noscript" => word("noscript", lang),
        "boards" => Variant::ALL.map(board_template).concat(),
        "words" => in_script(WORDS),
        "report" => in_script(report_json),
        "script" => SCRIPTS.concat(),
        other => unreachable!("the template has no field {other}"),
    })
}

/// A text with each `{{name}}` replaced; what is put in is not looked at again.
fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, tail) = after.split_once("}}").unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(&value(name));
        rest = tail;
    }
    text + rest
}

/// JSON as the content of a `script` element. Only a `<` could end or change the element, and in JSON that can stand
/// in strings alone, where an escape means the same.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// The drawing that the script fills.
fn board_template(variant: Variant) -> String {
    let drawing = with_rules!(variant, R => board::of_page::<R>());
    format!("<template id=\"board-{variant}\">{drawing}</template>\n")
}

/// A text of the table.
fn word(key: &str, lang: Lang) -> String {
    let words: serde_json::Value = serde_json::from_str(WORDS).unwrap_or_default();
    words[key][lang.code()].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    type Words = BTreeMap<String, BTreeMap<String, String>>;

    fn words() -> Words {
        serde_json::from_str(WORDS).unwrap()
    }

    /// What follows each occurrence of a prefix, up to a mark.
    fn after<'a>(text: &'a str, prefix: &'a str, mark: &'a [char]) -> impl Iterator<Item = &'a str> {
        text.split(prefix).skip(1).filter_map(move |rest| rest.split(mark).next())
    }

    /// The fields `{name}` of a text.
    fn fields(text: &str) -> BTreeSet<&str> {
        after(text, "{", &['}']).collect()
    }

    #[test]
    fn every_word_is_there_in_every_language_with_the_same_fields() {
        let text_of = |key: &str, texts: &BTreeMap<String, String>, lang: Lang| {
            let text = texts.get(lang.code()).unwrap_or_else(|| panic!("{key}: no {lang}")).clone();
            assert!(!text.trim().is_empty(), "{key}: empty in {lang}");
            text
        };
        for (key, texts) in &words() {
            let english = text_of(key, texts, Lang::En);
            assert_eq!(texts.len(), Lang::ALL.len(), "{key}");
            for lang in Lang::ALL {
                assert_eq!(fields(&text_of(key, texts, lang)), fields(&english), "{key} in {lang}");
            }
        }
        // A key that stands twice in the table would hide its first texts.
        assert_eq!(WORDS.lines().filter(|line| line.contains("\"kk\"")).count(), words().len());
    }

    #[test]
    fn the_page_uses_the_words_of_the_table_and_no_others() {
        let words = words();
        let script = SCRIPTS.concat();
        let mut used: BTreeSet<&str> = after(&script, "word(\"", &['"'])
            .chain(after(&script, "fail(\"", &['"']))
            .chain(after(TEMPLATE, "data-word=\"", &['"']))
            .chain(after(TEMPLATE, "data-label=\"", &['"']))
            .collect();
        used.insert("noscript");
        // Words that are chosen by a value of the review: all that begin so.
        let chosen: BTreeSet<&str> = after(&script, "word(`", &['$']).collect();
        let named = ["side.", "class.", "verdict.", "proven.", "phase.", "tag.", "variant."];
        assert_eq!(chosen, BTreeSet::from(named));
        used.extend(
            words.keys().map(String::as_str).filter(|key| named.iter().any(|start| key.starts_with(start))),
        );
        assert_eq!(used, words.keys().map(String::as_str).collect());
    }

    #[test]
    fn every_value_of_a_review_has_a_word() {
        let words = words();
        let values = [
            ("side.", "south north"),
            ("class.", "best good inaccuracy mistake blunder missed_win missed_tuzdyq"),
            ("verdict.", "win draw loss unknown"),
            ("proven.", "south draw north"),
            ("phase.", "opening middlegame endgame"),
            ("variant.", "togyzqumalaq bestemshe kozdatu"),
        ];
        for (start, names) in values {
            let named: BTreeSet<&str> = words.keys().filter_map(|key| key.strip_prefix(start)).collect();
            assert_eq!(named, names.split(' ').collect(), "{start}");
        }
    }

    #[test]
    fn texts_of_the_review_cannot_leave_their_element() {
        let hostile = r#"{"a":"</script><b>&amp; {{script}} <!-- ]]>"}"#;
        let page = page(hostile, Lang::Ru);
        assert_eq!(page.matches("</script>").count(), 3);
        let embedded = after(&page, "id=\"report\">", &['<']).next().unwrap();
        let read: serde_json::Value = serde_json::from_str(embedded).unwrap();
        assert_eq!(read, serde_json::from_str::<serde_json::Value>(hostile).unwrap());
        assert!(page.contains("<html lang=\"ru\">"));
    }

    #[test]
    fn nothing_in_a_page_names_a_place_on_the_network() {
        let page = page("{}", Lang::Kk).replace("http://www.w3.org/2000/svg", "");
        for part in ["http:", "https:", "src=", "href=", "@import", "fetch(", "import("] {
            assert!(!page.contains(part), "{part}");
        }
        assert!(page.contains("content=\"default-src 'none';"));
        assert!(page.contains("Бұл бетті көру үшін"));
    }
}
