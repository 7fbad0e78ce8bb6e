//! `agon play`: an interactive game of a person against an agent or another person.
//!
//! ```text
//! game_loop       the game: one loop for every front end
//! terminal, web   front ends: they show the game and ask for moves
//! line_editor     arrow keys and earlier lines
//! user_commands   what was typed       format_messages   what is printed
//! opponent_level  how strong it is     mark_last_move    the mark on the board
//! ```

mod game_loop;
pub(super) mod greeting;
mod line_editor;
mod mark_last_move;
mod opponent_level;
mod terminal;
mod user_commands;
mod web;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::sync::Arc;

use clap::Args;

use crate::agents::Requirements;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::whole;
use crate::cli::print_run_results::warn;
use crate::cli::signals::StopSignal;
use crate::config::{self, ConfigError};
use crate::games::Player;
use crate::params::Spec;
use crate::play::{
    AnyGame, GameEntry, InteractiveError, InteractiveSetup, Registry, StreamRole, first_bits,
};
use crate::util::did_you_mean::nearest;
use game_loop::{Ended, Frontend, GameLoop, GameNames};
use terminal::Terminal;
use user_commands::{HUMAN, NewGame, UserSide};
use web::Web;

/// The default opponents: the first one that can play the game is used. They answer quickly: they
/// search 20 000 positions in some milliseconds. So the same seed gives the same game. The clock
/// stops them in games with slow positions.
const OPPONENTS: [&str; 4] = [
    "alphabeta:nodes=20000,movetime=60",
    "expectimax:nodes=20000,movetime=60",
    "mcts:simulations=2000,movetime=60",
    "random",
];

/// Plays any game with you, against an agent, in the terminal or the browser.
///
/// Two people may play, too.
/// Type a move as the game writes it, or a command: moves, hint, undo, board, save, new,
/// resign, help, quit. Arrow keys edit the line; Up and Ctrl-R bring back earlier lines.
/// Input may come from a file: every line is a move or a command. With --web, moves are
/// clicked on a board in the browser.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game, such as `connect4` or `mnk:m=15,n=15,k=5`.
    #[arg(value_name = "GAME", required_unless_present = "game", conflicts_with = "game")]
    named: Option<String>,
    /// The same, as an option.
    #[arg(long, value_name = "SPEC")]
    game: Option<String>,
    /// How strong the opponent is. 1: random moves. 2: looks one ply ahead, and 4 of 10 moves are
    /// random. 3 to 7: looks 1, 2, 3, 4 and 6 plies ahead, and takes a random one of equal moves. 8 to 10:
    /// searches 20 000, 200 000 and 2 000 000 positions for each move. The search is alpha-beta, or expectimax for games with
    /// chance.
    #[arg(long, value_name = "1-10", conflicts_with = "agent",
        value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// The opponent, such as `alphabeta:depth=8`; `human` for two people [default: a fast search].
    #[arg(long, value_name = "SPEC")]
    agent: Option<String>,
    /// Your side: `first`, `second`, `random`, or the game's own word, such as `white` or `x`.
    #[arg(long, value_name = "SIDE", default_value = "random")]
    side: String,
    /// The first position: moves from the start, or a position [default: the start].
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Seed of your seat, the dice and the agent's random numbers [default: a new seed each time].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    seed: Option<u64>,
    /// Play in the browser: prints the address of a page that only this computer can open.
    #[arg(long)]
    web: bool,
    /// The port of the page; 0: a free port.
    #[arg(long, value_name = "N", requires = "web", default_value_t = 0)]
    port: u16,
}

/// Plays games in the terminal or in the browser.
pub fn run(args: &PlayArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let mut tables = Tables::new(args, context.registry)?;
    let mut table = tables.first()?;
    let mut out = anstream::stdout();
    // A signal ends the engines with all their processes. In a container, a signal without a handler
    // does not end the first process.
    let _stop = StopSignal::listen(true)?;
    let ended = if args.web {
        let mut front = Web::listen(args.port, Box::new(out))?;
        play(&mut tables, &mut table, &mut front)
    } else {
        let mut input = io::stdin().lock();
        let echo = !io::stdin().is_terminal();
        let editor = terminal::line_editor();
        let mut front = Terminal { input: &mut input, out: &mut out, echo, editor };
        play(&mut tables, &mut table, &mut front)
    };
    match ended {
        // A reader that closes the output ends the game.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(exit_codes::DONE),
        other => Ok(other.map(|()| exit_codes::DONE)?),
    }
}

