//! Expectimax: averages over chance, and over the moves of an imperfect opponent.
//!
//! [`Expectimax`] is the plain definition and the reference. [`StarExpectimax`] returns the same
//! values, to the last bit, with fewer nodes. It searches with windows as alpha-beta does, and
//! passes them through chance nodes:
//!
//! - **Star1** uses the smallest and the largest value of any position for unsearched children. As
//!   soon as the mean must be outside the window, it skips the rest of a chance node (Ballard 1983,
//!   "The *-minimax search procedure for trees containing chance nodes").
//! - **Star2** first probes one promising move after each outcome. The player to move there can
//!   get at least this value, a bound far better than the extremes. Often the node can be left at
//!   once (Ballard 1983; Hauk, Buro and Schaeffer 2004, "Rediscovering *-minimax search").
//!
//! A uniformly random opponent is a chance node with its moves as outcomes. An epsilon opponent has
//! bounds too. A softmax opponent has none: worse bad moves are chosen so much less often that they
//! can raise the value.
//!
//! Rounding cannot make the two searches differ. A node is left only if its mean, computed from
//! bounds in the same way as from values, is outside the window. Every step of that computation is
//! monotone in floating point too.

mod bounds_table;
mod chance_and_opponent_nodes;
mod choice_nodes;
mod expectimax_root;
mod plain_expectimax;
mod star_bounds;
mod star_options;

use super::iterative_deepening::{Root, RootRequest, Start, answers};
use super::leaves::{Leaves, Terminal, WIN};
use super::move_ordering::Memory;
use super::opponent_model::Opponent;
use super::search_limits::Limits;
use super::search_result::{SearchResult, SearchStats};
use crate::games::{Evaluator, Game, GameExt, MAX_VALUE, Scoring, Turn};
use bounds_table::BoundsTable;
use choice_nodes::{ExpectimaxSearcher, Work};
pub use plain_expectimax::Expectimax;
use star_bounds::Average;
pub use star_options::{Pruning, StarOptions};

impl Pruning {
    /// The default pruning: star2 if bounds are useful, else none. Bounds are useful if game and
    /// evaluator state them, and one of these is true:
    ///
    /// - the opponent is perfect, with cut-offs as in alpha-beta, or
    /// - ends and evaluations have the same scale: a win by outcome is so far above all evaluations
    ///   that it makes bounds of means useless, or
    /// - the evaluator knows the exact value of a roll at the horizon
    ///   ([`Evaluator::outcome_range`]), which then need not be expanded.
    pub fn fit<G: Game, E: Evaluator<G>>(
        game: &G,
        leaves: &Leaves<E>,
        opponent: Opponent,
    ) -> Pruning {
        let outcome = leaves.terminal == Terminal::Outcome && !game.scoring().numeric_score();
        let useful =
            !outcome || opponent == Opponent::Perfect || knows_rolls(game, &leaves.evaluator);
        let stated = stated_bounds(game, leaves).is_some();
        if useful && stated { Pruning::Star2 } else { Pruning::None }
    }
}

/// Whether the evaluator knows the exact value of a roll without examining its outcomes. Tests the
/// first chance node with a known range on the line of first moves.
fn knows_rolls<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E) -> bool {
    const PLIES: usize = 100;
    let mut state = game.start();
    for _ in 0..if game.has_chance() { PLIES } else { 0 } {
        let mv = match game.turn(&state) {
            Turn::Over => return false,
            Turn::Player(_) => game.legal_moves(&state)[0],
            Turn::Chance => {
                if let Some((least, most)) = evaluator.outcome_range(game, &state) {
                    return least == most;
                }
                let mut outcomes = Vec::new();
                game.outcomes(&state, &mut outcomes);
                outcomes[0].0
            }
        };
        game.play(&mut state, mv);
    }
    false
}

/// The smallest and the largest value of a search, from the first player's point of view, if the
/// game and the evaluator state them.
fn stated_bounds<G: Game, E: Evaluator<G>>(game: &G, leaves: &Leaves<E>) -> Option<(i32, i32)> {
    let ends = match leaves.terminal {
        Terminal::Outcome if !game.scoring().numeric_score() => return Some((-WIN, WIN)),
        Terminal::Outcome => Some(game.scoring().payoff_range()?),
        Terminal::Evaluator => None,
    };
    let (low, high) = leaves.evaluator.range(game)?;
    let (least, most) = ends.unwrap_or((low, high));
    Some((low.min(least), high.max(most)))
}

/// An expectimax search with pruning, a table and budgets.
///
/// # Examples
/// ```
/// # use agon_core as agon;
/// use agon::games::{Configurable, Einstein, Game, Notation, Turn, Zero};
/// use agon::params::{Value, Values};
/// use agon::search::{Limits, Opponent, StarExpectimax, StarOptions};
///
/// let mut values = Values::default();
/// values.set("size", Value::Int(3));
/// values.set("arrangement", Value::Text("123".to_owned()));
/// let game = Einstein::build(&values).unwrap();
/// let mut state = game.start();
/// let die = game.notation().read_move(&state, "d1").unwrap();
/// game.play(&mut state, die);
/// let options = StarOptions { opponent: Opponent::Perfect, ..StarOptions::default() };
/// let mut search = StarExpectimax::new(Zero, options);
/// let answer = search.search(&game, &state, &Limits::depth(3), false);
/// assert_eq!(answer.best.len(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct StarExpectimax<G: Game, E> {
    leaves: Leaves<E>,
    options: StarOptions,
    work: Work<G>,
}

impl<G: Game, E: Evaluator<G>> StarExpectimax<G, E> {
    /// A search with empty memory. The table is allocated on first use.
    pub fn new(evaluator: E, options: StarOptions) -> Self {
        StarExpectimax {
            leaves: Leaves { evaluator, terminal: options.terminal },
            work: Work {
                moves: Vec::new(),
                keys: Vec::new(),
                outcomes: Vec::new(),
                ways: Vec::new(),
                average: Average::default(),
                memory: Memory::new(),
                table: BoundsTable::new(options.table_mb),
            },
            options,
        }
    }

    /// Clears the memory, so that no game influences another.
    pub fn new_game(&mut self) {
        self.work.memory.clear();
        self.work.table.new_game();
    }

    answers!(f64);

    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits,
        goal: RootRequest,
    ) -> Root<G::Move, f64> {
        self.work.table.new_search();
        let StarExpectimax { leaves, options, work } = self;
        // The default bounds are valid for every evaluator and every score.
        let bounds = stated_bounds(game, leaves).unwrap_or((-MAX_VALUE, MAX_VALUE));
        let tree = ExpectimaxSearcher::new(game, leaves, options, work, limits, state, bounds);
        Start::new(tree, game, state).solve(limits, goal)
    }
}
