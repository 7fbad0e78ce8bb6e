//! Writes games as PGN, as in the "Portable Game Notation specification and implementation guide" (S.
//! Edwards, 1994): `games.pgn` from a complete `games.csv`, or one game.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::SystemTime;

use super::exporter_trait::{ExportSource, Exporter};
use crate::agents::{engine_starts, reports_results, result_in_hundredths};
use crate::arena::{
    Costs, DerivedFile, Folder, FolderError, GameMoves, GameRow, GameRows, Manifest, MoveRow,
    Replacement, StoredGame, is_fault,
};
use crate::config::{Experiment, PgnOutput as Wanted};
use crate::games::{MAX_VALUE, Player};
use crate::params::{Spec, Value};
use crate::play::{ADJUDICATED_DRAW, ADJUDICATED_WIN, Outcome, PgnMoves};
use crate::search::{WIN, win_distance};
use crate::text::text_table::wrapped;

const WIDTH: usize = 79;

/// `games.pgn`, for games that have such a record format.
pub struct PgnExporter;

impl PgnExporter {
    /// Whether the config asks for the file, and its game has the format.
    pub fn is_of(experiment: &Experiment) -> bool {
        experiment.output.pgn != Wanted::None && experiment.any_game.transcribe("", "").is_some()
    }
}

impl Exporter for PgnExporter {
    fn file(&self) -> DerivedFile {
        DerivedFile::Pgn
    }

    fn is_wanted(&self, source: &ExportSource<'_>) -> bool {
        source.experiment.is_some_and(PgnExporter::is_of)
    }

    fn write(&self, source: &ExportSource<'_>, out: &mut Replacement) -> Result<(), FolderError> {
        let Some(experiment) = source.experiment else { return Ok(()) };
        let comments = experiment.output.pgn == Wanted::Comments && experiment.output.moves;
        let refused = out.refused();
        write_pgn(source.folder, experiment, &source.results.tally.names, comments, out, &refused)
    }
}

/// What the tags and comments of a game need to know of its players.
struct PgnPlayer<'a> {
    name: &'a str,
    /// The program that chose the moves, with its version.
    engine: String,
    /// The value of the tag `TimeControl`.
    time_control: String,
    /// Whether its values are expected results, and not hundredths of a pawn.
    reports_results: bool,
}

impl<'a> PgnPlayer<'a> {
    fn of(name: &'a str, experiment: &Experiment, manifest: Option<&Manifest>) -> Self {
        let spec = experiment.agents.iter().find(|agent| agent.name == name).map(|one| &one.spec);
        let program = manifest.and_then(|manifest| manifest.programs.get(name));
        let agon = || manifest.map(|manifest| format!("agon {}", manifest.version));
        let is_external = spec.is_some_and(|spec| !engine_starts(spec).is_empty());
        let engine = match program {
            Some(program) => program.name.clone(),
            None if is_external => None,
            None => agon(),
        };
        PgnPlayer {
            name,
            engine: engine.unwrap_or_default(),
            time_control: spec.and_then(time_control).unwrap_or_else(|| "-".to_owned()),
            reports_results: spec.is_some_and(reports_results),
        }
    }
}

/// The clock of an agent, or the seconds for each of its moves as cutechess and fastchess write
/// them.
fn time_control(spec: &Spec) -> Option<String> {
    if let Some(clock) = spec.values.text("clock") {
        return Some(clock.replace(' ', ""));
    }
    if let Some(milliseconds) = spec.values.int("movetime") {
        return Some(format!("{}/move", milliseconds as f64 / 1e3));
    }
    let inner = spec.values.0.values();
    inner
        .filter_map(|value| if let Value::Spec(spec) = value { time_control(spec) } else { None })
        .next()
}

/// Writes the games of a folder to `out` if the game has a PGN format. With `comments`, each move
/// has a comment with its data from `moves.csv`.
fn write_pgn(
    folder: &Folder,
    experiment: &Experiment,
    names: &[String],
    comments: bool,
    out: &mut dyn Write,
    refused: &dyn Fn(io::Error) -> FolderError,
) -> Result<(), FolderError> {
    let path = folder.file("games.csv");
    let mut rows = GameRows::open(&path, names)?;
    let mut old = if comments { Some(GameMoves::open(folder)?) } else { None };
    let manifest = folder.manifest();
    let players: Vec<PgnPlayer<'_>> =
        names.iter().map(|name| PgnPlayer::of(name, experiment, manifest.as_ref())).collect();
    let mut text = String::new();
    while let Some(row) = rows.next_row().map_err(FolderError::rows(&path))? {
        let (opening, moves) = rows.texts();
        let Some(transcript) = experiment.any_game.transcribe(opening, moves) else {
            return Ok(());
        };
        let transcript =
            transcript.map_err(|message| FolderError::no_game(&path, row.game, &message))?;
        let costs: Vec<Costs> = match &mut old {
            Some(old) => old.of(row.game)?.into_iter().map(|row| row.costs).collect(),
            None => Vec::new(),
        };
        let game = PgnGame {
            event: &experiment.name,
            date: date(manifest.as_ref()),
            row: &row,
            reason: row.reason,
            players: [row.first, row.second].map(|agent| &players[agent]),
            transcript: &transcript,
            costs: &costs,
        };
        text.clear();
        game.write(&mut text);
        out.write_all(text.as_bytes()).map_err(refused)?;
    }
    Ok(())
}

