//! Tests of finished runs that are extended: old games stay, and only the rest is played.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{agon, games_without_times, stderr, stdout, write};

const CONFIG: &str = "seed = 5\n[game]\nkind = \"connect4\"\n[[agents]]\nkind = \"random\"\n\
                      [[agents]]\nname = \"ab\"\nkind = \"alphabeta\"\ndepth = 2\n[[agents]]\n\
                      kind = \"noisy\"\nepsilon = 0.2\nagent = { kind = \"alphabeta\", depth = 1 }\n\
                      [openings]\nkind = \"random\"\nplies = 4\n[output]\nmoves = true\n";

fn run(config: &str, out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().expect("text");
    agon(&[&["run", config, "--out", out], more].concat())
}

fn done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
}

#[test]
fn an_extended_run_equals_a_long_one() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", CONFIG);
    let [short, long] = ["short", "long"].map(|name| dir.path().join(name));
    done(&run(&config, &short, &["--games", "6", "-j", "1"]));
    let before = fs::read_to_string(short.join("games.csv")).expect("games");
    let output = run(&config, &short, &["--games", "16", "-j", "2"]);
    done(&output);
    assert!(stderr(&output).contains("6 games of each pairing"), "{}", stderr(&output));
    let after = fs::read_to_string(short.join("games.csv")).expect("games");
    assert!(after.starts_with(&before), "the old rows stay as they are");
    done(&run(&config, &long, &["--games", "16"]));
    assert_eq!(games_without_times(&short), games_without_times(&long));
    let resolved = |folder: &Path| fs::read_to_string(folder.join("resolved.toml")).expect("text");
    assert_eq!(
        resolved(&short).replace("short", ""),
        resolved(&long).replace("long", ""),
        "the folder says what was played"
    );
    done(&agon(&["report", short.to_str().expect("text"), "--verify", "-q"]));
}

#[test]
fn an_extended_run_has_no_fixed_length() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = "[[agents]]\nkind = \"random\"\n[[agents]]\nkind = \"alphabeta\"\ndepth = 1\n";
    let text =
        format!("[game]\nkind = \"connect4\"\n{agents}[openings]\nkind = \"random\"\nplies = 4\n");
    let config = write(dir.path(), "c.toml", &text);
    let [once, extended] = ["once", "extended"].map(|name| dir.path().join(name));
    let said = |output: &Output| stderr(output) + &String::from_utf8_lossy(&output.stdout);
    let note = "the run was extended after its results could be seen";
    assert!(!said(&run(&config, &once, &["--games", "12"])).contains(note));
    done(&run(&config, &extended, &["--games", "6", "-q"]));
    let output = run(&config, &extended, &["--games", "12"]);
    assert!(
        said(&output).contains(note) && !said(&output).contains("fixed-length"),
        "{}",
        said(&output)
    );
    // The same is said later, and after a third number of games.
    let table = agon(&["table", once.to_str().expect("text"), extended.to_str().expect("text")]);
    let noted = stderr(&table);
    assert_eq!(noted.matches("was extended after").count(), 1, "{noted}");
    assert!(noted.contains("its intervals hold at any time"), "{noted}");
    let later = agon(&["report", extended.to_str().expect("text")]);
    assert!(said(&later).contains(note), "{}", said(&later));
    assert!(said(&run(&config, &extended, &["--games", "14"])).contains(note));
    // The answer of the same games in one run may use the fixed length; this one may not.
    let score = |folder: &Path| fs::read_to_string(folder.join("summary.txt")).expect("a summary");
    assert!(score(&extended).contains(note) && !score(&once).contains(note));
}

