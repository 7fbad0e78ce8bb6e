//! The kinds of runs: what decides which games are played, and when a run is over. Each kind has a file with
//! its section of the config.
//!
//! Everything that differs between kinds before a game is played is a method here. What differs while a
//! run is played is in `arena/schedule/run_state.rs`, and what differs in its report in `report/src/kinds`.

pub(crate) mod grid;
pub(crate) mod matches;
pub(crate) mod rounds;
pub(crate) mod sequential;
pub(crate) mod tune;

use self::rounds::AdaptiveParams;
use self::sequential::SprtParams;
use self::tune::{TuneMethod, TuneParams};
use crate::config::build_context::{BuildContext, Described, Section as _};
use crate::config::sections::agents_section::AgentEntry;
use crate::config::sections::openings_section::openings_error;
use crate::config::sections::pool_ratings;
use crate::config::sections::reference_agents;
use crate::config::sections::schedule_formats::Rounds;
use crate::config::sections::schedule_section::ScheduleConfig;
use crate::config::sections::seats_and_pairings::{FixedSeat, Pairing};
use crate::config::tree::diagnostics::Problems;
use crate::params::Values;
use crate::play::{AnyGame, Openings};
use crate::rounds::adaptive_rounds::AdaptiveDesign;
use crate::rounds::tournament::TournamentDesign;
use crate::stats::sprt::Design;
use crate::stats::tuning::TuneDesign;

/// What decides which games are played, and when a run is over.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum RunKind {
    /// The config: all pairings play a fixed number of games.
    #[default]
    Fixed,
    /// A sequential test of two agents, which ends the run.
    Sequential(Design),
    /// Evidence: it chooses the games of the next round, and ends the run.
    Rounds(AdaptiveDesign),
    /// The results of matches, in a Swiss tournament or a knockout.
    Matches(TournamentDesign),
    /// A tune, which changes parameters after each round. Its two sides are the first two agents.
    Tune(TuneDesign),
}

/// The sections of the config that only some kinds have, in the order of the file.
pub(super) fn sections() -> [Described; 3] {
    [SprtParams::described(), AdaptiveParams::described(), TuneParams::described()]
}

impl RunKind {
    /// Whether the number of games does not depend on their results. If it does, only intervals
    /// that hold at any time are valid.
    pub fn has_fixed_length(&self) -> bool {
        match self {
            RunKind::Fixed | RunKind::Tune(_) => true,
            RunKind::Sequential(_) | RunKind::Rounds(_) => false,
            RunKind::Matches(design) => design.alpha.is_none(),
        }
    }

    /// Whether results choose the pairings of the next round, so that ratings have no intervals.
    pub fn chooses_pairings(&self) -> bool {
        matches!(self, RunKind::Rounds(_) | RunKind::Matches(_))
    }

    /// Whether the same config plays the same games whatever their results are.
    pub fn plays_fixed_games(&self) -> bool {
        *self == RunKind::Fixed
    }

    /// Whether scores without luck decide when the run ends.
    pub fn is_adjusted(&self) -> bool {
        match self {
            RunKind::Sequential(design) => design.settings().adjusted,
            RunKind::Rounds(design) => design.adjusted,
            RunKind::Fixed | RunKind::Matches(_) | RunKind::Tune(_) => false,
        }
    }

    /// Whether the run ends with a verdict on the scores of its agents.
    pub(super) fn has_verdict(&self) -> bool {
        matches!(self, RunKind::Sequential(_) | RunKind::Rounds(_))
    }

    /// The number of agents at the front whose parameters change from round to round.
    pub fn changing_agents(&self) -> usize {
        if self.tuned().is_some() { 2 } else { 0 }
    }

    /// Whether openings may be played again in later rounds.
    pub fn repeats_openings(&self) -> bool {
        match self {
            RunKind::Rounds(_) | RunKind::Tune(_) => true,
            RunKind::Matches(design) => design.is_bracket(),
            RunKind::Fixed | RunKind::Sequential(_) => false,
        }
    }

    /// The sequential test that ends the run.
    pub fn sequential_test(&self) -> Option<Design> {
        match self {
            RunKind::Sequential(design) => Some(*design),
            _ => None,
        }
    }

