//! Simulated tunes with a known loss.

use agon::stats::Confidence;
use agon::stats::elo;
use agon::stats::spsa::{self, PathMean, SpsaDesign, TunedRange};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// The share of draws of the published design point.
pub const DRAWS: f64 = 0.61;

/// The published design point, except for the loss of each parameter in Elo.
pub fn published(elo: f64) -> ([TunedRange; 4], SpsaDesign) {
    let range = TunedRange { min: 0.0, max: 200.0, start: 150.0, integer: false, elo };
    let ranges = [range; 4];
    (ranges, SpsaDesign::new(&ranges, 0.5, Confidence::P95, 1.0 - DRAWS))
}

/// A simulated tune that has ended. Its optimum is 100 for each parameter.
pub struct Tuned {
    /// The loss of the last values in Elo.
    pub end: f64,
    /// The loss of the mean in Elo.
    pub mean: f64,
    /// The number of intervals that contain their optimum.
    pub covered: usize,
    /// The mean width of the intervals.
    pub width: f64,
}

const OPTIMUM: f64 = 100.0;

/// The loss in Elo. A parameter loses `elo` at a distance of 100.
fn loss(values: &[f64], elo: f64) -> f64 {
    values.iter().map(|value| elo * ((value - OPTIMUM) / 100.0).powi(2)).sum()
}

/// Simulates a tune game by game. `elo`: the true loss of each parameter at half the range.
pub fn tune(ranges: &[TunedRange], design: &SpsaDesign, elo: f64, seed: u64) -> Tuned {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut theta: Vec<f64> = ranges.iter().map(|range| range.start).collect();
    let mut path = vec![theta.clone()];
    let interval = design.iterations.div_ceil(200);
    for iteration in 1..=design.iterations {
        let sides = spsa::perturb(ranges, design, &theta, &mut rng);
        let score = elo::to_score(loss(&sides.minus, elo) - loss(&sides.plus, elo));
        let won = game(&mut rng, score) + game(&mut rng, score);
        spsa::step(ranges, design, &mut theta, &sides.flips, won);
        if iteration % interval == 0 {
            path.push(theta.clone());
        }
    }
    let PathMean { mean, low, high } =
        spsa::mean_of_second_half(ranges, design, &path, design.games, Confidence::P95);
    let widths = low.iter().zip(&high).map(|(low, high)| high - low);
    Tuned {
        end: loss(&theta, elo),
        mean: loss(&mean, elo),
        covered: low
            .iter()
            .zip(&high)
            .filter(|&(&low, &high)| low <= OPTIMUM && OPTIMUM <= high)
            .count(),
        width: widths.sum::<f64>() / ranges.len() as f64,
    }
}

/// 1 for a win, 0 for a draw, -1 for a loss.
fn game(rng: &mut ChaCha8Rng, score: f64) -> f64 {
    let lot: f64 = rng.random();
    if lot < score - DRAWS / 2.0 {
        1.0
    } else if lot < score + DRAWS / 2.0 {
        0.0
    } else {
        -1.0
    }
}
