//! The registry of all games and agents that a config can use.

#![deny(missing_docs)]

use std::path::Path;
use std::sync::Arc;

use super::any_game::AnyGame;
use super::refereed::{self, RefereedGame};
use crate::agents::{self, AgentInfo, AgentKind, BuildFrom, CustomAgents, Requirements};
use crate::games::{Configurable, has_tables, last_occurrence, material_unit, repeats};
use crate::params::{Default, Param, ParamError, Params, Spec, Values};
use crate::rules_program::ProgramGame;

/// Builds a game of one type; `None` if the type does not support the values.
type Open = fn(&Values, &Arc<CustomAgents>) -> Option<Result<AnyGame, ParamError>>;

/// A kind of game.
#[derive(Clone)]
pub struct GameEntry {
    /// The word in `kind = "…"`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// The parameters of `[game]`.
    pub params: Vec<Param>,
    /// An example in TOML; empty if the kind and the default values are enough.
    pub example: &'static str,
    /// The unit of the game's material, if any ([`Scoring::MATERIAL`](crate::games::Game)).
    pub material: Option<&'static str>,
    /// Whether there are Syzygy tables of the game ([`Scoring::HAS_TABLES`](crate::games::Game)).
    pub has_tables: bool,
    /// Whether positions can repeat ([`Repetition::REPEATS`](crate::games::Game)).
    pub repeats: bool,
    /// The rules end the game when a position occurs for this number of times
    /// ([`Repetition::LAST_OCCURRENCE`](crate::games::Game)).
    pub last_occurrence: Option<u32>,
    /// Names of the first and the second player ([`Configurable::SIDES`]).
    pub sides: &'static [[&'static str; 2]],
    /// Random plies before the agents take over, if a config has no `[openings]`
    /// ([`Configurable::OPENING_PLIES`]).
    pub opening_plies: u32,
    /// Replaces paths by the content of the files.
    embed: fn(&mut Values, &Path) -> Result<(), ParamError>,
    /// The types for this kind, tried in order.
    types: Vec<Open>,
}

impl GameEntry {
    /// The entry for one type.
    pub fn of<G: Configurable>() -> Self {
        GameEntry {
            kind: G::KIND,
            summary: G::SUMMARY,
            params: G::Params::list(),
            example: "",
            material: material_unit::<G>(),
            has_tables: has_tables::<G>(),
            repeats: repeats::<G>(),
            last_occurrence: last_occurrence::<G>(),
            sides: G::SIDES,
            opening_plies: G::OPENING_PLIES,
            embed: embed::<G>,
            types: vec![open::<G>],
        }
    }

    /// Adds a type for values that the earlier types do not support.
    pub fn or<G: Configurable>(mut self) -> Self {
        self.types.push(open::<G>);
        self
    }

    /// The number of types for this kind, each for some of its values.
    pub fn types(&self) -> usize {
        self.types.len()
    }

    /// Whether the kind alone is a game: every parameter has a default.
    pub fn has_defaults(&self) -> bool {
        self.params.iter().all(|param| param.default != Default::Required)
    }

    /// Replaces paths in the values by the content of the files. Paths are relative to `folder`.
    ///
    /// # Errors
    /// A file that cannot be read, or whose content does not fit the game.
    pub fn embed(&self, values: &mut Values, folder: &Path) -> Result<(), ParamError> {
        (self.embed)(values, folder)
    }

    /// Builds the game with the built-in agents; [`Registry::open`] includes registered agents.
    ///
    /// # Errors
    /// Values that do not work together.
    pub fn open(&self, values: &Values) -> Result<AnyGame, ParamError> {
        self.open_to(&Arc::default(), values)
    }

    fn open_to(
        &self,
        custom_agents: &Arc<CustomAgents>,
        values: &Values,
    ) -> Result<AnyGame, ParamError> {
        self.types.iter().find_map(|open| open(values, custom_agents)).unwrap_or_else(|| {
            Err(ParamError::new(format!("no `{}` of this size", self.kind), "make it smaller"))
        })
    }
}

fn open<G: Configurable>(
    values: &Values,
    custom_agents: &Arc<CustomAgents>,
) -> Option<Result<AnyGame, ParamError>> {
    let game = match G::Params::read(values) {
        Ok(params) if !G::fits(&params) => return None,
        params => params.and_then(G::from_params),
    };
    Some(game.map(|game| AnyGame::with_agents(game, Arc::clone(custom_agents))))
}

/// [`Configurable::embed`] for untyped values.
fn embed<G: Configurable>(values: &mut Values, folder: &Path) -> Result<(), ParamError> {
    let mut params = G::Params::read(values)?;
    G::embed(&mut params, folder)?;
    *values = params.values();
    Ok(())
}