/// Plays one game after the other.
fn play<'a>(
    tables: &mut Tables<'a>,
    table: &mut GameLoop<'a>,
    front: &mut dyn Frontend,
) -> io::Result<()> {
    front.begin(table)?;
    while let Ended::New(new) = table.play(front)? {
        match tables.next(&new) {
            Ok(next) => {
                *table = next;
                front.begin(table)?;
            }
            Err(failure) => front.say(&failure.to_string())?,
        }
    }
    Ok(())
}

/// Starts games with what was chosen on the command line or in the game before.
struct Tables<'a> {
    args: &'a PlayArgs,
    registry: &'a Registry,
    game: Spec,
    any_game: AnyGame,
    /// The default opponent and adviser.
    adviser: Option<Spec>,
    /// The seed of the next game.
    seed: u64,
    side: UserSide,
    opponent: Opponent,
}

/// The opponent; `agent` is `None` for a person.
#[derive(Clone, Default)]
struct Opponent {
    agent: Option<Spec>,
    level: Option<u8>,
}

impl Opponent {
    /// Whether the opponent knows less than the default adviser, and therefore gives no hints.
    fn is_weak(&self) -> bool {
        self.level.is_some_and(|level| level <= opponent_level::WEAK)
    }
}

impl<'a> Tables<'a> {
    fn new(args: &'a PlayArgs, registry: &'a Registry) -> Result<Tables<'a>, Failure> {
        let (text, option) = match (&args.named, &args.game) {
            (Some(text), _) => (text.as_str(), "agon play"),
            (None, text) => (text.as_deref().unwrap_or_default(), "--game"),
        };
        let (game, any_game) = config::parse_game_spec(text, option, registry)?;
        warn(&any_game);
        let adviser = strongest(&any_game, registry);
        let seed = args.seed.unwrap_or_else(entropy);
        let side = UserSide::read(&args.side, entry(&game, registry)?)?;
        Ok(Tables {
            args,
            registry,
            game,
            any_game,
            adviser,
            seed,
            side,
            opponent: Opponent::default(),
        })
    }

    fn first(&mut self) -> Result<GameLoop<'a>, Failure> {
        let opponent = match (self.args.agent.as_deref(), self.args.level) {
            (_, Some(level)) => self.opponent_of_level(level)?,
            (Some(text), _) => self.named_opponent(text, "--agent")?,
            (None, None) if self.adviser.is_none() => {
                let help = "`--agent human` lets two people play";
                return Err(Failure::usage("no agent plays this game", help));
            }
            (None, None) => Opponent { agent: self.adviser.clone(), level: None },
        };
        self.table(self.side, opponent)
    }

    /// The game after this one; if it cannot start, nothing changes.
    fn next(&mut self, new: &NewGame) -> Result<GameLoop<'a>, Failure> {
        let opponent = match new.opponent.as_deref().map(|text| (text, text.parse())) {
            None => self.opponent.clone(),
            Some((_, Ok(level @ 1..=10))) => self.opponent_of_level(level)?,
            Some((text, _)) => self.named_opponent(text, "new")?,
        };
        let side = match &new.side {
            Some(word) => UserSide::read(word, entry(&self.game, self.registry)?)?,
            None => self.side,
        };
        self.table(side, opponent)
    }

    fn opponent_of_level(&self, level: u8) -> Result<Opponent, Failure> {
        let agent = opponent_level::opponent(level, &self.any_game, self.registry)?;
        Ok(Opponent { agent: Some(agent), level: Some(level) })
    }

    /// The agent of a `SPEC`, or `human`.
    fn named_opponent(&self, text: &str, option: &str) -> Result<Opponent, ConfigError> {
        let agent = match text.trim() {
            HUMAN => None,
            text => Some(
                config::parse_agent_spec(text, option, &self.any_game, self.registry)
                    .map_err(|error| or_a_person(error, text, self.registry))?,
            ),
        };
        Ok(Opponent { agent, level: None })
    }

    fn table(&mut self, side: UserSide, opponent: Opponent) -> Result<GameLoop<'a>, Failure> {
        let (registry, seed) = (self.registry, self.seed);
        let agent = opponent.agent.clone();
        let needs = agent.as_ref().map(|spec| registry.requirements(spec));
        let (you, is_random) = seat(side, needs, seed)?;
        let mut agents = [None, None];
        agents[you.other().index()] = agent.clone();
        let opening = self.args.position.clone();
        let engine_context = Arc::new(config::engine_context_of(&self.game, &self.any_game));
        let names = names(entry(&self.game, registry)?);
        let setup = InteractiveSetup { agents, seed, opening: opening.clone(), engine_context };
        let live = self.any_game.interactive(&setup).map_err(|error| match error {
            InteractiveError::Agent(error) => Failure::usage(format!("`--agent`: {error}"), ""),
            InteractiveError::Opening(message) => Failure::usage(
                format!("`--position`: {message}"),
                "write a position, or moves from the start as `save` prints them in a game",
            ),
        })?;
        let params = |kind: &str| registry.agent(kind).map_or(&[][..], |info| &info.params[..]);
        let named = |spec: &Spec| {
            let agent = greeting::agent_in_words(spec, params(&spec.kind));
            match opponent.level {
                // An agent with another agent inside has too many parameters to show.
                Some(level) if agent.contains('{') => format!("level {level}: {}", spec.kind),
                Some(level) => format!("level {level}: {agent}"),
                None => agent,
            }
        };
        let greeting = greeting::Greeting {
            game: self.game.in_words(&self.any_game.params()),
            you,
            is_random,
            opponent: agent.as_ref().map(named),
            seed,
        };
        let adviser = agent.clone().filter(|_| !opponent.is_weak());
        (self.side, self.opponent, self.seed) = (side, opponent, seed.wrapping_add(1));
        Ok(GameLoop {
            live,
            greeting,
            two_people: agent.is_none(),
            advisers: adviser.into_iter().chain(self.adviser.clone()).collect(),
            any_game: self.any_game.clone(),
            registry,
            given_up: None,
            opening,
            names,
        })
    }
}

