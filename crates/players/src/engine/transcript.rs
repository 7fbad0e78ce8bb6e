//! The lines between agon and an engine in one game, for the files of `[output] transcripts`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::params::{Field, ParamError, Type, Value, mismatch};

/// The games whose transcripts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeptTranscripts {
    #[default]
    None,
    All,
    /// Games with a forfeit, an illegal move or a void attempt.
    Faults,
    /// The first games of each pairing.
    First(u64),
}

impl KeptTranscripts {
    const WORDS: &'static [&'static str] = &["none", "all", "faults"];
}

impl Field for KeptTranscripts {
    type Bounds = ();

    fn ty(_: &()) -> Type {
        Type::CountOr { max: 1_000_000_000, words: Self::WORDS }
    }

    fn read(value: &Value) -> Result<Self, ParamError> {
        match (value, value.text()) {
            (Value::Int(games), _) => {
                u64::try_from(*games).map(KeptTranscripts::First).map_err(|_| mismatch())
            }
            (_, Some("none")) => Ok(KeptTranscripts::None),
            (_, Some("all")) => Ok(KeptTranscripts::All),
            (_, Some("faults")) => Ok(KeptTranscripts::Faults),
            _ => Err(mismatch()),
        }
    }

    fn value(&self) -> Option<Value> {
        let word = match self {
            KeptTranscripts::First(games) => return i64::try_from(*games).ok().map(Value::Int),
            KeptTranscripts::None => "none",
            KeptTranscripts::All => "all",
            KeptTranscripts::Faults => "faults",
        };
        Some(Value::Text(word.to_owned()))
    }
}

/// The transcript of an agent, which its connections share.
pub(crate) type SharedTranscript = Arc<Mutex<Transcript>>;

/// The first and the last lines of a game.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    first: Vec<TranscriptLine>,
    first_bytes: usize,
    last: VecDeque<TranscriptLine>,
    last_bytes: usize,
    /// Lines between them that are not kept.
    lost: u64,
}

/// A line, or a piece of a line of standard error.
#[derive(Debug)]
pub struct TranscriptLine {
    pub at: Instant,
    /// `stdin`, `stdout` or `stderr` of the engine.
    pub stream: &'static str,
    pub text: String,
    /// Bytes at the end of the line that are not kept.
    pub cut: usize,
    /// Lines before this line that are not kept.
    pub lost: u64,
}

/// The bytes that are kept of a line, and of the first and of the last lines of a game.
const MAX_LINE: usize = 4 << 10;
const MAX_PART: usize = 512 << 10;

impl TranscriptLine {
    /// The memory that it needs.
    fn size(&self) -> usize {
        self.text.len() + size_of::<TranscriptLine>()
    }
}

impl Transcript {
    /// Adds lines of the stream with this name.
    pub fn record(&mut self, stream: &'static str, at: Instant, said: &[u8]) {
        let said = said.strip_suffix(b"\n").unwrap_or(said);
        for line in said.split(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let kept = &line[..line.len().min(MAX_LINE)];
            let text = String::from_utf8_lossy(kept).into_owned();
            self.push(TranscriptLine { at, stream, text, cut: line.len() - kept.len(), lost: 0 });
        }
    }

    fn push(&mut self, line: TranscriptLine) {
        if self.first_bytes < MAX_PART {
            self.first_bytes += line.size();
            return self.first.push(line);
        }
        self.last_bytes += line.size();
        self.last.push_back(line);
        while self.last_bytes > MAX_PART
            && let Some(line) = self.last.pop_front()
        {
            self.last_bytes -= line.size();
            self.lost += 1;
        }
    }

    /// All lines since the last call.
    pub fn take(&mut self) -> Vec<TranscriptLine> {
        let Transcript { first: mut lines, mut last, lost, .. } = std::mem::take(self);
        if let Some(line) = last.front_mut() {
            line.lost = lost;
        }
        lines.extend(last);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_and_cut() {
        let mut transcript = Transcript::default();
        let now = Instant::now();
        transcript.record("stdin", now, b"position startpos\ngo nodes 1\n");
        transcript.record("stdout", now, b"bestmove \xff \"a\"\r");
        transcript.record("stderr", now, &[b'x'; 5000]);
        let lines = transcript.take();
        let texts: Vec<(&str, &str, usize)> = lines
            .iter()
            .map(|line| (line.stream, line.text.get(..12).unwrap_or(&line.text), line.cut))
            .collect();
        let expected = [
            ("stdin", "position sta", 0),
            ("stdin", "go nodes 1", 0),
            ("stdout", "bestmove \u{FFFD}", 0),
            ("stderr", "xxxxxxxxxxxx", 904),
        ];
        assert_eq!(texts[..2], expected[..2]);
        assert_eq!((texts[2].0, &lines[2].text[..]), ("stdout", "bestmove \u{FFFD} \"a\""));
        assert_eq!(texts[3], expected[3]);
        assert!(transcript.take().is_empty());
    }

    #[test]
    fn the_first_and_the_last_lines_of_a_long_game_are_kept() {
        let mut transcript = Transcript::default();
        for number in 0..100_000 {
            transcript.record("stdout", Instant::now(), format!("line {number}").as_bytes());
        }
        let lines = transcript.take();
        assert!(lines.iter().map(TranscriptLine::size).sum::<usize>() <= 2 * MAX_PART + MAX_LINE);
        assert_eq!((&*lines[0].text, &*lines[lines.len() - 1].text), ("line 0", "line 99999"));
        let lost: u64 = lines.iter().map(|line| line.lost).sum();
        assert_eq!(lost + lines.len() as u64, 100_000);
    }
}
