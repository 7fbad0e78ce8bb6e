//! Writes the tree of a search as a picture.

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::cli::argument_types::words;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::print_text;
use crate::games::{Game, Scoring};
use crate::play::AnyGame;
use crate::report::search_tree::{DrawnTree, MOST_NODES, dot, page, svg_file};
use crate::report::{counted, grouped};
use crate::search::{MAX_DEPTH, RecordedAlgorithm, RecordedLimits, RecordedSearch, record_search};

/// Which search is drawn, and how deep.
#[derive(Debug, Args)]
pub struct TreeOptions {
    /// The search of the tree [default: alphabeta, or expectiminimax in games with chance].
    #[arg(long, value_parser = words::<TreeSearch>(), value_name = "NAME", requires = "tree")]
    search: Option<TreeSearch>,
    /// The depth of the tree in plies, required for games. Positions there have the values of the
    /// game's first evaluator.
    #[arg(long, value_name = "N", requires = "tree",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    plies: Option<u32>,
}

/// The algorithm of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TreeSearch {
    /// Visits all nodes.
    Minimax,
    /// Cuts branches that do not matter, with α and β at each node.
    Alphabeta,
    /// Averages the outcomes of chance, and the moves of the opponent as if they were random.
    Expectimax,
    /// Averages the outcomes of chance; both players play perfectly.
    Expectiminimax,
}

impl TreeSearch {
    fn algorithm(self) -> RecordedAlgorithm {
        match self {
            TreeSearch::Minimax => RecordedAlgorithm::Minimax,
            TreeSearch::Alphabeta => RecordedAlgorithm::AlphaBeta,
            TreeSearch::Expectimax => RecordedAlgorithm::Expectimax,
            TreeSearch::Expectiminimax => RecordedAlgorithm::Expectiminimax,
        }
    }
}

/// Trees are counted up to this number of nodes.
const MOST_COUNTED: usize = 100_000;

/// Searches the position and writes its tree.
///
/// # Errors
/// A tree that is too large, and a file that cannot be written.
pub fn run(
    path: &Path,
    position: Option<&str>,
    options: &TreeOptions,
    spec: &str,
    game: &AnyGame,
) -> Result<u8, Failure> {
    format(path)?;
    game.check_has_moves().map_err(|error| Failure::usage(error.message, error.help))?;
    let (search, position) = search(position, options, spec, game)?;
    let title = if position == game.write_position(&game.start()) {
        spec.to_owned()
    } else {
        format!("{spec} · {position}")
    };
    let title = match options.plies {
        Some(plies) => format!("{title} · {}", counted(plies.into(), "ply")),
        None => title,
    };
    let tree = DrawnTree::of_search(&search, &title, game.scoring().numeric_score());
    write(path, &tree, SMALLER)
}

/// What to do about a search that is too large.
const SMALLER: &str = "use a smaller `--plies`, or a later `--position`";

/// Writes a tree in the format of the file's ending. `smaller` says what to do if it is too large.
///
/// # Errors
/// A tree that is too large, and a file that cannot be written.
pub fn write(path: &Path, tree: &DrawnTree, smaller: &str) -> Result<u8, Failure> {
    let draw = format(path)?;
    if tree.nodes.len() > MOST_NODES {
        return Err(too_large(&grouped(tree.nodes.len() as u64), smaller));
    }
    std::fs::write(path, draw(tree)).map_err(|error| {
        let message = format!("cannot write {}: {error}", path.display());
        Failure::usage(message, "name a file in a folder that exists")
    })?;
    let nodes = counted(tree.nodes.len() as u64, "node");
    let cut = match tree.nodes.len() - tree.visited() {
        0 => String::new(),
        cut => format!(", {} not visited", grouped(cut as u64)),
    };
    let (title, value) = (&tree.title, tree.nodes[0].value_or_dash());
    print_text(&format!("{title}: value {value}, {nodes}{cut}\n{} is written\n", path.display()))?;
    Ok(exit_codes::DONE)
}

/// The function that draws the format of this file.
fn format(path: &Path) -> Result<fn(&DrawnTree) -> String, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_lowercase().as_str() {
        "svg" => Ok(svg_file),
        "dot" => Ok(dot),
        "html" => Ok(page),
        _ => Err(Failure::usage(
            format!("`--tree`: the name {} has no known ending", path.display()),
            "end the name of the file in `.svg`, `.dot` or `.html`",
        )),
    }
}

/// The search of the position, and the position as text.
fn search(
    position: Option<&str>,
    options: &TreeOptions,
    spec: &str,
    game: &AnyGame,
) -> Result<(RecordedSearch, String), Failure> {
    let is_explicit = game.kind() == "tree";
    let state = match position {
        None => game.start(),
        Some(text) => match game.read_position(text) {
            Err(_) if text == "start" => game.start(),
            Err(message) => {
                let help = format!(
                    "write the start as `start` or `{}`",
                    game.write_position(&game.start())
                );
                return Err(Failure::usage(format!("`--position`: {message}"), help));
            }
            Ok(state) => state,
        },
    };
    let plies = match options.plies {
        None if !is_explicit => {
            let message = format!("`--tree`: the tree of {spec} has no end");
            return Err(Failure::usage(message, "add the depth of the tree, such as `--plies 2`"));
        }
        plies => plies.unwrap_or(MAX_DEPTH),
    };
    let default =
        if game.has_chance() { TreeSearch::Expectiminimax } else { TreeSearch::Alphabeta };
    let algorithm = options.search.unwrap_or(default);
    if game.has_chance() && matches!(algorithm, TreeSearch::Minimax | TreeSearch::Alphabeta) {
        let message = format!("`--search`: this algorithm does not support chance ({spec})");
        return Err(Failure::usage(message, "use `expectimax` or `expectiminimax`"));
    }
    let evaluator =
        game.first_evaluator().map_err(|error| Failure::usage(error.message, error.help))?;
    let limits = RecordedLimits { plies, nodes: MOST_COUNTED, below_cuts: is_explicit };
    let search = record_search(game, &state, algorithm.algorithm(), limits, &*evaluator);
    let search = search.ok_or_else(|| {
        too_large(&format!("more than {}", grouped(MOST_COUNTED as u64)), SMALLER)
    })?;
    Ok((search, game.write_position(&state)))
}

fn too_large(nodes: &str, smaller: &str) -> Failure {
    Failure::usage(
        format!("`--tree`: the tree has {nodes} nodes, too many to draw"),
        format!("at most {MOST_NODES} are drawn: {smaller}"),
    )
}
