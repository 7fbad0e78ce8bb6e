//! Alpha-beta: the value of plain minimax for a fraction of its nodes.
//!
//! A node is searched with a window of values that still matter and left as soon as
//! `alpha >= beta` (Knuth and Moore 1975, "An analysis of alpha-beta pruning"),
//! fail-soft. What is added makes it faster and changes no value:
//!
//! - a table of positions met before, used at equal depth, or at any greater one if nothing in the
//!   proof ended at the horizon
//! - move ordering, so that cut-offs come early
//! - iterative deepening: a shallower search orders the next one, and there is an answer
//!   whenever nodes or time run out
//! - wins at once and forced replies, seen by the game without search, and bounds from the
//!   soonest win that is left
//! - null windows for all moves behind the first (Pearl 1980, "Scout: a simple game-searching
//!   algorithm"; Marsland and Campbell 1982), and a narrow window around the last value
//!
//! Two options may change values and say so: late moves are searched less deeply at first, and
//! a node is left where even a pass keeps the bound (Donninger 1993, "Null move and deep
//! search").
//!
//! Where positions can come back (`Repetition::REPEATS`) a repetition is a draw, and then what a
//! position is worth depends on how it was reached: the table may then change values too.
//!
//! There are two inner loops. One is plain: what the textbooks print and what the node
//! counts of the literature mean. The other has a table, ordering and budgets.

mod frontier;
mod null_move;
mod options;
mod ordered;
mod picker;
mod plain;
mod quiescence;
mod root;
mod tree;

use super::answer::Answer;
use super::counters::SearchStats;
use super::limits::Limits;
use super::ordering::Memory;
use super::past::Past;
use super::root::{Goal, Root, Start, answers};
use super::table::Table;
use super::value::Leaves;
use crate::games::{Evaluator, Game};
pub use options::Options;
use tree::{Tree, Work};

/// Whether the machine would give memory for a table of that many megabytes.
pub fn table_fits(megabytes: usize) -> bool {
    Table::fits(megabytes)
}

/// An alpha-beta search with its memory. For games without chance: a chance node is a panic.
///
/// # Examples
/// ```
/// use agon::games::{Configurable, Connect4Standard, Game, Zero};
/// use agon::params::Values;
/// use agon::search::{AlphaBeta, Limits, Options, WIN};
///
/// let game = Connect4Standard::build(&Values::default()).unwrap();
/// let state = game.read_position("112233").unwrap();
/// let mut search = AlphaBeta::new(Zero, Options::default());
/// let answer = search.search(&game, &state, &Limits::depth(3), false);
/// assert_eq!((answer.value, answer.best), (WIN - 1, vec![3]));
/// ```
#[derive(Debug, Clone)]
pub struct AlphaBeta<G: Game, E> {
    leaves: Leaves<E>,
    options: Options,
    work: Work<G>,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A search that knows nothing yet. The table is reserved when it is first used.
    pub fn new(evaluator: E, options: Options) -> Self {
        AlphaBeta {
            leaves: Leaves { evaluator, terminal: options.terminal },
            options,
            work: Work {
                stack: Vec::with_capacity(1024),
                keys: Vec::with_capacity(1024),
                memory: Memory::new(),
                table: Table::new(options.table_mb),
                past: Past::default(),
            },
        }
    }

    /// Forgets everything: no game influences another.
    pub fn new_game(&mut self) {
        self.work.memory.clear();
        self.work.table.new_game();
        self.work.past.remember::<G>(&[]);
    }

    /// Tells the keys of the positions before the one that is searched next, oldest first:
    /// where positions repeat (`Repetition::REPEATS`), coming back to one of them is a draw.
    pub fn remember(&mut self, history: &[u64]) {
        self.work.past.remember::<G>(history);
    }

    answers!(i32);

    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits,
        goal: Goal,
    ) -> Root<G::Move, i32> {
        self.work.table.new_search();
        self.work.past.begin(game, state);
        let AlphaBeta { leaves, options, work } = self;
        let tree = Tree::new(game, leaves, *options, work, limits);
        Start::new(tree, game, state).solve(limits, goal)
    }
}
