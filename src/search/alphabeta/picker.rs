//! Which child comes next: cheap guesses first, the rest sorted only if they fail.

use super::super::ordering::Ordering;
use super::super::table::NO_MOVE;
use super::tree::Tree;
use crate::games::{Evaluator, Game, Player};

/// Bits of a key that hold a move's index; with more moves than they tell none are ordered.
const INDEX_BITS: u32 = NO_MOVE.count_ones();
const INDEX_MASK: i64 = (1 << INDEX_BITS) - 1;

/// The key of a move that has had its turn.
const DONE: i64 = i64::MIN;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The table's move.
    Known,
    /// The killers of the ply.
    Killers(usize),
    /// The others: they need keys first.
    Unsorted,
    /// The others by their keys.
    Sorted,
    /// All moves as the game lists them, from this index.
    Listed(usize),
}

/// Hands out the moves of one node; four in five cut-offs come before it has to sort.
pub(super) struct Picker {
    player: Player,
    ply: u32,
    /// The node's first move on the stack, and its first key once there are keys.
    bottom: usize,
    keys: usize,
    count: usize,
    stage: Stage,
    /// The indices that were handed out before there were keys.
    tried: [u32; 3],
}

impl Picker {
    /// For the moves from `bottom` of the stack on; `known` is the table's move.
    #[inline]
    pub(super) fn new<G: Game, E: Evaluator<G>>(
        tree: &Tree<'_, G, E>,
        player: Player,
        ply: u32,
        bottom: usize,
        known: u32,
    ) -> Self {
        let count = tree.work.stack.len() - bottom;
        let stage = match tree.options.ordering {
            Ordering::Full if count <= NO_MOVE as usize => Stage::Known,
            Ordering::Static if count <= NO_MOVE as usize => Stage::Unsorted,
            _ => Stage::Listed(0),
        };
        let keys = tree.work.keys.len();
        Picker { player, ply, bottom, keys, count, stage, tried: [known, NO_MOVE, NO_MOVE] }
    }

    /// The index of the next move, if one is left.
    #[inline]
    pub(super) fn next<G: Game, E: Evaluator<G>>(
        &mut self,
        tree: &mut Tree<'_, G, E>,
        state: &G::State,
    ) -> Option<usize> {
        loop {
            match self.stage {
                Stage::Listed(index) => {
                    self.stage = Stage::Listed(index + 1);
                    return (index < self.count).then_some(index);
                }
                Stage::Known => {
                    let killers = tree.options.killers;
                    self.stage = if killers { Stage::Killers(0) } else { Stage::Unsorted };
                    let known = self.tried[0] as usize;
                    if known < self.count {
                        return Some(known);
                    }
                }
                Stage::Killers(number) => {
                    self.stage = if number == 0 { Stage::Killers(1) } else { Stage::Unsorted };
                    if let Some(killer) = tree.work.memory.killers(self.ply)[number] {
                        let moves = &tree.work.stack[self.bottom..];
                        let found = moves.iter().position(|&mv| mv == killer);
                        if let Some(index) = found.filter(|&i| !self.tried.contains(&(i as u32))) {
                            self.tried[1 + number] = index as u32;
                            return Some(index);
                        }
                    }
                }
                Stage::Unsorted => {
                    self.stage = Stage::Sorted;
                    self.sort(tree, state);
                }
                Stage::Sorted => return self.best(tree),
            }
        }
    }

    /// Gives all moves their keys.
    fn sort<G: Game, E: Evaluator<G>>(&mut self, tree: &mut Tree<'_, G, E>, state: &G::State) {
        let full = tree.options.ordering == Ordering::Full;
        let history = full && tree.options.history;
        let work = &mut *tree.work;
        for (index, &mv) in work.stack[self.bottom..].iter().enumerate() {
            let score = if history {
                work.memory.score(tree.game, state, self.player, mv)
            } else {
                i64::from(tree.game.order_hint(state, mv))
            };
            // Among equals the game's order, hence the index counts down.
            work.keys.push(score << INDEX_BITS | (INDEX_MASK - index as i64));
        }
        for index in self.tried.into_iter().filter(|&i| full && (i as usize) < self.count) {
            work.keys[self.keys + index as usize] = DONE;
        }
    }

    /// The move with the best key. A scan without branches: a sorted list would cost
    /// more than most nodes ever look at.
    #[inline]
    fn best<G: Game, E: Evaluator<G>>(&self, tree: &mut Tree<'_, G, E>) -> Option<usize> {
        let keys = &mut tree.work.keys[self.keys..];
        let best = keys.iter().copied().fold(DONE, i64::max);
        if best == DONE {
            return None;
        }
        let index = (INDEX_MASK - (best & INDEX_MASK)) as usize;
        keys[index] = DONE;
        Some(index)
    }

    /// Gives back the scratch space.
    #[inline]
    pub(super) fn finish<G: Game, E: Evaluator<G>>(self, tree: &mut Tree<'_, G, E>) {
        tree.work.stack.truncate(self.bottom);
        tree.work.keys.truncate(self.keys);
    }
}
