//! Exact values of positions, with the type of the game forgotten.

use std::sync::Arc;

use super::any_game::{AnyGame, AnyMove, AnyState};
use super::visits::{TreeReport, report};
use crate::games::{Exact, ExactSolver, Game, InStones, Tree, Turn, best_of};
use crate::params::ParamError;
use crate::solve::Unsolved;

/// A move or an outcome of chance with what it leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedMove {
    /// In the game's notation.
    pub text: String,
    /// What the position behind it is worth, seen from the one before it.
    pub value: Exact,
    /// The same told in stones, for the player who moves, where the game tells it so.
    pub in_stones: Option<InStones>,
    /// Whether no move is better; false for outcomes of chance.
    pub best: bool,
    /// How likely chance is to choose it; `None` for moves.
    pub probability: Option<f64>,
}

/// The exact solution of one position.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// The position as one line that the game reads.
    pub position: String,
    /// The board.
    pub drawing: String,
    /// Who acts there.
    pub turn: Turn,
    /// What it is worth.
    pub value: Exact,
    /// The same told in stones, where the game tells it so.
    pub in_stones: Option<InStones>,
    /// Whether the payoff is a score and not only who wins.
    pub scored: bool,
    /// All moves or outcomes, in the game's order.
    pub moves: Vec<SolvedMove>,
    /// Best play on both sides, one of equal moves as the solver chooses, as far as chance has no
    /// say.
    pub line: Vec<String>,
    /// Whether the line ends because chance decides.
    pub line_ends_by_chance: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// Which leaves each algorithm visits, where the game is an explicit tree.
    pub tree: Option<TreeReport>,
}

/// Solves position after position, and remembers what it has found.
pub struct PositionSolver {
    game: AnyGame,
    solver: Box<dyn ExactSolver<AnyGame>>,
}

impl AnyGame {
    /// What finds exact values of this game's positions.
    ///
    /// # Errors
    /// A game that cannot be solved, with the remedy.
    pub fn solver(&self) -> Result<PositionSolver, ParamError> {
        let solver = Arc::clone(&self.0).solver().map_err(|Unsolved { why, remedy }| {
            ParamError::new(format!("this game cannot be solved: {why}"), remedy)
        })?;
        Ok(PositionSolver { game: self.clone(), solver })
    }
}

/// The longest line of best play that is followed.
const LONGEST: usize = 1000;

impl PositionSolver {
    /// Solves the position of a text, or the start: no text, or the word `start`.
    ///
    /// # Errors
    /// A text that is no position of the game, in a sentence for people.
    pub fn solve(&mut self, position: Option<&str>) -> Result<Solved, String> {
        self.answer(position, true)
    }

    /// The same without the values of moves that are not best: less work where the game's
    /// solver finds best moves sooner. Outcomes of chance are all there.
    ///
    /// # Errors
    /// A text that is no position of the game, in a sentence for people.
    pub fn solve_best(&mut self, position: Option<&str>) -> Result<Solved, String> {
        self.answer(position, false)
    }

    /// Whether a text is a position of the game.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence for people.
    pub fn check(&self, position: &str) -> Result<(), String> {
        self.read(Some(position)).map(|_| ())
    }

    /// Why [`solve_best`](Self::solve_best), or with `all` [`solve`](Self::solve), may take hours
    /// for a position or for the start, in a sentence for people; `None` where it does not.
    pub fn takes_long(&self, position: Option<&str>, all: bool) -> Option<String> {
        self.solver.takes_long(&self.game, &self.read(position).ok()?, all)
    }

    /// The start as the game writes it.
    pub fn start(&self) -> String {
        self.game.write_position(&self.game.start())
    }

    /// Works on so many threads; false where the solver has use for one only.
    pub fn set_threads(&mut self, threads: usize) -> bool {
        self.solver.set_threads(threads)
    }

    /// Reads values from a book.
    ///
    /// # Errors
    /// See [`ExactSolver::read_book`].
    pub fn read_book(&mut self, book: &str) -> Result<(), String> {
        self.solver.read_book(&self.game, book)
    }

