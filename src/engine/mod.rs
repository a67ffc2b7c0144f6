//! The engine as a program uses it: set a position, start a search, hear of it through an observer.
//!
//! Nothing here prints. All methods return at once, except [`Engine::wait`] and the setting of options that need
//! memory or threads.

pub mod book;
pub mod endgames;
pub mod evaluation;
pub mod folder;
pub mod memory;
mod pool;
mod running;

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::book::Book;
use crate::endgame::Endgames;
use crate::eval::{Classic, Evaluate, Network};
use crate::game::{AnyGame, Game, Rules, Variant};
use crate::options::{Id, OptionError, Options};
use crate::search::{
    self, Answer, Control, Environment, Iteration, Limits, Misjudgement, OutOfMemory, Parameters, Progress,
    Selectivity, Table, TimePlan,
};
use crate::{with_evaluation, with_game};

use book::{BookFileError, BookMove};
use evaluation::{EvalFileError, Evaluation};
use pool::Pool;
use running::{Phase, Running};

/// What an observer hears of a search.
#[derive(Clone, Debug)]
pub enum Event {
    /// The opening book answers, instead of a search: always the first event.
    Book(BookMove),
    /// A line of an iteration.
    Iteration(Iteration),
    /// The end: always the last event of a search, and exactly one of it.
    Answer(Answer),
}

/// Who hears of a search; called from a search thread, or from [`Engine::go`] where the book answers.
pub type Observer = Arc<dyn Fn(Event) + Send + Sync>;

