//! The engine under test, and the messages that are sent to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::engine::{
    Connection, EngineAnswer, EngineContext, EngineError, EngineSeed, EngineSettings, Gomocup, Gtp,
    Launch, MoveLimits, Protocol, Question, Setting, UCI, UGI, Uci,
};
use crate::games::{Player, Turn};
use crate::play::TextSession;

/// The protocol of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineProtocolArg {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
    /// The protocol of Gomocup (Piskvork).
    Gomocup,
    /// The Go Text Protocol.
    Gtp,
}

/// How long an engine may take for a command without its own limit.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How to start and greet the engine.
pub struct EngineProgram {
    pub launch: Launch,
    pub protocol: EngineProtocolArg,
    pub settings: Vec<Setting>,
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

enum Conversation {
    Uci(Uci),
    Gomocup(Gomocup),
    Gtp(Gtp),
}

/// The engine, running, after the handshake.
pub struct EngineUnderTest {
    pub link: Connection,
    conversation: Conversation,
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
    pub fn order(&self) -> String {
        let mut order = "position startpos".to_owned();
        if let Some(from) = &self.from {
            order = format!("position fen {from}");
        }
        if !self.moves.is_empty() {
            order = format!("{order} moves {}", self.moves);
        }
        order
    }
}

impl EngineProgram {
    /// Starts the engine and performs the handshake.
    pub fn start(&self) -> Result<EngineUnderTest, EngineError> {
        self.greet(Connection::spawn(&self.launch)?)
    }

    /// Performs the handshake with a process that has just started.
    pub fn greet(&self, link: Connection) -> Result<EngineUnderTest, EngineError> {
        let conversation = match self.protocol {
            EngineProtocolArg::Uci => Conversation::Uci(Uci::new(UCI)),
            EngineProtocolArg::Ugi => Conversation::Uci(Uci::new(UGI)),
            EngineProtocolArg::Gomocup => Conversation::Gomocup(Gomocup::default()),
            EngineProtocolArg::Gtp => Conversation::Gtp(Gtp::default()),
        };
        let mut engine = EngineUnderTest { link, conversation };
        let EngineUnderTest { link, conversation } = &mut engine;
        let terms =
            EngineSettings { engine_context: &self.engine_context, settings: &self.settings };
        let opened = conversation.protocol().open(link, terms, Instant::now() + PATIENCE);
        opened.map_err(|error| link.explain(error))?;
        Ok(engine)
    }

    /// The command that asks the engine to quit.
    pub fn quit_line(&self) -> &'static str {
        if self.protocol == EngineProtocolArg::Gomocup { "END\n" } else { "quit\n" }
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

impl Conversation {
    fn protocol(&mut self) -> &mut dyn Protocol {
        match self {
            Conversation::Uci(uci) => uci,
            Conversation::Gomocup(gomocup) => gomocup,
            Conversation::Gtp(gtp) => gtp,
        }
    }
}

impl EngineUnderTest {
    /// The UCI or UGI protocol of the engine, with its connection.
    pub fn uci(&mut self) -> Option<(&mut Uci, &mut Connection)> {
        match &mut self.conversation {
            Conversation::Uci(uci) => Some((uci, &mut self.link)),
            Conversation::Gomocup(_) | Conversation::Gtp(_) => None,
        }
    }

    /// Begins a new game.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        let protocol = self.conversation.protocol();
        protocol.announce_game(&mut self.link)?;
        protocol.new_game(&mut self.link, Instant::now() + PATIENCE)
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
        let protocol = self.conversation.protocol();
        match protocol.ask(&mut self.link, &question, &mut answer) {
            Ok(()) => Ok(answer),
            Err(error) => {
                // The engine must be ready for the next request.
                let error = self.link.explain(error);
                let _ = protocol.stop(&mut self.link, Instant::now() + Duration::from_secs(1));
                Err(error)
            }
        }
    }

    /// Sends a line and waits for a line that begins with a word. Returns that line and when it was
    /// read.
    pub fn say(
        &mut self,
        line: &str,
        word: &str,
        patience: Duration,
    ) -> Result<(Instant, String), EngineError> {
        if !line.is_empty() {
            self.link.send(line.as_bytes())?;
        }
        let deadline = Instant::now() + patience;
        loop {
            let read = self.link.next_line(deadline)?;
            if self.link.text().split_ascii_whitespace().next() == Some(word) {
                return Ok((read, self.link.text().to_owned()));
            }
        }
    }
}
