//! Games of a known type from text, as in `connect4:columns=5,rows=4`, and tables of data files.

use agon::games::Configurable;
use agon::params::{Params, Type, Value, Values};

/// The parameters in a text.
pub fn values<G: Configurable>(spec: &str) -> Values {
    let mut values = Values::default();
    let (_, given) = spec.split_once(':').unwrap_or((spec, ""));
    for pair in given.split(',').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap();
        let param = G::Params::list().into_iter().find(|param| param.key == key).unwrap();
        let value = match param.ty {
            Type::Bool => Value::Bool(value.parse().unwrap()),
            Type::Choice(_) => Value::Text(value.to_owned()),
            Type::Float { .. } => Value::Float(value.parse().unwrap()),
            _ => Value::Int(value.parse().unwrap()),
        };
        values.set(key, value);
    }
    values
}

/// A game of a known type from its text.
pub fn build<G: Configurable>(spec: &str) -> G {
    G::build(&values::<G>(spec)).unwrap()
}

/// The lines of a data file except comments, split at `|`.
pub fn table(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.filter(|line| !line.starts_with('#')).map(|l| l.split('|').map(str::trim).collect())
}

/// Numbers separated by spaces.
pub fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace().map(|n| n.replace('_', "").parse().unwrap()).collect()
}
