//! Who hears of progress: a bar in a terminal, lines elsewhere, nobody if asked to be quiet.

use std::io::{self, IsTerminal};

use crate::arena::{Observer, Silent};
use crate::report::{Bar, Lines};

/// The listener that suits the terminal.
pub enum Listener {
    /// A bar on stderr.
    Bar(Bar),
    /// A line on stderr now and then.
    Lines(Lines),
    /// Nobody listens.
    Silent(Silent),
}

impl Listener {
    /// For so many games.
    pub fn new(quiet: bool, total: u64) -> Self {
        if quiet {
            Listener::Silent(Silent)
        } else if io::stderr().is_terminal() {
            Listener::Bar(Bar::new(total))
        } else {
            Listener::Lines(Lines::new())
        }
    }

    /// The same to those who report.
    pub fn observer(&self) -> &dyn Observer {
        match self {
            Listener::Bar(bar) => bar,
            Listener::Lines(lines) => lines,
            Listener::Silent(silent) => silent,
        }
    }

    /// Leaves nothing behind on the screen.
    pub fn clear(&self) {
        if let Listener::Bar(bar) = self {
            bar.clear();
        }
    }
}
