//! A checked experiment: all defaults are filled in, all sweeps are expanded.

#![deny(missing_docs)]

use std::fmt;

use super::kinds::RunKind;
use crate::agents::{Requirements, handles_illegal_moves, reports_costs};
use crate::config::sections::grading_section::Grading;
use crate::config::sections::limits_section::GameLimits;
use crate::config::sections::output_section::Output;
use crate::config::sections::schedule_section::ScheduleConfig;
use crate::config::sections::seats_and_pairings::{FixedSeat, Pairing};
use crate::params::Spec;
use crate::play::{Adjudication, AnyGame, LuckSettings, Openings, SyzygyRule};
use crate::rows::games_csv_columns::{cost_columns, illegal_columns};
use crate::stats::sprt::Design;

/// An agent with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedAgent {
    /// Unique in the experiment.
    pub name: String,
    /// Its kind and parameters.
    pub spec: Spec,
    /// Its requirements on the run.
    pub needs: Requirements,
    /// The seats that it may take.
    pub seat: FixedSeat,
    /// Whether the config says that it always plays the same moves from the same opening.
    pub deterministic: bool,
    /// Whether it is a yardstick for the others.
    pub reference: bool,
    /// The largest number of its games at once, in all threads together.
    pub parallel: Option<u64>,
}

impl NamedAgent {
    /// Whether it may play other moves when a game is repeated, although agon knows of no random
    /// number that it draws.
    pub fn may_vary(&self) -> bool {
        !self.deterministic && self.needs.may_vary()
    }
}

/// The test at the end of a grid. The agents of the experiment are the values of the grid.
#[derive(Debug, Clone)]
pub struct GridOfTune {
    /// The agent with its own values.
    pub start: NamedAgent,
    /// The test of the best values against the start.
    pub test: Design,
    /// Its maximum number of games.
    pub test_games: u64,
}

/// A checked experiment.
#[derive(Clone)]
pub struct Experiment {
    /// Its name, which is also the name of the results folder.
    pub name: String,
    /// The question that it is to answer.
    pub question: Option<String>,
    /// Seed of openings, dice and all other random choices.
    pub seed: u64,
    /// The game. The contents of its files are part of the spec, so the spec alone defines it.
    pub game: Spec,
    /// The game as it was written, for messages; not compared.
    pub game_in_words: String,
    /// The game, ready to be played.
    pub any_game: AnyGame,
    /// The agents, in the order of the file.
    pub agents: Vec<NamedAgent>,
    /// The pairings and their number of games.
    pub schedule: ScheduleConfig,
    /// The openings of the games.
    pub openings: Openings,
    /// What decides which games are played, and when the run is over.
    pub kind: RunKind,
    /// The test at the end of a tune by a grid, whose values are the agents. It is not compared:
    /// the run is one of the format `best`.
    pub grid: Option<GridOfTune>,
    /// When games are cut short.
    pub limits: GameLimits,
    /// The rules that end games early.
    pub adjudication: Adjudication,
    /// The tables that decide games.
    pub syzygy: Option<SyzygyRule>,
    /// How luck is measured; `None`: not at all.
    pub luck: Option<LuckSettings>,
    /// The files that are written besides the tables.
    pub output: Output,
    /// How moves are graded after all games are played; `None`: not at all.
    pub grading: Option<Grading>,
}

impl Experiment {
    /// The number of openings that the schedule needs: the largest over all pairings.
    pub fn openings_wanted(&self) -> u64 {
        self.schedule.openings_wanted(&self.seats())
    }

    /// The names of the agents, in the order of the file.
    pub fn agent_names(&self) -> Vec<String> {
        self.agents.iter().map(|agent| agent.name.clone()).collect()
    }

    /// The pairings, in order.
    pub fn pairings(&self) -> Vec<Pairing> {
        let mut pairings = self.schedule.pairings(&self.seats());
        pairings.retain(|pairing| self.kind.has(pairing));
        let may_vary: Vec<bool> = self.agents.iter().map(NamedAgent::may_vary).collect();
        for pairing in &mut pairings {
            pairing.may_vary = may_vary[pairing.a] || may_vary[pairing.b];
        }
        pairings
    }

    /// The columns of `games.csv` that not every run has. The attributes of games by a referee are
    /// first.
    pub fn added_columns(&self) -> Vec<String> {
        let mut all = self.any_game.attributes();
        if self.agents.iter().any(|agent| handles_illegal_moves(&agent.spec)) {
            all.extend(illegal_columns());
        }
        if self.agents.iter().any(|agent| reports_costs(&agent.spec)) {
            all.extend(cost_columns());
        }
        all
    }

    fn seats(&self) -> Vec<FixedSeat> {
        self.agents.iter().map(|agent| agent.seat).collect()
    }
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_toml())
    }
}

impl PartialEq for Experiment {
    /// Values that follow from the game are not compared.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.question == other.question
            && self.seed == other.seed
            && self.game == other.game
            && self.agents == other.agents
            && self.schedule == other.schedule
            && self.openings == other.openings
            && self.kind == other.kind
            && self.limits == other.limits
            && self.adjudication == other.adjudication
            && self.syzygy == other.syzygy
            && self.luck == other.luck
            && self.output == other.output
            && self.grading == other.grading
    }
}
