//! The options of a match, and the config that does the same, as text.

use std::fmt::Write;

use clap::Args;

use super::named_players::{NamedPlayer, PlayerKind, players};
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::{Changes, RunArgs};
use crate::config;
use crate::engine::TimeControl;
use crate::games::key_hash::{fold, mix};
use crate::params::{Default, Param, Role, quoted};
use crate::play::Registry;

/// Plays agents and engines against each other; needs no config.
///
/// For example: agon match alphabeta:depth=5 mcts:simulations=500 --games 200
///
/// Engines: agon match ./new ./old --clock 8+0.08 --openings book.epd --sprt 0,5
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// Two or more players. An agent by its SPEC, such as `alphabeta:depth=5`; an engine by its
    /// command, such as ./engine or "python3 bot.py". An engine with a name and options of its own:
    /// "engine:command=./new,name=new,options.Hash=16".
    #[arg(required = true, value_name = "A B [C …]")]
    pub players: Vec<String>,
    /// The game, such as `mnk:m=7,n=7,k=4` [default: connect4; chess if all players are engines].
    #[arg(long, value_name = "SPEC")]
    pub game: Option<String>,
    /// A key that all players share, such as `table_mb=64` or `options.Hash=16`. Repeatable.
    #[arg(long, value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Seconds and increment of each engine, such as 8+0.08, or 40/60+0.6 for 40 moves.
    #[arg(long, value_name = "TIME")]
    pub clock: Option<String>,
    /// Milliseconds for one move [default for players without a limit, if an engine plays: 100].
    #[arg(long, value_name = "MS")]
    pub movetime: Option<String>,
    /// Positions that a player may search for one move [default for players without a limit: 10000].
    #[arg(long, value_name = "N")]
    pub nodes: Option<String>,
    /// Plies that a player looks ahead [default for minimax: 3].
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<String>,
    /// A file of openings (moves, EPD or PGN), `random:PLIES` or `start`.
    #[arg(long, value_name = "FILE|random:PLIES")]
    pub openings: Option<String>,
    /// Plays until a sequential test between these two hypotheses is decided: is A better than
    /// B by ELO0, or by ELO1? (Logistic Elo.)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Who meets whom. `best` finds the best agent in rounds that eliminate agents, `ranking` the
    /// order of all: they play until the answer is certain. `swiss` and `knockout` are tournaments
    /// of matches; `--games` is the length of a match.
    #[arg(long, value_name = "FORMAT", conflicts_with = "sprt")]
    pub schedule: Option<String>,
    /// Prints the config that does the same, and plays nothing.
    #[arg(long, conflicts_with_all = ["set", "dry_run"])]
    pub print_config: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

/// The base time in seconds from which a clock is called long.
const LONG_CLOCK: u64 = 3600;

/// The longest part of the name of a results folder that comes from the players, in characters.
const LONGEST: usize = 50;

/// The limits of players without any limit, each with its key. Nodes make a match reproducible.
/// Engines may not count them, so a match with an engine uses the time.
const DEFAULT_LIMITS: [(&str, u32); 3] = [("nodes", 10_000), ("movetime", 100), ("depth", 3)];

/// Writes the config. Also returns notes: what was chosen by default, and a clock that is probably not
/// meant.
///
/// # Errors
/// Players and options that are not of the right form.
pub fn write(
    args: &MatchArgs,
    changes: &Changes,
    registry: &Registry,
) -> Result<(String, Vec<String>), Failure> {
    check_sprt_is_one_word(args)?;
    let mut players = players(&args.players, registry)?;
    let engines = players.iter().all(NamedPlayer::is_engine);
    let default = if engines { "chess" } else { "connect4" };
    let game = config::spec_as_toml(args.game.as_deref().unwrap_or(default), "--game", registry)?;
    let is_chess = game.iter().any(|(key, value)| key == "kind" && value == "\"chess\"");
    if game.iter().any(|(key, _)| key == "referee") {
        players.iter_mut().for_each(NamedPlayer::start_by_referee);
    }
    let shared = shared(args, registry)?;
    let mut text = String::new();
    if let Some(seed) = changes.keys.seed {
        let _ = writeln!(text, "seed = {seed}");
    }
    section(&mut text, "game", &game);
    let mut notes = Vec::new();
    if engines && args.game.is_none() {
        notes.push("default game of engines: chess (`--game` sets another one)".to_owned());
    }
    notes.extend(args.clock.as_deref().and_then(long_clock));
    let defaults = agents(&mut text, &players, is_chess, &shared, registry);
    if !defaults.is_empty() {
        notes.push(format!(
            "default limits: {} (`--nodes`, `--movetime`, `--depth` and `--clock` set others)",
            defaults.join(", ")
        ));
    }
    if !shared.is_empty() {
        section(&mut text, "each", &shared);
    }
    if let Some(openings) = &args.openings {
        section(&mut text, "openings", &self::openings(openings)?);
    }
    if let Some(test) = &args.sprt {
        section(&mut text, "sprt", &sprt(test)?);
    }
    let schedule = args.schedule.as_ref().map(|format| format!("format = {}\n", quoted(format)));
    let schedule_line = schedule.as_deref().unwrap_or_default();
    let sets = sets_of_name(changes);
    let name = folder_name(&players, &format!("{text}{schedule_line}{sets}"));
    let games = changes.games.map(|games| format!("games = {games}\n"));
    if schedule.is_some() || games.is_some() {
        text.push_str("\n[schedule]\n");
        [schedule, games].iter().flatten().for_each(|line| text.push_str(line));
    }
    Ok((format!("name = {}\n{text}", quoted(&name)), notes))
}

