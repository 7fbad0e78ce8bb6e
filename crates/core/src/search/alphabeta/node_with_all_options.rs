//! The inner loop with all options: table, move ordering, budget.

use super::super::leaves::{INFINITY, WIN, is_win};
use super::super::move_ordering::Ordering;
use super::super::transposition_table::{Bound, Entry, NO_MOVE};
use super::alpha_beta_searcher::AlphaBetaSearcher;
use super::move_picker::Picker;
use crate::games::{Evaluator, Game, Player, SearchHints, Shortcuts, Threat};

/// The minimum depth at which a look-up saves more than its memory access costs.
const TABLE_DEPTH: u32 = 2;

/// The knowledge about a node before its search.
enum Urgent {
    /// The value, or a bound outside the window.
    Value(i32),
    /// The reachable part of the window, and whether it is known that no move wins at once.
    Window(i32, i32, bool),
}

impl<G: Game, E: Evaluator<G>> AlphaBetaSearcher<'_, G, E> {
    /// The value of a position with `depth` plies to go (at least 1), `ply` plies from the root.
    /// `player` is to move. The value is meaningless once the budget is spent.
    pub(super) fn ordered(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        let game = self.game;
        let key = (self.options.table_mb > 0 && depth >= TABLE_DEPTH)
            .then(|| game.hints().table_key(state));
        if let Some(key) = key {
            self.work.table.prefetch(key);
        }
        // Whether no move wins at once. Computed while the table's entry is prefetched.
        let mut safe = false;
        if self.forced_moves {
            match self.urgent(state, player, depth, ply, alpha, beta) {
                Urgent::Value(value) => return value,
                Urgent::Window(low, high, known) => (alpha, beta, safe) = (low, high, known),
            }
        }
        if depth == 1 && self.options.ordering != Ordering::Static {
            return match player {
                Player::First => self.frontier::<true>(state, ply, alpha, beta, safe),
                Player::Second => self.frontier::<false>(state, ply, alpha, beta, safe),
            };
        }
        let window = (alpha, beta);
        let is_first = player == Player::First;
        let bottom = self.work.stack.len();
        game.moves(state, &mut self.work.stack);
        let mut known = NO_MOVE;
        if let Some(key) = key {
            self.stats.probes += 1;
            if let Some(entry) = self.work.table.probe(key) {
                self.stats.hits += 1;
                if let Some(value) = self.table_cutoff(&entry, depth, ply, window) {
                    self.work.stack.truncate(bottom);
                    return value;
                }
                known = entry.mv;
            }
        }
        if self.options.null_move
            && let Some(bound) =
                self.null_move_cuts(game.hints(), state, player, depth, ply, window)
        {
            self.work.stack.truncate(bottom);
            return bound;
        }
        let mut picker = Picker::new(self, player, ply, bottom, known);
        let guesses = self.guesses;
        let mut best = -INFINITY * player.sign();
        let mut best_index = NO_MOVE;
        let mut tried = 0;
        while let Some(index) = picker.next(self, state) {
            if self.budget.spent(self.stats.nodes) {
                break;
            }
            let mv = self.work.stack[bottom + index];
            let mut child = state.clone();
            if safe {
                game.shortcuts().play_on(&mut child, mv);
            } else {
                game.play(&mut child, mv);
            }
            let before = self.guesses;
            let late = self.late_move_reduction(&child, player, depth, ply, (alpha, beta), tried);
            let value = match late {
                Some(value) => value,
                None => self.scout(&child, player, depth - 1, ply + 1, (alpha, beta), tried == 0),
            };
            if self.budget.stopped() {
                break;
            }
            if if is_first { value > best } else { value < best } {
                best = value;
                best_index = index as u32;
                if is_first {
                    alpha = alpha.max(value);
                } else {
                    beta = beta.min(value);
                }
            }
            if alpha >= beta {
                self.stats.count_cutoff(tried == 0);
                if self.options.ordering == Ordering::Full {
                    self.work.memory.reward(player, mv, index, ply, depth);
                }
                if self.guesses == before {
                    // This move alone proves the bound.
                    self.guesses = guesses;
                }
                break;
            }
            tried += 1;
        }
        self.stats.selective_depth = self.stats.selective_depth.max(ply + 1);
        picker.finish(self);
        if let Some(key) = key
            && !self.budget.stopped()
        {
            let bound = if best <= window.0 {
                Bound::Upper
            } else if best >= window.1 {
                Bound::Lower
            } else {
                Bound::Exact
            };
            let mv = if best_index < NO_MOVE { best_index } else { NO_MOVE };
            let complete = self.guesses == guesses;
            let value = to_node(best, ply);
            self.work.table.store(key, Entry { value, depth, mv, bound, complete });
        }
        best
    }

    /// The knowledge about a node before its search: its value if a player wins at once or one
    /// reply is forced, else the reachable part of the window.
    #[inline(always)]
    fn urgent(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> Urgent {
        let sign = player.sign();
        // Plies until the mover can win and until the opponent can, without any threat.
        let (mut own, mut other) = (3, 2);
        match self.game.hints().threat(state) {
            // Then sides need not alternate, and a move may lose.
            Threat::Unknown => (own, other) = (1, 1),
            Threat::Win(_) => {
                self.stats.leaves += 1;
                return Urgent::Value(sign * (WIN - (ply + 1) as i32));
            }
            // The winning reply must come before the horizon.
            Threat::Lost if depth >= 2 => {
                self.stats.leaves += 1;
                return Urgent::Value(-sign * (WIN - (ply + 2) as i32));
            }
            Threat::Reply(mv) if depth >= 2 => {
                if self.budget.spent(self.stats.nodes) {
                    return Urgent::Value(alpha);
                }
                let mut child = state.clone();
                self.game.shortcuts().play_on(&mut child, mv);
                let value = self.enter(&child, depth - 1, ply + 1, alpha, beta);
                return Urgent::Value(value);
            }
            _ => {}
        }
        let safe = own > 1;
        let (own, other) = (WIN - (ply + own) as i32, WIN - (ply + other) as i32);
        let (least, most) = if player == Player::First { (-other, own) } else { (-own, other) };
        let (low, high) = (alpha.max(least), beta.min(most));
        if low < high {
            Urgent::Window(low, high, safe)
        } else {
            Urgent::Value(if alpha >= most { most } else { least })
        }
    }

    /// The value in the table's entry, if it is sufficient for the window.
    #[inline]
    fn table_cutoff(
        &mut self,
        entry: &Entry,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        if entry.depth != depth && !(entry.complete && entry.depth < depth) {
            return None;
        }
        let value = to_root(entry.value, ply);
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        if !enough {
            return None;
        }
        self.guesses += u64::from(!entry.complete);
        Some(value)
    }
}

/// Converts the distance of a win from the root to the node.
#[inline]
fn to_node(value: i32, ply: u32) -> i32 {
    if is_win(value) { value + value.signum() * ply as i32 } else { value }
}

/// Converts the distance of a win from the node to the root.
#[inline]
fn to_root(value: i32, ply: u32) -> i32 {
    if is_win(value) { value - value.signum() * ply as i32 } else { value }
}
