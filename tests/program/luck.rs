//! Tests of `[luck]`: columns, tables, and the same bytes for threads, interruptions and shards.

use std::fs;
use std::path::Path;

use crate::support::{
    agon, games_without_times, ok, play, play_with_page, resealed, rows, stderr, stdout, write,
};

const CONFIG: &str = "name = \"l\"\nseed = 5\n[game]\nkind = \"pig\"\ngoal = 30\n\
    [[agents]]\nkind = \"optimal\"\n[[agents]]\nname = \"hold\"\nkind = \"hold\"\nat = 8\n\
    [schedule]\ngames = 60\n[output]\nreport = false\n";

fn exact() -> String {
    format!("{CONFIG}[luck]\n")
}

fn number(row: &std::collections::BTreeMap<String, String>, key: &str) -> f64 {
    row[key].parse().unwrap_or_else(|_| panic!("{key} is no number in {row:?}"))
}

#[test]
fn each_game_has_its_luck_and_each_pairing_both_scores() {
    let dir = tempfile::tempdir().expect("a folder");
    let shown = stdout(&ok(play(dir.path(), &exact(), &["-v"])));
    let out = dir.path().join("out");
    let games = rows(&out.join("games.csv"));
    let mut pairs = Vec::new();
    for pair in games.chunks(2) {
        let [first, second] = [&pair[0], &pair[1]].map(|game| {
            let points = if game["result"] == "first" { 1.0 } else { 0.0 };
            let [luck, adjusted] = ["luck_first", "adjusted_first"].map(|key| number(game, key));
            assert!((points - luck - adjusted).abs() < 1e-9, "{game:?}");
            [points, adjusted]
        });
        assert_eq!((&*pair[0]["first"], &*pair[1]["second"]), ("optimal", "optimal"));
        pairs.push([0, 1].map(|i| (first[i] + 1.0 - second[i]) / 2.0));
    }
    let moments = |i: usize| {
        let n = pairs.len() as f64;
        let mean = pairs.iter().map(|pair| pair[i]).sum::<f64>() / n;
        let variance = pairs.iter().map(|pair| (pair[i] - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, variance)
    };
    let ((raw, raw_variance), (mean, variance)) = (moments(0), moments(1));
    let table = &rows(&out.join("pairings.csv"))[0];
    let near = |key: &str, value: f64| assert!((number(table, key) - value).abs() < 1e-9, "{key}");
    near("luck_samples", 30.0);
    near("luck_raw_score", raw);
    near("a_score", raw);
    near("adjusted_score", mean);
    near("luck_variance_removed", 1.0 - variance / raw_variance);
    near("luck_raw_games", (60.0 * raw_variance / variance).round());
    // Student's quantile for 29 degrees of freedom is 2.045229642. The scores are skewed to one side,
    // and the end there is moved: Hall's transformation of its distance is the quantile.
    let (t, error) = (2.045_229_642_132_703, (variance / 30.0).sqrt());
    let third = pairs.iter().map(|pair| (pair[1] - mean).powi(3)).sum::<f64>() / 30.0;
    let distances =
        ["adjusted_low", "adjusted_high"].map(|key| (number(table, key) - mean) / error);
    let [moved, other] = if third < 0.0 { distances } else { [-distances[1], -distances[0]] };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} and {b}");
    near(other, t);
    let third_of_skewness = (third / variance.powf(1.5) * (30.0_f64 / 29.0).powf(1.5)).abs() / 3.0;
    let a = third_of_skewness / 30.0_f64.sqrt();
    near(moved + a * moved * moved + a * a * moved.powi(3) / 3.0 + a / 2.0, -t);
    assert!(number(table, "adjusted_asymptotic_low") < number(table, "adjusted_low"));
    assert!(number(table, "luck_variance_removed") > 0.8, "{table:?}");
    assert!(shown.contains("What are the scores without luck?"), "{shown}");
    // The tables of the folder are the same.
    let again = ok(agon(&["report", out.to_str().expect("text"), "-v"]));
    assert_eq!(stdout(&again), shown);
    let json = stdout(&ok(agon(&["report", out.to_str().expect("text"), "--format", "json"])));
    assert!(json.contains("\"adjusted_score\""), "{json}");
}

