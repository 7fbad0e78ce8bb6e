//! The seats of agents and the pairings that follow from them.

/// The seats that an agent may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FixedSeat {
    /// Both: it plays each opponent from both sides.
    #[default]
    Both,
    /// It only moves first.
    First,
    /// It only moves second.
    Second,
}

crate::choice! { FixedSeat { Both = "both", First = "first", Second = "second" } }

/// Two agents that play each other, by index. An agent may play itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// The agent that is named first. With fixed seats, the agent that moves first.
    pub a: usize,
    pub b: usize,
    /// Whether `a` moves first in every game, because one of the two agents has a fixed seat.
    pub fixed: bool,
    /// Whether an agent may play other moves when a game is repeated, although agon knows of no
    /// random number that it draws.
    pub may_vary: bool,
}

impl Pairing {
    /// Two agents that change sides, or an agent against itself.
    pub fn of(a: usize, b: usize) -> Self {
        Pairing { a, b, fixed: false, may_vary: false }
    }

    /// The pairing of two agents with these seats; `None` if both need the same seat.
    pub fn seated(a: (usize, FixedSeat), b: (usize, FixedSeat)) -> Option<Self> {
        let fixed = |a: usize, b: usize| Pairing { fixed: true, ..Pairing::of(a, b) };
        match (a.1, b.1) {
            (FixedSeat::Both, FixedSeat::Both) => Some(Pairing::of(a.0, b.0)),
            (FixedSeat::First, FixedSeat::First) | (FixedSeat::Second, FixedSeat::Second) => None,
            (FixedSeat::First, _) | (_, FixedSeat::Second) => Some(fixed(a.0, b.0)),
            (FixedSeat::Second, _) | (_, FixedSeat::First) => Some(fixed(b.0, a.0)),
        }
    }

    /// Whether an agent plays itself.
    pub fn is_self(self) -> bool {
        self.a == self.b
    }

    /// Whether games come in pairs, each opening played from both sides.
    pub fn has_pairs(self) -> bool {
        !self.is_self() && !self.fixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_decide_who_moves_first() {
        use FixedSeat::{Both, First, Second};
        let meet = |a, b| {
            Pairing::seated((0, a), (1, b)).map(|pairing| (pairing.a, pairing.b, pairing.fixed))
        };
        assert_eq!(meet(Both, Both), Some((0, 1, false)));
        for (a, b) in [(First, Second), (First, Both), (Both, Second)] {
            assert_eq!(meet(a, b), Some((0, 1, true)));
            assert_eq!(meet(b, a), Some((1, 0, true)));
        }
        assert_eq!(meet(First, First), None);
        assert_eq!(meet(Second, Second), None);
    }
}
