//! The mirror symmetry of the board: left and right swapped.

use super::board_layout::BoardLayout;
use super::position::Connect4State;

/// The set of cells with the columns in reverse order.
#[inline]
pub(super) fn mirror(layout: &impl BoardLayout, cells: u64) -> u64 {
    let (stride, last) = (layout.stride(), layout.columns() - 1);
    let lane = layout.column(0);
    (0..=last).fold(0, |out, c| out | (cells >> (c * stride) & lane) << ((last - c) * stride))
}

/// The mirrored position.
#[inline]
pub(super) fn mirror_state(layout: &impl BoardLayout, state: &Connect4State) -> Connect4State {
    Connect4State { mover: mirror(layout, state.mover), all: mirror(layout, state.all), ..*state }
}
