//! Writes games as PGN, as in the "Portable Game Notation specification and implementation guide" (S.
//! Edwards, 1994): `games.pgn` from a complete `games.csv`, or one game.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::exporter_trait::{ExportSource, Exporter};
use super::text_table::wrapped;
use crate::arena::{
    Costs, DerivedFile, Folder, FolderError, GameMoves, GameRow, GameRows, MoveRow, Replacement,
    StoredGame, is_fault,
};
use crate::config::PgnOutput as Wanted;
use crate::play::{ADJUDICATED_DRAW, ADJUDICATED_WIN, AnyGame, Outcome, PgnMoves};
use crate::util::collect_with_less_code::{AddAll, Each, Gather};

const WIDTH: usize = 79;

/// `games.pgn`, for games that have such a record format.
pub struct PgnExporter;

impl Exporter for PgnExporter {
    fn file(&self) -> DerivedFile {
        DerivedFile::Pgn
    }

    fn is_wanted(&self, source: &ExportSource<'_>) -> bool {
        source.experiment.is_some_and(|experiment| {
            experiment.output.pgn != Wanted::None
                && experiment.any_game.transcribe("", "").is_some()
        })
    }

    fn write(&self, source: &ExportSource<'_>, out: &mut Replacement) -> Result<(), FolderError> {
        let Some(experiment) = source.experiment else { return Ok(()) };
        let comments = experiment.output.pgn == Wanted::Comments && experiment.output.moves;
        let (any_game, refused) = (&experiment.any_game, out.refused());
        let names = &source.results.tally.names;
        write_pgn(source.folder, (any_game, &experiment.name), names, comments, out, &refused)
    }
}

/// Writes the games of a folder to `out` if the game has a PGN format. `event` is the name of the
/// experiment. With `comments`, each move has a comment with its data from `moves.csv`.
fn write_pgn(
    folder: &Folder,
    (any_game, event): (&AnyGame, &str),
    names: &[String],
    comments: bool,
    out: &mut dyn Write,
    refused: &dyn Fn(io::Error) -> FolderError,
) -> Result<(), FolderError> {
    let path = folder.file("games.csv");
    let mut rows = GameRows::open(&path, names)?;
    let mut old = if comments { Some(GameMoves::open(folder)?) } else { None };
    let date = date_of(folder);
    let mut text = String::new();
    while let Some(row) = rows.next_row().map_err(FolderError::rows(&path))? {
        let (opening, moves) = rows.texts();
        let Some(transcript) = any_game.transcribe(opening, moves) else { return Ok(()) };
        let transcript =
            transcript.map_err(|message| FolderError::no_game(&path, row.game, &message))?;
        let costs: Vec<String> = match &mut old {
            Some(old) => comments_of(&old.of(row.game)?),
            None => Vec::new(),
        };
        text.clear();
        let players = [row.first, row.second].each(|agent| rows.names()[agent].as_str());
        tags(&mut text, event, &date, &row, players, &transcript);
        movetext(&mut text, &row, &transcript, &costs);
        out.write_all(text.as_bytes()).map_err(refused)?;
    }
    Ok(())
}

/// One game of the folder as in `games.pgn`, with the data of its moves from `moves`. `None` if the
/// game has no PGN format.
pub fn pgn(
    folder: &Folder,
    (any_game, event): (&AnyGame, &str),
    players: [&str; 2],
    game: &StoredGame,
    moves: &[MoveRow],
) -> Option<Result<String, String>> {
    let transcript = any_game.transcribe(&game.opening, &game.moves)?;
    Some(transcript.map(|transcript| {
        let mut text = String::new();
        tags(&mut text, event, &date_of(folder), &game.row, players, &transcript);
        movetext(&mut text, &game.row, &transcript, &comments_of(moves));
        text
    }))
}

fn date_of(folder: &Folder) -> String {
    let started = folder.manifest().map(|manifest| manifest.started);
    date(started.as_deref().unwrap_or_default())
}

fn comments_of(moves: &[MoveRow]) -> Vec<String> {
    moves.iter().map(|row| comment(&row.costs)).gather()
}

