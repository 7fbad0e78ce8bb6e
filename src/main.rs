//! The `agon` binary: runs the command line and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon::engine::adopt_orphans();
    agon::cli::main(std::env::args_os())
}
