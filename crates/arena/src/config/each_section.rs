//! `[each]`: keys that all agents share. They are put into the tables of the agents before these
//! are read, so that they pass the same checks.

use super::read_sections::as_table;
use crate::config::sections::agents_section::AGENT_KEYS;
use crate::config::tree::config_kind::ConfigKind;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::keys_of_other_programs::{answer, answer_for_own_agents};
use crate::config::tree::sweep::named_kinds;
use crate::config::tree::toml_tree::{Raw, TomlEntry, TomlTable};
use crate::params::Type;
use crate::util::did_you_mean::{nearest, one_of};

const KEY: &str = "each";

/// Moves the keys of `[each]` into every agent that knows them and does not set them itself. A
/// table, such as the options of an engine, is shared key by key. A key that no agent knows is a
/// mistake.
pub(super) fn spread(tree: &mut TomlTable, kinds: &[ConfigKind], problems: &mut Problems) {
    let Some(at) = tree.entries.iter().position(|entry| entry.key == KEY) else { return };
    let each = tree.entries.remove(at);
    let Some(shared) = as_table(&each, problems) else { return };
    let agents = tree.entries.iter_mut().find(|entry| entry.key == "agents");
    let Some(Raw::List(agents)) = agents.map(|entry| &mut entry.node.raw) else { return };
    let mut used = vec![false; shared.entries.len()];
    let mut known: Vec<&str> = Vec::new();
    // A kind that does not exist is reported with the agents. Its keys are not known.
    let mut all_known = true;
    for agent in agents {
        let Raw::Table(table) = &mut agent.raw else { continue };
        if let Some(kind) = shared.get("kind")
            && table.get("kind").is_none()
        {
            table.entries.insert(0, kind.clone());
        }
        let kinds = named_kinds(table, kinds);
        all_known &= !kinds.is_empty();
        known.extend(kinds.iter().flat_map(|kind| &kind.params).map(|param| param.key));
        for (entry, used) in shared.entries.iter().zip(&mut used) {
            let merges = kinds.iter().flat_map(|kind| &kind.params).find(|p| p.key == entry.key);
            let own = entry.key != "name" && AGENT_KEYS.contains(&entry.key.as_str());
            if own || entry.key == "kind" || merges.is_some() {
                *used = true;
                share(table, entry, merges.map(|param| &param.ty));
            }
        }
    }
    if !all_known {
        return;
    }
    known.sort();
    known.dedup();
    for (entry, _) in shared.entries.iter().zip(used).filter(|(_, used)| !used) {
        problems.report(unknown(entry, &known, kinds));
    }
}

/// Puts a shared key of this type into the table of an agent that does not have it. Tables of
/// names are merged: the shared names come first, with the agent's own values in their places.
fn share(table: &mut TomlTable, entry: &TomlEntry, ty: Option<&Type>) {
    let Some(own) = table.entries.iter_mut().find(|own| own.key == entry.key) else {
        table.entries.push(entry.clone());
        return;
    };
    // Engines ignore the case of the names of options.
    let is_same = |a: &str, b: &str| match ty {
        Some(Type::Options) => a.eq_ignore_ascii_case(b),
        _ => a == b,
    };
    if let (Raw::Table(own), Raw::Table(shared)) = (&mut own.node.raw, &entry.node.raw)
        && matches!(ty, Some(Type::Settings | Type::Options | Type::Keys(_)))
    {
        let mut merged = shared.entries.clone();
        for entry in own.entries.drain(..) {
            match merged.iter_mut().find(|shared| is_same(&shared.key, &entry.key)) {
                Some(shared) => *shared = entry,
                None => merged.push(entry),
            }
        }
        own.entries = merged;
    }
}

fn unknown(entry: &TomlEntry, known: &[&str], kinds: &[ConfigKind]) -> Diagnostic {
    let key = crate::config::tree::read_toml_table::join_part(KEY, &entry.key);
    if entry.key == "name" {
        let message = "agents cannot share a `name`";
        let help = "give each agent its own, as in `name = \"ab{depth}\"`";
        return Diagnostic::at(entry.at, key, message).help(help);
    }
    let message =
        format!("no agent has the key `{}`", crate::config::tree::toml_tree::shorten(&entry.key));
    let homes: Vec<&str> = (kinds.iter())
        .filter(|kind| kind.params.iter().any(|param| param.key == entry.key))
        .map(|kind| kind.kind)
        .collect();
    let all = kinds.iter().flat_map(|kind| &kind.params).map(|param| param.key);
    let near = nearest(&entry.key, known).or_else(|| nearest(&entry.key, &all.collect::<Vec<_>>()));
    if let Some(right) = crate::config::tree::read_toml_table::right_option(entry) {
        return Diagnostic::at(entry.at, key, message).help(format!("write `{right}`"));
    }
    let diagnostic = Diagnostic::at(entry.at, key, message).label("for all agents");
    let help = match (answer(&entry.key), &homes[..], near) {
        (Some(answer), ..) => answer.to_owned(),
        (None, [], near) => {
            let help = near.map_or_else(|| one_of(known), |near| format!("did you mean `{near}`?"));
            return diagnostic.unknown_key(&entry.key).help(help);
        }
        (None, ["engine"], _) if let Some(answer) = answer_for_own_agents(&entry.key) => {
            answer.to_owned()
        }
        (None, homes, _) => format!("it is a key of other agents: {}", one_of(homes)),
    };
    diagnostic.help(help)
}
