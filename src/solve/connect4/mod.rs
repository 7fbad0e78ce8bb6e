//! Connect Four solved: exact scores and plain results, without an opening book.
pub mod children;
pub mod engine;
pub mod geometry;
pub mod key;
pub mod level;
pub mod order;
pub mod search;
pub mod settle;
pub mod strategy;
pub mod table;
pub mod weights;
pub mod word;
