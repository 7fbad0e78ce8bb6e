//! `agon completions` and `agon man`: shell completions and a manual page, generated from the
//! definitions of the command line.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::clap_definitions::Cli;

use crate::util::collect_with_less_code::AddAll;

/// The completion script for this shell.
pub fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    // The generator panics if its output is closed, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "agon", &mut script);
    out.write_all(&script)
}

/// One manual page: first `agon` itself, then every command.
pub fn man(out: &mut dyn Write) -> io::Result<()> {
    let mut root = crate::cli::clap_definitions::definition();
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
        page.add_all(String::from_utf8_lossy(&part).replace(".SH ", ".SS ").bytes());
    }
    whole.render_extra_section(&mut page)?;
    whole.render_version_section(&mut page)?;
    out.write_all(&page)
}
