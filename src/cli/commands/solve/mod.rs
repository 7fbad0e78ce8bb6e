//! `agon solve`: prints the exact value of a position and of every move, and best play.

mod format_solution;
mod solve_many_positions;
mod solver_book_file;

use std::time::Instant;

use crate::cli::clap_definitions::SolveArgs;
use crate::cli::exit_codes::{self, Failure};
use crate::cli::print_run_results::{print_text, warn};
use crate::cli::warn_of_old_keys;
use crate::play::Registry;
use crate::report::TableFormat;
use solve_many_positions::{how_it_starts, warn_of_hours};

/// Solves a position and prints the result.
pub fn run(args: &SolveArgs, format: TableFormat, registry: &Registry) -> Result<u8, Failure> {
    let (_, any_game) = warn_of_old_keys::game_spec(&args.game, "--game", registry)?;
    warn(&any_game);
    let mut solver = any_game.solver().map_err(|error| {
        let help = match error.help.as_str() {
            "" => "`agon list games` shows the games and their sizes",
            help => help,
        };
        Failure::usage(error.message.as_str(), help)
    })?;
    match args.threads {
        Some(threads) => {
            if !solver.set_threads(usize::from(threads)) && threads > 1 {
                let message = "`--threads`: this game's solver uses one thread";
                return Err(Failure::usage(message, "leave `--threads` out"));
            }
        }
        None => {
            solver.set_threads(num_cpus::get());
        }
    }
    if let Some(path) = &args.book {
        solver_book_file::open(path, args.book_plies, &mut solver)?;
    }
    if args.no_book && !solver.forget_book() {
        let message = "`--no-book`: this game's solver has no book";
        return Err(Failure::usage(message, "leave `--no-book` out"));
    }
    let format = if args.json { TableFormat::Json } else { format };
    if let Some(path) = &args.positions {
        return solve_many_positions::run(path, &args.game, format, &mut solver);
    }
    if let Some(text) = &args.position
        && let Err(message) = solver.check(text)
    {
        return Err(Failure::usage(format!("`--position`: {message}"), how_it_starts(&solver)));
    }
    if let Some(no) = solver.refuses(args.position.as_deref()) {
        let message = format!("this position cannot be solved: {}", no.why);
        return Err(Failure::usage(message, no.help));
    }
    warn_of_hours(&solver, args.position.as_deref(), true, "");
    let begin = Instant::now();
    let solved = solver.solve(args.position.as_deref()).map_err(Failure::Usage)?;
    let time = begin.elapsed();
    let text = match format {
        TableFormat::Json => format!("{:#}\n", format_solution::as_json(&args.game, &solved, time)),
        _ => format_solution::as_text(&args.game, &solved, time, format == TableFormat::Markdown),
    };
    print_text(&text)?;
    Ok(exit_codes::DONE)
}
