//! The solver of a game whose rules are a program: full search, with a warning if it takes long.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::games::{EndlessPlay, Exact, ExactSolver, FullSearch, Game, GameExt, Symmetry};

pub(super) struct ProgramSolver<G: Game> {
    pub search: FullSearch<G>,
    /// Leaves the current game, because this position can come back.
    pub leave: fn(&G, &G::State) -> !,
}

/// The time in which positions are counted before a full search.
const COUNTING: Duration = Duration::from_secs(1);

impl<G: Game> ExactSolver<G> for ProgramSolver<G> {
    fn value(&mut self, game: &G, state: &G::State) -> Exact {
        let found = self.search.value_of_ending(game, state);
        found.unwrap_or_else(|EndlessPlay(state)| (self.leave)(game, &state))
    }

    fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// The size of the game is unknown, so positions are counted for a moment.
    fn takes_long(&self, game: &G, state: &G::State, _: bool) -> Option<String> {
        let begin = Instant::now();
        let (mut seen, mut open) = (HashSet::new(), vec![state.clone()]);
        let mut moves = Vec::new();
        while let Some(state) = open.pop() {
            if !seen.insert(game.symmetry().canonical_image(&state).0) {
                continue;
            }
            if begin.elapsed() > COUNTING {
                return Some(format!(
                    "more than {} positions can follow, and a full search visits each of them",
                    seen.len()
                ));
            }
            moves.clear();
            // Of a chance node, these are its outcomes.
            game.moves(&state, &mut moves);
            open.extend(moves.iter().map(|&mv| game.after(&state, mv)));
        }
        None
    }
}
