//! What repeated games are worth, which is little: the same game played twice is
//! one game.

use super::confidence::Confidence;
use super::interval::Interval;
use super::student;

/// The effective number of samples when distinct games were seen `multiplicities`
/// times each, `(Σ c)² / Σ c²`; between 1 and their number. `None` if nothing was
/// seen.
///
/// L. Kish, "Survey Sampling" (1965).
pub fn effective_sample_size(multiplicities: impl IntoIterator<Item = u64>) -> Option<f64> {
    let (mut sum, mut squares) = (0.0, 0.0);
    for c in multiplicities {
        sum += c as f64;
        squares += (c as f64).powi(2);
    }
    (squares > 0.0).then(|| sum * sum / squares)
}

/// How many distinct openings `draws` draws with replacement out of `book` give
/// on average, `B (1 - (1 - 1/B)^n)`; 0 for an empty book.
pub fn expected_distinct(draws: u64, book: u64) -> f64 {
    match book {
        0 => 0.0,
        1 => draws.min(1) as f64,
        _ => {
            let b = book as f64;
            -b * (draws as f64 * (-1.0 / b).ln_1p()).exp_m1()
        }
    }
}

/// What a standard error shrinks by when `sampled` of a finite set of
/// `population` openings were played, `sqrt((B - n) / (B - 1))`: 0 when all were.
/// `None` if more were played than there are, or there are none.
pub fn finite_population_factor(sampled: u64, population: u64) -> Option<f64> {
    match population {
        0 => None,
        _ if sampled > population => None,
        1 => Some(if sampled == 1 { 0.0 } else { 1.0 }),
        _ => Some(
            ((population - sampled) as f64 / (population - 1) as f64)
                .sqrt()
                .min(1.0),
        ),
    }
}

/// Games in clusters, such as all games from one opening: sums that are enough
/// for the mean score and its cluster-robust error, in constant memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    clusters: u64,
    games: u128,
    half_points: u128,
    games_squared: u128,
    games_by_points: u128,
    points_squared: u128,
}

impl Clusters {
    /// Adds one cluster of `games` games in which `half_points` half points were
    /// made; a cluster without games is left out, points beyond two per game are
    /// cut off.
    pub fn add(&mut self, games: u32, half_points: u32) {
        if games == 0 {
            return;
        }
        let (n, points) = (
            u128::from(games),
            u128::from(half_points.min(games.saturating_mul(2))),
        );
        self.clusters += 1;
        self.games += n;
        self.half_points += points;
        self.games_squared += n * n;
        self.games_by_points += n * points;
        self.points_squared += points * points;
    }

    /// The number of clusters.
    pub fn len(&self) -> u64 {
        self.clusters
    }

    /// Whether there is no cluster.
    pub fn is_empty(&self) -> bool {
        self.clusters == 0
    }

    /// The mean score per game in `[0, 1]`; `None` without games.
    pub fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.half_points as f64 / (2.0 * self.games as f64))
    }

    /// The standard error of the mean, however alike the games of a cluster are;
    /// `None` for fewer than two clusters.
    ///
    /// `G / (G - 1) Σ_g (Σ_i (x_i - s))² / n²`, K.-Y. Liang and S. Zeger (1986).
    pub fn standard_error(&self) -> Option<f64> {
        (self.clusters > 1).then_some(())?;
        let (g, n, s) = (self.clusters as f64, self.games as f64, self.mean()?);
        // In half points, a cluster's residual is p_g - 2 s n_g.
        let squares = self.points_squared as f64 - 4.0 * s * self.games_by_points as f64
            + 4.0 * s * s * self.games_squared as f64;
        Some((g / (g - 1.0) * squares.max(0.0)).sqrt() / (2.0 * n))
    }

    /// The interval of the mean score by Student's t with one degree of freedom
    /// less than clusters, but never narrower than Wilson's interval for as many
    /// clusters that are all alike, `[G s, G s + z²] / (G + z²)`. `None` for fewer
    /// than two clusters.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let (se, s, g) = (self.standard_error()?, self.mean()?, self.clusters as f64);
        let half = student::quantile(confidence, g - 1.0) * se;
        let z2 = confidence.z().powi(2);
        Some(Interval::within_unit(
            (s - half).min(g * s / (g + z2)),
            (s + half).max((g * s + z2) / (g + z2)),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Trinomial;

    #[test]
    fn replays_add_nothing() {
        assert_eq!(effective_sample_size([1; 100]), Some(100.0));
        assert_eq!(effective_sample_size([50; 10]), Some(10.0));
        assert_eq!(effective_sample_size([98, 1, 1]), Some(10_000.0 / 9606.0));
        assert_eq!(effective_sample_size([]), None);
        assert_eq!(effective_sample_size([u64::MAX; 2]), Some(2.0));
    }

    #[test]
    fn a_small_book_runs_dry() {
        assert_eq!(expected_distinct(5, 0), 0.0);
        assert_eq!(expected_distinct(0, 1), 0.0);
        assert_eq!(expected_distinct(5, 1), 1.0);
        assert!((expected_distinct(2, 2) - 1.5).abs() < 1e-14);
        assert!((expected_distinct(10, u64::MAX) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn a_census_leaves_no_doubt() {
        assert_eq!(finite_population_factor(72, 72), Some(0.0));
        assert_eq!(finite_population_factor(1, 1), Some(0.0));
        assert_eq!(finite_population_factor(1, 72), Some(1.0));
        assert_eq!(finite_population_factor(0, 72), Some(1.0));
        assert_eq!(finite_population_factor(73, 72), None);
        assert_eq!(finite_population_factor(0, 0), None);
    }

    #[test]
    fn replaying_every_cluster_changes_nothing() {
        let (mut once, mut often) = (Clusters::default(), Clusters::default());
        for points in [0, 1, 2, 4, 4, 3, 2, 2] {
            once.add(2, points);
            often.add(100, 50 * points);
        }
        assert_eq!(once.mean(), often.mean());
        let (a, b) = (
            once.standard_error().unwrap(),
            often.standard_error().unwrap(),
        );
        assert!((a - b).abs() < 1e-12);
        assert_eq!(once.len(), 8);
    }

    #[test]
    fn clusters_of_one_game_are_games() {
        let mut clusters = Clusters::default();
        for (points, times) in [(0, 20), (1, 30), (2, 50)] {
            for _ in 0..times {
                clusters.add(1, points);
            }
        }
        let games = Trinomial::of(20, 30, 50);
        let bessel = (100.0_f64 / 99.0).sqrt();
        let se = clusters.standard_error().unwrap();
        assert!((se - bessel * games.standard_error().unwrap()).abs() < 1e-12);
    }

    #[test]
    fn alike_clusters_still_leave_doubt() {
        let mut clusters = Clusters::default();
        assert_eq!(clusters.interval(Confidence::P95), None);
        clusters.add(0, 7);
        assert!(clusters.is_empty());
        for _ in 0..10 {
            clusters.add(2, 2);
        }
        let interval = clusters.interval(Confidence::P95).unwrap();
        let drawn = Trinomial::of(0, 10, 0).interval(Confidence::P95).unwrap();
        assert!((interval.lo - drawn.lo).abs() < 1e-12);
        assert!((interval.hi - drawn.hi).abs() < 1e-12);
    }
}
