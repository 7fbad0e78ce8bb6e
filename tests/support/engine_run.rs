//! A run of an engine, named `bot`, that a test plays, kills and resumes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::engines::AGON;
use crate::support::{rows, stderr, write};

pub struct EngineRun {
    pub dir: tempfile::TempDir,
    pub config: String,
}

impl EngineRun {
    /// A run of Connect Four. `command` is that of the engine in TOML, `keys` are more lines of its
    /// table, and `rest` are the tables of other agents and of the run.
    pub fn new(command: &str, keys: &str, rest: &str) -> Self {
        let keys = format!("protocol = \"ugi\"\ncommand = {command}\nnodes = 1\n{keys}");
        EngineRun::of_game("kind = \"connect4\"", &keys, rest)
    }

    pub fn of_game(game: &str, keys: &str, rest: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let text = format!(
            "seed = 3\n[game]\n{game}\n[[agents]]\nname = \"bot\"\nkind = \"engine\"\n\
             startup_timeout = 60\n{keys}\n{rest}\n"
        );
        let config = write(dir.path(), "c.toml", &text);
        EngineRun { dir, config }
    }

    pub fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    pub fn command(&self, jobs: u64) -> Command {
        let mut command = Command::new(AGON);
        command.args(["run", &self.config, "-j", &jobs.to_string(), "--out"]).arg(self.out());
        command
    }

    pub fn play(&self, jobs: u64) -> Output {
        self.play_with(jobs, &[])
    }

    pub fn play_with(&self, jobs: u64, more: &[&str]) -> Output {
        self.command(jobs).args(more).output().expect("agon runs")
    }

    /// Its exit code and its messages.
    pub fn finish(&self, jobs: u64) -> (Option<i32>, String) {
        let output = self.play(jobs);
        (output.status.code(), stderr(&output))
    }

    /// Kills the run after each of these times in milliseconds.
    pub fn kill_after(&self, jobs: u64, waits: &[u64]) {
        for &wait in waits {
            let mut command = self.command(jobs);
            let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = quiet.spawn().expect("agon runs");
            std::thread::sleep(Duration::from_millis(wait));
            child.kill().expect("it runs, or it has ended");
            child.wait().expect("it ends");
        }
    }

    pub fn games(&self) -> Vec<BTreeMap<String, String>> {
        rows(&self.out().join("games.csv"))
    }
}
