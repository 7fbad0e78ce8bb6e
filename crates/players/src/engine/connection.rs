//! The connection to a running engine: lines of limited length, absolute deadlines.
//!
//! The thread that waits for an answer also reads it. It sleeps in `poll` on the engine's output,
//! and the system wakes it when output arrives. There is no reader thread between them. If no
//! thread reads an engine's output, the engine fills its pipes and blocks there.

use std::fmt::{Display, Write as _};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use super::conversation_log::{ConversationLog, FLUSHES, Stream, shorten};
use super::engine_error::{EngineError, EngineErrorKind};
use super::launch::{Launch, fault_of_first_line};
use super::transcript::SharedTranscript;
use crate::util::unix::{
    Breach, Exit, Pipes, Process, Ready, block_if_exiting, is_shortage, wait_for_pipes,
};

/// The longest line, in bytes; the rest of a longer line is dropped.
const MAX_LINE: usize = 64 << 10;
/// The longest answer, in bytes and line ends. An engine that writes more has failed.
const MAX_ANSWER: usize = 1 << 20;
/// The largest number of bytes that may wait for an engine that does not read.
const MAX_UNSENT: usize = 1 << 20;
/// The longest sleep. After each sleep agon checks whether the process has ended.
const MAX_SLEEP: Duration = Duration::from_millis(100);
/// An engine that closes its output and ends within this time counts as crashed.
const CRASH_WINDOW: Duration = Duration::from_millis(100);
/// Time for an engine to quit after the request.
const QUIT_TIMEOUT: Duration = Duration::from_millis(250);

/// The part of a line in the answer to a question.
pub enum Line<T> {
    /// Not part of the answer, such as information about the search. Nothing of it is kept.
    Other,
    /// A line of the answer before the last one. The lines together have a limit.
    Part,
    /// The end of the answer.
    End(T),
}

impl<T> From<Option<T>> for Line<T> {
    fn from(end: Option<T>) -> Self {
        end.map_or(Line::Other, Line::End)
    }
}

/// A running engine.
pub struct Connection {
    program: PathBuf,
    process: Process,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    log: ConversationLog,
    /// The unprocessed output of the engine, from `begin` to `end`.
    buffer: Box<[u8]>,
    begin: usize,
    end: usize,
    /// Start and end of the current line in the buffer.
    line: (usize, usize),
    /// Whether the current line is longer than the buffer.
    line_is_cut: bool,
    /// Whether the rest of a long line is being dropped.
    skipping_line: bool,
    /// When the last bytes were read.
    read_time: Instant,
    /// Text that the engine has not accepted yet.
    unsent: Vec<u8>,
    /// The last question; its memory is reused.
    question: String,
    /// The deadline of an engine that was asked to quit.
    quit_deadline: Option<Instant>,
    /// How often agon wakes up to measure its own delay, if it measures the delay.
    interval: Option<Duration>,
    /// The longest delay since the last question.
    delay: Duration,
    /// When agon last read the time after the last question.
    last_check: Option<Instant>,
    /// The name that the engine announced in its greeting.
    pub(crate) announced_name: Option<String>,
}

impl Connection {
    /// Starts an engine.
    ///
    /// # Errors
    /// An error of the system, with help.
    pub fn spawn(launch: &Launch) -> Result<Self, EngineError> {
        let (process, Pipes { stdin, stdout, stderr }) =
            Process::spawn(launch.command(), launch.sandbox.as_ref())
                .map_err(|error| launch.start_error(&error))?;
        Ok(Connection {
            program: launch.program.clone(),
            process,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            log: ConversationLog::new(),
            buffer: vec![0; MAX_LINE].into_boxed_slice(),
            begin: 0,
            end: 0,
            line: (0, 0),
            line_is_cut: false,
            skipping_line: false,
            read_time: Instant::now(),
            unsent: Vec::new(),
            question: String::new(),
            quit_deadline: None,
            interval: None,
            delay: Duration::ZERO,
            last_check: None,
            announced_name: None,
        })
    }

    /// Measures from now on how late this thread is woken while it waits for the engine. The
    /// interval is that of the timer; `None` switches the measurement off.
    pub fn measure_delay(&mut self, interval: Option<Duration>) {
        (self.interval, self.delay, self.last_check) = (interval, Duration::ZERO, None);
    }

    /// The longest delay since the last question.
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// The recent conversation.
    pub fn conversation_log(&self) -> &ConversationLog {
        &self.log
    }

