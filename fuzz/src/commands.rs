//! Lines of the protocol.

use std::fmt::Display;

use tuzdyq::protocol::{Command, Go, parse};

/// Bytes of memory for each byte of a line: a word of one letter is a string of its own.
const MEMORY: u64 = 200;

/// Reads each line as a command.
pub fn check(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).split('\n') {
        let parsed = super::bounded(MEMORY * line.len() as u64, || parse(line));
        if let Some(skipped) = &parsed.skipped {
            super::check_line(skipped);
        }
        match parsed.command {
            Some(Ok(command)) => {
                if let Command::Go(go) = &command {
                    go.complaints.iter().for_each(|complaint| super::check_line(&complaint.to_string()));
                }
                let again = parse(&written(&command));
                assert_eq!(again.skipped, None, "{line:?}");
                assert_eq!(again.command.and_then(Result::ok).map(plain), Some(plain(command)), "{line:?}");
            }
            Some(Err(error)) => super::check_line(&error.to_string()),
            None => assert!(line.trim_start_matches('\u{feff}').trim_ascii().is_empty(), "{line:?}"),
        }
    }
}

/// The command without what was wrong with parts that have been left out.
fn plain(command: Command) -> Command {
    match command {
        Command::Go(go) => Command::Go(Box::new(Go { complaints: Vec::new(), ..*go })),
        other => other,
    }
}

/// The command as a line.
fn written(command: &Command) -> String {
    match command {
        Command::Uci => "uci".to_owned(),
        Command::IsReady => "isready".to_owned(),
        Command::NewGame => "ucinewgame".to_owned(),
        Command::SetOption { name, value: None } => format!("setoption name {name}"),
        Command::SetOption { name, value: Some(value) } => format!("setoption name {name} value {value}"),
        Command::Position { fen, moves } => {
            let base = fen.as_ref().map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
            format!("position {base} moves {}", moves.join(" "))
        }
        Command::Go(go) => format!("go{}", limits(go)),
        Command::Perft(depth) => format!("go perft {depth}"),
        Command::Stop => "stop".to_owned(),
        Command::PonderHit => "ponderhit".to_owned(),
        Command::Quit => "quit".to_owned(),
        Command::Debug(on) => format!("debug {}", if *on { "on" } else { "off" }),
        Command::Display => "d".to_owned(),
        Command::Eval => "eval".to_owned(),
        Command::Bench(depth) => format!("bench{}", depth.map_or(String::new(), |depth| format!(" {depth}"))),
        Command::Help => "help".to_owned(),
    }
}

fn limits(go: &Go) -> String {
    fn limit(word: &str, number: Option<impl Display>) -> String {
        number.map_or(String::new(), |number| format!(" {word} {number}"))
    }
    let moves = go.searchmoves.as_ref().map(|moves| moves.join(" "));
    [
        limit("depth", go.depth),
        limit("nodes", go.nodes),
        limit("movetime", go.movetime),
        limit("wtime", go.time[0]),
        limit("btime", go.time[1]),
        limit("winc", go.increment[0]),
        limit("binc", go.increment[1]),
        limit("movestogo", go.moves_to_go),
        limit("mate", go.mate),
        if go.infinite { " infinite".to_owned() } else { String::new() },
        if go.ponder { " ponder".to_owned() } else { String::new() },
        // Takes all words that follow it.
        limit("searchmoves", moves),
    ]
    .concat()
}
