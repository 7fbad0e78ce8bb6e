//! The players of a match: agents by SPEC, engines by command.

use std::path::Path;

use crate::cli::exit_codes::Failure;
use crate::config;
use crate::engine::{Launch, words};
use crate::play::Registry;
use crate::util::collect_with_less_code::Gather;
use crate::util::did_you_mean::nearest;
use crate::util::sorted_map::SortedMap;

/// One player.
pub struct Player {
    pub name: String,
    pub kind: PlayerKind,
}

/// Where a player comes from.
pub enum PlayerKind {
    /// An agent: its keys with their values as TOML, the kind first.
    Agent(Vec<(String, String)>),
    /// An engine: its command.
    Engine(String),
}

impl Player {
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

    /// Whether it is an engine, given by its command or by a SPEC.
    pub fn is_engine(&self) -> bool {
        self.agent_kind() == "engine"
    }
}

/// The players of these words, with distinct names.
///
/// # Errors
/// A word that is no agent and no program, or both, and fewer than two players.
pub fn players(texts: &[String], registry: &Registry) -> Result<Vec<Player>, Failure> {
    let mut players: Vec<Player> = Vec::new();
    for text in texts {
        let mut player = player(text.trim(), registry)?;
        let taken = |name: &str| players.iter().any(|player| player.name == name);
        if taken(&player.name) {
            let numbered = |number: usize| format!("{} {number}", player.name);
            let free = (2..).map(numbered).find(|name| !taken(name));
            player.name = free.unwrap_or_default();
        }
        players.push(player);
    }
    match &players[..] {
        [only] => Err(Failure::usage(
            format!("a match needs two players, and there is only `{}`", only.name),
            "name another one, such as `random`; `agon play GAME --agent SPEC` plays against you",
        )),
        _ => Ok(players),
    }
}

fn player(text: &str, registry: &Registry) -> Result<Player, Failure> {
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
        let own = keys.iter().find(|(key, _)| key == "name").map(|(_, name)| name);
        let name = own.map_or(text.trim_end_matches(':'), |name| name.trim_matches('"')).to_owned();
        return Ok(Player { name, kind: PlayerKind::Agent(keys) });
    }
    match program {
        Ok(_) => Ok(Player { name: engine_name(text), kind: PlayerKind::Engine(text.to_owned()) }),
        Err(missing) => Err(unknown(text, kind, &missing, registry)),
    }
}

/// Why there is no such program, and what to do.
struct Missing {
    detail: String,
    help: String,
}

/// The path of the program that a command starts. A word without a slash may also be a program of
/// the working folder, if it is the name of an agent.
fn program(text: &str) -> Result<String, Missing> {
    let command =
        words(text).map_err(|detail| Missing { detail, help: "close the quote".to_owned() })?;
    let find = |command: &[String]| {
        Launch::find(command, None, &SortedMap::default())
            .map_err(|error| Missing { detail: error.detail, help: error.help })
    };
    let found = find(&command);
    let here = || find(&[format!("./{text}")]);
    match (found, text.contains('/')) {
        (Err(missing), false) => match here() {
            Ok(_) => Ok(format!("./{text}")),
            Err(_) => Err(missing),
        },
        (found, _) => found.map(|launch| launch.program.display().to_string()),
    }
}

/// The name of an engine: its program, or the script that an interpreter runs.
fn engine_name(text: &str) -> String {
    let stem = |word: &String| {
        let path = Path::new(word);
        path.file_stem().map_or_else(|| word.clone(), |stem| stem.to_string_lossy().into_owned())
    };
    let command = words(text).unwrap_or_default();
    let script = command.iter().skip(1).find(|word| Path::new(word).is_file());
    script.or(command.first()).map(stem).unwrap_or_default()
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
            format!("`{text}` is no agent and no program"),
            format!("write `{spec}`: a colon after the kind, commas between the keys"),
        );
    }
    if text.contains('=') && !text.contains(['/', ':']) {
        return Failure::usage(
            format!("there is no agent and no program `{text}`"),
            format!("a key belongs to its agent, as in `alphabeta:{text}`"),
        );
    }
    let kinds: Vec<&str> = registry.agents.iter().map(|agent| agent.kind).gather();
    if Path::new(text).is_file() {
        let help = match text.ends_with(".py") {
            true => format!("\"python3 {text}\" in quotes runs it"),
            false => missing.help.clone(),
        };
        return Failure::usage(&missing.detail, help);
    }
    if text.contains('/') || text.contains(char::is_whitespace) {
        return Failure::usage(&missing.detail, &missing.help);
    }
    let help = match nearest(kind, kinds.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if registry.game(kind).is_some() => {
            format!("`{kind}` is a game: `agon match A B --game {text}`")
        }
        None => format!("`agon list agents` has all agents; {}", missing.help),
    };
    Failure::usage(format!("there is no agent and no program `{text}`"), help)
}

/// The SPEC that was probably meant, if only its separators are wrong: `alphabeta depth=3`.
fn repaired(text: &str, registry: &Registry) -> Option<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_-".contains(c))?;
    let (kind, keys) = text.split_at(end);
    registry.agent(kind)?;
    let is_separator = |c: char| c.is_whitespace() || ",;:()[]{}".contains(c);
    let keys: Vec<&str> = keys.split(is_separator).filter(|key| !key.is_empty()).gather();
    let good = !keys.is_empty() && keys.iter().all(|key| key.contains('='));
    good.then(|| format!("{kind}:{}", keys.join(",")))
}
