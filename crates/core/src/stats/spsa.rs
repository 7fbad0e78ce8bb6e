//! Tuning of parameters by games: SPSA with constant gains.
//!
//! An iteration shifts all parameters up or down at random. It plays the shifted parameters against
//! those with the opposite shifts, and moves each parameter a little towards the winner. J. Spall,
//! "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient
//! Approximation" (1992). The constant gains are those of the tuner of fishtest, by M. Van den
//! Bergh.
//!
//! The formulas assume a loss in Elo that is quadratic in each parameter. Then a parameter is on
//! average an Ornstein-Uhlenbeck process: after `t` games its distance from the optimum is
//! `exp(-t / decay)` of that of the start, with a random part of known deviation.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::elo::NORMALIZED_ELO_PER_SIGMA;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::special_functions::chi_square_tail;
use crate::stats::numerics::students_t;

/// A parameter that is tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TunedRange {
    /// The smallest value; an integer if `integer`.
    pub min: f64,
    /// The largest value, above `min`; an integer if `integer`.
    pub max: f64,
    /// The value before the first game, in `min..=max`.
    pub start: f64,
    /// Whether games use integers only.
    pub integer: bool,
    /// The assumed loss in Elo at half the range away from the optimum; above 0.
    pub elo: f64,
}

/// Constant gains, and what they cost.
#[derive(Debug, Clone, PartialEq)]
pub struct SpsaDesign {
    /// The shift of each parameter within an iteration: a sixth of its range. At least 0.5 for
    /// integers.
    pub steps: Vec<f64>,
    /// The share of its step that a parameter moves for each win more than losses.
    pub gain: f64,
    /// The number of iterations of one opening pair each.
    pub iterations: u64,
    /// The number of games: three times the slowest decay, two for each opening pair.
    pub games: u64,
    /// The number of games in which the distance of each parameter from its optimum falls to
    /// `1 / e`.
    pub decay: Vec<f64>,
    /// The standard deviation of each parameter around its optimum after many games.
    pub deviation: Vec<f64>,
}

impl SpsaDesign {
    /// The design that ends within `precision_elo > 0` of the optimum with probability
    /// `confidence`. `variance`: of wins minus losses in a game, at least 0.01; 1 minus the share
    /// of draws if the two sides play each other, and twice that if they play others. `ranges` has
    /// at least one parameter.
    pub fn new(
        ranges: &[TunedRange],
        precision_elo: f64,
        confidence: Confidence,
        variance: f64,
    ) -> Self {
        let elo_per_score = NORMALIZED_ELO_PER_SIGMA;
        let quantile = chi_square_quantile(confidence, ranges.len());
        let gain = precision_elo / (elo_per_score * quantile * variance / 8.0);
        let steps: Vec<f64> = ranges.iter().map(TunedRange::step).collect();
        let decay: Vec<f64> = (ranges.iter().zip(&steps))
            .map(|(range, step)| elo_per_score / (2.0 * gain * step * step * range.curvature()))
            .collect();
        let deviation = ranges
            .iter()
            .map(|range| (gain * variance * elo_per_score / (4.0 * range.curvature())).sqrt())
            .collect();
        let slowest = decay.iter().fold(0.0, |slowest: f64, &decay| slowest.max(decay));
        let iterations = ((1.5 * slowest).round() as u64).clamp(1, u64::MAX / 2);
        Self { steps, gain, iterations, games: 2 * iterations, decay, deviation }
    }

    /// The squared bias and the variance of the mean of the second half of `games` games, of
    /// parameter `j`: as shares of the squared distance at the start and of the squared deviation.
    fn second_half(&self, j: usize, games: f64) -> (f64, f64) {
        let half = games / 2.0 / self.decay[j];
        // The series below 0.001: the formulas lose their digits there.
        let (bias, variance) = if half < 1e-3 {
            (1.0 - 1.5 * half, 1.0 - half / 3.0)
        } else {
            (
                (-half).exp() * -(-half).exp_m1() / half,
                2.0 * (half + (-half).exp_m1()) / (half * half),
            )
        };
        (bias, (variance - bias * bias).max(0.0))
    }
}

impl TunedRange {
    fn step(&self) -> f64 {
        let step = (self.max - self.min) / 6.0;
        if self.integer { step.max(0.5) } else { step }
    }

    /// The second derivative of the loss in Elo.
    fn curvature(&self) -> f64 {
        let half = (self.max - self.min) / 2.0;
        2.0 * self.elo / (half * half)
    }
}

/// The two sides of one iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Perturbation {
    /// The direction of each parameter, 1 or -1.
    pub flips: Vec<i8>,
    /// The values of the plus side, within the ranges.
    pub plus: Vec<f64>,
    /// The values of the minus side, within the ranges.
    pub minus: Vec<f64>,
}

