//! Attacks of a hostile program on the machine, on agon and on other programs. Each returns what it
//! has reached; an error is a defence.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use clap::ValueEnum;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, kill_process, kill_process_group, setpriority_process,
    setrlimit, setsid,
};

/// What a hostile program does when it is asked for its first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Attack {
    ConnectHere,
    ConnectOutside,
    SendDatagram,
    Listen,
    AbstractSocket,
    FileSocket,
    ReadHome,
    ReadNeighbour,
    ListNeighbours,
    WriteOutside,
    WriteSource,
    WriteSystem,
    WriteSharedMemory,
    WriteKernel,
    ForkBomb,
    ThreadBomb,
    Memory,
    SharedMemory,
    ManyMemories,
    SystemVMemory,
    FillDisk,
    ManyFiles,
    KillAll,
    StopParent,
    ReadProcesses,
    ReadEnvironment,
    Ptrace,
    ReadMemory,
    LeaveSession,
    ForkTwice,
    Mount,
    Unshare,
    CloneUser,
    Chroot,
    Devices,
    KeyRing,
    RaiseLimits,
    RaisePriority,
    Spin,
    SpinInMany,
}

/// The file in the working folder with the address, the paths and the names that attacks need.
const TARGETS: &str = "targets.txt";

fn failed<T>(why: &str) -> io::Result<T> {
    Err(io::Error::other(why.to_owned()))
}

/// The result of a system call.
fn checked(result: i64) -> io::Result<String> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result.to_string()) }
}

/// One more copy of this program, as a process that sleeps.
fn copy_of_this(mode: &str) -> io::Result<std::process::Child> {
    let mut copy = Command::new(std::env::current_exe()?);
    copy.arg(mode).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// Does `once` at most `most` times. Succeeds if more than `allowed` were possible.
fn repeat<T>(most: usize, allowed: usize, once: impl Fn() -> io::Result<T>) -> io::Result<String> {
    let mut kept = Vec::new();
    for _ in 0..most {
        match once() {
            Ok(one) => kept.push(one),
            Err(error) if kept.len() <= allowed => return Err(error),
            Err(_) => break,
        }
    }
    if kept.len() > allowed { Ok(format!("{} times", kept.len())) } else { failed("few") }
}

const GIB: usize = 1 << 30;

/// Allocates 10 GiB and writes one byte of each page.
fn fill_memory() -> String {
    let mut all = vec![0_u8; 10 * GIB];
    all.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    format!("{} bytes", all.len())
}

fn fill_shared_memory() -> io::Result<String> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
    for _ in 0..160 {
        let rights = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping, of which only its own bytes are written.
        unsafe {
            let part = mmap_anonymous(std::ptr::null_mut(), GIB / 16, rights, MapFlags::SHARED)?;
            (0..GIB / 16).step_by(4096).for_each(|at| *part.cast::<u8>().add(at) = 1);
        }
    }
    Ok("10 GiB".to_owned())
}

/// Writes files of 64 MiB to this folder, at most 16.
fn fill(folder: &Path) -> io::Result<()> {
    let part = vec![1; 1 << 20];
    for number in 0..16 {
        let mut file = File::create(folder.join(format!("fill-{number}")))?;
        (0..64).try_for_each(|_| file.write_all(&part))?;
    }
    Ok(())
}

/// The first of these that succeeds.
fn any<T>(
    all: impl IntoIterator<Item = T>,
    mut once: impl FnMut(T) -> io::Result<String>,
) -> io::Result<String> {
    let mut last = failed("nothing");
    for one in all {
        last = once(one);
        if last.is_ok() {
            break;
        }
    }
    last
}

fn read(path: impl AsRef<Path>) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(&path)?.take(4096).read_to_end(&mut bytes)?;
    if bytes.is_empty() { failed("empty") } else { Ok(path.as_ref().display().to_string()) }
}

fn write(path: impl AsRef<Path>) -> io::Result<String> {
    fs::write(&path, "attack").map(|()| path.as_ref().display().to_string())
}

/// The processes other than this one, as folders of `/proc`.
fn other_processes() -> io::Result<Vec<std::path::PathBuf>> {
    let own = std::process::id().to_string();
    let is_other = |name: &str| name.parse::<u32>().is_ok() && name != own;
    let all = fs::read_dir("/proc")?.flatten();
    Ok(all
        .filter(|entry| is_other(&entry.file_name().to_string_lossy()))
        .map(|e| e.path())
        .collect())
}

