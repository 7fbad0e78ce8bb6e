//! Lets an external program use an agent: it sends positions as text and receives moves as text.
//!
//! The agent sees the same as in a match of agon: the position, the keys of the earlier positions,
//! and the random stream of its seat and game number. So it plays the same moves here as for the
//! referee.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::Serialize;

use super::any_game::{AnyGame, DynAgent};
use super::game_in_progress::GameInProgress;
use super::random_streams::{Streams, root};
use crate::agents::{GameSoFar, SearchInfo, reports_results};
use crate::games::picture_for_html::Piece;
use crate::games::{Game, GameExt, Player, Turn};
use crate::params::{ParamError, Spec};
use crate::rules_program::RulesFailure;
use crate::search::{Limits, StopSwitch};

/// The source of random streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seed {
    /// The seed of an experiment, as a number.
    Number(u64),
    /// The seed in the form of the generator.
    Bytes([u8; 32]),
}

impl Seed {
    /// Reads an integer, or 64 hexadecimal digits.
    pub fn from_text(text: &str) -> Option<Seed> {
        if let Ok(number) = text.parse() {
            return Some(Seed::Number(number));
        }
        let digits = text.as_bytes();
        let plain = digits.len() == 64 && digits.iter().all(u8::is_ascii_hexdigit);
        let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
        bytes.filter(|_| plain)?.try_into().ok().map(Seed::Bytes)
    }

    fn bytes(self) -> [u8; 32] {
        match self {
            Seed::Number(seed) => root(seed).get_seed(),
            Seed::Bytes(bytes) => bytes,
        }
    }
}

/// The agent's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenMove {
    /// The move in the game's notation.
    pub text: String,
    /// The player who moved.
    pub player: Player,
    /// What the agent reports about its search.
    pub search_info: SearchInfo,
    /// Random words drawn by the agent for this seat in this game.
    pub words: u64,
}

/// What a program without the rules may ask about a position.
#[derive(Serialize)]
struct Facts<'p> {
    /// The cells of the board, row by row from the top; empty if the game has no cells.
    board: Vec<&'p [Piece]>,
    moves: Vec<String>,
    /// With their weights.
    outcomes: Vec<(String, u32)>,
    points: Option<i32>,
    position: String,
    turn: Option<&'static str>,
    winner: Option<&'static str>,
}

/// A game and an agent that answers requests for moves.
pub struct TextSession {
    spec: Spec,
    seed: Seed,
    played: GameInProgress<AnyGame>,
    /// By player: the agent's instance. An agent that plays both sides has two, as in a game
    /// against itself.
    seats: [Option<Box<dyn DynAgent>>; 2],
    idle: Vec<Box<dyn DynAgent>>,
    /// The texts of the current position, so that texts that continue them need little work. `None`
    /// if the last setup failed.
    known: Option<(Option<String>, String)>,
}

impl AnyGame {
    /// Starts a session with an agent for this game.
    ///
    /// # Errors
    /// A problem with the agent's values for this game.
    pub fn session(&self, agent: &Spec) -> Result<TextSession, ParamError> {
        self.check_agent(agent)?;
        let mut session = TextSession {
            spec: agent.clone(),
            seed: Seed::Number(0),
            played: GameInProgress::for_replay(&Arc::new(self.clone())),
            seats: [None, None],
            idle: Vec::new(),
            known: Some((None, String::new())),
        };
        session.set_game(1);
        Ok(session)
    }
}

impl TextSession {
    /// Whether the payoff is a numeric score.
    pub fn has_numeric_score(&self) -> bool {
        self.played.game.numeric_score()
    }

    /// Whether the agent's values are expected results from -1 to 1.
    pub fn reports_results(&self) -> bool {
        reports_results(&self.spec)
    }

    /// Sets the source of random streams and restarts the streams.
    pub fn set_seed(&mut self, seed: Seed) {
        let number = self.played.streams.players[0].get_stream();
        self.seed = seed;
        self.set_game(number);
    }

    /// Starts the random streams of the game with this number.
    pub fn set_game(&mut self, number: u64) {
        self.played.streams = Streams::from_root(self.seed.bytes());
        self.played.streams.rewind(number, number);
    }

    /// Starts a new game; earlier games have no influence.
    pub fn new_game(&mut self) {
        self.idle.extend(self.seats.iter_mut().filter_map(Option::take));
    }

    /// Allocates the agent's memory, so that this does not delay a move.
    pub fn prepare(&mut self) {
        if self.idle.is_empty() && self.seats.iter().all(Option::is_none) {
            let mut agent = self.build();
            agent.new_game(&self.played.game, Player::First);
            self.idle.push(agent);
        }
    }

