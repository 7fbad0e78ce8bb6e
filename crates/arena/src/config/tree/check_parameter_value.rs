//! Checks one value against the type and range of its parameter.

use super::diagnostics::Diagnostic;
use super::source_of_each_value::Span;
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
        (
            Type::Weights | Type::Settings | Type::Options | Type::Keys(_) | Type::Ranges,
            Raw::Table(table),
        ) => (table.entries.iter())
            .map(|entry| Raw::Table(TomlTable { entries: vec![entry.clone()], span: table.span }))
            .collect(),
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
    if let (Some(Value::Settings(all)), Type::Settings | Type::Keys(_)) = (&mut whole, &param.ty) {
        all.sort();
    }
    (whole, wrong)
}

/// The checked value, or its mistake. Nested agents are checked elsewhere.
pub fn check(node: &TomlNode, param: &Param, key: &str) -> Checked {
    let given = GivenValue { node, param, key };
    match &param.ty {
        &Type::Int { min, max } => given.whole_number(min, max),
        &Type::Depth { max } => given.depth(max),
        &Type::CountOr { max, words } => match is_word(node) {
            true => given.choice(words),
            false => given.whole_number(0, max),
        },
        &Type::Float { min, max } => given.number(min, max),
        Type::Bool => given.switch(),
        Type::Choice(words) => given.choice(words),
        Type::Text => given.text(),
        Type::Command => given.command(),
        Type::Texts => given.texts(),
        Type::Pairs => given.pairs(),
        Type::Settings | Type::Options | Type::Keys(_) => given.settings(),
        Type::Weights => given.weights(),
        Type::Ranges => given.ranges(),
        Type::Agent => given.wrong(given.found()),
    }
}

type Checked = Result<Value, Box<Diagnostic>>;

/// A value of a config, with its parameter and its key.
#[derive(Clone, Copy)]
struct GivenValue<'a> {
    node: &'a TomlNode,
    param: &'a Param,
    key: &'a str,
}

