//! Which games place a newcomer in a list of rated players.
//!
//! A game against a player of known strength has the information `p (1 - p)` about the newcomer, with
//! the expected score `p`. Draws make scores vary less than that, by a ratio that the results show.
//! Adaptive tests choose their next question in this way: F. Lord, "Applications of item response
//! theory" (1980).

use super::super::ratings::{NATS_PER_ELO, Rating};
use super::fitted::Fitted;
use super::likelihood::dot;
use super::ranked_ratings::RankedRatings;
use super::ranked_samples::RankedSamples;
use crate::stats::elo;

/// What a newcomer has to play.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacingGames {
    /// The next games.
    pub stage: PlacingStage,
    /// What is known of the newcomer's rating before them: its mean and its standard deviation, in
    /// Elo.
    pub known: [f64; 2],
    /// The opponents of the next games, the best first.
    pub opponents: Vec<usize>,
    /// The number of games against each opponent; even, so that both seats are equal.
    pub games_each: u64,
    /// All games until the newcomer is placed, if a sensible number is enough: the median of those for
    /// its likely ratings.
    pub games: Option<u64>,
    /// The probability of ratings for which no sensible number of games is enough.
    pub hopeless: f64,
    /// The games of a newcomer who plays equally often against everybody, from the start; also a
    /// median.
    pub gauntlet: Option<u64>,
}

/// The games that are next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacingStage {
    /// A few games against opponents of all strengths.
    Search,
    /// Games against near opponents.
    Measure,
    /// None: the interval is narrow enough.
    Placed,
    /// None: the ratings of the others are too uncertain for a sensible number of games.
    Impossible,
}

/// The opponents of a search, and the games against each.
const SEARCH: (usize, u64) = (8, 2);
/// As long as a rating has a larger standard deviation, in Elo, only this part of the games is next.
const UNCERTAIN: f64 = 50.0;
const PART: u64 = 4;
/// A rating with a larger standard deviation, in Elo, is searched for.
const MOST_UNCERTAIN: f64 = 150.0;
/// What the search leaves, for a forecast.
const AFTER_SEARCH: f64 = 100.0;
/// A newcomer's rating deviates from the mean of the list by at least this, in Elo.
const LEAST_SPREAD: f64 = 200.0;
/// The numbers of near opponents. With fewer, one unusual opponent would decide.
const FEWEST: usize = 4;
const MOST: usize = 40;
/// The parts of what is known for which a forecast has a plan each.
const PARTS: usize = 9;
/// The steps of a rating in Elo.
const STEP: f64 = 5.0;
/// More games against an opponent are no plan.
const MOST_GAMES: u64 = 1 << 24;
/// More than this multiple of the games against opponents with exact ratings is no plan either.
const MOST_TIMES: f64 = 10.0;

/// The possible ratings of the newcomer with their probabilities.
type Density = Vec<(f64, f64)>;

fn density(ln: impl Fn(f64) -> f64, [lo, hi]: [f64; 2]) -> Density {
    let steps = ((hi - lo) / STEP).ceil() as usize;
    let at: Vec<(f64, f64)> =
        (0..=steps).map(|step| lo + STEP * step as f64).map(|elo| (elo, ln(elo))).collect();
    let most = at.iter().fold(f64::NEG_INFINITY, |most, (_, ln)| most.max(*ln));
    let sum: f64 = at.iter().map(|(_, ln)| (ln - most).exp()).sum();
    at.into_iter().map(|(elo, ln)| (elo, (ln - most).exp() / sum)).collect()
}

fn mean_and_deviation(density: &Density) -> [f64; 2] {
    let mean: f64 = density.iter().map(|(elo, weight)| elo * weight).sum();
    let variance: f64 = density.iter().map(|(elo, weight)| (elo - mean).powi(2) * weight).sum();
    [mean, variance.sqrt()]
}