    /// Sets up a position (`None`: the start) and plays moves and outcomes of chance, separated by
    /// spaces.
    ///
    /// # Errors
    /// The problem with the texts. The session then has no position.
    pub fn set_up(&mut self, position: Option<&str>, moves: &str) -> Result<(), String> {
        RulesFailure::catch(|| self.set_up_unguarded(position, moves))
            .unwrap_or_else(|failure| Err(failure.in_one_line()))
    }

    fn set_up_unguarded(&mut self, position: Option<&str>, moves: &str) -> Result<(), String> {
        let rest = match self.known.take() {
            Some((from, played)) if from.as_deref() == position => moves
                .strip_prefix(played.as_str())
                .filter(|rest| played.is_empty() || rest.is_empty() || rest.starts_with(' ')),
            _ => None,
        };
        if rest.is_none() {
            let game = &self.played.game;
            let start = position.map_or_else(|| Ok(game.start()), |text| game.read_position(text));
            self.played.restart(start?);
        }
        for (place, word) in rest.unwrap_or(moves).split_ascii_whitespace().enumerate() {
            if self.played.game.turn(&self.played.state) == Turn::Over {
                return Err(format!("the game is over before `{word}`"));
            }
            let read = self.played.game.read_move(&self.played.state, word);
            let mv = read.map_err(|why| format!("move {} `{word}`: {why}", place + 1))?;
            self.played.play(mv);
        }
        self.known = Some((position.map(str::to_owned), moves.to_owned()));
        Ok(())
    }

    /// The game, unless the last setup failed.
    fn current_game(&self) -> Option<&GameInProgress<AnyGame>> {
        self.known.as_ref().map(|_| &self.played)
    }

    /// Who acts. The game is over if a repetition has ended it. `None` if the last setup failed.
    pub fn turn(&self) -> Option<Turn> {
        self.current_game().map(GameInProgress::turn)
    }

    /// The winner of a game that is over, if there is one.
    pub fn winner(&self) -> Option<Player> {
        let GameInProgress { game, state, .. } = self.current_game()?;
        if game.turn(state) == Turn::Over { game.winner(state) } else { None }
    }

    /// The first player's payoff if the game ended here. Only some games can tell before the end.
    pub fn payoff(&self) -> Option<i32> {
        self.current_game().map(|GameInProgress { game, state, .. }| game.payoff(state))
    }

    /// Draws an outcome of chance from the dice of this game, and leaves the position unchanged.
    /// `None` if it is not the turn of chance.
    pub fn roll(&mut self) -> Option<String> {
        if self.turn() != Some(Turn::Chance) {
            return None;
        }
        let mv = self.played.roll();
        Some(self.played.text(mv))
    }

    /// The legal moves of the player to move; empty if no player is to move.
    pub fn moves(&self) -> Vec<String> {
        let of_player =
            |played: &&GameInProgress<AnyGame>| matches!(played.turn(), Turn::Player(_));
        let Some(played) = self.current_game().filter(of_player) else { return Vec::new() };
        let moves = played.game.legal_moves(&played.state);
        moves.into_iter().map(|mv| played.text(mv)).collect()
    }

    /// The position as JSON on one line, for programs without the rules.
    pub fn facts(&self) -> Option<String> {
        let GameInProgress { game, state, .. } = self.current_game()?;
        let (turn, mut outcomes) = (self.turn()?, Vec::new());
        if turn == Turn::Chance {
            game.outcomes(state, &mut outcomes);
        }
        let picture = game.drawing().picture(state);
        let facts = Facts {
            board: picture.rows(),
            moves: self.moves(),
            outcomes: outcomes.iter().map(|&(mv, weight)| (self.played.text(mv), weight)).collect(),
            points: (turn == Turn::Over).then(|| game.payoff(state)),
            position: game.write_position(state),
            turn: match turn {
                Turn::Player(player) => Some(player.name()),
                Turn::Chance => Some("chance"),
                Turn::Over => None,
            },
            winner: self.winner().map(Player::name),
        };
        serde_json::to_string(&facts).ok()
    }

    /// The position as text, and as a drawing.
    pub fn shown(&self) -> Option<(String, String)> {
        let GameInProgress { game, state, .. } = self.current_game()?;
        Some((game.write_position(state), game.drawing().text(state)))
    }

