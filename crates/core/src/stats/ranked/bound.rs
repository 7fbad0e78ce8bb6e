//! Bounds for players who always ranked above or below a component.

use std::collections::BTreeMap;

use super::super::ratings::NATS_PER_ELO;
use super::super::ratings::Rating;
use super::design::{Design, Terms};
use super::fitted::Fitted;
use super::ranked_samples::{RankedSamples, StoredSides};

/// No bound is farther from the component, in nats.
const FAR: f64 = 100.0;

/// The bound of a player relative to the mean of `reference`, in Elo: the rating at which the results
/// against the component have a probability of half of `1 - level`. The ratings of the component
/// count as known, and a group counts as one row. [`Rating::Unknown`] if they did not meet.
pub(super) fn bound(
    samples: &RankedSamples,
    fitted: &Fitted,
    terms: &Terms,
    component: &[usize],
    reference: &[usize],
    player: usize,
) -> Rating {
    let terms = &Terms { seats: fitted.design.seats, ..terms.clone() };
    let has_player =
        |mut sides: StoredSides<'_>| sides.any(|side| side.players().any(|other| other == player));
    let with = [component, &[player]].concat();
    let with = Design::new(samples, &[with], terms, has_player);
    let without = Design::new(samples, &[component.to_vec()], terms, has_player);
    let Some(place) = with.place(player) else { return Rating::Unknown };
    let mut is_met = false;
    with.visit(|row| is_met |= row.contains(place));
    if !is_met {
        return Rating::Unknown;
    }
    let known = with.translate(&fitted.design, &fitted.best.point.at);
    let weights = GroupWeights::new(&with);
    let limit = without.translate(&fitted.design, &fitted.best.point.at);
    let limit = weights.ln_likelihood(&without, &limit);
    let ln_probability = |rating: f64| {
        let mut at = known.clone();
        at[place] = rating;
        weights.ln_likelihood(&with, &at) - limit
    };
    let is_above = ln_probability(FAR) > ln_probability(-FAR);
    let least = (fitted.confidence.alpha() / 2.0).ln();
    let (mut lo, mut hi) = (-FAR, FAR);
    for _ in 0..60 {
        let middle = f64::midpoint(lo, hi);
        match (ln_probability(middle) < least) == is_above {
            true => lo = middle,
            false => hi = middle,
        }
    }
    let mean = reference.iter().filter_map(|&p| Some(known[with.place(p)?])).sum::<f64>();
    let elo = (lo - mean / reference.len() as f64) / NATS_PER_ELO;
    if is_above { Rating::AtLeast(elo) } else { Rating::AtMost(elo) }
}

/// The number of rows of each group.
struct GroupWeights(BTreeMap<usize, f64>);

impl GroupWeights {
    fn new(design: &Design) -> Self {
        let mut rows = BTreeMap::new();
        design.visit(|row| {
            row.group.into_iter().for_each(|group| *rows.entry(group).or_default() += row.count);
        });
        Self(rows)
    }

    /// The log-likelihood if each group counts as one row.
    fn ln_likelihood(&self, design: &Design, at: &[f64]) -> f64 {
        let mut sum = 0.0;
        design.for_each_row(at, |row, point| {
            let rows = row.group.and_then(|group| self.0.get(&group)).unwrap_or(&1.0);
            sum += row.count * point.ln / rows;
        });
        sum
    }
}
