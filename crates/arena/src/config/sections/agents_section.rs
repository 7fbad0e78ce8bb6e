//! `[[agents]]`: the agent tables, with sweeps expanded to one table per entry.

use super::agent_folders;
use super::agent_names::{check_name, default_template, fill};
use super::seats_and_pairings::FixedSeat;
use crate::config::tree::check_parameter_value;
use crate::config::tree::config_kind::ConfigKind;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::read_toml_table;
use crate::config::tree::sweep;
use crate::config::tree::toml_tree::{Raw, TomlTable};
use crate::params::{Param, Spec, Type, Value, quoted};
use crate::play::GameEntry;
use crate::util::did_you_mean::did_you_mean;

/// The maximum number of agents. A sweep over several lists grows fast.
pub(crate) const MOST: usize = 1000;

/// The keys of every agent. They do not say how it plays.
pub const AGENT_KEYS: [&str; 5] = ["name", "seat", "deterministic", "reference", "parallel"];

/// All words for seats; [`read_seats`] refuses those that the game does not have.
const SEATS: &[&str] = &["both", "first", "second", "white", "black", "x", "o", "pacman", "ghosts"];

#[doc(hidden)]
pub fn params() -> [Param; 5] {
    [
        Param::of(
            "name",
            Type::Text,
            "name of the agent in tables; {key} is replaced by the value of a key; default: the kind and the swept keys",
        ),
        Param::of(
            "seat",
            Type::Choice(SEATS),
            "side of the agent: `both`, `first`, `second`, or the game's own word, such as `white`; one side is for games with two roles, where each opening is then played once",
        )
        .or(Value::Text("both".to_owned())),
        Param::of(
            "deterministic",
            Type::Bool,
            "whether an engine, or an agent with `movetime`, always plays the same moves from the same opening; agon knows this for all other agents",
        )
        .or(Value::Bool(false)),
        Param::of(
            "reference",
            Type::Bool,
            "whether the agent is a yardstick for the others; it plays like them, tables mark it, and the answer names the strongest of the others and compares it with this agent",
        )
        .or(Value::Bool(false)),
        Param::of(
            "parallel",
            Type::Int { min: 1, max: 1_000_000 },
            "largest number of games that the agent plays at once, in all threads of a process together; other pairings are played meanwhile; default: no limit",
        ),
    ]
}

/// An agent with the table that it was read from.
#[derive(Debug, Clone)]
pub(crate) struct AgentEntry {
    pub name: String,
    /// `None` after a mistake, which has been reported.
    pub spec: Option<Spec>,
    /// `Both` until [`read_seats`].
    pub seat: FixedSeat,
    pub deterministic: bool,
    pub reference: bool,
    /// The largest number of its games at once.
    pub parallel: Option<u64>,
    /// Its table. In a sweep, the table with the entries of this agent.
    pub table: TomlTable,
    /// The prefix of its keys: `agents.NAME`.
    pub path: String,
    /// The placeholders that are missing in its name to make it unique.
    swept: Vec<String>,
    /// The index of the table in the file.
    origin: usize,
}

impl AgentEntry {
    /// The same agent by another name.
    pub fn renamed(&self, name: String) -> Self {
        AgentEntry { name, ..self.clone() }
    }
}

pub(crate) fn read(
    tree: &TomlTable,
    kinds: &[ConfigKind],
    problems: &mut Problems,
) -> Vec<AgentEntry> {
    let before = problems.mark();
    let tables = match tables(tree, problems) {
        Some(tables) if !tables.is_empty() => tables,
        Some(_) if problems.mark() > before => return Vec::new(),
        Some(_) => {
            let place = tree.get("agents").map_or(tree.span, |entry| entry.node.span);
            problems.missing(
                Diagnostic::at(place, "agents", "there are no agents")
                    .help("add a table `[[agents]]` with `kind = \"random\"`"),
            );
            return Vec::new();
        }
        None => return Vec::new(),
    };
    let mut agents: Vec<AgentEntry> = Vec::new();
    let mut are_all_known = true;
    for (origin, table) in tables.into_iter().enumerate() {
        let path = format!("agents.{}", part(&label(table, kinds, origin)));
        let Some(mut sweep) = sweep::expand(table, kinds, MOST, &path, problems) else {
            continue;
        };
        if !agent_folders::expand(&mut sweep, &path, problems) {
            are_all_known = false;
            continue;
        }
        if agents.len() + sweep.tables.len() > MOST {
            let message = format!("there are more than {MOST} agents");
            problems.wrong(table.span, "agents", message, "shorten the lists");
            return Vec::new();
        }
        for one in sweep.tables {
            let spec =
                read_toml_table::spec(&one, kinds, kinds, "agent", &path, &AGENT_KEYS, problems);
            let [_, seat, deterministic, reference, parallel] = params();
            own(&one, &seat, &path, problems);
            let [deterministic, reference] = [deterministic, reference]
                .map(|key| own(&one, &key, &path, problems) == Some(Value::Bool(true)));
            let parallel = match own(&one, &parallel, &path, problems) {
                Some(Value::Int(games)) => u64::try_from(games).ok(),
                _ => None,
            };
            let name = name(&one, spec.as_ref(), kinds, &sweep.keys, &path, problems);
            agents.push(AgentEntry {
                name: name.unwrap_or_default(),
                spec,
                seat: FixedSeat::Both,
                deterministic,
                reference,
                parallel,
                table: one,
                path: path.clone(),
                swept: sweep.keys.clone(),
                origin,
            });
        }
    }
    unique(&agents, problems);
    // Without the agents of a folder, their number says nothing.
    if are_all_known { agents } else { Vec::new() }
}

