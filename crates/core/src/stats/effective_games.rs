//! The effective number of games when games are repeated: the same game played twice counts once.
//! For different games with a common opening see [`super::Clusters`].

/// The effective sample size, `(Σ c)² / Σ c²` over the distinct games, where `c` is the number of
/// times that a game was played. It is between 1 and the number of distinct games.
/// `multiplicities` are pairs of `c` and the number of games that were played `c` times. `None`
/// without games.
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
