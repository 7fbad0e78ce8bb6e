//! A tree as a graph for Graphviz.

use std::fmt::Write;

use super::drawn_tree::{DrawnTree, NodeShape};

/// The tree in the language DOT.
pub fn dot(tree: &DrawnTree) -> String {
    let mut out = "digraph {\n".to_owned();
    let _ = writeln!(out, "  label={};", quoted(&tree.title));
    out.push_str(
        "  node [fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\" arrowhead=none];\n",
    );
    for (number, node) in tree.nodes.iter().enumerate() {
        let shape = match node.shape {
            NodeShape::Max => "triangle",
            NodeShape::Min => "invtriangle",
            NodeShape::Chance | NodeShape::Player(_) => "circle",
            NodeShape::Leaf => "box",
        };
        let mut label = match node.shape {
            NodeShape::Player(_) => format!("{}\n{}", node.player, node.value),
            _ => node.value.clone(),
        };
        if let Some([alpha, beta]) = &node.window {
            let _ = write!(label, "\nα {alpha}\nβ {beta}");
        }
        let _ = write!(out, "  n{number} [shape={shape} label={}", quoted(&label));
        out.push_str(if node.is_cut {
            " color=gray fontcolor=gray style=dashed];\n"
        } else {
            "];\n"
        });
    }
    for (number, node) in tree.nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        let _ = write!(out, "  n{parent} -> n{number} [label={}", quoted(&node.link));
        out.push_str(match (node.is_cut, node.is_best) {
            (true, _) => " color=gray fontcolor=gray style=dashed];\n",
            (false, true) => " penwidth=3];\n",
            (false, false) => "];\n",
        });
    }
    out.push_str("}\n");
    out
}

/// A string of DOT.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
