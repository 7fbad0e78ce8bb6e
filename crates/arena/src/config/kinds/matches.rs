//! The keys of tournaments of matches: rounds, seeds, and when a match may end.

use super::rounds::{self, AdaptiveParams, check_players};
use crate::config::build_context::BuildContext;
use crate::config::sections::agents_section::AgentEntry;
use crate::config::sections::schedule_formats::ScheduleFormat;
use crate::config::sections::schedule_section::ScheduleConfig;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::source_of_each_value::Span;
use crate::config::tree::toml_tree::TomlTable;
use crate::params::{Value, Values};
use crate::rounds::tournament::{TournamentDesign, TournamentRules};
use crate::util::did_you_mean::did_you_mean;

/// Refuses the keys of tournaments in a run of another format, which has a name in messages.
pub(crate) fn refuse_keys(
    agents: usize,
    format: (&ScheduleFormat, &str),
    tree: &TomlTable,
    problems: &mut Problems,
) {
    let has_rounds = |rules: &dyn TournamentRules| rules.most_rounds(agents).is_some();
    refuse_elsewhere("rounds", &has_rounds, format, tree, problems);
    refuse_elsewhere("seeds", &|_| true, format, tree, problems);
}

/// Checks the keys, and fills in the number of rounds.
pub(crate) fn build(
    rules: &'static dyn TournamentRules,
    agents: &[AgentEntry],
    schedule: &mut ScheduleConfig,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> TournamentDesign {
    let (tree, word, count) = (context.tree, schedule.format.word, agents.len());
    let format = tree.place("schedule", "format").unwrap_or(tree.span);
    check_players(schedule, agents, tree, problems);
    let enough = schedule.format.wrong_count(count, false).is_none();
    if let Some(sprt) = tree.get("sprt").filter(|_| enough) {
        let message = format!("`[sprt]` does not apply to `{word}`");
        let help = "use `format = \"match\"` with two agents, or remove `[sprt]`";
        problems.wrong(sprt.node.span, "sprt", message, help);
    }
    let seeds =
        seeds(schedule, agents, tree.place("schedule", "seeds").unwrap_or(format), problems);
    let mut design = TournamentDesign::new(rules, schedule.games, seeds);
    if let Some(most) = rules.most_rounds(count) {
        design.rounds = schedule.rounds.unwrap_or(design.rounds);
        if design.rounds > most && enough {
            let place = tree.place("schedule", "rounds").unwrap_or(format);
            let message = format!("{count} agents have at most {most} rounds without a rematch");
            let help = format!("use at most {most}, or `format = \"round-robin\"`");
            problems.wrong(place, "schedule.rounds", message, help);
        }
        schedule.rounds = Some(design.rounds);
    }
    if schedule.format.is_bracket() {
        design.alpha = alpha(word, context, problems);
    } else {
        rounds::refuse(schedule, context, problems);
    }
    design
}

/// Refuses a key of `[schedule]` that is only for some tournaments, and names them.
fn refuse_elsewhere(
    key: &str,
    fits: &dyn Fn(&dyn TournamentRules) -> bool,
    (format, word): (&ScheduleFormat, &str),
    tree: &TomlTable,
    problems: &mut Problems,
) {
    let Some(place) = tree.place("schedule", key) else { return };
    if format.tournament().is_some_and(fits) {
        return;
    }
    let mut fitting = Vec::new();
    for other in ScheduleFormat::ALL {
        if other.tournament().is_some_and(fits) {
            fitting.push(format!("`format = \"{}\"`", other.word));
        }
    }
    let message = format!("`{key}` does not apply to a {word}");
    let help = format!("use {}, or remove `{key}`", fitting.join(" or "));
    problems.wrong(place, format!("schedule.{key}"), message, help);
}

/// The agents by index, the strongest first: those that are named, then the others in their order.
fn seeds(
    schedule: &ScheduleConfig,
    agents: &[AgentEntry],
    place: Span,
    problems: &mut Problems,
) -> Vec<usize> {
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    let mut seeds: Vec<usize> = Vec::new();
    for name in schedule.seeds.iter().flatten() {
        let (message, help) = match names.iter().position(|known| known == name) {
            Some(agent) if !seeds.contains(&agent) => {
                seeds.push(agent);
                continue;
            }
            Some(_) => (format!("`{name}` is named twice"), "name each agent once".to_owned()),
            None => (format!("there is no agent `{name}`"), did_you_mean(name, &names)),
        };
        problems.wrong(place, "schedule.seeds", message, help);
    }
    for agent in 0..agents.len() {
        if !seeds.contains(&agent) {
            seeds.push(agent);
        }
    }
    seeds
}

/// The error of a match that may end early; `None`: all games are played.
fn alpha(word: &str, context: &BuildContext<'_>, problems: &mut Problems) -> Option<f64> {
    let section = context.tree.table("adaptive")?;
    for key in ["epsilon_elo", "max_games", "against", "weight"] {
        let Some(place) = section.locate(key) else { continue };
        let message = format!("`{key}` does not apply to a {word}");
        let help =
            "remove it: `alpha` lets a match end early, and `games` in `[schedule]` limits a match";
        problems.wrong(place, format!("adaptive.{key}"), message, help);
    }
    Some(context.read::<AdaptiveParams>()?.alpha)
}

/// The section `[adaptive]` of a tournament with its values; `None`: there is no such section.
pub(crate) fn to_values(design: &TournamentDesign) -> Option<Values> {
    let alpha = design.alpha?;
    let mut values = Values::default();
    values.set("alpha", Value::Float(alpha));
    Some(values)
}
