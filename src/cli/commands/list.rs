//! `agon list`: prints the games, agents and settings, as a manual page or as JSON.

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};

use crate::agents::AgentInfo;
use crate::arena::{GUESSED_COLUMNS, RANK_WORDS, SCORE_WORDS, SEAT_WORDS, column_word};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::manual_page::ManualPage;
use crate::cli::print_run_results::{print_text, terminal_width};
use crate::config::{ConfigKind, Definitions, Section, SectionShape, agent_keys, json_value};
use crate::games::EvaluatorInfo;
use crate::params::{Default, Param, Type, Values};
use crate::play::Registry;
use crate::report::TableFormat;
use crate::util::did_you_mean::did_you_mean_or;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Topic {
    /// Everything.
    All,
    /// Games with their parameters.
    Games,
    /// Agents with their parameters.
    Agents,
    /// Evaluators of each game with their features and weights.
    Evaluators,
    /// Where games can begin.
    Openings,
    /// Columns of results that `agon rate` knows.
    Columns,
}

/// The requested part of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// The names only.
    Names,
    /// All sections and keys of the config.
    All,
    Topic(Topic),
    /// A section of the config with fixed keys.
    Section(&'a str),
    /// All entries with this name: a game, an agent, or a kind of opening.
    Name(&'a str),
    /// A key, wherever a config has it, or a word that a key takes.
    Key(&'a str),
}

impl Wanted<'_> {
    fn topic(self, topic: Topic) -> bool {
        match self {
            Wanted::Topic(wanted) => wanted == topic,
            Wanted::Names | Wanted::Section(_) | Wanted::Key(_) => false,
            // For the name of a game, also its evaluators.
            Wanted::All | Wanted::Name(_) => true,
        }
    }

    fn section(self, section: &str) -> bool {
        matches!(self, Wanted::All) || self == Wanted::Section(section)
    }

    fn kind(self, kind: &str) -> bool {
        !matches!(self, Wanted::Name(name) if name != kind)
    }
}

/// Parses the argument of the command.
pub(super) fn wanted<'a>(
    word: Option<&'a str>,
    registry: &Registry,
) -> Result<Wanted<'a>, Failure> {
    let Some(word) = word else { return Ok(Wanted::Names) };
    match Topic::from_str(word, true) {
        Ok(Topic::All) => return Ok(Wanted::All),
        Ok(topic) => return Ok(Wanted::Topic(topic)),
        Err(_) => {}
    }
    let definitions = Definitions::new(registry);
    let fixed = |section: &&Section| {
        !matches!(section.shape, SectionShape::OneOf { .. } | SectionShape::Agents(_))
    };
    let fixed: Vec<&str> = definitions.sections.iter().filter(fixed).map(|s| s.key).collect();
    if fixed.contains(&word) {
        return Ok(Wanted::Section(word));
    }
    let kinds = definitions.sections.iter().flat_map(|section| definitions.kinds(section.key));
    if kinds.into_iter().any(|kind| kind.kind == word) {
        return Ok(Wanted::Name(word));
    }
    // The place of a key may be before it, as in `sprt.elo0`.
    let key = word.rsplit('.').next().unwrap_or(word);
    if keys(&definitions).iter().any(|(_, param)| is_named(param, key)) {
        return Ok(Wanted::Key(key));
    }
    let all = || {
        let topics: Vec<String> = topics().chain(fixed.iter().map(|key| key.to_string())).collect();
        format!("{}, or the name of a game, an agent or a key", topics.join(", "))
    };
    let names = names(&definitions);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let help = did_you_mean_or(word, &names, all);
    Err(Failure::usage(format!("there is no topic or name `{word}`"), help))
}

/// Every key of a config with its place: a section, or the agent, game or opening that has the key.
fn keys(definitions: &Definitions) -> Vec<(String, Param)> {
    let mut keys: Vec<_> =
        definitions.top.iter().map(|param| ("the top of a config".into(), param.clone())).collect();
    keys.extend(agent_keys().into_iter().map(|param| ("every agent".into(), param)));
    for section in &definitions.sections {
        match &section.shape {
            SectionShape::Keys(params) => {
                let place = format!("[{}]", section.key);
                keys.extend(params.iter().map(|param| (place.clone(), param.clone())));
            }
            SectionShape::OneOf { kinds, .. } | SectionShape::Agents(kinds) => {
                keys.extend(kinds.iter().flat_map(|kind| {
                    kind.params.iter().map(|param| (kind.kind.to_owned(), param.clone()))
                }));
            }
            SectionShape::Shared | SectionShape::Lists => {}
        }
    }
    keys
}

