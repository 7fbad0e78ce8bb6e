//! Alpha-beta: the value of plain minimax for a fraction of its nodes.
//!
//! A node is searched with a window of relevant values and left as soon as `alpha >= beta` (Knuth
//! and Moore 1975, "An analysis of alpha-beta pruning"), fail-soft. These additions make the search
//! faster and do not change any value:
//!
//! - a transposition table, used at equal depth, or at any greater depth if no line of the proof
//!   ended at the horizon
//! - move ordering, for early cut-offs
//! - iterative deepening: a shallower search orders the moves of the next one, and an answer
//!   exists whenever nodes or time run out
//! - immediate wins and forced replies that the game reports without search, and bounds from the
//!   earliest win that is still possible
//! - null windows for all moves after the first (Pearl 1980, "Scout: a simple game-searching
//!   algorithm"; Marsland and Campbell 1982), and an aspiration window around the last value
//!
//! Two options may change values, as their documentation says: late move reductions, and null-move
//! pruning (Donninger 1993, "Null move and deep search").
//!
//! If positions can repeat (`Repetition::REPEATS`), a repetition is a draw. Then the value of a
//! position depends on the path to it, so the table may change values too.
//!
//! There are two inner loops. The plain loop is the algorithm of the textbooks, with the node
//! counts of the literature. The other loop has a table, move ordering and budgets.

mod alpha_beta_searcher;
mod last_ply;
mod late_move_reductions;
mod move_picker;
mod node_with_all_options;
mod node_without_options;
mod null_move;
mod options;
mod quiescence;
mod root_search;

use super::iterative_deepening::{Root, RootRequest, Start, answers};
use super::leaves::Leaves;
use super::move_ordering::Memory;
use super::repetition_history::RepetitionHistory;
use super::search_limits::Limits;
use super::search_result::{SearchResult, SearchStats};
use super::transposition_table::TranspositionTable;
use crate::games::{Evaluator, Game};
use alpha_beta_searcher::{AlphaBetaSearcher, Work};
pub use options::AlphaBetaOptions;

/// Whether the system can allocate a table of this many megabytes.
pub fn table_fits(megabytes: usize) -> bool {
    TranspositionTable::fits(megabytes)
}

/// An alpha-beta search with its memory. For games without chance: panics on a chance node.
///
/// # Examples
/// ```
/// # use agon_core as agon;
/// use agon::games::{Configurable, Connect4Standard, Game, Zero};
/// use agon::params::Values;
/// use agon::search::{AlphaBeta, Limits, AlphaBetaOptions, WIN};
///
/// let game = Connect4Standard::build(&Values::default()).unwrap();
/// let state = game.read_position("112233").unwrap();
/// let mut search = AlphaBeta::new(Zero, AlphaBetaOptions::default());
/// let answer = search.search(&game, &state, &Limits::depth(3), false);
/// assert_eq!((answer.value, answer.best), (WIN - 1, vec![3]));
/// ```
#[derive(Debug, Clone)]
pub struct AlphaBeta<G: Game, E> {
    leaves: Leaves<E>,
    options: AlphaBetaOptions,
    work: Work<G>,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A search with empty memory. The table is allocated on first use.
    pub fn new(evaluator: E, options: AlphaBetaOptions) -> Self {
        AlphaBeta {
            leaves: Leaves { evaluator, terminal: options.terminal },
            options,
            work: Work {
                stack: Vec::new(),
                keys: Vec::new(),
                memory: Memory::new(),
                table: TranspositionTable::new(options.table_mb),
                past: RepetitionHistory::default(),
            },
        }
    }

    /// Clears the memory, so that no game influences another.
    pub fn new_game(&mut self) {
        self.work.memory.clear();
        self.work.table.new_game();
        self.work.past.remember::<G>(&[]);
    }

    /// Sets the keys of the positions before the next root, oldest first. In games with
    /// `Repetition::REPEATS`, reaching one of them again is a draw.
    pub fn remember(&mut self, history: &[u64]) {
        self.work.past.remember::<G>(history);
    }

    answers!(i32);

    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits,
        goal: RootRequest,
    ) -> Root<G::Move, i32> {
        self.work.table.new_search();
        self.work.past.begin(game, state);
        let AlphaBeta { leaves, options, work } = self;
        let tree = AlphaBetaSearcher::new(game, leaves, *options, work, limits);
        Start::new(tree, game, state).solve(limits, goal)
    }
}
