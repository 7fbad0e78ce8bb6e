//! Names of agents: templates with `{key}`, and the rules for valid names.

use crate::config::tree::toml_tree::shorten;
use crate::params::{Param, Spec, Value};
use crate::util::did_you_mean::did_you_mean;

type Wrong = (String, String);

const LONGEST: usize = 80;

/// The default name: the kind and the swept keys, as a template.
pub(crate) fn default_template(kind: &str, swept: &[String]) -> String {
    let mut text = escape(kind);
    for key in swept.iter().filter(|key| *key != "kind") {
        text.push_str(&format!("-{}{{{key}}}", key.replace('.', "-")));
    }
    text
}

/// A name from its template: `{key}` becomes the value, `{{` and `}}` become braces.
pub(crate) fn fill(template: &str, spec: &Spec, params: &[Param]) -> Result<String, Wrong> {
    let mut name = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        name.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            name.push_str(brace);
            rest = after;
            continue;
        }
        let key = match rest.split_once('}') {
            Some((key, after)) if brace == "{" => {
                rest = after;
                key
            }
            _ => {
                return Err((
                    format!("a brace without its partner in the name `{}`", template),
                    "write `{depth}` for a value and `{{` for a brace".to_owned(),
                ));
            }
        };
        name.push_str(&value(spec, key).ok_or_else(|| {
            let message =
                format!("`{{{}}}` in the name has no value in `{}`", shorten(key), spec.kind);
            let help = match params.iter().any(|param| param.key == key) {
                true => format!("set `{key}`, or leave it out of the name"),
                false => {
                    let keys: Vec<_> = params
                        .iter()
                        .map(|param| param.key)
                        .filter(|key| value(spec, key).is_some())
                        .chain(["kind"])
                        .collect();
                    did_you_mean(key, &keys)
                }
            };
            (message, help)
        })?);
    }
    name.push_str(rest);
    Ok(name)
}

/// A template that yields the name.
pub(crate) fn escape(name: &str) -> String {
    name.replace('{', "{{").replace('}', "}}")
}

fn value(spec: &Spec, key: &str) -> Option<String> {
    if key == "kind" {
        return Some(spec.kind.clone());
    }
    if let Some((outer, inner)) = key.split_once('.') {
        return value(spec.values.spec(outer)?, inner);
    }
    Some(match spec.values.get(key)? {
        Value::Text(text) => text.clone(),
        Value::Float(float) => float.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Bool(bool) => bool.to_string(),
        Value::Spec(spec) => spec.kind.clone(),
        Value::Texts(texts) => texts.join(" "),
        value @ (Value::Weights(_) | Value::Pairs(_) | Value::Settings(_) | Value::Ranges(_)) => {
            value.to_string()
        }
    })
}

pub(crate) fn check_name(name: &str) -> Result<(), Wrong> {
    let wrong = |message: &str, help: &str| Err((message.to_owned(), help.to_owned()));
    if name.is_empty() {
        wrong("the name is empty", "leave `name` out to be called by the kind")
    } else if name.trim() != name {
        wrong("the name begins or ends with a blank", "take the blank away")
    } else if name.chars().any(char::is_control) {
        wrong("the name holds a control character", "use letters, digits and signs in one line")
    } else if name.chars().count() > LONGEST {
        Err((
            format!("the name has more than {LONGEST} characters"),
            "tables would not fit the terminal; shorten it".to_owned(),
        ))
    } else {
        Ok(())
    }
}

/// Whether the name is valid for an experiment. It must be a valid folder name on every system.
pub(crate) fn check_folder(name: &str) -> Result<(), Wrong> {
    check_name(name)?;
    let unfit = |c: char| matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    if name.contains(unfit) || name.starts_with(['.', '-']) || name.ends_with('.') {
        return Err((
            format!("`{name}` cannot name a folder"),
            "use letters, digits, `_` and `-`".to_owned(),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Values;

    fn alphabeta() -> Spec {
        let mut values = Values::default();
        values.set("command", Value::Texts(vec!["python3".into(), "a.py".into()]));
        values.set("points", Value::Pairs(vec![(0.0, 0.0), (1.0, 2.5)]));
        values.set("depth", Value::Int(4));
        values.set("epsilon", Value::Float(0.5));
        Spec { kind: "alphabeta".into(), values }
    }

    fn filled(text: &str) -> Result<String, String> {
        let params = ["depth", "nodes"]
            .map(|key| Param::of(key, crate::params::Type::Int { min: 1, max: 9 }, ""));
        fill(text, &alphabeta(), &params).map_err(|(_, help)| help)
    }

    #[test]
    fn placeholders_take_values() {
        assert_eq!(filled("ab{depth}-{epsilon}"), Ok("ab4-0.5".into()));
        assert_eq!(filled("{kind}{{x}}"), Ok("alphabeta{x}".into()));
        assert_eq!(filled("e {command}"), Ok("e python3 a.py".into()));
        assert_eq!(filled("{points}"), Ok("[[0.0, 0.0], [1.0, 2.5]]".into()));
        assert_eq!(filled(&escape("a{b}c")), Ok("a{b}c".into()));
    }

    #[test]
    fn placeholders_without_a_value_are_explained() {
        assert_eq!(filled("{dept}"), Err("did you mean `depth`?".into()));
        assert_eq!(filled("{nodes}"), Err("set `nodes`, or leave it out of the name".into()));
        assert!(filled("{depth").is_err());
        assert!(filled("depth}").is_err());
        assert!(filled("{agent.depth}").is_err());
    }

    #[test]
    fn default_names_tell_what_is_swept() {
        let swept = ["depth".to_owned(), "agent.depth".to_owned()];
        assert_eq!(default_template("ab", &swept), "ab-depth{depth}-agent-depth{agent.depth}");
    }

    #[test]
    fn folders_have_plain_names() {
        for bad in ["", "..", ".x", "a/b", "a\\b", "a\nb", " a", "c:", "-rf"] {
            assert!(check_folder(bad).is_err(), "{bad:?}");
        }
        for good in ["c4_depth", "Ä b", "a.b", "x-1"] {
            assert!(check_folder(good).is_ok(), "{good:?}");
        }
    }
}
