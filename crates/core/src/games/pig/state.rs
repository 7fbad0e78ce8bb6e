//! The game of Pig and its positions.

use crate::games::{Configurable, Player};
use crate::params::ParamError;

crate::params! {
    /// What Pig takes.
    #[derive(Debug, Clone)]
    pub struct PigParams {
        /// the score that wins
        goal: u32 [1..=10_000] = 100,
        /// faces of the die
        die: u32 [2..=100] = 6,
    }
}

/// Pig with a goal and a die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pig {
    pub(super) goal: u16,
    pub(super) faces: u8,
}

/// A position: the scores, the turn sum, the side to move and the phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PigState {
    pub(super) scores: [u16; 2],
    pub(super) total: u16,
    pub(super) side: Player,
    pub(super) phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Choose,
    Roll,
    /// The game is over: `side` has won.
    Over,
}

/// A player's action, or the outcome of a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PigMove {
    Roll,
    /// Bank the turn sum and pass the turn.
    Hold,
    /// The die shows this face.
    Face(u8),
}

impl PigState {
    /// The banked score of a player.
    #[inline]
    pub fn score(&self, player: Player) -> u32 {
        u32::from(self.scores[player.index()])
    }

    /// The turn sum so far.
    #[inline]
    pub fn total(&self) -> u32 {
        u32::from(self.total)
    }

    /// The side to move; in a finished game, the winner.
    #[inline]
    pub fn side(&self) -> Player {
        self.side
    }
}

impl Pig {
    /// Pig with a goal from 1 to 10 000 and a die with 2 to 100 faces.
    ///
    /// # Errors
    /// Numbers outside these ranges.
    pub fn new(goal: u32, die: u32) -> Result<Self, ParamError> {
        Pig::from_params(PigParams { goal, die })
    }

    /// The score that wins.
    #[inline]
    pub fn goal(&self) -> u32 {
        u32::from(self.goal)
    }

    /// Faces of the die.
    #[inline]
    pub fn die(&self) -> u32 {
        u32::from(self.faces)
    }

    /// Whether the turn sum is enough to win.
    #[inline]
    pub(super) fn suffices(&self, state: &PigState) -> bool {
        state.scores[state.side.index()] + state.total >= self.goal
    }
}
