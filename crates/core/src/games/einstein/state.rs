//! The game of EinStein würfelt nicht and its positions.

use super::starting_arrangement::Shape;
use super::stones_of_one_side::Stones;
use crate::games::player::Player;

/// EinStein würfelt nicht on a square board.
#[derive(Debug, Clone)]
pub struct Einstein {
    pub(super) shape: Shape,
    /// Every arrangement, by number.
    pub(super) arrangements: Vec<Stones>,
    /// The number of each arrangement's transpose.
    pub(super) transposed: Vec<u16>,
    pub(super) fixed: Option<[Stones; 2]>,
}

/// A position: 24 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EinsteinState {
    pub(super) stones: [Stones; 2],
    pub(super) side: Player,
    pub(super) phase: Phase,
    /// The stones that the die allows to move, the first in the lowest bit; 0 before the roll.
    pub(super) movable: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Chance sets up the stones of `side`.
    Arrange,
    Roll,
    Move,
    /// The game is over: `side` has won.
    Over,
}

/// A step of a stone, or an outcome of chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EinsteinMove {
    /// The stones of one side are set up in the arrangement with this number.
    Arrange(u16),
    /// The die shows this face, from 1.
    Die(u8),
    /// A stone moves one step.
    Step {
        /// Its number, from 0.
        stone: u8,
        /// 0 along the row, 1 along the column, 2 along the diagonal.
        way: u8,
    },
}

/// The change of the cell number for each direction.
pub(super) const WAYS: [u8; 3] = [1, 8, 9];

impl EinsteinState {
    /// The stones of a side.
    #[inline]
    pub fn stones(&self, player: Player) -> Stones {
        self.stones[player.index()]
    }

    /// The board rotated and the sides exchanged: the same game with negated values.
    #[inline]
    pub fn exchanged(&self) -> EinsteinState {
        let [first, second] = self.stones;
        EinsteinState { stones: [second, first], side: self.side.other(), ..*self }
    }

    /// The side to move; in a finished game, the winner.
    #[inline]
    pub fn side(&self) -> Player {
        self.side
    }
}

impl Einstein {
    /// The opposite corner, in a side's own coordinates.
    #[inline]
    pub(super) fn goal(&self) -> u8 {
        9 * (self.shape.size - 1)
    }

    /// Whether chance sets up stones next.
    pub(super) fn arranges(&self) -> bool {
        self.fixed.is_none()
    }

    /// The cell in the opponent's coordinates.
    #[inline]
    pub(super) fn turned(&self, cell: u8) -> u8 {
        self.goal() - cell
    }

    /// Whether a stone on this cell can step along its row, and along its column.
    #[inline]
    pub(super) fn can_step(&self, cell: u8) -> [bool; 2] {
        let last = self.shape.size - 1;
        [cell & 7 != last, cell >> 3 != last]
    }

    /// The number of steps of a stone on this cell; at an edge only the step along the edge.
    #[inline]
    pub(super) fn steps(&self, cell: u8) -> u32 {
        if self.can_step(cell) == [true; 2] { 3 } else { 1 }
    }

    /// The n-th step of a stone on this cell.
    #[inline]
    pub(super) fn step(&self, cell: u8, n: u32) -> u8 {
        match self.can_step(cell) {
            [true, true] => n as u8,
            [true, false] => 0,
            _ => 1,
        }
    }
}