fn date(started: &str) -> String {
    let day: String = started.chars().take(10).map(|c| if c == '-' { '.' } else { c }).gather();
    let whole = day.len() == 10 && day.chars().all(|c| c.is_ascii_digit() || c == '.');
    if whole { day } else { "????.??.??".to_owned() }
}

fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::First => "1-0",
        Outcome::Draw => "1/2-1/2",
        Outcome::Second => "0-1",
        Outcome::Void => "*",
    }
}

/// The PGN word for how the game ended.
fn termination(row: &GameRow) -> &'static str {
    match row.reason {
        _ if row.outcome == Outcome::Void => "unterminated",
        "max plies" | ADJUDICATED_DRAW | ADJUDICATED_WIN => "adjudication",
        "illegal move" => "rules infraction",
        "timeout" => "time forfeit",
        reason if is_fault(reason) => "abandoned",
        _ => "normal",
    }
}

fn tags(
    out: &mut String,
    event: &str,
    date: &str,
    row: &GameRow,
    players: [&str; 2],
    transcript: &PgnMoves,
) {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    tag("Event", event);
    tag("Site", "?");
    tag("Date", date);
    tag("Round", &row.game.to_string());
    tag("White", players[0]);
    tag("Black", players[1]);
    tag("Result", result(row.outcome));
    if let Some(variant) = transcript.variant {
        tag("Variant", variant);
    }
    if let Some(start) = &transcript.start {
        tag("SetUp", "1");
        tag("FEN", start);
    }
    tag("PlyCount", &transcript.moves.len().to_string());
    tag("Termination", termination(row));
    out.push('\n');
}

/// The moves with their numbers and comments, the reason and the result.
fn movetext(out: &mut String, row: &GameRow, transcript: &PgnMoves, costs: &[String]) {
    let mut text = String::new();
    let mut second = transcript.second_begins;
    let mut number = transcript.number;
    let mut numbered = false;
    for (i, mv) in transcript.moves.iter().enumerate() {
        if !second || !numbered {
            let _ = write!(text, "{number}{} ", if second { "..." } else { "." });
        }
        let _ = write!(text, "{mv} ");
        numbered = true;
        let cost = i.checked_sub(transcript.opening).and_then(|place| costs.get(place));
        if let Some(cost) = cost.filter(|cost| !cost.is_empty()) {
            let _ = write!(text, "{cost} ");
            numbered = false;
        }
        number += u32::from(second);
        second = !second;
    }
    let _ = write!(text, "{{{}}} {}", row.reason, result(row.outcome));
    out.push_str(&wrapped(&text, Some(WIDTH), "", ""));
    out.push('\n');
}

/// The cost of a move: `{value/depth seconds nodes}`, as far as it is known.
fn comment(costs: &Costs) -> String {
    let mut words = Vec::new();
    match (costs.value, costs.depth) {
        (None, None) => {}
        (None, Some(depth)) => words.push(format!("depth {depth}")),
        (Some(value), None) => words.push(value.to_string()),
        (Some(value), Some(depth)) => words.push(format!("{value}/{depth}")),
    }
    words.add_all(costs.time_ns.map(|time| format!("{:.6}s", time as f64 / 1e9)));
    words.add_all(costs.nodes.map(|nodes| format!("{nodes} nodes")));
    if words.is_empty() { String::new() } else { format!("{{{}}}", words.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_what_is_known() {
        let known =
            Costs { nodes: Some(1200), depth: Some(5), value: Some(-31.0), ..Costs::default() };
        let known = Costs { time_ns: Some(2_500_000), ..known };
        assert_eq!(comment(&known), "{-31/5 0.002500s 1200 nodes}");
        assert_eq!(comment(&Costs { time_ns: Some(1000), ..Costs::default() }), "{0.000001s}");
        assert_eq!(comment(&Costs::default()), "");
        assert_eq!(date("2026-01-31T10:00:00Z"), "2026.01.31");
        assert_eq!(date(""), "????.??.??");
    }
}
