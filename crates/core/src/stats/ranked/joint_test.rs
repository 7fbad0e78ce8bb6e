//! Tests of several parameters at once.

/// The kind of a joint test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestMethod {
    /// Twice the difference of the log-likelihoods, divided by the ratio of the observed variance to
    /// that of the model: J. Rao and A. Scott (1984).
    LikelihoodRatio,
    /// The squared distance in standard errors, divided by the same ratio.
    Wald,
    /// Random exchanges of the seats within each group.
    Permutation,
}

/// A test that several parameters are 0, or have given values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointTest {
    /// The kind of the test.
    pub method: TestMethod,
    /// The statistic. Without a permutation, divided by `df` it has the F distribution.
    pub statistic: f64,
    /// The number of free parameters.
    pub df: usize,
    /// The p-value, in (0, 1].
    pub p: f64,
}