#[test]
fn default_openings_of_a_run_stay_when_it_is_extended() {
    let dir = tempfile::tempdir().expect("a folder");
    let by_default = "game = { kind = \"tictactoe\" }\n[[agents]]\nkind = \"random\"\n\
                      [[agents]]\nkind = \"minimax\"\ndepth = 1\nties = \"random\"\n";
    let config = write(dir.path(), "c.toml", by_default);
    let out = dir.path().join("out");
    done(&run(&config, &out, &["--games", "10", "-q"]));
    // Twelve openings of two plies; a run of 26 games would begin with four.
    let output = run(&config, &out, &["--games", "24"]);
    done(&output);
    assert!(stdout(&output).contains("random openings of 2 plies"), "{}", stdout(&output));
    let output = run(&config, &out, &["--games", "26"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let help = "began with openings of 2 plies, so it can be extended to 24 games per pairing";
    assert!(stderr(&output).contains(help), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_extended_is_explained_and_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    done(&run(&config, &out, &["--games", "6", "-q"]));
    let before = fs::read(out.join("games.csv")).expect("games");
    let fewer = CONFIG.replace("[[agents]]\nkind = \"random\"\n", "");
    let fewer = write(dir.path(), "fewer.toml", &fewer);
    let seed = write(dir.path(), "seed.toml", &CONFIG.replace("seed = 5", "seed = 6"));
    let changed = write(dir.path(), "changed.toml", &CONFIG.replace("depth = 2", "depth = 3"));
    for (config, games, message) in [
        (&config, "4", "holds a run of 6 games per pairing, and 4 are asked for"),
        (&fewer, "6", "has games of `random`, and the config has no such agent"),
        (&fewer, "6", "help: put `random` back: a run can get more agents, not fewer"),
        (&changed, "6", "another agent `ab`: `depth` was 2 and is now 3"),
        (&changed, "8", "help: keep `ab` as it was, and add the changed agent under a new name"),
        (&seed, "6", "holds the results of another experiment"),
    ] {
        let output = run(config, &out, &["--games", games]);
        assert_eq!(output.status.code(), Some(2), "{games}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(message), "{said}");
        let fresh = said.find("--fresh").unwrap_or(usize::MAX);
        assert!(said.find("--out DIR").is_some_and(|out| out < fresh), "{said}");
    }
    assert_eq!(fs::read(out.join("games.csv")).expect("games"), before);
    let output = run(&config, &out, &["--games", "6"]);
    done(&output);
    assert!(stderr(&output).contains("more `--games` extend it"), "{}", stderr(&output));
}

#[test]
fn a_file_of_openings_grows_with_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let lines: String = (0..40).map(|i| format!("{} {}\n", i % 7 + 1, i / 7 + 1)).collect();
    write(dir.path(), "openings.txt", &lines);
    let text = CONFIG.replace(
        "kind = \"random\"\nplies = 4\n",
        "kind = \"file\"\nfile = \"openings.txt\"\norder = \"random\"\n",
    );
    let config = write(dir.path(), "c.toml", &text);
    let [short, long] = ["short", "long"].map(|name| dir.path().join(name));
    done(&run(&config, &short, &["--games", "6", "-q"]));
    done(&run(&config, &short, &["--games", "20", "-q"]));
    done(&run(&config, &long, &["--games", "20", "-q"]));
    assert_eq!(games_without_times(&short), games_without_times(&long));
}

const NEW: &str = "[[agents]]\nname = \"new\"\nkind = \"minimax\"\ndepth = 2\n";
const LATE: &str = "[[agents]]\nname = \"late\"\nkind = \"random\"\n";

/// The config with these agents before its first section after the agents.
fn with(agents: &str) -> String {
    CONFIG.replace("[openings]", &format!("{agents}[openings]"))
}

/// Plays in a folder and returns the rows without times.
fn played(config: &Path, out: &Path, more: &[&str]) -> String {
    done(&run(config.to_str().expect("text"), out, more));
    games_without_times(out)
}

/// A copy of a folder whose `games.csv` ends after this number of games.
fn killed(folder: &Path, games: usize) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("a copy");
    }
    let text = fs::read_to_string(folder.join("games.csv")).expect("games");
    let kept: Vec<&str> = text.split_inclusive('\n').take(games + 1).collect();
    fs::write(copy.path().join("games.csv"), kept.concat()).expect("a file");
    copy
}

/// Extends a run of these configs step by step, each with its number of games. Checks that old rows
/// stay, that threads and kills change nothing, and that the folder is sound. Returns the rows.
fn extended(dir: &Path, steps: &[(&str, &str)]) -> String {
    let mut before = String::new();
    let out = dir.join("out");
    for (number, (text, games)) in steps.iter().enumerate() {
        let config = write(dir, "c.toml", &text.replace("[output]", "[output]\nreport = false"));
        let config = Path::new(&config);
        let killed_before = (number > 0).then(|| killed(&out, before.lines().count() / 2));
        let rows = played(config, &out, &["--games", games, "-j", "3", "-q"]);
        assert!(rows.starts_with(&before), "step {number}: the old rows stay");
        assert!(rows.len() > before.len());
        let text = out.to_str().expect("text");
        done(&agon(&["report", text, "--verify", "-q"]));
        let total = rows.lines().count() - 1;
        let old = before.lines().count().saturating_sub(1);
        for there in [old, old + 1, total - 1] {
            let killed = killed(&out, there);
            assert_eq!(played(config, killed.path(), &["--games", games, "-q"]), rows, "{there}");
            done(&agon(&["report", killed.path().to_str().expect("text"), "--verify", "-q"]));
        }
        if let Some(folder) = killed_before {
            // The run was extended before it was complete.
            assert_eq!(played(config, folder.path(), &["--games", games, "-q", "-j", "1"]), rows);
        }
        let again = run(config.to_str().expect("text"), &out, &["--games", games]);
        done(&again);
        assert!(stderr(&again).contains("is complete; nothing is played"), "{}", stderr(&again));
        // The resolved config plays the same games elsewhere.
        let other = tempfile::tempdir().expect("a folder");
        let resolved = out.join("resolved.toml");
        assert_eq!(played(&resolved, &other.path().join("o"), &["-q"]), rows, "step {number}");
        before = rows;
    }
    before
}

/// The number of games of each pair of agents.
fn games_of(rows: &str) -> std::collections::BTreeMap<[String; 2], u32> {
    let mut games = std::collections::BTreeMap::new();
    let header: Vec<&str> = rows.lines().next().expect("a header").split(',').collect();
    let column = |name: &str| header.iter().position(|one| *one == name).expect("a column");
    let (first, second) = (column("first"), column("second"));
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let mut pair = [cells[first].to_owned(), cells[second].to_owned()];
        pair.sort();
        *games.entry(pair).or_insert(0) += 1;
    }
    games
}

