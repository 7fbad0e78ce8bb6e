//! What can be configured: every game and every agent, one line each.

use std::path::Path;
use std::sync::Arc;

use super::field::{Typed, World};
use crate::agents::AgentInfo;
use crate::games::Configurable;
use crate::params::{Param, ParamError, Values};

type Open = dyn Fn(&Values) -> Option<Result<Arc<dyn World>, ParamError>> + Send + Sync;

/// A kind of game.
pub struct GameEntry {
    /// The word in `kind = "…"`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// What `[game]` takes.
    pub params: Vec<Param>,
    /// Takes files in.
    embed: fn(&mut Values, &Path) -> Result<(), ParamError>,
    /// Types that serve the kind, tried in order.
    types: Vec<Box<Open>>,
}

impl GameEntry {
    /// The entry of one type.
    pub fn of<G: Configurable>() -> Self {
        let entry = GameEntry {
            kind: G::KIND,
            summary: G::SUMMARY,
            params: G::params(),
            embed: G::embed,
            types: Vec::new(),
        };
        entry.or::<G>()
    }

    /// Adds a type that serves the values which the earlier ones do not fit.
    pub fn or<G: Configurable>(mut self) -> Self {
        self.types.push(Box::new(|values| {
            G::fits(values).then(|| {
                G::build(values).map(|game| Arc::new(Typed(Arc::new(game))) as Arc<dyn World>)
            })
        }));
        self
    }

    /// Takes the content of files into the values in place of their paths, which are seen
    /// from `folder`.
    ///
    /// # Errors
    /// A file that cannot be read, or not as this game.
    pub fn embed(&self, values: &mut Values, folder: &Path) -> Result<(), ParamError> {
        (self.embed)(values, folder)
    }

    /// Builds the game.
    ///
    /// # Errors
    /// Values that do not work together.
    pub fn open(&self, values: &Values) -> Result<Arc<dyn World>, ParamError> {
        self.types.iter().find_map(|open| open(values)).unwrap_or_else(|| {
            Err(ParamError::new(format!("no `{}` of this size", self.kind), "make it smaller"))
        })
    }
}

/// Everything that a config can name.
pub struct Registry {
    /// Games, in the order in which they are listed.
    pub games: Vec<GameEntry>,
    /// Agents, in the order in which they are listed.
    pub agents: Vec<AgentInfo>,
}

impl Registry {
    /// What agon brings along.
    pub fn builtin() -> Self {
        Registry { games: games(), agents: crate::agents::catalogue() }
    }

    /// The game of a kind.
    pub fn game(&self, kind: &str) -> Option<&GameEntry> {
        self.games.iter().find(|entry| entry.kind == kind)
    }

    /// The agent of a kind.
    pub fn agent(&self, kind: &str) -> Option<&AgentInfo> {
        self.agents.iter().find(|entry| entry.kind == kind)
    }
}

/// The games: one line each.
fn games() -> Vec<GameEntry> {
    use crate::games::*;
    vec![
        GameEntry::of::<TicTacToe>(),
        GameEntry::of::<Mnk<1>>().or::<Mnk<2>>().or::<Mnk<6>>(),
        GameEntry::of::<Connect4Standard>().or::<Connect4>(),
        GameEntry::of::<Chess>(),
        GameEntry::of::<Pig>(),
        GameEntry::of::<Einstein>(),
        GameEntry::of::<Pacman>(),
        GameEntry::of::<Tree>(),
    ]
}
