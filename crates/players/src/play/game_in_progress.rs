//! A game in progress: the current position, the history, random streams, and the end of the game.

use std::sync::Arc;

use super::adjudication::{ADJUDICATED_DRAW, ADJUDICATED_WIN, Judge};
use super::any_game::{AnyGame, AnyMove, AnyState};
use super::game_record::Outcome;
use super::random_streams::Streams;
use crate::agents::{Agent, Fault, GameSoFar, MoveRequest, SearchInfo};
use crate::games::{
    Game, GameExt, Notation, Player, Repetition, Scoring, SyzygyTables, Turn, random_outcome,
    repeats,
};

/// The state of a game in progress, for new games and for replays of records.
pub(super) struct GameInProgress<G: Game> {
    pub game: Arc<G>,
    pub state: G::State,
    /// Keys of the earlier positions, oldest first.
    pub history: Vec<u64>,
    /// Moves of both players from the start, the opening's moves included.
    pub plies: u32,
    /// Plies before the first position, as far as it says so. Rules that count moves add them.
    earlier_plies: u32,
    pub streams: Streams,
    /// Ends games early, if there are adjudication rules.
    pub judge: Judge,
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Move, u32)>,
}

/// A saved state of a game, for undo.
pub(super) struct Snapshot<G: Game> {
    pub state: G::State,
    plies: u32,
    moves: usize,
    words: [u128; 3],
}

impl<G: Game> GameInProgress<G> {
    /// A game at its start.
    pub fn new(game: Arc<G>, streams: Streams) -> Self {
        let state = game.start();
        GameInProgress {
            earlier_plies: game.notation().plies_before(&state),
            state,
            game,
            history: Vec::new(),
            plies: 0,
            streams,
            judge: Judge::default(),
            moves: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// A game for a replay of a record, without random numbers.
    pub fn for_replay(game: &Arc<G>) -> Self {
        GameInProgress::new(Arc::clone(game), Streams::new(0))
    }

    /// Goes to a position and clears the history.
    #[inline]
    pub fn restart(&mut self, state: G::State) {
        self.earlier_plies = self.game.notation().plies_before(&state);
        self.state = state;
        self.history.clear();
        self.plies = 0;
    }

    /// Plays a move or an outcome of chance; returns who acted.
    #[inline]
    pub fn play(&mut self, mv: G::Move) -> Turn {
        let turn = self.game.turn(&self.state);
        self.play_as(turn, mv);
        turn
    }

    /// The same, if the caller knows who acts.
    #[inline]
    pub fn play_as(&mut self, turn: Turn, mv: G::Move) {
        self.history.push(self.game.key(&self.state));
        self.game.play(&mut self.state, mv);
        if turn != Turn::Chance {
            self.plies += 1;
            self.judge.record_material(&*self.game, &self.state);
        }
    }

    /// The end of the game in this position, if the game ends here; a draw after `max_plies` plies.
    #[inline]
    pub fn end(&self, turn: Turn, max_plies: u32) -> Option<(Outcome, &'static str)> {
        let (game, state) = (&*self.game, &self.state);
        match turn {
            Turn::Over => {
                Some((Outcome::of_winner(game.scoring().winner(state)), game.reason(state)))
            }
            Turn::Chance => None,
            Turn::Player(_) => {
                if let Some(reason) = self.ended_by_history() {
                    return Some((Outcome::Draw, reason));
                }
                let plies = self.earlier_plies + self.plies;
                let end = self.judge.verdict(game, state, &self.history, plies);
                end.or_else(|| (self.plies >= max_plies).then_some((Outcome::Draw, "max plies")))
            }
        }
    }

    /// The end of the game by tables, if they have this position after a move.
    ///
    /// # Errors
    /// A table that can no longer be read.
    pub fn end_by_tables(
        &self,
        tables: &SyzygyTables,
    ) -> Result<Option<(Outcome, &'static str)>, String> {
        let Turn::Player(_) = self.game.turn(&self.state) else { return Ok(None) };
        let sign = self.game.scoring().by_tables(&self.state, tables)?;
        Ok(sign.map(|sign| match sign {
            0 => (Outcome::Draw, ADJUDICATED_DRAW),
            1.. => (Outcome::First, ADJUDICATED_WIN),
            _ => (Outcome::Second, ADJUDICATED_WIN),
        }))
    }

    /// The outcome if this player forfeits: a draw if the opponent cannot win.
    pub fn forfeited_by(&self, player: Player) -> Outcome {
        match self.game.scoring().cannot_win(&self.state) {
            Some(other) if other == player.other() => Outcome::Draw,
            _ => Outcome::win_of(player.other()),
        }
    }

    /// The reason for a draw because of earlier positions; a player is to move.
    #[inline]
    fn ended_by_history(&self) -> Option<&'static str> {
        if !repeats::<G>() {
            return None;
        }
        self.game.repetition().ended_by_history(&self.state, &self.history)
    }

    /// Who acts; the game is over if earlier positions end it.
    pub fn turn(&self) -> Turn {
        match self.game.turn(&self.state) {
            Turn::Player(_) if self.ended_by_history().is_some() => Turn::Over,
            turn => turn,
        }
    }

    /// Draws an outcome of chance; it must be the turn of chance.
    #[inline]
    pub fn roll(&mut self) -> G::Move {
        random_outcome(&*self.game, &self.state, &mut self.streams.dice, &mut self.outcomes)
    }

    /// Asks this player's agent for a move.
    #[inline]
    pub fn ask(
        &mut self,
        agent: &mut dyn Agent<G>,
        player: Player,
        search_info: &mut SearchInfo,
        game_so_far: GameSoFar<'_>,
    ) -> Result<G::Move, Box<Fault>> {
        agent.choose(&mut MoveRequest {
            game: &self.game,
            state: &self.state,
            player,
            history: &self.history,
            rng: &mut self.streams.players[player.index()],
            search_info,
            game_so_far,
        })
    }

    /// Whether a move is legal; a player must be to move.
    #[inline]
    pub fn is_legal(&mut self, mv: G::Move) -> bool {
        self.game.is_legal(&self.state, mv, &mut self.moves)
    }

    /// Reads a move or an outcome of chance.
    ///
    /// # Errors
    /// A text that is not legal here, or a game that is over by its rules, in a sentence for
    /// people.
    pub fn read(&self, word: &str) -> Result<G::Move, String> {
        if self.game.turn(&self.state) == Turn::Over {
            return Err(format!("the game is over before `{word}`"));
        }
        self.game.notation().read_move(&self.state, word)
    }

    /// A move in the notation of files.
    pub fn text(&self, mv: G::Move) -> String {
        self.game.move_text(&self.state, mv)
    }

    /// A move in the notation for people.
    pub fn san(&self, mv: G::Move) -> String {
        self.game.notation().san(&self.state, mv)
    }

    pub fn snapshot(&self) -> Snapshot<G> {
        Snapshot {
            state: self.state.clone(),
            plies: self.plies,
            moves: self.history.len(),
            words: self.streams.words(),
        }
    }

    /// Restores an earlier state of this game.
    pub fn undo(&mut self, to: Snapshot<G>) {
        self.state = to.state;
        self.plies = to.plies;
        self.history.truncate(to.moves);
        self.streams.set_words(to.words);
    }
}

/// A position with the moves that lead to it.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The moves and outcomes of chance from the start; empty if a position was given.
    pub moves: Vec<AnyMove>,
    /// The position after the moves.
    pub state: AnyState,
    /// The text of the position, if the opening was given as a position.
    pub position: Option<String>,
}

