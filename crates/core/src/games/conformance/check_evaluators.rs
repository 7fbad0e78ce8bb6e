//! Checks evaluators: names, bounds, equal values for symmetric positions.

use super::sample_positions::quiet_moves;
use crate::games::configurable_game_trait::Configurable;
use crate::games::evaluator_trait::{
    Evaluator, EvaluatorInfo, EvaluatorVisitor, MAX_VALUE, Weights,
};
use crate::games::game::{Game, GameExt, Symmetry};

/// The values of all positions and, for each symmetry except the identity, of their images.
struct Values<'a, G: Game> {
    game: &'a G,
    positions: &'a [G::State],
}

impl<G: Game> EvaluatorVisitor<G> for Values<'_, G> {
    type Out = Vec<Vec<i32>>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out {
        let game = self.game;
        if evaluator.counts_pieces() {
            check_quiet(game, self.positions, &evaluator);
        }
        let images = |s| {
            let image = |state| evaluator.evaluate(game, &game.symmetry().map_state(s, state));
            self.positions.iter().map(image).collect()
        };
        (0..game.symmetry().symmetries()).map(images).collect()
    }
}

/// Checks that quiet moves do not change the value.
fn check_quiet<G: Game>(game: &G, positions: &[G::State], evaluator: &impl Evaluator<G>) {
    for state in positions {
        for mv in quiet_moves(game, state) {
            let [before, after] =
                [state, &game.after(state, mv)].map(|state| evaluator.evaluate(game, state));
            let text = game.write_position(state);
            assert_eq!(before, after, "the evaluator counts more than pieces: {mv:?} in {text}");
        }
    }
}

fn values<G: Configurable>(
    game: &G,
    positions: &[G::State],
    name: &str,
    weights: &Weights,
) -> Vec<Vec<i32>> {
    game.with_evaluator(name, weights, Values { game, positions })
        .unwrap_or_else(|error| panic!("the evaluator `{name}`: {error}"))
}

/// Checks that every listed evaluator can be built, its defaults match its description, and its
/// values are in range and equal for all symmetric images. Errors for unknown names must refer to
/// the right key.
pub fn check<G: Configurable>(game: &G, positions: &[G::State]) {
    let offered = game.evaluators();
    assert!(!offered.is_empty(), "no evaluator");
    for EvaluatorInfo { name, summary, features } in &offered {
        let namesakes = offered.iter().filter(|other| other.name == *name).count();
        assert_eq!(namesakes, 1, "several evaluators `{name}`");
        assert!(!summary.is_empty() && !summary.ends_with('.'), "the summary of `{name}`");
        let weights: Weights = features.iter().cloned().collect();
        assert_eq!(weights.len(), features.len(), "a feature of `{name}` twice");
        let defaults = values(game, positions, name, &Weights::new());
        assert_eq!(values(game, positions, name, &weights), defaults, "defaults of `{name}`");
        for (i, state) in positions.iter().enumerate() {
            let (text, value) = (game.write_position(state), defaults[0][i]);
            assert!(value.abs() <= MAX_VALUE, "`{name}` is out of range: {value} in {text}");
            for (s, images) in defaults.iter().enumerate() {
                assert_eq!(images[i], value, "`{name}` of symmetry {s} of {text}");
            }
        }
        let unknown = Weights::from([("no such feature".to_owned(), 1)]);
        let refused = refusal(game, name, &unknown);
        assert_eq!(refused.as_deref(), Some("weights"), "an unknown feature of `{name}`");
    }
    let refused = refusal(game, "no such evaluator", &Weights::new());
    assert_eq!(refused.as_deref(), Some("evaluator"), "an unknown evaluator");
}

/// The key of the error when an evaluator is rejected.
fn refusal<G: Configurable>(game: &G, name: &str, weights: &Weights) -> Option<String> {
    let visitor = Values { game, positions: &[] };
    game.with_evaluator(name, weights, visitor).err().and_then(|error| error.key)
}

/// Checks that an evaluator is antisymmetric: `swap` returns the position with the sides exchanged,
/// if there is one.
///
/// # Panics
/// If the value of the exchanged position is not the negated value.
pub fn antisymmetric<G: Configurable>(
    game: &G,
    positions: &[G::State],
    name: &str,
    weights: &Weights,
    swap: impl Fn(&G::State) -> Option<G::State>,
) {
    let pairs: Vec<_> = positions.iter().filter_map(|s| Some((s.clone(), swap(s)?))).collect();
    assert!(!pairs.is_empty(), "no position has colours that can be exchanged");
    let (here, there): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let values = |positions: &[G::State]| values(game, positions, name, weights).swap_remove(0);
    for ((state, value), other) in here.iter().zip(values(&here)).zip(values(&there)) {
        let text = game.write_position(state);
        assert_eq!(value, -other, "`{name}` with the colours of {text} exchanged");
    }
}
