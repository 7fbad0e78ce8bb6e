//! The SIMD instructions that the processor supports.

/// The number of children that are processed in parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// One after another: works on every machine.
    One,
    /// Four: x86-64 with AVX2.
    Four,
    /// Four, with bit counts: x86-64 with AVX-512.
    Counting,
}

impl Level {
    pub const ALL: [Level; 3] = [Level::One, Level::Four, Level::Counting];

    /// The widest level that this processor supports.
    pub fn widest() -> Self {
        Self::ALL.into_iter().rfind(|level| level.is_there()).unwrap_or(Level::One)
    }

    /// Whether this processor supports the level.
    pub fn is_there(self) -> bool {
        match self {
            Level::One => true,
            #[cfg(target_arch = "x86_64")]
            Level::Four => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Level::Counting => {
                Level::Four.is_there()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Level::Four | Level::Counting => false,
        }
    }
}
