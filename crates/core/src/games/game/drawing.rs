//! The display of positions in the terminal and on HTML pages.

use std::ops::Deref;

use super::{Game, Plain};
use crate::games::picture_for_html::Picture;

/// Boards for display. Without an implementation, a position is shown as its text.
///
/// A game with boards implements this trait for `&Self` and returns itself from
/// [`Game::drawing`].
pub trait Drawing<G: Game>: Copy + Deref<Target = G> {
    /// The board for the terminal: several lines, the last with a newline.
    fn text(self, state: &G::State) -> String {
        format!("{}\n", self.write_position(state))
    }

    /// The position as shapes, for HTML pages; by default, the terminal's board.
    fn picture(self, state: &G::State) -> Picture {
        Picture::text(self.text(state))
    }

    /// What a person clicks in the picture to play a move: one cell, or the origin and the target.
    /// In a graph, cells are nodes. By default nothing: the move has a button only.
    fn cells(self, _state: &G::State, _mv: G::Move) -> Vec<usize> {
        Vec::new()
    }

    /// Every way to click a move, where its steps can be clicked in several orders: origins and
    /// targets in turns. By default the cells of [`cells`](Self::cells).
    fn click_orders(self, state: &G::State, mv: G::Move) -> Vec<Vec<usize>> {
        vec![self.cells(state, mv)]
    }

    /// The faces of the dice that an outcome of chance rolls. By default none.
    fn dice(self, _mv: G::Move) -> Vec<u8> {
        Vec::new()
    }

    /// The length of the rows that win, if longer rows do not win.
    fn exact_line(self) -> Option<usize> {
        None
    }
}

impl<G: Game> Drawing<G> for Plain<'_, G> {}
