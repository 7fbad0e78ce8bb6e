//! Times in logarithmic buckets: percentiles in fixed memory.

/// Buckets per factor of two; the relative error of a percentile is at most 1/64.
const STEPS: u32 = 32;

/// A histogram of times, from 0 ns to centuries.
#[derive(Debug, Clone)]
pub struct TimeHistogram {
    counts: Vec<u64>,
    n: u64,
}

impl Default for TimeHistogram {
    fn default() -> Self {
        TimeHistogram { counts: vec![0; bucket(u64::MAX) + 1], n: 0 }
    }
}

impl TimeHistogram {
    /// The number of times.
    pub fn total(&self) -> u64 {
        self.n
    }

    /// The count of each bucket by its middle, in ascending order, without empty buckets.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        let counts = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counts.map(|(bucket, &count)| (middle(bucket), count))
    }

    /// Adds a time in nanoseconds.
    pub fn add(&mut self, ns: u64) {
        self.counts[bucket(ns)] += 1;
        self.n += 1;
    }

    /// The smallest time that at least a share `q` of the samples does not exceed. The result is
    /// the middle of its bucket in nanoseconds; `None` without samples.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        let wanted = ((q * self.n as f64).ceil() as u64).max(1);
        let mut seen = 0;
        let found = self.counts.iter().position(|&count| {
            seen += count;
            seen >= wanted
        });
        found.filter(|_| self.n > 0).map(middle)
    }
}

fn bucket(ns: u64) -> usize {
    if ns < u64::from(STEPS) {
        return ns as usize;
    }
    let shift = 63 - ns.leading_zeros() - STEPS.ilog2();
    (shift * STEPS) as usize + (ns >> shift) as usize
}

fn middle(bucket: usize) -> u64 {
    let steps = STEPS as usize;
    if bucket < 2 * steps {
        return bucket as u64;
    }
    let shift = bucket / steps - 1;
    let low = ((bucket - shift * steps) as u64) << shift;
    low + (1 << shift) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_narrow_and_in_order() {
        for ns in (0..10_000).chain([1 << 40, u64::MAX / 3, u64::MAX]) {
            let found = middle(bucket(ns));
            assert!(found.abs_diff(ns) <= ns / 64 + 1, "{ns} became {found}");
        }
        assert!((0..100_000).map(bucket).is_sorted());
    }

    #[test]
    fn quantiles_are_order_statistics() {
        let mut times = TimeHistogram::default();
        assert_eq!(times.quantile(0.5), None);
        (1..=100).for_each(|ns| times.add(ns));
        assert_eq!(times.quantile(0.5), Some(50));
        assert!(times.quantile(0.99).is_some_and(|p| p.abs_diff(99) <= 1));
        assert_eq!(times.quantile(0.0), Some(1));
        assert_eq!(times.counts().map(|(_, count)| count).sum::<u64>(), times.total());
        assert!(times.counts().map(|(ns, _)| ns).is_sorted());
    }
}
