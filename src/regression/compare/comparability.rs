//! Checks whether two runs are comparable, matches their agents, and lists what has changed.

use crate::config::{Experiment, flat};
use crate::params::Spec;
use crate::regression::usage_error::UsageError;

/// An agent of the baseline and the matching agent of the candidate's run.
#[derive(Debug, Clone)]
pub(super) struct Matched {
    pub name: String,
    /// Index in the baseline.
    pub base: usize,
    /// Index in the candidate's run.
    pub candidate: usize,
    /// The keys that differ, each with its value in the baseline and in the candidate.
    pub changes: Vec<[String; 3]>,
    /// The keys among `changes` that set a budget. Agents with different budgets are not
    /// comparable.
    budget_keys: Vec<String>,
    /// Whether either agent uses a clock. Then its work varies between runs.
    pub clocked: bool,
}

/// Whether the results of both experiments can be compared, before a game is played.
///
/// # Errors
/// Different settings, agents or budgets.
pub fn check_comparable(
    base: &Experiment,
    candidate: &Experiment,
    wanted: &[String],
) -> Result<(), UsageError> {
    matched(base, candidate, wanted).map(|_| ())
}

/// Matches the agents of both runs. `wanted` are the values of `--agent`, `NAME` or `OLD=NEW`:
/// names in the baseline and in the candidate's run. Without any, agents with the same name match.
/// Then the result has the agents whose definition has changed, or all agents if none has.
pub(super) fn matched(
    base: &Experiment,
    candidate: &Experiment,
    wanted: &[String],
) -> Result<Vec<Matched>, UsageError> {
    check_settings(base, candidate)?;
    let mut pairs = match wanted {
        [] => same_names(base, candidate)?,
        wanted => wanted.iter().map(|text| pair(base, candidate, text)).collect(),
    };
    pairs.dedup();
    let mut all = Vec::new();
    for (old, new) in pairs {
        let (b, c) = (find(base, &old, "baseline")?, find(candidate, &new, "candidate's run")?);
        let (here, there) = (&base.agents[b], &candidate.agents[c]);
        let changes = changes(&here.spec, &there.spec);
        let clocked = here.needs.is_timed || there.needs.is_timed;
        let budget_keys = [&here.needs.budget_keys[..], &there.needs.budget_keys].concat();
        all.push(Matched { name: new, base: b, candidate: c, changes, budget_keys, clocked });
    }
    check_budgets(&all)?;
    if wanted.is_empty() && all.iter().any(|agent| !agent.changes.is_empty()) {
        all.retain(|agent| !agent.changes.is_empty());
    }
    Ok(all)
}

fn check_settings(base: &Experiment, candidate: &Experiment) -> Result<(), UsageError> {
    let differing: Vec<String> = base
        .differing_keys(candidate)
        .into_iter()
        .filter(|(key, _, _)| key != "agents" && !key.starts_with("agents."))
        // The number of a game does not matter here.
        .filter(|(key, _, _)| key != "schedule.earlier")
        .map(|(key, here, there)| {
            format!("  {key}: {here} in the baseline, {there} in the candidate")
        })
        .collect();
    match differing.is_empty() {
        true => Ok(()),
        false => Err(UsageError::new(
            format!("the two runs have different settings:\n{}", differing.join("\n")),
            "play both with the same game, schedule, openings, seed and limits",
        )),
    }
}

fn same_names(
    base: &Experiment,
    candidate: &Experiment,
) -> Result<Vec<(String, String)>, UsageError> {
    let (old, new) = (base.agent_names(), candidate.agent_names());
    let missing = |from: &[String], there: &[String]| {
        let missing: Vec<_> = from.iter().filter(|name| !there.contains(name)).cloned().collect();
        missing.join(", ")
    };
    let (lost, added) = (missing(&old, &new), missing(&new, &old));
    if lost.is_empty() && added.is_empty() {
        return Ok(old.iter().map(|name| (name.clone(), name.clone())).collect());
    }
    let only = |names: String, where_: &str| match names.is_empty() {
        true => String::new(),
        false => format!("\n  only in the {where_}: {names}"),
    };
    Err(UsageError::new(
        format!(
            "the two runs do not have the same agents:{}{}",
            only(lost, "baseline"),
            only(added, "candidate")
        ),
        "`--agent OLD=NEW` matches two agents; all other agents are opponents",
    ))
}