/// Whether the word is this key, or one of the words that it takes.
fn is_named(param: &Param, word: &str) -> bool {
    param.key == word || matches!(param.ty, Type::Choice(words) if words.contains(&word))
}

/// The definitions of one key, or of the keys that take a word, each with the places that share it.
fn places_of_key(key: &str, definitions: &Definitions) -> Vec<(Vec<String>, Param)> {
    let mut found: Vec<(Vec<String>, Param)> = Vec::new();
    for (place, param) in keys(definitions).into_iter().filter(|(_, param)| is_named(param, key)) {
        match found.iter_mut().find(|(_, known)| json_param(known) == json_param(&param)) {
            Some((places, _)) => places.push(place),
            None => found.push((vec![place], param)),
        }
    }
    found
}

/// The words that name a topic.
fn topics() -> impl Iterator<Item = String> {
    let values = Topic::value_variants().iter().filter_map(|topic| topic.to_possible_value());
    values.map(|value| value.get_name().to_owned())
}

/// Every word that can be listed.
pub(super) fn names(definitions: &Definitions) -> Vec<String> {
    let sections = definitions.sections.iter().map(|section| section.key);
    let kinds = sections.clone().flat_map(|key| definitions.kinds(key)).map(|kind| kind.kind);
    let keys = keys(definitions).into_iter().flat_map(|(_, param)| {
        let words = if let Type::Choice(words) = param.ty { words } else { &[] };
        [&[param.key], words].concat()
    });
    topics().chain(sections.chain(kinds).chain(keys).map(str::to_owned)).collect()
}

/// Lists what a config can contain; with a name: its keys, defaults and ranges.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Show this: games, agents, evaluators, columns (for `agon rate`), a section of the config such
    /// as openings or schedule, the name of a game, an agent or a key, or all.
    #[arg(value_name = "TOPIC|NAME")]
    topic: Option<String>,
}

/// Prints one topic, the entries of one name, or everything in a config.
pub fn run(args: &ListArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    let what = wanted(args.topic.as_deref(), registry)?;
    let text = match format {
        TableFormat::Json => format!("{:#}\n", json(what, registry)),
        _ => text(what, terminal_width().map_or(WIDTH, |width| width.min(WIDTH)), registry),
    };
    print_text(&text)?;
    Ok(exit_codes::DONE)
}

/// The maximum width of a page. Longer lines are hard to read, and a pipe has no width.
const WIDTH: usize = 100;

/// The manual page.
pub fn text(what: Wanted<'_>, width: usize, registry: &Registry) -> String {
    let definitions = Definitions::new(registry);
    let mut page = ManualPage::new(width);
    if what == Wanted::Names {
        describe_names(&mut page, &definitions);
        return page.finish();
    }
    if what == Wanted::Topic(Topic::Columns) {
        describe_columns(&mut page);
        return page.finish();
    }
    if let Wanted::Key(key) = what {
        for (places, param) in places_of_key(key, &definitions) {
            page.kind(&places.join(", "), "");
            describe(&mut page, &param);
        }
        return page.finish();
    }
    if what == Wanted::All {
        page.heading("the top of a config");
        definitions.top.iter().for_each(|param| describe(&mut page, param));
    }
    for section in &definitions.sections {
        match &section.shape {
            SectionShape::Keys(params) if what.section(section.key) => {
                describe_section(&mut page, section);
                params.iter().for_each(|param| describe(&mut page, param));
            }
            SectionShape::Shared | SectionShape::Lists if what.section(section.key) => {
                describe_section(&mut page, section);
            }
            SectionShape::OneOf { kinds, .. } | SectionShape::Agents(kinds) => {
                let kinds = wanted_kinds(what, section.key, kinds);
                if !kinds.is_empty() {
                    describe_kinds(&mut page, what, section, &kinds, registry);
                }
            }
            _ => {}
        }
        if section.key == "agents" && what.topic(Topic::Evaluators) {
            describe_evaluators(&mut page, what, registry);
        }
    }
    page.finish()
}

