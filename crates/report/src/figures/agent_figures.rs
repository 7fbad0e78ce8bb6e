//! The figures of an agent: its results against other agents, its rating and the cost of its moves.

use super::figure_list::FigureFormat::{Count, Decimals, Percent, Short, Text, Time};
use super::figure_list::FigureList;
use super::move_cost::Cost;
use super::ranking;
use super::run_results::Results;
use crate::arena::AgentTally;
use crate::stats::Trinomial;
use crate::stats::ratings::Standing;
use crate::text::number_format::{NONE, fixed};
use crate::text::text_table::TextTable;

/// An agent of a run.
pub struct AgentFigures<'a> {
    results: &'a Results,
    agent: usize,
    /// Its place in the rating list, if it met another agent.
    standing: Option<&'a Standing>,
    /// Its games against other agents.
    games: Trinomial,
    /// All its games count for the cost of its moves.
    cost: Cost,
}

impl<'a> AgentFigures<'a> {
    pub fn new(results: &'a Results, agent: usize) -> Self {
        let standing = results.ranking.standing(agent).filter(|standing| standing.games > 0);
        let games = ranking::results(&results.tally, agent);
        let cost = Cost::of(&results.tally.agents[agent]);
        AgentFigures { results, agent, standing, games, cost }
    }

    /// The mean depth with one decimal, where there is little room.
    pub fn depth_in_brief(&self) -> String {
        self.cost.mean_depth.map_or(NONE.to_owned(), |depth| fixed(depth, 1))
    }

    fn name(&self) -> &str {
        &self.results.tally.names[self.agent]
    }

    fn kind(&self) -> &str {
        self.results.context.kinds.get(self.agent).map_or("", String::as_str)
    }

    fn tally(&self) -> &AgentTally {
        &self.results.tally.agents[self.agent]
    }

    /// The rating and its interval, unless they are withheld.
    fn elo(&self) -> [Option<f64>; 3] {
        self.standing.map_or([None; 3], |standing| self.results.ranking.numbers(standing))
    }

    /// The opponent that a bound of the rating comes from.
    fn elo_against(&self) -> &str {
        let ranking = &self.results.ranking;
        self.standing
            .filter(|standing| !ranking.exact && !ranking.withheld(standing))
            .and_then(|standing| standing.against)
            .map_or("", |opponent| &self.results.tally.names[opponent])
    }
}

/// The figures of every agent, in the order of `agents.csv`.
pub fn agent_figures<'a>() -> FigureList<AgentFigures<'a>> {
    FigureList::<AgentFigures<'a>>::new()
        .with("agent", "agent", Text, |row| row.name().into())
        .with("kind", "", Text, |row| row.kind().into())
        .with("games", "games", Count, |row| row.games.n().into())
        .with("wins", "wins", Count, |row| row.games.wins().into())
        .with("draws", "draws", Count, |row| row.games.draws().into())
        .with("losses", "losses", Count, |row| row.games.losses().into())
        .with("score", "score %", Percent, |row| row.standing.and_then(|s| s.score).into())
        .with("elo", "", Decimals(0), |row| row.elo()[0].into())
        .with("elo_low", "", Decimals(0), |row| row.elo()[1].into())
        .with("elo_high", "", Decimals(0), |row| row.elo()[2].into())
        .with("moves", "moves", Count, |row| row.tally().moves.into())
        .with("nodes", "", Count, |row| row.tally().nodes.into())
        .with("nodes_per_move", "nodes/move", Short, |row| row.cost.nodes_per_move.into())
        .with("time_per_move_ns_mean", "time/move", Time, |row| row.cost.mean_ns.into())
        .with("time_per_move_ns_p50", "p50", Time, |row| row.cost.p50_ns.into())
        .with("time_per_move_ns_p99", "p99", Time, |row| row.cost.p99_ns.into())
        .with("time_per_move_ns_max", "max", Time, |row| row.cost.max_ns.into())
        .with("nodes_per_second", "nodes/s", Short, |row| row.cost.nodes_per_second.into())
        .with("mean_depth", "depth", Decimals(2), |row| row.cost.mean_depth.into())
        .with("branching_factor", "branching", Decimals(2), |row| row.cost.branching_factor.into())
        .with("faults", "forfeits", Count, |row| row.tally().faults().into())
        .with("group", "", Count, |row| row.standing.map(|s| s.component as u64 + 1).into())
        .with("elo_against", "", Text, |row| row.elo_against().into())
}

/// Whether the moves of the games are known. Tables of other programs do not say what a move costs.
pub fn has_moves(results: &Results) -> bool {
    results.tally.agents.iter().any(|agent| agent.moves > 0)
}

/// The table of the cost of each agent's moves; `None` if no moves are known.
pub fn cost_table(results: &Results) -> Option<TextTable> {
    const SHOWN: [&str; 10] = [
        "agent",
        "moves",
        "mean_depth",
        "nodes_per_move",
        "branching_factor",
        "time_per_move_ns_mean",
        "time_per_move_ns_p50",
        "time_per_move_ns_p99",
        "time_per_move_ns_max",
        "nodes_per_second",
    ];
    let figures = agent_figures();
    let mut table = figures.heads(TextTable::new("What a move costs"), &SHOWN);
    for agent in 0..results.tally.names.len() {
        let row = AgentFigures::new(results, agent);
        table.row(SHOWN.map(|name| figures.show(name, &row)));
    }
    table.note(
        "p50 and p99: quantiles of a game's mean time per move; max: the slowest single move",
    );
    table.note("depth: mean completed depth; a search stops early when it has proven the value");
    has_moves(results).then_some(table)
}
