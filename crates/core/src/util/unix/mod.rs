//! All that agon needs from Unix: files, threads, the terminal, and here in files of their own
//! processes with their pipes, and the limits of the system. A port to another system is the task
//! of this folder. Only `cli/signals` names signals besides.

mod child_process;
mod orphan_processes;
mod sandbox;
mod system_limits;

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Signal, kill_current_process_group};
use rustix::stdio::stdin;
use rustix::termios::{self, LocalModes, OptionalActions, SpecialCodeIndex, Termios};

pub use child_process::Exit;
pub use child_process::{Pipes, Process, Ready, wait_for_pipes};
pub use orphan_processes::adopt_orphans;
pub use orphan_processes::{block_if_exiting, end_engines};
pub use sandbox::{Breach, Sandbox, become_sandbox_helper, is_whole, missing_sandbox};
pub use system_limits::free_processes;
pub use system_limits::{
    DESCRIPTORS_EACH, DESCRIPTORS_TO_START, is_shortage, raise_descriptor_limit,
};

/// The rights of a new file, such as `0o666`. The system removes those of the umask.
pub fn permissions(mode: u32) -> Permissions {
    Permissions::from_mode(mode)
}

/// Opens a file of a results folder for writing. Such a folder may come from another person, and a
/// symbolic link or a pipe in it could lead to any file of this user, or block. So both are refused,
/// with an error of the kind `InvalidInput`.
pub fn open_plain_file(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = match options.custom_flags(flags.bits().cast_signed()).open(path) {
        Err(error) if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {
            let what = "it is a symbolic link; remove the link";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        file => file?,
    };
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => {
            let what = "it is not a regular file; remove it";
            Err(io::Error::new(io::ErrorKind::InvalidInput, what))
        }
    }
}

/// Whether it is a file that may be run.
pub fn is_executable(data: &Metadata) -> bool {
    data.is_file() && data.permissions().mode() & 0o111 != 0
}

/// Whether both are the same file, whatever its names.
pub fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Reads at this place and does not move the file's own place.
pub fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(buffer, at)
}

/// The cores that this thread may use; empty if the system does not report them.
pub fn cores() -> Vec<usize> {
    let mut cores = Vec::new();
    #[cfg(target_os = "linux")]
    if let Ok(allowed) = rustix::thread::sched_getaffinity(None) {
        let all = 0..rustix::thread::CpuSet::MAX_CPU;
        cores.extend(all.filter(|&core| allowed.is_set(core)));
    }
    cores
}

/// Pins this thread, and programs that it starts from now on, to a core.
pub fn pin_to(core: usize) {
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

/// Asks for huge pages for this memory, which need not have a value yet. The advice changes how the
/// memory is mapped, not its content; a refusal changes nothing.
pub fn advise_huge_pages<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let length = size_of_val(memory);
        let start = memory.as_mut_ptr().cast::<std::ffi::c_void>();
        let skip = start.align_offset(PAGE);
        if let Some(length) = length.checked_sub(skip) {
            // SAFETY: the range contains whole pages inside this memory.
            let _ = unsafe {
                let advice = rustix::mm::Advice::LinuxHugepage;
                rustix::mm::madvise(start.byte_add(skip), length / PAGE * PAGE, advice)
            };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// While it exists, the terminal sends each key at once and prints none.
#[derive(Debug)]
pub struct SingleKeys {
    before: Termios,
}

impl SingleKeys {
    /// `None` if the standard input is no terminal.
    pub fn begin() -> Option<Self> {
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
pub enum Pause {
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Stop,
    /// Ctrl and a backslash.
    Quit,
}

impl Pause {
    /// Sends the signal to all processes of the terminal's current job, as the terminal does.
    pub fn begin(self) {
        let signal = match self {
            Pause::Interrupt => Signal::INT,
            Pause::Stop => Signal::TSTP,
            Pause::Quit => Signal::QUIT,
        };
        let _ = kill_current_process_group(signal);
    }
}
