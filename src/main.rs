//! The `agon` binary: parse, call, turn the error into text and an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon::engine::adopt_orphans();
    agon::cli::main(std::env::args_os())
}
