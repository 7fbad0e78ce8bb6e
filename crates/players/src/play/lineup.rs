//! The agents and openings of a run, and the workers that play its games.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::adjudication::{Adjudication, SyzygyRule};
use super::any_game::{AnyGame, DynAgent, DynReferee, RefereeSettings};
use super::game_record::{GameRecord, GameSpec, Outcome, SideRecord};
use super::game_transcript::GameTranscript;
use super::moves_as_text::MoveTexts;
use super::opening_book::OpeningBook;
use crate::agents::{ExternalAgent, FaultKind, log_name, unavailable_wait};
use crate::engine::{EngineContext, MAX_CONCURRENT_STARTS, greet_in_groups};
use crate::games::SyzygyTables;
use crate::params::{ParamError, Spec};
use crate::play::luck::choice_reader::reporting;
use crate::play::luck::luck_meter::{LuckMeter, LuckSettings};
use crate::play::openings::make_openings::{Openings, OpeningsError};
use crate::rules_program::RulesFailure;
use crate::stats::tuning::Sides;
use crate::util::locks::lock;

/// The settings of a run, apart from the game.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The agents, in the order of the schedule's numbers.
    pub agents: Vec<Spec>,
    /// The source of the openings.
    pub openings: Openings,
    /// The number of openings that the schedule needs.
    pub wanted: u64,
    /// Whether fewer openings are sufficient, because the schedule repeats them.
    pub fewer_openings: bool,
    /// The number of plies after which a game is adjudicated a draw.
    pub max_plies: u32,
    /// The cost of all games of the run that no game may exceed.
    pub max_cost: Option<f64>,
    pub adjudication: Adjudication,
    /// The tables that decide games.
    pub syzygy: Option<SyzygyRule>,
    /// How luck is measured; `None`: not at all.
    pub luck: Option<LuckSettings>,
    /// The keys of the parameters that a tune sets in the first two agents, with their smallest
    /// and largest values.
    pub tuned: Vec<(String, f64, f64)>,
    pub seed: u64,
    /// The context that external engines share.
    pub engine_context: Arc<EngineContext>,
}

/// Why a run cannot start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// An agent cannot be built for this game.
    #[error("{error}")]
    Agent { index: usize, error: ParamError },
    /// The luck of this game cannot be measured.
    #[error("{0}")]
    Luck(ParamError),
    /// The tables that decide games are missing or damaged.
    #[error("{0}")]
    Tables(ParamError),
    /// The openings cannot be made.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
}

/// The agents and openings of one experiment, shared by all workers.
pub struct Lineup {
    game: AnyGame,
    setup: Setup,
    book: Arc<OpeningBook<AnyGame>>,
    tables: Option<Arc<SyzygyTables>>,
    /// By agent: whether the luck of its own random choices is measured.
    reports: Vec<bool>,
    /// Agents for the workers that need them: those that were checked, and those that all workers
    /// share.
    spare_agents: Mutex<Vec<SpareAgent>>,
}

/// An agent that waits for a worker.
struct SpareAgent {
    index: usize,
    /// The values of the tune with which it was built.
    sides: Option<Arc<Sides>>,
    agent: Box<dyn DynAgent>,
}

impl AnyGame {
    /// Prepares agents and openings.
    ///
    /// # Errors
    /// The first agent that cannot be built, tables that cannot be opened, or openings that cannot
    /// be made.
    pub fn lineup(&self, setup: Setup) -> Result<Arc<Lineup>, SetupError> {
        for (index, spec) in setup.agents.iter().enumerate() {
            self.check_agent(spec).map_err(|error| SetupError::Agent { index, error })?;
        }
        let mut reports = vec![false; setup.agents.len()];
        if let Some(luck) = &setup.luck {
            self.check_luck(luck, &setup.agents).map_err(SetupError::Luck)?;
            reports = reporting(self, &setup.agents, tuned_agents(&setup));
        }
        let open = |rule: &SyzygyRule| SyzygyTables::open(&rule.folders, rule.pieces);
        let tables = setup.syzygy.as_ref().map(open).transpose().map_err(SetupError::Tables)?;
        let tables = tables.map(Arc::new);
        let prepare = |wanted| OpeningBook::prepare(self, &setup.openings, wanted, setup.seed);
        let book = match prepare(setup.wanted) {
            Err(OpeningsError::TooFew { available, .. })
                if setup.fewer_openings && available > 0 =>
            {
                prepare(available)?
            }
            book => book?,
        };
        let (game, book, spare_agents) = (self.clone(), Arc::new(book), Mutex::default());
        Ok(Arc::new(Lineup { game, setup, book, tables, reports, spare_agents }))
    }

