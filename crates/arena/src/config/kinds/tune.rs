//! `[tune]`: the parameters of an agent that games tune, their ranges, and the precision.

use super::sequential;
use crate::config::build_context::{BuildContext, Section};
use crate::config::sections::agents_section::AgentEntry;
use crate::config::sections::schedule_formats::ScheduleFormat;
use crate::config::sections::schedule_section::{MAX_GAMES, ScheduleConfig};
use crate::config::sections::seats_and_pairings::FixedSeat;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::source_of_each_value::Span;
use crate::config::tree::toml_tree::TomlTable;
use crate::params::{Number, Params, Spec, Values, toml_key};
use crate::play::{AnyGame, OpeningsError};
use crate::stats::Confidence;
use crate::stats::sprt::Design;
use crate::stats::spsa::TunedRange;
use crate::stats::tuning::TuneDesign;
use crate::util::did_you_mean::did_you_mean;
use std::collections::BTreeMap;

crate::choice! {
    /// How a tune finds the best values.
    pub(crate) enum TuneMethod {
        /// In small steps towards the winner of each round.
        Spsa = "spsa",
        /// By `format = "best"` among agents with evenly spaced values.
        Grid = "grid",
    }
}

crate::params! {
    /// A tune as the config states it.
    pub(crate) struct TuneParams {
        /// `spsa`: small steps towards the winner of each round; `grid`: the best of a few values, by
        /// the format `best`
        method: TuneMethod = TuneMethod::Spsa,
        /// with `grid`: number of values of each parameter, evenly spaced over its range (default: 5)
        steps: Option<u32> [2..=100] = None,
        /// ranges of numbers of the agent by dotted key, such as `{ "weights.two" = [0, 40] }`; its
        /// own value is the start. With several agents its name comes first
        /// (`"new.weights.two"`), and the others are opponents
        parameters: Option<BTreeMap<String, (f64, f64)>> = None,
        /// assumed loss of each parameter in Elo at half its range away from the optimum; a small
        /// value is safe, and makes the tune longer
        elo: f64 [0.01..=1000.0] = 10.0,
        /// loss in Elo that is left with the probability `confidence`; sets the number of games
        precision_elo: f64 [1e-6..=1e9] = 2.0,
        /// games of all rounds, in place of `precision_elo`; with `grid` their maximum
        games: Option<u64> [2..=MAX_GAMES] = None,
        /// probability that the tune ends within `precision_elo`, and level of the intervals
        confidence: f64 [0.5..=0.9999] = 0.95,
        /// expected share of draws; 0 is safe
        draw_rate: f64 [0.0..=0.99] = 0.0,
        /// opening pairs of each pairing in a round, between two changes of the parameters;
        /// default: a thousandth of the tune, from 8 to 100
        pairs: Option<u64> [1..=100_000] = None,
    }
}

/// The maximum number of openings that are made before they are repeated.
const MOST_OPENINGS: u64 = 100_000;

impl Section for TuneParams {
    const KEY: &'static str = "tune";
    const SUMMARY: &'static str = "Tunes numbers of an agent by games; then `[sprt]` tests the \
        result against the start; only if this section exists";
}

