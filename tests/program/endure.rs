//! Tests of interrupted runs and their shared helpers: experiments of every schedule format, and
//! the comparison of the results with an uninterrupted run.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use agon::arena::read_wal;

use crate::support::{agon, games_without_times, ok, rows_without_times, stderr};

/// One experiment of each schedule format, and two sequential tests: one reaches its maximum
/// length, the other a verdict.
pub const FORMATS: [&str; 6] = ["round-robin", "gauntlet", "self-play", "match", "sprt", "verdict"];

/// The formats of runs that are killed: also those in rounds.
const KILLED: [&str; 9] = [
    "round-robin",
    "gauntlet",
    "self-play",
    "match",
    "sprt",
    "verdict",
    "ranking",
    "swiss",
    "knockout",
];

/// An experiment of this format with this number of games per pairing, or of all pairings of a format
/// in rounds.
pub fn experiment(format: &str, games: u64) -> String {
    let third = "[[agents]]\nname = \"mm1\"\nkind = \"minimax\"\ndepth = 1\nties = \"random\"\n";
    let rounds = format!("[adaptive]\nmax_games = {games}\n");
    let (format, third, more) = match format {
        "ranking" => ("ranking", third, rounds.as_str()),
        // A match of equal agents then has many looks, and each look ends a round of the schedule.
        "knockout" => ("knockout", third, "[adaptive]\nalpha = 0.01\n"),
        "sprt" => ("match", "", "[sprt]\nelo0 = 0\nelo1 = 3\n"),
        "verdict" => ("match", "", "[sprt]\nelo0 = 0\nelo1 = 300\n"),
        "match" => ("match", "", ""),
        format => (format, third, ""),
    };
    // The report takes much longer than these games, so only one format writes it.
    let report = format == "gauntlet";
    let games = if format == "ranking" { String::new() } else { format!("games = {games}\n") };
    format!(
        "seed = 9\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"random, 1\"\n\
         kind = \"random\"\n[[agents]]\nname = \"random 2\"\nkind = \"random\"\n{third}[schedule]\n\
         format = \"{format}\"\n{games}[openings]\nkind = \"random\"\nplies = 6\n\
         [output]\nmoves = true\nreport = {report}\n{more}"
    )
}

/// Everything in a folder that does not depend on a clock.
pub fn content(folder: &Path) -> Vec<(&'static str, String)> {
    let read = |name| fs::read_to_string(folder.join(name)).expect(name);
    let mut content = vec![
        ("games.csv", games_without_times(folder)),
        ("moves.csv", rows_without_times(&folder.join("moves.csv"))),
        ("agents.csv", rows_without_times(&folder.join("agents.csv"))),
        ("pairings.csv", read("pairings.csv")),
        ("seats.csv", read("seats.csv")),
        ("resolved.toml", read("resolved.toml")),
    ];
    for table in ["decisions.csv", "standings.csv", "matches.csv"] {
        if folder.join(table).exists() {
            content.push((table, read(table)));
        }
    }
    content
}

