//! `agon play`: an interactive game of a person against an agent or another person.
//!
//! ```text
//! user_commands   what was typed       messages    what is printed
//! game_loop       the game             last_move   the mark of the last move
//! level           how strong the opponent is
//! ```

pub(super) mod format_messages;
mod game_loop;
mod mark_last_move;
mod opponent_level;
mod user_commands;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use rand::Rng;

use crate::agents::Requirements;
use crate::cli::argument_types::SideArg;
use crate::cli::clap_definitions::PlayArgs;
use crate::cli::exit_codes;
use crate::cli::exit_codes::Failure;
use crate::cli::print_run_results::warn;
use crate::cli::warn_of_old_keys;
use crate::config::{self, ConfigError};
use crate::games::Player;
use crate::params::Spec;
use crate::play::{AnyGame, InteractiveError, InteractiveSetup, Registry, StreamRole, stream};
use crate::util::collect_lists::Gather;
use crate::util::did_you_mean::nearest;
use game_loop::GameLoop;

/// The default opponents: the first one that can play the game is used. They answer quickly: they
/// search 20 000 positions in some milliseconds. So the same seed gives the same game. The clock
/// stops them in games with slow positions.
const OPPONENTS: [&str; 4] = [
    "alphabeta:nodes=20000,movetime=60",
    "expectimax:nodes=20000,movetime=60",
    "mcts:simulations=2000,movetime=60",
    "random",
];

pub const HUMAN: &str = "human";

/// Plays one game on stdin and stdout.
pub fn run(args: &PlayArgs, registry: &Registry) -> Result<u8, Failure> {
    let (text, option) = match (&args.named, &args.game) {
        (Some(text), _) => (text.as_str(), "agon play"),
        (None, text) => (text.as_deref().unwrap_or_default(), "--game"),
    };
    let (game, world) = warn_of_old_keys::game_spec(text, option, registry)?;
    warn(&world);
    let adviser = strongest(&world, registry);
    let opponent = match (args.agent.as_deref().map(str::trim), args.level) {
        (_, Some(level)) => Some(opponent_level::opponent(level, &world, registry)?),
        (Some(HUMAN), _) => None,
        (Some(text), _) => Some(
            warn_of_old_keys::agent_spec(text, "--agent", &world, registry)
                .map_err(|error| or_a_person(error, text, registry))?,
        ),
        (None, None) => Some(adviser.clone().ok_or_else(|| {
            Failure::usage("no agent plays this game", "`--agent human` lets two people play")
        })?),
    };
    let seed = args.seed.unwrap_or_else(entropy);
    let needs = opponent.as_ref().map(|spec| registry.requirements(spec));
    let (you, is_random) = seat(args.side, needs, seed)?;
    let mut agents = [None, None];
    agents[you.other().index()] = opponent.clone();
    let engine_context = Arc::new(config::house_of(&game));
    let setup = InteractiveSetup { agents, seed, opening: args.position.clone(), engine_context };
    let live = world.interactive(&setup).map_err(|error| match error {
        InteractiveError::Agent(error) => Failure::Usage(format!("`--agent`: {error}")),
        InteractiveError::Opening(message) => Failure::usage(
            format!("`--position`: {message}"),
            "write a position, or moves from the start as `save` prints them in a game",
        ),
    })?;
    let params = |kind: &str| registry.agent(kind).map_or(&[][..], |info| &info.params[..]);
    let named = |spec: &Spec| format_messages::agent_in_words(spec, params(&spec.kind));
    let terminal = io::stdin().is_terminal();
    let mut out = anstream::stdout();
    let greeting = format_messages::Greeting {
        game: game.in_words(&world.params()),
        you,
        is_random,
        opponent: opponent.as_ref().map(named),
        seed,
    };
    out.write_all(greeting.text().as_bytes())?;
    let advisers = opponent.into_iter().chain(adviser).gather();
    let mut table = GameLoop {
        live,
        you,
        alone: args.agent.as_deref().map(str::trim) != Some(HUMAN),
        advisers,
        world,
        registry,
        echo: !terminal,
        before: None,
    };
    let ended = table.play(&mut io::stdin().lock(), &mut out);
    match ended {
        // A reader that closes the output ends the game.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(exit_codes::DONE),
        other => Ok(other.map(|()| exit_codes::DONE)?),
    }
}

/// The first default opponent that can play the game.
fn strongest(world: &AnyGame, registry: &Registry) -> Option<Spec> {
    let read = |text: &str| config::parse_agent_spec(text, "--agent", world, registry).ok();
    OPPONENTS.into_iter().find_map(read)
}

/// Adds the human player to the error about an unknown kind, which names only agents.
fn or_a_person(mut error: ConfigError, spec: &str, registry: &Registry) -> ConfigError {
    let word = spec.split(':').next().unwrap_or_default().trim();
    let near = nearest(word, [HUMAN]).is_some();
    for wrong in error.diagnostics.iter_mut().filter(|wrong| wrong.key == "kind") {
        if near {
            wrong.help = format!("did you mean `{HUMAN}`?");
        } else if registry.agent(word).is_none() && !wrong.help.ends_with('?') {
            wrong.help += &format!("; `{HUMAN}` lets two people play");
        }
    }
    error
}

/// The seat of the person, and whether it was drawn at random.
fn seat(
    side: SideArg,
    opponent: Option<Requirements>,
    seed: u64,
) -> Result<(Player, bool), Failure> {
    let drawn = opponent.is_some();
    let asked = match side {
        SideArg::First => Some(Player::First),
        SideArg::Second => Some(Player::Second),
        SideArg::Random => None,
    };
    match (opponent.and_then(|needs| needs.side), asked) {
        (Some((kind, only)), Some(you)) if only == you => Err(Failure::Usage(format!(
            "`--side`: `{kind}` can only play {}\nhelp: `--side {}`",
            format_messages::side(only),
            format_messages::side(only.other())
        ))),
        (Some((_, only)), _) => Ok((only.other(), false)),
        (None, Some(you)) => Ok((you, false)),
        (None, None) => {
            let heads = stream(seed, StreamRole::FirstPlayer, 0).next_u32() & 1 == 0;
            // Two people choose their seats themselves, so nothing is drawn.
            Ok((if heads || !drawn { Player::First } else { Player::Second }, drawn))
        }
    }
}

/// A random default seed. The standard library keys its hashes by the system's random numbers. The
/// seed is short enough to be typed.
fn entropy() -> u64 {
    RandomState::new().hash_one(std::time::SystemTime::now()) % 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seat_is_random() {
        let needs = |kind: &str| {
            let spec = Spec { kind: kind.into(), ..Spec::default() };
            Some(Registry::builtin().requirements(&spec))
        };
        let random = |seed| seat(SideArg::Random, needs("random"), seed).expect("a seat");
        let seats = (0..200).map(random);
        let first = seats.filter(|(you, is_random)| *is_random && *you == Player::First).count();
        assert!((70..130).contains(&first), "{first} of 200");
        assert_eq!(
            seat(SideArg::Random, needs("directional"), 1).ok(),
            Some((Player::First, false))
        );
        assert!(seat(SideArg::Second, needs("directional"), 1).is_err());
    }

    #[test]
    fn every_game_has_an_opponent() {
        let registry = Registry::builtin();
        for entry in registry.games.iter().filter(|entry| entry.kind != "tree") {
            let (_, world) =
                config::parse_game_spec(entry.kind, "", &registry).expect("the usual size");
            let spec = strongest(&world, &registry).expect(entry.kind);
            assert_ne!(spec.kind, "random", "{}", entry.kind);
        }
    }
}
