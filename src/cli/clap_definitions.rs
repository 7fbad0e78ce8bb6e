//! What can be typed: clap's definitions.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use super::argument_types::PictureFormat;
use super::argument_types::{
    Color, EngineFault, EngineProtocolArg, ReplayFormat, ServeProtocolArg, ShardArg, SideArg,
    Template, words,
};
use super::exit_codes;
use super::options_of_several_commands::whole;
pub use super::options_of_several_commands::{Changes, KeyChanges, Shown, Threads};
use super::run_source_options::{ConfigFile, ExampleArgs, MatchArgs};
use crate::arena::Shard;
use crate::report::TableFormat;

/// Tournaments between agents that play board games.
///
/// Plays the games of an experiment in parallel. Reports who won, how certain this is, and what
/// it cost, as tables and CSV.
#[derive(Debug, Parser)]
#[command(name = "agon", version, args_conflicts_with_subcommands = true)]
#[command(after_help = EXAMPLES, after_long_help = exit_codes::HELP, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub source: ConfigFile,
    #[command(flatten)]
    pub run: RunArgs,
    /// When to use colour.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    #[arg(value_parser = words::<Color>())]
    pub color: Color,
}

/// The first things to try, as `agon --help` shows them.
const EXAMPLES: &str = "\
Try:
  agon match alphabeta:depth=5 mcts:simulations=500
  agon match ./new ./old --clock 8+0.08 --openings book.epd --sprt 0,5
  agon play connect4
  agon COMMAND --help      options of a command; `agon run --help` has the exit codes";

/// The definition of the command line. The options of the main job are shown by `agon run --help`.
pub fn definition() -> clap::Command {
    let shown = ["file", "help", "version", "color", "format"];
    let hide = |arg: clap::Arg| match shown.contains(&arg.get_id().as_str()) {
        true => arg,
        false => arg.hide(true),
    };
    Cli::command().mut_args(hide)
}

