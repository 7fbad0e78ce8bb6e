//! Builds the experiment from checked sections. Checks what depends on several sections.

use std::path::Path;

use super::experiment::{Experiment, GridOfTune, NamedAgent};
use super::read_sections;
use super::read_sections::Parts;
use super::run_kind::RunKind;
use super::section_definitions::{Definitions, Top};
use crate::config::sections::adaptive_section;
use crate::config::sections::adjudication_section;
use crate::config::sections::agent_names::check_folder;
use crate::config::sections::agents_section::{self, AgentEntry};
use crate::config::sections::grading_section;
use crate::config::sections::limits_section::GameLimits;
use crate::config::sections::luck_section;
use crate::config::sections::openings_section;
use crate::config::sections::openings_section::{OpeningNeeds, openings_error};
use crate::config::sections::output_section;
use crate::config::sections::reference_agents;
use crate::config::sections::schedule_formats::ScheduleFormat;
use crate::config::sections::schedule_section::ScheduleConfig;
use crate::config::sections::seats_and_pairings::{FixedSeat, Pairing};
use crate::config::sections::sprt_section;
use crate::config::sections::tournament_keys;
use crate::config::sections::tune_grid;
use crate::config::sections::tune_section;
use crate::config::sections::tune_section::{TuneMethod, TuneParams};
use crate::config::tree::check_parameter_value::stand_in;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::read_toml_table::{Trust, correct, join};
use crate::config::tree::source_of_each_value::{Span, ValueSource};
use crate::config::tree::toml_tree::{Raw, TomlEntry, TomlTable};
use crate::games::Player;
use crate::params::{ParamError, Params, Role, Spec, Type};
use crate::play::{AnyGame, OpeningRule, Openings, Registry};
use crate::stats::spsa_rounds::TuneDesign;

pub(super) struct Origin<'a> {
    /// The default name of the experiment.
    pub stem: &'a str,
    /// The folder that relative paths start from.
    pub folder: &'a Path,
    /// Whether the config is the `resolved.toml` of a results folder.
    pub is_resolved: bool,
}

/// The number of distinct openings that a format in rounds should have by default.
const ENOUGH_OPENINGS: u64 = 200;

