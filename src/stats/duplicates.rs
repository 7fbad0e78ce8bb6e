//! What repeated games are worth, which is little: the same game played twice is
//! one game. Games that differ but share an opening are [`super::Clusters`].

/// The effective number of samples, `(Σ c)² / Σ c²` over the distinct games with `c` the
/// times that each was seen; between 1 and their number. `multiplicities` are such times
/// with how many games were seen so often. `None` if nothing was seen.
///
/// L. Kish, "Survey Sampling" (1965).
pub fn effective_sample_size(multiplicities: impl IntoIterator<Item = (u64, u64)>) -> Option<f64> {
    let (mut sum, mut squares) = (0.0, 0.0);
    for (c, games) in multiplicities {
        sum += c as f64 * games as f64;
        squares += (c as f64).powi(2) * games as f64;
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
        _ => Some(((population - sampled) as f64 / (population - 1) as f64).sqrt().min(1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_add_nothing() {
        assert_eq!(effective_sample_size([(1, 100)]), Some(100.0));
        assert_eq!(effective_sample_size([(50, 10)]), Some(10.0));
        assert_eq!(effective_sample_size([(98, 1), (1, 2)]), Some(10_000.0 / 9606.0));
        assert_eq!(effective_sample_size([]), None);
        assert_eq!(effective_sample_size([(u64::MAX, 2)]), Some(2.0));
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
}
