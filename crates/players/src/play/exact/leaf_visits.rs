//! The leaves of an explicit tree that each algorithm visits.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as Memory};

use crate::games::tree::{NodeKind, TreeState};
use crate::games::{
    AnyEvaluator, Evaluator, ExactSolver, FullSearch, Game, GameTree, Player, Turn,
};
use crate::search::{
    AlphaBeta, AlphaBetaOptions, Expectimax, Limits, MAX_DEPTH, Minimax, Opponent, SearchStats,
    Terminal,
};

/// The result of one algorithm on a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct LeafVisits {
    pub algorithm: &'static str,
    /// The value that the algorithm finds.
    pub value: f64,
    /// Number of visited positions, the root included.
    pub nodes: u64,
    /// Number of visited leaves.
    pub visited: usize,
    /// The paths of the leaves that were not visited, from left to right.
    pub not_visited: Vec<String>,
}

/// A tree with the results of the algorithms.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeReport {
    /// Number of leaves below the position.
    pub leaves: usize,
    /// The results of every algorithm that supports all kinds of nodes of the tree.
    pub visits: Vec<LeafVisits>,
    /// A drawing of the tree with exact values, and with the leaves that some algorithms did not
    /// visit.
    pub drawing: String,
}

/// An evaluator that returns the payoff of a leaf and records the visit.
struct VisitRecorder(Arc<Vec<AtomicBool>>);

impl Evaluator<GameTree> for VisitRecorder {
    fn evaluate(&self, tree: &GameTree, state: &TreeState) -> i32 {
        self.0[state.node() as usize].store(true, Memory::Relaxed);
        tree.value(state.node())
    }
}

/// Runs the algorithms on the tree below a position.
pub(crate) fn report(tree: &GameTree, state: &TreeState) -> TreeReport {
    let mut leaves = Vec::new();
    collect(tree, *state, &mut leaves);
    let (mut visits, mut marks) = (Vec::new(), vec![Vec::new(); tree.len()]);
    if let Turn::Player(_) = tree.turn(state) {
        for (algorithm, run) in algorithms(tree) {
            let seen = Arc::new((0..tree.len()).map(|_| AtomicBool::new(false)).collect());
            let (value, stats) = run(tree, state, Arc::new(VisitRecorder(Arc::clone(&seen))));
            let missed = |leaf: &&TreeState| !seen[leaf.node() as usize].load(Memory::Relaxed);
            let unseen: Vec<&TreeState> = leaves.iter().filter(missed).collect();
            unseen.iter().for_each(|leaf| marks[leaf.node() as usize].push(algorithm));
            visits.push(LeafVisits {
                algorithm,
                value,
                nodes: stats.nodes,
                visited: leaves.len() - unseen.len(),
                not_visited: unseen.into_iter().map(|leaf| tree.write_position(leaf)).collect(),
            });
        }
    }
    let mut drawing = Drawing { tree, marks, solver: FullSearch::default(), out: String::new() };
    drawing.node(*state, "");
    TreeReport { leaves: leaves.len(), visits, drawing: drawing.out }
}

fn collect(tree: &GameTree, state: TreeState, leaves: &mut Vec<TreeState>) {
    if tree.kind(state.node()) == NodeKind::Leaf {
        leaves.push(state);
    }
    (0..tree.children(state.node()).len())
        .for_each(|i| collect(tree, child(tree, state, i), leaves));
}

fn child(tree: &GameTree, mut state: TreeState, number: usize) -> TreeState {
    tree.play(&mut state, number as u16);
    state
}

type Run = fn(&GameTree, &TreeState, AnyEvaluator<GameTree>) -> (f64, SearchStats);

/// The algorithms that support all kinds of nodes of the tree.
fn algorithms(tree: &GameTree) -> Vec<(&'static str, Run)> {
    let any = |kind| (0..tree.len() as u32).any(|node| tree.kind(node) == kind);
    let mut all: Vec<(&'static str, Run)> = Vec::new();
    if any(NodeKind::Chance) {
        all.push(("expectiminimax", |tree, state, watch| {
            expectimax(tree, state, watch, Opponent::Epsilon(0.0))
        }));
    } else {
        all.push(("minimax", minimax));
        all.push(("alpha-beta", alpha_beta));
    }
    if any(NodeKind::Min) {
        all.push(("expectimax (any reply as likely)", |tree, state, watch| {
            expectimax(tree, state, watch, Opponent::Uniform)
        }));
    }
    all
}

fn minimax(
    tree: &GameTree,
    state: &TreeState,
    watch: AnyEvaluator<GameTree>,
) -> (f64, SearchStats) {
    let answer = Minimax::new(watch, Terminal::Evaluator).search(tree, state, MAX_DEPTH);
    (f64::from(answer.value), answer.stats)
}

/// Alpha-beta search that visits moves from left to right.
fn alpha_beta(
    tree: &GameTree,
    state: &TreeState,
    watch: AnyEvaluator<GameTree>,
) -> (f64, SearchStats) {
    let options = AlphaBetaOptions { terminal: Terminal::Evaluator, ..AlphaBetaOptions::PLAIN };
    let limits = Limits::depth(MAX_DEPTH);
    let answer = AlphaBeta::new(watch, options).search(tree, state, &limits, false);
    (f64::from(answer.value), answer.stats)
}

fn expectimax(
    tree: &GameTree,
    state: &TreeState,
    watch: AnyEvaluator<GameTree>,
    opponent: Opponent,
) -> (f64, SearchStats) {
    let mut search = Expectimax::new(watch, Terminal::Evaluator, opponent);
    let answer = search.search(tree, state, MAX_DEPTH);
    (answer.value, answer.stats)
}

/// Limit for the lines of a drawing.
const MOST_LINES: usize = 200;

struct Drawing<'a> {
    tree: &'a GameTree,
    /// By node: the algorithms that did not visit it.
    marks: Vec<Vec<&'static str>>,
    solver: FullSearch<GameTree>,
    out: String,
}

