//! Grades the moves of recorded games with exact values.

use std::sync::Arc;

use super::any_game::{AnyGame, AnyState};
use super::game_match::{Match, words};
use super::opening_book::Opening;
use crate::games::{Exact, ExactSolver, Game, Player, Turn};
use crate::params::ParamError;
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
        let solver = Arc::clone(&self.0).solver().map_err(|Unsolved { why, remedy }| {
            ParamError::new(format!("moves of this game cannot be graded: {why}"), remedy)
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
        let mut played = Match::for_replay(&self.game);
        played.play_opening(&Opening::of_record(&self.game, opening)?);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Configurable, Pig, TicTacToe};

    fn grades<G: Configurable>(game: G, opening: &str, moves: &str) -> Vec<GradedMove> {
        let mut grader = AnyGame::of(game).grader().unwrap_or_else(|e| panic!("{}", e.message));
        let mut out = Vec::new();
        grader.grade(opening, moves, &mut out).expect("a game");
        out
    }

    /// Squares have numbers from 0: 0 is a corner, 1 an edge, 4 the centre.
    #[test]
    fn a_blunder_costs_what_it_throws_away() {
        // First a corner, then an edge: every answer to a corner but the centre loses.
        let grades = grades(TicTacToe, "", "0 1 4 8 6");
        let short: Vec<_> = grades.iter().map(|g| (g.ply, g.before, g.after, g.regret)).collect();
        assert_eq!(
            short,
            [
                (1, 0.5, 0.5, 0.0),
                (2, 0.5, 1.0, 0.5),
                (3, 1.0, 1.0, 0.0),
                (4, 1.0, 1.0, 0.0),
                (5, 1.0, 1.0, 0.0),
            ]
        );
        assert!(grades.iter().all(|g| g.best == (g.ply != 2)), "{grades:?}");
        // The move makes a fork in place of an immediate win. It loses no points, but it is not the
        // best.
        let slow = super::tests::grades(TicTacToe, "0 1 4 2", "6");
        assert_eq!((slow[0].ply, slow[0].regret, slow[0].best), (5, 0.0, false));
        // The second player misses a win.
        let thrown = super::tests::grades(TicTacToe, "position xx./oo./x..", "8");
        assert_eq!((thrown[0].before, thrown[0].regret), (0.0, 1.0));
    }

    #[test]
    fn dice_stand_between_the_moves_and_are_not_graded() {
        let game = Pig::new(10, 6).expect("a goal");
        let grades = grades(game, "", "roll 6 roll 5 hold");
        assert_eq!(
            grades.iter().map(|g| g.text.as_str()).collect::<Vec<_>>(),
            ["roll", "roll", "hold"]
        );
        let last = grades.last().expect("a move");
        assert_eq!((last.before, last.after, last.best), (1.0, 1.0, true));
        assert!(grades[0].before > 0.5 && grades[0].before < 1.0, "{grades:?}");
        assert_eq!(grades[0].before, grades[0].after, "the first roll is the only good move");
    }

    #[test]
    fn texts_that_are_no_game_are_refused() {
        let mut grader = AnyGame::of(TicTacToe).grader().expect("it can be solved");
        let mut out = Vec::new();
        for (opening, moves) in
            [("", "1 1"), ("", "1 2 4 5 7 8"), ("position x", "1"), ("1 1", "2")]
        {
            let error = grader.grade(opening, moves, &mut out).expect_err(moves);
            assert!(!error.is_empty());
        }
    }
}
