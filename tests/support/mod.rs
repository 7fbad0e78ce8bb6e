//! What several tests share: games by their text, games that only tests need, obvious searches.
#![allow(dead_code, reason = "each test program uses its part")]

pub mod agents;
pub mod chance;
pub mod coverage;
pub mod fuzz;
pub mod games;
pub mod search;