/// The two names in the value of `--agent`; a name may itself contain `=`.
fn pair(base: &Experiment, candidate: &Experiment, text: &str) -> (String, String) {
    let splits = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let (old, new) = std::iter::once((text, text))
        .chain(splits)
        .find(|(old, new)| agent(base, old).is_some() && agent(candidate, new).is_some())
        .or_else(|| text.split_once('='))
        .unwrap_or((text, text));
    (old.to_owned(), new.to_owned())
}

fn find(experiment: &Experiment, name: &str, run: &str) -> Result<usize, UsageError> {
    agent(experiment, name).ok_or_else(|| {
        UsageError::new(
            format!("there is no agent `{name}` in the {run}"),
            format!("use one of {}", experiment.agent_names().join(", ")),
        )
    })
}

/// The index of the agent with this name.
pub(super) fn agent(experiment: &Experiment, name: &str) -> Option<usize> {
    experiment.agents.iter().position(|agent| agent.name == name)
}

fn check_budgets(all: &[Matched]) -> Result<(), UsageError> {
    let differing: Vec<String> = (all.iter())
        .flat_map(|agent| agent.changes.iter().map(move |change| (agent, change)))
        .filter(|(agent, [key, ..])| agent.budget_keys.contains(key))
        .map(|(agent, [key, old, new])| format!("  {key} of {}: {old} against {new}", agent.name))
        .collect();
    match differing.is_empty() {
        true => Ok(()),
        false => Err(UsageError::new(
            format!("the budgets of agents differ:\n{}", differing.join("\n")),
            "give both the same budget; to compare budgets, play one tournament with both agents: \
             `agon --config FILE`",
        )),
    }
}

/// The index in the candidate's run of an agent that is the same in both runs.
pub(super) fn unchanged(base: &Experiment, candidate: &Experiment, index: usize) -> Option<usize> {
    let here = &base.agents[index];
    let there = agent(candidate, &here.name)?;
    (candidate.agents[there].spec == here.spec).then_some(there)
}

/// The keys that differ between two specs.
pub(super) fn changes(here: &Spec, there: &Spec) -> Vec<[String; 3]> {
    let (here, there) = (flat(here), flat(there));
    let value = |all: &[(String, String)], key: &str| {
        all.iter().find(|(k, _)| k == key).map_or("—".to_owned(), |(_, value)| value.clone())
    };
    let mut keys: Vec<&String> = here.iter().chain(&there).map(|(key, _)| key).collect();
    keys.sort();
    keys.dedup();
    (keys.into_iter())
        .map(|key| [key.clone(), value(&here, key), value(&there, key)])
        .filter(|[_, old, new]| old != new)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Value;

    #[test]
    fn nested_keys_are_named() {
        let mut inner = Spec { kind: "alphabeta".to_owned(), ..Spec::default() };
        inner.values.set("depth", Value::Int(4));
        let noisy = |inner: &Spec, epsilon: f64| {
            let mut spec = Spec { kind: "noisy".to_owned(), ..Spec::default() };
            spec.values.set("agent", Value::Spec(Box::new(inner.clone())));
            spec.values.set("epsilon", Value::Float(epsilon));
            spec
        };
        let before = noisy(&inner, 0.1);
        inner.values.set("depth", Value::Int(5));
        inner.values.set("ties", Value::Text("random".to_owned()));
        let found = changes(&before, &noisy(&inner, 0.1));
        let text = |words: [&str; 3]| words.map(str::to_owned);
        assert_eq!(
            found,
            [text(["agent.depth", "4", "5"]), text(["agent.ties", "—", "\"random\""])]
        );
        assert!(changes(&before, &before).is_empty());
    }
}
