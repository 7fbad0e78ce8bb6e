//! Plays a game by a referee: starts the program, reads its result, and ends all its processes.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::game_result::{GameResult, kind_of_error};
use super::placeholders::fill;
use super::refereed_game::RefereedGame;
use crate::agents::{FaultKind, PlayerCommand, log_name};
use crate::engine::{
    Connection, ConversationLog, EngineContext, EngineError, EngineErrorKind, Exit, FLUSHES,
    Launch, shorten,
};
use crate::games::Player;
use crate::play::any_game::{DynAgent, DynReferee, RefereeSettings};
use crate::play::game_record::{GameRecord, GameSpec, Outcome, SideRecord};
use crate::play::moves_as_text::MoveTexts;
use crate::play::random_streams::{StreamRole, first_bits};
use crate::rules_program::RulesFailure;

/// The name of the file `{log}` in the results folder, before the number of the game.
pub const REFEREE_LOG: &str = "referee-game-";

/// The largest output that is kept, in bytes and line ends. Of a larger output, the end is kept.
const MAX_OUTPUT: usize = 1 << 20;

/// A referee that is a program.
pub(in crate::play) struct ProgramReferee {
    game: Arc<RefereedGame>,
    seed: u64,
    engine_context: Arc<EngineContext>,
    /// By agent.
    commands: Vec<String>,
}

impl ProgramReferee {
    pub fn new(game: &Arc<RefereedGame>, settings: &RefereeSettings<'_>) -> Self {
        let command = |spec| PlayerCommand::of(spec).map_or(String::new(), |player| player.text());
        let commands = settings.agents.iter().map(command).collect();
        ProgramReferee {
            game: Arc::clone(game),
            seed: settings.seed,
            engine_context: Arc::clone(settings.engine_context),
            commands,
        }
    }

    /// The program with its arguments in this game.
    fn launch(&self, spec: &GameSpec) -> Launch {
        let log = || {
            let Some(folder) = &self.engine_context.logs else {
                return PathBuf::from("/dev/null");
            };
            let path = folder.join(format!("{REFEREE_LOG}{}", spec.game));
            std::path::absolute(&path).unwrap_or(path)
        };
        // Positive in 32 bits, which every language has.
        let seed = || first_bits(self.seed, StreamRole::Dice, spec.dice) >> 33;
        let value = |name: &str| match name {
            "first" => Some(self.commands[spec.first].clone()),
            "second" => Some(self.commands[spec.second].clone()),
            "seed" => Some(seed().to_string()),
            "log" => Some(log().display().to_string()),
            _ => None,
        };
        let launch = &self.game.launch;
        Launch {
            args: launch.args.iter().map(|word| fill(word, value)).collect(),
            ..launch.clone()
        }
    }

    /// Plays a game. Also returns what the program wrote.
    fn result(&self, launch: &Launch) -> Result<(GameResult, ConversationLog), EngineError> {
        let mut connection = Connection::spawn(launch)?;
        connection.close_input();
        let (mut lines, mut size) = (VecDeque::new(), 0);
        let length = |line: &Option<String>| line.as_ref().map_or(0, String::len) + 1;
        let ended = connection.listen_to_end(Instant::now() + self.game.timeout, |line| {
            let line = line.map(|line| {
                String::from_utf8_lossy(line).trim_start_matches('\u{feff}').trim_end().to_owned()
            });
            size += length(&line);
            lines.push_back(line);
            while size > MAX_OUTPUT
                && let Some(first) = lines.pop_front()
            {
                size -= length(&first);
            }
        });
        let log = connection.into_conversation_log();
        let why = match ended {
            Ok(Exit::Status(0)) => match GameResult::read(lines.make_contiguous()) {
                Ok(result) => return Ok((result, log)),
                Err(why) => why,
            },
            Ok(exit) => format!("it ended with {exit}"),
            Err(error) if error.kind == EngineErrorKind::Shortage => return Err(error),
            Err(error) if error.kind == EngineErrorKind::Late => {
                let seconds = self.game.timeout.as_secs_f64();
                let said = log.last_output().map_or(FLUSHES.to_owned(), |line| {
                    format!("its last line was `{}`", shorten(&line))
                });
                format!("the game has not ended after {seconds} s (`timeout`); {said}")
            }
            Err(error) => error.detail,
        };
        let errors = log.telling_error();
        let errors = errors.map(|line| format!("; its standard error says `{line}`"));
        let what = why + &errors.unwrap_or_default();
        self.failure(what, launch, &log.text()).raise()
    }

