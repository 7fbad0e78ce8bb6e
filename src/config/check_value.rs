//! Checks one value against the type and range of its parameter.

use std::collections::BTreeMap;

use super::diagnostic::Diagnostic;
use super::toml_tree::{Raw, TomlNode, TomlTable, shorten};
use crate::gather::Gather;
use crate::params::{Default, Depth, Param, Type, Value};
use crate::suggest::did_you_mean;

/// The checked value with all its mistakes. For lists and tables, the correct part is kept.
pub(super) fn check_each(
    node: &TomlNode,
    param: &Param,
    key: &str,
) -> (Option<Value>, Vec<Diagnostic>) {
    let parts: Vec<Raw> = match (&param.ty, &node.raw) {
        (Type::Weights | Type::Settings, Raw::Table(table)) => (table.entries.iter())
            .map(|entry| Raw::Table(TomlTable { entries: vec![entry.clone()], span: table.span }))
            .gather(),
        (Type::Texts | Type::Pairs, Raw::List(items)) => {
            items.iter().map(|item| Raw::List(vec![item.clone()])).gather()
        }
        _ => Vec::new(),
    };
    if parts.len() < 2 {
        return match check(node, param, key) {
            Ok(value) => (Some(value), Vec::new()),
            Err(wrong) => (None, vec![*wrong]),
        };
    }
    let (mut whole, mut wrong) = (None, Vec::new());
    for raw in parts {
        match check(&TomlNode::new(raw, node.span), param, key) {
            Ok(part) => match (&mut whole, part) {
                (Some(Value::Weights(all)), Value::Weights(one)) => all.extend(one),
                (Some(Value::Settings(all)), Value::Settings(one)) => all.extend(one),
                (Some(Value::Texts(all)), Value::Texts(one)) => all.extend(one),
                (Some(Value::Pairs(all)), Value::Pairs(one)) => all.extend(one),
                (_, part) => whole = Some(part),
            },
            Err(part) => wrong.push(*part),
        }
    }
    (whole, wrong)
}

