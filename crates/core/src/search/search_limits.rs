//! Limits of a search: depth, nodes, time, or several of them, and a stop switch.

#![deny(missing_docs)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The maximum search depth in plies.
pub const MAX_DEPTH: u32 = 200;

/// The number of nodes between two reads of the clock.
const CLOCK_EVERY: u64 = 256;

/// A switch to stop a search from another thread. Copies refer to the same switch.
#[derive(Debug, Clone, Copy)]
pub struct StopSwitch(&'static AtomicBool);

impl StopSwitch {
    /// A new switch, which exists until the program ends.
    #[expect(clippy::new_without_default, reason = "every new one is another switch")]
    pub fn new() -> Self {
        StopSwitch(Box::leak(Box::new(AtomicBool::new(false))))
    }

    /// Requests the end of the running search, or cancels the request.
    pub fn set(self, stop: bool) {
        self.0.store(stop, Ordering::Release);
    }

    /// Whether a stop was requested.
    #[inline]
    pub fn asked(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for StopSwitch {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for StopSwitch {}

/// Limits of a search; the first limit reached stops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Search depth in plies, 1 to `MAX_DEPTH`.
    pub depth: Option<u32>,
    /// Total number of positions entered, the root included; at least 1.
    pub nodes: Option<u64>,
    /// Wall-clock time. A search reads the clock only with this limit.
    pub movetime: Option<Duration>,
    /// The stop switch. Has no effect on the search until it is set.
    pub stop: Option<StopSwitch>,
}

impl Limits {
    /// A depth limit only.
    pub fn depth(depth: u32) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A node limit only.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Whether nodes or time may interrupt the search.
    pub fn interrupts(&self) -> bool {
        self.nodes.is_some() || self.movetime.is_some()
    }

    /// The limits of a search if a host gives these and the agent has its `own`. A time is added to
    /// the agent's own limits; a limit of another kind, or none at all, replaces them.
    pub fn with_own(&self, own: &Limits) -> Limits {
        match self.movetime {
            Some(time) if self.is_only_time() => {
                let movetime = own.movetime.map_or(time, |own| own.min(time));
                Limits { movetime: Some(movetime), ..*own }
            }
            _ => *self,
        }
    }

    /// Whether there is a time and no other limit.
    pub fn is_only_time(&self) -> bool {
        self.movetime.is_some() && self.depth.is_none() && self.nodes.is_none()
    }

    /// The maximum depth of the search.
    pub(super) fn last_depth(&self) -> u32 {
        self.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
    }
}

/// The limits of a running search: one comparison per node, the other checks now and then.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    nodes: u64,
    deadline: Option<Instant>,
    stop: Option<StopSwitch>,
    /// The node count of the next full check.
    check_at: u64,
    stopped: bool,
}

impl Budget {
    /// Starts the clock, if there is a time limit.
    pub(super) fn start(limits: &Limits) -> Self {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        // A deadline out of the clock's range is no deadline.
        let deadline = limits.movetime.and_then(|time| Instant::now().checked_add(time));
        let stop = limits.stop;
        let check_at = if deadline.is_some() || stop.is_some() { 0 } else { nodes };
        Budget { nodes, deadline, stop, check_at, stopped: false }
    }

    /// Whether the search must stop before it enters another position.
    #[inline]
    pub(super) fn spent(&mut self, entered: u64) -> bool {
        entered >= self.check_at && self.look(entered)
    }

    /// Whether the search was stopped.
    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Whether a stop was requested: for loops without other limits, far from the leaves.
    #[inline]
    pub(super) fn halted(&mut self) -> bool {
        self.stopped |= self.stop.is_some_and(StopSwitch::asked);
        self.stopped
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self, entered: u64) -> bool {
        self.stopped |= entered >= self.nodes
            || self.stop.is_some_and(StopSwitch::asked)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.check_at = if self.stopped { 0 } else { self.nodes.min(entered + CLOCK_EVERY) };
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stop_exactly() {
        let mut budget = Budget::start(&Limits::nodes(1000));
        assert!((0..1000).all(|entered| !budget.spent(entered)));
        assert!(budget.spent(1000) && budget.stopped());
    }

    #[test]
    fn only_a_time_of_the_host_keeps_the_own_limits() {
        let own = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::depth(3) };
        let time = |ms| Limits { movetime: Some(Duration::from_millis(ms)), ..Limits::default() };
        assert_eq!(time(20).with_own(&own), Limits { depth: Some(3), ..time(20) });
        assert_eq!(time(80).with_own(&own), own);
        let deeper = Limits { depth: Some(9), ..time(20) };
        for host in [deeper, Limits::nodes(7), Limits::default()] {
            assert_eq!(host.with_own(&own), host);
        }
    }

    #[test]
    fn no_time_stops_at_once() {
        let limits = Limits { movetime: Some(Duration::ZERO), ..Limits::default() };
        assert!(Budget::start(&limits).spent(0));
    }

    #[test]
    fn a_switch_stops_within_a_few_nodes_and_can_be_taken_back() {
        let stop = StopSwitch::new();
        let limits = Limits { stop: Some(stop), ..Limits::nodes(5000) };
        let mut budget = Budget::start(&limits);
        assert!((0..1000).all(|entered| !budget.spent(entered)) && !budget.halted());
        stop.set(true);
        assert!((1000..1000 + 2 * CLOCK_EVERY).any(|entered| budget.spent(entered)));
        stop.set(false);
        let mut budget = Budget::start(&limits);
        assert!((0..5000).all(|entered| !budget.spent(entered)) && budget.spent(5000));
        assert!(stop == limits.stop.unwrap() && stop != StopSwitch::new());
    }

    #[test]
    fn endless_time_never_stops() {
        let limits = Limits { movetime: Some(Duration::MAX), ..Limits::default() };
        assert!(!Budget::start(&limits).spent(u64::MAX - 1));
    }
}
