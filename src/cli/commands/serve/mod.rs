//! `agon serve`: runs an agent as an engine on stdin and stdout.
//!
//! One thread reads lines and another executes them in order. The reader itself only handles
//! commands that must not wait for a move: `stop`, `quit`, and `isready` during a search.

mod execute_commands;
mod info_lines;
mod output_of_both_threads;
mod search_limits;
mod serve_gomocup;
mod serve_gtp;
mod session_options;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::cli::argument_types::words;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::input_line::{self, InputLine};
use crate::cli::signals::StopSignal;
use crate::config::{ConfigError, Diagnostic};
use crate::engine::{UciCommand, UciReply};
use crate::solve::STACK;
use execute_commands::ServeWorker;
use output_of_both_threads::HostOutput;
use session_options::SessionOptions;

/// How long a search with limits may continue after the input of the host has ended.
const GRACE: Duration = Duration::from_secs(5);

/// How long an agent may take to stop.
const PATIENCE: Duration = Duration::from_secs(1);

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

/// Runs an agent as an engine on stdin and stdout, for every game (UGI; UCI for chess).
///
/// Works with any program that runs engines; docs/protocol.md is for their authors. The
/// options `Game` and `Params` set another game, the option `Agent` another agent.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The game, such as `chess` or `mnk:m=15,n=15,k=5`.
    #[arg(long, value_name = "SPEC")]
    game: String,
    /// The agent, such as `alphabeta:depth=6`. A time of the host is added to its budget.
    #[arg(long, value_name = "SPEC")]
    agent: String,
    /// The protocol.
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value_t)]
    #[arg(value_parser = words::<ServeProtocolArg>())]
    protocol: ServeProtocolArg,
}

/// Serves until the host quits.
pub fn run(args: &ServeArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let registry = context.registry;
    // A signal ends the engine of an agent, if there is one, with all its processes. An agent without
    // an engine needs no handler.
    let _stop = StopSignal::listen(true).ok();
    if args.protocol == ServeProtocolArg::Gomocup {
        if !args.game.trim_start().starts_with("mnk") {
            let message = "`--protocol gomocup` supports only m,n,k games with five in a row";
            return Err(Failure::usage(message, "use `--game mnk:m=15,n=15,k=5`"));
        }
        let mut brain =
            serve_gomocup::Brain::open(&args.game, &args.agent, registry, io::stdout())?;
        brain.serve(io::stdin().lock())?;
        return Ok(exit_codes::DONE);
    }
    if args.protocol == ServeProtocolArg::Gtp {
        let mut server =
            serve_gtp::GtpServer::open(&args.game, &args.agent, registry, io::stdout())?;
        server.serve(io::stdin().lock())?;
        return Ok(exit_codes::DONE);
    }
    let options = SessionOptions::new(&args.game, &args.agent, registry);
    serve(options, io::stdin(), Box::new(io::stdout()))?;
    Ok(exit_codes::DONE)
}

/// Serves a host that writes to `input` and reads from `out`. An agent that does not stop is left
/// in its thread.
pub fn serve(
    options: SessionOptions,
    input: impl Read + Send + 'static,
    out: Box<dyn Write + Send>,
) -> Result<(), ConfigError> {
    let host = HostOutput::new(out);
    let mut worker = ServeWorker::open(options, host.clone())?;
    let (reader, doer) = (host.clone(), host.clone());
    let reading = thread::Builder::new().spawn(move || {
        let quits = read(BufReader::new(input), &reader);
        reader.end_input(quits);
    });
    let working = thread::Builder::new().stack_size(STACK).spawn(move || {
        // If the host closed its end, the work is over.
        while let Some(order) = doer.next_order()
            && worker.execute(order).is_ok()
        {}
    });
    if let Err(error) = reading.and(working) {
        let help = "end other programs, or raise the limit (`ulimit -u`, memory)";
        let problem = Diagnostic::new(format!("cannot start a thread: {error}")).help(help);
        return Err(ConfigError::one(Vec::new(), problem));
    }
    match host.wait_for_end() {
        None => return Ok(()),
        Some(quits) if !quits && !host.is_infinite() && host.wait_for_work(GRACE) => return Ok(()),
        Some(_) => {}
    }
    host.request_stop();
    host.wait_for_work(PATIENCE);
    Ok(())
}

/// Reads the commands of the host; true if they end with `quit`.
fn read(mut input: impl BufRead, host: &HostOutput) -> bool {
    let mut after_go = false;
    loop {
        let command = match input_line::next(&mut input, input_line::OF_HOSTS) {
            Ok(InputLine::Line(line)) => UciCommand::parse(&line),
            Ok(InputLine::TooLong) => {
                UciCommand::Unknown("ignored a line that is too long".to_owned())
            }
            Ok(InputLine::Nothing) | Err(_) => return false,
        };
        let done = match &command {
            UciCommand::Quit => return true,
            UciCommand::Stop => {
                host.request_stop();
                Ok(())
            }
            UciCommand::IsReady if after_go && host.is_searching() => host.say(UciReply::ReadyOk),
            _ => {
                after_go = matches!(command, UciCommand::Go(_));
                if let UciCommand::Go(go) = &command {
                    host.ask(go.infinite);
                }
                host.order(command);
                Ok(())
            }
        };
        if done.is_err() {
            return false;
        }
    }
}
