//! The agent around each search: it chooses among the best moves and reports values.

use super::agent_trait::{Agent, Fault, MoveRequest};
use super::search_params::Ties;
use crate::games::{Game, Player};
use crate::search::{Limits, StopSwitch};

/// A search or a solver with its limits.
pub(super) trait Searcher<G: Game>: Send {
    fn new_game(&mut self) {}

    /// See [`Agent::set_limits`].
    fn set_limits(&mut self, _limits: Option<&Limits>, _stop: Option<StopSwitch>) {}

    /// Whether the config limits the time of a move.
    fn is_timed(&self) -> bool {
        false
    }

    /// Returns the best moves, with `ties` all that tie, and reports the search.
    fn search(&mut self, request: &mut MoveRequest<'_, G>, ties: bool) -> Vec<G::Move>;

    fn has_values(&self) -> bool {
        true
    }

    /// See [`Agent::move_values`].
    fn values(&mut self, request: &mut MoveRequest<'_, G>, out: &mut Vec<(G::Move, f64)>);
}

/// An agent that plays the best moves of a search.
struct SearchAgent<G: Game> {
    searcher: Box<dyn Searcher<G>>,
    ties: Ties,
    /// The best moves of the last search.
    best: Vec<G::Move>,
}

pub(super) fn agent<G: Game>(searcher: Box<dyn Searcher<G>>, ties: Ties) -> Box<dyn Agent<G>> {
    Box::new(SearchAgent { searcher, ties, best: Vec::new() })
}

impl<G: Game> Agent<G> for SearchAgent<G> {
    fn new_game(&mut self, _game: &G, _player: Player) {
        self.searcher.new_game();
    }

    fn set_limits(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        self.searcher.set_limits(limits, stop);
    }

    fn choose(&mut self, request: &mut MoveRequest<'_, G>) -> Result<G::Move, Box<Fault>> {
        self.best = self.searcher.search(request, self.ties == Ties::Random);
        Ok(self.best[self.ties.choose(self.best.len(), request.rng)])
    }

    fn has_move_probabilities(&self) -> bool {
        self.ties == Ties::Random && !self.searcher.is_timed()
    }

    fn move_probabilities(&mut self, game: &G, state: &G::State, out: &mut Vec<f64>) {
        self.ties.probabilities(&self.best, game, state, out);
    }

    fn has_move_values(&self) -> bool {
        self.searcher.has_values()
    }

    fn move_values(
        &mut self,
        request: &mut MoveRequest<'_, G>,
        out: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Box<Fault>> {
        self.searcher.values(request, out);
        Ok(())
    }
}
