//! Exact values of Pig's positions, from its solution by value iteration.

use super::state::{Phase, Pig, PigState};
use super::value_iteration::Solution;
use crate::games::exact_values::{Exact, ExactSolver, Exactness};

/// The maximum cost of solving, in faces visited: about a second.
const MOST_WORK: f64 = 300.0 * 300.0 * 300.0 * 6.0;

/// Whether the game can be solved at the start of a program; if not, the reason and what to do.
pub(crate) fn solvable(game: &Pig) -> Result<(), (String, String)> {
    let goal = game.goal();
    let most = |die: u32| (MOST_WORK / f64::from(die)).cbrt().floor();
    if f64::from(goal) <= most(game.die()) {
        return Ok(());
    }
    let why = format!("pig to {goal} with a die of {} faces takes too long to solve", game.die());
    Err((why, format!("with this die a goal of at most {}", most(game.die()))))
}

pub(super) fn exactness(game: &Pig) -> Exactness<Pig> {
    match solvable(game) {
        Ok(()) => {
            Exactness::Solver(Box::new(Values { solution: Solution::optimal(game), nodes: 0 }))
        }
        Err((why, remedy)) => Exactness::None { why, remedy },
    }
}

struct Values {
    solution: Solution,
    nodes: u64,
}

impl ExactSolver<Pig> for Values {
    fn value(&mut self, game: &Pig, state: &PigState) -> Exact {
        self.nodes += 1;
        let own = state.score(state.side());
        let other = state.score(state.side().other());
        let wins = match state.phase {
            Phase::Over => return Exact::of_end(game, state),
            // Only `hold` is legal, and it wins.
            Phase::Choose if game.suffices(state) => {
                let mean = f64::from(state.side().sign());
                return Exact { mean, plies: Some(1) };
            }
            Phase::Choose => {
                let [roll, hold] = self.solution.roll_or_hold(own, other, state.total());
                roll.max(hold)
            }
            Phase::Roll => self.solution.roll_or_hold(own, other, state.total())[0],
        };
        Exact { mean: f64::from(state.side().sign()) * (2.0 * wins - 1.0), plies: None }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::{Game, Player, Turn};

    #[test]
    fn values_agree_with_the_moves_below_them() {
        let game = Pig::new(20, 6).expect("a goal");
        let Exactness::Solver(mut solver) = exactness(&game) else { panic!("a solver") };
        let mut pending = vec![game.start()];
        let mut checked = 0;
        while let Some(state) = pending.pop() {
            checked += 1;
            if checked > 2_000 {
                return;
            }
            let after = |mv| {
                let mut child = state;
                game.play(&mut child, mv);
                child
            };
            let value = solver.value(&game, &state).mean;
            let below = match game.turn(&state) {
                Turn::Over => continue,
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    game.outcomes(&state, &mut outcomes);
                    pending.extend(outcomes.iter().map(|&(face, _)| after(face)));
                    let values = outcomes.iter().map(|&(face, _)| after(face));
                    values.map(|child| solver.value(&game, &child).mean).sum::<f64>() / 6.0
                }
                Turn::Player(player) => {
                    let mut moves = Vec::new();
                    game.moves(&state, &mut moves);
                    pending.extend(moves.iter().map(|&mv| after(mv)));
                    let values = moves.iter().map(|&mv| after(mv));
                    let values = values.map(|child| solver.value(&game, &child).mean);
                    match player {
                        Player::First => values.fold(f64::NEG_INFINITY, f64::max),
                        Player::Second => values.fold(f64::INFINITY, f64::min),
                    }
                }
            };
            assert!((value - below).abs() < 1e-12, "{state:?}: {value} and {below}");
        }
        panic!("too few positions");
    }
}
