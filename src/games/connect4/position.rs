//! A position: whose stones lie where, and whether the game has ended.

use crate::games::game::{Player, Turn};

/// A position of Connect Four: 24 bytes.
///
/// Kept from the mover's side: a move then flips the sides with one exclusive or
/// (Fhourstones and most solvers since keep it so). The end is found when the last stone
/// falls, once, so that asking for the turn costs nothing. There are no bytes between the
/// fields: a move then overwrites all of the position, and a copy that is played on costs
/// no copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    pub(super) mover: u64,
    pub(super) all: u64,
    pub(super) plies: u32,
    pub(super) end: End,
}

/// How a game ended, if it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum End {
    Open,
    Line,
    Full,
}

impl State {
    /// The empty board.
    pub(super) const EMPTY: State = State { mover: 0, all: 0, plies: 0, end: End::Open };

    /// Whose turn it is, or would be had the game not ended.
    #[inline]
    pub fn side(&self) -> Player {
        if self.plies & 1 == 0 { Player::First } else { Player::Second }
    }

    /// The stones of one side: one bit per cell, columns from the left, bottom up, a guard
    /// bit above each column.
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

    /// How many stones have been played.
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
