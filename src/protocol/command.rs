//! Reading the lines that a GUI sends: text in, a command or a typed error out, nothing else happens.

use crate::text::quoted;

/// A command of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: say who you are and which options there are.
    Uci,
    /// `isready`: answer `readyok` at once.
    IsReady,
    /// `ucinewgame`: forget everything learnt.
    NewGame,
    /// `setoption name N [value V]`.
    SetOption {
        /// The name, single spaces between its words.
        name: String,
        /// Everything after the first word `value`, as written.
        value: Option<String>,
    },
    /// `position startpos|fen F [moves ...]`.
    Position {
        /// The FEN; `None` for the start position.
        fen: Option<String>,
        /// The moves as written.
        moves: Vec<String>,
    },
    /// `go` with limits.
    Go(Box<Go>),
    /// `go perft N`.
    Perft(u32),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `debug on|off`.
    Debug(bool),
    /// `d`: draw the position.
    Display,
    /// `eval`: account for the static evaluation.
    Eval,
    /// `bench [depth]`.
    Bench(Option<u32>),
    /// `help`.
    Help,
}

/// The limits of a `go` as written; times in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `depth`, in plies.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `movetime`.
    pub movetime: Option<i64>,
    /// `wtime` and `btime`: White (South) moves first.
    pub time: [Option<i64>; 2],
    /// `winc` and `binc`.
    pub increment: [Option<i64>; 2],
    /// `movestogo`; 0 is as good as absent.
    pub moves_to_go: Option<u32>,
    /// `mate`, in own moves.
    pub mate: Option<u32>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// The moves after `searchmoves`, as written.
    pub searchmoves: Option<Vec<String>>,
    /// What was wrong with parts that have been left out.
    pub complaints: Vec<ParseError>,
}

impl Go {
    /// Whether anything says how far to search, or that the search is to go on until it is stopped.
    fn says_how_far(&self) -> bool {
        self.infinite
            || self.ponder
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.time != [None; 2]
            || self.mate.is_some()
            || self.searchmoves.is_some()
    }
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// No word of the line is a command.
    #[error("unknown command '{0}' (try 'help')")]
    Unknown(String),
    /// A word that does not belong there.
    #[error("{command}: unknown word '{word}'")]
    Word {
        /// The command.
        command: &'static str,
        /// The word.
        word: String,
    },
    /// Something is missing after a word.
    #[error("{after}: {missing} is missing")]
    Missing {
        /// The word.
        after: &'static str,
        /// What should follow.
        missing: &'static str,
    },
    /// A word that should be a number in a range.
    #[error("{after} takes {expected}, not '{word}'")]
    Number {
        /// The word before.
        after: &'static str,
        /// What it takes.
        expected: &'static str,
        /// The word.
        word: String,
    },
    /// A `go` of which nothing could be read.
    #[error("go: no valid limit, nothing is searched ({0})")]
    NoLimit(Box<ParseError>),
}

/// A line as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Unknown words before the command, of which the first is given: they are skipped.
    pub skipped: Option<String>,
    /// The command, `None` for a blank line.
    pub command: Option<Result<Command, ParseError>>,
}

const KEYWORDS: [&str; 15] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "debug",
    "d",
    "eval",
    "bench",
    "help",
    "perft",
];

/// Reads one line, with or without its line end; words are separated by spaces or tabs, and the case of the
/// protocol's own words does not count.
#[must_use]
pub fn parse(line: &str) -> Parsed {
    let mut skipped = None;
    // Some editors and shells begin a text with a byte order mark.
    let mut rest = line.trim_start_matches('\u{feff}');
    while let Some((word, after)) = split_word(rest) {
        if let Some(keyword) = KEYWORDS.into_iter().find(|keyword| word.eq_ignore_ascii_case(keyword)) {
            return Parsed { skipped, command: Some(parse_command(keyword, after)) };
        }
        skipped = skipped.or_else(|| Some(quoted(word)));
        rest = after;
    }
    Parsed { skipped: None, command: skipped.map(|word| Err(ParseError::Unknown(word))) }
}

/// The first word of a text and what follows it.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    if end == 0 { None } else { Some(text.split_at(end)) }
}

