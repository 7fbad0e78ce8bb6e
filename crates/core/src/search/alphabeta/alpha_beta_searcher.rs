//! The shared parts of a running alpha-beta search.

use super::super::leaves::{INFINITY, Leaves, Terminal};
use super::super::move_ordering::Memory;
use super::super::repetition_history::RepetitionHistory;
use super::super::search_limits::{Budget, Limits};
use super::super::search_result::SearchStats;
use super::super::transposition_table::TranspositionTable;
use super::options::AlphaBetaOptions;
use crate::games::{Evaluator, Game, Player, Scoring, Turn, has_noisy, repeats};

/// The minimum depth at which a null window saves more than the second search costs.
const SCOUTED: u32 = 4;

/// Memory that is kept between nodes, depths and moves.
#[derive(Debug, Clone)]
pub(super) struct Work<G: Game> {
    /// The moves of all nodes on the path, each node's after its parent's.
    pub(super) stack: Vec<G::Move>,
    /// The ordering keys of the moves, which include their indices.
    pub(super) keys: Vec<i64>,
    pub(super) memory: Memory<G::Move>,
    pub(super) table: TranspositionTable,
    pub(super) past: RepetitionHistory,
}

pub(super) struct AlphaBetaSearcher<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) leaves: &'a Leaves<E>,
    pub(super) work: &'a mut Work<G>,
    pub(super) options: AlphaBetaOptions,
    /// Whether to follow noisy moves at the horizon: the option is set and the game has noisy
    /// moves.
    pub(super) quiescence: bool,
    /// Whether to use threats and distances of wins: the option is set and earlier wins are worth
    /// more.
    pub(super) forced_moves: bool,
    /// Whether the plain loop is sufficient.
    pub(super) plain: bool,
    pub(super) budget: Budget,
    pub(super) stats: SearchStats,
    /// Counts how often the value of an unfinished position was estimated. A subtree that does not
    /// change the count contains only proofs.
    pub(super) guesses: u64,
    /// The ply after the last pass on the path; 0 for none.
    pub(super) passed: u32,
}

impl<'a, G: Game, E: Evaluator<G>> AlphaBetaSearcher<'a, G, E> {
    pub(super) fn new(
        game: &'a G,
        leaves: &'a Leaves<E>,
        options: AlphaBetaOptions,
        work: &'a mut Work<G>,
        limits: &Limits,
    ) -> Self {
        work.stack.clear();
        work.keys.clear();
        AlphaBetaSearcher {
            game,
            leaves,
            work,
            options,
            quiescence: options.quiescence && has_noisy::<G>(),
            forced_moves: options.forced_moves
                && leaves.terminal == Terminal::Outcome
                && !game.scoring().numeric_score(),
            plain: !repeats::<G>() && options.are_plain(limits),
            budget: Budget::start(limits),
            stats: SearchStats::default(),
            guesses: 0,
            passed: 0,
        }
    }

    /// Enters a position, `ply` plies from the root and with `depth` plies to go, and returns its
    /// value. The caller must have checked the budget.
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
        if !repeats::<G>() {
            return self.look(state, depth, ply, alpha, beta);
        }
        if self.work.past.repeats(self.game, state) {
            return self.repetition();
        }
        self.work.past.push(self.game, state);
        let value = self.look(state, depth, ply, alpha, beta);
        self.work.past.pop::<G>();
        value
    }

    /// The value of a repeated position: a draw. It depends on the path, so it proves nothing about
    /// the same position on other paths.
    pub(super) fn repetition(&mut self) -> i32 {
        self.stats.leaves += 1;
        self.guesses += 1;
        0
    }

    /// The value of a position that was entered.
    #[inline(always)]
    fn look(&mut self, state: &G::State, depth: u32, ply: u32, alpha: i32, beta: i32) -> i32 {
        match self.game.turn(state) {
            Turn::Over => {
                self.stats.leaves += 1;
                self.leaves.end(self.game, state, ply)
            }
            Turn::Player(player) if depth == 0 => self.horizon(state, player, ply, alpha, beta),
            Turn::Player(player) => self.ordered(state, player, depth, ply, alpha, beta),
            Turn::Chance => chance(),
        }
    }

    /// Enters a child of a node where `player` is to move. With principal variation search,
    /// children outside the principal variation get a null window first.
    #[inline(always)]
    pub(super) fn scout(
        &mut self,
        child: &G::State,
        player: Player,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
        leads: bool,
    ) -> i32 {
        if leads || !self.options.pvs || depth < SCOUTED || alpha + 1 >= beta {
            return self.enter(child, depth, ply, alpha, beta);
        }
        let (low, high) = null_window(player, alpha, beta);
        let value = self.enter(child, depth, ply, low, high);
        let better = alpha < value && value < beta;
        if better && !self.budget.spent(self.stats.nodes) {
            return self.enter(child, depth, ply, alpha, beta);
        }
        value
    }

    /// The value of an unfinished position at the horizon.
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
            return self.quiesce(self.game.hints(), state, player, ply, alpha, beta);
        }
        self.stats.leaves += 1;
        self.guesses += 1;
        self.leaves.horizon(self.game, state)
    }
}

/// The best value of a node so far and the rest of its window.
pub(super) struct Best {
    player: Player,
    pub(super) value: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Best {
    /// No value yet.
    #[inline(always)]
    pub(super) fn of(player: Player, alpha: i32, beta: i32) -> Self {
        Best { player, value: -INFINITY * player.sign(), alpha, beta }
    }

    /// Adds the value of a move; returns true on a cut-off.
    #[inline(always)]
    pub(super) fn cuts(&mut self, value: i32) -> bool {
        if self.player == Player::First {
            self.value = self.value.max(value);
            self.alpha = self.alpha.max(value);
        } else {
            self.value = self.value.min(value);
            self.beta = self.beta.min(value);
        }
        self.alpha >= self.beta
    }
}

/// The null window: only tests whether a move is better for the player to move.
#[inline(always)]
pub(super) fn null_window(player: Player, alpha: i32, beta: i32) -> (i32, i32) {
    if player == Player::First { (alpha, alpha + 1) } else { (beta - 1, beta) }
}

/// Panics: this search does not support chance nodes.
#[cold]
#[inline(never)]
pub(super) fn chance() -> ! {
    panic!("alpha-beta does not know chance; expectimax does")
}
