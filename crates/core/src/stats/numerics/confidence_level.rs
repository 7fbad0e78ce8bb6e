//! A confidence level that is always strictly between 0 and 1.

use super::special_functions;

/// A two-sided confidence level, such as 95 %.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// 95 %, the default level everywhere in this crate.
    pub const P95: Self = Self(0.95);
    /// 99 %.
    pub const P99: Self = Self(0.99);

    /// The level as a fraction. `None` unless `1e-6 <= level <= 1 - 1e-12`: no interval has a
    /// meaning outside this range.
    pub fn new(level: f64) -> Option<Self> {
        (1e-6..=1.0 - 1e-12).contains(&level).then_some(Self(level))
    }

    /// The level as a fraction in (0, 1).
    pub fn level(self) -> f64 {
        self.0
    }

    /// The total probability outside both ends, `1 - level`.
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }

    /// Whether a test with this p-value rejects its hypothesis at this level.
    pub fn is_significant(self, p: f64) -> bool {
        p < self.alpha()
    }

    /// The half width of a normal interval of this level in standard errors; 1.959963984540054 at
    /// 95 %.
    pub fn z(self) -> f64 {
        special_functions::normal_quantile(0.5 + self.0 / 2.0)
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self::P95
    }
}
