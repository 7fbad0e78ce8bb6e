//! A game with its agents and openings, behind one virtual call per game.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use super::adjudication::Adjudication;
use super::grade::{self, Grader, Scale};
use super::live::{self, Live, LiveError, LiveSetup};
use super::openings::{Book, Openings, OpeningsError, opening_of, read};
use super::record::{GameRecord, GameSpec, MoveRecord, Outcome, SideRecord};
use super::referee::Referee;
use super::replay::{self, Frame};
use super::session::{self, Session};
use super::solve::{self, PositionSolver};
use super::transcript::{self, Transcript};
use super::verify::{self, Claim};
use crate::agents::{Agent, Guests, Thought};
use crate::engine::{AT_A_TIME, House};
use crate::games::{Configurable, Drawing, EvaluatorInfo, Game, Notation, Player, Turn, perft};
use crate::params::{Param, ParamError, Spec};

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
    pub onlooker: Option<Sender<Seen>>,
}

/// A move as somebody sees it who looks on.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
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
        if self.onlooker.is_some() {
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
        let seen = Seen {
            opening: self.opening.clone(),
            player,
            text,
            before: game.drawing().text(state),
            after: game.drawing().text(&behind),
            record: last.filter(|record| player.is_some() && record.at == self.moves.len()),
        };
        self.onlooker.iter().for_each(|onlooker| drop(onlooker.send(seen.clone())));
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

/// What a run needs besides the game.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The agents, in the order in which the schedule numbers them.
    pub agents: Vec<Spec>,
    /// Where games begin.
    pub openings: Openings,
    /// How many openings the schedule will ask for.
    pub wanted: u64,
    /// Plies after which a game is adjudicated a draw.
    pub max_plies: u32,
    /// When games end because of how they stand.
    pub adjudication: Adjudication,
    /// The experiment's seed.
    pub seed: u64,
    /// What agents that are programs from outside share.
    pub house: Arc<House>,
}

/// Why a run cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// An agent cannot be built for this game.
    #[error("{error}")]
    Agent {
        /// Its index.
        index: usize,
        /// Why.
        error: ParamError,
    },
    /// The openings cannot be had.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
}