/// Compares with an uninterrupted run; returns the number of compared bytes.
pub fn same(folder: &Path, whole: &[(&'static str, String)]) -> usize {
    assert_eq!(content(folder).len(), whole.len(), "the same tables");
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

pub fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program")
}

pub fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    Command::new("kill").args([name, &id]).status().expect("kill");
}

/// Waits until the condition is true.
pub fn wait_for(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(begin.elapsed() < Duration::from_secs(120), "gave up waiting");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Numbers that differ in every test run, so that the moment of an interruption is not predictable.
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

/// The rows in the files of a run: complete lines of the journal, and finished games in the log.
pub fn finished(out: &Path, names: &[String]) -> HashMap<u64, String> {
    let text = fs::read_to_string(out.join("games.csv")).unwrap_or_default();
    let number = |line: &str| line.split(',').next().and_then(|n| n.parse().ok()).expect("a row");
    let mut rows: HashMap<u64, String> = (text.split_inclusive('\n').skip(1))
        .filter(|line| line.ends_with('\n'))
        .map(|line| (number(line), line.to_owned()))
        .collect();
    for game in read_wal(&out.join("games.ahead"), names, &[]).expect("a side journal") {
        let line = String::from_utf8(game.bytes).expect("text");
        rows.entry(game.row.game).or_insert(line);
    }
    rows
}

/// Waits for a random moment of a run: until `games.csv` has this number of new games, or for some
/// time after the start. `there` of `total` games were in the file before.
fn moment(child: &mut Child, out: &Path, dice: &mut Dice, (there, total): (u64, u64), time: u64) {
    if dice.below(4) == 0 {
        return std::thread::sleep(Duration::from_micros(dice.below(time)));
    }
    let target = there + dice.below(total.saturating_sub(there) / 2);
    let rows = || fs::read_to_string(out.join("games.csv")).map_or(0, |text| text.lines().count());
    let begin = Instant::now();
    while rows() as u64 <= target && child.try_wait().expect("a child").is_none() {
        assert!(begin.elapsed() < Duration::from_secs(300), "it plays nothing");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_micros(dice.below(2000)));
}

/// Kills runs repeatedly at random moments, and resumes each run until it is complete. Rows that
/// were finished before a kill must be unchanged at the end, including their times: a replayed game
/// would have different times.
fn torture(kills: u64, hit: &str, games: u64, jobs: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut dice = Dice::new();
    let (mut done, mut resumes, mut bytes, mut kept) = (0, 0, 0, 0);
    // The same number for each format.
    let each = kills.div_ceil(KILLED.len() as u64);
    for round in 0.. {
        let format = KILLED[round % KILLED.len()];
        // A test and a match have only one pairing.
        let games = if round % KILLED.len() > 2 { 3 * games } else { games };
        let config =
            crate::support::write(dir.path(), &format!("{round}.toml"), &experiment(format, games));
        let whole = dir.path().join(format!("{round}-whole"));
        let begin = Instant::now();
        agon(&["--config", &config, "--out", whole.to_str().expect("text"), "-q", "-j", jobs]);
        let time = begin.elapsed().as_micros() as u64;
        let whole = content(&whole);
        let total = whole[0].1.lines().count() as u64 - 1;
        let out = dir.path().join(round.to_string());
        let arguments = ["--config", &config, "--out", out.to_str().expect("text"), "-j", jobs];
        let names = ["random, 1", "random 2", "mm1"].map(str::to_owned);
        let mut seen: HashMap<u64, String> = HashMap::new();
        let mut hits = 0;
        loop {
            let mut child = start(&arguments);
            if hits < each && done < kills {
                moment(&mut child, &out, &mut dice, (seen.len() as u64, total), time);
                signal(&child, hit);
            }
            let output = child.wait_with_output().expect("an end");
            let text = stderr(&output);
            resumes += u64::from(text.contains("the run continues"));
            let complete = matches!(output.status.code(), Some(0 | 3 | 4));
            // All finished games are still there. Games after a verdict are dropped when the
            // verdict is known, which may be before the kill.
            let now = finished(&out, &names);
            for (game, row) in seen.iter().filter(|(game, _)| **game <= total) {
                assert_eq!(now.get(game), Some(row), "{format}: game {game} was lost");
            }
            kept += now.len().saturating_sub(seen.len());
            seen = now;
            if complete {
                break;
            }
            // Before the program handles signals, a signal ends it like any other program.
            let code = output.status.code();
            let early = code.is_none() && text.is_empty();
            let right = if hit == "-KILL" { code.is_none() } else { early || code == Some(143) };
            assert!(right, "{format}: {code:?} {text}");
            if hit == "-TERM" && text.contains("stopped after") {
                assert!(text.contains("the same command continues: "), "{text}");
            }
            (done, hits) = (done + 1, hits + 1);
        }
        bytes += same(&out, &whole);
        if let Ok(page) = fs::read(out.join("report.html")) {
            agon(&["report", out.to_str().expect("text"), "-q"]);
            assert!(fs::read(out.join("report.html")).expect("a page") == page, "an old page");
        }
        if done >= kills && round + 1 >= KILLED.len() {
            println!(
                "{hit}: {done} kills, {resumes} resumes, {} runs, {kept} finished games kept, \
                 0 lost, {bytes} bytes compared",
                round + 1
            );
            return;
        }
        assert!(round < 20 * KILLED.len(), "{done} of {kills} runs could be hit");
    }
}

#[test]
fn killed_runs_go_on_where_they_were() {
    torture(18, "-KILL", 150, "3");
}

#[test]
fn terminated_runs_go_on_where_they_were() {
    torture(9, "-TERM", 150, "2");
}

#[test]
#[ignore = "the long form of the test above"]
fn thirty_six_kills_lose_nothing() {
    torture(36, "-KILL", 3000, "2");
    torture(36, "-KILL", 3000, "7");
}

#[test]
#[ignore = "the long form of the test above"]
fn thirty_six_terminations_lose_nothing() {
    torture(36, "-TERM", 3000, "2");
}

/// Games that take much longer than a test may take.
const SLOW: &str = "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"a\"\nkind = \"mcts\"\n\
                    movetime = 3600000\n[[agents]]\nname = \"b\"\nkind = \"random\"\n\
                    [schedule]\ngames = 4\nallow_duplicates = true\n";

#[test]
fn games_that_do_not_end_in_time_are_dropped() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "my config.toml", SLOW);
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    // The stop comes shortly after the first game begins. The test cannot see this moment, so it
    // tries longer waits if the stop came too early.
    let run = |grace: &str, signals: u32, word: &str| {
        let grace = format!("output.grace_seconds={grace}");
        for wait in [200, 1000, 5000, 20_000] {
            let _ = fs::remove_file(format!("{out}/.lock"));
            let child = start(&["--config", &config, "--out", out, "--fresh", "--set", &grace]);
            wait_for(|| fs::metadata(format!("{out}/.lock")).is_ok());
            std::thread::sleep(Duration::from_millis(wait));
            let begin = Instant::now();
            for _ in 0..signals {
                signal(&child, "-TERM");
                std::thread::sleep(Duration::from_millis(150));
            }
            let output = child.wait_with_output().expect("an end");
            assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
            // Long before a game ends.
            assert!(begin.elapsed() < Duration::from_secs(120));
            if stderr(&output).contains(word) {
                return stderr(&output);
            }
        }
        panic!("no game has begun");
    };
    let text = run("0.2", 1, "dropped");
    assert!(text.contains("my config.toml'"), "{text}");
    let manifest = fs::read_to_string(format!("{out}/manifest.json")).expect("manifest.json");
    assert!(manifest.contains("\"interrupted\""), "{manifest}");
    // The second signal stops at once.
    run("1000", 2, "a second signal stops at once");
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
    // The lock of a dead process blocks no other process.
    let third = start(&["--config", &config, "--out", out]);
    wait_for(|| {
        let holder = fs::read_to_string(format!("{out}/.lock")).unwrap_or_default();
        holder.contains(&format!("process {}", third.id()))
    });
    signal(&third, "-KILL");
    third.wait_with_output().expect("an end");
}

