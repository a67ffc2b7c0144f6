//! The real program behind pipes: lines in, lines out with the time of their arrival. No wait is without an end.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tuzdyq::game::{Pit, Position, Rules, parse_move};

/// For what should come at once, on a machine that is busy with other things too.
pub const SOON: Duration = Duration::from_secs(10);
/// For searches and counts that take a while.
pub const LATER: Duration = Duration::from_secs(30);

/// The path of the program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_tuzdyq");

/// One stone each, chasing each other: with pit 1, 1, 2, 2, ... 9, 9 the position comes back after 18 half-moves.
pub const CHASE: &str = "8,1S/1S,8 80 80 S 1";

/// A legal game of 320 half-moves from the start, whose last position has occurred before.
pub const LONG_GAME: &str = "\
7145146715374277228864169521557397646682496452999858574267247958998894269823854456363917426989439493\
3263445867597584869611922727433536781557492844893895465179876263561788246579163877284959919182229485\
6697788913349523313642644775885996635114726778838529913495465166177882239931471425365263425374846798\
79819811253915462637";

/// Milliseconds.
pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A line of output.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub at: Instant,
}

impl Line {
    pub fn is_bestmove(&self) -> bool {
        self.text.starts_with("bestmove")
    }

    pub fn is_info(&self) -> bool {
        self.text.starts_with("info depth")
    }
}

#[derive(Default)]
struct Output {
    lines: Vec<Line>,
    ended: bool,
    stderr: String,
    stderr_ended: bool,
}

/// A running program.
pub struct Engine {
    child: Child,
    /// Whether the child leads a group of processes, which all end with it.
    is_group: bool,
    /// To the thread that writes: a program that reads nothing must not stop the test.
    input: Option<Sender<Vec<u8>>>,
    output: Arc<(Mutex<Output>, Condvar)>,
    /// Lines that have been waited for already.
    seen: usize,
    started: Instant,
    sent: Vec<(Instant, String)>,
}

/// Runs the program to its end, without input: exit code, output, errors.
#[track_caller]
pub fn run(args: &[&str]) -> (i32, String, String) {
    let mut engine = Engine::with_args(args);
    engine.close_stdin();
    let code = engine.exit_code(LATER);
    let lines: Vec<String> = engine.lines().into_iter().map(|line| line.text).collect();
    (code, lines.join("\n"), engine.stderr())
}

/// The output of a run that must succeed without a word on stderr.
#[track_caller]
pub fn output(args: &[&str]) -> String {
    let (code, output, errors) = run(args);
    assert_eq!((code, errors.as_str()), (0, ""), "{args:?}: {output}");
    assert!(!output.contains('\x1b'), "{args:?}: {output:?}");
    output
}

impl Engine {
    /// A protocol session.
    pub fn start() -> Engine {
        Engine::spawn(&mut Command::new(PROGRAM))
    }

    /// The program with arguments.
    pub fn with_args(args: &[&str]) -> Engine {
        Engine::spawn(Command::new(PROGRAM).args(args))
    }

    /// What a shell makes of a line, in which `$E` is the program.
    #[cfg(unix)]
    pub fn shell(script: &str) -> Engine {
        use std::os::unix::process::CommandExt;
        let mut shell = Command::new("sh");
        let mut engine = Engine::spawn(shell.args(["-c", script]).env("E", PROGRAM).process_group(0));
        engine.is_group = true;
        engine
    }

