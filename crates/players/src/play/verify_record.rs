//! Checks that the moves of a recorded game are legal and lead to its recorded result.

use std::sync::Arc;

use super::adjudication::{ADJUDICATED_DRAW, ADJUDICATED_WIN};
use super::any_game::AnyGame;
use super::game_in_progress::{GameInProgress, words};
use super::game_record::Outcome;
use crate::agents::FaultKind;
use crate::games::{Game, Turn};

/// The end after `max_plies` plies. Adjudication has priority.
const LAST_PLY: Option<(Outcome, &str)> = Some((Outcome::Draw, "max plies"));

/// The recorded end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim<'a> {
    pub outcome: Outcome,
    /// The rule or fault that ended the game.
    pub reason: &'a str,
    /// Moves of both players from the start.
    pub plies: u32,
    /// Moves that each side chose.
    pub moves: [u32; 2],
    /// The number of plies after which a game is a draw.
    pub max_plies: u32,
}

impl AnyGame {
    /// Replays both texts of `games.csv` and compares the end with the claim. If a fault or
    /// adjudication ended the game, only legal moves and the right loser are required.
    ///
    /// # Errors
    /// The difference, in a sentence for people.
    pub fn verify(&self, opening: &str, moves: &str, claim: &Claim<'_>) -> Result<(), String> {
        let Claim { outcome, reason, max_plies, .. } = *claim;
        if outcome == Outcome::Void {
            return Ok(());
        }
        let mut played = GameInProgress::after_opening(&Arc::new(self.clone()), opening)?;
        let mut chosen = [0, 0];
        for word in words(moves) {
            if let Some((_, reason)) = played.end(self.turn(&played.state), max_plies) {
                return Err(format!("the game is over ({reason}) before the move `{word}`"));
            }
            let mv = self.read_move(&played.state, word)?;
            if let Turn::Player(player) = played.play(mv) {
                chosen[player.index()] += 1;
            }
        }
        let turn = self.turn(&played.state);
        let end = played.end(turn, max_plies);
        let right = match (end, turn) {
            (_, Turn::Player(player)) if FaultKind::is_reason(reason) => {
                chosen[player.index()] += 1;
                outcome == played.forfeited_by(player)
            }
            (None | LAST_PLY, Turn::Player(_)) if reason == ADJUDICATED_DRAW => {
                outcome == Outcome::Draw
            }
            (None | LAST_PLY, Turn::Player(_)) if reason == ADJUDICATED_WIN => {
                outcome != Outcome::Draw
            }
            (Some(end), _) => end == (outcome, reason),
            (None, _) => false,
        };
        if !right {
            let claimed = format!("result `{}`, reason `{reason}`", outcome.word());
            return Err(match end {
                Some((outcome, reason)) => format!(
                    "{claimed}, but the moves lead to result `{}`, reason `{reason}`",
                    outcome.word()
                ),
                None => format!("{claimed}, but the moves do not lead there"),
            });
        }
        if (played.plies, chosen) != (claim.plies, claim.moves) {
            return Err(format!("{} plies, but the moves make {}", claim.plies, played.plies));
        }
        Ok(())
    }
}
