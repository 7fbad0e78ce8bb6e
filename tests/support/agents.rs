//! Helpers for tests of agents: build an agent from some parameters and ask it for a move.

use agon::agents::{Agent, GameSoFar, MoveRequest, SearchInfo, catalogue};
use agon::games::{Game, Turn};
use agon::params::{Spec, Value, Values};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// A spec with the given values.
pub fn spec(kind: &str, given: &[(&str, Value)]) -> Spec {
    let info = catalogue().into_iter().find(|info| info.kind == kind).unwrap();
    let mut values = Values::default();
    for (key, value) in given {
        assert!(info.params.iter().any(|param| param.key == *key), "{kind} takes no {key}");
        values.set(key, value.clone());
    }
    Spec { kind: kind.to_owned(), values }
}

/// The move, the report, and the random numbers that the agent drew.
pub fn choose<G: Game>(
    agent: &mut Box<dyn Agent<G>>,
    game: &G,
    state: &G::State,
    seed: u64,
) -> (G::Move, SearchInfo, u128) {
    let Turn::Player(player) = game.turn(state) else { panic!("no player is to move") };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut search_info = SearchInfo::default();
    let request = &mut MoveRequest {
        game,
        state,
        player,
        history: &[],
        rng: &mut rng,
        search_info: &mut search_info,
        game_so_far: GameSoFar::nothing(),
    };
    let mv = agent.choose(request).unwrap();
    (mv, search_info, rng.get_word_pos())
}
