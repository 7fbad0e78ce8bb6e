//! Ratings of many players from games between two players.
//!
//! [`RatingList::new`] is the function for reports. It gives half-point Bradley-Terry ratings
//! within every group of connected players. Players who only won or only lost get bounds, and
//! players without opponents get no rating. [`fit()`] is the estimation itself.

mod bradley_terry_model;
mod connected_components;
mod cyclic_results_test;
mod fit_with_errors;
mod newton_fit;
mod opening_clusters;
mod pair_comparison;
mod pair_samples;
mod profile_score_test;
mod rating;
mod rating_covariance;
mod rating_list;
mod results_by_opening;
mod results_graph;

use std::borrow::Borrow;

use super::evidence::Evidence;

pub use connected_components::Group;
pub use cyclic_results_test::shortest_cycle;
pub use fit_with_errors::{Fit, FitOptions, Length, NoFit};
pub use newton_fit::fit;
pub use pair_comparison::{PairComparison, holm};
pub use rating::{ListOptions, Rating, Reference};
pub use rating_covariance::Covariance;
pub(crate) use rating_covariance::NATS_PER_ELO;
pub use rating_list::{RatingList, Standing};
pub use results_by_opening::{OpeningResult, ResultsByOpening};
pub(crate) use results_graph::strongly_connected;
pub use results_graph::{first_mover_is_identified, strong_components};

/// All games between two players, numbered from 0. The same two players may
/// appear in several pairings, in either order. The evidence is owned or borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingScore<E = Evidence> {
    /// The player whose results the evidence holds.
    pub a: usize,
    /// The opponent; different from `a`.
    pub b: usize,
    /// The pairs and single games, from the side of `a`.
    pub evidence: E,
}

impl<E: Borrow<Evidence>> PairingScore<E> {
    fn borrowed(pairings: &[Self]) -> Vec<PairingScore<&Evidence>> {
        let mut all = Vec::new();
        for pairing in pairings {
            let PairingScore { a, b, ref evidence } = *pairing;
            all.push(PairingScore { a, b, evidence: evidence.borrow() });
        }
        all
    }
}
