//! `agon solve`: prints the exact value of a position and of every move, and best play.

mod format_solution;
mod solve_by_maxn;
mod solve_many_positions;
mod solver_book_file;
mod write_search_tree;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{print_text, warn};
use crate::config;
use crate::report::TableFormat;
use solve_many_positions::{how_it_starts, warn_of_hours};
use write_search_tree::TreeOptions;

/// Shows the exact value of a position and of every move, and best play on both sides.
///
/// Supports games that are small or have a solver: Connect Four, tic-tac-toe, m,n,k,
/// Breakthrough, Kalah and Othello on small boards, Pig, EinStein with few stones, bear-offs of
/// backgammon, endings of checkers with at most four pieces, and explicit trees. For trees it
/// also shows the leaves that minimax, alpha-beta and expectimax visit. `--tree` draws the tree of
/// such a search instead, of an explicit tree or of any game with `--plies`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The game, such as `mnk:m=4,n=3,k=3` or `tree:file=configs/trees/minimax.toml`.
    #[arg(long, value_name = "SPEC", required_unless_present = "maxn")]
    game: Option<String>,
    /// Solve a tree of two to six players by max^n instead; its leaves have one value per player.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "position", "search", "plies"],
        conflicts_with_all = SOLUTION_OPTIONS)]
    maxn: Option<PathBuf>,
    /// The position in the game's notation, or `start` [default: start].
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// A file with one position per line; `-` is standard input. Prints a CSV row with value and
    /// best moves for each position, or with `--json` a document with the values of all moves.
    /// Skips empty lines and lines that begin with `#`.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,
    /// Number of threads for one position, if the game's solver supports threads [default: all
    /// cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Read values from this book, if the game's solver supports books.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Search everything. Without this option, a built-in book has the values of Connect Four's
    /// first moves, which take half a minute.
    #[arg(long, conflicts_with = "book")]
    no_book: bool,
    /// Create the book first, with all positions after at most N plies.
    #[arg(long, value_name = "N", requires = "book")]
    book_plies: Option<u32>,
    /// Draw the tree of a search: a picture (`.svg`), a graph for Graphviz (`.dot`)
    /// or a page that shows the search step by step (`.html`).
    #[arg(long, value_name = "FILE", conflicts_with_all = SOLUTION_OPTIONS)]
    tree: Option<PathBuf>,
    #[command(flatten)]
    drawn: TreeOptions,
    /// Print one JSON document; the same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// The options that do not go with `--tree`.
const SOLUTION_OPTIONS: [&str; 6] = ["positions", "threads", "book", "no_book", "json", "format"];

/// Solves a position and prints the result.
pub fn run(args: &SolveArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    if let Some(path) = &args.maxn {
        return solve_by_maxn::run(path, args.tree.as_deref());
    }
    let spec = args.game.as_deref().unwrap_or_default();
    let (_, any_game) = config::parse_game_spec(spec, "--game", registry)?;
    warn(&any_game);
    if let Some(path) = &args.tree {
        return write_search_tree::run(
            path,
            args.position.as_deref(),
            &args.drawn,
            spec,
            &any_game,
        );
    }
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
        return solve_many_positions::run(path, spec, format, &mut solver);
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
    let solved = solver.solve(args.position.as_deref()).map_err(|why| Failure::usage(why, ""))?;
    let time = begin.elapsed();
    let text = match format {
        TableFormat::Json => format!("{:#}\n", format_solution::as_json(spec, &solved, time)),
        _ => format_solution::as_text(spec, &solved, time, format == TableFormat::Markdown),
    };
    print_text(&text)?;
    Ok(exit_codes::DONE)
}