/// The logarithm of the expected score at this difference in nats, also where the score rounds to 1.
fn ln_score(nats: f64) -> f64 {
    if nats < 0.0 { nats - nats.exp().ln_1p() } else { -(-nats).exp().ln_1p() }
}

fn median(mut numbers: Vec<u64>) -> Option<u64> {
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied()
}

/// The medians of parts with equal probabilities.
fn likely(density: &Density) -> [f64; PARTS] {
    std::array::from_fn(|part| {
        let middle = (part as f64 + 0.5) / PARTS as f64;
        let mut below = 0.0;
        let is_middle = |(_, weight): &&(f64, f64)| {
            below += weight;
            below >= middle
        };
        density.iter().find(is_middle).map_or(0.0, |(elo, _)| *elo)
    })
}

fn ln_normal(elo: f64, [mean, deviation]: [f64; 2]) -> f64 {
    -0.5 * ((elo - mean) / deviation).powi(2)
}

/// The rated players, without the newcomer.
struct Opponents<'a> {
    fitted: &'a Fitted,
    players: Vec<usize>,
    elo: Vec<f64>,
    /// The games of the newcomer against each, and their points.
    met: Vec<(f64, f64)>,
    /// The variance of scores divided by `p (1 - p)`.
    effect: f64,
    /// The contrast of the players whose mean rating is fixed, and its product with the covariance.
    reference: (Vec<f64>, Vec<f64>),
}

impl RankedRatings {
    /// What `newcomer` has to play until its rating has an interval of ± `within` Elo. A newcomer
    /// without a number is not in the rows, which have two sides each. `None` without rated players.
    pub fn placing(
        &self,
        samples: &RankedSamples,
        anchors: &[(usize, f64)],
        newcomer: Option<usize>,
        within: f64,
    ) -> Option<PlacingGames> {
        let list = Opponents::new(self, samples, anchors, newcomer)?;
        let (prior, range) = list.prior();
        let posterior = density(|elo| ln_normal(elo, prior) + list.ln_likelihood(elo), range);
        let known = mean_and_deviation(&posterior);
        let is_search = known[1] > MOST_UNCERTAIN;
        let after_search = |elo: f64| density(|at| ln_normal(at, [elo, AFTER_SEARCH]), range);
        let forecasts: Vec<Density> = match is_search {
            true => likely(&posterior).map(after_search).into(),
            false => vec![posterior],
        };
        let all: Vec<usize> = (0..list.players.len()).collect();
        let (met, new): (Vec<f64>, Vec<f64>) =
            list.met.iter().map(|(games, _)| (*games, 0.0)).unzip();
        let (mut plans, mut gauntlets) = (Vec::new(), Vec::new());
        for forecast in &forecasts {
            let information = list.information(forecast);
            plans.push(list.near(&met, &information, within));
            let each = list.games(&all, &new, &information, within);
            gauntlets.extend(each.map(|each| each * all.len() as u64));
        }
        let gauntlet = median(gauntlets);
        let possible: Vec<&(Vec<usize>, u64)> = plans.iter().flatten().collect();
        let hopeless = 1.0 - possible.len() as f64 / plans.len() as f64;
        let width = newcomer.map(|player| self.ratings()[player]);
        let is_placed =
            matches!(width, Some(Rating::Estimate { lo, hi, .. }) if hi - lo <= 2.0 * within);
        let (stage, opponents, games_each) = match possible.first() {
            _ if is_placed => (PlacingStage::Placed, Vec::new(), 0),
            None => (PlacingStage::Impossible, Vec::new(), 0),
            Some(_) if is_search => (PlacingStage::Search, list.spread(known), SEARCH.1),
            Some((near, each)) => {
                let part = if known[1] > UNCERTAIN { PART } else { 1 };
                (PlacingStage::Measure, near.clone(), 2 * each.div_ceil(2 * part))
            }
        };
        let total = possible.iter().map(|(near, each)| near.len() as u64 * each);
        let usual = median(total.collect());
        let search = if is_search { opponents.len() as u64 * games_each } else { 0 };
        let games = match stage {
            PlacingStage::Placed => Some(0),
            _ => usual.map(|games| search + games),
        };
        let opponents = opponents.into_iter().map(|opponent| list.players[opponent]).collect();
        Some(PlacingGames { stage, known, opponents, games_each, games, hopeless, gauntlet })
    }
}

