//! The parameters in which agents differ, as columns of tables.

use crate::config::NamedAgent;
use crate::params::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A key with its value in each row, if the row has the key.
pub type ParameterColumn = (String, Vec<Option<Value>>);

/// A row of the table: its group, and its keys with their values.
pub type ParameterRow = (String, Vec<(String, Value)>);

/// The parameters in which these agents differ. An agent of another kind that does not know a
/// parameter does not differ in it.
pub fn of_agents<'a>(agents: impl Iterator<Item = &'a NamedAgent>) -> Vec<ParameterColumn> {
    let rows: Vec<ParameterRow> =
        agents.map(|agent| (agent.spec.kind.clone(), agent.parameters())).collect();
    differing(&rows)
}

/// The keys that have two different values, or that only one of two rows of the same group has. The
/// keys are in the order of their first row.
pub fn differing(rows: &[ParameterRow]) -> Vec<ParameterColumn> {
    let mut keys: Vec<&str> = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for (key, _) in rows.iter().flat_map(|(_, values)| values) {
        if known.insert(key) {
            keys.push(key);
        }
    }
    let mut columns = Vec::new();
    for key in keys {
        let value = |(_, values): &ParameterRow| {
            values.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
        };
        let values: Vec<Option<Value>> = rows.iter().map(value).collect();
        if differs(rows, &values) {
            columns.push((key.to_owned(), values));
        }
    }
    columns
}

fn differs(rows: &[ParameterRow], values: &[Option<Value>]) -> bool {
    let mut given: Option<&Value> = None;
    let mut groups: BTreeMap<&str, &Option<Value>> = BTreeMap::new();
    for ((group, _), value) in rows.iter().zip(values) {
        let of_group = groups.insert(group, value);
        if of_group.is_some_and(|other| other != value) {
            return true;
        }
        if let Some(value) = value
            && given.replace(value).is_some_and(|other| other != value)
        {
            return true;
        }
    }
    false
}
