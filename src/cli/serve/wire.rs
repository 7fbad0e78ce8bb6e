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

#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// Whether a move is being thought of.
    thinking: bool,
    /// Whether it may be answered.
    stopped: bool,
    /// Whether nothing but a stop ends it.
    endless: bool,
}

/// A thread that panics leaves nothing half done behind these locks.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire {
    /// A wire to this writer.
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
        let mut out = locked(&self.0.out);
        out.write_all(lines.as_bytes())?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Says something to people, in one line.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn inform(&self, text: &str) -> io::Result<()> {
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.say(&format!("info string {text}"))
    }

    /// The switch that ends a search.
    pub fn stop(&self) -> Stop {
        self.0.stop
    }

    /// Notes that a move is about to be thought of; false if one is already.
    pub fn begin(&self, endless: bool) -> bool {
        let mut state = locked(&self.0.state);
        if state.thinking {
            return false;
        }
        *state = State { thinking: true, stopped: false, endless };
        self.0.stop.set(false);
        true
    }

    /// Whether a move is being thought of.
    pub fn thinking(&self) -> bool {
        locked(&self.0.state).thinking
    }

    /// Whether nothing but a stop ends what is being thought of.
    pub fn endless(&self) -> bool {
        let state = *locked(&self.0.state);
        state.thinking && state.endless
    }

    /// Asks for an answer at once; says nothing to those who do not think.
    pub fn halt(&self) {
        let mut state = locked(&self.0.state);
        if state.thinking {
            state.stopped = true;
            self.0.stop.set(true);
            self.0.changed.notify_all();
        }
    }

    /// Keeps an answer back until somebody asks for it.
    pub fn wait_for_stop(&self) {
        let mut state = locked(&self.0.state);
        while state.thinking && !state.stopped {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the thinking with these lines. It has ended when they can be read, for the next
    /// `go` may follow at once.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn answer(&self, lines: &str) -> io::Result<()> {
        locked(&self.0.state).thinking = false;
        self.say(lines)
    }
}