/// The first default opponent that can play the game.
fn strongest(any_game: &AnyGame, registry: &Registry) -> Option<Spec> {
    let read = |text: &str| config::parse_agent_spec(text, "--agent", any_game, registry).ok();
    OPPONENTS.into_iter().find_map(read)
}

/// Adds the human player to the error about an unknown kind, which names only agents.
fn or_a_person(mut error: ConfigError, spec: &str, registry: &Registry) -> ConfigError {
    let word = spec.split(':').next().unwrap_or_default().trim();
    let near = nearest(word, &[HUMAN]).is_some();
    for wrong in error.diagnostics.iter_mut().filter(|wrong| wrong.key == "kind") {
        if near {
            wrong.help = format!("did you mean `{HUMAN}`?");
        } else if registry.agent(word).is_none() && !wrong.help.ends_with('?') {
            wrong.help += &format!("; `{HUMAN}` lets two people play");
        }
    }
    error
}

/// The entry of a game in the registry.
fn entry<'r>(game: &Spec, registry: &'r Registry) -> Result<&'r GameEntry, Failure> {
    let missing =
        || Failure::usage(format!("there is no game `{}`", game.kind), "`agon list games`");
    registry.game(&game.kind).ok_or_else(missing)
}

/// The game is called as in its summary, up to the colon, or else by its kind.
fn names(entry: &GameEntry) -> GameNames {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let game = match entry.summary.split_once(':') {
        Some((name, _)) => name.to_owned(),
        None => capital(entry.kind),
    };
    let sides = entry.sides.first().unwrap_or(&["first", "second"]);
    GameNames { game, sides: sides.map(capital) }
}

/// The seat of the person, and whether it was drawn at random.
fn seat(
    side: UserSide,
    opponent: Option<Requirements>,
    seed: u64,
) -> Result<(Player, bool), Failure> {
    let drawn = opponent.is_some();
    let asked = match side {
        UserSide::Of(player) => Some(player),
        UserSide::Random => None,
    };
    match (opponent.and_then(|needs| needs.side), asked) {
        (Some((kind, only)), Some(you)) if only == you => Err(Failure::usage(
            format!("`--side`: `{kind}` can only play {}", only.name()),
            format!("`--side {}`", only.other().name()),
        )),
        (Some((_, only)), _) => Ok((only.other(), false)),
        (None, Some(you)) => Ok((you, false)),
        (None, None) => {
            let heads = first_bits(seed, StreamRole::FirstPlayer, 0) & 1 == 0;
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
        let random = |seed| seat(UserSide::Random, needs("random"), seed).expect("a seat");
        let seats = (0..200).map(random);
        let first = seats.filter(|(you, is_random)| *is_random && *you == Player::First).count();
        assert!((70..130).contains(&first), "{first} of 200");
        assert_eq!(
            seat(UserSide::Random, needs("directional"), 1).ok(),
            Some((Player::First, false))
        );
        assert!(seat(UserSide::Of(Player::Second), needs("directional"), 1).is_err());
    }

    #[test]
    fn every_game_has_an_opponent() {
        let registry = Registry::builtin();
        let played = |entry: &&GameEntry| entry.kind != "tree" && entry.has_defaults();
        for entry in registry.games.iter().filter(played) {
            let (_, any_game) =
                config::parse_game_spec(entry.kind, "", &registry).expect("the usual size");
            let spec = strongest(&any_game, &registry).expect(entry.kind);
            assert_ne!(spec.kind, "random", "{}", entry.kind);
        }
    }
}
