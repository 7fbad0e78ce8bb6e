//! Options that several commands share: threads, what is printed, and changes of the config.

use clap::Args;

use crate::config::Overrides;

#[derive(Debug, Args)]
pub struct Threads {
    /// Number of threads [default: what the batch system allows, else physical cores].
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

/// Whole numbers that a config can hold.
pub fn whole(text: &str) -> Result<u64, String> {
    let number = text.parse::<i64>().ok().and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| "write a whole number, 0 or greater".to_owned())
}