/// The lines of a table of the summary, from its heads to its notes.
fn table_lines<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| *line != title).skip(1);
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn the_luckiest_games_are_shown_with_the_rolls_that_decided() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = exact().replace("report = false", "report = true");
    let shown = stdout(&ok(play(dir.path(), &config, &[])));
    let out = dir.path().join("out");
    let folder = out.to_str().expect("text");
    let mut games = rows(&out.join("games.csv"));
    games.sort_by(|a, b| {
        let luck = |game| number(game, "luck_first").abs();
        luck(b).total_cmp(&luck(a))
    });
    let verbose = stdout(&ok(agon(&["report", folder, "-v"])));
    let lines = table_lines(&verbose, "Which games had the most luck?");
    assert_eq!(lines.len(), 5, "{verbose}");
    let mut look_at = String::from("Luckiest games, in points: ");
    for (line, game) in lines[1..4].iter().zip(&games) {
        let luck = number(game, "luck_first");
        let seats = if luck < 0.0 { ["second", "first"] } else { ["first", "second"] };
        let [lucky, other] = seats.map(|seat| &*game[seat]);
        let result = if game["result"] == seats[0] { "won" } else { "lost" };
        let (number, size) = (&game["game"], format!("+{:.2}", luck.abs()));
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|s| !s.is_empty()).collect();
        assert_eq!(cells[..5], [&**number, lucky, other, result, &*size], "{line}");
        let rolls: Vec<Vec<&str>> =
            cells[5].split(", ").map(|roll| roll.split(' ').collect()).collect();
        assert_eq!(rolls.len(), 3, "{line}");
        let sizes = rolls.iter().map(|roll| roll[4].trim_start_matches(['+', '−']));
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{line}");
        // The replay of the game has these outcomes after these moves.
        let replay = stdout(&ok(agon(&["replay", folder, number])));
        for roll in &rolls {
            let move_of_ply = format!("\n{}. ", roll[3]);
            let after = replay.split(&move_of_ply).nth(1).expect("the move before the roll");
            let next = after.lines().find(|line| line.starts_with("chance: "));
            assert_eq!(next, Some(&*format!("chance: {}", roll[0])), "{roll:?}");
        }
        let most = rolls[0][..4].join(" ");
        look_at += &format!("{number} ({lucky} {size}, most by {most}), ");
    }
    assert!(shown.contains(look_at.trim_end_matches(", ")), "{shown}\n{look_at}");
    // JSON has the same games with all digits.
    let report = json(&["report", folder]);
    let found = report["luck"]["luckiest_games"].as_array().expect("games");
    assert_eq!(found.len(), 3);
    for (game, known) in found.iter().zip(&games) {
        let luck = number(known, "luck_first");
        let lucky = if luck < 0.0 { &known["second"] } else { &known["first"] };
        assert_eq!(game["game"].to_string(), known["game"]);
        assert_eq!(game["lucky_agent"].as_str(), Some(&**lucky));
        assert!((game["luck"].as_f64().expect("luck") - luck.abs()).abs() < 1e-8, "{game}");
        let rolls = game["largest_rolls"].as_array().expect("rolls");
        assert!(rolls.len() == 3 && rolls.iter().all(|roll| roll["after_ply"].is_u64()), "{game}");
    }
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains("Which games had the most luck?"));
    assert_eq!(page.matches("luckiest").count(), 3);
    let summary = fs::read_to_string(out.join("summary.txt")).expect("a summary");
    assert_eq!(table_lines(&summary, "Which games had the most luck?").len(), 5);
}

#[test]
fn a_run_without_the_section_has_no_luck() {
    let dir = tempfile::tempdir().expect("a folder");
    let shown = stdout(&ok(play(dir.path(), CONFIG, &["-v"])));
    assert!(!shown.contains("luck"), "{shown}");
    let out = dir.path().join("out");
    assert!(rows(&out.join("games.csv")).iter().all(|game| game["luck_first"].is_empty()));
    assert!(!rows(&out.join("pairings.csv"))[0].contains_key("adjusted_score"));
}

#[test]
fn threads_interruptions_and_shards_change_no_byte() {
    same_bytes(&exact());
}

#[test]
fn threads_interruptions_and_shards_change_no_fit() {
    same_bytes(&format!("{CONFIG}[luck]\nvalue = \"lead\"\nfit = true\n"));
}

