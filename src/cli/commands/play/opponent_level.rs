//! How strong the opponent is, from 1 to 10.

use crate::cli::failure::Failure;
use crate::config;
use crate::params::Spec;
use crate::play::{AnyGame, Registry};

/// The searches of the levels: the first one that can play the game is used.
const SEARCHES: [&str; 2] = ["alphabeta", "expectimax"];

/// The agents of the levels. `SEARCH` is the search.
const LEVELS: [&str; 10] = [
    "random",
    "noisy:agent=(SEARCH:depth=1,ties=random),epsilon=0.4",
    "SEARCH:depth=1,ties=random",
    "SEARCH:depth=2,ties=random",
    "SEARCH:depth=3,ties=random",
    "SEARCH:depth=4,ties=random",
    "SEARCH:depth=6,ties=random",
    "SEARCH:nodes=20000",
    "SEARCH:nodes=200000",
    "SEARCH:nodes=2000000",
];

/// The highest level that is weaker than the default opponent.
pub const WEAK: u8 = 7;

/// The agent of a level for this game.
///
/// # Errors
/// A game that no search can play.
pub fn opponent(level: u8, any_game: &AnyGame, registry: &Registry) -> Result<Spec, Failure> {
    let agent = LEVELS[usize::from(level.clamp(1, 10)) - 1];
    let read = |search: &&str| {
        let spec = agent.replace("SEARCH", search);
        config::parse_agent_spec(&spec, "--level", any_game, registry).ok()
    };
    SEARCHES.iter().find_map(read).ok_or_else(|| {
        let help = "`--agent SPEC` names another opponent";
        Failure::usage(format!("no opponent of level {level} plays this game"), help)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::GameEntry;

    #[test]
    fn every_game_has_every_level() {
        let registry = Registry::builtin();
        let played = |entry: &&GameEntry| entry.kind != "tree" && entry.has_defaults();
        for entry in registry.games.iter().filter(played) {
            let (_, any_game) =
                config::parse_game_spec(entry.kind, "", &registry).expect("the game");
            for level in 1..=10 {
                opponent(level, &any_game, &registry).expect(entry.kind);
            }
        }
    }
}
