//! What the fuzz targets share: how many inputs, how long one may take, and how much memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use proptest::prelude::ProptestConfig;

/// The longest that an input may take: much more than any needs, for the machine may be busy.
const LONGEST: Duration = Duration::from_secs(20);
/// The most memory that the process may have held, in kilobytes.
const MOST: u64 = 2_000_000;

/// How many inputs a target gets: `AGON_FUZZ`, or so many.
pub fn config(few: u32) -> ProptestConfig {
    let given = std::env::var("AGON_FUZZ").ok().and_then(|cases| cases.parse().ok());
    let cases = given.unwrap_or(few);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 500, ..Default::default() }
}

/// A reader that is fed. Says at the end what it was fed.
pub struct Target {
    name: String,
    inputs: AtomicU64,
    bytes: AtomicU64,
    slowest: AtomicU64,
}

impl Target {
    /// A reader with its name.
    pub fn new(name: &str) -> Self {
        let [inputs, bytes, slowest] = [(); 3].map(|()| AtomicU64::new(0));
        Target { name: name.to_owned(), inputs, bytes, slowest }
    }

    /// Feeds one input of so many bytes, which must not take long.
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

/// The most memory that the process has held, in kilobytes, where the system tells.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0)
}