/// The checked value, or its mistake. Nested agents are checked elsewhere.
pub(super) fn check(node: &TomlNode, param: &Param, key: &str) -> Result<Value, Box<Diagnostic>> {
    let wrong = |label: String, help: String| {
        let message = format!("`{key}` must be {}", param.ty.wanted());
        let help = match (help.is_empty(), &param.default) {
            (false, _) => help,
            (true, Default::Is(value)) => format!("{}; {value} if not given", param.help),
            (true, _) => param.help.to_owned(),
        };
        Box::new(Diagnostic::at(node.span, key, message).label(label).help(help))
    };
    let found = || node.raw.describe();
    match (&param.ty, &node.raw) {
        (Type::Int { min, max }, Raw::Int(int)) => match int {
            int if int < min => Err(wrong(format!("{int} is too small"), String::new())),
            int if int > max => {
                Err(wrong(format!("{int} is too large; the largest is {max}"), String::new()))
            }
            int => Ok(Value::Int(*int)),
        },
        (Type::Int { .. }, Raw::Float(float)) if float.fract() == 0.0 && float.abs() < 1e15 => {
            Err(wrong("a number with a fraction".to_owned(), format!("write `{float:.0}`")))
        }
        (Type::Float { min, max }, Raw::Int(_) | Raw::Float(_)) => {
            let float = match node.raw {
                Raw::Int(int) => int as f64,
                Raw::Float(float) => float,
                _ => f64::NAN,
            };
            match float {
                float if float.is_nan() => Err(wrong(found(), String::new())),
                float if float < *min => Err(wrong(format!("{float} is too small"), String::new())),
                float if float > *max || float.is_infinite() => {
                    Err(wrong(format!("{float} is too large"), String::new()))
                }
                // Without this, -0.0 and 0.0 would be different experiments.
                float => Ok(Value::Float(if float == 0.0 { 0.0 } else { float })),
            }
        }
        (Type::Int { max, .. }, Raw::Huge(_)) => {
            Err(wrong(format!("{} is too large; the largest is {max}", found()), String::new()))
        }
        (Type::Float { .. } | Type::Depth { .. }, Raw::Huge(_)) => {
            Err(wrong(format!("{} is too large", found()), String::new()))
        }
        (Type::Int { .. } | Type::Float { .. }, Raw::Text(text))
            if text.trim().parse::<f64>().is_ok() =>
        {
            Err(wrong("text".to_owned(), format!("write `{}` without quotes", text.trim())))
        }
        (Type::Depth { max }, Raw::Int(int)) => match int {
            int if *int < 1 => Err(wrong(format!("{int} is too small"), String::new())),
            int if int > max => {
                Err(wrong(format!("{int} is too large; the largest is {max}"), String::new()))
            }
            int => Ok(Value::Int(*int)),
        },
        (Type::Depth { max }, Raw::Text(text)) => match Depth::rounds(text) {
            Some(depth @ Depth::Rounds(rounds)) if (1..=*max).contains(&rounds.into()) => {
                Ok(depth.to_value())
            }
            Some(_) => Err(wrong(format!("\"{text}\" is out of range"), String::new())),
            None if text.trim().parse::<f64>().is_ok() => {
                Err(wrong("text".to_owned(), format!("write `{}` without quotes", text.trim())))
            }
            None => Err(wrong(found(), "`4` is four plies, `\"4r\"` four rounds".to_owned())),
        },
        (Type::Depth { .. }, Raw::Float(float)) if float.fract() == 0.0 && float.abs() < 1e15 => {
            Err(wrong("a number with a fraction".to_owned(), format!("write `{float:.0}`")))
        }
        (Type::Bool, Raw::Bool(bool)) => Ok(Value::Bool(*bool)),
        (Type::Bool, Raw::Text(text)) if text == "true" || text == "false" => {
            Err(wrong("text".to_owned(), format!("write `{text}` without quotes")))
        }
        (Type::Choice(words), _) if let Some(text) = node.text() => {
            if words.contains(&text) {
                Ok(Value::Text(text.to_owned()))
            } else {
                let help = did_you_mean(text, words);
                Err(wrong(found(), help))
            }
        }
        (Type::Text | Type::Command, _) if let Some(text) = node.text() => {
            Ok(Value::Text(text.to_owned()))
        }
        (Type::Text | Type::Choice(_), Raw::Int(_) | Raw::Float(_) | Raw::Bool(_)) => {
            let help = match param.ty {
                Type::Text => format!("write `\"{}\"`", found().trim_start_matches("the number ")),
                _ => String::new(),
            };
            Err(wrong("no quotes".to_owned(), help))
        }
        (Type::Texts | Type::Command, Raw::List(items)) => items
            .iter()
            .map(|item| {
                item.text().map(str::to_owned).ok_or_else(|| {
                    let message = format!("`{key}` must be {}", param.ty.wanted());
                    let label = format!("{} is no text", item.raw.describe());
                    let wrong = Diagnostic::at(item.span, key, message).label(label);
                    Box::new(wrong.help("put every entry in quotes"))
                })
            })
            .gather::<Result<_, _>>()
            .map(Value::Texts),
        (Type::Pairs, Raw::List(items)) => items
            .iter()
            .map(|item| {
                pair(item).ok_or_else(|| {
                    let message = format!("`{key}` must be {}", param.ty.wanted());
                    let label = format!("{} is no pair of numbers", item.raw.describe());
                    Box::new(Diagnostic::at(item.span, key, message).label(label).help(param.help))
                })
            })
            .gather::<Result<_, _>>()
            .map(Value::Pairs),
        (Type::Settings, Raw::Table(table)) => {
            let mut settings = BTreeMap::new();
            for entry in &table.entries {
                let text = match &entry.node.raw {
                    Raw::Text(text) => text.clone(),
                    Raw::Int(int) => int.to_string(),
                    Raw::Float(float) if float.is_finite() => (float + 0.0).to_string(),
                    Raw::Bool(bool) => bool.to_string(),
                    other => {
                        let key = format!("{key}.{}", shorten(&entry.key));
                        let message = format!("`{key}` must be text, a number or a switch");
                        let wrong = Diagnostic::at(entry.node.span, key, message);
                        return Err(Box::new(wrong.label(other.describe()).help(param.help)));
                    }
                };
                settings.insert(entry.key.clone(), text);
            }
            Ok(Value::Settings(settings))
        }
        (Type::Weights, Raw::Table(table)) => {
            let mut weights = BTreeMap::new();
            for entry in &table.entries {
                let Raw::Int(weight) = entry.node.raw else {
                    let key = format!("{key}.{}", shorten(&entry.key));
                    let message = format!("`{key}` must be a whole number");
                    let wrong = Diagnostic::at(entry.node.span, key, message);
                    return Err(Box::new(wrong.label(entry.node.raw.describe()).help(param.help)));
                };
                weights.insert(entry.key.clone(), weight);
            }
            Ok(Value::Weights(weights))
        }
        (ty, Raw::List(_)) if ty.is_scalar() => Err(wrong(
            "a list".to_owned(),
            "give one value; a list makes one agent per entry in `[[agents]]` only".to_owned(),
        )),
        _ => Err(wrong(found(), String::new())),
    }
}

