//! Formats a solved position as text and as JSON.

use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::cli::print_run_results::terminal_width;
use crate::games::{Exact, InStones, Turn};
use crate::play::{SolvedMove, SolvedPosition, TreeReport, short_number};
use crate::report::{TextTable, grouped, wrapped};

/// A value in words: the stone that wins, if the game has such scores, else the number of plies.
pub fn in_words(value: Exact, in_stones: Option<InStones>, scored: bool) -> String {
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
        None if value.mean.abs() == 1.0 => format!("the {winner} player wins"),
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
        None if value.mean.abs() == 1.0 => format!("{winner} wins"),
        None => format!("{:.9}", share(value)),
    }
}

pub fn as_text(game: &str, solved: &SolvedPosition, time: Duration, markdown: bool) -> String {
    let width = terminal_width();
    let fence = if markdown { "```\n" } else { "" };
    let drawing = solved.tree.as_ref().map_or(&solved.drawing, |tree| &tree.drawing);
    let mut out = format!("{game}\n\n{fence}{drawing}{fence}\n");
    let mut line = |head: &str, text: String| {
        let line = format!("{}{head:<10}{text}", if markdown { "- " } else { "" });
        out.push_str(&wrapped(&line, width.filter(|_| !markdown), "", &" ".repeat(10)));
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
    let nodes = grouped(solved.nodes);
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
        Turn::Player(player) => format!("Moves of the {} player", player.name()),
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
        table.note(format!("and {more} more; `--json` shows them all"));
    }
    if !solved.scored
        && solved
            .moves
            .iter()
            .any(|mv| mv.value.plies.is_none() && ![-1.0, 0.0, 1.0].contains(&mv.value.mean))
    {
        table.note("values: the first player's mean score, from 0 to 1");
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
            visit.not_visited.iter().take(SHOWN).map(String::as_str).collect();
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

pub fn as_json(game: &str, solved: &SolvedPosition, time: Duration) -> Json {
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
        .collect();
    let mut out = json!({
        "game": game,
        "position": solved.position,
        "turn": match solved.turn {
            Turn::Player(player) => player.name(),
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
            .collect();
        out["tree"] = json!({ "leaves": tree.leaves, "visits": visits });
    }
    out
}
