//! `[adaptive]`: formats whose next games depend on earlier results, their error and their maximum
//! length.

use crate::config::build_context::{BuildContext, Section};
use crate::config::sections::agents_section::AgentEntry;
use crate::config::sections::limits_section;
use crate::config::sections::schedule_section::{MAX_GAMES, ScheduleConfig};
use crate::config::sections::seats_and_pairings::FixedSeat;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::toml_tree::TomlTable;
use crate::params::{Params, Values};
use crate::rounds::adaptive_rounds::{AdaptiveDesign, AdaptiveQuestion, AdaptiveWeight};
use crate::util::did_you_mean::did_you_mean;

crate::params! {
    /// An adaptive format as the config states it.
    pub(crate) struct AdaptiveParams {
        /// probability of a wrong answer: with `best`, that an agent is eliminated which no other
        /// agent beats; with `knockout`, that the worse agent wins a match that ends early
        alpha: f64 [1e-6..=0.5] = 0.05,
        /// differences of up to this number of Elo need not be decided; all are if not given
        epsilon_elo: Option<f64> [0.1..=1000.0] = None,
        /// games of all pairings after which the run ends without an answer
        max_games: u64 [2..=MAX_GAMES] = 100_000,
        /// the agent that all others are compared with, by name, for `format = "ranking"`
        against: Option<String> = None,
        /// what the choice of the next pairings saves: "games", or "cost" for agents with
        /// `costs = true`: pairings with little evidence for their cost wait
        weight: AdaptiveWeight = AdaptiveWeight::Games,
    }
}

impl Section for AdaptiveParams {
    const KEY: &'static str = "adaptive";
    const SUMMARY: &'static str = "The error and the length of `format = \"best\"` and `\"ranking\"`; for `\"knockout\"`, `alpha`";
}

/// Refuses the section, because the format has one round.
pub(crate) fn refuse(
    schedule: &ScheduleConfig,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) {
    let (Some(section), Some(_)) = (context.tree.get("adaptive"), context.read::<AdaptiveParams>())
    else {
        return;
    };
    let message = format!("`[adaptive]` does not apply to a {}", schedule.format.word);
    let help =
        "choose `format = \"best\"` or `\"ranking\"` in `[schedule]`, or remove `[adaptive]`";
    problems.wrong(section.node.span, "adaptive", message, help);
}

/// Checks the section, and sets the number of openings of the schedule. `adjusted`: scores without
/// luck decide. `None` after a mistake, which is then reported.
pub(crate) fn build(
    question: AdaptiveQuestion,
    adjusted: bool,
    agents: &[AgentEntry],
    schedule: &mut ScheduleConfig,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> Option<AdaptiveDesign> {
    let (tree, word) = (context.tree, schedule.format.word);
    let AdaptiveParams { alpha, epsilon_elo, max_games, against, weight } = context.read()?;
    if let Some(place) = tree.place("schedule", "games") {
        let message = format!("`{word}` decides the number of games itself");
        let help = "remove `games`; `max_games` in `[adaptive]` (`--set adaptive.max_games=N`) limits all games";
        problems.wrong(place, "schedule.games", message, help);
    }
    check_players(schedule, agents, tree, problems);
    let named = tree.place("adaptive", "against").unwrap_or(tree.span);
    let question = match (question, against) {
        (question, None) => question,
        (AdaptiveQuestion::Ranking, Some(name)) => {
            match agents.iter().position(|agent| agent.name == name) {
                Some(agent) => AdaptiveQuestion::Against(agent),
                None => {
                    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
                    let help = did_you_mean(&name, &names);
                    let message = format!("there is no agent `{name}`");
                    problems.wrong(named, "adaptive.against", message, help);
                    return None;
                }
            }
        }
        (_, Some(_)) => {
            let message = format!("`{word}` compares all agents");
            let help = "use `format = \"ranking\"` with `against`, or remove `against`";
            problems.wrong(named, "adaptive.against", message, help);
            return None;
        }
    };
    if weight == AdaptiveWeight::Cost {
        limits_section::check_costs("adaptive", "weight", agents, context, problems);
    }
    let design = AdaptiveDesign { question, alpha, epsilon_elo, max_games, adjusted, weight };
    set_schedule(&design, schedule);
    Some(design)
}

/// Sets the number of openings of the schedule.
pub(crate) fn set_schedule(design: &AdaptiveDesign, schedule: &mut ScheduleConfig) {
    schedule.games = (design.max_games / 2 * 2).min(2 * MOST_OPENINGS);
}

/// Refuses agents that would play themselves or one seat only.
pub(crate) fn check_players(
    schedule: &ScheduleConfig,
    agents: &[AgentEntry],
    tree: &TomlTable,
    problems: &mut Problems,
) {
    let format = tree.place("schedule", "format").unwrap_or(tree.span);
    let word = schedule.format.word;
    if schedule.include_self {
        let place = tree.place("schedule", "include_self").unwrap_or(format);
        let message = format!("`{word}` compares agents, so none plays itself");
        problems.wrong(place, "schedule.include_self", message, "remove `include_self`");
    }
    if let Some(agent) = agents.iter().find(|agent| agent.seat != FixedSeat::Both) {
        let place = agent.table.locate("seat").unwrap_or(agent.table.span);
        let message = format!("`{word}` needs agents that play both seats");
        let help = "remove `seat`, or use `format = \"round-robin\"`";
        problems.wrong(place, "agents.seat", message, help);
    }
}

/// The maximum number of openings that a pairing gets before they are repeated.
const MOST_OPENINGS: u64 = 2_000;

pub(crate) fn to_values(design: &AdaptiveDesign, names: &[&str]) -> Values {
    let AdaptiveDesign { question, alpha, epsilon_elo, max_games, weight, .. } = *design;
    let against = match question {
        AdaptiveQuestion::Against(agent) => Some(names[agent].to_owned()),
        AdaptiveQuestion::Best | AdaptiveQuestion::Ranking => None,
    };
    AdaptiveParams { alpha, epsilon_elo, max_games, against, weight }.values()
}