    /// Forgets every book; see [`ExactSolver::forget_book`].
    pub fn forget_book(&mut self) -> bool {
        self.solver.forget_book()
    }

    /// A book of the positions after at most so many plies.
    ///
    /// # Errors
    /// See [`ExactSolver::make_book`].
    pub fn make_book(&mut self, plies: u32) -> Result<String, String> {
        self.solver.make_book(&self.game, plies)
    }

    /// The position of a text; the start where there is none, or where the text is `start` and
    /// the game has no position of that name.
    fn read(&self, position: Option<&str>) -> Result<AnyState, String> {
        let Some(text) = position else { return Ok(self.game.start()) };
        match self.game.read_position(text) {
            Err(_) if text == "start" => Ok(self.game.start()),
            read => read,
        }
    }

    fn answer(&mut self, position: Option<&str>, all: bool) -> Result<Solved, String> {
        let game = self.game.clone();
        let state = self.read(position)?;
        let before = self.solver.nodes();
        let value = self.value(&state);
        let moves = self.moves(&state, value, all);
        let (line, line_ends_by_chance) = self.line(&state);
        let tree = game.downcast::<Tree>().zip(state.downcast());
        Ok(Solved {
            position: game.write_position(&state),
            drawing: game.draw(&state),
            turn: game.turn(&state),
            value,
            in_stones: self.solver.in_stones(&game, &state, value),
            scored: game.numeric_score(),
            moves,
            line,
            line_ends_by_chance,
            nodes: self.solver.nodes() - before,
            tree: tree.map(|(tree, start)| report(tree, start)),
        })
    }

    fn value(&mut self, state: &AnyState) -> Exact {
        match self.game.turn(state) {
            Turn::Over => Exact::of_end(&self.game, state),
            _ => self.solver.value(&self.game, state),
        }
    }

    fn after(&self, state: &AnyState, mv: AnyMove) -> AnyState {
        let mut state = state.clone();
        self.game.play(&mut state, mv);
        state
    }

    fn text(&self, state: &AnyState, mv: AnyMove) -> String {
        let mut text = String::new();
        self.game.write_move(state, mv, &mut text);
        text
    }

    /// The moves with their values, or the best ones only: those are worth what the position
    /// is.
    fn moves(&mut self, state: &AnyState, value: Exact, all: bool) -> Vec<SolvedMove> {
        match self.game.turn(state) {
            Turn::Over => Vec::new(),
            Turn::Player(player) => {
                let (mut values, mut best) = (Vec::new(), Vec::new());
                if all {
                    self.solver.move_values(&self.game, state, &mut values);
                    best_of(&values, player, &mut best);
                } else {
                    self.solver.best_moves(&self.game, state, &mut best);
                    values.extend(best.iter().map(|&mv| (mv, value)));
                }
                let solved = values.into_iter().map(|(mv, value)| SolvedMove {
                    text: self.text(state, mv),
                    value,
                    in_stones: self.solver.in_stones(&self.game, state, value),
                    best: best.contains(&mv),
                    probability: None,
                });
                solved.collect()
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.outcomes(state, &mut outcomes);
                let total: f64 = outcomes.iter().map(|&(_, weight)| f64::from(weight)).sum();
                let mut solved = Vec::new();
                for (outcome, weight) in outcomes {
                    let child = self.after(state, outcome);
                    solved.push(SolvedMove {
                        text: self.text(state, outcome),
                        value: self.value(&child),
                        in_stones: None,
                        best: false,
                        probability: Some(f64::from(weight) / total),
                    });
                }
                solved
            }
        }
    }

    fn line(&mut self, state: &AnyState) -> (Vec<String>, bool) {
        let mut state = state.clone();
        let mut line = Vec::new();
        while line.len() < LONGEST {
            match self.game.turn(&state) {
                Turn::Over => return (line, false),
                Turn::Chance => return (line, true),
                Turn::Player(_) => {}
            }
            let Some(mv) = self.solver.line_move(&self.game, &state) else { break };
            line.push(self.text(&state, mv));
            state = self.after(&state, mv);
        }
        (line, false)
    }
}