    /// Asks the agent for a move, even after a draw by repetition. For the limits see
    /// [`Agent::set_limits`](crate::agents::Agent::set_limits).
    ///
    /// # Errors
    /// No player is to move, or a fault of the agent.
    pub fn choose(
        &mut self,
        limits: Option<&Limits>,
        stop: StopSwitch,
    ) -> Result<ChosenMove, String> {
        let Some(GameInProgress { game, state, .. }) = self.current_game() else {
            return Err("there is no position".to_owned());
        };
        let player = match game.turn(state) {
            Turn::Player(player) => player,
            Turn::Chance => return Err("chance decides here, and the host plays it".to_owned()),
            Turn::Over => return Err("the game is over".to_owned()),
        };
        let mut agent = self.seats[player.index()].take().unwrap_or_else(|| {
            let mut agent = self.idle.pop().unwrap_or_else(|| self.build());
            agent.new_game(&self.played.game, player);
            agent
        });
        let (played, mut search_info) = (&mut self.played, SearchInfo::default());
        let answer = catch_unwind(AssertUnwindSafe(|| {
            agent.set_limits(limits, Some(stop));
            played.ask(&mut *agent, player, &mut search_info, GameSoFar::nothing())
        }));
        // An agent that has panicked is not used again.
        let answer = answer.map_err(|payload| match RulesFailure::of_payload(payload) {
            Ok(failure) => failure.in_one_line(),
            Err(_) => "the agent panicked".to_owned(),
        })?;
        self.seats[player.index()] = Some(agent);
        let mv = answer.map_err(|fault| fault.to_string())?;
        if !played.is_legal(mv) {
            return Err("the agent chose a move that is not legal".to_owned());
        }
        let words = played.streams.words()[player.index()] as u64;
        Ok(ChosenMove { text: played.text(mv), player, search_info, words })
    }

    fn build(&self) -> Box<dyn DynAgent> {
        (self.played.game.agent(&self.spec))
            .expect("the agent was built once when the session began")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Configurable, Einstein, Pig, TicTacToe};
    use crate::params::Values;

    /// A session of the default game of a type. (From the registry, all games would be compiled.)
    fn random<G: Configurable>() -> TextSession {
        let spec = Spec { kind: "random".to_owned(), ..Spec::default() };
        AnyGame::of(G::build(&Values::default()).unwrap()).session(&spec).unwrap()
    }

    #[test]
    fn seeds_are_numbers_or_what_a_generator_makes_of_them() {
        assert_eq!(Seed::from_text("17"), Some(Seed::Number(17)));
        let bytes = root(17).get_seed();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(Seed::from_text(&hex), Some(Seed::Bytes(bytes)));
        assert_eq!(Seed::Bytes(bytes).bytes(), Seed::Number(17).bytes());
        for wrong in ["", "-1", "1.5", "zz", &hex[1..], &format!("+{}", &hex[1..])] {
            assert_eq!(Seed::from_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn streams_are_those_of_the_game_and_the_seat() {
        let stop = StopSwitch::new();
        let mut session = random::<TicTacToe>();
        let mut line = |seed: u64, game: u64| {
            session.set_seed(Seed::Number(seed));
            session.set_game(game);
            session.new_game();
            let mut moves = String::new();
            for _ in 0..5 {
                session.set_up(None, &moves).unwrap();
                let choice = session.choose(None, stop).unwrap();
                moves = format!("{moves} {}", choice.text).trim().to_owned();
            }
            moves
        };
        let first = line(3, 1);
        let others = [line(3, 2), line(4, 1), line(4, 2)];
        assert!(others.iter().all(|other| *other != first));
        assert_eq!(line(3, 1), first);
    }

    #[test]
    fn what_cannot_be_played_leaves_no_position() {
        let mut session = random::<TicTacToe>();
        let stop = StopSwitch::new();
        session.set_up(None, "a1 b2").unwrap();
        session.set_up(None, "a1 b2 c3").unwrap();
        assert_eq!(session.turn(), Some(Turn::Player(Player::Second)));
        assert!(session.set_up(None, "a1 b2 a1").unwrap_err().starts_with("move 3 `a1`: "));
        assert_eq!((session.turn(), session.shown()), (None, None));
        assert!(session.choose(None, stop).is_err());
        assert!(session.set_up(Some("nonsense"), "").is_err());
        session.set_up(None, "a1 a2 b1 b2 c1").unwrap();
        assert_eq!((session.turn(), session.winner()), (Some(Turn::Over), Some(Player::First)));
        assert!(session.choose(None, stop).unwrap_err().contains("over"));
        assert!(session.set_up(None, "a1 a2 b1 b2 c1 c2").is_err());
        let mut dice = random::<Einstein>();
        dice.set_up(None, "").unwrap();
        let arrangement = dice.roll().expect("an arrangement");
        dice.set_up(None, &arrangement).expect("the arrangement can be played");
        assert!(random::<Pig>().roll().is_none());
        assert!(dice.choose(None, stop).unwrap_err().contains("chance"));
    }
}