impl Attack {
    /// Attacks. Returns what the attack has reached.
    fn run(self) -> io::Result<String> {
        let targets = fs::read_to_string(TARGETS)?;
        let target = |number: usize| targets.lines().nth(number).unwrap_or_default();
        let (port, socket, name) = (target(0), target(1), target(2));
        let (home, outside) = (target(3), target(4));
        match self {
            Attack::ConnectHere => {
                TcpStream::connect(format!("127.0.0.1:{port}")).map(|_| "connected".to_owned())
            }
            Attack::ConnectOutside => {
                let address = "192.0.2.1:80".parse().expect("an address");
                match TcpStream::connect_timeout(&address, Duration::from_millis(100)) {
                    Err(error) if error.kind() == io::ErrorKind::TimedOut => Ok("sent".to_owned()),
                    other => other.map(|_| "connected".to_owned()),
                }
            }
            Attack::SendDatagram => {
                let socket = UdpSocket::bind("127.0.0.1:0")?;
                socket.send_to(b"x", format!("127.0.0.1:{port}")).map(|_| "sent".to_owned())
            }
            Attack::Listen => TcpListener::bind("127.0.0.1:0").map(|_| "listens".to_owned()),
            Attack::AbstractSocket => {
                use std::os::linux::net::SocketAddrExt;
                let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
                UnixStream::connect_addr(&address).map(|_| "connected".to_owned())
            }
            Attack::FileSocket => UnixStream::connect(socket).map(|_| "connected".to_owned()),
            Attack::ReadHome => read(home),
            Attack::ReadNeighbour => read("../eve/targets.txt"),
            Attack::ListNeighbours => {
                let others = fs::read_dir("..")?.flatten().filter(|entry| entry.path().is_dir());
                let own = std::env::current_dir()?.file_name().map(|name| name.to_owned());
                match others.map(|entry| entry.file_name()).find(|name| Some(name) != own.as_ref())
                {
                    Some(other) => Ok(other.to_string_lossy().into_owned()),
                    None => failed("none"),
                }
            }
            Attack::WriteOutside => write(outside),
            Attack::WriteSource => write("agent.txt"),
            Attack::WriteSystem => any(
                [
                    "/etc/x",
                    "/usr/x",
                    "/usr/bin/x",
                    "/opt/x",
                    "/x",
                    "/var/tmp/x",
                    "/run/x",
                    "/dev/x",
                ],
                write,
            ),
            // A folder of its own has this name: the test looks for the file outside.
            Attack::WriteSharedMemory => {
                write(Path::new("/dev/shm").join(name)).and(failed("its own"))
            }
            Attack::WriteKernel => any(
                [
                    "/proc/sys/kernel/core_pattern",
                    "/proc/sys/kernel/hostname",
                    "/proc/sysrq-trigger",
                ],
                |path| OpenOptions::new().write(true).open(path).map(|_| path.to_owned()),
            ),
            Attack::ForkBomb => repeat(2000, 100, || copy_of_this("sleep-long")),
            Attack::ThreadBomb => repeat(2000, 100, || {
                thread::Builder::new()
                    .stack_size(1 << 16)
                    .spawn(|| sleep(Duration::from_secs(3600)))
            }),
            Attack::Memory => Ok(fill_memory()),
            Attack::SharedMemory => fill_shared_memory(),
            Attack::ManyMemories => {
                let all: Vec<_> = (0..20).filter_map(|_| copy_of_this("half-gib").ok()).collect();
                sleep(Duration::from_secs(3));
                Ok(format!("{} processes", all.len()))
            }
            // SAFETY: a plain system call.
            Attack::SystemVMemory => checked(unsafe { libc::shmget(0, GIB, 0o600) }.into()),
            Attack::FillDisk => any(
                [".", "..", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/"].map(Path::new),
                |folder| fill(folder).map(|()| folder.display().to_string()),
            ),
            Attack::ManyFiles => repeat(100_000, 1000, || File::open("/dev/null")),
            Attack::KillAll => {
                let parent = getppid();
                for pid in (1..50_000).filter_map(Pid::from_raw) {
                    if pid != rustix::process::getpid() {
                        let _ = kill_process(pid, Signal::KILL);
                        let _ = kill_process_group(pid, Signal::KILL);
                    }
                }
                // SAFETY: a plain system call. It kills all that may be killed but this process.
                unsafe { libc::kill(-1, libc::SIGKILL) };
                if getppid() == parent {
                    failed("its parent runs")
                } else {
                    Ok("killed".to_owned())
                }
            }
            Attack::StopParent => {
                let parent = getppid().map(|pid| pid.as_raw_nonzero().get()).unwrap_or(1);
                any([parent, 1], |pid| {
                    kill_process(Pid::from_raw(pid).expect("a process"), Signal::STOP)?;
                    sleep(Duration::from_millis(50));
                    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
                    if status.contains("State:\tT") {
                        Ok("stopped".to_owned())
                    } else {
                        failed("runs")
                    }
                })
            }
            Attack::ReadProcesses => any(other_processes()?, |process| {
                any(["environ", "maps", "fd/0", "cwd/x", "root/root"], |file| {
                    read(process.join(file))
                })
            }),
            Attack::ReadEnvironment => match std::env::var("SECRET_OF_AGON") {
                Ok(secret) => Ok(secret),
                Err(_) => failed("none"),
            },
            Attack::Ptrace => {
                let parent = getppid().map(|pid| pid.as_raw_nonzero().get()).unwrap_or(1);
                // SAFETY: a plain system call.
                checked(unsafe { libc::ptrace(libc::PTRACE_ATTACH, parent, 0, 0) })
            }
            Attack::ReadMemory => any(other_processes()?, |process| {
                let mut file =
                    OpenOptions::new().read(true).write(true).open(process.join("mem"))?;
                file.seek(SeekFrom::Start(4096))?;
                Ok(process.display().to_string())
            }),
            Attack::LeaveSession => {
                setsid()?;
                copy_of_this("sleep-long").map(|_| "left".to_owned())
            }
            // The test looks for a process that survives.
            Attack::ForkTwice => copy_of_this("escaped-twice").and(failed("not known")),
            Attack::Mount => {
                let none = std::ptr::null();
                let (kind, place) = (c"tmpfs".as_ptr(), c"/tmp".as_ptr());
                // SAFETY: the texts end with 0.
                checked(unsafe { libc::mount(kind, place, kind, 0, none) }.into())
            }
            // SAFETY: plain system calls, in this arm and in the next two.
            Attack::Unshare => checked(unsafe { libc::unshare(libc::CLONE_NEWUSER) }.into()),
            Attack::CloneUser => checked(unsafe {
                let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
                libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0)
            }),
            Attack::Chroot => checked(unsafe { libc::chroot(c"/tmp".as_ptr()) }.into()),
            Attack::Devices => {
                any(["/dev/vda", "/dev/sda", "/dev/mem", "/dev/kmsg", "/dev/tty", "made"], |path| {
                    if path == "made" {
                        let device = libc::makedev(254, 0);
                        // SAFETY: the text ends with 0.
                        checked(
                            unsafe {
                                libc::mknod(c"/tmp/disk".as_ptr(), libc::S_IFBLK | 0o600, device)
                            }
                            .into(),
                        )?;
                        return read("/tmp/disk");
                    }
                    File::open(path).map(|_| path.to_owned())
                })
            }
            // SAFETY: plain system calls, in this arm and in the next.
            Attack::KeyRing => checked(unsafe { libc::syscall(libc::SYS_keyctl, 0, -3, 1) }),
            Attack::RaiseLimits => {
                any([Resource::Nofile, Resource::Nproc, Resource::Data], |resource| {
                    let all = Rlimit { current: Some(1 << 40), maximum: Some(1 << 40) };
                    Ok(setrlimit(resource, all).map(|()| "raised".to_owned())?)
                })
            }
            Attack::RaisePriority => {
                Ok(setpriority_process(None, -20).map(|()| "raised".to_owned())?)
            }
            Attack::Spin => loop {
                std::hint::spin_loop();
            },
            Attack::SpinInMany => {
                for _ in 0..200 {
                    let _ = copy_of_this("spin-long");
                }
                failed("they spin")
            }
        }
    }
}

/// The attack of the name of the working folder.
pub fn attack() -> io::Result<String> {
    let folder = std::env::current_dir()?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    Attack::from_str(&name, false).map_err(io::Error::other)?.run()
}

/// The processes that attacks start. Returns if `mode` is none of them.
pub fn run_copy(mode: &str) {
    let hour = Duration::from_secs(3600);
    match mode {
        "sleep-long" => sleep(hour),
        "half-gib" => {
            let mut part = vec![0_u8; GIB / 2];
            part.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
            sleep(hour);
            println!("{}", part[0]);
        }
        "spin-long" => loop {
            std::hint::spin_loop();
        },
        "escaped-twice" => {
            let _ = copy_of_this("sleep-long");
        }
        _ => return,
    }
    std::process::exit(0)
}
