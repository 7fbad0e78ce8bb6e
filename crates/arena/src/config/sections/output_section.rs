//! `[output]`: the files that are written besides the tables, and how often they are synced.

use std::time::Duration;

use crate::config::build_context::{BuildContext, Section};
use crate::config::tree::diagnostics::Problems;
use crate::engine::KeptTranscripts;
use crate::params::{Params, Values};

crate::choice! {
    /// What goes into `games.pgn`.
    pub enum PgnOutput {
        Games = "games",
        /// The games, each move with what it cost.
        Comments = "comments",
        /// There is no such file.
        None = "none",
    }
}

crate::params! {
    /// What is written besides the tables.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Output {
        /// whether to write moves.csv: a row per move with its nodes, depth, value and time
        moves: bool = false,
        /// whether to write report.html: charts, and a board to replay games
        report: bool = true,
        /// chess: content of games.pgn; comments contain value, depth, time and nodes,
        /// and need `moves = true`
        pgn: PgnOutput = PgnOutput::Games,
        /// seconds between two syncs to the disk; a power failure loses at most this
        /// much
        sync_seconds: f64 [0.0..=3600.0] = 1.0,
        /// maximum seconds for running games after Ctrl-C, SIGTERM or SIGHUP
        grace_seconds: f64 [0.0..=86_400.0] = 10.0,
        /// maximum number of fault logs of engines; each kind of fault of each engine has a log
        /// in any case
        fault_logs: u64 [0..=1_000_000] = 100,
        /// games whose lines to and from engines are written to transcripts/game-N.jsonl:
        /// "none", "all", "faults", or the first N games of each pairing
        transcripts: KeptTranscripts = KeptTranscripts::None,
    }
}

impl Output {
    /// Time between two syncs of the written files.
    pub fn sync(&self) -> Duration {
        Duration::from_secs_f64(self.sync_seconds)
    }

    /// Time that running games have to end after a stop is requested.
    pub fn grace(&self) -> Duration {
        Duration::from_secs_f64(self.grace_seconds)
    }
}

impl Section for Output {
    const KEY: &'static str = "output";
    const SUMMARY: &'static str = "Files besides the tables";
}

impl Output {
    /// Checks that the files of comments can be written.
    pub(crate) fn checked(self, context: &BuildContext<'_>, problems: &mut Problems) -> Self {
        if self.pgn == PgnOutput::Comments && !self.moves {
            let place = context.place("output", "pgn");
            let message = "comments are made from moves.csv, which is not written";
            problems.wrong(place, "output.pgn", message, "add `moves = true` to `[output]`");
        }
        self
    }
}

/// The section with its values. Values that few runs need are left out if they are the default.
pub(crate) fn to_values(output: Output) -> Values {
    let (mut values, default) = (output.values(), Output::default().values());
    for key in ["fault_logs", "pgn", "transcripts"] {
        if values.get(key) == default.get(key) {
            values.0.remove(key);
        }
    }
    values
}
