//! An agent that is asked by somebody outside: positions come as text, answers go as text.
//!
//! The agent sees what it would see in a match of agon: the position, the keys of those
//! before it, and the random stream of its seat in the game of that number. So it plays the
//! same moves whether it is asked here or by the referee.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::streams::{Role, rewind, root};
use crate::agents::{Agent, Guests, Ply, Thought, Told};
use crate::games::{
    Configurable, Drawing, Notation, Player, Repetition, Scoring, Shortcuts, Turn, random_outcome,
    repeats,
};
use crate::params::{ParamError, Spec};
use crate::search::{Limits, Stop};

/// Where random streams come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seed {
    /// The seed of an experiment.
    Number(u64),
    /// What the generator makes of one.
    Bytes([u8; 32]),
}

impl Seed {
    /// Reads a whole number, or 64 hexadecimal digits.
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

/// What the agent answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The move in the game's notation.
    pub text: String,
    /// Who moved.
    pub player: Player,
    /// What the agent says of its thinking.
    pub thought: Thought,
    /// Random words that it has drawn in this game for this seat.
    pub words: u64,
}

/// A game and an agent, asked for one move after another.
pub trait Session: Send {
    /// Whether the payoff is a score and not only who wins.
    fn scored(&self) -> bool;
    /// Sets where random streams come from and begins them anew.
    fn set_seed(&mut self, seed: Seed);
    /// Begins the random streams of the game of that number.
    fn set_game(&mut self, number: u64);
    /// A new game begins: whatever an earlier one left behind is forgotten.
    fn new_game(&mut self);
    /// Takes the memory that the agent needs, so that no move has to wait for it.
    fn prepare(&mut self);
    /// Sets up a position, the start if none is given, and plays moves and outcomes of
    /// chance, separated by blanks.
    ///
    /// # Errors
    /// What is wrong with the texts; there is no position then.
    fn set_up(&mut self, position: Option<&str>, moves: &str) -> Result<(), String>;
    /// Who acts, nobody where a repetition has ended the game; `None` where the last set-up
    /// failed.
    fn turn(&self) -> Option<Turn>;
    /// Who has won a game that is over, if anybody has.
    fn winner(&self) -> Option<Player>;
    /// What chance decides here, drawn from the dice of this game; `None` where it is not
    /// chance's turn. The position stays as it is.
    fn draw_lots(&mut self) -> Option<String>;
    /// The position as the game writes it, and as it is drawn.
    fn shown(&self) -> Option<(String, String)>;
    /// Asks the agent for a move, after a repetition too; see [`Agent::think_within`] for the
    /// limits.
    ///
    /// # Errors
    /// Where it is not a player's turn, and a fault of the agent.
    fn choose(&mut self, limits: Option<&Limits>, stop: Stop) -> Result<Choice, String>;
}

/// A session of this game.
///
/// # Errors
/// What is wrong with the agent's values here.
pub(super) fn session<G: Configurable>(
    game: &Arc<G>,
    guests: &Arc<Guests>,
    agent: &Spec,
) -> Result<Box<dyn Session>, ParamError> {
    guests.build(&**game, agent)?;
    let seats = [(); 2].map(|()| Seat { agent: None, rng: root(0) });
    let mut session = Typed {
        state: Some(game.start()),
        game: Arc::clone(game),
        guests: Arc::clone(guests),
        spec: agent.clone(),
        seed: Seed::Number(0),
        seats,
        idle: Vec::new(),
        history: Vec::new(),
        known: None,
        buffer: Vec::new(),
        dice: root(0),
        outcomes: Vec::new(),
    };
    session.set_game(1);
    Ok(Box::new(session))
}

/// One side of a game: asked for both, the agent is there twice, as in a match with itself.
struct Seat<G: Configurable> {
    agent: Option<Box<dyn Agent<G>>>,
    rng: ChaCha8Rng,
}

struct Typed<G: Configurable> {
    game: Arc<G>,
    guests: Arc<Guests>,
    spec: Spec,
    seed: Seed,
    seats: [Seat<G>; 2],
    idle: Vec<Box<dyn Agent<G>>>,
    state: Option<G::State>,
    history: Vec<u64>,
    /// The texts that led to the position, so that those that go on from there are cheap.
    known: Option<(Option<String>, String)>,
    buffer: Vec<G::Move>,
    dice: ChaCha8Rng,
    outcomes: Vec<(G::Move, u32)>,
}

impl<G: Configurable> Session for Typed<G> {
    fn scored(&self) -> bool {
        self.game.scoring().numeric_score()
    }

    fn set_seed(&mut self, seed: Seed) {
        let number = self.seats[0].rng.get_stream();
        self.seed = seed;
        self.set_game(number);
    }

    fn set_game(&mut self, number: u64) {
        for (seat, role) in self.seats.iter_mut().zip([Role::First, Role::Second]) {
            seat.rng = ChaCha8Rng::from_seed(self.seed.bytes());
            rewind(&mut seat.rng, role, number);
        }
        self.dice = ChaCha8Rng::from_seed(self.seed.bytes());
        rewind(&mut self.dice, Role::Dice, number);
    }

    fn new_game(&mut self) {
        self.idle.extend(self.seats.iter_mut().filter_map(|seat| seat.agent.take()));
    }

    fn prepare(&mut self) {
        if self.idle.is_empty() && self.seats.iter().all(|seat| seat.agent.is_none()) {
            let mut agent = self.build();
            agent.new_game(&self.game, Player::First);
            self.idle.push(agent);
        }
    }

