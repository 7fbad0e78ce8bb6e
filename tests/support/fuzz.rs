//! Settings and limits that the fuzz targets share: number of inputs, time and memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use proptest::prelude::ProptestConfig;

/// Maximum time for an input, with a large margin for a busy machine.
const LONGEST: Duration = Duration::from_secs(20);
/// Maximum memory of the process in kilobytes.
const MOST: u64 = 2_000_000;

/// Number of inputs per target: `AGON_FUZZ`, by default `few`.
pub fn config(few: u32) -> ProptestConfig {
    let given = std::env::var("AGON_FUZZ").ok().and_then(|cases| cases.parse().ok());
    let cases = given.unwrap_or(few);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 500, ..Default::default() }
}

/// A reader under test. Prints statistics of its inputs at the end.
pub struct Target {
    name: String,
    inputs: AtomicU64,
    bytes: AtomicU64,
    slowest: AtomicU64,
}

impl Target {
    /// A reader with this name.
    pub fn new(name: &str) -> Self {
        let [inputs, bytes, slowest] = [(); 3].map(|()| AtomicU64::new(0));
        Target { name: name.to_owned(), inputs, bytes, slowest }
    }

    /// Processes one input of `bytes` bytes within the time limit.
    pub fn feed<T>(&self, bytes: usize, what: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let result = what();
        let took = begin.elapsed();
        assert!(took < LONGEST, "{}: it took {took:?}", self.name);
        self.inputs.fetch_add(1, Relaxed);
        self.bytes.fetch_add(bytes as u64, Relaxed);
        self.slowest.fetch_max(took.as_micros() as u64, Relaxed);
        result
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let peak = peak();
        let [inputs, bytes, slowest] =
            [&self.inputs, &self.bytes, &self.slowest].map(|n| n.load(Relaxed));
        println!(
            "{}: {inputs} inputs of {bytes} bytes, the slowest took {:.1} ms, memory of the process at most {} MB",
            self.name,
            slowest as f64 / 1000.0,
            peak / 1000,
        );
        assert!(inputs > 0, "{} was fed nothing", self.name);
        assert!(peak < MOST, "{}: {peak} kB", self.name);
    }
}

/// Peak memory of the process in kilobytes, if the system reports it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0)
}
