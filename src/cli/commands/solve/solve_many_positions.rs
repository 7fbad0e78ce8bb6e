//! Solves many positions, one per line: a row of CSV or a line of JSON each.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use super::format_solution::{as_json, in_words};
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::note;
use crate::play::{PositionSolver, SolvedPosition};
use crate::report::TableFormat;

/// The columns. `position` is the position as given. `value` is its value in words, `mean` the
/// first player's mean payoff (1 is a win). `score` is in stones for the player to move, if the
/// game has such scores. `plies` is the number of plies to the end, `best` has the best moves,
/// `line` is best play. `nodes` and `time_ns` are the cost.
const HEADS: [&str; 9] =
    ["position", "value", "mean", "score", "plies", "best", "line", "nodes", "time_ns"];

/// Solves all positions of a file, or of standard input for `-`.
pub fn run(
    path: &Path,
    game: &str,
    format: TableFormat,
    solver: &mut PositionSolver,
) -> Result<u8, Failure> {
    if format == TableFormat::Markdown {
        let message = "`--positions` writes CSV, or JSON with `--json`";
        return Err(Failure::usage(message, "leave `--format markdown` out"));
    }
    let positions = Positions::read(path)?;
    positions.check(solver)?;
    let all = format == TableFormat::Json;
    let long = positions.lines().find(|(_, line)| solver.takes_long(Some(line), all).is_some());
    if let Some((place, line)) = long {
        warn_of_hours(solver, Some(line), all, &format!("{place}: "));
    }
    let mut out = anstream::stdout();
    if !all {
        writeln!(out, "{}", HEADS.join(","))?;
    }
    for (place, line) in positions.lines() {
        let begin = Instant::now();
        let usage = |message: String| Failure::usage(format!("{place}: {message}"), "");
        if all {
            let solved = solver.solve(Some(line)).map_err(usage)?;
            writeln!(out, "{}", as_json(game, &solved, begin.elapsed()))?;
        } else {
            let solved = solver.solve_best(Some(line)).map_err(usage)?;
            out.write_all(&as_csv(line, &solved, begin.elapsed()))?;
        }
        out.flush()?;
    }
    Ok(exit_codes::DONE)
}

/// A text with one position per line.
struct Positions {
    name: String,
    text: String,
}

impl Positions {
    fn read(path: &Path) -> Result<Self, Failure> {
        let (name, text) = match path.to_str() {
            Some("-") => ("<stdin>".to_owned(), std::io::read_to_string(std::io::stdin())),
            _ => (path.display().to_string(), std::fs::read_to_string(path)),
        };
        let mut text = text.map_err(|error| {
            let message = format!("`--positions`: {name}: cannot be read: {error}");
            Failure::usage(message, "name a text file with one position per line")
        })?;
        // Some editors begin a text with a byte order mark, which does not belong to the position.
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        Ok(Positions { name, text })
    }

    /// The positions, each with its place.
    fn lines(&self) -> impl Iterator<Item = (String, &str)> {
        let lines = (1..).zip(self.text.lines().map(str::trim));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        lines.map(|(number, line)| (format!("{}:{number}", self.name), line))
    }

    /// Refuses positions that are wrong or cannot be solved, before any is solved.
    fn check(&self, solver: &PositionSolver) -> Result<(), Failure> {
        for (place, line) in self.lines() {
            if let Err(message) = solver.check(line) {
                return Err(Failure::usage(format!("{place}: {message}"), how_it_starts(solver)));
            }
            if let Some(no) = solver.refuses(Some(line)) {
                let message = format!("{place}: this position cannot be solved: {}", no.why);
                return Err(Failure::usage(message, no.help));
            }
        }
        Ok(())
    }
}

fn as_csv(position: &str, solved: &SolvedPosition, took: Duration) -> Vec<u8> {
    let best: Vec<&str> =
        solved.moves.iter().filter(|mv| mv.best).map(|mv| mv.text.as_str()).collect();
    let number = |number: Option<String>| number.unwrap_or_default();
    let row = [
        position.to_owned(),
        in_words(solved.value, solved.in_stones, solved.scored),
        (solved.value.mean + 0.0).to_string(),
        number(solved.in_stones.map(|stones| stones.score.to_string())),
        number(solved.value.plies.map(|plies| plies.to_string())),
        best.join(" "),
        solved.line.join(" "),
        solved.nodes.to_string(),
        took.as_nanos().to_string(),
    ];
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let row = writer.write_record(&row).ok().and_then(|()| writer.into_inner().ok());
    row.unwrap_or_default()
}

pub fn how_it_starts(solver: &PositionSolver) -> String {
    format!("write the start as `start` or `{}`", solver.start())
}

/// Warns about a position that may take hours. `place` names the position, `all` requests all
/// moves.
pub fn warn_of_hours(solver: &PositionSolver, position: Option<&str>, all: bool, place: &str) {
    if let Some(why) = solver.takes_long(position, all) {
        let help =
            "Ctrl-C stops it; a smaller board or a position with more stones takes less time";
        note(format!("warning: {place}{why}\nhelp: {help}"));
    }
}