/// Why the engine did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A search is running; stop it and wait first.
    #[error("a search is running")]
    Busy,
    /// An option was refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The file of a network cannot be used; the evaluation stays as it is.
    #[error("option EvalFile: {0}")]
    EvalFile(#[from] EvalFileError),
    /// The file of a book cannot be used; the book in use stays.
    #[error("option BookFile: {0}")]
    BookFile(#[from] BookFileError),
    /// The table cannot be as large as asked; it keeps its size.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// Not all threads could be started; the search runs on those that could.
    #[error("only {started} of {wanted} threads could be started: {source}")]
    Threads {
        /// Threads that run.
        started: usize,
        /// Threads that were asked for.
        wanted: usize,
        /// What the system said.
        source: io::Error,
    },
}

/// The engine.
pub struct Engine {
    options: Options,
    game: AnyGame,
    table: Arc<Table>,
    /// The network at hand, whether it is used or not.
    network: Option<Arc<Network>>,
    endgames: Arc<Endgames>,
    endgame_problems: Vec<String>,
    /// The book at hand, whether it is used or not.
    book: Option<Book>,
    pool: Pool,
    running: Option<Arc<Running>>,
    /// How this game is misjudged when the strength is limited.
    seed: u64,
}

impl Engine {
    /// An engine with these options at the start position of their variant.
    ///
    /// # Errors
    /// When the file of a network or of a book cannot be used, there is no memory for the table or not even one thread can be
    /// started. With fewer threads than asked for it works all the same, and [`options`](Self::options) says how many
    /// there are.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        let game = AnyGame::start(options.variant);
        let table = Arc::new(memory::table(options.hash)?);
        let network = evaluation::network(&options)?;
        let book = book::of_options(&options)?;
        let (endgames, endgame_problems) = endgames::of_options(&options);
        let mut engine = Engine {
            game,
            table,
            network,
            options,
            endgames: Arc::new(endgames),
            endgame_problems,
            book,
            pool: Pool::empty(),
            running: None,
            seed: any_seed(),
        };
        match engine.resize_pool() {
            Err(error) if engine.pool.len() == 0 => Err(error),
            Err(error) => {
                log::warn!("{error}");
                Ok(engine)
            }
            Ok(()) => Ok(engine),
        }
    }

    /// The options in force.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The game in progress.
    #[must_use]
    pub const fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The evaluation in use.
    #[must_use]
    pub fn evaluation(&self) -> Evaluation {
        self.evaluation_of(self.options.variant)
    }

    /// The evaluation that would be used for a game, whatever is being played.
    #[must_use]
    pub fn evaluation_of(&self, variant: Variant) -> Evaluation {
        Evaluation::choose(self.network.as_ref().filter(|_| self.options.use_network), variant)
    }

    /// The tables of exact endgames in use.
    #[must_use]
    pub fn endgames(&self) -> &Endgames {
        &self.endgames
    }

    /// What is wrong with the files of endgames, a line for each that is not used.
    #[must_use]
    pub fn endgame_problems(&self) -> &[String] {
        &self.endgame_problems
    }

    /// The opening book that is asked when the options want one.
    #[must_use]
    pub const fn book(&self) -> Option<&Book> {
        self.book.as_ref()
    }

    /// Sets an option by its name in the protocol, and says which it was, if it is one of the table.
    ///
    /// # Errors
    /// When a search is running, the option or the file that it names is refused, or there is no memory: nothing has
    /// changed then. When not all threads can be started, those that can are used.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Option<Id>, EngineError> {
        self.require_idle()?;
        let mut options = self.options.clone();
        let id = options.set(name, value)?;
        let new_variant = options.variant != self.options.variant;
        if id == Some(Id::EvalFile) {
            self.network = evaluation::network(&options)?;
        }
        if id == Some(Id::BookFile) {
            self.book = book::of_options(&options)?;
        }
        match id {
            Some(Id::Hash) => self.resize_table(options.hash)?,
            Some(Id::ClearHash) => self.table.clear(),
            Some(Id::Variant) if new_variant => {
                self.game = AnyGame::start(options.variant);
                self.forget();
            }
            // What was found with other tables or another evaluation must not be taken for what these say.
            Some(id) if id.is_of_endgames() || id.is_of_evaluation() => self.forget(),
            _ => {}
        }
        if options.strength() != self.options.strength() {
            // The levels below the full strength have another evaluation.
            self.forget();
        }
        self.options = options;
        if new_variant || id.is_some_and(Id::is_of_endgames) {
            let (endgames, problems) = endgames::of_options(&self.options);
            (self.endgames, self.endgame_problems) = (Arc::new(endgames), problems);
        }
        if id == Some(Id::Threads) {
            self.resize_pool()?;
        }
        Ok(id)
    }

    /// Begins a new game at the start position and forgets everything learnt: the same searches after it give the
    /// same results as in a fresh engine, with one thread to the node. With limited strength each game is misjudged
    /// in another way.
    ///
    /// # Errors
    /// When a search is running.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.require_idle()?;
        self.game = AnyGame::start(self.options.variant);
        self.seed = any_seed();
        self.forget();
        Ok(())
    }

    /// Sets the game whose current position will be searched.
    ///
    /// # Errors
    /// When a search is running. A game of another variant than the option's is refused as a wrong value of it.
    pub fn set_game(&mut self, game: AnyGame) -> Result<(), EngineError> {
        self.require_idle()?;
        if game.variant() != self.options.variant {
            let error = OptionError::Value {
                name: "UCI_Variant",
                expected: self.options.variant.to_string(),
                value: game.variant().to_string(),
            };
            return Err(error.into());
        }
        self.game = game;
        Ok(())
    }

    /// Starts a search of the current position and returns; where the opening book is to be used and knows a move, the
    /// observer has heard it by then.
    ///
    /// # Errors
    /// When a search is running.
    pub fn go(&mut self, limits: Limits, observer: Observer) -> Result<(), EngineError> {
        self.require_idle()?;
        if let Some(known) = self.ask_book(&limits) {
            let (iteration, answer) = (known.iteration(), known.answer());
            observer(Event::Book(known));
            iteration.into_iter().for_each(|iteration| observer(Event::Iteration(iteration)));
            observer(Event::Answer(answer));
            return Ok(());
        }
        let control = Control::new(limits.ponder);
        let running = Arc::new(Running::new(control, limits.infinite, self.pool.len() - 1));
        self.running = Some(Arc::clone(&running));
        self.table.age();
        with_game!(&self.game, game => self.start(Arc::new(game.clone()), limits, running, observer));
        Ok(())
    }

    /// What the book answers instead of a search, if anything.
    fn ask_book(&self, limits: &Limits) -> Option<BookMove> {
        let book = self.book.as_ref().filter(|_| book::may_answer(&self.options, limits))?;
        with_game!(&self.game, game => book::answer(book, game, &self.options, any_seed()))
    }

    /// The time plan that a search with these limits would follow.
    #[must_use]
    pub fn time_plan(&self, limits: &Limits) -> TimePlan {
        let plan = TimePlan::new(limits, Duration::from_millis(self.options.move_overhead));
        if self.options.ponder { plan.extended(1.25) } else { plan }
    }

    /// Tells the running search, if any, to answer at once.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.stop();
        }
    }

    /// Tells a pondering search that the expected move was played.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.ponder_hit();
        }
    }

    /// Whether a search is running.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.phase() == Phase::Searching)
    }

    /// Waits until the running search, if any, has answered and the observer has heard it.
    pub fn wait(&self) {
        if let Some(running) = &self.running {
            running.wait_for_answer();
        }
    }

    fn require_idle(&self) -> Result<(), EngineError> {
        if self.is_searching() { Err(EngineError::Busy) } else { Ok(()) }
    }

    fn forget(&self) {
        self.table.clear();
        for thread in 0..self.pool.len() {
            self.pool.submit(thread, search::Worker::clear);
        }
    }

    /// The old table goes first, because the two together may need more memory than there is.
    fn resize_table(&mut self, megabytes: usize) -> Result<(), OutOfMemory> {
        self.table = Arc::new(memory::table(1)?);
        match memory::table(megabytes) {
            Ok(table) => self.table = Arc::new(table),
            Err(error) => {
                self.table = Arc::new(memory::table(self.options.hash)?);
                return Err(error);
            }
        }
        Ok(())
    }

    fn resize_pool(&mut self) -> Result<(), EngineError> {
        let wanted = self.options.threads.max(1);
        self.pool.resize(wanted).map_err(|source| {
            self.options.threads = self.pool.len();
            EngineError::Threads { started: self.pool.len(), wanted, source }
        })
    }

    /// Hands the search to the threads of the pool.
    fn start<R: Rules>(
        &self,
        game: Arc<Game<R>>,
        mut limits: Limits,
        running: Arc<Running>,
        observer: Observer,
    ) {
        let strength = self.options.strength();
        if let Some(strength) = strength {
            limits.nodes = Some(limits.nodes.map_or(strength.nodes, |nodes| nodes.min(strength.nodes)));
        }
        let job = Arc::new(Job {
            time: self.time_plan(&limits),
            game,
            limits,
            running,
            table: Arc::clone(&self.table),
            // The levels are gauged with the handcrafted evaluation.
            evaluation: if strength.is_some() { Evaluation::Classic(Classic) } else { self.evaluation() },
            endgames: Arc::clone(&self.endgames),
            lines: self.options.multi_pv,
            parameters: self.options.parameters.clone(),
            misjudgement: strength.map(|strength| strength.misjudgement(self.seed)),
            progress: Progress::new(self.pool.len()),
            opinions: Mutex::default(),
            started: Instant::now(),
        });
        for thread in 1..self.pool.len() {
            let job = Arc::clone(&job);
            self.pool.submit(thread, move |worker| {
                // A helper that panics must not leave the coordinator waiting.
                let _done = job.running.helper();
                let mut last = None;
                let answer = job.search(worker, thread, &mut |iteration| last = Some(iteration));
                if let Some(iteration) = last {
                    job.opinions().push((answer, iteration));
                }
            });
        }
        self.pool.submit(0, move |worker| {
            let mut tell = |iteration: Iteration| observer(Event::Iteration(iteration));
            let search = AssertUnwindSafe(|| job.search(worker, 0, &mut tell));
            // Even a search that panics must answer: any move is better than none.
            let mut answer = catch_unwind(search).unwrap_or_else(|_| job.any_move());
            let running = &job.running;
            running.wait_for_release();
            running.stop();
            running.wait_for_helpers();
            if let Some((better, iteration)) = job.deeper_opinion(&answer) {
                observer(Event::Iteration(iteration));
                answer = better;
            }
            // Idle before the answer is out, so that whoever hears it can go on at once.
            running.set_phase(Phase::Idle);
            observer(Event::Answer(job.complete(answer)));
            running.set_phase(Phase::Answered);
        });
    }
}

