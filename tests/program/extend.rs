//! Tests of finished runs that are extended: old games stay, and only the rest is played.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{agon, games_without_times, stderr, write};

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
fn what_cannot_be_extended_is_explained_and_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    done(&run(&config, &out, &["--games", "6", "-q"]));
    let before = fs::read(out.join("games.csv")).expect("games");
    let added = format!("{CONFIG}[[agents]]\nname = \"new\"\nkind = \"random\"\n");
    let added = write(dir.path(), "added.toml", &added);
    let changed = write(dir.path(), "changed.toml", &CONFIG.replace("depth = 2", "depth = 3"));
    for (config, games, message) in [
        (&config, "4", "holds a run of 6 games per pairing, and 4 are asked for"),
        (&added, "6", "agents cannot be added"),
        (&changed, "6", "agents.ab.depth: now 3, there 2"),
        (&changed, "8", "holds the results of another experiment"),
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
fn games_of_an_agent_against_itself_are_not_extended() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = format!("{CONFIG}[schedule]\ninclude_self = true\n");
    let config = write(dir.path(), "c.toml", &text);
    let out = dir.path().join("out");
    done(&run(&config, &out, &["--games", "4", "-q"]));
    let output = run(&config, &out, &["--games", "8"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("depend on the number of games"), "{}", stderr(&output));
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