/// Builds the experiment. Returns `None` after a mistake; all mistakes are then reported.
pub(super) fn experiment(
    tree: &TomlTable,
    definitions: &Definitions,
    registry: &Registry,
    origin: &Origin<'_>,
    sources: &mut Vec<ValueSource>,
    problems: &mut Problems,
) -> Option<(Experiment, Vec<AgentEntry>)> {
    let mut parts = read_sections::parts(tree, definitions, problems);
    let name = name(&parts, tree, origin, problems);
    let opened =
        parts.spec("game").and_then(|spec| any_game(spec, tree, registry, origin.folder, problems));
    let (game, any_game) = opened.unzip();
    // If the game has a mistake, its correct keys are used to check the rest. So mistakes of agents
    // and openings are reported in the same pass.
    let (rest, faithful) = match &any_game {
        Some(_) => (None, true),
        None => match rest_of_game(&parts, registry, origin.folder) {
            Some((rest, faithful)) => (Some(rest), faithful),
            None => (None, false),
        },
    };
    let judge = any_game.as_ref().or(rest.as_ref());
    if let Some(game) = judge.and_then(|judge| registry.game(judge.kind())) {
        agents_section::read_seats(&mut parts.agents, game, problems);
    }
    for agent in &parts.agents {
        let Some(judge) = judge else { break };
        let Some((mut spec, _)) = agent.spec.clone() else { continue };
        if !faithful {
            // The features depend on the board.
            spec.values.0.remove("weights");
        }
        let before = problems.mark();
        check_spec(&spec, &agent.table, &agent.path, judge, definitions, problems);
        if problems.mark() == before {
            check_side(registry.requirements(&spec).side, agent, problems);
        }
    }
    let seed = parts.top.as_ref().map_or(Top::default().seed, |top| top.seed);
    let is_tune = tree.get("tune").is_some();
    let (mut tune, mut grid) = (None, None);
    if let (Some(values), Some(sprt)) = (parts.values("tune"), parts.values("sprt")) {
        let judge = judge.filter(|_| faithful);
        let built = tune_section::build((values, sprt), &parts.agents, judge, seed, tree, problems);
        let params = TuneParams::read(values).expect("the section was checked");
        match built {
            Some((design, tuned)) if params.method == TuneMethod::Grid => {
                let start = parts.agents[tuned].clone();
                let agents = tune_grid::agents(&start, &design.parameters, &params, tree, problems);
                if let Some(agents) = agents {
                    parts.agents = agents;
                    grid = Some((start, design, params));
                }
            }
            Some((design, tuned)) => {
                parts.agents = tune_section::sides(std::mem::take(&mut parts.agents), tuned);
                tune = Some(design);
            }
            None => {}
        }
    }
    let seats: Vec<FixedSeat> = parts.agents.iter().map(|agent| agent.seat).collect();
    // The correct keys of a section with mistakes are checked too.
    let sections = [parts.read_values("schedule"), parts.read_values("sprt")];
    let [scheduled, sequential] = sections.map(|read| read.and_then(Option::as_ref));
    let mut schedule = scheduled.map(|(values, _)| ScheduleConfig::from_values(values));
    let mut design = None;
    let adjusted = luck_section::decides(parts.values("luck"));
    if let (Some(schedule), Some((values, _)), false) = (schedule.as_mut(), sequential, is_tune) {
        design = sprt_section::build((values, adjusted), &seats, schedule, tree, problems);
    }
    // What does not fit the default format may fit the one that was meant.
    let stated = tree.table("schedule").and_then(|table| table.get("format"));
    let format = schedule.as_ref().map(|schedule| Raw::Text(schedule.format.word.to_owned()));
    let is_meant = stated.is_none_or(|entry| format.as_ref() == Some(&entry.node.raw));
    let mut rounds = None;
    let values_of_grid = (schedule.as_mut().zip(grid.as_ref()))
        .map(|(schedule, (_, _, params))| tune_grid::adaptive_values(params, tree, schedule));
    let values = values_of_grid.as_ref().or(parts.values("adaptive").filter(|_| !is_tune));
    if let (Some(schedule), Some(values), true) = (schedule.as_mut(), values, is_meant) {
        rounds =
            adaptive_section::build((values, adjusted), &parts.agents, schedule, tree, problems);
    }
    if let Some(schedule) = schedule.as_ref().filter(|_| is_meant) {
        reference_agents::check(schedule.format, &parts.agents, tree, problems);
    }
    let tournament = schedule.as_mut().filter(|_| is_meant).and_then(|schedule| {
        tournament_keys::build(parts.values("adaptive"), &parts.agents, schedule, tree, problems)
    });
    if let (Some(schedule), Some(tune)) = (schedule.as_mut(), &tune) {
        tune_section::set_schedule(tune, schedule);
    }
    let schedule = schedule.filter(|_| parts.values("schedule").is_some());
    if let Some(schedule) =
        schedule.as_ref().filter(|_| tune.is_some() || grid.is_some() || !is_tune)
    {
        check_schedule(schedule, &parts.agents, tree, problems);
    }
    let section = tree.table("openings");
    let spec = parts.read_spec("openings").and_then(Option::as_ref).map(|(spec, _)| spec);
    let wanted = schedule.as_ref().map_or(1, |schedule| schedule.openings_wanted(&seats));
    let drawn = (wanted.max(1), seed);
    let max_plies = parts
        .values("limits")
        .map(|values| GameLimits::read(values).expect("the section was checked").max_plies);
    let entry = game.as_ref().and_then(|game| registry.game(&game.kind));
    let adjudication = parts.values("adjudication").map(|values| {
        let kind = judge.map(|any_game| any_game.kind());
        adjudication_section::build(values, kind, registry, tree, problems)
    });
    let openings = match (section, &any_game, entry, max_plies) {
        (None, Some(any_game), Some(entry), Some(max_plies)) => {
            // The schedule of an adaptive format repeats its openings.
            // The test at the end of a tune repeats no opening.
            let design = tune.as_ref().or(grid.as_ref().map(|(_, design, _)| design));
            let tested = design.map_or(0, |design| design.test_games / 2);
            let enough = match rounds.is_some() || is_tune {
                true => wanted.min(ENOUGH_OPENINGS).max(tested),
                false => wanted,
            };
            let drawn = (enough.max(1), seed);
            Some(openings_section::by_default(any_game, entry.opening_plies, max_plies, drawn))
        }
        _ => spec.and_then(|spec| {
            let judge = judge.filter(|_| faithful);
            let rule = OpeningRule {
                plies: None,
                max_plies: max_plies.unwrap_or(u32::MAX),
                adjudication: adjudication.unwrap_or_default(),
            };
            let needs = OpeningNeeds {
                rule,
                wanted: drawn.0,
                seed,
                folder: origin.folder,
                is_resolved: origin.is_resolved,
            };
            openings_section::build(spec, section, judge, needs, sources, problems)
        }),
    };
    if let (Some(openings @ Openings::Random { .. }), Some(tune), Some(any_game)) =
        (&openings, &tune, &any_game)
        && let Err(error) = any_game.check_openings(openings, tune.test_games / 2, seed)
    {
        tune_section::report_openings(&error, tree, problems);
    }
    if let (Some(Openings::Random { plies }), Some(max_plies)) = (&openings, max_plies) {
        check_lengths(*plies, max_plies, tree, problems);
    }
    let output = parts.values("output").map(|values| output_section::build(values, tree, problems));
    let grading = parts
        .values("grading")
        .and_then(|values| grading_section::build(values, any_game.as_ref(), tree, problems));
    let is_adaptive = schedule.as_ref().is_some_and(|schedule| schedule.format.is_adaptive());
    let has_verdict = (tree.get("sprt").is_some() || is_adaptive) && !is_tune;
    let luck = parts.values("luck").and_then(|values| {
        // A wrong agent may be one that reports its probabilities. The two sides of a tune, which come
        // first, change from round to round and report none.
        let sides = if tune.is_some() { 2 } else { 0 };
        let specs = parts.agents.iter().skip(sides).map(|agent| correct(&agent.spec).cloned());
        let specs: Option<Vec<Spec>> = specs.collect();
        let judge = any_game.as_ref().zip(specs.as_deref());
        luck_section::build(values, judge, has_verdict, tree, problems)
    });
    if !problems.is_empty() {
        // Checks that would otherwise fail only when the run is set up.
        if let (Some(any_game), Some(schedule), Some(openings)) = (&any_game, &schedule, &openings)
        {
            let random = matches!(openings, Openings::Random { .. })
                && !parts.agents.is_empty()
                && rounds.is_none()
                && !is_tune
                && !schedule.format.is_bracket();
            if random && let Err(error) = any_game.check_openings(openings, wanted, seed) {
                let pairings = schedule.pairings(&seats);
                problems.report(openings_error(&error, tree, &pairings));
            }
        }
        return None;
    }
    let top = parts.top.as_ref()?;
    let named = |agent: &AgentEntry| {
        Some(NamedAgent {
            name: agent.name.clone(),
            needs: registry.requirements(correct(&agent.spec)?),
            spec: correct(&agent.spec)?.clone(),
            seat: agent.seat,
            deterministic: agent.deterministic,
            reference: agent.reference,
        })
    };
    let mut agents = Vec::new();
    for agent in &parts.agents {
        agents.push(named(agent)?);
    }
    let grid = grid.and_then(|(start, TuneDesign { test, test_games, .. }, _)| {
        Some(GridOfTune { start: named(&start)?, test, test_games })
    });
    let kind = (tune.map(RunKind::Tune))
        .or(rounds.map(RunKind::Rounds))
        .or(tournament.map(RunKind::Matches))
        .or(design.map(RunKind::Sequential))
        .unwrap_or_default();
    let experiment = Experiment {
        name: name?,
        question: top.question.as_deref().map(crate::params::visible),
        seed: top.seed,
        game: game?,
        game_in_words: parts.spec("game")?.in_words(&any_game.as_ref()?.params()),
        any_game: any_game?,
        agents,
        schedule: schedule?,
        openings: openings?,
        kind,
        grid,
        max_plies: max_plies?,
        adjudication: adjudication?,
        luck,
        output: output?,
        grading,
    };
    Some((experiment, parts.agents))
}

