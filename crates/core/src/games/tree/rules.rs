//! The rules of an explicit tree: the implementation of `Game`.

use std::path::Path;

use super::tree_nodes::{GameTree, NodeKind, TreeState};
use super::{parse_toml, text};
use crate::games::game::capabilities;
use crate::games::key_hash::mix;
use crate::games::{
    Configurable, Drawing, Evaluator, FullSearch, Game, NamedEvaluator, Notation, Offer, Player,
    Scoring, SearchHints, Turn,
};
use crate::params::ParamError;

const TEXTBOOK: &str = include_str!("minimax.toml");

impl Game for GameTree {
    type State = TreeState;
    /// The number of the child, starting at 0.
    type Move = u16;

    fn start(&self) -> TreeState {
        TreeState { node: 0 }
    }

    #[inline]
    fn turn(&self, state: &TreeState) -> Turn {
        match self.node(state.node).kind {
            NodeKind::Max => Turn::Player(Player::First),
            NodeKind::Min => Turn::Player(Player::Second),
            NodeKind::Chance => Turn::Chance,
            NodeKind::Leaf => Turn::Over,
        }
    }

    /// In the order of the file.
    #[inline]
    fn moves(&self, state: &TreeState, out: &mut Vec<u16>) {
        out.extend(0..self.node(state.node).links.len() as u16);
    }

    #[inline]
    fn outcomes(&self, state: &TreeState, out: &mut Vec<(u16, u32)>) {
        let weights = self.node_links(state.node).iter().map(|link| link.weight);
        out.extend((0..).zip(weights));
    }

    #[inline]
    fn play(&self, state: &mut TreeState, mv: u16) {
        state.node = self.node_links(state.node)[usize::from(mv)].to;
    }

    #[inline]
    fn payoff(&self, state: &TreeState) -> i32 {
        self.node(state.node).value
    }

    #[inline]
    fn key(&self, state: &TreeState) -> u64 {
        mix(u64::from(state.node))
    }

    fn reason(&self, _state: &TreeState) -> &'static str {
        "leaf"
    }

    fn has_chance(&self) -> bool {
        self.chance
    }

    fn write_move(&self, state: &TreeState, mv: u16, out: &mut String) {
        out.push_str(&self.node_links(state.node)[usize::from(mv)].label);
    }

    fn write_position(&self, state: &TreeState) -> String {
        text::write_position(self, state)
    }

    fn read_position(&self, text: &str) -> Result<TreeState, String> {
        text::read_position(self, text)
    }

    capabilities!(hints: SearchHints, scoring: Scoring, notation: Notation, drawing: Drawing);
}

impl Scoring<GameTree> for &GameTree {
    fn numeric_score(self) -> bool {
        true
    }

    fn payoff_range(self) -> Option<(i32, i32)> {
        let leaves = self.nodes.iter().filter(|node| node.kind == NodeKind::Leaf);
        let payoffs = leaves.map(|leaf| leaf.value);
        payoffs.clone().min().zip(payoffs.max())
    }
}

impl SearchHints<GameTree> for &GameTree {
    fn max_plies(self) -> Option<u32> {
        Some(self.plies)
    }
}

/// The node's value in the file: its `estimate` (default 0), or its payoff.
#[derive(Debug, Clone, Copy, Default)]
pub struct LeafEstimate;

impl Evaluator<GameTree> for LeafEstimate {
    #[inline]
    fn evaluate(&self, game: &GameTree, state: &TreeState) -> i32 {
        game.node(state.node).value
    }

    fn range(&self, game: &GameTree) -> Option<(i32, i32)> {
        let values = game.nodes.iter().map(|node| node.value);
        values.clone().min().zip(values.max())
    }
}

crate::params! {
    /// What a tree is made from.
    #[derive(Debug, Clone)]
    pub struct TreeParams {
        /// tree in TOML, relative to the config's folder; default: 3 12 8 / 2 4 6 / 14
        /// 5 2
        file: Option<String> = None,
        /// the tree itself, instead of a file
        text: Option<String> = None,
    }
}

impl Configurable for GameTree {
    const KIND: &'static str = "tree";
    const SUMMARY: &'static str = "An explicit tree of moves, chance and values, from a file";

    type Params = TreeParams;

    fn from_params(mut params: TreeParams) -> Result<Self, ParamError> {
        GameTree::embed(&mut params, Path::new(""))?;
        parse_toml::read("text", "text", params.text.as_deref().unwrap_or(TEXTBOOK))
    }

    fn embed(params: &mut TreeParams, folder: &Path) -> Result<(), ParamError> {
        let Some(path) = &params.file else { return Ok(()) };
        if params.text.is_some() {
            return Err(ParamError::at("text", "two trees, by `file` and by `text`", "keep one"));
        }
        let place = folder.join(path);
        let text = std::fs::read_to_string(&place).map_err(|error| {
            let message = format!("the tree `{}` cannot be read: {error}", place.display());
            ParamError::at("file", message, "the path is seen from the folder of the config")
        })?;
        // Read here only for error messages with the file's path, because the path is not kept.
        parse_toml::read("file", path, &text)?;
        *params = TreeParams { file: None, text: Some(text) };
        Ok(())
    }

    fn exact_solver(&self) -> Offer<Self> {
        Ok(Box::new(FullSearch::default()))
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "the `estimate` of a node in the file; 0 without one";
        vec![NamedEvaluator::plain::<LeafEstimate>("estimate", summary)]
    }
}
