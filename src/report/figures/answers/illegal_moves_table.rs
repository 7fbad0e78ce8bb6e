//! How often agents answer with illegal moves.

use crate::arena::{AgentTally, Tally};
use crate::report::figures::figure_list::FigureFormat::{Count, Percent};
use crate::report::figures::figure_list::FigureList;
use crate::report::figures::figure_list::FigureValue::Ends;
use crate::report::text::data_table::DataCell;
use crate::report::text::text_table::TextTable;
use crate::stats::Confidence;

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

/// The table of the illegal moves of each agent; `None` if the run does not count them.
pub(crate) fn table(tally: &Tally) -> Option<TextTable> {
    const SHOWN: [&str; 5] =
        ["move_requests", "illegal_moves", "retries", "legal_share", "legal_low"];
    if !tally.counts_illegal_moves() {
        return None;
    }
    let figures = figures();
    let mut table = figures.heads(TextTable::new("Illegal moves").text(["agent"]), &SHOWN);
    for (name, agent) in tally.names.iter().zip(&tally.agents) {
        let shown = SHOWN.map(|figure| figures.show(figure, agent));
        table.row([vec![name.clone()], shown.into()].concat());
    }
    table.note("legal: share of the requests for a move that had no illegal answer");
    Some(table)
}
