//! The end of a conversation with an engine, for the log of a failure.

use std::collections::VecDeque;
use std::fmt::Write;
use std::time::{Duration, Instant};

use super::transcript::SharedTranscript;
use crate::params::is_steering;
use crate::util::beginning_of_text::beginning;
use crate::util::locks::lock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Input,
    Output,
    /// What the engine wrote to its standard error.
    Error,
}

/// The names of the streams.
const NAMES: [&str; 3] = ["stdin", "stdout", "stderr"];

/// The last 64 KiB of each of three streams, with times.
#[derive(Debug)]
pub struct ConversationLog {
    begin: Instant,
    streams: [Stored; 3],
    /// Gets all lines, too, if the run keeps transcripts.
    pub(super) transcript: Option<SharedTranscript>,
}

/// The bytes that are kept of each stream.
const MAX_BYTES: usize = 64 << 10;
/// The number of entries that are kept of each stream. A limit is needed, because empty lines use
/// memory too.
const MAX_ENTRIES: usize = MAX_BYTES / 16;
/// The bytes that are kept of one entry, so that a long line does not displace all others.
const MAX_ENTRY_BYTES: usize = 4 << 10;

#[derive(Debug, Default)]
struct Stored {
    /// The text of all entries, concatenated.
    bytes: VecDeque<u8>,
    /// Time and length of each entry, and whether it was cut.
    entries: VecDeque<(Instant, u32, bool)>,
    /// The number of dropped bytes.
    lost: u64,
}

impl ConversationLog {
    /// An empty log.
    pub(super) fn new() -> Self {
        ConversationLog { begin: Instant::now(), streams: Default::default(), transcript: None }
    }

    pub(super) fn record(&mut self, stream: Stream, at: Instant, said: &[u8]) {
        if let Some(transcript) = &self.transcript {
            lock(transcript).record(NAMES[stream as usize], at, said);
        }
        let stored = &mut self.streams[stream as usize];
        let kept = &said[..said.len().min(MAX_ENTRY_BYTES)];
        while stored.bytes.len() + kept.len() > MAX_BYTES || stored.entries.len() >= MAX_ENTRIES {
            let Some((_, length, _)) = stored.entries.pop_front() else { break };
            stored.bytes.drain(..length as usize);
            stored.lost += u64::from(length);
        }
        stored.lost += (said.len() - kept.len()) as u64;
        let is_middle_of_line =
            stream == Stream::Error && stored.bytes.back().is_some_and(|&byte| byte != b'\n');
        stored.bytes.extend(kept);
        // Programs without a buffer write their errors in pieces of lines.
        if let Some((_, length, false)) = stored.entries.back_mut().filter(|_| is_middle_of_line)
            && *length as usize + kept.len() <= MAX_ENTRY_BYTES
        {
            *length += kept.len() as u32;
            return;
        }
        stored.entries.push_back((at, kept.len() as u32, kept.len() < said.len()));
    }

    /// The engine's last line that is not blank.
    pub fn last_output(&self) -> Option<String> {
        let mut said = self.lines_of(Stream::Output);
        said.retain(|line| !line.trim().is_empty());
        said.pop()
    }

    /// Whether the engine answers in the xboard protocol: with its errors, or with its description.
    pub(super) fn is_xboard(&self) -> bool {
        const ANSWERS: [&str; 5] =
            ["feature ", "error (", "illegal move", "tellusererror ", "tellics "];
        self.lines_of(Stream::Output).iter().any(|line| {
            let line = line.trim_start().to_ascii_lowercase();
            ANSWERS.iter().any(|answer| line.starts_with(answer))
        })
    }

    /// Whether the engine has written nothing since agon's last message.
    pub fn is_silent(&self) -> bool {
        let last = |stream: Stream| self.streams[stream as usize].entries.back().map(|e| e.0);
        last(Stream::Output) < last(Stream::Input)
    }

    /// The last lines of the engine's standard error, at most `most`.
    pub fn last_errors(&self, most: usize) -> Vec<String> {
        let mut lines = self.lines_of(Stream::Error);
        lines.retain(|line| !line.trim().is_empty());
        lines.split_off(lines.len().saturating_sub(most))
    }

    /// The line of the engine's standard error that says why it ended: the last one that names an
    /// error, else the last one. Stack traces and advice often follow the error.
    pub fn telling_error(&self) -> Option<String> {
        const NAMES: [&str; 6] =
            ["error", "exception", "panicked", "usage", "not found", "no such file"];
        let lines = self.last_errors(usize::MAX);
        let names_error = |line: &&String| {
            let line = line.trim_start().to_lowercase();
            !line.starts_with("at ") && NAMES.iter().any(|name| line.contains(name))
        };
        let line = lines.iter().rfind(names_error).or(lines.last())?;
        Some(shorten(line.trim()))
    }

