//! The helper: three processes. The outer one waits for the others and reports the end. The middle
//! one is the first process of a process namespace: when it ends, the system kills all others
//! there. The inner one becomes the program.

use std::ffi::OsString;
use std::fs;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, exit};
use std::time::Duration;

use rustix::process::{
    DumpableBehavior, Gid, Pid, Resource, Rlimit, Signal, Uid, WaitOptions, getegid, geteuid,
    getppid, set_dumpable_behavior, set_parent_process_death_signal, setrlimit, setsid, wait,
    waitpid,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, set_capabilities, set_no_new_privs,
    set_thread_groups, set_thread_res_gid, set_thread_res_uid, unshare_unsafe,
};

use super::super::system_limits::is_shortage;
use super::plan::{Breach, NOT_MADE, Sandbox};
use super::resource_watch::ResourceWatch;
use super::{file_view, system_calls};

/// Open files of each process.
const OPEN_FILES: u64 = 256;
/// How often the use of memory and processor time is checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// User ids of programs whose helper is root begin here. No user of a system has such an id.
const FIRST_USER: u32 = 0x7000_0000;
/// The largest process id of Linux is below this.
const PROCESS_IDS: u32 = 1 << 22;

/// Why the sandbox cannot be made.
struct NotMade {
    why: String,
    breach: Breach,
}

impl From<String> for NotMade {
    fn from(why: String) -> Self {
        NotMade { why, breach: Breach::NotMade }
    }
}

type Step<T> = Result<T, NotMade>;

/// A step with what it is for.
fn step<T, E: Into<io::Error>>(what: &str, result: Result<T, E>) -> Step<T> {
    result.map_err(|error| {
        let error = error.into();
        let breach = if is_shortage(&error) { Breach::Shortage } else { Breach::NotMade };
        NotMade { why: format!("{what}: {error}"), breach }
    })
}

/// Starts the program of the command in the sandbox, waits for its end and ends in the same way.
pub(super) fn run(plan: &str, command: &[OsString]) -> ! {
    let started = serde_json::from_str(plan)
        .map_err(|error| NotMade::from(error.to_string()))
        .and_then(|sandbox| start(&sandbox, command));
    match started {
        Ok((middle, report)) => end_like(middle, report),
        Err(NotMade { why, breach }) => {
            eprintln!("{NOT_MADE}{why}");
            end_by(breach.signal())
        }
    }
}

fn end_by(signal: i32) -> ! {
    // SAFETY: plain system calls. A signal of which the default is to end a process ends this one.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::kill(libc::getpid(), signal);
        libc::kill(libc::getpid(), libc::SIGKILL);
    }
    exit(1)
}

/// Forks. Returns the child in the parent, `None` in the child.
fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: the helper has one thread, so its child may do everything.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

/// Makes the namespaces and forks the middle process. Returns it, and the pipe on which it reports.
fn start(sandbox: &Sandbox, command: &[OsString]) -> Step<(Pid, PipeReader)> {
    close_all_from(3);
    // The system ends the program first if memory is short.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    let parent = getppid();
    let is_root = geteuid().is_root();
    // The id of a process is unique on the machine, so this is a user of its own.
    let user =
        if is_root { FIRST_USER + std::process::id() % PROCESS_IDS } else { geteuid().as_raw() };
    let mut namespaces =
        UnshareFlags::NEWNS | UnshareFlags::NEWPID | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS;
    if !sandbox.network {
        namespaces |= UnshareFlags::NEWNET;
    }
    if !is_root {
        namespaces |= UnshareFlags::NEWUSER;
    }
    let (own_user, own_group) = (geteuid().as_raw(), getegid().as_raw());
    // SAFETY: the helper has one thread.
    step("the system allows no namespaces", unsafe { unshare_unsafe(namespaces) })?;
    if !is_root {
        let allowed = fs::write("/proc/self/setgroups", "deny")
            .and_then(|()| fs::write("/proc/self/uid_map", format!("{own_user} {own_user} 1")))
            .and_then(|()| fs::write("/proc/self/gid_map", format!("{own_group} {own_group} 1")));
        step("the system does not allow user namespaces", allowed)?;
    }
    die_with_parent(parent)?;
    let (reader, writer) = step("a pipe", io::pipe())?;
    match step("a process", fork())? {
        Some(middle) => {
            drop(writer);
            close_standard_pipes();
            Ok((middle, reader))
        }
        None => {
            drop(reader);
            let inside = Inside { sandbox, user: is_root.then_some(user), command };
            match inside.prepare() {
                Ok((program, watch)) => report_end(program, watch, writer),
                Err(NotMade { why, breach }) => {
                    eprintln!("{NOT_MADE}{why}");
                    report(writer, breach.signal())
                }
            }
        }
    }
}

/// Asks for SIGKILL when the parent ends.
fn die_with_parent(parent: Option<Pid>) -> Step<()> {
    step("the signal of the parent's end", set_parent_process_death_signal(Some(Signal::KILL)))?;
    match getppid() == parent {
        true => Ok(()),
        false => Err("agon has ended".to_owned().into()),
    }
}

/// Waits for the report of the middle process and ends as it says.
fn end_like(middle: Pid, mut report: PipeReader) -> ! {
    let mut status = [0; 4];
    let has_report = report.read_exact(&mut status).is_ok();
    let status = i32::from_ne_bytes(status);
    if !has_report || Breach::of_signal(status).is_none() {
        // The processes of a breach may take long to free their memory, so they end without a wait.
        let _ = waitpid(Some(middle), WaitOptions::empty());
    }
    match has_report {
        true if libc::WIFEXITED(status) => exit(libc::WEXITSTATUS(status)),
        true => end_by(libc::WTERMSIG(status)),
        false => end_by(libc::SIGKILL),
    }
}

