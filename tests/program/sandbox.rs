//! Programs in a sandbox: hostile ones reach nothing, and the limits are those of the config.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::engines::ROGUE;
use crate::support::{agon, rows, stderr, stdout, write};

/// All attacks of `tests/support/hostile.rs`, each with how its game ends; empty: as a game ends.
const ATTACKS: [(&str, &str); 40] = [
    ("connect-here", ""),
    ("connect-outside", ""),
    ("send-datagram", ""),
    ("listen", ""),
    ("abstract-socket", ""),
    ("file-socket", ""),
    ("read-home", ""),
    ("read-neighbour", ""),
    ("list-neighbours", ""),
    ("write-outside", ""),
    ("write-source", ""),
    ("write-system", ""),
    ("write-shared-memory", ""),
    ("write-kernel", ""),
    ("fork-bomb", ""),
    ("thread-bomb", ""),
    ("memory", "crash"),
    ("shared-memory", "sandbox violation"),
    ("many-memories", "sandbox violation"),
    ("system-v-memory", ""),
    ("fill-disk", ""),
    ("many-files", ""),
    ("kill-all", ""),
    ("stop-parent", ""),
    ("read-processes", ""),
    ("read-environment", ""),
    ("ptrace", "sandbox violation"),
    ("read-memory", ""),
    ("leave-session", ""),
    ("fork-twice", ""),
    ("mount", "sandbox violation"),
    ("unshare", "sandbox violation"),
    ("clone-user", ""),
    ("chroot", "sandbox violation"),
    ("devices", ""),
    ("key-ring", "sandbox violation"),
    ("raise-limits", ""),
    ("raise-priority", ""),
    ("spin", "timeout"),
    ("spin-in-many", ""),
];

/// A machine with targets, and the listeners that nothing in a sandbox may reach.
struct Machine {
    dir: tempfile::TempDir,
    network: TcpListener,
    sockets: [UnixListener; 2],
    shared: String,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let network = TcpListener::bind("127.0.0.1:0").expect("a port");
        let shared = format!("agon-{}", dir.path().file_name().expect("a name").to_string_lossy());
        let abstract_name = SocketAddr::from_abstract_name(&shared).expect("a name");
        let sockets = [
            UnixListener::bind_addr(&abstract_name).expect("a socket"),
            UnixListener::bind(dir.path().join("socket")).expect("a socket"),
        ];
        network.set_nonblocking(true).expect("a listener");
        sockets.iter().for_each(|socket| socket.set_nonblocking(true).expect("a listener"));
        fs::create_dir(dir.path().join("home")).expect("a folder");
        write(&dir.path().join("home"), "diary.txt", "secret");
        Machine { dir, network, sockets, shared }
    }

    /// A folder of a program, with the targets of its attack.
    fn add(&self, name: &str) {
        let folder = self.dir.path().join("class").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        let path = |name: &str| self.dir.path().join(name).display().to_string();
        let port = self.network.local_addr().expect("a port").port().to_string();
        let targets = [
            port,
            path("socket"),
            self.shared.clone(),
            path("home/diary.txt"),
            path("outside.txt"),
        ];
        write(&folder, "targets.txt", &targets.join("\n"));
    }

    /// Plays each program against a random one.
    fn config(&self, more: &str) -> String {
        let text = format!(
            "[game]\nkind = \"tictactoe\"\n[[agents]]\nkind = \"random\"\n[[agents]]\n\
             kind = \"engine\"\nprotocol = \"ugi\"\ndir = \"class/*\"\nmovetime = 3000\n\
             time_margin = 1000\ncommand = [\"{ROGUE}\", \"hostile\", \"--game\", \"tictactoe\"]\n\
             memory_mb = 256\nprocesses = 40\nmax_consecutive_forfeits = 0\n{more}\
             [schedule]\ngames = 2\nformat = \"gauntlet\"\non_start_failure = \"forfeit\"\n\
             [output]\nreport = false\n"
        );
        write(self.dir.path(), "c.toml", &text)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(arguments).current_dir(self.dir.path()).env("SECRET_OF_AGON", "1");
        command
    }

    fn play(&self, more: &str) -> Output {
        let path = self.config(more);
        self.command(&["run", &path, "--out", "out", "--fresh", "-j", "2"]).output().expect("a run")
    }

    fn reasons(&self, name: &str) -> Vec<String> {
        let games = rows(&self.dir.path().join("out/games.csv"));
        let of = games.iter().filter(|game| game["first"] == name || game["second"] == name);
        of.map(|game| game["reason"].clone()).collect()
    }

    fn is_untouched(&self) -> bool {
        let is_silent = |error: Option<std::io::Error>| {
            error.is_some_and(|error| error.kind() == ErrorKind::WouldBlock)
        };
        is_silent(self.network.accept().err())
            && self.sockets.iter().all(|socket| is_silent(socket.accept().err()))
            && !self.dir.path().join("outside.txt").exists()
            && !Path::new("/dev/shm").join(&self.shared).exists()
    }
}