/// Everything but the main job.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays the experiment of a config. `agon FILE` does the same.
    #[command(after_help = exit_codes::HELP)]
    Run {
        /// The config.
        #[command(flatten)]
        source: ConfigFile,
        /// How it is played.
        #[command(flatten)]
        run: Box<RunArgs>,
    },
    /// Plays agents and engines against each other; needs no config.
    ///
    /// For example: agon match alphabeta:depth=5 mcts:simulations=500 --games 200
    ///
    /// Engines: agon match ./new ./old --clock 8+0.08 --openings book.epd --sprt 0,5
    Match {
        #[command(flatten)]
        what: Box<MatchArgs>,
        #[command(flatten)]
        run: Box<RunArgs>,
    },
    /// Writes a commented config to start from.
    Init(InitArgs),
    /// Lists, prints and plays the experiments that are part of the program.
    Example {
        #[command(flatten)]
        what: Box<ExampleArgs>,
        #[command(flatten)]
        run: Box<RunArgs>,
    },
    /// Lists what a config can contain: every parameter with its default and range.
    List {
        /// Show only this topic: games, agents, evaluators, a section of the config such as
        /// openings or schedule, or the name of a game or an agent.
        #[arg(value_name = "TOPIC|NAME")]
        topic: Option<String>,
    },
    /// Prints the JSON Schema of the config file.
    Schema,
    /// Estimates a run: games, time, resolution, power. Writes no files.
    ///
    /// Plays for about a second to measure how long games take. Warns if the run is too small to
    /// answer its question.
    Plan(PlanArgs),
    /// Builds the tables of a results folder again from its games.csv.
    ///
    /// Prints the summary and rewrites agents.csv, pairings.csv, seats.csv, summary.txt and
    /// report.html. Reads grades from moves.csv if it exists. A folder with only games.csv is
    /// enough, but then the experiment's name and its planned length are unknown.
    Report(ReportArgs),
    /// Stacks the agents of several runs in one table, as text, CSV, JSON or Markdown.
    ///
    /// Each agent is a row with its results, its cost, and every parameter and key of the config
    /// that differs between the rows. Give results folders, or a folder that contains them, such as
    /// the folder of a sweep. Reads agents.csv and resolved.toml.
    Table(TableArgs),
    /// Writes a chart of the page as SVG or PNG; without CHART, lists the charts.
    ///
    /// The picture has its title, its legend and its own colours, for a light background. PNG needs
    /// one of the programs rsvg-convert, inkscape, magick or convert.
    Plot(PlotArgs),
    /// Shows a recorded game, move by move.
    ///
    /// Shows who moved and the board after each move. If moves.csv has them, also shows the
    /// nodes, the depth, the time and the agent's value. Positive values are good for the first
    /// player.
    Replay(ReplayArgs),
    /// Merges the shards of an experiment into one results folder.
    ///
    /// The files are those that one machine would have written.
    ///
    /// All shards must have the same config, and two folders of one shard must be equal. If shards
    /// are missing, nothing is written and the exit code is 1. Their numbers go to stdout in the
    /// syntax of batch systems, such as `3,7-9`. A sequential test needs only the shards up to
    /// its decision, and the decision is the exit code.
    Merge(MergeArgs),
    /// Prints the shards of the next round of a format in rounds, for many machines.
    ///
    /// The shards that are still to be played go to stdout in the syntax of batch systems, such as
    /// `1-37`. Play them with `--shard auto` or `--shard K/N`, merge them with `agon merge DIR`, and
    /// ask again. With an answer, nothing goes to stdout, and the exit code is that of the run.
    /// docs/cluster.md has loops for batch systems.
    Next(NextArgs),
    /// Grades each move of a results folder by exact values.
    ///
    /// Supports games that are small or have a solver (see `agon solve`). Writes moves.csv with
    /// the value before and after each move, adds columns to agents.csv, and prints the tables.
    /// If there are more games than requested, a random sample is graded. The sample depends on
    /// the experiment's seed and not on the number of threads. Existing grades are kept.
    Grade(GradeArgs),
    /// Shows the exact value of a position and of every move, and best play on both sides.
    ///
    /// Supports games that are small or have a solver: Connect Four, tic-tac-toe, m,n,k,
    /// Breakthrough, Kalah and Othello on small boards, Pig, EinStein with few stones, bear-offs of
    /// backgammon, endings of checkers with at most four pieces, and explicit trees. For trees it
    /// also shows the leaves that minimax, alpha-beta and expectimax visit.
    Solve(SolveArgs),
    /// Runs an agent as an engine on stdin and stdout, for every game (UGI; UCI for chess).
    ///
    /// Works with any program that runs engines; docs/protocol.md is for their authors. The
    /// options `Game` and `Params` set another game, the option `Agent` another agent.
    Serve(ServeArgs),
    /// Tests whether an engine handles its protocol as tournaments require.
    ///
    /// Tests the greeting, options, legal moves, limits on nodes, depth and time, repeated
    /// searches, `stop`, and the shutdown. Prints pass, warn or fail for each step. Exit code 0:
    /// no step fails; 3: a step fails.
    CheckEngine(CheckEngineArgs),
    /// Plays any game with you, against an agent, in the terminal or the browser.
    ///
    /// Two people may play, too.
    /// Type a move as the game writes it, or a command: moves, hint, undo, board, save, new,
    /// resign, help, quit. Arrow keys edit the line; Up and Ctrl-R bring back earlier lines.
    /// Input may come from a file: every line is a move or a command. With --web, moves are
    /// clicked on a board in the browser.
    Play(PlayArgs),
    /// Plays one game of an experiment and shows it live. Writes no files.
    ///
    /// It is the game with this number in the run: the same agents, opening and random numbers.
    Watch(WatchArgs),
    /// Runs fixed work for every agent and game: node signature and speed.
    ///
    /// Asks every built-in agent for one move in each of a fixed list of positions. The number
    /// of nodes is the same on every machine, so another number means that a search has changed.
    /// Speeds are measured at least twice, until two passes agree or 20 seconds have passed. With
    /// --check and --save, only counts matter, and there is one pass.
    Bench(BenchArgs),
    /// Compares two results folders: is the candidate's run worse than the baseline's?
    ///
    /// Both runs must have the same game, schedule, openings, seed and limits. Agents are
    /// matched by name and must have the same budget; other parameters may differ. Each row is
    /// one figure: strength from paired games (same opponent, opening and seat), exact work, time
    /// on the same machine, and memory. The verdict compares the interval with the limit. Exit
    /// code 0: not worse; 3: worse; 4: undecided.
    Compare(CompareArgs),
    /// A faulty engine for testing engine hosts.
    #[command(hide = true)]
    Rogue(RogueArgs),
    /// Plays the config's two agents until a sequential test is decided.
    ///
    /// Plays the experiment with a sequential test of the first agent against the second, even
    /// if the config has no `[sprt]`. Exit code 0: H1 accepted, the first agent is better than
    /// elo0; 3: H0 accepted, it is not better by elo1; 4: undecided at the maximum number of
    /// games.
    Sprt {
        #[command(flatten)]
        source: ConfigFile,
        #[command(flatten)]
        run: Box<RunArgs>,
        #[command(flatten)]
        test: SprtArgs,
    },
    /// Tunes numbers of an agent by games, then tests the result against the start.
    ///
    /// The section `[tune]` of the config names the numbers with their ranges; docs/tune.md explains
    /// it. `agon plan FILE` says first how many games this takes, and what it is expected to gain. The
    /// exit code is that of the sequential test at the end.
    Tune {
        #[command(flatten)]
        source: ConfigFile,
        #[command(flatten)]
        run: Box<RunArgs>,
    },
    /// Prints a script for command completion; `agon man` prints the manual page.
    ///
    /// For example: agon completions bash > ~/.local/share/bash-completion/completions/agon
    #[command(hide = true)]
    Completions {
        /// The shell.
        #[arg(value_parser = words::<Shell>())]
        shell: Shell,
    },
    /// Prints the manual page. Read it with man -l, or put it into a folder of man pages.
    #[command(hide = true)]
    Man,
}

