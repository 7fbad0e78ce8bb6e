//! `[tune]` with `method = "grid"`: an agent for each combination of values, and the format `best`.

use super::rounds;
use super::tune::TuneParams;
use crate::config::sections::agents_section::AgentEntry;
use crate::config::sections::schedule_formats::ScheduleFormat;
use crate::config::sections::schedule_section::ScheduleConfig;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::toml_tree::TomlTable;
use crate::rounds::adaptive_rounds::{AdaptiveDesign, AdaptiveQuestion, AdaptiveWeight};
use crate::stats::spsa::TunedRange;

/// The maximum number of agents of a grid.
const MOST: usize = 200;

/// The default number of values of each parameter.
const STEPS: u32 = 5;

/// The default of the maximum number of games, as that of `best`.
const GAMES: u64 = 100_000;

/// The values of a parameter: evenly spaced over its range.
fn values(range: &TunedRange, steps: u32) -> Vec<f64> {
    let step = (range.max - range.min) / f64::from(steps - 1);
    let mut all: Vec<f64> = (0..steps)
        .map(|i| range.min + f64::from(i) * step)
        .map(|value| if range.integer { value.round() } else { value })
        .collect();
    all.dedup();
    all
}

/// The agents of the grid, with the start among them; `None` after a mistake, which is reported.
pub(super) fn agents(
    start: &AgentEntry,
    parameters: &[(String, TunedRange)],
    params: &TuneParams,
    tree: &TomlTable,
    problems: &mut Problems,
) -> Option<Vec<AgentEntry>> {
    let steps = params.steps.unwrap_or(STEPS);
    let own: Vec<f64> = parameters.iter().map(|(_, range)| range.start).collect();
    let mut report = |message: String, help: &str| {
        let place = tree.table("tune").map_or(tree.span, |table| {
            let keys = ["steps", "parameters"];
            keys.iter().find_map(|key| table.locate(key)).unwrap_or(table.span)
        });
        problems.wrong(place, "tune.steps", message, help);
    };
    let mut points: Vec<Vec<f64>> = vec![Vec::new()];
    for (_, range) in parameters {
        let values = values(range, steps);
        if points.len() * values.len() > MOST {
            let message = format!("the grid has more than {MOST} agents");
            let help = "use fewer `steps` or parameters, or `method = \"spsa\"`, whose cost hardly \
                        depends on the number of parameters";
            report(message, help);
            return None;
        }
        let longer = |point: &Vec<f64>| {
            let with = |value: &f64| [&point[..], &[*value]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        points = points.iter().flat_map(longer).collect();
    }
    if !points.contains(&own) {
        points.insert(0, own);
    }
    if points.len() < 3 {
        report("the grid has two agents only".to_owned(), "widen the range, or use `[sprt]`");
        return None;
    }
    let spec = start.spec.as_ref()?;
    let agent = |point: Vec<f64>| {
        let mut spec = spec.clone();
        for ((key, _), value) in parameters.iter().zip(&point) {
            spec.set_number(key, *value);
        }
        let shown: Vec<String> = point.iter().map(f64::to_string).collect();
        let name = format!("{}[{}]", start.name, shown.join(","));
        let mut agent = start.renamed(name);
        agent.spec = Some(spec);
        agent
    };
    Some(points.into_iter().map(agent).collect())
}

/// Sets the format `best`. Its design has `confidence`, `precision_elo` and `games` of the tune.
pub(super) fn design(
    params: &TuneParams,
    tree: &TomlTable,
    schedule: &mut ScheduleConfig,
) -> AdaptiveDesign {
    schedule.format = ScheduleFormat::BEST;
    let design = AdaptiveDesign {
        question: AdaptiveQuestion::Best,
        alpha: 1.0 - params.confidence,
        epsilon_elo: tree.place("tune", "precision_elo").map(|_| params.precision_elo),
        max_games: params.games.unwrap_or(GAMES),
        adjusted: false,
        weight: AdaptiveWeight::Games,
    };
    rounds::set_schedule(&design, schedule);
    design
}