/// How many processes have this argument.
fn running(argument: &str) -> usize {
    let all = fs::read_dir("/proc").expect("processes").flatten();
    let has = |line: Vec<u8>| line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes());
    all.filter(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(has)).count()
}

/// Whether this machine can make a sandbox. If it cannot, says so and tests the refusal.
fn has_sandbox() -> bool {
    let output = agon(&["check-engine", "--sandbox"]);
    if output.status.success() {
        return true;
    }
    println!("no test of the sandbox here:\n{}", stdout(&output));
    let machine = Machine::new();
    machine.add("eve");
    let output = machine.play("sandbox = \"required\"\n");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot make a sandbox"), "{}", stderr(&output));
    false
}

#[test]
fn hostile_programs_reach_nothing() {
    if !has_sandbox() {
        return;
    }
    let machine = Machine::new();
    machine.add("eve");
    ATTACKS.iter().for_each(|(name, _)| machine.add(name));
    let output = machine.play("");
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    for (name, ending) in ATTACKS {
        let reasons = machine.reasons(name);
        assert_eq!(reasons.len(), 2);
        for reason in reasons {
            let is_whole = ["line", "board full"].contains(&&*reason);
            assert!(
                if ending.is_empty() { is_whole } else { reason == ending },
                "{name}: {reason}"
            );
        }
        let source = machine.dir.path().join("class").join(name);
        assert_eq!(fs::read_dir(source).expect("a folder").count(), 1, "{name}");
    }
    assert!(machine.is_untouched());
    assert_eq!(running("sleep-long") + running("half-gib"), 0);
    let logs = fs::read_dir(machine.dir.path().join("out")).expect("a folder").flatten();
    let mut logs = logs.map(|entry| entry.path());
    let log = logs.find(|path| path.to_string_lossy().contains("engine-ptrace-")).expect("a log");
    let log = fs::read_to_string(log).expect("text");
    assert!(log.contains("sandbox violation of `ptrace`"), "{log}");
    assert!(log.contains("a system call that the sandbox does not allow"), "{log}");
}

#[test]
fn the_config_opens_a_sandbox() {
    if !has_sandbox() {
        return;
    }
    let machine = Machine::new();
    ["connect-here", "write-source", "read-home"].iter().for_each(|name| machine.add(name));
    // If agon runs as root, the program is another user.
    let folder = machine.dir.path().join("class/write-source");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).expect("a folder for all");
    let more = "allow_network = true\nwritable = [\".\"]\nreadable = [\"../../home\"]\n";
    machine.play(more);
    for name in ["connect-here", "write-source", "read-home"] {
        // A program that reaches its target answers with an illegal move.
        assert_eq!(machine.reasons(name), ["illegal move"; 2], "{name}");
    }
    assert!(machine.dir.path().join("class/write-source/agent.txt").exists());
    assert!(machine.network.accept().is_ok());
    machine.add("spin");
    machine.play("cpu_seconds = 1\n");
    assert_eq!(machine.reasons("spin"), ["sandbox violation"; 2]);
}

#[test]
fn links_of_a_program_show_no_more() {
    if !has_sandbox() {
        return;
    }
    let machine = Machine::new();
    machine.add("read-home");
    let link = machine.dir.path().join("class/read-home/lib");
    symlink("../../home", link).expect("a link");
    machine.play("env = { LIBRARY = \"lib\" }\n");
    let reasons = machine.reasons("read-home");
    assert_eq!(reasons.len(), 2);
    assert!(
        reasons.iter().all(|reason| ["line", "board full"].contains(&&**reason)),
        "{reasons:?}"
    );
}