/// A number that differs from call to call.
fn any_seed() -> u64 {
    RandomState::new().hash_one(())
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

/// One search, as its threads share it.
struct Job<R: Rules> {
    game: Arc<Game<R>>,
    limits: Limits,
    time: TimePlan,
    running: Arc<Running>,
    table: Arc<Table>,
    evaluation: Evaluation,
    endgames: Arc<Endgames>,
    lines: usize,
    parameters: Parameters,
    misjudgement: Option<Misjudgement>,
    progress: Progress,
    /// What the helpers found, each with the last line that it would have reported.
    opinions: Mutex<Vec<(Answer, Iteration)>>,
    started: Instant,
}

impl<R: Rules> Job<R> {
    fn search(
        &self,
        worker: &mut search::Worker,
        thread: usize,
        report: &mut dyn FnMut(Iteration),
    ) -> Answer {
        with_evaluation!(&self.evaluation, it => self.search_with(it, worker, thread, report))
    }

    fn search_with<E: Evaluate>(
        &self,
        evaluation: &E,
        worker: &mut search::Worker,
        thread: usize,
        report: &mut dyn FnMut(Iteration),
    ) -> Answer {
        let clock = || self.started.elapsed();
        // A search for a win in N moves must not miss one.
        let selective = self.limits.mate.is_none();
        // A weaker player knows no endgame by heart, and a win in N moves needs the way to it, not only the fact.
        let knows_endgames = selective && self.misjudgement.is_none() && self.endgames.most().is_some();
        let env = Environment {
            table: Some(&self.table),
            endgames: knows_endgames.then_some(&*self.endgames),
            clock: &clock,
            time: self.time,
            lines: self.lines,
            parameters: self.parameters.clone(),
            misjudgement: self.misjudgement,
            selectivity: Selectivity { reductions: selective, pruning: selective, ..Selectivity::FULL },
            ..Environment::new(evaluation, &self.limits, &self.running.control, &self.progress)
        };
        search::run(&self.game, worker, &env, thread, report)
    }

    fn opinions(&self) -> MutexGuard<'_, Vec<(Answer, Iteration)>> {
        self.opinions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer of a helper that finished a deeper iteration than the thread whose answer this is, with its line.
    /// Where the depth is what was asked for, the first thread has done what it should.
    fn deeper_opinion(&self, answer: &Answer) -> Option<(Answer, Iteration)> {
        let Limits { depth, mate, .. } = self.limits;
        if depth.is_some() || mate.is_some() || self.lines > 1 || answer.score.is_decided() {
            return None;
        }
        let opinions = std::mem::take(&mut *self.opinions());
        let (better, mut iteration) = opinions.into_iter().max_by_key(|(answer, _)| answer.depth)?;
        iteration.nodes = self.progress.nodes();
        iteration.table_hits = self.progress.table_hits();
        iteration.time = self.started.elapsed();
        (better.depth > answer.depth && better.best != answer.best).then_some((better, iteration))
    }

    fn any_move(&self) -> Answer {
        log::error!("the search has panicked");
        Answer { best: self.game.position().moves().next(), ..Answer::default() }
    }

    /// The answer with what only holds when all threads are done.
    fn complete(&self, answer: Answer) -> Answer {
        Answer { nodes: self.progress.nodes(), time: self.started.elapsed(), ..answer }
    }
}
