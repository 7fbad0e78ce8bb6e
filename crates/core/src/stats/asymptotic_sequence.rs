//! The asymptotic confidence sequence: an interval for any stopping time, valid in the limit of many
//! samples (I. Waudby-Smith, D. Arbour, R. Sinha, E. Kennedy and A. Ramdas, Annals of Statistics 52,
//! 2024, theorem 2.2).

/// `ρ²` of a sequence that is narrowest at this number of samples, by the formula of its authors.
pub(super) fn rho_squared(alpha: f64, narrowest: f64) -> f64 {
    (-2.0 * alpha.ln() + (-2.0 * alpha.ln()).ln() + 1.0) / narrowest
}

/// The half width of the sequence in standard errors of the mean after `samples`.
pub(super) fn errors(samples: f64, alpha: f64, narrowest: f64) -> f64 {
    let rho = rho_squared(alpha, narrowest);
    let more = samples * rho + 1.0;
    (2.0 * more / (samples * rho) * (more.sqrt() / alpha).ln()).sqrt()
}