/// Shifts the parameters `theta` at random. Integers are rounded up or down at random, without
/// bias. Between the ends of its range, a parameter has different values on both sides.
pub fn perturb(
    ranges: &[TunedRange],
    design: &SpsaDesign,
    theta: &[f64],
    rng: &mut ChaCha8Rng,
) -> Perturbation {
    let count = ranges.len();
    let mut sides = Perturbation {
        flips: Vec::with_capacity(count),
        plus: Vec::with_capacity(count),
        minus: Vec::with_capacity(count),
    };
    for ((range, step), value) in ranges.iter().zip(&design.steps).zip(theta) {
        let flip: i8 = if rng.random() { 1 } else { -1 };
        // Both sides have the same random part, so that they differ by at least 1.
        let round_up: f64 = if range.integer { rng.random() } else { 0.0 };
        let side = |shift: f64| {
            let value = (value + shift).clamp(range.min, range.max) + round_up;
            if range.integer { value.floor().min(range.max) } else { value }
        };
        let shift = f64::from(flip) * step;
        sides.flips.push(flip);
        sides.plus.push(side(shift));
        sides.minus.push(side(-shift));
    }
    sides
}

/// Moves the parameters `theta` after the games of an iteration: `wins_minus_losses` of its plus
/// side.
pub fn step(
    ranges: &[TunedRange],
    design: &SpsaDesign,
    theta: &mut [f64],
    flips: &[i8],
    wins_minus_losses: f64,
) {
    for (j, value) in theta.iter_mut().enumerate() {
        let change = design.gain * design.steps[j] * f64::from(flips[j]) * wins_minus_losses;
        *value = (*value + change).clamp(ranges[j].min, ranges[j].max);
    }
}

/// The mean of the second half of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathMean {
    /// The mean of each parameter.
    pub mean: Vec<f64>,
    /// The lower end of the confidence interval of each optimum, within the range.
    pub low: Vec<f64>,
    /// The upper end of the confidence interval of each optimum, within the range.
    pub high: Vec<f64>,
}

/// The mean of the second half of a path, with a confidence interval for the optimum.
///
/// `path` has the parameters at equal distances, from the start to the state after `games` games.
/// The interval assumes the loss of the design. It corrects the mean for the start, which the path
/// does not quite forget. If the path moves more within its second half than the design expects,
/// the interval is a wider one: Student's interval of the means of four parts.
///
/// An empty path gives the starts and the whole ranges.
pub fn mean_of_second_half(
    ranges: &[TunedRange],
    design: &SpsaDesign,
    path: &[Vec<f64>],
    games: u64,
    confidence: Confidence,
) -> PathMean {
    let count = ranges.len();
    let mut all = PathMean {
        mean: Vec::with_capacity(count),
        low: Vec::with_capacity(count),
        high: Vec::with_capacity(count),
    };
    let half = &path[path.len() / 2..];
    for (j, range) in ranges.iter().enumerate() {
        let mean = if half.is_empty() { range.start } else { mean_of(half, j) };
        let (bias, variance) = design.second_half(j, games as f64);
        let start = path.first().map_or(range.start, |first| first[j]);
        // Without games the bias is 1, and the optimum can be anywhere.
        let (low, high) = if games == 0 || half.is_empty() || bias >= 1.0 {
            (range.min, range.max)
        } else {
            let centre = start + (mean - start) / (1.0 - bias);
            let expected = confidence.z() * design.deviation[j] * variance.sqrt();
            let width = expected.max(width_of_parts(half, j, confidence)) / (1.0 - bias);
            (centre - width, centre + width)
        };
        all.mean.push(mean);
        all.low.push(low.min(mean).max(range.min));
        all.high.push(high.max(mean).min(range.max));
    }
    all
}

fn mean_of(path: &[Vec<f64>], j: usize) -> f64 {
    path.iter().map(|values| values[j]).sum::<f64>() / path.len() as f64
}

/// Half the width of Student's interval from the means of four parts; 0 for fewer than four points.
fn width_of_parts(path: &[Vec<f64>], j: usize, confidence: Confidence) -> f64 {
    const PARTS: usize = 4;
    let size = path.len() / PARTS;
    if size == 0 {
        return 0.0;
    }
    let means: Vec<f64> =
        path.chunks_exact(size).take(PARTS).map(|part| mean_of(part, j)).collect();
    let mean = means.iter().sum::<f64>() / PARTS as f64;
    let squares: f64 = means.iter().map(|part| (part - mean).powi(2)).sum();
    let df = (PARTS - 1) as f64;
    students_t::quantile(confidence, df) * (squares / df / PARTS as f64).sqrt()
}

/// The mean losses against the optimum in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedRegret {
    /// The loss of the start.
    pub start: f64,
    /// The loss after the last game.
    pub end: f64,
    /// The loss of the mean of the second half of the path.
    pub mean: f64,
}

/// The expected regret of `design`, if each start is `distance` half ranges away from its optimum.
/// At 1 each parameter loses its `elo` before the first game.
pub fn expected_regret(
    ranges: &[TunedRange],
    design: &SpsaDesign,
    distance: f64,
) -> ExpectedRegret {
    let mut regret = ExpectedRegret { start: 0.0, end: 0.0, mean: 0.0 };
    let games = design.games as f64;
    for (j, range) in ranges.iter().enumerate() {
        let start = range.elo * distance * distance;
        let random = 0.5 * range.curvature() * design.deviation[j].powi(2);
        let left = (-2.0 * games / design.decay[j]).exp();
        let (bias, variance) = design.second_half(j, games);
        regret.start += start;
        regret.end += start * left + random * (1.0 - left);
        regret.mean += start * bias * bias + random * variance;
    }
    regret
}