/// One game of the folder as in `games.pgn`, with the data of its moves from `moves`. `None` if the
/// game has no PGN format.
pub fn pgn(
    folder: &Folder,
    experiment: &Experiment,
    players: [&str; 2],
    game: &StoredGame,
    moves: &[MoveRow],
) -> Option<Result<String, String>> {
    let transcript = experiment.any_game.transcribe(&game.opening, &game.moves)?;
    let manifest = folder.manifest();
    let players = players.map(|name| PgnPlayer::of(name, experiment, manifest.as_ref()));
    let costs: Vec<Costs> = moves.iter().map(|row| row.costs).collect();
    Some(transcript.map(|transcript| {
        let mut text = String::new();
        let game = PgnGame {
            event: &experiment.name,
            date: date(manifest.as_ref()),
            row: &game.row,
            reason: game.row.reason,
            players: players.each_ref(),
            transcript: &transcript,
            costs: &costs,
        };
        game.write(&mut text);
        text
    }))
}

/// The moves of a game of people as PGN.
pub fn pgn_of_moves(
    names: [&str; 2],
    transcript: &PgnMoves,
    outcome: Outcome,
    reason: &str,
) -> String {
    let player = |name| PgnPlayer {
        name,
        engine: String::new(),
        time_control: "-".to_owned(),
        reports_results: false,
    };
    let [white, black] = names.map(player);
    let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let game = PgnGame {
        event: "agon play",
        date: today[..10].replace('-', "."),
        row: &GameRow { outcome, ..GameRow::default() },
        reason,
        players: [&white, &black],
        transcript,
        costs: &[],
    };
    let mut text = String::new();
    game.write(&mut text);
    text
}

/// The day on which the run began.
fn date(manifest: Option<&Manifest>) -> String {
    let started = manifest.map_or("", |manifest| manifest.started.as_str());
    let day: String = started.chars().take(10).map(|c| if c == '-' { '.' } else { c }).collect();
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

/// A game with everything that is written of it.
struct PgnGame<'a> {
    event: &'a str,
    date: String,
    row: &'a GameRow,
    /// The rule or fault that ended the game, in words.
    reason: &'a str,
    players: [&'a PgnPlayer<'a>; 2],
    transcript: &'a PgnMoves,
    /// What the moves of agents cost, if that is written.
    costs: &'a [Costs],
}

impl PgnGame<'_> {
    fn write(&self, out: &mut String) {
        self.write_tags(out);
        out.push_str(&wrapped(&self.movetext(), Some(WIDTH), "", ""));
        out.push('\n');
    }

    fn write_tags(&self, out: &mut String) {
        let PgnGame { row, players: [white, black], transcript, .. } = self;
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "[{name} \"{value}\"]");
        };
        tag("Event", self.event);
        tag("Site", "?");
        tag("Date", &self.date);
        // A game of people has no number.
        let round = if row.game == 0 { "-".to_owned() } else { row.game.to_string() };
        tag("Round", &round);
        tag("White", white.name);
        tag("Black", black.name);
        tag("Result", result(row.outcome));
        if let Some(variant) = transcript.variant {
            tag("Variant", variant);
        }
        if let Some(start) = &transcript.start {
            tag("SetUp", "1");
            tag("FEN", start);
        }
        if white.time_control == black.time_control {
            tag("TimeControl", &white.time_control);
        } else {
            tag("WhiteTimeControl", &white.time_control);
            tag("BlackTimeControl", &black.time_control);
        }
        for (name, player) in [("WhiteEngine", white), ("BlackEngine", black)] {
            if !player.engine.is_empty() {
                tag(name, &player.engine);
            }
        }
        tag("PlyCount", &transcript.moves.len().to_string());
        tag("Termination", termination(row));
        out.push('\n');
    }

    /// The moves with their numbers and comments, the reason and the result.
    fn movetext(&self) -> String {
        let PgnGame { row, transcript, .. } = self;
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
            let cost = i.checked_sub(transcript.opening).and_then(|place| self.costs.get(place));
            let player = if second { Player::Second } else { Player::First };
            let reports_results = self.players[player.index()].reports_results;
            let said = cost.map(|cost| comment(cost, player, reports_results)).unwrap_or_default();
            if !said.is_empty() {
                let _ = write!(text, "{said} ");
                numbered = false;
            }
            number += u32::from(second);
            second = !second;
        }
        let _ = write!(text, "{{{}}} {}", self.reason, result(row.outcome));
        text
    }
}

