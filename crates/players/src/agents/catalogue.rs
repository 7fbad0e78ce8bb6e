//! The built-in agents: their parameters, and how to build them.

use std::any::Any;

use super::agent_trait::{Agent, AgentInfo, BuildInner};
use super::search_params::GameFacts;
use crate::games::Configurable;
use crate::params::{ParamError, Params, Spec};
use crate::util::did_you_mean::did_you_mean;

/// The catalogue: one line per agent, in the order of `agon list`. First come agents for all games;
/// agents for one game follow.
macro_rules! agents {
    ($($module:ident),+; $($game:ident: $($only:ident),+;)*) => {
        /// All agents with their parameters.
        pub fn catalogue() -> Vec<AgentInfo> {
            vec![$(super::$module::info(),)+ $($(super::$only::info(),)+)*]
        }

        /// The only game of an agent, if the agent supports only one.
        pub fn game_of(agent: &str) -> Option<&'static str> {
            match agent {
                $($(super::$only::KIND => Some(crate::games::$game::KIND),)+)*
                _ => None,
            }
        }

        /// An agent whose parameters were read and checked.
        #[allow(non_camel_case_types, reason = "a variant has the name of the agent's module")]
        enum Plan {
            $($module(super::$module::Plan),)+
            /// The agent of only one game is already built.
            for_one_game,
        }

        /// Reads and checks the parameters of an agent for `game`. For a game of the type `H`, `own`
        /// is an `Option<Box<dyn Agent<H>>>`; it receives an agent that supports only this game.
        fn plan(
            spec: &Spec,
            facts: &GameFacts,
            game: &dyn Any,
            own: &mut dyn Any,
        ) -> Result<Plan, ParamError> {
            match spec.kind.as_str() {
                $(super::$module::KIND => super::$module::plan(&spec.values, facts).map(Plan::$module),)+
                $($(super::$only::KIND => match (game.downcast_ref::<crate::games::$game>(), own.downcast_mut()) {
                    (Some(game), Some(own)) => {
                        *own = Some(super::$only::build(game, Params::read(&spec.values)?)?);
                        Ok(Plan::for_one_game)
                    }
                    _ => Err(wrong_game(super::$only::KIND, crate::games::$game::KIND, facts.kind)),
                })+)*
                kind => Err(unknown(kind)),
            }
        }

        /// Builds the agent; `inner` builds the inner agent of a wrapping agent.
        pub(super) fn build_around<G: Configurable>(
            game: &G,
            spec: &Spec,
            inner: BuildInner<G>,
        ) -> Result<Box<dyn Agent<G>>, ParamError> {
            let mut own = None;
            match &plan(spec, &GameFacts::of(game), game, &mut own)? {
                $(Plan::$module(plan) => super::$module::build(game, plan, inner),)+
                Plan::for_one_game => Ok(own.expect("the agent was built")),
            }
        }
    };
}

agents! {
    random,
    minimax,
    alphabeta,
    expectimax,
    mcts,
    noisy,
    perfect,
    engine;
    Pig: pig_hold, pig_optimal;
    Pacman: pacman_directional;
}

/// Builds an agent for the game. Each worker builds its own. The config reader also calls this
/// function to check a spec, so it allocates nothing large.
///
/// # Errors
/// An unknown kind, an agent that does not support this game, or values that do not work together.
/// The error contains the key and help.
pub fn build<G: Configurable>(game: &G, spec: &Spec) -> Result<Box<dyn Agent<G>>, ParamError> {
    build_around(game, spec, &|inner| build(game, inner))
}

/// The error for an agent whose only game is another one.
fn wrong_game(agent: &str, its_game: &str, game: &str) -> ParamError {
    let message = format!("`{agent}` plays {its_game} only, not {game}");
    let help = format!("use another agent, or `kind = \"{its_game}\"` in `[game]`");
    ParamError::at("kind", message, help)
}

/// The error for an unknown kind, with similar names.
fn unknown(kind: &str) -> ParamError {
    let agents = catalogue();
    let mut kinds: Vec<&str> = agents.iter().map(|info| info.kind).collect();
    kinds.sort();
    ParamError::at("kind", format!("there is no agent `{kind}`"), did_you_mean(kind, &kinds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_kinds_have_help() {
        assert_eq!(unknown("alfabeta").help, "did you mean `alphabeta`?");
        assert!(unknown("zzz").help.starts_with("use one of `alphabeta`, "));
    }

    #[test]
    fn keys_are_unique() {
        for info in catalogue() {
            let mut keys: Vec<_> = info.params.iter().map(|p| p.key).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), info.params.len(), "{}", info.kind);
            assert!(!keys.contains(&"kind") && !keys.contains(&"name"), "{}", info.kind);
        }
    }
}
