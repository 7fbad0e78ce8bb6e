//! The options that a host may set, and the session that they define.

use crate::config::{ConfigError, Diagnostic, parse_agent_spec, parse_game_spec};
use crate::engine::{EngineOption, OptionType};
use crate::games::UCI_VARIANT;
use crate::params::{Spec, Value};
use crate::play::{AnyGame, Registry, Seed, TextSession};
use crate::util::beginning_of_text::beginning;

/// The default number of milliseconds subtracted from every time limit.
const OVERHEAD: i64 = 10;

/// The maximum of that number.
const MOST_OVERHEAD: i64 = 5000;

/// The maximum of `Hash`, in megabytes.
const MOST_HASH: i64 = 65_536;

/// The parameter of Chess960.
const CHESS960: &str = "variant=960";

#[derive(Clone)]
pub struct SessionOptions {
    registry: Registry,
    game: String,
    params: String,
    agent: String,
    hash: Option<i64>,
    /// Milliseconds subtracted from every time limit.
    pub overhead: i64,
    seed: Seed,
    number: u64,
    /// Whether agon's own hosts get data that other protocols cannot express.
    pub details: bool,
    /// Whether a move was requested since the number of the game was set.
    move_requested: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Session,
    /// Random streams begin again.
    Streams,
    None,
}

impl SessionOptions {
    /// The options of the command line.
    pub fn new(game: &str, agent: &str, registry: &Registry) -> Self {
        let (game, params) = game_and_params(game);
        SessionOptions {
            registry: registry.clone(),
            game,
            params,
            agent: agent.to_owned(),
            hash: None,
            overhead: OVERHEAD,
            seed: Seed::Number(0),
            number: 1,
            details: false,
            move_requested: false,
        }
    }

    /// The game as written after `--game`.
    fn game(&self) -> String {
        match self.params.as_str() {
            "" => self.game.clone(),
            params => format!("{}:{params}", self.game),
        }
    }

    /// Whether the game is Chess960; `None` if it is not chess.
    fn chess960(&self) -> Option<bool> {
        let is_set = |param: &str| param.replace([' ', '"'], "") == CHESS960;
        (self.game == "chess").then(|| self.params.split(',').any(is_set))
    }

