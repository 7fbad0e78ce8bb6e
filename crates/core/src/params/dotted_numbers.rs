//! The numbers of a spec by dotted keys, such as `weights.two` or `agent.c`, to read and to change them.

use super::{Spec, Value};

/// A number of a spec.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The value.
    pub value: f64,
    /// Whether it is a whole number in the config.
    pub integer: bool,
}

impl Spec {
    /// The number at a dotted key: of a parameter, a weight, an option of an engine, or one of
    /// these of a nested agent.
    pub fn number(&self, key: &str) -> Option<Number> {
        let (head, rest) = split(key);
        match (self.values.get(head)?, rest) {
            (Value::Int(int), None) => Some(Number { value: *int as f64, integer: true }),
            (Value::Float(float), None) => Some(Number { value: *float, integer: false }),
            (Value::Weights(weights), Some(name)) => {
                weights.get(name).map(|weight| Number { value: *weight as f64, integer: true })
            }
            (Value::Settings(settings), Some(name)) => {
                let text = setting(settings, name)?.trim();
                let value = text.parse().ok().filter(|value: &f64| value.is_finite())?;
                Some(Number { value, integer: text.parse::<i64>().is_ok() })
            }
            (Value::Spec(spec), Some(rest)) => spec.number(rest),
            _ => None,
        }
    }

    /// The text at a dotted key: of a parameter or an option of an engine.
    pub fn text(&self, key: &str) -> Option<&str> {
        let (head, rest) = split(key);
        match (self.values.get(head)?, rest) {
            (Value::Text(text), None) => Some(text),
            (Value::Settings(settings), Some(name)) => setting(settings, name),
            (Value::Spec(spec), Some(rest)) => spec.text(rest),
            _ => None,
        }
    }

    /// Sets the number at a dotted key that [`number`](Self::number) knows. Numbers that are
    /// integers in the config are rounded.
    pub fn set_number(&mut self, key: &str, number: f64) {
        let (head, rest) = split(key);
        let whole = number.round() as i64;
        match (self.values.0.get_mut(head), rest) {
            (Some(Value::Int(int)), None) => *int = whole,
            (Some(Value::Float(float)), None) => *float = number,
            (Some(Value::Weights(weights)), Some(name)) => {
                if let Some(weight) = weights.get_mut(name) {
                    *weight = whole;
                }
            }
            (Some(Value::Settings(settings)), Some(name)) => {
                if let Some((_, text)) = settings.iter_mut().find(|(key, _)| key == name) {
                    let integer = text.trim().parse::<i64>().is_ok();
                    *text = if integer { whole.to_string() } else { number.to_string() };
                }
            }
            (Some(Value::Spec(spec)), Some(rest)) => spec.set_number(rest, number),
            _ => {}
        }
    }

    /// The dotted keys of all numbers.
    pub fn number_keys(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (key, value) in &self.values.0 {
            let inner: Vec<String> = match value {
                Value::Int(_) | Value::Float(_) => {
                    all.push(key.clone());
                    continue;
                }
                Value::Weights(weights) => weights.keys().cloned().collect(),
                Value::Settings(settings) => {
                    settings.iter().map(|(name, _)| name.clone()).collect()
                }
                Value::Spec(spec) => spec.number_keys(),
                _ => continue,
            };
            all.extend(inner.iter().map(|inner| format!("{key}.{inner}")));
        }
        all.retain(|key| self.number(key).is_some());
        all
    }
}

fn setting<'s>(settings: &'s [(String, String)], name: &str) -> Option<&'s str> {
    settings.iter().find(|(key, _)| key == name).map(|(_, text)| text.as_str())
}

/// The first part of a dotted key, and the others.
fn split(key: &str) -> (&str, Option<&str>) {
    key.split_once('.').map_or((key, None), |(head, rest)| (head, Some(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Values;
    use std::collections::BTreeMap;

    #[test]
    fn numbers_are_read_and_set_by_dotted_keys() {
        let mut inner = Values::default();
        inner.set("c", Value::Float(1.5));
        let mut values = Values::default();
        values.set("depth", Value::Int(4));
        values.set("evaluator", Value::Text("lines".to_owned()));
        values.set("weights", Value::Weights(BTreeMap::from([("two".to_owned(), 10)])));
        let options = [("Hash", "64"), ("Line Factor", "0.5"), ("Style", "solid")];
        let options = options.map(|(key, text)| (key.to_owned(), text.to_owned()));
        values.set("options", Value::Settings(options.to_vec()));
        let spec = Spec { kind: "mcts".to_owned(), values: inner };
        values.set("agent", Value::Spec(Box::new(spec)));
        let mut spec = Spec { kind: "x".to_owned(), values };
        let keys = ["agent.c", "depth", "options.Hash", "options.Line Factor", "weights.two"];
        assert_eq!(spec.number_keys(), keys);
        let starts = [(1.5, false), (4.0, true), (64.0, true), (0.5, false), (10.0, true)];
        for (key, (value, integer)) in keys.into_iter().zip(starts) {
            assert_eq!(spec.number(key), Some(Number { value, integer }), "{key}");
            spec.set_number(key, 2.75);
            let set = if integer { 3.0 } else { 2.75 };
            assert_eq!(spec.number(key).map(|number| number.value), Some(set), "{key}");
        }
        assert_eq!(spec.text("options.Style"), Some("solid"));
        for key in ["evaluator", "options.Style", "weights", "weights.three", "agent", ""] {
            assert_eq!(spec.number(key), None, "{key}");
        }
    }
}
