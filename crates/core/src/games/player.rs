//! The two sides of a game, and the side to act.

#![deny(missing_docs)]

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Moves first; maximises values.
    First,
    /// Moves second; minimises values.
    Second,
}

impl Player {
    /// Both sides.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// `first` or `second`.
    pub fn name(self) -> &'static str {
        ["first", "second"][self.index()]
    }

    /// The opponent.
    #[inline]
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// +1 for the first player, −1 for the second.
    #[inline]
    pub fn sign(self) -> i32 {
        match self {
            Player::First => 1,
            Player::Second => -1,
        }
    }
}

/// The side to act in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// This side chooses a move.
    Player(Player),
    /// Chance decides.
    Chance,
    /// The game has ended.
    Over,
}
