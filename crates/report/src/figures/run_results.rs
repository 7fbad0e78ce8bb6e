//! The results of a run: its counts, its context and its ratings.

#![deny(missing_docs)]

use super::agent_parameter_columns;
use super::ranking::Ranking;
use super::run_facts_for_tables::{RunContext, RunEnd, RunFacts};
use crate::arena::{
    Folder, FolderError, LuckMeters, LuckyGame, Schedule, Tally, luckiest_games, measure_luck,
};
use crate::config::Experiment;
use crate::play::{LuckSettings, Openings};
use crate::stats::LogisticMap;
use crate::stats::ratings::Reference;

/// A description of the experiment, in the words of the config.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// The experiment's name.
    pub name: String,
    /// The question of the experiment.
    pub question: Option<String>,
    /// The game with its parameters, such as `connect4`.
    pub game: String,
    /// The openings, such as `random openings of 4 plies`.
    pub openings: String,
    /// The seed, if known.
    pub seed: Option<u64>,
    /// The number of plies after which a game is a draw, if known.
    pub max_plies: Option<u32>,
    /// The hash of the config, if known.
    pub config_hash: Option<String>,
}

impl Heading {
    /// The first lines of a plan: the question if there is one, and the facts.
    pub(crate) fn first_lines(&self) -> Vec<String> {
        let Heading { name, game, openings, seed, question, .. } = self;
        let seed = seed.unwrap_or_default();
        let facts = format!("{name} · {game} · {openings} · seed {seed}");
        question.clone().into_iter().chain([facts]).collect()
    }

    /// Describes an experiment.
    pub fn of(experiment: &Experiment) -> Self {
        Heading {
            name: experiment.name.clone(),
            question: experiment.question.clone(),
            game: experiment.game_in_words.clone(),
            openings: experiment.openings.to_string(),
            max_plies: Some(experiment.limits.max_plies),
            seed: Some(experiment.seed),
            config_hash: Some(experiment.hash()),
        }
    }
}

/// The data of all tables, of the page and of the verdicts.
#[derive(Debug)]
pub struct Results {
    /// A description of the experiment.
    pub heading: Heading,
    /// The counts.
    pub tally: Tally,
    /// What else is known about the run.
    pub context: RunContext,
    /// The ratings computed from the counts.
    pub ranking: Ranking,
    /// The luckiest games, if luck was measured and they were looked for.
    pub(crate) luckiest: Vec<LuckyGame>,
    /// The fitted maps of the value function that measured luck, for odd and for even pairs.
    #[doc(hidden)]
    pub luck_maps: Option<[LogisticMap; 2]>,
}

impl Results {
    /// Rates the agents.
    pub fn new(heading: Heading, tally: Tally, context: RunContext) -> Self {
        let ranking = Ranking::new(&tally, &context);
        Results { heading, tally, context, ranking, luckiest: Vec::new(), luck_maps: None }
    }

    /// See [`RunContext::fixed_length`].
    pub(crate) fn fixed_length(&self) -> bool {
        self.context.fixed_length(&self.tally)
    }

    /// Finds the luckiest games in the folder of the run. If luck is measured after the games, also
    /// measures it. Does nothing if there is nothing to measure.
    ///
    /// # Errors
    /// An unreadable `games.csv`, or moves that are not a legal game.
    #[doc(hidden)]
    pub fn measure_luck(
        &mut self,
        folder: &Folder,
        experiment: &Experiment,
        settings: Option<&LuckSettings>,
        after_the_games: bool,
    ) -> Result<(), FolderError> {
        let Some(settings) = settings else { return Ok(()) };
        if self.tally.rows == 0 || !(after_the_games || self.tally.has_luck()) {
            return Ok(());
        }
        let mut meters = LuckMeters::new(folder, &self.tally.names, experiment, settings)?;
        if after_the_games {
            measure_luck(folder, &mut self.tally, &mut meters)?;
        }
        self.luckiest = luckiest_games(folder, &self.tally, &mut meters)?;
        self.luck_maps = meters.maps;
        Ok(())
    }

    /// The same for the `[luck]` of an experiment.
    ///
    /// # Errors
    /// See [`measure_luck`](Self::measure_luck).
    #[doc(hidden)]
    pub fn measure_luck_of(
        &mut self,
        folder: &Folder,
        experiment: &Experiment,
    ) -> Result<(), FolderError> {
        let luck = experiment.luck.as_ref();
        let after_the_games = luck.is_some_and(LuckSettings::is_fitted);
        self.measure_luck(folder, experiment, luck, after_the_games)
    }

    /// The results of an experiment. `openings` is the number of openings.
    #[doc(hidden)]
    pub fn of(
        experiment: &Experiment,
        schedule: &Schedule,
        openings: u64,
        tally: Tally,
        facts: RunFacts,
    ) -> Self {
        let context = RunContext {
            programs: experiment.agents.iter().map(|agent| agent.needs.engines > 0).collect(),
            budgets: experiment.agents.iter().map(|agent| agent.needs.budget).collect(),
            kinds: experiment.agents.iter().map(|agent| agent.spec.kind.clone()).collect(),
            parameters: agent_parameter_columns::of_agents(experiment.agents.iter()),
            reference: match experiment.schedule.format.has_fixed_first_agent() {
                true => Reference::Player(0),
                false => Reference::Mean,
            },
            reference_agents: (experiment.agents.iter().enumerate())
                .filter(|(_, agent)| agent.reference)
                .map(|(index, _)| index)
                .collect(),
            ending: match schedule.is_over(&tally) {
                true => RunEnd::Complete,
                false => RunEnd::Stopped,
            },
            length_fixed: experiment.kind.has_fixed_length() && !facts.extended,
            state: schedule.state().clone(),
            verbose: false,
            opening_set: match experiment.openings {
                Openings::Start | Openings::List(_) => Some(openings),
                Openings::Random { .. } => None,
            },
            fault_logs: Some(experiment.output.fault_logs),
            facts,
            scale: Some(experiment.any_game.scale()),
        };
        Results::new(Heading::of(experiment), tally, context)
    }
}
