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
mod ordered;
mod picker;
mod plain;
mod quiescence;
mod root;
mod tree;

use super::answer::Answer;
use super::counters::SearchStats;
use super::limits::Limits;
use super::ordering::{Memory, Ordering};
use super::past::Past;
use super::root::{Goal, Root, Start, answers};
use super::table::Table;
use super::value::{Leaves, Terminal};
use crate::games::{Evaluator, Game};
use tree::Tree;

/// How an alpha-beta search works, apart from how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How positions that have ended are valued.
    pub terminal: Terminal,
    /// Which moves are tried first.
    pub ordering: Ordering,
    /// With full ordering: try the last two moves that led to a cut-off at the same ply.
    pub killers: bool,
    /// With full ordering: sort by the cut-offs that moves led to elsewhere.
    pub history: bool,
    /// Megabytes (2^20 bytes) of the transposition table; 0 is none.
    pub table_mb: usize,
    /// Whether wins at once and forced replies are seen without search, where the game can
    /// tell (`SearchHints::threat`) and ends are valued by their outcome.
    pub threats: bool,
    /// Whether moves behind the first are only asked if they are better, and searched
    /// again if they are.
    pub pvs: bool,
    /// Half the width of the window around the last depth's value in which the next
    /// depth's value is looked for at first; 0: there is none.
    pub aspiration: i32,
    /// Whether late moves are searched less deeply at first. May change values.
    pub reductions: bool,
    /// Whether noisy moves are followed beyond the horizon.
    pub quiescence: bool,
    /// Whether a node is left where the mover stands so well that even passing
    /// (`SearchHints::pass`) keeps the bound, as a shallower search has it. May change values.
    pub null_move: bool,
}

impl Options {
    /// Nothing but the window: the textbook's algorithm, whose nodes can be compared with
    /// other people's.
    pub const PLAIN: Options = Options {
        terminal: Terminal::Outcome,
        ordering: Ordering::None,
        killers: false,
        history: false,
        table_mb: 0,
        threats: false,
        pvs: false,
        aspiration: 0,
        reductions: false,
        quiescence: false,
        null_move: false,
    };

    /// Everything that is exact and pays, but for the table, whose size is to be chosen.
    pub const FULL: Options = Options {
        ordering: Ordering::Full,
        killers: true,
        history: true,
        threats: true,
        pvs: true,
        ..Options::PLAIN
    };
}

impl Default for Options {
    fn default() -> Self {
        Options::FULL
    }
}

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

/// What a search keeps from node to node, from depth to depth and from move to move.
#[derive(Debug, Clone)]
struct Work<G: Game> {
    /// The moves of all nodes on the path: each node's after its parent's.
    stack: Vec<G::Move>,
    /// How promising they are, with their indices.
    keys: Vec<i64>,
    memory: Memory<G::Move>,
    table: Table,
    past: Past,
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
