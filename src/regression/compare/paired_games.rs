//! Paired games: the same opponent, opening and seat in both runs.

use super::comparability::{Matched, unchanged};
use super::read_completed_run::{CompletedRun, PlayedGame};

/// A game of the baseline and the same game in the candidate's run, for one agent.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairedGame<'a> {
    pub base: &'a PlayedGame,
    /// The game in the candidate's run.
    pub candidate: &'a PlayedGame,
    /// The agent's seat; `None` if it plays itself and has both seats.
    pub seat: Option<usize>,
    /// The round: opponent, opening, and how often both have already played that opening.
    pub round: (usize, u64, u32),
}

/// The key of a game: opponent, opening, occurrence, seat.
type Key = (usize, u64, u32, usize);

/// The index of the opponent if an agent plays itself.
const ITSELF: usize = usize::MAX;

impl PairedGame<'_> {
    /// Whether both games have the same moves.
    pub fn identical(&self) -> bool {
        self.base.line == self.candidate.line
    }

    /// Whether the game counts as evidence even if it repeats another game.
    pub fn varies(&self) -> bool {
        self.base.varies || self.candidate.varies
    }

    /// Sums over the agent's seats, in the baseline and in the candidate's run.
    pub fn both(&self, of: impl Fn(&PlayedGame, usize) -> u64) -> (u64, u64) {
        let sum = |game: &PlayedGame| match self.seat {
            Some(seat) => of(game, seat),
            None => of(game, 0) + of(game, 1),
        };
        (sum(self.base), sum(self.candidate))
    }
}

/// All paired games of an agent, ordered by round. Opponents whose definition has changed are left
/// out, because they may cause a difference themselves.
pub(super) fn pairs<'a>(
    base: &'a CompletedRun,
    candidate: &'a CompletedRun,
    agent: &Matched,
) -> Vec<PairedGame<'a>> {
    let agents = base.experiment.agents.len();
    let there: Vec<Option<usize>> = (0..agents)
        .map(|index| unchanged(&base.experiment, &candidate.experiment, index))
        .collect();
    // Opponents are identified by their index in the baseline.
    let of_base = |index: usize| (index != agent.base && there[index].is_some()).then_some(index);
    let of_candidate = |index: usize| {
        let known = there.iter().position(|&at| at == Some(index))?;
        (index != agent.candidate && known != agent.base).then_some(known)
    };
    let here = keyed(&base.games, agent.base, of_base);
    let other = keyed(&candidate.games, agent.candidate, of_candidate);
    let mut pairs = Vec::new();
    let mut rest = other.iter().peekable();
    for (key, game) in here {
        while rest.next_if(|(other, _)| *other < key).is_some() {}
        if let Some((_, counterpart)) = rest.next_if(|(other, _)| *other == key) {
            let (opponent, opening, occurrence, seat) = key;
            pairs.push(PairedGame {
                base: game,
                candidate: counterpart,
                seat: (opponent != ITSELF).then_some(seat),
                round: (opponent, opening, occurrence),
            });
        }
    }
    pairs
}

/// An agent's games with their keys, sorted by key.
fn keyed(
    games: &[PlayedGame],
    agent: usize,
    opponent: impl Fn(usize) -> Option<usize>,
) -> Vec<(Key, &PlayedGame)> {
    let mut all: Vec<(Key, &PlayedGame)> = (games.iter())
        .filter_map(|game| {
            let key = match game.agents {
                [first, second] if first == agent && second == agent => {
                    (ITSELF, game.opening, 0, 0)
                }
                [first, second] if first == agent => (opponent(second)?, game.opening, 0, 0),
                [first, second] if second == agent => (opponent(first)?, game.opening, 0, 1),
                _ => return None,
            };
            Some((key, game))
        })
        .collect();
    // Number the games of this agent with this opponent, opening and seat.
    all.sort_by_key(|&((opponent, opening, _, seat), game)| (opponent, opening, seat, game.number));
    for i in 1..all.len() {
        let (before, _) = all[i - 1];
        let (key, _) = &mut all[i];
        if (before.0, before.1, before.3) == (key.0, key.1, key.3) {
            key.2 = before.2 + 1;
        }
    }
    all.sort_by_key(|&(key, _)| key);
    all
}
