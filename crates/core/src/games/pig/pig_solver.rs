//! Exact values of Pig's positions, from its solution by value iteration.

use std::sync::Arc;

use super::state::{Phase, Pig, PigState};
use super::value_iteration::Solution;
use crate::games::exact_value::{Exact, ExactSolver, Offer, Unsolved};

/// The maximum cost of solving, in faces visited: about a second.
const MOST_WORK: f64 = 300.0 * 300.0 * 300.0 * 6.0;

/// Whether the game can be solved at the start of a program; if not, the reason and what to do.
pub fn solvable(game: &Pig) -> Result<(), Unsolved> {
    let goal = game.goal();
    let most = |die: u32| (MOST_WORK / f64::from(die)).cbrt().floor();
    if f64::from(goal) <= most(game.die()) {
        return Ok(());
    }
    let why = format!("pig to {goal} with a die of {} faces takes too long to solve", game.die());
    let help = format!("with this die a goal of at most {}", most(game.die()));
    Err(Unsolved { why, help })
}

pub(super) fn offer(game: &Pig) -> Offer<Pig> {
    solvable(game)?;
    let solution = Solution::optimal(game);
    Ok(Box::new(Values { solution, turns: Default::default(), nodes: 0 }))
}

struct Values {
    solution: Arc<Solution>,
    /// By side: the scores of the latest turn, and the values of its decisions by turn sum.
    turns: [([u32; 2], Vec<f64>); 2],
    nodes: u64,
}

impl Values {
    /// The mover's winning probabilities after rolling and after holding. Most questions are about
    /// the turn of the question before, or about the next one.
    fn roll_or_hold(&mut self, state: &PigState) -> [f64; 2] {
        let scores = [state.score(state.side()), state.score(state.side().other())];
        let (known, values) = &mut self.turns[state.side().index()];
        if *known != scores || values.is_empty() {
            (*known, *values) = (scores, self.solution.values_of_turn(scores[0], scores[1]));
        }
        self.solution.roll_or_hold_in(scores[0], scores[1], state.total(), values)
    }
}

impl ExactSolver<Pig> for Values {
    fn value(&mut self, game: &Pig, state: &PigState) -> Exact {
        self.nodes += 1;
        let wins = match state.phase {
            Phase::Over => return Exact::of_end(game, state),
            // Only `hold` is legal, and it wins.
            Phase::Choose if game.suffices(state) => {
                let mean = f64::from(state.side().sign());
                return Exact { mean, plies: Some(1) };
            }
            Phase::Choose => {
                let [roll, hold] = self.roll_or_hold(state);
                roll.max(hold)
            }
            Phase::Roll => self.roll_or_hold(state)[0],
        };
        Exact { mean: f64::from(state.side().sign()) * (2.0 * wins - 1.0), plies: None }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