    pub fn spawn(command: &mut Command) -> Engine {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.env_remove("RUST_LOG").spawn().expect("the program starts");
        let output = Arc::new((Mutex::new(Output::default()), Condvar::new()));
        read_lines(child.stdout.take().expect("stdout"), Arc::clone(&output));
        read_errors(child.stderr.take().expect("stderr"), Arc::clone(&output));
        let input = Some(write_bytes(child.stdin.take().expect("stdin")));
        Engine { child, is_group: false, input, output, seen: 0, started: Instant::now(), sent: Vec::new() }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Instant {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends several lines at once.
    pub fn send_all(&mut self, lines: &[&str]) {
        self.send(&lines.join("\n"));
    }

    /// Sends bytes as they are, and gives the time.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Instant {
        let now = Instant::now();
        self.sent.push((now, String::from_utf8_lossy(bytes).into_owned()));
        if let Some(input) = &self.input {
            // When the program has gone, the output tells the tale.
            let _ = input.send(bytes.to_owned());
        }
        now
    }

    /// Ends the program's input.
    pub fn close_stdin(&mut self) {
        self.input = None;
    }

    /// All lines so far.
    pub fn lines(&self) -> Vec<Line> {
        self.output.0.lock().unwrap().lines.clone()
    }

    /// The lines that have not been waited for yet; they count as seen.
    pub fn take_lines(&mut self) -> Vec<Line> {
        let lines = self.lines().split_off(self.seen);
        self.seen += lines.len();
        lines
    }

    /// The next line that has not been waited for; none when the output has ended, or nothing comes in time.
    pub fn next_line(&mut self, timeout: Duration) -> Option<String> {
        let (mutex, changed) = &*self.output;
        let output = mutex.lock().unwrap();
        let nothing = |output: &mut Output| output.lines.len() == self.seen && !output.ended;
        let output = changed.wait_timeout_while(output, timeout, nothing).unwrap().0;
        let line = output.lines.get(self.seen)?;
        self.seen += 1;
        Some(line.text.clone())
    }

    /// How many lines so far begin with this.
    pub fn count(&self, prefix: &str) -> usize {
        self.lines().iter().filter(|line| line.text.starts_with(prefix)).count()
    }

    /// Waits for a line that begins with this, and gives it and the lines before it that nobody has waited for.
    #[track_caller]
    pub fn read_until(&mut self, prefix: &str, timeout: Duration) -> Vec<Line> {
        let deadline = Instant::now() + timeout;
        let (mutex, changed) = &*self.output;
        let mut output = mutex.lock().unwrap();
        let mut looked_at = self.seen;
        loop {
            let new = &output.lines[looked_at..];
            if let Some(found) = new.iter().position(|line| line.text.starts_with(prefix)) {
                let end = looked_at + found + 1;
                let lines = output.lines[self.seen..end].to_vec();
                self.seen = end;
                return lines;
            }
            looked_at = output.lines.len();
            let left = deadline.saturating_duration_since(Instant::now());
            if output.ended || left.is_zero() {
                let why = if output.ended { "the output has ended" } else { "nothing in time" };
                drop(output);
                panic!("no line '{prefix}' within {timeout:?}, {why}\n{}", self.transcript());
            }
            output = changed.wait_timeout(output, left).unwrap().0;
        }
    }

    /// Waits for a line that begins with this; the lines before it count as seen.
    #[track_caller]
    pub fn wait_for(&mut self, prefix: &str, timeout: Duration) -> Line {
        self.read_until(prefix, timeout).pop().expect("the last line is the one")
    }

    /// Sends a line, and gives the lines up to the one that begins with `prefix`, without those of before.
    #[track_caller]
    pub fn ask(&mut self, line: &str, prefix: &str) -> Vec<Line> {
        self.send(line);
        self.read_until(prefix, LATER)
    }

    /// Sends a `go` and waits for its `bestmove`.
    #[track_caller]
    pub fn go(&mut self, limits: &str) -> Search {
        let sent = self.send(&format!("go {limits}"));
        let lines = self.read_until("bestmove", LATER);
        Search { lines, sent }
    }

    /// Makes sure that all before has been obeyed, and gives what it said. Only while nothing is running.
    #[track_caller]
    pub fn sync(&mut self) -> Vec<String> {
        let mut lines = self.ask("isready", "readyok");
        lines.pop();
        lines.into_iter().map(|line| line.text).collect()
    }

    /// Sends a line and gives what it says; only while nothing is running.
    #[track_caller]
    pub fn say(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// Sends a line that must be refused in one line, and gives that.
    #[track_caller]
    pub fn refused(&mut self, line: &str) -> String {
        let mut said = self.say(line);
        assert_eq!(said.len(), 1, "to {line:?}: {said:?}");
        let said = said.remove(0);
        assert!(said.starts_with("info string error: "), "to {line:?}: {said}");
        assert!(!said.contains(char::is_control), "to {line:?}: {said:?}");
        assert!(said.len() < 300, "to {line:?}: {} bytes: {said}", said.len());
        said
    }

    /// What `d` says after a word such as `Fen:`.
    #[track_caller]
    pub fn field(&mut self, name: &str) -> String {
        let lines = self.ask("d", "Result:");
        let found = lines.iter().find_map(|line| line.text.strip_prefix(name));
        found.unwrap_or_else(|| panic!("no {name}\n{}", self.transcript())).trim().to_owned()
    }

    /// Waits for the end of the program and of its output.
    #[track_caller]
    pub fn exit_code(&mut self, timeout: Duration) -> i32 {
        let deadline = Instant::now() + timeout;
        loop {
            let status = self.child.try_wait().expect("a child");
            let all_read = {
                let output = self.output.0.lock().unwrap();
                output.ended && output.stderr_ended
            };
            match status {
                Some(status) if all_read => {
                    return status.code().unwrap_or_else(|| panic!("{status}\n{}", self.transcript()));
                }
                _ if Instant::now() > deadline => panic!("no end within {timeout:?}\n{}", self.transcript()),
                _ => thread::sleep(ms(1)),
            }
        }
    }

    /// Ends the input and waits for a good end.
    #[track_caller]
    pub fn finish(&mut self) {
        self.close_stdin();
        self.assert_exit(0, SOON);
    }

    /// Waits for the end with this exit code; nothing may look like a panic.
    #[track_caller]
    pub fn assert_exit(&mut self, code: i32, timeout: Duration) {
        let exit = self.exit_code(timeout);
        let stderr = self.stderr();
        assert!(exit == code && !stderr.contains("panicked"), "exit code {exit}\n{}", self.transcript());
    }

    /// What the program has written to stderr so far.
    pub fn stderr(&self) -> String {
        self.output.0.lock().unwrap().stderr.clone()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// All that was sent and received, in order.
    pub fn transcript(&self) -> String {
        let output = self.output.0.lock().unwrap();
        let cut = |text: &str| text.chars().take(300).collect::<String>();
        let sent = self.sent.iter().map(|(at, text)| (*at, format!("> {}", cut(text.trim_end()))));
        let heard = output.lines.iter().map(|line| (line.at, format!("  {}", cut(&line.text))));
        let mut all: Vec<(Instant, String)> = sent.chain(heard).collect();
        all.sort_by_key(|&(at, _)| at);
        let mut text = String::new();
        let skipped = all.len().saturating_sub(60);
        for (at, line) in &all[skipped..] {
            let _ =
                writeln!(text, "{:>9.1} ms {line}", at.duration_since(self.started).as_secs_f64() * 1000.0);
        }
        let _ = writeln!(text, "({skipped} lines left out) stderr: {}", output.stderr);
        text
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Most often it has ended already.
        if self.is_group {
            let group = format!("-{}", self.child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(stdout: impl Read + Send + 'static, output: Arc<(Mutex<Output>, Condvar)>) {
    thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        let mut bytes = Vec::new();
        while let Ok(1..) = stdout.read_until(b'\n', &mut bytes) {
            let at = Instant::now();
            let text = String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned();
            bytes.clear();
            output.0.lock().unwrap().lines.push(Line { text, at });
            output.1.notify_all();
        }
        output.0.lock().unwrap().ended = true;
        output.1.notify_all();
    });
}

fn read_errors(mut stderr: impl Read + Send + 'static, output: Arc<(Mutex<Output>, Condvar)>) {
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = stderr.read(&mut buffer) {
            let text = String::from_utf8_lossy(&buffer[..length]).into_owned();
            output.0.lock().unwrap().stderr.push_str(&text);
        }
        output.0.lock().unwrap().stderr_ended = true;
    });
}

fn write_bytes(mut stdin: impl Write + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        receiver.iter().all(|bytes| stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_ok())
    });
    sender
}

/// What a `go` has given.
pub struct Search {
    /// All lines up to the `bestmove`.
    pub lines: Vec<Line>,
    pub sent: Instant,
}

impl Search {
    pub fn bestmove(&self) -> &str {
        self.words()[1]
    }

