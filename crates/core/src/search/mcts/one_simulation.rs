//! One simulation: selection, expansion, playout and backpropagation.

use rand::Rng;

use super::super::repetition_history::RepetitionHistory;
use super::super::search_result::SearchStats;
use super::all_moves_as_first::{AllMovesAsFirst, PlayedMoves};
use super::mcts_options::MctsOptions;
use super::mcts_tree::MctsTree;
use super::playout_rng::PlayoutRng;
use super::value_range::Range;
use crate::games::{
    Evaluator, Game, Player, Scoring, SearchHints, Shortcuts, Turn, random_outcome, repeats,
};

pub(super) struct Simulation<'a, G: Game, E> {
    pub game: &'a G,
    pub evaluator: &'a E,
    pub arena: &'a mut MctsTree<G::Move>,
    pub scratch: &'a mut Scratch<G::Move>,
    pub exploration: f32,
    /// The equivalence parameter of RAVE; 0 without RAVE.
    pub rave: f32,
    /// The maximum number of plies in a playout.
    pub playout_plies: u32,
    pub rng: PlayoutRng,
    pub stats: SearchStats,
    pub range: Range,
}

#[derive(Debug, Clone)]
pub(super) struct Scratch<M> {
    path: Vec<u32>,
    /// The positions of the game and of the path.
    pub past: RepetitionHistory,
    /// Indices on the path where the best move is proven, with its value.
    known: Vec<(usize, f64)>,
    moves: Vec<M>,
    outcomes: Vec<(M, u32)>,
    /// The moves of a simulation, for RAVE.
    played: PlayedMoves,
}

impl<M> Scratch<M> {
    pub(super) fn new() -> Self {
        let (path, past, known) = Default::default();
        let (moves, outcomes, played) = (Vec::new(), Vec::new(), PlayedMoves::default());
        Scratch { path, past, known, moves, outcomes, played }
    }
}

