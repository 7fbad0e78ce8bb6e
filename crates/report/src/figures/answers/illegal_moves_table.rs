//! How often agents answer with illegal moves.

use crate::arena::AgentTally;
use crate::figures::figure_list::FigureFormat::{Count, Percent};
use crate::figures::figure_list::FigureList;
use crate::figures::figure_list::FigureValue::Ends;
use crate::figures::run_results::Results;
use crate::stats::Confidence;
use crate::text::data_table::DataCell;
use crate::text::text_table::TextTable;

/// The figures of an agent, in the order of `agents.csv`.
fn figures() -> FigureList<AgentTally> {
    FigureList::<AgentTally>::new()
        .with("move_requests", "requests", Count, |agent| agent.legal.trials.into())
        .with("illegal_moves", "illegal", Count, |agent| {
            (agent.legal.trials - agent.legal.hits).into()
        })
        .with("retries", "retries", Count, |agent| agent.retries.into())
        .with("legal_share", "legal %", Percent, |agent| agent.legal.ratio().into())
        .with("legal_low, legal_high", "95 %", Percent, |agent| {
            Ends(agent.legal.interval(Confidence::P95))
        })
}

/// The columns of `agents.csv` in a run that counts illegal moves.
pub(crate) fn columns() -> Vec<String> {
    figures().columns().map(str::to_owned).collect()
}

/// The cells of an agent under [`columns`].
pub(crate) fn cells(agent: &AgentTally) -> Vec<DataCell> {
    figures().cells(agent)
}

/// The table of the illegal moves of each agent that may play one; `None` if the run does not count
/// them.
pub(crate) fn table(Results { tally, context, .. }: &Results) -> Option<TextTable> {
    const SHOWN: [&str; 5] =
        ["move_requests", "illegal_moves", "retries", "legal_share", "legal_low"];
    if !tally.counts_illegal_moves() {
        return None;
    }
    let agents = (tally.names.iter().zip(&tally.agents).enumerate())
        .filter(|(index, _)| context.is_program(*index))
        .map(|(_, agent)| agent);
    let mut table = figures().table("Illegal moves", &SHOWN, agents);
    table.note("legal: share of the requests for a move that had no illegal answer");
    Some(table)
}
