//! A session: lines in, lines out.
//!
//! One thread, the one that calls [`run`], owns the output. Another reads the input, and the search and the long
//! tasks have their own; all of them send what they have to one channel. While something runs, the commands that
//! would disturb it wait in a queue, and the others are obeyed at once.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::engine::{self, Engine, EngineError};
use crate::eval::Wdl;
use crate::game::{AnyGame, Rules, Variant};
use crate::options::{Id, Options};
use crate::search::{Control, Iteration, Limits};
use crate::tools::{bench, perft};
use crate::with_game;

use super::command::{Command, Go, parse};
use super::describe::{describe_evaluation, describe_position};
use super::limits::limits_from;
use super::reply::Reply;

/// The longest line that is read, in bytes: room for hundreds of thousands of moves.
const LONGEST_LINE: u64 = 1 << 20;

const HELP: &str = "\
tuzdyq speaks a UCI adapted to togyzqumalaq; protocol.md is the full reference.
  position startpos | fen F [moves M...]   set the position
  go depth N | movetime MS | infinite ...  search; 'stop' ends it
  go perft N                               count move sequences
  d | eval                                 show the position or its evaluation
  setoption name N value V                 set an option; 'uci' lists them
  bench [DEPTH]                            measure the speed of the search
  quit                                     leave";

/// What the session's thread waits for.
enum Event {
    /// A line of input, or why it cannot be read.
    Line(Result<String, String>),
    /// No more input.
    EndOfInput,
    /// From the search.
    Search(engine::Event),
    /// A line from a task.
    Task(Reply),
    /// The end of a task, with its last line unless it was stopped.
    TaskDone(Option<Reply>),
}

/// A command that waits, and what has come for it already.
struct Waiting {
    command: Command,
    stopped: bool,
    ponder_hit: bool,
}

/// What is running.
enum Activity {
    Idle,
    /// A search, and whether it has been told to stop.
    Search {
        stopped: bool,
        /// Whether a `ponderhit` is still to come.
        pondering: bool,
        infinite: bool,
        share_of_stones: f64,
    },
    /// A perft or a bench.
    Task(Arc<Control>),
}

/// Why a session ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// The engine cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The thread that reads the input cannot be started.
    #[error("no thread for the input: {0}")]
    Input(io::Error),
}

/// Runs a session until `quit` or the end of the input.
///
/// At the end of the input, what has been asked for is finished first: bounded searches run to their end, open-ended
/// ones are stopped. `quit` stops everything.
///
/// # Errors
/// When the engine cannot be started or the output cannot be written.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> Result<(), SessionError> {
    let (sender, events) = mpsc::channel();
    let reader = sender.clone();
    // Detached: at `quit` it may be blocked in a read for ever.
    let spawned = thread::Builder::new().name("input".into()).spawn(move || read_lines(input, &reader));
    spawned.map_err(SessionError::Input)?;
    let engine = Engine::new(Options::default())?;
    let mut session = Session {
        engine,
        output,
        sender,
        activity: Activity::Idle,
        waiting: VecDeque::new(),
        input_ended: false,
        debug: false,
        damage_told: 0,
    };
    Ok(session.run(&events)?)
}

/// Sends each line; bytes that are not UTF-8 become replacement characters, which no command contains.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let mut bytes = Vec::new();
        let line = match io::Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(length) if length as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') => {
                if input.skip_until(b'\n').is_err() {
                    break;
                }
                Err(format!("a line of more than {LONGEST_LINE} bytes is not read"))
            }
            Ok(_) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        };
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    // Nobody listens after the session has ended.
    let _ = events.send(Event::EndOfInput);
}

struct Session<W> {
    engine: Engine,
    output: W,
    sender: Sender<Event>,
    activity: Activity,
    /// Commands that wait for what is running.
    waiting: VecDeque<Waiting>,
    input_ended: bool,
    debug: bool,
    /// How many damaged layers of endgames have been told.
    damage_told: usize,
}

/// Whether the session goes on.
type Flow = io::Result<ControlFlow<()>>;

const GO_ON: Flow = Ok(ControlFlow::Continue(()));