/// A game without chance, with agents that draw their moves.
const CHOICES: &str = "name = \"l\"\nseed = 5\n[game]\nkind = \"tictactoe\"\n\
    [[agents]]\nname = \"noise\"\nkind = \"noisy\"\nepsilon = 0.3\n\
    agent = { kind = \"alphabeta\", depth = 3 }\n\
    [[agents]]\nname = \"more\"\nkind = \"noisy\"\nepsilon = 0.5\n\
    agent = { kind = \"alphabeta\", depth = 3 }\n\
    [openings]\nkind = \"start\"\n[schedule]\ngames = 60\n[output]\nreport = false\n";

#[test]
fn threads_interruptions_and_shards_change_no_luck_of_choices() {
    same_bytes(&format!("{CHOICES}[luck]\n"));
    same_bytes(&format!("{CHOICES}[luck]\nvalue = \"linear\"\nfit = true\n"));
}

#[test]
fn agents_are_asked_again_for_their_choices_in_a_finished_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let folder = out.to_str().expect("text");
    let measured = ok(play(dir.path(), &format!("{CHOICES}[luck]\n"), &["--format", "json"]));
    let measured: serde_json::Value = serde_json::from_slice(&measured.stdout).expect("JSON");
    let pairing = &measured["pairings"][0];
    assert!(pairing["luck_variance_removed"].as_f64() > Some(0.6), "{measured}");
    // Each choice of the luckiest games is a move of the game.
    let games = rows(&out.join("games.csv"));
    for game in measured["luck"]["luckiest_games"].as_array().expect("games") {
        let row = &games[game["game"].as_u64().expect("a number") as usize - 1];
        let moves: Vec<&str> = row["moves"].split(' ').collect();
        for choice in game["largest_rolls"].as_array().expect("choices") {
            let ply = choice["after_ply"].as_u64().expect("a number") as usize;
            assert_eq!(choice["outcome"], moves[ply], "{row:?}");
        }
    }
    ok(play(dir.path(), CHOICES, &[]));
    assert!(rows(&out.join("games.csv")).iter().all(|game| game["luck_first"].is_empty()));
    let after = json(&["report", folder, "--luck", "exact"]);
    assert_eq!(&after["pairings"][0], pairing);
    assert_eq!(after["luck"], measured["luck"]);
    let shown = stdout(&ok(agon(&["report", folder, "--luck", "exact", "-v"])));
    assert!(shown.contains("of the agents' random choices"), "{shown}");
    // Another seed gives other choices: the probabilities cannot be found again.
    let resolved = out.join("resolved.toml");
    let text = fs::read_to_string(&resolved).expect("a config");
    let games = fs::read_to_string(out.join("games.csv")).expect("rows");
    let other = CHOICES.replace("seed = 5", "seed = 6");
    ok(play(dir.path(), &other, &[]));
    fs::write(out.join("games.csv"), games).expect("written");
    assert_ne!(fs::read_to_string(&resolved).expect("a config"), text);
    let output = agon(&["report", folder, "--luck", "exact"]);
    let shown = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(shown.contains("games.csv: game ") && shown.contains("`noisy` chooses"), "{shown}");
}

