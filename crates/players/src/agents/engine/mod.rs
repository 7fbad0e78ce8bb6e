//! `engine`: plays through an external program, in the protocol of that program.
//!
//! Agon owns the rules and the result. The engine receives the moves of both sides and of chance.
//! Agon asks the engine for a move only on its turn. The game reads the answer and accepts only
//! legal moves. By default, an engine process stays alive between games. An engine that fails
//! forfeits the game. Agon then writes a log with all data to reproduce the failure.

mod ask_for_move;
mod begin_game;
mod engine_params;
mod failure_log;
mod illegal_moves;
mod player_command;
mod provider_failure;
mod sandbox_keys;
mod start_error;

pub use self::failure_log::log_name;
pub use self::player_command::{KIND as PLAYER_COMMAND, PlayerCommand};
pub use self::provider_failure::unavailable_wait;
pub use self::sandbox_keys::{default_sandbox, wants_sandbox};

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::ChaCha8Rng;

pub(super) use self::engine_params::EngineParams;

use self::engine_params::Restart;
use self::failure_log::FailureLog;
use super::agent_trait::{
    Agent, AgentInfo, AnswerCounts, BuildInner, ExternalAgent, Fault, FaultKind, GameSoFar,
    MoveRequest, SearchInfo,
};
use super::search_params::GameFacts;
use crate::engine::{
    Connection, ConversationLog, Delay, EngineAnswer, EngineContext, EngineError, EngineErrorKind,
    EngineProtocol, EngineScore, EngineSettings, Exit, FLUSHES, FinalScores, Lateness, Launch,
    MoveLimits, Protocol, Question, Setting, SharedTranscript, StartPermit, TimeControl,
    TranscriptLine, expand_home, measuring_interval,
};
use crate::games::{Configurable, Game, Notation, Player, Shortcuts};
use crate::params::{ParamError, Params, Spec, Value, Values};
use crate::search::WIN;
use crate::util::locks::lock;

pub(super) const KIND: &str = "engine";

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<EngineParams>(
        KIND,
        "An external engine that supports UCI, UGI or GTP",
        "kind = \"engine\"\ncommand = \"stockfish\"\nprotocol = \"uci\"\nnodes = 10000",
    )
}

pub(super) type Plan = EngineParams;

pub(super) fn plan(values: &Values, _: &GameFacts) -> Result<Plan, ParamError> {
    EngineParams::read(values)
}

/// The agent's program starts on first use.
pub(super) fn build<G: Configurable>(
    _: &G,
    plan: &Plan,
    _: BuildInner<G>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    Ok(EngineAgent::new(plan)?)
}

/// How to start an engine and which protocol to use.
pub struct EngineStart {
    /// The words of its command.
    pub command: Vec<String>,
    /// The program, if it was found.
    pub launch: Result<Launch, EngineError>,
    /// The protocol.
    pub protocol: EngineProtocol,
    pub options: Vec<Setting>,
    /// The time per move in milliseconds, if it is limited.
    pub movetime: Option<u64>,
    /// The keys of its limits.
    pub limits: Vec<&'static str>,
}

/// How to start the engine of a spec; `None` for other agent kinds.
pub fn engine_start(spec: &Spec) -> Option<EngineStart> {
    let params = params_of(spec).filter(|params| params.check().is_ok())?;
    Some(EngineStart {
        launch: params.launch(),
        movetime: params.movetime,
        limits: params.limits(),
        command: params.command_words().unwrap_or_default(),
        protocol: params.protocol,
        options: params.options.into_iter().flatten().collect(),
    })
}

/// The engines of a spec, with those of agents inside it.
pub fn engine_starts(spec: &Spec) -> Vec<EngineStart> {
    let mut all: Vec<EngineStart> = engine_start(spec).into_iter().collect();
    for value in spec.values.0.values() {
        if let Value::Spec(inner) = value {
            all.append(&mut engine_starts(inner));
        }
    }
    all
}

/// The parameters of an engine agent; `None` for other agent kinds.
pub(super) fn params_of(spec: &Spec) -> Option<EngineParams> {
    EngineParams::read(&spec.values).ok().filter(|_| spec.kind == KIND)
}

/// The parameters of the engines of a spec, with those of agents inside it.
fn all_params(spec: &Spec) -> Vec<EngineParams> {
    let mut all: Vec<EngineParams> = params_of(spec).into_iter().collect();
    for value in spec.values.0.values() {
        if let Value::Spec(inner) = value {
            all.append(&mut all_params(inner));
        }
    }
    all
}