    /// Checks that an agent can be built for this game.
    ///
    /// # Errors
    /// A problem with the agent's values for this game.
    pub fn check_agent(&self, spec: &Spec) -> Result<(), ParamError> {
        self.agent(spec).map(drop)
    }

    /// Builds an agent for this game.
    pub(super) fn agent(&self, spec: &Spec) -> Result<Box<dyn DynAgent>, ParamError> {
        Arc::clone(&self.0).agent(spec)
    }
}

/// The number of agents that a tune changes: its two sides.
fn tuned_agents(setup: &Setup) -> usize {
    if setup.tuned.is_empty() { 0 } else { 2 }
}

impl Lineup {
    /// Number of different openings; the schedule repeats them in order.
    pub fn openings(&self) -> u64 {
        self.book.len()
    }

    /// The cost of all games of the run that no game may exceed.
    pub fn max_cost(&self) -> Option<f64> {
        self.setup.max_cost
    }

    /// Checks that the agents can play, as far as only a test can show this: external engines are
    /// started and greeted. With `keep`, the first few agents stay alive for the first workers that
    /// need them. The calling thread must then outlive the games, because engines end with the
    /// thread that started them.
    ///
    /// Agents that are tuned are started with the largest and with the smallest values.
    ///
    /// Returns the agents that failed, by number. They forfeit their games if the config says so.
    pub fn check(&self, keep: bool) -> Vec<(usize, ParamError)> {
        let Setup { engine_context, tuned, .. } = &self.setup;
        let kept = if keep && tuned.is_empty() { MAX_CONCURRENT_STARTS } else { 0 };
        let ends: [Vec<f64>; 2] = [
            tuned.iter().map(|(_, _, max)| *max).collect(),
            tuned.iter().map(|(_, min, _)| *min).collect(),
        ];
        let failed = Mutex::new(Vec::new());
        let check = |index: usize, mut agent: Box<dyn DynAgent>| {
            let checked = agent.external().map_or(Ok(()), ExternalAgent::check);
            let mut spare = lock(&self.spare_agents);
            match checked {
                Ok(()) if spare.len() < kept => {
                    return spare.push(SpareAgent { index, sides: None, agent });
                }
                Ok(()) => {}
                Err(error) => lock(&failed).push((index, error)),
            }
            drop(spare);
            shutdown(&mut *agent);
        };
        let start = |index: usize| {
            let mut agent = self.agent(index, ends.get(index));
            let Some(external) = agent.external() else {
                check(index, agent);
                return None;
            };
            external.start_for_check();
            Some(agent)
        };
        for (index, error) in greet_in_groups(self.setup.agents.len(), start, check) {
            let message = format!("cannot start a thread: {error}");
            let help = "end other programs, or raise the limit on processes (`ulimit -u`)";
            lock(&failed).push((index, ParamError::new(message, help)));
        }
        let mut failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.sort_by_key(|&(index, _)| index);
        for (index, error) in &failed {
            // An error without a key means that agon lacks a resource. It costs no engine a game.
            let forfeits = engine_context.forfeit_start_failures && error.key.is_some();
            if let Some(name) = engine_context.agent_names.get(*index).filter(|_| forfeits) {
                engine_context.forfeit(name, &error.message);
            }
        }
        failed
    }

    pub fn worker(self: &Arc<Self>) -> LineupWorker {
        let idle = self.setup.agents.iter().map(|_| Vec::new()).collect();
        LineupWorker {
            lineup: Arc::clone(self),
            referee: self.referee(),
            idle,
            sides: None,
            shared: Vec::new(),
            transcript: None,
            luck_meter: None,
        }
    }

    fn referee(&self) -> Box<dyn DynReferee> {
        let Setup { seed, max_plies, adjudication, agents, engine_context, .. } = &self.setup;
        let settings = RefereeSettings {
            seed: *seed,
            max_plies: *max_plies,
            adjudication: *adjudication,
            tables: &self.tables,
            agents,
            engine_context,
        };
        self.game.referee(&self.book, &settings)
    }

