//! `docs/search.md`: its numbers of nodes are those of the configs that it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::{agon, rows, stderr, stdout};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The lines of the page from where it names the config on.
fn section(config: &str) -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/search.md")).expect("the page");
    let named = format!("agon --config configs/{config}.toml");
    let place = page.find(&named).unwrap_or_else(|| panic!("the page does not name {config}"));
    page[place..].lines().map(str::to_owned).collect()
}

/// Plays a config as it stands: what it prints, and the nodes of each agent in all its games.
fn play(config: &str) -> (String, BTreeMap<String, u64>) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = root().join("configs").join(format!("{config}.toml"));
    let (path, out) = (path.to_str().expect("text"), dir.path().to_str().expect("text"));
    let output = agon(&["--config", path, "--out", out, "-q", "-j2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let agents = rows(&dir.path().join("agents.csv")).into_iter();
    let nodes = agents.map(|row| (row["agent"].clone(), row["nodes"].parse().expect("a number")));
    (stdout(&output), nodes.collect())
}

/// A number as the page shows it.
fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{} {:03}", grouped(number / 1000), number % 1000),
    }
}

/// Holds a table of the page against the nodes of its config: the row that begins so has these
/// agents' nodes, each played so often.
fn check(config: &str, table: &[(&str, &[&str])], games: u64) {
    let (page, (_, nodes)) = (section(config), play(config));
    let mut lines = page.iter();
    for (begin, agents) in table {
        let row = lines.find(|line| line.starts_with(begin));
        let row = row.unwrap_or_else(|| panic!("the page has no row `{begin}` here"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for agent in *agents {
            let shown = grouped(nodes[*agent] / games);
            assert!(cells.contains(&shown.as_str()), "{agent} takes {shown}: {row}");
        }
    }
    let agents: usize = table.iter().map(|(_, agents)| agents.len()).sum();
    assert_eq!(agents, nodes.len(), "agents on the page, and played");
}

#[test]
fn options_far_ahead_take_the_nodes_that_the_page_shows() {
    let table: [(&str, &[&str]); 8] = [
        ("| all |", &["all 12", "all 14"]),
        ("| without `killers` |", &["no killers 12", "no killers 14"]),
        ("| without `history` |", &["no history 12", "no history 14"]),
        ("| without `threats` |", &["no threats 12", "no threats 14"]),
        ("| without `pvs` |", &["no pvs 12", "no pvs 14"]),
        ("| with `aspiration = 50` |", &["aspiration 50 to 12", "aspiration 50 to 14"]),
        ("| with `aspiration = 200` |", &["aspiration 200 to 12", "aspiration 200 to 14"]),
        ("| with `reductions`", &["reductions 12", "reductions 14"]),
    ];
    check("deep_options", &table, 2);
}

#[test]
fn options_in_chess_take_the_nodes_that_the_page_shows() {
    let table: [(&str, &[&str]); 4] = [
        ("| exact |", &["exact"]),
        ("| with `null_move` |", &["null moves"]),
        ("| with `reductions` |", &["reductions"]),
        ("| with both |", &["both"]),
    ];
    check("chess_options", &table, 1);
}

#[test]
fn expectimax_takes_the_nodes_that_the_page_shows() {
    let table: [(&str, &[&str]); 8] = [
        ("| 3, uniform | none |", &["uniform, none"]),
        ("| | star1 |", &["uniform, star1"]),
        ("| | star2 |", &["uniform, star2", "uniform, star2, table"]),
        ("| 3, perfect | none |", &["perfect, none"]),
        ("| | star1 |", &["perfect, star1"]),
        ("| | star2 |", &["perfect, star2", "perfect, star2, table"]),
        ("| 4, uniform |", &["uniform, star2, 4 plies", "uniform, star2, table, 4 plies"]),
        ("| 4, perfect |", &["perfect, star2, 4 plies", "perfect, star2, table, 4 plies"]),
    ];
    check("star", &table, 1);
}

#[test]
#[ignore = "seconds; `cargo test --release --test program search_page -- --include-ignored`"]
fn reductions_score_what_the_page_says() {
    let (text, _) = play("reductions");
    let score = text.lines().find(|line| line.trim().starts_with("score %")).expect("a score");
    let (value, interval) = score.trim()[7..].trim().split_once(' ').expect("an interval");
    let interval = &interval[..=interval.find(']').expect("its end")];
    let shown = format!("exact search won {value} % {interval} of 800 games");
    let page = section("reductions").join(" ");
    assert!(page.contains(&shown), "the page does not say: {shown}");
}

#[test]
#[ignore = "seconds; `cargo test --release --test program search_page -- --include-ignored`"]
fn options_at_depth_6_take_what_the_page_shows() {
    let (text, _) = play("pruning");
    // Of each row what stands before the first time: name, moves, depth, nodes, branching.
    let figures = |line: &str| -> Vec<String> {
        line.trim()
            .split("  ")
            .filter(|cell| !cell.is_empty())
            .map(str::trim)
            .take(5)
            .map(str::to_owned)
            .collect()
    };
    let table = |lines: &mut dyn Iterator<Item = String>| -> Vec<Vec<String>> {
        let rows = lines.skip_while(|line| !line.trim_start().starts_with("agent  ")).skip(1);
        rows.take_while(|line| !line.contains("p50, p99:")).map(|line| figures(&line)).collect()
    };
    let costs = text.find("What a move costs").expect("the table of costs");
    let printed = table(&mut text[costs..].lines().map(str::to_owned));
    assert_eq!(table(&mut section("pruning").into_iter()), printed);
    assert_eq!(printed.len(), 12);
}
