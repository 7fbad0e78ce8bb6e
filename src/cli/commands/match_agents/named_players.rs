//! The players of a match: agents by SPEC, engines by command.

use std::path::Path;

use crate::cli::command_line_mistakes::answer_to_key;
use crate::cli::failure::Failure;
use crate::config;
use crate::engine::{EngineError, Launch, command_words, words};
use crate::params::{Param, Type, quoted};
use crate::play::Registry;
use crate::util::did_you_mean::did_you_mean_or;
use std::collections::BTreeMap;

/// The longest name that is made of arguments, in characters.
const LONGEST: usize = 60;

pub struct NamedPlayer {
    pub name: String,
    pub kind: PlayerKind,
    details: EngineDetails,
}

/// What distinguishes engines of the same name. Empty for agents.
#[derive(Default)]
struct EngineDetails {
    /// The parts of the path of the program.
    path: Vec<String>,
    /// Its arguments, or the keys of its SPEC.
    arguments: Vec<String>,
}

/// Where a player comes from.
pub enum PlayerKind {
    /// An agent: its keys with their values as TOML, the kind first.
    Agent(Vec<(String, String)>),
    /// An engine: its command.
    Engine(String),
}

impl NamedPlayer {
    /// The kind of its agent, as in a config.
    pub fn agent_kind(&self) -> &str {
        match &self.kind {
            PlayerKind::Agent(keys) => {
                let kind = keys.iter().find(|(key, _)| key == "kind");
                kind.map_or("", |(_, word)| word.trim_matches('"'))
            }
            PlayerKind::Engine(_) => "engine",
        }
    }

    /// Makes a command the player of a game by a referee.
    pub fn start_by_referee(&mut self) {
        if let PlayerKind::Engine(command) = &self.kind {
            let keys = [("kind", quoted("command")), ("command", quoted(command))];
            let keys = keys.map(|(key, value)| (key.to_owned(), value));
            self.kind = PlayerKind::Agent(keys.into());
        }
    }

    /// Whether it is an engine, given by its command or by a SPEC.
    pub fn is_engine(&self) -> bool {
        self.agent_kind() == "engine"
    }
}

/// The players of these words, with distinct names.
///
/// # Errors
/// All words that are no agent and no program, or both, and fewer than two players.
pub fn players(texts: &[String], registry: &Registry) -> Result<Vec<NamedPlayer>, Failure> {
    let (mut players, mut failures) = (Vec::new(), Vec::new());
    for text in texts {
        match player(text.trim(), registry) {
            Ok(player) => players.push(player),
            Err(failure) => failures.push(failure),
        }
    }
    match failures.len() {
        0 => {}
        1 => return Err(failures.remove(0)),
        _ => return Err(Failure::Several(failures)),
    }
    name_by_differences(&mut players);
    match &players[..] {
        [only] => Err(Failure::usage(
            format!("a match needs two players, and there is only `{}`", only.name),
            "name another one, such as `random`; `agon play GAME --agent SPEC` plays against you",
        )),
        _ => Ok(players),
    }
}

