//! Checks that keys agree with equality.

use std::collections::HashMap;

use crate::games::game::Game;

/// Checks that equal positions have equal keys and that different positions in the sample have
/// different keys. With 64 random bits a collision is very unlikely.
pub fn check<G: Game>(game: &G, positions: &[G::State]) {
    let mut by_key: HashMap<u64, &G::State> = HashMap::new();
    let mut by_text: HashMap<String, u64> = HashMap::new();
    for state in positions {
        let key = game.key(state);
        assert_eq!(key, game.key(&state.clone()), "the key of {state:?} changes");
        let known = *by_key.entry(key).or_insert(state);
        assert_eq!(known, state, "different positions share the key {key:#018x}");
        // Uses the debug text because positions cannot be hashed.
        let known = *by_text.entry(format!("{state:?}")).or_insert(key);
        assert_eq!(known, key, "equal positions have different keys: {state:?}");
    }
}
