//! What can be typed: clap's definitions.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use super::arg_types::{
    Color, EngineProtocolArg, ReplayFormat, Rogue, ServeProtocolArg, ShardArg, SideArg,
};
use super::exit_codes;
use crate::arena::Shard;
use crate::config::Overrides;
use crate::report::TableFormat;

/// A tournament and benchmarking harness for agents that play board games.
///
/// Plays the games of an experiment in parallel and writes who won, how surely, and at
/// what cost to tables and CSV.
#[derive(Debug, Parser)]
#[command(name = "agon", version, args_conflicts_with_subcommands = true)]
#[command(after_help = exit_codes::HELP, max_term_width = 100)]
pub struct Cli {
    /// What to do; the main job without.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The main job.
    #[command(flatten)]
    pub run: RunArgs,
    /// When to use colour.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub color: Color,
}

/// Everything but the main job.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What can be configured: every parameter with default and range.
    List {
        /// Only this: games, agents, evaluators, a section of the config such as openings or
        /// schedule, or the name of a game or an agent.
        #[arg(value_name = "TOPIC|NAME")]
        topic: Option<String>,
    },
    /// The JSON Schema of the config file.
    Schema,
    /// What a run would show: games, time, resolution, power; records nothing.
    ///
    /// Plays for about a second to learn how long games take, and warns where the run could
    /// not answer its question.
    Plan(PlanArgs),
    /// Makes the tables of a results folder again, from its games.csv.
    ///
    /// Prints the summary and rewrites agents.csv, pairings.csv, seats.csv, summary.txt and
    /// report.html.
    /// Grades are taken from moves.csv, if it is there.
    /// A folder that holds nothing but games.csv will do; what the experiment was called and
    /// whether it was complete is then not known.
    Report(ReportArgs),
    /// A recorded game, move by move.
    ///
    /// Shows the board after every move, who moved, and, where moves.csv has them, the nodes,
    /// the depth, the time and the agent's own value (in the first player's frame).
    Replay(ReplayArgs),
    /// Joins the shards of an experiment: the same files as one machine would have written.
    ///
    /// Shards of another config are refused, and so are folders of one shard that differ. Where
    /// shards are missing, nothing is written, their numbers go to stdout as batch systems read
    /// them, such as `3,7-9`, and the exit code is 1. A sequential test needs the shards up to
    /// its verdict only, and its verdict is the exit code.
    Merge(MergeArgs),
    /// How good was each move? Grades the games of a results folder by exact values.
    ///
    /// For games that are small or have a solver (see `agon solve`). Writes moves.csv with the
    /// value before and after each move, appends columns to agents.csv, and prints the tables.
    /// Where there are more games than asked for, a sample by lot is graded: it follows from
    /// the experiment's seed and does not depend on the number of threads. What is there
    /// already is not graded again.
    Grade(GradeArgs),
    /// The exact value of a position, of every move, and best play on both sides.
    ///
    /// For games that are small or have a solver: Connect Four, tic-tac-toe and m,n,k on small
    /// boards, Pig, EinStein with few stones, and explicit trees, of which it also shows the leaves that
    /// minimax, alpha-beta and expectimax visit.
    Solve(SolveArgs),
    /// An agent as an engine on stdin and stdout, for every game (UGI; UCI for chess).
    ///
    /// Loads into whatever plays with engines; docs/protocol.md is the page for their authors.
    /// Another game can be set by the options `Game` and `Params`, another agent by `Agent`.
    Serve(ServeArgs),
    /// Walks an engine through its protocol: does it keep what a tournament relies on?
    ///
    /// Greeting, options, legal moves, limits on nodes, depth and time, the same move twice,
    /// stop, and the end: a table with pass, warn or fail per step. Exit code 0: nothing fails;
    /// 3: something does.
    CheckEngine(CheckEngineArgs),
    /// A person against an agent, or two people, in the terminal: any game.
    ///
    /// Type a move as the game writes it, or one of moves, hint, undo, board, save, resign, help
    /// and quit. Input may come from a file: every line is a move or a command.
    Play(PlayArgs),
    /// One game of an experiment, shown as it is played; records nothing.
    ///
    /// It is the game of that number in the run: the same agents, opening and random numbers.
    Watch(WatchArgs),
    /// Fixed positions and budgets for every agent and game: node signature and speed.
    ///
    /// Asks every built-in agent for one move in each of a fixed list of positions. The number
    /// of positions searched is the same on every machine, so a change means that a search has
    /// changed. Speeds are measured at least twice, until two passes agree or 20 seconds are
    /// over; with --check and --save, which are about counts, once.
    Bench(BenchArgs),
    /// Is the candidate's run worse than the baseline's? Compares two results folders.
    ///
    /// Both must have asked the same: game, schedule, openings, seed and limits. Agents are
    /// matched by name and must have the same budget; what else has changed about them is what
    /// is judged. One row per figure: strength by twin games (same opponent, opening and seat),
    /// work exactly, time between runs of one machine, memory. The verdict is that of the
    /// interval against the limit. Exit code 0: not worse; 3: worse; 4: undecided.
    Compare(CompareArgs),
    /// An engine that misbehaves on purpose, to try out what waits for it.
    #[command(hide = true)]
    Rogue(RogueArgs),
    /// Plays the config's two agents until a sequential test is decided.
    ///
    /// The main job with a sequential test of the first agent against the second, even where
    /// the config has no `[sprt]`. The exit code is the verdict: 0 if H1 was accepted (the
    /// first agent is better than elo0), 3 if H0 was (it is not better by elo1), 4 if the cap
    /// was reached before.
    #[command(mut_arg("config", |arg| arg.required(true)))]
    Sprt {
        /// Everything that the main job takes.
        #[command(flatten)]
        run: Box<RunArgs>,
        /// The hypotheses and error rates.
        #[command(flatten)]
        test: SprtArgs,
    },
    /// A script that completes what is typed, for your shell.
    ///
    /// For example: agon completions bash > ~/.local/share/bash-completion/completions/agon
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// The manual page, to be read with man -l or put where man looks for it.
    Man,
}

