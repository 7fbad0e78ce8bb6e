//! Tests of games by a referee: a program plays the whole game.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::endure::signal;
use crate::engines::Example;
use crate::support::{agon, games_without_times, ok, play, rows, stderr, stdout, write};

/// A game of luck: `tests/support/referee.rs`.
const REFEREE: Example = Example("referee");

/// Two players. The referee only looks at their commands.
const PLAYERS: &str = "[[agents]]\nname = \"long\"\nkind = \"command\"\ncommand = \"true --long\"\n\
                       [[agents]]\nname = \"short\"\nkind = \"command\"\ncommand = \"true\"\n";

/// A config with these options of the referee, keys of `[game]` and further sections.
fn config(options: &str, keys: &str, rest: &str) -> String {
    format!(
        "name = \"t\"\nseed = 3\n[game]\nreferee = \"{REFEREE} {{first}} {{second}} --seed {{seed}} \
         {options}\"\n{keys}\n{PLAYERS}{rest}"
    )
}

fn games(number: u64) -> String {
    format!("[schedule]\ngames = {number}\n")
}

#[test]
fn results_and_attributes_are_rows() {
    let dir = tempfile::tempdir().expect("a folder");
    let keys = "attributes = [\"turns\", \"map\", \"unknown\"]";
    ok(play(dir.path(), &config("", keys, &games(200)), &[]));
    let out = dir.path().join("out");
    let rows = rows(&out.join("games.csv"));
    let won = |row: &&std::collections::BTreeMap<String, String>| {
        row[&row["result"]] == "long" && row["reason"] == "referee"
    };
    let won = rows.iter().filter(won).count();
    assert!((130..=170).contains(&won), "{won} of 200");
    // Both games of a pair have the same seed, and pairs have different ones.
    for pair in rows.chunks(2) {
        assert_eq!(pair[0]["turns"], pair[1]["turns"]);
        assert!(pair[0]["map"] == "a, \"b\"" && pair[0]["unknown"].is_empty(), "{pair:?}");
    }
    assert!(rows.iter().any(|row| row["turns"] != rows[0]["turns"]));
    let out = out.to_str().expect("text");
    ok(agon(&["report", out, "--verify"]));
    ok(agon(&["report", out]));
    let replay = agon(&["replay", out, "1"]);
    assert_eq!(replay.status.code(), Some(2));
    assert!(stderr(&replay).contains("has no positions and no moves"), "{}", stderr(&replay));
}

#[test]
fn threads_shards_and_kills_do_not_change_the_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("--sleep 5", "attributes = [\"turns\"]", &games(60));
    let played = |jobs: &str| {
        ok(play(dir.path(), &text, &["-j", jobs]));
        games_without_times(&dir.path().join("out"))
    };
    let one = played("1");
    assert!(one == played("2") && one == played("16"));
    let config = write(dir.path(), "c.toml", &text);
    let folder = dir.path().join("shards");
    let out = folder.to_str().expect("text");
    for shard in ["1/3", "3/3", "2/3"] {
        ok(agon(&["--config", &config, "--out", out, "--shard", shard]));
    }
    ok(agon(&["merge", out]));
    assert_eq!(games_without_times(&folder), one);
    let folder = dir.path().join("killed");
    let mut killed = 0;
    loop {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["--config", &config, "-q", "-j", "2", "--out"]).arg(&folder);
        let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("agon");
        let end = Instant::now() + Duration::from_millis(150);
        while Instant::now() < end && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        if killed < 3 && child.try_wait().expect("a child").is_none() {
            signal(&child, "-KILL");
            killed += 1;
        }
        if child.wait().expect("an end").success() {
            break;
        }
    }
    assert!(killed > 0, "no run was killed");
    assert_eq!(games_without_times(&folder), one);
}

#[test]
fn sequential_formats_work() {
    let dir = tempfile::tempdir().expect("a folder");
    let sprt = "[sprt]\nelo0 = 0\nelo1 = 100\n";
    let said = stdout(&ok(play(dir.path(), &config("", "", sprt), &[])));
    assert!(said.contains("H1"), "{said}");
    let third = "[[agents]]\nname = \"other\"\nkind = \"command\"\ncommand = \"true\"\n";
    let best = format!("{third}[schedule]\nformat = \"best\"\n");
    let said = stdout(&ok(play(dir.path(), &config("", "", &best), &[])));
    assert!(said.contains("long"), "{said}");
}