#[test]
fn added_agents_play_only_their_own_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let (one, two) = (with(NEW), with(&format!("{NEW}{LATE}")));
    let rows = extended(
        dir.path(),
        &[(CONFIG, "4"), (&one, "4"), (&one, "8"), (&two, "10"), (&two, "12")],
    );
    let games = games_of(&rows);
    assert_eq!(games.len(), 10);
    assert!(games.values().all(|&games| games == 12), "{games:?}");
    let table = fs::read_to_string(dir.path().join("out/agents.csv")).expect("a table");
    assert!(table.contains("late") && table.contains("new"), "{table}");
}

#[test]
fn agents_that_play_themselves_or_have_a_seat_are_added_and_play_more() {
    for (section, seat) in [("include_self = true", ""), ("", "seat = \"second\"\n")] {
        let dir = tempfile::tempdir().expect("a folder");
        let of = |text: String| format!("{text}[schedule]\n{section}\n");
        let (old, one) = (of(CONFIG.to_owned()), of(with(&format!("{NEW}{seat}"))));
        let rows = extended(dir.path(), &[(&old, "2"), (&old, "4"), (&one, "6"), (&one, "8")]);
        let games = games_of(&rows);
        assert_eq!(games.len(), if seat.is_empty() { 10 } else { 6 });
        assert!(games.values().all(|&games| games == 8), "{games:?}");
    }
}

#[test]
fn self_play_gets_another_agent_and_an_odd_number_of_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let of = |text: &str| format!("{text}[schedule]\nformat = \"self-play\"\n");
    extended(dir.path(), &[(&of(CONFIG), "3"), (&of(&with(NEW)), "3"), (&of(&with(NEW)), "6")]);
}

