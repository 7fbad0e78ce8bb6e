//! A position: cells of Pacman and the ghosts, remaining food and capsules, and the score.

/// The number of moves for which a capsule scares a ghost.
pub(super) const SCARED_MOVES: u8 = 40;

/// A step of Pacman or a ghost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PacmanMove {
    /// One row up.
    North,
    /// One row down.
    South,
    /// One column to the right.
    East,
    /// One column to the left.
    West,
    /// No step; only for Pacman.
    Stop,
}

impl PacmanMove {
    /// The directions, in the order of the moves.
    pub const DIRECTIONS: [PacmanMove; 4] =
        [PacmanMove::North, PacmanMove::South, PacmanMove::East, PacmanMove::West];

    #[inline]
    pub(super) fn delta(self) -> (i8, i8) {
        match self {
            PacmanMove::North => (0, 1),
            PacmanMove::South => (0, -1),
            PacmanMove::East => (1, 0),
            PacmanMove::West => (-1, 0),
            PacmanMove::Stop => (0, 0),
        }
    }

    #[inline]
    pub(super) fn reverse(self) -> PacmanMove {
        match self {
            PacmanMove::North => PacmanMove::South,
            PacmanMove::South => PacmanMove::North,
            PacmanMove::East => PacmanMove::West,
            PacmanMove::West => PacmanMove::East,
            PacmanMove::Stop => PacmanMove::Stop,
        }
    }
}

/// A ghost: 4 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ghost {
    /// Twice the column, from the left.
    pub x: u8,
    /// Twice the row, from the bottom.
    pub y: u8,
    /// The direction of its last move; `Stop` at its start.
    pub facing: PacmanMove,
    /// The number of moves for which it stays scared.
    pub scared: u8,
}

impl Ghost {
    /// A ghost on its starting cell, before its first move.
    pub(super) fn at((x, y): (u8, u8)) -> Ghost {
        Ghost { x: 2 * x, y: 2 * y, facing: PacmanMove::Stop, scared: 0 }
    }

    #[inline]
    pub(super) fn is_between(self) -> bool {
        (self.x | self.y) & 1 != 0
    }

    /// Moves one cell, or half a cell if scared.
    #[inline]
    pub(super) fn go(&mut self, way: PacmanMove) {
        let (dx, dy) = way.delta();
        let halves = if self.scared > 0 { 1 } else { 2 };
        self.x = self.x.wrapping_add_signed(halves * dx);
        self.y = self.y.wrapping_add_signed(halves * dy);
    }

    /// The nearest cell; if two are equally near, the one to the right or above.
    #[inline]
    pub(super) fn cell(self) -> (u8, u8) {
        (self.x.div_ceil(2), self.y.div_ceil(2))
    }

    /// Twice the Manhattan distance to a cell.
    #[inline]
    pub(super) fn half_steps(self, (x, y): (u8, u8)) -> u32 {
        u32::from(self.x.abs_diff(2 * x)) + u32::from(self.y.abs_diff(2 * y))
    }

    #[inline]
    pub(super) fn word(self) -> u64 {
        u64::from(u32::from_le_bytes([self.x, self.y, self.facing as u8, self.scared]))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Open,
    Won,
    Lost,
}

pub(super) const MAX_GHOSTS: usize = 8;
pub(super) const MAX_PELLETS: usize = 256;

/// A position: 80 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacmanState {
    /// The remaining food and capsules, by number in the layout: food, then capsules.
    pub(super) pellets: [u64; MAX_PELLETS / 64],
    pub(super) ghosts: [Ghost; MAX_GHOSTS],
    pub(super) score: i32,
    pub(super) food: u16,
    pub(super) pacman: (u8, u8),
    /// The side to move: 0 for Pacman, else the number of the ghost.
    pub(super) mover: u8,
    pub(super) end: End,
}

impl PacmanState {
    pub fn score(&self) -> i32 {
        self.score
    }

    /// The ghost with this number, from 0; the layout defines how many exist.
    pub fn ghost(&self, number: usize) -> Ghost {
        self.ghosts[number]
    }

    /// The side to move: 0 for Pacman, else the number of the ghost, from 1.
    pub fn mover(&self) -> u8 {
        self.mover
    }

    /// The number of remaining food pellets.
    pub fn food(&self) -> u32 {
        u32::from(self.food)
    }

    #[inline]
    pub(super) fn has_pellet(&self, number: usize) -> bool {
        self.pellets[number / 64] >> (number % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn set_pellet(&mut self, number: usize, there: bool) {
        let bit = 1 << (number % 64);
        let word = &mut self.pellets[number / 64];
        *word = if there { *word | bit } else { *word & !bit };
    }
}
