//! What a player is: asked for a move, it answers with one.

use std::sync::Arc;
use std::time::Duration;

use rand::rngs::ChaCha8Rng;

use crate::engine::{Clock, House, TimeControl};
use crate::games::{Game, Player};
use crate::params::{Param, ParamError, Params, Spec};
use crate::search::{Limits, SearchStats, Stop};

/// What `agon list`, the config and the schema know of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentInfo {
    /// The word in `kind = "…"`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// Its parameters besides `name` and `kind`.
    pub params: Vec<Param>,
    /// The lines of TOML that make one; empty where kind and default numbers do.
    pub example: &'static str,
}

impl AgentInfo {
    /// An agent that takes the parameters `P`.
    pub fn of<P: Params>(kind: &'static str, summary: &'static str, example: &'static str) -> Self {
        AgentInfo { kind, summary, params: P::list(), example }
    }
}

/// Builds the agent inside another one.
pub(super) type BuildInner<'a, H> = &'a dyn Fn(&Spec) -> Result<Box<dyn Agent<H>>, ParamError>;

/// What an agent sees when it is asked for a move.
pub struct Ply<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position; it is a player's turn.
    pub state: &'a G::State,
    /// Who is to move: the side that the agent plays.
    pub player: Player,
    /// Keys of the positions before this one, oldest first.
    pub history: &'a [u64],
    /// The agent's own random stream of this game.
    pub rng: &'a mut ChaCha8Rng,
    /// What the agent reports about its thinking; cleared before each call.
    pub thought: &'a mut Thought,
    /// The game so far in texts, for agents that pass it on.
    pub told: Told<'a>,
}

/// A game so far, as it stands in its record.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// Number of the game.
    pub game: u64,
    /// The opening's moves separated by blanks, or `position` and the position's text.
    pub opening: &'a String,
    /// The agents' moves and the dice between them, separated by blanks.
    pub moves: &'a String,
    /// The clocks of both sides, of those that have one.
    pub clocks: &'a [Option<Clock>; 2],
}

impl Told<'_> {
    /// Nothing is told: the position is all that is known.
    pub fn nothing() -> Told<'static> {
        static EMPTY: String = String::new();
        Told { game: 0, opening: &EMPTY, moves: &EMPTY, clocks: &[None, None] }
    }
}

/// What an agent reports about one move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Thought {
    /// Whether the agent searched at all: only then do depth and nodes mean something.
    pub searched: bool,
    /// The counters of the search.
    pub stats: SearchStats,
    /// The value that the agent gives the position, in the first player's frame.
    pub value: Option<f64>,
    /// The time that the agent took, where it knows better than who asked it: an engine's
    /// clock runs from its order to its answer.
    pub time: Option<Duration>,
}

/// How an agent failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The move that it named is not legal.
    IllegalMove,
    /// It took longer than its clock or its time for a move allows.
    Timeout,
    /// It ended or panicked.
    Crash,
    /// It said nothing until the ceiling, where no clock runs.
    Stall,
    /// It did not greet, or was not ready for a game in time.
    Handshake,
    /// It closed a pipe but lives.
    Disconnected,
    /// No fault of the agent: the program lacks descriptors, processes or memory.
    Shortage,
    /// No fault of the agent: the machine is so busy that its time cannot be measured.
    Overload,
    /// No fault: the run is to stop.
    Stopped,
}

impl FaultKind {
    /// Whether a game that ended for that reason ended by an agent's fault.
    pub fn is_reason(word: &str) -> bool {
        use FaultKind::{Crash, Disconnected, Handshake, IllegalMove, Stall, Timeout};
        [IllegalMove, Timeout, Crash, Stall, Handshake, Disconnected]
            .iter()
            .any(|kind| kind.reason() == word)
    }