#[test]
fn no_process_outlives_a_killed_agon() {
    if !has_sandbox() {
        return;
    }
    let machine = Machine::new();
    machine.add("spin-in-many");
    let path = machine.config("");
    let arguments = ["run", &path, "--out", "out", "--games", "1000", "-q"];
    let mut run = machine.command(&arguments).spawn().expect("a run");
    let wait = |wanted: bool| {
        let begin = Instant::now();
        while (running("spin-long") > 0) != wanted {
            assert!(begin.elapsed() < Duration::from_secs(20), "{wanted}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait(true);
    run.kill().expect("killed");
    run.wait().expect("its end");
    wait(false);
}

/// Runs the program as on a machine without namespaces; `None` if that needs another machine.
fn without_namespaces(machine: &Machine, arguments: &[&str]) -> Option<Output> {
    let script = "for kind in user mnt pid net; do echo 0 > /proc/sys/user/max_${kind}_namespaces \
                  || exit 99; done; exec \"$@\"";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c", script, "sh"])
        .arg(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .current_dir(machine.dir.path())
        .output()
        .ok()?;
    let said = stderr(&output);
    let is_made = output.status.code() != Some(99) && !said.starts_with("unshare: ");
    if !is_made {
        println!("this machine cannot play one without namespaces: {said}");
    }
    is_made.then_some(output)
}

#[test]
fn a_machine_without_namespaces_says_so() {
    let machine = Machine::new();
    machine.add("eve");
    let path = machine.config("");
    let arguments = ["run", &path, "--out", "out"];
    let Some(output) = without_namespaces(&machine, &arguments) else { return };
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let warning = "warning: no sandbox for 1 agent, because this machine cannot make one: ";
    assert_eq!(stderr(&output).matches(warning).count(), 1, "{}", stderr(&output));
    for command in [&["plan", &path][..], &["check-engine", "--config", &path]] {
        let output = without_namespaces(&machine, command).expect("the same");
        assert_eq!(stderr(&output).matches(warning).count(), 1, "{}", stderr(&output));
    }
    let path = machine.config("sandbox = \"required\"\n");
    let output = without_namespaces(&machine, &["run", &path, "--out", "new"]).expect("the same");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("this machine cannot make a sandbox: the system allows no"), "{said}");
    // The program is not started either.
    let check = ["check-engine", "--sandbox", "--", "sh", "-c", "echo > started"];
    let output = without_namespaces(&machine, &check).expect("the same");
    assert!(!machine.dir.path().join("started").exists());
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("fail") && !said.contains("pass"), "{said}");
}

#[test]
fn mistakes_in_the_keys_are_named() {
    let machine = Machine::new();
    machine.add("eve");
    let link = machine.dir.path().join("class/eve/out");
    symlink("../../home", link).expect("a link");
    for (more, words) in [
        ("sandbox = false\nallow_network = true\n", "`allow_network` only counts in a sandbox"),
        ("writable = [\"cache\"]\n", "there is no file or folder"),
        ("writable = [\"/\"]\n", "/ cannot be a folder of a sandbox"),
        ("writable = [\"out\"]\n", "/class/eve/out is a link out of `dir`, to "),
        ("readable = [\"out/diary.txt\"]\n", "is a link out of `dir`, to "),
        ("sandbox = \"yes\"\n", "must be false, true or \"required\""),
        ("cpu_seconds = -1\n", "-1 is too small"),
    ] {
        let path = machine.config(more).clone();
        let text = fs::read_to_string(&path).expect("a config");
        let text = match more.contains("allow_network") {
            true => text.replace("memory_mb = 256\nprocesses = 40\n", ""),
            false => text,
        };
        let path = write(machine.dir.path(), "c.toml", &text);
        let output = machine.command(&["run", &path, "--out", "out"]).output().expect("a run");
        assert_eq!(output.status.code(), Some(2), "{more}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{more}: {}", stderr(&output));
    }
}
