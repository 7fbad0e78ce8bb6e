//! What runs survive, and what tests of it share: experiments of every schedule format, and
//! the comparison of what comes out with an uninterrupted run.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use agon::arena::read_ahead;

use crate::support::{agon, games_without_times, rows_without_times, stderr};

/// One experiment of each schedule format, and a sequential test.
pub const FORMATS: [&str; 5] = ["round-robin", "gauntlet", "self-play", "match", "sprt"];

/// An experiment of that format with so many games per pairing.
pub fn experiment(format: &str, games: u64) -> String {
    let third = "[[agents]]\nname = \"mm1\"\nkind = \"minimax\"\ndepth = 1\nties = \"random\"\n";
    let (format, third, more) = match format {
        "sprt" => ("match", "", "[sprt]\nelo0 = 0\nelo1 = 3\n"),
        "match" => ("match", "", ""),
        format => (format, third, ""),
    };
    format!(
        "seed = 9\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"random, 1\"\n\
         kind = \"random\"\n[[agents]]\nname = \"random 2\"\nkind = \"random\"\n{third}[schedule]\n\
         format = \"{format}\"\ngames = {games}\n[openings]\nkind = \"random\"\nplies = 6\n\
         [output]\nmoves = true\n{more}"
    )
}

/// Everything in a folder that does not depend on a clock.
pub fn content(folder: &Path) -> Vec<(&'static str, String)> {
    let read = |name| fs::read_to_string(folder.join(name)).expect(name);
    vec![
        ("games.csv", games_without_times(folder)),
        ("moves.csv", rows_without_times(&folder.join("moves.csv"))),
        ("pairings.csv", read("pairings.csv")),
        ("seats.csv", read("seats.csv")),
        ("resolved.toml", read("resolved.toml")),
    ]
}

/// Compares with a run that was never interrupted; how many bytes there were to compare.
pub fn same(folder: &Path, whole: &[(&'static str, String)]) -> usize {
    for ((name, text), (_, expected)) in content(folder).iter().zip(whole) {
        let line = text.lines().zip(expected.lines()).position(|(a, b)| a != b);
        assert!(text == expected, "{name} differs in line {line:?}");
    }
    assert!(!folder.join("games.ahead").exists() && !folder.join(".lock").exists());
    let left = fs::read_dir(folder).expect("a folder").filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().starts_with(".agon-")
    });
    assert_eq!(left.count(), 0, "nothing half written is left");
    whole.iter().map(|(_, text)| text.len()).sum()
}

/// Starts the program.
pub fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program")
}

/// Sends a signal.
pub fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    Command::new("kill").args([name, &id]).status().expect("kill");
}

/// Waits until that is so.
pub fn wait_for(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(begin.elapsed() < Duration::from_secs(60), "gave up waiting");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Numbers that are different every time the tests run: where a run is hit must not be known.
pub struct Dice(u64);

impl Dice {
    pub fn new() -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Dice(now.expect("a clock").as_nanos() as u64 | 1)
    }

    pub fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % most.max(1)
    }
}

/// The rows that stand in the files of a run: whole lines of the journal, and games ahead.
fn finished(out: &Path, names: &[String]) -> HashMap<u64, String> {
    let text = fs::read_to_string(out.join("games.csv")).unwrap_or_default();
    let number = |line: &str| line.split(',').next().and_then(|n| n.parse().ok()).expect("a row");
    let mut rows: HashMap<u64, String> = (text.split_inclusive('\n').skip(1))
        .filter(|line| line.ends_with('\n'))
        .map(|line| (number(line), line.to_owned()))
        .collect();
    for game in read_ahead(&out.join("games.ahead"), names).expect("a side journal") {
        let line = String::from_utf8(game.bytes).expect("text");
        rows.entry(game.row.game).or_insert(line);
    }
    rows
}

