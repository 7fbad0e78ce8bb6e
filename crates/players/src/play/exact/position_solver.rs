//! Exact values of positions of type-erased games.

use std::sync::Arc;

use super::leaf_visits::{TreeReport, report};
use crate::games::{
    Exact, ExactSolver, Game, GameExt, GameTree, InStones, Offer, Turn, best_of, for_whole_games,
};
use crate::params::ParamError;
use crate::play::any_game::{AnyGame, AnyMove, AnyState};
use crate::solve::Unsolved;

/// A move or an outcome of chance, with the value after it.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedMove {
    /// The move in the game's notation.
    pub text: String,
    /// The value of the next position, seen from the current one.
    pub value: Exact,
    /// The same value in stones, for the player to move, if the game supports this.
    pub in_stones: Option<InStones>,
    /// Whether no move is better; false for outcomes of chance.
    pub best: bool,
    /// The probability of an outcome of chance; `None` for moves.
    pub probability: Option<f64>,
}

/// The exact solution of one position.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedPosition {
    /// The position as text on one line.
    pub position: String,
    pub drawing: String,
    /// Who acts in the position.
    pub turn: Turn,
    pub value: Exact,
    /// The same value in stones, if the game supports this.
    pub in_stones: Option<InStones>,
    /// Whether the payoff is a numeric score.
    pub scored: bool,
    /// All moves or outcomes, in the game's order.
    pub moves: Vec<SolvedMove>,
    /// A line of best play on both sides, up to the first outcome of chance. The solver chooses
    /// between equal moves.
    pub line: Vec<String>,
    /// Whether the line ends with a turn of chance.
    pub line_ends_by_chance: bool,
    /// Number of visited positions.
    pub nodes: u64,
    /// The leaves that each algorithm visits, if the game is an explicit tree.
    pub tree: Option<TreeReport>,
}

/// Solves positions and caches their values.
pub struct PositionSolver {
    game: AnyGame,
    solver: Box<dyn ExactSolver<AnyGame>>,
}

impl AnyGame {
    /// An exact solver for this game.
    ///
    /// # Errors
    /// A game that cannot be solved, with help.
    pub fn solver(&self) -> Result<PositionSolver, ParamError> {
        let solver = Arc::clone(&self.0).solver().map_err(|Unsolved { why, help }| {
            ParamError::new(format!("this game cannot be solved: {why}"), help)
        })?;
        Ok(PositionSolver { game: self.clone(), solver })
    }

    /// A solver for all positions of this game.
    pub(crate) fn solver_of_games(&self) -> Offer<AnyGame> {
        for_whole_games(self, Arc::clone(&self.0).solver()?)
    }
}

/// The length limit of a line of best play.
const LONGEST: usize = 1000;

impl PositionSolver {
    /// Solves a position given as text. `None` and the word `start` mean the start.
    ///
    /// # Errors
    /// A text that is not a position of the game, in a sentence for people.
    pub fn solve(&mut self, position: Option<&str>) -> Result<SolvedPosition, String> {
        self.solve_position(position, true)
    }

    /// The same without the values of moves that are not best. This is faster if the game's solver
    /// finds best moves sooner. All outcomes of chance are included.
    ///
    /// # Errors
    /// A text that is not a position of the game, in a sentence for people.
    pub fn solve_best(&mut self, position: Option<&str>) -> Result<SolvedPosition, String> {
        self.solve_position(position, false)
    }

    /// Checks that a text is a position of the game.
    ///
    /// # Errors
    /// The problem with the text, in a sentence for people.
    pub fn check(&self, position: &str) -> Result<(), String> {
        self.read(Some(position)).map(|_| ())
    }

    /// Why the solver of this game does not solve this position, with help; `None` if it does.
    pub fn refuses(&self, position: Option<&str>) -> Option<Unsolved> {
        self.solver.refuses(&self.game, &self.read(position).ok()?)
    }

    /// Why a solution may take hours, in a sentence for people; `None` if it does not. This is
    /// about [`solve_best`](Self::solve_best), or with `all` about [`solve`](Self::solve).
    pub fn takes_long(&self, position: Option<&str>, all: bool) -> Option<String> {
        self.solver.takes_long(&self.game, &self.read(position).ok()?, all)
    }

    /// The start position as text.
    pub fn start(&self) -> String {
        self.game.write_position(&self.game.start())
    }

    /// Sets the number of threads. Returns false if the solver supports only one.
    pub fn set_threads(&mut self, threads: usize) -> bool {
        self.solver.set_threads(threads)
    }

    /// Reads a book of exact values.
    ///
    /// # Errors
    /// See [`ExactSolver::read_book`].
    pub fn read_book(&mut self, book: &str) -> Result<(), String> {
        self.solver.read_book(&self.game, book)
    }

    /// Drops all books; see [`ExactSolver::forget_book`].
    pub fn forget_book(&mut self) -> bool {
        self.solver.forget_book()
    }

    /// Makes a book of the positions after at most `plies` plies.
    ///
    /// # Errors
    /// See [`ExactSolver::make_book`].
    pub fn make_book(&mut self, plies: u32) -> Result<String, String> {
        self.solver.make_book(&self.game, plies)
    }

    /// Reads a position. `None` means the start, and so does `start` if the game has no position of
    /// that name.
    fn read(&self, position: Option<&str>) -> Result<AnyState, String> {
        let Some(text) = position else { return Ok(self.game.start()) };
        match self.game.read_position(text) {
            Err(_) if text == "start" => Ok(self.game.start()),
            read => read,
        }
    }

    fn solve_position(
        &mut self,
        position: Option<&str>,
        all: bool,
    ) -> Result<SolvedPosition, String> {
        let game = self.game.clone();
        let state = self.read(position)?;
        let before = self.solver.nodes();
        let value = self.value(&state);
        let moves = self.moves(&state, value, all);
        let (line, line_ends_by_chance) = self.line(&state);
        let tree = game.downcast::<GameTree>().zip(state.downcast());
        Ok(SolvedPosition {
            position: game.write_position(&state),
            drawing: game.drawing().text(&state),
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

    fn text(&self, state: &AnyState, mv: AnyMove) -> String {
        self.game.move_text(state, mv)
    }

    /// The moves with their values, or only the best moves. The value of a best move is that of the
    /// position.
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
                    let child = self.game.after(state, outcome);
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
        let (mut line, mut history) = (Vec::new(), Vec::new());
        while line.len() < LONGEST {
            match self.game.turn(&state) {
                Turn::Over => return (line, false),
                Turn::Chance => return (line, true),
                Turn::Player(_) => {}
            }
            if self.game.repetition().ended_by_history(&state, &history).is_some() {
                break;
            }
            let Some(mv) = self.solver.line_move(&self.game, &state) else { break };
            line.push(self.text(&state, mv));
            history.push(self.game.key(&state));
            state = self.game.after(&state, mv);
        }
        (line, false)
    }
}