/// Refuses `--sprt 0 5`, whose second word looks like a player.
fn check_sprt_is_one_word(args: &MatchArgs) -> Result<(), Failure> {
    if let (Some(first), Some(second)) =
        (&args.sprt, args.players.iter().find(|text| bound(text).is_some()))
        && let (Some(elo0), Some(elo1)) = (bound(first), bound(second))
    {
        return Err(Failure::usage(
            format!("`--sprt {first} {second}` is not of the form ELO0,ELO1"),
            format!(
                "write `--sprt {elo0},{elo1}`; `--set sprt.alpha=0.05` and the like set its other \
                 keys"
            ),
        ));
    }
    Ok(())
}

/// Writes a section for each player. Returns the limits that are chosen by default.
fn agents(
    text: &mut String,
    players: &[NamedPlayer],
    is_chess: bool,
    shared: &[(String, String)],
    registry: &Registry,
) -> Vec<String> {
    let with_engine = players.iter().any(NamedPlayer::is_engine);
    let mut defaults = Vec::new();
    for player in players {
        agent(text, player, is_chess);
        if let Some((key, limit)) = default_limit(player, shared, with_engine, registry) {
            let _ = writeln!(text, "{key} = {limit} # the default limit of `agon match`");
            defaults.push(format!("{} {key} = {limit}", player.name));
        }
    }
    defaults
}