fn tables<'t>(tree: &'t TomlTable, problems: &mut Problems) -> Option<Vec<&'t TomlTable>> {
    let Some(entry) = tree.get("agents") else {
        return Some(Vec::new());
    };
    let wrong = |label: String| {
        Diagnostic::at(entry.node.span, "agents", "`agents` must be a list of tables")
            .label(label)
            .help("write `[[agents]]`, in double brackets, before each agent")
    };
    let Raw::List(items) = &entry.node.raw else {
        problems.report(wrong(entry.node.raw.describe()));
        return None;
    };
    let mut tables = Vec::new();
    for item in items {
        match &item.raw {
            Raw::Table(table) => tables.push(table),
            other => {
                let mut wrong = wrong(other.describe());
                wrong.place = Some(item.span);
                problems.report(wrong);
            }
        }
    }
    Some(tables)
}

/// The name of an agent's table on the command line: its name as written, its default name, or its
/// number.
pub(crate) fn label(table: &TomlTable, kinds: &[ConfigKind], index: usize) -> String {
    match (table.text("name"), table.get("name"), table.text("kind")) {
        (Some(name), ..) => name.to_owned(),
        (None, None, Some(kind)) => default_template(kind, &sweep::keys(table, kinds)),
        _ => index.to_string(),
    }
}

/// A name as one part of a dotted key, as `--set` reads it.
pub(crate) fn part(label: &str) -> String {
    let plain = |c: char| !matches!(c, '.' | '=' | '"' | '\'') && !c.is_control();
    if !label.is_empty() && label.chars().all(plain) { label.to_owned() } else { quoted(label) }
}

/// Reads the seats: `both`, `first`, `second`, or what players of this game call a side.
pub(crate) fn read_seats(agents: &mut [AgentEntry], game: &GameEntry, problems: &mut Problems) {
    let mut seats = vec![("both", FixedSeat::Both)];
    for [first, second] in [["first", "second"]].into_iter().chain(game.sides.iter().copied()) {
        seats.extend([(first, FixedSeat::First), (second, FixedSeat::Second)]);
    }
    for agent in agents {
        let node = agent.table.get("seat").map(|entry| &entry.node);
        let Some((node, word)) = node.and_then(|node| Some((node, node.text()?))) else { continue };
        match seats.iter().find(|(name, _)| *name == word) {
            Some((_, seat)) => agent.seat = *seat,
            // Other words have been reported.
            None if !SEATS.contains(&word) => {}
            None => {
                let key = read_toml_table::join(&agent.path, "seat");
                let names: Vec<&str> = seats.iter().map(|(name, _)| *name).collect();
                let message = format!("`{}` has no side `{word}`", game.kind);
                problems.wrong(node.span, key, message, did_you_mean(word, &names));
            }
        }
    }
}

fn own(table: &TomlTable, param: &Param, path: &str, problems: &mut Problems) -> Option<Value> {
    let entry = table.get(param.key)?;
    check_parameter_value::check(&entry.node, param, &read_toml_table::join(path, param.key))
        .map_err(|wrong| problems.report(*wrong))
        .ok()
}

fn name(
    table: &TomlTable,
    spec: Option<&Spec>,
    kinds: &[ConfigKind],
    swept: &[String],
    path: &str,
    problems: &mut Problems,
) -> Option<String> {
    let key = format!("{path}.name");
    let (template, place) = match table.get("name") {
        None => (default_template(&spec?.kind, swept), table.span),
        Some(entry) => match entry.node.text() {
            Some(text) => (text.to_owned(), entry.node.span),
            None => {
                let found = entry.node.raw.describe();
                let help = match entry.node.raw {
                    Raw::List(_) => "put a swept key into it, as in `name = \"ab{depth}\"`",
                    _ => "put it in quotes",
                };
                let message = format!("`{key}` must be text in quotes");
                let wrong = Diagnostic::at(entry.node.span, &key, message);
                problems.report(wrong.label(found).help(help));
                return None;
            }
        },
    };
    let filled = match spec {
        Some(spec) => {
            let kind = kinds.iter().find(|kind| kind.kind == spec.kind)?;
            fill(&template, spec, &kind.params)
        }
        // The agent has another mistake, but its name may be correct.
        None if template.contains(['{', '}']) => return None,
        None => Ok(template),
    };
    match filled.and_then(|name| check_name(&name).map(|()| name)) {
        Ok(name) => Some(crate::params::visible(&name)),
        Err((message, help)) => {
            problems.wrong(place, key, message, help);
            None
        }
    }
}

fn unique(agents: &[AgentEntry], problems: &mut Problems) {
    let mut seen: std::collections::HashMap<&str, &AgentEntry> = std::collections::HashMap::new();
    for agent in agents.iter().filter(|agent| !agent.name.is_empty()) {
        let Some(first) = seen.get(agent.name.as_str()) else {
            seen.insert(&agent.name, agent);
            continue;
        };
        let place = |agent: &AgentEntry| agent.table.locate("name").unwrap_or(agent.table.span);
        let key = format!("{}.name", agent.path);
        let message = format!("two agents are called `{}`", agent.name);
        let wrong = Diagnostic::at(place(agent), key, message);
        problems.report(if first.origin == agent.origin {
            let template = agent.table.text("name").unwrap_or_default();
            let named = |key: &&String| template.contains(&format!("{{{key}}}"));
            let holes: String = agent
                .swept
                .iter()
                .filter(|key| !named(key))
                .map(|key| format!("{{{key}}}"))
                .collect();
            match holes.as_str() {
                "" => wrong.help("a list has an entry twice: take one away"),
                holes => wrong
                    .label("several agents of the sweep get this name")
                    .help(format!("put the swept keys into it: `{template}{holes}`")),
            }
        } else {
            wrong
                .label("again here")
                .also(place(first), "first here")
                .help("give each agent a `name` of its own")
        });
    }
}
