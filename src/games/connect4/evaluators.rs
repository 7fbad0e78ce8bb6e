//! What Connect Four offers as knowledge.

use super::layout::Layout;
use super::position::State;
use super::rules::ConnectFour;
use crate::games::game::Player;
use crate::games::grid::Grid;
use crate::games::segments::LineGame;

impl<L: Layout> LineGame for ConnectFour<L> {
    type Board = u64;

    #[inline]
    fn grid(&self) -> &Grid<u64> {
        self.layout.grid()
    }

    #[inline]
    fn stones(&self, state: &State) -> [u64; 2] {
        [state.stones(Player::First), state.stones(Player::Second)]
    }
}
