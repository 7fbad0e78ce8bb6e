//! Options that several commands share: threads, what is printed, changes of the config, and how a run is
//! played.

use std::path::PathBuf;

use clap::Args;

use super::argument_types::{ShardArg, table_format};
use crate::arena::Shard;
use crate::config::Overrides;
use crate::report::TableFormat;

#[derive(Debug, Args)]
pub struct Threads {
    /// Number of threads [default: what Slurm allows, else physical cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

#[derive(Debug, Args)]
pub struct Shown {
    /// Write the files, print nothing.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Also show LOS, normalized Elo and the pairs ratio of two agents.
    #[arg(short, long)]
    pub verbose: bool,
}

/// Options that replace keys of the config.
#[derive(Debug, Args)]
pub struct Changes {
    #[command(flatten)]
    pub keys: KeyChanges,
    /// Number of games per pairing; replaces the config's.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub games: Option<u64>,
}

impl Changes {
    pub fn overrides(&self) -> Overrides {
        Overrides { games: self.games, ..self.keys.overrides() }
    }
}

#[derive(Debug, Args)]
pub struct KeyChanges {
    /// Seed; replaces the config's.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub seed: Option<u64>,
    /// Sets any key of the config, such as `game.columns=8` or `agents.ab.depth=6`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl KeyChanges {
    pub fn overrides(&self) -> Overrides {
        Overrides { seed: self.seed, set: self.set.clone(), ..Overrides::default() }
    }
}

/// How a run is played.
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
    /// from Slurm.
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
    /// Results as text, json, markdown, csv, benchmark or junit.
    ///
    /// `csv` is for `table` and sweeps, and for the agents or the next games of `rate` and the expected
    /// games of `sprt`. `benchmark` is the JSON of benchmark-tracking actions where
    /// smaller is better, for `bench`, `compare` and `gate`. `junit` is XML with one test per figure, for
    /// `compare` and `gate`.
    #[arg(
        long,
        global = true,
        display_order = 900,
        value_name = "FORMAT",
        default_value = TableFormat::default().word()
    )]
    #[arg(hide_possible_values = true, value_parser = table_format())]
    pub format: TableFormat,
}

/// Whole numbers that a config can hold.
pub fn whole(text: &str) -> Result<u64, String> {
    let number = text.parse::<i64>().ok().and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| "write a whole number, 0 or greater".to_owned())
}