/// Whether the config of an engine of this agent says what follows an illegal move. The results then
/// have the numbers of illegal moves and retries.
pub fn handles_illegal_moves(spec: &Spec) -> bool {
    all_params(spec).iter().any(|params| params.illegal.is_some())
}

/// Whether the config says that an engine of this agent reports its costs.
pub fn reports_costs(spec: &Spec) -> bool {
    all_params(spec).iter().any(|params| params.costs == Some(true))
}

/// Time for an engine to stop its search after a late answer.
const STOP: Duration = Duration::from_millis(300);

pub(super) struct EngineAgent {
    params: EngineParams,
    options: Vec<Setting>,
    engine_context: Arc<EngineContext>,
    name: String,
    session: Option<EngineSession>,
    /// A started process that was not greeted yet, with its permit to start, if it needed one; or
    /// why it did not start.
    starting: Option<Result<(Connection, Option<StartPermit>), EngineError>>,
    /// The process has ended and must not start again.
    gone: bool,
    /// Whether the process is ready for the next game, if it was asked before the game.
    ready: Option<Result<(), EngineError>>,
    /// A process that ended by itself before a game, until its log is written.
    ended: Option<EndedProcess>,
    /// Whether the engine has not been asked for a move in this game.
    is_unasked: bool,
    /// The starting position, if it is not the game's usual start.
    start: Option<String>,
    /// Whether the engine is asked for the result after a game.
    has_final_score: bool,
    /// A failure before the first move; reported with the next request for a move.
    early_error: Option<EngineError>,
    answer: EngineAnswer,
    counts: AnswerCounts,
    /// All lines of the current game, if the run keeps transcripts.
    transcript: Option<SharedTranscript>,
}

struct EngineSession {
    link: Connection,
    protocol: Box<dyn Protocol>,
    /// Whether the process was ready for a game since its start.
    has_begun: bool,
    /// When the next game was announced to it.
    announced: Option<Instant>,
}

/// What remains of a process that ended by itself before a game.
struct EndedProcess {
    exit: Option<Exit>,
    conversation_log: ConversationLog,
}

impl EngineAgent {
    fn new(params: &EngineParams) -> Result<Box<Self>, ParamError> {
        params.check()?;
        let options = params.options.clone().into_iter().flatten().collect();
        Ok(Box::new(EngineAgent {
            params: params.clone(),
            options,
            engine_context: Arc::default(),
            name: KIND.to_owned(),
            session: None,
            starting: None,
            gone: false,
            ready: None,
            ended: None,
            is_unasked: false,
            start: None,
            has_final_score: true,
            early_error: None,
            answer: EngineAnswer::default(),
            counts: AnswerCounts::default(),
            transcript: None,
        }))
    }

    fn spawn(&self) -> Result<Connection, EngineError> {
        let mut link = Connection::spawn(&self.params.launch()?)?;
        link.transcribe(self.transcript.as_ref());
        Ok(link)
    }

