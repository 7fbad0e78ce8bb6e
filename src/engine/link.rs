//! The line to a running engine: bounded lines, absolute deadlines.
//!
//! Whoever waits for an answer reads it: the waiting thread sleeps in `poll` on the engine's
//! output and is woken by the system when there is some, without another thread between
//! them. An engine that nobody waits for fills its pipes and stops there.

use std::io::{self, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

use super::command::Launch;
use super::house::House;
use super::limits::is_shortage;
use super::process::{Exit, Pipes, Process};
use super::protocol::{Trouble, TroubleKind};
use super::transcript::{FLUSHES, Stream, Transcript, shorten};

/// Bytes of a line that are kept; of a longer one none are.
const LONGEST: usize = 64 << 10;
/// Bytes that may wait for an engine that does not read.
const UNREAD: usize = 1 << 20;
/// The longest sleep: between two the end of the process and of the run are noticed.
const NAP: Duration = Duration::from_millis(100);
/// How long an engine that closed its output may take to end, to be called crashed.
const CLOSING: Duration = Duration::from_millis(100);
/// How long an engine has to leave when asked to.
pub const QUIT: Duration = Duration::from_millis(250);

/// A running engine.
pub struct Link {
    process: Process,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    house: Arc<House>,
    said: Transcript,
    /// What was read of the engine's output; lines begin at `begin`, bytes end at `end`.
    buffer: Box<[u8]>,
    begin: usize,
    end: usize,
    /// Where the current line lies in the buffer.
    line: (usize, usize),
    /// The line that is being read is too long and is thrown away.
    skipping: bool,
    /// When the last bytes were read.
    stamp: Instant,
    /// What the engine has not taken yet.
    unread: Vec<u8>,
    /// The last question, whose room is used again.
    question: String,
    /// Until when an engine has time that was asked to leave.
    leaving: Option<Instant>,
    /// How often agon wakes up to measure how late it is woken, where that matters.
    interval: Option<Duration>,
    /// The longest such delay since the last question.
    delay: Duration,
    /// When agon last looked at the clock after the last question.
    looked: Option<Instant>,
}

impl Link {
    /// Starts an engine.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn spawn(launch: &Launch, house: &Arc<House>) -> io::Result<Self> {
        let (process, Pipes { stdin, stdout, stderr }) = Process::spawn(launch)?;
        ioctl_fionbio(&stdin, true)?;
        ioctl_fionbio(&stdout, true)?;
        ioctl_fionbio(&stderr, true)?;
        Ok(Link {
            process,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            house: Arc::clone(house),
            said: Transcript::new(),
            buffer: vec![0; LONGEST].into_boxed_slice(),
            begin: 0,
            end: 0,
            line: (0, 0),
            skipping: false,
            stamp: Instant::now(),
            unread: Vec::new(),
            question: String::new(),
            leaving: None,
            interval: None,
            delay: Duration::ZERO,
            looked: None,
        })
    }

    /// Measures from now on how late this thread is woken while it waits for the engine, by a
    /// timer of this interval; `None` measures nothing.
    pub fn measure_delay(&mut self, interval: Option<Duration>) {
        (self.interval, self.delay, self.looked) = (interval, Duration::ZERO, None);
    }

    /// The longest delay since the last question.
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// What was said lately.
    pub fn transcript(&self) -> &Transcript {
        &self.said
    }

    /// The failure of an engine that did not start, with the end of what it said and of its
    /// standard error.
    pub fn explain(&mut self, trouble: Trouble) -> Trouble {
        const ERRORS: usize = 12;
        use TroubleKind::{Crash, Disconnected, Late};
        if ![Crash, Disconnected, Late].contains(&trouble.kind) {
            // No line of the engine says what is wrong with the config.
            return trouble;
        }
        self.read_errors();
        let mut detail = match self.said.last_output() {
            Some(line) => format!("{}; its last line was `{}`", trouble.detail, shorten(&line)),
            None if trouble.kind == TroubleKind::Late => {
                format!("{}; it said nothing; {FLUSHES}", trouble.detail)
            }
            None => format!("{}; it said nothing", trouble.detail),
        };
        let errors = self.said.last_errors(ERRORS);
        if !errors.is_empty() {
            detail = format!("{detail}\nits standard error ends with:\n  {}", errors.join("\n  "));
        }
        Trouble { detail, ..trouble }
    }

    /// Writes whole lines. What the engine does not take at once is written while an answer
    /// is waited for.
    ///
    /// # Errors
    /// An engine that has ended, closed its input, or leaves too much unread.
    pub fn send(&mut self, lines: &[u8]) -> Result<(), Trouble> {
        if lines.is_empty() {
            return Ok(());
        }
        self.said.note(Stream::Input, Instant::now(), lines);
        if self.unread.len() + lines.len() > UNREAD {
            let detail = "it does not read its input";
            return Err(Trouble::new(TroubleKind::Disconnected, detail));
        }
        if !self.unread.is_empty() {
            self.unread.extend_from_slice(lines);
            return Ok(());
        }
        let written = self.write(lines)?;
        self.unread.extend_from_slice(&lines[written..]);
        Ok(())
    }

    /// Writes what the pipe takes without waiting.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Trouble> {
        let Some(stdin) = &mut self.stdin else {
            return Err(self.broken("it has closed its input"));
        };
        let mut written = 0;
        while written < bytes.len() {
            match stdin.write(&bytes[written..]) {
                Ok(more) => written += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if is_shortage(&error) => {
                    let detail = format!("it cannot be written to: {error}");
                    return Err(Trouble::new(TroubleKind::Shortage, detail));
                }
                Err(_) => {
                    self.stdin = None;
                    self.unread.clear();
                    return Err(self.broken("it has closed its input"));
                }
            }
        }
        Ok(written)
    }

    /// Waits for the next line, which [`Link::text`] then shows, and returns when it was
    /// read.
    ///
    /// # Errors
    /// A deadline that has passed, an engine that has ended or closed its output, a run that
    /// is to stop.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Instant, Trouble> {
        while !self.take_line() {
            self.refill(deadline)?;
        }
        Ok(self.stamp)
    }

    /// Reads line after line until one is what is waited for: what `heard` makes of it, and when
    /// it was read. Other lines are passed over.
    ///
    /// # Errors
    /// As for [`Link::next_line`].
    pub fn listen<T>(
        &mut self,
        deadline: Instant,
        mut heard: impl FnMut(&str) -> Option<T>,
    ) -> Result<(Instant, T), Trouble> {
        loop {
            let read = self.next_line(deadline)?;
            if let Some(answer) = heard(self.text()) {
                return Ok((read, answer));
            }
        }
    }

    /// Asks a question, and listens until an answer is whole: how long that took, from just
    /// before the question is sent to the moment when the answer has been read.
    ///
    /// # Errors
    /// Those of `write`, and as for [`Link::send`] and [`Link::next_line`].
    pub fn ask(
        &mut self,
        budget: Duration,
        write: impl FnOnce(&mut String) -> Result<(), Trouble>,
        mut answers: impl FnMut(&str) -> bool,
    ) -> Result<Duration, Trouble> {
        let mut question = std::mem::take(&mut self.question);
        question.clear();
        let written = write(&mut question);
        let begin = Instant::now();
        (self.delay, self.looked) = (Duration::ZERO, Some(begin));
        let sent = written.and_then(|()| self.send(question.as_bytes()));
        self.question = question;
        sent?;
        let (read, ()) = self.listen(begin + budget, |line| answers(line).then_some(()))?;
        self.look(read, self.interval.unwrap_or(NAP));
        Ok(read - begin)
    }

    /// Measures how much later than after `nap` agon looks at the clock again. It may have
    /// been kept waiting anywhere in between, not only in its sleep.
    fn look(&mut self, now: Instant, nap: Duration) {
        if self.interval.is_some()
            && let Some(before) = self.looked.replace(now)
        {
            self.delay = self.delay.max(now.saturating_duration_since(before).saturating_sub(nap));
        }
    }

    /// The current line without blanks around it, as far as it is text: a name in another
    /// encoding must not hide what stands before it.
    pub fn text(&self) -> &str {
        let bytes = self.buffer[self.line.0..self.line.1].trim_ascii();
        let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        text.trim_ascii_end()
    }

    /// Throws away what the engine has written so far without being asked.
    pub fn discard(&mut self) {
        while self.take_line() {}
        // One look is enough: an engine that floods is found out when it is asked.
        if let Ok(true) = self.read_output() {
            while self.take_line() {}
        }
    }

    /// Finds the next whole line in the buffer.
    fn take_line(&mut self) -> bool {
        let waiting = &self.buffer[self.begin..self.end];
        let Some(length) = waiting.iter().position(|&byte| byte == b'\n') else {
            return false;
        };
        self.line = (self.begin, self.begin + length);
        self.begin += length + 1;
        if std::mem::take(&mut self.skipping) {
            // The end of a line whose beginning is lost.
            self.line = (0, 0);
        }
        let line = &self.buffer[self.line.0..self.line.1];
        self.said.note(Stream::Output, self.stamp, line);
        true
    }

    /// Sleeps until there is more output, or something else to tell.
    fn refill(&mut self, deadline: Instant) -> Result<(), Trouble> {
        loop {
            let now = Instant::now();
            if self.house.is_stopping() {
                return Err(Trouble::new(TroubleKind::Stopped, "the run is to stop"));
            }
            self.look(now, self.interval.unwrap_or(NAP));
            if now >= deadline {
                let detail = match self.unread.len() {
                    0 if self.begin < self.end => {
                        // Only whole lines are noted otherwise.
                        let rest = &self.buffer[self.begin..self.end];
                        self.said.note(Stream::Output, self.stamp, rest);
                        "there was no answer in time; the last line that it wrote has no end"
                    }
                    0 => "there was no answer in time",
                    _ => "it does not read its input",
                };
                return Err(Trouble::new(TroubleKind::Late, detail));
            }
            let nap = self.interval.unwrap_or(NAP).min(deadline - now);
            let ready = self.poll(nap)?;
            // Whether a timer or an answer has woken this thread: it was due by then.
            self.look(Instant::now(), nap);
            if ready.stderr {
                self.read_errors();
            }
            if ready.stdin {
                let unread = std::mem::take(&mut self.unread);
                let written = self.write(&unread)?;
                self.unread.extend_from_slice(&unread[written..]);
            }
            if ready.stdout {
                match self.read_output() {
                    Ok(true) => return Ok(()),
                    Ok(false) => {}
                    Err(_) => return Err(self.broken("it has closed its output")),
                }
            }
            // A process that it has started may hold the pipe open behind its end.
            if !ready.stdout && self.process.exit().is_some() {
                return match self.read_output() {
                    Ok(true) => Ok(()),
                    _ => Err(self.broken("it has closed its output")),
                };
            }
        }
    }

    fn poll(&self, nap: Duration) -> Result<Ready, Trouble> {
        let nap = Timespec { tv_sec: 0, tv_nsec: nap.subsec_nanos().into() };
        let mut fds = [
            PollFd::new(&self.stdout, PollFlags::IN),
            PollFd::new(&self.stdout, PollFlags::empty()),
            PollFd::new(&self.stdout, PollFlags::empty()),
        ];
        let mut count = 1;
        let (mut errors, mut input) = (0, 0);
        if let Some(stderr) = &self.stderr {
            fds[count] = PollFd::new(stderr, PollFlags::IN);
            errors = count;
            count += 1;
        }
        if let Some(stdin) = self.stdin.as_ref().filter(|_| !self.unread.is_empty()) {
            fds[count] = PollFd::new(stdin, PollFlags::OUT);
            input = count;
            count += 1;
        }
        match poll(&mut fds[..count], Some(&nap)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => {
                let detail = format!("it cannot be waited for: {error}");
                let kind = match is_shortage(&error.into()) {
                    true => TroubleKind::Shortage,
                    false => TroubleKind::Disconnected,
                };
                return Err(Trouble::new(kind, detail));
            }
        }
        let is_ready = |index: usize| !fds[index].revents().is_empty();
        Ok(Ready {
            stdout: is_ready(0),
            stderr: errors > 0 && is_ready(errors),
            stdin: input > 0 && is_ready(input),
        })
    }

    /// Reads what is there; whether there was anything. An error is the end of the output.
    fn read_output(&mut self) -> Result<bool, ()> {
        if self.begin == self.end {
            (self.begin, self.end) = (0, 0);
        } else if self.end == self.buffer.len() {
            self.buffer.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.end - self.begin);
            if self.end == self.buffer.len() {
                let begin = &self.buffer[..1 << 10];
                self.said.note(Stream::Output, self.stamp, begin);
                self.skipping = true;
                self.end = 0;
            }
        }
        let read = self.stdout.read(&mut self.buffer[self.end..]);
        self.stamp = Instant::now();
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

    /// Reads what the engine complains about: all that is there, for the last lines of it say
    /// why it ended, but no more than a pipe holds, for some never stop.
    fn read_errors(&mut self) {
        let mut chunk = [0; 4096];
        for _ in 0..LONGEST / chunk.len() {
            let Some(stderr) = &mut self.stderr else { return };
            match stderr.read(&mut chunk) {
                Ok(0) => self.stderr = None,
                Ok(more) => self.said.note(Stream::Error, Instant::now(), &chunk[..more]),
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock => return,
                    _ => self.stderr = None,
                },
            }
        }
    }

    /// What it means that a pipe is closed: the end of the process, or only that.
    fn broken(&mut self, detail: &str) -> Trouble {
        match self.process.exit_within(CLOSING) {
            Some(exit) => {
                self.read_errors();
                Trouble::new(TroubleKind::Crash, exit.to_string())
            }
            None => Trouble::new(TroubleKind::Disconnected, detail),
        }
    }

    /// The number of the process, which is that of its group.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Closes the engine's input: nothing more is said.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// How the process ended, waited for until the deadline. What it still has to say is
    /// thrown away.
    pub fn exit_by(&mut self, deadline: Instant) -> Option<Exit> {
        while Instant::now() < deadline && self.process.exit().is_none() {
            if !self.rest(deadline) {
                return self.process.exit_within(left(deadline));
            }
        }
        self.process.exit()
    }

    /// How the process ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        self.process.exit()
    }

    /// Sleeps until the process ends or says something, which is thrown away: an engine that
    /// still has something to say may need the room. False where its output is closed.
    fn rest(&mut self, deadline: Instant) -> bool {
        self.process.rest(left(deadline).min(NAP), Some(&self.stdout));
        self.read_errors();
        (self.begin, self.end) = (0, 0);
        self.read_output().is_ok()
    }

    /// Asks the engine to leave with this line, and does not wait for it: several can go at
    /// the same time.
    pub fn dismiss(&mut self, line: &str) {
        if self.leaving.is_none() && self.send(line.as_bytes()).is_ok() && self.unread.is_empty() {
            // The end of its input is another hint.
            self.stdin = None;
            self.leaving = Some(Instant::now() + QUIT);
        }
    }

    /// Asks the engine to leave with this line if it was not asked yet, waits for it a little,
    /// and ends its group for good. Takes less than a second whatever the engine does.
    pub fn quit(mut self, line: &str) {
        self.dismiss(line);
        if let Some(deadline) = self.leaving {
            self.exit_by(deadline);
        }
        self.process.kill();
    }
}

/// The time until then.
fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Which pipes have something to do.
struct Ready {
    stdout: bool,
    stderr: bool,
    stdin: bool,
}
