//! What agon needs from Unix for files, threads and the terminal. A port to another system begins here. The other
//! places are `engine/` (processes, pipes, limits), `cli/signals`, and the faulty engine for tests.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};

use rustix::process::{Signal, kill_current_process_group};
use rustix::stdio::stdin;
use rustix::termios::{self, LocalModes, OptionalActions, SpecialCodeIndex, Termios};

/// The rights of a new file, such as `0o644`.
pub(crate) fn permissions(mode: u32) -> Permissions {
    Permissions::from_mode(mode)
}

/// Whether it is a file that may be run.
pub(crate) fn is_executable(data: &Metadata) -> bool {
    data.is_file() && data.permissions().mode() & 0o111 != 0
}

/// Whether both are the same file, whatever its names.
pub(crate) fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Reads at this place and does not move the file's own place.
pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(buffer, at)
}

/// The cores that this thread may use; empty if the system does not report them.
pub(crate) fn cores() -> Vec<usize> {
    let mut cores = Vec::new();
    #[cfg(target_os = "linux")]
    if let Ok(allowed) = rustix::thread::sched_getaffinity(None) {
        let all = 0..rustix::thread::CpuSet::MAX_CPU;
        cores.extend(all.filter(|&core| allowed.is_set(core)));
    }
    cores
}

/// Pins this thread, and programs that it starts from now on, to a core.
pub(crate) fn pin_to(core: usize) {
    #[cfg(target_os = "linux")]
    {
        let mut only = rustix::thread::CpuSet::new();
        only.set(core);
        // If a core was removed meanwhile, that was intended.
        let _ = rustix::thread::sched_setaffinity(None, &only);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = core;
}

/// While it exists, the terminal sends each key at once and prints none.
#[derive(Debug)]
pub(crate) struct SingleKeys {
    before: Termios,
}

impl SingleKeys {
    /// `None` if the standard input is no terminal.
    pub(crate) fn begin() -> Option<Self> {
        let before = termios::tcgetattr(stdin()).ok()?;
        let mut mode = before.clone();
        // Keys that would send a signal are read, so that the terminal can be restored before.
        let lines = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
        mode.local_modes.remove(lines);
        mode.special_codes[SpecialCodeIndex::VMIN] = 1;
        mode.special_codes[SpecialCodeIndex::VTIME] = 0;
        termios::tcsetattr(stdin(), OptionalActions::Drain, &mode).ok()?;
        Some(SingleKeys { before })
    }
}

impl Drop for SingleKeys {
    fn drop(&mut self) {
        let _ = termios::tcsetattr(stdin(), OptionalActions::Drain, &self.before);
    }
}

/// A signal that a key of the terminal sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Stop,
    /// Ctrl and a backslash.
    Quit,
}

impl Pause {
    /// Sends the signal to all processes of the terminal's current job, as the terminal does.
    pub(crate) fn begin(self) {
        let signal = match self {
            Pause::Interrupt => Signal::INT,
            Pause::Stop => Signal::TSTP,
            Pause::Quit => Signal::QUIT,
        };
        let _ = kill_current_process_group(signal);
    }
}
