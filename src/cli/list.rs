//! `agon list`: what can be configured, as a manual page or as JSON.

mod page;

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::agents::AgentInfo;
use crate::config::{Definitions, Kind, Shape, agent_keys, json_value};
use crate::games::EvaluatorInfo;
use crate::params::{Default, Param, Type, Values};
use crate::report::Format;
use crate::world::Registry;
pub use page::Layout;
use page::Page;

/// What is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Topic {
    /// Games with their parameters.
    Games,
    /// Agents with their parameters.
    Agents,
    /// Evaluators of each game with their features and weights.
    Evaluators,
    /// Where games can begin.
    Openings,
}

/// Prints one topic, or everything that a config can say. The page carries escape codes:
/// `out` takes them away where they are not wanted.
///
/// # Errors
/// Output that cannot be written.
pub fn run(
    what: Option<Topic>,
    format: Format,
    registry: &Registry,
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into());
    let layout = Layout { width: width.map_or(WIDTH, |w: usize| w.min(WIDTH)), colour: true };
    let text = match format {
        Format::Json => format!("{:#}\n", json(what, registry)),
        Format::Text | Format::Markdown | Format::Benchmark => text(what, layout, registry),
    };
    out.write_all(text.as_bytes())
}

/// The widest page: longer lines are hard to read, and a pipe has no width.
const WIDTH: usize = 100;

/// The manual page.
pub fn text(what: Option<Topic>, layout: Layout, registry: &Registry) -> String {
    let definitions = Definitions::new(registry);
    let mut page = Page::new(layout);
    let wanted = |topic| what.is_none_or(|what| what == topic);
    if what.is_none() {
        page.heading("the top of a config");
        definitions.top.iter().for_each(|param| describe(&mut page, param));
    }
    for section in &definitions.sections {
        let topic = topic(section.key);
        match &section.shape {
            Shape::Keys(params) if what.is_none() => {
                page.heading(&format!("[{}]", section.key));
                page.paragraph(section.summary);
                params.iter().for_each(|param| describe(&mut page, param));
            }
            Shape::OneOf { kinds, .. } | Shape::Agents(kinds) if topic.is_some_and(wanted) => {
                page.heading(plural(section.key));
                if let Shape::Agents(_) = section.shape {
                    page.paragraph("Every agent of a config also takes:");
                    agent_keys().iter().for_each(|param| describe(&mut page, param));
                }
                for kind in kinds {
                    describe_kind(&mut page, kind);
                    if section.key == "game" {
                        describe_own_agents(&mut page, kind.kind, registry);
                    }
                }
            }
            _ => {}
        }
        if section.key == "agents" && wanted(Topic::Evaluators) {
            page.heading("evaluators");
            for (game, evaluators) in evaluators(registry) {
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
    }
    page.finish()
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

fn describe_kind(page: &mut Page, kind: &Kind) {
    page.kind(kind.kind, kind.summary);
    page.gap();
    kind.params.iter().for_each(|param| describe(page, param));
    if !kind.params.is_empty() {
        page.gap();
    }
    page.example(&kind.example);
}

/// The agents that are for this game only.
fn own_agents<'r>(game: &str, registry: &'r Registry) -> Vec<&'r AgentInfo> {
    registry.agents.iter().filter(|agent| registry.game_of(agent.kind) == Some(game)).collect()
}

fn describe_own_agents(page: &mut Page, game: &str, registry: &Registry) {
    let own = own_agents(game, registry);
    if !own.is_empty() {
        page.gap();
        page.note("Agents for this game only:");
        own.iter().for_each(|agent| page.entry(agent.kind, agent.summary, ""));
    }
}

fn describe(page: &mut Page, param: &Param) {
    let mut detail = param.ty.wanted();
    match &param.default {
        Default::Is(value) => detail.push_str(&format!("; default {value}")),
        Default::Required => detail.push_str("; must be given"),
        Default::Absent => detail.push_str("; may be left out"),
    }
    page.entry(param.key, param.help, &detail);
}

/// The evaluators of each game in its default size.
fn evaluators(registry: &Registry) -> Vec<(&'static str, Vec<EvaluatorInfo>)> {
    registry
        .games
        .iter()
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

/// The same as data.
pub fn json(what: Option<Topic>, registry: &Registry) -> Json {
    let definitions = Definitions::new(registry);
    let wanted = |topic| what.is_none_or(|what| what == topic);
    let mut out = json!({});
    let params = |params: &[Param]| params.iter().map(json_param).collect::<Vec<_>>();
    if what.is_none() {
        out["top"] = json!(params(&definitions.top));
    }
    for section in &definitions.sections {
        match &section.shape {
            Shape::Keys(keys) if what.is_none() => out[section.key] = json!(params(keys)),
            Shape::OneOf { kinds, .. } | Shape::Agents(kinds)
                if topic(section.key).is_some_and(wanted) =>
            {
                let kinds: Vec<_> = kinds
                    .iter()
                    .map(|kind| {
                        let mut out = json!({
                            "kind": kind.kind,
                            "summary": kind.summary,
                            "parameters": params(&kind.params),
                            "example": kind.example,
                        });
                        if section.key == "game" {
                            let own = own_agents(kind.kind, registry);
                            out["own_agents"] = own.iter().map(|agent| json!(agent.kind)).collect();
                        } else if let Some(game) = registry.game_of(kind.kind) {
                            out["game"] = json!(game);
                        }
                        out
                    })
                    .collect();
                out[plural(section.key)] = json!(kinds);
                if let Shape::Agents(_) = section.shape {
                    out["agent_keys"] = json!(params(&agent_keys()));
                }
            }
            _ => {}
        }
    }
    if wanted(Topic::Evaluators) {
        let games: Vec<_> = evaluators(registry)
            .into_iter()
            .map(|(game, evaluators)| {
                let evaluators: Vec<_> = evaluators
                    .iter()
                    .map(|evaluator| {
                        let weights: serde_json::Map<_, _> = evaluator
                            .features
                            .iter()
                            .map(|(feature, weight)| (feature.clone(), json!(weight)))
                            .collect();
                        json!({
                            "evaluator": evaluator.name,
                            "summary": evaluator.summary,
                            "weights": weights,
                        })
                    })
                    .collect();
                json!({ "game": game, "evaluators": evaluators })
            })
            .collect();
        out["evaluators"] = json!(games);
    }
    out
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
            Type::Pairs => "pairs",
            Type::Command => "command",
            Type::Settings => "settings",
        },
        "required": param.default == Default::Required,
        "help": param.help,
    });
    match &param.ty {
        Type::Int { min, max } => (out["minimum"], out["maximum"]) = (json!(min), json!(max)),
        Type::Float { min, max } => (out["minimum"], out["maximum"]) = (json!(min), json!(max)),
        Type::Choice(words) => out["words"] = json!(words),
        Type::Depth { max } => (out["minimum"], out["maximum"]) = (json!(1), json!(max)),
        _ => {}
    }
    if let Default::Is(value) = &param.default {
        out["default"] = json_value(value);
    }
    out
}
