//! What all parts of one running search share.

use super::super::counters::SearchStats;
use super::super::limits::{Budget, Limits};
use super::super::ordering::Ordering;
use super::super::value::Leaves;
use super::{Options, Work};
use crate::games::{Evaluator, Game, Player, Turn};

/// One running search.
pub(super) struct Tree<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) leaves: &'a Leaves<E>,
    pub(super) work: &'a mut Work<G>,
    pub(super) options: Options,
    /// Whether the horizon follows noisy moves: asked for and known to the game.
    pub(super) quiescence: bool,
    /// Whether the plain loop will do.
    pub(super) plain: bool,
    pub(super) budget: Budget,
    pub(super) stats: SearchStats,
    /// Counts how often the value of an undecided position was guessed. A subtree that
    /// leaves it unchanged holds proofs only.
    pub(super) guesses: u64,
}

impl<'a, G: Game, E: Evaluator<G>> Tree<'a, G, E> {
    pub(super) fn new(
        game: &'a G,
        leaves: &'a Leaves<E>,
        options: Options,
        work: &'a mut Work<G>,
        limits: &Limits,
    ) -> Self {
        work.stack.clear();
        work.keys.clear();
        Tree {
            game,
            leaves,
            work,
            options,
            quiescence: options.quiescence && game.has_noisy(),
            plain: options.ordering == Ordering::None
                && options.table_mb == 0
                && limits.depth.is_some()
                && !limits.interrupts(),
            budget: Budget::start(limits),
            stats: SearchStats::default(),
            guesses: 0,
        }
    }

    /// Enters a position, `ply` plies from the root and with `depth` plies to go, and
    /// values it. Whether there is budget for it must have been asked before.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.stats.nodes += 1;
        match self.game.turn(state) {
            Turn::Over => {
                self.stats.leaves += 1;
                self.leaves.end(self.game, state, ply)
            }
            Turn::Player(player) if depth == 0 => self.horizon(state, player, ply, alpha, beta),
            Turn::Player(Player::First) => self.ordered::<true>(state, depth, ply, alpha, beta),
            Turn::Player(Player::Second) => self.ordered::<false>(state, depth, ply, alpha, beta),
            Turn::Chance => chance(),
        }
    }

    /// The value of an undecided position at the horizon.
    #[inline(always)]
    pub(super) fn horizon(
        &mut self,
        state: &G::State,
        player: Player,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if self.quiescence {
            return self.quiesce(state, player, ply, alpha, beta);
        }
        self.stats.leaves += 1;
        self.guesses += 1;
        self.leaves.horizon(self.game, state)
    }
}

/// Chance nodes have no bounds here.
#[cold]
#[inline(never)]
pub(super) fn chance() -> ! {
    panic!("alpha-beta does not know chance; expectimax does")
}
