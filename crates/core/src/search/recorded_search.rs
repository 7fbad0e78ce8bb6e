//! A search that records its tree and its steps, for pictures and for lectures.
//!
//! It is plain and slow. Its values equal those of [`Minimax`](super::Minimax),
//! [`AlphaBeta`](super::AlphaBeta) and [`Expectimax`](super::Expectimax) with the same evaluator
//! and depth.

use super::leaves::{Leaves, Terminal};
use super::opponent_model::{self, Opponent};
use super::repetition_history::RepetitionHistory;
use crate::games::{Game, GameExt, Player, Turn, Zero};

/// The algorithm of a recorded search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedAlgorithm {
    Minimax,
    /// Fail-soft, moves in the game's order; equal values cut off, too.
    AlphaBeta,
    /// Chance is averaged. The opponent of the player at the root plays any move with equal
    /// probability.
    Expectimax,
    /// Chance is averaged, and both players play perfectly.
    Expectiminimax,
}

/// What a value says about the exact value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// A value for the first player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordedValue {
    pub value: f64,
    pub bound: Bound,
}

/// The window of alpha-beta: values up to `alpha` and from `beta` on do not matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlphaBetaWindow {
    pub alpha: f64,
    pub beta: f64,
}

/// The probability of an outcome of chance, as a part of the sum of all weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutcomeWeight {
    pub weight: u32,
    pub total: u64,
}

/// A position of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedNode {
    /// The parent's number; `None` at the root.
    pub parent: Option<u32>,
    pub children: Vec<u32>,
    /// The move or outcome that leads here; empty at the root.
    pub label: String,
    /// The probability, if an outcome of chance leads here.
    pub weight: Option<OutcomeWeight>,
    pub turn: Turn,
    /// Whether the search goes no deeper: an end, or a position at the horizon.
    pub is_leaf: bool,
    /// The value when the search left the node. Of cut nodes, only ends have one.
    pub value: Option<RecordedValue>,
    /// The window when the search left the node; only of alpha-beta.
    pub window: Option<AlphaBetaWindow>,
    /// The first best child, if a player chooses here.
    pub best: Option<u32>,
    /// Whether alpha-beta did not visit the node.
    pub is_cut: bool,
    /// The position in the game's notation.
    pub position: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// The search enters an inner node.
    Enter,
    /// The search values a leaf.
    Leaf,
    /// The search returns from this child.
    Return(u32),
    /// The remaining children of the node are cut off.
    Cut,
}

/// A step, with the state of its node after the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordedStep {
    pub node: u32,
    pub kind: StepKind,
    /// The value so far; of an average, the sum of the terms so far.
    pub value: Option<RecordedValue>,
    pub window: Option<AlphaBetaWindow>,
}

/// The tree of a search in depth-first order, and its steps. Node 0 is the root.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedSearch {
    pub algorithm: RecordedAlgorithm,
    pub nodes: Vec<RecordedNode>,
    pub steps: Vec<RecordedStep>,
}

/// The limits of a recorded search.
#[derive(Debug, Clone, Copy)]
pub struct RecordedLimits {
    /// Plies of the players; outcomes of chance cost none.
    pub plies: u32,
    /// The most nodes.
    pub nodes: usize,
    /// Whether the record has the nodes below cut branches, too.
    pub below_cuts: bool,
}

/// Searches a position. `evaluator` values positions at the horizon. `None` if the tree has too
/// many nodes.
///
/// # Panics
/// If minimax or alpha-beta meets a turn of chance.
pub fn record_search<G: Game>(
    game: &G,
    state: &G::State,
    algorithm: RecordedAlgorithm,
    limits: RecordedLimits,
    evaluator: &dyn Fn(&G::State) -> i32,
) -> Option<RecordedSearch> {
    let side = match game.turn(state) {
        Turn::Player(player) => player,
        Turn::Chance | Turn::Over => Player::First,
    };
    let tree = RecordedSearch { algorithm, nodes: Vec::new(), steps: Vec::new() };
    let past = RepetitionHistory::default();
    let mut recorder = Recorder { game, evaluator, limits, side, past, tree };
    let root = recorder.add(None, String::new(), None, state);
    recorder.past.begin(game, state);
    let window = (algorithm == RecordedAlgorithm::AlphaBeta)
        .then_some(AlphaBetaWindow { alpha: f64::NEG_INFINITY, beta: f64::INFINITY });
    recorder.visit(state, root, limits.plies, 0, window);
    (!recorder.is_too_large()).then_some(recorder.tree)
}