    pub fn ponder(&self) -> Option<&str> {
        self.words().get(3).copied()
    }

    fn words(&self) -> Vec<&str> {
        self.lines.last().expect("bestmove").text.split(' ').collect()
    }

    pub fn infos(&self) -> Vec<Info> {
        self.lines.iter().filter(|line| line.is_info()).map(|line| Info::read(&line.text)).collect()
    }

    pub fn elapsed(&self) -> Duration {
        self.lines.last().expect("bestmove").at.duration_since(self.sent)
    }

    /// The last finished depth.
    pub fn depth(&self) -> u32 {
        self.infos().iter().filter(|info| info.bound.is_none()).map(|info| info.depth).max().unwrap_or(0)
    }

    /// The score of the last finished iteration.
    pub fn score(&self) -> Value {
        self.infos()
            .iter()
            .rfind(|info| info.bound.is_none() && info.multipv == 1)
            .expect("an iteration")
            .score
    }
}

/// A score as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Cp(i32),
    Mate(i32),
}

impl Value {
    /// A number that grows with the score.
    pub const fn rank(self) -> i32 {
        match self {
            Value::Cp(value) => value,
            Value::Mate(moves) if moves > 0 => 100_000 - moves,
            Value::Mate(moves) => -100_000 - moves,
        }
    }
}