    /// The stored text of a stream, line by line.
    fn lines_of(&self, stream: Stream) -> Vec<String> {
        let stored = &self.streams[stream as usize];
        let mut bytes = Vec::new();
        let mut at = 0;
        for &(_, length, _) in &stored.entries {
            bytes.extend(stored.bytes.range(at..at + length as usize));
            at += length as usize;
            // Output lines are stored without line ends; pieces of standard error include them.
            if stream == Stream::Output {
                bytes.push(b'\n');
            }
        }
        String::from_utf8_lossy(&bytes).lines().map(plain).collect()
    }

    /// All stored lines in the order of time: seconds, direction and text.
    pub fn text(&self) -> String {
        let mut lines: Vec<(Duration, usize, String)> = Vec::new();
        let mut out = String::new();
        for (index, (stored, name)) in self.streams.iter().zip(NAMES).enumerate() {
            if stored.lost > 0 {
                let _ = writeln!(out, "# {} bytes of {name} are not kept", stored.lost);
            }
            let mut at = 0;
            for &(time, length, cut) in &stored.entries {
                let said: Vec<u8> = stored.bytes.range(at..at + length as usize).copied().collect();
                at += length as usize;
                let said = String::from_utf8_lossy(&said);
                let time = time.saturating_duration_since(self.begin);
                let more = if cut { " […]" } else { "" };
                for line in said.trim_end_matches(['\n', '\r']).split('\n') {
                    lines.push((time, index, plain(line) + more));
                }
            }
        }
        // A stable sort, so that lines with equal times keep their order.
        lines.sort_by_key(|&(time, ..)| time);
        for (time, index, line) in lines {
            let mark = [">", "<", "!"][index];
            let _ = writeln!(out, "{:12.6} {mark} {line}", time.as_secs_f64());
        }
        out
    }
}

/// The hint for an engine that does not answer.
pub const FLUSHES: &str = "does it flush its output after each line?";

/// Replaces terminal control characters in a line.
fn plain(line: &str) -> String {
    line.trim_end_matches('\r').replace(|c: char| is_steering(c) && c != '\t', "\u{FFFD}")
}

/// Shortens a text to one line for people, with tabs that can be seen.
pub fn shorten(text: &str) -> String {
    let text = beginning(text, 200).replace('\t', " <TAB> ");
    text.replace(is_steering, "\u{FFFD}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_names_the_error_is_found() {
        for (errors, line) in [
            ("Traceback\n  File \"a.py\"\nValueError: no start\n", "ValueError: no start"),
            ("usage: hex SIZE\n\nplays hex\n", "usage: hex SIZE"),
            (
                "a.js:1\n  foo(\nSyntaxError: bad\n    at new Error (a)\n\nNode.js 18\n",
                "SyntaxError: bad",
            ),
            (
                "env: 'x\\r': No such file or directory\nenv: use -S\n",
                "env: 'x\\r': No such file or directory",
            ),
            ("one\ntwo\n", "two"),
        ] {
            let mut said = ConversationLog::new();
            said.record(Stream::Error, said.begin, errors.as_bytes());
            assert_eq!(said.telling_error().as_deref(), Some(line));
        }
        assert_eq!(ConversationLog::new().telling_error(), None);
    }

    #[test]
    fn streams_come_out_in_the_order_of_time() {
        let mut said = ConversationLog::new();
        let at = |ms| said_at(ms, said.begin);
        let times = [at(1), at(2), at(3)];
        said.record(Stream::Output, times[1], b"uciok\n");
        said.record(Stream::Input, times[0], b"uci\n");
        said.record(Stream::Error, times[2], b"a\r\nb\x07\n");
        let expected = "    0.001000 > uci\n    0.002000 < uciok\n    0.003000 ! a\n    \
                        0.003000 ! b\u{FFFD}\n";
        assert_eq!(said.text(), expected);
    }

    #[test]
    fn pieces_of_a_line_of_standard_error_are_one_line() {
        let mut said = ConversationLog::new();
        for piece in ["Trace", "back", "\n", " ^", "^\n"] {
            said.record(Stream::Error, said.begin, piece.as_bytes());
        }
        let expected = "    0.000000 ! Traceback\n    0.000000 !  ^^\n";
        assert_eq!(said.text(), expected);
    }

    fn said_at(ms: u64, begin: Instant) -> Instant {
        begin + Duration::from_millis(ms)
    }

    #[test]
    fn memory_is_bounded_and_the_end_is_kept() {
        let mut said = ConversationLog::new();
        let now = said.begin;
        for i in 0..100_000 {
            said.record(Stream::Output, now, format!("info string {i}\n").as_bytes());
        }
        said.record(Stream::Output, now, &vec![b'x'; 1 << 20]);
        let stored = &said.streams[Stream::Output as usize];
        assert!(stored.bytes.len() <= MAX_BYTES && stored.entries.len() <= MAX_ENTRIES);
        let text = said.text();
        assert!(text.contains("info string 99999\n") && !text.contains("info string 1\n"));
        assert!(text.ends_with(" […]\n") && text.starts_with("# "));
    }
}