/// A game whose type is forgotten.
pub trait World: Send + Sync {
    /// The registered kind.
    fn kind(&self) -> &'static str;
    /// The evaluators on offer, the default first.
    fn evaluators(&self) -> Vec<EvaluatorInfo>;
    /// What is probably not meant about the game, in sentences for people.
    fn warnings(&self) -> Vec<String>;
    /// What finds exact values of this game's positions.
    ///
    /// # Errors
    /// A game that cannot be solved, with the remedy.
    fn solver(&self) -> Result<Box<dyn PositionSolver>, ParamError>;
    /// What grades moves of this game by exact values.
    ///
    /// # Errors
    /// A game without exact values, with the remedy.
    fn grader(&self) -> Result<Box<dyn Grader>, ParamError>;
    /// What exact values of this game are.
    fn scale(&self) -> Scale;
    /// A recorded game as people write it down, where they do so; both texts as `games.csv`
    /// has them.
    ///
    /// # Errors
    /// Texts that are no game, in a sentence for people.
    fn transcribe(&self, opening: &str, moves: &str) -> Option<Result<Transcript, String>>;
    /// Whether the moves of a recorded game lead to the end that the record claims.
    ///
    /// # Errors
    /// What does not agree, in a sentence for people.
    fn verify(&self, opening: &str, moves: &str, claim: &Claim<'_>) -> Result<(), String>;
    /// Shows every position of a recorded game, given by both texts of `games.csv`, as long as
    /// `see` wants to go on.
    ///
    /// # Errors
    /// Texts that are no game, in a sentence for people.
    fn replay(
        &self,
        opening: &str,
        moves: &str,
        see: &mut dyn FnMut(Frame) -> bool,
    ) -> Result<(), String>;
    /// How many sequences of so many plies begin at the start; see [`perft`].
    fn perft(&self, depth: u32) -> u64;
    /// Whether an agent can be built for this game.
    ///
    /// # Errors
    /// What is wrong with its values here.
    fn check_agent(&self, spec: &Spec) -> Result<(), ParamError>;
    /// The agent as somebody outside asks it.
    ///
    /// # Errors
    /// What is wrong with its values here.
    fn session(&self, agent: &Spec) -> Result<Box<dyn Session>, ParamError>;
    /// An opening of this game as the game writes it, so that the same opening is found out
    /// however it was typed.
    ///
    /// # Errors
    /// What is wrong with the line, for people.
    fn check_opening(&self, line: &str) -> Result<String, String>;
    /// The opening that these moves make, from a position or from the start, as it stands in a
    /// list; `None` where the game is over behind them.
    ///
    /// # Errors
    /// The number of the move, from 0, that is none, and why, for people.
    fn opening_of(
        &self,
        position: Option<&str>,
        moves: &[&str],
    ) -> Result<Option<String>, (usize, String)>;
    /// Whether these openings can be had.
    ///
    /// # Errors
    /// Why not.
    fn check_openings(
        &self,
        source: &Openings,
        wanted: u64,
        seed: u64,
    ) -> Result<(), OpeningsError>;
    /// A legal move after these moves from the position (the start if not given); `None` where no
    /// player is to move. `pick` is its number in the game's order, from 0 and round and round.
    ///
    /// # Errors
    /// What is no position or no legal move, in a sentence for people.
    fn legal_move(
        &self,
        position: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        pick: usize,
    ) -> Result<Option<String>, String>;
    /// What the game takes, in the order in which it is told.
    fn params(&self) -> Vec<Param>;
    /// A game in which people take part.
    ///
    /// # Errors
    /// An agent that cannot play, or a text that is no opening.
    fn live(&self, setup: &LiveSetup) -> Result<Box<dyn Live>, LiveError>;
    /// Readies agents and openings.
    ///
    /// # Errors
    /// The first agent that cannot be built, or openings that cannot be had.
    fn field(self: Arc<Self>, setup: Setup) -> Result<Arc<dyn Field>, SetupError>;
}

/// Agents and openings of one experiment, shared by all workers.
pub trait Field: Send + Sync {
    /// Number of different openings; the schedule goes round them.
    fn openings(&self) -> u64;
    /// Makes sure that the agents can play at all, where that shows only by trying: programs
    /// from outside are started and greeted, a few at a time. With `keep` the first few stay
    /// alive for whichever worker needs them first; the thread that asks must then outlive the
    /// games, since programs end with the thread that has started them.
    ///
    /// Those that cannot, by number; they forfeit their games where the config says so.
    fn ready(&self, keep: bool) -> Vec<(usize, ParamError)>;
    /// A table to play at: one per worker.
    fn table(self: Arc<Self>) -> Box<dyn Table>;
}

/// Where one worker plays, game after game.
pub trait Table {
    /// Plays the game; its moves are left in `texts`. A panic inside voids the game.
    fn play(&mut self, spec: &GameSpec, texts: &mut MoveTexts) -> GameRecord;
    /// Lets go of all agents, with their processes and memory. What is needed is made again.
    fn release(&mut self);
}

/// A game of known type, on its way to being forgotten, and the agents of other programs that
/// may play it.
pub(super) struct Typed<G: Configurable>(pub Arc<G>, pub Arc<Guests>);

impl<G: Configurable> World for Typed<G> {
    fn kind(&self) -> &'static str {
        G::KIND
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        self.0.evaluators()
    }

    fn warnings(&self) -> Vec<String> {
        self.0.warnings()
    }

    fn solver(&self) -> Result<Box<dyn PositionSolver>, ParamError> {
        solve::solver(&self.0)
    }

    fn grader(&self) -> Result<Box<dyn Grader>, ParamError> {
        grade::grader(&self.0)
    }

    fn scale(&self) -> Scale {
        Scale::of(&*self.0)
    }