impl Drawing<'_> {
    fn node(&mut self, state: TreeState, indent: &str) {
        let (tree, node) = (self.tree, state.node());
        if let Some(name) = tree.name(node) {
            let _ = write!(self.out, "{name} ");
        }
        let word = match tree.turn(&state) {
            Turn::Player(Player::First) => "max",
            Turn::Player(Player::Second) => "min",
            Turn::Chance => "chance",
            Turn::Over => "",
        };
        if word.is_empty() {
            let _ = write!(self.out, "{}", tree.value(node));
            for (place, algorithm) in self.marks[node as usize].iter().enumerate() {
                self.out.push_str(if place == 0 { "   not seen by " } else { ", " });
                self.out.push_str(algorithm);
            }
        } else {
            let value = self.solver.value(tree, &state).mean;
            let _ = write!(self.out, "{word} = {}", short_number(value));
        }
        self.out.push('\n');
        let total: u64 = tree.children(node).map(|(_, weight, _)| u64::from(weight)).sum();
        let last = tree.children(node).len().saturating_sub(1);
        for (i, (label, weight, _)) in tree.children(node).enumerate() {
            if self.out.lines().count() >= MOST_LINES {
                if !self.out.ends_with("…\n") {
                    self.out.push_str("…\n");
                }
                return;
            }
            let _ = write!(self.out, "{indent}{} {label}", if i == last { "└─" } else { "├─" });
            if word == "chance" {
                let _ = write!(self.out, " ({weight}/{total})");
            }
            self.out.push_str(": ");
            let deeper = format!("{indent}{}", if i == last { "   " } else { "│  " });
            self.node(child(tree, state, i), &deeper);
        }
    }
}

/// A number with at most six decimals, without trailing zeros.
pub fn short_number(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Configurable;
    use crate::params::{Value, Values};

    fn of(text: &str) -> TreeReport {
        let mut values = Values::default();
        values.set("text", Value::Text(text.to_owned()));
        let tree = GameTree::build(&values).expect("a tree");
        report(&tree, &tree.start())
    }

    #[test]
    fn alpha_beta_from_the_left_leaves_4_and_6_unseen() {
        let report = of("max = [{ min = [3, 12, 8] }, { min = [2, 4, 6] }, { min = [14, 5, 2] }]");
        assert_eq!(report.leaves, 9);
        let [minimax, alpha_beta, expectimax] = &report.visits[..] else { panic!("three") };
        assert_eq!((minimax.value, minimax.visited, minimax.nodes), (3.0, 9, 13));
        assert_eq!((alpha_beta.value, alpha_beta.visited), (3.0, 7));
        assert_eq!(alpha_beta.not_visited, ["/2/2", "/2/3"]);
        assert_eq!((expectimax.value, expectimax.visited), (23.0 / 3.0, 9));
        assert_eq!(
            report.drawing,
            "max = 3\n\
             ├─ 1: min = 3\n\
             │  ├─ 1: 3\n\
             │  ├─ 2: 12\n\
             │  └─ 3: 8\n\
             ├─ 2: min = 2\n\
             │  ├─ 1: 2\n\
             │  ├─ 2: 4   not seen by alpha-beta\n\
             │  └─ 3: 6   not seen by alpha-beta\n\
             └─ 3: min = 2\n   \
                ├─ 1: 14\n   \
                ├─ 2: 5\n   \
                └─ 3: 2\n"
        );
    }

    #[test]
    fn chance_is_averaged() {
        let report = of("max = [{ chance = [8, 24, -12], weights = [3, 2, 1] }, 0]");
        assert_eq!(report.visits.len(), 1);
        assert_eq!((report.visits[0].algorithm, report.visits[0].value), ("expectiminimax", 10.0));
        assert!(report.drawing.contains("chance = 10\n│  ├─ 1 (3/6): 8\n"), "{}", report.drawing);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [3.0, 0.1, -0.0, 23.0 / 3.0, -1e-9].map(short_number);
        assert_eq!(texts, ["3", "0.1", "0", "7.666667", "0"]);
    }
}
