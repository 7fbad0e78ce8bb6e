//! Openings of a game of any type, and the book that gives each game its opening.

use rand::rngs::ChaCha8Rng;

use crate::games::{Game, Shortcuts, Symmetry, Turn};

/// A position with the moves that lead to it.
#[derive(Debug, Clone)]
pub struct Opening<G: Game> {
    /// The moves and outcomes of chance from the start; empty if a position was given.
    pub moves: Vec<G::Move>,
    /// The position after the moves.
    pub state: G::State,
    /// The text of the position, if the opening was given as a position.
    pub position: Option<String>,
}

impl<G: Game> Opening<G> {
    /// The position before the moves.
    pub fn first_position(&self, game: &G) -> G::State {
        if self.position.is_some() { self.state.clone() } else { game.start() }
    }

    /// The moves in the game's notation, or the position.
    pub fn text(&self, game: &G) -> String {
        if self.position.is_some() {
            return format!("position {}", game.write_position(&self.state));
        }
        let (mut state, mut text) = (self.first_position(game), String::new());
        for &mv in &self.moves {
            if !text.is_empty() {
                text.push(' ');
            }
            game.write_move(&state, mv, &mut text);
            game.play(&mut state, mv);
        }
        text
    }
}

/// The openings of a run, with access by index in constant time.
pub enum OpeningBook<G: Game> {
    /// Openings from a list, used repeatedly.
    Given(Vec<Opening<G>>),
    /// Random lines, concatenated: `ends[i]` is the end of line `i`.
    Lines {
        /// All moves.
        moves: Vec<G::Move>,
        /// End of each line in `moves`.
        ends: Vec<u32>,
    },
}

impl<G: Game> OpeningBook<G> {
    /// Number of different openings.
    pub fn len(&self) -> u64 {
        match self {
            OpeningBook::Given(list) => list.len() as u64,
            OpeningBook::Lines { ends, .. } => ends.len() as u64,
        }
    }

    /// The opening with this number, from 1.
    #[inline]
    pub fn opening(&self, number: u64) -> OpeningRef<'_, G> {
        let i = (number - 1) as usize;
        match self {
            OpeningBook::Given(list) => {
                let Opening { moves, state, position } = &list[i];
                OpeningRef { moves, position: position.as_deref().map(|text| (state, text)) }
            }
            OpeningBook::Lines { moves, ends } => {
                let begin = if i == 0 { 0 } else { ends[i - 1] as usize };
                OpeningRef { moves: &moves[begin..ends[i] as usize], position: None }
            }
        }
    }

    /// The same book for another type of the same game.
    pub fn map<H: Game>(
        &self,
        mv: &dyn Fn(G::Move) -> H::Move,
        state: &dyn Fn(&G::State) -> H::State,
    ) -> OpeningBook<H> {
        let all = |moves: &[G::Move]| {
            let mut all = Vec::with_capacity(moves.len());
            for &each in moves {
                all.push(mv(each));
            }
            all
        };
        match self {
            OpeningBook::Lines { moves, ends } => {
                OpeningBook::Lines { moves: all(moves), ends: ends.clone() }
            }
            OpeningBook::Given(list) => {
                let mut openings = Vec::with_capacity(list.len());
                for opening in list {
                    openings.push(Opening {
                        moves: all(&opening.moves),
                        state: state(&opening.state),
                        position: opening.position.clone(),
                    });
                }
                OpeningBook::Given(openings)
            }
        }
    }
}

/// An opening of a book.
pub struct OpeningRef<'a, G: Game> {
    /// The moves and outcomes of chance from the first position.
    pub moves: &'a [G::Move],
    /// The first position with its text, if it is not the start.
    pub position: Option<(&'a G::State, &'a str)>,
}

/// Plays `plies` random plies and the outcomes of chance between them. Returns the key of the last
/// position up to symmetry, or `None` if the game ended. Uses the concrete game type for speed,
/// because most lines lead to positions that are already known.
pub(super) fn random_line<G: Game>(
    game: &G,
    state: &mut G::State,
    plies: u32,
    rng: &mut ChaCha8Rng,
    line: &mut Vec<G::Move>,
) -> Option<u64> {
    let mut played = 0;
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    loop {
        let mv = match game.turn(state) {
            Turn::Over => return None,
            // Outcomes of chance after the last ply come from the game's own dice.
            Turn::Player(_) | Turn::Chance if played == plies => {
                return Some(game.symmetry().canonical_key(state));
            }
            Turn::Player(_) => {
                played += 1;
                game.shortcuts().random_move(state, rng, &mut moves)
            }
            Turn::Chance => game.shortcuts().random_outcome(state, rng, &mut outcomes),
        };
        game.play(state, mv);
        line.push(mv);
    }
}
