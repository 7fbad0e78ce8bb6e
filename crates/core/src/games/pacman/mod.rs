//! Pacman against ghosts: a pursuit game in a maze, with points.
//!
//! The first player is Pacman. The second player controls all ghosts, and each ghost has its own
//! ply. The payoff is the score. The side that ends the game wins: Pacman by eating the last food,
//! the ghosts by catching Pacman.
//!
//! - Pacman moves one cell or stops. Food scores 10, and the last food 500 more. A capsule
//!   scares all ghosts for 40 of their moves. The move itself costs 1. Then Pacman meets every
//!   ghost that is near.
//! - A ghost moves one cell and does not stop. It reverses only if there is no other direction;
//!   its first step is free. A scared ghost moves half a cell, straight on between cells, and
//!   returns to the nearest cell when the scare ends. Then it meets Pacman if Pacman is near.
//! - Near is a Manhattan distance of at most 0.7. A scared ghost is eaten for 200 points and
//!   restarts from its starting cell. Any other ghost ends the game, which costs 500 points.
//!
//! The rules are those of the course program by J. DeNero and D. Klein, "Teaching Introductory
//! Artificial Intelligence with Pac-Man" (EAAI 2010).

mod evaluators;
mod maze;
mod maze_text;
mod pacman_game;
mod position_text;
mod rules_and_ghost_moves;
mod state;
mod text;

pub use evaluators::ScoreEvaluator;
pub use pacman_game::Pacman;
pub use rules_and_ghost_moves::PacmanParams;
pub use state::{Ghost, PacmanMove, PacmanState};
