//! A thousand games of an engine that calls a service, with failures at known rates: the counts and the
//! costs are those of its script, and no game is lost by a failure of the service.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use agon::config::hash_of_text;

use crate::engines::{AGON, ROGUE};
use crate::support::{games_without_times, rows, write};

const GAMES: usize = 1000;

fn config(dir: &Path) -> String {
    let failures = dir.join("failures");
    let text = format!(
        "seed = 5\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"bot\"\nkind = \"engine\"\n\
         protocol = \"ugi\"\ncommand = \"{ROGUE} scripted --one-in 75 --game connect4\"\nnodes = 1\n\
         startup_timeout = 20\nmax_consecutive_forfeits = 0\ncosts = true\n\
         illegal = {{ retries = 1 }}\nenv = {{ ROGUE_FAILURES = \"{}\" }}\n\
         [[agents]]\nkind = \"random\"\n[openings]\nkind = \"random\"\nplies = 6\n\
         [schedule]\ngames = {GAMES}\n[output]\nreport = false\n",
        failures.display()
    );
    write(dir, "c.toml", &text)
}

fn command(dir: &Path, jobs: u64) -> Command {
    let mut command = Command::new(AGON);
    command.args(["run", &config(dir), "-j", &jobs.to_string(), "--out"]).arg(dir.join("out"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The number of the script for a position.
fn number(moves: &[&str]) -> u64 {
    let hash = hash_of_text(&moves.join(" "));
    u64::from_str_radix(&hash, 16).expect("hexadecimal digits") % 1000
}

/// What the script says of a game: illegal answers, the cost in thousandths, and whether it crashes.
fn script(row: &BTreeMap<String, String>) -> (u64, u64, bool) {
    let opening: Vec<&str> = row["opening_moves"].split_whitespace().collect();
    let all = [opening.clone(), row["moves"].split_whitespace().collect()].concat();
    let seat = usize::from(row["second"] == "bot");
    let crashes = row["reason"] == "crash";
    let (mut illegal, mut cost) = (0, 0);
    for ply in (opening.len()..all.len()).filter(|ply| ply % 2 == seat) {
        let number = number(&all[..ply]);
        assert!(number >= 2, "the game continues after a crash: {row:?}");
        illegal += u64::from(number < 52);
        cost += if number < 52 { 2 * number } else { number };
    }
    (illegal, cost, crashes && number(&all) < 2)
}

#[test]
fn counts_and_costs_are_those_of_the_script() {
    let dir = tempfile::tempdir().expect("a folder");
    let status = command(dir.path(), 16).status().expect("agon runs");
    assert_eq!(status.code(), Some(5), "games are lost by crashes");
    let games = rows(&dir.path().join("out/games.csv"));
    assert_eq!(games.len(), GAMES);
    let (mut crashes, mut all_illegal) = (0, 0);
    for row in &games {
        let side = if row["first"] == "bot" { "first" } else { "second" };
        let (illegal, cost, crashed) = script(row);
        let is = |column: &str| row[&format!("{column}_{side}")].clone();
        assert_eq!([is("illegal"), is("retries")], [illegal.to_string(), illegal.to_string()]);
        let paid: f64 = is("cost").parse().expect("a cost");
        assert_eq!((paid * 1000.0).round() as u64, cost, "{row:?}");
        let reasons = ["line", "board full", "crash"];
        assert!(reasons.contains(&row["reason"].as_str()), "{row:?}");
        assert_eq!(row["reason"] == "crash", crashed, "{row:?}");
        crashes += usize::from(crashed);
        all_illegal += illegal;
    }
    let failures = fs::read_to_string(dir.path().join("failures")).expect("failures");
    let failures = failures.lines().count();
    assert!((50..200).contains(&failures), "about a tenth of the games: {failures}");
    assert!(crashes > 0 && all_illegal > 100, "{crashes} crashes, {all_illegal} illegal moves");
    let expected = games_without_times(&dir.path().join("out"));
    for jobs in [1, 2] {
        let dir = tempfile::tempdir().expect("a folder");
        assert_eq!(command(dir.path(), jobs).status().expect("agon runs").code(), Some(5));
        assert_eq!(games_without_times(&dir.path().join("out")), expected, "{jobs} threads");
    }
    let dir = tempfile::tempdir().expect("a folder");
    for wait in [300, 500, 700] {
        let mut child = command(dir.path(), 4).spawn().expect("agon runs");
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("it runs, or it has ended");
        child.wait().expect("it ends");
    }
    assert_eq!(command(dir.path(), 4).status().expect("agon runs").code(), Some(5));
    assert_eq!(games_without_times(&dir.path().join("out")), expected, "after kills");
}
