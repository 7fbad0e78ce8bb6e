//! Tells the program the revision that it was built from, where there is one.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/refs");
    println!("cargo:rerun-if-changed=build.rs");
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    if let Ok(output) = output
        && output.status.success()
        && let Ok(revision) = String::from_utf8(output.stdout)
    {
        println!("cargo:rustc-env=AGON_REVISION={}", revision.trim());
    }
}