#[test]
fn threads_interruptions_and_shards_change_no_verdict_without_luck() {
    let test = "[sprt]\nelo1 = 40\n[luck]\nadjusted_verdicts = true\n";
    let config = format!("{}{test}", CONFIG.replace("games = 60", "games = 600"));
    same_bytes(&config);
    let dir = tempfile::tempdir().expect("a folder");
    let played = ok(play(dir.path(), &config, &["-v"]));
    let shown = stdout(&played);
    for text in [
        "optimal is stronger (sequential test without luck, asymptotic)",
        "SPRT(0, 40) without luck",
        "raw scores, strict: e-values",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let out = dir.path().join("out");
    let report = json(&["report", out.to_str().expect("text")]);
    let (test, games) = (&report["sprt"], report["games"].as_u64().expect("a number"));
    assert_eq!((&test["verdict"], &test["llr"]), (&"H1".into(), &serde_json::Value::Null));
    // The e-value reached 20 at the last pair. Fewer than 50 pairs decide nothing.
    let ln_e = test["adjusted"]["ln_asymptotic_e_against_h0"].as_f64().expect("a number");
    assert!(ln_e >= 20_f64.ln() && (100..600).contains(&games), "{test}");
    let strict = test["adjusted"]["ln_strict_raw_e_against_h0"].as_f64().expect("a number");
    assert!(strict < 20_f64.ln(), "{test}");
    let word = &rows(&out.join("pairings.csv"))[0]["verdict"];
    assert_eq!(word, "stronger (sequential test without luck, asymptotic)");
    let plan = stdout(&ok(agon(&["plan", &write(dir.path(), "p.toml", &config)])));
    assert!(plan.contains("the variance of scores without luck is not known"), "{plan}");
}

#[test]
fn a_verdict_cannot_be_chosen_after_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), CONFIG, &[]));
    let out = dir.path().join("out");
    let folder = out.to_str().expect("text");
    let output = agon(&["report", folder, "--luck", "exact:adjusted_verdicts=true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("this run has ended"), "{}", stderr(&output));
}

fn same_bytes(config: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name).to_str().expect("text").to_owned();
    let config = write(dir.path(), "c.toml", config);
    let run = |out: &str, more: &[&str]| {
        ok(agon(&[&["run", &config, "--out", out, "-q"][..], more].concat()))
    };
    let same = |out: &str, other: &str| {
        let [out, other] = [out, other].map(Path::new);
        assert_eq!(games_without_times(out), games_without_times(other));
        let file = |dir: &Path, name| fs::read_to_string(dir.join(name)).expect("a file");
        assert_eq!(file(out, "pairings.csv"), file(other, "pairings.csv"));
        let before_costs = |dir| {
            let summary = file(dir, "summary.txt");
            summary.split("What a move costs").next().map(str::to_owned)
        };
        assert_eq!(before_costs(out), before_costs(other));
    };
    let (one, three) = (path("one"), path("three"));
    run(&one, &["-j1"]);
    run(&three, &["-j3"]);
    same(&three, &one);
    // A kill after eleven games.
    let games = Path::new(&three).join("games.csv");
    let text = fs::read_to_string(&games).expect("rows");
    let begin: String = text.split_inclusive('\n').take(12).collect();
    fs::write(&games, begin).expect("writable");
    run(&three, &[]);
    same(&three, &one);
    let shards = path("shards");
    for shard in ["2/2", "1/2"] {
        run(&shards, &["--shard", shard]);
    }
    ok(agon(&["merge", &shards]));
    same(&shards, &one);
}

