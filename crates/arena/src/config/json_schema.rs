//! The JSON Schema of the config file (draft 2020-12), generated from the definitions that also read
//! it. A choice of kinds is `oneOf` with a constant `kind`, which older validators also understand.

use crate::util::collect_with_less_code::{AddAll, Gather};
use serde_json::{Map, Value as Json, json};

use super::game_or_agent_kind::ConfigKind;
use super::section_definitions::{Definitions, SectionShape};
use crate::params::{Default, Param, Type, Value};
use crate::play::Registry;

/// The schema of a config with these games and agents.
pub fn schema(registry: &Registry) -> Json {
    let definitions = Definitions::new(registry);
    let mut properties = keys(&definitions.top, false);
    let mut required = Vec::new();
    let mut parts = Map::new();
    for section in &definitions.sections {
        let mut node = match &section.shape {
            SectionShape::Keys(params) => table(params),
            SectionShape::OneOf { kinds, default } => {
                if default.is_none() {
                    required.push(section.key);
                }
                one_of(kinds, &Map::new(), false)
            }
            // Which keys it may have depends on the agents, or on other sections.
            SectionShape::Shared | SectionShape::Lists => json!({ "type": "object" }),
            SectionShape::Agents(kinds) => {
                required.push(section.key);
                parts.insert("agent".to_owned(), one_of(kinds, &Map::new(), true));
                let item = one_of(kinds, &keys(&super::agents_section::params(), false), true);
                json!({ "type": "array", "minItems": 1, "items": item })
            }
        };
        node["description"] = json!(section.summary);
        properties.insert(section.key.to_owned(), node);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "agon experiment",
        "description": "A tournament between agents that play a board game",
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties,
        "$defs": parts,
        "x-taplo": { "initKeys": required },
    })
}

/// The schema as text, as it is committed: indented, with a newline at the end.
pub fn schema_text(registry: &Registry) -> String {
    format!("{:#}\n", schema(registry))
}

fn table(params: &[Param]) -> Json {
    let required: Vec<_> = params.iter().filter(|p| is_required(p)).map(|p| p.key).gather();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": keys(params, false),
    })
}

/// A table of one of several kinds.
fn one_of(kinds: &[ConfigKind], more: &Map<String, Json>, sweeps: bool) -> Json {
    let mut branches: Vec<Json> = kinds
        .iter()
        .map(|kind| {
            let mut properties = keys(&kind.params, sweeps);
            properties.extend(more.clone());
            let word = json!({ "const": kind.kind, "description": kind.summary });
            properties.insert("kind".to_owned(), word);
            let mut required = vec!["kind"];
            required.add_all(kind.params.iter().filter(|p| is_required(p)).map(|p| p.key));
            json!({
                "title": kind.kind,
                "description": kind.summary,
                "type": "object",
                "additionalProperties": false,
                "required": required,
                "properties": properties,
            })
        })
        .gather();
    if sweeps {
        // Kinds can be swept too. The schema does not check which keys belong to which kind; agon
        // does.
        let words: Vec<_> = kinds.iter().map(|kind| kind.kind).gather();
        let kind = json!({ "type": "array", "minItems": 1, "items": { "enum": words } });
        branches.push(json!({
            "title": "several kinds",
            "type": "object",
            "required": ["kind"],
            "properties": { "kind": kind },
        }));
    }
    json!({ "type": "object", "oneOf": branches, "x-taplo": { "initKeys": ["kind"] } })
}

fn is_required(param: &Param) -> bool {
    param.default == Default::Required
}

fn keys(params: &[Param], sweeps: bool) -> Map<String, Json> {
    params.iter().map(|param| (param.key.to_owned(), key(param, sweeps))).gather()
}

/// The schema of one key. If sweeps are allowed, a list of its values is valid too.
fn key(param: &Param, sweeps: bool) -> Json {
    let one = value(&param.ty);
    let mut node = if sweeps && param.ty.is_scalar() {
        let list = json!({ "type": "array", "minItems": 1, "items": one });
        json!({ "anyOf": [one, list] })
    } else {
        one
    };
    node["description"] = json!(param.help);
    if let Default::Is(value) = &param.default {
        node["default"] = json_value(value);
    }
    node
}

fn value(ty: &Type) -> Json {
    match ty {
        Type::Int { min, max } => {
            let mut node = json!({ "type": "integer", "minimum": min });
            if *max < i64::MAX {
                node["maximum"] = json!(max);
            }
            node
        }
        Type::Float { min, max } => {
            let mut node = json!({ "type": "number" });
            // JSON has no infinity: an infinite end is no bound.
            for (word, bound) in [("minimum", min), ("maximum", max)] {
                if bound.abs() < f64::MAX {
                    node[word] = json!(bound);
                }
            }
            node
        }
        Type::Bool => json!({ "type": "boolean" }),
        Type::Choice(words) => json!({ "enum": words }),
        Type::Text => json!({ "type": "string" }),
        Type::Weights => {
            json!({ "type": "object", "additionalProperties": { "type": "integer" } })
        }
        Type::Agent => json!({ "$ref": "#/$defs/agent" }),
        Type::Depth { max } => json!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": max },
            { "type": "string", "pattern": "^ *0*[1-9][0-9]* *[rR] *$" },
        ] }),
        Type::Texts => json!({ "type": "array", "minItems": 1, "items": { "type": "string" } }),
        Type::Command => json!({ "anyOf": [
            { "type": "string" },
            { "type": "array", "minItems": 1, "items": { "type": "string" } },
        ] }),
        Type::Settings => {
            json!({ "type": "object", "additionalProperties": {
                "type": ["string", "number", "boolean"],
            } })
        }
        Type::Ranges => {
            let number = json!({ "type": "number" });
            let range = json!({ "type": "array", "minItems": 2, "maxItems": 2, "items": number });
            let inner = json!({ "type": "object" });
            json!({ "type": "object", "additionalProperties": { "anyOf": [range, inner] } })
        }
        Type::Pairs => {
            let number = json!({ "type": "number" });
            let pair = json!({ "type": "array", "minItems": 2, "maxItems": 2, "items": number });
            json!({ "type": "array", "minItems": 1, "items": pair })
        }
    }
}

#[doc(hidden)]
pub fn json_value(value: &Value) -> Json {
    match value {
        Value::Int(int) => json!(int),
        Value::Float(float) => json!(float),
        Value::Bool(bool) => json!(bool),
        Value::Text(text) => json!(text),
        Value::Weights(weights) => json!(weights),
        Value::Texts(texts) => json!(texts),
        Value::Pairs(pairs) => json!(pairs),
        Value::Settings(settings) => json!(settings),
        Value::Ranges(ranges) => json!(ranges),
        Value::Spec(spec) => {
            let mut table = Map::new();
            table.insert("kind".to_owned(), json!(spec.kind));
            for (key, value) in &spec.values.0 {
                table.insert(key.clone(), json_value(value));
            }
            Json::Object(table)
        }
    }
}
