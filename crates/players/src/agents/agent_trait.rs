//! The `Agent` trait: an agent is asked for a move and answers with one.

#![deny(missing_docs)]

use std::sync::Arc;
use std::time::Duration;

use rand::rngs::ChaCha8Rng;

use crate::engine::{AnswerCost, Clock, EngineContext, TimeControl, TranscriptLine};
use crate::games::{Game, Player};
use crate::params::{Param, ParamError, Params, Spec};
use crate::search::{Limits, SearchStats, StopSwitch};

/// Description of an agent kind for `agon list`, the config and the schema.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentInfo {
    /// The word in `kind = "…"`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// Its parameters besides `name` and `kind`.
    pub params: Vec<Param>,
    /// An example in TOML; empty if the kind and the default values are enough.
    pub example: &'static str,
}

impl AgentInfo {
    /// Describes an agent with the parameters `P`.
    pub fn of<P: Params>(kind: &'static str, summary: &'static str, example: &'static str) -> Self {
        AgentInfo { kind, summary, params: P::list(), example }
    }
}

/// Builds the inner agent of a wrapping agent.
pub(super) type BuildInner<'a, H> = &'a dyn Fn(&Spec) -> Result<Box<dyn Agent<H>>, ParamError>;

/// What an agent sees when the referee asks it for a move.
pub struct MoveRequest<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position; a player is to move.
    pub state: &'a G::State,
    /// The player to move: the agent's side.
    pub player: Player,
    /// Keys of the earlier positions, oldest first.
    pub history: &'a [u64],
    /// The agent's own random stream for this game.
    pub rng: &'a mut ChaCha8Rng,
    /// What the agent reports about its search; cleared before each call.
    pub search_info: &'a mut SearchInfo,
    /// The game so far as text, for agents that pass it to an engine.
    pub game_so_far: GameSoFar<'a>,
}

/// A game so far, as in its record.
#[derive(Debug, Clone, Copy)]
pub struct GameSoFar<'a> {
    /// Number of the game.
    pub game: u64,
    /// The opening's moves separated by spaces, or `position` and the position's text.
    pub opening: &'a String,
    /// The agents' moves and the dice between them, separated by spaces.
    pub moves: &'a String,
    /// The clocks of the two sides; `None` for a side without a clock.
    pub clocks: &'a [Option<Clock>; 2],
}

impl GameSoFar<'_> {
    /// A record without any text: the agent knows only the position.
    pub fn nothing() -> GameSoFar<'static> {
        static EMPTY: String = String::new();
        GameSoFar { game: 0, opening: &EMPTY, moves: &EMPTY, clocks: &[None, None] }
    }
}

/// What an agent reports about one move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SearchInfo {
    /// Whether the agent searched; otherwise `depth` and `nodes` have no meaning.
    pub searched: bool,
    /// The counters of the search.
    pub stats: SearchStats,
    /// The agent's value of the position, from the first player's view.
    pub value: Option<f64>,
    /// The time that the agent used, if the agent knows it better than the caller. For an engine:
    /// from the `go` command to the answer.
    pub time: Option<Duration>,
}

/// Counts of the answers of an external program in one game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    /// Illegal answers to requests for a move.
    pub illegal: u32,
    /// Repeated requests after an illegal answer.
    pub retries: u32,
    /// What the program has paid for its answers.
    pub cost: AnswerCost,
}

/// How an agent failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The agent's move is not legal.
    IllegalMove,
    /// The same, and the config says that such a game does not count.
    IllegalVoid,
    /// The agent used more time than its clock or its time for a move allows.
    Timeout,
    /// The agent's process ended, or the agent panicked.
    Crash,
    /// The agent exceeded a limit of its sandbox, or tried to leave it.
    Sandbox,
    /// The agent without a clock did not answer before `hang_timeout`.
    Stall,
    /// The agent did not answer the greeting, or was not ready for a game in time.
    Handshake,
    /// The agent closed a pipe, but its process still runs.
    Disconnected,
    /// The referee of the game says that the agent made an error.
    Error,
    /// The agent gives the game up, which is no failure.
    Resignation,
    /// Not the agent's fault: agon lacks descriptors, processes or memory.
    Shortage,
    /// Not the agent's fault: a service that its program calls does not answer.
    Unavailable,
    /// Not the agent's fault: the machine is so busy that agon cannot measure the agent's time.
    Overload,
    /// Not the agent's fault: the program of `[game]` failed.
    Rules,
    /// Not the agent's fault: a table that decides games can no longer be read.
    Tables,
    /// The referee of the game says that both agents made errors, so neither has won.
    BothErred,
}

