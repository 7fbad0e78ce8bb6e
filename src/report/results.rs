//! What a run has come to: its counts, what else is known of it, and the ratings that follow.

use super::context::{Context, Ending};
use super::ranking::Ranking;
use crate::arena::{Schedule, Tally};
use crate::config::{Experiment, Format};
use crate::engine::Delay;
use crate::stats::ratings::Reference;
use crate::world::Openings;

/// What was played, in the words of the config.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// The experiment's name.
    pub name: String,
    /// The question that it asks.
    pub question: Option<String>,
    /// The game with its parameters, such as `connect4`.
    pub game: String,
    /// The openings, such as `random openings of 4 plies`.
    pub openings: String,
    /// The seed, where it is known.
    pub seed: Option<u64>,
}

impl Heading {
    /// The experiment in words.
    pub fn of(experiment: &Experiment) -> Self {
        Heading {
            name: experiment.name.clone(),
            question: experiment.question.clone(),
            game: experiment.game_in_words.clone(),
            openings: experiment.openings.to_string(),
            seed: Some(experiment.seed),
        }
    }
}

/// What every table, the page and the verdicts are made of.
#[derive(Debug)]
pub struct Results {
    /// What was played, in words.
    pub heading: Heading,
    /// The counts.
    pub tally: Tally,
    /// What else is known of the run.
    pub context: Context,
    /// The ratings that follow from them.
    pub ranking: Ranking,
}

impl Results {
    /// Rates the agents.
    pub fn new(heading: Heading, tally: Tally, context: Context) -> Self {
        let ranking = Ranking::new(&tally, &context);
        Results { heading, tally, context, ranking }
    }

    /// The results of an experiment; `openings` is how many there are, and `delay` is how late
    /// agon was woken.
    pub fn of(
        experiment: &Experiment,
        schedule: &Schedule,
        openings: u64,
        tally: Tally,
        delay: Option<Delay>,
    ) -> Self {
        let context = Context {
            budgets: experiment.agents.iter().map(|agent| agent.needs.budget).collect(),
            kinds: experiment.agents.iter().map(|agent| agent.spec.kind.clone()).collect(),
            reference: match experiment.schedule.format {
                Format::Gauntlet => Reference::Player(0),
                _ => Reference::Mean,
            },
            ending: match tally.rows == schedule.games() || tally.is_decided() {
                true => Ending::Complete,
                false => Ending::Stopped,
            },
            length_fixed: tally.sprt.is_none(),
            verbose: false,
            opening_set: match experiment.openings {
                Openings::Start | Openings::List(_) => Some(openings),
                Openings::Random { .. } => None,
            },
            fault_logs: Some(experiment.output.fault_logs),
            delay,
            scale: Some(experiment.world.scale()),
        };
        Results::new(Heading::of(experiment), tally, context)
    }
}
