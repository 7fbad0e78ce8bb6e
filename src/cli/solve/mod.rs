//! `agon solve`: prints the exact value of a position and of every move, and best play.
//!
//! ```text
//! book   books read and made      many   many positions as CSV
//! ```

mod opening_book;
mod position_list;

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::cli::args::SolveArgs;
use crate::cli::exit_codes::{self, Failure};
use crate::cli::old_keys;
use crate::cli::print_results::terminal_width;
use crate::games::{Exact, InStones, Player, Turn};
use crate::gather::Gather;
use crate::play::{PositionSolver, Registry, SolvedMove, SolvedPosition, TreeReport, short_number};
use crate::report::{TableFormat, TextTable, wrapped};

/// Solves a position and prints the result.
pub fn run(args: &SolveArgs, format: TableFormat, registry: &Registry) -> Result<u8, Failure> {
    let (_, world) = old_keys::game_spec(&args.game, "--game", registry)?;
    for warning in world.warnings() {
        let _ = writeln!(anstream::stderr(), "warning: {warning}");
    }
    let mut solver = world.solver().map_err(|error| {
        let remedy = match error.remedy.as_str() {
            "" => "`agon list games` shows the games and their sizes",
            remedy => remedy,
        };
        Failure::Usage(format!("{}\nhelp: {remedy}", error.message))
    })?;
    match args.threads {
        Some(threads) => {
            if !solver.set_threads(usize::from(threads)) && threads > 1 {
                let message = "`--threads`: this game's solver works on one thread";
                return Err(Failure::Usage(format!("{message}\nhelp: leave `--threads` out")));
            }
        }
        None => {
            solver.set_threads(num_cpus::get());
        }
    }
    if let Some(path) = &args.book {
        opening_book::open(path, args.book_plies, &mut solver)?;
    }
    if args.no_book && !solver.forget_book() {
        let message = "`--no-book`: this game's solver has no book";
        return Err(Failure::Usage(format!("{message}\nhelp: leave `--no-book` out")));
    }
    let format = if args.json { TableFormat::Json } else { format };
    if let Some(path) = &args.positions {
        return position_list::run(path, &args.game, format, &mut solver);
    }
    if let Some(text) = &args.position
        && let Err(message) = solver.check(text)
    {
        let message = format!("`--position`: {message}");
        return Err(Failure::Usage(format!("{message}\nhelp: {}", how_it_starts(&solver))));
    }
    warn_of_hours(&solver, args.position.as_deref(), true, "");
    let begin = Instant::now();
    let solved = solver.solve(args.position.as_deref()).map_err(Failure::Usage)?;
    let time = begin.elapsed();
    let text = match format {
        TableFormat::Json => format!("{:#}\n", as_json(&args.game, &solved, time)),
        TableFormat::Text | TableFormat::Markdown | TableFormat::Benchmark => {
            as_text(&args.game, &solved, time, format == TableFormat::Markdown)
        }
    };
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(exit_codes::DONE)
}

fn how_it_starts(solver: &PositionSolver) -> String {
    format!("the start is written `start` or `{}`", solver.start())
}

/// Warns about a position that may take hours. `place` names the position, `all` requests all
/// moves.
fn warn_of_hours(solver: &PositionSolver, position: Option<&str>, all: bool, place: &str) {
    if let Some(why) = solver.takes_long(position, all) {
        let help = "Ctrl-C ends it; a smaller board or a position with more stones takes less time";
        let _ = writeln!(anstream::stderr(), "warning: {place}{why}\nhelp: {help}");
    }
}