#[test]
fn a_run_that_was_killed_before_its_first_row_begins_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", &experiment("match", 4));
    let header = agon::arena::header();
    for length in [0, 1, 17, header.len()] {
        let out = dir.path().join(length.to_string());
        fs::create_dir(&out).expect("writable");
        fs::write(out.join("games.csv"), &header[..length]).expect("writable");
        let output = agon(&["--config", &config, "--out", out.to_str().expect("text")]);
        assert_eq!(output.status.code(), Some(0), "{length}: {}", stderr(&output));
        let rows = fs::read_to_string(out.join("games.csv")).expect("games.csv");
        assert_eq!(rows.lines().count(), 5);
    }
    // A file with this name that agon did not write is not changed.
    let out = dir.path().join("other");
    fs::create_dir(&out).expect("writable");
    fs::write(out.join("games.csv"), "chess,draughts\n").expect("writable");
    let output = agon(&["--config", &config, "--out", out.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("not a results folder"), "{}", stderr(&output));
}

#[test]
fn a_run_that_was_killed_behind_its_last_game_renews_its_tables_and_its_page() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", &experiment("gauntlet", 4));
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text"), "-q"];
    agon(&arguments);
    let names = ["report.html", "agents.csv", "pairings.csv", "seats.csv", "summary.txt"];
    let read = || names.map(|name| fs::read(out.join(name)).expect(name));
    let whole = read();
    // The files after a kill: the lock, an incomplete file, and old tables.
    for name in names.into_iter().chain([".lock", ".agon-Xy", "moves.csv.part"]) {
        fs::write(out.join(name), "old").expect("writable");
    }
    assert_eq!(agon(&arguments).status.code(), Some(0));
    assert!(read() == whole, "everything is as it was");
    for left in [".lock", ".agon-Xy", "moves.csv.part"] {
        assert!(!out.join(left).exists(), "{left}");
    }
}

#[test]
fn results_of_a_version_that_knew_fewer_keys_go_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", &experiment("match", 4));
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text")];
    agon(&arguments);
    // The folder of a version without a key that now has a default.
    let resolved = fs::read_to_string(out.join("resolved.toml")).expect("resolved.toml");
    let fewer: Vec<&str> =
        resolved.lines().filter(|line| !line.starts_with("shared_dice")).collect();
    assert!(fewer.len() < resolved.lines().count());
    fs::write(out.join("resolved.toml"), fewer.join("\n")).expect("writable");
    let manifest = fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
    let line = manifest.lines().find(|line| line.contains("\"config_hash\"")).expect("a hash");
    let old = manifest.replace(line, "  \"config_hash\": \"0123456789abcdef\",");
    fs::write(out.join("manifest.json"), &old).expect("writable");
    let rows = fs::read_to_string(out.join("games.csv")).expect("games.csv");
    let less = rows.lines().take(4).map(|line| format!("{line}\n")).collect::<String>();
    for (rows, words) in [(rows, "nothing is played"), (less, "3 of 4 games are complete already")]
    {
        fs::write(out.join("games.csv"), rows).expect("writable");
        let output = ok(agon(&arguments));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    // A real difference is still reported.
    fs::write(out.join("manifest.json"), &old).expect("writable");
    let output = agon(&[&arguments[..], &["--seed", "8"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("seed: now 8, there 9"), "{}", stderr(&output));
}
