//! Methods that follow from the rules of any game: lists, copies and texts.

use super::{Game, Shortcuts, Turn};

/// Methods that every game has by its rules.
pub trait GameExt: Game {
    /// The legal moves of the player to move, none if chance acts or the game is over.
    fn legal_moves(&self, state: &Self::State) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        if let Turn::Player(_) = self.turn(state) {
            self.moves(state, &mut moves);
        }
        moves
    }

    /// Whether a move is legal in a position where a player is to move; `buffer` is scratch space.
    /// Every agent's move is checked with this function.
    #[inline]
    fn is_legal(&self, state: &Self::State, mv: Self::Move, buffer: &mut Vec<Self::Move>) -> bool {
        self.shortcuts().legality(state, mv).unwrap_or_else(|| {
            buffer.clear();
            self.moves(state, buffer);
            buffer.contains(&mv)
        })
    }

    /// The position after a legal move or outcome.
    #[inline]
    fn after(&self, state: &Self::State, mv: Self::Move) -> Self::State {
        let mut after = state.clone();
        self.play(&mut after, mv);
        after
    }

    /// The move's text in its canonical form.
    fn move_text(&self, state: &Self::State, mv: Self::Move) -> String {
        let mut text = String::new();
        self.write_move(state, mv, &mut text);
        text
    }
}

impl<G: Game> GameExt for G {}
