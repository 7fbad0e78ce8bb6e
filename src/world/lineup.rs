//! Agents and openings of a run: workers play its games.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use super::adjudication::Adjudication;
use super::any_game::AnyGame;
use super::erased_agent::DynAgent;
use super::openings::{Book, Openings, OpeningsError};
use super::record::{GameRecord, GameSpec, Outcome, SideRecord};
use super::referee::{DynReferee, NewReferee};
use super::texts::MoveTexts;
use crate::engine::{AT_A_TIME, House};
use crate::params::{ParamError, Spec};

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

/// Agents and openings of one experiment, shared by all workers.
pub struct Lineup {
    game: AnyGame,
    setup: Setup,
    openings: u64,
    referees: Box<NewReferee>,
    /// Agents with their numbers that were made sure of and wait for the worker that needs them
    /// first.
    spare: Mutex<Vec<(usize, Box<dyn DynAgent>)>>,
}

impl AnyGame {
    /// Readies agents and openings.
    ///
    /// # Errors
    /// The first agent that cannot be built, or openings that cannot be had.
    pub fn lineup(&self, setup: Setup) -> Result<Arc<Lineup>, SetupError> {
        for (index, spec) in setup.agents.iter().enumerate() {
            self.check_agent(spec).map_err(|error| SetupError::Agent { index, error })?;
        }
        let book = Book::prepare(self, &setup.openings, setup.wanted, setup.seed)?;
        let referees = Arc::clone(&self.0).referees(&book, &setup);
        let (game, openings) = (self.clone(), book.len());
        Ok(Arc::new(Lineup { game, setup, openings, referees, spare: Mutex::default() }))
    }

    /// Whether an agent can be built for this game.
    ///
    /// # Errors
    /// What is wrong with its values here.
    pub fn check_agent(&self, spec: &Spec) -> Result<(), ParamError> {
        self.agent(spec).map(drop)
    }

    /// A player of this game.
    pub(super) fn agent(&self, spec: &Spec) -> Result<Box<dyn DynAgent>, ParamError> {
        Arc::clone(&self.0).agent(spec)
    }
}

impl Lineup {
    /// Number of different openings; the schedule goes round them.
    pub fn openings(&self) -> u64 {
        self.openings
    }

    /// Makes sure that the agents can play at all, where that shows only by trying: programs
    /// from outside are started and greeted, a few at a time. With `keep` the first few stay
    /// alive for the worker that needs them first; the thread that asks must then outlive the
    /// games, since programs end with the thread that has started them.
    ///
    /// Those that cannot, by number; they forfeit their games where the config says so.
    pub fn check(&self, keep: bool) -> Vec<(usize, ParamError)> {
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

    /// One more worker.
    pub fn worker(self: &Arc<Self>) -> Worker {
        let idle = self.setup.agents.iter().map(|_| Vec::new()).collect();
        Worker { lineup: Arc::clone(self), referee: (self.referees)(), idle }
    }

    /// A new agent of that number.
    fn agent(&self, index: usize) -> Box<dyn DynAgent> {
        let Setup { agents, house, .. } = &self.setup;
        let mut agent = (self.game.agent(&agents[index]))
            .expect("every agent was built once when the lineup was set up");
        agent.join(house, house.names.get(index).map_or(&agents[index].kind, |name| name));
        agent
    }
}

/// Plays game after game.
pub struct Worker {
    lineup: Arc<Lineup>,
    referee: Box<dyn DynReferee>,
    /// By agent, made when first needed: one that plays whichever side it is to take, since
    /// an agent may be large, and another where it plays itself.
    idle: Vec<Vec<Box<dyn DynAgent>>>,
}

impl Worker {
    /// Plays the game; its moves are left in `texts`. A panic inside voids the game.
    pub fn play(&mut self, spec: &GameSpec, texts: &mut MoveTexts) -> GameRecord {
        catch_unwind(AssertUnwindSafe(|| self.play_unguarded(spec, texts))).unwrap_or_else(|_| {
            // Whatever the panic left behind must not reach the next game.
            self.release();
            self.referee = (self.lineup.referees)();
            GameRecord {
                spec: *spec,
                outcome: Outcome::Void,
                reason: "panic",
                plies: 0,
                random_words: 0,
                sides: [SideRecord::default(); 2],
            }
        })
    }

    /// Lets go of all agents, with their processes and memory. What is needed is made again.
    pub fn release(&mut self) {
        self.idle.iter_mut().for_each(Vec::clear);
    }

    fn play_unguarded(&mut self, spec: &GameSpec, texts: &mut MoveTexts) -> GameRecord {
        let mut first = self.sit(spec.first);
        let mut second = self.sit(spec.second);
        first.prepare();
        second.prepare();
        let record = self.referee.play(spec, [&mut *first, &mut *second], texts);
        self.idle[spec.first].push(first);
        self.idle[spec.second].push(second);
        record
    }

    /// The agent for a seat: one that is idle, or a new one.
    fn sit(&mut self, agent: usize) -> Box<dyn DynAgent> {
        self.idle[agent].pop().unwrap_or_else(|| {
            let mut spare = self.lineup.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let known = spare.iter().position(|(index, _)| *index == agent);
            let known = known.map(|at| spare.swap_remove(at).1);
            drop(spare);
            known.unwrap_or_else(|| self.lineup.agent(agent))
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.idle.iter_mut().flatten().for_each(|agent| agent.dismiss());
    }
}

impl Drop for Lineup {
    fn drop(&mut self) {
        let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        spare.iter_mut().for_each(|(_, agent)| agent.dismiss());
    }
}
