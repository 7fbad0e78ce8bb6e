//! A tree as text and shapes, ready to be drawn.

use crate::games::{Player, Turn};
use crate::search::{
    AlphaBetaWindow, Bound, OutcomeWeight, RecordedAlgorithm, RecordedNode, RecordedSearch,
    RecordedStep, RecordedValue, StepKind, WIN, win_distance,
};
use crate::solve::MultiPlayerTree;
use crate::text::number_format::{NONE, counted, minus, trimmed};

/// The shape of a node: who decides there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeShape {
    Max,
    Min,
    Chance,
    /// One of several players, by number.
    Player(usize),
    Leaf,
}

/// A node with its texts.
pub struct DrawnNode {
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    /// The text at the link from the parent.
    pub link: String,
    pub shape: NodeShape,
    /// The name of one of several players; empty for others.
    pub player: String,
    /// Empty if the value is unknown.
    pub value: String,
    /// α and β.
    pub window: Option<[String; 2]>,
    pub is_cut: bool,
    /// Whether best play visits the node.
    pub is_best: bool,
    pub position: String,
}

/// A step: what its node shows after the step.
pub struct DrawnStep {
    pub node: usize,
    pub value: String,
    pub window: Option<[String; 2]>,
    /// The step in a sentence.
    pub sentence: String,
    /// Whether the step cuts the remaining children of the node.
    pub cuts: bool,
}

pub struct DrawnTree {
    pub title: String,
    /// Nodes in depth-first order from the root.
    pub nodes: Vec<DrawnNode>,
    pub steps: Vec<DrawnStep>,
    /// What the shapes and the values mean.
    pub notes: Vec<String>,
}

/// The name of an algorithm in sentences.
pub fn algorithm_name(algorithm: RecordedAlgorithm) -> &'static str {
    match algorithm {
        RecordedAlgorithm::Minimax => "minimax",
        RecordedAlgorithm::AlphaBeta => "alpha-beta",
        RecordedAlgorithm::Expectimax => "expectimax",
        RecordedAlgorithm::Expectiminimax => "expectiminimax",
    }
}

impl DrawnTree {
    /// The tree of a search of this position. `scored` says whether payoffs are numeric scores.
    pub fn of_search(search: &RecordedSearch, position: &str, scored: bool) -> Self {
        let texts = Texts { search, scored };
        let mut nodes: Vec<DrawnNode> = search.nodes.iter().map(|node| texts.node(node)).collect();
        let mut at = Some(0);
        while let Some(node) = at {
            nodes[node].is_best = true;
            at = search.nodes[node].best.map(|best| best as usize);
        }
        let name = algorithm_name(search.algorithm);
        DrawnTree {
            title: format!("{name} · {position}"),
            notes: texts.notes(&nodes),
            steps: search.steps.iter().map(|step| texts.step(step)).collect(),
            nodes,
        }
    }

    /// A tree of several players, with the steps of max^n.
    pub fn of_players(tree: &MultiPlayerTree, name: &str) -> Self {
        let tuple = |number: u32| tuple(&tree.nodes[number as usize].values);
        let mut nodes: Vec<DrawnNode> = (0..)
            .zip(&tree.nodes)
            .map(|(number, node)| DrawnNode {
                parent: node.parent.map(|parent| parent as usize),
                children: node.children.iter().map(|&child| child as usize).collect(),
                link: node.label.clone(),
                shape: node.player.map_or(NodeShape::Leaf, NodeShape::Player),
                player: node.player.map_or(String::new(), |player| tree.players[player].clone()),
                value: tuple(number),
                window: None,
                is_cut: false,
                is_best: false,
                position: path(tree, number),
            })
            .collect();
        for node in tree.line() {
            nodes[node as usize].is_best = true;
        }
        let mut steps = Vec::new();
        player_steps(tree, 0, &mut steps);
        let notes = vec![format!("values: ({})", tree.players.join(", "))];
        DrawnTree { title: format!("max^n · {name}"), nodes, steps, notes }
    }

    /// The number of nodes that the search visits.
    pub fn visited(&self) -> usize {
        self.nodes.iter().filter(|node| !node.is_cut).count()
    }
}

