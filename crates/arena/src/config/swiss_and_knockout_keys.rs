//! The keys of Swiss tournaments and knockouts: rounds, seeds, and when a match may end.

use super::adaptive_section::{AdaptiveParams, check_players};
use super::agents_section::AgentEntry;
use super::diagnostics::{Diagnostic, Problems};
use super::schedule_section::{ScheduleConfig, ScheduleFormat};
use super::source_of_each_value::Span;
use super::toml_tree::TomlTable;
use crate::params::{Params, Value, Values};
use crate::stats::swiss_and_knockout::{TournamentDesign, TournamentKind};
use crate::util::collect_with_less_code::Gather;
use crate::util::did_you_mean::did_you_mean;

/// With more agents, the pairing of a round takes minutes.
const MOST_AGENTS: usize = 500;

/// Checks the keys, and fills in the number of rounds. `None` for other formats and after a mistake,
/// which is then reported.
pub(super) fn build(
    adaptive: Option<&Values>,
    agents: &[AgentEntry],
    schedule: &mut ScheduleConfig,
    tree: &TomlTable,
    problems: &mut Problems,
) -> Option<TournamentDesign> {
    let format = tree.place("schedule", "format").unwrap_or(tree.span);
    let is_tournament = schedule.format.is_tournament();
    let before = problems.mark();
    for (key, fits, formats) in [
        ("rounds", schedule.format == ScheduleFormat::Swiss, "`format = \"swiss\"`"),
        ("seeds", is_tournament, "`format = \"swiss\"` or `\"knockout\"`"),
    ] {
        let Some(place) = tree.place("schedule", key).filter(|_| !fits) else { continue };
        let message = format!("`{key}` does not apply to a {}", schedule.format.word());
        let help = format!("use {formats}, or remove `{key}`");
        problems.wrong(place, format!("schedule.{key}"), message, help);
    }
    if !is_tournament {
        return None;
    }
    let count = agents.len();
    let (least, instead) = match schedule.format {
        ScheduleFormat::Swiss => (3, "add an agent, or use `format = \"match\"`"),
        _ => (2, "add another table `[[agents]]`"),
    };
    let word = schedule.format.word();
    if count < least || (count > MOST_AGENTS && schedule.format == ScheduleFormat::Swiss) {
        let (limit, help) = match count < least {
            true => (format!("at least {least} agents"), instead),
            false => (format!("at most {MOST_AGENTS} agents"), "use `format = \"best\"`"),
        };
        problems.missing(
            Diagnostic::at(format, "schedule.format", format!("`{word}` needs {limit}"))
                .label(format!("there {} {count}", if count == 1 { "is" } else { "are" }))
                .help(help),
        );
    }
    check_players(schedule, agents, tree, problems);
    if let Some(sprt) = tree.get("sprt").filter(|_| count >= least) {
        let message = format!("`[sprt]` does not apply to `{word}`");
        let help = "use `format = \"match\"` with two agents, or remove `[sprt]`";
        problems.wrong(sprt.node.span, "sprt", message, help);
    }
    let seeds =
        seeds(schedule, agents, tree.place("schedule", "seeds").unwrap_or(format), problems);
    let kind = match schedule.format {
        ScheduleFormat::Swiss => {
            // With an odd number, one agent in turn has no opponent.
            let most = (count - usize::from(count.is_multiple_of(2) && count > 0)) as u64;
            let rounds = schedule.rounds.unwrap_or(count.next_power_of_two().ilog2().into());
            if rounds > most && count >= least {
                let place = tree.place("schedule", "rounds").unwrap_or(format);
                let message =
                    format!("{count} agents have at most {most} rounds without a rematch");
                let help = format!("use at most {most}, or `format = \"round-robin\"`");
                problems.wrong(place, "schedule.rounds", message, help);
            }
            schedule.rounds = Some(rounds);
            TournamentKind::Swiss { rounds }
        }
        _ => TournamentKind::Knockout { alpha: alpha(adaptive, tree, problems) },
    };
    (problems.mark() == before).then_some(TournamentDesign { kind, games: schedule.games, seeds })
}

/// The agents by index, the strongest first: those that are named, then the others in their order.
fn seeds(
    schedule: &ScheduleConfig,
    agents: &[AgentEntry],
    place: Span,
    problems: &mut Problems,
) -> Vec<usize> {
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).gather();
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
fn alpha(adaptive: Option<&Values>, tree: &TomlTable, problems: &mut Problems) -> Option<f64> {
    let section = tree.table("adaptive")?;
    for key in ["epsilon_elo", "max_games", "against"] {
        let Some(place) = section.locate(key) else { continue };
        let message = format!("`{key}` does not apply to a knockout");
        let help =
            "remove it: `alpha` lets a match end early, and `games` in `[schedule]` limits a match";
        problems.wrong(place, format!("adaptive.{key}"), message, help);
    }
    Some(AdaptiveParams::read(adaptive?).expect("the section was checked").alpha)
}

/// The section `[adaptive]` of a knockout with its values; `None`: there is no such section.
pub(super) fn to_values(design: &TournamentDesign) -> Option<Values> {
    let TournamentKind::Knockout { alpha: Some(alpha) } = design.kind else { return None };
    let mut values = Values::default();
    values.set("alpha", Value::Float(alpha));
    Some(values)
}
