//! Solves trees of more than two players by max^n.

use std::fmt::Write;
use std::path::Path;

use super::write_search_tree::write;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::print_text;
use crate::report::search_tree::{DrawnTree, tuple};
use crate::solve::MultiPlayerTree;

/// Prints the values of a tree, or draws it.
///
/// # Errors
/// A file that cannot be read, is no such tree, or cannot be drawn.
pub fn run(path: &Path, picture: Option<&Path>) -> Result<u8, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        let help =
            "name a file with a tree of several players, such as configs/trees/three_players.toml";
        Failure::usage(format!("`--maxn`: {name}: cannot be read: {error}"), help)
    })?;
    let tree = MultiPlayerTree::read(&name, &text)
        .map_err(|error| Failure::usage(format!("`--maxn`: {}", error.message), error.help))?;
    if let Some(picture) = picture {
        let smaller = "write a part of the tree to a file of its own";
        return write(picture, &DrawnTree::of_players(&tree, &name), smaller);
    }
    let mut out = format!("{name}\n\n");
    branches(&tree, 0, "", &mut out);
    let line = tree.line();
    let line: Vec<&str> = line[1..].iter().map(|&node| &*tree.nodes[node as usize].label).collect();
    let _ = write!(out, "\nplayers   ({})\n", tree.players.join(", "));
    let _ = writeln!(out, "value     {}", tuple(&tree.nodes[0].values));
    let _ = writeln!(out, "best play {}", line.join(" "));
    print_text(&out)?;
    Ok(exit_codes::DONE)
}

/// Writes a node and its descendants, one per line.
fn branches(tree: &MultiPlayerTree, number: u32, indent: &str, out: &mut String) {
    let node = &tree.nodes[number as usize];
    if let Some(player) = node.player {
        let _ = write!(out, "{} = ", tree.players[player]);
    }
    let _ = writeln!(out, "{}", tuple(&node.values));
    for (i, &child) in node.children.iter().enumerate() {
        let [corner, deeper] =
            if i + 1 == node.children.len() { ["└─", "   "] } else { ["├─", "│  "] };
        let _ = write!(out, "{indent}{corner} {}: ", tree.nodes[child as usize].label);
        branches(tree, child, &format!("{indent}{deeper}"), out);
    }
}