fn player(text: &str, registry: &Registry) -> Result<NamedPlayer, Failure> {
    let kind = text.split(':').next().unwrap_or_default().trim();
    let program = program(text);
    if registry.agent(kind).is_some() {
        if kind == text
            && let Ok(path) = &program
        {
            return Err(Failure::usage(
                format!("`{text}` is an agent of agon and also the program {path}"),
                format!("write `{text}:` for the agent, or `{path}` for the program"),
            ));
        }
        let keys = config::spec_as_toml(text, "", registry)?;
        let own = keys.iter().find(|(key, _)| key == "name");
        let own = own.map(|(_, name)| name.trim_matches('"').to_owned());
        if own.is_none()
            && let Some(holes) = swept(&keys, registry)
        {
            return Err(Failure::usage(
                format!("`{text}` makes several agents, and they need names"),
                format!("write `\"{text},name={kind}{holes}\"`: each name has its values"),
            ));
        }
        let (name, details) = match own {
            Some(name) => (name, EngineDetails::default()),
            None => spec_name(&keys)
                .unwrap_or_else(|| (name_of_agent(text, kind, &keys), EngineDetails::default())),
        };
        return Ok(NamedPlayer { name, kind: PlayerKind::Agent(keys), details });
    }
    match program {
        Ok(path) if path.starts_with("./") && !text.starts_with("./") && !text.contains('/') => {
            Err(Failure::usage(
                format!("there is no program `{text}` on PATH, and a program {path} is here"),
                format!("write `{path}`"),
            ))
        }
        Ok(_) => {
            let (name, details) = engine_name(text);
            Ok(NamedPlayer { name, kind: PlayerKind::Engine(text.to_owned()), details })
        }
        Err(missing) => Err(unknown(text, kind, &missing, registry)),
    }
}

/// The name of an agent of agon: its SPEC, without the keys that do not say how it plays.
fn name_of_agent(text: &str, kind: &str, keys: &[(String, String)]) -> String {
    let is_own = |key: &str| config::AGENT_KEYS.contains(&key);
    if !keys.iter().any(|(key, _)| is_own(key)) {
        return text.trim_end_matches(':').to_owned();
    }
    let played = keys.iter().filter(|(key, _)| key != "kind" && !is_own(key));
    let played: Vec<String> =
        played.map(|(key, value)| format!("{key}={}", value.trim_matches('"'))).collect();
    if played.is_empty() { kind.to_owned() } else { format!("{kind}:{}", played.join(",")) }
}

/// Why there is no such program, and what to do.
struct Missing {
    detail: String,
    help: String,
}

/// The path of the program that a command starts. A word without a slash may also be a program of
/// the working folder, if it is the name of an agent.
fn program(text: &str) -> Result<String, Missing> {
    let missing = |EngineError { detail, help, .. }| Missing { detail, help };
    let found = Launch::find_line(text, None, &BTreeMap::default()).map_err(missing);
    let here = || Launch::find(&[format!("./{text}")], None, &BTreeMap::default());
    match (found, text.contains('/')) {
        (Err(missing), false) => match here() {
            Ok(_) => Ok(format!("./{text}")),
            Err(_) => Err(missing),
        },
        (found, _) => found.map(|launch| launch.program.display().to_string()),
    }
}

/// Gives engines that are called alike names by which they differ: by a folder of their path, then by
/// their arguments or options, and otherwise by numbers.
fn name_by_differences(players: &mut [NamedPlayer]) {
    let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    for name in &names {
        let alike: Vec<usize> = (0..players.len())
            .filter(|&i| players[i].name == *name && !players[i].details.path.is_empty())
            .collect();
        let details = || alike.iter().map(|&i| &players[i].details);
        let parts = |at: usize| -> Vec<String> {
            details()
                .map(|one| one.path.iter().rev().nth(at).cloned().unwrap_or_default())
                .collect()
        };
        let shortest = details().map(|one| one.path.len()).min().unwrap_or(0);
        let by_path = (1..shortest).map(parts).find(|parts| are_distinct(parts));
        let others: Vec<String> = (details())
            .map(|one| {
                let is_own =
                    |word: &&String| !details().all(|other| other.arguments.contains(*word));
                let own: Vec<&str> =
                    one.arguments.iter().filter(is_own).map(String::as_str).collect();
                [&[name.as_str()], &own[..]].concat().join(" ").chars().take(LONGEST).collect()
            })
            .collect();
        let by_arguments = Some(others).filter(|others| are_distinct(others));
        if alike.len() > 1
            && let Some(new) = by_path.or(by_arguments)
        {
            alike.into_iter().zip(new).for_each(|(i, name)| players[i].name = name);
        }
    }
    for i in 1..players.len() {
        let taken = |name: &str| players[..i].iter().any(|player| player.name == name);
        if taken(&players[i].name) {
            let numbered = |number: usize| format!("{} {number}", players[i].name);
            let free = (2..).map(numbered).find(|name| !taken(name));
            players[i].name = free.unwrap_or_default();
        }
    }
}

