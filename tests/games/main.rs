//! Tests of games: rules, texts, and known results.

mod backgammon;
mod breakthrough;
mod chance;
mod checkers;
mod checkers_endings;
mod chess;
mod chess960;
mod conformance;
mod einstein;
mod fuzz;
mod go;
mod interactive;
mod kalah;
mod known;
mod lines;
mod luck;
mod luck_of_choices;
mod othello;
mod pacman;
mod pictures;
mod pig;
mod playthroughs;
mod records;
mod text;
mod tree;
mod values;

#[path = "../support/mod.rs"]
mod support;