/// The values of all players.
pub fn tuple(values: &[i64]) -> String {
    let values: Vec<String> = values.iter().map(|value| minus(&value.to_string())).collect();
    format!("({})", values.join(", "))
}

/// A node of a tree of several players: the moves from the root.
fn path(tree: &MultiPlayerTree, number: u32) -> String {
    let node = &tree.nodes[number as usize];
    match node.parent {
        None => "the root".to_owned(),
        Some(0) => node.label.clone(),
        Some(parent) => format!("{} {}", path(tree, parent), node.label),
    }
}

/// The steps of max^n below a node.
fn player_steps(tree: &MultiPlayerTree, number: u32, out: &mut Vec<DrawnStep>) {
    let node = &tree.nodes[number as usize];
    let path = path(tree, number);
    let step = |value: String, sentence: String| DrawnStep {
        node: number as usize,
        value,
        window: None,
        sentence,
        cuts: false,
    };
    let Some(player) = node.player else {
        let values = tuple(&node.values);
        let sentence = format!("The leaf {path} has the values {values}.");
        return out.push(step(values, sentence));
    };
    let name = &tree.players[player];
    out.push(step(String::new(), format!("Enter {path}: {name} moves.")));
    let mut best = node.children[0];
    for &child in &node.children {
        player_steps(tree, child, out);
        let gain = |child: u32| tree.nodes[child as usize].values[player];
        if gain(child) > gain(best) {
            best = child;
        }
        let [label, taken] = [child, best].map(|child| &tree.nodes[child as usize].label);
        let values = tuple(&tree.nodes[best as usize].values);
        let sentence = format!("Return from {label} to {path}: {name} takes {taken}, {values}.");
        out.push(step(values, sentence));
    }
}

/// Writes the numbers of a search as texts.
struct Texts<'a> {
    search: &'a RecordedSearch,
    scored: bool,
}

