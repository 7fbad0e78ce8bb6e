//! A lack of resources or a late wake-up of agon never costs an engine a game.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};

use crate::engines::{AGON, ROGUE};

/// A config of two engines that play from random openings.
fn config(folder: &Path, engine: &str, games: u64) -> String {
    let text = format!(
        "name = \"t\"\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"e{{nodes}}\"\n\
         kind = \"engine\"\nprotocol = \"ugi\"\nstartup_timeout = 20\nnodes = [1, 2]\n{engine}\n\
         [schedule]\ngames = {games}\nallow_duplicates = true\n\
         [openings]\nkind = \"random\"\nplies = 3\n"
    );
    let path = folder.join("t.toml");
    std::fs::write(&path, text).expect("a config");
    path.to_str().expect("text").to_owned()
}

/// Runs agon with this config in a shell that sets limits first.
fn limited(limits: &str, config: &str, more: &[&str]) -> Output {
    let out = Path::new(config).with_file_name("out");
    Command::new("sh")
        .args(["-c", &format!("{limits} && exec \"$@\""), "sh", AGON, "--config", config, "--out"])
        .arg(out)
        .args(more)
        .output()
        .expect("a shell")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The rows of games.csv without the time columns.
fn games(config: &str) -> Vec<String> {
    let path = Path::new(config).with_file_name("out").join("games.csv");
    let mut reader = csv::Reader::from_path(path).expect("games.csv");
    let timed: Vec<bool> =
        reader.headers().expect("a head").iter().map(|name| name.contains("_ns")).collect();
    let row = |row: csv::StringRecord| {
        let kept = row.iter().zip(&timed).filter(|(_, timed)| !**timed).map(|(cell, _)| cell);
        kept.collect::<Vec<_>>().join(",")
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

#[test]
fn the_soft_limit_on_descriptors_is_raised() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = config(folder.path(), &format!("command = \"{ROGUE} instant\""), 48);
    let output = limited("ulimit -Sn 40", &config, &["-j8", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(games(&config).len(), 48);
}

#[test]
fn too_many_jobs_for_the_limit_are_refused_with_the_number_that_fits() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = config(folder.path(), &format!("command = \"{ROGUE} instant\""), 48);
    for more in [&["-j64", "-q"][..], &["-j64", "--dry-run"]] {
        let output = limited("ulimit -n 90", &config, more);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("2 engines in each of 24 threads need "), "{said}");
        assert!(said.contains("the limit is 90\n"), "{said}");
    }
    let said = text(&limited("ulimit -n 90", &config, &["-j64"]).stderr);
    let jobs = said.split("(`").nth(1).and_then(|rest| rest.split("`)").next()).expect("-j");
    let jobs = jobs.replace(' ', "");
    let output = limited("ulimit -n 90", &config, &[&jobs, "-q"]);
    assert_eq!(output.status.code(), Some(0), "{jobs}: {}", text(&output.stderr));
    let said = text(&limited("ulimit -n 20", &config, &["-j1", "--fresh"]).stderr);
    assert!(said.contains("help: raise the limit (`ulimit -Hn`)"), "{said}");
}

/// Root has no limit on processes, so its test runs as another user without processes.
#[test]
fn too_many_processes_for_the_limit_are_refused_with_the_number_of_jobs_that_fits() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = config(folder.path(), &format!("command = \"{ROGUE} instant\""), 48);
    let mut limit = 40;
    let mut prefix = "";
    if rustix::process::getuid().is_root() {
        let all = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(folder.path(), all).expect("a folder of its own");
        prefix = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
    } else {
        let free = agon::engine::free_processes().expect("a limit and /proc");
        let all = getrlimit(Resource::Nproc).current.expect("a limit");
        limit += all - free;
    }
    let limited = |more: &[&str]| {
        let mut command = Command::new("prlimit");
        command.arg(format!("--nproc={limit}")).args(prefix.split_whitespace());
        command.args([AGON, "--config", &config]);
        command.arg("--out").arg(folder.path().join("out")).args(more);
        command.output().expect("prlimit")
    };
    for more in [&["-j64", "-q"][..], &["-j64", "--dry-run"]] {
        let output = limited(more);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let taken = "2 engines in each of 24 threads need at least 74 processes and threads, and";
        assert!(said.contains(taken) && said.contains("(`ulimit -u`)"), "{said}");
    }
    let said = text(&limited(&["-j64"]).stderr);
    let jobs = said.split("(`").nth(1).and_then(|rest| rest.split("`)").next()).expect("-j");
    let output = limited(&[&jobs.replace(' ', ""), "-q"]);
    assert_eq!(output.status.code(), Some(0), "{jobs}: {}", text(&output.stderr));
    assert_eq!(games(&config).len(), 48);
}

/// A run whose engines restart for every game, so that a limit lowered during the run has an
/// effect.
struct Run {
    config: String,
    child: Child,
    limit: Rlimit,
}

impl Run {
    fn start(folder: &Path, command: &str) -> Self {
        let engine = format!("command = {command:?}\nrestart = \"always\"");
        let config = config(folder, &engine, 60);
        let child = Command::new(AGON)
            .args(["--config", &config, "-j2", "-q", "--out"])
            .arg(folder.join("out"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon");
        let begin = Instant::now();
        let there =
            |file: &Path| std::fs::read_to_string(file).is_ok_and(|rows| rows.lines().count() > 3);
        while !there(&folder.join("out/games.csv")) {
            assert!(begin.elapsed() < Duration::from_secs(60), "no games");
            std::thread::sleep(Duration::from_millis(5));
        }
        Run { config, child, limit: getrlimit(Resource::Nofile) }
    }

    /// Sets the soft limit of the run.
    fn limit(&self, current: Option<u64>) {
        let limit = Rlimit { current, maximum: self.limit.maximum };
        prlimit(Some(Pid::from_child(&self.child)), Resource::Nofile, limit).expect("a limit");
    }
}

#[test]
fn a_shortage_that_passes_costs_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = Run::start(folder.path(), &format!("{ROGUE} instant"));
    run.limit(Some(3));
    std::thread::sleep(Duration::from_millis(700));
    run.limit(run.limit.maximum);
    let output = run.child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let games = games(&run.config);
    assert_eq!(games.len(), 60);
    assert!(games.iter().all(|row| row.contains("line") || row.contains("board full")));
}

/// Without descriptors an engine could not load its libraries, and would lose its game.
#[test]
fn engines_keep_the_limit_with_which_agon_began() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = folder.path().join("limits");
    let script = format!("ulimit -Sn >>{}; exec {ROGUE} instant", limits.display());
    let run = Run::start(folder.path(), &format!("sh -c '{script}'"));
    let seen = || std::fs::read_to_string(&limits).expect("limits").lines().count();
    let before = seen();
    run.limit(Some(100));
    let first = run.limit.current.map_or("unlimited".to_owned(), |limit| limit.to_string());
    let output = run.child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(seen() > before + 20, "{} engines", seen() - before);
    let all = std::fs::read_to_string(&limits).expect("limits");
    assert!(all.lines().all(|limit| limit == first), "{first}: {all}");
}

#[test]
fn a_shortage_that_lasts_ends_the_run_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = Run::start(folder.path(), &format!("{ROGUE} instant"));
    run.limit(Some(3));
    let output = run.child.wait_with_output().expect("an end");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot be played: cannot start "), "{said}");
    assert!(said.contains("the same command plays the missing games"), "{said}");
    let before = games(&run.config);
    assert!(!before.is_empty() && before.len() < 60, "{}", before.len());
    let output = limited("true", &run.config, &["-j2", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let after = games(&run.config);
    assert_eq!((after.len(), &after[..before.len()]), (60, &before[..]));
    assert!(after.iter().all(|row| row.contains("line") || row.contains("board full")));
}

#[test]
fn agon_woken_too_late_costs_no_engine_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let text_of = "name = \"t\"\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"e\"\n\
         kind = \"engine\"\nprotocol = \"ugi\"\nstartup_timeout = 20\nmovetime = 30\ntime_margin = 800\n\
         command = \"AGON serve --game connect4 --agent alphabeta:movetime=30\"\n\
         [[agents]]\nkind = \"random\"\n[schedule]\nformat = \"match\"\ngames = 4\n";
    let config = folder.path().join("t.toml");
    std::fs::write(&config, text_of.replace("AGON", AGON)).expect("a config");
    let child = Command::new(AGON)
        .arg("--config")
        .arg(&config)
        .args(["-j1", "--out"])
        .arg(folder.path().join("out"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon");
    let begin = Instant::now();
    let games_csv = folder.path().join("out/games.csv");
    while std::fs::read_to_string(&games_csv).map_or(0, |rows| rows.lines().count()) < 2 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no games");
        std::thread::sleep(Duration::from_millis(2));
    }
    // The engine continues and answers, but agon reads the answer only afterwards. A single stop
    // may fall between two games, when nothing is measured. Three stops at uneven times do not.
    let pid = Pid::from_child(&child);
    for between in [20, 33, 47] {
        std::thread::sleep(Duration::from_millis(between));
        kill_process(pid, Signal::STOP).expect("stopped");
        std::thread::sleep(Duration::from_millis(1_000));
        kill_process(pid, Signal::CONT).expect("going on");
    }
    let output = child.wait_with_output().expect("an end");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("warning: the machine was too busy to measure time well"), "{said}");
    assert!(said.contains("while `e` was thinking, and its time margin is 800ms"), "{said}");
    assert!(said.contains("such games are void and are played again"), "{said}");
    let rows = games(config.to_str().expect("text"));
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| !row.contains("timeout") && !row.contains("void")), "{rows:?}");
}