/// All games and agents that a config can name.
///
/// ```
/// # use agon_players as agon;
/// use agon::play::Registry;
///
/// let registry = Registry::builtin();
/// assert!(registry.game("connect4").is_some() && registry.agent("mcts").is_some());
/// assert!(registry.game("hex").is_none());
/// ```
#[derive(Clone)]
pub struct Registry {
    /// The games, in the order of `agon list`.
    pub games: Vec<GameEntry>,
    /// The agents, in the order of `agon list`.
    pub agents: Vec<AgentInfo>,
    /// The registered agents among them.
    custom_agents: Arc<CustomAgents>,
}

impl Registry {
    /// The built-in games and agents.
    pub fn builtin() -> Self {
        let (games, agents) = (games(), agents::catalogue());
        let mut registry = Registry { games, agents, custom_agents: Arc::default() };
        registry.add_agent_for::<RefereedGame, _>(refereed::info(), refereed::build);
        registry
    }

    /// The game of this kind.
    pub fn game(&self, kind: &str) -> Option<&GameEntry> {
        self.games.iter().find(|entry| entry.kind == kind)
    }

    /// The agent of this kind.
    pub fn agent(&self, kind: &str) -> Option<&AgentInfo> {
        self.agents.iter().find(|entry| entry.kind == kind)
    }

    /// The only game of an agent, if the agent supports only one.
    pub fn game_of(&self, agent: &str) -> Option<&'static str> {
        self.custom_agents.game_of(agent).or_else(|| agents::game_of(agent))
    }

    /// The requirements of an agent.
    pub fn requirements(&self, spec: &Spec) -> Requirements {
        Requirements::of(spec, &self.agents)
    }

    /// Builds the game of an entry, with all agents of the registry.
    ///
    /// # Errors
    /// Values that do not work together.
    pub fn open(&self, entry: &GameEntry, values: &Values) -> Result<AnyGame, ParamError> {
        entry.open_to(&self.custom_agents, values)
    }

    /// Adds a game with one type; see [`add_entry`](Self::add_entry).
    pub fn add_game<G: Configurable>(&mut self) -> &mut Self {
        self.add_entry(GameEntry::of::<G>())
    }

    /// Adds a kind of game, or replaces the kind with this name. Every built-in agent can play the
    /// game.
    pub fn add_entry(&mut self, entry: GameEntry) -> &mut Self {
        match self.games.iter_mut().find(|known| known.kind == entry.kind) {
            Some(known) => *known = entry,
            None => self.games.push(entry),
        }
        self
    }

    /// Adds an agent for every built-in game. Use [`register_for`](Self::register_for) for added games.
    pub fn add_agent<A: AgentKind>(&mut self) -> &mut Self {
        self.list(A::info());
        register_all::<A>(Arc::make_mut(&mut self.custom_agents));
        self
    }

    /// Lets an agent play an added game.
    pub fn register_for<A: AgentKind, G: Configurable>(&mut self) -> &mut Self {
        self.list(A::info());
        Arc::make_mut(&mut self.custom_agents).register(A::KIND, false, A::build::<G>);
        self
    }

    /// Adds an agent for one game only.
    pub fn add_agent_for<G: Configurable, P: Params + 'static>(
        &mut self,
        info: AgentInfo,
        build: BuildFrom<G, P>,
    ) -> &mut Self {
        Arc::make_mut(&mut self.custom_agents).register(info.kind, true, build);
        self.list(info);
        self
    }

    fn list(&mut self, info: AgentInfo) {
        match self.agents.iter_mut().find(|known| known.kind == info.kind) {
            Some(known) => *known = info,
            None => self.agents.push(info),
        }
    }
}

/// Generates code from the list of games.
macro_rules! games {
    ($($first:ty $(, $other:ty)*;)+) => {
        fn games() -> Vec<GameEntry> {
            use crate::games::*;
            vec![
                $(GameEntry::of::<$first>()$(.or::<$other>())*,)+
                GameEntry {
                    example: "kind = \"program\"\ncommand = \"python3 hex.py\"",
                    ..GameEntry::of::<ProgramGame>()
                },
                GameEntry {
                    example: "kind = \"referee\"\nreferee = \"java -jar referee.jar -p1 {first} \
                              -p2 {second} -d seed={seed}\"",
                    ..GameEntry::of::<RefereedGame>()
                },
            ]
        }

        /// Registers an agent for all built-in games.
        fn register_all<A: AgentKind>(custom_agents: &mut CustomAgents) {
            use crate::games::*;
            $(
                custom_agents.register(A::KIND, false, A::build::<$first>);
                $(custom_agents.register(A::KIND, false, A::build::<$other>);)*
            )+
            custom_agents.register(A::KIND, false, A::build::<ProgramGame>);
        }
    };
}

agon_core::all_games!(games);
