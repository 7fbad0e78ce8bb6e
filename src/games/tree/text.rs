//! Text of trees: moves by name, positions as paths, pictures with branches.
//!
//! A move is its name or, if the file gives none, its number from 1. Numbers and node names are
//! always accepted. A position is the path of moves from the root (`/2/left`; the root is `/`). The
//! name of a node is accepted too.

use std::fmt::Write;

use super::model::{GameTree, NodeKind, TreeState};
use crate::games::game::{Game, Turn};
use crate::gather::Gather;

/// The maximum number of lines in a picture; further nodes are only counted.
const MAX_LINES: usize = 200;

pub(super) fn read_move(tree: &GameTree, state: &TreeState, text: &str) -> Result<u16, String> {
    if tree.turn(state) == Turn::Over {
        return Err("the game is over, no move is legal".to_owned());
    }
    let text = text.trim();
    let links = tree.node_links(state.node);
    let unique = |fits: &dyn Fn(usize) -> bool| {
        let mut fitting = (0..links.len()).filter(|&i| fits(i));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let chosen = unique(&|i| *links[i].label == *text)
        .or_else(|| unique(&|i| text.parse() == Ok(i + 1)))
        .or_else(|| unique(&|i| tree.name(links[i].to) == Some(text)))
        .or_else(|| unique(&|i| links[i].label.eq_ignore_ascii_case(text)));
    chosen.map(|i| i as u16).ok_or_else(|| {
        let mut legal: Vec<&str> = links.iter().take(20).map(|link| &*link.label).gather();
        if links.len() > legal.len() {
            legal.push("…");
        }
        format!("`{text}` is not a move; legal: {}", legal.join(", "))
    })
}

pub(super) fn write_position(tree: &GameTree, state: &TreeState) -> String {
    let mut labels = Vec::new();
    let mut node = state.node;
    while node != 0 {
        let (parent, number) = tree.node(node).parent;
        labels.push(&*tree.node_links(parent)[usize::from(number)].label);
        node = parent;
    }
    labels.reverse();
    format!("/{}", labels.join("/"))
}

pub(super) fn read_position(tree: &GameTree, text: &str) -> Result<TreeState, String> {
    let text = text.trim();
    let named = (0..tree.len() as u32).find(|&node| tree.name(node) == Some(text));
    if let Some(node) = named {
        return Ok(TreeState { node });
    }
    if text.is_empty() {
        return Err("a position is a path of moves from the root, such as `/1/2`".to_owned());
    }
    let mut state = tree.start();
    for word in text.split('/').filter(|word| !word.is_empty()) {
        let mv = read_move(tree, &state, word)
            .map_err(|error| format!("below `{}`: {error}", write_position(tree, &state)))?;
        tree.play(&mut state, mv);
    }
    Ok(state)
}

/// The subtree of a position, one node per line.
pub(super) fn draw(tree: &GameTree, state: &TreeState) -> String {
    let mut out = String::new();
    describe(tree, state.node, &mut out);
    let mut left = MAX_LINES;
    branches(tree, state.node, "", &mut left, &mut out);
    if left == 0 {
        let _ = writeln!(out, "… (the tree has {} nodes)", tree.len());
    }
    out
}

fn describe(tree: &GameTree, node: u32, out: &mut String) {
    if let Some(name) = tree.name(node) {
        let _ = write!(out, "{name} ");
    }
    let _ = match tree.kind(node) {
        NodeKind::Max => writeln!(out, "max"),
        NodeKind::Min => writeln!(out, "min"),
        NodeKind::Chance => writeln!(out, "chance"),
        NodeKind::Leaf => writeln!(out, "{}", tree.value(node)),
    };
}

fn branches(tree: &GameTree, node: u32, indent: &str, left: &mut usize, out: &mut String) {
    let chance = tree.kind(node) == NodeKind::Chance;
    let all: u64 = tree.children(node).map(|(_, weight, _)| u64::from(weight)).sum();
    let last = tree.children(node).len().saturating_sub(1);
    for (i, (label, weight, child)) in tree.children(node).enumerate() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let _ = write!(out, "{indent}{} {label}", if i == last { "└─" } else { "├─" });
        if chance {
            let _ = write!(out, " ({weight}/{all})");
        }
        out.push_str(": ");
        describe(tree, child, out);
        let deeper = format!("{indent}{}", if i == last { "   " } else { "│  " });
        branches(tree, child, &deeper, left, out);
    }
}