    fn engine_settings(&self) -> EngineSettings<'_> {
        EngineSettings { engine_context: &self.engine_context, options: &self.options }
    }

    /// Asks the engine to quit.
    fn leave(&mut self) {
        if let Some(EngineSession { link, .. }) = self.session.take() {
            link.quit(self.params.protocol.quit_line());
        }
    }

    /// Ends the engine permanently.
    fn abandon(&mut self) {
        self.session = None;
        self.gone = self.params.restart == Restart::Never;
    }

    /// Whether the process has ended.
    fn is_dead(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.link.exit().is_some())
    }

    /// Asks for a move; the engine's text is then in `answer`.
    fn ask(&mut self, question: &Question<'_>, budget: Duration) -> Result<(), EngineError> {
        if let Some(error) = self.early_error.take() {
            return Err(error);
        }
        if std::mem::take(&mut self.is_unasked) && self.ended.is_none() && self.is_dead() {
            self.begin_or_fail()?;
        }
        let Some(EngineSession { link, protocol, .. }) = &mut self.session else {
            return Err(EngineError::new(EngineErrorKind::Disconnected, "it does not run"));
        };
        let margin = self.params.margin();
        let interval = self.params.is_timed().then(|| measuring_interval(margin));
        link.measure_delay(interval);
        let asked = protocol.ask(link, question, &mut self.answer);
        let delay = link.delay();
        let exit = asked.as_ref().err().and_then(|_| link.exit());
        let is_silent = asked.is_err() && link.conversation_log().is_silent();
        let asked = asked.map_err(|error| self.blame_provider(error, exit));
        let lateness = match interval {
            Some(_) => Lateness::of(delay, margin),
            None => Lateness::Fine,
        };
        if lateness != Lateness::Fine {
            self.engine_context.record_delay(Delay { agent: self.name.clone(), delay, margin });
        }
        if lateness == Lateness::TooLate {
            if let Err(error) = asked {
                self.halt(error.kind);
                // The engine is not at fault, so it may start again whatever `restart` is.
                self.gone = false;
            }
            let detail = format!("agon was woken {delay:.1?} late; the time margin is {margin:?}");
            return Err(EngineError::new(EngineErrorKind::Overload, detail));
        }
        asked.map_err(|mut error| {
            // A Python engine with buffered output looks like an engine that hangs.
            let late = error.kind == EngineErrorKind::Late && !self.params.is_timed();
            if late && is_silent {
                error.detail = format!("{}; {FLUSHES}", error.detail);
            }
            error
        })?;
        if self.answer.time > budget {
            let detail = format!("it took {:?} of {budget:?}", self.answer.time);
            return Err(EngineError::new(EngineErrorKind::Late, detail));
        }
        Ok(())
    }

    /// Logs an engine error and converts it to a fault.
    fn fault(&mut self, error: &EngineError, question: &Question<'_>, game: u64) -> Box<Fault> {
        let kind = match error.kind {
            EngineErrorKind::Shortage => FaultKind::Shortage,
            EngineErrorKind::Unavailable => FaultKind::Unavailable,
            EngineErrorKind::Overload => FaultKind::Overload,
            EngineErrorKind::Crash => FaultKind::Crash,
            EngineErrorKind::Breach => FaultKind::Sandbox,
            EngineErrorKind::Disconnected => FaultKind::Disconnected,
            EngineErrorKind::NoMove | EngineErrorKind::Endless => FaultKind::IllegalMove,
            EngineErrorKind::Refused
            | EngineErrorKind::Option
            | EngineErrorKind::NotReady
            | EngineErrorKind::XBoard => FaultKind::Handshake,
            EngineErrorKind::Late if self.params.is_timed() => FaultKind::Timeout,
            EngineErrorKind::Late => FaultKind::Stall,
        };
        let mut detail = error.detail.clone();
        if !kind.is_void() {
            self.log(kind, None, &detail, question, game);
        }
        if kind == FaultKind::Unavailable {
            self.log(kind, Some("unavailable"), &detail, question, game);
            self.engine_context.record_unavailable(&self.name);
            detail = format!("`{}`: {detail}", self.name);
        }
        Box::new(Fault { kind, detail })
    }

    /// Writes the log of a failure, if the run has a folder for logs. Failures that cost no game
    /// have a word for their file, `harmless`, and only the first of them has a log.
    fn log(
        &self,
        kind: FaultKind,
        harmless: Option<&str>,
        detail: &str,
        question: &Question<'_>,
        game: u64,
    ) {
        let session = self.session.as_ref();
        let failure_log = FailureLog {
            what: kind.reason(),
            reproducer: session
                .map(|session| session.protocol.reproducer(self.engine_settings(), question)),
            exit: session.and_then(|session| session.link.exit()),
            conversation_log: session.map(|session| session.link.conversation_log()),
            ..self.failure_log(detail, game)
        };
        if let Some(word) = harmless {
            let subject = format!("{}-{word}", self.name);
            let name = failure_log::log_name(&subject, game);
            return self.engine_context.log_first(&name, &subject, failure_log);
        }
        let subject = format!("{} {}", self.name, kind.reason());
        self.engine_context.log(&failure_log::log_name(&self.name, game), &subject, failure_log);
    }

    /// Writes the log of a process that ended before this game: the first one of each agent.
    fn log_ended_process(&mut self, game: u64) {
        let Some(EndedProcess { exit, conversation_log }) = self.ended.take() else { return };
        let detail = "it ended before this game; agon started it again, and no game is lost";
        let failure_log = FailureLog {
            exit,
            conversation_log: Some(&conversation_log),
            ..self.failure_log(detail, game)
        };
        let name = failure_log::log_name(&format!("{}-restart", self.name), game);
        self.engine_context.log_first(&name, &format!("{} restart", self.name), failure_log);
    }

    /// The log of a restart, without the data of the process.
    fn failure_log<'a>(&'a self, detail: &'a str, game: u64) -> FailureLog<'a> {
        FailureLog {
            what: "restart",
            name: &self.name,
            game,
            detail,
            command: self.params.command_words().unwrap_or_default(),
            dir: self.params.dir.as_deref().map(|dir| expand_home(dir).display().to_string()),
            env: self.params.env.clone().unwrap_or_default().into_iter().collect(),
            reproducer: None,
            exit: None,
            conversation_log: None,
        }
    }

    /// Stops an engine that still thinks, or ends it.
    fn halt(&mut self, kind: EngineErrorKind) {
        let Some(EngineSession { link, protocol, .. }) = &mut self.session else { return };
        match kind {
            // The engine has answered, or was stopped already.
            EngineErrorKind::Overload | EngineErrorKind::NoMove => {}
            EngineErrorKind::Late | EngineErrorKind::Unavailable
                if protocol.stop(link, Instant::now() + STOP).is_ok() => {}
            // The engine is not at fault, so it may start again whatever `restart` is.
            EngineErrorKind::Shortage | EngineErrorKind::Unavailable => self.session = None,
            _ => self.abandon(),
        }
    }
}

