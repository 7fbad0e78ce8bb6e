//! What agents have paid for their answers, as their engines report it.

use crate::arena::{AgentTally, Tally};
use crate::figures::figure_list::FigureFormat::{Count, Trimmed};
use crate::figures::figure_list::FigureList;
use crate::text::data_table::DataCell;
use crate::text::text_table::TextTable;

/// The figures of an agent, in the order of `agents.csv`.
fn figures() -> FigureList<AgentTally> {
    FigureList::<AgentTally>::new()
        .with("cost", "cost", Trimmed(4), |agent| Some(cost(agent)).into())
        .with("cost_per_game", "cost/game", Trimmed(6), |agent| {
            (agent.rows > 0).then(|| cost(agent) / agent.rows as f64).into()
        })
        .with("tokens_in", "tokens in", Count, |agent| agent.cost.tokens_in.into())
        .with("tokens_out", "tokens out", Count, |agent| agent.cost.tokens_out.into())
}

fn cost(agent: &AgentTally) -> f64 {
    agent.cost.billionths as f64 / 1e9
}

/// The columns of `agents.csv` in a run that counts costs.
pub(crate) fn columns() -> Vec<String> {
    figures().columns().map(str::to_owned).collect()
}

/// The cells of an agent under [`columns`].
pub(crate) fn cells(agent: &AgentTally) -> Vec<DataCell> {
    figures().cells(agent)
}

/// The table of the costs of each agent; `None` if the run does not count them.
pub(crate) fn table(tally: &Tally) -> Option<TextTable> {
    const SHOWN: [&str; 4] = ["cost", "cost_per_game", "tokens_in", "tokens_out"];
    if !tally.counts_costs() {
        return None;
    }
    let agents = tally.names.iter().zip(&tally.agents);
    let mut table = figures().table("What the answers cost", &SHOWN, agents);
    table.note("costs are in the unit of the engine that reports them");
    Some(table)
}
