//! The observed results of two players, as a distribution of samples.

use super::super::evidence::Evidence;
use super::PairingScore;
use super::bradley_terry_model::{Seat, logistic};
use crate::stats::numerics::mle_given_mean::{scatter, sum};

/// Samples of one kind: the opening pairs of two players, or their single games with the same
/// first mover.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Samples {
    /// The first and the second mover of each game of a sample.
    games: Vec<(usize, usize)>,
    /// The number of samples; positive.
    pub count: f64,
    frequency: [f64; CELLS],
    /// The score of the first mover of each game, for each outcome.
    scores: [[f64; 2]; CELLS],
}

/// Number of outcomes of a pair; a single game uses three of them.
const CELLS: usize = 9;

/// The sum of scores to study: a weight for each rating and one for the first-move advantage.
pub(super) struct ScoreDirection<'a> {
    pub ratings: &'a [f64],
    pub first_mover: f64,
}

/// Ratings and the first-move advantage in nats.
pub(super) struct Observation<'a> {
    pub ratings: &'a [f64],
    pub first_mover: f64,
}

impl Samples {
    pub fn of(pairings: &[PairingScore<&Evidence>]) -> Vec<Self> {
        let mut all = Vec::new();
        for pairing in pairings.iter().filter(|p| p.a != p.b) {
            let (a, b, evidence) = (pairing.a, pairing.b, pairing.evidence);
            let cells = evidence.pairs.0.as_flattened();
            let pair = |cell: usize| [(cell / 3) as f64 / 2.0, 1.0 - (cell % 3) as f64 / 2.0];
            all.extend(Self::new(vec![(a, b), (b, a)], cells, &pair));
            let lone = |cell: usize| [cell as f64 / 2.0, 0.0];
            all.extend(Self::new(vec![(a, b)], &evidence.lone_first.0, &lone));
            all.extend(Self::new(vec![(b, a)], &evidence.lone_second.flipped().0, &lone));
        }
        all
    }

    fn new(
        games: Vec<(usize, usize)>,
        counts: &[u64],
        scores: &dyn Fn(usize) -> [f64; 2],
    ) -> Option<Self> {
        let count: f64 = counts.iter().map(|&c| c as f64).sum();
        let mut samples = Self { games, count, frequency: [0.0; CELLS], scores: [[0.0; 2]; CELLS] };
        for (cell, &seen) in counts.iter().enumerate() {
            samples.frequency[cell] = seen as f64 / count;
        }
        // A single game has fewer outcomes. The others repeat the last one and are never observed.
        for (cell, into) in samples.scores.iter_mut().enumerate() {
            *into = scores(cell.min(counts.len() - 1));
        }
        (count > 0.0).then_some(samples)
    }

    /// The movers of each kind of game, with the number of games and the points of the first
    /// movers.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        self.games.iter().enumerate().map(|(game, &(first, second))| Seat {
            first: first as u32,
            second: second as u32,
            games: self.count,
            points: self.count * self.mean(game),
        })
    }

    /// The mean score of the first mover in one of the games.
    fn mean(&self, game: usize) -> f64 {
        self.frequency.iter().zip(&self.scores).map(|(p, scores)| p * scores[game]).sum()
    }

    /// The largest variance that these samples can add in a direction.
    pub fn reach(&self, direction: &ScoreDirection) -> f64 {
        let weight: f64 = (0..self.games.len()).map(|g| self.weight(g, direction).abs()).sum();
        self.count * weight * weight
    }

    /// The variance of the sum of all samples' scores in a direction, under the maximum-likelihood
    /// distribution with the mean expected from the ratings `at`.
    ///
    /// For two players and their pairs it is the variance of [`crate::stats::Counts::interval`].
    /// Sometimes even the `best` ratings differ from the samples' mean by more than chance,
    /// because no ratings explain all results. Then the distribution keeps that distance, because
    /// the variance of the samples refers to their own mean. Without `law`, the result is the
    /// samples' observed variance around the expected mean.
    pub fn variance(
        &self,
        direction: &ScoreDirection,
        at: &Observation,
        best: &Observation,
        law: bool,
    ) -> f64 {
        let mut weights = [0.0; 2];
        for (game, weight) in weights.iter_mut().enumerate().take(self.games.len()) {
            *weight = self.weight(game, direction);
        }
        let expected = |place: &Observation| -> f64 {
            let games = self.games.iter().zip(weights);
            games.map(|(&(a, b), weight)| weight * expected(place, a, b)).sum()
        };
        let (p, mut value) = (&self.frequency, [0.0; CELLS]);
        for (value, [one, two]) in value.iter_mut().zip(self.scores) {
            *value = weights[0] * one + weights[1] * two;
        }
        let mean = sum(CELLS, &|i| p[i] * value[i]);
        let square = |from: f64| sum(CELLS, &|i| p[i] * (value[i] - from).powi(2));
        let target = expected(at);
        if !law {
            return self.count * square(target);
        }
        let fitted = expected(best);
        let miss = mean - fitted;
        // The fraction of the distance that is not chance, by the rule of James and Stein.
        let share = (1.0 - square(fitted) / (self.count * miss * miss)).max(0.0);
        let share = if share.is_finite() { share } else { 0.0 };
        let (least, most) =
            value.iter().fold((f64::MAX, f64::MIN), |(lo, hi), &v| (lo.min(v), hi.max(v)));
        let aim = (target + share * miss)
            .clamp(f64::midpoint(least, target).min(target), f64::midpoint(target, most));
        let from_aim: Vec<f64> = value.iter().map(|v| v - aim).collect();
        self.count * scatter(&self.frequency, &from_aim)
    }

    fn weight(&self, game: usize, direction: &ScoreDirection) -> f64 {
        let (first, second) = self.games[game];
        direction.ratings[first] - direction.ratings[second] + direction.first_mover
    }
}

