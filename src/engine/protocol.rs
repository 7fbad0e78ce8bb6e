//! What is said to an engine, whatever the words: one trait for all protocols.

use std::time::{Duration, Instant};

use super::clock::Clock;
use super::command::NotFound;
use super::house::House;
use super::info::{Details, Info};
use super::link::Link;
use crate::games::Player;

/// How talking to an engine failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TroubleKind {
    /// The deadline has passed.
    Late,
    /// The process has ended.
    Crash,
    /// The process lives but has closed a pipe.
    Disconnected,
    /// The engine cannot be started, or does not play this game.
    Refused,
    /// The engine lacks an option, or does not take its value.
    Option,
    /// Agon lacks descriptors, processes or memory; no fault of the engine.
    Shortage,
    /// Agon itself was woken too late to judge the engine's time; no fault of the engine.
    Overload,
    /// The run is to stop; no fault of the engine.
    Stopped,
}

/// A failure with what happened, for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Trouble {
    /// What kind of failure.
    pub kind: TroubleKind,
    /// What happened, in a sentence without a full stop.
    pub detail: String,
    /// What to do about it; may be empty.
    pub remedy: String,
}

impl Trouble {
    /// A failure without a remedy.
    pub fn new(kind: TroubleKind, detail: impl Into<String>) -> Self {
        Trouble { kind, detail: detail.into(), remedy: String::new() }
    }
}

impl From<NotFound> for Trouble {
    fn from(NotFound { message, remedy }: NotFound) -> Self {
        Trouble { kind: TroubleKind::Refused, detail: message, remedy }
    }
}

/// What has been said and answered, or how that failed.
pub type Done = Result<(), Trouble>;

/// An option as the config sets it: its name and its value as text.
pub type Setting = (String, String);

/// What an engine is set to when it is greeted.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The game, and what all engines of a run share.
    pub house: &'a House,
    /// Its options.
    pub settings: &'a [Setting],
}

/// What limits the thinking about one move; all that is given holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Go {
    /// Clocks of both sides, first and second.
    pub clocks: [Option<Clock>; 2],
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Positions for this move.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u32>,
}

/// Where an agent's random numbers come from: an engine that takes them plays as it would
/// inside of agon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lots {
    /// The experiment's seed as its generators take it.
    pub seed: [u8; 32],
    /// Number of the game.
    pub game: u64,
}

/// A position and how long to think about it. Moves are separated by blanks.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The position that the moves begin from, in the game's notation; the game's start if
    /// not given.
    pub position: Option<&'a str>,
    /// The opening's moves; the others follow them.
    pub opening: &'a str,
    /// Moves of both sides, and what chance has decided.
    pub moves: &'a str,
    /// Who is to move: the engine's side.
    pub player: Player,
    /// How long to think.
    pub go: Go,
    /// Where random numbers come from, where that is known.
    pub lots: Option<Lots>,
    /// How long after the order the answer must be there.
    pub budget: Duration,
}

impl<'a> Question<'a> {
    /// All moves, one by one.
    pub fn all_moves(&self) -> impl Iterator<Item = &'a str> {
        self.opening.split_ascii_whitespace().chain(self.moves.split_ascii_whitespace())
    }
}

/// What an engine answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The move as the engine wrote it; empty where it named none.
    pub text: String,
    /// From just before the question was written to the moment when the answer was read.
    pub time: Duration,
    /// What it told about its search.
    pub info: Info,
    /// What agon's own engines tell besides.
    pub details: Details,
}

impl Answer {
    /// Forgets an earlier answer; the room for its text is kept.
    pub(super) fn clear(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        *self = Answer { text, ..Answer::default() };
    }
}

/// The words between agon and an engine.
pub trait Protocol: Send {
    /// Greets a process that has just started, checks the settings against what the engine
    /// advertises and makes them.
    ///
    /// # Errors
    /// An engine that does not answer in time, ends, or lacks an option.
    fn open(&mut self, link: &mut Link, terms: Terms<'_>, by: Instant) -> Result<(), Trouble>;

    /// Begins a new game and waits until the engine is ready.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    fn new_game(&mut self, link: &mut Link, deadline: Instant) -> Result<(), Trouble>;

    /// Asks for a move.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    fn ask(&mut self, link: &mut Link, what: &Question<'_>, to: &mut Answer) -> Done;

    /// Ends the thinking about a question that was not answered in time, so that the engine
    /// can be asked again.
    ///
    /// # Errors
    /// An engine that goes on nevertheless: it is of no more use.
    fn stop(&mut self, link: &mut Link, deadline: Instant) -> Result<(), Trouble>;

    /// Everything from the greeting to the question as lines to paste into a terminal.
    fn reproducer(&self, terms: Terms<'_>, question: &Question<'_>) -> String;
}
