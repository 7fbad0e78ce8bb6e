//! Checks turns, moves, outcomes of chance, ends and the length of games.

use std::collections::HashSet;

use super::sample_positions::{playable, quiet_moves};
use crate::games::game::{
    Game, GameExt, Repetition, SHORTEST_REPETITION, Scoring, SearchHints, Turn,
};
use crate::games::{has_noisy, material_unit, repeats};

/// Checks that moves have no duplicates and a stable order, that noisy moves are among them, and
/// that ends have a reason.
pub fn check<G: Game>(game: &G, positions: &[G::State]) {
    assert!(size_of::<G::State>() <= 256, "a position takes more than 256 bytes");
    assert!(size_of::<G::Move>() <= 8, "a move takes more than 8 bytes");
    let players = positions.iter().filter(|s| matches!(game.turn(s), Turn::Player(_)));
    let seen: HashSet<G::Move> = players.flat_map(|s| playable(game, s)).collect();
    for state in positions {
        let text = game.write_position(state);
        let noisy = noisy(game, state);
        match game.turn(state) {
            Turn::Over => {
                let reason = game.reason(state);
                assert!(!reason.trim().is_empty(), "no reason for the end of {text}");
                assert!(!reason.contains([',', '"', '\n']), "`{reason}` needs quotes in CSV");
                game.payoff(state);
            }
            Turn::Player(_) => {
                let moves = playable(game, state);
                assert!(!moves.is_empty(), "no moves in {text}");
                let distinct: HashSet<_> = moves.iter().collect();
                assert_eq!(distinct.len(), moves.len(), "moves twice in {text}");
                let mut again = moves.clone();
                game.moves(&state.clone(), &mut again);
                assert_eq!(again[..moves.len()], moves, "`moves` does not append in {text}");
                assert_eq!(again[moves.len()..], moves, "the order of moves changes in {text}");
                check_noisy(&moves, &noisy, &text);
                let mut buffer = Vec::new();
                for &mv in &seen {
                    let legal = game.is_legal(state, mv, &mut buffer);
                    assert_eq!(legal, distinct.contains(&mv), "`legality` of {mv:?} in {text}");
                }
                check_quiet(game, state, &text);
                for &mv in &moves {
                    game.hints().order_hint(state, mv);
                    assert_ne!(&game.after(state, mv), state, "{mv:?} changes nothing in {text}");
                }
            }
            Turn::Chance => assert!(noisy.is_empty(), "noisy outcomes of chance in {text}"),
        }
        let material = game.scoring().material(state);
        assert!(material_unit::<G>().is_some() || material == 0, "unannounced material in {text}");
        assert!(has_noisy::<G>() || noisy.is_empty(), "unannounced noisy moves in {text}");
    }
}

fn noisy<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut noisy = Vec::new();
    if let Turn::Player(_) = game.turn(state) {
        game.hints().noisy(state, &mut noisy);
    }
    noisy
}

/// Checks that the opponent is to move after each quiet move, and that no position is repeated.
fn check_quiet<G: Game>(game: &G, state: &G::State, text: &str) {
    for mv in quiet_moves(game, state) {
        let after = game.after(state, mv);
        let sides = (game.turn(state), game.turn(&after));
        let answers = matches!(sides, (Turn::Player(a), Turn::Player(b)) if a != b);
        let is_new = game.repetition().reversible_plies(&after) < SHORTEST_REPETITION;
        assert!(answers && (is_new || !repeats::<G>()), "{mv:?} is not quiet in {text}");
    }
}

/// Checks that noisy moves are legal, unique and in the order of the moves.
fn check_noisy<M: PartialEq>(moves: &[M], noisy: &[M], text: &str) {
    let mut rest = moves.iter();
    let in_order = noisy.iter().all(|mv| rest.any(|legal| legal == mv));
    assert!(in_order, "noisy moves are not among the moves in their order in {text}");
}

/// Checks that chance nodes have outcomes without duplicates, with positive weights whose sum fits
/// 32 bits.
pub fn chance<G: Game>(game: &G, positions: &[G::State]) {
    for state in positions.iter().filter(|state| game.turn(state) == Turn::Chance) {
        let text = game.write_position(state);
        assert!(game.has_chance(), "chance acts, but `has_chance` denies it: {text}");
        let mut outcomes = Vec::new();
        game.outcomes(state, &mut outcomes);
        assert!(!outcomes.is_empty(), "no outcomes in {text}");
        let distinct: HashSet<_> = outcomes.iter().map(|(outcome, _)| outcome).collect();
        assert_eq!(distinct.len(), outcomes.len(), "equal outcomes are not merged in {text}");
        assert!(outcomes.iter().all(|&(_, weight)| weight > 0), "a weight of 0 in {text}");
        let sum: u64 = outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
        assert!(u32::try_from(sum).is_ok(), "the weights of {text} do not fit 32 bits");
    }
}

/// Checks that games end within the game's stated bound.
pub(super) fn length<G: Game>(game: &G, games: u32) {
    let Some(most) = game.hints().max_plies() else { return };
    for seed in 0..games {
        let one = super::sample_positions::positions(game, 1, u64::from(seed));
        let plies = one.iter().filter(|s| matches!(game.turn(s), Turn::Player(_))).count();
        assert!(plies <= most as usize, "{plies} plies, but `max_plies` is {most}");
    }
}
