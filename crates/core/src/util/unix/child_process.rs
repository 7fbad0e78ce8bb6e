//! A child process in its own process group, and its reliable termination.

use std::fmt;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
#[cfg(target_os = "linux")]
use rustix::process::{PidfdFlags, getpid, getppid, pidfd_open, set_parent_process_death_signal};

use super::orphan_processes;
use super::sandbox::{Breach, Sandbox};
use super::system_limits::restore_descriptor_limit;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this exit status.
    Status(i32),
    Signal(i32),
    /// By its sandbox.
    Sandbox(Breach),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "exit status {status}"),
            Exit::Sandbox(breach) => write!(f, "{breach}"),
            Exit::Signal(signal) => match Signal::from_named_raw(*signal) {
                Some(named) => write!(f, "signal {signal}, {}", signal_name(named)),
                None => write!(f, "signal {signal}"),
            },
        }
    }
}

/// The name of a signal that often ends engines.
fn signal_name(signal: Signal) -> &'static str {
    match signal {
        Signal::ABORT => "SIGABRT",
        Signal::BUS => "SIGBUS",
        Signal::FPE => "SIGFPE",
        Signal::ILL => "SIGILL",
        Signal::KILL => "SIGKILL",
        Signal::PIPE => "SIGPIPE",
        Signal::SEGV => "SIGSEGV",
        Signal::SYS => "SIGSYS",
        Signal::TERM => "SIGTERM",
        Signal::XCPU => "SIGXCPU",
        _ => "another",
    }
}

/// The pipes to a process. Reading and writing never block.
pub struct Pipes {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

/// A running process, the leader of its group. Dropping it kills the group and reaps the leader.
pub struct Process {
    child: Child,
    pid: Pid,
    /// Becomes readable when the process ends, on systems with process file descriptors.
    #[cfg(target_os = "linux")]
    end: Option<OwnedFd>,
    reaped: bool,
    is_sandboxed: bool,
}

/// Time limit for the end of a killed process.
const REAP_TIMEOUT: Duration = Duration::from_millis(700);
/// Time between two checks of a process that is ending, on systems without notification.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

impl Process {
    /// Starts a program in its own process group, with pipes, and in this sandbox if there is one.
    /// The system kills the program when the calling thread of agon ends for any reason.
    pub fn spawn(mut command: Command, sandbox: Option<&Sandbox>) -> io::Result<(Process, Pipes)> {
        if let Some(sandbox) = sandbox {
            command = sandbox.command(&command);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Process::start(&mut command)?;
        process.is_sandboxed = sandbox.is_some();
        let child = &mut process.child;
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => {
                ioctl_fionbio(&stdin, true)?;
                ioctl_fionbio(&stdout, true)?;
                ioctl_fionbio(&stderr, true)?;
                Ok((process, Pipes { stdin, stdout, stderr }))
            }
            _ => Err(io::Error::other("a pipe is missing")),
        }
    }

    /// As [`spawn`](Self::spawn), with the input and the outputs of the command.
    pub fn start(command: &mut Command) -> io::Result<Process> {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        let parent = getpid();
        #[cfg(target_os = "linux")]
        // SAFETY: between fork and exec there are only system calls, and these are safe after a
        // fork. The code allocates nothing and takes no lock.
        unsafe {
            command.pre_exec(move || {
                restore_descriptor_limit();
                set_parent_process_death_signal(Some(Signal::KILL))?;
                // If agon ended before the call above, the system would never send the signal.
                if getppid() == Some(parent) {
                    Ok(())
                } else {
                    Err(io::Error::from(io::ErrorKind::BrokenPipe))
                }
            });
        }
        let child = orphan_processes::spawn(command)?;
        let pid = Pid::from_child(&child);
        Ok(Process {
            child,
            pid,
            #[cfg(target_os = "linux")]
            end: pidfd_open(pid, PidfdFlags::empty()).ok(),
            reaped: false,
            is_sandboxed: false,
        })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the process ended, if it has ended. The process is not reaped, so the system does not
    /// reuse its id and the id of its group.
    pub fn exit(&self) -> Option<Exit> {
        if self.reaped {
            return None;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid), options).ok()??;
        match (status.exit_status(), status.terminating_signal()) {
            (Some(status), _) => Some(Exit::Status(status)),
            (None, Some(signal)) => {
                let breach = Breach::of_signal(signal).filter(|_| self.is_sandboxed);
                Some(breach.map_or(Exit::Signal(signal), Exit::Sandbox))
            }
            (None, None) => None,
        }
    }

