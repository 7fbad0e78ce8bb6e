//! Agents that a program registers in addition to the built-in ones.

#![deny(missing_docs)]

use std::any::Any;
use std::sync::Arc;

use super::agent_trait::{Agent, AgentInfo};
use super::catalogue;
use crate::games::Configurable;
use crate::params::{ParamError, Params, Spec, Values};

/// An agent for every game.
///
/// ```
/// # use agon_players as agon;
/// use agon::agents::{Agent, AgentKind, Fault, MoveRequest};
/// use agon::games::{Configurable, Game};
/// use agon::params::ParamError;
///
/// /// Plays the first move that the game lists.
/// struct First;
///
/// impl<G: Game> Agent<G> for First {
///     fn choose(&mut self, request: &mut MoveRequest<'_, G>) -> Result<G::Move, Box<Fault>> {
///         let mut moves = Vec::new();
///         request.game.moves(request.state, &mut moves);
///         Ok(moves[0])
///     }
/// }
///
/// impl AgentKind for First {
///     const KIND: &'static str = "first";
///     const SUMMARY: &'static str = "The first legal move";
///     type Params = ();
///
///     fn build<G: Configurable>(_: &G, (): ()) -> Result<Box<dyn Agent<G>>, ParamError> {
///         Ok(Box::new(First))
///     }
/// }
///
/// let mut registry = agon::play::Registry::builtin();
/// registry.add_agent::<First>();
/// assert!(registry.agent("first").is_some());
/// ```
pub trait AgentKind: 'static {
    /// The word in `kind = "…"`.
    const KIND: &'static str;
    /// One sentence for `agon list`, without a full stop.
    const SUMMARY: &'static str;
    /// An example in TOML, if the kind and the default values are not enough.
    const EXAMPLE: &'static str = "";

    /// The parameters, defined with [`params!`](crate::params!); `()` means none.
    type Params: Params;

    /// Builds an agent for the game. Each worker builds its own. The config reader also calls this
    /// function to check a spec, so it must not allocate anything large.
    ///
    /// # Errors
    /// A game that the agent does not support, or values that do not work together.
    fn build<G: Configurable>(
        game: &G,
        params: Self::Params,
    ) -> Result<Box<dyn Agent<G>>, ParamError>;

    /// Describes the agent for `agon list`, the config and the schema.
    fn info() -> AgentInfo {
        AgentInfo::of::<Self::Params>(Self::KIND, Self::SUMMARY, Self::EXAMPLE)
    }
}

/// Builds an agent for the game `G` from typed parameters.
pub type BuildFrom<G, P> = fn(&G, P) -> Result<Box<dyn Agent<G>>, ParamError>;

/// Builds an agent for the game `G` from untyped values.
type Build<G> = Arc<dyn Fn(&G, &Values) -> Result<Box<dyn Agent<G>>, ParamError> + Send + Sync>;

/// The agents that a program registers.
#[derive(Clone, Default)]
pub struct CustomAgents(Vec<CustomAgent>);

/// One such agent, with one build function for each type of game.
#[derive(Clone)]
struct CustomAgent {
    kind: &'static str,
    /// The agent's only game, if the agent supports only one kind.
    game: Option<&'static str>,
    /// The elements are of type [`Build`].
    builds: Vec<Arc<dyn Any + Send + Sync>>,
}

impl CustomAgents {
    /// Registers an agent for games of the type `G`; `build` builds it. `only` is given if the
    /// agent supports only that kind of game.
    pub fn register<G: Configurable, P: Params + 'static>(
        &mut self,
        kind: &'static str,
        only: bool,
        build: BuildFrom<G, P>,
    ) {
        let game = only.then_some(G::KIND);
        let build: Build<G> = Arc::new(move |game, values| build(game, P::read(values)?));
        match self.0.iter_mut().find(|guest| guest.kind == kind) {
            // A later registration replaces an earlier one.
            Some(guest) => {
                guest.game = game;
                guest.builds.insert(0, Arc::new(build));
            }
            None => self.0.push(CustomAgent { kind, game, builds: vec![Arc::new(build)] }),
        }
    }

    /// The only game of an agent, if the agent supports only one.
    pub fn game_of(&self, kind: &str) -> Option<&'static str> {
        self.get(kind)?.game
    }

    /// Builds a registered or built-in agent for the game.
    ///
    /// # Errors
    /// Same as [`build`](super::build).
    pub fn build<G: Configurable>(
        &self,
        game: &G,
        spec: &Spec,
    ) -> Result<Box<dyn Agent<G>>, ParamError> {
        let Some(guest) = self.get(&spec.kind) else {
            return catalogue::build_around(game, spec, &|inner| self.build(game, inner));
        };
        for build in &guest.builds {
            if let Some(build) = build.downcast_ref::<Build<G>>() {
                return build(game, &spec.values);
            }
        }
        Err(guest.does_not_play(G::KIND))
    }

    fn get(&self, kind: &str) -> Option<&CustomAgent> {
        self.0.iter().find(|guest| guest.kind == kind)
    }
}

impl CustomAgent {
    fn does_not_play(&self, game: &str) -> ParamError {
        let message = format!("`{}` does not play {game}", self.kind);
        let help = match self.game {
            Some(game) => format!("it plays {game} only: use another agent"),
            None => "use another agent".to_owned(),
        };
        ParamError::at("kind", message, help)
    }
}
