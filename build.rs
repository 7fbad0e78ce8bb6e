//! Lets the linker keep one copy of equal functions and equal tables, if it can. This makes the program
//! 1.2 MB smaller. The linkers `lld` (rustc brings it for Linux on x86-64) and `mold` can do it. Other
//! linkers refuse the options, so this script first links an empty program with them.

use std::env::{var, var_os};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const OPTIONS: [&str; 2] = ["-Wl,--icf=all", "-Wl,--ignore-data-address-equality"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if var("PROFILE").is_ok_and(|profile| profile == "release")
        && links_with_options() == Some(true)
    {
        for option in OPTIONS {
            println!("cargo:rustc-link-arg-bins={option}");
        }
    }
}

fn links_with_options() -> Option<bool> {
    let folder = PathBuf::from(var_os("OUT_DIR")?);
    let source = folder.join("empty.rs");
    std::fs::write(&source, "fn main() {}\n").ok()?;
    let mut rustc = Command::new(var_os("RUSTC")?);
    rustc.arg(&source).arg("-o").arg(folder.join("empty")).args(["--target", &var("TARGET").ok()?]);
    rustc.args(var("CARGO_ENCODED_RUSTFLAGS").ok()?.split('\x1f').filter(|flag| !flag.is_empty()));
    rustc.args(var("RUSTC_LINKER").ok().map(|linker| format!("-Clinker={linker}")));
    rustc.args(OPTIONS.map(|option| format!("-Clink-arg={option}")));
    Some(rustc.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?.success())
}