#[derive(Debug, Args)]
pub struct RogueArgs {
    /// The fault.
    #[arg(value_parser = words::<EngineFault>())]
    pub kind: EngineFault,
    /// The game, until the option `Game` sets another one.
    #[arg(long, value_name = "SPEC", default_value = "connect4")]
    pub game: String,
    /// Number of correct moves before the fault.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub after: u64,
}

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The results folder.
    pub dir: PathBuf,
    #[command(flatten)]
    pub shown: Shown,
    /// First check every checksum and replay every game. Damage is listed, with exit code 1.
    #[arg(long)]
    pub verify: bool,
    /// Also show the scores without luck of a run without `[luck]`, and write no files. `exact`, or
    /// an evaluator with the keys of `[luck]`, such as `lead:scale=10`.
    #[arg(long, value_name = "SPEC", conflicts_with = "quiet")]
    pub luck: Option<String>,
}

#[derive(Debug, Args)]
pub struct TableArgs {
    /// Results folders, or folders that contain them.
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct PlotArgs {
    /// The results folder.
    pub dir: PathBuf,
    /// The chart, such as `ratings`.
    #[arg(value_name = "CHART")]
    pub chart: Option<String>,
    /// The format [default: the ending of FILE, or svg].
    #[arg(long, value_parser = words::<PictureFormat>(), value_name = "FORMAT", requires = "chart")]
    pub to: Option<PictureFormat>,
    /// The file to write; `-` writes to the standard output [default: CHART.svg].
    #[arg(long, value_name = "FILE", requires = "chart")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The results folder.
    pub dir: PathBuf,
    /// The number of the game, from 1.
    pub game: u64,
    /// Output format.
    #[arg(long, value_enum, ignore_case = true, value_name = "FORM",
        default_value_t = ReplayFormat::Text)]
    #[arg(value_parser = words::<ReplayFormat>())]
    pub to: ReplayFormat,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The results folder to write.
    pub out: PathBuf,
    /// Folders of shards, or folders that contain them [default: OUT].
    pub shards: Vec<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    pub shown: Shown,
}

#[derive(Debug, Args)]
pub struct NextArgs {
    /// The results folder.
    #[arg(value_name = "DIR", conflicts_with = "out", required_unless_present = "config")]
    pub dir: Option<PathBuf>,
    /// The config of a run that begins.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The results folder of a run that begins [default: results/NAME].
    #[arg(long, value_name = "DIR", requires = "config")]
    pub out: Option<PathBuf>,
    /// The maximum number of shards of a round [default: as in the round before].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=Shard::MOST))]
    pub shards: Option<u64>,
}

