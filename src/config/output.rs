//! `[output]`: what is written besides the tables.

use super::diagnostic::{Diagnostic, Problems};
use super::tree::Table;
use crate::params::{Param, Value, Values};

/// What is written besides the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Whether every move gets a row in `moves.csv`.
    pub moves: bool,
    /// Whether the run ends with `report.html`.
    pub report: bool,
    /// What goes into `games.pgn`, for games of which there is one.
    pub pgn: Pgn,
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
    vec![
        Param::bool(
            "moves",
            false,
            "whether to write moves.csv: a row per move with its nodes, depth, value and time",
        ),
        Param::bool(
            "report",
            true,
            "whether to write report.html: charts, and a board to replay games",
        ),
        Param::choice(
            "pgn",
            Pgn::WORDS,
            "games",
            "chess: what goes into games.pgn; comments tell value, depth, time and nodes and need \
             `moves = true`",
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
    Output { moves, report: values.bool("report").unwrap_or(true), pgn }
}

/// The section with its values; that of most games, which have no such file, stays short.
pub(super) fn to_values(output: Output) -> Values {
    let mut values = Values::default();
    values.set("moves", Value::Bool(output.moves));
    values.set("report", Value::Bool(output.report));
    if output.pgn != Pgn::default() {
        values.set("pgn", Value::Text(output.pgn.word().to_owned()));
    }
    values
}
