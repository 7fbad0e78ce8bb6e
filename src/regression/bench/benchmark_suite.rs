//! The benchmark suite: each kind of game with its positions, each kind of agent with its budgets.
//!
//! A game or an agent that is not listed here is measured with its defaults. Combinations that do
//! not work are skipped, so an agent for one game needs no exceptions for the others.

use crate::play::Registry;

/// A game with the positions in which agents choose a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct BenchGame {
    /// The game, as given on the command line: `mnk:m=15,n=15,k=5`.
    pub spec: &'static str,
    /// Lengths of the random openings that lead to the positions; 0 is the start position.
    pub plies: &'static [u32],
    /// Depth to which move sequences are counted.
    pub perft: u32,
    /// The values of `{deep}` and `{flat}` in the budgets of agents.
    pub depths: [u32; 2],
}

/// The maximum number of positions of each length.
pub(super) const POSITIONS: u64 = 8;

/// Games that are measured with settings other than the defaults.
const GAMES: &[BenchGame] = &[
    BenchGame { spec: "tictactoe", plies: &[0, 1, 2, 3], perft: 9, depths: [9, 5] },
    BenchGame { spec: "mnk:m=15,n=15,k=5", plies: &[4, 12], perft: 2, depths: [2, 1] },
    BenchGame { spec: "mnk:m=4,n=4,k=4", plies: &[2, 4], perft: 5, depths: [6, 3] },
    BenchGame { spec: "connect4", plies: &[0, 4, 8, 16], perft: 7, depths: [8, 4] },
    BenchGame { spec: "connect4:columns=8,rows=7", plies: &[8], perft: 6, depths: [7, 4] },
    BenchGame { spec: "chess", plies: &[8], perft: 3, depths: [2, 1] },
    BenchGame { spec: "breakthrough", plies: &[0, 8], perft: 4, depths: [4, 2] },
    BenchGame { spec: "kalah", plies: &[0, 4, 8], perft: 7, depths: [7, 5] },
    BenchGame { spec: "othello", plies: &[0, 8, 20], perft: 6, depths: [5, 3] },
    BenchGame { spec: "checkers", plies: &[0, 8, 40], perft: 7, depths: [7, 4] },
    BenchGame { spec: "go:size=5", plies: &[0, 8, 16], perft: 3, depths: [4, 2] },
    BenchGame { spec: "pig", plies: &[0, 6, 12], perft: 6, depths: [4, 3] },
    BenchGame { spec: "einstein", plies: &[0, 4, 8], perft: 1, depths: [3, 2] },
    BenchGame { spec: "backgammon", plies: &[0, 4, 40], perft: 1, depths: [1, 1] },
    BenchGame { spec: "pacman", plies: &[0, 4, 8], perft: 16, depths: [8, 5] },
    BenchGame { spec: "tree", plies: &[0], perft: 2, depths: [2, 1] },
];

/// The agents, as given on the command line, with `{deep}` and `{flat}` for the depths of the game.
/// There are no budgets in time, because their results depend on the machine.
const AGENTS: &[&str] = &[
    "random",
    "minimax:depth={flat}",
    "alphabeta:depth={deep},table_mb=1",
    "alphabeta:depth={deep},ordering=none,table_mb=0",
    "alphabeta:depth={flat},quiescence=true,table_mb=1",
    "alphabeta:nodes=2000,table_mb=1",
    "expectimax:depth={flat}",
    "expectimax:depth={flat},opponent=epsilon,epsilon=0.25",
    "noisy:agent=(expectimax:depth={flat}),epsilon=0.5",
    "mcts:simulations=500,tree_mb=1",
    "perfect",
    "hold",
    "optimal",
    "directional",
];

/// Agents that would take minutes in a game. The solver of Connect Four has its own benchmark.
const EXCEPT: &[(&str, &str)] =
    &[("perfect", "connect4"), ("perfect", "connect4:columns=8,rows=7")];

/// The kind at the start of a spec.
fn kind(spec: &str) -> &str {
    spec.split(':').next().unwrap_or_default()
}

/// The listed games, and all others of the registry.
pub(super) fn games(registry: &Registry) -> Vec<BenchGame> {
    let listed = |name| GAMES.iter().any(|game| kind(game.spec) == name);
    let others = registry.games.iter().filter(|entry| entry.has_defaults());
    let others = others.map(|entry| entry.kind).filter(|name| !listed(*name));
    let with_defaults = |spec| BenchGame { spec, plies: &[0, 4], perft: 2, depths: [2, 1] };
    GAMES.iter().copied().chain(others.map(with_defaults)).collect()
}

/// The listed agents, and all others of the registry.
pub(super) fn agents(registry: &Registry) -> Vec<&'static str> {
    let listed = |name| AGENTS.iter().any(|spec| kind(spec) == name);
    let others = registry.agents.iter().map(|info| info.kind).filter(|name| !listed(*name));
    AGENTS.iter().copied().chain(others).collect()
}

/// Whether an agent is measured in a game, if it can play it.
pub(super) fn takes_part(spec: &str, game: &BenchGame) -> bool {
    !EXCEPT.contains(&(spec, game.spec))
}

/// An agent's settings with the depths of a game.
pub(super) fn fill(spec: &str, game: &BenchGame) -> String {
    let [deep, flat] = game.depths.map(|depth| depth.to_string());
    spec.replace("{deep}", &deep).replace("{flat}", &flat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{parse_agent_spec, parse_game_spec};

    #[test]
    fn every_setting_is_played_in_some_game() {
        let registry = Registry::builtin();
        let worlds: Vec<_> = (games(&registry).into_iter())
            .map(|game| (parse_game_spec(game.spec, "", &registry).expect(game.spec).1, game))
            .collect();
        for spec in AGENTS {
            assert!(!spec.contains("movetime") && !spec.contains("clock"), "{spec}");
            let plays = |(any_game, game): &(crate::play::AnyGame, BenchGame)| {
                parse_agent_spec(&fill(spec, game), "", any_game, &registry).is_ok()
            };
            assert!(worlds.iter().any(plays), "no game takes `{spec}`");
        }
    }
}
