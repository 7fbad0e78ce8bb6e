//! Compares two runs: computes all gates and the overall verdict.

use super::change_limits::{ChangeLimits, Metric};
use super::check_limits::{Change, Gate, GateVerdict};
use super::comparability::{self, Matched, matched};
use super::paired_games::pairs;
use super::read_completed_run::CompletedRun;
use super::{compare_cost, compare_strength, head_to_head};
use crate::regression::gate::SlicesCsv;
use crate::regression::usage_error::UsageError;
use crate::stats::Confidence;

#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The folder of the baseline and the version of its program.
    pub baseline: String,
    pub candidate: String,
    /// The differences between the runs: key, baseline, candidate.
    pub changes: Vec<[String; 3]>,
    /// What differs if there are no changes of agents or program.
    pub difference: &'static str,
    pub gates: Vec<Gate>,
    /// The number of gates with an interval.
    pub intervals: usize,
    /// The level of each interval. All intervals together have 95 %.
    pub confidence: Confidence,
}

/// The confidence of all intervals together.
const TOGETHER: Confidence = Confidence::P95;

impl Comparison {
    /// Compares two runs. `wanted` names the agents to judge, `OLD=NEW` if the names differ.
    /// Without any, agents with the same name are compared. `slices` are the times of
    /// interleaved runs.
    pub fn new(
        base: &CompletedRun,
        candidate: &CompletedRun,
        wanted: &[String],
        limits: &ChangeLimits,
        slices: Option<&SlicesCsv>,
    ) -> Result<Self, UsageError> {
        let agents = matched(&base.experiment, &candidate.experiment, wanted)?;
        if let Some(stranger) = limits.agents().find(|name| candidate.agent(name).is_none()) {
            return Err(UsageError::new(
                format!("--limit: there is no agent `{stranger}` in the candidate's run"),
                "write the agent's name as in games.csv",
            ));
        }
        let anytime = !(base.has_fixed_length() && candidate.has_fixed_length());
        let mut measures = Vec::new();
        for agent in &agents {
            let pairs = pairs(base, candidate, agent);
            measures.push(compare_strength::strength(agent, &pairs, anytime));
            measures.extend(head_to_head::head_to_head(base, candidate, agent));
            measures.extend(compare_cost::work(agent, &pairs, anytime));
            if slices.is_none() {
                measures.push(compare_cost::time(base, candidate, agent, &pairs));
            }
        }
        let interleaved = |slices| compare_cost::interleaved(base, candidate, slices);
        measures.extend(slices.into_iter().flat_map(interleaved));
        measures.push(compare_cost::memory(base, candidate));
        measures.retain(|m| !limits.is_off(m.metric, m.agent.as_deref()));
        let intervals = measures.iter().filter(|measure| measure.has_interval()).count();
        // Bonferroni: each interval errs less often, so that all together err in at most 5 %.
        let level = 1.0 - TOGETHER.alpha() / intervals.max(1) as f64;
        let confidence = Confidence::new(level).unwrap_or(TOGETHER);
        Ok(Comparison {
            baseline: place(base),
            candidate: place(candidate),
            changes: changes(base, candidate, &agents),
            difference: base.difference(candidate),
            gates: (measures.into_iter())
                .map(|m| {
                    let limit = limits.of(m.metric, m.agent.as_deref());
                    m.judge(limit, confidence)
                })
                .collect(),
            intervals,
            confidence,
        })
    }

    /// The overall verdict: worse if one gate is worse. Otherwise undecided if one is undecided or
    /// no gate was judged.
    pub fn verdict(&self) -> GateVerdict {
        let has = |verdict| self.gates.iter().any(|gate| gate.verdict == verdict);
        let judged = self.gates.iter().any(|gate| gate.verdict.is_judged());
        if has(GateVerdict::Worse) {
            GateVerdict::Worse
        } else if has(GateVerdict::Undecided) || !judged {
            GateVerdict::Undecided
        } else {
            GateVerdict::NotWorse
        }
    }

    /// The names of the judged agents.
    pub fn judged_agents(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.gates.iter().filter_map(|gate| gate.measure.agent.as_deref()).collect();
        names.dedup();
        names
    }

    /// The mean change of a figure over the agents that have it. All intervals together have 95 %, so the
    /// means of their ends are an interval of the mean. The factors have a geometric mean.
    pub fn mean_change(&self, metric: Metric) -> Change {
        let is_elo = metric == Metric::Strength;
        let mut gates: Vec<&Gate> = self.gates.iter().collect();
        gates.retain(|gate| gate.measure.metric == metric && gate.change.value.is_some());
        // The second strength of an agent is that of its games against the baseline's agent.
        gates.dedup_by_key(|gate| gate.measure.agent.as_deref());
        let mean = |end: fn(&Gate) -> Option<f64>| {
            let values: Option<Vec<f64>> = gates.iter().map(|gate| end(gate)).collect();
            let values = values.filter(|values| !values.is_empty())?;
            let n = values.len() as f64;
            match is_elo {
                true => Some(values.iter().sum::<f64>() / n),
                false => Some((values.iter().map(|value| value.ln()).sum::<f64>() / n).exp()),
            }
        };
        Change {
            value: mean(|gate| gate.change.value),
            low: mean(|gate| gate.ends()[0]),
            high: mean(|gate| gate.ends()[1]),
        }
    }
}

fn place(run: &CompletedRun) -> String {
    format!("{} · {} · {}", run.path.display(), run.program(), run.manifest.started)
}

/// The differences between the runs, apart from their results.
fn changes(base: &CompletedRun, candidate: &CompletedRun, agents: &[Matched]) -> Vec<[String; 3]> {
    let mut all = Vec::new();
    if base.program() != candidate.program() {
        all.push(["program".to_owned(), base.program(), candidate.program()]);
    }
    if base.manifest.machine != candidate.manifest.machine {
        let machine = |run: &CompletedRun| {
            let machine = &run.manifest.machine;
            let cpu = machine.cpu.as_deref().unwrap_or(&machine.arch);
            format!("{cpu}, {} cores, {}", machine.cores, machine.os)
        };
        all.push(["machine".to_owned(), machine(base), machine(candidate)]);
    }
    let mut names: Vec<&String> =
        base.manifest.faults.keys().chain(candidate.manifest.faults.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let faults = |run: &CompletedRun| run.manifest.faults.get(name).unwrap_or(&0).to_string();
        let what = format!("games that {name} forfeited");
        all.push([what, faults(base), faults(candidate)]);
    }
    let of =
        |name: &str, [key, before, after]: [String; 3]| [format!("{key} of {name}"), before, after];
    for agent in agents {
        let old = &base.experiment.agents[agent.base].name;
        if *old != agent.name {
            all.push(["agent".to_owned(), old.clone(), agent.name.clone()]);
        }
        all.extend(agent.changes.iter().cloned().map(|change| of(&agent.name, change)));
    }
    // A changed opponent may also change results, although it is not judged.
    for there in &candidate.experiment.agents {
        let judged = agents.iter().any(|agent| agent.name == there.name);
        if let Some(here) = base.agent(&there.name).filter(|_| !judged) {
            let here = &base.experiment.agents[here].spec;
            let changes = comparability::changes(here, &there.spec);
            all.extend(changes.into_iter().map(|change| of(&there.name, change)));
        }
    }
    all
}