impl FaultKind {
    /// Whether a game with this reason, if it is not void, ended by an agent's fault.
    pub fn is_reason(word: &str) -> bool {
        use FaultKind::{
            Crash, Disconnected, Error, Handshake, IllegalMove, Sandbox, Stall, Timeout,
        };
        [IllegalMove, Timeout, Crash, Sandbox, Stall, Handshake, Disconnected, Error]
            .iter()
            .any(|kind| kind.reason() == word)
    }

    /// The word in the `reason` column.
    pub fn reason(self) -> &'static str {
        match self {
            FaultKind::IllegalMove | FaultKind::IllegalVoid => "illegal move",
            FaultKind::Timeout => "timeout",
            FaultKind::Crash => "crash",
            FaultKind::Sandbox => "sandbox violation",
            FaultKind::Stall => "stall",
            FaultKind::Handshake => "handshake failure",
            FaultKind::Disconnected => "disconnected",
            FaultKind::Error => "error",
            FaultKind::Resignation => "resignation",
            FaultKind::Shortage => "shortage of resources",
            FaultKind::Unavailable => "unavailable",
            FaultKind::Overload => "overload",
            FaultKind::Rules => "rules failure",
            FaultKind::Tables => "table failure",
            FaultKind::BothErred => "both erred",
        }
    }

    /// Whether the game is void for both sides. Only for an illegal move is the agent at fault.
    pub fn is_void(self) -> bool {
        use FaultKind::{BothErred, IllegalVoid, Overload, Rules, Shortage, Tables, Unavailable};
        matches!(self, IllegalVoid | Shortage | Unavailable | Overload | Rules | Tables | BothErred)
    }
}

/// A failure. The agent forfeits the game, unless [`FaultKind::is_void`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", kind.reason())]
pub struct Fault {
    /// The kind of failure.
    pub kind: FaultKind,
    /// A description for people.
    pub detail: String,
}

/// A player of a game. Each worker has its own instance. The agent may keep memory (such as a
/// transposition table) between the moves of one game, but not between games.
///
/// ```
/// # use agon_players as agon;
/// use agon::agents::{self, Agent, MoveRequest, SearchInfo, GameSoFar};
/// use agon::games::{Game, Player, TicTacToe};
/// use agon::params::Spec;
/// use agon::play::{StreamRole, stream};
///
/// let (game, spec) = (TicTacToe, Spec { kind: "perfect".into(), ..Spec::default() });
/// let mut agent: Box<dyn Agent<TicTacToe>> = agents::build(&game, &spec).unwrap();
/// agent.new_game(&game, Player::First);
/// let state = game.read_position("xx./oo./...").unwrap();
/// let mut request = MoveRequest {
///     game: &game,
///     state: &state,
///     player: Player::First,
///     history: &[],
///     rng: &mut stream(1, StreamRole::First, 1),
///     search_info: &mut SearchInfo::default(),
///     game_so_far: GameSoFar::nothing(),
/// };
/// // The third cell wins.
/// assert_eq!(agent.choose(&mut request), Ok(2));
/// ```
pub trait Agent<G: Game>: Send {
    /// The part of the agent that needs an external program, if the agent plays through one.
    fn external(&mut self) -> Option<&mut dyn ExternalAgent> {
        None
    }

