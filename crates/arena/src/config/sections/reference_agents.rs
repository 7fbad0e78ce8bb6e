//! `reference = true`: agents that are a yardstick for the others.

use super::agents_section::AgentEntry;
use super::schedule_formats::ScheduleFormat;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::read_toml_table::join;
use crate::config::tree::toml_tree::TomlTable;

/// Refuses references in runs whose question is about all agents, and references without another agent.
pub(crate) fn check(
    format: &ScheduleFormat,
    agents: &[AgentEntry],
    tree: &TomlTable,
    problems: &mut Problems,
) {
    let Some(first) = agents.iter().find(|agent| agent.reference) else { return };
    let leave_out = "leave `reference` out";
    let (message, help) = if tree.get("tune").is_some() {
        ("`reference` does not apply to a tune".to_owned(), leave_out.to_owned())
    } else if !format.may_have_references() {
        let message = format!("`reference` does not apply to the format `{}`", format.word);
        (message, format!("{leave_out}, or use `format = \"round-robin\"`"))
    } else if agents.iter().all(|agent| agent.reference) {
        let message = "every agent is a reference, so there is no agent to compare with them";
        (message.to_owned(), format!("{leave_out} of the agents that the question is about"))
    } else if tree.get("sprt").is_some() && agents[0].reference {
        let message =
            "a sequential test asks whether the first agent is better, and it is a reference";
        (
            message.to_owned(),
            "put the table of the reference after that of the other agent".to_owned(),
        )
    } else {
        return;
    };
    let place = first.table.locate("reference").unwrap_or(first.table.span);
    problems.wrong(place, join(&first.path, "reference"), message, help);
}
