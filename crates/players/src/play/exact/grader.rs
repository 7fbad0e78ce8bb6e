//! Grades the moves of recorded games with exact values.

use std::sync::Arc;

use crate::games::{Exact, ExactSolver, Game, Player, Turn};
use crate::params::ParamError;
use crate::play::any_game::{AnyGame, AnyState};
use crate::play::game_in_progress::{GameInProgress, words};
use crate::solve::Unsolved;

/// The kind of a game's exact values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradeScale {
    /// A win, a draw or a loss.
    Results,
    /// Expected points, in games with dice.
    Chances,
    /// A numeric score.
    Scores,
}

/// A player's move with the exact values before and after it. Values are from the first player's
/// view. They are points (win 1, draw ½, loss 0; with dice, their mean), or the score of a game
/// with a numeric score.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedMove {
    /// The player who moved.
    pub player: Player,
    /// Number of the move among the moves of both players, from 1, the opening's moves included.
    pub ply: u32,
    /// The move in the game's notation.
    pub text: String,
    /// Exact value of the position before the move.
    pub before: f64,
    /// Exact value of the position after the move.
    pub after: f64,
    /// Whether no move was better. A faster win is better, and so is a slower loss.
    pub best: bool,
    /// What the mover lost by the move, in the same unit; at least 0.
    pub regret: f64,
}

/// Grades games and caches exact values.
pub struct Grader {
    game: Arc<AnyGame>,
    solver: Box<dyn ExactSolver<AnyGame>>,
}

impl AnyGame {
    /// A grader for this game.
    ///
    /// # Errors
    /// A game without exact values, with help.
    pub fn grader(&self) -> Result<Grader, ParamError> {
        let solver = self.solver_of_games().map_err(|Unsolved { why, help }| {
            ParamError::new(format!("moves of this game cannot be graded: {why}"), help)
        })?;
        Ok(Grader { game: Arc::new(self.clone()), solver })
    }

    /// The kind of this game's exact values.
    pub fn scale(&self) -> GradeScale {
        match (self.numeric_score(), self.has_chance()) {
            (true, _) => GradeScale::Scores,
            (false, true) => GradeScale::Chances,
            (false, false) => GradeScale::Results,
        }
    }
}

impl Grader {
    /// Writes the grades of all moves after an opening to `out`. Both texts are in the format of
    /// `games.csv`.
    ///
    /// # Errors
    /// Texts that are not a legal game, in a sentence for people.
    pub fn grade(
        &mut self,
        opening: &str,
        moves: &str,
        out: &mut Vec<GradedMove>,
    ) -> Result<(), String> {
        out.clear();
        let mut played = GameInProgress::after_opening(&self.game, opening)?;
        // The value after a move is also the value before the next move.
        let mut known = None;
        for word in words(moves) {
            let mv = played.read(word)?;
            let Turn::Player(player) = self.game.turn(&played.state) else {
                played.play(mv);
                known = None;
                continue;
            };
            let before = known.unwrap_or_else(|| self.value(&played.state));
            played.play(mv);
            let after = self.value(&played.state);
            known = Some(after);
            let (from, to) = (self.points(before), self.points(after));
            let bare = |value: Exact| Exact { plies: None, ..value };
            let lost = bare(after).compare(bare(before), player).is_lt();
            out.push(GradedMove {
                player,
                ply: played.plies,
                text: word.to_owned(),
                before: from,
                after: to,
                best: !after.later().compare(before, player).is_lt(),
                regret: if lost { (from - to).abs() } else { 0.0 },
            });
        }
        Ok(())
    }

    fn value(&mut self, state: &AnyState) -> Exact {
        match self.game.turn(state) {
            Turn::Over => Exact::of_end(&*self.game, state),
            _ => self.solver.value(&self.game, state),
        }
    }

    /// Converts a value to points; a numeric score remains unchanged.
    fn points(&self, value: Exact) -> f64 {
        if self.game.numeric_score() { value.mean } else { 0.5 + 0.5 * value.mean }
    }
}
