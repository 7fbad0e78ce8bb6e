//! The values of options and arguments.

use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::arena::Shard;
use crate::report::TableFormat;

/// A parser of an option with fixed words. It is that of clap, with less code for each type.
pub fn words<E: ValueEnum + Send + Sync + 'static>() -> impl TypedValueParser<Value = E> {
    let all = E::value_variants();
    let words: Vec<PossibleValue> = all.iter().filter_map(E::to_possible_value).collect();
    let parser = PossibleValuesParser::new(words.clone());
    // The parser has found the word; only some options ignore its case.
    parser.map(move |typed| all[place(&words, &typed)].clone())
}

fn place(words: &[PossibleValue], typed: &str) -> usize {
    words.iter().position(|word| word.matches(typed, true)).unwrap_or(0)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardArg {
    Of(Shard),
    /// The shard that Slurm gives.
    Auto,
}

impl std::str::FromStr for ShardArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(ShardArg::Auto),
            text => text
                .parse()
                .map(ShardArg::Of)
                .map_err(|error: String| format!("{error}, and not `auto`")),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// Only in a terminal.
    #[default]
    Auto,
    /// Also in a pipe.
    Always,
    /// No colour.
    Never,
}

impl Color {
    /// Applies the choice to all output of this process.
    pub fn write_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// The parser of `--format`.
pub fn table_format() -> impl TypedValueParser<Value = TableFormat> {
    let parser = PossibleValuesParser::new(TableFormat::WORDS);
    parser.map(|word| TableFormat::from_word(&word).unwrap_or_default())
}

/// A time with its unit.
pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "write a time such as 2s or 200ms".to_owned())
}
