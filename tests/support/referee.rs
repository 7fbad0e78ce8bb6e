//! A referee for testing: a game of luck between two commands, which it does not start.
//!
//! It is the example `referee`, so `cargo build` and `cargo install` leave it out.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::thread::sleep;
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// What is wrong with the referee or with a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RefereeFault {
    /// Ends with status 3.
    Exit,
    /// Starts a process, and both sleep.
    Sleep,
    /// Writes nothing.
    Silent,
    /// Writes lines that end in CRLF.
    Crlf,
    /// Writes no newline after the result.
    NoNewline,
    /// Writes a line of 10 MB before the result.
    LongLine,
    /// Writes the result in a line of 10 MB.
    LongResult,
    /// Writes lines of debug text before the result.
    Debug,
    /// The first agent makes an error.
    PlayerError,
    /// Both agents make errors.
    BothErrors,
    /// Has a third player.
    ThirdPlayer,
}

/// Plays a game between two commands.
#[derive(Parser)]
struct Args {
    first: String,
    second: String,
    #[arg(long, default_value_t = 0)]
    seed: u32,
    /// Writes the commands to this file.
    #[arg(long)]
    log: Option<PathBuf>,
    /// Shows this fault.
    #[arg(long)]
    fault: Option<RefereeFault>,
    /// Shows the fault only if the seed is a multiple of this number.
    #[arg(long, default_value_t = 1)]
    every: u32,
    /// Milliseconds for a game.
    #[arg(long, default_value_t = 0)]
    sleep: u64,
}

fn main() -> ExitCode {
    use RefereeFault::{
        BothErrors, Crlf, Debug, Exit, LongLine, LongResult, NoNewline, PlayerError, Silent, Sleep,
        ThirdPlayer,
    };
    let args = Args::parse();
    let fault = args.fault.filter(|_| args.seed % args.every == 0);
    sleep(Duration::from_millis(args.sleep));
    if let Some(path) = &args.log {
        let text = format!("{}\n{}\n{}\n", args.first, args.second, args.seed);
        std::fs::write(path, text).expect("a writable file");
    }
    match fault {
        Some(Exit) => return ExitCode::from(3),
        Some(Silent) => return ExitCode::SUCCESS,
        Some(Sleep) => {
            let child = Command::new("sleep").arg("4321.5").spawn();
            child.expect("a process").wait().expect("an end");
        }
        _ => {}
    }
    // The player with the longer command wins 3 of 4 games, for the same seed from both seats.
    let longer_wins = args.seed % 4 != 0;
    let first_wins = (args.first.len() > args.second.len()) == longer_wins;
    let ranks = match fault {
        Some(ThirdPlayer) => "[0, 1, 2]",
        _ if first_wins => "[0, 1]",
        _ => "[1, 0]",
    };
    let errors = match fault {
        Some(PlayerError) => r#"["timeout in turn 3", null]"#,
        Some(BothErrors) => r#"["crash", "illegal move"]"#,
        _ => "[null, null]",
    };
    let mut text = String::new();
    if fault == Some(Debug) {
        text.push_str("{\"ranks\": [1, 1]}\nturn 1\nturn 2\n");
    }
    if matches!(fault, Some(LongLine | LongResult)) {
        text.push_str(&" x".repeat(5 << 20));
    }
    if fault == Some(LongLine) {
        text.push('\n');
    }
    let _ = write!(
        text,
        r#"{{"ranks": {ranks}, "errors": {errors}, "turns": {}, "map": "a, \"b\""}}"#,
        args.seed % 50
    );
    text.push_str(match fault {
        Some(Crlf) => "\r\n",
        Some(NoNewline) => "",
        _ => "\n",
    });
    io::stdout().write_all(text.as_bytes()).expect("agon reads the result");
    ExitCode::SUCCESS
}
