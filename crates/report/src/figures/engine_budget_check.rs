//! Whether engines keep their search budgets. Some popular engines silently ignore a node limit.

use crate::RunContext;
use crate::agents::SearchBudget;
use crate::arena::{AgentTally, Tally};
use crate::text::number_format::{grouped, time};

/// Positions that an engine may search beyond its limit: many engines check the limit only now and
/// then.
const SLACK: f64 = 5_000.0;

/// One sentence for each agent that exceeds its budget, or does not report what it searched.
pub(crate) fn remarks(tally: &Tally, context: &RunContext) -> Vec<String> {
    let agents = tally.names.iter().zip(&tally.agents).zip(&context.budgets);
    agents
        .filter(|((_, agent), _)| agent.moves > 0)
        .flat_map(|((name, agent), budget)| budget.map_or_else(Vec::new, |b| of(name, agent, b)))
        .collect()
}

fn of(name: &str, agent: &AgentTally, budget: SearchBudget) -> Vec<String> {
    let per_move = |sum: u64| sum as f64 / agent.moves as f64;
    let (nodes, depth) = (per_move(agent.nodes), per_move(agent.depth));
    let mut found = Vec::new();
    if let Some(asked) = budget.nodes {
        if agent.nodes == 0 {
            found.push(format!(
                "{name} does not report how many nodes it searches, so agon cannot check \
                 `nodes = {asked}`"
            ));
        } else if nodes > 1.1 * asked as f64 + SLACK {
            found.push(format!(
                "{name} exceeds `nodes = {asked}`: it searched {} nodes a move on average",
                grouped(nodes.round() as u64)
            ));
        }
    }
    if let Some(asked) = budget.depth.filter(|&asked| depth > asked as f64 + 0.5) {
        found.push(format!(
            "{name} exceeds `depth = {asked}`: it reached depth {depth:.1} on average"
        ));
    }
    let mean = per_move(agent.time_ns);
    if let Some(asked) = budget.movetime.filter(|&asked| mean > asked as f64 * 1e6) {
        found.push(format!(
            "{name} exceeds `movetime = {asked}`: it took {} a move on average",
            time(Some(mean))
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(budget: SearchBudget, nodes: u64, depth: u64, time_ns: u64) -> String {
        let mut agent = AgentTally::default();
        (agent.moves, agent.nodes, agent.depth, agent.time_ns) = (10, nodes, depth, time_ns);
        of("sf", &agent, budget).join("; ")
    }

    #[test]
    fn exceeded_budgets_are_reported() {
        let nodes = SearchBudget { nodes: Some(1_000), ..SearchBudget::default() };
        assert_eq!(remark(nodes, 10 * 6_000, 0, 0), "");
        assert_eq!(
            remark(nodes, 10 * 250_000, 0, 0),
            "sf exceeds `nodes = 1000`: it searched 250 000 nodes a move on average"
        );
        assert!(remark(nodes, 0, 0, 0).contains("does not report how many nodes"));
        let depth = SearchBudget { depth: Some(6), ..SearchBudget::default() };
        assert_eq!(remark(depth, 0, 60, 0), "");
        assert!(remark(depth, 0, 80, 0).ends_with("it reached depth 8.0 on average"));
        let movetime = SearchBudget { movetime: Some(10), ..SearchBudget::default() };
        assert_eq!(remark(movetime, 0, 0, 100_000_000), "");
        assert!(remark(movetime, 0, 0, 150_000_000).contains("it took 15.0 ms a move"));
    }
}
