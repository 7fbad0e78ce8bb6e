//! The last ply before the horizon, with most of the nodes: no table, no sorting, and no list of the
//! moves if a killer causes a cut-off.

use super::super::move_ordering::{Killer, Ordering};
use super::alpha_beta_searcher::{AlphaBetaSearcher, Best, chance};
use crate::games::{Evaluator, Game, Player, SearchHints, Shortcuts, Turn};

/// A node one ply before the horizon.
struct FrontierNode {
    player: Player,
    /// From the root.
    ply: u32,
    /// Whether no move wins at once.
    safe: bool,
    best: Best,
    /// Whether no move has been tried yet.
    is_new: bool,
    /// [`AlphaBetaSearcher::guesses`] when the node was entered.
    guesses: u64,
}

impl<G: Game, E: Evaluator<G>> AlphaBetaSearcher<'_, G, E> {
    /// The value of a position one ply before the horizon and `ply` plies from the root. `FIRST` is
    /// true if the first player is to move; `safe` is true if no move wins at once. The value is
    /// meaningless once the budget is spent.
    #[inline]
    pub(super) fn frontier<const FIRST: bool>(
        &mut self,
        state: &G::State,
        ply: u32,
        alpha: i32,
        beta: i32,
        safe: bool,
    ) -> i32 {
        let player = if FIRST { Player::First } else { Player::Second };
        let (best, guesses) = (Best::of(player, alpha, beta), self.guesses);
        let mut node = FrontierNode { player, ply, safe, best, is_new: true, guesses };
        self.stats.selective_depth = self.stats.selective_depth.max(ply + 1);
        let bottom = self.work.stack.len();
        // The killers that are legal here, then the other moves in the game's order.
        let mut killers = [None; 2];
        if self.options.ordering == Ordering::Full && self.options.killers {
            killers = self.work.memory.killers(ply);
        }
        let game = self.game;
        let mut is_listed = false;
        for slot in &mut killers {
            let Some(killer) = *slot else { continue };
            let place = match game.shortcuts().legality(state, killer.mv) {
                Some(is_legal) => is_legal.then_some(killer.place),
                None => {
                    if !is_listed {
                        game.moves(state, &mut self.work.stack);
                        is_listed = true;
                    }
                    killer.place(&self.work.stack[bottom..]).map(|place| place as u32)
                }
            };
            *slot = place.map(|place| Killer { place, ..killer });
            if let Some(killer) = *slot
                && self.try_move(state, killer, None, &mut node)
            {
                self.work.stack.truncate(bottom);
                return node.best.value;
            }
        }
        if !is_listed {
            game.moves(state, &mut self.work.stack);
        }
        // Quiet moves do not change what the evaluator counts.
        let counts = !self.quiescence && self.leaves.evaluator.counts_pieces();
        let quiet = if counts { self.game.hints().quiet(state) } else { None };
        let here = quiet.as_ref().map(|_| self.leaves.horizon(self.game, state));
        let moves = &self.work.stack[bottom..];
        let tried = killers.map(|killer| killer.and_then(|killer| killer.place(moves)));
        for place in 0..moves.len() {
            let candidate = Killer { mv: self.work.stack[bottom + place], place: place as u32 };
            let is_quiet = quiet.as_ref().is_some_and(|is_quiet| is_quiet(candidate.mv));
            let value = here.filter(|_| is_quiet);
            if !tried.contains(&Some(place)) && self.try_move(state, candidate, value, &mut node) {
                break;
            }
        }
        self.work.stack.truncate(bottom);
        node.best.value
    }

    /// Tries a move, which is played unless its value is known. Returns true on a cut-off and once
    /// the budget is spent.
    #[inline(always)]
    fn try_move(
        &mut self,
        state: &G::State,
        tried: Killer<G::Move>,
        known: Option<i32>,
        node: &mut FrontierNode,
    ) -> bool {
        if self.budget.spent(self.stats.nodes) {
            return true;
        }
        self.stats.nodes += 1;
        let before = self.guesses;
        let value = match known {
            Some(value) => {
                self.stats.leaves += 1;
                self.guesses += 1;
                value
            }
            None => self.played(state, tried.mv, node),
        };
        let is_first = std::mem::take(&mut node.is_new);
        if !node.best.cuts(value) {
            return false;
        }
        self.stats.count_cutoff(is_first);
        if self.options.ordering == Ordering::Full {
            let place = tried.place as usize;
            self.work.memory.reward(node.player, tried.mv, place, node.ply, 1);
        }
        if self.guesses == before {
            // This move alone proves the bound.
            self.guesses = node.guesses;
        }
        true
    }

    /// The value of the position after a move.
    #[inline(always)]
    fn played(&mut self, state: &G::State, mv: G::Move, node: &FrontierNode) -> i32 {
        let (game, ply) = (self.game, node.ply + 1);
        let mut child = state.clone();
        if node.safe {
            game.shortcuts().play_on(&mut child, mv);
        } else {
            game.play(&mut child, mv);
        }
        match game.turn(&child) {
            _ if self.work.past.repeats(game, &child) => self.repetition(),
            Turn::Over => {
                self.stats.leaves += 1;
                self.leaves.end(game, &child, ply)
            }
            Turn::Player(next) => self.horizon(&child, next, ply, node.best.alpha, node.best.beta),
            Turn::Chance => chance(),
        }
    }
}