    fn transcribe(&self, opening: &str, moves: &str) -> Option<Result<Transcript, String>> {
        transcript::transcribe(&*self.0, opening, moves)
    }

    fn verify(&self, opening: &str, moves: &str, claim: &Claim<'_>) -> Result<(), String> {
        verify::verify(&*self.0, opening, moves, claim)
    }

    fn replay(
        &self,
        opening: &str,
        moves: &str,
        see: &mut dyn FnMut(Frame) -> bool,
    ) -> Result<(), String> {
        replay::replay(&*self.0, opening, moves, see)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&*self.0, &self.0.start(), depth)
    }

    fn check_agent(&self, spec: &Spec) -> Result<(), ParamError> {
        self.1.build(&*self.0, spec).map(drop)
    }

    fn session(&self, agent: &Spec) -> Result<Box<dyn Session>, ParamError> {
        session::session(&self.0, &self.1, agent)
    }

    fn check_opening(&self, line: &str) -> Result<String, String> {
        read(&*self.0, line).map(|opening| opening.text(&*self.0))
    }

    fn opening_of(
        &self,
        position: Option<&str>,
        moves: &[&str],
    ) -> Result<Option<String>, (usize, String)> {
        opening_of(&*self.0, position, moves)
    }

    fn check_openings(
        &self,
        source: &Openings,
        wanted: u64,
        seed: u64,
    ) -> Result<(), OpeningsError> {
        Book::prepare(&*self.0, source, wanted, seed).map(drop)
    }

    fn legal_move(
        &self,
        position: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        pick: usize,
    ) -> Result<Option<String>, String> {
        let game = &*self.0;
        let mut state =
            position.map_or_else(|| Ok(game.start()), |text| game.read_position(text))?;
        for text in moves {
            let mv = game.notation().read_move(&state, text)?;
            game.play(&mut state, mv);
        }
        let Turn::Player(_) = game.turn(&state) else { return Ok(None) };
        let mut legal = Vec::new();
        game.moves(&state, &mut legal);
        let mut text = String::new();
        game.write_move(&state, legal[pick % legal.len()], &mut text);
        Ok(Some(text))
    }

    fn params(&self) -> Vec<Param> {
        G::params()
    }

    fn live(&self, setup: &LiveSetup) -> Result<Box<dyn Live>, LiveError> {
        live::live(&self.0, &self.1, setup)
    }

    fn field(self: Arc<Self>, setup: Setup) -> Result<Arc<dyn Field>, SetupError> {
        for (index, spec) in setup.agents.iter().enumerate() {
            self.check_agent(spec).map_err(|error| SetupError::Agent { index, error })?;
        }
        let book = Book::prepare(&*self.0, &setup.openings, setup.wanted, setup.seed)?;
        let (game, guests) = (Arc::clone(&self.0), Arc::clone(&self.1));
        Ok(Arc::new(TypedField { game, guests, book, setup, spare: Mutex::default() }))
    }
}

/// An agent with its number.
type Numbered<G> = (usize, Box<dyn Agent<G>>);

struct TypedField<G: Configurable> {
    game: Arc<G>,
    guests: Arc<Guests>,
    book: Book<G>,
    setup: Setup,
    /// Agents with their numbers that were made sure of and wait for whoever needs them first.
    spare: Mutex<Vec<Numbered<G>>>,
}

impl<G: Configurable> Field for TypedField<G> {
    fn openings(&self) -> u64 {
        self.book.len()
    }