/// The values of `--set` that the name of the folder depends on. The number of games is not part of
/// the name, so that a match can be extended.
fn sets_of_name(changes: &Changes) -> String {
    let is_length = |key: &str| {
        key.starts_with("output.")
            || ["schedule.games", "adaptive.max_games", "sprt.max_games"].contains(&key)
    };
    let sets = changes.keys.set.iter();
    let sets = sets.filter(|set| !is_length(set.split('=').next().unwrap_or_default().trim()));
    sets.map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// A note on a clock that is so long that milliseconds were probably meant.
fn long_clock(typed: &str) -> Option<String> {
    let seconds = TimeControl::parse(typed).ok()?.base.as_secs();
    let minutes = seconds / 60;
    (seconds >= LONG_CLOCK)
        .then(|| format!("`--clock {typed}` is in seconds: {minutes} minutes for each player"))
}

/// The limit of a player that needs one and has none.
fn default_limit(
    player: &NamedPlayer,
    shared: &[(String, String)],
    with_engine: bool,
    registry: &Registry,
) -> Option<(&'static str, u32)> {
    let params = &registry.agent(player.agent_kind())?.params;
    let own: &[(String, String)] = match &player.kind {
        PlayerKind::Agent(keys) => keys,
        PlayerKind::Engine(_) => &[],
    };
    let is_limit = |param: &&Param| matches!(param.role, Role::Work | Role::Time);
    let is_given = |param: &Param| own.iter().chain(shared).any(|(key, _)| key == param.key);
    let is_set = |param: &Param| is_given(param) || matches!(param.default, Default::Is(_));
    if params.iter().filter(is_limit).any(is_set) {
        return None;
    }
    let is_known = |key: &str| params.iter().filter(is_limit).any(|param| param.key == key);
    let mut limits = DEFAULT_LIMITS;
    limits[..2].rotate_left(with_engine.into());
    limits.into_iter().find(|(key, _)| is_known(key))
}

fn section(text: &mut String, name: &str, content: &[(String, String)]) {
    let _ = writeln!(text, "\n[{name}]");
    keys(text, content);
}

fn keys(text: &mut String, keys: &[(String, String)]) {
    for (key, value) in keys {
        let _ = writeln!(text, "{key} = {value}");
    }
}

fn agent(text: &mut String, player: &NamedPlayer, is_chess: bool) {
    let protocol = if is_chess { "uci" } else { "ugi" };
    text.push_str("\n[[agents]]\n");
    match &player.kind {
        PlayerKind::Agent(spec) => {
            if !spec.iter().any(|(key, _)| key == "name") {
                let _ = writeln!(text, "name = {}", quoted(&escaped(&player.name)));
            }
            keys(text, spec);
            if player.is_engine() && !spec.iter().any(|(key, _)| key == "protocol") {
                let _ = writeln!(text, "protocol = {}", quoted(protocol));
            }
        }
        PlayerKind::Engine(command) => {
            let _ = write!(
                text,
                "name = {}\nkind = \"engine\"\ncommand = {}\nprotocol = \"{protocol}\"\n",
                quoted(&escaped(&player.name)),
                quoted(command),
            );
        }
    }
}

/// A name without placeholders.
fn escaped(name: &str) -> String {
    name.replace('{', "{{").replace('}', "}}")
}

/// The keys that all players share.
fn shared(args: &MatchArgs, registry: &Registry) -> Result<Vec<(String, String)>, Failure> {
    let mut keys = Vec::new();
    for (key, value) in [
        ("clock", &args.clock),
        ("movetime", &args.movetime),
        ("nodes", &args.nodes),
        ("depth", &args.depth),
    ] {
        keys.extend(value.iter().map(|value| (key.to_owned(), value_of(key, value, registry))));
    }
    for pair in &args.each {
        let Ok((key, value)) = config::key_and_value(pair) else {
            return Err(Failure::usage(
                format!("`--each {pair}` is not of the form KEY=VALUE"),
                "such as `--each table_mb=64` or `--each options.Hash=16`",
            ));
        };
        if keys.iter().any(|(known, _)| *known == key) {
            return Err(Failure::usage(
                format!("`{key}` is given twice for all players"),
                "keep one of them",
            ));
        }
        let value = value_of(&key, value, registry);
        keys.push((key, value));
    }
    Ok(keys)
}

/// The value of a key as TOML. A key that takes text needs no quotes.
fn value_of(key: &str, typed: &str, registry: &Registry) -> String {
    let is_plain = !typed.trim().starts_with(['"', '\'']);
    match is_plain && config::is_text_key(key, registry) {
        true => quoted(typed.trim()),
        false => toml_value(typed),
    }
}

/// A value as TOML: as it was typed if it is TOML, otherwise as text.
fn toml_value(typed: &str) -> String {
    let typed = typed.trim();
    let line = format!("x = {typed}");
    let is_toml = toml::from_str::<toml::Table>(&line).is_ok_and(|table| table.len() == 1);
    if is_toml && !typed.contains('#') { typed.to_owned() } else { quoted(typed) }
}

fn openings(typed: &str) -> Result<Vec<(String, String)>, Failure> {
    let text = |word: &str| quoted(word.trim());
    let pair = |key: &str, value: String| (key.to_owned(), value);
    Ok(match typed.split_once(':') {
        _ if typed == "start" || typed == "random" => vec![pair("kind", text(typed))],
        _ if typed.starts_with("file=") => {
            let mut words = typed.trim_start_matches("file=").split([',', ' ']);
            let file = words.next().unwrap_or_default();
            let keys: String = words
                .filter(|word| word.contains('='))
                .map(|word| format!(" --set openings.{word}"))
                .collect();
            return Err(Failure::usage(
                format!("`--openings {typed}` is the form of fastchess"),
                format!("write `--openings {file}{keys}`"),
            ));
        }
        Some(("random", plies)) => {
            vec![pair("kind", text("random")), pair("plies", toml_value(plies))]
        }
        _ => vec![pair("kind", text("file")), pair("file", text(typed))],
    })
}

/// A bound of the test, alone or as fastchess writes it: `5` or `elo1=5`.
fn bound(text: &str) -> Option<&str> {
    let text = text.trim();
    let number = ["elo0=", "elo1="].iter().find_map(|key| text.strip_prefix(key)).unwrap_or(text);
    number.parse::<f64>().is_ok().then_some(number)
}

fn sprt(typed: &str) -> Result<Vec<(String, String)>, Failure> {
    let numbers: Vec<f64> = typed.split(',').filter_map(|part| bound(part)?.parse().ok()).collect();
    match numbers[..] {
        [elo0, elo1] if typed.split(',').count() == 2 && elo0.is_finite() && elo1.is_finite() => {
            let pair = |key: &str, elo: f64| (key.to_owned(), format!("{elo:?}"));
            Ok(vec![pair("elo0", elo0), pair("elo1", elo1)])
        }
        _ => Err(Failure::usage(
            format!("`--sprt {typed}` is not of the form ELO0,ELO1"),
            "two numbers in Elo, such as `--sprt 0,5`",
        )),
    }
}

/// The name of the results folder: the players, and a hash of the config. So each match has a
/// folder of its own, and the same command finds its folder again.
fn folder_name(players: &[NamedPlayer], text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._=".contains(c) { c } else { '-' };
    let names: Vec<String> = players.iter().map(|p| p.name.chars().map(plain).collect()).collect();
    let names: String = names.join("-").chars().take(LONGEST).collect();
    let hash = text.bytes().fold(mix(0), |hash, byte| fold(hash, byte.into()));
    format!("match-{}-{:06x}", names.trim_matches(['-', '.']), hash >> 40)
}