#[test]
fn all_forms_of_output_are_read() {
    let dir = tempfile::tempdir().expect("a folder");
    let played = |options: &str| {
        ok(play(dir.path(), &config(options, "attributes = [\"turns\"]", &games(10)), &[]));
        games_without_times(&dir.path().join("out"))
    };
    let plain = played("");
    for fault in ["crlf", "no-newline", "long-line", "debug"] {
        assert_eq!(played(&format!("--fault {fault}")), plain, "{fault}");
    }
}

#[test]
fn a_player_that_errs_forfeits() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("--fault player-error --every 3", "", &games(40));
    play(dir.path(), &text, &[]);
    let out = dir.path().join("out");
    let rows = rows(&out.join("games.csv"));
    let lost: Vec<_> = rows.iter().filter(|row| row["reason"] == "timeout").collect();
    assert!(!lost.is_empty() && lost.len() < rows.len(), "{rows:?}");
    for row in lost {
        assert_eq!(row["result"], "second");
        let log = format!("engine-{}-game-{}.log", row["first"], row["game"]);
        let log = fs::read_to_string(out.join(log)).expect("a log");
        assert!(log.contains("timeout in turn 3") && log.contains("referee"), "{log}");
    }
}

#[test]
fn a_referee_that_fails_voids_the_games_and_ends_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    for (fault, words, reason) in [
        ("exit", "exit status 3", "rules failure"),
        ("sleep", "has not ended after 0.3 s (`timeout`)", "rules failure"),
        ("silent", "it prints nothing", "rules failure"),
        ("long-result", "its last line is longer than 64 KiB", "rules failure"),
        ("third-player", "`agon rate`", "rules failure"),
        ("both-errors", "both players erred", "both erred"),
    ] {
        let text = config(&format!("--fault {fault}"), "timeout = 0.3", &games(20));
        // Other faults have more time on a slow machine.
        let text = if fault == "sleep" { text } else { text.replace("= 0.3", "= 60") };
        let output = play(dir.path(), &text, &["-j", "1"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{fault}: {said}");
        assert!(said.contains("3 games in a row are void"), "{fault}: {said}");
        assert!(said.contains(words), "{fault}: {said}");
        let rows = rows(&dir.path().join("out/games.csv"));
        let is_void = |row: &std::collections::BTreeMap<String, String>| {
            row["result"] == "void" && row["reason"] == reason
        };
        assert!(rows.iter().all(is_void), "{rows:?}");
    }
    // The processes that the referee has started are ended, too.
    let processes = Command::new("ps").args(["-eo", "args"]).output().expect("ps");
    assert!(!stdout(&processes).contains("sleep 4321.5"));
    // Some void games do not end the run.
    let text = config("--fault both-errors --every 7", "", &games(40));
    let output = play(dir.path(), &text, &["-j", "1"]);
    // The code of void games without a verdict.
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let rows = rows(&dir.path().join("out/games.csv"));
    assert!(rows.iter().any(|row| row["result"] == "void") && rows.len() == 40);
}

/// The files that referees wrote.
fn logs(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("a folder");
    let names = names.map(|entry| entry.expect("a file").file_name().into_string().expect("text"));
    let mut names: Vec<String> = names.filter(|name| name.starts_with("referee-game-")).collect();
    names.sort();
    names
}

#[test]
fn logs_are_kept_on_request() {
    let dir = tempfile::tempdir().expect("a folder");
    let players = PLAYERS.replace("true --long", "echo 'a b' $HOME");
    let text = config("--log {log}", "", &games(6)).replace(PLAYERS, &players);
    ok(play(dir.path(), &text, &[]));
    let out = dir.path().join("out");
    assert_eq!(logs(&out), (1..=6).map(|n| format!("referee-game-{n}")).collect::<Vec<_>>());
    // A command with blanks and quotes is one argument of the referee.
    let log = fs::read_to_string(out.join("referee-game-1")).expect("a log");
    assert!(log.starts_with("echo 'a b' $HOME\ntrue\n"), "{log}");
    // `--fresh` removes them.
    ok(play(dir.path(), &text.replace("games = 6", "games = 2"), &[]));
    assert_eq!(logs(&out).len(), 2);
    let config = write(dir.path(), "c.toml", &text);
    let folder = dir.path().join("shards");
    let shards = folder.to_str().expect("text");
    for shard in ["1/2", "2/2"] {
        ok(agon(&["--config", &config, "--out", shards, "--shard", shard]));
    }
    ok(agon(&["merge", shards]));
    assert_eq!(logs(&folder).len(), 6);
}

#[test]
fn a_match_needs_no_config() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let game = format!("{REFEREE} {{first}} {{second}}");
    let out = out.to_str().expect("text");
    let said =
        ok(agon(&["match", "true -x", "true", "--game", &game, "--games", "4", "--out", out]));
    assert!(stdout(&said).contains("4 games (4 distinct)"), "{}", stdout(&said));
    assert!(stderr(&said).contains("no `{seed}`"), "{}", stderr(&said));
    let output = agon(&["match", "random", "true", "--game", &game]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`random` cannot play a game by a referee"));
    for command in [&["play"][..], &["solve", "--game"], &["check-game"]] {
        let output = agon(&[command, &[&game]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("has no positions and no moves"), "{said}");
    }
}

#[test]
fn a_rebuilt_player_does_not_continue_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let bot = write(dir.path(), "bot.py", "print(1)\n");
    let players = PLAYERS.replace("true --long", &format!("cat {bot}"));
    let text = config("", "", &games(4)).replace(PLAYERS, &players);
    let config = write(dir.path(), "c.toml", &text);
    let out = dir.path().join("out");
    let run = || agon(&["--config", &config, "--out", out.to_str().expect("text")]);
    ok(run());
    ok(run());
    write(dir.path(), "bot.py", "print(2)\n");
    let output = run();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("bot.py"), "{}", stderr(&output));
}

