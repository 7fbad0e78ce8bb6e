//! The game `tree`: an explicit tree of moves, chance and values, read from a file.
//!
//! The file is the root. A node is one of: a whole number (a leaf: the first player's payoff); a
//! table with `max` (the first player moves), `min` (the second player moves) or `chance`; the name
//! of a node in `[nodes]`:
//!
//! ```toml
//! max = [{ min = [3, 12, 8] }, { min = [2, 4, 6] }, "gamble"]
//!
//! [nodes]
//! gamble = { chance = { heads = 8, tails = -12 }, weights = ["2/3", "1/3"] }
//! ```
//!
//! Children are a list or a table. In a list, moves are named after the nodes if all children are
//! named; otherwise they are numbered from 1. In a table, the keys name the moves. `weights` are
//! whole numbers in any proportion, or fractions (`"1/3"`, `0.25`) that sum to 1. Without weights,
//! all outcomes are equally likely. `estimate` is the evaluator's value for a node at the horizon.
//! Every node has one parent.

mod parse_toml;
mod rules;
mod text;
mod tree_nodes;
mod weight_fractions;

pub use rules::{LeafEstimate, TreeParams};
pub use tree_nodes::{GameTree, NodeKind, TreeState};