impl Opening {
    /// The game's start, without moves.
    pub fn start(game: &AnyGame) -> Self {
        Opening { moves: Vec::new(), state: game.start(), position: None }
    }

    /// A position with its text.
    pub fn of_position(state: AnyState, text: String) -> Self {
        Opening { moves: Vec::new(), state, position: Some(text) }
    }

    /// The position before the moves.
    pub fn first_position(&self, game: &AnyGame) -> AnyState {
        if self.position.is_some() { self.state.clone() } else { game.start() }
    }

    /// The moves in the game's notation, or the position.
    pub fn text(&self, game: &AnyGame) -> String {
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

impl GameInProgress<AnyGame> {
    /// A recorded game after its opening, whose text is in the format of `games.csv`.
    ///
    /// # Errors
    /// A text that is not an opening.
    pub fn after_opening(game: &Arc<AnyGame>, text: &str) -> Result<Self, String> {
        let mut played = GameInProgress::for_replay(game);
        played.play_opening(&Opening::of_record(game, text)?);
        Ok(played)
    }

    /// Plays an opening from its first position.
    pub fn play_opening(&mut self, opening: &Opening) {
        self.restart(opening.first_position(&self.game));
        for &mv in &opening.moves {
            self.play(mv);
        }
    }
}

/// The words in the text of a game's moves.
pub(super) fn words(moves: &str) -> impl Iterator<Item = &str> {
    moves.split(' ').filter(|word| !word.is_empty())
}