/// A request for a move, independent of the game's type.
struct Asked<'a> {
    /// The position, if the request has no record of the game.
    unknown_position: Option<String>,
    player: Player,
    rng: &'a mut ChaCha8Rng,
    search_info: &'a mut SearchInfo,
    game_so_far: GameSoFar<'a>,
}

/// How an engine has answered a request for a move.
enum Answered {
    /// With a legal move, which was read.
    Legal,
    /// With illegal moves only; a random move takes their place.
    Illegal,
}

impl EngineAgent {
    /// Starts a game; `start` is the first position if it is not the game's usual start.
    fn begin_game(&mut self, start: Option<String>) {
        self.start = start;
        self.is_unasked = true;
        self.counts = AnswerCounts::default();
        self.early_error = self.begin_or_fail().err();
    }

    /// Compares the engine's own result of a game, if its protocol has one, with that of the rules.
    fn compare_final_score(&mut self, game_so_far: GameSoFar<'_>, payoff: i32) {
        let GameSoFar { opening, moves, .. } = game_so_far;
        let Some(EngineSession { link, protocol, .. }) = &mut self.session else { return };
        if !self.has_final_score {
            return;
        }
        let opened = opening.strip_prefix("position ");
        let question = Question {
            position: opened.or(self.start.as_deref()),
            opening: if opened.is_some() { "" } else { opening },
            moves,
            player: Player::First,
            limits: MoveLimits::default(),
            seed: None,
            budget: self.params.startup_timeout(),
        };
        match protocol.final_score(link, &question, payoff) {
            Ok(None) => {}
            Ok(Some(score)) => self.engine_context.record_final_scores(FinalScores {
                agent: self.name.clone(),
                games: 1,
                different: u64::from(!score.agrees),
                example: if score.agrees { String::new() } else { score.engine },
            }),
            Err(_) => {
                // The game is over, so this failure costs no game: the engine starts again for the
                // next game, whatever `restart` is, and is not asked for a score any more.
                self.session = None;
                self.has_final_score = false;
            }
        }
    }
}

impl Drop for EngineAgent {
    fn drop(&mut self) {
        // A process without a greeting needs no `quit`.
        self.starting = None;
        self.leave();
    }
}

impl ExternalAgent for EngineAgent {
    fn attach(&mut self, engine_context: &Arc<EngineContext>, name: &str) {
        self.engine_context = Arc::clone(engine_context);
        name.clone_into(&mut self.name);
        self.transcript = engine_context.transcripts.is_some().then(Arc::default);
    }

    fn prepare(&mut self) {
        if self.params.restart == Restart::Always {
            self.leave();
        }
        if self.params.restart != Restart::Never && self.is_dead() {
            self.forget_process();
        }
        if self.session.is_none()
            && self.starting.is_none()
            && !self.gone
            && self.engine_context.why_forfeit(&self.name).is_none()
            && let Some(permit) = self.engine_context.try_start_permit()
        {
            // A failure is reported when the engine is needed.
            self.starting = Some(self.spawn().map(|link| (link, Some(permit))));
        }
    }

    fn announce_game(&mut self) {
        // An engine that has ended is noticed when its game begins.
        let at = self.announce_game().and_then(Result::ok);
        if let Some(session) = &mut self.session {
            session.announced = at;
        }
    }