#[test]
fn a_new_agent_may_be_anywhere_in_the_config() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = CONFIG.replacen("[[agents]]", &format!("{NEW}[[agents]]"), 1);
    let mut all = Vec::new();
    for (name, text) in [("end", with(NEW)), ("first", first)] {
        let out = dir.path().join(name);
        let old = write(dir.path(), "old.toml", CONFIG);
        let new = write(dir.path(), "new.toml", &text);
        done(&run(&old, &out, &["--games", "4", "-q"]));
        let output = run(&new, &out, &["--games", "4"]);
        done(&output);
        let said = stderr(&output);
        assert!(said.contains("4 games of each pairing without `new`; they stay"), "{said}");
        assert!(said.contains("12 of 24 games are complete already"), "{said}");
        let page = fs::read_to_string(out.join("report.html")).expect("a page");
        assert!(page.contains("new"));
        all.push(games_without_times(&out));
    }
    assert_eq!(all[0], all[1]);
}

#[test]
fn a_gauntlet_keeps_its_first_agent_and_rounds_keep_all() {
    let dir = tempfile::tempdir().expect("a folder");
    let of = |text: &str, format: &str| format!("{text}[schedule]\nformat = \"{format}\"\n");
    let first = CONFIG.replacen("[[agents]]", &format!("{NEW}[[agents]]"), 1);
    extended(dir.path(), &[(&of(CONFIG, "gauntlet"), "4"), (&of(&with(NEW), "gauntlet"), "6")]);
    let config = write(dir.path(), "first.toml", &of(&first, "gauntlet"));
    let output = run(&config, &dir.path().join("out"), &["--games", "6"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("help: put `new` at the end of the agents"), "{said}");
    let limit = "[adaptive]\nmax_games = 60\n";
    let out = dir.path().join("best");
    let old = write(dir.path(), "old.toml", &(of(CONFIG, "best") + limit));
    let more = write(dir.path(), "more.toml", &(of(&with(NEW), "best") + limit));
    run(&old, &out, &["-q"]);
    let output = run(&more, &out, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("a `best` run, which cannot get more agents"), "{said}");
}

#[test]
fn an_agent_is_added_to_a_match() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    let options = ["--out", out, "--games", "4", "-q"];
    done(&agon(&[&["match", "random", "alphabeta:depth=1"], &options[..]].concat()));
    let before = games_without_times(Path::new(out));
    done(&agon(&[&["match", "random", "alphabeta:depth=1", "random"], &options[..]].concat()));
    let rows = games_without_times(Path::new(out));
    assert!(rows.starts_with(&before));
    assert_eq!(games_of(&rows).len(), 3);
}

#[test]
fn stages_that_do_not_fit_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    for earlier in ["[[4, 2]]", "[[3, 8]]", "[[2.5, 2]]", "[[3, 4], [2, 4]]", "[[0, 1]]"] {
        let text = format!("{CONFIG}[schedule]\nearlier = {earlier}\n");
        let config = write(dir.path(), "c.toml", &text);
        let output = run(&config, &dir.path().join("out"), &["--games", "4"]);
        assert_eq!(output.status.code(), Some(2), "{earlier}");
        assert!(stderr(&output).contains("remove `earlier`"), "{}", stderr(&output));
    }
}

#[test]
fn the_maximum_of_a_test_may_change_above_the_games_played() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "seed = 5\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"new\"\n\
                kind = \"minimax\"\ndepth = 2\nties = \"random\"\n[[agents]]\n\
                kind = \"random\"\n[openings]\nkind = \"random\"\nplies = 9\n\
                [sprt]\nelo1 = 50\n";
    let config = write(dir.path(), "c.toml", text);
    let out = dir.path().join("out");
    done(&run(&config, &out, &["-q"]));
    let before = games_without_times(&out);
    let played = before.lines().count() - 1;
    let more = (played + 40).next_multiple_of(2).to_string();
    done(&run(&config, &out, &["--games", &more]));
    done(&run(&config, &out, &["--games", "50000"]));
    assert_eq!(games_without_times(&out), before, "a decided test plays no more games");
    let output = run(&config, &out, &["--games", "4"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains(&format!("has {played} games, and at most 4 are asked for")), "{said}");
}

