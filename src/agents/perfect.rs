//! `perfect`: plays by exact values. Games that are small, or have a solver.

use super::agent::{Agent, AgentInfo, Fault, Ply};
use super::budget;
use super::settings::Ties;
use crate::games::{Configurable, Exact, ExactSolver, Game};
use crate::params::{Param, ParamError, Values};
use crate::solve::{Unsolved, exact_solver};

/// What the catalogue says.
pub(super) fn info() -> AgentInfo {
    AgentInfo {
        kind: "perfect",
        summary: "Plays by exact values: wins soon and loses late; for games that can be solved",
        params: vec![
            Param::choice(
                "ties",
                &["first", "random"],
                "first",
                "among equal moves take the first in the game's order, or any (seeded)",
            ),
            Param::int(
                "table_mb",
                1,
                budget::MAX_MB,
                64,
                "megabytes of the solver's table in each worker, for a game whose solver has one",
            ),
        ],
        example: "kind = \"perfect\"",
    }
}

/// Builds the agent. Values are found when they are first asked for.
pub(super) fn build<G: Configurable>(
    game: &G,
    values: &Values,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    let table_mb = budget::table_mb(values)?;
    let mut solver = exact_solver(game).map_err(|Unsolved { why, remedy }| {
        let message = format!("`perfect` cannot play this game: {why}");
        let instead = "an agent that searches, such as `alphabeta` or `expectimax`";
        let remedy = if remedy.is_empty() {
            format!("use {instead}")
        } else {
            format!("{remedy}, or {instead}")
        };
        ParamError::at("kind", message, remedy)
    })?;
    solver.set_table_mb(table_mb);
    Ok(Box::new(Perfect { solver, ties: Ties::of(values), values: Vec::new(), best: Vec::new() }))
}

/// What it knows of one game helps in the next without changing a move: values are exact.
struct Perfect<G: Game> {
    solver: Box<dyn ExactSolver<G>>,
    ties: Ties,
    values: Vec<(G::Move, Exact)>,
    best: Vec<G::Move>,
}

impl<G: Game> Agent<G> for Perfect<G> {
    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        let Perfect { solver, best, .. } = self;
        solver.best_moves(ply.game, ply.state, best);
        Ok(self.ties.choose(best, ply.rng))
    }

    fn has_move_values(&self) -> bool {
        true
    }

    fn move_values(
        &mut self,
        ply: &mut Ply<'_, G>,
        out: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Box<Fault>> {
        self.solver.move_values(ply.game, ply.state, &mut self.values);
        out.clear();
        out.extend(self.values.iter().map(|&(mv, value)| (mv, value.mean)));
        Ok(())
    }
}
