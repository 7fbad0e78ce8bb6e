//! `agon plan`: estimates the results and the time of a run before it is played.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;

use crate::arena::{Calibration, Demand, Pairing, Schedule, calibrate, probe};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::{Changes, Threads};
use crate::cli::print_run_results::{
    note, print_text, terminal_width, warn, warn_of_config, warn_without_sandbox,
};
use crate::cli::read_config_file::ConfigFile;
use crate::cli::read_results_folder::{existing_run, loaded};
use crate::cli::slurm_variables::jobs;
use crate::config::{Experiment, StartFailure};
use crate::play::{Openings, OpeningsError, Registry, Setup, SetupError};
use crate::report::{
    Available, Document, Heading, Plan, PlanInRounds, PlanOfTune, TableFormat, counted,
    simulated_formats, trimmed,
};
use crate::rounds::simulated_rounds::Strengths;
use crate::stats::sprt::{Design, SprtSettings};
use crate::stats::{Confidence, Trinomial};

/// Duration of the trial games that measure the time per game, and how long the last one may take.
const CALIBRATION: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];

/// With this many openings or more, the exact number does not matter.
const MANY: u64 = 20_000;

/// The number of random openings that can be drawn, up to symmetry; `None` if there are too many to
/// count.
fn available(experiment: &Experiment) -> Option<u64> {
    let setup = experiment.setup();
    let wanted = setup.wanted.max(MANY);
    match experiment.any_game.lineup(Setup { agents: Vec::new(), wanted, ..setup }) {
        Err(SetupError::Openings(OpeningsError::TooFew { available, counted, .. })) => {
            counted.then_some(available)
        }
        _ => None,
    }
}
/// Estimates a run: games, time, resolution, power. Writes no files.
///
/// Plays for about a second to measure how long games take, and for 10 seconds at most. Warns if the run is too small to
/// answer its question.
#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    source: ConfigFile,
    /// Formats in rounds: guess that neighbours in the order differ by this number of Elo
    /// [default: the ratings of the pool, or 20, 50 and 100].
    #[arg(long, value_name = "ELO", conflicts_with = "ratings")]
    gap: Option<f64>,
    /// Formats in rounds: take the ratings of the agents from this results folder.
    #[arg(long, value_name = "DIR")]
    ratings: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    changes: Changes,
}

/// Prints the plan of an experiment. Writes no files.
pub fn run(args: &PlanArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    let loaded = args.source.read(&args.changes.overrides(), context)?;
    let experiment = &loaded.experiment;
    let in_rounds = experiment.kind.chooses_pairings();
    let guesses = match in_rounds {
        true => guesses(args, experiment, registry)?,
        false => no_guesses(args)?,
    };
    let lineup = (experiment.any_game)
        .lineup(experiment.setup())
        .map_err(|error| loaded.setup_error(&error))?;
    warn_without_sandbox(experiment);
    let failed = lineup.check(false);
    if !failed.is_empty() && loaded.experiment.schedule.on_start_failure == StartFailure::Stop {
        return Err(loaded.start_error(&failed).into());
    }
    warn_of_config(&loaded.warnings);
    warn(&experiment.any_game);
    let openings = lineup.openings();
    let schedule = Arc::new(Schedule::new(experiment, openings));
    let names = experiment.agent_names();
    let calibration = calibrate(Arc::clone(&lineup), Arc::clone(&schedule), names, CALIBRATION);
    if let Some(warning) = unfinished(&calibration, schedule.pairings()) {
        note(warning);
    }
    let jobs = jobs(args.threads.jobs);
    if let Some(sentence) = cost_words(experiment, &calibration) {
        note(sentence);
    }
    if let Some(design) = experiment.kind.tuned() {
        let (heading, seconds) = (Heading::of(experiment), calibration.mean_seconds());
        let plan = PlanOfTune { heading, design, seconds, jobs };
        return print(&plan, format);
    }
    if in_rounds {
        let plan = plan_in_rounds(experiment, guesses, &calibration, jobs);
        return print(&plan, format);
    }
    let finite = !matches!(experiment.openings, Openings::Random { .. });
    let exist = if finite { Some(openings) } else { available(experiment) };
    let mut plan = Plan::new(
        Heading::of(experiment),
        experiment.schedule.games,
        Available { played: openings, finite, exist },
        jobs,
        &calibration,
        has_shared_dice(experiment),
        sequential_test(experiment, schedule.pairings()),
    );
    plan.memory = Some(Demand::of(experiment, &schedule, jobs));
    // The check for repeated games plays each pairing, so it would wait for an endless game, too.
    plan.refused = !experiment.schedule.allow_duplicates
        && calibration.unfinished.is_none()
        && !probe(&lineup, &schedule, jobs, &AtomicBool::new(false)).is_empty();
    print(&plan, format)
}

/// The sequential test, and whether the config has it. It is also possible with two agents: the plan
/// says how long it would take.
fn sequential_test(experiment: &Experiment, pairings: &[Pairing]) -> Option<(Design, bool)> {
    let head_to_head = matches!(pairings, [pairing] if pairing.has_pairs());
    match experiment.kind.sequential_test() {
        Some(design) => Some((design, true)),
        None if head_to_head => SprtSettings::default().check().ok().map(|design| (design, false)),
        None => None,
    }
}

/// The warning that a test game did not end in time.
fn unfinished(calibration: &Calibration, pairings: &[Pairing]) -> Option<String> {
    let names = &calibration.tally.names;
    let Pairing { a, b, .. } = pairings[calibration.unfinished?];
    let against = if a == b { "itself" } else { &names[b] };
    let [_, limit] = CALIBRATION;
    let unknown = match calibration.tally.rows {
        0 => "so time and draws are not known".to_owned(),
        rows => format!(
            "so the time is not known, and draws are those of {}",
            counted(rows, "shorter game")
        ),
    };
    Some(format!(
        "warning: a test game of {} against {against} did not end within {} s, {unknown}. Limit the \
         agents by `movetime`, `nodes` or a smaller `depth`.",
        names[a],
        limit.as_secs(),
    ))
}