fn name(
    parts: &Parts,
    tree: &TomlTable,
    origin: &Origin<'_>,
    problems: &mut Problems,
) -> Option<String> {
    let given = parts.top.as_ref()?.name.as_deref();
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

fn any_game(
    spec: &Spec,
    tree: &TomlTable,
    registry: &Registry,
    folder: &Path,
    problems: &mut Problems,
) -> Option<Opened> {
    let table = tree.table("game")?;
    open(spec, registry, folder)?
        .map_err(|error| problems.report(from_param(&error, table, "game")))
        .ok()
}

/// A game with the contents of its files, and the same game ready to be played.
type Opened = (Spec, AnyGame);

/// Reads the files of a spec, with paths relative to `folder`, and opens the game. Returns `None`
/// for a kind that is not registered.
pub(super) fn open(
    spec: &Spec,
    registry: &Registry,
    folder: &Path,
) -> Option<Result<Opened, ParamError>> {
    let entry = registry.game(&spec.kind)?;
    let mut spec = spec.clone();
    let opened =
        (entry.embed(&mut spec.values, folder)).and_then(|()| registry.open(entry, &spec.values));
    Some(opened.map(|any_game| (spec, any_game)))
}

/// The game from the correct keys of its section, and whether no value is a placeholder.
fn rest_of_game(parts: &Parts, registry: &Registry, folder: &Path) -> Option<(AnyGame, bool)> {
    let (mut spec, trust) = parts.read_spec("game")?.clone()?;
    if let Some(Ok((_, any_game))) = open(&spec, registry, folder) {
        return Some((any_game, trust >= Trust::Given));
    }
    for param in &registry.game(&spec.kind)?.params {
        match stand_in(param) {
            Some(value) => spec.values.set(param.key, value),
            None => {
                spec.values.0.remove(param.key);
            }
        }
    }
    let (_, any_game) = open(&spec, registry, folder)?.ok()?;
    Some((any_game, false))
}

/// Whether the game can build the agent. Nested agents are checked first, so that a mistake in one
/// is reported at its own key. `table` is the table that the spec was read from.
pub(super) fn check_spec(
    spec: &Spec,
    table: &TomlTable,
    path: &str,
    any_game: &AnyGame,
    definitions: &Definitions,
    problems: &mut Problems,
) {
    let before = problems.mark();
    let params = definitions.kinds("agents").iter().find(|kind| kind.kind == spec.kind);
    let params = params.map_or(&[][..], |kind| &kind.params);
    for param in params.iter().filter(|param| param.ty == Type::Agent) {
        let inner = table.get(param.key).map(|entry| &entry.node.raw);
        if let (Some(inner_spec), Some(Raw::Table(inner))) = (spec.values.spec(param.key), inner) {
            let path = format!("{path}.{}", param.key);
            check_spec(inner_spec, inner, &path, any_game, definitions, problems);
        }
    }
    if problems.mark() > before {
        return;
    }
    // A builder reports one mistake at a time. Each reported value is replaced by a correct one, so
    // that the builder reports the next mistake.
    let mut spec = spec.clone();
    let mut reported: Vec<String> = Vec::new();
    while let Err(error) = any_game.check_agent(&spec) {
        let key = error.key.clone().unwrap_or_default();
        let place = table.get(&key).map(|entry| entry.node.span);
        // A key without a value here fails because of the placeholder for another key.
        let is_unreadable = |entry: &TomlEntry| {
            let known = params.iter().find(|param| param.key == entry.key);
            match known.map(|param| param.role) {
                Some(Role::Work | Role::Time) => problems.is_reported(Some(entry.node.span)),
                Some(_) => false,
                None => problems.is_reported(Some(entry.at)),
            }
        };
        // A limit is missing because it cannot be read.
        let follows =
            place.is_none() && (!reported.is_empty() || table.entries.iter().any(is_unreadable));
        if reported.contains(&key) || follows {
            return;
        }
        if !problems.is_reported(place) {
            problems.report(from_param(&error, table, path));
        }
        let Some(param) = params.iter().find(|param| param.key == key) else { return };
        match stand_in(param) {
            Some(value) => spec.values.set(param.key, value),
            None if param.ty == Type::Weights => {
                spec.values.0.remove(param.key);
            }
            None => return,
        }
        reported.push(key);
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

/// The error of a builder, at the key that it names.
pub(super) fn from_param(error: &ParamError, table: &TomlTable, path: &str) -> Diagnostic {
    let (place, key) = match &error.key {
        Some(key) => (table.locate(key).unwrap_or(table.span), join(path, key)),
        None => (table.span, path.to_owned()),
    };
    Diagnostic::at(place, key, error.message.as_str()).help(error.help.as_str())
}

fn check_schedule(
    schedule: &ScheduleConfig,
    agents: &[AgentEntry],
    tree: &TomlTable,
    problems: &mut Problems,
) {
    let section = tree.get("schedule").map(|entry| &entry.node);
    let locate = |key: &str| -> Span {
        match section.map(|node| (&node.raw, node.span)) {
            Some((Raw::Table(table), span)) => table.locate(key).unwrap_or(span),
            _ => tree.get("agents").map_or(tree.span, |entry| entry.node.span),
        }
    };
    let count = agents.len();
    if let Some((message, help)) = schedule.format.wrong_count(count, schedule.include_self) {
        let label =
            if count == 1 { "there is one".to_owned() } else { format!("there are {count}") };
        problems.missing(
            Diagnostic::at(locate("format"), "schedule.format", message).label(label).help(help),
        );
    }
    let seats: Vec<FixedSeat> = agents.iter().map(|agent| agent.seat).collect();
    let pairings = schedule.pairings(&seats);
    check_seats(schedule, agents, &pairings, problems);
    if !schedule.games.is_multiple_of(2) && pairings.iter().any(|pairing| pairing.has_pairs()) {
        let (less, more) = (schedule.games - 1, schedule.games + 1);
        let help = match less {
            0 => format!("use {more}"),
            _ => format!("use {less} or {more}"),
        };
        problems.report(
            Diagnostic::at(locate("games"), "schedule.games", "`schedule.games` must be even")
                .label("each opening is played from both sides")
                .help(help),
        );
    }
    if count > 0 && !schedule.has_valid_stages(count) {
        let message = "`schedule.earlier` does not fit the agents and the games of this config";
        let help = "remove `earlier`: agon writes it itself";
        problems.wrong(locate("earlier"), "schedule.earlier", message, help);
    }
    if schedule.format == ScheduleFormat::SELF_PLAY
        && let Some(Raw::Table(table)) = section.map(|node| &node.raw)
        && let Some(entry) = table.get("include_self")
        && entry.node.raw == Raw::Bool(false)
    {
        let message = "self-play without `include_self` leaves nothing to play";
        let help = "leave `include_self` out, or choose another format";
        problems.wrong(entry.node.span, "schedule.include_self", message, help);
    }
}

fn check_seats(
    schedule: &ScheduleConfig,
    agents: &[AgentEntry],
    pairings: &[Pairing],
    problems: &mut Problems,
) {
    for agent in agents.iter().filter(|agent| agent.seat != FixedSeat::Both) {
        let met = pairings.iter().any(|pairing| {
            [pairing.a, pairing.b].iter().any(|&index| std::ptr::eq(&agents[index], agent))
        });
        let word = agent.seat.word();
        let (message, help) = if schedule.include_self {
            let message = format!("`{}` cannot play itself: it only moves {word}", agent.name);
            (message, "leave `seat` out, or do not let agents play themselves".to_owned())
        } else if !met && agents.len() > 1 {
            let other = if agent.seat == FixedSeat::First { "second" } else { "first" };
            let message = format!("`{}` has no opponent: it only moves {word}", agent.name);
            (message, format!("let an opponent take `seat = \"{other}\"`, or leave `seat` out"))
        } else {
            continue;
        };
        let place = agent.table.locate("seat").unwrap_or(agent.table.span);
        problems.wrong(place, join(&agent.path, "seat"), message, help);
    }
}

/// Checks that openings are shorter than the games.
fn check_lengths(plies: u32, max_plies: u32, tree: &TomlTable, problems: &mut Problems) {
    if plies < max_plies {
        return;
    }
    let at = |section, key| openings_section::at(tree, section, key);
    let message = "the openings are as long as a whole game";
    problems.report(
        Diagnostic::at(at("openings", "plies"), "openings.plies", message)
            .also(at("limits", "max_plies"), format!("games end after {max_plies} plies"))
            .help("lower `plies` or raise `max_plies`"),
    );
}
