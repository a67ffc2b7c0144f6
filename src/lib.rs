//! tuzdyq
pub mod game;