#[derive(Debug, Args)]
pub struct RogueArgs {
    /// What it does.
    pub kind: Rogue,
    /// The game, until an option `Game` says another.
    #[arg(long, value_name = "SPEC", default_value = "connect4")]
    pub game: String,
    /// Moves that it makes properly before.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub after: u64,
}

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The results folder.
    pub dir: PathBuf,
    #[command(flatten)]
    pub shown: Shown,
    /// First check every checksum and replay every game; damage is named, exit code 1.
    #[arg(long)]
    pub verify: bool,
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The results folder.
    pub dir: PathBuf,
    /// The number of the game, from 1.
    pub game: u64,
    /// As what it is written to stdout.
    #[arg(long, value_enum, ignore_case = true, value_name = "FORM",
        default_value_t = ReplayFormat::Text)]
    pub to: ReplayFormat,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The results folder to be written.
    pub out: PathBuf,
    /// Folders of shards, or folders that hold them [default: OUT].
    pub shards: Vec<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    pub shown: Shown,
}

#[derive(Debug, Args)]
pub struct GradeArgs {
    /// The results folder.
    pub dir: PathBuf,
    /// The most games to grade, in whole pairs [default: the config's `grading.games`, or
    /// 1000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    pub games: Option<u64>,
    #[command(flatten)]
    pub threads: Threads,
    /// Forget earlier grades.
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub shown: Shown,
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The results folder of what was there before.
    pub base: PathBuf,
    /// The results folder of what is new.
    pub candidate: PathBuf,
    /// Judge only this agent; `OLD=NEW` if it goes by another name in the candidate's run.
    /// Repeatable [default: those whose definition has changed, or all].
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
    /// Compare the counts with this file; exit code 3 names what differs.
    #[arg(long, value_name = "FILE", conflicts_with = "save")]
    pub check: Option<PathBuf>,
    /// Write the counts to this file.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

/// How many threads there are.
#[derive(Debug, Args)]
pub struct Threads {
    /// Threads [default: what the scheduler allows, else physical cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// How much of the results is printed.
#[derive(Debug, Args)]
pub struct Shown {
    /// Write the files, print nothing.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Show LOS, normalized Elo and pairs ratio of two agents too.
    #[arg(short, long)]
    pub verbose: bool,
}

/// What replaces keys of the config.
#[derive(Debug, Args)]
pub struct Changes {
    /// Seed instead of the config's.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub seed: Option<u64>,
    /// Games per pairing instead of the config's.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub games: Option<u64>,
    /// Any key instead of the config's, such as `game.columns=8` or `agents.ab.depth=6`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl Changes {
    pub fn overrides(&self) -> Overrides {
        Overrides { seed: self.seed, games: self.games, set: self.set.clone(), sequential: None }
    }
}

#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The experiment to plan.
    #[arg(long, value_name = "FILE")]
    pub config: PathBuf,
    /// Threads that the run will have [default: what the scheduler allows, else physical cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
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
    /// Many positions, one a line, `-` for standard input: a CSV row with value and best moves for
    /// each, or with `--json` a document with the values of all moves. Empty lines and lines that
    /// begin with `#` are skipped.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub positions: Option<PathBuf>,
    /// Threads that search one position, where the game's solver can share the work [default:
    /// all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Read values from this book, where the game's solver takes one.
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Search everything: without this the values of Connect Four's first moves, which take
    /// half a minute, come from a book that is part of the program.
    #[arg(long, conflicts_with = "book")]
    pub no_book: bool,
    /// Make the book first: all positions after at most so many plies.
    #[arg(long, value_name = "N", requires = "book")]
    pub book_plies: Option<u32>,
    /// One JSON document, as with `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CheckEngineArgs {
    /// Checks every engine of this config, with its game, options and protocol.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["game", "protocol", "options", "dir", "command"]
    )]
    pub config: Option<PathBuf>,
    /// The game, such as `chess` or `mnk:m=15,n=15,k=5`.
    #[arg(long, value_name = "SPEC", required_unless_present = "config")]
    pub game: Option<String>,
    /// What the engine speaks [default: uci for chess, ugi for other games].
    #[arg(long, value_enum, value_name = "PROTOCOL")]
    pub protocol: Option<EngineProtocolArg>,
    /// An option of the engine, such as `Hash=16`. Repeatable.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Where the engine runs [default: here].
    #[arg(long, value_name = "DIR")]
    pub dir: Option<String>,
    /// What starts the engine, with its arguments.
    #[arg(required_unless_present = "config", last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The game, such as `chess` or `mnk:m=15,n=15,k=5`.
    #[arg(long, value_name = "SPEC")]
    pub game: String,
    /// The agent, such as `alphabeta:depth=6`. Its budget holds where a host names none.
    #[arg(long, value_name = "SPEC")]
    pub agent: String,
    /// What is spoken.
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value_t)]
    pub protocol: ServeProtocolArg,
}

