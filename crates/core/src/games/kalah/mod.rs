//! Kalah: sow stones around the board and collect them in your store.
//!
//! A move takes all stones of an own pit and sows them one by one: into the next own pits, the own
//! store, the opponent's pits, and on. The opponent's store is left out. If the last stone falls into the
//! own store, the player moves again. If it falls into an empty own pit and the opposite pit is
//! not empty, both pits go to the own store. The game ends when the pits of a side are empty; the
//! other side then keeps its stones. More stones win.

mod evaluators;
mod rules;
mod state;
mod text;

pub use evaluators::Stores;
pub use rules::KalahParams;
pub use state::{Kalah, KalahState};
