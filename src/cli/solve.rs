//! `agon solve`: the exact value of a position, every move's, and best play.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::args::SolveArgs;
use super::exit::{self, Failure};
use crate::config;
use crate::games::{Exact, Player, Turn};
use crate::report::{Format, Table};
use crate::world::{Registry, Solved, SolvedMove, TreeReport, in_short};

/// Solves a position and prints what is found.
///
/// # Errors
/// A game that cannot be solved, a text that is no position, or output that cannot be
/// written.
pub fn run(args: &SolveArgs, format: Format, registry: &Registry) -> Result<u8, Failure> {
    let (_, world) = config::parse_game_spec(&args.game, "--game", registry)?;
    for warning in world.warnings() {
        let _ = writeln!(anstream::stderr(), "warning: {warning}");
    }
    let begin = Instant::now();
    let mut solver = world.solver().map_err(|error| {
        let remedy = match error.remedy.as_str() {
            "" => "`agon list games` shows the games and their sizes",
            remedy => remedy,
        };
        Failure::Usage(format!("{}\nhelp: {remedy}", error.message))
    })?;
    let solved = solver.solve(args.position.as_deref()).map_err(|message| {
        let example = solver.solve(None).map(|start| start.position).unwrap_or_default();
        Failure::Usage(format!("`--position`: {message}\nhelp: the start is written `{example}`"))
    })?;
    let time = begin.elapsed();
    let format = if args.json { Format::Json } else { format };
    let text = match format {
        Format::Json => format!("{:#}\n", as_json(&args.game, &solved, time)),
        Format::Text | Format::Markdown | Format::Benchmark => {
            as_text(&args.game, &solved, time, format == Format::Markdown)
        }
    };
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(exit::DONE)
}

