//! The values of options and arguments.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::arena::Shard;
use crate::report::TableFormat;
use crate::util::collect_with_less_code::Gather;

/// A parser of an option with fixed words. It is that of clap, with less code for each type.
pub fn words<E: ValueEnum + Send + Sync + 'static>() -> impl TypedValueParser<Value = E> {
    let all = E::value_variants();
    let words: Vec<PossibleValue> = all.iter().filter_map(E::to_possible_value).gather();
    let parser = PossibleValuesParser::new(words.clone());
    // The parser has found the word; only some options ignore its case.
    parser.map(move |typed| all[place(&words, &typed)].clone())
}

fn place(words: &[PossibleValue], typed: &str) -> usize {
    words.iter().position(|word| word.matches(typed, true)).unwrap_or(0)
}

/// The output format of a recorded game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReplayFormat {
    /// Boards and text.
    Text,
    /// One picture with all positions.
    Svg,
    /// Portable Game Notation, for chess.
    Pgn,
}

/// The protocol of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineProtocolArg {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
    /// The protocol of Gomocup (Piskvork).
    Gomocup,
    /// The Go Text Protocol.
    Gtp,
}

/// The protocol of a served agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ServeProtocolArg {
    /// UGI, or UCI if the host greets with `uci`.
    #[default]
    Ugi,
    /// The protocol of Gomocup, for m,n,k games with five in a row. The manager sets the size of
    /// the board.
    Gomocup,
    /// The Go Text Protocol, for `go` and `othello`. The controller sets size and komi.
    Gtp,
}

/// The seat of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SideArg {
    /// You move first.
    First,
    /// Your opponent moves first.
    Second,
    /// Random.
    #[default]
    Random,
}

/// The fault of a faulty engine when it is asked for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineFault {
    /// No fault: it answers at once.
    Instant,
    /// Plays a random legal move, and does not report that it is random.
    Random,
    /// Ends with status 3.
    Exit,
    /// Ends by SIGABRT.
    Abort,
    /// Ends by SIGSEGV.
    Segfault,
    /// Answers with a move that does not exist.
    Illegal,
    /// Answers without a move.
    None,
    /// Writes bytes that are not text, and no move.
    Garbage,
    /// Writes one line of 50 MB, and no move.
    LongLine,
    /// Sends every move twice, the second time a little later.
    Twice,
    /// Sends info lines without end, as fast as it can.
    Flood,
    /// Sends info lines without end, every 50 ms.
    Drip,
    /// Sleeps.
    Sleep,
    /// Uses the processor without end.
    Spin,
    /// Closes its output and continues to run.
    CloseStdout,
    /// Sleeps, and ignores SIGTERM.
    IgnoreTerm,
    /// Writes nothing.
    NoHandshake,
    /// Answers only after `stop`, and then late.
    Late,
    /// Ends, but its child keeps its output open.
    Fork,
    /// Leaves a process of another session with each move, and continues.
    Escape,
    /// The process that `escape` starts: leaves its session, starts a process and ends.
    Escaped,
    /// Stops itself, as a debugger would.
    Freeze,
}

/// The requested shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardArg {
    /// This shard.
    Of(Shard),
    /// The shard that the batch system gives.
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

/// The format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// Lines and text, for any size.
    Svg,
    /// Pixels, drawn by another program.
    Png,
}

impl PictureFormat {
    /// Its word on the command line, and the ending of its files.
    pub fn word(self) -> &'static str {
        match self {
            PictureFormat::Svg => "svg",
            PictureFormat::Png => "png",
        }
    }
}

/// When to use colour.
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

impl ValueEnum for TableFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            TableFormat::Text,
            TableFormat::Json,
            TableFormat::Markdown,
            TableFormat::Csv,
            TableFormat::Benchmark,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let word = match self {
            TableFormat::Text => "text",
            TableFormat::Json => "json",
            TableFormat::Markdown => "markdown",
            TableFormat::Csv => "csv",
            TableFormat::Benchmark => "benchmark",
        };
        Some(PossibleValue::new(word))
    }
}

/// A config to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Template {
    /// Two agents play Connect Four.
    #[default]
    Connect4,
    /// A tournament of the programs of a class, with a first program in Python.
    Class,
    /// Two engines play chess.
    Chess,
    /// A sequential test: is the new version stronger?
    Sprt,
    /// Many agents and runs from lists of parameters.
    Sweep,
    /// Better weights of an evaluator, found by games.
    Tune,
}