    fn ready(&self, keep: bool) -> Vec<(usize, ParamError)> {
        let house = &self.setup.house;
        let mut failed = Vec::new();
        let all: Vec<usize> = (0..self.setup.agents.len()).collect();
        for few in all.chunks(AT_A_TIME) {
            let mut agents: Vec<_> = few.iter().map(|&index| (index, self.agent(index))).collect();
            agents.iter_mut().for_each(|(_, agent)| agent.prepare());
            let before = failed.len();
            for (index, agent) in &mut agents {
                let Err(error) = agent.ready() else { continue };
                // What agon itself lacks is at no key, and costs no engine anything.
                let forfeits = house.forfeit_start_failures && error.key.is_some();
                if let Some(name) = house.names.get(*index).filter(|_| forfeits) {
                    house.forfeit(name, &error.message);
                }
                failed.push((*index, error));
            }
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            if failed.len() == before && keep && spare.is_empty() {
                *spare = agents;
                continue;
            }
            agents.iter_mut().for_each(|(_, agent)| agent.dismiss());
        }
        failed
    }

    fn table(self: Arc<Self>) -> Box<dyn Table> {
        let idle = self.setup.agents.iter().map(|_| Vec::new()).collect();
        Box::new(TypedTable { referee: self.referee(), field: self, idle })
    }
}

impl<G: Configurable> TypedField<G> {
    fn referee(&self) -> Referee<G> {
        Referee::new(self.setup.seed).adjudicating(self.setup.adjudication)
    }
}

impl<G: Configurable> TypedField<G> {
    /// A new agent of that number.
    fn agent(&self, index: usize) -> Box<dyn Agent<G>> {
        let Setup { agents, house, .. } = &self.setup;
        let mut agent = (self.guests.build(&*self.game, &agents[index]))
            .expect("every agent was built once when the field was set up");
        agent.join(house, house.names.get(index).map_or(&agents[index].kind, |name| name));
        agent
    }
}

struct TypedTable<G: Configurable> {
    field: Arc<TypedField<G>>,
    referee: Referee<G>,
    /// By agent, made when first needed: one that plays whichever side it is to take, since
    /// an agent may be large, and another where it plays itself.
    idle: Vec<Vec<Box<dyn Agent<G>>>>,
}

impl<G: Configurable> Table for TypedTable<G> {
    fn play(&mut self, spec: &GameSpec, texts: &mut MoveTexts) -> GameRecord {
        match catch_unwind(AssertUnwindSafe(|| self.play_unguarded(spec, texts))) {
            Ok(record) => record,
            Err(_) => {
                // Whatever the panic left behind must not reach the next game.
                self.release();
                self.referee = self.field.referee();
                GameRecord {
                    spec: *spec,
                    outcome: Outcome::Void,
                    reason: "panic",
                    plies: 0,
                    random_words: 0,
                    sides: [SideRecord::default(); 2],
                }
            }
        }
    }

    fn release(&mut self) {
        self.idle.iter_mut().for_each(Vec::clear);
    }
}

impl<G: Configurable> TypedTable<G> {
    fn play_unguarded(&mut self, spec: &GameSpec, texts: &mut MoveTexts) -> GameRecord {
        let field = Arc::clone(&self.field);
        let mut first = self.sit(spec.first);
        let mut second = self.sit(spec.second);
        first.prepare();
        second.prepare();
        let record = self.referee.play(
            &field.game,
            &field.book,
            field.setup.max_plies,
            spec,
            [&mut *first, &mut *second],
            texts,
        );
        self.idle[spec.first].push(first);
        self.idle[spec.second].push(second);
        record
    }

    /// The agent for a seat: one that is idle, or a new one.
    fn sit(&mut self, agent: usize) -> Box<dyn Agent<G>> {
        self.idle[agent].pop().unwrap_or_else(|| {
            let mut spare = self.field.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let known = spare.iter().position(|(index, _)| *index == agent);
            let known = known.map(|at| spare.swap_remove(at).1);
            drop(spare);
            known.unwrap_or_else(|| self.field.agent(agent))
        })
    }
}

impl<G: Configurable> Drop for TypedTable<G> {
    fn drop(&mut self) {
        self.idle.iter_mut().flatten().for_each(|agent| agent.dismiss());
    }
}

impl<G: Configurable> Drop for TypedField<G> {
    fn drop(&mut self) {
        let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        spare.iter_mut().for_each(|(_, agent)| agent.dismiss());
    }
}
