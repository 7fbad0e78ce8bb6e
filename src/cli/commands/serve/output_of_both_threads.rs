//! State that the two threads of a served agent share: the output, the commands that are still to be
//! executed, and which moves are requested.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::engine::{UciCommand, UciReply};
use crate::search::StopSwitch;
use crate::util::locks::lock;

/// The output with its state. Clones share the same state.
#[derive(Clone)]
pub struct HostOutput(Arc<Shared>);

struct Shared {
    out: Mutex<Box<dyn Write + Send>>,
    state: Mutex<OutputState>,
    changed: Condvar,
    /// A new command or the end of the input. Only the thread that executes commands wakes up.
    ordered: Condvar,
    stop: StopSwitch,
}

/// Moves are numbered in the order of their requests.
#[derive(Debug, Default)]
struct OutputState {
    /// Commands that are not yet executed.
    orders: VecDeque<UciCommand>,
    /// Whether the input has ended, and whether by `quit`.
    end: Option<bool>,
    /// All work is done, or the host no longer reads.
    is_done: bool,
    asked: u64,
    answered: u64,
    /// The last move that must be answered at once.
    stopped: u64,
    /// The last move whose search only ends with a stop.
    infinite: u64,
}

impl HostOutput {
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        HostOutput(Arc::new(Shared {
            out: Mutex::new(out),
            state: Mutex::default(),
            changed: Condvar::new(),
            ordered: Condvar::new(),
            stop: StopSwitch::new(),
        }))
    }

    /// Sends one or several lines.
    pub fn say(&self, lines: impl Display) -> io::Result<()> {
        // One write, so that the host wakes up once.
        let mut out = lock(&self.0.out);
        out.write_all(format!("{lines}\n").as_bytes())?;
        out.flush()
    }

    /// Sends a message for people, in one line.
    pub fn info_string(&self, text: &str) -> io::Result<()> {
        let text: String =
            text.chars().map(|c| if crate::params::is_steering(c) { ' ' } else { c }).collect();
        self.say(UciReply::Message(&text))
    }

    /// Adds a command to be executed.
    pub fn order(&self, command: UciCommand) {
        lock(&self.0.state).orders.push_back(command);
        self.0.ordered.notify_one();
    }

    /// Waits for the next command; `None` after the last one.
    pub fn next_order(&self) -> Option<UciCommand> {
        let waits = |state: &mut OutputState| state.orders.is_empty() && state.end.is_none();
        let state = self.0.ordered.wait_while(lock(&self.0.state), waits);
        state.unwrap_or_else(PoisonError::into_inner).orders.pop_front()
    }

    /// Notes that no more commands come.
    pub fn end_input(&self, quits: bool) {
        lock(&self.0.state).end = Some(quits);
        self.0.changed.notify_all();
        self.0.ordered.notify_one();
    }

    /// Notes that no more commands are executed.
    pub fn end_work(&self) {
        lock(&self.0.state).is_done = true;
        self.0.changed.notify_all();
    }

    /// Waits until the input has ended, and returns whether by `quit`; `None`: the work has ended.
    pub fn wait_for_end(&self) -> Option<bool> {
        let waits = |state: &mut OutputState| state.end.is_none() && !state.is_done;
        let state = self.0.changed.wait_while(lock(&self.0.state), waits);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        state.end.filter(|_| !state.is_done)
    }

    /// Waits at most this long for the end of the work. Returns whether it has ended.
    pub fn wait_for_work(&self, time: Duration) -> bool {
        let waits = |state: &mut OutputState| !state.is_done;
        let waited = self.0.changed.wait_timeout_while(lock(&self.0.state), time, waits);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_done
    }

    /// The switch that ends a search.
    pub fn stop(&self) -> StopSwitch {
        self.0.stop
    }

    /// Notes that a move is requested.
    pub fn ask(&self, infinite: bool) {
        let mut state = lock(&self.0.state);
        state.asked += 1;
        if infinite {
            state.infinite = state.asked;
        }
    }

    /// Begins the search of the next requested move.
    pub fn begin(&self) {
        let state = lock(&self.0.state);
        self.0.stop.set(state.stopped > state.answered);
    }

    /// Whether a requested move is not yet answered.
    pub fn is_searching(&self) -> bool {
        let state = lock(&self.0.state);
        state.asked > state.answered
    }

    /// Whether the current search only ends with a stop.
    pub fn is_infinite(&self) -> bool {
        let state = lock(&self.0.state);
        state.infinite > state.answered.max(state.stopped)
    }

    /// Requests an answer at once. Has no effect if no move is requested.
    pub fn request_stop(&self) {
        let mut state = lock(&self.0.state);
        state.stopped = state.asked;
        self.0.stop.set(state.asked > state.answered);
        self.0.changed.notify_all();
    }

    /// Waits with an answer until a stop is requested.
    pub fn wait_for_stop(&self) {
        let waits = |state: &mut OutputState| state.stopped <= state.answered;
        drop(self.0.changed.wait_while(lock(&self.0.state), waits));
    }

    /// Ends a search and sends its answer. The state changes before the lines are sent, because the
    /// next `go` may follow at once.
    pub fn answer(&self, lines: impl Display) -> io::Result<()> {
        lock(&self.0.state).answered += 1;
        self.say(lines)
    }
}
