//! The picture of a tree: leaves side by side, every other node above the middle of its children,
//! and the path of the game.

use super::model::{GameTree, NodeKind, TreeState};
use super::text;
use crate::games::game::Player;
use crate::games::picture::{Body, Graph, Picture, Spot};
use crate::gather::Gather;

/// The maximum number of nodes to draw; larger trees are shown as text.
const MOST: usize = 64;

/// The whole tree if it is small, otherwise the subtree of the position as text.
pub(super) fn picture(tree: &GameTree, state: &TreeState) -> Picture {
    if tree.len() > MOST {
        return Picture::text(text::draw(tree, state));
    }
    let mut spots = vec![None; tree.len()];
    let mut leaves = 0;
    place(tree, 0, 0, &mut leaves, &mut spots);
    let links = (0..tree.len() as u32).flat_map(|from| {
        tree.children(from).map(move |(label, _, to)| (from, to, label.to_owned()))
    });
    let mut path = vec![state.node];
    while let Some(&node) = path.last().filter(|node| **node != 0) {
        path.push(tree.node(node).parent.0);
    }
    path.reverse();
    let nodes = spots.into_iter().flatten().gather();
    Picture::of(Body::Graph(Graph { nodes, links: links.gather(), path }))
}

/// Places a node and its descendants; returns its distance from the left.
fn place(tree: &GameTree, node: u32, y: u32, leaves: &mut u32, spots: &mut [Option<Spot>]) -> f64 {
    let below: Vec<u32> = tree.children(node).map(|(_, _, child)| child).gather();
    let places: Vec<f64> =
        below.into_iter().map(|child| place(tree, child, y + 1, leaves, spots)).gather();
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
