//! `manifest.json`: how the results in a folder were made.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::arena::checks::memory_demand::kilobytes;
use crate::arena::checks::program_identity::Programs;
use crate::arena::count::tally::Tally;
use crate::arena::schedule::shard_range::Shard;
use crate::config::Experiment;
use crate::engine::{Delay, FinalScores};
use crate::games::Weights;
use crate::play::LuckSettings;
use crate::stats::LogisticMap;
use std::collections::BTreeMap;

/// The version of the folder layout. A folder of another version is refused.
pub const FORMAT_VERSION: u32 = 2;

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The run is being played, or was killed.
    #[default]
    Running,
    /// All games are finished.
    Complete,
    /// The run was stopped and can be resumed.
    Interrupted,
}

/// The machine of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system, such as `linux`.
    pub os: String,
    /// Processor family, such as `x86_64`.
    pub arch: String,
    /// The processor model, if the system reports it.
    pub cpu: Option<String>,
    /// Physical cores.
    pub cores: usize,
}

impl Machine {
    pub(crate) fn here() -> Self {
        let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
        Machine {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu,
            cores: num_cpus::get_physical(),
        }
    }
}

/// How the moves were graded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradingRecord {
    /// The source of the exact values.
    pub oracle: String,
    /// The maximum number of games to grade.
    pub asked: u64,
    pub games: u64,
    /// Whether all played games of the sample are graded.
    pub complete: bool,
}

/// The value function that measures luck: `[luck]` of the config.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LuckRecord {
    /// `exact`, or the evaluator.
    pub value: String,
    /// The weights of the evaluator that are not its defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, i64>,
    /// The scale of the evaluator; none if it is fitted or for exact values.
    pub scale: Option<f64>,
    /// The offset of the evaluator, like the scale.
    pub offset: Option<f64>,
    /// Plies that are searched before the evaluator is asked.
    pub depth: u32,
    /// Whether the scale is fitted to the games.
    pub fit: bool,
    /// The scales that were fitted to the games: of odd pairs, and of even pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fitted: Option<[FittedMap; 2]>,
}

/// A fitted map of an evaluator's values to expected scores.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FittedMap {
    /// As `scale` of `[luck]`.
    pub scale: f64,
    /// As `offset` of `[luck]`.
    pub offset: f64,
}

impl LuckRecord {
    fn of(settings: &LuckSettings) -> Self {
        let record = |value: &str, weights: &Weights, depth| LuckRecord {
            value: value.to_owned(),
            weights: weights.clone().into_iter().collect(),
            depth,
            ..LuckRecord::default()
        };
        match settings {
            LuckSettings::Exact => record("exact", &Weights::default(), 0),
            &LuckSettings::Evaluator { ref name, ref weights, scale, offset, depth } => {
                let (scale, offset) = (Some(scale), Some(offset));
                LuckRecord { scale, offset, ..record(name, weights, depth) }
            }
            LuckSettings::Fitted { name, weights, depth } => {
                LuckRecord { fit: true, ..record(name, weights, *depth) }
            }
        }
    }
}

/// The content of `manifest.json`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the folder layout.
    pub format_version: u32,
    /// The state of the run.
    pub status: Status,
    pub name: String,
    /// Hash of everything in the config that affects games.
    pub config_hash: String,
    pub seed: u64,
    /// Version of agon.
    pub version: String,
    /// Source revision of agon, if it was built from a checkout.
    pub revision: Option<String>,
    /// The machine of the run.
    pub machine: Machine,
    /// Threads.
    pub jobs: usize,
    pub argv: Vec<String>,
    /// When the run first began (RFC 3339, UTC).
    pub started: String,
    /// When the run last ended.
    pub ended: Option<String>,
    /// Rows in `games.csv`.
    pub games: u64,
    /// Rows that do not count.
    pub voids: u64,
    /// Games lost by a fault, by agent.
    pub faults: BTreeMap<String, u64>,
    /// Positions searched in all games together. Without clocks, this number is the same in every
    /// run, so a change means that the search of an agent has changed.
    pub node_signature: u64,
    /// Peak memory of the program, if the system reports it; for merged shards, the largest value.
    #[serde(default)]
    pub peak_memory_bytes: Option<u64>,
    /// How late agon itself was woken while an engine was thinking, if this caused a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Delay>,
    /// How often the final scores of engines were the results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub final_scores: Vec<FinalScores>,
    /// How often the providers of engines were unavailable, by agent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unavailable: BTreeMap<String, u64>,
    /// What void attempts of games have cost that were played again; not in `games.csv`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub void_cost: f64,
    /// The external programs of the agents, by agent.
    #[serde(default, skip_serializing_if = "Programs::is_empty")]
    pub programs: Programs,
    /// The shard in the folder, if the folder does not hold the whole experiment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The round that the shard is a part of, for formats in rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<u64>,
    /// The numbers of games per pairing that were asked for, one after another. More than one: the
    /// run was extended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games_asked: Vec<u64>,
    /// How luck is measured, if it is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckRecord>,
    /// How the moves were graded, if they were graded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grading: Option<GradingRecord>,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

fn peak_memory() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

impl Manifest {
    /// Reads the text of a `manifest.json`.
    ///
    /// # Errors
    /// What is not as in a manifest.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Whether the run got more games after its results could be seen.
    pub fn is_extended(&self) -> bool {
        self.games_asked.len() > 1
    }

    /// The manifest of a run that begins now.
    pub fn begin(experiment: &Experiment, jobs: usize, argv: &[String]) -> Self {
        Manifest {
            format_version: FORMAT_VERSION,
            name: experiment.name.clone(),
            config_hash: experiment.hash(),
            seed: experiment.seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: option_env!("AGON_REVISION").map(str::to_owned),
            machine: Machine::here(),
            jobs,
            argv: argv.to_vec(),
            started: now(),
            games_asked: vec![experiment.schedule.games],
            luck: experiment.luck.as_ref().map(LuckRecord::of),
            ..Manifest::default()
        }
    }

    /// The manifest of a run whose own manifest was lost. Data that only the lost manifest had is
    /// unknown.
    pub fn restored(experiment: &Experiment, started: SystemTime) -> Self {
        let unknown = || "unknown".to_owned();
        Manifest {
            version: unknown(),
            revision: None,
            machine: Machine { os: unknown(), arch: unknown(), ..Machine::default() },
            started: humantime::format_rfc3339_seconds(started).to_string(),
            ..Manifest::begin(experiment, 0, &[])
        }
    }

    /// Records the scales that were fitted to the games, for odd and even pairs.
    pub fn set_fitted(&mut self, maps: Option<[LogisticMap; 2]>) {
        if let Some(luck) = &mut self.luck {
            let map = |LogisticMap { scale, offset }| FittedMap { scale, offset };
            luck.fitted = maps.map(|maps| maps.map(map));
        }
    }

    /// Records the end of the run.
    pub fn end(&mut self, tally: &Tally, status: Status) {
        self.status = status;
        self.ended = Some(now());
        self.games = tally.rows;
        self.voids = tally.voids();
        self.void_cost = tally.void_cost as f64 / 1e9;
        self.faults = (tally.names.iter().zip(&tally.agents))
            .filter(|(_, agent)| agent.faults() > 0)
            .map(|(name, agent)| (name.clone(), agent.faults()))
            .collect();
        self.node_signature = tally.agents.iter().fold(0, |sum, a| a.nodes.saturating_add(sum));
        self.peak_memory_bytes = self.peak_memory_bytes.max(peak_memory());
    }
}

fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
