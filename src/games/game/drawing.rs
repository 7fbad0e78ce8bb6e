//! How a game's positions look: on the terminal and on pages.

use std::ops::Deref;

use super::{Game, Plain};
use crate::games::picture::Picture;

/// Boards for people. Without them a position looks like its text.
///
/// A game that has them implements this trait for `&Self` and returns itself from
/// [`Game::drawing`].
pub trait Drawing<G: Game>: Copy + Deref<Target = G> {
    /// The board for the terminal: several lines, the last with a newline.
    fn text(self, state: &G::State) -> String {
        format!("{}\n", self.write_position(state))
    }

    /// The position as shapes, for pages; the terminal's board where a game has none.
    fn picture(self, state: &G::State) -> Picture {
        Picture::text(self.text(state))
    }
}

impl<G: Game> Drawing<G> for Plain<'_, G> {}
