//! Tuning in rounds: each round plays shifted parameters against the opposite shifts, and its result
//! moves the parameters. The state after a round follows from the results of the rounds before.

use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::sprt::Design;
use super::spsa::{
    ExpectedRegret, PathMean, SpsaDesign, TunedRange, expected_regret, mean_of_second_half,
    perturb, step,
};
use crate::stats::numerics::confidence_level::Confidence;

/// A tune as the config states it.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneDesign {
    /// The name of the tuned agent.
    pub agent: String,
    /// The keys of the tuned parameters with their ranges.
    pub parameters: Vec<(String, TunedRange)>,
    /// The loss in Elo that is left with probability `confidence`; above 0.
    pub precision_elo: f64,
    /// The probability that the tune ends within `precision_elo` of the optimum.
    pub confidence: Confidence,
    /// The expected share of draws, in 0..=0.99.
    pub draw_rate: f64,
    /// The number of opponents; 0: both sides play each other.
    pub opponents: u64,
    /// Opening pairs of each pairing in a round, at least 1; `None`: a thousandth of the tune.
    pub pairs: Option<u64>,
    /// Seed of the shifts.
    pub seed: u64,
    /// The final test of the tuned agent against the start.
    pub test: Design,
    /// The maximum number of games of the final test.
    pub test_games: u64,
}

/// The values of all parameters on the plus side, and on the minus side.
pub type Sides = [Vec<f64>; 2];

impl TuneDesign {
    fn ranges(&self) -> Vec<TunedRange> {
        self.parameters.iter().map(|(_, range)| *range).collect()
    }

    /// Gains, and what they cost.
    pub fn spsa(&self) -> SpsaDesign {
        let sides = if self.opponents > 0 { 2.0 } else { 1.0 };
        let variance = sides * (1.0 - self.draw_rate);
        SpsaDesign::new(&self.ranges(), self.precision_elo, self.confidence, variance)
    }

    /// The precision that a tune of `games` games of all pairings reaches.
    pub fn precision_of(&self, games: u64) -> f64 {
        let all = self.spsa().iterations as f64 * self.games_of_iteration() as f64;
        self.precision_elo * all / games.max(1) as f64
    }

    /// Games in which an opening is played by all pairings.
    fn games_of_iteration(&self) -> u64 {
        // Against opponents, each opening is one iteration for each of them.
        if self.opponents > 0 { 4 } else { 2 }
    }

    /// Opening pairs of each pairing in a round.
    pub fn pairs_of_round(&self) -> u64 {
        const LEAST: u64 = 8;
        const MOST: u64 = 100;
        self.pairs.unwrap_or_else(|| (self.spsa().iterations / 1000).clamp(LEAST, MOST))
    }

    fn iterations_of_round(&self) -> u64 {
        self.pairs_of_round() * self.opponents.max(1)
    }

    pub fn rounds(&self) -> u64 {
        self.spsa().iterations.div_ceil(self.iterations_of_round())
    }

    /// Games of all pairings in all rounds.
    pub fn games(&self) -> u64 {
        self.rounds() * self.iterations_of_round() * self.games_of_iteration()
    }

    /// The number of games that the tune should have at least, if it has fewer: its random part alone
    /// would lose more than starts that are half of half a range away from their optimum.
    pub fn least_games(&self) -> Option<u64> {
        let [near, far] = [0.0, 0.5].map(|distance| self.expected_regret(distance));
        let factor = near.end / far.start;
        (factor > 1.0).then(|| (self.games() as f64 * factor).ceil() as u64)
    }

    /// The expected loss if each start is `distance` half ranges away from its optimum.
    pub fn expected_regret(&self, distance: f64) -> ExpectedRegret {
        expected_regret(&self.ranges(), &self.spsa(), distance)
    }
}

/// The random streams of the shifts, one for each round. Games have others.
const STREAM: u64 = 0xFF << 56;

/// The state of a tune after the rounds that were counted.
#[derive(Debug, Clone)]
pub struct Tuning {
    design: TuneDesign,
    ranges: Vec<TunedRange>,
    spsa: SpsaDesign,
    /// The parameters before each round, and after the last one that was counted.
    path: Vec<Vec<f64>>,
    /// The directions of the round that is being played.
    flips: Option<Vec<i8>>,
    /// Wins minus losses of the plus side in the rounds that were counted.
    balance: i64,
}

impl Tuning {
    /// The state before the first round.
    pub fn new(design: TuneDesign) -> Self {
        let ranges = design.ranges();
        let start = ranges.iter().map(|range| range.start).collect();
        Tuning { spsa: design.spsa(), path: vec![start], flips: None, balance: 0, ranges, design }
    }

    /// The tune as the config states it.
    pub fn design(&self) -> &TuneDesign {
        &self.design
    }

    /// The parameters at the start and after each round.
    pub fn path(&self) -> &[Vec<f64>] {
        &self.path
    }

    /// The number of rounds that were counted.
    pub fn rounds(&self) -> u64 {
        self.path.len() as u64 - 1
    }

    /// Whether all rounds were counted.
    pub fn is_over(&self) -> bool {
        self.rounds() >= self.design.rounds()
    }

    /// Counts the round that was played, if there is one, and gives the values of the next round;
    /// `None` after the last. `balance`: wins minus losses of the plus side in all rounds.
    pub fn next_round(&mut self, balance: i64) -> Option<Arc<Sides>> {
        if let Some(flips) = self.flips.take() {
            let won = (balance - self.balance) as f64;
            let mut theta = self.path.last().cloned().unwrap_or_default();
            step(&self.ranges, &self.spsa, &mut theta, &flips, won);
            self.path.push(theta);
            self.balance = balance;
        }
        if self.is_over() {
            return None;
        }
        let theta = self.path.last().map_or(&[][..], Vec::as_slice);
        let mut rng = ChaCha8Rng::seed_from_u64(self.design.seed);
        rng.set_stream(STREAM | self.rounds());
        let sides = perturb(&self.ranges, &self.spsa, theta, &mut rng);
        self.flips = Some(sides.flips);
        Some(Arc::new([sides.plus, sides.minus]))
    }

