//! The key `parallel` of an agent: its games at once, over all threads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::engine_run::EngineRun;
use crate::engines::ROGUE;
use crate::support::{games_without_times, stderr, stdout, write};

/// A run of an engine, named `bot`, and two built-in agents. The engine counts in the folder `busy`.
fn run_of(keys: &str, schedule: &str) -> EngineRun {
    let rest = format!(
        "[[agents]]\nname = \"a\"\nkind = \"random\"\n[[agents]]\nname = \"b\"\nkind = \"random\"\n\
         [openings]\nkind = \"random\"\nplies = 6\n[schedule]\n{schedule}\n\
         [output]\nreport = false",
    );
    run_with(keys, &rest)
}

fn run_with(keys: &str, rest: &str) -> EngineRun {
    let mut run = EngineRun::new(&format!("[\"{ROGUE}\", \"instant\"]"), keys, rest);
    let busy = run.dir.path().join("busy");
    fs::create_dir(&busy).expect("a folder");
    let env = format!("nodes = 1\nenv = {{ ROGUE_BUSY = \"{}\" }}\n", busy.display());
    let text = fs::read_to_string(&run.config).expect("a config");
    run.config = write(run.dir.path(), "c.toml", &text.replace("nodes = 1\n", &env));
    run
}

fn played(run: &EngineRun, jobs: u64) {
    let output = run.play(jobs);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

impl EngineRun {
    fn busy(&self, name: &str) -> PathBuf {
        self.dir.path().join("busy").join(name)
    }

    /// The largest number of engines that were busy at once, and the number of processes.
    fn counts(&self) -> (u64, usize) {
        let log = fs::read_to_string(self.busy("log")).expect("a log");
        let lines = log.lines().map(|line| line.split_once(' ').expect("two numbers"));
        let processes: BTreeSet<&str> = lines.clone().map(|(_, process)| process).collect();
        let most = lines.map(|(busy, _)| busy.parse().expect("a number")).max();
        (most.expect("a line"), processes.len())
    }
}

#[test]
fn an_agent_plays_few_games_at_once() {
    let expected = run_of("", "games = 20");
    played(&expected, 1);
    let expected = games_without_times(&expected.out());
    for (parallel, jobs) in [(1, 1), (1, 4), (2, 8), (3, 16)] {
        let run = run_of(&format!("parallel = {parallel}"), "games = 20");
        played(&run, jobs);
        let (busy, processes) = run.counts();
        assert!(busy <= parallel, "{busy} games at once");
        assert!(processes as u64 <= parallel, "{processes} processes");
        assert_eq!(
            games_without_times(&run.out()),
            expected,
            "parallel {parallel}, {jobs} threads"
        );
        let resolved = fs::read_to_string(run.out().join("resolved.toml")).expect("a config");
        assert!(resolved.contains(&format!("\nparallel = {parallel}\n")), "{resolved}");
    }
    let run = run_of("", "games = 20");
    played(&run, 8);
    assert!(run.counts().0 > 3, "without the key, more games are played at once");
}

/// Waits until this file has this number of lines.
fn await_lines(path: &Path, lines: usize) {
    let end = Instant::now() + Duration::from_secs(60);
    let count = || fs::read_to_string(path).map_or(0, |text| text.lines().count());
    while count() < lines {
        assert!(Instant::now() < end, "{} of {lines} lines", count());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// All games without the engine end while its first game is still played.
#[test]
fn other_games_go_on_meanwhile() {
    let expected = run_of("", "games = 40");
    played(&expected, 2);
    let run = run_of("parallel = 1", "games = 40");
    fs::write(run.busy("wait"), "").expect("written");
    let mut child =
        run.command(3).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("agon runs");
    await_lines(&run.out().join("games.ahead"), 40);
    await_lines(&run.busy("log"), 1);
    assert_eq!(run.counts(), (1, 1));
    fs::write(run.busy("free"), "").expect("written");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(games_without_times(&run.out()), games_without_times(&expected.out()));
}

#[test]
fn killed_runs_and_other_kinds_of_runs_have_the_same_games() {
    for schedule in [
        "games = 20",
        "format = \"swiss\"\nrounds = 2\ngames = 4",
        "format = \"best\"\n[adaptive]\nepsilon_elo = 50\nmax_games = 200",
        "games = 40\n[sprt]\nelo0 = 0\nelo1 = 400",
    ] {
        let new = |limit: &str| {
            let run = run_of(limit, schedule);
            let text = fs::read_to_string(&run.config).expect("a config");
            let text = match schedule.contains("sprt") {
                true => text.replace("[[agents]]\nname = \"b\"\nkind = \"random\"\n", ""),
                false => text,
            };
            fs::write(&run.config, text).expect("written");
            run
        };
        let expected = new("");
        played(&expected, 1);
        let expected = games_without_times(&expected.out());
        let run = new("parallel = 2");
        for wait in [150, 250] {
            run.kill_after(8, &[wait]);
            // Engines of a killed process leave their marks.
            for entry in fs::read_dir(run.dir.path().join("busy")).expect("a folder").flatten() {
                if entry.file_name() != "log" {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
        played(&run, 8);
        assert_eq!(games_without_times(&run.out()), expected, "{schedule}");
    }
}

/// Each thread used to keep engines of its own.
#[test]
fn the_sides_of_a_tune_are_shared() {
    let rest = "[openings]\nkind = \"random\"\nplies = 10\n[output]\nreport = false\n\
                [tune]\nparameters = { nodes = [1, 9] }\nelo = 40\ngames = 60\n";
    let run = run_with("parallel = 1", rest);
    let said = stdout(&run.play(8));
    let rounds = said.split(" rounds").next().and_then(|it| it.rsplit(' ').next());
    let rounds: usize = rounds.and_then(|it| it.parse().ok()).expect("the number of rounds");
    let (busy, processes) = run.counts();
    assert!(busy <= 2 && processes <= 2 * rounds, "{processes} processes in {rounds} rounds");
}

#[test]
fn mistakes_in_the_key_are_named() {
    for (value, words) in [
        ("0", "must be a whole number from 1 to 1000000"),
        ("-1", "must be a whole number from 1 to 1000000"),
        ("\"many\"", "must be a whole number from 1 to 1000000"),
    ] {
        let run = run_of(&format!("parallel = {value}"), "games = 2");
        let output = run.command(1).output().expect("agon runs");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(said.matches("error").count(), 1, "{said}");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("agents.bot.parallel") && said.contains(words), "{said}");
    }
}
