//! The agents on offer: what they take, and how they are built.

use super::agent::Agent;
use super::{alphabeta, expectimax, mcts, minimax, noisy, random};
use crate::games::Configurable;
use crate::params::{Param, ParamError, Spec};

/// What `agon list`, the config and the schema know of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentInfo {
    /// The word in `kind = "…"`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// Its parameters besides `name` and `kind`.
    pub params: Vec<Param>,
    /// The lines of TOML that make one.
    pub example: &'static str,
}

/// The register: one line per agent, in the order in which they are listed.
macro_rules! agents {
    ($($module:ident,)*) => {
        /// All agents with their parameters.
        pub fn catalogue() -> Vec<AgentInfo> {
            vec![$($module::info()),*]
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
            $(if spec.kind == $module::info().kind {
                return $module::build(game, &spec.values);
            })*
            Err(unknown(&spec.kind))
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
}

/// The error of a kind that nobody has registered, with the nearest that exist.
fn unknown(kind: &str) -> ParamError {
    let agents = catalogue();
    let mut kinds: Vec<&str> = agents.iter().map(|info| info.kind).collect();
    let near = kinds
        .iter()
        .copied()
        .max_by(|a, b| strsim::jaro_winkler(kind, a).total_cmp(&strsim::jaro_winkler(kind, b)));
    let remedy = match near {
        Some(near) if strsim::jaro_winkler(kind, near) > 0.7 => format!("did you mean `{near}`?"),
        _ => {
            kinds.sort_unstable();
            format!("one of {}", kinds.join(", "))
        }
    };
    ParamError::at("kind", format!("there is no agent `{kind}`"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_kinds_name_a_remedy() {
        assert_eq!(unknown("alfabeta").remedy, "did you mean `alphabeta`?");
        assert!(unknown("zzz").remedy.starts_with("one of alphabeta, "));
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
