//! The requirements of an agent, read from its spec before the agent is built.

use super::agent_trait::AgentInfo;
use super::{engine, mcts, pacman_directional, perfect};
use crate::games::Player;
use crate::params::{Default as Standard, Role, Spec, Value};

/// The requirements of an agent, including its inner agents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requirements {
    /// The agent kind and its side, if the kind supports only one side of an asymmetric game.
    pub side: Option<(String, Player)>,
    /// Bytes of tables and trees of one instance.
    pub memory: u64,
    /// The config key of the agent's own memory.
    pub memory_key: Option<&'static str>,
    /// External programs that one instance starts.
    pub engines: u64,
    /// Consecutive games that the agent may forfeit before the run ends; 0: no limit.
    pub max_consecutive_forfeits: u64,
    /// Whether the agent has a time limit.
    pub is_timed: bool,
    /// The config keys that limit the agent's work for a move, such as `agent.depth`.
    pub budget_keys: Vec<String>,
    /// The budget of an external engine. The record of its games shows whether the engine respects
    /// it.
    pub budget: Option<SearchBudget>,
}

/// The budget of an external engine for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchBudget {
    /// Positions.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u32>,
    /// Milliseconds.
    pub movetime: Option<u64>,
}

/// Whether the values of this agent, or of the agent inside it, are expected results from -1 to 1.
pub fn reports_results(spec: &Spec) -> bool {
    let is_inside = |value: &Value| matches!(value, Value::Spec(inner) if reports_results(inner));
    [mcts::KIND, perfect::KIND].contains(&spec.kind.as_str())
        || spec.values.0.values().any(is_inside)
}

/// An expected result in hundredths of a pawn, by the formula of Leela Chess Zero (`centipawn`).
pub fn result_in_hundredths(result: f64) -> f64 {
    90.0 * (1.563_754_189_7 * result.clamp(-1.0, 1.0)).tan()
}

impl Requirements {
    /// The requirements of a spec; `agents` are the known agent kinds.
    pub fn of(spec: &Spec, agents: &[AgentInfo]) -> Self {
        let mut all = Requirements::default();
        if spec.kind == pacman_directional::KIND {
            all.side = Some((spec.kind.clone(), Player::Second));
        }
        let player = engine::PlayerCommand::of(spec);
        all.engines = u64::from(spec.kind == engine::KIND || player.is_some());
        if let Some(player) = player {
            all.max_consecutive_forfeits = player.max_consecutive_forfeits;
        }
        if let Some(engine) = engine::params_of(spec) {
            let engine::EngineParams { nodes, depth, movetime, max_consecutive_forfeits, .. } =
                engine;
            all.budget = Some(SearchBudget { nodes, depth, movetime });
            all.max_consecutive_forfeits = max_consecutive_forfeits;
        }
        let info = agents.iter().find(|info| info.kind == spec.kind);
        for param in info.iter().flat_map(|info| &info.params) {
            let given = spec.values.get(param.key);
            let default = match &param.default {
                Standard::Is(value) => Some(value),
                _ => None,
            };
            match (param.role, given.or(default)) {
                (Role::Memory, value) => {
                    all.memory_key.get_or_insert(param.key);
                    if let Some(&Value::Int(megabytes)) = value {
                        all.memory += u64::try_from(megabytes).unwrap_or(0) << 20;
                    }
                }
                (Role::Work | Role::Time, value) => {
                    all.is_timed |= param.role == Role::Time && value.is_some();
                    all.budget_keys.push(param.key.to_owned());
                }
                (Role::Setting, Some(Value::Spec(inner))) => {
                    all.include(param.key, Requirements::of(inner, agents));
                }
                (Role::Setting, _) => {}
            }
        }
        all
    }