/// The middle process, in the new namespaces.
struct Inside<'a> {
    sandbox: &'a Sandbox,
    /// The user that the program becomes, if the helper is root.
    user: Option<u32>,
    command: &'a [OsString],
}

impl Inside<'_> {
    /// Builds the folders, gives all rights up and starts the program.
    fn prepare(&self) -> Step<(Pid, ResourceWatch)> {
        block_child_signal();
        file_view::build(self.sandbox, self.user.unwrap_or(geteuid().as_raw()))?;
        if let Some(user) = self.user {
            self.become_user(user)?;
        }
        step(
            "the signal of the parent's end",
            set_parent_process_death_signal(Some(Signal::KILL)),
        )?;
        // The program must not read the memory of this process.
        step("the privacy of memory", set_dumpable_behavior(DumpableBehavior::NotDumpable))?;
        let (mut failure, told) = step("a pipe", io::pipe())?;
        match step("a process", fork())? {
            None => {
                drop(failure);
                self.become_program(told)
            }
            Some(program) => {
                drop(told);
                let mut why = String::new();
                let _ = failure.read_to_string(&mut why);
                if !why.is_empty() {
                    return Err(why.into());
                }
                close_standard_pipes();
                Ok((program, ResourceWatch::new(self.sandbox)))
            }
        }
    }

    fn become_user(&self, user: u32) -> Step<()> {
        let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
        step("no other groups", set_thread_groups(&[]))?;
        step("the group", set_thread_res_gid(gid, gid, gid))?;
        step("the user", set_thread_res_uid(uid, uid, uid))
    }

    /// Becomes the program. Writes why that failed to `told`, which the system closes otherwise.
    fn become_program(&self, mut told: PipeWriter) -> ! {
        if let Err(NotMade { why, .. }) = self.limit().and_then(|()| self.exec()) {
            let _ = told.write_all(why.as_bytes());
        }
        exit(0)
    }

    fn limit(&self) -> Step<()> {
        let Sandbox { memory_mb, processes, .. } = self.sandbox;
        // The helper's own processes count, too: one, and in a user namespace two.
        let processes = processes + if self.user.is_some() { 1 } else { 2 };
        for (resource, most) in [
            (Resource::Core, 0),
            (Resource::Nofile, OPEN_FILES),
            (Resource::Nproc, processes),
            // Memory that is reserved and never used counts here, so this is only a second bound.
            (Resource::Data, memory_mb.saturating_mul(4 << 20)),
            (Resource::Rtprio, 0),
            (Resource::Msgqueue, 0),
        ] {
            let limit = Rlimit { current: Some(most), maximum: Some(most) };
            step("a limit", setrlimit(resource, limit))?;
        }
        // The scheduler shares the processors between sessions, however many threads each has.
        step("a session", setsid())?;
        let none = CapabilitySet::empty();
        let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
        step("no rights of root", set_capabilities(None, none))?;
        step("no new rights", set_no_new_privs(true))
    }

    fn exec(&self) -> Step<()> {
        step("its folder", std::env::set_current_dir(&self.sandbox.dir))?;
        unblock_child_signal();
        system_calls::restrict(self.sandbox.network)?;
        match self.command {
            [] => Ok(()),
            [program, args @ ..] => {
                let error = Command::new(program).args(args).exec();
                Err(format!("{}: {error}", program.display()).into())
            }
        }
    }
}

/// Waits for the end of the program, checks what it uses, and reports the end. All its processes
/// end with this one.
fn report_end(program: Pid, watch: ResourceWatch, report_to: PipeWriter) -> ! {
    loop {
        wait_for_child(CHECK_INTERVAL);
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == program {
                report(report_to, reported(status.as_raw()))
            }
        }
        if let Some(breach) = watch.breach() {
            report(report_to, breach.signal())
        }
    }
}

/// The status that is reported for one of the program.
fn reported(status: i32) -> i32 {
    match libc::WTERMSIG(status) {
        _ if libc::WIFEXITED(status) => status,
        libc::SIGSYS => Breach::SystemCall.signal(),
        signal if Breach::of_signal(signal).is_some() => libc::SIGKILL,
        signal => signal,
    }
}

fn report(mut to: PipeWriter, status: i32) -> ! {
    let _ = to.write_all(&status.to_ne_bytes());
    exit(0)
}

fn child_signal() -> libc::sigset_t {
    // SAFETY: the set is made empty before it is used.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        set
    }
}

fn block_child_signal() {
    // SAFETY: the set is valid, and the old one is not asked for.
    unsafe { libc::sigprocmask(libc::SIG_BLOCK, &child_signal(), std::ptr::null_mut()) };
}

fn unblock_child_signal() {
    // SAFETY: as above.
    unsafe { libc::sigprocmask(libc::SIG_UNBLOCK, &child_signal(), std::ptr::null_mut()) };
}

/// Sleeps until a child ends, for at most this time.
fn wait_for_child(most: Duration) {
    let time = libc::timespec { tv_sec: 0, tv_nsec: most.subsec_nanos().into() };
    // SAFETY: the set and the time are valid, and the signal's information is not asked for.
    unsafe { libc::sigtimedwait(&child_signal(), std::ptr::null_mut(), &time) };
}

fn close_all_from(first: u32) {
    // SAFETY: the helper has opened no file yet that it uses later.
    unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) };
}

/// Closes the ends of the program's pipes, so that agon notices when the program closes its own.
fn close_standard_pipes() {
    for stream in [io::stdin().as_raw_fd(), io::stdout().as_raw_fd(), io::stderr().as_raw_fd()] {
        // SAFETY: nothing is read or written after this call.
        unsafe { libc::close(stream) };
    }
}