    /// The design of a run that evidence ends.
    pub fn evidence(&self) -> Option<AdaptiveDesign> {
        match self {
            RunKind::Rounds(design) => Some(*design),
            _ => None,
        }
    }

    /// The design of a tune.
    pub fn tuned(&self) -> Option<&TuneDesign> {
        match self {
            RunKind::Tune(design) => Some(design),
            _ => None,
        }
    }

    /// Whether two agents play each other, if the format has such a pairing. The sides of a tune
    /// only meet its opponents, if it has some.
    pub(super) fn has(&self, pairing: &Pairing) -> bool {
        let opponents = self.tuned().map_or(0, |design| design.opponents);
        opponents == 0 || pairing.a < 2 && pairing.b >= 2
    }

    /// The sections of `resolved.toml` that only this kind has, by the names of the agents.
    pub(super) fn sections(&self, names: &[&str]) -> Vec<(&'static str, Values)> {
        match self {
            RunKind::Fixed => Vec::new(),
            RunKind::Sequential(design) => vec![("sprt", sequential::to_values(design, None))],
            RunKind::Rounds(design) => {
                vec![("adaptive", rounds::to_values(design, names))]
            }
            RunKind::Matches(design) => {
                let values = matches::to_values(design);
                values.map(|values| ("adaptive", values)).into_iter().collect()
            }
            RunKind::Tune(design) => {
                let test = sequential::to_values(&design.test, Some(design.test_games));
                vec![("sprt", test), ("tune", tune::to_values(design))]
            }
        }
    }

    /// The files of the results folder that only this kind has.
    pub fn files(&self) -> &'static [&'static str] {
        match self {
            RunKind::Fixed | RunKind::Sequential(_) => &[],
            RunKind::Rounds(_) => &["decisions.csv"],
            RunKind::Matches(_) => &["standings.csv", "matches.csv"],
            RunKind::Tune(_) => &["tune.csv"],
        }
    }

    /// The option that sets the maximum number of games, for messages.
    pub fn option_of_length(&self) -> &'static str {
        match self {
            RunKind::Rounds(_) => "--set adaptive.max_games=",
            _ => "--games ",
        }
    }

    /// Whether a section decides which games this run plays. The test at the end of a tune has a
    /// config of its own.
    pub(super) fn is_decided_by(&self, section: &str) -> bool {
        section != "sprt" || self.tuned().is_none()
    }

    /// The keys of `[schedule]` whose values this kind chooses.
    pub(super) fn chosen_keys(&self) -> &'static [&'static str] {
        match self {
            RunKind::Rounds(_) => &["games"],
            RunKind::Tune(_) => &["games", "format", "include_self"],
            RunKind::Fixed | RunKind::Sequential(_) | RunKind::Matches(_) => &[],
        }
    }
}

/// The number of distinct openings that a run in rounds should have by default.
const ENOUGH_OPENINGS: u64 = 200;

/// A run as the sections of its config describe it.
pub(super) struct PlannedRun {
    pub kind: RunKind,
    pub schedule: ScheduleConfig,
    /// The agents that play: with the two sides of a tune, or the values of a grid, in place of the
    /// tuned agent.
    pub agents: Vec<AgentEntry>,
    /// The agent that a grid tunes, and the test at its end.
    pub grid: Option<(AgentEntry, TuneDesign)>,
}

