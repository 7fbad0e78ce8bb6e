//! `reference = true`: an agent that is a yardstick for the others and never the answer.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{agon, stderr, stdout, write};

const GAME: &str =
    "seed = 5\n[game]\nkind = \"connect4\"\n[openings]\nkind = \"random\"\nplies = 6\n";

/// An agent with its keys.
fn agent(name: &str, keys: &str) -> String {
    format!("[[agents]]\nname = \"{name}\"\n{keys}\n")
}

fn yard() -> String {
    agent("yard", "kind = \"alphabeta\"\ndepth = 4\nreference = true")
}

fn good() -> String {
    agent("good", "kind = \"alphabeta\"\ndepth = 2")
}

fn bad() -> String {
    agent("bad", "kind = \"alphabeta\"\ndepth = 1")
}

fn dice() -> String {
    agent("dice", "kind = \"random\"\nreference = true")
}

/// The answer in the terminal, which JSON and the page must repeat.
fn answer(folder: &Path) -> String {
    let out = folder.to_str().expect("text");
    let text = stdout(&agon(&["report", out]));
    let json = agon(&["report", out, "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let answer = json["verdict"].as_str().expect("a verdict").to_owned();
    assert!(text.lines().any(|line| line == answer), "{answer:?} is not in {text}");
    let page = fs::read_to_string(folder.join("report.html")).expect("the page");
    assert!(page.contains(&format!("<li>{answer}</li>")), "{answer:?} is not on the page");
    answer
}

/// Plays a config and returns its answer.
fn played(dir: &Path, name: &str, config: &str) -> String {
    let path = write(dir, &format!("{name}.toml"), config);
    let folder = dir.join(name);
    let output = agon(&["run", &path, "--out", folder.to_str().expect("text"), "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    answer(&folder)
}

/// The class of docs/class.md praised `two plies`, the yardstick of the teacher.
#[test]
fn the_answer_names_the_strongest_of_the_other_agents() {
    let dir = tempfile::tempdir().expect("a folder");
    let all = format!("{GAME}{}{}{}{}", yard(), good(), bad(), dice());
    let games =
        |format: &str, games: u32| format!("[schedule]\nformat = \"{format}\"\ngames = {games}\n");
    let said = played(dir.path(), "robin", &format!("{all}{}", games("round-robin", 60)));
    assert_eq!(
        said,
        "good is the strongest of 2 agents. good is stronger than the reference dice, and weaker \
         than the reference yard. 6 of 6 differences are significant (5 %)."
    );
    let folder = dir.path().join("robin");
    let text = stdout(&agon(&["report", folder.to_str().expect("text")]));
    let ranks: Vec<String> = (text.lines())
        .filter(|line| line.contains(" 180 "))
        .map(|line| line.split("  ").filter(|cell| !cell.is_empty()).take(2).collect())
        .collect();
    assert_eq!(ranks.len(), 4, "{text}");
    assert_eq!(ranks, ["R1yard (reference)", " 1good", " 2bad", "R2dice (reference)"], "{text}");
    let csv = fs::read_to_string(folder.join("agents.csv")).expect("agents.csv");
    let marks = |line: &str| line.contains(",true,");
    let marked: Vec<bool> = csv.lines().skip(1).map(marks).collect();
    assert!(csv.lines().next().is_some_and(|head| head.contains(",reference,")), "{csv}");
    assert_eq!(marked, [true, false, false, true], "{csv}");

    // More games: intervals hold at any time.
    let path = dir.path().join("robin.toml");
    let out = folder.to_str().expect("text");
    agon(&["run", path.to_str().expect("text"), "--out", out, "--games", "300", "-q"]);
    let said = answer(&folder);
    assert!(
        said.starts_with(
            "good leads. good is stronger than the reference dice, and weaker than the reference yard. "
        ),
        "{said}"
    );

    // The first agent of a gauntlet, and a single agent against two yardsticks.
    let gauntlet = format!("{GAME}{}{}{}", yard(), good(), bad());
    let said = played(dir.path(), "gauntlet", &format!("{gauntlet}{}", games("gauntlet", 60)));
    assert!(said.contains("good is weaker than the reference yard"), "{said}");
    assert!(!said.contains("yard is") && !said.starts_with("yard"), "{said}");
    let single = format!("{GAME}{}{}{}", yard(), good(), dice());
    let said = played(dir.path(), "single", &format!("{single}{}", games("round-robin", 60)));
    assert!(
        said.starts_with(
            "good is stronger than the reference dice, and weaker than the reference yard. "
        ),
        "{said}"
    );
    let ranking = format!("{single}[schedule]\nformat = \"ranking\"\n");
    let said = played(dir.path(), "ranking", &ranking);
    assert!(said.starts_with("The order of all 3 agents is decided"), "{said}");
}

#[test]
fn a_match_against_a_reference_is_about_the_other_agent() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, agents) in [("before", [yard(), good()]), ("after", [good(), yard()])] {
        let said = played(
            dir.path(),
            name,
            &format!("{GAME}{}[schedule]\nformat = \"match\"\ngames = 60\n", agents.concat()),
        );
        assert!(said.starts_with("good is weaker than yard ("), "{said}");
        assert!(said.contains("). good scores ") && said.contains(" against yard: −"), "{said}");
    }
    let test =
        format!("{GAME}{}{}[sprt]\nelo0 = -50\nelo1 = 0\nmax_games = 1000\n", good(), yard());
    let path = write(dir.path(), "test.toml", &test);
    let folder = dir.path().join("test");
    let output = agon(&["run", &path, "--out", folder.to_str().expect("text"), "-q"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = answer(&folder);
    assert!(said.starts_with("good is weaker than yard (sequential test). good scores "), "{said}");
}

/// The games do not change, so a class that was played before the key existed keeps its results.
#[test]
fn the_key_can_be_set_after_the_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let with = format!("{GAME}{}{}{}[schedule]\ngames = 20\n", yard(), good(), bad());
    let without = with.replace("reference = true\n", "");
    assert!(played(dir.path(), "class", &without).starts_with("yard "));
    let games = fs::read(dir.path().join("class/games.csv")).expect("games.csv");
    let said = played(dir.path(), "class", &with);
    assert!(said.starts_with("good "), "{said}");
    assert_eq!(games, fs::read(dir.path().join("class/games.csv")).expect("games.csv"));
}

#[test]
fn runs_about_all_agents_have_no_references() {
    let dir = tempfile::tempdir().expect("a folder");
    let three = format!("{GAME}{}{}{}", yard(), good(), bad());
    let format = |word: &str| format!("{three}[schedule]\nformat = \"{word}\"\n");
    let other_format = "or use `format = \"round-robin\"`";
    for (config, message, help) in [
        (format("best"), "does not apply to the format `best`", other_format),
        (format("swiss"), "does not apply to the format `swiss`", other_format),
        (format("knockout"), "does not apply to the format `knockout`", other_format),
        (format("self-play"), "does not apply to the format `self-play`", other_format),
        (
            format!("{GAME}{}{}", yard(), dice()),
            "every agent is a reference, so there is no agent to compare with them",
            "leave `reference` out of the agents that the question is about",
        ),
        (
            format!("{GAME}{}{}[sprt]\nmax_games = 100\n", yard(), good()),
            "a sequential test asks whether the first agent is better, and it is a reference",
            "put the table of the reference after that of the other agent",
        ),
        (
            format!(
                "{GAME}{}[tune.parameters]\ndepth = [1, 5]\n[sprt]\nmax_games = 100\n",
                agent("a", "kind = \"alphabeta\"\ndepth = 2\nreference = true")
            ),
            "`reference` does not apply to a tune",
            "leave `reference` out",
        ),
        (
            three.replace("reference = true", "reference = \"yes\""),
            "`agents.yard.reference` must be `true` or `false`",
            "",
        ),
    ] {
        let path = write(dir.path(), "wrong.toml", &config);
        let output = agon(&["run", &path]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message) && said.contains(help), "{message}: {said}");
        assert_eq!(said.matches("error").count(), 1, "{said}");
    }
}