fn are_distinct(names: &[String]) -> bool {
    let is_new = |i: usize| !names[i].is_empty() && !names[..i].contains(&names[i]);
    (0..names.len()).all(is_new)
}

/// The name of an engine: its program, or the script that an interpreter runs. Also returns what
/// distinguishes it from others of this name.
fn engine_name(text: &str) -> (String, EngineDetails) {
    named_by_words(command_words(text, None).unwrap_or_default())
}

fn named_by_words(command: Vec<String>) -> (String, EngineDetails) {
    let script = command.iter().skip(1).position(|word| Path::new(word).is_file());
    let at = script.map_or(0, |script| script + 1);
    let Some(program) = command.get(at) else { return Default::default() };
    let stem = Path::new(program).file_stem();
    let stem = stem.map_or_else(|| program.clone(), |stem| stem.to_string_lossy().into_owned());
    let folder = |part: std::path::Component<'_>| part.as_os_str().to_string_lossy().into_owned();
    let path = Path::new(program).components().map(folder).collect();
    let arguments = command.iter().skip(at + 1).cloned().collect();
    (stem, EngineDetails { path, arguments })
}

/// The command of an engine that is given by a SPEC without a name, and its other keys.
fn spec_name(keys: &[(String, String)]) -> Option<(String, EngineDetails)> {
    let is_engine = keys.iter().any(|(key, value)| key == "kind" && value == "\"engine\"");
    let (_, command) = keys.iter().find(|(key, _)| is_engine && key == "command")?;
    let listed: Option<Vec<String>> = toml::from_str(&format!("x = {command}"))
        .ok()
        .and_then(|mut table: std::collections::BTreeMap<String, Vec<String>>| table.remove("x"));
    let (name, mut details) =
        listed.map_or_else(|| engine_name(command.trim_matches('"')), named_by_words);
    for (key, value) in keys.iter().filter(|(key, _)| key != "kind" && key != "command") {
        let value = value.replace('"', "").replace(" = ", "=");
        details.arguments.push(match value.strip_prefix("{ ") {
            Some(pairs) => pairs.trim_end_matches(" }").to_owned(),
            None => format!("{key}={value}"),
        });
    }
    Some((name, details)).filter(|(name, _)| !name.is_empty())
}

/// The error about a player that is no agent and no program.
fn unknown(text: &str, kind: &str, missing: &Missing, registry: &Registry) -> Failure {
    if text.ends_with(".toml") {
        return Failure::usage(
            format!("`{text}` is a config and not a player"),
            format!("`agon run {text}` plays it"),
        );
    }
    if kind == "human" {
        return Failure::usage("people do not play in a match", "`agon play GAME --agent SPEC`");
    }
    if words(text).is_err() {
        return Failure::usage(format!("`{text}`: {}", missing.detail), &missing.help);
    }
    if let Some(spec) = repaired(text, registry) {
        return Failure::usage(
            format!("`{text}` is neither an agent nor a program"),
            format!("write `{spec}`: a colon after the kind, commas between the keys"),
        );
    }
    if let Some((key, _)) = text.split_once('=')
        && !key.contains(['/', ':'])
    {
        let has_key = |kind: &&str| param(kind, registry, |param| param.key == key).is_some();
        let mut owners = ["alphabeta"].into_iter().chain(registry.agents.iter().map(|a| a.kind));
        let owner = owners.find(has_key);
        let help = owner.map(|kind| format!("a key belongs to its agent, as in `{kind}:{text}`"));
        if let Some(help) = help.or_else(|| answer_to_key(key).map(str::to_owned)) {
            return Failure::usage(format!("there is no agent and no program `{text}`"), help);
        }
    }
    let kinds: Vec<&str> = registry.agents.iter().map(|agent| agent.kind).collect();
    if Path::new(text).is_file() {
        let help = match text.ends_with(".py") {
            true => format!("\"python3 {text}\" in quotes runs it"),
            false => missing.help.clone(),
        };
        return Failure::usage(&missing.detail, help);
    }
    let colons = text.match_indices(':').map(|(at, _)| text.split_at(at));
    let is_command = |(command, _): &(&str, &str)| program(command).is_ok();
    if let Some((command, keys)) = colons.into_iter().find(is_command) {
        return Failure::usage(
            format!("`{text}`: a command has no options after a colon"),
            format!("write `\"engine:command={command},{}\"`", engine_keys(&keys[1..], registry)),
        );
    }
    if text.contains('/') || text.contains(char::is_whitespace) {
        return Failure::usage(&missing.detail, &missing.help);
    }
    let help = did_you_mean_or(kind, &kinds, || match registry.game(kind) {
        Some(_) => format!("`{kind}` is a game: `agon match A B --game {text}`"),
        None => format!("`agon list agents` has all agents; {}", missing.help),
    });
    Failure::usage(format!("there is no agent and no program `{text}`"), help)
}

