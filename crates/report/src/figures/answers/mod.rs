//! The figures of agents whose programs may need several answers for a move.

pub(crate) mod cost_table;
pub(crate) mod illegal_moves_table;
