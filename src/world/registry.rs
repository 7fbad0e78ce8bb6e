//! What can be configured: every game and every agent, one line each.

use std::path::Path;
use std::sync::Arc;

use super::any_game::AnyGame;
use crate::agents::{self, AgentInfo, AgentKind, BuildFrom, Guests, Requirements};
use crate::games::{Configurable, last_occurrence, material_unit, repeats};
use crate::params::{Param, ParamError, Params, Spec, Values};

type Open = dyn Fn(&Values, &Arc<Guests>) -> Option<Result<AnyGame, ParamError>> + Send + Sync;

/// A kind of game.
#[derive(Clone)]
pub struct GameEntry {
    /// The word in `kind = "…"`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// What `[game]` takes.
    pub params: Vec<Param>,
    /// The unit in which the game counts material ([`Scoring::MATERIAL`](crate::games::Game)).
    pub material: Option<&'static str>,
    /// Whether positions can come back ([`Repetition::REPEATS`](crate::games::Game)).
    pub repeats: bool,
    /// The occurrence of a position with which its rules end the game
    /// ([`Repetition::LAST_OCCURRENCE`](crate::games::Game)).
    pub last_occurrence: Option<u32>,
    /// Random plies before the agents take over where a config has no `[openings]`
    /// ([`Configurable::OPENING_PLIES`]).
    pub opening_plies: u32,
    /// Takes files in.
    embed: fn(&mut Values, &Path) -> Result<(), ParamError>,
    /// Types that serve the kind, tried in order.
    types: Vec<Arc<Open>>,
}

impl GameEntry {
    /// The entry of one type.
    pub fn of<G: Configurable>() -> Self {
        let entry = GameEntry {
            kind: G::KIND,
            summary: G::SUMMARY,
            params: G::Params::list(),
            material: material_unit::<G>(),
            repeats: repeats::<G>(),
            last_occurrence: last_occurrence::<G>(),
            opening_plies: G::OPENING_PLIES,
            embed: embed::<G>,
            types: Vec::new(),
        };
        entry.or::<G>()
    }

    /// Adds a type that serves the values which the earlier ones do not fit.
    pub fn or<G: Configurable>(mut self) -> Self {
        self.types.push(Arc::new(|values, guests| {
            let params = match G::Params::read(values) {
                Ok(params) => params,
                Err(error) => return Some(Err(error)),
            };
            G::fits(&params)
                .then(|| Ok(AnyGame::with_agents(G::from_params(params)?, Arc::clone(guests))))
        }));
        self
    }

    /// How many types serve the kind, each for some of its values.
    pub fn types(&self) -> usize {
        self.types.len()
    }

    /// Takes the content of files into the values in place of their paths, which are seen
    /// from `folder`.
    ///
    /// # Errors
    /// A file that cannot be read, or not as this game.
    pub fn embed(&self, values: &mut Values, folder: &Path) -> Result<(), ParamError> {
        (self.embed)(values, folder)
    }

    /// Builds the game for the agents of the catalogue; [`Registry::open`] does so for all.
    ///
    /// # Errors
    /// Values that do not work together.
    pub fn open(&self, values: &Values) -> Result<AnyGame, ParamError> {
        self.open_to(&Arc::default(), values)
    }

    fn open_to(&self, guests: &Arc<Guests>, values: &Values) -> Result<AnyGame, ParamError> {
        self.types.iter().find_map(|open| open(values, guests)).unwrap_or_else(|| {
            Err(ParamError::new(format!("no `{}` of this size", self.kind), "make it smaller"))
        })
    }
}

/// [`Configurable::embed`] of values.
fn embed<G: Configurable>(values: &mut Values, folder: &Path) -> Result<(), ParamError> {
    let mut params = G::Params::read(values)?;
    G::embed(&mut params, folder)?;
    *values = params.values();
    Ok(())
}