    fn failure(&self, what: String, launch: &Launch, log: &str) -> RulesFailure {
        let command = self.game.shown.clone();
        RulesFailure { command, what, transcript: transcript(launch, log), is_shortage: false }
    }

    /// Writes the log of a fault of this agent.
    fn log(&self, agent: usize, game: u64, what: &str, transcript: &str) {
        let context = &self.engine_context;
        let name = context.agent_names.get(agent).map_or("agent", String::as_str);
        let report = format!("# {what} of `{name}` in game {game}\n{transcript}");
        context.log(&log_name(name, game), name, report);
    }
}

/// The command, to paste into a terminal, and what the program wrote.
fn transcript(launch: &Launch, log: &str) -> String {
    let program = launch.program.display().to_string();
    let words = [&program].into_iter().chain(&launch.args).map(String::as_str);
    let dir = launch.dir.as_deref().unwrap_or(Path::new(".")).display();
    let command = shlex::try_join(words).unwrap_or_default();
    format!("# cd {dir} && {command}\n\n# What it wrote (seconds; < stdout, ! stderr):\n{log}")
}

impl DynReferee for ProgramReferee {
    fn play(
        &mut self,
        spec: &GameSpec,
        _: [&mut dyn DynAgent; 2],
        texts: &mut MoveTexts,
    ) -> GameRecord {
        texts.begin(None);
        texts.attributes.clear();
        let mut record = GameRecord {
            spec: *spec,
            outcome: Outcome::Void,
            reason: "referee",
            plies: 0,
            // The moves are not known, so equal rows are not taken for repeated games.
            rng_draws: 1,
            luck: None,
            sides: [SideRecord::default(); 2],
        };
        let launch = self.launch(spec);
        let (result, log) = match self.result(&launch) {
            Ok(played) => played,
            Err(error) if error.kind == EngineErrorKind::Shortage => {
                (record.reason, texts.fault) = (FaultKind::Shortage.reason(), error.detail);
                return record;
            }
            Err(error) => self.failure(error.to_string(), &launch, "").raise(),
        };
        let value = |name: &String| {
            let found = result.attributes.iter().find(|(known, _)| known == name);
            found.map_or(String::new(), |(_, value)| value.clone())
        };
        texts.attributes.extend(self.game.attributes.iter().map(value));
        self.engine_context.record_attributes(result.attributes.iter().map(|(name, _)| name));
        let agents = [spec.first, spec.second];
        match &result.errors {
            [None, None] => record.outcome = result.outcome,
            [Some(first), Some(second)] => {
                record.reason = FaultKind::BothErred.reason();
                texts.fault = format!("both players erred: first `{first}`, second `{second}`");
                self.log(spec.first, spec.game, &texts.fault, &transcript(&launch, &log.text()));
            }
            [first, second] => {
                let loser = if first.is_some() { Player::First } else { Player::Second };
                let why = first.iter().chain(second).next().map_or("", String::as_str);
                record.outcome = Outcome::win_of(loser.other());
                record.reason = kind_of_error(why).reason();
                texts.fault = format!("the referee says: {}", shorten(why));
                let what = format!("{}: {}", record.reason, shorten(why));
                let agent = agents[loser.index()];
                self.log(agent, spec.game, &what, &transcript(&launch, &log.text()));
            }
        }
        record
    }
}