fn parse_command(keyword: &'static str, rest: &str) -> Result<Command, ParseError> {
    let mut words = Words { rest };
    let command = match keyword {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "help" => Command::Help,
        "debug" => Command::Debug(parse_debug(&mut words)?),
        "bench" => Command::Bench(match words.peek() {
            Some(_) => {
                Some(words.number("bench", "a depth from 1 to 200", |depth| (1..=200).contains(depth))?)
            }
            None => None,
        }),
        "perft" => Command::Perft(parse_perft(&mut words)?),
        "setoption" => return parse_setoption(rest),
        "position" => return parse_position(rest),
        _ => return parse_go(rest),
    };
    match words.next() {
        Some(word) => Err(ParseError::Word { command: keyword, word: quoted(word) }),
        None => Ok(command),
    }
}

/// The words of a line, with the readers that several commands share.
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        split_word(self.rest).map(|(word, _)| word)
    }

    /// A number that satisfies a condition. A word of `go` in its place is left for the next to read.
    fn number<T: std::str::FromStr>(
        &mut self,
        after: &'static str,
        expected: &'static str,
        allowed: impl Fn(&T) -> bool,
    ) -> Result<T, ParseError> {
        let word = self.peek().ok_or(ParseError::Missing { after, missing: expected })?;
        if go_word(word).is_none() {
            self.next();
        }
        match word.parse().ok().filter(allowed) {
            Some(number) => Ok(number),
            None => Err(ParseError::Number { after, expected, word: quoted(word) }),
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = split_word(self.rest)?;
        self.rest = rest;
        Some(word)
    }
}

fn parse_debug(words: &mut Words<'_>) -> Result<bool, ParseError> {
    let missing = ParseError::Missing { after: "debug", missing: "on or off" };
    let word = words.next().ok_or(missing)?;
    match word.to_ascii_lowercase().as_str() {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(ParseError::Word { command: "debug", word: quoted(word) }),
    }
}

fn parse_perft(words: &mut Words<'_>) -> Result<u32, ParseError> {
    words.number("perft", "a depth from 1 to 30", |depth| (1..=30).contains(depth))
}