/// The value that a chi-square variable with `df >= 1` degrees of freedom exceeds with the
/// probability `1 - confidence`.
fn chi_square_quantile(confidence: Confidence, df: usize) -> f64 {
    let (mut low, mut high) = (0.0, df as f64);
    while chi_square_tail(high, df) > confidence.alpha() {
        low = high;
        high *= 2.0;
    }
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if chi_square_tail(middle, df) > confidence.alpha() {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    /// The published design point.
    fn published() -> ([TunedRange; 4], SpsaDesign) {
        let range = TunedRange { min: 0.0, max: 200.0, start: 150.0, integer: false, elo: 2.0 };
        let ranges = [range; 4];
        (ranges, SpsaDesign::new(&ranges, 0.5, Confidence::P95, 0.39))
    }

    #[test]
    fn the_published_design() {
        let (ranges, design) = published();
        close(design.steps[0], 33.3333, 1e-4);
        close(design.gain, 0.003111, 5e-7);
        close(design.decay[0], 125_622.7, 0.05);
        assert_eq!((design.games, design.iterations), (376_868, 188_434));
        let regret = expected_regret(&ranges, &design, 0.5);
        close(regret.start, 2.0, 1e-12);
        close(regret.end, 0.21, 0.006);
    }

    #[test]
    fn chi_square_quantiles_of_the_tables() {
        for (df, want) in [
            (1, 3.841458820694124),
            (2, 5.991464547107979),
            (4, 9.487729036781154),
            (5, 11.070497693516351),
            (100, 124.34211340400407),
        ] {
            close(chi_square_quantile(Confidence::P95, df), want, 1e-9);
        }
    }

    /// The mean of the second half against sums over a process of many small steps.
    #[test]
    fn bias_and_variance_of_the_mean_of_the_second_half() {
        let (_, design) = published();
        for halves in [1e-4, 0.5, 1.5, 5.0] {
            let (bias, variance) = design.second_half(0, 2.0 * halves * design.decay[0]);
            let steps: u32 = 1000;
            let times: Vec<f64> = (0..steps)
                .map(|step| halves * (1.0 + (f64::from(step) + 0.5) / f64::from(steps)))
                .collect();
            let covariance = |s: f64, t: f64| (-(s - t).abs()).exp() - (-(s + t)).exp();
            let sum: f64 =
                times.iter().map(|&s| times.iter().map(|&t| covariance(s, t)).sum::<f64>()).sum();
            let mean: f64 = times.iter().map(|t| (-t).exp()).sum::<f64>() / f64::from(steps);
            close(bias, mean, 1e-5);
            close(variance, sum / f64::from(steps * steps), 1e-5);
        }
    }

    #[test]
    fn integers_differ_and_are_unbiased() {
        let range = TunedRange { min: 0.0, max: 2.0, start: 1.0, integer: true, elo: 5.0 };
        let design = SpsaDesign::new(&[range], 0.5, Confidence::P95, 0.5);
        assert_eq!(design.steps, [0.5]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut sum = 0.0;
        for _ in 0..10_000 {
            let sides = perturb(&[range], &design, &[1.2], &mut rng);
            let (plus, minus) = (sides.plus[0], sides.minus[0]);
            close((plus - minus) * f64::from(sides.flips[0]), 1.0, 0.0);
            assert!([0.0, 1.0, 2.0].contains(&plus), "{plus}");
            sum += plus + minus;
        }
        close(sum / 20_000.0, 1.2, 0.02);
        for end in [0.0, 2.0] {
            let sides = perturb(&[range], &design, &[end], &mut rng);
            assert!([0.0, 1.0, 2.0].contains(&sides.plus[0]), "{sides:?}");
        }
    }

    #[test]
    fn steps_go_to_the_winner_and_stay_in_the_range() {
        let (ranges, design) = published();
        let mut theta = [150.0, 0.0, 200.0, 100.0];
        step(&ranges, &design, &mut theta, &[1, -1, 1, -1], 2.0);
        let change = 2.0 * design.gain * design.steps[0];
        assert_eq!(theta, [150.0 + change, 0.0, 200.0, 100.0 - change]);
    }

    #[test]
    fn a_path_at_the_optimum_has_an_interval_around_it() {
        let (ranges, design) = published();
        let path = vec![vec![150.0; 4]; 101];
        let mean = mean_of_second_half(&ranges, &design, &path, design.games, Confidence::P95);
        assert_eq!(mean.mean, [150.0; 4]);
        close(mean.high[0] - 150.0, 150.0 - mean.low[0], 1e-9);
        close(mean.high[0] - 150.0, 28.5, 0.5);
        let none = mean_of_second_half(&ranges, &design, &[], 0, Confidence::P95);
        assert_eq!((none.mean[0], none.low[0], none.high[0]), (150.0, 0.0, 200.0));
    }
}