    fn include(&mut self, key: &str, inner: Requirements) {
        self.side = self.side.take().or(inner.side);
        self.memory += inner.memory;
        self.engines += inner.engines;
        self.max_consecutive_forfeits =
            self.max_consecutive_forfeits.max(inner.max_consecutive_forfeits);
        self.is_timed |= inner.is_timed;
        self.budget_keys.extend(inner.budget_keys.iter().map(|inner| format!("{key}.{inner}")));
    }

    /// Whether the agent may play different moves in a repeated game without drawing one of agon's
    /// random numbers. This is true for external engines and for agents with a time limit.
    pub fn may_vary(&self) -> bool {
        self.is_timed || self.engines > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::catalogue;
    use crate::params::megabytes;

    fn spec(kind: &str, values: &[(&str, Value)]) -> Spec {
        let mut spec = Spec { kind: kind.to_owned(), ..Spec::default() };
        values.iter().for_each(|(key, value)| spec.values.set(key, value.clone()));
        spec
    }

    fn noisy(agent: Spec) -> Spec {
        spec("noisy", &[("agent", Value::Spec(Box::new(agent)))])
    }

    crate::params! {
        struct GuestParams {
            /// megabytes of the book
            book: u32 [megabytes(0..=9)] = 5,
            /// no memory
            depth_mb: u32 [0..=9] = 7,
        }
    }

    fn of(spec: &Spec) -> Requirements {
        let mut agents = catalogue();
        agents.push(AgentInfo::of::<GuestParams>("guest", "", ""));
        Requirements::of(spec, &agents)
    }

    #[test]
    fn memory_is_what_parameters_ask_for() {
        let mb = |kind, mb: &[(&str, Value)]| of(&spec(kind, mb)).memory >> 20;
        assert_eq!(mb("random", &[]), 0);
        assert_eq!(mb("mcts", &[]), 64);
        assert_eq!(mb("mcts", &[("tree_mb", Value::Int(65_536))]), 65_536);
        assert_eq!((mb("alphabeta", &[]), mb("expectimax", &[])), (16, 0));
        let inside = spec("expectimax", &[("table_mb", Value::Int(3))]);
        assert_eq!(of(&noisy(noisy(inside))).memory, 3 << 20);
        assert_eq!(of(&spec("mcts", &[])).memory_key, Some("tree_mb"));
        assert_eq!(of(&spec("random", &[])).memory_key, None);
        let guest = of(&spec("guest", &[]));
        assert_eq!((guest.memory >> 20, guest.memory_key), (5, Some("book")));
    }

    #[test]
    fn programs_from_outside_and_looks_at_the_time_may_vary() {
        let may_vary = |spec: Spec| of(&spec).may_vary();
        assert!(!may_vary(noisy(spec("alphabeta", &[("depth", Value::Int(3))]))));
        assert!(may_vary(noisy(spec("alphabeta", &[("movetime", Value::Int(3))]))));
        assert!(may_vary(spec("mcts", &[("movetime", Value::Int(3))])));
        assert!(may_vary(spec("engine", &[("nodes", Value::Int(3))])));
    }

    #[test]
    fn budgets_are_known_inside_others_too() {
        assert_eq!(of(&spec("mcts", &[])).budget_keys, ["simulations", "nodes", "movetime"]);
        let inside = of(&noisy(spec("engine", &[]))).budget_keys;
        assert_eq!(
            inside,
            ["nodes", "depth", "movetime", "clock"].map(|key| format!("agent.{key}"))
        );
    }

    #[test]
    fn engines_count_inside_others_too() {
        assert_eq!(of(&spec("random", &[])).engines, 0);
        assert_eq!(of(&noisy(noisy(spec("engine", &[])))).engines, 1);
    }

    #[test]
    fn ghosts_play_second_also_inside_others() {
        let ghosts = spec("directional", &[]);
        assert_eq!(of(&ghosts).side, Some(("directional".to_owned(), Player::Second)));
        assert_eq!(of(&noisy(ghosts.clone())).side, of(&ghosts).side);
        assert_eq!(of(&noisy(spec("random", &[]))).side, None);
    }
}
