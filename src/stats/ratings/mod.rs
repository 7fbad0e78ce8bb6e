//! Ratings of many players from games between two players.
//!
//! [`RatingList::new`] is the function for reports. It gives half-point Bradley-Terry ratings
//! within every group of connected players. Players who only won or only lost get bounds, and
//! players without opponents get no rating. [`fit()`] is the estimation itself.

mod all_pairs;
mod clusters;
mod components;
mod covariance;
mod cycles;
mod fit;
mod graph;
mod matrix;
mod model;
mod newton;
mod pair_scores;
mod profile;
mod rating_list;
mod unbeaten;

use std::borrow::Borrow;

use super::pairs::Evidence;

pub use all_pairs::{PairComparison, holm};
pub use components::Group;
pub use covariance::Covariance;
pub use cycles::shortest_cycle;
pub use fit::{Fit, FitOptions, NoFit};
pub use graph::{first_mover_is_identified, strong_components};
pub use newton::fit;
pub use rating_list::{RatingList, Standing};
pub use unbeaten::{ListOptions, Rating, Reference};

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
    fn evidence(&self) -> &Evidence {
        self.evidence.borrow()
    }
}
