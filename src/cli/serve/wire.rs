//! What the two threads of a served agent share: where answers go, and who thinks.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::search::Stop;

/// Where answers go. Copies are the same wire.
#[derive(Clone)]
pub struct Wire(Arc<Shared>);

struct Shared {
    out: Mutex<Box<dyn Write + Send>>,
    state: Mutex<State>,
    changed: Condvar,
    stop: Stop,
}

/// Moves are numbered as they are asked for.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    asked: u64,
    answered: u64,
    /// The last that is to be answered at once.
    stopped: u64,
    /// The last that nothing but a stop ends.
    endless: u64,
}

/// A thread that panics leaves nothing half done behind these locks.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire {
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        Wire(Arc::new(Shared {
            out: Mutex::new(out),
            state: Mutex::default(),
            changed: Condvar::new(),
            stop: Stop::new(),
        }))
    }

    /// Says a line, or several.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn say(&self, lines: &str) -> io::Result<()> {
        // In one piece: whoever listens is woken once.
        let mut out = locked(&self.0.out);
        out.write_all(format!("{lines}\n").as_bytes())?;
        out.flush()
    }

    /// Says something to people, in one line.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn inform(&self, text: &str) -> io::Result<()> {
        let text: String =
            text.chars().map(|c| if crate::params::is_steering(c) { ' ' } else { c }).collect();
        self.say(&format!("info string {text}"))
    }

    /// The switch that ends a search.
    pub fn stop(&self) -> Stop {
        self.0.stop
    }

    /// Notes that a move is asked for.
    pub fn ask(&self, endless: bool) {
        let mut state = locked(&self.0.state);
        state.asked += 1;
        if endless {
            state.endless = state.asked;
        }
    }

    /// Begins to think of the next move that was asked for.
    pub fn begin(&self) {
        let state = locked(&self.0.state);
        self.0.stop.set(state.stopped > state.answered);
    }

    /// Whether an answer is owed.
    pub fn thinking(&self) -> bool {
        let state = locked(&self.0.state);
        state.asked > state.answered
    }

    /// Whether nothing but a stop ends what is owed.
    pub fn endless(&self) -> bool {
        let state = locked(&self.0.state);
        state.endless > state.answered.max(state.stopped)
    }

    /// Asks for an answer at once; says nothing to those who do not think.
    pub fn halt(&self) {
        let mut state = locked(&self.0.state);
        state.stopped = state.asked;
        self.0.stop.set(state.asked > state.answered);
        self.0.changed.notify_all();
    }

    /// Keeps an answer back until somebody asks for it.
    pub fn wait_for_stop(&self) {
        let mut state = locked(&self.0.state);
        while state.stopped <= state.answered {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the thinking with these lines. It has ended when they can be read, for the next
    /// `go` may follow at once.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn answer(&self, lines: &str) -> io::Result<()> {
        locked(&self.0.state).answered += 1;
        self.say(lines)
    }
}