#[test]
fn a_fitted_map_adjusts_the_pairs_that_it_was_not_fitted_to() {
    let dir = tempfile::tempdir().expect("a folder");
    let fitted = format!("{CONFIG}[luck]\nvalue = \"lead\"\nfit = true\n");
    let shown = stdout(&ok(play(dir.path(), &fitted, &["-v"])));
    let out = dir.path().join("out");
    let folder = out.to_str().expect("text");
    // No game knows its luck before the last game.
    assert!(rows(&out.join("games.csv")).iter().all(|game| game["luck_first"].is_empty()));
    let table = rows(&out.join("pairings.csv")).remove(0);
    assert!(number(&table, "luck_variance_removed") > 0.3, "{table:?}");
    let again = stdout(&ok(agon(&["report", folder, "-v"])));
    assert_eq!(again, shown);
    // The manifest and JSON have the same scales, with all digits.
    let manifest = fs::read_to_string(out.join("manifest.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let report = json(&["report", folder]);
    let in_json = &report["luck"]["fitted"];
    assert!(in_json["odd_pairs"]["scale"].is_f64(), "{report}");
    assert_eq!(manifest["luck"]["fitted"][0], in_json["odd_pairs"]);
    assert_eq!(manifest["luck"]["fitted"][1], in_json["even_pairs"]);
    let exactly = |half: &str, key: &str| in_json[half][key].as_f64().expect("a number");
    let note = shown.lines().find(|line| line.contains("fitted: ")).expect("a note");
    let numbers: Vec<f64> =
        note.split([' ', ',']).filter_map(|word| word.replace('−', "-").parse().ok()).collect();
    let [odd, odd_offset, even, even_offset] = numbers[..] else { panic!("{note}") };
    assert!(odd > 0.0 && even > 0.0 && (odd - even).abs() > 0.1, "{note}");
    // The same games with these maps: each half by its own.
    let half = |scale: f64, offset: f64, half: usize| {
        let fixed =
            format!("{CONFIG}[luck]\nvalue = \"lead\"\nscale = {scale}\noffset = {offset}\n");
        ok(play(dir.path(), &fixed, &[]));
        let games = rows(&out.join("games.csv"));
        let pairs = games.chunks(2).skip(half).step_by(2);
        let score = |pair: &[_]| {
            let [first, second] = [0, 1].map(|i| number(&pair[i], "adjusted_first"));
            (first + 1.0 - second) / 2.0
        };
        pairs.map(score).sum::<f64>()
    };
    let mean = (half(odd, odd_offset, 0) + half(even, even_offset, 1)) / 30.0;
    let other = (half(odd, odd_offset, 1) + half(even, even_offset, 0)) / 30.0;
    let adjusted = number(&table, "adjusted_score");
    let [odd, even] = ["odd_pairs", "even_pairs"]
        .map(|pairs| (exactly(pairs, "scale"), exactly(pairs, "offset")));
    let reproduced = (half(odd.0, odd.1, 0) + half(even.0, even.1, 1)) / 30.0;
    assert!((reproduced - adjusted).abs() < 1e-8, "{reproduced} and {adjusted}");
    assert!((mean - adjusted).abs() < 5e-4, "{mean} and {adjusted}: {note}");
    assert!((other - adjusted).abs() > 2e-3, "{other} and {adjusted}: {note}");
    // The same after a run without `[luck]`.
    ok(play(dir.path(), CONFIG, &[]));
    let after = json(&["report", folder, "--luck", "lead:fit=true"]);
    let score = after["pairings"][0]["adjusted_score"].as_f64().expect("a score");
    assert!((score - adjusted).abs() < 1e-9, "{score} and {adjusted}");
    // The only pair is odd. No even pair shows a scale for it.
    ok(play(dir.path(), &fitted.replace("games = 60", "games = 2"), &[]));
    let shown = stdout(&ok(agon(&["report", folder, "-v"])));
    let flat = "fitted: scale 1000000000 and offset 0 for odd pairs, scale ";
    assert!(shown.contains(flat), "{shown}");
    let output = agon(&["report", folder, "--luck", "lead:fit=true,offset=3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`offset` has no effect with `fit = true`"));
}

#[test]
fn the_manifest_has_the_value_function() {
    let dir = tempfile::tempdir().expect("a folder");
    let found = |luck: &str| {
        let config = CONFIG.replace("report = false", "report = true").replace("= 60", "= 2");
        ok(play_with_page(dir.path(), &format!("{config}{luck}"), &[]));
        let read = |name: &str| fs::read_to_string(dir.path().join("out").join(name));
        let manifest = read("manifest.json").expect("a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
        (manifest["luck"].clone(), read("report.html").expect("a page"))
    };
    let none = serde_json::Value::Null;
    assert_eq!(found("").0, none);
    let (luck, page) = found("[luck]\n");
    assert_eq!((&luck["value"], &luck["scale"]), (&"exact".into(), &none));
    assert_eq!((&luck["offset"], &luck["fit"]), (&none, &false.into()));
    assert!(page.contains("measured by exact<"), "{page}");
    let linear = "[luck]\nvalue = \"linear\"\nweights = { sum = 7 }\n";
    let (luck, page) = found(&format!("{linear}scale = 8\noffset = -2.5\ndepth = 1\n"));
    assert_eq!((&luck["value"], &luck["depth"]), (&"linear".into(), &1.into()));
    assert_eq!((&luck["scale"], &luck["offset"]), (&8.0.into(), &(-2.5).into()));
    assert_eq!((&luck["weights"]["sum"], &luck["fit"]), (&7.into(), &false.into()));
    assert!(page.contains("measured by linear, scale 8, offset -2.5<"), "{page}");
    let (luck, page) = found(&format!("{linear}fit = true\n"));
    assert_eq!((&luck["scale"], &luck["fit"]), (&none, &true.into()));
    assert!(page.contains("measured by linear, fitted scale<"), "{page}");
}

#[test]
fn another_value_function_is_another_experiment() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), &exact(), &[]));
    let other = format!("{CONFIG}[luck]\nvalue = \"lead\"\nscale = 10\n");
    let (config, out) = (write(dir.path(), "c.toml", &other), dir.path().join("out"));
    let output = agon(&["run", &config, "--out", out.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("luck.value"), "{}", stderr(&output));
}

