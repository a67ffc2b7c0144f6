//! tuzdyq
pub mod cli;
pub mod engine;
pub mod eval;
pub mod game;
pub mod options;
pub mod protocol;
pub mod search;
pub mod tools;