/// A list of two finite numbers.
fn pair(node: &TomlNode) -> Option<(f64, f64)> {
    let Raw::List(numbers) = &node.raw else { return None };
    let number = |node: &TomlNode| match node.raw {
        Raw::Int(int) => Some(int as f64),
        // Without adding zero, -0.0 and 0.0 would be different experiments.
        Raw::Float(float) if float.is_finite() => Some(float + 0.0),
        _ => None,
    };
    match &numbers[..] {
        [first, second] => Some((number(first)?, number(second)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::value_source::Span;
    use super::*;

    fn checked(raw: Raw, param: &Param) -> Result<Value, String> {
        let node = TomlNode::new(raw, Span::new(0, 0..0));
        check(&node, param, "key")
            .map_err(|wrong| [wrong.message.as_str(), &wrong.label, &wrong.help].join(" | "))
    }

    #[test]
    fn whole_numbers_serve_as_numbers() {
        let epsilon = Param::float("epsilon", 0.0, 1.0, 0.5, "how often");
        assert_eq!(checked(Raw::Int(1), &epsilon), Ok(Value::Float(1.0)));
        assert_eq!(checked(Raw::Float(-0.0), &epsilon), Ok(Value::Float(0.0)));
        for raw in [Raw::Float(f64::NAN), Raw::Float(f64::INFINITY), Raw::Float(1.5), Raw::Int(-1)]
        {
            assert!(checked(raw, &epsilon).is_err());
        }
    }

    #[test]
    fn depths_are_plies_or_rounds() {
        let depth = Param { ty: Type::Depth { max: 9 }, ..Param::int("depth", 1, 9, 4, "how far") };
        let rounds = |text: &str| checked(Raw::Text(text.into()), &depth);
        assert_eq!(checked(Raw::Int(3), &depth), Ok(Value::Int(3)));
        assert_eq!(rounds("3r"), Ok(Value::Text("3r".into())));
        assert_eq!(rounds(" 03 R "), Ok(Value::Text("3r".into())));
        for text in ["0r", "10r", "99999999999r", "r", "3p", "-1r", "1.5r", "3", ""] {
            assert!(rounds(text).is_err(), "{text}");
        }
        for raw in [Raw::Int(0), Raw::Int(10), Raw::Float(2.0), Raw::Bool(true)] {
            assert!(checked(raw, &depth).is_err());
        }
        assert_eq!(
            rounds("3p").unwrap_err(),
            "`key` must be plies from 1 to 9, or rounds in quotes, such as \"3r\" | \
             the text \"3p\" | `4` is four plies, `\"4r\"` four rounds"
        );
    }

    #[test]
    fn the_remedy_fits_the_mistake() {
        let depth = Param::int("depth", 1, 9, 4, "how deep");
        assert_eq!(
            checked(Raw::Text("4".into()), &depth).unwrap_err(),
            "`key` must be a whole number from 1 to 9 | text | write `4` without quotes"
        );
        assert_eq!(
            checked(Raw::Float(4.0), &depth).unwrap_err(),
            "`key` must be a whole number from 1 to 9 | a number with a fraction | write `4`"
        );
        let ties = Param::choice("ties", &["first", "random"], "first", "who wins");
        assert_eq!(
            checked(Raw::Text("frist".into()), &ties).unwrap_err(),
            "`key` must be \"first\" or \"random\" | the text \"frist\" | did you mean `first`?"
        );
    }
}