#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game, such as `connect4` or `mnk:m=15,n=15,k=5`.
    #[arg(long, value_name = "SPEC")]
    pub game: String,
    /// The opponent, such as `alphabeta:depth=8`; `human` for two people [default: a search that
    /// answers at once].
    #[arg(long, value_name = "SPEC")]
    pub agent: Option<String>,
    /// Where you sit.
    #[arg(long, value_enum, default_value_t)]
    pub side: SideArg,
    /// Where to begin: moves from the start, or a position [default: the start].
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Fixes the lot for the first move, the dice, and what the agent draws [default: another
    /// one each time].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub seed: Option<u64>,
}

#[derive(Debug, Args)]
pub struct WatchArgs {
    /// The experiment.
    #[arg(long, value_name = "FILE")]
    pub config: PathBuf,
    /// Number of the game, as in games.csv.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub game: u64,
    /// Time between two moves, such as 2s or 200ms [default: 700ms in a terminal, else none].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub pace: Option<Duration>,
    /// Seed instead of the config's.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub seed: Option<u64>,
    /// Any key instead of the config's, such as `game.columns=8` or `agents.ab.depth=6`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Debug, Args)]
pub struct SprtArgs {
    /// H0 in Elo of the first agent over the second [default: the config's, or 0].
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// H1 in Elo, above elo0 [default: the config's, or 5].
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// How often H1 may be accepted though H0 holds [default: the config's, or 0.05].
    #[arg(long, value_name = "RATE")]
    pub alpha: Option<f64>,
    /// How often H0 may be accepted though H1 holds [default: the config's, or 0.05].
    #[arg(long, value_name = "RATE")]
    pub beta: Option<f64>,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// The experiment to play.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
    /// The results folder [default: results/NAME].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub changes: Changes,
    /// Play only a part of the pairs, `agon merge` joins the parts: K/N (K from 1), or `auto`
    /// to take K and N from the batch system (Slurm, MPI launchers, GNU parallel, HyperQueue,
    /// Grid Engine, Kubernetes, PBS, LSF, AWS Batch).
    #[arg(long, value_name = "K/N|auto")]
    pub shard: Option<ShardArg>,
    /// How many shards there are, for `--shard auto`.
    #[arg(long, value_name = "N", requires = "shard", value_parser = clap::value_parser!(u64).range(1..=Shard::MOST))]
    pub shards: Option<u64>,
    /// Throw away what an earlier run left in the folder.
    #[arg(long)]
    pub fresh: bool,
    /// Say what would be played; play nothing, write nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Ties each thread, with the engines that it plays, to a core of its own.
    #[arg(long)]
    pub pin: bool,
    /// No progress and no hints.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say what is about to be played, and show LOS, normalized Elo and pairs ratio too.
    #[arg(short, long)]
    pub verbose: bool,
    /// How results are written to stdout.
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: TableFormat,
}

/// A time with its unit.
fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "write it like 2s or 200ms".to_owned())
}

/// Whole numbers that a config can hold.
fn whole(text: &str) -> Result<u64, String> {
    let number = text.parse::<i64>().ok().and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| "it is no whole number from 0 on".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }
}