/// All files of a folder with their bytes.
fn files(folder: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut all: Vec<_> =
        entries.map(|entry| (entry.file_name(), fs::read(entry.path()).expect("a file"))).collect();
    all.sort();
    all
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = ok(agon(&[arguments, &["--format", "json"]].concat()));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn luck_measured_after_the_run_is_that_of_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let before = play(dir.path(), &exact(), &["--format", "json"]);
    let before: serde_json::Value = serde_json::from_slice(&ok(before).stdout).expect("JSON");
    fs::rename(dir.path().join("out"), dir.path().join("measured")).expect("renamed");
    let raw = stdout(&ok(play(dir.path(), CONFIG, &[])));
    let out = dir.path().join("out");
    let folder = out.to_str().expect("text");
    // Without a manifest, `report` would write one.
    fs::remove_file(out.join("manifest.json")).expect("removed");
    let written = files(&out);
    let after = json(&["report", folder, "--luck", "exact"]);
    assert!(before["pairings"][0]["adjusted_score"].is_number(), "{before}");
    assert_eq!(after["pairings"], before["pairings"]);
    let shown = ok(agon(&["report", folder, "--luck", "exact"]));
    assert_eq!(stderr(&shown), "");
    let shown = stdout(&shown);
    let answer = raw.lines().nth(1).expect("an answer");
    assert!(shown.contains(answer) && shown.contains("Without luck: optimal scores"), "{shown}");
    for head in ["score %", "adjusted %", "removed %", "as good as"] {
        assert!(shown.contains(head), "{head}: {shown}");
    }
    let verbose = stdout(&ok(agon(&["report", folder, "--luck", "exact", "-v"])));
    let measured = fs::read_to_string(dir.path().join("measured/summary.txt")).expect("a summary");
    for title in ["What are the scores without luck?", "Which games had the most luck?"] {
        assert_eq!(table_lines(&verbose, title), table_lines(&measured, title));
        assert!(verbose.contains(title), "{verbose}");
    }
    // An evaluator removes less, and it was chosen after the run.
    let lead = ["report", folder, "--luck", "lead:scale=8,offset=2"];
    let removed = |json: &serde_json::Value| {
        json["pairings"][0]["luck_variance_removed"].as_f64().expect("a number")
    };
    let less = json(&lead);
    assert!(removed(&less) > 0.3 && removed(&less) < removed(&after), "{less}");
    assert!(stderr(&ok(agon(&lead))).contains("was chosen after the run"));
    let verbose = stdout(&ok(agon(&[&lead[..], &["-v", "--verify"]].concat())));
    assert!(verbose.contains("What are the scores without luck?"), "{verbose}");
    assert_eq!(files(&out), written);
    // The run with `[luck]` shows its own scores.
    let measured = dir.path().join("measured");
    let measured = measured.to_str().expect("text");
    assert_eq!(json(&["report", measured, "--luck", "exact"])["pairings"], before["pairings"]);
    for (spec, said) in [
        ("lead:scale=10", "measured luck by `exact`, not by `lead` with scale 10, offset 0"),
        ("linear:scale=9,weights.sum=7", "depth 0 and weights { sum = 7 }"),
    ] {
        let output = agon(&["report", measured, "--luck", spec]);
        assert_eq!(output.status.code(), Some(2));
        let shown = stderr(&output);
        assert!(shown.contains(said) && shown.contains("help: leave out `--luck`"), "{shown}");
    }
}

#[test]
fn a_value_function_that_cannot_measure_the_luck_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), CONFIG, &[]));
    let out = dir.path().join("out");
    let folder = out.to_str().expect("text");
    let refused = |folder: &str, spec: &str, said: &[&str]| {
        let output = agon(&["report", folder, "--luck", spec]);
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{spec}: {shown}");
        assert_eq!(stdout(&output), "", "{spec}");
        for said in said {
            assert!(shown.contains(said), "{spec}, {said}: {shown}");
        }
    };
    let written = files(&out);
    refused(folder, "laed:scale=8", &["has no evaluator `laed`", "did you mean `lead`?", "^^^^"]);
    refused(folder, "banana", &["has no evaluator `banana`", "`lead`, `linear`"]);
    refused(folder, "lead", &["the evaluator `lead` needs `scale`", "help: add `scale`"]);
    refused(folder, "lead:scale=0", &["`scale` must be a number from 0.000001", "too small"]);
    refused(folder, "lead:scal=8", &["unknown key `scal`", "did you mean `scale`?"]);
    refused(folder, "lead:value=sum", &["unknown key `value`", "use one of `kind`, `weights`"]);
    refused(folder, "linear:scale=8,weights.som=1", &["`som`", "did you mean `sum`?"]);
    refused(folder, "exact:depth=1", &["`depth` has no effect", "help: remove `depth`"]);
    refused(folder, "", &["there is no kind", "help: write it as"]);
    let output = agon(&["report", folder, "--luck", "exact", "-q"]);
    assert_eq!(output.status.code(), Some(2));
    // Only the config has the game.
    let bare = dir.path().join("bare");
    fs::create_dir(&bare).expect("a folder");
    fs::copy(out.join("games.csv"), bare.join("games.csv")).expect("copied");
    refused(
        bare.to_str().expect("text"),
        "exact",
        &["there is no ", "has the game and the agents"],
    );
    let games = fs::read_to_string(out.join("games.csv")).expect("rows");
    let (head, row) = games.split_once('\n').expect("a header");
    let moves = row.split(',').nth(9).expect("moves");
    let wrong = games.replacen(moves, &moves.replacen("roll", "fold", 1), 1);
    assert_ne!(wrong, games, "{head}");
    assert_eq!(files(&out), written);
    fs::write(out.join("games.csv"), resealed(&wrong)).expect("written");
    refused(folder, "exact", &["games.csv: game 1: ", "fold", "plays damaged games again"]);
}