#[derive(Debug, Args)]
pub struct GradeArgs {
    /// The results folder.
    pub dir: PathBuf,
    /// Maximum number of games to grade, in whole pairs [default: `grading.games` of the config,
    /// or 1000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    pub games: Option<u64>,
    #[command(flatten)]
    pub threads: Threads,
    /// Discard earlier grades.
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub shown: Shown,
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The results folder of the baseline.
    pub base: PathBuf,
    /// The results folder of the candidate.
    pub candidate: PathBuf,
    /// Judge only this agent; `OLD=NEW` if its name differs in the candidate's run. Repeatable
    /// [default: agents whose definition has changed, or all].
    #[arg(long, value_name = "NAME[=NEW]")]
    pub agent: Vec<String>,
    /// How much worse a figure may become: `METRIC=VALUE`, `AGENT.METRIC=VALUE` or
    /// `METRIC=off`. Repeatable [defaults: strength=-10 (Elo), work=1.002, time=1.05,
    /// speed=1.05, memory=1.1 (factors)].
    #[arg(long, value_name = "LIMIT", allow_hyphen_values = true)]
    pub limit: Vec<String>,
}

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Compare the counts with this file. Differences are listed, with exit code 3.
    #[arg(long, value_name = "FILE", conflicts_with = "save")]
    pub check: Option<PathBuf>,
    /// Write the counts to this file.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub source: ConfigFile,
    /// Formats in rounds: guess that neighbours in the order differ by this number of Elo
    /// [default: 20, 50 and 100].
    #[arg(long, value_name = "ELO", conflicts_with = "ratings")]
    pub gap: Option<f64>,
    /// Formats in rounds: take the ratings of the agents from this results folder.
    #[arg(long, value_name = "DIR")]
    pub ratings: Option<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    pub changes: Changes,
}

#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The game, such as `mnk:m=4,n=3,k=3` or `tree:file=configs/trees/minimax.toml`.
    #[arg(long, value_name = "SPEC")]
    pub game: String,
    /// The position in the game's notation, or `start` [default: start].
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// A file with one position per line; `-` is standard input. Prints a CSV row with value and
    /// best moves for each position, or with `--json` a document with the values of all moves.
    /// Skips empty lines and lines that begin with `#`.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub positions: Option<PathBuf>,
    /// Number of threads for one position, if the game's solver supports threads [default: all
    /// cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Read values from this book, if the game's solver supports books.
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Search everything. Without this option, a built-in book has the values of Connect Four's
    /// first moves, which take half a minute.
    #[arg(long, conflicts_with = "book")]
    pub no_book: bool,
    /// Create the book first, with all positions after at most N plies.
    #[arg(long, value_name = "N", requires = "book")]
    pub book_plies: Option<u32>,
    /// Print one JSON document; the same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CheckEngineArgs {
    /// Check every engine of this config, with its game, options and protocol.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["game", "protocol", "options", "dir", "command"]
    )]
    pub config: Option<PathBuf>,
    /// With `--config`: show the steps of engines that pass, too.
    #[arg(short, long)]
    pub verbose: bool,
    /// The game, such as `chess` or `mnk:m=15,n=15,k=5`.
    #[arg(long, value_name = "SPEC", required_unless_present = "config")]
    pub game: Option<String>,
    /// The engine's protocol [default: uci for chess, ugi for other games].
    #[arg(long, value_parser = words::<EngineProtocolArg>(), value_name = "PROTOCOL")]
    pub protocol: Option<EngineProtocolArg>,
    /// An option of the engine, such as `Hash=16`. Repeatable.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// The folder in which the engine runs [default: the current folder].
    #[arg(long, value_name = "DIR")]
    pub dir: Option<String>,
    /// The command that starts the engine, with its arguments.
    #[arg(required_unless_present = "config", last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The game, such as `chess` or `mnk:m=15,n=15,k=5`.
    #[arg(long, value_name = "SPEC")]
    pub game: String,
    /// The agent, such as `alphabeta:depth=6`. A time of the host is added to its budget.
    #[arg(long, value_name = "SPEC")]
    pub agent: String,
    /// The protocol.
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value_t)]
    #[arg(value_parser = words::<ServeProtocolArg>())]
    pub protocol: ServeProtocolArg,
}