const fn exact(value: f64) -> RecordedValue {
    RecordedValue { value, bound: Bound::Exact }
}

struct Recorder<'a, G: Game> {
    game: &'a G,
    evaluator: &'a dyn Fn(&G::State) -> i32,
    limits: RecordedLimits,
    /// The player at the root.
    side: Player,
    past: RepetitionHistory,
    tree: RecordedSearch,
}

impl<G: Game> Recorder<'_, G> {
    fn is_too_large(&self) -> bool {
        self.tree.nodes.len() > self.limits.nodes
    }

    fn add(
        &mut self,
        parent: Option<u32>,
        label: String,
        weight: Option<OutcomeWeight>,
        state: &G::State,
    ) -> u32 {
        let number = self.tree.nodes.len() as u32;
        self.tree.nodes.push(RecordedNode {
            parent,
            children: Vec::new(),
            label,
            weight,
            turn: self.game.turn(state),
            is_leaf: false,
            value: None,
            window: None,
            best: None,
            is_cut: false,
            position: self.game.write_position(state),
        });
        if let Some(parent) = parent {
            self.tree.nodes[parent as usize].children.push(number);
        }
        number
    }

    fn step(
        &mut self,
        node: u32,
        kind: StepKind,
        value: Option<RecordedValue>,
        window: Option<AlphaBetaWindow>,
    ) {
        self.tree.steps.push(RecordedStep { node, kind, value, window });
        let node = &mut self.tree.nodes[node as usize];
        (node.value, node.window) = (value, window);
    }

    /// The value of an end, `ply` plies from the root.
    fn end(&self, state: &G::State, ply: u32) -> f64 {
        let leaves = Leaves { evaluator: Zero, terminal: Terminal::Outcome };
        f64::from(leaves.end(self.game, state, ply))
    }

    /// The moves or outcomes of a position.
    fn branches(&self, state: &G::State) -> Vec<(G::Move, Option<OutcomeWeight>)> {
        if self.game.turn(state) == Turn::Chance {
            let mut outcomes = Vec::new();
            self.game.outcomes(state, &mut outcomes);
            let total = outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
            let branch = |(mv, weight)| (mv, Some(OutcomeWeight { weight, total }));
            return outcomes.into_iter().map(branch).collect();
        }
        self.game.legal_moves(state).into_iter().map(|mv| (mv, None)).collect()
    }

    fn visit(
        &mut self,
        state: &G::State,
        node: u32,
        depth: u32,
        ply: u32,
        window: Option<AlphaBetaWindow>,
    ) -> RecordedValue {
        let averages = matches!(
            self.tree.algorithm,
            RecordedAlgorithm::Expectimax | RecordedAlgorithm::Expectiminimax
        );
        let turn = self.game.turn(state);
        let leaf = match turn {
            // As in the searches, only those without chance know repetitions.
            _ if ply > 0 && !averages && self.past.repeats(self.game, state) => Some(0.0),
            Turn::Over => Some(self.end(state, ply)),
            Turn::Player(_) if depth == 0 => Some(f64::from((self.evaluator)(state))),
            _ => None,
        };
        if let Some(value) = leaf {
            self.tree.nodes[node as usize].is_leaf = true;
            self.step(node, StepKind::Leaf, Some(exact(value)), window);
            return exact(value);
        }
        self.step(node, StepKind::Enter, None, window);
        if ply > 0 && !averages {
            self.past.push(self.game, state);
        }
        let value = match turn {
            Turn::Player(player)
                if self.tree.algorithm != RecordedAlgorithm::Expectimax || player == self.side =>
            {
                self.choice(state, player, node, [depth - 1, ply + 1], window)
            }
            Turn::Chance if !averages => {
                panic!("minimax does not know chance; expectimax does")
            }
            Turn::Chance => self.average(state, node, [depth, ply]),
            _ => self.average(state, node, [depth - 1, ply + 1]),
        };
        if ply > 0 && !averages {
            self.past.pop::<G>();
        }
        value
    }

    /// The value of a position in which a player takes the best move.
    fn choice(
        &mut self,
        state: &G::State,
        player: Player,
        node: u32,
        [depth, ply]: [u32; 2],
        mut window: Option<AlphaBetaWindow>,
    ) -> RecordedValue {
        let sign = f64::from(player.sign());
        let mut best = exact(-sign * f64::INFINITY);
        let branches = self.branches(state);
        for (i, &(mv, weight)) in branches.iter().enumerate() {
            let after = self.game.after(state, mv);
            let child = self.add(Some(node), self.game.move_text(state, mv), weight, &after);
            let value = self.visit(&after, child, depth, ply, window);
            if self.is_too_large() {
                break;
            }
            if sign * value.value > sign * best.value {
                self.tree.nodes[node as usize].best = Some(child);
                best = value;
            } else if value == exact(best.value) {
                best = value;
            }
            if let Some(AlphaBetaWindow { alpha, beta }) = &mut window {
                match player {
                    Player::First => *alpha = alpha.max(best.value),
                    Player::Second => *beta = beta.min(best.value),
                }
            }
            self.step(node, StepKind::Return(child), Some(best), window);
            let is_closed = window.is_some_and(|window| window.alpha >= window.beta);
            if is_closed && i + 1 < branches.len() {
                best.bound = if player == Player::First { Bound::AtLeast } else { Bound::AtMost };
                self.step(node, StepKind::Cut, Some(best), window);
                for &(mv, _) in &branches[i + 1..] {
                    self.cut(state, mv, node, depth);
                }
                break;
            }
        }
        best
    }

    /// Adds a branch that the search does not visit.
    fn cut(&mut self, state: &G::State, mv: G::Move, parent: u32, depth: u32) {
        let after = self.game.after(state, mv);
        let number = self.add(Some(parent), self.game.move_text(state, mv), None, &after);
        let is_end = self.game.turn(&after) == Turn::Over;
        let value = is_end.then(|| exact(self.end(&after, self.limits.plies - depth)));
        let node = &mut self.tree.nodes[number as usize];
        (node.is_cut, node.is_leaf, node.value) = (true, is_end || depth == 0, value);
        if !self.limits.below_cuts || node.is_leaf {
            return;
        }
        for (mv, _) in self.branches(&after) {
            if !self.is_too_large() {
                self.cut(&after, mv, number, depth - 1);
            }
        }
    }

    /// The mean over outcomes of chance, or over the moves of an opponent who plays any of them.
    fn average(&mut self, state: &G::State, node: u32, [depth, ply]: [u32; 2]) -> RecordedValue {
        let branches = self.branches(state);
        let (mut terms, mut sum) = (Vec::new(), 0.0);
        for &(mv, weight) in &branches {
            let after = self.game.after(state, mv);
            let child = self.add(Some(node), self.game.move_text(state, mv), weight, &after);
            let value = self.visit(&after, child, depth, ply, None).value;
            if self.is_too_large() {
                break;
            }
            let equal = OutcomeWeight { weight: 1, total: branches.len() as u64 };
            let OutcomeWeight { weight, total } = weight.unwrap_or(equal);
            terms.push(value * f64::from(weight));
            sum += value * f64::from(weight) / total as f64;
            if terms.len() == branches.len() {
                // The same order of summation as in the search, so that no bit differs.
                sum = match self.game.turn(state) {
                    Turn::Player(player) => Opponent::Uniform.expect(&mut terms, player),
                    _ => opponent_model::sum(&mut terms) / total as f64,
                };
            }
            self.step(node, StepKind::Return(child), Some(exact(sum)), None);
        }
        exact(sum)
    }
}
