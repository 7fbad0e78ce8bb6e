//! The specification of a game before it is played, and its record afterwards.

use crate::agents::{AnswerCounts, FaultKind, SearchInfo};
use crate::games::Player;

/// Everything that determines a game: a pure function of its number.
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
    /// Number of the random stream for the dice.
    pub dice: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The first player won.
    First,
    /// The game is drawn.
    Draw,
    /// The second player won.
    Second,
    /// The game does not count: a fault of the harness or of both sides.
    #[default]
    Void,
}

impl Outcome {
    /// The outcome of a finished game with this winner.
    pub fn of_winner(winner: Option<Player>) -> Outcome {
        winner.map_or(Outcome::Draw, Outcome::win_of)
    }

    /// The outcome in which this player wins.
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
    pub fn from_word(word: &[u8]) -> Option<Outcome> {
        [Outcome::First, Outcome::Draw, Outcome::Second, Outcome::Void]
            .into_iter()
            .find(|o| o.word().as_bytes() == word)
    }
}

/// The moves, the work and the time of one side in a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SideRecord {
    /// Number of chosen moves, without the opening's moves.
    pub moves: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Sum of the completed depths of all moves, in plies; 0 for agents that do not search.
    pub depth: u64,
    /// Time spent choosing moves, in nanoseconds.
    pub time_ns: u64,
    /// Time of the slowest move, in nanoseconds.
    pub slowest_ns: u64,
    /// Counts of the answers of an external program.
    pub answers: AnswerCounts,
}

impl SideRecord {
    pub(super) fn add(&mut self, search_info: &SearchInfo, time_ns: u64) {
        self.moves += 1;
        self.nodes += search_info.stats.nodes;
        self.depth += u64::from(search_info.stats.depth);
        self.time_ns += time_ns;
        self.slowest_ns = self.slowest_ns.max(time_ns);
    }
}

/// The data of one move of an agent, without the text of the move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveRecord {
    /// The player who moved.
    pub player: Player,
    /// Length of the text of the moves before this one; the text of this move follows there.
    pub at: usize,
    /// Positions searched; `None` for agents that do not search.
    pub nodes: Option<u64>,
    /// Completed depth in plies; `None` for agents that do not search.
    pub depth: Option<u32>,
    /// The agent's own value of the position, from the first player's view and in the unit of its
    /// evaluator. `None` if the agent reports no value.
    pub value: Option<f64>,
    /// Time spent choosing, in nanoseconds.
    pub time_ns: u64,
    /// Number of cut-offs, and how many of them the first move caused; `None` for agents that do
    /// not search.
    pub cutoffs: Option<[u64; 2]>,
}

impl GameRecord {
    /// Whether the game is void because the program of `[game]` or both players failed.
    pub fn is_rules_failure(&self) -> bool {
        let failures = [FaultKind::Rules, FaultKind::BothErred].map(FaultKind::reason);
        self.outcome == Outcome::Void && failures.contains(&self.reason)
    }

    /// Why the game is void, if no agent is at fault and the game can be repeated.
    pub fn voided_by(&self) -> Option<FaultKind> {
        [FaultKind::Shortage, FaultKind::Unavailable, FaultKind::Overload, FaultKind::Tables]
            .into_iter()
            .find(|kind| self.outcome == Outcome::Void && self.reason == kind.reason())
    }
}

/// The data of a finished game, without its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRecord {
    /// The specification of the game.
    pub spec: GameSpec,
    pub outcome: Outcome,
    /// The rule or fault that ended the game.
    pub reason: &'static str,
    /// Moves of both players from the start, the opening's moves included.
    pub plies: u32,
    /// Random words drawn by agents and dice. With 0, the opening and the seats determine the whole
    /// game, so a repetition gives no new information.
    pub rng_draws: u64,
    /// The first player's luck, in billionths of a point; `None` if it was not measured.
    pub luck: Option<i64>,
    /// The data of the first and the second side.
    pub sides: [SideRecord; 2],
}