    /// Adds all further lines to this transcript, too.
    pub(crate) fn transcribe(&mut self, transcript: Option<&SharedTranscript>) {
        self.log.transcript = transcript.cloned();
    }

    /// Ends the process and returns the recent conversation.
    pub fn into_conversation_log(mut self) -> ConversationLog {
        self.read_errors();
        self.log
    }

    /// Adds the end of the engine's output and of its standard error to a failed start.
    pub fn explain(&mut self, error: EngineError) -> EngineError {
        const ERRORS: usize = 12;
        use EngineErrorKind::{Crash, Disconnected, Late, NotReady, Unavailable, XBoard};
        if ![Crash, Disconnected, Late, NotReady, Unavailable].contains(&error.kind) {
            // The engine's output does not explain an error in the config.
            return error;
        }
        self.read_last_words(error.kind);
        let is_xboard = error.kind != NotReady && self.log.is_xboard();
        let kind = if is_xboard { XBoard } else { error.kind };
        let mut detail = match self.log.last_output() {
            Some(line) => format!("{}; its last line was `{}`", error.detail, shorten(&line)),
            None if error.kind == EngineErrorKind::Late => {
                format!("{}; it said nothing; {FLUSHES}", error.detail)
            }
            None => format!("{}; it said nothing", error.detail),
        };
        if let Some(fault) = self.fault_of_script(error.kind) {
            detail = format!("{detail}; {fault}");
        }
        let errors = self.log.last_errors(ERRORS);
        if !errors.is_empty() {
            detail = format!("{detail}\nits standard error ends with:\n  {}", errors.join("\n  "));
        }
        EngineError { kind, detail, ..error }
    }

    /// Reads what an engine that has failed has left in its pipes.
    pub fn read_last_words(&mut self, kind: EngineErrorKind) {
        use EngineErrorKind::{Late, NotReady};
        self.read_errors();
        if ![Late, NotReady].contains(&kind) {
            self.read_rest();
        }
    }

    /// What may be wrong with the script if it has ended without an answer.
    pub fn fault_of_script(&self, kind: EngineErrorKind) -> Option<String> {
        let is_silent = kind == EngineErrorKind::Crash && self.log.last_output().is_none();
        is_silent.then(|| fault_of_first_line(&self.program))?
    }

    /// The output after the last line end; `None` if it is blank.
    pub fn unfinished_line(&self) -> Option<&[u8]> {
        let rest = &self.buffer[self.begin..self.end];
        (!rest.trim_ascii().is_empty()).then_some(rest)
    }

    /// Reads the output that an engine left behind, which may say why it ended. Waits for a short
    /// time only, because a child of the engine may keep its output open.
    fn read_rest(&mut self) {
        let deadline = Instant::now() + CRASH_WINDOW;
        self.unsent.clear();
        while Instant::now() < deadline {
            while self.take_line() {}
            match self.read_output() {
                Ok(true) => {}
                Ok(false) if self.poll(left(deadline)).is_ok() => self.read_errors(),
                _ => break,
            }
        }
        if self.begin < self.end {
            // A last line without its end.
            let rest = &self.buffer[self.begin..self.end];
            self.log.record(Stream::Output, self.read_time, rest);
        }
    }

    /// Writes whole lines. Text that the engine does not accept at once is written later, while
    /// agon waits for an answer.
    ///
    /// # Errors
    /// An engine that has ended, has closed its input, or leaves too much text unread.
    pub fn send(&mut self, lines: &[u8]) -> Result<(), EngineError> {
        if lines.is_empty() {
            return Ok(());
        }
        self.log.record(Stream::Input, Instant::now(), lines);
        if self.unsent.len() + lines.len() > MAX_UNSENT {
            let detail = "it does not read its input";
            return Err(EngineError::new(EngineErrorKind::Disconnected, detail));
        }
        if !self.unsent.is_empty() {
            self.unsent.extend_from_slice(lines);
            return Ok(());
        }
        let written = self.write(lines)?;
        self.unsent.extend_from_slice(&lines[written..]);
        Ok(())
    }

    /// As [`Connection::send`], for commands.
    ///
    /// # Errors
    /// As [`Connection::send`].
    pub fn send_lines(&mut self, commands: &[impl Display]) -> Result<(), EngineError> {
        let mut lines = String::new();
        write_lines(commands, &mut lines);
        self.send(lines.as_bytes())
    }

