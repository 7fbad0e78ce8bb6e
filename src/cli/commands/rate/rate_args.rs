//! The arguments of `agon rate`.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use crate::arena::{ColumnRole, GUESSED_COLUMNS, column_role, column_word};
use crate::cli::argument_types::words;
use crate::stats::ranked::{TeamModel, TieModel};

/// Rates players from results that other programs have written.
///
/// Reads CSV, TSV, JSON, PGN and results folders of agon, also with gzip, in any mixture.
/// Columns are guessed from their names: `agon list columns`. With `--sprt`, exit code 0: the first
/// player is better than elo0; 3: it is not better by elo1; 4: undecided.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// Files with results, or results folders; `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The meanings of columns, such as `first=white,second=black,result=score`. Without a header,
    /// columns have numbers: `first=1,second=2,result=3`.
    #[arg(long, value_name = "MEANING=NAME,…", value_delimiter = ',', value_parser = meaning)]
    pub columns: Vec<(ColumnRole, String)>,
    /// All rows with the same value in this column are one sample, such as a task or an opening.
    #[arg(long, value_name = "COLUMN")]
    pub group: Option<String>,
    /// One list of ratings for each value of this column.
    #[arg(long, value_name = "COLUMN")]
    pub split_by: Option<String>,
    /// The rating of a player, which shifts the scale. Repeatable: a test says whether several
    /// agree with the results.
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    pub anchor: Vec<(String, f64)>,
    /// What a tie counts as.
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = Ties::Average)]
    #[arg(value_parser = words::<Ties>())]
    pub ties: Ties,
    /// The strength of a team.
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = Teams::Mean)]
    #[arg(value_parser = words::<Teams>())]
    pub teams: Teams,
    /// Append the rows to this pool, a file of JSON Lines, and rate the whole pool.
    #[arg(long, value_name = "FILE")]
    pub pool: Option<PathBuf>,
    /// Count and name wrong rows, and leave them out.
    #[arg(long)]
    pub skip_bad: bool,
    /// The number of games depended on the results: show intervals that hold at any stopping time.
    #[arg(long)]
    pub any_time: bool,
    /// A sequential test of two players: H0 and H1 in Elo, such as `0,5`.
    #[arg(long, value_name = "ELO0,ELO1", requires = "of", allow_hyphen_values = true)]
    #[arg(value_parser = hypotheses)]
    pub sprt: Option<[f64; 2]>,
    /// The two players of the test; the rows of others are left out.
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1, requires = "sprt")]
    pub of: Vec<String>,
    /// Say which opponents and how many games place this player in the list. It may be new.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["sprt", "out", "any_time", "group"])]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub place: Option<String>,
    /// Say how many more games give all ratings intervals of ± this number of Elo, or with `--place`
    /// that player (default: 30).
    #[arg(long, value_name = "ELO", value_parser = width)]
    pub within: Option<f64>,
    /// Also write agents.csv, pairings.csv, seats.csv, summary.txt and report.html to this folder.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Show all tables, and not only the short summary.
    #[arg(short, long)]
    pub verbose: bool,
}

/// What a tie counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ties {
    /// The average over the orders of the tied players; with two players, half a win.
    Average,
    /// A result of its own with a weight for each size, as in the model of Davidson and Luce.
    Davidson,
}

impl From<Ties> for TieModel {
    fn from(ties: Ties) -> Self {
        match ties {
            Ties::Average => TieModel::AverageOfOrders,
            Ties::Davidson => TieModel::DavidsonLuce,
        }
    }
}

/// The strength of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Teams {
    /// The mean rating of its members.
    Mean,
    /// The sum of the ratings of its members.
    Sum,
}

impl From<Teams> for TeamModel {
    fn from(teams: Teams) -> Self {
        match teams {
            Teams::Mean => TeamModel::Mean,
            Teams::Sum => TeamModel::Sum,
        }
    }
}

/// Reads `NAME=1500`.
fn anchor(text: &str) -> Result<(String, f64), String> {
    let parts =
        text.rsplit_once('=').and_then(|(name, elo)| Some((name.to_owned(), elo.parse().ok()?)));
    let is_usual = |(_, elo): &(String, f64)| elo.abs() <= 10_000.0;
    parts.filter(is_usual).ok_or_else(|| "write NAME=ELO, such as `bot=1500`".to_owned())
}

/// Reads a width in Elo.
fn width(text: &str) -> Result<f64, String> {
    let width = text.parse().ok().filter(|width| (1.0..=1_000.0).contains(width));
    width.ok_or_else(|| "write a number of Elo from 1 to 1000".to_owned())
}

/// Reads `first=white`.
fn meaning(text: &str) -> Result<(ColumnRole, String), String> {
    let words = || {
        let roles = GUESSED_COLUMNS.iter().map(|(role, _, _)| column_word(*role));
        format!("{}, rankN or scoreN", roles.collect::<Vec<_>>().join(", "))
    };
    let (word, name) = text.split_once('=').ok_or("write MEANING=NAME, such as `first=white`")?;
    let role =
        column_role(word).ok_or_else(|| format!("`{word}` is not a meaning: {}", words()))?;
    Ok((role, name.to_owned()))
}

/// Reads `0,5`.
fn hypotheses(text: &str) -> Result<[f64; 2], String> {
    let both = text
        .split_once(',')
        .and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    both.ok_or_else(|| "write the Elo of H0 and of H1, such as 0,5".to_owned())
}