/// The cost of a move in the form of cutechess and fastchess, as far as it is known:
/// `{value/depth seconds, n=nodes}`.
fn comment(costs: &Costs, mover: Player, reports_results: bool) -> String {
    let mut parts = Vec::new();
    let score = costs.value.map(|value| score(value * f64::from(mover.sign()), reports_results));
    let score = score.map(|score| format!("{score}/{}", costs.depth.unwrap_or(0)));
    let time = costs.time_ns.map(|time| format!("{:.3}s", time as f64 / 1e9));
    let first: Vec<String> = score.into_iter().chain(time).collect();
    if !first.is_empty() {
        parts.push(first.join(" "));
    }
    if costs.value.is_none() {
        parts.extend(costs.depth.map(|depth| format!("d={depth}")));
    }
    parts.extend(costs.nodes.map(|nodes| format!("n={nodes}")));
    if parts.is_empty() { String::new() } else { format!("{{{}}}", parts.join(", ")) }
}

/// No mate is longer, in plies.
const LONGEST_MATE: u32 = 10_000;

/// The mover's value in pawns, `+1.53`, or the plies to the end of a forced win, `+M3`.
fn score(own: f64, reports_results: bool) -> String {
    let sign = if own > 0.0 { "+" } else { "-" };
    let hundredths = match own.abs() {
        size if reports_results && size <= 1.0 => result_in_hundredths(own),
        size if size > f64::from(MAX_VALUE) => match win_distance(size.min(i32::MAX.into()) as i32)
        {
            Some(plies) if plies <= LONGEST_MATE && size <= f64::from(WIN) => {
                return format!("{sign}M{plies}");
            }
            // A mean of wins and other results.
            _ => result_in_hundredths(own / f64::from(WIN)),
        },
        _ => own,
    };
    let pawns = format!("{:.2}", hundredths / 100.0);
    match pawns.as_str() {
        "0.00" | "-0.00" => "0.00".to_owned(),
        _ if own > 0.0 => format!("+{pawns}"),
        _ => pawns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Values;

    #[test]
    fn comments_have_the_form_of_the_field() {
        let known = |value: f64| Costs {
            nodes: Some(1200),
            depth: Some(6),
            value: Some(value),
            time_ns: Some(18_400_000),
            ..Costs::default()
        };
        let said = |value: f64, mover| comment(&known(value), mover, false);
        assert_eq!(said(153.0, Player::First), "{+1.53/6 0.018s, n=1200}");
        assert_eq!(said(153.0, Player::Second), "{-1.53/6 0.018s, n=1200}");
        assert_eq!(said(0.0, Player::Second), "{0.00/6 0.018s, n=1200}");
        assert_eq!(said(f64::from(WIN - 3), Player::First), "{+M3/6 0.018s, n=1200}");
        assert_eq!(said(f64::from(4 - WIN), Player::First), "{-M4/6 0.018s, n=1200}");
        assert_eq!(said(f64::from(4 - WIN), Player::Second), "{+M4/6 0.018s, n=1200}");
        // A number near that of a win never appears.
        for value in [f64::from(WIN), f64::from(WIN) / 2.0 + 0.5, 1e12] {
            assert!(said(value, Player::First).len() < 30, "{}", said(value, Player::First));
        }
        assert_eq!(comment(&known(0.5), Player::Second, true), "{-0.89/6 0.018s, n=1200}");
        let time = Costs { time_ns: Some(1_600_000), ..Costs::default() };
        assert_eq!(comment(&time, Player::First, false), "{0.002s}");
        let depth = Costs { depth: Some(4), ..time };
        assert_eq!(comment(&depth, Player::First, false), "{0.002s, d=4}");
        let value = Costs { value: Some(-20.0), ..time };
        assert_eq!(comment(&value, Player::First, false), "{-0.20/0 0.002s}");
        assert_eq!(comment(&Costs::default(), Player::First, false), "");
        assert_eq!(date(None), "????.??.??");
    }

    #[test]
    fn time_controls_are_those_of_the_field() {
        let spec = |key: &str, value: Value| {
            let mut values = Values::default();
            values.set(key, value);
            Spec { kind: "x".to_owned(), values }
        };
        let clock = spec("clock", Value::Text("40/60 + 0.6".to_owned()));
        assert_eq!(time_control(&clock).as_deref(), Some("40/60+0.6"));
        let movetime = spec("movetime", Value::Int(100));
        assert_eq!(time_control(&movetime).as_deref(), Some("0.1/move"));
        let inside = spec("agent", Value::Spec(Box::new(movetime)));
        assert_eq!(time_control(&inside).as_deref(), Some("0.1/move"));
        assert_eq!(time_control(&spec("nodes", Value::Int(100))), None);
    }
}
