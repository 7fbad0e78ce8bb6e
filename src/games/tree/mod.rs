//! An explicit tree of moves, chance and values, as a person writes it down.
//!
//! The file is the root. A node is a whole number (a leaf: the first player's payoff), a
//! table with `max` (the first player moves), `min` (the second player moves) or `chance`,
//! or the name of a node in `[nodes]`:
//!
//! ```toml
//! max = [{ min = [3, 12, 8] }, { min = [2, 4, 6] }, "gamble"]
//!
//! [nodes]
//! gamble = { chance = { heads = 8, tails = -12 }, weights = ["2/3", "1/3"] }
//! ```
//!
//! Children are a list, where moves are named after the nodes if all children are named
//! and numbered from 1 if not; or a table, whose keys name the moves. `weights` are whole
//! numbers in any proportion, or fractions (`"1/3"`, `0.25`) that sum to 1; without them
//! all outcomes are as likely. `estimate` is what the evaluator says of a node at the
//! horizon. Every node has one parent.

mod fractions;
mod model;
mod picture;
mod read;
mod rules;
mod text;

pub use model::{Kind, State, Tree};
pub use rules::{Estimate, TreeParams};
