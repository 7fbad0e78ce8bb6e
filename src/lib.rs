//! agon: a tournament and benchmarking harness for agents that play board games.
//!
//! The crate is a house of floors; a floor uses what lies below it, never
//! what lies above. From the ground up: [`stats`] (mathematics on counts).

pub mod stats;
