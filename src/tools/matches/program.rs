//! A player that is a program behind pipes and speaks the protocol, or the plain part of it that any engine knows.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::eval::Score;
use crate::game::{AnyGame, Position, Variant};
use crate::text::{quoted, shortened};
use crate::with_game;

use super::player::{Missing, Player, Question, Silence, StartError, Thought, crash, hang, locked, receive};

/// How long a program may take to start, and to get ready for a game.
const STARTUP: Duration = Duration::from_secs(20);
/// How long a program may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);
/// A longer line is taken in pieces: no program may fill the memory.
const LONGEST_LINE: u64 = 1 << 20;

/// A line with the time of its arrival.
struct Line {
    text: String,
    at: Instant,
}

/// A running program.
pub(super) struct Program {
    child: Child,
    /// To the thread that writes: a program that reads nothing must not hold up the match.
    input: Sender<Message>,
    output: Receiver<Line>,
    /// The last line that it has written to stderr.
    last_words: Arc<Mutex<String>>,
    /// Closed when stderr is, and nothing more will come.
    errors: Receiver<()>,
    /// Whether it is worth a `quit`.
    obeys: bool,
}

/// Text to write, and who waits for the time at which it was out.
struct Message {
    text: String,
    sent: Option<Sender<Instant>>,
}

impl Program {
    /// Starts a program, and sets its options and the game where it is not the usual one.
    pub(super) fn start(
        command: &[String],
        options: &[(String, String)],
        variant: Variant,
        abort: &AtomicBool,
    ) -> Result<Program, StartError> {
        let mut program = Program::spawn(command).map_err(|error| StartError::Failed(error.to_string()))?;
        program.set_up(options, variant, abort).map_err(|silence| match silence {
            Unready::Silence(Silence::Aborted) => StartError::Aborted,
            Unready::Silence(Silence::Fault(fault)) => StartError::Failed(fault.to_string()),
            Unready::Refused(reason) => StartError::Failed(reason),
        })?;
        Ok(program)
    }

    fn spawn(command: &[String]) -> io::Result<Program> {
        let (path, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(path);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the match, which then ends its programs itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        let (input, messages) = mpsc::channel();
        let (sender, output) = mpsc::channel();
        let last_words = Arc::new(Mutex::new(String::new()));
        let words = Arc::clone(&last_words);
        let (open, errors) = mpsc::channel();
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let program = Program { child, input, output, last_words, errors, obeys: true };
        // They end with the pipes.
        thread::Builder::new().spawn(move || write_messages(stdin, &messages))?;
        thread::Builder::new().spawn(move || {
            read_lines(stdout, |text| sender.send(Line { text, at: Instant::now() }).is_ok());
        })?;
        thread::Builder::new().spawn(move || {
            let _open: Sender<()> = open;
            read_lines(stderr, |text| {
                if !text.trim().is_empty() {
                    *locked(&words) = text;
                }
                true
            });
        })?;
        Ok(program)
    }

    fn set_up(
        &mut self,
        options: &[(String, String)],
        variant: Variant,
        abort: &AtomicBool,
    ) -> Result<(), Unready> {
        let deadline = Instant::now() + STARTUP;
        self.send("uci");
        let declared: Vec<String> =
            self.lines_until("uciok", deadline, abort)?.iter().filter_map(|line| option_name(line)).collect();
        let game = (variant != Variant::default()).then(|| ("UCI_Variant".to_owned(), variant.to_string()));
        for (name, value) in options.iter().chain(&game) {
            if !declared.iter().any(|declared| declared.eq_ignore_ascii_case(name)) {
                return Err(Unready::Refused(format!("it has no option '{}'", quoted(name))));
            }
            self.send(&format!("setoption name {name} value {value}"));
        }
        self.send("isready");
        let said = self.lines_until("readyok", deadline, abort)?;
        match said.iter().find_map(|line| line.strip_prefix("info string error: ")) {
            Some(reason) => Err(Unready::Refused(reason.to_owned())),
            None => Ok(()),
        }
    }

    fn send(&mut self, line: &str) {
        // When the program has gone, the end of its output tells the tale.
        drop(self.input.send(Message { text: format!("{line}\n"), sent: None }));
    }

    /// Sends lines and says when they were out.
    fn send_timed(
        &mut self,
        lines: String,
        patience: Duration,
        abort: &AtomicBool,
    ) -> Result<Instant, Silence> {
        let (sender, sent) = mpsc::channel();
        drop(self.input.send(Message { text: lines, sent: Some(sender) }));
        receive(&sent, Instant::now() + patience, abort).map_err(|missing| self.silence(missing, patience))
    }

    /// The lines before the one that begins with this word.
    fn lines_until(
        &mut self,
        word: &str,
        deadline: Instant,
        abort: &AtomicBool,
    ) -> Result<Vec<String>, Silence> {
        let mut lines = Vec::new();
        loop {
            let line =
                receive(&self.output, deadline, abort).map_err(|missing| self.silence(missing, STARTUP))?;
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(lines);
            }
            lines.push(line.text);
        }
    }