    /// Tells the agent that the rules have ended its game, with the first player's payoff.
    fn game_over(&mut self, _game_so_far: GameSoFar<'_>, _payoff: i32) {}

    /// Starts a new game, in which the agent plays `player`. Earlier games must not influence this
    /// game.
    fn new_game(&mut self, _game: &G, _player: Player) {}

    /// Chooses a legal move.
    ///
    /// # Errors
    /// A fault: the agent forfeits the game.
    fn choose(&mut self, request: &mut MoveRequest<'_, G>) -> Result<G::Move, Box<Fault>>;

    /// Sets the limits for the next moves. A time alone is added to the agent's own budget, other
    /// limits replace it ([`Limits::with_own`]), and `None` restores it. Empty limits mean: search until `stop`. The agent uses only the kinds of limits
    /// that it supports. An agent without a budget ignores the limits. An agent that cannot be
    /// interrupted ignores `stop`.
    fn set_limits(&mut self, _limits: Option<&Limits>, _stop: Option<StopSwitch>) {}

    /// Whether the agent can value every move.
    fn has_move_values(&self) -> bool {
        false
    }

    /// Fills `out` with the agent's values of all legal moves: in the game's order, from the first
    /// player's view. Reports as [`Agent::choose`] does. Leaves `out` empty if
    /// [`Agent::has_move_values`] is false. Draws no random words.
    ///
    /// # Errors
    /// A fault: the agent forfeits the game.
    fn move_values(
        &mut self,
        _ply: &mut MoveRequest<'_, G>,
        out: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Box<Fault>> {
        out.clear();
        Ok(())
    }

    /// Whether the agent draws its moves at random and knows their probabilities. False if it may
    /// answer differently when it is asked again with the same random numbers, as with a time limit.
    fn has_move_probabilities(&self) -> bool {
        false
    }

    /// Fills `out` with the probabilities with which the last [`Agent::choose`] drew its move, given
    /// everything before the draw. There is one for each legal move of this position, in the game's
    /// order. Leaves `out` empty if nothing was drawn, or if the agent does not know.
    fn move_probabilities(&mut self, _game: &G, _state: &G::State, out: &mut Vec<f64>) {
        out.clear();
    }
}

/// An agent that plays through an external program.
pub trait ExternalAgent {
    /// Attaches the agent to a run: gives it the context that all engines share, and the agent's
    /// name.
    fn attach(&mut self, engine_context: &Arc<EngineContext>, name: &str);

    /// Announces that a check or a game follows soon. A slow start can begin now, at the same time
    /// as the starts of other agents. The call does not wait.
    fn prepare(&mut self);

    /// Announces a game to the program, if it runs. The call does not wait.
    fn announce_game(&mut self);

    /// Whether the program has just been started.
    fn is_starting(&mut self) -> bool;

    /// Waits until the program, if it runs, is ready for the next game. Starts no program, so each
    /// thread may call it.
    fn await_ready(&mut self);

    /// Starts the program of a new agent for [`ExternalAgent::check`], without waiting for other
    /// starts. The program ends with the calling thread.
    fn start_for_check(&mut self);

    /// Checks that the agent can play, if only a test can show this.
    ///
    /// # Errors
    /// A problem with the agent's values, with help.
    fn check(&mut self) -> Result<(), ParamError>;

    /// The time control of the agent's clock, if it has one.
    fn time_control(&mut self) -> Option<TimeControl>;

    /// The counts of the answers in the current or the last game.
    fn answer_counts(&mut self) -> AnswerCounts;

    /// The lines between agon and the program since the last call, if the run keeps transcripts.
    fn take_transcript(&mut self) -> Vec<TranscriptLine>;

    /// Announces that the agent is not needed any more. A slow shutdown can begin now, at the same
    /// time as the shutdowns of other agents. The call does not wait. The agent is dropped next.
    fn shutdown(&mut self);
}

impl<G: Game> MoveRequest<'_, G> {
    /// Reports the counters and the value of a search.
    pub fn report(&mut self, stats: SearchStats, value: f64) {
        *self.search_info = SearchInfo { searched: true, stats, value: Some(value), time: None };
    }
}