    /// The value of `UCI_Variant`; `None` if the game is no variant of UCI engines.
    fn variant(&self) -> Option<&'static str> {
        let any_game = self.any_game().ok()?;
        any_game.engine_facts().uci_option.filter(|it| it.name == UCI_VARIANT).map(|it| it.value)
    }

    /// Changes the variant of chess. Standard chess has no numbered starts.
    fn set_chess960(&mut self, on: bool) {
        let of_other = |param: &&str| {
            let key = param.split('=').next().unwrap_or_default().trim();
            !param.is_empty() && key != "variant" && (on || key != "position")
        };
        let mut params: Vec<&str> = self.params.split(',').filter(of_other).collect();
        if on {
            params.push(CHESS960);
        }
        self.params = params.join(",");
    }

    /// Opens the game and the session.
    pub fn open(&self) -> Result<TextSession, ConfigError> {
        let (any_game, mut spec) = self.check()?;
        let key = self.registry.requirements(&spec).memory_key;
        if let (Some(hash), Some(key)) = (self.hash, key) {
            spec.values.set(key, Value::Int(hash));
        }
        let mut session = any_game.session(&spec).map_err(|error| {
            let message = format!("`Agent` {}: {error}", shortened(&self.agent));
            ConfigError::one(Vec::new(), Diagnostic::new(message))
        })?;
        session.set_seed(self.seed);
        session.set_game(self.number);
        Ok(session)
    }

    /// The game of these options.
    pub fn any_game(&self) -> Result<AnyGame, ConfigError> {
        Ok(parse_game_spec(&self.game(), "--game", &self.registry)?.1)
    }

    fn check(&self) -> Result<(AnyGame, Spec), ConfigError> {
        let any_game = self.any_game()?;
        let spec = parse_agent_spec(&self.agent, "--agent", &any_game, &self.registry)?;
        Ok((any_game, spec))
    }

    /// The name of the engine: the version of agon and the `SPEC` of the agent.
    pub fn name(&self) -> String {
        format!("agon {} {}", env!("CARGO_PKG_VERSION"), one_line(&self.agent))
    }

    /// The options that are sent to a host.
    pub fn list(&self) -> Vec<EngineOption> {
        let option = |name: &str, ty: OptionType, default: String| EngineOption {
            name: name.to_owned(),
            ty,
            default,
        };
        let text = |name, default: &str| option(name, OptionType::Text, one_line(default));
        let check = |name, on: bool| option(name, OptionType::Check, on.to_string());
        let number = |name, default: i64, min, max| {
            let ty = OptionType::Spin { min: Some(min), max: Some(max) };
            option(name, ty, default.to_string())
        };
        let megabytes = self.check().ok().and_then(|(_, spec)| {
            let key = self.registry.requirements(&spec).memory_key?;
            spec.values.int(key)
        });
        let mut options = vec![
            text("Game", &self.game),
            text("Params", &self.params),
            text("Agent", &self.agent),
        ];
        options.extend(megabytes.map(|mb| number("Hash", mb.max(1), 1, MOST_HASH)));
        options.extend(self.chess960().map(|on| check("UCI_Chess960", on)));
        options.extend(self.variant().map(|variant| {
            option(UCI_VARIANT, OptionType::Combo(vec![variant.to_owned()]), variant.to_owned())
        }));
        options.extend([
            number("Move Overhead", OVERHEAD, 0, MOST_OVERHEAD),
            text("Seed", "0"),
            text("GameNumber", "1"),
            check("Details", false),
        ]);
        options
    }

    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, String> {
        let wrong =
            |wanted: &str| format!("option `{name}` wants {wanted}, not `{}`", shortened(value));
        let whole = |unit: &str, least: i64, most: i64| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| wrong(&format!("{unit} from {least} to {most}")))
        };
        let flag = || {
            let flag = value.to_ascii_lowercase().parse::<bool>();
            flag.map_err(|_| wrong("`true` or `false`"))
        };
        match name.to_ascii_lowercase().as_str() {
            "game" => {
                let (game, params) = game_and_params(value);
                if (&game, &params) == (&self.game, &self.params) {
                    return Ok(Effect::None);
                }
                (self.game, self.params) = (game, params);
            }
            "params" if value == self.params => return Ok(Effect::None),
            "params" => self.params = value.to_owned(),
            "agent" => (self.agent, self.hash) = (value.to_owned(), None),
            "hash" => self.hash = Some(whole("megabytes", 1, MOST_HASH)?),
            "move overhead" | "moveoverhead" => {
                self.overhead = whole("milliseconds", 0, MOST_OVERHEAD)?;
                return Ok(Effect::None);
            }
            "seed" => {
                let seed = Seed::from_text(value);
                self.seed =
                    seed.ok_or_else(|| wrong("a whole number, or 64 hexadecimal digits"))?;
                return Ok(Effect::Streams);
            }
            "gamenumber" => {
                self.number = value.parse().map_err(|_| wrong("a whole number"))?;
                self.move_requested = false;
                return Ok(Effect::Streams);
            }
            "details" => {
                self.details = flag()?;
                return Ok(Effect::None);
            }
            "uci_variant" if let Some(variant) = self.variant() => {
                return match value.eq_ignore_ascii_case(variant) {
                    true => Ok(Effect::None),
                    false => Err(wrong(&format!("`{variant}`"))),
                };
            }
            "uci_chess960" if let Some(now) = self.chess960() => {
                let on = flag()?;
                if on == now {
                    return Ok(Effect::None);
                }
                self.set_chess960(on);
            }
            _ => return Err(format!("there is no option `{}`", shortened(name))),
        }
        Ok(Effect::Session)
    }

    /// Notes that a move was requested.
    pub fn note_request(&mut self) {
        self.move_requested = true;
    }

    /// Counts games if the host does not. A game without a requested move does not count.
    pub fn next_game(&mut self) {
        self.number = self.number.wrapping_add(u64::from(self.move_requested));
        self.move_requested = false;
    }

    /// Sets the source of a session's random streams.
    pub fn begin_streams(&self, session: &mut TextSession) {
        session.set_seed(self.seed);
        session.set_game(self.number);
    }
}

/// The kind of a game and its parameters, as written after `--game`.
fn game_and_params(text: &str) -> (String, String) {
    let (game, params) = text.split_once(':').unwrap_or((text, ""));
    (game.trim().to_owned(), params.trim().to_owned())
}

/// Puts a text with several lines into one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text, if it is long.
pub fn shortened(text: &str) -> String {
    beginning(text, 60)
}