    /// Waits briefly for a process that seems to be ending.
    pub fn exit_within(&self, patience: Duration) -> Option<Exit> {
        let begin = Instant::now();
        loop {
            match self.exit() {
                None if begin.elapsed() < patience => {
                    self.sleep_until_end(patience - begin.elapsed(), None)
                }
                exit => return exit,
            }
        }
    }

    /// Sleeps until the process ends, output is ready to read, or the time is over. On systems
    /// without notification of the end, the sleep is short.
    pub fn sleep_until_end(&self, most: Duration, output: Option<&ChildStdout>) {
        #[cfg(target_os = "linux")]
        let end = self.end.as_ref().map(|end| PollFd::new(end, PollFlags::IN));
        #[cfg(not(target_os = "linux"))]
        let end: Option<PollFd<'_>> = None;
        let most = if end.is_some() { most } else { most.min(POLL_INTERVAL) };
        let time = Timespec {
            tv_sec: most.as_secs().min(86_400) as i64,
            tv_nsec: most.subsec_nanos().into(),
        };
        let output = output.map(|output| PollFd::new(output, PollFlags::IN));
        let mut fds: Vec<PollFd<'_>> = end.into_iter().chain(output).collect();
        // The caller checks the state in every case.
        let _ = poll(&mut fds, Some(&time));
    }

    /// Kills the group, reaps the process, and kills the processes that it started outside the
    /// group.
    pub fn kill(&mut self) {
        if self.reaped {
            return;
        }
        // The leader is not reaped yet, so the system has not reused the group's id.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let begin = Instant::now();
        while begin.elapsed() < REAP_TIMEOUT {
            match self.child.try_wait() {
                Ok(None) => {
                    self.sleep_until_end(REAP_TIMEOUT.saturating_sub(begin.elapsed()), None)
                }
                _ => break,
            }
        }
        self.reaped = true;
        orphan_processes::end_with(self.pid);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Which pipes of a process are ready, or closed by it.
pub struct Ready {
    pub stdout: bool,
    pub stderr: bool,
    pub stdin: bool,
}

/// Sleeps until a pipe is ready, for at most this time, which is less than a second. A pipe that is
/// `None` is not waited for. Does not allocate.
pub fn wait_for_pipes(
    stdout: &ChildStdout,
    stderr: Option<&ChildStderr>,
    stdin: Option<&ChildStdin>,
    most: Duration,
) -> io::Result<Ready> {
    let most = Timespec { tv_sec: 0, tv_nsec: most.subsec_nanos().into() };
    let mut fds = [
        PollFd::new(stdout, PollFlags::IN),
        PollFd::new(stdout, PollFlags::empty()),
        PollFd::new(stdout, PollFlags::empty()),
    ];
    let mut count = 1;
    let (mut errors, mut input) = (0, 0);
    if let Some(stderr) = stderr {
        fds[count] = PollFd::new(stderr, PollFlags::IN);
        errors = count;
        count += 1;
    }
    if let Some(stdin) = stdin {
        fds[count] = PollFd::new(stdin, PollFlags::OUT);
        input = count;
        count += 1;
    }
    match poll(&mut fds[..count], Some(&most)) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let is_ready = |index: usize| !fds[index].revents().is_empty();
    Ok(Ready {
        stdout: is_ready(0),
        stderr: errors > 0 && is_ready(errors),
        stdin: input > 0 && is_ready(input),
    })
}