#[test]
fn games_without_luck_or_without_two_agents_have_no_adjusted_scores() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = "[[agents]]\nkind = \"perfect\"\n[[agents]]\nkind = \"minimax\"\ndepth = 1\n";
    let config = |game: &str, rest: &str| format!("[game]\nkind = \"{game}\"\n{agents}{rest}");
    let refused = |said: &str, help: &str| {
        let out = dir.path().join("out");
        let output = agon(&["report", out.to_str().expect("text"), "--luck", "exact"]);
        assert_eq!(output.status.code(), Some(2));
        let shown = stderr(&output);
        assert!(shown.contains(said) && shown.contains(help), "{shown}");
    };
    ok(play(dir.path(), &config("tictactoe", "[schedule]\ngames = 2\n"), &[]));
    refused("`tictactoe` is a game without chance", "leave out `[luck]` and `--luck`");
    let alone = "[game]\nkind = \"pig\"\ngoal = 20\n[[agents]]\nkind = \"random\"\n\
        [schedule]\ngames = 4\ninclude_self = true\n";
    ok(play(dir.path(), alone, &[]));
    refused("between two different agents", "play more games with `agon run`");
}

/// A roll of EinStein changes no stone, so its evaluator shows luck only after a search.
#[test]
fn a_search_sees_the_luck_that_an_evaluator_does_not() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = |depth: u32| {
        format!(
            "[game]\nkind = \"einstein\"\n[[agents]]\nkind = \"expectimax\"\ndepth = 2\nties = \"random\"\n\
             [[agents]]\nname = \"b\"\nkind = \"expectimax\"\ndepth = 1\n[schedule]\ngames = 60\n\
             [output]\nreport = false\n\
             [luck]\nvalue = \"race\"\nscale = 6\ndepth = {depth}\n"
        )
    };
    let removed = |depth| {
        ok(play(dir.path(), &config(depth), &[]));
        number(&rows(&dir.path().join("out/pairings.csv"))[0], "luck_variance_removed")
    };
    // Without a search, only the luck of the choice between equal moves is seen.
    assert!(removed(0).abs() < 0.01);
    assert!(removed(1) > 0.1);
}

#[test]
fn few_pairs_have_no_elo_and_are_as_good_as_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out").display().to_string();
    let run = |games: &str| {
        let args = ["match", "optimal", "hold:at=15", "--game", "pig", "--games", games];
        let luck = ["--set", "luck.value=exact", "--out", &out, "--fresh", "-q"];
        stdout(&ok(agon(&[&args[..], &luck].concat())))
    };
    for games in ["4", "8"] {
        let shown = run(games);
        let two: Vec<&str> = shown.lines().skip(1).take(2).collect();
        assert!(two[1].starts_with("Without luck: optimal scores"), "{shown}");
        assert!(
            two.iter().all(|line| !line.contains("Elo") && !line.contains("raw game")),
            "{shown}"
        );
    }
    let shown = run("10");
    let two: Vec<&str> = shown.lines().skip(1).take(2).collect();
    assert!(two.iter().all(|line| line.contains("Elo")), "{shown}");
}

#[test]
fn the_list_says_how_often_verdicts_without_luck_are_wrong() {
    let shown = stdout(&ok(agon(&["list", "luck"])));
    assert!(
        shown.split_whitespace().collect::<Vec<_>>().join(" ").contains("up to 31 %"),
        "{shown}"
    );
}
