//! Error recovery: reads the correct keys of a table with mistakes, so that the mistakes of the
//! rest can be reported in the same pass.

use super::check_value;
use super::kind::ConfigKind;
use super::toml_tree::{Raw, TomlTable};
use crate::params::{Default, Param, Spec, Type, Value, Values};

/// A spec in which some values may be placeholders.
pub(super) struct Draft {
    pub spec: Spec,
    /// Whether every value was given or is a default.
    pub faithful: bool,
}

/// The spec of a table from its correct keys. `None` if its kind is not known, or if a wrong value
/// has no placeholder.
pub(super) fn draft(
    table: &TomlTable,
    kinds: &[ConfigKind],
    agents: &[ConfigKind],
) -> Option<Draft> {
    let word = table.get("kind")?.node.text()?;
    let kind = kinds.iter().find(|kind| kind.kind == word)?;
    let (values, faithful) = values(table, &kind.params, agents)?;
    Some(Draft { spec: Spec { kind: kind.kind.to_owned(), values }, faithful })
}

/// The values of a table with those keys from its correct keys, and whether none of them is a
/// placeholder. `None` if a wrong value has no placeholder.
pub(super) fn values(
    table: &TomlTable,
    params: &[Param],
    agents: &[ConfigKind],
) -> Option<(Values, bool)> {
    let mut values = Values::default();
    let mut faithful = true;
    for param in params {
        let given = table.get(param.key).map(|entry| &entry.node);
        let value = match (given, &param.default) {
            (Some(node), _) => match (&param.ty, &node.raw) {
                (Type::Agent, Raw::Table(inner)) => {
                    draft(inner, agents, agents).map(|inner| Value::Spec(Box::new(inner.spec)))
                }
                _ => match check_value::check_each(node, param, param.key) {
                    (value, wrong) if wrong.is_empty() => value,
                    // A part of a list of pairs would mean something else.
                    _ if param.ty == Type::Pairs => return None,
                    (value, _) => {
                        faithful = false;
                        value.or_else(|| stand_in(param))
                    }
                },
            },
            (None, Default::Required) => {
                faithful = false;
                Some(stand_in(param)?)
            }
            (None, Default::Is(value)) => Some(value.clone()),
            (None, Default::Absent) => None,
        };
        if let Some(value) = value {
            values.set(param.key, value);
        }
    }
    Some((values, faithful))
}

/// A value of the parameter that is probably valid.
pub(super) fn stand_in(param: &Param) -> Option<Value> {
    if let Default::Is(value) = &param.default {
        return Some(value.clone());
    }
    match &param.ty {
        Type::Int { min, .. } => Some(Value::Int((*min).max(1))),
        Type::Depth { .. } => Some(Value::Int(1)),
        Type::Float { min, .. } if min.is_finite() => Some(Value::Float(*min)),
        Type::Bool => Some(Value::Bool(false)),
        Type::Choice(words) => words.first().map(|word| Value::Text((*word).to_owned())),
        _ => None,
    }
}
