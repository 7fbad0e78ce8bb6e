//! `hold`: rolls until the turn's sum is large enough. Pig only.

use super::agent::{Agent, AgentInfo, Fault, Ply};
use super::settings;
use crate::games::Pig;
use crate::games::pig::Move;
use crate::params::{Param, ParamError, Values};

/// What the catalogue says.
pub(super) fn info() -> AgentInfo {
    AgentInfo {
        kind: "hold",
        summary: "Rolls until the turn's sum is at least so many points, then holds; for Pig",
        params: vec![Param::int("at", 1, 10_000, 20, "points at which it holds")],
        example: "kind = \"hold\"\nat = 20",
    }
}

/// Builds the agent.
pub(super) fn build(_game: &Pig, values: &Values) -> Result<Box<dyn Agent<Pig>>, ParamError> {
    let at = settings::given(settings::unsigned(values, "at"));
    Ok(Box::new(Hold { at: u32::try_from(at).unwrap_or(u32::MAX) }))
}

struct Hold {
    at: u32,
}

impl Agent<Pig> for Hold {
    fn choose(&mut self, ply: &mut Ply<'_, Pig>) -> Result<Move, Box<Fault>> {
        let sum = ply.state.total();
        let enough = ply.state.score(ply.player) + sum >= ply.game.goal();
        Ok(if enough || sum >= self.at { Move::Hold } else { Move::Roll })
    }
}
