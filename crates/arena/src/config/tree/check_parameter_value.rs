//! Checks one value against the type and range of its parameter.

use super::diagnostics::Diagnostic;
use super::toml_tree::{Raw, TomlEntry, TomlNode, TomlTable, shorten};
use crate::params::{Default, Depth, Param, Type, Value};
use crate::util::did_you_mean::did_you_mean;
use std::collections::BTreeMap;

/// The checked value with all its mistakes. For lists and tables, the correct part is kept.
pub(crate) fn check_each(
    node: &TomlNode,
    param: &Param,
    key: &str,
) -> (Option<Value>, Vec<Diagnostic>) {
    let parts: Vec<Raw> = match (&param.ty, &node.raw) {
        (Type::Weights | Type::Settings | Type::Options | Type::Ranges, Raw::Table(table)) => {
            (table.entries.iter())
                .map(|entry| {
                    Raw::Table(TomlTable { entries: vec![entry.clone()], span: table.span })
                })
                .collect()
        }
        (Type::Texts | Type::Pairs, Raw::List(items)) => {
            items.iter().map(|item| Raw::List(vec![item.clone()])).collect()
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
                (Some(Value::Ranges(all)), Value::Ranges(one)) => all.extend(one),
                (Some(Value::Texts(all)), Value::Texts(one)) => all.extend(one),
                (Some(Value::Pairs(all)), Value::Pairs(one)) => all.extend(one),
                (_, part) => whole = Some(part),
            },
            Err(part) => wrong.push(*part),
        }
    }
    if let (Some(Value::Settings(all)), Type::Settings) = (&mut whole, &param.ty) {
        all.sort();
    }
    (whole, wrong)
}

/// The checked value, or its mistake. Nested agents are checked elsewhere.
pub fn check(node: &TomlNode, param: &Param, key: &str) -> Result<Value, Box<Diagnostic>> {
    let at = |place, label: String, help: &str| {
        let message = format!("`{key}` must be {}", param.ty.wanted());
        Box::new(Diagnostic::at(place, key, message).label(label).help(help))
    };
    let wrong = |label: String| match &param.default {
        Default::Is(value) => {
            Err(at(node.span, label, &format!("{}; default: {value}", param.help)))
        }
        _ => Err(at(node.span, label, param.help)),
    };
    let write = |label: &str, help: String| Err(at(node.span, label.to_owned(), &help));
    let found = || node.raw.describe();
    // The mistake of an entry of a table.
    let entry = |entry: &TomlEntry, wanted: &str| {
        let key = format!("{key}.{}", shorten(&entry.key));
        let wrong = Diagnostic::at(entry.node.span, &key, format!("`{key}` must be {wanted}"));
        Box::new(wrong.label(entry.node.raw.describe()).help(param.help))
    };
    let range = match param.ty {
        Type::Int { min, max } => (min, max),
        Type::Depth { max } => (1, max),
        _ => (i64::MIN, i64::MAX),
    };
    match (&param.ty, &node.raw) {
        (Type::Int { .. } | Type::Depth { .. }, Raw::Int(int)) => match *int {
            int if int < range.0 => wrong(format!("{int} is too small")),
            int if int > range.1 => {
                wrong(format!("{int} is too large; the largest is {}", range.1))
            }
            int => Ok(Value::Int(int)),
        },
        (Type::Int { .. } | Type::Depth { .. }, Raw::Huge(_)) => {
            wrong(format!("{} is too large; the largest is {}", found(), range.1))
        }
        (Type::Int { .. } | Type::Depth { .. }, Raw::Float(float))
            if float.fract() == 0.0 && float.abs() < 1e15 =>
        {
            write("a number with a fraction", format!("write `{float:.0}`"))
        }
        (Type::Float { min, max }, Raw::Int(_) | Raw::Float(_)) => match node.raw.number() {
            None => wrong(found()),
            Some(float) if float < *min => wrong(format!("{float} is too small")),
            Some(float) if float > *max || float.is_infinite() => {
                wrong(format!("{float} is too large"))
            }
            Some(float) => Ok(Value::Float(float)),
        },
        (Type::Float { .. }, Raw::Huge(_)) => wrong(format!("{} is too large", found())),
        (Type::Depth { max }, Raw::Text(text)) if Depth::rounds(text).is_some() => {
            match Depth::rounds(text) {
                Some(depth @ Depth::Rounds(rounds)) if (1..=*max).contains(&rounds.into()) => {
                    Ok(depth.to_value())
                }
                _ => wrong(format!("\"{text}\" is out of range")),
            }
        }
        (Type::Int { .. } | Type::Float { .. } | Type::Depth { .. }, Raw::Text(text))
            if text.trim().parse::<f64>().is_ok() =>
        {
            write("text", format!("write `{}` without quotes", text.trim()))
        }
        (Type::Depth { .. }, Raw::Text(_)) => {
            write(&found(), "`4` is four plies, `\"4r\"` four rounds".to_owned())
        }
        (Type::Bool, Raw::Bool(bool)) => Ok(Value::Bool(*bool)),
        (Type::Bool, Raw::Text(text)) if text == "true" || text == "false" => {
            write("text", format!("write `{text}` without quotes"))
        }
        (Type::Choice(words), _) if let Some(text) = node.text() => match words.contains(&text) {
            true => Ok(Value::Text(text.to_owned())),
            false => write(&found(), did_you_mean(text, words)),
        },
        // A word of digits, such as the variant `960` of chess, needs no quotes.
        (Type::Choice(words), Raw::Int(number)) if words.contains(&&*number.to_string()) => {
            Ok(Value::Text(number.to_string()))
        }
        (Type::Text | Type::Command, _) if let Some(text) = node.text() => {
            Ok(Value::Text(text.to_owned()))
        }
        (Type::Text, Raw::Int(_) | Raw::Float(_) | Raw::Bool(_)) => {
            let text = found();
            write("no quotes", format!("write `\"{}\"`", text.trim_start_matches("the number ")))
        }
        (Type::Choice(_), Raw::Int(_) | Raw::Float(_) | Raw::Bool(_)) => {
            wrong("no quotes".to_owned())
        }
        (Type::Texts | Type::Command, Raw::List(items)) => items
            .iter()
            .map(|item| {
                let label = || format!("{} is not a text", item.raw.describe());
                let text = item.text().map(str::to_owned);
                text.ok_or_else(|| at(item.span, label(), "put every entry in quotes"))
            })
            .collect::<Result<_, _>>()
            .map(Value::Texts),
        (Type::Pairs, Raw::List(items)) => items
            .iter()
            .map(|item| {
                let label = || format!("{} is not a pair of numbers", item.raw.describe());
                pair(item).ok_or_else(|| at(item.span, label(), param.help))
            })
            .collect::<Result<_, _>>()
            .map(Value::Pairs),
        (Type::Settings | Type::Options, Raw::Table(table)) => (table.entries.iter())
            .map(|one| {
                let text = match &one.node.raw {
                    Raw::Text(text) => text.clone(),
                    Raw::Int(int) => int.to_string(),
                    Raw::Float(float) if float.is_finite() => (float + 0.0).to_string(),
                    Raw::Bool(bool) => bool.to_string(),
                    _ => return Err(entry(one, "text, a number or a switch")),
                };
                Ok((one.key.clone(), text))
            })
            .collect::<Result<_, _>>()
            .map(Value::Settings),
        (Type::Weights, Raw::Table(table)) => (table.entries.iter())
            .map(|one| match one.node.raw {
                Raw::Int(weight) => Ok((one.key.clone(), weight)),
                _ => Err(entry(one, "a whole number")),
            })
            .collect::<Result<_, _>>()
            .map(Value::Weights),
        (Type::Ranges, Raw::Table(table)) => {
            let mut all = BTreeMap::new();
            ranges(table, "", &mut all).map_err(|one| entry(&one, "a range such as `[0, 100]`"))?;
            Ok(Value::Ranges(all))
        }
        (ty, Raw::List(_)) if ty.is_scalar() => write(
            "a list",
            "give one value; a list makes one agent per entry in `[[agents]]` only".to_owned(),
        ),
        _ => wrong(found()),
    }
}

