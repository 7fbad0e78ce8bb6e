//! Agents that another program brings along, beside those of the catalogue.

use std::any::Any;
use std::sync::Arc;

use super::agent::{Agent, AgentInfo, Build};
use super::catalogue;
use crate::games::Configurable;
use crate::params::{Param, ParamError, Spec, Values};

/// An agent that is written for every game: the generic counterpart of [`Build`].
///
/// ```
/// use agon::agents::{Agent, AgentInfo, AgentKind, Fault, Ply};
/// use agon::games::{Configurable, Game};
/// use agon::params::{ParamError, Values};
///
/// /// Plays the first move that the game lists.
/// struct First;
///
/// impl<G: Game> Agent<G> for First {
///     fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
///         let mut moves = Vec::new();
///         ply.game.moves(ply.state, &mut moves);
///         Ok(moves[0])
///     }
/// }
///
/// impl AgentKind for First {
///     fn info() -> AgentInfo {
///         let summary = "The first legal move";
///         AgentInfo { kind: "first", summary, params: vec![], example: "kind = \"first\"" }
///     }
///
///     fn build<G: Configurable>(_: &G, _: &Values) -> Result<Box<dyn Agent<G>>, ParamError> {
///         Ok(Box::new(First))
///     }
/// }
///
/// let mut registry = agon::world::Registry::builtin();
/// registry.add_agent::<First>();
/// assert!(registry.agent("first").is_some());
/// ```
pub trait AgentKind: 'static {
    /// What `agon list`, the config and the schema know of it.
    fn info() -> AgentInfo;

    /// Builds a player of the game. Every worker builds its own; it is also the check of a
    /// spec when the config is read, so nothing large is allocated here. `values` holds every
    /// parameter that has a default.
    ///
    /// # Errors
    /// A game that it cannot play, and values that do not work together.
    fn build<G: Configurable>(game: &G, values: &Values) -> Result<Box<dyn Agent<G>>, ParamError>;
}

/// The agents of another program.
#[derive(Clone, Default)]
pub struct Guests(Vec<Guest>);

/// One of them, with what builds it for each type of game.
#[derive(Clone)]
struct Guest {
    kind: &'static str,
    /// The only game that it plays, if it is for one.
    game: Option<&'static str>,
    params: Vec<Param>,
    /// A [`Build`] each.
    builds: Vec<Arc<dyn Any + Send + Sync>>,
}

impl Guests {
    /// Lets an agent play games of the type `G`, which `build` makes it for; `only` where it is
    /// for that kind of game alone.
    pub fn admit<G: Configurable>(&mut self, info: &AgentInfo, only: bool, build: Build<G>) {
        let (kind, params) = (info.kind, info.params.clone());
        let game = only.then_some(G::KIND);
        let build: Arc<dyn Any + Send + Sync> = Arc::new(build);
        match self.0.iter_mut().find(|guest| guest.kind == kind) {
            // What comes later counts.
            Some(guest) => {
                (guest.game, guest.params) = (game, params);
                guest.builds.insert(0, build);
            }
            None => self.0.push(Guest { kind, game, params, builds: vec![build] }),
        }
    }

    /// The game that a guest is for, where it is for one only.
    pub fn game_of(&self, kind: &str) -> Option<&'static str> {
        self.0.iter().find(|guest| guest.kind == kind)?.game
    }

    /// Builds a player of the game, a guest or one of the catalogue.
    ///
    /// # Errors
    /// As [`build`](super::build).
    pub fn build<G: Configurable>(
        &self,
        game: &G,
        spec: &Spec,
    ) -> Result<Box<dyn Agent<G>>, ParamError> {
        let Some(guest) = self.0.iter().find(|guest| guest.kind == spec.kind) else {
            return catalogue::build_around(game, spec, &|inner| self.build(game, inner));
        };
        match guest.builds.iter().find_map(|build| build.downcast_ref::<Build<G>>()) {
            Some(build) => build(game, &spec.values.filled(&guest.params)),
            None => {
                let message = format!("`{}` does not play {}", spec.kind, G::KIND);
                let remedy = match guest.game {
                    Some(game) => format!("it plays {game} only: use another agent"),
                    None => "use another agent".to_owned(),
                };
                Err(ParamError::at("kind", message, remedy))
            }
        }
    }
}
