//! The tree of a search as a picture, as a graph for Graphviz, and as a page of steps.

mod drawn_tree;
mod tree_dot;
mod tree_layout;
mod tree_page;
mod tree_svg;

pub use drawn_tree::{DrawnTree, tuple};
pub use tree_dot::dot;
pub use tree_page::page;
pub use tree_svg::svg_file;

/// The most nodes that are drawn.
pub const MOST_NODES: usize = 500;
