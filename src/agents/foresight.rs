//! What can be told of an agent by its settings, before it is built.

use super::catalogue::catalogue;
use super::{directional, engine};
use crate::games::Player;
use crate::params::{Spec, Value, Values};

/// The side that an agent is for, where the roles of its game differ and it can play one of
/// them only, with its kind; of an agent inside another it is that.
pub fn side_of(spec: &Spec) -> Option<(&str, Player)> {
    if spec.kind == directional::info().kind {
        return Some((&spec.kind, Player::Second));
    }
    inner(spec).find_map(side_of)
}

/// Bytes that one instance takes for tables and trees, agents inside it included: all that
/// parameters whose names end in `_mb` ask for (2^20 bytes each).
pub fn memory(spec: &Spec) -> u64 {
    let values = filled(spec);
    let own = values.0.keys().filter(|key| key.ends_with("_mb"));
    let own: u64 = own.filter_map(|key| u64::try_from(values.int(key)?).ok()).sum();
    (own << 20) + inner(spec).map(memory).sum::<u64>()
}

/// Programs from outside that one instance starts, those of agents inside it included.
pub fn engines(spec: &Spec) -> u64 {
    u64::from(spec.kind == engine::info().kind) + inner(spec).map(engines).sum::<u64>()
}

/// The keys of the memory that [`memory`] counts, of the agent itself.
pub fn memory_key(spec: &Spec) -> Option<&str> {
    let info = catalogue().into_iter().find(|info| info.kind == spec.kind);
    let mut known = info.iter().flat_map(|info| &info.params).map(|param| param.key);
    let given = || spec.values.0.keys().map(String::as_str).find(|key| key.ends_with("_mb"));
    known.find(|key| key.ends_with("_mb")).or_else(given)
}

/// Games that the agent, or one inside it, may lose by faults in a row before the run is
/// given up; 0 where there is no bound.
pub fn max_faults(spec: &Spec) -> u64 {
    let own = filled(spec).int("max_faults").and_then(|most| u64::try_from(most).ok());
    own.unwrap_or_else(|| inner(spec).map(max_faults).max().unwrap_or(0))
}

/// Whether the agent, or one inside it, may play other moves when a game is played again without
/// drawing a random number that agon knows of: a program from outside, or a look at the time.
pub fn may_vary(spec: &Spec) -> bool {
    let timed = ["movetime", "clock"].iter().any(|key| spec.values.get(key).is_some());
    timed || spec.kind == engine::info().kind || inner(spec).any(may_vary)
}

/// What a program from outside is told to spend on one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Positions.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u64>,
    /// Milliseconds.
    pub movetime: Option<u64>,
}

/// The budget of an agent that is a program from outside: whether it keeps it shows in its
/// games. `None` for agents of our own.
pub fn engine_budget(spec: &Spec) -> Option<Budget> {
    let whole = |key| spec.values.int(key).and_then(|value| u64::try_from(value).ok());
    (spec.kind == engine::info().kind).then(|| Budget {
        nodes: whole("nodes"),
        depth: whole("depth"),
        movetime: whole("movetime"),
    })
}

/// The values of an agent of the catalogue with its defaults.
fn filled(spec: &Spec) -> Values {
    let info = catalogue().into_iter().find(|info| info.kind == spec.kind);
    spec.values.filled(info.as_ref().map_or(&[], |info| &info.params))
}

/// The agents inside an agent.
fn inner(spec: &Spec) -> impl Iterator<Item = &Spec> {
    spec.values.0.values().filter_map(|value| match value {
        Value::Spec(spec) => Some(&**spec),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(kind: &str, values: &[(&str, Value)]) -> Spec {
        let mut spec = Spec { kind: kind.to_owned(), ..Spec::default() };
        values.iter().for_each(|(key, value)| spec.values.set(key, value.clone()));
        spec
    }

    fn noisy(agent: Spec) -> Spec {
        spec("noisy", &[("agent", Value::Spec(Box::new(agent)))])
    }

    #[test]
    fn memory_is_what_parameters_ask_for() {
        let of = |kind, mb: &[(&str, Value)]| memory(&spec(kind, mb)) >> 20;
        assert_eq!(of("random", &[]), 0);
        assert_eq!(of("mcts", &[]), 64);
        assert_eq!(of("mcts", &[("tree_mb", Value::Int(65_536))]), 65_536);
        assert_eq!((of("alphabeta", &[]), of("expectimax", &[])), (16, 0));
        let inside = spec("expectimax", &[("table_mb", Value::Int(3))]);
        assert_eq!(memory(&noisy(noisy(inside))), 3 << 20);
        assert_eq!(memory_key(&spec("mcts", &[])), Some("tree_mb"));
        assert_eq!(memory_key(&spec("random", &[])), None);
        let guest = spec("guest", &[("book_mb", Value::Int(5)), ("depth", Value::Int(7))]);
        assert_eq!((memory(&guest) >> 20, memory_key(&guest)), (5, Some("book_mb")));
    }

    #[test]
    fn programs_from_outside_and_looks_at_the_time_may_vary() {
        assert!(!may_vary(&noisy(spec("alphabeta", &[("depth", Value::Int(3))]))));
        assert!(may_vary(&noisy(spec("alphabeta", &[("movetime", Value::Int(3))]))));
        assert!(may_vary(&spec("mcts", &[("movetime", Value::Int(3))])));
        assert!(may_vary(&spec("engine", &[("nodes", Value::Int(3))])));
    }

    #[test]
    fn engines_count_inside_others_too() {
        assert_eq!(engines(&spec("random", &[])), 0);
        assert_eq!(engines(&noisy(noisy(spec("engine", &[])))), 1);
    }

    #[test]
    fn ghosts_play_second_also_inside_others() {
        let ghosts = spec("directional", &[]);
        assert_eq!(side_of(&ghosts), Some(("directional", Player::Second)));
        assert_eq!(side_of(&noisy(ghosts.clone())), side_of(&ghosts));
        assert_eq!(side_of(&noisy(spec("random", &[]))), None);
    }
}