    /// The mean of the second half of the path until a round (0: the start), with its interval.
    /// Parameters that are integers in games are not rounded.
    pub fn mean_until(&self, round: u64) -> PathMean {
        let games = 2 * round * self.design.iterations_of_round();
        let path = &self.path[..=(round as usize).min(self.path.len() - 1)];
        mean_of_second_half(&self.ranges, &self.spsa, path, games, self.design.confidence)
    }

    /// The answer of the tune: the mean at the end. Integers are rounded.
    pub fn tuned_values(&self) -> Vec<f64> {
        let mean = self.mean_until(self.rounds()).mean;
        (self.ranges.iter().zip(mean))
            .map(|(range, value)| if range.integer { value.round() } else { value })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::elo;
    use crate::stats::sprt::SprtSettings;
    use rand::RngExt;

    fn design(parameters: usize, opponents: u64, pairs: Option<u64>) -> TuneDesign {
        let range = TunedRange { min: 0.0, max: 200.0, start: 100.0, integer: true, elo: 40.0 };
        TuneDesign {
            agent: "a".to_owned(),
            parameters: (0..parameters).map(|j| (format!("p{j}"), range)).collect(),
            precision_elo: 4.0,
            confidence: Confidence::P95,
            draw_rate: 0.3,
            opponents,
            pairs,
            seed: 7,
            test: SprtSettings::default().check().expect("the defaults are valid"),
            test_games: 1000,
        }
    }

    /// The published design point: 188 434 iterations of two games.
    #[test]
    fn rounds_cover_the_iterations() {
        let range = TunedRange { min: 0.0, max: 200.0, start: 150.0, integer: false, elo: 2.0 };
        let parameters = (0..4).map(|j| (j.to_string(), range)).collect();
        let published =
            TuneDesign { parameters, precision_elo: 0.5, draw_rate: 0.61, ..design(4, 0, Some(1)) };
        assert_eq!((published.rounds(), published.games()), (188_434, 376_868));
        let hundred = TuneDesign { pairs: None, ..published };
        assert_eq!((hundred.pairs_of_round(), hundred.rounds()), (100, 1885));
        assert!((hundred.precision_of(2 * 376_868) - 0.25).abs() < 1e-9);
        // Against opponents the noise doubles, so there are twice as many iterations, of four games.
        let others = TuneDesign { opponents: 3, pairs: Some(10), ..hundred };
        assert_eq!(others.rounds(), others.spsa().iterations.div_ceil(30));
        assert!((others.games() as f64 / 376_868.0 - 4.0).abs() < 1e-3);
    }

    /// Five parameters with a known loss, by self-play and against an opponent.
    #[test]
    fn a_known_loss_in_five_parameters_is_recovered() {
        // Half of half a range away from the start.
        const BEST: [f64; 5] = [150.0, 50.0, 150.0, 50.0, 150.0];
        let loss = |values: &[f64]| -> f64 {
            values.iter().zip(BEST).map(|(v, best)| 40.0 * ((v - best) / 100.0).powi(2)).sum()
        };
        for opponents in [0, 1] {
            let (mut within, mut sum) = (0, 0.0);
            let stated = design(5, opponents, None);
            for seed in 0..20 {
                let design = TuneDesign { seed, ..stated.clone() };
                let mut rng = ChaCha8Rng::seed_from_u64(100 + seed);
                let mut tuning = Tuning::new(design.clone());
                let mut balance = 0;
                while let Some(sides) = tuning.next_round(balance) {
                    let mut play = |difference: f64| {
                        let score = elo::to_score(difference);
                        for _ in 0..2 * design.pairs_of_round() {
                            let lot: f64 = rng.random();
                            balance += i64::from(lot < score - 0.15);
                            balance -= i64::from(lot >= score + 0.15);
                        }
                    };
                    let [plus, minus] = [loss(&sides[0]), loss(&sides[1])];
                    if opponents == 0 {
                        play(minus - plus);
                    } else {
                        // The opponent loses 20 Elo, and wins what the minus side loses.
                        play(20.0 - plus);
                        play(minus - 20.0);
                    }
                }
                assert!(tuning.is_over() && tuning.rounds() == design.rounds());
                assert!(tuning.tuned_values().iter().all(|value| value.fract() == 0.0));
                let end = tuning.path().last().map_or(0.0, |values| loss(values));
                within += u32::from(end <= design.precision_elo);
                sum += loss(&tuning.tuned_values());
            }
            // 95 % are expected.
            assert!(within >= 16, "{within} of 20 tunes end within the precision");
            let stated = stated.expected_regret(0.5);
            assert!((sum / 20.0 / stated.mean - 1.0).abs() < 0.4, "{} {stated:?}", sum / 20.0);
        }
    }

    #[test]
    fn an_unfinished_round_changes_nothing() {
        let mut tuning = Tuning::new(design(2, 0, Some(3)));
        let first = tuning.next_round(0).expect("a round");
        assert_eq!((tuning.rounds(), tuning.path()), (0, &[vec![100.0; 2]][..]));
        assert_eq!(tuning.mean_until(0).mean, [100.0; 2]);
        let mut again = Tuning::new(design(2, 0, Some(3)));
        assert_eq!(again.next_round(0), Some(first));
        let _ = tuning.next_round(5);
        assert_eq!(tuning.rounds(), 1);
        assert_ne!(tuning.path()[1], tuning.path()[0]);
    }
}