impl<'a> Opponents<'a> {
    fn new(
        ratings: &'a RankedRatings,
        samples: &RankedSamples,
        anchors: &[(usize, f64)],
        newcomer: Option<usize>,
    ) -> Option<Self> {
        let fitted = ratings.fitted()?;
        let members = ratings.components().first()?;
        let mut players: Vec<usize> =
            members.iter().copied().filter(|player| Some(*player) != newcomer).collect();
        players.sort_unstable();
        let elo: Option<Vec<f64>> =
            players.iter().map(|&player| ratings.ratings()[player].estimate()).collect();
        let elo = elo.filter(|elo| !elo.is_empty())?;
        let fixed: Vec<usize> = match anchors.is_empty() {
            true => players.clone(),
            false => anchors.iter().map(|(player, _)| *player).collect(),
        };
        let mut contrast = vec![0.0; fitted.design.size];
        for place in fixed.iter().filter_map(|&player| fitted.design.place(player)) {
            contrast[place] -= 1.0 / fixed.len() as f64;
        }
        let along = fitted.variance.covariance.times(&contrast);
        let mut met = vec![(0.0, 0.0); players.len()];
        for (_, sides, count) in samples.different_rows() {
            let [a, b] = sides.collect::<Vec<_>>()[..] else { continue };
            for (of, other) in [(a, b), (b, a)] {
                let opponent = players.binary_search(&(other.members[0] as usize));
                let is_newcomer = Some(of.members[0] as usize) == newcomer;
                let (Ok(opponent), true) = (opponent, is_newcomer) else {
                    continue;
                };
                let score = match of.rank.cmp(&other.rank) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
                met[opponent].0 += count as f64;
                met[opponent].1 += count as f64 * score;
            }
        }
        let effect = effect(fitted);
        Some(Opponents { fitted, players, elo, met, effect, reference: (contrast, along) })
    }

    /// What is assumed of a newcomer without games, and the range of its rating.
    fn prior(&self) -> ([f64; 2], [f64; 2]) {
        let n = self.elo.len() as f64;
        let mean = self.elo.iter().sum::<f64>() / n;
        let variance = self.elo.iter().map(|elo| (elo - mean).powi(2)).sum::<f64>() / n;
        let deviation = variance.sqrt().max(LEAST_SPREAD);
        let reach = 5.0 * deviation;
        ([mean, deviation], [mean - reach, mean + reach])
    }

    fn ln_likelihood(&self, elo: f64) -> f64 {
        let of = |(&(games, points), other): (&(f64, f64), &f64)| {
            let nats = (elo - other) * NATS_PER_ELO;
            points * ln_score(nats) + (games - points) * ln_score(-nats)
        };
        let met = self.met.iter().zip(&self.elo).filter(|((games, _), _)| *games > 0.0);
        met.map(of).sum::<f64>() / self.effect
    }

    /// The expected information of a game against each opponent.
    fn information(&self, newcomer: &Density) -> Vec<f64> {
        let of = |other: &f64| {
            let at = |(elo, weight): &(f64, f64)| {
                let p = elo::to_score(elo - other);
                weight * p * (1.0 - p)
            };
            newcomer.iter().map(at).sum::<f64>() / self.effect
        };
        self.elo.iter().map(of).collect()
    }