impl<W: Write> Session<W> {
    fn run(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        let result = self.serve(events);
        // Whatever ended the session: let the threads end, and give the last search its answer.
        self.stop_activity();
        while result.is_ok() && !self.is_idle() {
            let Ok(event) = events.recv() else { break };
            self.pass_on(event)?;
        }
        result
    }

    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        loop {
            while self.is_idle() {
                let Some(Waiting { command, stopped, ponder_hit }) = self.waiting.pop_front() else { break };
                if self.obey(command)?.is_break() {
                    return Ok(());
                }
                if ponder_hit {
                    self.ponder_hit();
                }
                if stopped {
                    self.stop_activity();
                }
                if self.input_ended {
                    self.stop_if_open_ended();
                }
            }
            if self.input_ended && self.is_idle() {
                return Ok(());
            }
            // The session holds a sender itself, so that the channel never closes.
            let Ok(event) = events.recv() else { return Ok(()) };
            if self.handle(event)?.is_break() {
                return Ok(());
            }
        }
    }

    fn is_idle(&self) -> bool {
        matches!(self.activity, Activity::Idle)
    }

    fn handle(&mut self, event: Event) -> Flow {
        match event {
            Event::Line(Ok(line)) => return self.read(&line),
            Event::Line(Err(error)) => self.say(&Reply::Error(error))?,
            Event::EndOfInput => {
                self.input_ended = true;
                self.stop_if_open_ended();
            }
            event => self.pass_on(event)?,
        }
        GO_ON
    }

    /// Passes on what a search or a task says.
    fn pass_on(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Search(engine::Event::Book(known)) => self.say(&Reply::String(known.to_string())),
            Event::Search(engine::Event::Iteration(iteration)) => {
                let wdl = self.wdl(&iteration);
                self.say(&Reply::Info(iteration, wdl))
            }
            Event::Search(engine::Event::Answer(answer)) => {
                self.activity = Activity::Idle;
                let damage: Vec<String> = self.engine.endgames().damage().collect();
                for line in damage.iter().skip(self.damage_told) {
                    self.say(&Reply::Error(line.clone()))?;
                }
                self.damage_told = damage.len();
                self.say(&Reply::BestMove(answer))
            }
            Event::Task(reply) => self.say(&reply),
            Event::TaskDone(last) => {
                // Idle before the last line is out, so that whoever reads it can go on at once.
                self.activity = Activity::Idle;
                last.map_or(Ok(()), |reply| self.say(&reply))
            }
            Event::Line(_) | Event::EndOfInput => Ok(()),
        }
    }

    fn wdl(&self, iteration: &Iteration) -> Option<Wdl> {
        match self.activity {
            Activity::Search { share_of_stones, .. } if self.engine.options().show_wdl => {
                Some(Wdl::new(iteration.score, share_of_stones))
            }
            _ => None,
        }
    }

    fn read(&mut self, line: &str) -> Flow {
        log::debug!("> {}", line.trim_end());
        let parsed = parse(line);
        if let Some(word) = parsed.skipped {
            self.say(&Reply::Error(format!("unknown word '{word}' skipped")))?;
        }
        match parsed.command {
            None => GO_ON,
            Some(Err(error)) => {
                self.say(&Reply::Error(error.to_string()))?;
                GO_ON
            }
            Some(Ok(command)) if self.must_wait(&command) => {
                self.waiting.push_back(Waiting { command, stopped: false, ponder_hit: false });
                GO_ON
            }
            Some(Ok(command)) => self.obey(command),
        }
    }

    /// Whether a command has to wait for what is running, or for commands that wait already.
    fn must_wait(&self, command: &Command) -> bool {
        let busy = !self.is_idle() || !self.waiting.is_empty();
        busy && !is_immediate(command)
    }

    /// Stops the oldest search or task that has not been stopped, be it one that waits.
    fn route_stop(&mut self) {
        let running = match &self.activity {
            Activity::Search { stopped, .. } => !stopped,
            Activity::Task(control) => !control.is_stopped(),
            Activity::Idle => false,
        };
        if running {
            return self.stop_activity();
        }
        let can_stop =
            |command: &Command| matches!(command, Command::Go(_) | Command::Perft(_) | Command::Bench(_));
        if let Some(waiting) = self.waiting.iter_mut().find(|it| !it.stopped && can_stop(&it.command)) {
            waiting.stopped = true;
        }
    }

    /// Tells the oldest pondering search that the expected move was played, be it one that waits.
    fn route_ponder_hit(&mut self) {
        if matches!(self.activity, Activity::Search { pondering: true, stopped: false, .. }) {
            return self.ponder_hit();
        }
        let ponders = |command: &Command| matches!(command, Command::Go(go) if go.ponder);
        let mut waiting = self.waiting.iter_mut();
        if let Some(it) = waiting.find(|it| !it.stopped && !it.ponder_hit && ponders(&it.command)) {
            it.ponder_hit = true;
        }
    }

    fn ponder_hit(&mut self) {
        if let Activity::Search { pondering, .. } = &mut self.activity {
            *pondering = false;
            self.engine.ponder_hit();
        }
    }

    fn obey(&mut self, command: Command) -> Flow {
        match command {
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Uci => {
                self.say(&Reply::Identification)?;
                self.tell_evaluation()?;
                self.tell_endgames()?;
                if self.engine.options().own_book {
                    self.tell_book()?;
                }
                self.say(&Reply::UciOk)?;
            }
            Command::IsReady => self.say(&Reply::ReadyOk)?,
            Command::Help => self.say(&Reply::Text(HELP.to_owned()))?,
            Command::Debug(on) => self.debug = on,
            Command::Stop => self.route_stop(),
            Command::PonderHit => self.route_ponder_hit(),
            Command::NewGame => {
                let result = self.engine.new_game();
                self.report(result)?;
            }
            Command::SetOption { name, value } => {
                let result = self.engine.set_option(&name, value.as_deref());
                let evaluation_set = matches!(&result, Ok(Some(id)) if id.is_of_evaluation());
                let book_set = match &result {
                    Ok(Some(Id::Variant)) => self.engine.options().own_book,
                    Ok(Some(id)) => id.is_of_book(),
                    _ => false,
                };
                let changed = match &result {
                    Ok(Some(Id::Variant)) => !self.engine.options().endgame_path.is_empty(),
                    Ok(Some(id)) => id.is_of_endgames(),
                    _ => false,
                };
                self.report(result.map(drop))?;
                if evaluation_set {
                    self.tell_evaluation()?;
                }
                if changed {
                    self.tell_endgames()?;
                }
                if book_set {
                    self.tell_book()?;
                }
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves)?,
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => self.perft(depth)?,
            Command::Bench(depth) => {
                let depth = depth.unwrap_or(bench::DEPTH);
                // Its positions are all of one game, whatever is being played.
                let evaluation = self.engine.evaluation_of(Variant::Togyzqumalaq);
                self.start_task(move |tell, control| {
                    bench::run(depth, &evaluation, control, &mut |line| tell(Reply::Text(line)))
                        .map(Reply::Text)
                })?;
            }
            Command::Display => {
                let text = with_game!(self.engine.game(), game => describe_position(game));
                self.say(&Reply::Text(text))?;
            }
            Command::Eval => {
                let text = with_game!(self.engine.game(), game => {
                    describe_evaluation(game, &self.engine.evaluation())
                });
                self.say(&Reply::Text(text))?;
            }
        }
        GO_ON
    }

    /// Says which evaluation is used.
    fn tell_evaluation(&mut self) -> io::Result<()> {
        self.say(&Reply::String(self.engine.evaluation().to_string()))
    }

    /// Says which exact endgames are at hand, and which files are not used.
    fn tell_endgames(&mut self) -> io::Result<()> {
        self.damage_told = self.engine.endgames().damage().count();
        for problem in self.engine.endgame_problems().to_vec() {
            self.say(&Reply::Error(problem))?;
        }
        self.say(&Reply::String(engine::endgames::describe(self.engine.endgames())))
    }

    /// Says which opening book is used.
    fn tell_book(&mut self) -> io::Result<()> {
        self.say(&Reply::String(engine::book::describe(self.engine.book(), self.engine.options())))
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        match AnyGame::from_text(self.engine.options().variant, fen, moves) {
            Ok(game) => {
                let result = self.engine.set_game(game);
                self.report(result)
            }
            Err(refused) => self.say(&Reply::Error(refused.to_string())),
        }
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let (limits, complaints) = limits_from(go, self.engine.game());
        for complaint in complaints {
            self.say(&Reply::Error(complaint))?;
        }
        if self.debug {
            self.say(&Reply::String(self.describe_search(&limits)))?;
        }
        self.activity = Activity::Search {
            stopped: false,
            pondering: limits.ponder,
            // A pondering search without a limit has none after the `ponderhit` either.
            infinite: limits.infinite || !limits.is_bounded(),
            share_of_stones: with_game!(self.engine.game(), game => share_of_stones(game)),
        };
        let sender = self.sender.clone();
        let observer = Arc::new(move |event| {
            // Nobody listens after the session has ended.
            let _ = sender.send(Event::Search(event));
        });
        let result = self.engine.go(limits, observer);
        if result.is_err() {
            self.activity = Activity::Idle;
        }
        self.report(result)
    }

    fn describe_search(&self, limits: &Limits) -> String {
        let plan = self.engine.time_plan(limits);
        let ms = |time: Option<std::time::Duration>| {
            time.map_or_else(|| "none".to_owned(), |time| format!("{} ms", time.as_millis()))
        };
        format!("debug: soft limit {}, hard limit {}", ms(plan.soft), ms(plan.hard))
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        let settings = perft::Settings { depth, threads: self.engine.options().threads, hash: 0 };
        with_game!(self.engine.game(), game => {
            let board = *game.position().board();
            self.start_task(move |tell, control| {
                match perft::divide(&board, settings, control) {
                    Ok(Some(counts)) => {
                        let total = counts.iter().map(|&(_, count)| count).sum();
                        counts.into_iter().for_each(|(pit, count)| tell(Reply::PerftMove(pit, count)));
                        Some(Reply::PerftTotal(total))
                    }
                    Ok(None) => Some(Reply::String("perft stopped".to_owned())),
                    Err(error) => Some(Reply::Error(error.to_string())),
                }
            })
        })
    }

    /// Starts a task on a thread of its own; it can send replies and should look at its control.
    fn start_task(
        &mut self,
        task: impl FnOnce(&mut dyn FnMut(Reply), &Control) -> Option<Reply> + Send + 'static,
    ) -> io::Result<()> {
        let control = Arc::new(Control::default());
        let sender = self.sender.clone();
        let flag = Arc::clone(&control);
        let spawned = thread::Builder::new().name("task".into()).spawn(move || {
            let mut tell = |reply| {
                let _ = sender.send(Event::Task(reply));
            };
            let last = task(&mut tell, &flag);
            let _ = sender.send(Event::TaskDone(last));
        });
        match spawned {
            Ok(_) => self.activity = Activity::Task(control),
            Err(error) => self.say(&Reply::Error(format!("no thread can be started: {error}")))?,
        }
        Ok(())
    }

    fn stop_activity(&mut self) {
        match &mut self.activity {
            Activity::Idle => {}
            Activity::Search { stopped, .. } => {
                *stopped = true;
                self.engine.stop();
            }
            Activity::Task(control) => control.stop(),
        }
    }

    fn stop_if_open_ended(&mut self) {
        if matches!(
            self.activity,
            Activity::Search { pondering: true, .. } | Activity::Search { infinite: true, .. }
        ) {
            self.stop_activity();
        }
    }

    fn report(&mut self, result: Result<(), EngineError>) -> io::Result<()> {
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.say(&Reply::Error(error.to_string())),
        }
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        log::debug!("< {reply}");
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }
}

/// Whether a command may be obeyed while a search runs.
const fn is_immediate(command: &Command) -> bool {
    matches!(
        command,
        Command::Uci
            | Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Debug(_)
            | Command::Help
    )
}

/// The share of the stones that is still in the pits, 0 to 1.
fn share_of_stones<R: Rules>(game: &crate::game::Game<R>) -> f64 {
    f64::from(game.position().board().stones_left()) / f64::from(R::TOTAL)
}
