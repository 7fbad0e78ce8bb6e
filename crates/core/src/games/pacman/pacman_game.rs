//! The game of Pacman: its maze and its ghosts.

use super::maze_text::MazeText;

/// Pacman in a given layout.
#[derive(Debug, Clone)]
pub struct Pacman {
    pub(super) layout: MazeText,
    pub(super) stop: bool,
}

impl Pacman {
    pub fn ghosts(&self) -> usize {
        self.layout.ghosts.len()
    }

    /// Columns and rows of the maze.
    pub fn size(&self) -> (usize, usize) {
        (self.layout.maze.width(), self.layout.maze.height())
    }
}