    /// The word in the `reason` column.
    pub fn reason(self) -> &'static str {
        match self {
            FaultKind::IllegalMove => "illegal move",
            FaultKind::Timeout => "timeout",
            FaultKind::Crash => "crash",
            FaultKind::Stall => "stall",
            FaultKind::Handshake => "handshake failure",
            FaultKind::Disconnected => "disconnected",
            FaultKind::Shortage => "shortage of resources",
            FaultKind::Overload => "overload",
            FaultKind::Stopped => "stopped",
        }
    }

    /// Whether the agent is not at fault: the game is void for both sides.
    pub fn is_void(self) -> bool {
        matches!(self, FaultKind::Shortage | FaultKind::Overload | FaultKind::Stopped)
    }
}

/// A failure that costs the agent the game, unless [`FaultKind::is_void`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", kind.reason())]
pub struct Fault {
    /// What kind of failure.
    pub kind: FaultKind,
    /// What happened, for people.
    pub detail: String,
}

/// A player of a game. Each worker has its own instance; it may keep memory (a table)
/// from move to move of one game, never from game to game.
///
/// ```
/// use agon::agents::{self, Agent, Ply, Thought, Told};
/// use agon::games::{Game, Player, TicTacToe};
/// use agon::params::Spec;
/// use agon::world::{Role, stream};
///
/// let (game, spec) = (TicTacToe, Spec { kind: "perfect".into(), ..Spec::default() });
/// let mut agent: Box<dyn Agent<TicTacToe>> = agents::build(&game, &spec).unwrap();
/// agent.new_game(&game, Player::First);
/// let state = game.read_position("xx./oo./...").unwrap();
/// let mut ply = Ply {
///     game: &game,
///     state: &state,
///     player: Player::First,
///     history: &[],
///     rng: &mut stream(1, Role::First, 1),
///     thought: &mut Thought::default(),
///     told: Told::nothing(),
/// };
/// // The third cell wins.
/// assert_eq!(agent.choose(&mut ply), Ok(2));
/// ```
pub trait Agent<G: Game>: Send {
    /// Takes a seat in a run: what all engines share, and the name that the agent goes by.
    fn join(&mut self, _house: &Arc<House>, _name: &str) {}

    /// It is about to be made sure of, or to begin a game: what takes time to start can start,
    /// while others do. Nothing is waited for.
    fn prepare(&mut self) {}

    /// Makes sure that the agent can play at all, where that shows only by trying.
    ///
    /// # Errors
    /// What is wrong with its values, with the remedy.
    fn ready(&mut self) -> Result<(), ParamError> {
        Ok(())
    }

    /// The terms of the agent's clock, if it plays by one.
    fn time_control(&self) -> Option<TimeControl> {
        None
    }

    /// A new game begins, in which the agent plays that side. Whatever an earlier game
    /// left behind must not influence it.
    fn new_game(&mut self, _game: &G, _player: Player) {}

    /// It is not needed any more: what takes time to end can end, while others do. Nothing is
    /// waited for, and nothing follows but the end.
    fn dismiss(&mut self) {}

    /// Chooses one of the legal moves.
    ///
    /// # Errors
    /// A fault, which costs the agent the game.
    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>>;

    /// Thinks within these limits from the next move on, as far as it knows budgets of their
    /// kinds, instead of its own budget, which holds again with `None`; no limit at all means
    /// until somebody says stop. What has no budget takes no notice, nor of `stop` if it
    /// cannot be interrupted.
    fn think_within(&mut self, _limits: Option<&Limits>, _stop: Option<Stop>) {}

    /// Whether the agent can tell what it thinks of every move.
    fn has_move_values(&self) -> bool {
        false
    }

    /// Fills `out` with the agent's values of all legal moves, in the game's order and the
    /// first player's frame, and reports as [`Agent::choose`] does; leaves it empty where
    /// [`Agent::has_move_values`] is false. Draws no random words.
    ///
    /// # Errors
    /// A fault, which costs the agent the game.
    fn move_values(
        &mut self,
        _ply: &mut Ply<'_, G>,
        out: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Box<Fault>> {
        out.clear();
        Ok(())
    }
}

impl<G: Game> Ply<'_, G> {
    /// Reports the counters and the value of a search.
    pub fn report(&mut self, stats: SearchStats, value: f64) {
        *self.thought = Thought { searched: true, stats, value: Some(value), time: None };
    }
}
