//! The options of the commands that start a run: which config, which players, which example.

use std::path::PathBuf;

use clap::Args;

/// The config of a command.
#[derive(Debug, Default, Args)]
pub struct ConfigFile {
    /// The config, such as configs/c4_depth.toml; `-` reads the standard input.
    #[arg(value_name = "FILE", conflicts_with = "config")]
    pub file: Option<PathBuf>,
    /// The same, as an option.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// What is played.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// Two or more players. An agent by its SPEC, such as `alphabeta:depth=5`; an engine by its
    /// command, such as ./engine or "python3 bot.py". An engine with a name and options of its own:
    /// "engine:command=./new,name=new,options.Hash=16".
    #[arg(required = true, value_name = "A B [C …]")]
    pub players: Vec<String>,
    /// The game, such as `mnk:m=7,n=7,k=4` [default: connect4; chess if all players are engines].
    #[arg(long, value_name = "SPEC")]
    pub game: Option<String>,
    /// A key that all players share, such as `table_mb=64` or `options.Hash=16`. Repeatable.
    #[arg(long, value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Seconds and increment of each engine, such as 8+0.08, or 40/60+0.6 for 40 moves.
    #[arg(long, value_name = "TIME")]
    pub clock: Option<String>,
    /// Milliseconds for one move [default for players without a limit, if an engine plays: 100].
    #[arg(long, value_name = "MS")]
    pub movetime: Option<String>,
    /// Positions that a player may search for one move [default for players without a limit: 10000].
    #[arg(long, value_name = "N")]
    pub nodes: Option<String>,
    /// Plies that a player looks ahead [default for minimax: 3].
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<String>,
    /// A file of openings (moves, EPD or PGN), `random:PLIES` or `start`.
    #[arg(long, value_name = "FILE|random:PLIES")]
    pub openings: Option<String>,
    /// Plays until a sequential test between these two hypotheses is decided: is A better than
    /// B by ELO0, or by ELO1? (Logistic Elo.)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Who meets whom. `best` finds the best agent in rounds that eliminate agents, `ranking` the
    /// order of all: they play until the answer is certain. `swiss` and `knockout` are tournaments
    /// of matches; `--games` is the length of a match.
    #[arg(long, value_name = "FORMAT", conflicts_with = "sprt")]
    pub schedule: Option<String>,
    /// Prints the config that does the same, and plays nothing.
    #[arg(long, conflicts_with_all = ["set", "dry_run"])]
    pub print_config: bool,
}

/// Which example, and what is done with it.
#[derive(Debug, Args)]
pub struct ExampleArgs {
    /// The example to play; without a name, all examples are listed.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Prints the config instead of playing it.
    #[arg(long, requires = "name")]
    pub print: bool,
    /// Writes all configs, trees and mazes to this new folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "print"])]
    pub save: Option<PathBuf>,
}