/// The ranges of a table. Keys of tables inside are dotted. The error is the first entry that is no
/// range, with its whole key. `path` is the beginning of all keys, with its dot.
fn ranges(
    table: &TomlTable,
    path: &str,
    all: &mut BTreeMap<String, (f64, f64)>,
) -> Result<(), Box<TomlEntry>> {
    for entry in &table.entries {
        let key = format!("{path}{}", entry.key);
        match &entry.node.raw {
            Raw::Table(inner) => ranges(inner, &format!("{key}."), all)?,
            _ => match pair(&entry.node).filter(|(low, high)| low < high) {
                Some(range) => drop(all.insert(key, range)),
                None => return Err(Box::new(TomlEntry { key, ..entry.clone() })),
            },
        }
    }
    Ok(())
}

/// A list of two finite numbers.
fn pair(node: &TomlNode) -> Option<(f64, f64)> {
    let Raw::List(numbers) = &node.raw else { return None };
    let number = |node: &TomlNode| node.raw.number().filter(|number| number.is_finite());
    match &numbers[..] {
        [first, second] => Some((number(first)?, number(second)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::source_of_each_value::Span;
    use super::*;

    fn checked(raw: Raw, param: &Param) -> Result<Value, String> {
        let node = TomlNode::new(raw, Span::new(0, 0..0));
        check(&node, param, "key")
            .map_err(|wrong| [wrong.message.as_str(), &wrong.label, &wrong.help].join(" | "))
    }

    #[test]
    fn whole_numbers_serve_as_numbers() {
        let epsilon = Param::of("epsilon", Type::Float { min: 0.0, max: 1.0 }, "how often");
        assert_eq!(checked(Raw::Int(1), &epsilon), Ok(Value::Float(1.0)));
        assert_eq!(checked(Raw::Float(-0.0), &epsilon), Ok(Value::Float(0.0)));
        for raw in [Raw::Float(f64::NAN), Raw::Float(f64::INFINITY), Raw::Float(1.5), Raw::Int(-1)]
        {
            assert!(checked(raw, &epsilon).is_err());
        }
    }

    #[test]
    fn depths_are_plies_or_rounds() {
        let depth = Param::of("depth", Type::Depth { max: 9 }, "how far").or(Value::Int(4));
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
    fn the_help_fits_the_mistake() {
        let depth = Param::of("depth", Type::Int { min: 1, max: 9 }, "how deep").or(Value::Int(4));
        assert_eq!(
            checked(Raw::Text("4".into()), &depth).unwrap_err(),
            "`key` must be a whole number from 1 to 9 | text | write `4` without quotes"
        );
        assert_eq!(
            checked(Raw::Float(4.0), &depth).unwrap_err(),
            "`key` must be a whole number from 1 to 9 | a number with a fraction | write `4`"
        );
        let ties = Param::of("ties", Type::Choice(&["first", "random"]), "who wins");
        assert_eq!(
            checked(Raw::Text("frist".into()), &ties).unwrap_err(),
            "`key` must be \"first\" or \"random\" | the text \"frist\" | did you mean `first`?"
        );
    }
}