    /// The opponents that are spread over what is known, each once.
    fn spread(&self, [mean, deviation]: [f64; 2]) -> Vec<usize> {
        let ends = self
            .elo
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], elo| [lo.min(*elo), hi.max(*elo)]);
        let [lo, hi] =
            [-2.0, 2.0].map(|errors| (mean + errors * deviation).clamp(ends[0], ends[1]));
        let most = SEARCH.0.min(self.elo.len());
        let mut found: Vec<usize> = Vec::new();
        for place in 0..most {
            let target = lo + (hi - lo) * (place as f64 + 0.5) / most as f64;
            let distance = |opponent: usize| (self.elo[opponent] - target).abs();
            let free = (0..self.elo.len()).filter(|opponent| !found.contains(opponent));
            found.extend(free.min_by(|&a, &b| distance(a).total_cmp(&distance(b))));
        }
        found
    }

    /// The near opponents with the fewest games, and the games against each.
    fn near(&self, met: &[f64], information: &[f64], within: f64) -> Option<(Vec<usize>, u64)> {
        let mut order: Vec<usize> = (0..information.len()).collect();
        order.sort_by(|&a, &b| information[b].total_cmp(&information[a]).then(a.cmp(&b)));
        let fewest = FEWEST.min(order.len());
        let width = within * NATS_PER_ELO / self.fitted.confidence.z();
        let most = MOST_TIMES / (information[order[0]] * width * width);
        let plans = (fewest..=order.len().min(MOST)).filter_map(|opponents| {
            let near = &order[..opponents];
            let each = self.games(near, met, information, within)?;
            let is_sensible = (opponents as u64 * each) as f64 <= most.max(100.0);
            is_sensible.then(|| (near.to_vec(), each))
        });
        plans.min_by_key(|(near, each)| near.len() as u64 * each)
    }

    /// The even number of games against each of these opponents, if it is enough for ± `within`.
    fn games(&self, near: &[usize], met: &[f64], information: &[f64], within: f64) -> Option<u64> {
        let is_enough = |each: u64| {
            let mut games = met.to_vec();
            near.iter().for_each(|&opponent| games[opponent] += each as f64);
            self.half_width(&games, information) <= within
        };
        if !is_enough(MOST_GAMES) {
            return None;
        }
        let (mut too_few, mut enough) = (0, MOST_GAMES / 2);
        while enough - too_few > 1 {
            let middle = u64::midpoint(too_few, enough);
            match is_enough(2 * middle) {
                true => enough = middle,
                false => too_few = middle,
            }
        }
        Some(2 * enough)
    }

    /// Half of the interval of the newcomer's rating after these games, in Elo. The ratings of the
    /// opponents have errors, too.
    fn half_width(&self, games: &[f64], information: &[f64]) -> f64 {
        let weights = games.iter().zip(information).map(|(games, information)| games * information);
        let weights: Vec<(usize, f64)> =
            weights.enumerate().filter(|(_, weight)| *weight > 0.0).collect();
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let (fixed, along) = &self.reference;
        let of: Vec<(usize, f64)> = (weights.iter())
            .filter_map(|&(opponent, weight)| {
                Some((self.fitted.design.place(self.players[opponent])?, weight / sum))
            })
            .collect();
        let covariance = &self.fitted.variance.covariance;
        let among: f64 = (of.iter())
            .map(|&(i, a)| a * of.iter().map(|&(j, b)| b * covariance.at(i, j)).sum::<f64>())
            .sum();
        let with_fixed: f64 = of.iter().map(|&(i, a)| a * along[i]).sum();
        let errors = among + 2.0 * with_fixed + dot(fixed, along);
        self.fitted.confidence.z() * (1.0 / sum + errors.max(0.0)).sqrt() / NATS_PER_ELO
    }
}

/// The variance of the scores, divided by that of games without draws.
fn effect(fitted: &Fitted) -> f64 {
    let (mut rows, mut observed, mut expected) = (0.0, 0.0, 0.0);
    fitted.design.for_each_row(&fitted.best.point.at, |row, point| {
        rows += row.count;
        observed += row.count * point.gradient[0].powi(2);
        expected += row.count * point.information[0];
    });
    let free = rows - fitted.design.size as f64;
    // As many parameters as rows explain everything.
    if free < rows / 2.0 { 1.0 } else { (observed / expected * rows / free).max(0.05) }
}
