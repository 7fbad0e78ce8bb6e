//! Programs that are not trusted: they see few files and no other process, and have limits.
//!
//! Agon starts itself again as a helper with one thread. The helper makes namespaces, builds the
//! folders that the program sees, and starts the program in them. It then waits for its end. In
//! this way no complicated work is done between a fork and an exec.

#[cfg(target_os = "linux")]
mod file_view;
#[cfg(target_os = "linux")]
mod helper;
mod plan;
#[cfg(target_os = "linux")]
mod resource_watch;
#[cfg(target_os = "linux")]
mod system_calls;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub use plan::{Breach, Sandbox, is_whole};
use plan::{NOT_MADE, OWN_FOLDER};

/// The word with which agon starts itself as the helper.
const HELPER: &str = "sandbox-exec";
/// Whether the running program becomes the helper if it is started with the word.
static CAN_HELP: AtomicBool = AtomicBool::new(false);

impl Sandbox {
    /// The command that starts a program in this sandbox. It gets the arguments, the folder and the
    /// environment of `command`, and none of agon's own environment but the path and the language.
    pub(super) fn command(&self, command: &Command) -> Command {
        let mut helper = Command::new(OWN_PROGRAM);
        let plan = serde_json::to_string(self).unwrap_or_default();
        helper.arg(HELPER).arg(plan).arg(command.get_program()).args(command.get_args());
        helper.env_clear().envs(std::env::vars_os().filter(|(name, _)| is_harmless(name)));
        helper.env("HOME", OWN_FOLDER).env("TMPDIR", OWN_FOLDER);
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => helper.env(name, value),
                None => helper.env_remove(name),
            };
        }
        helper
    }
}

/// Whether a variable tells a program nothing but where programs are and how people write.
fn is_harmless(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    ["PATH", "LANG", "LANGUAGE", "TZ"].contains(&name.as_ref()) || name.starts_with("LC_")
}

/// Becomes the helper and never returns, if agon has started this program as the helper. `args` are
/// those of the program.
pub fn become_sandbox_helper(args: &[OsString]) {
    if !std::env::args_os().eq(args.iter().cloned()) {
        return;
    }
    CAN_HELP.store(cfg!(target_os = "linux"), Ordering::Relaxed);
    #[cfg(target_os = "linux")]
    if let [_, word, plan, command @ ..] = args
        && word == HELPER
    {
        helper::run(&plan.to_string_lossy(), command);
    }
}

/// Why this machine cannot run programs in a sandbox; `None` if it can. Tried once.
pub fn missing_sandbox() -> Option<&'static str> {
    static MISSING: OnceLock<Option<String>> = OnceLock::new();
    MISSING.get_or_init(try_sandbox).as_deref()
}

fn try_sandbox() -> Option<String> {
    if !CAN_HELP.load(Ordering::Relaxed) {
        return Some(match cfg!(target_os = "linux") {
            true => "this program does not begin with `agon::cli::main_with`".to_owned(),
            false => "only Linux has what agon needs for it".to_owned(),
        });
    }
    #[cfg(target_os = "linux")]
    if !has_own_process_counts(&rustix::system::uname().release().to_string_lossy()) {
        return Some("the kernel is older than Linux 5.14".to_owned());
    }
    let nothing = Sandbox {
        dir: PathBuf::from(OWN_FOLDER),
        readable: Vec::new(),
        readable_files: Vec::new(),
        writable: Vec::new(),
        network: false,
        memory_mb: 1024,
        processes: 16,
        cpu_seconds: 0,
    };
    // Without a program, the helper makes the sandbox and ends.
    let mut helper = Command::new(OWN_PROGRAM);
    helper.arg(HELPER).arg(serde_json::to_string(&nothing).unwrap_or_default());
    match helper.output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let why = text.trim().trim_start_matches(NOT_MADE).to_owned();
            Some(if why.is_empty() { output.status.to_string() } else { why })
        }
        Err(error) => Some(error.to_string()),
    }
}

/// Whether a kernel counts the processes of a user in each user namespace.
#[cfg(target_os = "linux")]
fn has_own_process_counts(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
    let mut next = || numbers.next().flatten().unwrap_or(0_u32);
    (next(), next()) >= (5, 14)
}

/// The file of the running program, even if it has been replaced since its start.
const OWN_PROGRAM: &str = "/proc/self/exe";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn old_kernels_are_known() {
        for (release, has) in
            [("5.14.0-70.el9", true), ("6.1", true), ("5.4.0", false), ("4.18", false)]
        {
            assert_eq!(has_own_process_counts(release), has, "{release}");
        }
    }
}