/// Checks the section. Returns the tune and the index of the tuned agent; `None` after a mistake,
/// which is then reported.
pub(super) fn build(
    params: &TuneParams,
    agents: &[AgentEntry],
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> Option<(TuneDesign, usize)> {
    let tree = context.tree;
    let section = tree.table("tune")?;
    let before = problems.mark();
    check_schedule(tree, problems);
    let is_grid = params.method == TuneMethod::Grid;
    check_keys(is_grid, tree, problems);
    if let (Some(_), Some(place), false) = (params.games, section.locate("precision_elo"), is_grid)
    {
        let message = "`games` and `precision_elo` both set the length of the tune";
        problems.wrong(place, "tune.precision_elo", message, "remove one of them");
    }
    if let Some(agent) = agents.iter().find(|agent| agent.seat != FixedSeat::Both) {
        let place = agent.table.locate("seat").unwrap_or(agent.table.span);
        let message = "a tune needs agents that play both seats";
        problems.wrong(place, "agents.seat", message, "remove `seat`");
    }
    let (parameters, tuned) = parameters(params, agents, section, problems)?;
    check_ends(&agents[tuned], &parameters, context.any_game, section, problems);
    let (test, test_games) = final_test(context, problems);
    let mut design = TuneDesign {
        agent: agents[tuned].name.clone(),
        parameters,
        precision_elo: params.precision_elo,
        confidence: Confidence::new(params.confidence).expect("the range was checked"),
        draw_rate: params.draw_rate,
        opponents: agents.len() as u64 - 1,
        pairs: params.pairs,
        seed: context.seed,
        test: test?,
        test_games,
    };
    if is_grid && agents.len() > 1 {
        let message = "the agents of a grid play each other, and this config has other agents";
        let help = "remove the other agents, or use `method = \"spsa\"` with opponents";
        problems.wrong(section.span, "agents", message, help);
    }
    if !is_grid {
        if let Some(games) = params.games {
            design.precision_elo = design.precision_of(games);
        }
        check_length(&design, section, problems);
    }
    (problems.mark() == before).then_some((design, tuned))
}

/// Reports keys of `[schedule]` that the tune sets itself.
fn check_schedule(tree: &TomlTable, problems: &mut Problems) {
    for key in ["format", "games", "include_self"] {
        let Some(place) = tree.place("schedule", key) else { continue };
        let message = format!("`{key}` does not apply to a tune");
        let help = match key {
            "games" => "remove it; `precision_elo` or `games` in `[tune]` sets the length",
            _ => "remove it; the two sides of the tune play each other or all other agents",
        };
        problems.wrong(place, format!("schedule.{key}"), message, help);
    }
}

/// The test of the result against the start, and its maximum number of games.
fn final_test(context: &BuildContext<'_>, problems: &mut Problems) -> (Option<Design>, u64) {
    // The test is a match of two agents, whatever the tune plays.
    let mut schedule = ScheduleConfig { games: sequential::CAP, ..ScheduleConfig::default() };
    let test = match context.tree.get("sprt") {
        Some(_) => {
            sequential::build(&[FixedSeat::Both; 2], false, &mut schedule, context, problems)
        }
        None => sequential::by_default(),
    };
    (test, schedule.games)
}

/// Reports a tune that is too long.
fn check_length(design: &TuneDesign, section: &TomlTable, problems: &mut Problems) {
    if design.games() > MAX_GAMES as u64 {
        let place = section.locate("precision_elo").unwrap_or(section.span);
        let message = format!("the tune would take {} games", design.games());
        let help = "use a larger `precision_elo` or `elo`, or a smaller `confidence`";
        problems.wrong(place, "tune", message, help);
    }
}

/// Keys that set the steps of SPSA.
const OF_SPSA: [&str; 3] = ["elo", "draw_rate", "pairs"];

/// Reports keys that do not apply to the method.
fn check_keys(is_grid: bool, tree: &TomlTable, problems: &mut Problems) {
    let wrong: &[&str] = if is_grid { &OF_SPSA } else { &["steps"] };
    for key in wrong {
        let Some(place) = tree.place("tune", key) else { continue };
        let method = if is_grid { "grid" } else { "spsa" };
        let message = format!("`{key}` has no effect with method = \"{method}\"");
        let help = format!("remove `{key}`, or choose another `method`");
        problems.wrong(place, format!("tune.{key}"), message, help);
    }
    if let Some(entry) = tree.get("adaptive") {
        let message = "`[adaptive]` does not apply to a tune";
        let help = "remove it; `confidence`, `precision_elo` and `games` in `[tune]` have the same meaning";
        problems.wrong(entry.node.span, "adaptive", message, help);
    }
}

/// The parameters with their ranges, and the index of their agent.
fn parameters(
    params: &TuneParams,
    agents: &[AgentEntry],
    section: &TomlTable,
    problems: &mut Problems,
) -> Option<(Vec<(String, TunedRange)>, usize)> {
    let before = problems.mark();
    let ranges = params.parameters.clone().unwrap_or_default();
    let place = section.locate("parameters").unwrap_or(section.span);
    let mut tuned: Option<usize> = None;
    let mut all = Vec::new();
    for (name, &range) in &ranges {
        let mut report = |(message, help): Wrong| {
            let place = locate(section, name).unwrap_or(place);
            problems.wrong(place, format!("tune.parameters.{name}"), message, help);
        };
        let (index, key) = match agent_and_key(name, agents) {
            Ok(found) => found,
            Err(wrong) => {
                report(wrong);
                continue;
            }
        };
        let agent = &agents[index].name;
        // The agent's own mistakes were reported.
        let spec = agents[index].spec.as_ref()?;
        match tuned_range(spec, key, range, agent, params.elo) {
            Err(wrong) => report(wrong),
            Ok(_) if *tuned.get_or_insert(index) != index => report((
                "a tune changes one agent only".to_owned(),
                format!("tune `{agent}` in a config of its own"),
            )),
            Ok(range) => all.push((key.to_owned(), range)),
        }
    }
    if ranges.is_empty() && !problems.is_reported(Some(place)) {
        let message = "`[tune]` has no parameters";
        let help = "add a section `[tune]` with `parameters = { \"weights.two\" = [0, 40] }`";
        problems.wrong(place, "tune.parameters", message, help);
    }
    Some((all, tuned?)).filter(|_| problems.mark() == before)
}

/// A mistake in a range: its message and its help.
type Wrong = (String, String);

/// The index of the agent that a range is for, and the key of the agent.
fn agent_and_key<'a>(name: &'a str, agents: &[AgentEntry]) -> Result<(usize, &'a str), Wrong> {
    let key = |agent: &AgentEntry| name.strip_prefix(&agent.name)?.strip_prefix('.');
    match agents.iter().enumerate().find_map(|(i, agent)| Some((i, key(agent)?))) {
        Some(found) => Ok(found),
        None if agents.len() == 1 => Ok((0, name)),
        None => {
            let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
            let head = name.split('.').next().unwrap_or(name);
            let help = did_you_mean(head, &names);
            Err((format!("`{name}` does not begin with the name of an agent"), help))
        }
    }
}

