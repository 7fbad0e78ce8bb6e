//! The move texts of a game in progress, and the events for an observer.

#![deny(missing_docs)]

use std::sync::mpsc::Sender;

use super::game_record::MoveRecord;
use super::random_choices::RandomChoices;
use crate::agents::{GameSoFar, SearchInfo};
use crate::engine::Clock;
use crate::games::{Drawing, Game, GameExt, Notation, Player, Turn};

/// The texts of a game's moves; the memory is reused from game to game.
#[derive(Debug, Default, Clone)]
pub struct MoveTexts {
    /// The opening's moves separated by spaces, or `position` and the position's text.
    pub opening: String,
    /// The agents' moves and the dice between them, separated by spaces.
    pub moves: String,
    /// The data of each move, if moves are logged.
    pub log: Option<Vec<MoveRecord>>,
    /// The random choices of agents that report their probabilities.
    pub choices: RandomChoices,
    /// A description for people, if the game ended by a fault.
    pub fault: String,
    /// The attributes of a game by a referee, in the order of [`AnyGame::attributes`](super::AnyGame::attributes).
    pub attributes: Vec<String>,
    /// Receives an event for each move during the game.
    pub observer: Option<Sender<MoveEvent>>,
}

/// A move, as sent to an observer.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveEvent {
    /// The opening, in the format of [`MoveTexts`].
    pub opening: String,
    /// The player who moved; `None` for an outcome of chance.
    pub player: Option<Player>,
    /// The move in the notation for people.
    pub text: String,
    /// The board before the move.
    pub before: String,
    /// The board after the move.
    pub after: String,
    /// The data of the move, if moves are logged.
    pub record: Option<MoveRecord>,
}

impl MoveTexts {
    /// Empty texts; `log` switches the log of moves on.
    pub fn logging(log: bool) -> Self {
        MoveTexts { log: log.then(Vec::new), ..MoveTexts::default() }
    }

    /// The logged moves, each with its text.
    pub fn logged(&self) -> impl Iterator<Item = (&MoveRecord, &str)> {
        self.log.iter().flatten().map(|record| {
            let rest = self.moves[record.at..].trim_start();
            // Moves are so short that a search for a character would take longer.
            let end = rest.bytes().position(|byte| byte == b' ').unwrap_or(rest.len());
            (record, &rest[..end])
        })
    }

    pub(super) fn begin(&mut self, position: Option<&str>) {
        self.moves.clear();
        self.choices.moves.clear();
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.opening.clear();
        if let Some(position) = position {
            self.opening.push_str("position ");
            self.opening.push_str(position);
        }
    }

    /// The texts for the agents.
    #[inline]
    pub(super) fn game_so_far<'a>(
        &'a self,
        game: u64,
        clocks: &'a [Option<Clock>; 2],
    ) -> GameSoFar<'a> {
        GameSoFar { game, opening: &self.opening, moves: &self.moves, clocks }
    }

    /// Logs the data of the next move.
    #[inline]
    pub(super) fn log_move(&mut self, player: Player, search_info: &SearchInfo, time_ns: u64) {
        let Some(log) = &mut self.log else { return };
        log.push(MoveRecord {
            player,
            at: self.moves.len(),
            nodes: search_info.searched.then_some(search_info.stats.nodes),
            depth: search_info.searched.then_some(search_info.stats.depth),
            value: search_info.value,
            time_ns,
            cutoffs: (search_info.searched)
                .then_some([search_info.stats.cutoffs, search_info.stats.first_cutoffs]),
        });
    }

    #[inline]
    pub(super) fn push<G: Game>(&mut self, game: &G, state: &G::State, mv: G::Move) {
        if self.observer.is_some() {
            self.send_event(game, state, mv);
        }
        append(&mut self.moves, game, state, mv);
    }

    #[cold]
    fn send_event<G: Game>(&self, game: &G, state: &G::State, mv: G::Move) {
        let behind = game.after(state, mv);
        let boards = [game.drawing().text(state), game.drawing().text(&behind)];
        self.send(game.turn(state), game.notation().san(state, mv), boards);
    }

    /// Sends the next move to the observer; an observer that has gone away is ignored.
    fn send(&self, turn: Turn, text: String, [before, after]: [String; 2]) {
        let player = match turn {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let last = self.log.iter().flatten().next_back().copied();
        let record = last.filter(|record| player.is_some() && record.at == self.moves.len());
        let opening = self.opening.clone();
        if let Some(observer) = &self.observer {
            drop(observer.send(MoveEvent { opening, player, text, before, after, record }));
        }
    }

    pub(super) fn push_opening<G: Game>(&mut self, game: &G, state: &G::State, mv: G::Move) {
        append(&mut self.opening, game, state, mv);
    }
}

#[inline]
fn append<G: Game>(out: &mut String, game: &G, state: &G::State, mv: G::Move) {
    if !out.is_empty() {
        out.push(' ');
    }
    game.write_move(state, mv, out);
}
