//! Helpers for tests that play games with engines.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use agon::config::{Overrides, parse};
use agon::play::{GameSpec, Lineup, Registry, Setup};

/// The program under test.
pub const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// The faulty engine of `tests/support/rogue.rs`: its path as text.
pub const ROGUE: Example = Example("rogue");

/// The path of an example, beside the program. Cargo builds examples for `cargo test`, but not for
/// `cargo test --test program`. So the first test that asks for a path builds all of them.
pub struct Example(pub &'static str);

impl Example {
    pub fn path(&self) -> String {
        static FOLDER: LazyLock<String> = LazyLock::new(|| {
            let folder = Path::new(AGON).parent().expect("a folder");
            let name = folder.file_name().and_then(|name| name.to_str()).expect("text");
            let profile = if name == "debug" { "dev" } else { name };
            let status = Command::new(env!("CARGO"))
                .args(["build", "--quiet", "--examples", "--profile", profile])
                .arg("--target-dir")
                .arg(folder.parent().expect("a folder"))
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .status();
            assert!(status.expect("cargo runs").success());
            folder.join("examples").to_str().expect("text").to_owned()
        });
        format!("{}/{}", *FOLDER, self.0)
    }
}

impl fmt::Display for Example {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.path())
    }
}

/// A lineup of these agents (TOML tables) for a game, with logs in the folder.
pub fn lineup(game: &str, agents: &str, rest: &str, logs: &Path) -> Arc<Lineup> {
    let openings = match rest.contains("[openings]") {
        true => "",
        false => "[openings]\nkind = \"start\"\n",
    };
    let text = format!(
        "name = \"t\"\n[game]\nkind = \"{game}\"\n{agents}\n[schedule]\nformat = \"match\"\n{rest}\n{openings}"
    );
    let experiment = parse(&text, "t.toml", &Overrides::default(), &Registry::builtin())
        .unwrap_or_else(|error| panic!("{}", error.render(false)));
    let mut engine_context = experiment.engine_context();
    engine_context.logs = Some(logs.to_owned());
    let setup = Setup { engine_context: Arc::new(engine_context), ..experiment.setup() };
    experiment.any_game.lineup(setup).unwrap_or_else(|error| panic!("{error}"))
}

/// The game with this number, in which the first agent moves first.
pub fn game(number: u64) -> GameSpec {
    GameSpec { game: number, pairing: 1, opening: 1, first: 0, second: 1, dice: number }
}

/// The processes whose environment contains `mark`.
pub fn processes_with(mark: &str) -> Vec<String> {
    let all = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    all.filter_map(|entry| {
        let environ = std::fs::read(entry.path().join("environ")).ok()?;
        let marked = environ.split(|&byte| byte == 0).any(|word| word == mark.as_bytes());
        marked.then(|| entry.file_name().to_string_lossy().into_owned())
    })
    .collect()
}

/// As [`processes_with`], after killed processes have disappeared.
pub fn processes_left(mark: &str) -> Vec<String> {
    let begin = Instant::now();
    loop {
        let left = processes_with(mark);
        if left.is_empty() || begin.elapsed() > Duration::from_secs(1) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A value of this process, such as `VmHWM`, in megabytes.
pub fn megabytes(figure: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'));
    let kilobytes = line.expect("the figure").trim().trim_end_matches(" kB").parse::<u64>();
    kilobytes.expect("a number") >> 10
}
