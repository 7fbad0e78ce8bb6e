//! A running program of rules: questions, answers, and what is kept of them.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use super::known_positions::KnownPositions;
use super::position::{Abilities, ProgramState, check_state};
use super::rules_failure::RulesFailure;
use crate::engine::{Connection, EngineError, Launch, shorten};

/// A program that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    pub launch: Launch,
    /// The command, for people.
    pub shown: String,
    /// The longest time for one line of an answer.
    pub timeout: Duration,
}

/// The greeting of agon, and the beginning of the program's answer.
pub(super) const GREETING: &str = "agon-game 1";
/// The largest number of positions in one question.
const LARGEST_BATCH: usize = 64;

/// A running program. Each thread has its own.
pub(super) struct RulesProcess {
    program: Program,
    connection: Connection,
    pub abilities: Abilities,
    known: KnownPositions,
    /// The current question; its memory is reused.
    question: String,
}

thread_local! {
    /// The programs of this thread. They end with it.
    static RUNNING: RefCell<Vec<RulesProcess>> = const { RefCell::new(Vec::new()) };
}

impl Program {
    /// Asks this thread's process, which is started if it does not run. A process that fails is
    /// ended, so that the next question starts a new one.
    pub fn ask<T>(
        &self,
        question: impl FnOnce(&mut RulesProcess) -> Result<T, RulesFailure>,
    ) -> Result<T, RulesFailure> {
        RUNNING.with_borrow_mut(|running| {
            let known = running.iter().position(|process| process.program == *self);
            let index = match known {
                Some(index) => index,
                None => {
                    running.push(RulesProcess::start(self)?);
                    running.len() - 1
                }
            };
            let answer = question(&mut running[index]);
            if answer.is_err() {
                running.swap_remove(index);
            }
            answer
        })
    }
}

impl RulesProcess {
    fn start(program: &Program) -> Result<Self, RulesFailure> {
        let connection = Connection::spawn(&program.launch).map_err(|error| RulesFailure {
            command: program.shown.clone(),
            what: with_help(&error),
            transcript: String::new(),
        })?;
        let mut process = RulesProcess {
            program: program.clone(),
            connection,
            abilities: Abilities::default(),
            known: KnownPositions::default(),
            question: String::new(),
        };
        process.begin(GREETING);
        let answer = process.ask_line()?;
        let Some(words) = answer.strip_prefix(GREETING) else {
            let what = format!(
                "it answers `{GREETING}` with `{}`; the answer must begin with `{GREETING}`, and \
                 debug text belongs on standard error",
                shorten(&answer)
            );
            return Err(process.failure(what));
        };
        process.abilities = Abilities::read(words).map_err(|what| process.failure(what))?;
        Ok(process)
    }

    /// The start of the game.
    pub fn first_position(&mut self) -> Result<ProgramState, RulesFailure> {
        self.begin("start");
        self.ask_position()
    }

    /// The position that the program reads from a text; the inner error is the program's own.
    pub fn read_state(&mut self, text: &str) -> Result<Result<ProgramState, String>, RulesFailure> {
        if let Err(why) = check_state(text) {
            return Ok(Err(why));
        }
        self.begin("state");
        self.add(text);
        self.send()?;
        self.next_line()?;
        let line = self.connection.whole_line().unwrap_or_default();
        match str::from_utf8(line).ok().and_then(|line| line.strip_prefix("error\t")) {
            Some(why) => Ok(Err(shorten(why.trim_end()))),
            None => self.position_of_line().map(Ok),
        }
    }

    /// The position after the move with this index. Asks for other moves in the same question, if the
    /// position is expanded.
    pub fn after(
        &mut self,
        parent: &ProgramState,
        index: usize,
    ) -> Result<ProgramState, RulesFailure> {
        if let Some(known) = self.known.find(parent, index) {
            return Ok(known.clone());
        }
        let most = if parent.is_expanded() { LARGEST_BATCH } else { 1 };
        let unknown = |&other: &usize| self.known.find(parent, other).is_none();
        let batch: Vec<usize> = (index..parent.moves().len()).filter(unknown).take(most).collect();
        self.begin("play");
        self.add(parent.text());
        let mut wanted = batch.iter().peekable();
        for (other, text) in parent.move_texts().enumerate() {
            if wanted.next_if_eq(&&other).is_some() {
                self.add(text);
            }
        }
        self.send()?;
        let mut first = None;
        for other in batch {
            self.next_line()?;
            let child = self.position_of_line()?;
            first.get_or_insert_with(|| child.clone());
            self.known.keep(parent, other, child);
        }
        Ok(first.expect("the batch begins with the wanted move"))
    }

    /// The answer to a question about a state that has one line.
    pub fn about(&mut self, word: &str, state: &ProgramState) -> Result<String, RulesFailure> {
        self.begin(word);
        self.add(state.text());
        self.ask_line()
    }

    /// A failure with the conversation that led to it.
    pub fn failure(&self, what: String) -> RulesFailure {
        let transcript = self.connection.conversation_log().text();
        RulesFailure { command: self.program.shown.clone(), what, transcript }
    }

    fn begin(&mut self, word: &str) {
        self.question.clear();
        self.question.push_str(word);
    }

    fn add(&mut self, field: &str) {
        self.question.push('\t');
        self.question.push_str(field);
    }

    fn send(&mut self) -> Result<(), RulesFailure> {
        self.question.push('\n');
        if self.connection.has_unread_line() {
            let _ = self.connection.next_line(Instant::now());
            let line = shorten(self.connection.text());
            return Err(self.failure(format!(
                "it writes `{line}` without a question; debug text belongs on standard error"
            )));
        }
        self.connection.send(self.question.as_bytes()).map_err(|error| self.broken(error))
    }

    fn next_line(&mut self) -> Result<(), RulesFailure> {
        let deadline = Instant::now() + self.program.timeout;
        self.connection.next_line(deadline).map(drop).map_err(|error| self.broken(error))
    }

    fn ask_line(&mut self) -> Result<String, RulesFailure> {
        self.send()?;
        self.next_line()?;
        let line = self.connection.whole_line().map(|line| str::from_utf8(line).map(str::to_owned));
        match line {
            Ok(Ok(line)) => Ok(line.trim_end().to_owned()),
            Ok(Err(_)) => Err(self.failure("the answer is not UTF-8".to_owned())),
            Err(why) => Err(self.failure(why)),
        }
    }

    fn ask_position(&mut self) -> Result<ProgramState, RulesFailure> {
        self.send()?;
        self.next_line()?;
        self.position_of_line()
    }

    fn position_of_line(&self) -> Result<ProgramState, RulesFailure> {
        let line = self.connection.whole_line();
        line.and_then(|line| ProgramState::read(line, self.abilities)).map_err(|why| {
            let answer = shorten(&visible_tabs(self.connection.text()));
            let question = shorten(&visible_tabs(self.question.trim_end()));
            self.failure(format!("{why}; the answer is `{answer}`, the question `{question}`"))
        })
    }

    /// A failure of the connection.
    fn broken(&mut self, error: EngineError) -> RulesFailure {
        let error = self.connection.explain(error);
        let question = shorten(&visible_tabs(self.question.trim_end()));
        self.failure(format!("{}; the question is `{question}`", with_help(&error)))
    }
}

fn with_help(error: &EngineError) -> String {
    match error.help.is_empty() {
        true => error.detail.clone(),
        false => format!("{}; {}", error.detail, error.help),
    }
}

fn visible_tabs(line: &str) -> String {
    line.replace('\t', " <TAB> ")
}