impl Texts<'_> {
    fn averages(&self) -> bool {
        let algorithm = self.search.algorithm;
        algorithm == RecordedAlgorithm::Expectimax || algorithm == RecordedAlgorithm::Expectiminimax
    }

    /// A number. Wins are `W3` and losses `L3`, with the plies to the end; means over wins are
    /// parts of a win, such as `0.5W`.
    fn number(&self, value: f64) -> String {
        /// Means over wins are larger, and evaluations are smaller.
        const LARGE: f64 = 1e6;
        if value.is_infinite() {
            return if value > 0.0 { "+∞" } else { "−∞" }.to_owned();
        }
        if self.scored || value.abs() < LARGE {
            return trimmed(value, 2);
        }
        if self.averages() {
            return trimmed(value / f64::from(WIN), 2) + "W";
        }
        match win_distance(value as i32) {
            Some(plies) if value > 0.0 => format!("W{plies}"),
            Some(plies) => format!("L{plies}"),
            None => trimmed(value, 2),
        }
    }

    fn value(&self, value: Option<RecordedValue>) -> String {
        let Some(RecordedValue { value, bound }) = value else { return String::new() };
        let sign = match bound {
            Bound::Exact => "",
            Bound::AtLeast => "≥",
            Bound::AtMost => "≤",
        };
        format!("{sign}{}", self.number(value))
    }

    fn window(&self, window: Option<AlphaBetaWindow>) -> Option<[String; 2]> {
        window.map(|AlphaBetaWindow { alpha, beta }| [alpha, beta].map(|end| self.number(end)))
    }

    /// Whether a search averages the moves of a player here.
    fn is_averaged(&self, node: &RecordedNode) -> bool {
        self.search.algorithm == RecordedAlgorithm::Expectimax
            && node.turn != self.search.nodes[0].turn
    }

    fn node(&self, node: &RecordedNode) -> DrawnNode {
        let shape = match node.turn {
            _ if node.is_leaf => NodeShape::Leaf,
            _ if self.is_averaged(node) => NodeShape::Chance,
            Turn::Player(Player::First) => NodeShape::Max,
            Turn::Player(Player::Second) => NodeShape::Min,
            Turn::Chance => NodeShape::Chance,
            Turn::Over => NodeShape::Leaf,
        };
        let link = match node.weight {
            Some(OutcomeWeight { weight, total }) => format!("{} ({weight}/{total})", node.label),
            None => node.label.clone(),
        };
        DrawnNode {
            parent: node.parent.map(|parent| parent as usize),
            children: node.children.iter().map(|&child| child as usize).collect(),
            link,
            shape,
            player: String::new(),
            value: self.value(node.value),
            // The window of a leaf is that of its parent.
            window: self.window(node.window.filter(|_| !node.is_leaf)),
            is_cut: node.is_cut,
            is_best: false,
            position: node.position.clone(),
        }
    }

    /// A node in a sentence: the moves from the root.
    fn path(&self, number: u32) -> String {
        let mut labels = Vec::new();
        let mut node = &self.search.nodes[number as usize];
        while let Some(parent) = node.parent {
            labels.push(node.label.as_str());
            node = &self.search.nodes[parent as usize];
        }
        labels.reverse();
        if labels.is_empty() { "the root".to_owned() } else { labels.join(" ") }
    }

    fn step(&self, step: &RecordedStep) -> DrawnStep {
        let node = &self.search.nodes[step.node as usize];
        let (path, value, window) =
            (self.path(step.node), self.value(step.value), self.window(step.window));
        let decides = match node.turn {
            _ if self.is_averaged(node) => "the opponent plays any move with equal probability",
            Turn::Player(Player::First) => "the first player maximises",
            Turn::Player(Player::Second) => "the second player minimises",
            Turn::Chance | Turn::Over => "chance",
        };
        let sentence = match step.kind {
            StepKind::Enter => format!("Enter {path}: {decides}."),
            StepKind::Leaf => format!("The leaf {path} has the value {value}."),
            StepKind::Return(child) => {
                let child = self.search.nodes[child as usize].label.as_str();
                let what = match node.turn {
                    Turn::Player(_) if !self.is_averaged(node) => "the best value so far is",
                    _ => "the sum of the terms so far is",
                };
                format!("Return from {child} to {path}: {what} {value}.")
            }
            StepKind::Cut => {
                let [alpha, beta] = window.clone().unwrap_or_default();
                let is_seen = |child: &&u32| !self.search.nodes[**child as usize].is_cut;
                let left = node.children.len() - node.children.iter().filter(is_seen).count();
                let left = counted(left as u64, "branch").replace("branchs", "branches");
                format!("Cut at {path}: α = {alpha} is not below β = {beta}. {left} not visited.")
            }
        };
        let cuts = step.kind == StepKind::Cut;
        DrawnStep { node: step.node as usize, value, window, sentence, cuts }
    }

    /// What the shapes and the values mean, as far as the tree has them.
    fn notes(&self, nodes: &[DrawnNode]) -> Vec<String> {
        let has = |shape: NodeShape| nodes.iter().any(|node| node.shape == shape);
        let chance = match self.search.algorithm {
            RecordedAlgorithm::Expectimax => "○ mean",
            _ => "○ chance",
        };
        let mut shapes: Vec<&str> = Vec::new();
        for (shape, meaning) in
            [(NodeShape::Max, "△ max"), (NodeShape::Min, "▽ min"), (NodeShape::Chance, chance)]
        {
            if has(shape) {
                shapes.push(meaning);
            }
        }
        if nodes.iter().any(|node| node.is_cut) {
            shapes.push("grey: cut off");
        }
        let mut notes = vec![shapes.join(", ")];
        let says = |letter: char| nodes.iter().any(|node| node.value.contains(letter));
        if self.averages() && says('W') {
            notes.push("W: a win of the first player, −W: of the second".to_owned());
        } else if says('W') || says('L') {
            notes.push("W3, L3: the first player wins, loses after 3 plies".to_owned());
        }
        notes
    }
}

impl DrawnNode {
    /// The value, or a dash.
    pub fn value_or_dash(&self) -> &str {
        if self.value.is_empty() { NONE } else { &self.value }
    }
}
