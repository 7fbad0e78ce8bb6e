//! The JSON Schema of the config file (draft 2020-12), generated from the definitions that also read
//! it. A choice of kinds is `oneOf` with a constant `kind`, which older validators also understand.

use serde_json::{Map, Value as Json, json};

use super::section_definitions::{Definitions, SectionShape};
use crate::config::tree::config_kind::ConfigKind;
use crate::config::tree::implied_kind;
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
                one_of(kinds, &Map::new(), false, section.key == implied_kind::SECTION)
            }
            // Which keys it may have depends on the agents, or on other sections.
            SectionShape::Shared | SectionShape::Lists => of_type("object"),
            SectionShape::Agents(kinds) => {
                required.push(section.key);
                parts.insert("agent".to_owned(), one_of(kinds, &Map::new(), true, false));
                let item = one_of(
                    kinds,
                    &keys(&crate::config::sections::agents_section::params(), false),
                    true,
                    false,
                );
                list_of(item)
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
    let required: Vec<_> = params.iter().filter(|p| is_required(p)).map(|p| p.key).collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": keys(params, false),
    })
}

/// A table of one of several kinds; `implied`: without the key `kind` if another key shows the kind.
fn one_of(kinds: &[ConfigKind], more: &Map<String, Json>, sweeps: bool, implied: bool) -> Json {
    let mut branches: Vec<Json> = kinds
        .iter()
        .map(|kind| {
            let mut properties = keys(&kind.params, sweeps);
            properties.extend(more.clone());
            let word = json!({ "const": kind.kind, "description": kind.summary });
            properties.insert("kind".to_owned(), word);
            let shown = implied.then(|| implied_kind::key_of(kind, kinds)).flatten();
            let mut required = Vec::from_iter(shown.is_none().then_some("kind"));
            required.extend(kind.params.iter().filter(|p| is_required(p)).map(|p| p.key));
            json!({
                "title": kind.kind,
                "description": kind.summary,
                "type": "object",
                "additionalProperties": false,
                "required": required,
                "properties": properties,
            })
        })
        .collect();
    if sweeps {
        // Kinds can be swept too. The schema does not check which keys belong to which kind; agon
        // does.
        let words: Vec<_> = kinds.iter().map(|kind| kind.kind).collect();
        let kind = list_of(json!({ "enum": words }));
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
    params.iter().map(|param| (param.key.to_owned(), key(param, sweeps))).collect()
}

/// The schema of one key. If sweeps are allowed, a list of its values is valid too.
fn key(param: &Param, sweeps: bool) -> Json {
    let one = value(&param.ty);
    let mut node =
        if sweeps && param.ty.is_scalar() { any_of([one.clone(), list_of(one)]) } else { one };
    node["description"] = json!(param.help);
    if let Default::Is(value) = &param.default {
        node["default"] = json_value(value);
    }
    node
}

fn value(ty: &Type) -> Json {
    match ty {
        Type::Int { min, max } => {
            let mut node = of_type("integer");
            node["minimum"] = json!(min);
            if *max < i64::MAX {
                node["maximum"] = json!(max);
            }
            node
        }
        Type::Float { min, max } => {
            let mut node = of_type("number");
            // JSON has no infinity: an infinite end is no bound.
            for (word, bound) in [("minimum", min), ("maximum", max)] {
                if bound.abs() < f64::MAX {
                    node[word] = json!(bound);
                }
            }
            node
        }
        Type::Bool => of_type("boolean"),
        Type::Choice(words) => {
            // A choice of words and a switch.
            let switches = words.iter().filter_map(|word| word.parse::<bool>().ok());
            let words = words.iter().map(|word| json!(word)).chain(switches.map(Json::from));
            json!({ "enum": words.collect::<Vec<_>>() })
        }
        Type::Text => of_type("string"),
        Type::Weights => map_of(of_type("integer")),
        Type::Agent => json!({ "$ref": "#/$defs/agent" }),
        Type::Depth { max } => {
            let mut rounds = of_type("string");
            rounds["pattern"] = json!("^ *0*[1-9][0-9]* *[rR] *$");
            any_of([value(&Type::Int { min: 1, max: *max }), rounds])
        }
        Type::CountOr { max, words } => {
            any_of([value(&Type::Int { min: 0, max: *max }), value(&Type::Choice(words))])
        }
        Type::Texts => list_of(of_type("string")),
        Type::Command => any_of([of_type("string"), list_of(of_type("string"))]),
        Type::Settings | Type::Options => {
            map_of(json!({ "type": ["string", "number", "boolean"] }))
        }
        Type::Keys(params) => table(params),
        Type::Ranges => map_of(any_of([two_numbers(), of_type("object")])),
        Type::Pairs => list_of(two_numbers()),
    }
}

fn of_type(word: &str) -> Json {
    json!({ "type": word })
}

fn any_of(nodes: [Json; 2]) -> Json {
    json!({ "anyOf": nodes })
}

/// A list that is not empty.
fn list_of(items: Json) -> Json {
    let mut list = of_type("array");
    list["minItems"] = json!(1);
    list["items"] = items;
    list
}

fn two_numbers() -> Json {
    let mut pair = list_of(of_type("number"));
    pair["minItems"] = json!(2);
    pair["maxItems"] = json!(2);
    pair
}

/// A table with any keys.
fn map_of(values: Json) -> Json {
    let mut map = of_type("object");
    map["additionalProperties"] = values;
    map
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
        Value::Settings(settings) => settings
            .iter()
            .map(|(name, text)| (name.clone(), json!(text)))
            .collect::<Map<_, _>>()
            .into(),
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
