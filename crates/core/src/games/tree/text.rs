//! Text of trees: moves by name, positions as paths, pictures with branches.
//!
//! A move is its name or, if the file gives none, its number from 1. Numbers and node names are
//! always accepted. A position is the path of moves from the root (`/2/left`; the root is `/`). The
//! name of a node is accepted too.

use std::fmt::Write;

use super::tree_nodes::{GameTree, NodeKind, TreeState};
use crate::games::game::{Drawing, Game, Notation, Player, Turn};
use crate::games::picture_for_html::{Body, Graph, Picture, Spot};
use crate::games::read_number::whole_number;

/// The maximum number of lines in a picture; further nodes are only counted.
const MAX_LINES: usize = 200;

/// The maximum number of nodes to draw; larger trees are shown as text.
const MAX_DRAWN: usize = 64;

impl Notation<GameTree> for &GameTree {
    fn read_move(self, state: &TreeState, text: &str) -> Result<u16, String> {
        if self.turn(state) == Turn::Over {
            return Err("the game is over, no move is legal".to_owned());
        }
        let text = text.trim();
        let links = self.node_links(state.node);
        let unique = |fits: &dyn Fn(usize) -> bool| {
            let mut fitting = (0..links.len()).filter(|&i| fits(i));
            fitting.next().filter(|_| fitting.next().is_none())
        };
        let chosen = unique(&|i| *links[i].label == *text)
            .or_else(|| unique(&|i| whole_number(text) == Some(i + 1)))
            .or_else(|| unique(&|i| self.name(links[i].to) == Some(text)))
            .or_else(|| unique(&|i| links[i].label.eq_ignore_ascii_case(text)));
        chosen.map(|i| i as u16).ok_or_else(|| {
            let mut legal: Vec<&str> = links.iter().take(20).map(|link| &*link.label).collect();
            if links.len() > legal.len() {
                legal.push("…");
            }
            format!("`{text}` is not a move; legal: {}", legal.join(", "))
        })
    }
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
        let mv = tree
            .read_move(&state, word)
            .map_err(|error| format!("below `{}`: {error}", write_position(tree, &state)))?;
        tree.play(&mut state, mv);
    }
    Ok(state)
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

/// Places a node and its descendants; returns its distance from the left.
fn place(tree: &GameTree, node: u32, y: u32, leaves: &mut u32, spots: &mut [Option<Spot>]) -> f64 {
    let below: Vec<u32> = tree.children(node).map(|(_, _, child)| child).collect();
    let places: Vec<f64> =
        below.into_iter().map(|child| place(tree, child, y + 1, leaves, spots)).collect();
    let x = match (places.first(), places.last()) {
        (Some(first), Some(last)) => (first + last) / 2.0,
        _ => {
            *leaves += 1;
            f64::from(*leaves - 1)
        }
    };
    let (kind, name) = (tree.kind(node), tree.name(node).unwrap_or_default());
    let label = if kind == NodeKind::Leaf { tree.value(node).to_string() } else { name.to_owned() };
    let owner = match kind {
        NodeKind::Max => Some(Player::First),
        NodeKind::Min => Some(Player::Second),
        NodeKind::Chance | NodeKind::Leaf => None,
    };
    spots[node as usize] = Some(Spot { x, y, label, owner, chance: kind == NodeKind::Chance });
    x
}

impl Drawing<GameTree> for &GameTree {
    /// The subtree of a position, one node per line.
    fn text(self, state: &TreeState) -> String {
        let mut out = String::new();
        describe(self, state.node, &mut out);
        let mut left = MAX_LINES;
        branches(self, state.node, "", &mut left, &mut out);
        if left == 0 {
            let _ = writeln!(out, "… (the tree has {} nodes)", self.len());
        }
        out
    }

    /// The whole tree if it is small, otherwise the subtree of the position as text.
    fn picture(self, state: &TreeState) -> Picture {
        if self.len() > MAX_DRAWN {
            return Picture::text(self.text(state));
        }
        let mut spots = vec![None; self.len()];
        let mut leaves = 0;
        place(self, 0, 0, &mut leaves, &mut spots);
        let links = (0..self.len() as u32).flat_map(|from| {
            self.children(from).map(move |(label, _, to)| (from, to, label.to_owned()))
        });
        let mut path = vec![state.node];
        while let Some(&node) = path.last().filter(|node| **node != 0) {
            path.push(self.node(node).parent.0);
        }
        path.reverse();
        let nodes = spots.into_iter().flatten().collect();
        Picture::of(Body::Graph(Graph { nodes, links: links.collect(), path }))
    }

    /// The node to which the move leads.
    fn cells(self, state: &TreeState, mv: u16) -> Vec<usize> {
        vec![self.node_links(state.node)[usize::from(mv)].to as usize]
    }
}
