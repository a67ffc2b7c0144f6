//! tuzdyq, an engine for togyzqumalaq (toguz korgool), the national board game of Kazakhstan and Kyrgyzstan.
//!
//! The program speaks a text protocol; this library is what it is made of. Dependencies point one way:
//!
//! ```text
//! main -> cli -> {protocol, tools} -> engine -> search -> {eval, endgame} -> game
//!         {cli, tools} -> review -> {records, eval} -> game
//!         cli -> report -> game;   {tools, engine} -> book -> eval
//! ```
//!
//! - [`game`]: the rules, positions and their notation. Knows nothing of search.
//! - [`eval`]: what a position is worth without looking ahead.
//! - [`endgame`]: exact values of positions with few stones; free of files.
//! - [`book`]: opening books; free of files.
//! - [`search`]: parallel alpha-beta; free of clocks, threads and files.
//! - [`engine`]: the engine as a program uses it, with threads and time.
//! - [`options`]: the one table of options.
//! - [`protocol`]: lines in, lines out.
//! - [`records`]: game records, read and written in the formats that players have.
//! - [`report`]: positions as drawings, reviews of games as pages.
//! - [`review`]: how good the moves of a game were; free of searches and files.
//! - [`tools`]: bench, perft, problem files, openings, matches, the review of games, training data, the building of
//!   endgames.
//! - [`cli`]: the command line.
//!
//! ```
//! use std::sync::{Arc, mpsc};
//! use tuzdyq::engine::{Engine, Event};
//! use tuzdyq::game::{Game, Togyzqumalaq, parse_move};
//! use tuzdyq::options::Options;
//! use tuzdyq::search::Limits;
//!
//! let mut game = Game::<Togyzqumalaq>::default();
//! for text in ["7", "2", "g1h1"] {
//!     let pit = parse_move(game.position(), text)?;
//!     game.play(pit);
//! }
//!
//! let mut engine = Engine::new(Options::default())?;
//! engine.set_game(game.into())?;
//! let (sender, events) = mpsc::channel();
//! let limits = Limits { depth: Some(10), ..Limits::default() };
//! engine.go(limits, Arc::new(move |event| drop(sender.send(event))))?;
//! let answer = events.into_iter().find_map(|event| match event {
//!     Event::Answer(answer) => Some(answer),
//!     Event::Iteration(_) | Event::Book(_) => None,
//! });
//! assert!(answer.is_some_and(|answer| answer.best.is_some()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod book;
pub mod cli;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod game;
pub mod options;
pub mod protocol;
pub mod records;
pub mod report;
pub mod review;
pub mod search;
pub mod strength;
mod text;
pub mod tools;
