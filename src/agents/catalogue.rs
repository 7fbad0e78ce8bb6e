//! Every agent: what it takes and how it is built.

use super::agent::{Agent, Fault, Ply};
use crate::games::Configurable;
use crate::params::{Param, ParamError, Spec};

/// What is known of a kind of agent.
pub struct AgentInfo {
    /// The word in `kind = "…"`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// What `[[agents]]` takes.
    pub params: Vec<Param>,
    /// An example line.
    pub example: &'static str,
}

/// The agents, in the order in which they are listed.
pub fn catalogue() -> Vec<AgentInfo> {
    vec![AgentInfo {
        kind: "random",
        summary: "Plays a uniformly random legal move",
        params: Vec::new(),
        example: "kind = \"random\"",
    }]
}

/// Builds an agent for a game.
///
/// # Errors
/// Values that do not work together, or not with this game.
pub fn build<G: Configurable>(_: &G, _: &Spec) -> Result<Box<dyn Agent<G>>, ParamError> {
    Ok(Box::new(Random(Vec::new())))
}

struct Random<G: Configurable>(Vec<G::Move>);

impl<G: Configurable> Agent<G> for Random<G> {
    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        Ok(ply.game.random_move(ply.state, ply.rng, &mut self.0))
    }
}
