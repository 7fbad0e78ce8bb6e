//! `[output]`: the files that are written besides the tables, and how often they are synced.

use std::time::Duration;

use super::diagnostic::{Diagnostic, Problems};
use super::tree::Table;
use crate::params::{Param, Value, Values};

/// The files that are written besides the tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Output {
    /// Whether every move gets a row in `moves.csv`.
    pub moves: bool,
    /// Whether the run writes `report.html` at its end.
    pub report: bool,
    /// The contents of `games.pgn`, for games that have PGN.
    pub pgn: Pgn,
    /// Seconds between two syncs of the written files; 0: as often as possible.
    pub sync_seconds: f64,
    /// Seconds that running games have to end after a stop is requested.
    pub grace_seconds: f64,
    /// The maximum number of logs of engine faults.
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
    /// Time between two syncs of the written files.
    pub fn sync(&self) -> Duration {
        Duration::from_secs_f64(self.sync_seconds)
    }

    /// Time that running games have to end after a stop is requested.
    pub fn grace(&self) -> Duration {
        Duration::from_secs_f64(self.grace_seconds)
    }
}

/// The contents of `games.pgn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pgn {
    /// The moves of the games.
    #[default]
    Games,
    /// The moves of the games, each with a comment on its cost.
    Comments,
    /// No such file.
    None,
}

impl Pgn {
    const WORDS: &'static [&'static str] = &["games", "comments", "none"];

    fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

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

/// The settings of the section. Reports PGN comments for a game without PGN.
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

/// The section with its values. It is short for games without PGN.
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