    /// A new agent with this number, and with these values of the tuned parameters.
    fn agent(&self, index: usize, values: Option<&Vec<f64>>) -> Box<dyn DynAgent> {
        let Setup { agents, engine_context, tuned, .. } = &self.setup;
        let mut spec = agents[index].clone();
        for ((key, ..), value) in tuned.iter().zip(values.into_iter().flatten()) {
            spec.set_number(key, *value);
        }
        let mut agent = (self.game.agent(&spec))
            .expect("every agent was built once when the lineup was set up");
        if let Some(external) = agent.external() {
            let name = engine_context.agent_names.get(index).unwrap_or(&agents[index].kind);
            external.attach(engine_context, name);
        }
        agent
    }
}

/// Starts the agent's external program early, if it has one.
fn prepare(agent: &mut dyn DynAgent) {
    agent.external().into_iter().for_each(ExternalAgent::prepare);
}

/// Asks the external programs of both agents to get ready at the same time, so that both have one
/// deadline. Programs that have just been started are greeted by threads of their own.
fn get_ready(first: &mut dyn DynAgent, second: &mut dyn DynAgent) {
    let (Some(one), Some(other)) = (first.external(), second.external()) else { return };
    one.announce_game();
    other.announce_game();
    if !one.is_starting() && !other.is_starting() {
        return;
    }
    std::thread::scope(|scope| {
        let wait = || second.external().into_iter().for_each(ExternalAgent::await_ready);
        // Without a thread, the program is waited for when its game begins.
        let _thread = std::thread::Builder::new().spawn_scoped(scope, wait);
        first.external().into_iter().for_each(ExternalAgent::await_ready);
    });
}

/// Begins to shut the agent's external program down, if it has one.
fn shutdown(agent: &mut dyn DynAgent) {
    agent.external().into_iter().for_each(ExternalAgent::shutdown);
}

/// Plays the games of a run, one after the other.
pub struct LineupWorker {
    lineup: Arc<Lineup>,
    referee: Box<dyn DynReferee>,
    /// By agent: idle instances, built on demand. One instance plays either side, because an agent
    /// may be large. Games of an agent against itself need a second one.
    idle: Vec<Vec<Box<dyn DynAgent>>>,
    /// The values of both sides of a tune in this round.
    sides: Option<Arc<Sides>>,
    /// By agent: whether all workers share its instances. Empty: none.
    shared: Vec<bool>,
    /// The transcript of the game, if the run keeps transcripts.
    transcript: Option<GameTranscript>,
    /// Built for the first game if luck is measured.
    luck_meter: Option<LuckMeter>,
}

impl LineupWorker {
    /// Plays the game and leaves its moves in `texts`. A panic inside voids the game, and so does a
    /// failure of the rules.
    pub fn play(&mut self, spec: &GameSpec, texts: &mut MoveTexts) -> GameRecord {
        let played = catch_unwind(AssertUnwindSafe(|| self.play_unguarded(spec, texts)));
        played.unwrap_or_else(|payload| {
            // State from the panic must not reach the next game.
            self.release();
            self.referee = self.lineup.referee();
            self.luck_meter = None;
            let reason = match RulesFailure::of_payload(payload) {
                Ok(failure) => self.failed_rules(spec, &failure, texts).reason(),
                Err(_) => "panic",
            };
            GameRecord {
                spec: *spec,
                outcome: Outcome::Void,
                reason,
                plies: 0,
                rng_draws: 0,
                luck: None,
                sides: [SideRecord::default(); 2],
            }
        })
    }

    /// Writes down why there is no game, and returns whose fault it is.
    fn failed_rules(
        &self,
        spec: &GameSpec,
        failure: &RulesFailure,
        texts: &mut MoveTexts,
    ) -> FaultKind {
        if failure.is_shortage {
            texts.fault.clone_from(&failure.what);
            return FaultKind::Shortage;
        }
        texts.fault = failure.to_string();
        let log = format!("# game {}: {failure}\n{}", spec.game, failure.transcript);
        self.lineup.setup.engine_context.log(&log_name("rules", spec.game), "rules", log);
        FaultKind::Rules
    }

    /// How long this game waits at most for providers of its engines.
    pub fn unavailable_wait(&self, spec: &GameSpec) -> Duration {
        let agents = &self.lineup.setup.agents;
        unavailable_wait(&agents[spec.first]).max(unavailable_wait(&agents[spec.second]))
    }

    /// Lets all workers share the instances of these agents, because few of them play at once.
    pub fn share(&mut self, agents: Vec<bool>) {
        self.shared = agents;
    }

