//! `random`: plays a random legal move, all equally likely.

use super::agent_trait::{Agent, AgentInfo, BuildInner, Fault, MoveRequest};
use super::search_params::GameFacts;
use super::softmax_choice;
use crate::games::{Configurable, Game, Shortcuts};
use crate::params::{ParamError, Params, Values};

pub(super) const KIND: &str = "random";

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<()>(KIND, "Plays a random legal move, all equally likely", "kind = \"random\"")
}

pub(super) type Plan = ();

pub(super) fn plan(values: &Values, _: &GameFacts) -> Result<Plan, ParamError> {
    Plan::read(values)
}

pub(super) fn build<G: Configurable>(
    _: &G,
    (): &Plan,
    _: BuildInner<G>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    Ok(Box::new(Random { buffer: Vec::new() }))
}

struct Random<G: Game> {
    buffer: Vec<G::Move>,
}

impl<G: Game> Agent<G> for Random<G> {
    fn choose(&mut self, request: &mut MoveRequest<'_, G>) -> Result<G::Move, Box<Fault>> {
        Ok(request.game.shortcuts().random_move(request.state, request.rng, &mut self.buffer))
    }

    fn has_move_probabilities(&self) -> bool {
        true
    }

    fn move_probabilities(&mut self, game: &G, state: &G::State, out: &mut Vec<f64>) {
        softmax_choice::uniform(game, state, out);
    }
}
