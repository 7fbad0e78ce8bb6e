//! The game of backgammon and its positions.

use super::checkers_of_one_side::{BAR, CHECKERS, HOME, Side};
use crate::games::player::Player;

/// Backgammon without a cube.
#[derive(Debug, Clone, Copy)]
pub struct Backgammon {
    /// Whether gammons count 2 and backgammons 3.
    pub(super) gammons: bool,
}

/// A position: 36 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackgammonState {
    pub(super) sides: [Side; 2],
    /// In a finished game, the winner; before the first roll, the first player.
    pub(super) side: Player,
    pub(super) phase: Phase,
    /// The larger die first; 0 unless the phase is `Move`.
    pub(super) dice: [u8; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Each player rolls a die, and the larger one begins.
    FirstRoll,
    Roll,
    Move,
    Over,
}

/// The steps of a turn, or a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BackgammonMove {
    /// Both dice, the larger one first. At the first roll, the first player's die and the second's.
    Roll(u8, u8),
    /// The steps of a turn, unused ones last; no step if none is possible.
    Turn([CheckerStep; 4]),
}

/// A step of one checker by one die; 0 if unused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct CheckerStep(u8);

impl CheckerStep {
    #[inline]
    pub(super) fn new(from: u32, die: u32) -> CheckerStep {
        CheckerStep((from << 3 | die) as u8)
    }

    /// The step is unused.
    #[inline]
    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The point of the checker, in the mover's coordinates.
    #[inline]
    pub fn from(self) -> u32 {
        u32::from(self.0 >> 3)
    }

    /// The point after the step; 0 if the checker is borne off.
    #[inline]
    pub fn to(self) -> u32 {
        self.from().saturating_sub(u32::from(self.0 & 7))
    }
}

impl BackgammonMove {
    /// The steps of a turn.
    #[inline]
    pub(super) fn steps(&self) -> &[CheckerStep] {
        match self {
            BackgammonMove::Roll(..) => &[],
            BackgammonMove::Turn(steps) => {
                &steps[..steps.iter().take_while(|step| !step.is_none()).count()]
            }
        }
    }
}

impl CheckerStep {
    /// Moves a checker of this side.
    #[inline]
    pub(super) fn play(self, own: &mut Side) {
        own.remove(self.from());
        if self.to() > 0 {
            own.add(self.to());
        }
    }
}

impl BackgammonState {
    /// The checkers of a player.
    #[inline]
    pub fn checkers(&self, player: Player) -> Side {
        self.sides[player.index()]
    }

    /// The sides exchanged: the same game with negated values.
    pub fn exchanged(&self) -> BackgammonState {
        let [first, second] = self.sides;
        let side = if self.phase == Phase::FirstRoll { self.side } else { self.side.other() };
        BackgammonState { sides: [second, first], side, ..*self }
    }

    /// +1 if the first player rolls or moves next, −1 for the second, 0 if no side does.
    #[inline]
    pub(super) fn roller(&self) -> i32 {
        match self.phase {
            Phase::Roll | Phase::Move => self.side.sign(),
            Phase::FirstRoll | Phase::Over => 0,
        }
    }

    /// The points of the win of a finished game: 2 for a gammon, 3 for a backgammon.
    pub(super) fn points(&self) -> i32 {
        let loser = self.checkers(self.side.other());
        // The winner's home and the bar, in the loser's coordinates.
        let far = HOME << 18 | 1 << BAR;
        match loser.on_board() == CHECKERS {
            false => 1,
            true => 2 + i32::from(loser.points() & far != 0),
        }
    }
}
