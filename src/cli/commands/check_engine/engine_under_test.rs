//! The engine under test, and the messages that are sent to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::{
    Connection, EngineAnswer, EngineContext, EngineError, EngineProtocol, EngineSeed,
    EngineSettings, Launch, MoveLimits, Protocol, Question, Setting, UciCommand, UciReply,
};
use crate::games::{Player, Turn};
use crate::play::TextSession;

/// How long an engine may take for a command without its own limit.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How to start and greet the engine.
pub struct EngineProgram {
    pub launch: Launch,
    pub protocol: EngineProtocol,
    pub options: Vec<Setting>,
    pub engine_context: Arc<EngineContext>,
}

/// The facts about the engine before it runs.
pub struct EngineCommand {
    pub program: EngineProgram,
    /// The position in which games start, if it is not the standard start of the protocol.
    pub start: Option<String>,
    /// The rules of the game, in a session whose agent is never asked.
    pub rules: TextSession,
    /// Whether the engine ignored node limits, so that depth limits are used.
    pub by_depth: bool,
    /// The time per move that is tested.
    pub movetime: Duration,
    /// The limits that its tournament uses; empty: all are tested.
    pub limits: Vec<&'static str>,
}

/// The engine, running, after the handshake.
pub struct EngineUnderTest {
    pub link: Connection,
    pub protocol: Box<dyn Protocol>,
}

/// A position in a game: its start, if it is not the standard one, its moves, including those of
/// chance, and the side to move.
#[derive(Debug, Clone)]
pub struct TestPosition {
    pub from: Option<String>,
    pub moves: String,
    pub player: Player,
}

impl TestPosition {
    /// The command that sets the position up, for UCI and UGI.
    pub fn command(&self) -> UciCommand {
        UciCommand::Position { from: self.from.clone(), moves: self.moves.clone() }
    }
}

impl EngineProgram {
    /// Starts the engine and performs the handshake.
    pub fn start(&self) -> Result<EngineUnderTest, EngineError> {
        self.greet(Connection::spawn(&self.launch)?)
    }

    /// Performs the handshake with a process that has just started.
    pub fn greet(&self, mut link: Connection) -> Result<EngineUnderTest, EngineError> {
        let mut protocol = self.protocol.conversation();
        let settings =
            EngineSettings { engine_context: &self.engine_context, options: &self.options };
        let opened = protocol.open(&mut link, settings, Instant::now() + PATIENCE);
        opened.map_err(|error| link.explain(error))?;
        Ok(EngineUnderTest { link, protocol })
    }
}

impl EngineCommand {
    /// The position after these moves and the chance moves that follow. `None` if the game is over.
    pub fn place(&mut self, mut moves: String) -> Result<Option<TestPosition>, String> {
        loop {
            self.rules.set_up(None, &moves)?;
            match self.rules.turn() {
                Some(Turn::Player(player)) => {
                    let from = self.start.clone();
                    return Ok(Some(TestPosition { from, moves, player }));
                }
                Some(Turn::Chance) => {
                    let outcome = self.rules.roll().unwrap_or_default();
                    moves = joined(&moves, &outcome);
                }
                _ => return Ok(None),
            }
        }
    }

    /// The position after the engine's answer.
    pub fn after(
        &mut self,
        place: &TestPosition,
        answer: &str,
    ) -> Result<Option<TestPosition>, String> {
        if answer.is_empty() {
            return Err("the engine answered without a move".to_owned());
        }
        let shown: String = answer.chars().take(60).collect();
        let wrong = |why: String| format!("the engine answered `{shown}`: {why}");
        if answer.contains(char::is_whitespace) {
            return Err(wrong("a move has no spaces".to_owned()));
        }
        self.place(joined(&place.moves, answer)).map_err(wrong)
    }
}

/// Appends a move to a list of moves.
fn joined(moves: &str, more: &str) -> String {
    if moves.is_empty() { more.to_owned() } else { format!("{moves} {more}") }
}

impl EngineUnderTest {
    /// Begins a new game.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.protocol.announce_game(&mut self.link)?;
        self.protocol.new_game(&mut self.link, Instant::now() + PATIENCE)
    }

    /// Asks for a move. An engine that takes longer than `patience` receives an order to stop.
    pub fn ask(
        &mut self,
        place: &TestPosition,
        go: MoveLimits,
        patience: Duration,
    ) -> Result<EngineAnswer, EngineError> {
        let question = Question {
            position: place.from.as_deref(),
            opening: "",
            moves: &place.moves,
            player: place.player,
            limits: go,
            // The same seed in every step: an engine that uses it must repeat its move.
            seed: Some(EngineSeed { seed: [0; 32], game: 1 }),
            budget: patience,
        };
        let mut answer = EngineAnswer::default();
        match self.protocol.ask(&mut self.link, &question, &mut answer) {
            Ok(()) => Ok(answer),
            Err(error) => {
                // The engine must be ready for the next request.
                let error = self.link.explain(error);
                let _ = self.protocol.stop(&mut self.link, Instant::now() + Duration::from_secs(1));
                Err(error)
            }
        }
    }

    /// Sends commands of UCI or UGI and waits for an answer. Returns when it was read, and what
    /// `heard` made of it.
    pub fn say<T>(
        &mut self,
        commands: &[UciCommand],
        patience: Duration,
        heard: impl Fn(UciReply<'_>) -> Option<T>,
    ) -> Result<(Instant, T), EngineError> {
        self.link.send_lines(commands)?;
        let heard = |line: &str| heard(UciReply::parse(line)).into();
        self.link.listen(Instant::now() + patience, heard)
    }
}