    fn silence(&mut self, missing: Missing, waited: Duration) -> Silence {
        self.obeys = false;
        match missing {
            Missing::Aborted => Silence::Aborted,
            Missing::Late => hang(waited),
            Missing::Ended => crash(self.obituary()),
        }
    }

    /// What is known of a program whose output has ended.
    fn obituary(&mut self) -> String {
        let ended = match self.wait(FAREWELL) {
            Some(status) => format!("ended with {status}"),
            None => "closed its output".to_owned(),
        };
        // What it said last may still be on its way. A child of its own can keep the pipe open for ever.
        let _ = self.errors.recv_timeout(FAREWELL);
        let words = locked(&self.last_words);
        if words.is_empty() { ended } else { format!("{ended} ({})", shortened(&words, 120)) }
    }

    fn wait(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Player for Program {
    fn new_game(&mut self, abort: &AtomicBool) -> Result<(), Silence> {
        self.send("ucinewgame");
        self.send("isready");
        self.lines_until("readyok", Instant::now() + STARTUP, abort).map(drop)
    }

    fn think(&mut self, question: &Question<'_>) -> Result<Thought, Silence> {
        // Whatever was said before is no answer to this.
        while self.output.try_recv().is_ok() {}
        let lines = format!("{}\ngo {}\n", position_line(question.game), question.budget);
        let started = self.send_timed(lines, question.patience, question.abort)?;
        let deadline = started + question.patience;
        let mut report = Report::default();
        loop {
            let line = receive(&self.output, deadline, question.abort)
                .map_err(|missing| self.silence(missing, question.patience))?;
            let mut words = line.text.split_whitespace();
            match words.next() {
                Some("info") => report.read(words),
                Some("bestmove") => {
                    let answer = words.next().unwrap_or_default().to_owned();
                    let elapsed = line.at.saturating_duration_since(started);
                    return Ok(Thought {
                        answer,
                        score: report.score,
                        elapsed,
                        depth: report.depth,
                        visited: report.visited(elapsed),
                    });
                }
                _ => {}
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if self.obeys {
            self.send("quit");
            self.wait(FAREWELL);
        }
        // Most often it has ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Why a program cannot play.
enum Unready {
    Silence(Silence),
    Refused(String),
}

impl From<Silence> for Unready {
    fn from(silence: Silence) -> Unready {
        Unready::Silence(silence)
    }
}

/// What the `info` lines of a search have said last.
#[derive(Default)]
struct Report {
    /// Centistones.
    score: Option<i32>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// Positions a second.
    speed: Option<u64>,
    /// Milliseconds.
    time: Option<u64>,
}

impl Report {
    fn read<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        let mut is_first_line = true;
        while let Some(word) = words.next() {
            match word {
                "multipv" => is_first_line = words.next() == Some("1"),
                "score" if is_first_line => self.score = score(words.next(), words.next()).or(self.score),
                "depth" => self.depth = number(words.next()).map(|depth| depth as u32).or(self.depth),
                "nodes" => self.nodes = number(words.next()).or(self.nodes),
                "nps" => self.speed = number(words.next()).or(self.speed),
                "time" => self.time = number(words.next()).or(self.time),
                // Free text, or moves, to the end of the line.
                "string" | "pv" => return,
                _ => {}
            }
        }
    }

    /// The positions visited and the time they took: by the speed where there is one, because milliseconds are coarse.
    fn visited(&self, elapsed: Duration) -> Option<(u64, Duration)> {
        let nodes = self.nodes?;
        let time = match (self.speed, self.time) {
            (Some(speed @ 1..), _) => Duration::from_secs_f64(nodes as f64 / speed as f64),
            (_, Some(time @ 1..)) => Duration::from_millis(time),
            _ => elapsed,
        };
        Some((nodes, time))
    }
}

/// The score `cp N` or `mate N`.
fn score(kind: Option<&str>, value: Option<&str>) -> Option<i32> {
    let value: i32 = value?.parse().ok()?;
    match kind? {
        "cp" => Some(value),
        // 'mate 0' is said by the one who is beaten.
        "mate" if value > 0 => Some(Score::WIN.value()),
        "mate" => Some(-Score::WIN.value()),
        _ => None,
    }
}

fn number(word: Option<&str>) -> Option<u64> {
    word?.parse().ok()
}

/// The name in a line `option name N type T ...`.
fn option_name(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let name = words.strip_prefix(&["option", "name"])?;
    let end = name.iter().position(|&word| word == "type").unwrap_or(name.len());
    Some(name[..end].join(" "))
}

/// The `position` command of a game; `startpos` wherever it can be, which even the plainest program knows.
fn position_line(game: &AnyGame) -> String {
    with_game!(game, game => {
        let mut line = if *game.start() == Position::start() {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", game.start())
        };
        if !game.moves().is_empty() {
            line.push_str(" moves");
        }
        for pit in game.moves() {
            line.push_str(&format!(" {pit}"));
        }
        line
    })
}

/// Writes what comes until the match has no more to say, or the program has gone.
fn write_messages(mut stdin: ChildStdin, messages: &Receiver<Message>) {
    for message in messages {
        let written = stdin.write_all(message.text.as_bytes()).and_then(|()| stdin.flush());
        let at = Instant::now();
        if let Some(sent) = message.sent {
            // A program that has gone is noticed by its output.
            let _ = sent.send(at);
        }
        if written.is_err() {
            // The rest of the messages need an answer too.
            for sent in messages.iter().filter_map(|message| message.sent) {
                let _ = sent.send(Instant::now());
            }
            return;
        }
    }
}

/// Reads lines until the end of the output, or until nobody wants them.
fn read_lines(output: impl Read, mut tell: impl FnMut(String) -> bool) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while let Ok(1..) = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        bytes.clear();
        if !tell(text) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn the_report_is_what_was_said_last() {
        let mut report = Report::default();
        report.read("depth 3 score cp 5 nodes 100 nps 2000 time 50 pv 7 depth 9".split(' '));
        report.read("string depth 4 nodes 5".split(' '));
        assert_eq!(
            (report.depth, report.visited(Duration::ZERO)),
            (Some(3), Some((100, Duration::from_millis(50))))
        );
        report.read("depth 4 nodes 400 nps 0 time 80".split(' '));
        assert_eq!(
            (report.depth, report.visited(Duration::ZERO)),
            (Some(4), Some((400, Duration::from_millis(80))))
        );
    }

    #[test]
    fn the_score_is_that_of_the_first_line() {
        let mut report = Report::default();
        for (line, expected) in [
            ("depth 3", None),
            ("depth 3 score cp -5 nodes 100", Some(-5)),
            ("depth 3 multipv 2 score cp 900", Some(-5)),
            ("depth 4 multipv 1 score cp 70 lowerbound", Some(70)),
            ("depth 4 score mate -3", Some(-32_000)),
            ("depth 5 score mate 2", Some(32_000)),
            ("depth 5 score of 20", Some(32_000)),
        ] {
            report.read(line.split(' '));
            assert_eq!(report.score, expected, "{line}");
        }
    }

    #[test]
    fn option_names_may_have_spaces() {
        assert_eq!(option_name("option name Move Overhead type spin").as_deref(), Some("Move Overhead"));
        assert_eq!(option_name("id name Move Overhead"), None);
    }

    #[test]
    fn the_position_is_startpos_wherever_it_can_be() {
        let moves = ["7".to_owned(), "2".to_owned()];
        let game = AnyGame::from_text(Variant::Togyzqumalaq, None, &moves).unwrap();
        assert_eq!(position_line(&game), "position startpos moves 7 2");
        assert_eq!(position_line(&AnyGame::start(Variant::Kozdatu)), "position startpos");
        let fen = "8,1S/1S,8 80 80 S 1";
        let game = AnyGame::from_text(Variant::Togyzqumalaq, Some(fen), &["1".to_owned()]).unwrap();
        assert_eq!(position_line(&game), format!("position fen {fen} moves 1"));
    }
}
