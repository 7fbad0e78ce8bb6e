//! The lines of a board, as sets of cells.

use crate::games::cell_game::CellGame;
use crate::games::grid::bitboard::Bitboard;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinningLine {
    pub cells: u64,
    /// The cells next to both ends if longer rows do not win, otherwise none.
    pub ends: u64,
}

/// A board with cells numbered row by row, and its lines.
#[derive(Debug, Clone)]
pub struct LineBoard {
    pub cells: u32,
    pub exact: bool,
    pub lines: Vec<WinningLine>,
}

impl LineBoard {
    /// The board of a game with at most 64 cells.
    pub fn of<G: CellGame>(game: &G) -> LineBoard {
        let (columns, rows) = game.size();
        let grid = game.grid();
        let cells = columns * rows;
        let at = |bit: u32| (0..cells).find(|&cell| game.bit_of(cell) == bit);
        let mut lines = Vec::new();
        for (direction, &step) in grid.steps().iter().enumerate() {
            for first in grid.firsts[direction].cells() {
                let bits = (0..grid.length).map(|i| first + i * step);
                let own = bits.filter_map(at).fold(0, |all, cell| all | 1 << cell);
                // A guard bit is not a cell: the line ends at the edge.
                let ends = [first.checked_sub(step), Some(first + grid.length * step)];
                let ends = ends.into_iter().flatten().filter_map(at);
                let ends = ends.fold(0, |all, cell| all | 1u64 << cell);
                lines.push(WinningLine { cells: own, ends: if grid.exact { ends } else { 0 } });
            }
        }
        LineBoard { cells, exact: grid.exact, lines }
    }

    pub fn all(&self) -> u64 {
        u64::MAX >> (64 - self.cells)
    }
}