/// One screen with the names of everything.
fn describe_names(page: &mut ManualPage, definitions: &Definitions) {
    page.heading("what a config can contain");
    page.paragraph("`agon list NAME` shows one of these with its keys, their defaults and ranges.");
    page.gap();
    let (mut sections, mut kinds_of) = (Vec::new(), Vec::new());
    for section in &definitions.sections {
        match &section.shape {
            SectionShape::OneOf { kinds, .. } | SectionShape::Agents(kinds) => {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.kind).collect();
                kinds_of.push((plural(section.key), names.join(", ")));
            }
            _ => sections.push(section.key),
        }
    }
    let keys: Vec<&str> = definitions.top.iter().map(|param| param.key).collect();
    page.entry("top keys", &keys.join(", "), "");
    kinds_of.iter().for_each(|(topic, names)| page.entry(topic, names, ""));
    page.entry("sections", &sections.join(", "), "");
    page.entry("evaluators", "of each game; those of one game are also in `agon list GAME`", "");
    page.entry("columns", "of the results of other programs, for `agon rate`", "");
    page.entry("all", "everything, a thousand lines", "");
}

/// The columns of results by their usual names.
fn guessed_columns() -> impl Iterator<Item = (String, &'static str, String)> {
    let numbered = |words: &[&str]| {
        words.iter().map(|word| format!("{word}_N")).collect::<Vec<_>>().join(", ")
    };
    let of_seats = [
        ("playerN", "the player in seat N", numbered(SEAT_WORDS)),
        (
            "rankN",
            "the rank of this player, from 1 or from 0; the best is first",
            numbered(RANK_WORDS),
        ),
        ("scoreN", "the points of this player; more is better", numbered(SCORE_WORDS)),
    ];
    let fixed = GUESSED_COLUMNS
        .iter()
        .map(|(role, help, names)| (column_word(*role), *help, names.join(", ")));
    fixed.chain(of_seats.map(|(word, help, names)| (word.to_owned(), help, names)))
}

fn describe_columns(page: &mut ManualPage) {
    page.heading("columns");
    page.paragraph(
        "What `agon rate` knows of a table of results. Each meaning has the names that are guessed; \
         small and capital letters are the same, N is a number or a letter. `--columns MEANING=NAME` \
         takes any other name.",
    );
    for (word, help, names) in guessed_columns() {
        page.entry(&word, help, &names);
    }
}

/// The games, agents or kinds of openings of a section that are listed.
fn wanted_kinds<'a>(
    what: Wanted<'_>,
    section: &str,
    kinds: &'a [ConfigKind],
) -> Vec<&'a ConfigKind> {
    let is_topic = topic(section).is_some_and(|topic| what.topic(topic));
    kinds.iter().filter(|kind| is_topic && what.kind(kind.kind)).collect()
}

fn topic(section: &str) -> Option<Topic> {
    match section {
        "game" => Some(Topic::Games),
        "agents" => Some(Topic::Agents),
        "openings" => Some(Topic::Openings),
        _ => None,
    }
}

fn plural(section: &str) -> &str {
    if section == "game" { "games" } else { section }
}

fn describe_section(page: &mut ManualPage, section: &Section) {
    page.heading(&format!("[{}]", section.key));
    page.paragraph(section.summary);
}

fn describe_kinds(
    page: &mut ManualPage,
    what: Wanted<'_>,
    section: &Section,
    kinds: &[&ConfigKind],
    registry: &Registry,
) {
    page.heading(plural(section.key));
    match &section.shape {
        _ if matches!(what, Wanted::Name(_)) => {}
        SectionShape::OneOf { default: Some(_), .. } => page.paragraph(section.summary),
        SectionShape::Agents(_) => {
            page.paragraph("Every agent of a config also takes:");
            agent_keys().iter().for_each(|param| describe(page, param));
        }
        _ => {}
    }
    for kind in kinds {
        describe_kind(page, kind);
        if let ("agents", Some(game)) = (section.key, registry.game_of(kind.kind)) {
            page.gap();
            page.note(&format!("It plays {game} only."));
        }
        if section.key == "game" {
            describe_openings(page, kind.kind, registry);
            describe_own_agents(page, kind.kind, registry);
        }
    }
}

fn describe_evaluators(page: &mut ManualPage, what: Wanted<'_>, registry: &Registry) {
    let shown = evaluators(what, registry);
    if !shown.is_empty() {
        page.heading("evaluators");
    }
    for (game, evaluators) in &shown {
        page.kind(game, "");
        for (number, evaluator) in evaluators.iter().enumerate() {
            let default = if number == 0 { " (the default)" } else { "" };
            page.entry(evaluator.name, &format!("{}{default}", evaluator.summary), "");
            if !evaluator.features.is_empty() {
                page.detail(&format!("weights = {}", weights(evaluator)));
            }
        }
    }
}

