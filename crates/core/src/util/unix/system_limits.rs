//! System limits of agon: file descriptors, processes and memory.

use std::sync::OnceLock;
use std::{fs, io};

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, getuid, setrlimit};

/// File descriptors of a running engine: three pipes and its process.
pub const DESCRIPTORS_EACH: u64 = 4;
/// Additional file descriptors during the start of an engine: the other ends of its pipes, and the
/// channel that reports a failed start.
pub const DESCRIPTORS_TO_START: u64 = 6;

/// The limit with which agon's process began.
static INHERITED: OnceLock<Rlimit> = OnceLock::new();

/// Raises the soft limit on open files to the hard limit. Returns the new limit, `None` if there is
/// no limit. Engines get the original limit of agon's process.
pub fn raise_descriptor_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    // Kept even if it is not raised: another program may lower the limit of agon during a run, and
    // an engine without descriptors cannot load its libraries.
    let _ = INHERITED.set(limit);
    if limit.current.is_some() && limit.current != limit.maximum {
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        if setrlimit(Resource::Nofile, raised).is_ok() {
            return limit.maximum;
        }
    }
    limit.current
}

/// Restores the original limit in a process that becomes an engine. Makes one system call and
/// allocates nothing.
pub(super) fn restore_descriptor_limit() {
    if let Some(limit) = INHERITED.get() {
        let _ = setrlimit(Resource::Nofile, *limit);
    }
}

/// How many more processes and threads this user may start. `None` if there is no limit, or if the
/// system does not show its processes (`/proc`).
pub fn free_processes() -> Option<u64> {
    let limit = getrlimit(Resource::Nproc).current?;
    let own = fs::read_to_string("/proc/self/status").ok()?;
    let user = getuid();
    if user.is_root() || may_exceed_limits(&own) {
        return None;
    }
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let statuses = processes.map(|entry| fs::read_to_string(entry.path().join("status")));
    let taken = statuses.flatten().filter_map(|status| threads(&status, user.as_raw())).sum();
    Some(limit.saturating_sub(taken))
}

/// The value of a line such as `Threads:  3` in the status of a process.
fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next())
}

/// Whether the kernel ignores the limit on processes, because of `CAP_SYS_RESOURCE` or
/// `CAP_SYS_ADMIN`.
fn may_exceed_limits(status: &str) -> bool {
    const SYS_ADMIN: u64 = 1 << 21;
    const SYS_RESOURCE: u64 = 1 << 24;
    let capabilities = field(status, "CapEff:").and_then(|hex| u64::from_str_radix(hex, 16).ok());
    capabilities.is_some_and(|all| all & (SYS_ADMIN | SYS_RESOURCE) != 0)
}

/// The number of threads of a process, if the process belongs to this user.
fn threads(status: &str, user: u32) -> Option<u64> {
    let is_own = field(status, "Uid:")?.parse() == Ok(user);
    field(status, "Threads:").filter(|_| is_own)?.parse().ok()
}

/// Whether the system lacks descriptors, processes or memory. This is not the fault of an engine.
pub fn is_shortage(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM]
        .iter()
        .any(|errno| code == Some(errno.raw_os_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_other_users_do_not_count() {
        let status = "Name:\tx\nUid:\t1000\t0\t0\t0\nThreads:\t3\nCapEff:\t0000000000000000\n";
        assert_eq!(threads(status, 1000), Some(3));
        assert_eq!(threads(status, 0), None);
        assert_eq!(threads("Uid:\t1000", 1000), None);
        assert!(!may_exceed_limits(status) && !may_exceed_limits(""));
        for able in ["000001fffeffffff", "0000000001000000"] {
            assert!(may_exceed_limits(&format!("CapEff:\t{able}\n")), "{able}");
        }
    }

    #[test]
    fn only_shortages_are_the_harness_own_problem() {
        let of = |errno: Errno| is_shortage(&io::Error::from(errno));
        assert!(of(Errno::MFILE) && of(Errno::NFILE) && of(Errno::AGAIN) && of(Errno::NOMEM));
        assert!(!of(Errno::NOENT) && !of(Errno::ACCESS) && !of(Errno::PIPE));
        assert!(!is_shortage(&io::Error::other("no code")));
    }
}
