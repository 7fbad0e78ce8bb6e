//! The cost of an agent's moves: nodes, time, depth and branching.

use crate::arena::AgentTally;

/// Averages over an agent's moves; `None` if nothing was searched or measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    pub nodes_per_move: Option<f64>,
    /// Mean time per move in nanoseconds.
    pub mean_ns: Option<f64>,
    /// Median over games of the mean time per move.
    pub p50_ns: Option<u64>,
    /// 99th percentile over games of the mean time per move.
    pub p99_ns: Option<u64>,
    pub max_ns: Option<u64>,
    /// Positions searched per second of thinking time.
    pub nodes_per_second: Option<f64>,
    /// Mean completed depth in plies.
    pub mean_depth: Option<f64>,
    pub branching_factor: Option<f64>,
}

impl Cost {
    pub fn of(agent: &AgentTally) -> Cost {
        let moves = (agent.moves > 0).then_some(agent.moves as f64);
        let searched = agent.nodes > 0;
        let per_move = |sum: u64| moves.map(|moves| sum as f64 / moves);
        let nodes_per_move = per_move(agent.nodes).filter(|_| searched);
        let mean_depth = per_move(agent.depth).filter(|_| agent.depth > 0);
        Cost {
            nodes_per_move,
            mean_ns: per_move(agent.time_ns),
            p50_ns: agent.times.quantile(0.5),
            p99_ns: agent.times.quantile(0.99),
            max_ns: moves.map(|_| agent.slowest_ns),
            nodes_per_second: (searched && agent.time_ns > 0)
                .then(|| agent.nodes as f64 * 1e9 / agent.time_ns as f64),
            mean_depth,
            branching_factor: nodes_per_move
                .zip(mean_depth)
                .and_then(|(nodes, depth)| effective_branching(nodes, depth)),
        }
    }
}

/// The branching factor of a uniform tree with this depth and this number of nodes: the `b` with
/// `1 + b + … + b^depth = nodes`. For fractional mean depths the sum is
/// `(b^(depth+1) − 1) / (b − 1)` (Russell and Norvig, "Artificial Intelligence: A Modern Approach",
/// section on heuristic accuracy).
fn effective_branching(nodes: f64, depth: f64) -> Option<f64> {
    let tree = |b: f64| {
        if (b - 1.0).abs() < 1e-9 { depth + 1.0 } else { (b.powf(depth + 1.0) - 1.0) / (b - 1.0) }
    };
    if depth < 1.0 || nodes < tree(1.0) {
        return None;
    }
    let (mut low, mut high) = (1.0, nodes.max(2.0));
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if tree(middle) < nodes { low = middle } else { high = middle }
    }
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branching_of_uniform_trees_is_recovered() {
        for (b, depth, nodes) in [(7.0, 2, 57.0), (2.0, 3, 15.0), (1.0, 4, 5.0)] {
            let found: f64 = effective_branching(nodes, f64::from(depth)).expect("a tree");
            assert!((found - b).abs() < 1e-6, "{found} is not {b}");
        }
        assert_eq!(effective_branching(1.0, 3.0), None);
        assert_eq!(effective_branching(100.0, 0.0), None);
    }

    #[test]
    fn an_agent_that_never_moved_costs_nothing_known() {
        let cost = Cost::of(&AgentTally::default());
        assert_eq!(cost.mean_ns, None);
        assert_eq!(cost.nodes_per_second, None);
        assert_eq!(cost.max_ns, None);
    }
}
