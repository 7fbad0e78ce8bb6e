//! The key `sandbox` and the keys that only count with it.

use std::path::PathBuf;

use super::all_params;
use super::engine_params::{EngineParams, SandboxUse};
use crate::engine::{
    EngineError, EngineErrorKind, Launch, Sandbox, SandboxFiles, expand_home, is_link_out,
    is_whole, missing_sandbox, without_parents,
};
use crate::params::{ParamError, Spec};

/// The default of `memory_mb`.
const MEMORY_MB: u64 = 1024;
/// The default of `processes`. A virtual machine for Java has about 30 threads.
const PROCESSES: u64 = 64;

impl EngineParams {
    pub(super) fn is_sandboxed(&self) -> bool {
        !matches!(self.sandbox, None | Some(SandboxUse::No))
    }

    /// # Errors
    /// A key that only counts in a sandbox, or a folder that does not exist.
    pub(super) fn check_sandbox(&self) -> Result<(), ParamError> {
        let given = [
            ("allow_network", self.allow_network.is_some()),
            ("readable", self.readable.is_some()),
            ("writable", self.writable.is_some()),
            ("memory_mb", self.memory_mb.is_some()),
            ("processes", self.processes.is_some()),
            ("cpu_seconds", self.cpu_seconds.is_some()),
        ];
        if !self.is_sandboxed()
            && let Some((key, _)) = given.iter().find(|(_, is_given)| *is_given)
        {
            let message = format!("`{key}` only counts in a sandbox");
            return Err(ParamError::at(key, message, "add `sandbox = true`, or remove the key"));
        }
        let dir = self.dir.as_deref().and_then(|dir| expand_home(dir).canonicalize().ok());
        if self.is_sandboxed()
            && let Some(dir) = dir.filter(|dir| is_whole(dir))
        {
            let message = format!("{} cannot be a folder of a sandbox", dir.display());
            let help = "each program needs a folder of its own";
            return Err(ParamError::at("dir", message, help));
        }
        self.paths("readable", &self.readable)?;
        self.paths("writable", &self.writable).map(drop)
    }

    /// The sandbox of a program; `None` if it has none, or if this machine cannot make one.
    ///
    /// # Errors
    /// The same machine, if the sandbox is required.
    pub(super) fn sandbox_of(&self, launch: &Launch) -> Result<Option<Sandbox>, EngineError> {
        if !self.is_sandboxed() {
            return Ok(None);
        }
        if let Some(why) = missing_sandbox() {
            let required = self.sandbox == Some(SandboxUse::Required);
            return if required { Err(refusal(why)) } else { Ok(None) };
        }
        let mut sandbox = default_sandbox(launch);
        let wrong = |ParamError { message: detail, help, .. }| EngineError {
            kind: EngineErrorKind::Refused,
            detail,
            help,
        };
        sandbox.readable.extend(self.paths("readable", &self.readable).map_err(wrong)?);
        sandbox.writable = self.paths("writable", &self.writable).map_err(wrong)?;
        sandbox.network = self.allow_network == Some(true);
        sandbox.memory_mb = self.memory_mb.unwrap_or(sandbox.memory_mb);
        sandbox.processes = self.processes.unwrap_or(sandbox.processes);
        sandbox.cpu_seconds = self.cpu_seconds.unwrap_or(sandbox.cpu_seconds);
        Ok(Some(sandbox))
    }

    /// The paths of a key, absolute. Relative ones begin in `dir`.
    fn paths(&self, key: &str, paths: &Option<Vec<String>>) -> Result<Vec<PathBuf>, ParamError> {
        let dir = self.dir.as_deref().map(expand_home);
        let place = |path: &String| {
            let typed = dir.clone().unwrap_or_default().join(expand_home(path));
            let typed = without_parents(&typed);
            let wrong = |message: String, help: &str| Err(ParamError::at(key, message, help));
            let Ok(whole) = typed.canonicalize() else {
                let message = format!("there is no file or folder {}", typed.display());
                return wrong(message, "a relative path begins in `dir`");
            };
            let dir = dir.as_deref().and_then(|dir| dir.canonicalize().ok());
            if dir.is_some_and(|dir| is_link_out(&typed, &dir)) {
                let message =
                    format!("{} is a link out of `dir`, to {}", typed.display(), whole.display());
                return wrong(message, "remove the link, or name the place to which it leads");
            }
            if is_whole(&whole) {
                let message = format!("{} cannot be a folder of a sandbox", whole.display());
                return wrong(message, "name the files or folders in it");
            }
            Ok(whole)
        };
        paths.iter().flatten().map(place).collect()
    }
}

/// A sandbox with the default limits.
pub fn default_sandbox(launch: &Launch) -> Sandbox {
    let SandboxFiles { dir, readable, readable_files } = SandboxFiles::of(launch);
    Sandbox {
        dir,
        readable,
        readable_files,
        writable: Vec::new(),
        network: false,
        memory_mb: MEMORY_MB,
        processes: PROCESSES,
        cpu_seconds: 0,
    }
}

/// Whether a program of this agent is to run in a sandbox.
pub fn wants_sandbox(spec: &Spec) -> bool {
    all_params(spec).iter().any(EngineParams::is_sandboxed)
}

const REFUSAL: &str = "this machine cannot make a sandbox";

/// The error of a program for which a sandbox is required.
fn refusal(why: &str) -> EngineError {
    EngineError {
        kind: EngineErrorKind::Refused,
        detail: format!("{REFUSAL}: {why}"),
        help: "`sandbox = true` runs the program without it".to_owned(),
    }
}

/// Whether this is the error of a program for which a sandbox is required.
pub(super) fn is_refusal(error: &EngineError) -> bool {
    error.detail.starts_with(REFUSAL)
}
