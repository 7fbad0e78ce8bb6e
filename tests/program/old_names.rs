//! Old names of config keys and columns: a config plays and warns, and a results folder is read and
//! resumed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::endure::{content, same};
use crate::support::{agon, resealed, stderr, write};

/// Each old key of this config with its present name.
const KEYS: [(&str, &str); 2] = [("threats", "forced_moves"), ("reductions", "lmr")];

/// Each old column with its present name.
const COLUMNS: [(&str, &str); 6] = [
    ("depth_first", "depth_sum_first"),
    ("depth_second", "depth_sum_second"),
    ("slowest_first_ns", "max_move_time_first_ns"),
    ("slowest_second_ns", "max_move_time_second_ns"),
    ("random_words", "rng_draws"),
    ("loss", "regret"),
];

const CONFIG: &str = "seed = 9\n[game]\nkind = \"tictactoe\"\n[[agents]]\nkind = \"random\"\n\
                      [[agents]]\nname = \"ab\"\nkind = \"alphabeta\"\ndepth = 2\nthreats = true\n\
                      reductions = true\n[schedule]\ngames = 20\n[output]\nmoves = true\n\
                      report = false\n[grading]\n";

/// A finished run in a folder of its own.
struct Run {
    dir: tempfile::TempDir,
    config: String,
    out: PathBuf,
}

impl Run {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let config = write(dir.path(), "c.toml", CONFIG);
        let out = dir.path().join("out");
        let run = Run { dir, config, out };
        let said = run.again();
        for (old, new) in KEYS {
            let warning = format!("c.toml:{}: `{old}` is now called `{new}`;", line_of(old));
            assert_eq!(said.matches(&format!("`{old}` is now called")).count(), 1, "{said}");
            assert!(said.contains("warning: ") && said.contains(&warning), "{said}");
        }
        run
    }

    /// Runs the same command again and returns its messages.
    fn again(&self) -> String {
        let output = agon(&["--config", &self.config, "--out", self.text()]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    }

    fn text(&self) -> &str {
        self.out.to_str().expect("text")
    }

    /// Gives the files the names that an older version wrote.
    fn make_old(&self) {
        for name in ["games.csv", "moves.csv"] {
            change(&self.out.join(name), |text| {
                let text = without_newer_columns(text);
                let (header, rows) = text.split_once('\n').expect("a header");
                let old = header.split(',').map(|column| {
                    let renamed = COLUMNS.iter().find(|(_, new)| *new == column);
                    renamed.map_or(column, |(old, _)| old)
                });
                resealed(&format!("{}\n{rows}", old.collect::<Vec<_>>().join(",")))
            });
        }
        change(&self.out.join("resolved.toml"), |text| {
            KEYS.iter().fold(text.to_owned(), |text, (old, new)| {
                assert!(text.contains(&format!("\n{new} = ")), "{text}");
                text.replace(&format!("\n{new} = "), &format!("\n{old} = "))
            })
        });
        // The hash of the older version is of the old names.
        change(&self.out.join("manifest.json"), |text| {
            let (before, rest) = text.split_once("\"config_hash\": \"").expect("a hash");
            format!("{before}\"config_hash\": \"0123456789abcdef{}", &rest[16..])
        });
    }
}

/// The rows without the columns that are newer than the present names.
fn without_newer_columns(text: &str) -> String {
    let (header, rows) = text.split_once('\n').expect("a header");
    let Some((old, newer)) = header.split_once(",luck_first,") else { return text.to_owned() };
    let newer = newer.split(',').count();
    let rows = rows.lines().map(|row| {
        let checksum = row.rsplit(',').next().expect("a checksum");
        let before = row.rsplitn(newer + 2, ',').last().expect("older columns");
        format!("{before},{checksum}\n")
    });
    format!("{old},checksum\n{}", rows.collect::<String>())
}

/// The place of a key in the config.
fn line_of(key: &str) -> String {
    let line = CONFIG.lines().position(|line| line.starts_with(key)).expect("a key");
    format!("{}:1", line + 1)
}

fn change(path: &Path, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).expect("readable");
    let new = change(&text);
    assert_ne!(new, text, "{}", path.display());
    fs::write(path, new).expect("writable");
}

#[test]
fn a_folder_of_old_names_is_reported_on_and_compared() {
    let run = Run::new();
    let tables = content(&run.out);
    run.make_old();
    for (command, codes) in [
        (&["report", "--verify", run.text()][..], &[0][..]),
        (&["replay", run.text(), "3"], &[0]),
        (&["compare", run.text(), run.text()], &[0, 4]),
        (&["report", run.text()], &[0]),
    ] {
        let output = agon(command);
        let said = stderr(&output);
        assert!(codes.contains(&output.status.code().unwrap_or(-1)), "{command:?}: {said}");
        for (old, _) in KEYS {
            assert_eq!(said.matches(&format!("`{old}` is now called")).count(), 1, "{said}");
        }
    }
    for name in ["agents.csv", "pairings.csv", "seats.csv"] {
        let of = |all: &[(&'static str, String)]| all.iter().find(|(n, _)| *n == name).cloned();
        assert_eq!(of(&content(&run.out)), of(&tables), "{name}");
    }
}

#[test]
fn a_folder_of_old_names_goes_on_with_the_present_names() {
    let run = Run::new();
    let whole = content(&run.out);
    run.make_old();
    assert!(run.again().contains("nothing is played"));
    // All games but five are missing, and so is the end of the run in the manifest.
    let games = run.out.join("games.csv");
    change(&games, |text| text.split_inclusive('\n').take(6).collect());
    let said = run.again();
    assert!(said.contains("5 of 20 games are complete already"), "{said}");
    let header = fs::read_to_string(&games).expect("games.csv");
    assert!(header.lines().next().is_some_and(|line| line.contains("rng_draws")), "{header}");
    same(&run.out, &whole);
    drop(run.dir);
}

#[test]
fn a_damaged_header_of_old_names_is_repaired() {
    let run = Run::new();
    let whole = content(&run.out);
    run.make_old();
    let games = run.out.join("games.csv");
    let mut bytes = fs::read(&games).expect("games.csv");
    bytes[3] ^= 1;
    fs::write(&games, bytes).expect("writable");
    assert!(run.again().contains("nothing is played"));
    assert_eq!(content(&run.out)[..2], whole[..2]);
}
