//! Shows the progress of a run and records its history for the report. Progress is a bar in a
//! terminal and lines elsewhere; `--quiet` turns it off.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};

use crate::arena::{Event, Observer, RunHistory, Tally};
use crate::report::{ProgressLines, TerminalProgress};
use crate::util::locks::lock;

pub struct Listener {
    display: Display,
    /// The history of the run, if all games pass through this process and the report needs it.
    history: Option<Mutex<RunHistory>>,
}

enum Display {
    Bar(TerminalProgress),
    /// An occasional line on stderr.
    Lines(ProgressLines),
    Hidden,
}

impl Listener {
    /// A listener for `total` games, with a history if wanted.
    pub fn new(quiet: bool, total: u64, history: bool) -> Self {
        let display = if quiet {
            Display::Hidden
        } else if io::stderr().is_terminal() {
            Display::Bar(TerminalProgress::new(total))
        } else {
            Display::Lines(ProgressLines::default())
        };
        Listener { display, history: history.then(Mutex::default) }
    }

    /// Removes the progress bar from the screen.
    pub fn clear(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.clear();
        }
    }

    /// The history of the run until its end, where the counts are `tally`; `None` if it was not
    /// recorded.
    pub fn history(self, tally: &Tally) -> Option<RunHistory> {
        let history = self.history?.into_inner();
        let mut history = history.unwrap_or_else(PoisonError::into_inner);
        history.end(tally);
        Some(history)
    }
}

impl Observer for Listener {
    fn on(&self, event: &Event<'_>) {
        match event {
            Event::Progress(progress) => match &self.display {
                Display::Bar(bar) => bar.show(progress),
                Display::Lines(lines) => lines.show(progress),
                Display::Hidden => {}
            },
            Event::Game { row, line, tally } => {
                let Some(history) = &self.history else { return };
                let mut history = lock(history);
                history.record_line(row, line, tally);
            }
            Event::GraceOver(_) => {}
        }
    }
}