    /// Writes as much as the pipe accepts without blocking.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, EngineError> {
        let Some(stdin) = &mut self.stdin else {
            return Err(self.pipe_error("it has closed its input"));
        };
        let mut written = 0;
        while written < bytes.len() {
            match stdin.write(&bytes[written..]) {
                Ok(more) => written += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if is_shortage(&error) => {
                    let detail = format!("it cannot be written to: {error}");
                    return Err(EngineError::new(EngineErrorKind::Shortage, detail));
                }
                Err(_) => {
                    self.stdin = None;
                    self.unsent.clear();
                    return Err(self.pipe_error("it has closed its input"));
                }
            }
        }
        Ok(written)
    }

    /// Waits for the next line and returns when it was read. [`Connection::text`] then returns the line.
    ///
    /// # Errors
    /// A deadline that has passed, or an engine that has ended or closed its output.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Instant, EngineError> {
        while !self.take_line() {
            self.wait_for_output(deadline)?;
        }
        Ok(self.read_time)
    }

    /// Reads lines until `heard` returns the end of the answer. Returns when this line was read,
    /// and the result of `heard`.
    ///
    /// # Errors
    /// Those of [`Connection::next_line`], and an answer that is too long.
    pub fn listen<T>(
        &mut self,
        deadline: Instant,
        mut heard: impl FnMut(&str) -> Line<T>,
    ) -> Result<(Instant, T), EngineError> {
        let mut length = 0;
        loop {
            let read = self.next_line(deadline)?;
            match heard(self.text()) {
                Line::Other => {}
                Line::Part => length += self.text().len() + 1,
                Line::End(answer) => return Ok((read, answer)),
            }
            if length > MAX_ANSWER {
                let detail = format!("its answer is longer than {} MiB", MAX_ANSWER >> 20);
                return Err(EngineError::new(EngineErrorKind::Endless, detail));
            }
        }
    }

    /// Passes every line of the output to `heard`, also a last line without its end, until the
    /// program has ended. A line that is too long is `None`. Returns how the program ended.
    ///
    /// # Errors
    /// A deadline that has passed, or a program that cannot be waited for.
    pub fn listen_to_end(
        &mut self,
        deadline: Instant,
        mut heard: impl FnMut(Option<&[u8]>),
    ) -> Result<Exit, EngineError> {
        use EngineErrorKind::{Crash, Disconnected, Late};
        loop {
            match self.next_line(deadline) {
                Ok(_) => heard(self.whole_line().ok()),
                Err(error) if [Crash, Disconnected].contains(&error.kind) => break,
                Err(error) => return Err(error),
            }
        }
        if self.begin < self.end {
            let rest = &self.buffer[self.begin..self.end];
            self.log.record(Stream::Output, self.read_time, rest);
            heard(Some(rest));
        }
        let late = || EngineError::new(Late, "it has closed its output, but it has not ended");
        self.exit_by(deadline).ok_or_else(late)
    }

    /// Sends a question and reads lines until the answer is complete. Returns the time from just
    /// before the question was sent until the answer was read.
    ///
    /// # Errors
    /// Those of `write`, [`Connection::send`] and [`Connection::listen`].
    pub fn ask(
        &mut self,
        budget: Duration,
        write: impl FnOnce(&mut String) -> Result<(), EngineError>,
        heard: impl FnMut(&str) -> Line<()>,
    ) -> Result<Duration, EngineError> {
        let mut question = std::mem::take(&mut self.question);
        question.clear();
        let written = write(&mut question);
        let begin = Instant::now();
        (self.delay, self.last_check) = (Duration::ZERO, Some(begin));
        let sent = written.and_then(|()| self.send(question.as_bytes()));
        self.question = question;
        sent?;
        let (read, ()) = self.listen(begin + budget, heard)?;
        self.update_delay(read, self.interval.unwrap_or(MAX_SLEEP));
        Ok(read - begin)
    }

    /// Measures how much longer than `nap` agon needed to read the time again. A delay can occur at
    /// any point in between, not only in the sleep.
    fn update_delay(&mut self, now: Instant, nap: Duration) {
        if self.interval.is_some()
            && let Some(before) = self.last_check.replace(now)
        {
            self.delay = self.delay.max(now.saturating_duration_since(before).saturating_sub(nap));
        }
    }

    /// The current line without a byte-order mark and without leading and trailing spaces, up to
    /// the first byte that is not UTF-8. A name in another encoding must not hide the text before
    /// it.
    pub fn text(&self) -> &str {
        let bytes = self.buffer[self.line.0..self.line.1].trim_ascii();
        let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        text.trim_start_matches('\u{feff}').trim_ascii()
    }

    /// The current line with all its bytes, without its end.
    ///
    /// # Errors
    /// A line that is too long to be read as a whole, in words for people.
    pub fn whole_line(&self) -> Result<&[u8], String> {
        match self.line_is_cut {
            true => Err(format!("its line is longer than {} KiB", MAX_LINE >> 10)),
            false => Ok(&self.buffer[self.line.0..self.line.1]),
        }
    }

    /// The beginning of the current line, however long the line is.
    pub fn line_start(&self) -> &[u8] {
        &self.buffer[self.line.0..self.line.1]
    }

    /// Whether the process has ended, and has said nothing for this time.
    pub fn has_ended_after(&self, pause: Duration) -> bool {
        self.read_time.elapsed() > pause && self.process.exit().is_some()
    }

    /// A line, or a part of one, that the program has written without a question.
    pub fn unasked_line(&mut self) -> Option<&[u8]> {
        if self.begin == self.end {
            // The end of the output is an error of the next question.
            let _ = self.read_output();
        }
        if self.begin == self.end {
            return None;
        }
        if !self.take_line() {
            self.line = (self.begin, self.end);
            self.log.record(Stream::Output, self.read_time, &self.buffer[self.begin..self.end]);
        }
        Some(self.line_start())
    }

    /// Whether there is output that was not read yet.
    pub fn has_output(&self) -> bool {
        self.begin < self.end || self.poll(Duration::ZERO).is_ok_and(|ready| ready.stdout)
    }

    /// Drops the output that the engine has written without a question.
    pub fn discard(&mut self) {
        while self.take_line() {}
        // One read is enough: if an engine writes without end, the next question detects it.
        if let Ok(true) = self.read_output() {
            while self.take_line() {}
        }
    }

    /// Finds the next line in the buffer. A full buffer without a line end is a line too.
    fn take_line(&mut self) -> bool {
        loop {
            let waiting = &self.buffer[self.begin..self.end];
            let end = waiting.iter().position(|&byte| byte == b'\n');
            let is_cut = end.is_none() && waiting.len() == self.buffer.len();
            let Some(length) = end.or(is_cut.then_some(waiting.len())) else {
                if self.skipping_line {
                    self.begin = self.end;
                }
                return false;
            };
            self.line = (self.begin, self.begin + length);
            self.begin = self.end.min(self.begin + length + 1);
            if !std::mem::replace(&mut self.skipping_line, is_cut) {
                let line = &self.buffer[self.line.0..self.line.1];
                self.log.record(Stream::Output, self.read_time, line);
                self.line_is_cut = is_cut;
                return true;
            }
        }
    }

    /// Sleeps until there is more output, or an error.
    fn wait_for_output(&mut self, deadline: Instant) -> Result<(), EngineError> {
        loop {
            let now = Instant::now();
            self.update_delay(now, self.interval.unwrap_or(MAX_SLEEP));
            if now >= deadline {
                let detail = match self.unsent.len() {
                    0 if self.begin < self.end => {
                        // Otherwise only complete lines are logged.
                        let rest = &self.buffer[self.begin..self.end];
                        self.log.record(Stream::Output, self.read_time, rest);
                        "there was no answer in time; the last line that it wrote has no end"
                    }
                    0 => "there was no answer in time",
                    _ => "it does not read its input",
                };
                return Err(EngineError::new(EngineErrorKind::Late, detail));
            }
            let nap = self.interval.unwrap_or(MAX_SLEEP).min(deadline - now);
            let ready = self.poll(nap)?;
            // A timer or an answer has woken this thread; either was due before this time.
            self.update_delay(Instant::now(), nap);
            if ready.stderr {
                self.read_errors();
            }
            if ready.stdin {
                let unread = std::mem::take(&mut self.unsent);
                let written = self.write(&unread)?;
                self.unsent.extend_from_slice(&unread[written..]);
            }
            if ready.stdout {
                match self.read_output() {
                    Ok(true) => return Ok(()),
                    Ok(false) => {}
                    Err(_) => return Err(self.pipe_error("it has closed its output")),
                }
            }
            // A child of the engine may keep the pipe open after the engine has ended.
            if !ready.stdout && self.process.exit().is_some() {
                return match self.read_output() {
                    Ok(true) => Ok(()),
                    _ => Err(self.pipe_error("it has closed its output")),
                };
            }
        }
    }

    fn poll(&self, nap: Duration) -> Result<Ready, EngineError> {
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        wait_for_pipes(&self.stdout, self.stderr.as_ref(), stdin, nap).map_err(|error| {
            let detail = format!("it cannot be waited for: {error}");
            let kind = match is_shortage(&error) {
                true => EngineErrorKind::Shortage,
                false => EngineErrorKind::Disconnected,
            };
            EngineError::new(kind, detail)
        })
    }

    /// Reads the available output; returns whether there was any. An error means the end of the
    /// output.
    fn read_output(&mut self) -> Result<bool, ()> {
        if self.begin == self.end {
            (self.begin, self.end) = (0, 0);
        } else if self.end == self.buffer.len() {
            self.buffer.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.end - self.begin);
        }
        let read = self.stdout.read(&mut self.buffer[self.end..]);
        self.read_time = Instant::now();
        match read {
            Ok(0) => Err(()),
            Ok(more) => {
                self.end += more;
                Ok(true)
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(false),
                _ => Err(()),
            },
        }
    }

    /// Reads the available text of standard error, because its last lines say why the engine ended.
    /// Reads no more than a pipe holds, because some engines never stop writing.
    fn read_errors(&mut self) {
        let mut chunk = [0; 4096];
        for _ in 0..MAX_LINE / chunk.len() {
            let Some(stderr) = &mut self.stderr else { return };
            match stderr.read(&mut chunk) {
                Ok(0) => self.stderr = None,
                Ok(more) => self.log.record(Stream::Error, Instant::now(), &chunk[..more]),
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock => return,
                    _ => self.stderr = None,
                },
            }
        }
    }

    /// The error for a closed pipe: the process has ended, or only the pipe is closed.
    fn pipe_error(&mut self, detail: &str) -> EngineError {
        block_if_exiting();
        match self.process.exit_within(CRASH_WINDOW) {
            Some(exit) => {
                self.read_errors();
                let kind = match exit {
                    Exit::Sandbox(Breach::NotMade) => EngineErrorKind::Refused,
                    Exit::Sandbox(Breach::Shortage) => EngineErrorKind::Shortage,
                    Exit::Sandbox(_) => EngineErrorKind::Breach,
                    _ => EngineErrorKind::Crash,
                };
                let said = self.log.last_errors(1).pop();
                match said.filter(|_| kind == EngineErrorKind::Refused) {
                    Some(why) => EngineError::new(kind, why),
                    None => EngineError::new(kind, exit.to_string()),
                }
            }
            None => EngineError::new(EngineErrorKind::Disconnected, detail),
        }
    }

    /// The process id, which is also the id of its group.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// How the process ended; waits until the deadline. Remaining output is dropped.
    pub fn exit_by(&mut self, deadline: Instant) -> Option<Exit> {
        while Instant::now() < deadline && self.process.exit().is_none() {
            if !self.sleep(deadline) {
                return self.process.exit_within(left(deadline));
            }
        }
        self.process.exit()
    }

    /// How the process ended, if it has ended.
    pub fn exit(&self) -> Option<Exit> {
        self.process.exit()
    }

    /// Sleeps until the process ends or writes output. The output is dropped, because an engine may
    /// block on a full pipe before it ends. Returns false if the output is closed.
    fn sleep(&mut self, deadline: Instant) -> bool {
        self.process.sleep_until_end(left(deadline).min(MAX_SLEEP), Some(&self.stdout));
        self.read_errors();
        (self.begin, self.end) = (0, 0);
        self.read_output().is_ok()
    }

    /// Sends this line to ask the engine to quit, without waiting. Several engines can quit at the
    /// same time.
    pub fn request_quit(&mut self, line: &str) {
        if self.quit_deadline.is_none()
            && self.send(line.as_bytes()).is_ok()
            && self.unsent.is_empty()
        {
            // Closing its input is a second signal to quit.
            self.stdin = None;
            self.quit_deadline = Some(Instant::now() + QUIT_TIMEOUT);
        }
    }

    /// Asks the engine to quit with this line, unless it was already asked. Waits briefly and then
    /// kills the process group. Takes less than a second in every case.
    pub fn quit(mut self, line: &str) {
        self.request_quit(line);
        if let Some(deadline) = self.quit_deadline {
            self.exit_by(deadline);
        }
        self.process.kill();
    }
}

/// Writes a line for each command.
pub(super) fn write_lines(commands: &[impl Display], out: &mut String) {
    for command in commands {
        let _ = writeln!(out, "{command}");
    }
}

/// The time until the deadline.
fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}
