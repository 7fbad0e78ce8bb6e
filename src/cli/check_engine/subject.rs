//! The engine under examination, with what is said to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cli::values::Dialect;
use crate::engine::{
    Answer, Go, Gomocup, House, Launch, Link, Lots, Protocol, Question, Setting, Terms, Trouble,
    UCI, UGI, Uci,
};
use crate::games::{Player, Turn};
use crate::world::Session;

/// How long an engine may take for what has no limit of its own.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What is known of the engine before it runs.
pub struct Candidate {
    pub launch: Launch,
    pub dialect: Dialect,
    pub settings: Vec<Setting>,
    pub house: Arc<House>,
    /// Where games start, where that is not the start that every engine knows.
    pub start: Option<String>,
    /// The rules, with an agent that nobody asks.
    pub rules: Session,
    /// Whether it was found not to keep limits on nodes.
    pub by_depth: bool,
}

enum Spoken {
    Uci(Uci),
    Gomocup(Gomocup),
}

/// The engine, running and greeted.
pub struct Subject {
    pub link: Link,
    spoken: Spoken,
}

/// A position in a game: where the game began, if not at the start that every engine knows, its
/// moves, chance's included, and who is to move.
#[derive(Debug, Clone)]
pub struct Place {
    pub from: Option<String>,
    pub moves: String,
    pub player: Player,
}

impl Place {
    /// The order that sets it up, in the words of UCI and UGI.
    pub fn order(&self) -> String {
        let mut order = "position startpos".to_owned();
        if let Some(from) = &self.from {
            order = format!("position fen {from}");
        }
        if !self.moves.is_empty() {
            order = format!("{order} moves {}", self.moves);
        }
        order
    }
}

impl Candidate {
    /// Starts the engine and greets it; where it does not greet, the process is told too.
    ///
    /// # Errors
    /// An engine that does not answer as it should.
    pub fn start(&self) -> Result<Subject, Trouble> {
        let link = Link::spawn(&self.launch, &self.house)
            .map_err(|error| Trouble::from(self.launch.refused(&error)))?;
        let spoken = match self.dialect {
            Dialect::Uci => Spoken::Uci(Uci::new(UCI)),
            Dialect::Ugi => Spoken::Uci(Uci::new(UGI)),
            Dialect::Gomocup => Spoken::Gomocup(Gomocup::new()),
        };
        let mut subject = Subject { link, spoken };
        let Subject { link, spoken } = &mut subject;
        let terms = Terms { house: &self.house, settings: &self.settings };
        let opened = spoken.protocol().open(link, terms, Instant::now() + PATIENCE);
        opened.map_err(|trouble| link.explain(trouble))?;
        Ok(subject)
    }

    /// The line that asks the engine to leave.
    pub fn quit_line(&self) -> &'static str {
        if self.dialect == Dialect::Gomocup { "END\n" } else { "quit\n" }
    }

    /// Where the game goes after these moves: chance has decided what it had to. `None` where
    /// the game is over.
    ///
    /// # Errors
    /// A move that is not legal.
    pub fn place(&mut self, mut moves: String) -> Result<Option<Place>, String> {
        loop {
            self.rules.set_up(None, &moves)?;
            match self.rules.turn() {
                Some(Turn::Player(player)) => {
                    let from = self.start.clone();
                    return Ok(Some(Place { from, moves, player }));
                }
                Some(Turn::Chance) => {
                    let lots = self.rules.roll().unwrap_or_default();
                    moves = joined(&moves, &lots);
                }
                _ => return Ok(None),
            }
        }
    }

    /// Where the game goes when the engine's answer is played.
    ///
    /// # Errors
    /// An answer that is no legal move, in a sentence.
    pub fn after(&mut self, place: &Place, answer: &str) -> Result<Option<Place>, String> {
        if answer.is_empty() {
            return Err("it named no move".to_owned());
        }
        let shown: String = answer.chars().take(60).collect();
        let wrong = |why: String| format!("it answered `{shown}`: {why}");
        if answer.contains(char::is_whitespace) {
            return Err(wrong("that is no move".to_owned()));
        }
        self.place(joined(&place.moves, answer)).map_err(wrong)
    }
}

/// Moves with one more behind them.
fn joined(moves: &str, more: &str) -> String {
    if moves.is_empty() { more.to_owned() } else { format!("{moves} {more}") }
}

impl Spoken {
    fn protocol(&mut self) -> &mut dyn Protocol {
        match self {
            Spoken::Uci(uci) => uci,
            Spoken::Gomocup(gomocup) => gomocup,
        }
    }
}

impl Subject {
    /// The words of UCI and UGI, with the line.
    pub fn uci(&mut self) -> Option<(&mut Uci, &mut Link)> {
        match &mut self.spoken {
            Spoken::Uci(uci) => Some((uci, &mut self.link)),
            Spoken::Gomocup(_) => None,
        }
    }

    /// Begins a new game.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    pub fn new_game(&mut self) -> Result<(), Trouble> {
        self.spoken.protocol().new_game(&mut self.link, Instant::now() + PATIENCE)
    }

    /// Asks for a move; an engine that goes on for longer than the patience is told to stop.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    pub fn ask(&mut self, place: &Place, go: Go, patience: Duration) -> Result<Answer, Trouble> {
        let question = Question {
            position: place.from.as_deref(),
            opening: "",
            moves: &place.moves,
            player: place.player,
            go,
            // The same for all: who takes them has no excuse for another move.
            lots: Some(Lots { seed: [0; 32], game: 1 }),
            budget: patience,
        };
        let mut answer = Answer::default();
        let protocol = self.spoken.protocol();
        match protocol.ask(&mut self.link, &question, &mut answer) {
            Ok(()) => Ok(answer),
            Err(trouble) => {
                // So that the next question finds an engine that listens.
                let trouble = self.link.explain(trouble);
                let _ = protocol.stop(&mut self.link, Instant::now() + Duration::from_secs(1));
                Err(trouble)
            }
        }
    }

    /// Says a line as it is, and waits for one that begins with a word; when it was read, and
    /// the line.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    pub fn say(
        &mut self,
        line: &str,
        word: &str,
        patience: Duration,
    ) -> Result<(Instant, String), Trouble> {
        if !line.is_empty() {
            self.link.send(line.as_bytes())?;
        }
        let deadline = Instant::now() + patience;
        loop {
            let read = self.link.next_line(deadline)?;
            if self.link.text().split_ascii_whitespace().next() == Some(word) {
                return Ok((read, self.link.text().to_owned()));
            }
        }
    }
}
