//! The `Protocol` trait, common to all engine protocols.

use std::time::{Duration, Instant};

use super::connection::Connection;
use super::cost_faults::CostFault;
use super::engine_context::EngineContext;
use super::engine_error::{EngineError, EngineErrorKind};
use super::final_score::FinalScore;
use super::messages::engine_option::EngineOption;
use super::messages::uci_info::{AnswerCost, Details, Info};
use super::time_control::Clock;
use crate::games::Player;

/// An option from the config: its name and its value as text.
pub type Setting = (String, String);

/// The data for the greeting of an engine.
#[derive(Debug, Clone, Copy)]
pub struct EngineSettings<'a> {
    /// The game, and the context that all engines of a run share.
    pub engine_context: &'a EngineContext,
    /// Its options.
    pub options: &'a [Setting],
}

/// The limits for one move; all given limits apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveLimits {
    /// The clocks of the first and the second player.
    pub clocks: [Option<Clock>; 2],
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Positions for this move.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u32>,
}

/// The source of an agent's random numbers. With it, an engine that supports it plays the same
/// moves as inside agon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineSeed {
    /// The experiment's seed, in the form of its generators.
    pub seed: [u8; 32],
    pub game: u64,
}

/// A position and the limits for the search. Moves are separated by spaces.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The position before the first move, in the game's notation; `None`: the game's usual start.
    pub position: Option<&'a str>,
    /// The opening's moves; `moves` continues them.
    pub opening: &'a str,
    /// Moves of both sides, and outcomes of chance.
    pub moves: &'a str,
    /// The player to move: the engine's side.
    pub player: Player,
    pub limits: MoveLimits,
    /// The source of random numbers, if known.
    pub seed: Option<EngineSeed>,
    /// The time limit for the answer, measured from the `go` command.
    pub budget: Duration,
}

impl<'a> Question<'a> {
    /// All moves, opening first.
    pub fn all_moves(&self) -> impl Iterator<Item = &'a str> {
        self.opening.split_ascii_whitespace().chain(self.moves.split_ascii_whitespace())
    }
}

/// An engine's answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EngineAnswer {
    /// The move as the engine wrote it; empty if there is none.
    pub text: String,
    /// The time from just before the question was written until the answer was read.
    pub time: Duration,
    /// The engine's search information.
    pub info: Info,
    /// Additional information from agon's own engines.
    pub details: Details,
    /// What the engine has paid.
    pub cost: AnswerCost,
    /// A line about a cost that does not count, if there was one.
    pub cost_fault: Option<(CostFault, String)>,
}

impl EngineAnswer {
    /// Clears the previous answer and keeps the memory for its text.
    pub(super) fn clear(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        *self = EngineAnswer { text, ..EngineAnswer::default() };
    }
}

/// A protocol between agon and engines.
pub trait Protocol: Send {
    /// Greets a process that has just started, checks the settings against the engine's options and
    /// sends them.
    ///
    /// # Errors
    /// An engine that does not answer in time, ends, or lacks an option.
    fn open(
        &mut self,
        link: &mut Connection,
        settings: EngineSettings<'_>,
        by: Instant,
    ) -> Result<(), EngineError>;

    /// The options that the engine has advertised in its greeting.
    fn options(&self) -> &[EngineOption] {
        &[]
    }

    /// Announces a new game without waiting, so that several engines can get ready at the same time.
    ///
    /// # Errors
    /// An engine that has ended.
    fn announce_game(&mut self, link: &mut Connection) -> Result<(), EngineError>;

    /// Waits until the engine is ready for the game that was announced.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    fn new_game(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError>;

    /// Asks for a move.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    fn ask(
        &mut self,
        link: &mut Connection,
        what: &Question<'_>,
        to: &mut EngineAnswer,
    ) -> Result<(), EngineError>;

    /// Tells the engine, if the protocol has a line for it, that its last answer is illegal and why.
    /// The same question follows.
    ///
    /// # Errors
    /// An engine that has ended.
    fn reject(&mut self, _link: &mut Connection, _why: &str) -> Result<(), EngineError> {
        Ok(())
    }

    /// Stops the search of a question that was not answered in time, so that agon can ask the
    /// engine again.
    ///
    /// # Errors
    /// An engine that continues its search; agon cannot use it any more. So do all engines of a
    /// protocol without such a command.
    fn stop(&mut self, _link: &mut Connection, _deadline: Instant) -> Result<(), EngineError> {
        Err(EngineError::new(EngineErrorKind::Late, "it does not support an order to stop"))
    }

    /// The engine's own result of a finished game with this payoff, if the protocol has one and the
    /// engine knows it.
    ///
    /// # Errors
    /// An engine that does not answer in time, ends, or answers without end.
    fn final_score(
        &mut self,
        _link: &mut Connection,
        _what: &Question<'_>,
        _payoff: i32,
    ) -> Result<Option<FinalScore>, EngineError> {
        Ok(None)
    }

    /// The whole conversation from the greeting to the question, as lines to paste into a terminal.
    fn reproducer(&self, settings: EngineSettings<'_>, question: &Question<'_>) -> String;
}