/// Plans the run that the sections ask for. `None`: a mistake leaves open what is to be played.
pub(super) fn plan(
    agents: Vec<AgentEntry>,
    adjusted: bool,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> Option<PlannedRun> {
    let schedule = ScheduleConfig::of(context)?;
    reference_agents::check(schedule.format, &agents, context.tree, problems);
    let format = match context.tree.get("tune") {
        Some(_) => "tune",
        None => schedule.format.word,
    };
    matches::refuse_keys(agents.len(), (schedule.format, format), context.tree, problems);
    let planned = match context.tree.get("tune") {
        Some(_) => plan_tune(agents, schedule, context, problems),
        None => plan_format(agents, schedule, adjusted, context, problems),
    };
    if let Some(run) = &planned {
        run.schedule.check(&run.agents, context.tree, problems);
    }
    planned
}

/// Plans the run that the format and `[sprt]` ask for.
fn plan_format(
    agents: Vec<AgentEntry>,
    mut schedule: ScheduleConfig,
    adjusted: bool,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> Option<PlannedRun> {
    let seats: Vec<FixedSeat> = agents.iter().map(|agent| agent.seat).collect();
    let test = sequential::build(&seats, adjusted, &mut schedule, context, problems);
    let kind = match schedule.format.rounds {
        Rounds::Evidence(question) => {
            let design =
                rounds::build(question, adjusted, &agents, &mut schedule, context, problems)?;
            RunKind::Rounds(design)
        }
        Rounds::Matches(rules) => {
            RunKind::Matches(matches::build(rules, &agents, &mut schedule, context, problems))
        }
        Rounds::One => {
            rounds::refuse(&schedule, context, problems);
            match context.tree.get("sprt") {
                Some(_) => RunKind::Sequential(test?),
                None => RunKind::Fixed,
            }
        }
    };
    let question = kind.evidence().map(|design| design.question);
    pool_ratings::resolve(question, &mut schedule, &agents, context, problems);
    Some(PlannedRun { kind, schedule, agents, grid: None })
}

/// Plans a tune, or the run of the format `best` that a grid is.
fn plan_tune(
    agents: Vec<AgentEntry>,
    mut schedule: ScheduleConfig,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> Option<PlannedRun> {
    let params: TuneParams = context.read()?;
    pool_ratings::resolve(None, &mut schedule, &agents, context, problems);
    let (design, tuned) = tune::build(&params, &agents, context, problems)?;
    if params.method == TuneMethod::Grid {
        let start = agents[tuned].clone();
        let agents = grid::agents(&start, &design.parameters, &params, context.tree, problems)?;
        let kind = RunKind::Rounds(grid::design(&params, context.tree, &mut schedule));
        return Some(PlannedRun { kind, schedule, agents, grid: Some((start, design)) });
    }
    tune::set_schedule(&design, &mut schedule);
    let agents = tune::sides(agents, tuned);
    Some(PlannedRun { kind: RunKind::Tune(design), schedule, agents, grid: None })
}

impl PlannedRun {
    /// The number of openings that the run needs, the largest over all pairings.
    pub fn openings_wanted(&self) -> u64 {
        self.schedule.openings_wanted(&self.seats())
    }

    /// The number of openings that the run should have by default.
    pub fn openings_by_default(&self) -> u64 {
        let design = self.kind.tuned().or(self.grid.as_ref().map(|(_, design)| design));
        let tested = design.map_or(0, |design| design.test_games / 2);
        match self.kind {
            // Its schedule repeats its openings.
            RunKind::Rounds(_) | RunKind::Tune(_) => {
                self.openings_wanted().min(ENOUGH_OPENINGS).max(tested)
            }
            RunKind::Fixed | RunKind::Sequential(_) | RunKind::Matches(_) => self.openings_wanted(),
        }
    }

    /// Refuses random openings that are too few: for the end of a tune, which would fail after its
    /// games, and beside other mistakes, because the run would be refused next.
    pub fn check_openings(
        &self,
        openings: &Openings,
        any_game: &AnyGame,
        context: &BuildContext<'_>,
        problems: &mut Problems,
    ) {
        if !matches!(openings, Openings::Random { .. }) || self.agents.is_empty() {
            return;
        }
        let check = |wanted| any_game.check_openings(openings, wanted, context.seed);
        if let Some(tune) = self.kind.tuned() {
            if let Err(error) = check(tune.test_games / 2) {
                tune::report_openings(&error, context.tree, problems);
            }
        } else if !problems.is_empty()
            && !self.kind.repeats_openings()
            && let Err(error) = check(self.openings_wanted().max(1))
        {
            let pairings = self.schedule.pairings(&self.seats());
            problems.report(openings_error(&error, context.tree, &pairings));
        }
    }

    fn seats(&self) -> Vec<FixedSeat> {
        self.agents.iter().map(|agent| agent.seat).collect()
    }
}
