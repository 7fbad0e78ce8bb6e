//! A running program of rules: questions, answers, and what is kept of them.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::known_positions::KnownPositions;
use super::position::{Abilities, ProgramState, check_state};
use super::rules_failure::RulesFailure;
use crate::engine::{Connection, EngineError, EngineErrorKind, FLUSHES, Launch, shorten};
use crate::games::Turn;

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

/// The largest number of random plies in one question.
const LONGEST_PLAYOUT: u32 = 256;

/// A process that ends after a pause of this length was ended from outside.
const LONG_PAUSE: Duration = Duration::from_secs(1);

/// A running program. Each thread has its own.
pub(super) struct RulesProcess {
    program: Program,
    connection: Connection,
    pub abilities: Abilities,
    known: KnownPositions,
    /// Whether its first answers were compared with those of an earlier process.
    is_checked: bool,
    /// The number of random plies in the next question.
    playout_plies: u32,
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
            is_shortage: error.kind == EngineErrorKind::Shortage,
        })?;
        let mut process = RulesProcess {
            program: program.clone(),
            connection,
            abilities: Abilities::default(),
            known: KnownPositions::default(),
            is_checked: false,
            playout_plies: 16,
            question: String::new(),
        };
        process.begin(GREETING);
        process.send()?;
        process.next_line()?;
        let line = process.connection.whole_line().unwrap_or_default();
        let words = str::from_utf8(line).ok().and_then(|line| line.trim().strip_prefix(GREETING));
        let Some(words) = words else {
            let what = format!(
                "it answers `{GREETING}` with `{}`; the answer must begin with `{GREETING}`, and \
                 debug text belongs on standard error",
                shown(line)
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

    /// Checks that this process gives the same answers as an earlier one for the start and for the
    /// first moves. Programs often list moves in the order of a set, which differs between processes.
    pub fn check_start(&mut self, earlier: &[ProgramState]) -> Result<(), RulesFailure> {
        if self.is_checked {
            return Ok(());
        }
        let now = self.first_positions()?;
        match earlier.iter().zip(&now).find(|(one, other)| !one.is_same_answer(other)) {
            Some((earlier, now)) => Err(self.differing("an earlier process", earlier, now)),
            None => Ok(()),
        }
    }

    /// The start of the game, and the positions after its first moves.
    pub fn first_positions(&mut self) -> Result<Vec<ProgramState>, RulesFailure> {
        let start = self.first_position()?;
        start.expand();
        let most = start.moves().len().min(LARGEST_BATCH);
        let after: Result<Vec<_>, _> = (0..most).map(|index| self.after(&start, index)).collect();
        self.is_checked = true;
        Ok([vec![start], after?].concat())
    }

    /// The position that the program reads from a text; the inner error is the program's own. It must
    /// read its own texts.
    pub fn read_state(&mut self, text: &str) -> Result<Result<ProgramState, String>, RulesFailure> {
        if let Err(why) = check_state(text) {
            return Ok(Err(why));
        }
        if let Some(known) = self.known.find(text) {
            let known = known.clone();
            return self.confirm(&known).map(|()| Ok(known));
        }
        self.ask_state(text)
    }

    fn ask_state(&mut self, text: &str) -> Result<Result<ProgramState, String>, RulesFailure> {
        self.begin("state");
        self.add(text);
        self.send()?;
        self.next_line()?;
        match self.error_of_line() {
            Some(why) => Ok(Err(why)),
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
        if let Some(known) = self.known.after(parent, index) {
            return Ok(known.clone());
        }
        self.keep(parent.clone())?;
        let most = if parent.is_expanded() { LARGEST_BATCH } else { 1 };
        let unknown = |&other: &usize| self.known.after(parent, other).is_none();
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
        for (answered, &other) in batch.iter().enumerate() {
            self.next_line().map_err(|failure| failure.after(answered, batch.len()))?;
            let child = self.position_after(parent, other)?;
            first.get_or_insert_with(|| child.clone());
            self.known.keep_after(parent, other, child);
        }
        let child = first.expect("the batch begins with the wanted move");
        if batch.len() == 1 && child.turn() == Turn::Over {
            self.confirm(parent)?;
        }
        Ok(child)
    }

    /// Plays random plies in one question. Returns the number of moves and of outcomes; none of both
    /// if the first position is known, because that costs no question.
    pub fn random_plies(
        &mut self,
        state: &mut ProgramState,
        numbers: &mut dyn FnMut() -> u32,
        most: u32,
    ) -> Result<[u32; 2], RulesFailure> {
        let Some(index) = state.drawn(numbers()) else { return Ok([0; 2]) };
        if self.known.after(state, index).is_some() {
            return Ok([0; 2]);
        }
        let begin = Instant::now();
        self.keep(state.clone())?;
        self.begin("playout");
        self.add(state.text());
        self.add(state.move_texts().nth(index).unwrap_or_default());
        let more = self.playout_plies.min(most) - 1;
        for _ in 0..more {
            let _ = write!(self.question, "\t{}", numbers());
        }
        self.send()?;
        self.next_line()?;
        let child = self.position_after(state, index)?;
        self.known.keep_after(state, index, child);
        self.next_line()?;
        let mut counts = self.counts_of_line(more)?;
        self.next_line()?;
        let end = self.position_of_line()?;
        let used = counts[0] + counts[1];
        counts[usize::from(state.turn() == Turn::Chance)] += 1;
        *state = end;
        // Many plies of a slow program must not take longer than one answer may take. Each number
        // that a short game leaves over costs the program time.
        let plies = self.playout_plies;
        self.playout_plies = match begin.elapsed() < self.program.timeout / 16 {
            true if used == more => LONGEST_PLAYOUT.min(plies * 2),
            true if 2 * used < plies => plies - plies / 16,
            true => plies,
            false => 1.max(plies / 2),
        };
        Ok(counts)
    }

    /// The line `MOVES OUTCOMES` of a playout.
    fn counts_of_line(&self, most: u32) -> Result<[u32; 2], RulesFailure> {
        let line = self.connection.whole_line().and_then(text_of);
        let counts = line.map(|line| {
            let mut counts = line.split_ascii_whitespace().map(str::parse);
            match [counts.next(), counts.next(), counts.next()] {
                [Some(Ok(moves)), Some(Ok(outcomes)), None] => Some([moves, outcomes]),
                _ => None,
            }
        });
        let is_possible = |[moves, outcomes]: &[u32; 2]| moves.checked_add(*outcomes) <= Some(most);
        match counts.map(|counts| counts.filter(is_possible)) {
            Ok(Some(counts)) => Ok(counts),
            Ok(None) => Err(self.wrong_answer(&format!(
                "the second line of a playout is not the number of moves, a blank, and the number \
                 of outcomes, together at most {most}"
            ))),
            Err(why) => Err(self.wrong_answer(&why)),
        }
    }

    /// Asks for a known position again. If the program has written a line too many, its answer is
    /// that for an earlier question.
    pub fn confirm(&mut self, known: &ProgramState) -> Result<(), RulesFailure> {
        let asked = shorten(known.text());
        match self.ask_state(known.text())? {
            Ok(again) if again == *known => Ok(()),
            Ok(again) => Err(self.failure(format!(
                "it answers the question for the state `{asked}` with another state, `{}`",
                shorten(again.text())
            ))),
            Err(why) => {
                Err(self.failure(format!("it does not read its own state `{asked}`: {why}")))
            }
        }
    }

    /// Whether the program has named this state.
    pub fn knows(&self, text: &str) -> bool {
        self.known.find(text).is_some()
    }

    /// The answer to a question about a state that has one line.
    pub fn about(&mut self, word: &str, state: &ProgramState) -> Result<String, RulesFailure> {
        self.begin(word);
        self.add(state.text());
        self.send()?;
        self.next_line()?;
        if let Some(why) = self.error_of_line() {
            let state = shorten(state.text());
            return Err(self.failure(format!("it cannot answer `{word}` for `{state}`: {why}")));
        }
        let line = self.connection.whole_line().and_then(text_of);
        line.map(|line| line.trim_end().to_owned()).map_err(|why| self.wrong_answer(&why))
    }

    /// Asks for all drawings of a state that the program offers.
    pub fn try_drawing(&mut self, state: &ProgramState) -> Result<(), RulesFailure> {
        let Abilities { draw, picture, .. } = self.abilities;
        for word in [(draw, "draw"), (picture, "picture")].iter().filter(|(offered, _)| *offered) {
            self.about(word.1, state)?;
        }
        Ok(())
    }

    /// A failure with the conversation that led to it.
    pub fn failure(&self, what: String) -> RulesFailure {
        let transcript = self.connection.conversation_log().text();
        let command = self.program.shown.clone();
        RulesFailure { command, what, transcript, is_shortage: false }
    }

    /// The failure of a program that has answered otherwise before.
    fn differing(&self, before: &str, earlier: &ProgramState, now: &ProgramState) -> RulesFailure {
        let [earlier, now] = [earlier, now].map(|answer| shorten(&answer.line()));
        self.failure(format!(
            "it has another answer for the same question: {before} said `{earlier}`, and now it \
             says `{now}`; the order of the moves must be the same, too"
        ))
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
        if self.connection.has_ended_after(LONG_PAUSE) {
            self.start_again()?;
        }
        // What a program writes before its greeting is the answer to it, whichever comes first.
        let is_greeting = self.question.trim_end() == GREETING;
        if let Some(line) = (!is_greeting).then(|| self.connection.unasked_line()).flatten() {
            let line = shown(line);
            return Err(self.failure(format!(
                "it writes `{line}` without a question; debug text belongs on standard error, and \
                 a question has one answer"
            )));
        }
        self.connection.send(self.question.as_bytes()).map_err(|error| self.broken(error))
    }

    /// Replaces a process that has ended between two questions. What is known of the rules
    /// stays known, so other answers are noticed.
    fn start_again(&mut self) -> Result<(), RulesFailure> {
        let RulesProcess { connection, abilities, .. } = Self::start(&self.program)?;
        (self.connection, self.abilities, self.is_checked) = (connection, abilities, false);
        Ok(())
    }

    fn next_line(&mut self) -> Result<(), RulesFailure> {
        let deadline = Instant::now() + self.program.timeout;
        self.connection.next_line(deadline).map(drop).map_err(|error| self.broken(error))
    }

    fn ask_position(&mut self) -> Result<ProgramState, RulesFailure> {
        self.send()?;
        self.next_line()?;
        if let Some(why) = self.error_of_line() {
            let question = shorten(self.question.trim_end());
            return Err(self.failure(format!("it cannot answer `{question}`: {why}")));
        }
        self.position_of_line()
    }

    /// The answer for one move of a question `play`.
    fn position_after(
        &mut self,
        parent: &ProgramState,
        index: usize,
    ) -> Result<ProgramState, RulesFailure> {
        let mv = parent.move_texts().nth(index).unwrap_or_default();
        let state = shorten(parent.text());
        if let Some(why) = self.error_of_line() {
            let what = format!("it refuses its own move `{mv}` in the state `{state}`: {why}");
            return Err(self.failure(what));
        }
        let child = self.position_of_line()?;
        match child == *parent {
            false => Ok(child),
            true => Err(self.failure(format!(
                "its move `{mv}` does not change the state `{state}`; or it has answered an earlier \
                 question twice"
            ))),
        }
    }

    /// The sentence of an answer `error<TAB>SENTENCE`.
    fn error_of_line(&self) -> Option<String> {
        let line = self.connection.whole_line().ok()?.strip_prefix(b"error\t")?;
        Some(shown(line))
    }

    fn position_of_line(&mut self) -> Result<ProgramState, RulesFailure> {
        let line = self.connection.whole_line().and_then(text_of);
        let position = line
            .and_then(|line| ProgramState::read(line, self.abilities))
            .map_err(|why| self.wrong_answer(&why))?;
        self.keep(position)
    }

    fn keep(&mut self, position: ProgramState) -> Result<ProgramState, RulesFailure> {
        let kept = self.known.keep(position.clone());
        kept.map_err(|earlier| self.differing("before it", &earlier, &position))
    }

    /// An answer that agon cannot read.
    fn wrong_answer(&self, why: &str) -> RulesFailure {
        let answer = shown(self.connection.line_start());
        let question = shorten(self.question.trim_end());
        self.failure(format!("{why}; the answer is `{answer}`, the question `{question}`"))
    }

    /// A failure of the connection. It names the last text that the program wrote before it failed.
    fn broken(&mut self, error: EngineError) -> RulesFailure {
        use EngineErrorKind::{Crash, Late, Shortage};
        self.connection.read_last_words(error.kind);
        let log = self.connection.conversation_log();
        let unfinished = self.connection.unfinished_line().map(shown);
        let question = match self.question.trim_end() {
            GREETING => "before its greeting".to_owned(),
            question => format!("before it answered `{}`", shorten(question)),
        };
        let what = match (error.kind, log.telling_error(), unfinished) {
            (Crash, Some(said), _) | (Crash, None, Some(said)) => {
                format!("it wrote `{said}` and ended with {} {question}", error.detail)
            }
            (Crash, None, None) => format!(
                "it ended with {} {question}; it must answer each line of its input, until the \
                 input ends",
                error.detail
            ),
            (Late, _, Some(said)) => format!(
                "there was no answer in time {question}; it wrote `{said}` without a line end"
            ),
            (Late, Some(said), None) => {
                format!("there was no answer in time {question}; its standard error says `{said}`")
            }
            (Late, None, None) => {
                format!("there was no answer in time {question}; {FLUSHES}")
            }
            _ => format!("{} {question}", with_help(&error)),
        };
        let fault = self.connection.fault_of_script(error.kind);
        let what = fault.map_or(what.clone(), |fault| format!("{what}; {fault}"));
        RulesFailure { is_shortage: error.kind == Shortage, ..self.failure(what) }
    }
}

fn with_help(error: &EngineError) -> String {
    match error.help.is_empty() {
        true => error.detail.clone(),
        false => format!("{}; {}", error.detail, error.help),
    }
}

fn text_of(line: &[u8]) -> Result<&str, String> {
    str::from_utf8(line).map_err(|_| "the answer is not UTF-8".to_owned())
}

/// A line for people: tabs as `<TAB>`, and bytes that are not UTF-8 as `\xE9`.
fn shown(line: &[u8]) -> String {
    const LONGEST: usize = 1 << 10;
    let line = &line.trim_ascii_end()[..line.trim_ascii_end().len().min(LONGEST)];
    let mut text = String::new();
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02X}"));
    }
    shorten(&text)
}
