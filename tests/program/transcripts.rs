//! `[output] transcripts`: the lines between agon and its engines, one file a game.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::engine_run::EngineRun;
use crate::engines::ROGUE;
use crate::support::stderr;

fn run_of(fault: &str, keys: &str, transcripts: &str, games: u64) -> EngineRun {
    let rest = format!(
        "[[agents]]\nname = \"a\"\nkind = \"random\"\n[[agents]]\nname = \"b\"\nkind = \"random\"\n\
         [openings]\nkind = \"random\"\nplies = 6\n[schedule]\ngames = {games}\n\
         [output]\nreport = false\ntranscripts = {transcripts}",
    );
    let keys = format!("max_consecutive_forfeits = 0\n{keys}");
    EngineRun::new(&format!("[\"{ROGUE}\", {fault}]"), &keys, &rest)
}

impl EngineRun {
    /// The games with a transcript.
    fn transcribed(&self) -> BTreeSet<u64> {
        let Ok(entries) = fs::read_dir(self.out().join("transcripts")) else {
            return BTreeSet::new();
        };
        let names = entries.flatten().map(|entry| entry.file_name().into_string().expect("text"));
        let number = |name: String| {
            let number = name.strip_prefix("game-")?.strip_suffix(".jsonl")?;
            number.parse().ok()
        };
        names.map(|name| number(name).expect("the name of a transcript")).collect()
    }

    /// The lines of the transcript of a game, whose first and last lines are those of its row.
    fn lines(&self, row: &BTreeMap<String, String>) -> Vec<Value> {
        let path = self.out().join(format!("transcripts/game-{}.jsonl", row["game"]));
        let text = fs::read_to_string(&path).expect("a transcript");
        assert!(text.ends_with('\n'));
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let (head, end) = (&lines[0], &lines[lines.len() - 1]);
        assert_eq!(head["game"].to_string(), row["game"]);
        assert_eq!([&head["first"], &head["second"]], [&row["first"], &row["second"]]);
        assert_eq!([&end["result"], &end["reason"]], [&row["result"], &row["reason"]], "{row:?}");
        let times = lines.iter().filter_map(|line| line["ms"].as_f64());
        assert!(times.is_sorted(), "{text}");
        lines
    }
}

#[test]
fn all_games_have_their_lines() {
    let text = "0.5 quote \\\\\\\" tab \\t end";
    let run = run_of(&format!("\"instant\", \"--cost\", \"{text}\""), "", "\"all\"", 10);
    let output = run.play(3);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let games = run.games();
    assert_eq!(run.transcribed().len(), games.len());
    for row in games {
        let lines = run.lines(&row);
        let of_bot = |stream: &str, word: &str| {
            let is = |line: &&Value| {
                line["agent"] == "bot"
                    && line["stream"] == stream
                    && line["text"].as_str().is_some_and(|text| text.starts_with(word))
            };
            lines.iter().filter(is).count()
        };
        let plays = [&row["first"], &row["second"]].contains(&&"bot".to_owned());
        let side = if row["first"] == "bot" { "first" } else { "second" };
        let moves: usize = row[&format!("moves_{side}")].parse().expect("a number");
        let moves = if plays { moves } else { 0 };
        assert_eq!([of_bot("stdin", "go "), of_bot("stdout", "bestmove ")], [moves, moves]);
        let line = "info string cost 0.5 quote \\\" tab \t end";
        assert_eq!(of_bot("stdout", line), moves, "the text is escaped: {lines:?}");
        if plays {
            assert_eq!(lines[1]["seat"], side);
        }
    }
}

#[test]
fn faults_are_forfeits_illegal_moves_and_void_attempts() {
    let keys = "costs = true\nillegal = { retries = 1 }";
    let run = run_of("\"scripted\", \"--one-in\", \"75\"", keys, "\"faults\"", 60);
    let output = run.play(4);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let transcribed = run.transcribed();
    let (mut faults, mut voids) = (0, 0);
    for row in run.games() {
        let is_transcribed = transcribed.contains(&row["game"].parse().expect("a number"));
        let is_faulty = row["reason"] == "crash"
            || ["illegal_first", "illegal_second"].iter().any(|column| row[*column] != "0");
        assert!(is_transcribed || !is_faulty, "{row:?}");
        if is_transcribed {
            let lines = run.lines(&row);
            let has_void = lines.iter().any(|line| line["result"] == "void");
            assert!(is_faulty || has_void, "{row:?}");
            faults += usize::from(is_faulty);
            voids += usize::from(has_void);
        }
    }
    // How many attempts are void is random.
    assert!(faults > 10 && voids > 0, "{faults} games with faults, {voids} with void attempts");
}

#[test]
fn the_first_games_of_each_pairing_have_transcripts() {
    let run = run_of("\"instant\"", "", "3", 6);
    assert_eq!(run.play(2).status.code(), Some(0));
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    let first = run.games().into_iter().filter(|row| {
        let number = seen.entry(row["pairing"].clone()).or_default();
        *number += 1;
        *number <= 3
    });
    let first: BTreeSet<u64> = first.map(|row| row["game"].parse().expect("a number")).collect();
    assert_eq!((run.transcribed(), first.len()), (first.clone(), 9));
}

#[test]
fn transcripts_are_whole_after_kills_and_removed_by_fresh() {
    let run = run_of("\"instant\"", "", "\"all\"", 40);
    run.kill_after(4, &[150, 200, 250]);
    assert_eq!(run.play(4).status.code(), Some(0));
    let games = run.games();
    assert_eq!(run.transcribed().len(), games.len());
    games.iter().for_each(|row| drop(run.lines(row)));
    let mut fresh = run.command(2);
    let fresh = fresh.args(["--fresh", "--set", "output.transcripts=none"]);
    assert_eq!(
        fresh.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("agon runs").code(),
        Some(0)
    );
    assert_eq!(run.transcribed().len(), 0);
    assert!(!run.out().join("transcripts").exists());
}

#[test]
fn mistakes_are_named() {
    for value in ["\"some\"", "-1", "1.5", "true"] {
        let run = run_of("\"instant\"", "", value, 2);
        let output = run.play(1);
        let said = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{said}");
        let words =
            "`output.transcripts` must be \"none\", \"all\" or \"faults\", or a whole number";
        assert!(said.contains(words), "{said}");
    }
    // A file takes the place of the folder.
    let run = run_of("\"instant\"", "", "\"none\"", 2);
    assert_eq!(run.play(1).status.code(), Some(0));
    fs::write(run.out().join("transcripts"), "").expect("written");
    let output = run.command(1).args(["--games", "4", "--set", "output.transcripts=all"]).output();
    let output = output.expect("agon runs");
    let said = stderr(&output);
    assert!(said.contains("cannot create") && said.contains("/transcripts"), "{said}");
    assert_ne!(output.status.code(), Some(0));
}
