//! The commands of agon: one file or folder per command.

mod bench;
mod check_engine;
mod check_game;
mod completions;
mod example;
mod explain;
mod gate;
mod init;
mod ladder;
mod list;
mod man;
mod match_agents;
mod merge;
mod plan;
mod play;
mod rate;
mod results;
pub(super) mod run;
pub(super) mod run_command;
mod schema;
mod serve;
mod solve;
mod sprt;
mod tune;
mod watch;

use super::command_entry::{self, CommandEntry, command};
use crate::report::TableFormat::{Benchmark, Csv, Junit};

/// All commands by what they are for, in the order of `agon --help`. A new one is a file, its `mod` line,
/// and its line here.
pub const GROUPS: [(&str, &[CommandEntry]); 4] = [
    (
        "Play",
        &[
            command!("run", run_command::run).writes(&[Csv]),
            command!("match", match_agents::run),
            command!("play", play::run),
            command!("watch", watch::run),
        ],
    ),
    (
        "Measure",
        &[
            command!("plan", plan::run).loses_work(),
            command!("sprt", sprt::run).writes(&[Csv]),
            command!("tune", tune::run),
            command!("gate", gate::run).writes(&[Benchmark, Junit]),
            command!("compare", results::compare::run).writes(&[Benchmark, Junit]).loses_work(),
            command!("bench", bench::run).writes(&[Benchmark]).loses_work(),
            command!("rate", rate::run).writes(&[Csv]).loses_work(),
            command!("solve", solve::run).loses_work(),
            command!("grade", results::grade::run),
        ],
    ),
    (
        "Look",
        &[
            command!("report", results::report::run).loses_work(),
            command!("table", results::table::run).writes(&[Csv]),
            command!("plot", results::plot::run).loses_work(),
            command!("ladder", ladder::run).loses_work(),
            command!("replay", results::replay::run),
            command!("example", example::run),
            command!("list", list::run),
            command!("explain", explain::run),
        ],
    ),
    (
        "Build",
        &[
            command!("init", init::run),
            command!("serve", serve::run),
            command!("check-engine", check_engine::run),
            command!("check-game", check_game::run),
            command!("merge", merge::run),
            command!("next", results::next::run),
            command!("schema", schema::run),
            command!("completions", completions::run),
            command!("man", man::run),
        ],
    ),
];

/// All commands.
pub fn commands() -> impl Iterator<Item = &'static CommandEntry> {
    GROUPS.iter().flat_map(|(_, commands)| *commands)
}
