//! The texts of a game while it is played, and what an observer sees of it.

use std::sync::mpsc::Sender;

use super::record::MoveRecord;
use crate::agents::Thought;
use crate::games::{Drawing, Game, Notation, Player, Turn};

/// The texts of a game's moves, reused from game to game.
#[derive(Debug, Default, Clone)]
pub struct MoveTexts {
    /// The opening's moves separated by blanks, or `position` and the position's text.
    pub opening: String,
    /// The agents' moves and the dice between them, separated by blanks.
    pub moves: String,
    /// What each move cost, where somebody wants to know.
    pub log: Option<Vec<MoveRecord>>,
    /// What happened, for people, where the game ended by a fault.
    pub fault: String,
    /// Who looks on while the game is played.
    pub observer: Option<Sender<MoveEvent>>,
}

/// A move as somebody sees it who looks on.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveEvent {
    /// The opening, as [`MoveTexts`] has it.
    pub opening: String,
    /// Who moved; chance where it was nobody.
    pub player: Option<Player>,
    /// The move as people write it.
    pub text: String,
    /// The board before it.
    pub before: String,
    /// The board behind it.
    pub after: String,
    /// What it cost, where that is logged.
    pub record: Option<MoveRecord>,
}

impl MoveTexts {
    /// Empty texts, with room for what each move cost if `log`.
    pub fn logging(log: bool) -> Self {
        MoveTexts { log: log.then(Vec::new), ..MoveTexts::default() }
    }

    /// The moves that were logged, each with its text.
    pub fn logged(&self) -> impl Iterator<Item = (&MoveRecord, &str)> {
        self.log.iter().flatten().map(|record| {
            let rest = self.moves[record.at..].trim_start();
            (record, rest.split(' ').next().unwrap_or(rest))
        })
    }

    pub(super) fn begin(&mut self, position: Option<&str>) {
        self.moves.clear();
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.opening.clear();
        if let Some(position) = position {
            self.opening.push_str("position ");
            self.opening.push_str(position);
        }
    }

    /// Notes what the move cost that is pushed next.
    #[inline]
    pub(super) fn note(&mut self, player: Player, thought: &Thought, time_ns: u64) {
        let Some(log) = &mut self.log else { return };
        log.push(MoveRecord {
            player,
            at: self.moves.len(),
            nodes: thought.searched.then_some(thought.stats.nodes),
            depth: thought.searched.then_some(thought.stats.depth),
            value: thought.value,
            time_ns,
            cutoffs: (thought.searched)
                .then_some([thought.stats.cutoffs, thought.stats.first_cutoffs]),
        });
    }

    #[inline]
    pub(super) fn push<G: Game>(&mut self, game: &G, state: &G::State, mv: G::Move) {
        if self.observer.is_some() {
            self.show(game, state, mv);
        }
        append(&mut self.moves, game, state, mv);
    }

    /// Shows the move that is pushed next; that nobody looks on any more is no matter.
    #[cold]
    fn show<G: Game>(&self, game: &G, state: &G::State, mv: G::Move) {
        let (text, mut behind) = (game.notation().san(state, mv), state.clone());
        game.play(&mut behind, mv);
        let player = match game.turn(state) {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let last = self.log.iter().flatten().next_back().copied();
        let seen = MoveEvent {
            opening: self.opening.clone(),
            player,
            text,
            before: game.drawing().text(state),
            after: game.drawing().text(&behind),
            record: last.filter(|record| player.is_some() && record.at == self.moves.len()),
        };
        self.observer.iter().for_each(|observer| drop(observer.send(seen.clone())));
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
