//! A checked experiment: every default filled in, every sweep expanded.

use std::fmt;

use super::grading::Grading;
use super::output::Output;
use super::schedule::Schedule;
use super::seat::{Pairing, Seat};
use crate::agents::Requirements;
use crate::params::Spec;
use crate::stats::sprt::Design;
use crate::world::{Adjudication, AnyGame, Openings};

/// An agent with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedAgent {
    /// Unique in the experiment.
    pub name: String,
    /// What it is.
    pub spec: Spec,
    /// What it asks of the run.
    pub needs: Requirements,
    /// The side that it may take.
    pub seat: Seat,
    /// Whether the config vouches for it: from the same opening it always plays the same moves.
    pub deterministic: bool,
}

impl NamedAgent {
    /// Whether it may play other moves when a game is played again, though it draws no random
    /// number that agon knows of.
    pub fn may_vary(&self) -> bool {
        !self.deterministic && self.needs.may_vary()
    }
}

/// What is to be played, checked.
#[derive(Clone)]
pub struct Experiment {
    /// Names the results folder.
    pub name: String,
    /// What it is to answer.
    pub question: Option<String>,
    /// Fixes openings, dice and every random choice.
    pub seed: u64,
    /// What is played; files are taken in, so that nothing else decides.
    pub game: Spec,
    /// The same as it was written, for people; not compared.
    pub game_in_words: String,
    /// The same, ready to be played.
    pub world: AnyGame,
    /// Who plays, in the order of the file.
    pub agents: Vec<NamedAgent>,
    /// Who meets whom, how often.
    pub schedule: Schedule,
    /// Where games begin.
    pub openings: Openings,
    /// The sequential test that ends the run, if one does.
    pub sprt: Option<Design>,
    /// Plies after which a game is adjudicated a draw.
    pub max_plies: u32,
    /// When games end because of how they stand.
    pub adjudication: Adjudication,
    /// What is written besides the tables.
    pub output: Output,
    /// How moves are graded once all games are played, if they are.
    pub grading: Option<Grading>,
}

impl Experiment {
    /// The number of openings that the schedule asks for: the largest over all pairings.
    pub fn openings_wanted(&self) -> u64 {
        self.schedule.openings_wanted(&self.seats())
    }

    /// Who meets whom, in order.
    pub fn pairings(&self) -> Vec<Pairing> {
        let mut pairings = self.schedule.pairings(&self.seats());
        let may_vary: Vec<bool> = self.agents.iter().map(NamedAgent::may_vary).collect();
        for pairing in &mut pairings {
            pairing.may_vary = may_vary[pairing.a] || may_vary[pairing.b];
        }
        pairings
    }

    fn seats(&self) -> Vec<Seat> {
        self.agents.iter().map(|agent| agent.seat).collect()
    }
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment")
            .field("name", &self.name)
            .field("question", &self.question)
            .field("seed", &self.seed)
            .field("game", &self.game)
            .field("agents", &self.agents)
            .field("schedule", &self.schedule)
            .field("openings", &self.openings)
            .field("sprt", &self.sprt)
            .field("max_plies", &self.max_plies)
            .field("adjudication", &self.adjudication)
            .field("output", &self.output)
            .field("grading", &self.grading)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Experiment {
    /// What follows from the game is not compared.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.question == other.question
            && self.seed == other.seed
            && self.game == other.game
            && self.agents == other.agents
            && self.schedule == other.schedule
            && self.openings == other.openings
            && self.sprt == other.sprt
            && self.max_plies == other.max_plies
            && self.adjudication == other.adjudication
            && self.output == other.output
            && self.grading == other.grading
    }
}
