//! Builds the experiment from checked sections. Checks what depends on several sections.

use super::build_context::{BuildContext, Origin};
use super::check_specs::{Opened, check_spec, from_param, open};
use super::experiment::{Experiment, GridOfTune, NamedAgent};
use super::kinds::{self, PlannedRun};
use super::read_sections;
use super::refereed_game;
use super::section_definitions::Definitions;
use crate::config::sections::adjudication_section::AdjudicationParams;
use crate::config::sections::agent_names::check_folder;
use crate::config::sections::agents_section::{self, AgentEntry};
use crate::config::sections::grading_section::Grading;
use crate::config::sections::limits_section::GameLimits;
use crate::config::sections::luck_section::LuckParams;
use crate::config::sections::openings_section::{self, OpeningNeeds};
use crate::config::sections::output_section::Output;
use crate::config::sections::seats_and_pairings::FixedSeat;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::read_toml_table::join;
use crate::config::tree::source_of_each_value::ValueSource;
use crate::config::tree::toml_tree::TomlTable;
use crate::games::Player;
use crate::params::Spec;
use crate::play::{LuckSettings, OpeningRule, Openings, Registry};

/// Builds the experiment. Returns `None` after a mistake; all mistakes that do not follow from
/// another one are then reported.
pub(super) fn experiment(
    tree: &TomlTable,
    definitions: &Definitions,
    registry: &Registry,
    origin: &Origin<'_>,
    sources: &mut Vec<ValueSource>,
    problems: &mut Problems,
) -> Option<(Experiment, Vec<AgentEntry>)> {
    let mut parts = read_sections::parts(tree, definitions, problems);
    let top = parts.top.take();
    let name = top.as_ref().and_then(|top| name(top.name.as_deref(), tree, origin, problems));
    let game = parts.spec("game").and_then(|spec| game(spec, tree, registry, origin, problems));
    if game.as_ref().is_some_and(|(_, any_game)| any_game.is_refereed()) {
        let before = problems.mark();
        refereed_game::check(tree, origin, problems);
        // Other mistakes of these sections would follow from the first.
        if problems.mark() != before {
            return None;
        }
    }
    let context = BuildContext {
        tree,
        values: &parts.values,
        registry,
        origin,
        any_game: game.as_ref().map(|(_, any_game)| any_game),
        seed: top.as_ref().map_or(0, |top| top.seed),
    };
    check_agents(&mut parts.agents, definitions, &context, problems);
    let luck: Option<LuckParams> = context.read();
    let adjusted = luck.as_ref().is_some_and(LuckParams::decides);
    let run = kinds::plan(parts.agents, adjusted, &context, problems);
    let limits: Option<GameLimits> = context.read();
    let limits = limits.zip(run.as_ref());
    let limits = limits.map(|(limits, run)| limits.checked(&run.agents, &context, problems));
    let adjudication = context.read::<AdjudicationParams>();
    let syzygy = adjudication.as_ref().and_then(|params| params.syzygy_rule(&context));
    let adjudication = adjudication.map(|params| params.build(&context, problems));
    let rule = OpeningRule {
        plies: None,
        max_plies: limits.map_or(u32::MAX, |limits| limits.max_plies),
        adjudication: adjudication.unwrap_or_default(),
    };
    let spec = parts.specs.get("openings");
    let openings =
        spec.and_then(|spec| openings(spec, run.as_ref(), rule, &context, sources, problems));
    let output = context.read::<Output>().map(|output| output.checked(&context, problems));
    let grading = context.read::<Grading>();
    let grading = grading.and_then(|grading| grading.checked(&context, problems));
    let luck = luck.zip(run.as_ref());
    let luck = luck.and_then(|(params, run)| luck_of(run, params, &context, problems));
    if !problems.is_empty() {
        return None;
    }
    let (top, (game, any_game)) = (top?, game?);
    let PlannedRun { kind, schedule, agents: entries, grid } = run?;
    let experiment = Experiment {
        name: name?,
        question: top.question.as_deref().map(crate::params::visible),
        seed: top.seed,
        game_in_words: parts.specs.get("game")?.in_words(&any_game.params()),
        game,
        any_game,
        agents: entries.iter().map(|entry| named(entry, registry)).collect::<Option<_>>()?,
        schedule,
        openings: openings?,
        kind,
        grid: grid.and_then(|(start, design)| {
            let (test, test_games) = (design.test, design.test_games);
            Some(GridOfTune { start: named(&start, registry)?, test, test_games })
        }),
        limits: limits?,
        adjudication: adjudication?,
        syzygy,
        luck,
        output: output?,
        grading,
    };
    Some((experiment, entries))
}