/// The range of a number of the agent, with the agent's own value as its start.
fn tuned_range(
    spec: &Spec,
    key: &str,
    (min, max): (f64, f64),
    agent: &str,
    elo: f64,
) -> Result<TunedRange, Wrong> {
    let Some(Number { value: start, integer }) = spec.number(key) else {
        return Err(no_number(spec, key, agent));
    };
    if !(min..=max).contains(&start) {
        return Err((
            format!("the start {start} of `{key}` is not in its range"),
            format!("widen [{min}, {max}], or change the agent's own value"),
        ));
    }
    if integer && (min.fract() != 0.0 || max.fract() != 0.0) {
        return Err((
            format!("`{key}` is a whole number, so its range needs whole numbers"),
            "use a range such as [0, 100]".to_owned(),
        ));
    }
    Ok(TunedRange { min, max, start, integer, elo })
}

fn no_number(spec: &Spec, key: &str, agent: &str) -> Wrong {
    let keys = spec.number_keys();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let similar = did_you_mean(key, &keys);
    if let Some(text) = spec.text(key) {
        let message = format!("`{key}` of the agent `{agent}` is `{text}`, and not a number");
        return (message, similar);
    }
    let help = match key.split_once('.') {
        Some((table @ ("weights" | "options"), name)) => {
            let or = if similar.ends_with('?') { " Otherwise" } else { ";" };
            let name = toml_key(name);
            format!("{similar}{or} write its start into the agent: `{table} = {{ {name} = 1 }}`")
        }
        _ => similar,
    };
    (format!("the agent `{agent}` has no number `{key}`"), help)
}

/// The place of a range, whose key may be one of the table or dotted.
fn locate(section: &TomlTable, key: &str) -> Option<Span> {
    let table = section.table("parameters")?;
    table.get(key).map(|entry| entry.node.span).or_else(|| table.locate(key))
}

/// Whether the game can build the agent at both ends of the ranges.
fn check_ends(
    agent: &AgentEntry,
    parameters: &[(String, TunedRange)],
    any_game: Option<&AnyGame>,
    section: &TomlTable,
    problems: &mut Problems,
) {
    let (Some(any_game), Some(spec)) = (any_game, &agent.spec) else { return };
    if any_game.check_agent(spec).is_err() {
        return;
    }
    for (key, range) in parameters {
        for end in [range.min, range.max] {
            let mut spec = spec.clone();
            spec.set_number(key, end);
            let Err(error) = any_game.check_agent(&spec) else { continue };
            let place = locate(section, key)
                .or_else(|| locate(section, &format!("{}.{key}", agent.name)))
                .unwrap_or(section.span);
            let message = format!("`{key}` cannot be {end}: {}", error.message);
            let path = format!("tune.parameters.{key}");
            problems.wrong(place, path, message, error.help);
            break;
        }
    }
}

/// Reports that the test at the end has too few openings. It would otherwise fail after the tune.
pub(crate) fn report_openings(error: &OpeningsError, tree: &TomlTable, problems: &mut Problems) {
    let place = tree
        .place("openings", "plies")
        .or_else(|| tree.place("tune", "parameters"))
        .unwrap_or(tree.span);
    let message = format!("the test at the end of the tune has too few openings: {error}");
    let help = "use more `plies` in `[openings]`, or fewer games: `max_games` in `[sprt]`";
    problems.wrong(place, "openings.plies", message, help);
}

/// The agents of a tune: both sides, then the opponents.
pub(super) fn sides(mut agents: Vec<AgentEntry>, tuned: usize) -> Vec<AgentEntry> {
    let agent = agents.remove(tuned);
    let side = |sign: char| agent.renamed(format!("{}{sign}", agent.name));
    let mut all = vec![side('+'), side('-')];
    all.extend(agents);
    all
}

/// Sets the number of openings of the schedule.
pub(super) fn set_schedule(design: &TuneDesign, schedule: &mut ScheduleConfig) {
    let games = 2 * design.rounds() * design.pairs_of_round();
    schedule.format = ScheduleFormat::ROUND_ROBIN;
    schedule.games = games.min(2 * MOST_OPENINGS);
}

pub(crate) fn to_values(design: &TuneDesign) -> Values {
    let ranges = (design.parameters.iter())
        .map(|(key, range)| (format!("{}.{key}", design.agent), (range.min, range.max)));
    let params = TuneParams {
        method: TuneMethod::Spsa,
        steps: None,
        parameters: Some(ranges.collect()),
        elo: design.parameters.first().map_or(0.0, |(_, range)| range.elo),
        precision_elo: design.precision_elo,
        games: None,
        confidence: design.confidence.level(),
        draw_rate: design.draw_rate,
        pairs: design.pairs,
    };
    params.values()
}
