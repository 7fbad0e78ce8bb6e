//! Games ended early because both agents agree how they stand.
//!
//! An agent agrees by the values that it reports of its own moves; one that reports none never
//! does, and then nothing is adjudicated.

use super::record::Outcome;
use crate::games::Player;

/// When games are ended early; by default never.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Adjudication {
    /// Agreement on a draw.
    pub draw: Option<DrawRule>,
    /// Agreement on who wins.
    pub resign: Option<ResignRule>,
}

/// Both agents value the position near 0 for a while.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawRule {
    /// The largest absolute value that counts as level, in the evaluator's unit.
    pub value: f64,
    /// Moves of each side in a row that must be valued so.
    pub moves: u32,
    /// Moves of each side before a game can be drawn, the opening's included.
    pub after: u32,
}

/// Both agents see the same side ahead for a while.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResignRule {
    /// The least value that counts as won for the side that is ahead, in the evaluator's unit.
    pub value: f64,
    /// Moves of each side in a row that must be valued so.
    pub moves: u32,
}

/// The word in the `reason` column of a game that was declared drawn.
pub const ADJUDICATED_DRAW: &str = "adjudicated draw";
/// The word in the `reason` column of a game that was declared won.
pub const ADJUDICATED_WIN: &str = "adjudicated win";

/// What the agents have agreed on for how long, in one game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Agreement {
    rules: Adjudication,
    /// By seat: its moves in a row that it valued as level.
    level: [u32; 2],
    /// By winner and seat: moves in a row that the seat valued as won for the winner.
    won: [[u32; 2]; 2],
}

impl Agreement {
    /// No agreement as yet.
    pub fn new(rules: Adjudication) -> Self {
        Agreement { rules, ..Agreement::default() }
    }

    /// An agent has moved and valued the position, in the first player's frame.
    #[inline]
    pub fn see(&mut self, player: Player, value: Option<f64>) {
        let seat = player.index();
        let count = |run: &mut u32, holds: bool| *run = if holds { *run + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            count(&mut self.level[seat], value.is_some_and(|value| value.abs() <= rule.value));
        }
        if let Some(rule) = self.rules.resign {
            for winner in [Player::First, Player::Second] {
                let ahead = |value: f64| value * f64::from(winner.sign()) >= rule.value;
                count(&mut self.won[winner.index()][seat], value.is_some_and(ahead));
            }
        }
    }

    /// How the game ends by agreement, if it does after so many plies.
    #[inline]
    pub fn verdict(&self, plies: u32) -> Option<(Outcome, &'static str)> {
        if let Some(rule) = self.rules.resign {
            for winner in [Player::First, Player::Second] {
                if self.won[winner.index()].iter().all(|&run| run >= rule.moves) {
                    return Some((Outcome::win_of(winner), ADJUDICATED_WIN));
                }
            }
        }
        let rule = self.rules.draw?;
        let long = plies >= rule.after.saturating_mul(2);
        (long && self.level.iter().all(|&run| run >= rule.moves))
            .then_some((Outcome::Draw, ADJUDICATED_DRAW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a game in which the sides value their moves like this, by turns.
    fn game(rules: Adjudication, values: &[Option<f64>]) -> Option<(usize, Outcome)> {
        let mut agreement = Agreement::new(rules);
        let players = [Player::First, Player::Second].into_iter().cycle();
        for (ply, (&value, player)) in (1..).zip(values.iter().zip(players)) {
            agreement.see(player, value);
            if let Some((outcome, _)) = agreement.verdict(ply) {
                return Some((ply as usize, outcome));
            }
        }
        None
    }

    #[test]
    fn both_must_agree_for_long_enough() {
        let draw = Some(DrawRule { value: 10.0, moves: 2, after: 3 });
        let drawing = Adjudication { draw, resign: None };
        let some = |values: &[f64]| values.iter().map(|&v| Some(v)).collect::<Vec<_>>();
        assert_eq!(game(drawing, &some(&[0.0; 8])), Some((6, Outcome::Draw)));
        assert_eq!(
            game(drawing, &some(&[0.0, 11.0, 0.0, 0.0, 0.0, -9.0])),
            Some((6, Outcome::Draw))
        );
        assert_eq!(game(drawing, &some(&[5.0, 50.0, 5.0, 50.0, 5.0, 50.0, 5.0, 50.0])), None);
        assert_eq!(game(drawing, &[None; 20]), None);

        let resign = Some(ResignRule { value: 500.0, moves: 2 });
        let resigning = Adjudication { draw: None, resign };
        assert_eq!(game(resigning, &some(&[600.0; 6])), Some((4, Outcome::First)));
        assert_eq!(game(resigning, &some(&[-500.0; 6])), Some((4, Outcome::Second)));
        assert_eq!(game(resigning, &some(&[600.0, -600.0, 600.0, -600.0, 600.0, -600.0])), None);
        assert_eq!(game(Adjudication::default(), &some(&[0.0; 50])), None);
    }
}
