//! What fixes a game before it is played, and what is known of it afterwards.

use crate::agents::{FaultKind, Thought};
use crate::games::Player;

/// Everything that fixes a game: a pure function of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameSpec {
    /// Number of the game, from 1.
    pub game: u64,
    /// Number of the pairing, from 1.
    pub pairing: u32,
    /// Number of the opening, from 1.
    pub opening: u64,
    /// Index of the agent that moves first.
    pub first: usize,
    /// Index of the agent that moves second.
    pub second: usize,
    /// Number of the stream that the dice are drawn from.
    pub dice: u64,
}

/// How a game came out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The first player won.
    First,
    /// Nobody won.
    Draw,
    /// The second player won.
    Second,
    /// A fault of the harness or of both sides: not counted.
    #[default]
    Void,
}

impl Outcome {
    /// The outcome of a finished game with that winner.
    pub fn of_winner(winner: Option<Player>) -> Outcome {
        winner.map_or(Outcome::Draw, Outcome::win_of)
    }

    /// The outcome in which that player wins.
    pub fn win_of(player: Player) -> Outcome {
        match player {
            Player::First => Outcome::First,
            Player::Second => Outcome::Second,
        }
    }

    /// The word in the `result` column.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::First => "first",
            Outcome::Draw => "draw",
            Outcome::Second => "second",
            Outcome::Void => "void",
        }
    }

    /// Reads the word of the `result` column.
    pub fn from_word(word: &str) -> Option<Outcome> {
        [Outcome::First, Outcome::Draw, Outcome::Second, Outcome::Void]
            .into_iter()
            .find(|o| o.word() == word)
    }
}

/// What one side spent in a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SideRecord {
    /// Moves chosen, the opening's not included.
    pub moves: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Sum over moves of the completed depth in plies; 0 for agents that do not search.
    pub depth: u64,
    /// Time spent choosing moves, in nanoseconds.
    pub time_ns: u64,
    /// Time of the slowest move, in nanoseconds.
    pub slowest_ns: u64,
}

impl SideRecord {
    /// One more move.
    pub(super) fn add(&mut self, thought: &Thought, time_ns: u64) {
        self.moves += 1;
        self.nodes += thought.stats.nodes;
        self.depth += u64::from(thought.stats.depth);
        self.time_ns += time_ns;
        self.slowest_ns = self.slowest_ns.max(time_ns);
    }
}

/// What is known of one move of an agent, apart from its text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveRecord {
    /// Who moved.
    pub player: Player,
    /// Length of the moves' text before this one: its text stands behind it.
    pub at: usize,
    /// Positions searched; `None` for agents that do not search.
    pub nodes: Option<u64>,
    /// Completed depth in plies; `None` for agents that do not search.
    pub depth: Option<u32>,
    /// The agent's own value of the position, in the first player's frame and the unit of
    /// its evaluator; `None` where it has none.
    pub value: Option<f64>,
    /// Time spent choosing, in nanoseconds.
    pub time_ns: u64,
    /// Nodes left early because a bound was met, and how many of them after the first move;
    /// `None` for agents that do not search.
    pub cutoffs: Option<[u64; 2]>,
}

impl GameRecord {
    /// Why the game is void, where no agent is to blame and it can be played again.
    pub fn voided_by(&self) -> Option<FaultKind> {
        [FaultKind::Stopped, FaultKind::Shortage, FaultKind::Overload]
            .into_iter()
            .find(|kind| self.outcome == Outcome::Void && self.reason == kind.reason())
    }
}

/// What is known of a finished game, apart from its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRecord {
    /// What fixed it.
    pub spec: GameSpec,
    /// How it came out.
    pub outcome: Outcome,
    /// The rule or fault that ended it.
    pub reason: &'static str,
    /// Moves of both players from the start, the opening's included.
    pub plies: u32,
    /// Random words drawn by agents and dice; 0: the game is a function of its opening
    /// and its seats, and playing it again shows nothing new.
    pub random_words: u64,
    /// What each side spent: first, second.
    pub sides: [SideRecord; 2],
}
