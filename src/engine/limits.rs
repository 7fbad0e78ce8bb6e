//! What the system grants agon: file descriptors, processes, memory.

use std::io;
use std::sync::OnceLock;

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors that agon holds for a running engine: three pipes and its process.
pub const DESCRIPTORS_EACH: u64 = 4;
/// Descriptors that an engine takes for the moment of its start besides: the other ends of its
/// pipes, and the channel that reports a failed start.
pub const DESCRIPTORS_TO_START: u64 = 6;

/// The limit that agon was started with, where it was raised.
static INHERITED: OnceLock<Rlimit> = OnceLock::new();

/// Raises the soft limit on open files to the hard limit; the limit that then holds, `None`
/// where there is none. Engines get the limit that agon was started with.
pub fn raise_descriptor_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some() && limit.current != limit.maximum {
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        if setrlimit(Resource::Nofile, raised).is_ok() {
            let _ = INHERITED.set(limit);
            return limit.maximum;
        }
    }
    limit.current
}

/// Gives a process that is about to become an engine the limit that agon was started with.
/// Makes one system call and allocates nothing.
pub(super) fn restore_descriptor_limit() {
    if let Some(limit) = INHERITED.get() {
        let _ = setrlimit(Resource::Nofile, *limit);
    }
}

/// Whether the system refused for lack of descriptors, processes or memory: agon's own problem,
/// and no fault of an engine.
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
    fn only_shortages_are_the_harness_own_problem() {
        let of = |errno: Errno| is_shortage(&io::Error::from(errno));
        assert!(of(Errno::MFILE) && of(Errno::NFILE) && of(Errno::AGAIN) && of(Errno::NOMEM));
        assert!(!of(Errno::NOENT) && !of(Errno::ACCESS) && !of(Errno::PIPE));
        assert!(!is_shortage(&io::Error::other("no code")));
    }
}
