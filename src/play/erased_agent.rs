//! Wraps an agent of a concrete game as an agent of [`AnyGame`].

use std::any::Any;
use std::sync::Arc;

use super::any_game::{AnyGame, AnyMove};
use super::erased::{Erased, typed};
use crate::agents::{Agent, Fault, Ply};
use crate::engine::{House, TimeControl};
use crate::games::{Configurable, Game, Player};
use crate::params::ParamError;
use crate::search::{Limits, Stop};

/// A type-erased agent.
pub trait DynAgent: Agent<AnyGame> {
    /// The agent itself, an `ErasedAgent`.
    fn any(&mut self) -> &mut dyn Any;
}

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
fn seen<'a, G: Game>(game: &'a Erased<G>, ply: &'a mut Ply<'_, AnyGame>) -> Ply<'a, G> {
    Ply {
        game: &game.game,
        state: typed::<G>(ply.state),
        player: ply.player,
        history: ply.history,
        rng: ply.rng,
        thought: ply.thought,
        told: ply.told,
    }
}

impl<G: Configurable> Agent<AnyGame> for ErasedAgent<G> {
    fn join(&mut self, house: &Arc<House>, name: &str) {
        self.inner.join(house, name);
    }

    fn prepare(&mut self) {
        self.inner.prepare();
    }

    fn ready(&mut self) -> Result<(), ParamError> {
        self.inner.ready()
    }

    fn time_control(&self) -> Option<TimeControl> {
        self.inner.time_control()
    }

    fn new_game(&mut self, _game: &AnyGame, player: Player) {
        self.inner.new_game(&self.game.game, player);
    }

    fn dismiss(&mut self) {
        self.inner.dismiss();
    }

    fn choose(&mut self, ply: &mut Ply<'_, AnyGame>) -> Result<AnyMove, Box<Fault>> {
        let mv = self.inner.choose(&mut seen(&self.game, ply))?;
        Ok(self.game.number(mv))
    }

    fn think_within(&mut self, limits: Option<&Limits>, stop: Option<Stop>) {
        self.inner.think_within(limits, stop);
    }

    fn has_move_values(&self) -> bool {
        self.inner.has_move_values()
    }

    fn move_values(
        &mut self,
        ply: &mut Ply<'_, AnyGame>,
        out: &mut Vec<(AnyMove, f64)>,
    ) -> Result<(), Box<Fault>> {
        self.inner.move_values(&mut seen(&self.game, ply), &mut self.values)?;
        out.clear();
        for &(mv, value) in &self.values {
            out.push((self.game.number(mv), value));
        }
        Ok(())
    }
}