fn side(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

/// A value in words: the stone that wins, if the game has such scores, else the number of plies.
fn in_words(value: Exact, in_stones: Option<InStones>, scored: bool) -> String {
    if let Some(InStones { last: Some(last), .. }) = in_stones {
        let winner = if value.mean > 0.0 { "first" } else { "second" };
        let verb = if value.plies == Some(0) { "has won" } else { "wins" };
        return format!("the {winner} player {verb} with the {}", ordinal(last) + " stone");
    }
    if scored {
        return format!("{} points for the first player", short_number(value.mean));
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

/// An ordinal number, such as 41st.
fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// A number with its sign; 0 without a sign.
fn signed(score: i32) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

/// The first player's mean score, from 0 to 1.
fn share(value: Exact) -> f64 {
    0.5 + 0.5 * value.mean
}

/// A value for the cell of a table.
fn in_a_cell(value: Exact, in_stones: Option<InStones>, scored: bool) -> String {
    let winner = if value.mean > 0.0 { "first" } else { "second" };
    if let Some(InStones { last: Some(last), .. }) = in_stones {
        return format!("{winner} wins with the {}", ordinal(last));
    }
    match value.plies {
        _ if scored => short_number(value.mean),
        Some(plies) => format!("{winner} wins in {plies}"),
        None if value.mean == 0.0 => "draw".to_owned(),
        None => format!("{:.9}", share(value)),
    }
}

fn as_text(game: &str, solved: &SolvedPosition, time: Duration, markdown: bool) -> String {
    let width = terminal_width();
    let fence = if markdown { "```\n" } else { "" };
    let drawing = solved.tree.as_ref().map_or(&solved.drawing, |tree| &tree.drawing);
    let mut out = format!("{game}\n\n{fence}{drawing}{fence}\n");
    let mut line = |head: &str, text: String| {
        let line = format!("{}{head:<10}{text}", if markdown { "- " } else { "" });
        let width = width.filter(|_| !markdown).unwrap_or(usize::MAX);
        out.push_str(&wrapped(&line, width, "", &" ".repeat(10)));
    };
    line("position", solved.position.clone());
    line("value", in_words(solved.value, solved.in_stones, solved.scored));
    if let Some(InStones { score, .. }) = solved.in_stones {
        line("score", format!("{} for the player to move", signed(score)));
    }
    if solved.turn != Turn::Over {
        let more = if solved.line_ends_by_chance { " … then chance" } else { "" };
        line("best play", format!("{}{more}", solved.line.join(" ")).trim_start().to_owned());
    }
    let nodes = crate::report::grouped(solved.nodes);
    line("effort", format!("{nodes} positions, {:.3} s", time.as_secs_f64()));
    let tables = [moves_table(solved), solved.tree.as_ref().and_then(visits_table)];
    for table in tables.into_iter().flatten() {
        out.push('\n');
        out.push_str(&table.render(markdown, !markdown, width));
    }
    out
}

/// The maximum number of printed rows; JSON has all rows.
const MOST: usize = 40;

fn moves_table(solved: &SolvedPosition) -> Option<TextTable> {
    let chance = solved.turn == Turn::Chance;
    let title = match solved.turn {
        Turn::Over => return None,
        Turn::Chance => "Outcomes of chance".to_owned(),
        Turn::Player(player) => format!("Moves of the {} player", side(player)),
    };
    let table = TextTable::new(&title);
    let mut table = match chance {
        true => table.text(["outcome"]).figures(["probability", "value"]),
        false => table.text(["", "move"]).figures(["value"]),
    };
    if !chance && solved.moves.iter().all(|mv| mv.in_stones.is_some()) {
        table = table.figures(["score"]);
    }
    for SolvedMove { text, value, in_stones, best, probability } in solved.moves.iter().take(MOST) {
        let value = in_a_cell(*value, *in_stones, solved.scored);
        let best = if *best { "best" } else { "" }.to_owned();
        match (probability, in_stones) {
            (Some(probability), _) => {
                table.row([text.clone(), short_number(*probability), value]);
            }
            (None, Some(stones)) => {
                table.row([best, text.clone(), value, signed(stones.score)]);
            }
            (None, None) => table.row([best, text.clone(), value]),
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

fn visits_table(tree: &TreeReport) -> Option<TextTable> {
    if tree.visits.is_empty() {
        return None;
    }
    let mut table = TextTable::new("Which leaves each algorithm visits, from left to right")
        .text(["algorithm"])
        .figures(["value", "nodes", "leaves seen"])
        .text(["not seen"]);
    for visit in &tree.visits {
        const SHOWN: usize = 8;
        let mut unseen: Vec<&str> =
            visit.not_visited.iter().take(SHOWN).map(String::as_str).gather();
        if visit.not_visited.len() > SHOWN {
            unseen.push("…");
        }
        table.row([
            visit.algorithm.to_owned(),
            short_number(visit.value),
            visit.nodes.to_string(),
            format!("{} of {}", visit.visited, tree.leaves),
            unseen.join(" "),
        ]);
    }
    Some(table)
}

fn as_json(game: &str, solved: &SolvedPosition, time: Duration) -> Json {
    let value = |value: Exact, in_stones: Option<InStones>| {
        let mut out = json!({ "mean": value.mean, "plies": value.plies });
        if let Some(InStones { last, score }) = in_stones {
            out["stones"] = json!({ "last": last, "score": score });
        }
        if !solved.scored {
            out["score"] = json!(share(value));
        }
        out
    };
    let moves: Vec<Json> = (solved.moves.iter())
        .map(|mv| match mv.probability {
            Some(probability) => {
                json!({ "outcome": mv.text, "probability": probability, "value": value(mv.value, mv.in_stones) })
            }
            None => json!({ "move": mv.text, "best": mv.best, "value": value(mv.value, mv.in_stones) }),
        })
        .gather();
    let mut out = json!({
        "game": game,
        "position": solved.position,
        "turn": match solved.turn {
            Turn::Player(player) => side(player),
            Turn::Chance => "chance",
            Turn::Over => "over",
        },
        "scored": solved.scored,
        "value": value(solved.value, solved.in_stones),
        "in_words": in_words(solved.value, solved.in_stones, solved.scored),
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
                    "leaves_seen": visit.visited,
                    "leaves_not_seen": visit.not_visited,
                })
            })
            .gather();
        out["tree"] = json!({ "leaves": tree.leaves, "visits": visits });
    }
    out
}