/// A config whose referee is this shell script.
fn script_config(dir: &Path, script: &str, keys: &str, number: u64) -> String {
    let path = write(dir, "referee.sh", script);
    let referee = format!("referee = \"sh {path} {{first}} {{second}} {{seed}}\"");
    format!("name = \"t\"\n[game]\n{referee}\n{keys}\n{PLAYERS}{}", games(number))
}

#[test]
fn a_changed_referee_does_not_continue_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = script_config(dir.path(), "echo '{\"ranks\": [0, 1]}'\n", "", 4);
    let config = write(dir.path(), "c.toml", &text);
    let out = dir.path().join("out");
    let run = |games: &str| {
        let out = out.to_str().expect("text");
        agon(&["--config", &config, "--games", games, "--out", out])
    };
    ok(run("4"));
    let games = fs::read(out.join("games.csv")).expect("games");
    write(dir.path(), "referee.sh", "echo '{\"ranks\": [1, 0]}'\n");
    for number in ["4", "8"] {
        let output = run(number);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("games of another program of `[game]`"), "{said}");
        assert!(said.contains("referee.sh") && !said.contains("as an agent"), "{said}");
        assert_eq!(fs::read(out.join("games.csv")).expect("games"), games);
    }
    let shards = dir.path().join("shards");
    let shards = shards.to_str().expect("text");
    let play_shard = |shard| agon(&["--config", &config, "--out", shards, "--shard", shard]);
    ok(play_shard("1/2"));
    write(dir.path(), "referee.sh", "echo '{\"ranks\": [0, 1]}'\n");
    let said = stderr(&play_shard("2/2"));
    assert!(said.contains("games of another program of `[game]`"), "{said}");
}

