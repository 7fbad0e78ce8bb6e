//! The solver of m,n,k games and tic-tac-toe on boards of at most 64 cells.
//!
//! The search only asks: does this side complete a line within this many plies? A value needs several
//! questions. Wins of up to eleven plies are searched ply by ply for both sides in turn. Then each
//! side gets one question: a win at any time? If there is a win, the plies increase until the shortest
//! win is found. The winner plays for the shortest win and the loser for the longest.
//!
//! - **Wins, threats, double threats** (`line_scan`). A win is played and a threat is answered. A stone
//!   that leaves two winning cells wins two plies later, if the defender has no threat. The defender
//!   then has two kinds of moves: a cell that stops all such stones, or a threat to win. All other
//!   moves lose in four plies and are not searched.
//! - **Too few plies.** A line that the attacker cannot complete within the plies is dropped with its
//!   cells.
//! - **Light positions** (`line_scan`). A line that lacks n stones has the weight 2⁻ⁿ. Add the weights
//!   of all lines of the attacker. If the sum is less than 1 (one half if the attacker is to move), the
//!   defender always takes the heaviest cell. Then the attacker completes no line (Erdős and Selfridge
//!   1973).
//! - **Pairs** (`pairing_proof`).
//! - **Lifeless cells** are on no line that either side can still complete in time. They are played
//!   last. If longer rows do not win, a stone may spoil a line of its own side, and all cells are
//!   tried.
//! - **Order**: the number of lines through a cell that either side can still complete; each stone on a
//!   line doubles its value.

mod board_lines;
mod line_scan;
mod line_solver;
mod mnk_search;
mod pairing_proof;
mod symmetric_key;

pub use line_solver::LineSolver;
pub(crate) use line_solver::offer;
