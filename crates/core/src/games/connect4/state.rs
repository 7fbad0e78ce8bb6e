//! The game of Connect Four and its positions.

use super::board_layout::{AnyBoard, BoardLayout, StandardBoard};
use crate::games::game::{Player, Turn};

/// A position of Connect Four: 24 bytes.
///
/// Stored from the mover's point of view: a move then swaps the sides with one exclusive or (as in
/// Fhourstones and most solvers since). The end is computed once, after each stone, so reading the
/// turn is free. There are no padding bytes: a move overwrites the whole position, so the compiler
/// can omit the copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connect4State {
    pub(super) mover: u64,
    pub(super) all: u64,
    pub(super) plies: u32,
    pub(super) end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum End {
    Open,
    Line,
    Full,
}

impl Connect4State {
    pub(super) const EMPTY: Connect4State =
        Connect4State { mover: 0, all: 0, plies: 0, end: End::Open };

    /// The side to move; in a finished game, the side that would be next.
    #[inline]
    pub fn side(&self) -> Player {
        if self.plies & 1 == 0 { Player::First } else { Player::Second }
    }

    /// The stones of one side: one bit per cell, columns from the left, each from the bottom, with
    /// a guard bit above each column.
    #[inline]
    pub fn stones(&self, player: Player) -> u64 {
        if player == self.side() { self.mover } else { self.mover ^ self.all }
    }

    /// The stones of the side to move.
    #[inline]
    pub fn mover_stones(&self) -> u64 {
        self.mover
    }

    /// The stones of both sides.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.all
    }

    /// The number of stones played.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Whether the last stone completed a line.
    #[inline]
    pub fn has_line(&self) -> bool {
        self.end == End::Line
    }

    #[inline]
    pub(super) fn turn(&self) -> Turn {
        if self.end == End::Open { Turn::Player(self.side()) } else { Turn::Over }
    }
}

/// Connect Four on one kind of board.
#[derive(Debug, Clone)]
pub struct ConnectFour<L> {
    pub(super) layout: L,
}

/// Connect Four on any board size that fits 64 bits.
pub type Connect4 = ConnectFour<AnyBoard>;

/// Connect Four on seven columns and six rows, the fastest version.
pub type Connect4Standard = ConnectFour<StandardBoard>;

impl<L: BoardLayout> ConnectFour<L> {
    #[inline]
    pub fn layout(&self) -> &L {
        &self.layout
    }

    /// The cells where the next stone would fall in each column that is not full.
    #[inline]
    pub fn playable(&self, state: &Connect4State) -> u64 {
        (state.all + self.layout.bottoms()) & self.layout.grid().cells
    }

    /// The empty cells, playable now or not, where one more stone of this side would complete a
    /// line.
    #[inline]
    pub fn completing_cells(&self, state: &Connect4State, player: Player) -> u64 {
        self.layout.completions(state.stones(player)) & !state.all
    }

    /// The immediate wins of the side to move. Without any, the cells where the opponent would win
    /// at once. Otherwise empty.
    #[inline]
    pub fn urgent(&self, state: &Connect4State) -> u64 {
        let playable = self.playable(state);
        let wins = self.layout.completions(state.mover) & playable;
        if wins != 0 {
            return wins;
        }
        self.layout.completions(state.mover ^ state.all) & playable
    }

    /// The position with these stones, already checked by the caller.
    pub(super) fn position(&self, stones: [u64; 2]) -> Connect4State {
        let all = stones[0] | stones[1];
        let plies = all.count_ones();
        let mover = stones[(plies & 1) as usize];
        let mut state = Connect4State { mover, all, plies, end: End::Open };
        state.end = self.end(&state);
        state
    }

    /// Drops a stone of the side to move into a column; does not check for the end of the game.
    #[inline]
    pub(super) fn drop_stone(&self, state: &mut Connect4State, column: u8) {
        state.mover ^= state.all;
        // The carry passes through the stones of the column and stops at its lowest empty cell.
        state.all |= state.all + self.layout.bottom(u32::from(column));
        state.plies += 1;
    }

    /// Appends the columns that are not full. Branchless for few columns: a CPU predicts full
    /// columns badly.
    pub(super) fn open_columns(&self, room: u64, out: &mut Vec<u8>) {
        let columns = self.layout.columns();
        let is_open = |column| room & self.top(column) != 0;
        if columns > 8 {
            return out.extend((0..columns).filter(|&c| is_open(c)).map(|column| column as u8));
        }
        let (mut open, mut bits) = (0u64, 0);
        for column in 0..columns {
            let there = u64::from(is_open(column));
            open |= (u64::from(column) * there) << bits;
            bits += 8 * there as u32;
        }
        let length = out.len() + bits as usize / 8;
        out.extend_from_slice(&open.to_le_bytes());
        out.truncate(length);
    }

    #[inline]
    pub(super) fn top(&self, column: u32) -> u64 {
        self.layout.bottom(column) << (self.layout.rows() - 1)
    }

    #[inline]
    pub(super) fn end(&self, state: &Connect4State) -> End {
        if self.layout.grid().has_line(state.mover ^ state.all) {
            End::Line
        } else if state.plies() == self.layout.size() {
            End::Full
        } else {
            End::Open
        }
    }
}
