//! `optimal`: maximises the probability of winning. For pig only.

use std::sync::{Arc, Mutex};

use super::agent::{Agent, AgentInfo, Fault, Ply};
use crate::games::Pig;
use crate::games::pig::Move;
use crate::games::pig::exact_values::solvable;
use crate::games::pig::value_iteration::{Solution, Table};
use crate::params::ParamError;

pub(super) const KIND: &str = "optimal";

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<()>(
        KIND,
        "Rolls and holds by the exact solution, found by value iteration; for Pig",
        "kind = \"optimal\"",
    )
}

pub(super) fn build(game: &Pig, (): ()) -> Result<Box<dyn Agent<Pig>>, ParamError> {
    solvable(game).map_err(|(why, remedy)| ParamError::at("kind", why, remedy))?;
    Ok(Box::new(Optimal { table: table(*game) }))
}

/// Cached solutions, shared by all workers and both seats.
static SOLVED: Mutex<Vec<(Pig, Arc<Table>)>> = Mutex::new(Vec::new());

fn table(game: Pig) -> Arc<Table> {
    // A panic in the solver leaves no incomplete entry, so a poisoned lock is safe.
    let mut solved = SOLVED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((_, table)) = solved.iter().find(|(known, _)| *known == game) {
        return Arc::clone(table);
    }
    let table = Arc::new(Solution::optimal(&game).table());
    solved.push((game, Arc::clone(&table)));
    table
}

struct Optimal {
    table: Arc<Table>,
}

impl Agent<Pig> for Optimal {
    fn choose(&mut self, ply: &mut Ply<'_, Pig>) -> Result<Move, Box<Fault>> {
        let (own, other) = (ply.state.score(ply.player), ply.state.score(ply.player.other()));
        let rolls = self.table.rolls(own, other, ply.state.total());
        Ok(if rolls { Move::Roll } else { Move::Hold })
    }
}
