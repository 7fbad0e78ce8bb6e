//! Ctrl-C and SIGTERM: the first asks to stop, the second leaves at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether and by what the process was asked to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    asked: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Listens from now on.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn listen() -> io::Result<Self> {
        let stop = Stop::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the second signal finds the flag set and leaves.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop.asked))?;
            flag::register_usize(signal, Arc::clone(&stop.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&stop.asked))?;
        }
        Ok(stop)
    }

    /// Set once a signal has come.
    pub fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// The exit code of the signal that came, if one did.
    pub fn code(&self) -> Option<u8> {
        let signal = self.signal.load(Ordering::Relaxed);
        (signal != 0).then_some(128 + signal as u8)
    }
}
