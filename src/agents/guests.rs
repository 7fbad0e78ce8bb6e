//! Agents that another program brings along, beside those of the catalogue.

use std::any::Any;
use std::sync::Arc;

use super::agent::{Agent, AgentInfo};
use super::catalogue;
use crate::games::Configurable;
use crate::params::{ParamError, Params, Spec, Values};

/// An agent that is written for every game.
///
/// ```
/// use agon::agents::{Agent, AgentKind, Fault, Ply};
/// use agon::games::{Configurable, Game};
/// use agon::params::ParamError;
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
///     const KIND: &'static str = "first";
///     const SUMMARY: &'static str = "The first legal move";
///     type Params = ();
///
///     fn build<G: Configurable>(_: &G, (): ()) -> Result<Box<dyn Agent<G>>, ParamError> {
///         Ok(Box::new(First))
///     }
/// }
///
/// let mut registry = agon::world::Registry::builtin();
/// registry.add_agent::<First>();
/// assert!(registry.agent("first").is_some());
/// ```
pub trait AgentKind: 'static {
    /// The word in `kind = "…"`.
    const KIND: &'static str;
    /// One sentence for `agon list`, without a full stop.
    const SUMMARY: &'static str;
    /// The lines of TOML that make one, where kind and default numbers are not enough.
    const EXAMPLE: &'static str = "";

    /// What it takes, made by [`params!`](crate::params!); `()` is nothing.
    type Params: Params;

    /// Builds a player of the game. Every worker builds its own; it is also the check of a
    /// spec when the config is read, so nothing large is allocated here.
    ///
    /// # Errors
    /// A game that it cannot play, and values that do not work together.
    fn build<G: Configurable>(
        game: &G,
        params: Self::Params,
    ) -> Result<Box<dyn Agent<G>>, ParamError>;

    /// What `agon list`, the config and the schema know of it.
    fn info() -> AgentInfo {
        AgentInfo::of::<Self::Params>(Self::KIND, Self::SUMMARY, Self::EXAMPLE)
    }
}

/// What makes a player of the game `G` from its parameters.
pub type BuildFrom<G, P> = fn(&G, P) -> Result<Box<dyn Agent<G>>, ParamError>;

/// What makes a player of the game `G` from values.
type Build<G> = Arc<dyn Fn(&G, &Values) -> Result<Box<dyn Agent<G>>, ParamError> + Send + Sync>;

/// The agents of another program.
#[derive(Clone, Default)]
pub struct Guests(Vec<Guest>);

/// One of them, with what builds it for each type of game.
#[derive(Clone)]
struct Guest {
    kind: &'static str,
    /// The only game that it plays, if it is for one.
    game: Option<&'static str>,
    /// A [`Build`] each.
    builds: Vec<Arc<dyn Any + Send + Sync>>,
}

impl Guests {
    /// Lets an agent play games of the type `G`, which `build` makes it for; `only` where it is
    /// for that kind of game alone.
    pub fn admit<G: Configurable, P: Params + 'static>(
        &mut self,
        kind: &'static str,
        only: bool,
        build: BuildFrom<G, P>,
    ) {
        let game = only.then_some(G::KIND);
        let build: Build<G> = Arc::new(move |game, values| build(game, P::read(values)?));
        match self.0.iter_mut().find(|guest| guest.kind == kind) {
            // What comes later counts.
            Some(guest) => {
                guest.game = game;
                guest.builds.insert(0, Arc::new(build));
            }
            None => self.0.push(Guest { kind, game, builds: vec![Arc::new(build)] }),
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
            Some(build) => build(game, &spec.values),
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