/// The keys of an engine's SPEC that were meant by these: keys of agon, and options of the engine.
fn engine_keys(text: &str, registry: &Registry) -> String {
    let meant = |pair: &str| {
        let (key, value) = pair.split_once('=')?;
        let is_own = key.starts_with("options.")
            || config::AGENT_KEYS.contains(&key)
            || param("engine", registry, |param| param.key == key).is_some();
        let lead = if is_own { "" } else { "options." };
        Some(format!("{lead}{key}={value}"))
    };
    let keys: Option<Vec<String>> = text.split(',').map(|pair| meant(pair.trim())).collect();
    match keys {
        Some(keys) if !text.contains(['"', '\'']) => keys.join(","),
        _ => "options.NAME=VALUE".to_owned(),
    }
}

/// The first parameter of this kind of agent that fulfils the condition.
fn param<'r>(kind: &str, registry: &'r Registry, is: impl Fn(&Param) -> bool) -> Option<&'r Param> {
    registry.agent(kind)?.params.iter().find(|param| is(param))
}

/// The keys with a list of several values in the place of one, as placeholders of a name: `{depth}`.
fn swept(keys: &[(String, String)], registry: &Registry) -> Option<String> {
    let (_, kind) = keys.iter().find(|(key, _)| key == "kind")?;
    let is_swept = |(key, value): &&(String, String)| {
        let called = |param: &Param| param.key == key && param.ty.is_scalar();
        value.starts_with('[')
            && value.contains(',')
            && param(kind.trim_matches('"'), registry, called).is_some()
    };
    let holes: String = keys.iter().filter(is_swept).map(|(key, _)| format!("{{{key}}}")).collect();
    (!holes.is_empty()).then_some(holes)
}

/// The SPEC that was probably meant, if only its separators are wrong: `alphabeta depth=3`, or if it
/// has a value without a key: `hold=25`.
fn repaired(text: &str, registry: &Registry) -> Option<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_-".contains(c))?;
    let (kind, keys) = text.split_at(end);
    registry.agent(kind)?;
    if let Some(value) = keys.strip_prefix('=') {
        let is_number = |param: &Param| {
            matches!(param.ty, Type::Int { .. } | Type::Float { .. } | Type::Depth { .. })
        };
        return Some(format!("{kind}:{}={value}", param(kind, registry, is_number)?.key));
    }
    let is_separator = |c: char| c.is_whitespace() || ",;:()[]{}".contains(c);
    let keys: Vec<&str> = keys.split(is_separator).filter(|key| !key.is_empty()).collect();
    let good = !keys.is_empty() && keys.iter().all(|key| key.contains('='));
    good.then(|| format!("{kind}:{}", keys.join(",")))
}