fn name(
    given: Option<&str>,
    tree: &TomlTable,
    origin: &Origin<'_>,
    problems: &mut Problems,
) -> Option<String> {
    let name = given.unwrap_or(origin.stem);
    if let Err((message, help)) = check_folder(name) {
        let place = tree.locate("name").unwrap_or(tree.span);
        let help = match given {
            Some(_) => help,
            None => "add a line such as `name = \"my_experiment\"` at the top".to_owned(),
        };
        problems.wrong(place, "name", message, help);
        return None;
    }
    Some(crate::params::visible(name))
}

fn game(
    spec: &Spec,
    tree: &TomlTable,
    registry: &Registry,
    origin: &Origin<'_>,
    problems: &mut Problems,
) -> Option<Opened> {
    let opened = open(spec, registry, origin.folder)?;
    let section = tree.table("game")?;
    opened.map_err(|error| problems.report(from_param(&error, section, "game"))).ok()
}

/// What is measured of the luck in the games.
fn luck_of(
    run: &PlannedRun,
    params: LuckParams,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> Option<LuckSettings> {
    // The two sides of a tune report no probabilities, because they change.
    let agents = run.agents.iter().skip(run.kind.changing_agents());
    // A wrong agent may be one that reports its probabilities.
    let agents: Vec<Spec> = agents.map(|agent| agent.spec.clone()).collect::<Option<_>>()?;
    let is_tested = context.tree.get("sprt").is_some() || run.kind.has_verdict();
    params.build(is_tested && context.tree.get("tune").is_none(), &agents, context, problems)
}

/// The openings of a run, if it is known, whose games follow these rules.
fn openings(
    spec: &Spec,
    run: Option<&PlannedRun>,
    rule: OpeningRule,
    context: &BuildContext<'_>,
    sources: &mut Vec<ValueSource>,
    problems: &mut Problems,
) -> Option<Openings> {
    let needs = OpeningNeeds {
        wanted: run.map_or(1, PlannedRun::openings_wanted),
        by_default: run.map_or(1, PlannedRun::openings_by_default),
        rule,
    };
    let openings = openings_section::build(spec, needs, context, sources, problems)?;
    if let Openings::Random { plies } = openings {
        check_lengths(plies, rule.max_plies, context.tree, problems);
    }
    if let Some(run) = run {
        run.check_openings(&openings, context.any_game?, context, problems);
    }
    Some(openings)
}

/// The agent of a table without a mistake.
fn named(agent: &AgentEntry, registry: &Registry) -> Option<NamedAgent> {
    let spec = agent.spec.clone()?;
    Some(NamedAgent {
        name: agent.name.clone(),
        needs: registry.requirements(&spec),
        spec,
        seat: agent.seat,
        deterministic: agent.deterministic,
        reference: agent.reference,
        parallel: agent.parallel,
    })
}

/// Reads the seats of the agents, and checks that the game can build them.
fn check_agents(
    agents: &mut [AgentEntry],
    definitions: &Definitions,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) {
    let kind = context.tree.table("game").and_then(|game| game.text("kind"));
    if let Some(game) = kind.and_then(|kind| context.registry.game(kind)) {
        agents_section::read_seats(agents, game, problems);
    }
    let Some(any_game) = context.any_game else { return };
    for agent in agents {
        let Some(spec) = &agent.spec else { continue };
        let before = problems.mark();
        check_spec(spec, &agent.table, &agent.path, any_game, definitions, problems);
        if problems.mark() == before {
            check_side(context.registry.requirements(spec).side, agent, problems);
        }
    }
}

/// Whether an agent that supports one side only takes that seat.
fn check_side(side: Option<(String, Player)>, agent: &AgentEntry, problems: &mut Problems) {
    let Some((kind, side)) = side else { return };
    let seat = match side {
        Player::First => FixedSeat::First,
        Player::Second => FixedSeat::Second,
    };
    if agent.seat == seat {
        return;
    }
    let (place, label) = match agent.table.locate("seat") {
        Some(place) => (place, format!("this is the seat of `{}`", agent.name)),
        None => (agent.table.span, "without a seat it would play both sides".to_owned()),
    };
    let word = seat.word();
    let message = format!("`{kind}` plays the side that moves {word}, and no other");
    problems.report(
        Diagnostic::at(place, join(&agent.path, "seat"), message)
            .label(label)
            .help(format!("set `seat = \"{word}\"`, or use another agent")),
    );
}

/// Checks that openings are shorter than the games.
fn check_lengths(plies: u32, max_plies: u32, tree: &TomlTable, problems: &mut Problems) {
    if plies < max_plies {
        return;
    }
    let at = |section, key| tree.place_or_section(section, key);
    let message = "the openings are as long as a whole game";
    problems.report(
        Diagnostic::at(at("openings", "plies"), "openings.plies", message)
            .also(at("limits", "max_plies"), format!("games end after {max_plies} plies"))
            .help("lower `plies` or raise `max_plies`"),
    );
}
