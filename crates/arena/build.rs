//! Tells the program the revision that it was built from, where there is one.

use std::path::Path;
use std::process::Command;

/// The answer of git, if there is git and a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Only files that exist: cargo compiles everything again at every call if one is missing. They are
    // elsewhere in a worktree, and nowhere in an archive of the source. Every commit, checkout and
    // reset adds a line to the log of HEAD.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    if let Some(revision) = git(&["rev-parse", "--short=12", "HEAD"]) {
        println!("cargo:rustc-env=AGON_REVISION={revision}");
    }
}
