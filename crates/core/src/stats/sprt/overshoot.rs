//! The correction for the overshoot of a log-likelihood ratio beyond its bounds.

/// Records the new maxima and minima of a log-likelihood ratio and estimates its average overshoot
/// beyond a bound.
///
/// D. Siegmund, "Sequential Analysis" (1985), corollary 8.33: half the ratio of the second to the
/// first moment of the ladder heights. Here the moments are those of the observed heights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overshoot {
    highest: f64,
    lowest: f64,
    up: Ladder,
    down: Ladder,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ladder {
    sum: f64,
    squares: f64,
}

impl Ladder {
    fn climb(&mut self, height: f64) {
        self.sum += height;
        self.squares += height * height;
    }

    fn excess(&self) -> f64 {
        if self.sum > 0.0 { self.squares / self.sum / 2.0 } else { 0.0 }
    }
}

impl Overshoot {
    /// Records the ratio after one more sample.
    pub fn observe(&mut self, llr: f64) {
        if llr > self.highest {
            self.up.climb(llr - self.highest);
            self.highest = llr;
        }
        if llr < self.lowest {
            self.down.climb(self.lowest - llr);
            self.lowest = llr;
        }
    }

    /// The correction to subtract from the upper bound, in nats, at least 0.
    pub fn above(&self) -> f64 {
        self.up.excess()
    }

    /// The correction to add to the lower bound, in nats, at least 0.
    pub fn below(&self) -> f64 {
        self.down.excess()
    }
}