    /// Writes the transcript of a game with all its attempts, if the config asks for it. `number` is
    /// the number of the game in its pairing, from 0.
    pub fn end_transcript(&mut self, spec: &GameSpec, number: u64) {
        let Some(transcript) = self.transcript.take() else { return };
        let context = &self.lineup.setup.engine_context;
        let Some(folder) = &context.transcripts else { return };
        if transcript.is_kept(context.kept_transcripts, number) {
            let names = [spec.first, spec.second].map(|agent| &*context.agent_names[agent]);
            if let Err(error) = transcript.write(folder, spec, names) {
                let why = format!("the transcript of game {} is not written: {error}", spec.game);
                context.record_transcript_fault(why);
            }
        }
    }

    /// Sets the values that the first two agents have from the next game on.
    pub fn set_sides(&mut self, sides: &Arc<Sides>) {
        if !self.sides.as_ref().is_some_and(|known| Arc::ptr_eq(known, sides)) {
            for idle in self.idle.iter_mut().take(sides.len()) {
                idle.drain(..).for_each(|mut agent| shutdown(&mut *agent));
            }
            self.sides = Some(Arc::clone(sides));
        }
    }

    /// Drops all agents, with their processes and memory. Agents are built again on demand.
    pub fn release(&mut self) {
        self.idle.iter_mut().for_each(Vec::clear);
    }

    fn play_unguarded(&mut self, spec: &GameSpec, texts: &mut MoveTexts) -> GameRecord {
        let mut first = self.take_agent(spec.first);
        let mut second = self.take_agent(spec.second);
        prepare(&mut *first);
        prepare(&mut *second);
        get_ready(&mut *first, &mut *second);
        texts.choices.sides = [spec.first, spec.second].map(|agent| self.lineup.reports[agent]);
        let mut record = self.referee.play(spec, [&mut *first, &mut *second], texts);
        if self.lineup.setup.engine_context.transcripts.is_some() {
            let lines = [&mut first, &mut second].map(|agent| {
                agent.external().map_or(Vec::new(), |program| program.take_transcript())
            });
            self.transcript.get_or_insert_default().add(record, lines);
        }
        self.keep(spec.first, first);
        self.keep(spec.second, second);
        if record.outcome != Outcome::Void {
            record.luck = self.luck(texts);
        }
        record
    }

    /// The first player's luck in this game, in billionths of a point.
    fn luck(&mut self, texts: &MoveTexts) -> Option<i64> {
        let Lineup { game, setup, .. } = &*self.lineup;
        let settings = setup.luck.as_ref().filter(|settings| !settings.is_fitted())?;
        let meter = self.luck_meter.get_or_insert_with(|| {
            game.luck_meter(settings).expect("a meter was built when the lineup was set up")
        });
        meter.billionths(&texts.opening, &texts.moves, &texts.choices).ok()
    }

    /// Keeps an agent for the next game.
    fn keep(&mut self, index: usize, agent: Box<dyn DynAgent>) {
        match self.shared.get(index) {
            Some(true) => {
                let sides = self.sides_of(index).cloned();
                lock(&self.lineup.spare_agents).push(SpareAgent { index, sides, agent });
            }
            _ => self.idle[index].push(agent),
        }
    }

    /// The values of both sides of a tune, if this agent is one of them.
    fn sides_of(&self, agent: usize) -> Option<&Arc<Sides>> {
        self.sides.as_ref().filter(|sides| agent < sides.len())
    }

    /// The agent for a seat: an idle instance or a new one.
    fn take_agent(&mut self, agent: usize) -> Box<dyn DynAgent> {
        if let Some(idle) = self.idle[agent].pop() {
            return idle;
        }
        let sides = self.sides_of(agent);
        let mut spare = lock(&self.lineup.spare_agents);
        let known = spare.iter().position(|spare| spare.index == agent);
        let known = known.map(|at| spare.swap_remove(at));
        drop(spare);
        if let Some(mut known) = known {
            if known.sides.as_ref() == sides {
                return known.agent;
            }
            // Its values are those of another round.
            shutdown(&mut *known.agent);
        }
        self.lineup.agent(agent, sides.map(|sides| &sides[agent]))
    }
}

impl Drop for LineupWorker {
    fn drop(&mut self) {
        self.idle.iter_mut().flatten().for_each(|agent| shutdown(&mut **agent));
    }
}

impl Drop for Lineup {
    fn drop(&mut self) {
        let spare = self.spare_agents.get_mut().unwrap_or_else(PoisonError::into_inner);
        spare.iter_mut().for_each(|spare| shutdown(&mut *spare.agent));
    }
}
