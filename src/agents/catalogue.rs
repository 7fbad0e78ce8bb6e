//! The agents on offer: what they take, and how they are built.

use std::any::Any;

use super::agent::{Agent, AgentInfo, BuildInner};
use super::{
    alphabeta, directional, engine, expectimax, hold, mcts, minimax, noisy, optimal, perfect,
    random,
};
use crate::games::Configurable;
use crate::params::{ParamError, Params, Spec};
use crate::sorting;
use crate::suggest::did_you_mean;

/// The register: one line per agent, in the order in which they are listed, those for any
/// game first, those that have another agent inside marked as `around`, then those for one
/// game.
macro_rules! agents {
    ($($module:ident),+; around $outer:ident; $($more:ident),+; $($game:ident: $($only:ident),+;)*) => {
        /// All agents with their parameters.
        pub fn catalogue() -> Vec<AgentInfo> {
            vec![$($module::info(),)+ $outer::info(), $($more::info(),)+ $($($only::info(),)+)*]
        }

        /// The game that an agent is for, where it is for one only.
        pub fn game_of(agent: &str) -> Option<&'static str> {
            match agent {
                $($($only::KIND => Some(crate::games::$game::KIND),)+)*
                _ => None,
            }
        }

        /// Builds a player of the game. Every worker builds its own; it is also the check
        /// of a spec when the config is read, so nothing large is allocated here.
        ///
        /// # Errors
        /// An unknown kind, an agent that cannot play this game, and values that do not
        /// work together, with the key and the remedy.
        pub fn build<G: Configurable>(
            game: &G,
            spec: &Spec,
        ) -> Result<Box<dyn Agent<G>>, ParamError> {
            build_around(game, spec, &|inner| build(game, inner))
        }

        /// The same, where `inner` builds the agent inside another.
        pub(super) fn build_around<G: Configurable>(
            game: &G,
            spec: &Spec,
            inner: BuildInner<G>,
        ) -> Result<Box<dyn Agent<G>>, ParamError> {
            let values = &spec.values;
            match spec.kind.as_str() {
                $($module::KIND => $module::build(game, Params::read(values)?),)+
                $outer::KIND => $outer::build(game, Params::read(values)?, inner),
                $($more::KIND => $more::build(game, Params::read(values)?),)+
                $($($only::KIND => {
                    let game = only::<crate::games::$game, G>(game, $only::KIND)?;
                    same_game($only::build(game, Params::read(values)?)?)
                })+)*
                kind => Err(unknown(kind)),
            }
        }
    };
}

agents! {
    random,
    minimax,
    alphabeta,
    expectimax,
    mcts;
    around noisy;
    perfect, engine;
    Pig: hold, optimal;
    Pacman: directional;
}

/// The game as one of the type `H`, for which an agent of that kind is.
fn only<'g, H: Configurable, G: Configurable>(
    game: &'g G,
    kind: &str,
) -> Result<&'g H, ParamError> {
    (game as &dyn Any).downcast_ref::<H>().ok_or_else(|| {
        let message = format!("`{kind}` plays {} only, not {}", H::KIND, G::KIND);
        let remedy = format!("use another agent, or `kind = \"{}\"` in `[game]`", H::KIND);
        ParamError::at("kind", message, remedy)
    })
}

/// An agent of a game that has been found to be the game `G`.
fn same_game<H: Configurable, G: Configurable>(
    agent: Box<dyn Agent<H>>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    let agent: Box<dyn Any> = Box::new(agent);
    let agent = agent.downcast::<Box<dyn Agent<G>>>();
    Ok(*agent.unwrap_or_else(|_| unreachable!("an agent of another game")))
}

/// The error of a kind that nobody has registered, with the nearest that exist.
fn unknown(kind: &str) -> ParamError {
    let agents = catalogue();
    let mut kinds: Vec<&str> = agents.iter().map(|info| info.kind).collect();
    sorting::by(&mut kinds, Ord::cmp);
    ParamError::at("kind", format!("there is no agent `{kind}`"), did_you_mean(kind, &kinds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_kinds_name_a_remedy() {
        assert_eq!(unknown("alfabeta").remedy, "did you mean `alphabeta`?");
        assert!(unknown("zzz").remedy.starts_with("use one of `alphabeta`, "));
    }

    #[test]
    fn keys_are_told_apart() {
        for info in catalogue() {
            let mut keys: Vec<_> = info.params.iter().map(|p| p.key).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), info.params.len(), "{}", info.kind);
            assert!(!keys.contains(&"kind") && !keys.contains(&"name"), "{}", info.kind);
        }
    }
}
