//! The transcript of one game: a file in JSON Lines with all lines between agon and the engines of both
//! agents, also those of void attempts before the game counted.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::game_record::{GameRecord, GameSpec, Outcome};
use crate::agents::FaultKind;
use crate::engine::{KeptTranscripts, TranscriptLine};

/// What was written to and by the engines of a game so far.
#[derive(Default)]
pub(super) struct GameTranscript {
    attempts: Vec<(GameRecord, Vec<(usize, TranscriptLine)>)>,
}

/// The first line of a file.
#[derive(Serialize)]
struct Head<'a> {
    game: u64,
    first: &'a str,
    second: &'a str,
    opening: u64,
}

/// A line between agon and an engine.
#[derive(Serialize)]
struct Exchanged<'a> {
    /// Milliseconds since the first line of the file.
    ms: f64,
    agent: &'a str,
    seat: &'static str,
    stream: &'static str,
    text: &'a str,
    /// Bytes of the line that are not kept.
    #[serde(skip_serializing_if = "is_zero")]
    cut: u64,
    /// Lines of this agent before this line that are not kept.
    #[serde(skip_serializing_if = "is_zero")]
    lost: u64,
}

/// The end of an attempt.
#[derive(Serialize)]
struct End {
    result: &'static str,
    reason: &'static str,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl GameTranscript {
    /// Adds an attempt with the lines of both agents.
    pub fn add(&mut self, record: GameRecord, lines: [Vec<TranscriptLine>; 2]) {
        let [first, second] = lines;
        let mut all: Vec<(usize, TranscriptLine)> = first.into_iter().map(|it| (0, it)).collect();
        all.extend(second.into_iter().map(|line| (1, line)));
        all.sort_by_key(|(_, line)| line.at);
        self.attempts.push((record, all));
    }

    /// Whether the transcript is one of those that are kept. `number` is the number of the game in
    /// its pairing, from 0.
    pub fn is_kept(&self, kept: KeptTranscripts, number: u64) -> bool {
        match kept {
            KeptTranscripts::None => false,
            KeptTranscripts::All => true,
            KeptTranscripts::First(games) => number < games,
            KeptTranscripts::Faults => self.attempts.iter().any(|(record, _)| {
                record.outcome == Outcome::Void
                    || FaultKind::is_reason(record.reason)
                    || record.sides.iter().any(|side| side.answers.illegal > 0)
            }),
        }
    }

    /// Writes the file, over one of an earlier process.
    pub fn write(&self, folder: &Path, spec: &GameSpec, names: [&str; 2]) -> io::Result<()> {
        let mut out = Vec::new();
        let [first, second] = names;
        let head = Head { game: spec.game, first, second, opening: spec.opening };
        push(&mut out, &head)?;
        let times = self.attempts.iter().filter_map(|(_, lines)| lines.first());
        let begin = times.map(|(_, line)| line.at).min().unwrap_or_else(Instant::now);
        for (record, lines) in &self.attempts {
            for (seat, line) in lines {
                let micros = line.at.saturating_duration_since(begin).as_micros();
                let exchanged = Exchanged {
                    ms: micros as f64 / 1000.0,
                    agent: names[*seat],
                    seat: ["first", "second"][*seat],
                    stream: line.stream,
                    text: &line.text,
                    cut: line.cut as u64,
                    lost: line.lost,
                };
                push(&mut out, &exchanged)?;
            }
            push(&mut out, &End { result: record.outcome.word(), reason: record.reason })?;
        }
        let path = folder.join(format!("game-{}.jsonl", spec.game));
        // No file is better than a part of one.
        std::fs::write(&path, out).inspect_err(|_| drop(std::fs::remove_file(&path)))
    }
}

fn push(out: &mut Vec<u8>, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