/// What a plan without an estimate of the cost says of it.
fn cost_words(experiment: &Experiment, calibration: &Calibration) -> Option<String> {
    let is_estimated = !experiment.kind.chooses_pairings() && experiment.kind.tuned().is_none();
    if is_estimated || calibration.tally.cost() == 0 {
        return None;
    }
    Some(format!(
        "note: the cost of this run is not estimated; {} cost {}",
        counted(calibration.tally.rows, "calibration game"),
        trimmed(calibration.tally.cost() as f64 / 1e9, 4),
    ))
}

fn print(plan: &dyn Document, format: TableFormat) -> Result<u8, Failure> {
    print_text(&plan.render(format, terminal_width()))?;
    Ok(exit_codes::DONE)
}

/// Differences in Elo that are guessed if the user names none.
const GAPS: [f64; 3] = [20.0, 50.0, 100.0];

/// Guessed strengths of the agents, each with its description.
type Guess = (String, Vec<f64>);

/// Refuses guesses for a run whose length they do not change.
fn no_guesses(args: &PlanArgs) -> Result<Vec<Guess>, Failure> {
    let option = match (args.gap, &args.ratings) {
        (None, None) => return Ok(Vec::new()),
        (Some(_), _) => "--gap",
        (None, Some(_)) => "--ratings",
    };
    Err(Failure::usage(
        format!("`{option}` is for formats in rounds, such as `best`"),
        "leave it out: the length of this run is fixed",
    ))
}

/// The strengths of the agents as the user guesses them, or as an earlier run or the pool rated them.
fn guesses(
    args: &PlanArgs,
    experiment: &Experiment,
    registry: &Registry,
) -> Result<Vec<Guess>, Failure> {
    let agents = &experiment.agents;
    if let Some(dir) = &args.ratings {
        let (results, ..) = loaded(&existing_run(dir)?, registry)?;
        let (shown, ranking) = (dir.display(), &results.ranking);
        let rated = |name: &String| -> Option<f64> {
            let agent = results.tally.names.iter().position(|there| there == name)?;
            ranking.elo_or_bound(agent)
        };
        let mut ratings = Vec::new();
        for agent in agents {
            let Some(elo) = rated(&agent.name) else {
                return Err(Failure::usage(
                    format!("{shown} has no rating of `{}`", agent.name),
                    "name a run of the same agents, or guess their differences with `--gap ELO`",
                ));
            };
            ratings.push(elo);
        }
        return Ok(vec![("as rated".to_owned(), ratings)]);
    }
    if let (None, Some(ratings)) = (args.gap, experiment.schedule.earlier_ratings()) {
        let ratings = ratings.iter().map(|rating| rating.elo).collect();
        return Ok(vec![("as in the pool".to_owned(), ratings)]);
    }
    let given = args.gap.map(|gap| [gap]);
    let gaps = given.as_ref().map_or(&GAPS[..], |gap| gap);
    if let Some(gap) = gaps.iter().find(|gap| !(0.0..=1000.0).contains(*gap)) {
        let message = format!("`--gap {gap}` is not from 0 to 1000");
        return Err(Failure::usage(message, "name a difference in Elo, such as `--gap 30`"));
    }
    let field = |&gap: &f64| {
        let strengths = (0..agents.len()).map(|agent| -gap * agent as f64).collect();
        (format!("{gap} apart"), strengths)
    };
    Ok(gaps.iter().map(field).collect())
}

/// Whether both games of a pair get the same chance results.
fn has_shared_dice(experiment: &Experiment) -> bool {
    experiment.any_game.has_chance() && experiment.schedule.shared_dice
}

/// The plan of a format in rounds.
fn plan_in_rounds(
    experiment: &Experiment,
    guesses: Vec<Guess>,
    calibration: &Calibration,
    jobs: usize,
) -> PlanInRounds {
    let mut games = Trinomial::default();
    for (_, results) in &calibration.tally.pairings {
        games.merge(&results.distinct.games());
    }
    // Rounded down, because the number of these games depends on a clock.
    let draws = games.least_draw_ratio(Confidence::P95).unwrap_or(0.0);
    let draws = (draws * 20.0).floor() / 20.0;
    let correlation = calibration.pair_correlation(has_shared_dice(experiment));
    let earlier_games = earlier_games(experiment);
    let mut rows = Vec::new();
    for (label, strengths) in guesses {
        let field = Strengths { strengths, draws, correlation, earlier_games };
        rows.extend(simulated_formats(experiment, (&label, &field)));
    }
    PlanInRounds {
        heading: Heading::of(experiment),
        design: experiment.kind.evidence(),
        names: experiment.agent_names(),
        draws,
        correlation,
        calibration: calibration.tally.rows,
        seconds: calibration.mean_seconds(),
        jobs,
        earlier_games,
        rows,
    }
}

/// The games of each two agents that have the evidence of the pool; even. The simulated ratings of the
/// pool have errors, too, because those of the agents are not their true strengths.
fn earlier_games(experiment: &Experiment) -> u64 {
    let ratings = experiment.schedule.earlier_ratings().unwrap_or_default();
    let opponents = ratings.len().saturating_sub(1).max(1) as f64;
    let mean = ratings.iter().map(|rating| rating.games).sum::<f64>() / ratings.len().max(1) as f64;
    2 * (mean / opponents / 2.0).round() as u64
}
