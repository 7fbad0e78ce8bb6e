//! Pacman against ghosts: a pursuit in a maze, for points.
//!
//! The first player is Pacman, the second all ghosts, each of which has a ply of its own.
//! The payoff is the score, and the side that ends the game has won it: Pacman with the
//! last food, the ghosts by catching him.
//!
//! - Pacman moves one cell or stops. Food is worth 10 and the last food 500 more; a
//!   capsule scares all ghosts for 40 of their moves; the move itself costs 1. Then he
//!   meets every ghost that is near.
//! - A ghost moves one cell, does not stop, and turns back only where there is no other
//!   way; its first step is free. While scared it moves half a cell, straight on between
//!   cells, and comes to the nearest cell when the fright ends. Then it meets Pacman if
//!   he is near.
//! - Near is a Manhattan distance of at most 0.7. A scared ghost is eaten for 200 and
//!   starts again where it began; any other ends the game and costs 500.
//!
//! The rules are those of the course program of J. DeNero and D. Klein, "Teaching
//! Introductory Artificial Intelligence with Pac-Man" (EAAI 2010).

mod evaluators;
mod layout;
mod maze;
mod picture;
mod position;
mod rules;
mod state;
mod text;

pub use evaluators::Score;
pub use rules::{Pacman, PacmanParams};
pub use state::{Ghost, Move, State};