fn side(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

/// What a value means.
fn in_words(value: Exact, scored: bool) -> String {
    if scored {
        return format!("{} points for the first player", in_short(value.mean));
    }
    let winner = if value.mean > 0.0 { "first" } else { "second" };
    match value.plies {
        Some(0) => format!("the {winner} player has won"),
        Some(1) => format!("the {winner} player wins in 1 ply"),
        Some(plies) => format!("the {winner} player wins in {plies} plies"),
        None if value.mean == 0.0 => "a draw".to_owned(),
        None => format!(
            "the first player scores {:.9}, a win counting 1, a draw one half and a loss 0",
            share(value)
        ),
    }
}

/// The first player's mean score, from 0 to 1.
fn share(value: Exact) -> f64 {
    0.5 + 0.5 * value.mean
}

/// The same in a cell of a table.
fn in_a_cell(value: Exact, scored: bool) -> String {
    let winner = if value.mean > 0.0 { "first" } else { "second" };
    match value.plies {
        _ if scored => in_short(value.mean),
        Some(plies) => format!("{winner} wins in {plies}"),
        None if value.mean == 0.0 => "draw".to_owned(),
        None => format!("{:.9}", share(value)),
    }
}

fn as_text(game: &str, solved: &Solved, time: Duration, markdown: bool) -> String {
    let fence = if markdown { "```\n" } else { "" };
    let drawing = solved.tree.as_ref().map_or(&solved.drawing, |tree| &tree.drawing);
    let mut out = format!("{game}\n\n{fence}{drawing}{fence}\n");
    let mut line = |head: &str, text: String| {
        out.push_str(&format!("{}{head:<10}{text}\n", if markdown { "- " } else { "" }));
    };
    line("position", solved.position.clone());
    line("value", in_words(solved.value, solved.scored));
    if solved.turn != Turn::Over {
        let more = if solved.line_ends_by_chance { " … then chance" } else { "" };
        line("best play", format!("{}{more}", solved.line.join(" ")).trim_start().to_owned());
    }
    let nodes = crate::report::grouped(solved.nodes);
    line("effort", format!("{nodes} positions, {:.3} s", time.as_secs_f64()));
    let tables = [moves_table(solved), solved.tree.as_ref().and_then(visits_table)];
    for table in tables.into_iter().flatten() {
        out.push('\n');
        out.push_str(&table.render(markdown, !markdown));
    }
    out
}

/// The most rows for people; JSON has them all.
const MOST: usize = 40;

fn moves_table(solved: &Solved) -> Option<Table> {
    let chance = solved.turn == Turn::Chance;
    let heads: &[&str] =
        if chance { &["<outcome", "probability", "value"] } else { &["<", "<move", "value"] };
    let title = match solved.turn {
        Turn::Over => return None,
        Turn::Chance => "Outcomes of chance".to_owned(),
        Turn::Player(player) => format!("Moves of the {} player", side(player)),
    };
    let mut table = Table::new(&title, heads.iter().copied());
    for SolvedMove { text, value, best, probability } in solved.moves.iter().take(MOST) {
        let value = in_a_cell(*value, solved.scored);
        match probability {
            Some(probability) => table.row([text.clone(), in_short(*probability), value]),
            None => table.row([if *best { "best" } else { "" }.to_owned(), text.clone(), value]),
        }
    }
    if solved.moves.len() > MOST {
        let more = solved.moves.len() - MOST;
        table.notes.push(format!("and {more} more; `--json` shows them all"));
    }
    if !solved.scored
        && solved.moves.iter().any(|mv| mv.value.plies.is_none() && mv.value.mean != 0.0)
    {
        table.notes.push("values: the first player's mean score, from 0 to 1".to_owned());
    }
    Some(table)
}

fn visits_table(tree: &TreeReport) -> Option<Table> {
    if tree.visits.is_empty() {
        return None;
    }
    let heads = ["<algorithm", "value", "nodes", "leaves seen", "<not seen"];
    let mut table = Table::new("Which leaves each algorithm visits, from left to right", heads);
    for visit in &tree.visits {
        const SHOWN: usize = 8;
        let mut unseen: Vec<&str> = visit.unseen.iter().take(SHOWN).map(String::as_str).collect();
        if visit.unseen.len() > SHOWN {
            unseen.push("…");
        }
        table.row([
            visit.algorithm.to_owned(),
            in_short(visit.value),
            visit.nodes.to_string(),
            format!("{} of {}", visit.seen, tree.leaves),
            unseen.join(" "),
        ]);
    }
    Some(table)
}

fn as_json(game: &str, solved: &Solved, time: Duration) -> Json {
    let value = |value: Exact| {
        let mut out = json!({ "mean": value.mean, "plies": value.plies });
        if !solved.scored {
            out["score"] = json!(share(value));
        }
        out
    };
    let moves: Vec<Json> = (solved.moves.iter())
        .map(|mv| match mv.probability {
            Some(probability) => {
                json!({ "outcome": mv.text, "probability": probability, "value": value(mv.value) })
            }
            None => json!({ "move": mv.text, "best": mv.best, "value": value(mv.value) }),
        })
        .collect();
    let mut out = json!({
        "game": game,
        "position": solved.position,
        "turn": match solved.turn {
            Turn::Player(player) => side(player),
            Turn::Chance => "chance",
            Turn::Over => "over",
        },
        "scored": solved.scored,
        "value": value(solved.value),
        "in_words": in_words(solved.value, solved.scored),
        "moves": moves,
        "line": solved.line,
        "line_ends_by_chance": solved.line_ends_by_chance,
        "nodes": solved.nodes,
        "time_ns": u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
    });
    if let Some(tree) = &solved.tree {
        let visits: Vec<Json> = (tree.visits.iter())
            .map(|visit| {
                json!({
                    "algorithm": visit.algorithm,
                    "value": visit.value,
                    "nodes": visit.nodes,
                    "leaves_seen": visit.seen,
                    "leaves_not_seen": visit.unseen,
                })
            })
            .collect();
        out["tree"] = json!({ "leaves": tree.leaves, "visits": visits });
    }
    out
}
