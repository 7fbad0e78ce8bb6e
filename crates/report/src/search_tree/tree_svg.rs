//! A tree as SVG.

use maud::{Markup, PreEscaped, html};

use super::drawn_tree::{DrawnNode, DrawnTree, NodeShape};
use super::tree_layout::{NAMED_AT, TreeLayout, is_value_inside, leaf_size, lines_beside};
use crate::games::Player;
use crate::html::chart_file::{between, light};
use crate::html::svg::board_svg::node_body;
use crate::html::svg::svg_elements::{colour, fit, line, px, rect, text, width};
use crate::html::{BOARD_STYLE, STYLE};

/// The rules of trees, for the page and for files.
pub const TREE_STYLE: &str = include_str!("tree.css");
/// The space around the tree.
const MARGIN: f64 = 14.0;
/// The height of a line of text.
const LINE: f64 = 17.0;

/// The tree as a file of its own, for a light background.
pub fn svg_file(tree: &DrawnTree) -> String {
    let layout = TreeLayout::of(tree);
    let words = tree.notes.iter().chain([&tree.title]).map(|text| 1.15 * width(text));
    let wide = words.fold(layout.size[0], f64::max);
    let notes = layout.size[1] + 2.0 * LINE;
    let high = notes + LINE * tree.notes.len() as f64;
    let size = [wide + 2.0 * MARGIN, high + 2.0 * MARGIN];
    let view = format!("{0} {0} {1} {2}", px(-MARGIN), px(size[0]), px(size[1]));
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(view) width=(px(size[0]))
            height=(px(size[1])) role="img" aria-label=(tree.title) {
            style { (PreEscaped(style())) }
            (rect("paper", [-MARGIN, -MARGIN], size))
            (text("title", [0.0, 10.0], &tree.title))
            g transform={
                "translate(" (px((wide - layout.size[0]) / 2.0)) " " (px(LINE)) ")"
            } { (drawing(tree, &layout, false)) }
            @for (i, note) in tree.notes.iter().enumerate() {
                (text("note", [0.0, notes + LINE * i as f64], note))
            }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", picture.into_string())
}

/// The rules that a file needs, with the colours of a light page.
fn style() -> String {
    let texts = between(BOARD_STYLE, "text {", ".board {");
    let nodes = between(BOARD_STYLE, ".way {", "\n\n");
    let players = between(STYLE, ".s1 { color", ".draw {");
    let title = ".title { font-weight: 700; fill: var(--ink); } rect.paper { fill: #fff; }\n";
    light(format!("{texts}{nodes}{players}{TREE_STYLE}{title}"))
}

/// Links and nodes. With `ids` a page can change the texts and the classes of nodes and links.
pub fn drawing(tree: &DrawnTree, layout: &TreeLayout, ids: bool) -> Markup {
    let id = |name: &str, number: usize| ids.then(|| format!("{name}{number}"));
    let class = |node: &DrawnNode| match (node.is_cut, node.is_best && !ids) {
        (true, _) => " cut",
        (false, true) => " on",
        (false, false) => "",
    };
    html! {
        @for (number, node) in tree.nodes.iter().enumerate() {
            @if let Some(parent) = node.parent {
                @let ([x1, y1], [x2, y2]) = (layout.places[parent], layout.places[number]);
                @let at = |from: f64, to: f64| from + NAMED_AT * (to - from);
                g id=[id("link", number)] class={ "link" (class(node)) } {
                    (line("way", [x1, y1], [x2, y2]))
                    (text("edge middle", [at(x1, x2), at(y1, y2) + 3.0], &node.link))
                }
            }
        }
        @for (number, node) in tree.nodes.iter().enumerate() {
            @let place = layout.places[number];
            @let left = node.parent.is_some_and(|parent| place[0] < layout.places[parent][0] - 1.0);
            g id=[id("node", number)] class={ "node " (owner(node.shape)) (class(node)) } {
                title { (node.position) }
                (shape(node, place))
                (texts(node, place, layout.grows_down, left, |name| id(name, number)))
            }
        }
    }
}

fn owner(shape: NodeShape) -> &'static str {
    match shape {
        NodeShape::Max => "first",
        NodeShape::Min => "second",
        NodeShape::Player(number) => colour(number),
        NodeShape::Chance | NodeShape::Leaf => "neutral",
    }
}

fn shape(node: &DrawnNode, [x, y]: [f64; 2]) -> Markup {
    match node.shape {
        NodeShape::Leaf => {
            let [wide, high] = leaf_size(node);
            rect("body", [x - wide / 2.0, y - high / 2.0], [wide, high])
        }
        NodeShape::Max => node_body(Some(Player::First), [x, y]),
        NodeShape::Min => node_body(Some(Player::Second), [x, y]),
        NodeShape::Chance | NodeShape::Player(_) => node_body(None, [x, y]),
    }
}

/// The value, and the window beside the shape or below it.
fn texts(
    node: &DrawnNode,
    [x, y]: [f64; 2],
    grows_down: bool,
    left: bool,
    id: impl Fn(&str) -> Option<String>,
) -> Markup {
    let is_inside = is_value_inside(node);
    let beside = if node.shape == NodeShape::Leaf { Vec::new() } else { lines_beside(node) };
    let names = if is_inside { &["alpha", "beta"][..] } else { &["value", "alpha", "beta"] };
    html! {
        @if is_inside {
            text id=[id("value")] class="value middle" x=(px(x)) y=(px(y + inside_shift(node.shape))) {
                (node.value)
            }
        }
        @if !node.player.is_empty() {
            (text("value middle", [x, y + 4.5], &fit(&node.player, 26.0)))
        }
        @if grows_down {
            @for (i, (words, name)) in beside.iter().zip(names).enumerate() {
                text id=[id(name)] class=(if left { "window end" } else { "window" })
                    x=(px(if left { x - 19.0 } else { x + 19.0 }))
                    y=(px(y + 12.0 * i as f64 - 4.0)) { (words) }
            }
        } @else if !beside.is_empty() {
            text class="window middle" x=(px(x)) y=(px(y + 26.0)) {
                @for (words, name) in beside.iter().zip(names) {
                    tspan id=[id(name)] { (words) } " "
                }
            }
        }
    }
}

/// The base line of a text inside a shape, below its centre.
fn inside_shift(shape: NodeShape) -> f64 {
    match shape {
        NodeShape::Max => 9.0,
        NodeShape::Min => 0.0,
        NodeShape::Chance | NodeShape::Player(_) | NodeShape::Leaf => 4.5,
    }
}
