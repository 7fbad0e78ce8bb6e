//! Where the nodes of a tree are: small trees grow down, wide trees grow to the right.

use super::drawn_tree::{DrawnNode, DrawnTree, NodeShape};
use crate::html::svg::svg_elements::width;

/// Trees that are wider than this grow to the right.
const WIDEST: f64 = 760.0;
/// The height of a level of a tree that grows down.
const LEVEL: f64 = 84.0;
/// The relative position of a name along its link: near the child, siblings are further apart.
pub const NAMED_AT: f64 = 0.62;
/// The widest text that a shape has inside.
const INSIDE: f64 = 24.0;

/// The centre of each node, and the size of the tree.
pub struct TreeLayout {
    pub places: Vec<[f64; 2]>,
    pub size: [f64; 2],
    pub grows_down: bool,
}

/// The size of a leaf.
pub fn leaf_size(node: &DrawnNode) -> [f64; 2] {
    [(width(&node.value) + 10.0).max(28.0), 24.0]
}

/// Whether the shape of a node contains its value.
pub fn is_value_inside(node: &DrawnNode) -> bool {
    match node.shape {
        NodeShape::Leaf => true,
        NodeShape::Player(_) => false,
        _ => width(&node.value) <= INSIDE,
    }
}

/// The lines beside an inner node that grows down: the value if it is too wide, then α and β.
pub fn lines_beside(node: &DrawnNode) -> Vec<String> {
    let value = (!is_value_inside(node)).then(|| node.value.clone());
    let window =
        node.window.iter().flat_map(|[alpha, beta]| [format!("α {alpha}"), format!("β {beta}")]);
    value.into_iter().chain(window).collect()
}

impl TreeLayout {
    pub fn of(tree: &DrawnTree) -> TreeLayout {
        let down = Self::with(tree, true);
        if down.size[0] <= WIDEST { down } else { Self::with(tree, false) }
    }

    fn with(tree: &DrawnTree, grows_down: bool) -> TreeLayout {
        let nodes = &tree.nodes;
        let mut depths = vec![0usize; nodes.len()];
        for (number, node) in nodes.iter().enumerate().skip(1) {
            depths[number] = node.parent.map_or(0, |parent| depths[parent] + 1);
        }
        // Children follow their parents, so each child's room is known before its parent's.
        let mut rooms = vec![0.0f64; nodes.len()];
        for number in (0..nodes.len()).rev() {
            let below: f64 = nodes[number].children.iter().map(|&child| rooms[child]).sum();
            rooms[number] = below.max(room(&nodes[number], grows_down));
        }
        let level = if grows_down { LEVEL } else { column(nodes) };
        let mut places = vec![[0.0; 2]; nodes.len()];
        let mut begins = vec![0.0; nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            let below: f64 = node.children.iter().map(|&child| rooms[child]).sum();
            let mut begin = begins[number] + (rooms[number] - below) / 2.0;
            for &child in &node.children {
                begins[child] = begin;
                begin += rooms[child];
            }
            let across = begins[number] + rooms[number] / 2.0;
            let along = depths[number] as f64 * level;
            places[number] =
                if grows_down { [across, along + 24.0] } else { [along + 40.0, across] };
        }
        // A parent is in the middle of its first and its last child.
        let axis = usize::from(!grows_down);
        for number in (0..nodes.len()).rev() {
            if let (Some(&first), Some(&last)) =
                (nodes[number].children.first(), nodes[number].children.last())
            {
                places[number][axis] = (places[first][axis] + places[last][axis]) / 2.0;
            }
        }
        let deepest = depths.iter().max().map_or(0.0, |&depth| depth as f64) * level;
        let across = rooms.first().copied().unwrap_or_default();
        let widest = nodes.iter().map(|node| leaf_size(node)[0]).fold(0.0, f64::max);
        let size =
            if grows_down { [across, deepest + 48.0] } else { [deepest + 40.0 + widest, across] };
        TreeLayout { places, size, grows_down }
    }
}

/// The room of a node across the direction of growth.
fn room(node: &DrawnNode, grows_down: bool) -> f64 {
    let beside = lines_beside(node);
    if !grows_down {
        return if beside.is_empty() { 28.0 } else { 48.0 };
    }
    let named = (width(&node.link) + 6.0) / NAMED_AT;
    let own = match node.children.is_empty() {
        true => leaf_size(node)[0] + 10.0,
        false => {
            let wide = beside.iter().map(|line| width(line)).fold(0.0, f64::max);
            2.0 * (wide + 24.0)
        }
    };
    named.max(own).max(40.0)
}

/// The distance of levels of a tree that grows to the right.
fn column(nodes: &[DrawnNode]) -> f64 {
    let widest = nodes.iter().map(|node| width(&node.link)).fold(0.0, f64::max);
    widest / NAMED_AT + 84.0
}
