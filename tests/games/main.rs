//! Games: their rules, their texts, and known answers.

mod chance;
mod chess;
mod conformance;
mod conformance_chance;
mod einstein;
mod fuzz;
mod known;
mod lines;
mod pacman;
mod pig;
mod text;
mod tree;

#[path = "../support/mod.rs"]
mod support;
