//! Who listens while games are played: people, by a bar in a terminal and by lines elsewhere
//! unless they asked to be left alone, and what the page of results is made of.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};

use crate::arena::{Event, Observer, RunHistory, Tally};
use crate::report::{Bar, Lines};

pub struct Listener {
    people: People,
    /// What happened, where all games of the run go by and somebody wants to know.
    history: Option<Mutex<RunHistory>>,
}

enum People {
    Bar(Bar),
    /// A line on stderr now and then.
    Lines(Lines),
    Nobody,
}

impl Listener {
    /// For so many games; with a history if asked for.
    pub fn new(quiet: bool, total: u64, history: bool) -> Self {
        let people = if quiet {
            People::Nobody
        } else if io::stderr().is_terminal() {
            People::Bar(Bar::new(total))
        } else {
            People::Lines(Lines::new())
        };
        Listener { people, history: history.then(Mutex::default) }
    }

    /// Leaves nothing behind on the screen.
    pub fn clear(&self) {
        if let People::Bar(bar) = &self.people {
            bar.clear();
        }
    }

    /// What happened up to the end at which `tally` stands, if that was wanted.
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