impl GivenValue<'_> {
    fn whole_number(self, min: i64, max: i64) -> Checked {
        match &self.node.raw {
            Raw::Int(int) if *int < min => self.wrong(format!("{int} is too small")),
            Raw::Int(int) if *int <= max => Ok(Value::Int(*int)),
            Raw::Int(_) | Raw::Huge(_) => {
                self.wrong(format!("{} is too large; the largest is {max}", self.found()))
            }
            Raw::Float(float) if float.fract() == 0.0 && float.abs() < 1e15 => {
                self.rewrite("a number with a fraction", format!("write `{float:.0}`"))
            }
            _ => self.no_number(),
        }
    }

    /// Plies as a number, or rounds such as `"3r"`.
    fn depth(self, max: i64) -> Checked {
        let Raw::Text(text) = &self.node.raw else { return self.whole_number(1, max) };
        match Depth::rounds(text) {
            Some(depth @ Depth::Rounds(rounds)) if (1..=max).contains(&rounds.into()) => {
                Ok(depth.to_value())
            }
            Some(_) => self.wrong(format!("\"{text}\" is out of range")),
            None if is_number(text) => self.no_number(),
            None => {
                self.rewrite(&self.found(), "`4` is four plies, `\"4r\"` four rounds".to_owned())
            }
        }
    }

    fn number(self, min: f64, max: f64) -> Checked {
        match (&self.node.raw, self.node.raw.number()) {
            (Raw::Huge(_), _) => self.wrong(format!("{} is too large", self.found())),
            (_, None) => self.no_number(),
            (_, Some(float)) if float < min => self.wrong(format!("{float} is too small")),
            (_, Some(float)) if float > max || float.is_infinite() => {
                self.wrong(format!("{float} is too large"))
            }
            (_, Some(float)) => Ok(Value::Float(float)),
        }
    }

    fn switch(self) -> Checked {
        match &self.node.raw {
            Raw::Bool(bool) => Ok(Value::Bool(*bool)),
            Raw::Text(text) if text == "true" || text == "false" => self.without_quotes(text),
            _ => self.no_scalar(),
        }
    }

    fn choice(self, words: &[&str]) -> Checked {
        match &self.node.raw {
            Raw::Bool(bool) if words.contains(&if *bool { "true" } else { "false" }) => {
                Ok(Value::Text(bool.to_string()))
            }
            _ if let Some(text) = self.node.text() => match words.contains(&text) {
                true => Ok(Value::Text(text.to_owned())),
                false => self.rewrite(&self.found(), did_you_mean(text, words)),
            },
            // A word of digits, such as the variant `960` of chess, needs no quotes.
            Raw::Int(number) if words.contains(&&*number.to_string()) => {
                Ok(Value::Text(number.to_string()))
            }
            Raw::Int(_) | Raw::Float(_) | Raw::Bool(_) if !words.contains(&"true") => {
                self.wrong("no quotes".to_owned())
            }
            _ => self.no_scalar(),
        }
    }

    fn text(self) -> Checked {
        match &self.node.raw {
            _ if let Some(text) = self.node.text() => Ok(Value::Text(text.to_owned())),
            Raw::Int(_) | Raw::Float(_) | Raw::Bool(_) => {
                let text = self.found();
                let text = text.trim_start_matches("the number ");
                self.rewrite("no quotes", format!("write `\"{text}\"`"))
            }
            _ => self.no_scalar(),
        }
    }

    /// A program with its arguments in one text, or as a list.
    fn command(self) -> Checked {
        match self.node.text() {
            Some(text) => Ok(Value::Text(text.to_owned())),
            None => self.texts(),
        }
    }

    fn texts(self) -> Checked {
        let text = |node: &TomlNode| node.text().map(str::to_owned);
        self.list("a text", "put every entry in quotes", text).map(Value::Texts)
    }

    fn pairs(self) -> Checked {
        self.list("a pair of numbers", self.param.help, pair).map(Value::Pairs)
    }

    fn settings(self) -> Checked {
        let text = |raw: &Raw| match raw {
            Raw::Text(text) => Some(text.clone()),
            Raw::Int(int) => Some(int.to_string()),
            Raw::Float(float) if float.is_finite() => Some((float + 0.0).to_string()),
            Raw::Bool(bool) => Some(bool.to_string()),
            _ => None,
        };
        self.table("text, a number or a switch", text).map(Value::Settings)
    }

    fn weights(self) -> Checked {
        let weight = |raw: &Raw| match raw {
            Raw::Int(weight) => Some(*weight),
            _ => None,
        };
        self.table("a whole number", weight).map(Value::Weights)
    }

    fn ranges(self) -> Checked {
        let Raw::Table(table) = &self.node.raw else { return self.wrong(self.found()) };
        let mut all = BTreeMap::new();
        ranges(table, "", &mut all)
            .map_err(|entry| self.wrong_entry(&entry, "a range such as `[0, 100]`"))?;
        Ok(Value::Ranges(all))
    }

    /// The values of a list that all must be `wanted`.
    fn list<T>(
        self,
        wanted: &str,
        help: &str,
        read: impl Fn(&TomlNode) -> Option<T>,
    ) -> Result<Vec<T>, Box<Diagnostic>> {
        let Raw::List(items) = &self.node.raw else { return Err(self.mistake(self.found())) };
        let wrong = |item: &TomlNode| format!("{} is not {wanted}", item.raw.describe());
        (items.iter())
            .map(|item| read(item).ok_or_else(|| self.mistake_at(item.span, wrong(item), help)))
            .collect()
    }

    /// The keys and values of a table whose values all must be `wanted`.
    fn table<T, All: FromIterator<(String, T)>>(
        self,
        wanted: &str,
        read: impl Fn(&Raw) -> Option<T>,
    ) -> Result<All, Box<Diagnostic>> {
        let Raw::Table(table) = &self.node.raw else { return Err(self.mistake(self.found())) };
        (table.entries.iter())
            .map(|entry| match read(&entry.node.raw) {
                Some(value) => Ok((entry.key.clone(), value)),
                None => Err(self.wrong_entry(entry, wanted)),
            })
            .collect()
    }

    fn found(self) -> String {
        self.node.raw.describe()
    }

    fn no_number(self) -> Checked {
        match &self.node.raw {
            Raw::Text(text) if is_number(text) => self.without_quotes(text.trim()),
            _ => self.no_scalar(),
        }
    }

    fn no_scalar(self) -> Checked {
        match &self.node.raw {
            Raw::List(_) => self.rewrite(
                "a list",
                "give one value; a list makes one agent per entry in `[[agents]]` only".to_owned(),
            ),
            _ => self.wrong(self.found()),
        }
    }

    fn without_quotes(self, text: &str) -> Checked {
        self.rewrite("text", format!("write `{text}` without quotes"))
    }

    /// The mistake of a value that has another way to write it.
    fn rewrite(self, label: &str, help: String) -> Checked {
        Err(self.mistake_at(self.node.span, label.to_owned(), &help))
    }

    fn wrong(self, label: String) -> Checked {
        Err(self.mistake(label))
    }

    /// The mistake with the help of the parameter.
    fn mistake(self, label: String) -> Box<Diagnostic> {
        let help = match &self.param.default {
            Default::Is(value) => format!("{}; default: {value}", self.param.help),
            _ => self.param.help.to_owned(),
        };
        self.mistake_at(self.node.span, label, &help)
    }

    fn mistake_at(self, place: Span, label: String, help: &str) -> Box<Diagnostic> {
        let message = format!("`{}` must be {}", self.key, self.param.ty.wanted());
        Box::new(Diagnostic::at(place, self.key, message).label(label).help(help))
    }

    /// The mistake of an entry of a table.
    fn wrong_entry(self, entry: &TomlEntry, wanted: &str) -> Box<Diagnostic> {
        let key = format!("{}.{}", self.key, shorten(&entry.key));
        let wrong = Diagnostic::at(entry.node.span, &key, format!("`{key}` must be {wanted}"));
        Box::new(wrong.label(entry.node.raw.describe()).help(self.param.help))
    }
}

/// Whether a value is text, and not a number in quotes.
fn is_word(node: &TomlNode) -> bool {
    node.text().is_some_and(|text| !is_number(text))
}

fn is_number(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok()
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