    fn is_starting(&mut self) -> bool {
        self.starting.is_some()
    }

    fn await_ready(&mut self) {
        self.ready = self.await_process();
    }

    fn start_for_check(&mut self) {
        self.starting = Some(self.spawn().map(|link| (link, None)));
    }

    fn check(&mut self) -> Result<(), ParamError> {
        let begun = self.begin();
        if begun.is_err() || self.params.restart == Restart::Always {
            self.leave();
        }
        match begun {
            // The first game waits for the provider.
            Err(error) if error.kind == EngineErrorKind::Unavailable => Ok(()),
            begun => begun.map_err(|error| self.params.start_error(error)),
        }
    }

    fn time_control(&mut self) -> Option<TimeControl> {
        self.params.clock
    }

    fn answer_counts(&mut self) -> AnswerCounts {
        self.counts
    }

    fn take_transcript(&mut self) -> Vec<TranscriptLine> {
        self.transcript.as_ref().map_or(Vec::new(), |lines| lock(lines).take())
    }

    fn shutdown(&mut self) {
        if let Some(EngineSession { link, .. }) = &mut self.session {
            link.request_quit(self.params.protocol.quit_line());
        }
    }
}

impl<G: Game> Agent<G> for EngineAgent {
    fn external(&mut self) -> Option<&mut dyn ExternalAgent> {
        Some(self)
    }

    fn game_over(&mut self, game_so_far: GameSoFar<'_>, payoff: i32) {
        self.compare_final_score(game_so_far, payoff);
    }

    fn new_game(&mut self, game: &G, _player: Player) {
        self.begin_game(game.notation().pgn_header(&game.start()).and_then(|header| header.start));
    }

    fn choose(&mut self, request: &mut MoveRequest<'_, G>) -> Result<G::Move, Box<Fault>> {
        let MoveRequest {
            game, state, player, ref mut rng, ref mut search_info, game_so_far, ..
        } = *request;
        let mut unknown_position = None;
        if game_so_far.game == 0 && *state != game.start() {
            unknown_position = Some(game.write_position(state));
        }
        let mut chosen = None;
        let answered = self.answer(
            Asked { unknown_position, player, rng, search_info, game_so_far },
            &mut |text| {
                chosen = Some(game.notation().read_move(state, text)?);
                Ok(())
            },
        )?;
        match answered {
            Answered::Legal => Ok(chosen.expect("the answer was read")),
            Answered::Illegal => Ok(game.shortcuts().random_move(state, rng, &mut Vec::new())),
        }
    }
}

/// A score from the first player's view; a mate score becomes the search's value for it.
fn value(score: EngineScore, player: Player) -> f64 {
    let own = match score {
        EngineScore::Centipawns(score) => score as f64,
        // Converted to plies: the winner's moves and the loser's moves between them.
        EngineScore::Mate(moves) if moves > 0 => {
            f64::from(WIN) - (2 * moves.min(10_000) - 1) as f64
        }
        EngineScore::MateInPlies(plies) if plies > 0 => f64::from(WIN) - plies.min(20_000) as f64,
        EngineScore::MateInPlies(plies) => {
            -f64::from(WIN) + plies.max(-20_000).unsigned_abs() as f64
        }
        EngineScore::Mate(moves) => {
            -f64::from(WIN) + (2 * moves.max(-10_000)).unsigned_abs() as f64
        }
    };
    own * f64::from(player.sign()) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_turn_into_the_first_players_frame() {
        let win = f64::from(WIN);
        assert_eq!(value(EngineScore::Centipawns(30), Player::First), 30.0);
        assert_eq!(value(EngineScore::Centipawns(30), Player::Second), -30.0);
        assert!(value(EngineScore::Centipawns(0), Player::Second).is_sign_positive());
        assert_eq!(value(EngineScore::Mate(1), Player::First), win - 1.0);
        assert_eq!(value(EngineScore::Mate(-1), Player::First), 2.0 - win);
        assert_eq!(value(EngineScore::Mate(2), Player::Second), 3.0 - win);
        assert_eq!(value(EngineScore::MateInPlies(4), Player::First), win - 4.0);
        assert_eq!(value(EngineScore::MateInPlies(-3), Player::Second), win - 3.0);
        assert_eq!(value(EngineScore::Mate(i64::MIN), Player::First), 20_000.0 - win);
    }
}