#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game, such as `connect4` or `mnk:m=15,n=15,k=5`.
    #[arg(value_name = "GAME", required_unless_present = "game", conflicts_with = "game")]
    pub named: Option<String>,
    /// The same, as an option.
    #[arg(long, value_name = "SPEC")]
    pub game: Option<String>,
    /// How strong the opponent is. 1: random moves. 2: looks one ply ahead, and 4 of 10 moves are
    /// random. 3 to 7: looks 1, 2, 3, 4 and 6 plies ahead, and takes a random one of equal moves. 8 to 10:
    /// searches 20 000, 200 000 and 2 000 000 positions for each move. The search is alpha-beta, or expectimax for games with
    /// chance.
    #[arg(long, value_name = "1-10", conflicts_with = "agent",
        value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: Option<u8>,
    /// The opponent, such as `alphabeta:depth=8`; `human` for two people [default: a fast search].
    #[arg(long, value_name = "SPEC")]
    pub agent: Option<String>,
    /// Your seat.
    #[arg(long, value_enum, default_value_t)]
    #[arg(value_parser = words::<SideArg>())]
    pub side: SideArg,
    /// The first position: moves from the start, or a position [default: the start].
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Seed of your seat, the dice and the agent's random numbers [default: a new seed each time].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub seed: Option<u64>,
    /// Play in the browser: prints the address of a page that only this computer can open.
    #[arg(long)]
    pub web: bool,
    /// The port of the page; 0: a free port.
    #[arg(long, value_name = "N", requires = "web", default_value_t = 0)]
    pub port: u16,
}

#[derive(Debug, Args)]
pub struct WatchArgs {
    #[command(flatten)]
    pub source: ConfigFile,
    /// The number of the game, as in games.csv.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub game: u64,
    /// Time between two moves, such as 2s or 200ms [default: 700ms in a terminal, else none].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub pace: Option<Duration>,
    #[command(flatten)]
    pub keys: KeyChanges,
}

#[derive(Debug, Args)]
pub struct SprtArgs {
    /// H0: Elo difference of the first agent to the second [default: the config's, or 0].
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// H1: Elo difference above elo0 [default: the config's, or 5].
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// Probability of accepting H1 if H0 is true [default: the config's, or 0.05].
    #[arg(long, value_name = "RATE")]
    pub alpha: Option<f64>,
    /// Probability of accepting H0 if H1 is true [default: the config's, or 0.05].
    #[arg(long, value_name = "RATE")]
    pub beta: Option<f64>,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub threads: Threads,
    /// The results folder [default: results/NAME].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub changes: Changes,
    /// Play only part K of N of the pairs; `agon merge` merges the parts. `auto` takes K and N
    /// from the batch system (Slurm, MPI launchers, GNU parallel, HyperQueue, Grid Engine,
    /// Kubernetes, PBS, LSF, AWS Batch).
    #[arg(long, value_name = "K/N|auto")]
    pub shard: Option<ShardArg>,
    /// Number of shards, for `--shard auto`.
    #[arg(long, value_name = "N", requires = "shard", value_parser = clap::value_parser!(u64).range(1..=Shard::MOST))]
    pub shards: Option<u64>,
    /// Discard earlier results in the folder.
    #[arg(long)]
    pub fresh: bool,
    /// Print the schedule. Play no games and write no files.
    #[arg(long)]
    pub dry_run: bool,
    /// Pin each thread and its engines to a core of its own.
    #[arg(long)]
    pub pin: bool,
    /// Show no progress and no hints.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Also show the settings of the run, LOS, normalized Elo and the pairs ratio.
    #[arg(short, long)]
    pub verbose: bool,
    /// Results as text, json, markdown, csv or benchmark.
    ///
    /// `csv` is for `table` and sweeps. `benchmark` is the JSON of benchmark-tracking actions where
    /// smaller is better, for `bench` and `compare`.
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t)]
    #[arg(hide_possible_values = true, value_parser = words::<TableFormat>())]
    pub format: TableFormat,
}

/// A time with its unit.
fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "write a time such as 2s or 200ms".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }
}

/// The arguments of `agon init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// What the config is for.
    #[arg(value_enum, ignore_case = true, value_name = "KIND", default_value_t)]
    #[arg(value_parser = words::<Template>())]
    pub kind: Template,
    /// The file to write; `-` writes to the standard output [default: KIND.toml].
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}
