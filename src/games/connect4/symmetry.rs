//! The board in a mirror: left and right swapped.

use super::layout::Layout;
use super::position::State;

/// A set of cells with the order of the columns reversed.
#[inline]
pub(super) fn mirror(layout: &impl Layout, cells: u64) -> u64 {
    let (stride, last) = (layout.stride(), layout.columns() - 1);
    let lane = layout.column(0);
    (0..=last).fold(0, |out, c| out | (cells >> (c * stride) & lane) << ((last - c) * stride))
}

/// The position in the mirror.
#[inline]
pub(super) fn mirror_state(layout: &impl Layout, state: &State) -> State {
    State { mover: mirror(layout, state.mover), all: mirror(layout, state.all), ..*state }
}