    fn set_up(&mut self, position: Option<&str>, moves: &str) -> Result<(), String> {
        let rest = match (&self.known, &self.state) {
            (Some((from, played)), Some(_)) if from.as_deref() == position => moves
                .strip_prefix(played.as_str())
                .filter(|rest| played.is_empty() || rest.is_empty() || rest.starts_with(' ')),
            _ => None,
        };
        if rest.is_none() {
            self.history.clear();
            self.state = None;
            self.state = Some(match position {
                Some(text) => self.game.read_position(text)?,
                None => self.game.start(),
            });
        }
        let played = self.play(rest.unwrap_or(moves));
        self.known = match played {
            Ok(()) => Some((position.map(str::to_owned), moves.to_owned())),
            Err(_) => {
                self.state = None;
                None
            }
        };
        played
    }

    fn turn(&self) -> Option<Turn> {
        let state = self.state.as_ref()?;
        let drawn = || self.game.repetition().ended_by_history(state, &self.history).is_some();
        Some(match self.game.turn(state) {
            Turn::Player(_) if repeats::<G>() && drawn() => Turn::Over,
            turn => turn,
        })
    }

    fn winner(&self) -> Option<Player> {
        let state = self.state.as_ref().filter(|state| self.game.turn(state) == Turn::Over)?;
        self.game.scoring().winner(state)
    }

    fn draw_lots(&mut self) -> Option<String> {
        let state = self.state.as_ref().filter(|state| self.game.turn(state) == Turn::Chance)?;
        let mv = random_outcome(&*self.game, state, &mut self.dice, &mut self.outcomes);
        let mut text = String::new();
        self.game.write_move(state, mv, &mut text);
        Some(text)
    }

    fn shown(&self) -> Option<(String, String)> {
        let state = self.state.as_ref()?;
        Some((self.game.write_position(state), self.game.drawing().text(state)))
    }

    fn choose(&mut self, limits: Option<&Limits>, stop: Stop) -> Result<Choice, String> {
        let Some(state) = self.state.clone() else {
            return Err("there is no position".to_owned());
        };
        let player = match self.game.turn(&state) {
            Turn::Player(player) => player,
            Turn::Chance => return Err("chance decides here, and the host plays it".to_owned()),
            Turn::Over => return Err("the game is over".to_owned()),
        };
        let agent = match self.seats[player.index()].agent.take() {
            Some(agent) => agent,
            None => {
                let mut agent = self.idle.pop().unwrap_or_else(|| self.build());
                agent.new_game(&self.game, player);
                agent
            }
        };
        self.ask(agent, &state, player, limits, stop)
    }
}

impl<G: Configurable> Typed<G> {
    fn build(&self) -> Box<dyn Agent<G>> {
        (self.guests.build(&*self.game, &self.spec))
            .expect("the agent was built once when the session began")
    }

    /// Plays moves and outcomes of chance.
    fn play(&mut self, moves: &str) -> Result<(), String> {
        let Some(state) = &mut self.state else { return Ok(()) };
        for (place, word) in moves.split_ascii_whitespace().enumerate() {
            if self.game.turn(state) == Turn::Over {
                return Err(format!("the game is over before `{word}`"));
            }
            let read = self.game.notation().read_move(state, word);
            let mv = read.map_err(|why| format!("move {} `{word}`: {why}", place + 1))?;
            self.history.push(self.game.key(state));
            self.game.play(state, mv);
        }
        Ok(())
    }

    /// Asks the agent, which goes back to its seat unless it has panicked.
    fn ask(
        &mut self,
        mut agent: Box<dyn Agent<G>>,
        state: &G::State,
        player: Player,
        limits: Option<&Limits>,
        stop: Stop,
    ) -> Result<Choice, String> {
        let mut thought = Thought::default();
        let seat = &mut self.seats[player.index()];
        let answer = catch_unwind(AssertUnwindSafe(|| {
            agent.think_within(limits, Some(stop));
            agent.choose(&mut Ply {
                game: &self.game,
                state,
                player,
                history: &self.history,
                rng: &mut seat.rng,
                thought: &mut thought,
                told: Told::nothing(),
            })
        }));
        let Ok(answer) = answer else { return Err("the agent panicked".to_owned()) };
        seat.agent = Some(agent);
        let words = seat.rng.get_word_pos() as u64;
        let mv = answer.map_err(|fault| fault.to_string())?;
        if !self.game.shortcuts().is_legal(state, mv, &mut self.buffer) {
            return Err("the agent chose a move that is not legal".to_owned());
        }
        let mut text = String::new();
        self.game.write_move(state, mv, &mut text);
        Ok(Choice { text, player, thought, words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Values;
    use crate::world::{Registry, World};

    fn world(kind: &str) -> Arc<dyn World> {
        let registry = Registry::builtin();
        registry.game(kind).unwrap().open(&Values::default()).unwrap()
    }

    fn random(kind: &str) -> Box<dyn Session> {
        let spec = Spec { kind: "random".to_owned(), ..Spec::default() };
        world(kind).session(&spec).unwrap()
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
        let stop = Stop::new();
        let mut session = random("tictactoe");
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
        let mut session = random("tictactoe");
        let stop = Stop::new();
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
        let mut dice = random("einstein");
        dice.set_up(None, "").unwrap();
        let lots = dice.draw_lots().expect("an arrangement");
        dice.set_up(None, &lots).expect("the lots can be played");
        assert!(random("pig").draw_lots().is_none());
        assert!(dice.choose(None, stop).unwrap_err().contains("chance"));
    }
}
