//! The values of options and arguments.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::arena::Shard;
use crate::report::TableFormat;

/// As what a game is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReplayFormat {
    /// Boards and words.
    Text,
    /// A picture of every position, in one file.
    Svg,
    /// The portable game notation of chess.
    Pgn,
}

/// What an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineProtocolArg {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
    /// That of Gomocup (Piskvork).
    Gomocup,
}

/// What a served agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ServeProtocolArg {
    /// UGI, or UCI if the host says so.
    #[default]
    Ugi,
    /// That of Gomocup, for m,n,k games with five in a row; the manager says how large the
    /// board is.
    Gomocup,
}

/// Who moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SideArg {
    /// You.
    First,
    /// Your opponent.
    Second,
    /// A lot decides.
    #[default]
    Random,
}

/// What a rogue does when it is asked for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rogue {
    /// Nothing wrong: it answers at once.
    Instant,
    /// Plays any legal move, at random, and does not say that it does.
    Random,
    /// Ends with status 3.
    Exit,
    /// Ends by SIGABRT.
    Abort,
    /// Ends by SIGSEGV.
    Segfault,
    /// Names a move that does not exist.
    Illegal,
    /// Names no move.
    None,
    /// Writes bytes that are no text, and no move.
    Garbage,
    /// Writes one line of 50 MB, and no move.
    LongLine,
    /// Names every move twice, the second time a little later.
    Twice,
    /// Tells without end what it thinks, as fast as it can.
    Flood,
    /// Tells without end what it thinks, every 50 ms.
    Drip,
    /// Sleeps.
    Sleep,
    /// Computes.
    Spin,
    /// Closes its output and stays.
    CloseStdout,
    /// Sleeps, and stays when asked to leave.
    IgnoreTerm,
    /// Never says anything.
    NoHandshake,
    /// Answers only when it is told to stop, and then late.
    Late,
    /// Ends and leaves a child behind that holds its output open.
    Fork,
    /// Leaves behind, with each move, a process of another session, and goes on.
    Escape,
    /// What `escape` starts: leaves its session, starts a process and ends.
    Escaped,
    /// Stops itself as a debugger would.
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
            text => text.parse().map(ShardArg::Of).map_err(|error| error + ", nor `auto`"),
        }
    }
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// In a terminal.
    #[default]
    Auto,
    /// Even in a pipe.
    Always,
    /// Not at all.
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
        &[TableFormat::Text, TableFormat::Json, TableFormat::Markdown, TableFormat::Benchmark]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (word, help) = match self {
            TableFormat::Text => ("text", "Aligned columns"),
            TableFormat::Json => ("json", "One JSON document"),
            TableFormat::Markdown => ("markdown", "Markdown tables"),
            TableFormat::Benchmark => (
                "benchmark",
                "The JSON of benchmark-tracking actions, smaller is better; `bench` and `compare` \
                 only",
            ),
        };
        Some(PossibleValue::new(word).help(help))
    }
}
