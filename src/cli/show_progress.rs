//! Shows the progress of a run and records its history for the report. Progress is a bar in a
//! terminal and lines elsewhere; `--quiet` turns it off.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};

use crate::arena::{Event, Observer, RunHistory, Tally};
use crate::report::{ProgressLines, TerminalProgress};

pub struct Listener {
    people: People,
    /// The history of the run, if all games pass through this process and the report needs it.
    history: Option<Mutex<RunHistory>>,
}

enum People {
    Bar(TerminalProgress),
    /// An occasional line on stderr.
    Lines(ProgressLines),
    Nobody,
}

impl Listener {
    /// A listener for `total` games, with a history if wanted.
    pub fn new(quiet: bool, total: u64, history: bool) -> Self {
        let people = if quiet {
            People::Nobody
        } else if io::stderr().is_terminal() {
            People::Bar(TerminalProgress::new(total))
        } else {
            People::Lines(ProgressLines::new())
        };
        Listener { people, history: history.then(Mutex::default) }
    }

    /// Removes the progress bar from the screen.
    pub fn clear(&self) {
        if let People::Bar(bar) = &self.people {
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
            Event::Progress(progress) => match &self.people {
                People::Bar(bar) => bar.show(progress),
                People::Lines(lines) => lines.show(progress),
                People::Nobody => {}
            },
            Event::Game { row, line, tally } => {
                let Some(history) = &self.history else { return };
                let mut history = history.lock().unwrap_or_else(PoisonError::into_inner);
                history.record_line(row, line, tally);
            }
            Event::GraceOver(_) => {}
        }
    }
}
