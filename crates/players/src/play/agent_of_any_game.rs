//! Wraps an agent of a concrete game as an agent of [`AnyGame`].

use std::any::Any;
use std::sync::Arc;

use super::any_game::{AnyGame, AnyMove, AnyState, DynAgent};
use super::moves_of_any_game::{Erased, typed};
use crate::agents::{Agent, ExternalAgent, Fault, MoveRequest};
use crate::games::{Configurable, Game, Player};
use crate::search::{Limits, StopSwitch};

/// The one type that implements [`DynAgent`] for every game.
pub(super) struct ErasedAgent<G: Game> {
    inner: Box<dyn Agent<G>>,
    game: Arc<Erased<G>>,
    values: Vec<(G::Move, f64)>,
}

impl<G: Game> ErasedAgent<G> {
    pub fn new(inner: Box<dyn Agent<G>>, game: Arc<Erased<G>>) -> Self {
        ErasedAgent { inner, game, values: Vec::new() }
    }

    /// The agent as an agent of its concrete game.
    ///
    /// # Panics
    /// If the agent belongs to another game.
    pub fn inner(agent: &mut dyn DynAgent) -> &mut dyn Agent<G> {
        let agent = agent.any().downcast_mut::<Self>();
        &mut *agent.expect("an agent of this game").inner
    }
}

impl<G: Configurable> DynAgent for ErasedAgent<G> {
    fn any(&mut self) -> &mut dyn Any {
        self
    }
}

/// Converts the request for a move to the concrete game type.
fn typed_request<'a, G: Game>(
    game: &'a Erased<G>,
    request: &'a mut MoveRequest<'_, AnyGame>,
) -> MoveRequest<'a, G> {
    MoveRequest {
        game: &game.game,
        state: typed::<G>(request.state),
        player: request.player,
        history: request.history,
        rng: request.rng,
        search_info: request.search_info,
        game_so_far: request.game_so_far,
    }
}

impl<G: Configurable> Agent<AnyGame> for ErasedAgent<G> {
    fn external(&mut self) -> Option<&mut dyn ExternalAgent> {
        self.inner.external()
    }

    fn new_game(&mut self, _game: &AnyGame, player: Player) {
        self.inner.new_game(&self.game.game, player);
    }

    fn choose(&mut self, request: &mut MoveRequest<'_, AnyGame>) -> Result<AnyMove, Box<Fault>> {
        let mv = self.inner.choose(&mut typed_request(&self.game, request))?;
        Ok(self.game.number(mv))
    }

    fn set_limits(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        self.inner.set_limits(limits, stop);
    }

    fn has_move_values(&self) -> bool {
        self.inner.has_move_values()
    }

    fn move_values(
        &mut self,
        request: &mut MoveRequest<'_, AnyGame>,
        out: &mut Vec<(AnyMove, f64)>,
    ) -> Result<(), Box<Fault>> {
        self.inner.move_values(&mut typed_request(&self.game, request), &mut self.values)?;
        out.clear();
        for &(mv, value) in &self.values {
            out.push((self.game.number(mv), value));
        }
        Ok(())
    }

    fn has_move_probabilities(&self) -> bool {
        self.inner.has_move_probabilities()
    }

    fn move_probabilities(&mut self, _game: &AnyGame, state: &AnyState, out: &mut Vec<f64>) {
        self.inner.move_probabilities(&self.game.game, typed::<G>(state), out);
    }
}
