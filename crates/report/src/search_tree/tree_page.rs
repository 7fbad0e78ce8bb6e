//! A tree as a page of steps, without external files.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value as Json, json};

use super::drawn_tree::{DrawnTree, NodeShape};
use super::tree_layout::TreeLayout;
use super::tree_svg::{TREE_STYLE, drawing};
use crate::html::page_sections::{TIPS, head_of_page, step_buttons};
use crate::html::svg::svg_elements::px;

const PAGE_STYLE: &str = include_str!("tree_page.css");
const SCRIPT: &str = include_str!("tree_page.js");

/// The page. Without JavaScript it shows the finished tree and the list of all steps.
pub fn page(tree: &DrawnTree) -> String {
    let layout = TreeLayout::of(tree);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head_of_page(&tree.title))
            style { (PreEscaped(TREE_STYLE)) (PreEscaped(PAGE_STYLE)) }
            body {
                h1 { (tree.title) }
                @for note in &tree.notes { p class="note" { (note) } }
                main {
                    (panel(tree))
                    div id="tree" class="scroll" {
                        svg viewBox={ "0 0 " (px(layout.size[0])) " " (px(layout.size[1])) }
                            width=(px(layout.size[0])) height=(px(layout.size[1])) role="img"
                            aria-label=(tree.title) { (drawing(tree, &layout, true)) }
                    }
                    details {
                        summary { "all steps" }
                        ol id="steps" {
                            @for step in &tree.steps { li { (step.sentence) } }
                        }
                    }
                }
                script type="application/json" id="data" { (PreEscaped(data(tree))) }
                script { (PreEscaped(TIPS)) (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// The buttons, and what the current step shows.
fn panel(tree: &DrawnTree) -> Markup {
    let has_windows = tree.nodes.iter().any(|node| node.window.is_some());
    html! {
        noscript { p class="note" { "The steps need JavaScript." } }
        div id="panel" hidden {
            div class="controls" { (step_buttons("step")) }
            p id="sentence" aria-live="polite" {}
            dl {
                @if has_windows {
                    div { dt { "α" } dd id="now-alpha" {} }
                    div { dt { "β" } dd id="now-beta" {} }
                }
                div { dt { "value so far" } dd id="now-value" {} }
            }
        }
    }
}

/// What the script needs: the steps, the parents, the leaves, and the line of best play.
fn data(tree: &DrawnTree) -> String {
    let steps: Vec<Json> = (tree.steps.iter())
        .map(|step| {
            let mut out = json!({ "node": step.node, "value": step.value });
            if let Some([alpha, beta]) = &step.window {
                (out["alpha"], out["beta"]) = (json!(alpha), json!(beta));
            }
            if step.cuts {
                let mut cut = Vec::new();
                cut_below(tree, step.node, &mut cut);
                out["cut"] = json!(cut);
            }
            out
        })
        .collect();
    let parents: Vec<Option<usize>> = tree.nodes.iter().map(|node| node.parent).collect();
    let numbers = |of: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..tree.nodes.len()).filter(|&number| of(number)).collect()
    };
    let leaves = numbers(&|number| tree.nodes[number].shape == NodeShape::Leaf);
    let best = numbers(&|number| tree.nodes[number].is_best);
    let data = json!({ "steps": steps, "parents": parents, "leaves": leaves, "best": best });
    data.to_string().replace('<', "\\u003c")
}

/// The cut nodes below a node.
fn cut_below(tree: &DrawnTree, node: usize, out: &mut Vec<usize>) {
    for &child in tree.nodes[node].children.iter().filter(|&&child| tree.nodes[child].is_cut) {
        out.push(child);
        cut_below(tree, child, out);
    }
}
