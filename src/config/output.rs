//! `[output]`: what is written besides the tables, and how surely.

use std::time::Duration;

use super::diagnostic::{Diagnostic, Problems};
use super::tree::Table;
use crate::params::{Param, Value, Values};

/// What is written besides the tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Output {
    /// Whether every move gets a row in `moves.csv`.
    pub moves: bool,
    /// Whether the run ends with `report.html`.
    pub report: bool,
    /// What goes into `games.pgn`, for games of which there is one.
    pub pgn: Pgn,
    /// Seconds between two syncs of what was written; 0: as often as the machine can.
    pub sync_seconds: f64,
    /// Seconds that games may take to end once a run is asked to stop.
    pub grace_seconds: f64,
    /// The most logs of engines' faults.
    pub fault_logs: u64,
}

impl Default for Output {
    fn default() -> Self {
        let (sync_seconds, grace_seconds) = (1.0, 10.0);
        Output {
            moves: false,
            report: true,
            pgn: Pgn::Games,
            sync_seconds,
            grace_seconds,
            fault_logs: 100,
        }
    }
}

impl Output {
    /// Time between two syncs.
    pub fn sync(&self) -> Duration {
        Duration::from_secs_f64(self.sync_seconds)
    }

    /// Time that games may take to end.
    pub fn grace(&self) -> Duration {
        Duration::from_secs_f64(self.grace_seconds)
    }
}

/// What goes into `games.pgn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pgn {
    /// The games.
    #[default]
    Games,
    /// The games, each move with what it cost.
    Comments,
    /// There is no such file.
    None,
}

impl Pgn {
    const WORDS: &'static [&'static str] = &["games", "comments", "none"];

    fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

/// The keys of the section.
pub(super) fn params() -> Vec<Param> {
    let Output { moves, report, sync_seconds, grace_seconds, fault_logs, .. } = Output::default();
    vec![
        Param::bool(
            "moves",
            moves,
            "whether to write moves.csv: a row per move with its nodes, depth, value and time",
        ),
        Param::bool(
            "report",
            report,
            "whether to write report.html: charts, and a board to replay games",
        ),
        Param::choice(
            "pgn",
            Pgn::WORDS,
            "games",
            "chess: what goes into games.pgn; comments tell value, depth, time and nodes and need \
             `moves = true`",
        ),
        Param::float(
            "sync_seconds",
            0.0,
            3600.0,
            sync_seconds,
            "seconds between two syncs to the disk: no more is lost when the power fails",
        ),
        Param::float(
            "grace_seconds",
            0.0,
            86_400.0,
            grace_seconds,
            "seconds that running games may take to end after Ctrl-C, SIGTERM or SIGHUP",
        ),
        Param::int(
            "fault_logs",
            0,
            1_000_000,
            fault_logs as i64,
            "the most logs that are written of engines' faults",
        ),
    ]
}

/// What the section asks for; reports comments that nobody could write.
pub(super) fn build(values: &Values, tree: &Table, problems: &mut Problems) -> Output {
    let pgn = match values.text("pgn") {
        Some("comments") => Pgn::Comments,
        Some("none") => Pgn::None,
        _ => Pgn::Games,
    };
    let moves = values.bool("moves").unwrap_or(false);
    if pgn == Pgn::Comments && !moves {
        let table = tree.table("output").unwrap_or(tree);
        let place = table.locate("pgn").unwrap_or(table.span);
        let message = "comments are made from moves.csv, which is not written";
        problems.report(
            Diagnostic::at(place, "output.pgn", message).help("add `moves = true` to `[output]`"),
        );
    }
    let default = Output::default();
    Output {
        moves,
        report: values.bool("report").unwrap_or(default.report),
        pgn,
        sync_seconds: values.float("sync_seconds").unwrap_or(default.sync_seconds),
        grace_seconds: values.float("grace_seconds").unwrap_or(default.grace_seconds),
        fault_logs: values.int("fault_logs").map_or(default.fault_logs, |most| most as u64),
    }
}

/// The section with its values; that of most games, which have no such file, stays short.
pub(super) fn to_values(output: Output) -> Values {
    let mut values = Values::default();
    values.set("moves", Value::Bool(output.moves));
    values.set("report", Value::Bool(output.report));
    values.set("sync_seconds", Value::Float(output.sync_seconds));
    values.set("grace_seconds", Value::Float(output.grace_seconds));
    if output.fault_logs != Output::default().fault_logs {
        values.set("fault_logs", Value::Int(output.fault_logs as i64));
    }
    if output.pgn != Pgn::default() {
        values.set("pgn", Value::Text(output.pgn.word().to_owned()));
    }
    values
}
