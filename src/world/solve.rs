//! Exact values of positions, with the type of the game forgotten.

use std::any::Any;
use std::sync::Arc;

use super::visits::{TreeReport, report};
use crate::games::{Configurable, Exact, ExactSolver, Exactness, Game, Player, Tree, Turn};
use crate::params::ParamError;
use crate::search::FullSearch;

/// A move or an outcome of chance with what it leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedMove {
    /// In the game's notation.
    pub text: String,
    /// What the position behind it is worth, seen from the one before it.
    pub value: Exact,
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
    /// Whether the payoff is a score and not only who wins.
    pub scored: bool,
    /// All moves or outcomes, in the game's order.
    pub moves: Vec<SolvedMove>,
    /// Best play on both sides, the first of equal moves, as far as chance has no say.
    pub line: Vec<String>,
    /// Whether the line ends because chance decides.
    pub line_ends_by_chance: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// Which leaves each algorithm visits, where the game is an explicit tree.
    pub tree: Option<TreeReport>,
}

/// Solves position after position, and remembers what it has found.
pub trait PositionSolver {
    /// Solves the position of a text, or the start.
    ///
    /// # Errors
    /// A text that is no position of the game, in a sentence for people.
    fn solve(&mut self, position: Option<&str>) -> Result<Solved, String>;
}

/// The solver of a game.
///
/// # Errors
/// A game that cannot be solved, with the remedy.
pub(super) fn solver<G: Configurable>(
    game: &Arc<G>,
) -> Result<Box<dyn PositionSolver>, ParamError> {
    let solver: Box<dyn ExactSolver<G>> = match game.exactness() {
        Exactness::Search => Box::new(FullSearch::default()),
        Exactness::Solver(solver) => solver,
        Exactness::None { why, remedy } => {
            return Err(ParamError::new(format!("this game cannot be solved: {why}"), remedy));
        }
    };
    Ok(Box::new(Typed { game: Arc::clone(game), solver }))
}

struct Typed<G: Game> {
    game: Arc<G>,
    solver: Box<dyn ExactSolver<G>>,
}

/// The longest line of best play that is followed.
const LONGEST: usize = 1000;

impl<G: Game> PositionSolver for Typed<G> {
    fn solve(&mut self, position: Option<&str>) -> Result<Solved, String> {
        let game = Arc::clone(&self.game);
        let state = match position {
            Some(text) => game.read_position(text)?,
            None => game.start(),
        };
        let before = self.solver.nodes();
        let value = self.value(&state);
        let moves = self.moves(&state);
        let (line, line_ends_by_chance) = self.line(&state);
        let tree = (&*game as &dyn Any).downcast_ref::<Tree>();
        let start = (&state as &dyn Any).downcast_ref::<<Tree as Game>::State>();
        Ok(Solved {
            position: game.write_position(&state),
            drawing: game.draw(&state),
            turn: game.turn(&state),
            value,
            scored: game.scored(),
            moves,
            line,
            line_ends_by_chance,
            nodes: self.solver.nodes() - before,
            tree: tree.zip(start).map(|(tree, start)| report(tree, start)),
        })
    }
}

impl<G: Game> Typed<G> {
    fn value(&mut self, state: &G::State) -> Exact {
        match self.game.turn(state) {
            Turn::Over => Exact::of_end(&*self.game, state),
            _ => self.solver.value(&self.game, state),
        }
    }

    fn after(&self, state: &G::State, mv: G::Move) -> G::State {
        let mut state = state.clone();
        self.game.play(&mut state, mv);
        state
    }

    /// The best of all moves in a position where that player is to move, all that are as
    /// good, and the values.
    fn best(&mut self, state: &G::State, player: Player) -> Vec<(G::Move, Exact, bool)> {
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let mut values: Vec<(G::Move, Exact, bool)> = Vec::new();
        for mv in moves {
            let child = self.after(state, mv);
            values.push((mv, self.value(&child).later(), false));
        }
        let all: Vec<Exact> = values.iter().map(|&(_, value, _)| value).collect();
        for (_, value, best) in &mut values {
            *best = all.iter().all(|other| other.compare(*value, player).is_le());
        }
        values
    }

    fn text(&self, state: &G::State, mv: G::Move) -> String {
        let mut text = String::new();
        self.game.write_move(state, mv, &mut text);
        text
    }

    fn moves(&mut self, state: &G::State) -> Vec<SolvedMove> {
        match self.game.turn(state) {
            Turn::Over => Vec::new(),
            Turn::Player(player) => {
                let values = self.best(state, player).into_iter();
                let solved = values.map(|(mv, value, best)| {
                    let text = self.text(state, mv);
                    SolvedMove { text, value, best, probability: None }
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
                        best: false,
                        probability: Some(f64::from(weight) / total),
                    });
                }
                solved
            }
        }
    }

    fn line(&mut self, state: &G::State) -> (Vec<String>, bool) {
        let mut state = state.clone();
        let mut line = Vec::new();
        while line.len() < LONGEST {
            let player = match self.game.turn(&state) {
                Turn::Over => return (line, false),
                Turn::Chance => return (line, true),
                Turn::Player(player) => player,
            };
            let moves = self.best(&state, player);
            let Some(&(mv, ..)) = moves.iter().find(|(_, _, best)| *best) else { break };
            line.push(self.text(&state, mv));
            state = self.after(&state, mv);
        }
        (line, false)
    }
}
