//! `agon man`: prints the manual page, made from the definitions of the command line.

use std::io::{self, Write};

use clap::Args;
use clap_mangen::Man;

use crate::cli::command_entry::{CommandContext, hide_options_of_run};
use crate::cli::exit_codes;
use crate::cli::failure::Failure;

/// Prints the manual page. Read it with man -l, or put it into a folder of man pages.
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct ManArgs {}

/// Prints one page: first `agon` itself, then every command.
pub fn run(_: &ManArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let mut root = hide_options_of_run((context.definition)());
    root.build();
    let mut page = Vec::new();
    let whole = Man::new(root.clone()).manual("agon");
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_description_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    for command in root.get_subcommands().filter(|command| command.get_name() != "help") {
        writeln!(page, ".SH \"AGON {}\"", command.get_name().to_uppercase())?;
        // Options that all commands share are described once.
        let common = |id: &str| {
            id == "help"
                || root.get_arguments().any(|arg| arg.is_global_set() && arg.get_id() == id)
        };
        let one = Man::new(command.clone().mut_args(|arg| {
            let hide = common(arg.get_id().as_str());
            arg.hide(hide)
        }));
        let mut part = Vec::new();
        one.render_synopsis_section(&mut part)?;
        one.render_description_section(&mut part)?;
        one.render_options_section(&mut part)?;
        // Sections of a command's page become subsections here.
        page.extend(String::from_utf8_lossy(&part).replace(".SH ", ".SS ").bytes());
    }
    whole.render_extra_section(&mut page)?;
    whole.render_version_section(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(exit_codes::DONE)
}