impl<G: Game, E: Evaluator<G>> Simulation<'_, G, E> {
    /// One simulation from the root.
    ///
    /// If the selection reaches a move with a proven value, the nodes above get that value. The
    /// proven move needs no further simulation, so this one continues with the best move of unknown
    /// value, to improve the nodes below.
    pub(super) fn run(&mut self, root: &G::State) {
        let mut state = root.clone();
        let mut at = 0;
        let mut plies = 0;
        self.scratch.path.clear();
        self.scratch.known.clear();
        if self.rave > 0.0 {
            self.scratch.played.begin(self.game.hints().amaf_moves());
        }
        self.scratch.past.rewind::<G>();
        let (value, ended) = loop {
            self.scratch.path.push(at as u32);
            let node = self.arena.nodes[at];
            if node.is_proven() {
                break (node.value(), false);
            }
            if repeats::<G>() && at > 0 {
                if self.scratch.past.repeats(self.game, &state) {
                    self.stats.leaves += 1;
                    break (0.0, false);
                }
                self.scratch.past.push(self.game, &state);
            }
            if node.count == 0 {
                match self.game.turn(&state) {
                    Turn::Over => {
                        let payoff = self.game.payoff(&state);
                        let value = if self.game.scoring().numeric_score() {
                            payoff
                        } else {
                            payoff.signum()
                        };
                        self.stats.leaves += 1;
                        break (f64::from(value), true);
                    }
                    // A position visited only once is not worth the memory.
                    turn if node.visits == 0 || !self.expand(at, &state, turn) => {
                        break (self.playout(state), false);
                    }
                    _ => {}
                }
            }
            at = match self.arena.nodes[at].player() {
                Some(player) => {
                    plies += 1;
                    let child = self.select(at, player, false);
                    if self.arena.nodes[child].is_proven() {
                        let value = self.arena.nodes[child].value();
                        self.arena.visit(child, value);
                        self.scratch.known.push((self.scratch.path.len(), value));
                        self.select(at, player, true)
                    } else {
                        child
                    }
                }
                None => self.sample(at, &state),
            };
            let mv = self.arena.nodes[at].mv;
            if self.rave > 0.0 {
                let before = self.scratch.path[self.scratch.path.len() - 1] as usize;
                let player = self.arena.nodes[before].player();
                self.scratch.played.push(self.game.hints().amaf_number(mv), player);
            }
            self.game.play(&mut state, mv);
            self.stats.nodes += 1;
        };
        self.stats.selective_depth = self.stats.selective_depth.max(plies);
        self.range.add(value);
        let mut backed_up = value;
        for place in (0..self.scratch.path.len()).rev() {
            if let Some(&(end, known)) = self.scratch.known.last()
                && end == place + 1
            {
                self.scratch.known.pop();
                backed_up = known;
            }
            let at = self.scratch.path[place] as usize;
            self.arena.visit(at, backed_up);
            if self.rave > 0.0 {
                let node = &self.arena.nodes[at];
                self.scratch.played.take_back_to(place);
                if node.count > 0
                    && let Some(player) = node.player()
                {
                    let children = &mut self.arena.amaf[node.children()];
                    self.scratch.played.count(children, player, value);
                }
            }
        }
        if ended {
            self.arena.prove(&self.scratch.path, value, &self.range);
        }
    }

    /// Expands a node; returns false if the memory is full.
    pub(super) fn expand(&mut self, at: usize, state: &G::State, turn: Turn) -> bool {
        let Scratch { moves, outcomes, .. } = &mut *self.scratch;
        if let Turn::Player(player) = turn {
            moves.clear();
            self.game.moves(state, moves);
            if !self.arena.expand(at, Some(player), moves.len()) {
                return false;
            }
            for &mv in &*moves {
                self.arena.add(mv, 1);
                if self.rave > 0.0 {
                    let number = self.game.hints().amaf_number(mv) as u16;
                    self.arena.amaf.push(AllMovesAsFirst { number, ..AllMovesAsFirst::default() });
                }
            }
        } else {
            outcomes.clear();
            self.game.outcomes(state, outcomes);
            if !self.arena.expand(at, None, outcomes.len()) {
                return false;
            }
            for &(mv, weight) in &*outcomes {
                self.arena.add(mv, weight);
                if self.rave > 0.0 {
                    self.arena.amaf.push(AllMovesAsFirst::default());
                }
            }
        }
        true
    }

    /// The child with the largest upper confidence bound: the scaled mean plus `c sqrt(ln N / n)`
    /// (Auer, Cesa-Bianchi and Fischer 2002; Kocsis and Szepesvári 2006). Unvisited children come
    /// first, in the game's order. With `open`, only children of unknown value, of which there must
    /// be at least one.
    #[inline]
    fn select(&self, at: usize, player: Player, open: bool) -> usize {
        let scale = self.range.scale() * player.sign() as f32;
        let spread = self.exploration * self.arena.root_log(at);
        self.arena.select(at, scale, spread, self.rave, open)
    }

    /// A random child of a chance node, by weight.
    #[inline]
    fn sample(&mut self, at: usize, state: &G::State) -> usize {
        let outcomes = &mut self.scratch.outcomes;
        let mv = random_outcome(self.game, state, &mut self.rng, outcomes);
        let children = self.arena.nodes[at].children();
        let start = children.start;
        for (place, child) in self.arena.nodes[children].iter().enumerate() {
            if child.mv == mv {
                return start + place;
            }
        }
        start
    }

    /// Plays randomly to the end or the cut-off, and returns the value.
    #[inline]
    fn playout(&mut self, mut state: G::State) -> f64 {
        self.stats.leaves += 1;
        let game = self.game;
        let mut plies = 0;
        let mut entered = 0;
        let Scratch { moves, outcomes, played, .. } = &mut *self.scratch;
        let value = loop {
            let mut numbers = self.rng.clone();
            // RAVE needs each move.
            let left = if self.rave > 0.0 { 0 } else { self.playout_plies - plies };
            let [moves_at_once, outcomes_at_once] =
                game.shortcuts().random_plies(&mut state, &mut || numbers.next_u32(), left);
            plies += moves_at_once;
            entered += u64::from(moves_at_once + outcomes_at_once);
            for _ in 0..moves_at_once + outcomes_at_once {
                self.rng.next_u32();
            }
            match game.turn(&state) {
                Turn::Over => break game.payoff(&state),
                Turn::Player(_) if plies >= self.playout_plies => {
                    break self.evaluator.evaluate(game, &state);
                }
                Turn::Player(player) => {
                    plies += 1;
                    let mv = game.hints().playout_ply(&mut state, &mut self.rng, moves);
                    if self.rave > 0.0 {
                        played.push(game.hints().amaf_number(mv), Some(player));
                    }
                }
                Turn::Chance => {
                    let outcome = random_outcome(game, &state, &mut self.rng, outcomes);
                    game.play(&mut state, outcome);
                }
            }
            entered += 1;
        };
        self.stats.nodes += entered;
        f64::from(if game.scoring().numeric_score() { value } else { value.signum() })
    }
}

impl MctsOptions {
    /// The default maximum number of plies in a playout.
    pub(super) fn playout_plies<G: Game>(&self, game: &G) -> u32 {
        const ENDLESS: u32 = 1000;
        let default = if game.hints().max_plies().is_some() { u32::MAX } else { ENDLESS };
        self.playout_plies.unwrap_or(default)
    }
}