#[test]
fn the_maximum_of_a_format_in_rounds_may_change() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "seed = 3\n[game]\nkind = \"pig\"\n[[agents]]\nkind = \"hold\"\nname = \"a\"\n\
                at = 19\n[[agents]]\nkind = \"hold\"\nname = \"b\"\nat = 20\n[[agents]]\n\
                kind = \"hold\"\nname = \"c\"\nat = 21\n[schedule]\nformat = \"best\"\n\
                [adaptive]\nmax_games = 60\n";
    let config = write(dir.path(), "c.toml", text);
    let [short, long] = ["short", "long"].map(|name| dir.path().join(name));
    let most = |games: u64| format!("adaptive.max_games={games}");
    assert_eq!(run(&config, &short, &["-q"]).status.code(), Some(4));
    let before = games_without_times(&short);
    for games in [84, 300, 90] {
        let code = if games == 90 { 2 } else { 4 };
        let output = run(&config, &short, &["--set", &most(games)]);
        assert_eq!(output.status.code(), Some(code), "{games}: {}", stderr(&output));
    }
    assert_eq!(run(&config, &long, &["-q", "--set", &most(300)]).status.code(), Some(4));
    let after = games_without_times(&short);
    assert!(after.starts_with(&before), "the old games stay");
    assert_eq!(after, games_without_times(&long), "the rounds are those of one run");
}

#[test]
fn the_config_of_a_results_folder_can_be_played_again() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("configs")).expect("a folder");
    let lines: String = (0..40).map(|i| format!("{} {}\n", i % 7 + 1, i / 7 + 1)).collect();
    write(&dir.path().join("configs"), "openings.txt", &lines);
    let text = CONFIG
        .replace("kind = \"random\"\nplies = 4\n", "kind = \"file\"\nfile = \"openings.txt\"\n");
    let config = write(&dir.path().join("configs"), "c.toml", &text);
    let [first, second, third] = ["first", "second", "third"].map(|name| dir.path().join(name));
    done(&run(&config, &first, &["--games", "6", "-q"]));
    let again = first.join("config.toml");
    done(&run(again.to_str().expect("text"), &second, &["--games", "6", "-q"]));
    assert_eq!(games_without_times(&first), games_without_times(&second));
    let again = second.join("config.toml");
    done(&run(again.to_str().expect("text"), &third, &["--games", "6", "-q"]));
    let written = |folder: &Path| fs::read_to_string(folder.join("config.toml")).expect("text");
    assert_eq!(written(&second), written(&third));
}

#[test]
fn an_extended_run_of_three_agents_has_intervals_that_hold_at_any_time() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    done(&run(&config, &out, &["--games", "20", "-q"]));
    let output = run(&config, &out, &["--games", "40"]);
    done(&output);
    let said = stdout(&output);
    assert!(!said.contains("so far"), "{said}");
    assert!(said.contains("ab leads."), "{said}");
    let heads = said.lines().find(|line| line.contains("agent")).expect("a table");
    assert!(heads.contains("95 % at any time"), "{said}");
    // A fixed length has LOS and p values, and they do not hold here.
    let full = stdout(&agon(&["report", "-v", out.to_str().expect("text")]));
    let heads = full.lines().find(|line| line.contains("score %  ")).expect("a table");
    assert!(heads.contains("95 % at any time") && !heads.contains("LOS next"), "{full}");
    assert!(said.contains("≤ −"), "an agent without a point has a bound: {said}");
    for agent in ["ab", "noisy"] {
        let row = said.lines().find(|line| line.contains(&format!("  {agent} ")));
        let row = row.unwrap_or_else(|| panic!("{agent}: {said}"));
        let (low, high) =
            row.split_once('[').and_then(|(_, it)| it.split_once(", ")).expect("ends");
        let high = high.split(']').next().expect("an end");
        let number = |end: &str| end.replace('−', "-").parse::<f64>().expect("a number");
        let [low, high] = [low, high].map(number);
        let elo = row.split_once('[').and_then(|(before, _)| before.split_whitespace().next_back());
        let elo = number(elo.expect("a rating"));
        assert!(low < elo && elo < high, "{row}");
    }
}
