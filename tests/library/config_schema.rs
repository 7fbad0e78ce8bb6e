//! The config schema: it equals the committed file and agrees with the reader.

use agon::config::{Overrides, parse, schema, schema_text};
use agon::params::Depth;
use agon::play::Registry;
use serde_json::Value as Json;

#[test]
fn the_committed_schema_is_up_to_date() {
    let text = schema_text(&Registry::builtin());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write("agon.schema.json", &text).expect("writable");
    }
    let committed = std::fs::read_to_string("agon.schema.json").unwrap_or_default();
    assert!(
        committed == text,
        "agon.schema.json is not what `agon schema` prints; write it again with \
         `cargo run -- schema > agon.schema.json`"
    );
}

/// Whether a value is valid. Supports only the part of JSON Schema that agon uses.
fn valid(schema: &Json, value: &Json, root: &Json) -> bool {
    schema.as_object().expect("a schema").iter().all(|(word, rule)| match word.as_str() {
        "$schema" | "$defs" | "title" | "description" | "default" | "x-taplo" => true,
        "$ref" => {
            let path = rule.as_str().and_then(|text| text.strip_prefix('#')).expect("a path");
            valid(root.pointer(path).expect("a definition"), value, root)
        }
        "type" => match rule.as_str().expect("a type") {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            other => panic!("unknown type {other}"),
        },
        "const" => value == rule,
        "enum" => rule.as_array().expect("words").contains(value),
        // The only pattern is that of rounds.
        "pattern" => value
            .as_str()
            .is_none_or(|text| Depth::rounds(text).is_some_and(|depth| depth != Depth::Rounds(0))),
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a bound")),
        "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a bound")),
        "minItems" => value
            .as_array()
            .is_none_or(|list| list.len() as u64 >= rule.as_u64().expect("a number")),
        "maxItems" => value
            .as_array()
            .is_none_or(|list| list.len() as u64 <= rule.as_u64().expect("a number")),
        "items" => {
            value.as_array().is_none_or(|list| list.iter().all(|item| valid(rule, item, root)))
        }
        "required" => value.as_object().is_none_or(|table| {
            let keys = rule.as_array().expect("keys");
            keys.iter().all(|key| table.contains_key(key.as_str().expect("a key")))
        }),
        "properties" => value.as_object().is_none_or(|table| {
            let known = rule.as_object().expect("keys");
            table.iter().all(|(key, inner)| known.get(key).is_none_or(|s| valid(s, inner, root)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|table| {
            let known = schema.get("properties").and_then(Json::as_object);
            let mut more =
                table.iter().filter(|(key, _)| known.is_none_or(|k| !k.contains_key(*key)));
            match rule {
                Json::Bool(allowed) => *allowed || more.next().is_none(),
                rule => more.all(|(_, inner)| valid(rule, inner, root)),
            }
        }),
        "anyOf" => rule.as_array().expect("schemas").iter().any(|one| valid(one, value, root)),
        "oneOf" => {
            rule.as_array().expect("schemas").iter().filter(|one| valid(one, value, root)).count()
                == 1
        }
        other => panic!("the schema uses `{other}`, which this test does not know"),
    })
}

fn json(toml: &str) -> Json {
    let table: toml::Table = toml.parse().expect("TOML");
    serde_json::to_value(table).expect("JSON")
}

#[test]
fn configs_that_come_along_are_valid() {
    let schema = schema(&Registry::builtin());
    for entry in std::fs::read_dir("configs").expect("the configs") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("readable");
        assert!(valid(&schema, &json(&text), &schema), "{}", path.display());
        let registry = Registry::builtin();
        let experiment = parse(&text, "c.toml", &Overrides::default(), &registry).expect("right");
        assert!(valid(&schema, &json(&experiment.to_toml()), &schema), "{}", path.display());
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let registry = Registry::builtin();
    let schema = schema(&registry);
    let base = "[game]\nkind = \"connect4\"\n[[agents]]\nkind = \"random\"\n[schedule]\n\
                format = \"self-play\"\n";
    for (more, is_valid) in [
        ("", true),
        ("games = 3", true),
        ("games = 0", false),
        ("gamse = 3", false),
        ("include_self = 1", false),
        ("[openings]\nkind = \"random\"\nplies = 2", true),
        ("[openings]\nkind = \"start\"\nplies = 2", false),
        ("[openings]\nkind = \"list\"", false),
        ("[openings]\nkind = \"list\"\nlist = []", false),
        ("[openings]\nkind = \"list\"\nlist = [\"4\"]", true),
        ("[[agents]]\nkind = \"minimax\"", false),
        ("[[agents]]\nkind = \"minimax\"\ndepth = 201", false),
        ("[[agents]]\nkind = \"minimax\"\ndepth = [1, 2]", true),
        ("[[agents]]\nkind = \"minimax\"\ndepth = [1, 0]", false),
        ("[[agents]]\nkind = [\"minimax\", \"alphabeta\"]\ndepth = 3", true),
        ("[[agents]]\nkind = \"noisy\"\nepsilon = 0.1\nagent = { kind = \"random\" }", true),
        ("[[agents]]\nkind = \"noisy\"\nepsilon = 0.1\nagent = { kind = \"rndm\" }", false),
        ("[[agents]]\nkind = \"noisy\"\nepsilon = 1.1\nagent = { kind = \"random\" }", false),
        ("[[agents]]\nkind = \"minimax\"\ndepth = \"3r\"", true),
        ("[[agents]]\nkind = \"minimax\"\ndepth = [\"1r\", 2]", true),
        ("[[agents]]\nkind = \"minimax\"\ndepth = \"0r\"", false),
        ("[[agents]]\nkind = \"minimax\"\ndepth = \"3p\"", false),
        ("[[agents]]\nkind = \"random\"\nname = \"x\"\nseat = \"both\"", true),
        ("[[agents]]\nkind = \"random\"\nname = \"x\"\nseat = \"left\"", false),
        ("shared_dice = false", true),
        ("[limits]\nmax_plies = 0", false),
        ("[spart]\nelo0 = 0", false),
    ] {
        let text = format!("{base}{more}\n");
        assert_eq!(valid(&schema, &json(&text), &schema), is_valid, "schema: {more}");
        let read = parse(&text, "c.toml", &Overrides::default(), &registry);
        assert_eq!(read.is_ok(), is_valid, "reader: {more}");
    }
}