/// An `info depth` line, read strictly: the fields in their order and nothing else.
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u32,
    pub seldepth: u32,
    pub multipv: usize,
    pub score: Value,
    pub bound: Option<String>,
    pub wdl: Option<[u32; 3]>,
    pub nodes: u64,
    pub hashfull: u32,
    pub time: u64,
    pub pv: Vec<String>,
}

impl Info {
    #[track_caller]
    pub fn read(text: &str) -> Info {
        let words: Vec<&str> = text.split(' ').collect();
        assert!(words.len() >= 10 && words[0] == "info", "{text}");
        let number = |at: usize, name: &str| -> u64 {
            assert_eq!(words.get(at), Some(&name), "{text}");
            words.get(at + 1).and_then(|word| word.parse().ok()).expect(text)
        };
        let (depth, seldepth, multipv) = (number(1, "depth"), number(3, "seldepth"), number(5, "multipv"));
        assert_eq!(words[7], "score", "{text}");
        let value: i32 = words[9].parse().expect(text);
        let score = match words[8] {
            "cp" => Value::Cp(value),
            "mate" => Value::Mate(value),
            other => panic!("score {other} in {text}"),
        };
        let mut at = 10;
        let bound =
            ["lowerbound", "upperbound"].into_iter().find(|&bound| words[at] == bound).map(str::to_owned);
        at += usize::from(bound.is_some());
        let wdl = (words[at] == "wdl").then(|| [1, 2, 3].map(|index| words[at + index].parse().expect(text)));
        at += if wdl.is_some() { 4 } else { 0 };
        let (nodes, _nps) = (number(at, "nodes"), number(at + 2, "nps"));
        let (hashfull, _tbhits) = (number(at + 4, "hashfull"), number(at + 6, "tbhits"));
        let time = number(at + 8, "time");
        at += 10;
        assert_eq!(words[at], "pv", "{text}");
        let pv = words[at + 1..].iter().map(|&word| word.to_owned()).collect();
        let [depth, seldepth, hashfull] = [depth, seldepth, hashfull].map(|number| number as u32);
        Info { depth, seldepth, multipv: multipv as usize, score, bound, wdl, nodes, hashfull, time, pv }
    }
}

/// Plays moves as the protocol writes them, and gives the position after them.
#[track_caller]
pub fn replay<R: Rules, S: AsRef<str>>(mut position: Position<R>, moves: &[S]) -> Position<R> {
    for text in moves {
        let text = text.as_ref();
        assert!(text.len() == 1, "not a pit number: {text}");
        let pit: Pit = parse_move(&position, text).unwrap_or_else(|error| panic!("{position}: {error}"));
        position = position.play(pit).0;
    }
    position
}

/// Checks all that a search has said of the position: the lines can be played, the fields are sane, the answer is the
/// first move of the last line reported.
#[track_caller]
pub fn check_search<R: Rules>(search: &Search, position: Position<R>) {
    let infos = search.infos();
    let (mut nodes, mut time) = (0, 0);
    for info in &infos {
        replay(position, &info.pv);
        assert!(!info.pv.is_empty() && info.seldepth >= 1 && info.hashfull <= 1000, "{info:?}");
        if let Value::Mate(moves) = info.score {
            assert!(moves != 0 && info.pv.len() <= 2 * moves.unsigned_abs() as usize, "{info:?}");
        }
        assert!(nodes <= info.nodes && time <= info.time, "{info:?}");
        (nodes, time) = (info.nodes, info.time);
    }
    let answer = search.lines.last().expect("bestmove").text.clone();
    let best = replay(position, &[search.bestmove()]);
    if let Some(ponder) = search.ponder() {
        replay(best, &[ponder]);
    }
    if let Some(last) = infos.iter().rfind(|info| info.multipv == 1) {
        assert_eq!(last.pv[0], search.bestmove(), "{answer} after {last:?}");
        // A line that was cut short names no reply.
        let reply = last.pv.get(1).map(String::as_str);
        assert!(reply.is_none() || reply == search.ponder(), "{answer} after {last:?}");
    }
}

/// What a run that must fail says on stderr.
#[track_caller]
pub fn refusal(args: &[&str], expected: i32) -> String {
    let (code, output, errors) = run(args);
    assert_eq!(code, expected, "{args:?}: {output}{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

/// Pits written as digits, as a list of moves.
pub fn spaced(digits: &str) -> String {
    digits.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

/// The pits of the chase, so many half-moves of it.
pub fn chase(half_moves: usize) -> String {
    let pits: Vec<String> = (0..half_moves).map(|index| (index / 2 % 9 + 1).to_string()).collect();
    pits.join(" ")
}
