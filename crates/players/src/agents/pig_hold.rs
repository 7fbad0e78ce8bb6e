//! `hold`: rolls until the sum of the turn is large enough. For pig only.

use super::agent_trait::{Agent, AgentInfo, Fault, MoveRequest};
use crate::games::Pig;
use crate::games::pig::PigMove;
use crate::params::ParamError;

pub(super) const KIND: &str = "hold";

crate::params! {
    pub(super) struct Hold {
        /// sum of the turn at which the agent holds
        at: u32 [1..=10_000] = 20,
    }
}

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<Hold>(
        KIND,
        "Rolls until the sum of the turn is large enough, then holds; for Pig",
        "kind = \"hold\"\nat = 20",
    )
}

pub(super) fn build(_game: &Pig, hold: Hold) -> Result<Box<dyn Agent<Pig>>, ParamError> {
    Ok(Box::new(hold))
}

impl Agent<Pig> for Hold {
    fn choose(&mut self, request: &mut MoveRequest<'_, Pig>) -> Result<PigMove, Box<Fault>> {
        let sum = request.state.total();
        let enough = request.state.score(request.player) + sum >= request.game.goal();
        Ok(if enough || sum >= self.at { PigMove::Hold } else { PigMove::Roll })
    }
}
