//! `optimal`: maximises the probability of winning. For pig only.

use std::sync::{Arc, Mutex};

use super::agent_trait::{Agent, AgentInfo, Fault, MoveRequest};
use crate::games::pig::PigMove;
use crate::games::pig::pig_solver::solvable;
use crate::games::pig::value_iteration::{Solution, WinningChances};
use crate::games::{Pig, Unsolved};
use crate::params::ParamError;
use crate::util::locks::lock;

pub(super) const KIND: &str = "optimal";

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<()>(
        KIND,
        "Maximises the probability of winning, by value iteration; for Pig",
        "kind = \"optimal\"",
    )
}

pub(super) fn build(game: &Pig, (): ()) -> Result<Box<dyn Agent<Pig>>, ParamError> {
    solvable(game).map_err(|Unsolved { why, help }| ParamError::at("kind", why, help))?;
    Ok(Box::new(Optimal { table: table(*game) }))
}

/// Cached solutions, shared by all workers and both seats.
static SOLVED: Mutex<Vec<(Pig, Arc<WinningChances>)>> = Mutex::new(Vec::new());

fn table(game: Pig) -> Arc<WinningChances> {
    // A panic in the solver leaves no incomplete entry, so a poisoned lock is safe.
    let mut solved = lock(&SOLVED);
    if let Some((_, table)) = solved.iter().find(|(known, _)| *known == game) {
        return Arc::clone(table);
    }
    let table = Arc::new(Solution::optimal(&game).table());
    solved.push((game, Arc::clone(&table)));
    table
}

struct Optimal {
    table: Arc<WinningChances>,
}

impl Agent<Pig> for Optimal {
    fn choose(&mut self, request: &mut MoveRequest<'_, Pig>) -> Result<PigMove, Box<Fault>> {
        let (own, other) =
            (request.state.score(request.player), request.state.score(request.player.other()));
        let rolls = self.table.rolls(own, other, request.state.total());
        Ok(if rolls { PigMove::Roll } else { PigMove::Hold })
    }
}
