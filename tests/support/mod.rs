//! Code that several tests share: games from text, games for tests only, reference searches.
#![allow(dead_code, reason = "each test program uses its part")]

pub mod adaptive;
pub mod agents;
pub mod chance;
pub mod coverage;
pub mod fuzz;
pub mod games;
pub mod rules;
pub mod search;
pub mod tune;
pub mod visit;
