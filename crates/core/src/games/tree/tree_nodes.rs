//! The tree in memory: nodes in depth-first order from the root, and their links.

use std::ops::Range;

/// The type of a node: who decides there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// The first player.
    Max,
    /// The second player.
    Min,
    Chance,
    /// A leaf: the game is over.
    Leaf,
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub kind: NodeKind,
    /// The payoff of a leaf, or the estimate of another node.
    pub value: i32,
    pub links: Range<u32>,
    /// The parent node and the number of its link to this node; the root is its own parent.
    pub parent: (u32, u16),
    /// The key in `[nodes]`, if it has one.
    pub name: Option<Box<str>>,
}

#[derive(Debug, Clone)]
pub(super) struct ChildLink {
    pub to: u32,
    /// The probability of this outcome of chance, in proportion to its siblings.
    pub weight: u32,
    pub label: Box<str>,
}

/// An explicit tree: the game `tree`. Node 0 is the root.
#[derive(Debug, Clone)]
pub struct GameTree {
    pub(super) nodes: Vec<Node>,
    pub(super) links: Vec<ChildLink>,
    pub(super) plies: u32,
    pub(super) chance: bool,
}

impl GameTree {
    pub(super) fn new(nodes: Vec<Node>, links: Vec<ChildLink>) -> Self {
        let mut tree = GameTree { nodes, links, plies: 0, chance: false };
        for node in 0..tree.nodes.len() as u32 {
            for (number, link) in tree.node(node).links.clone().enumerate() {
                let to = tree.links[link as usize].to;
                tree.nodes[to as usize].parent = (node, number as u16);
            }
        }
        tree.chance = tree.nodes.iter().any(|node| node.kind == NodeKind::Chance);
        // Parents precede their children, so each parent's depth is already known.
        let mut depth = vec![0; tree.nodes.len()];
        for node in 1..tree.nodes.len() {
            let parent = tree.nodes[node].parent.0 as usize;
            let moves = matches!(tree.nodes[parent].kind, NodeKind::Max | NodeKind::Min);
            depth[node] = depth[parent] + u32::from(moves);
        }
        tree.plies = depth.into_iter().max().unwrap_or(0);
        tree
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(super) fn node_links(&self, node: u32) -> &[ChildLink] {
        let Range { start, end } = self.node(node).links;
        &self.links[start as usize..end as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The type of a node: who decides there.
    pub fn kind(&self, node: u32) -> NodeKind {
        self.node(node).kind
    }

    /// The payoff of a leaf, or the estimate of another node.
    pub fn value(&self, node: u32) -> i32 {
        self.node(node).value
    }

    /// The key of a node in `[nodes]`, if it has one.
    pub fn name(&self, node: u32) -> Option<&str> {
        self.node(node).name.as_deref()
    }

    /// The children of a node with the names of the moves and, for chance nodes, the weights.
    pub fn children(&self, node: u32) -> impl ExactSizeIterator<Item = (&str, u32, u32)> {
        self.node_links(node).iter().map(|link| (&*link.label, link.weight, link.to))
    }
}

/// A position: the number of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TreeState {
    pub(super) node: u32,
}

impl TreeState {
    /// The number of the node; the root is 0.
    #[inline]
    pub fn node(self) -> u32 {
        self.node
    }
}
