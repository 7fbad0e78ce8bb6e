//! Which instructions the processor has.

/// How many children are looked at side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// One after another: every machine.
    One,
    /// Four: x86-64 with AVX2.
    Four,
    /// Four, with counts of bits: x86-64 with AVX-512.
    Counting,
}

impl Level {
    /// All of them.
    pub const ALL: [Level; 3] = [Level::One, Level::Four, Level::Counting];

    /// The widest that this processor has.
    pub fn widest() -> Self {
        Self::ALL.into_iter().rfind(|level| level.is_there()).unwrap_or(Level::One)
    }

    /// Whether this processor has it.
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