fn describe_kind(page: &mut ManualPage, kind: &ConfigKind) {
    page.kind(kind.kind, kind.summary);
    page.gap();
    kind.params.iter().for_each(|param| describe(page, param));
    if !kind.params.is_empty() {
        page.gap();
    }
    page.example(&kind.example);
    if let Some(spec) = example_spec(&kind.example) {
        page.gap();
        page.note(&format!("On the command line: {spec}"));
    }
}

/// The example of a game or an agent as a `SPEC` of the command line, if it is short.
fn example_spec(example: &str) -> Option<String> {
    let mut lines = example.lines();
    let head = lines.next()?;
    if !["[game]", "[[agents]]"].contains(&head) {
        return None;
    }
    let pairs = lines.take_while(|line| !line.starts_with('['));
    spec(&pairs.filter(|line| !line.trim().is_empty()).collect::<Vec<_>>())
}

/// Converts lines such as `key = value` to a `SPEC`, with nested agents in parentheses.
fn spec(lines: &[&str]) -> Option<String> {
    let (mut kind, mut pairs) = (None, Vec::new());
    for line in lines {
        let line = line.split(" #").next().unwrap_or(line);
        let (key, value) = line.split_once('=')?;
        let (key, value) = (key.trim(), value.trim());
        let value = match value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(inner) => format!("({})", spec(&inner.split(',').collect::<Vec<_>>())?),
            None => value.trim_matches('"').to_owned(),
        };
        match key {
            "kind" => kind = Some(value),
            "name" | "seat" => {}
            _ if value.contains(['[', ',', '"', '{', ' ']) && !value.starts_with('(') => {
                return None;
            }
            _ => pairs.push(format!("{key}={value}")),
        }
    }
    let kind = kind?;
    Some(if pairs.is_empty() { kind } else { format!("{kind}:{}", pairs.join(",")) })
}

/// The agents that only play this game.
fn own_agents<'r>(game: &str, registry: &'r Registry) -> Vec<&'r AgentInfo> {
    registry.agents.iter().filter(|agent| registry.game_of(agent.kind) == Some(game)).collect()
}

fn describe_openings(page: &mut ManualPage, game: &str, registry: &Registry) {
    let begin = match registry.game(game).map_or(0, |entry| entry.opening_plies) {
        0 => "the start position".to_owned(),
        plies => format!("random openings of {plies} plies, or more where there are too few"),
    };
    page.gap();
    page.note(&format!("Without [openings]: {begin}."));
}

fn describe_own_agents(page: &mut ManualPage, game: &str, registry: &Registry) {
    let own = own_agents(game, registry);
    if !own.is_empty() {
        page.gap();
        page.note("Agents for this game only:");
        own.iter().for_each(|agent| page.entry(agent.kind, agent.summary, ""));
    }
}

fn describe(page: &mut ManualPage, param: &Param) {
    let mut detail = param.ty.wanted();
    match &param.default {
        Default::Is(value) => detail.push_str(&format!("; default {value}")),
        Default::Required => detail.push_str("; must be given"),
        Default::Absent => detail.push_str("; may be left out"),
    }
    page.entry(param.key, param.help, &detail);
}

/// The evaluators of each wanted game in its default size.
fn evaluators(what: Wanted<'_>, registry: &Registry) -> Vec<(&'static str, Vec<EvaluatorInfo>)> {
    registry
        .games
        .iter()
        .filter(|game| what.kind(game.kind))
        .filter_map(|game| {
            let mut values = Values::default();
            for param in &game.params {
                if let Default::Is(value) = &param.default {
                    values.set(param.key, value.clone());
                }
            }
            Some((game.kind, game.open(&values).ok()?.evaluators()))
        })
        .collect()
}

fn weights(evaluator: &EvaluatorInfo) -> String {
    let all: Vec<_> = evaluator
        .features
        .iter()
        .map(|(feature, weight)| format!("{} = {weight}", crate::params::toml_key(feature)))
        .collect();
    format!("{{ {} }}", all.join(", "))
}