/// Kills runs so often, at random moments, and continues each until it is complete. What was
/// finished before a kill must stand in the end as it stood then, times included: a game that
/// was played again would have taken another time.
fn torture(kills: u64, hit: &str, games: u64, jobs: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut dice = Dice::new();
    let (mut done, mut resumes, mut bytes, mut kept) = (0, 0, 0, 0);
    for round in 0.. {
        let format = FORMATS[round % FORMATS.len()];
        // A test and a match have one pairing only.
        let games = if ["match", "sprt"].contains(&format) { 3 * games } else { games };
        let config =
            crate::support::write(dir.path(), &format!("{round}.toml"), &experiment(format, games));
        let whole = dir.path().join(format!("{round}-whole"));
        let begin = Instant::now();
        agon(&["--config", &config, "--out", whole.to_str().expect("text"), "-q", "-j", jobs]);
        let time = begin.elapsed();
        let whole = content(&whole);
        let out = dir.path().join(round.to_string());
        let arguments = ["--config", &config, "--out", out.to_str().expect("text"), "-j", jobs];
        let names = ["random, 1", "random 2", "mm1"].map(str::to_owned);
        let names = if games > 3 { &names[..] } else { &names[..2] };
        let mut seen: HashMap<u64, String> = HashMap::new();
        loop {
            let child = start(&arguments);
            if done < kills {
                let share = time.as_micros() as u64 / 2;
                std::thread::sleep(Duration::from_micros(dice.below(share)));
                signal(&child, hit);
            }
            let output = child.wait_with_output().expect("an end");
            let text = stderr(&output);
            if text.contains("going on") {
                resumes += 1;
            }
            // Whatever was finished before is there still.
            let now = finished(&out, names);
            for (game, row) in &seen {
                assert_eq!(now.get(game), Some(row), "{format}: game {game} was lost");
            }
            kept += now.keys().collect::<HashSet<_>>().len() - seen.len().min(now.len());
            seen = now;
            if output.status.code() == Some(0) || output.status.code() == Some(4) {
                break;
            }
            // Before it listens, a signal ends it like any other program.
            let code = output.status.code();
            let early = code.is_none() && text.is_empty();
            let right = if hit == "-KILL" { code.is_none() } else { early || code == Some(143) };
            assert!(right, "{format}: {code:?} {text}");
            if hit == "-TERM" && text.contains("stopped after") {
                assert!(text.contains("the same command goes on: "), "{text}");
            }
            done += 1;
        }
        // A sequential test ends with its verdict, and what was ahead of it goes.
        bytes += same(&out, &whole);
        if done >= kills {
            println!(
                "{hit}: {done} kills, {resumes} resumes, {} rounds, {kept} finished games kept, \
                 0 lost, {bytes} bytes compared",
                round + 1
            );
            return;
        }
    }
}

#[test]
fn killed_runs_go_on_where_they_were() {
    torture(5, "-KILL", 150, "3");
}

#[test]
fn terminated_runs_go_on_where_they_were() {
    torture(5, "-TERM", 150, "2");
}

#[test]
#[ignore = "the long form of the test above"]
fn thirty_kills_lose_nothing() {
    torture(30, "-KILL", 3000, "2");
    torture(30, "-KILL", 3000, "7");
}

#[test]
#[ignore = "the long form of the test above"]
fn thirty_terminations_lose_nothing() {
    torture(30, "-TERM", 3000, "2");
}

/// Games that take much longer than a test may.
const SLOW: &str = "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"a\"\nkind = \"mcts\"\n\
                    movetime = 60000\n[[agents]]\nname = \"b\"\nkind = \"random\"\n\
                    [schedule]\ngames = 4\nallow_duplicates = true\n";

#[test]
fn games_that_do_not_end_in_time_are_dropped() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "my config.toml", SLOW);
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    let run = |grace: &str, signals: u32| {
        let grace = format!("output.grace_seconds={grace}");
        let child = start(&["--config", &config, "--out", out, "--set", &grace]);
        wait_for(|| fs::metadata(format!("{out}/.lock")).is_ok());
        std::thread::sleep(Duration::from_millis(200));
        let begin = Instant::now();
        for _ in 0..signals {
            signal(&child, "-TERM");
            std::thread::sleep(Duration::from_millis(150));
        }
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
        assert!(begin.elapsed() < Duration::from_secs(15));
        stderr(&output)
    };
    let text = run("0.2", 1);
    assert!(text.contains("dropped") && text.contains("my config.toml'"), "{text}");
    let manifest = fs::read_to_string(format!("{out}/manifest.json")).expect("manifest.json");
    assert!(manifest.contains("\"interrupted\""), "{manifest}");
    // The second signal does not wait.
    run("1000", 2);
}

#[test]
fn a_second_process_is_refused_whatever_it_wants() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", SLOW);
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    let first = start(&["--config", &config, "--out", out]);
    wait_for(|| fs::metadata(format!("{out}/manifest.json")).is_ok());
    for more in [&[][..], &["--fresh"]] {
        let output = agon(&[&["--config", &config, "--out", out], more].concat());
        assert_eq!(output.status.code(), Some(2));
        let text = stderr(&output);
        assert!(text.contains(&format!("process {}", first.id())), "{text}");
    }
    assert!(fs::metadata(format!("{out}/games.csv")).is_ok(), "nothing was thrown away");
    signal(&first, "-KILL");
    first.wait_with_output().expect("an end");
    // The lock of a dead process holds nobody up.
    let third = start(&["--config", &config, "--out", out]);
    wait_for(|| {
        let holder = fs::read_to_string(format!("{out}/.lock")).unwrap_or_default();
        holder.contains(&format!("process {}", third.id()))
    });
    signal(&third, "-KILL");
    third.wait_with_output().expect("an end");
}
