//! Checks chance outcomes: they exist, have weights, and are merged.

use std::collections::HashSet;

use crate::games::game::{Game, Turn};
use crate::util::collect_with_less_code::Gather;

/// Checks that chance nodes have outcomes without duplicates, with positive weights whose sum fits
/// 32 bits.
pub fn check<G: Game>(game: &G, positions: &[G::State]) {
    for state in positions.iter().filter(|state| game.turn(state) == Turn::Chance) {
        let text = game.write_position(state);
        assert!(game.has_chance(), "chance acts, but `has_chance` denies it: {text}");
        let mut outcomes = Vec::new();
        game.outcomes(state, &mut outcomes);
        assert!(!outcomes.is_empty(), "no outcomes in {text}");
        let distinct: HashSet<_> = outcomes.iter().map(|(outcome, _)| outcome).collect();
        assert_eq!(distinct.len(), outcomes.len(), "equal outcomes are not merged in {text}");
        assert!(outcomes.iter().all(|&(_, weight)| weight > 0), "a weight of 0 in {text}");
        let sum: u64 = outcomes.iter().map(|&(_, weight)| u64::from(weight)).total();
        assert!(u32::try_from(sum).is_ok(), "the weights of {text} do not fit 32 bits");
    }
}