/// Everything that a config can name.
///
/// ```
/// use agon::config::{self, Overrides};
/// use agon::world::Registry;
///
/// let registry = Registry::builtin();
/// assert!(registry.game("connect4").is_some() && registry.agent("mcts").is_some());
/// // The config reader knows what the registry knows.
/// let text = "[game]\nkind = \"hex\"\n[[agents]]\nkind = \"random\"\n";
/// let error = config::parse(text, "mine.toml", &Overrides::default(), &registry).unwrap_err();
/// assert!(error.render(false).contains("hex"));
/// ```
#[derive(Clone)]
pub struct Registry {
    /// Games, in the order in which they are listed.
    pub games: Vec<GameEntry>,
    /// Agents, in the order in which they are listed.
    pub agents: Vec<AgentInfo>,
    /// Those of them that the catalogue does not have.
    guests: Arc<Guests>,
}

impl Registry {
    /// What agon brings along.
    pub fn builtin() -> Self {
        Registry { games: games(), agents: agents::catalogue(), guests: Arc::default() }
    }

    /// The game of a kind.
    pub fn game(&self, kind: &str) -> Option<&GameEntry> {
        self.games.iter().find(|entry| entry.kind == kind)
    }

    /// The agent of a kind.
    pub fn agent(&self, kind: &str) -> Option<&AgentInfo> {
        self.agents.iter().find(|entry| entry.kind == kind)
    }

    /// The game that an agent is for, where it is for one only.
    pub fn game_of(&self, agent: &str) -> Option<&'static str> {
        self.guests.game_of(agent).or_else(|| agents::game_of(agent))
    }

    /// What an agent asks of a run.
    pub fn requirements(&self, spec: &Spec) -> Requirements {
        Requirements::of(spec, &self.agents)
    }

    /// Builds the game of an entry, which all agents of the registry can play.
    ///
    /// # Errors
    /// Values that do not work together.
    pub fn open(&self, entry: &GameEntry, values: &Values) -> Result<AnyGame, ParamError> {
        entry.open_to(&self.guests, values)
    }

    /// Adds a game of one type; see [`add_entry`](Self::add_entry).
    pub fn add_game<G: Configurable>(&mut self) -> &mut Self {
        self.add_entry(GameEntry::of::<G>())
    }

    /// Adds a kind of game, in place of the one of that name if there is one. Every agent of
    /// the catalogue can play it.
    pub fn add_entry(&mut self, entry: GameEntry) -> &mut Self {
        match self.games.iter_mut().find(|known| known.kind == entry.kind) {
            Some(known) => *known = entry,
            None => self.games.push(entry),
        }
        self
    }

    /// Adds an agent for every game that agon brings along; [`teach`](Self::teach) lets it play
    /// added games too.
    pub fn add_agent<A: AgentKind>(&mut self) -> &mut Self {
        self.list(A::info());
        teach_all::<A>(Arc::make_mut(&mut self.guests));
        self
    }

    /// Lets an agent play a game of another program.
    pub fn teach<A: AgentKind, G: Configurable>(&mut self) -> &mut Self {
        self.list(A::info());
        Arc::make_mut(&mut self.guests).admit(A::KIND, false, A::build::<G>);
        self
    }

    /// Adds an agent for one game only.
    pub fn add_agent_for<G: Configurable, P: Params + 'static>(
        &mut self,
        info: AgentInfo,
        build: BuildFrom<G, P>,
    ) -> &mut Self {
        Arc::make_mut(&mut self.guests).admit(info.kind, true, build);
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

/// What the registry makes of the list of games.
macro_rules! games {
    ($($first:ty $(, $other:ty)*;)+) => {
        fn games() -> Vec<GameEntry> {
            use crate::games::*;
            vec![$(GameEntry::of::<$first>()$(.or::<$other>())*),+]
        }

        /// Lets an agent play all of them.
        fn teach_all<A: AgentKind>(guests: &mut Guests) {
            use crate::games::*;
            $(
                guests.admit(A::KIND, false, A::build::<$first>);
                $(guests.admit(A::KIND, false, A::build::<$other>);)*
            )+
        }
    };
}

crate::games::all_games!(games);
