//! `agon watch`: plays one game of an experiment and shows it live.
//!
//! The game is the one with that number in the run: the same agents, opening and random streams. It
//! is played in its own thread and shown at a readable pace, so that showing it takes no time from
//! the agents.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::channel;
use std::time::Duration;

use clap::Args;

use super::play::greeting;
use crate::arena::Schedule;
use crate::cli::argument_types::duration;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::KeyChanges;
use crate::cli::print_run_results::{folded, warn, warn_of_config, warn_without_sandbox};
use crate::cli::read_config_file::ConfigFile;
use crate::cli::signals::StopSignal;
use crate::play::{GameRecord, MoveEvent, MoveRecord, MoveTexts, Outcome};
use crate::report::{counted, grouped, time};
use crate::solve::STACK;

/// The time between two moves in a terminal.
const PACE: Duration = Duration::from_millis(700);

/// Plays one game of an experiment and shows it live. Writes no files.
///
/// It is the game with this number in the run: the same agents, opening and random numbers.
#[derive(Debug, Args)]
pub struct WatchArgs {
    #[command(flatten)]
    source: ConfigFile,
    /// The number of the game, as in games.csv.
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: u64,
    /// Time between two moves, such as 2s or 200ms [default: 700ms in a terminal, else none].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pace: Option<Duration>,
    #[command(flatten)]
    keys: KeyChanges,
}

/// Plays one game and shows it.
pub fn run(args: &WatchArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    // A signal ends the engines with all their processes.
    let _stop = StopSignal::listen(true)?;
    let loaded = args.source.read(&args.keys.overrides(), context)?;
    let experiment = &loaded.experiment;
    experiment.any_game.check_has_moves()?;
    let lineup = (experiment.any_game)
        .lineup(experiment.setup())
        .map_err(|error| loaded.setup_error(&error))?;
    warn_of_config(&loaded.warnings);
    warn_without_sandbox(experiment);
    warn(&experiment.any_game);
    let schedule = Schedule::new(experiment, lineup.openings());
    let Some(spec) = schedule.game(args.game) else {
        let games = grouped(schedule.games());
        let message = format!("`--game`: there is no game {} in the schedule", args.game);
        return Err(Failure::usage(message, format!("use a number from 1 to {games}")));
    };
    let pace = match args.pace {
        Some(pace) => pace,
        None if io::stdout().is_terminal() => PACE,
        None => Duration::ZERO,
    };
    let names = [spec.first, spec.second].map(|agent| experiment.agents[agent].name.as_str());
    let mut out = anstream::stdout();
    let [first, second] = names;
    let mut say = |line: String| out.write_all(folded(&line).as_bytes());
    say(format!("{} · {}", experiment.name, experiment.game_in_words))?;
    say(format!("game {} · {first} plays first, {second} second", spec.game))?;

    let (sender, receiver) = channel();
    let player = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let mut texts = MoveTexts { observer: Some(sender), ..MoveTexts::logging(true) };
        let record = lineup.worker().play(&spec, &mut texts);
        (record, texts.fault)
    })?;
    for (number, seen) in receiver.iter().enumerate() {
        if number == 0 {
            if !seen.opening.is_empty() {
                let opening = format!("opening {} · {}", spec.opening, seen.opening);
                out.write_all(folded(&opening).as_bytes())?;
            }
            write!(out, "\n{}", seen.before)?;
        }
        out.flush()?;
        std::thread::sleep(pace);
        show(&seen, &names, &mut out)?;
    }
    let Ok((record, fault)) = player.join() else {
        return Err(Failure::Bug("the game has panicked".to_owned()));
    };
    write!(out, "\n{}", folded(&ending(&record, &fault, &names)))?;
    Ok(exit_codes::DONE)
}

fn show(seen: &MoveEvent, names: &[&str; 2], out: &mut dyn Write) -> io::Result<()> {
    match seen.player {
        Some(player) => {
            let (side, name) = (player.name(), names[player.index()]);
            let cost = seen.record.as_ref().map(cost).unwrap_or_default();
            let played = format!("{side} {name} plays {}   {cost}", seen.text);
            write!(out, "\n{}", folded(&played))?;
        }
        None => writeln!(out, "\nchance: {}", seen.text)?,
    }
    write!(out, "{}", seen.after)
}

/// Formats the cost of a move.
fn cost(record: &MoveRecord) -> String {
    let mut parts = Vec::new();
    parts.extend(record.value.map(|value| format!("value {}", greeting::value(value))));
    parts.extend(record.depth.map(|depth| format!("depth {depth}")));
    parts.extend(record.nodes.map(|nodes| counted(nodes, "node")));
    parts.push(time(Some(record.time_ns as f64)));
    parts.join(", ")
}

fn ending(record: &GameRecord, fault: &str, names: &[&str; 2]) -> String {
    let plies = match record.plies {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    let reason = record.reason;
    match record.outcome {
        Outcome::First => format!("{} wins, moving first ({reason}), after {plies}", names[0]),
        Outcome::Second => format!("{} wins, moving second ({reason}), after {plies}", names[1]),
        Outcome::Draw => format!("a draw ({reason}) after {plies}"),
        Outcome::Void if fault.is_empty() => format!("the game is void ({reason})"),
        Outcome::Void => format!("the game is void ({reason}): {fault}"),
    }
}