/// The expected score of the first mover.
fn expected(place: &Observation, first: usize, second: usize) -> f64 {
    logistic(place.ratings[first] - place.ratings[second] + place.first_mover)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, PairTable};

    const NOTHING: [f64; 2] = [0.0; 2];

    fn of(evidence: Evidence) -> Vec<Samples> {
        Samples::of(&[PairingScore { a: 0, b: 1, evidence: &evidence }])
    }

    fn variance(samples: &Samples, ratings: &[f64], best: &[f64]) -> f64 {
        let direction = ScoreDirection { ratings: &[0.5, -0.5], first_mover: 0.0 };
        let (at, best) = (
            Observation { ratings, first_mover: 0.0 },
            Observation { ratings: best, first_mover: 0.0 },
        );
        samples.variance(&direction, &at, &best, true)
    }

    #[test]
    fn every_game_has_its_seat() {
        let all = of(Evidence {
            pairs: PairTable([[0, 0, 0], [0, 0, 0], [3, 1, 0]]),
            lone_first: Counts([0, 4, 0]),
            lone_second: Counts([0, 0, 2]),
        });
        let seats = all.iter().flat_map(Samples::seats);
        let seats: Vec<_> = seats.map(|s| (s.first, s.second, s.games, s.points)).collect();
        // A won four games moving first. B won three of its four games and drew the other.
        assert_eq!(seats, [(0, 1, 4.0, 4.0), (1, 0, 4.0, 3.5), (0, 1, 4.0, 2.0), (1, 0, 2.0, 0.0)]);
    }

    #[test]
    fn drawn_pairs_vary_as_a_score_interval_supposes() {
        let drawn = of(Evidence {
            pairs: PairTable([[0, 0, 0], [0, 10, 0], [0, 0, 0]]),
            ..Evidence::default()
        });
        assert_eq!(variance(&drawn[0], &NOTHING, &NOTHING), 0.0);
        // At score s the missing probability goes to the won pairs: 4 (s - ½) (1 - s) per pair.
        let s = logistic(0.3);
        let got = variance(&drawn[0], &[0.15, -0.15], &NOTHING);
        assert!((got - 10.0 * 4.0 * (s - 0.5) * (1.0 - s)).abs() < 1e-12, "{got}");
    }

    #[test]
    fn a_miss_that_is_no_chance_keeps_the_spread_of_the_samples() {
        // An even mean with a large variance, although all ratings expect 95 %.
        let evidence = Evidence { lone_first: Counts([5000, 0, 5000]), ..Evidence::default() };
        let ratings = [1.5, -1.5];
        let got = variance(&of(evidence)[0], &ratings, &ratings);
        assert!((got / 2500.0 - 1.0).abs() < 0.01, "{got}");
        // A single game cannot show this: the distribution is that of the rating, and its
        // likelihood ratio for a lost game is -2 ln(1 - s).
        let evidence = Evidence { lone_first: Counts([1, 0, 0]), ..Evidence::default() };
        let (got, s) = (variance(&of(evidence)[0], &ratings, &ratings), logistic(3.0));
        assert!((got - s * s / (-2.0 * (1.0 - s).ln())).abs() < 1e-12, "{got}");
    }
}
