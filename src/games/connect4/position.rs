//! A position of Connect Four: the stones of both sides and how the game ended.

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

/// How a game ended, if it has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum End {
    Open,
    Line,
    Full,
}

impl Connect4State {
    /// The empty board.
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
