//! Tests of `agon completions` and `agon man`.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{agon, ok, stdout};

/// The commands in `agon --help`.
fn commands() -> Vec<String> {
    let help = stdout(&agon(&["--help"]));
    // The groups of commands are between the usage and the options.
    let list = help.split("\n\n").nth(2).expect("commands");
    // Continuation lines are indented further.
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().expect("a name").to_owned()).collect()
}

#[test]
fn completions_know_every_command() {
    assert!(commands().len() > 10, "{:?}", commands());
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = ok(agon(&["completions", shell]));
        for command in commands() {
            assert!(stdout(&output).contains(&command), "{command} in {shell}");
        }
    }
    let script = stdout(&agon(&["completions", "bash"]));
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().expect("bash");
    bash.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("read");
    assert!(bash.wait().expect("it ends").success());
    assert_eq!(agon(&["completions", "tcsh"]).status.code(), Some(2));
}

#[test]
fn the_manual_page_has_every_command_and_the_exit_codes() {
    let output = ok(agon(&["man"]));
    let page = stdout(&output);
    for command in commands().iter().filter(|command| *command != "help") {
        assert!(page.contains(&format!(".SH \"AGON {}\"", command.to_uppercase())), "{command}");
    }
    assert!(page.contains("stopped by Ctrl\\-C"), "{page}");
}
