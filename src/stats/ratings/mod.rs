//! Ratings of many players from games between pairs of them.
//!
//! [`RatingList::new`] is what a report wants: half-point Bradley-Terry ratings
//! within every group of players that the results connect, bounds for players
//! who only won or only lost, and nothing for those who never met. [`fit()`] is
//! the estimation itself, also for the models of Davidson and of Rao and Kupper.

mod bound;
mod clusters;
mod compare;
mod covariance;
mod cycles;
#[cfg(test)]
mod finite;
mod fit;
mod graph;
mod leagues;
mod list;
mod matrix;
mod model;
mod newton;
mod profile;
mod samples;

use std::borrow::Borrow;

use super::pairs::Evidence;

pub use compare::{Comparison, holm};
pub use covariance::Covariance;
pub use cycles::shortest_cycle;
pub use fit::{Fit, FitOptions, NoFit, fit};
pub use graph::{first_mover_is_identified, strong_components, weak_components};
pub use list::{Group, ListOptions, Rating, RatingList, Reference, Standing};
pub use model::Model;

/// All games between two players, numbered from 0. The same two players may
/// appear in several pairings, in either order. The evidence is owned or borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing<E = Evidence> {
    /// The player whose results the evidence holds.
    pub a: usize,
    /// The opponent, another than `a`.
    pub b: usize,
    /// The pairs and lone games, by `a`'s results.
    pub evidence: E,
}

impl<E: Borrow<Evidence>> Pairing<E> {
    fn evidence(&self) -> &Evidence {
        self.evidence.borrow()
    }
}
