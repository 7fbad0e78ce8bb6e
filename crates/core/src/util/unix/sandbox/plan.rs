//! What a program in a sandbox may do, and how the helper reports its end.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What a program in the sandbox sees and may use. All paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// The working folder.
    pub dir: PathBuf,
    /// Files and folders that it may read besides those of the system.
    pub readable: Vec<PathBuf>,
    /// Folders of which it may read the files, but no hidden file and no folder.
    pub readable_files: Vec<PathBuf>,
    /// Files and folders that it may change.
    pub writable: Vec<PathBuf>,
    pub network: bool,
    /// For all its processes together.
    pub memory_mb: u64,
    /// Its processes and threads.
    pub processes: u64,
    /// Processor time of all its processes since the start; 0: no limit.
    pub cpu_seconds: u64,
}

/// Why the sandbox ended a program, or did not start it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// The sandbox could not be made, so the program was not started.
    NotMade,
    /// The same because the system lacks processes or memory, which is not the program's fault.
    Shortage,
    Memory,
    CpuTime,
    /// A system call with which a program leaves its sandbox or reads other processes.
    SystemCall,
}

impl Breach {
    const ALL: [Breach; 5] =
        [Breach::NotMade, Breach::Shortage, Breach::Memory, Breach::CpuTime, Breach::SystemCall];

    /// The real-time signal by which the helper ends to report it. The program cannot send a signal
    /// to the helper, and its own end by such a signal is reported as SIGKILL.
    #[cfg(target_os = "linux")]
    pub fn signal(self) -> i32 {
        libc::SIGRTMIN() + 1 + self as i32
    }

    /// The reason for which the helper ended by this signal.
    pub fn of_signal(signal: i32) -> Option<Breach> {
        #[cfg(target_os = "linux")]
        return Breach::ALL.into_iter().find(|breach| breach.signal() == signal);
        #[cfg(not(target_os = "linux"))]
        return Breach::ALL.into_iter().find(|_| signal < 0);
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Breach::NotMade => "its sandbox cannot be made",
            Breach::Shortage => "the system lacks processes or memory for its sandbox",
            Breach::Memory => "it used more memory than `memory_mb`",
            Breach::CpuTime => "it used more processor time than `cpu_seconds`",
            Breach::SystemCall => "it made a system call that the sandbox does not allow",
        })
    }
}

/// The folder that belongs to the program, empty at each start.
pub const OWN_FOLDER: &str = "/tmp";

/// Whether a folder is one that each sandbox makes itself, so none of the machine takes its place.
pub fn is_whole(path: &Path) -> bool {
    ["/", OWN_FOLDER, "/proc", "/dev"].iter().any(|whole| Path::new(whole) == path)
}

/// How the errors of the helper begin.
pub const NOT_MADE: &str = "the sandbox cannot be made: ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn each_reason_has_a_signal_of_its_own() {
        for breach in Breach::ALL {
            assert_eq!(Breach::of_signal(breach.signal()), Some(breach));
        }
        assert_eq!(Breach::of_signal(libc::SIGKILL), None);
    }
}