fn parse_setoption(rest: &str) -> Result<Command, ParseError> {
    let mut words = Words { rest };
    match words.next() {
        Some(word) if word.eq_ignore_ascii_case("name") => {}
        Some(word) => return Err(ParseError::Word { command: "setoption", word: quoted(word) }),
        None => return Err(ParseError::Missing { after: "setoption", missing: "'name'" }),
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("value") {
            value = Some(words.rest.trim_ascii().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(ParseError::Missing { after: "setoption name", missing: "the name" });
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn parse_position(rest: &str) -> Result<Command, ParseError> {
    let mut words = Words { rest };
    let missing = ParseError::Missing { after: "position", missing: "'startpos' or 'fen'" };
    let base = words.next().ok_or(missing)?;
    let is_moves = |word: &&str| word.eq_ignore_ascii_case("moves");
    let fen = if base.eq_ignore_ascii_case("startpos") {
        None
    } else if base.eq_ignore_ascii_case("fen") {
        let mut fields = Vec::new();
        while let Some(word) = words.peek().filter(|word| !is_moves(word)) {
            fields.push(word);
            words.next();
        }
        if fields.is_empty() {
            return Err(ParseError::Missing { after: "position fen", missing: "the position" });
        }
        Some(fields.join(" "))
    } else {
        return Err(ParseError::Word { command: "position", word: quoted(base) });
    };
    let moves = match words.next() {
        None => Vec::new(),
        Some(word) if is_moves(&word) => words.map(str::to_owned).collect(),
        Some(word) => return Err(ParseError::Word { command: "position", word: quoted(word) }),
    };
    Ok(Command::Position { fen, moves })
}

const GO_WORDS: [&str; 13] = [
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "mate",
    "perft",
];

fn go_word(word: &str) -> Option<&'static str> {
    GO_WORDS.into_iter().find(|known| word.eq_ignore_ascii_case(known))
}

/// Reads the limits of a `go`. A part that cannot be read is left out with a complaint, because a GUI waits for a
/// `bestmove`; the command is refused only when parts were given and none could be read.
fn parse_go(rest: &str) -> Result<Command, ParseError> {
    let mut words = Words { rest };
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let read = match go_word(word) {
            Some("perft") if go == Go::default() => return parse_only_perft(&mut words),
            Some("perft") => return Err(ParseError::Word { command: "go", word: "perft".to_owned() }),
            Some(limit) => parse_limit(limit, &mut words, &mut go),
            None => Err(ParseError::Word { command: "go", word: quoted(word) }),
        };
        go.complaints.extend(read.err());
    }
    let needs_clock = go.increment != [None; 2] || go.moves_to_go.is_some();
    if needs_clock && go.time == [None; 2] {
        let after = "winc, binc or movestogo";
        go.complaints.push(ParseError::Missing { after, missing: "wtime or btime" });
    }
    match go.complaints.first() {
        Some(complaint) if !go.says_how_far() => Err(ParseError::NoLimit(Box::new(complaint.clone()))),
        _ => Ok(Command::Go(Box::new(go))),
    }
}

/// A perft goes with no limit.
fn parse_only_perft(words: &mut Words<'_>) -> Result<Command, ParseError> {
    let depth = parse_perft(words)?;
    match words.next() {
        Some(word) => Err(ParseError::Word { command: "go perft", word: quoted(word) }),
        None => Ok(Command::Perft(depth)),
    }
}

fn parse_limit(limit: &'static str, words: &mut Words<'_>, go: &mut Go) -> Result<(), ParseError> {
    match limit {
        "depth" => go.depth = Some(count(limit, words)?.min(u32::MAX.into()) as u32),
        "nodes" => go.nodes = Some(count(limit, words)?),
        "mate" => go.mate = Some(count(limit, words)?.min(u32::MAX.into()) as u32),
        "movetime" => go.movetime = Some(milliseconds(limit, words)?),
        "wtime" => go.time[0] = Some(milliseconds(limit, words)?),
        "btime" => go.time[1] = Some(milliseconds(limit, words)?),
        "winc" => go.increment[0] = Some(milliseconds(limit, words)?),
        "binc" => go.increment[1] = Some(milliseconds(limit, words)?),
        "movestogo" => {
            let moves = milliseconds(limit, words)?;
            go.moves_to_go = u32::try_from(moves.clamp(0, 10_000)).ok().filter(|&moves| moves > 0);
        }
        "infinite" => go.infinite = true,
        "ponder" => go.ponder = true,
        _ => {
            let mut moves = Vec::new();
            while let Some(word) = words.peek().filter(|word| go_word(word).is_none()) {
                moves.push(word.to_owned());
                words.next();
            }
            go.searchmoves = Some(moves);
        }
    }
    Ok(())
}

/// A positive number; one that is too large to hold counts as the largest.
fn count(after: &'static str, words: &mut Words<'_>) -> Result<u64, ParseError> {
    let number = words.number(after, "a whole number from 1", |&number: &u128| number >= 1)?;
    Ok(u64::try_from(number).unwrap_or(u64::MAX))
}

/// A number of milliseconds, perhaps negative: GUIs send a clock that has run out as it is.
fn milliseconds(after: &'static str, words: &mut Words<'_>) -> Result<i64, ParseError> {
    const YEAR: i128 = 365 * 24 * 3600 * 1000;
    let number = words.number(after, "a whole number", |_: &i128| true)?;
    Ok(number.clamp(-YEAR, YEAR) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        match parse(line) {
            Parsed { skipped: None, command: Some(Ok(command)) } => command,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn error(line: &str) -> String {
        match parse(line) {
            Parsed { skipped: None, command: Some(Err(error)) } => error.to_string(),
            other => panic!("{line}: {other:?}"),
        }
    }

    fn go(line: &str) -> Go {
        match command(line) {
            Command::Go(go) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn simple_commands_in_any_case_and_spacing() {
        assert_eq!(command("uci"), Command::Uci);
        assert_eq!(command(" \tISREADY \r\n"), Command::IsReady);
        assert_eq!(command("debug ON"), Command::Debug(true));
        assert_eq!(command("bench"), Command::Bench(None));
        assert_eq!(command("bench 7"), Command::Bench(Some(7)));
        assert_eq!(command("go perft 5"), Command::Perft(5));
        assert_eq!(command("perft 5"), Command::Perft(5));
        assert_eq!(command("\u{feff}uci"), Command::Uci);
        assert_eq!(parse(" \t\r\n"), Parsed { skipped: None, command: None });
    }

    #[test]
    fn leading_unknown_words_are_skipped() {
        let parsed = parse("joho isready");
        assert_eq!(parsed, Parsed { skipped: Some("joho".into()), command: Some(Ok(Command::IsReady)) });
        assert_eq!(error("hello world"), "unknown command 'hello' (try 'help')");
        assert_eq!(error("тоғыз құмалақ"), "unknown command 'тоғыз' (try 'help')");
        assert_eq!(error("\0\u{fffd}"), "unknown command '\\0\u{fffd}' (try 'help')");
    }

    #[test]
    fn options_keep_the_inner_spaces_of_a_value() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.into(),
            value: value.map(str::to_owned),
        };
        assert_eq!(command("setoption NAME Clear  Hash"), set("Clear Hash", None));
        assert_eq!(command("setoption name X VALUE  a  b value c \r"), set("X", Some("a  b value c")));
        assert_eq!(command("setoption name MultiPV value"), set("MultiPV", Some("")));
        assert_eq!(error("setoption"), "setoption: 'name' is missing");
        assert_eq!(error("setoption value 3"), "setoption: unknown word 'value'");
        assert_eq!(error("setoption name"), "setoption name: the name is missing");
        assert_eq!(error("setoption name value 3"), "setoption name: the name is missing");
    }

    #[test]
    fn positions() {
        let moves = |moves: &[&str]| moves.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            command("position startpos moves 7 76(10)"),
            Command::Position { fen: None, moves: moves(&["7", "76(10)"]) }
        );
        assert_eq!(
            command("position fen a/b  0 0 S 1 moves 1"),
            Command::Position { fen: Some("a/b 0 0 S 1".into()), moves: moves(&["1"]) }
        );
        assert_eq!(command("position startpos moves"), Command::Position { fen: None, moves: vec![] });
        assert_eq!(error("position"), "position: 'startpos' or 'fen' is missing");
        assert_eq!(error("position fen"), "position fen: the position is missing");
        assert_eq!(error("position fen moves 1"), "position fen: the position is missing");
        assert_eq!(error("position 1 2"), "position: unknown word '1'");
        assert_eq!(error("position startpos 1 2"), "position: unknown word '1'");
    }

    #[test]
    fn limits() {
        assert_eq!(go("go"), Go::default());
        let read = go("go wtime 1000 BTIME -45 winc 5 binc 6 movestogo 0 depth 4294967297 wtime 2000");
        assert_eq!(read.time, [Some(2000), Some(-45)]);
        assert_eq!(read.increment, [Some(5), Some(6)]);
        assert_eq!((read.moves_to_go, read.depth), (None, Some(u32::MAX)));
        assert_eq!(read.complaints, []);
        let read = go("go searchmoves 3 4 depth 5 ponder");
        assert_eq!(read.searchmoves, Some(vec!["3".into(), "4".into()]));
        assert_eq!((read.depth, read.ponder), (Some(5), true));
        assert_eq!(go("go wtime 18446744073709551615").time[0], Some(365 * 24 * 3600 * 1000));
    }

    #[test]
    fn a_limit_without_its_number_swallows_nothing() {
        let read = go("go wtime btime 50000 winc 100");
        assert_eq!((read.time, read.increment[0]), ([None, Some(50_000)], Some(100)));
        let complaints: Vec<String> = read.complaints.iter().map(ToString::to_string).collect();
        assert_eq!(complaints, ["wtime takes a whole number, not 'btime'"]);

        let read = go("go wtime 1e4 btime 10000");
        assert_eq!(read.time, [None, Some(10_000)]);
        assert_eq!(read.complaints.len(), 1, "{:?}", read.complaints);
    }

    #[test]
    fn a_go_without_any_valid_limit_is_refused() {
        assert_eq!(
            error("go depth"),
            "go: no valid limit, nothing is searched (depth: a whole number from 1 is missing)"
        );
        assert_eq!(
            error("go depth 0"),
            "go: no valid limit, nothing is searched (depth takes a whole number from 1, not '0')"
        );
        assert_eq!(error("go fast"), "go: no valid limit, nothing is searched (go: unknown word 'fast')");
        assert_eq!(
            error("go winc 100 movestogo 5"),
            "go: no valid limit, nothing is searched (winc, binc or movestogo: wtime or btime is missing)"
        );
        assert_eq!(go("go winc 100 depth 5").complaints.len(), 1);
        assert_eq!(error("go perft 0"), "perft takes a depth from 1 to 30, not '0'");
        assert_eq!(error("go depth 3 perft 2"), "go: unknown word 'perft'");
        assert_eq!(error("go perft 2 depth 3"), "go perft: unknown word 'depth'");
        assert_eq!(error("stop now"), "stop: unknown word 'now'");
    }
}
