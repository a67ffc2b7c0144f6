//! tuzdyq
pub mod engine;
pub mod eval;
pub mod game;
pub mod options;
pub mod search;