#[test]
fn a_run_that_ended_by_void_games_knows_its_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let count = dir.path().join("count");
    let result = "echo '{\"ranks\": [0, 1]}'\n";
    // It works for 6 games.
    let failing =
        format!("echo >>{0}; [ $(wc -l <{0}) -le 6 ] || exit 1\n{result}", count.display());
    let out = dir.path().join("out");
    for (script, resumed) in [(failing.as_str(), 2), ("exit 1\n", 5)] {
        let text = script_config(dir.path(), script, "", 20);
        let output = play(dir.path(), &text, &["-j", "1"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let manifest = fs::read_to_string(out.join("manifest.json")).expect("a manifest");
        let rows = rows(&out.join("games.csv"));
        assert!(manifest.contains(&format!("\"games\": {},", rows.len())), "{manifest}");
        // A corrected referee does not continue games of the old one. Void games are none.
        let config = write(dir.path(), "c.toml", &script_config(dir.path(), result, "", 20));
        let output = agon(&["--config", &config, "--out", out.to_str().expect("text"), "-q"]);
        assert_eq!(output.status.code(), Some(resumed), "{script}: {}", stderr(&output));
    }
}

#[test]
fn attributes_without_a_column_are_named_once() {
    let dir = tempfile::tempdir().expect("a folder");
    // The second game of each pair has another attribute.
    let script = "case $1 in 'true --long') rare='\"rare\": 1,' ;; esac\n\
                  echo \"{$rare \\\"scores\\\": [2, 1], \\\"map\\\": 5}\"\n";
    let said = |keys: &str| {
        let text = script_config(dir.path(), script, keys, 6);
        let config = write(dir.path(), "c.toml", &text);
        let out = dir.path().join("out");
        let out = out.to_str().expect("text");
        stderr(&ok(agon(&["--config", &config, "--out", out, "--fresh"])))
    };
    let all = said("");
    let note = "note: attributes of the results that are no columns of games.csv: `map`, `rare`\n";
    assert_eq!(all.matches(note).count(), 1, "{all}");
    let some = said("attributes = [\"map\", \"maps\", \"scores_first\"]");
    assert!(some.contains("games.csv: `rare`\n"), "{some}");
    assert!(some.contains("that no result of the referee fills: `maps`\n"), "{some}");
    let none = said("attributes = []");
    assert!(!none.contains("attributes"), "{none}");
}

#[test]
fn the_forms_of_other_programs_are_played_and_counted() {
    let dir = tempfile::tempdir().expect("a folder");
    for (script, keys, words) in [
        (
            "echo \"{\\\"ranks\\\": [0, 1], \\\"errors\\\": [0, 0], \\\"test_data\\\": {\\\"seed\\\": 5}, \
             \\\"player_data\\\": [{\\\"t\\\": 1.5}, {\\\"t\\\": 2}]}\"\n",
            "attributes = [\"seed\", \"t_first\", \"t_second\"]",
            [("seed", "5"), ("t_first", "1.5"), ("t_second", "2")],
        ),
        (
            "echo 'Picked up options'\necho 12\necho 7\necho seed=5\n",
            "attributes = [\"seed\", \"scores_first\", \"scores_second\"]",
            [("seed", "5"), ("scores_first", "12"), ("scores_second", "7")],
        ),
    ] {
        ok(play(dir.path(), &script_config(dir.path(), script, keys, 4), &[]));
        for row in rows(&dir.path().join("out/games.csv")) {
            assert_eq!((&*row["result"], &*row["reason"]), ("first", "referee"));
            words.iter().for_each(|(column, value)| assert_eq!(row[*column], *value));
        }
    }
    // A negative score of one player is an error.
    let config = script_config(dir.path(), "echo -1\necho 7\n", "", 4);
    play(dir.path(), &config, &[]);
    for row in rows(&dir.path().join("out/games.csv")) {
        assert_eq!((&*row["result"], &*row["reason"]), ("second", "error"));
    }
}

#[test]
fn what_does_not_fit_is_one_error() {
    let dir = tempfile::tempdir().expect("a folder");
    for (keys, rest, words) in [
        ("", "[openings]\nkind = \"start\"\n", "`openings` does not fit"),
        ("", "[limits]\nmax_plies = 5\n", "`limits` does not fit"),
        ("", "[adjudication]\ndraw_moves = 5\n", "`adjudication` does not fit"),
        ("", "[luck]\nvalue = \"exact\"\n", "`luck` does not fit"),
        ("", "[grading]\ngames = 5\n", "`grading` does not fit"),
        ("", "[output]\nmoves = true\n", "`output.moves` does not fit"),
        ("", "[tune]\nparameters.long.depth = [1, 5]\n", "`tune` does not fit"),
        ("attributes = [\"moves\"]", "", "is a column of games.csv already"),
        ("attributes = [\"a,b\"]", "", "cannot be the name of a column"),
        ("attributes = [\"a\", \"a\"]", "", "is there twice"),
        ("timeout = 0", "", "timeout"),
    ] {
        let output = play(dir.path(), &config("", keys, rest), &[]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{rest}{keys}: {said}");
        assert!(said.contains(words), "{rest}{keys}: {said}");
        assert_eq!(said.matches("error: ").count(), 1, "{rest}{keys}: {said}");
    }
    for (command, words) in [
        ("{first} {secnd}", "no placeholder `{secnd}`"),
        ("{first}", "where the second player goes"),
        ("{first} {second} {third}", "`agon rate`"),
    ] {
        let text = config("", "", "").replace("{first} {second}", command);
        let output = play(dir.path(), &text, &[]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let text = config("", "", "").replace("\"true\"", "\"./missing\"");
    let output = play(dir.path(), &text, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
