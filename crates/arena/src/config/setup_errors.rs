//! Reports errors that are found when a run is set up, at the key that caused them.

use std::path::Path;
use std::sync::Arc;

use super::command_line_overrides::Overrides;
use super::experiment::Experiment;
use super::loaded_config::{LoadedConfig, read};
use crate::config::sections::openings_section::openings_error;
use crate::config::sections::schedule_section::StartFailure;
use crate::config::tree::diagnostics::{ConfigError, Diagnostic, Problems};
use crate::config::tree::read_toml_table::join;
use crate::engine::EngineContext;
use crate::params::{ParamError, Spec};
use crate::play::{AnyGame, Registry, Setup, SetupError};

/// The error of setting up the experiment of a config, at its place. Reads the config again to find
/// the place.
pub fn setup_error(
    path: &Path,
    overrides: &Overrides,
    registry: &Registry,
    error: &SetupError,
) -> ConfigError {
    match read(path, overrides, registry) {
        Ok(reading) => reading.setup_error(error),
        // The file was changed in the meantime and is now wrong: report that instead.
        Err(error) => error,
    }
}

impl Experiment {
    /// The settings that the game needs to set up the run.
    pub fn setup(&self) -> Setup {
        Setup {
            agents: self.agents.iter().map(|agent| agent.spec.clone()).collect(),
            openings: self.openings.clone(),
            wanted: self.openings_wanted(),
            fewer_openings: self.kind.repeats_openings(),
            max_plies: self.limits.max_plies,
            max_cost: self.limits.max_cost,
            adjudication: self.adjudication,
            syzygy: self.syzygy.clone(),
            luck: self.luck.clone(),
            tuned: (self.kind.tuned().iter().flat_map(|tune| &tune.parameters))
                .map(|(key, range)| (key.clone(), range.min, range.max))
                .collect(),
            seed: self.seed,
            engine_context: Arc::new(self.engine_context()),
        }
    }

    /// The context that the engines of this run share.
    pub fn engine_context(&self) -> EngineContext {
        let mut engine_context = engine_context_of(&self.game, &self.any_game);
        engine_context.agent_names = self.agent_names();
        engine_context.max_logs = self.output.fault_logs;
        engine_context.kept_transcripts = self.output.transcripts;
        engine_context.forfeit_start_failures =
            self.schedule.on_start_failure == StartFailure::Forfeit;
        engine_context
    }
}

/// The facts about the game that engines need.
pub fn engine_context_of(game: &Spec, any_game: &AnyGame) -> EngineContext {
    let params: Vec<String> =
        game.values.0.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut engine_context = EngineContext::default();
    engine_context.game.clone_from(&game.kind);
    engine_context.params = params.join(",");
    engine_context.facts = any_game.engine_facts();
    engine_context
}

impl LoadedConfig {
    /// The error of setting up this experiment, at its place in the config.
    pub fn setup_error(&self, error: &SetupError) -> ConfigError {
        let diagnostic = match error {
            SetupError::Agent { index, error } => match self.agents.get(*index) {
                Some(agent) => super::check_specs::from_param(error, &agent.table, &agent.path),
                None => Diagnostic::new(error.to_string()),
            },
            SetupError::Tables(error) => {
                let section = self.tree.table("adjudication").unwrap_or(&self.tree);
                super::check_specs::from_param(error, section, "adjudication")
            }
            SetupError::Luck(error) => Diagnostic::new(error.message.clone()),
            SetupError::Openings(error) => {
                openings_error(error, &self.tree, &self.experiment.pairings())
            }
        };
        ConfigError::one(self.sources.clone(), diagnostic)
    }

    /// The error of agents that cannot play: all of them, by number, each at its place.
    pub fn start_error(&self, failed: &[(usize, ParamError)]) -> ConfigError {
        let mut problems = Problems::default();
        for (index, error) in failed {
            let (agent, name) = (&self.agents[*index], &self.experiment.agents[*index].name);
            let mut diagnostic = super::check_specs::from_param(error, &agent.table, &agent.path);
            diagnostic.message = format!("`{name}` does not start: {}", error.message);
            problems.report(diagnostic);
        }
        problems.into_error(self.sources.clone())
    }

    /// The error of a run whose tables and trees need more memory than there is. Memory is in
    /// megabytes. `largest` is the agent that needs most. `each` is its memory in each worker.
    /// `fitting` is the number of workers for which there is enough.
    pub fn memory_error(
        &self,
        total: u64,
        available: u64,
        (largest, each): (usize, u64),
        workers: u64,
        fitting: u64,
    ) -> ConfigError {
        let message = format!(
            "the agents may take up to {total} MB of memory for their tables and trees, but \
             only {available} MB are available"
        );
        let agent = &self.agents[largest];
        let name = &self.experiment.agents[largest].name;
        let key = self.experiment.agents[largest].needs.memory_key;
        let place = key.and_then(|key| agent.table.locate(key)).unwrap_or(agent.table.span);
        let path = key.map_or(agent.path.clone(), |key| join(&agent.path, key));
        let threads = match workers {
            1 => String::new(),
            _ => format!(" in each of {workers} threads"),
        };
        let label = format!("`{name}` may take {each} MB{threads}");
        let jobs = match fitting {
            0 => String::new(),
            _ => format!(", or play with fewer threads (at most `-j {fitting}`)"),
        };
        let lower = match key {
            Some(key) => format!("lower `{key}`"),
            None => "lower the memory of the agent inside".to_owned(),
        };
        let diagnostic =
            Diagnostic::at(place, path, message).label(label).help(format!("{lower}{jobs}"));
        ConfigError::one(self.sources.clone(), diagnostic)
    }

    /// The error of a schedule in which games must repeat others. `pairings` has the names of
    /// pairings and the number of their games that can be different.
    pub fn repetition_error(&self, pairings: &[(String, u64)], games: u64) -> ConfigError {
        let (who, distinct) = pairings.first().map_or(("", 0), |(who, n)| (who.as_str(), *n));
        let others = match pairings.len() {
            0 | 1 => String::new(),
            2 => " (and in one more pairing)".to_owned(),
            more => format!(" (and in {} more pairings)", more - 1),
        };
        let message = format!(
            "{who}{others}: these agents always play the same moves, so at most {distinct} of \
             {games} games can be different"
        );
        // Without the section, openings are random if the game has enough of them.
        let openings = match self.tree.table("openings") {
            Some(_) => "add openings (`[openings] kind = \"random\"`), ",
            None => "",
        };
        let help = format!(
            "{openings}give an agent random choices (`ties = \"random\"`), play at most {distinct} \
             games (`--games {distinct}`), or set `schedule.allow_duplicates = true`: a repeated \
             game then counts once"
        );
        let at = |section, key| self.tree.place_or_section(section, key);
        let diagnostic = Diagnostic::at(at("schedule", "games"), "schedule.games", message)
            .also(at("openings", "kind"), "all openings are used up by then")
            .help(help);
        ConfigError::one(self.sources.clone(), diagnostic)
    }
}