/// The same content as JSON; the names come with everything.
pub fn json(what: Wanted<'_>, registry: &Registry) -> Json {
    let what = if what == Wanted::Names { Wanted::All } else { what };
    let definitions = Definitions::new(registry);
    if what == Wanted::Topic(Topic::Columns) {
        let column = |(word, help, names): (String, &str, String)| {
            let names: Vec<&str> = names.split(", ").collect();
            json!({ "meaning": word, "help": help, "names": names })
        };
        return json!({ "columns": guessed_columns().map(column).collect::<Vec<_>>() });
    }
    if let Wanted::Key(key) = what {
        let found = places_of_key(key, &definitions);
        let found = found.iter().map(|(places, param)| {
            let mut out = json_param(param);
            out["places"] = json!(places);
            out
        });
        return json!({ "keys": found.collect::<Vec<_>>() });
    }
    let mut out = json!({});
    if what == Wanted::All {
        out["top"] = json_params(&definitions.top);
    }
    for section in &definitions.sections {
        match &section.shape {
            SectionShape::Keys(keys) if what.section(section.key) => {
                out[section.key] = json_params(keys);
            }
            SectionShape::Shared | SectionShape::Lists if what.section(section.key) => {
                out[section.key] = json!({ "summary": section.summary });
            }
            SectionShape::OneOf { kinds, .. } | SectionShape::Agents(kinds) => {
                let kinds = wanted_kinds(what, section.key, kinds);
                if kinds.is_empty() {
                    continue;
                }
                let kinds = kinds.iter().map(|kind| json_kind(kind, section.key, registry));
                out[plural(section.key)] = kinds.collect();
                if let SectionShape::Agents(_) = section.shape {
                    out["agent_keys"] = json_params(&agent_keys());
                }
            }
            _ => {}
        }
    }
    if what.topic(Topic::Evaluators) {
        out["evaluators"] = json_evaluators(what, registry);
    }
    out
}

/// A game, an agent or a kind of openings, with its parameters.
fn json_kind(kind: &ConfigKind, section: &str, registry: &Registry) -> Json {
    let mut out = json!({
        "kind": kind.kind,
        "summary": kind.summary,
        "parameters": json_params(&kind.params),
        "example": kind.example,
    });
    if section == "game" {
        let own = own_agents(kind.kind, registry);
        let entry = registry.game(kind.kind);
        out["opening_plies"] = json!(entry.map(|entry| entry.opening_plies));
        out["own_agents"] = own.iter().map(|agent| json!(agent.kind)).collect();
    } else if let Some(game) = registry.game_of(kind.kind) {
        out["game"] = json!(game);
    }
    out
}

fn json_evaluators(what: Wanted<'_>, registry: &Registry) -> Json {
    let json_evaluator = |evaluator: &EvaluatorInfo| {
        let weights = evaluator.features.iter();
        let weights = weights.map(|(feature, weight)| (feature.clone(), json!(weight)));
        json!({
            "evaluator": evaluator.name,
            "summary": evaluator.summary,
            "weights": weights.collect::<serde_json::Map<_, _>>(),
        })
    };
    (evaluators(what, registry).iter())
        .map(|(game, evaluators)| {
            let evaluators: Json = evaluators.iter().map(json_evaluator).collect();
            json!({ "game": game, "evaluators": evaluators })
        })
        .collect()
}

fn json_params(params: &[Param]) -> Json {
    params.iter().map(json_param).collect()
}

fn json_param(param: &Param) -> Json {
    let mut out = json!({
        "key": param.key,
        "type": match &param.ty {
            Type::Int { .. } => "integer",
            Type::Float { .. } => "number",
            Type::Bool => "boolean",
            Type::Choice(_) => "choice",
            Type::Text => "text",
            Type::Weights => "weights",
            Type::Agent => "agent",
            Type::Texts => "texts",
            Type::Depth { .. } => "depth",
            Type::CountOr { .. } => "count or word",
            Type::Pairs => "pairs",
            Type::Command => "command",
            Type::Settings | Type::Options | Type::Keys(_) => "settings",
            Type::Ranges => "ranges",
        },
        "required": param.default == Default::Required,
        "help": param.help,
    });
    match &param.ty {
        Type::Int { min, max } => (out["minimum"], out["maximum"]) = (json!(min), json!(max)),
        Type::Float { min, max } => (out["minimum"], out["maximum"]) = (json!(min), json!(max)),
        Type::Choice(words) => out["words"] = json!(words),
        Type::CountOr { max, words } => {
            (out["minimum"], out["maximum"]) = (json!(0), json!(max));
            out["words"] = json!(words);
        }
        Type::Keys(params) => out["keys"] = json_params(params),
        Type::Depth { max } => (out["minimum"], out["maximum"]) = (json!(1), json!(max)),
        _ => {}
    }
    if let Default::Is(value) = &param.default {
        out["default"] = json_value(value);
    }
    out
}
