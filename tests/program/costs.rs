//! Engines that report what their answers cost, and `max_cost`.

use std::collections::BTreeMap;
use std::fs;

use crate::engine_run::EngineRun;
use crate::engines::ROGUE;
use crate::support::{agon, games_without_times, rows, stderr, stdout};

/// A run of an engine, named `bot`, against `random`. Each of its moves has the cost `cost`.
fn run_of(cost: &str, keys: &str, limits: &str) -> EngineRun {
    let command = format!("[\"{ROGUE}\", \"instant\", \"--cost\", {cost}]");
    let rest = format!(
        "[[agents]]\nkind = \"random\"\n[openings]\nkind = \"random\"\nplies = 6\n\
         [schedule]\ngames = 20\nallow_duplicates = true\n[limits]\n{limits}"
    );
    EngineRun::new(&command, keys, &rest)
}

impl EngineRun {
    /// The costs of the games, in thousandths.
    fn costs(&self) -> Vec<u64> {
        let cost = |row: &BTreeMap<String, String>| number(row, "cost", true);
        self.games().iter().map(|row| (cost(row) * 1000.0).round() as u64).collect()
    }
}

/// The number in the column of one side: of the engine, or of its opponent.
fn number(row: &BTreeMap<String, String>, column: &str, of_bot: bool) -> f64 {
    let side = if (row["first"] == "bot") == of_bot { "first" } else { "second" };
    row[&format!("{column}_{side}")].parse().expect("a number")
}

const COST: &str = "\"0.013 tokens_in 100 tokens_out 7\"";

#[test]
fn costs_are_summed_by_game_and_by_agent() {
    let run = run_of(COST, "costs = true", "");
    let output = run.play(1);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut all = 0.0;
    for row in run.games() {
        let moves = number(&row, "moves", true);
        assert_eq!((number(&row, "cost", true) * 1000.0).round(), 13.0 * moves, "{row:?}");
        let tokens = ["tokens_in", "tokens_out"].map(|column| number(&row, column, true));
        assert_eq!(tokens, [100.0 * moves, 7.0 * moves], "{row:?}");
        assert_eq!(number(&row, "cost", false), 0.0, "{row:?}");
        all += moves;
    }
    let agents = rows(&run.out().join("agents.csv"));
    let of_bot = |column: &str| agents[0][column].parse::<f64>().expect("a number");
    assert!((of_bot("cost") - 0.013 * all).abs() < 1e-9);
    assert!((of_bot("cost_per_game") - 0.013 * all / 20.0).abs() < 1e-9);
    assert_eq!((of_bot("tokens_in"), of_bot("tokens_out")), (100.0 * all, 7.0 * all));
    assert_eq!(agents[1]["cost"], "0");
    let summary = stdout(&agon(&["report", "-v", run.out().to_str().expect("text")]));
    assert!(summary.contains("What the answers cost"), "{summary}");
    let page = fs::read_to_string(run.out().join("report.html")).expect("a page");
    assert!(page.contains("<h2>What do the answers cost?</h2>"));
    let verified = agon(&["report", "--verify", run.out().to_str().expect("text")]);
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    for jobs in [2, 16] {
        let other = run_of(COST, "costs = true", "");
        assert_eq!(other.play(jobs).status.code(), Some(0));
        assert_eq!(games_without_times(&other.out()), games_without_times(&run.out()));
    }
}

#[test]
fn a_run_ends_before_the_game_that_would_exceed_its_cost() {
    let whole = run_of(COST, "costs = true", "");
    assert_eq!(whole.play(2).status.code(), Some(0));
    for jobs in [1, 4] {
        let run = run_of(COST, "costs = true", "max_cost = 0.7");
        let output = run.play(jobs);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(10), "{said}");
        assert!(said.contains("the next game would exceed `max_cost` = 0.7: the games"), "{said}");
        assert!(said.contains("raise `max_cost` to continue"), "{said}");
        let costs = run.costs();
        let expected = |costs: &[u64]| {
            let sum: u64 = costs.iter().sum();
            sum as f64 * (1.0 + 1.0 / costs.len() as f64)
        };
        if jobs == 1 {
            let before = &costs[..costs.len() - 1];
            assert!(expected(&costs) > 700.0 && expected(before) <= 700.0, "{costs:?}");
        }
        assert!(run.out().join("agents.csv").exists(), "tables are written");
        // The costs of an earlier process count.
        let output = run.play(jobs);
        assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
        assert_eq!(run.costs(), costs);
        let output = run.play_with(jobs, &["--set", "limits.max_cost=100"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(games_without_times(&run.out()), games_without_times(&whole.out()));
    }
}

#[test]
fn costs_that_do_not_count_are_named() {
    for (cost, keys, words) in [
        ("\"-0.1\"", "costs = true", "`cost -0.1`: a cost is a number from 0 to 1000000"),
        ("\"1e9\"", "costs = true", "`cost 1e9`: a cost is a number"),
        ("\"0.1 tokens_in -5\"", "costs = true", "tokens are whole numbers"),
        ("\"0.1\", \"--cost-after-move\"", "costs = true", "counts before `bestmove` only"),
        ("\"0.1\"", "", "add `costs = true` to the agent"),
    ] {
        let run = run_of(cost, keys, "");
        let output = run.play(2);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("warning: costs of `bot` are not counted, such as"), "{said}");
        assert_eq!(said.matches("are not counted").count(), 1, "{said}");
        assert!(said.contains(words), "{said}");
        match keys {
            "" => assert!(!run.games()[0].contains_key("cost_first")),
            _ => assert_eq!(run.costs(), [0; 20], "{cost}"),
        }
    }
}

#[test]
fn a_limit_needs_an_agent_with_costs() {
    let run = run_of(COST, "", "max_cost = 1");
    let output = run.play(1);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("no agent reports costs") && said.contains("costs = true"), "{said}");
    let output =
        run.play_with(1, &["--set", "agents.bot.costs=true", "--set", "limits.max_cost=-1"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("-1 is too small"), "{}", stderr(&output));
}

#[test]
fn a_plan_estimates_the_cost() {
    let run = run_of(COST, "costs = true", "");
    let plan = agon(&["plan", &run.config]);
    let said = stdout(&plan);
    assert_eq!(plan.status.code(), Some(0), "{}", stderr(&plan));
    let line = said.lines().find(|line| line.contains("estimated cost: ")).expect("the cost");
    let cost: f64 = line.split_whitespace().nth(2).and_then(|it| it.parse().ok()).expect("cost");
    // Games after six plies have about eight moves of each side.
    assert!((1.0..5.0).contains(&cost), "{line}");
}

/// The costs of games before a kill count after it.
#[test]
fn a_killed_run_keeps_its_cost_limit() {
    let whole = run_of(COST, "costs = true", "max_cost = 0.7");
    assert_eq!(whole.play(1).status.code(), Some(10));
    let run = run_of(COST, "costs = true", "max_cost = 0.7");
    run.kill_after(1, &[40, 80, 120]);
    assert_eq!(run.play(1).status.code(), Some(10));
    assert_eq!(run.costs(), whole.costs());
    assert_eq!(games_without_times(&run.out()), games_without_times(&whole.out()));
}

/// `best` with `weight = "cost"` plays the same games for any number of threads and after kills.
#[test]
fn the_best_is_found_by_cost() {
    let new = |keys: &str| {
        let run = run_of(COST, keys, "");
        let text = fs::read_to_string(&run.config).expect("a config");
        let more = "[[agents]]\nname = \"deep\"\nkind = \"alphabeta\"\ndepth = 2\n[openings]";
        let text = text.replace("games = 20\nallow_duplicates = true", "format = \"best\"");
        let text = text.replace("[openings]", more) + "[adaptive]\nweight = \"cost\"\n";
        fs::write(&run.config, text).expect("written");
        run
    };
    let whole = new("costs = true");
    let output = whole.play(1);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("deep"), "{}", stdout(&output));
    let run = new("costs = true");
    run.kill_after(4, &[100, 200]);
    assert_eq!(run.play(8).status.code(), Some(0));
    assert_eq!(games_without_times(&run.out()), games_without_times(&whole.out()));
    let plan = stderr(&agon(&["plan", &run.config]));
    assert!(plan.contains("the cost of this run is not estimated"), "{plan}");
    let output = new("").play(1);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no agent reports costs") && said.contains("weight"), "{said}");
}

/// What the lines of a transcript have cost, in thousandths: in void attempts, and in all attempts.
fn costs_of_lines(run: &EngineRun) -> (u64, u64) {
    let (mut void, mut all) = (0, 0);
    for entry in fs::read_dir(run.out().join("transcripts")).expect("a folder").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a transcript");
        let (mut attempt, mut has_answered) = (0, false);
        for line in text.lines() {
            // The answer ends with the line `unavailable`.
            has_answered |= line.contains("info string unavailable");
            attempt += 13 * u64::from(!has_answered && line.contains("info string cost 0.013"));
            if line.starts_with("{\"result\":") {
                void += if line.contains("\"void\"") { attempt } else { 0 };
                all += std::mem::take(&mut attempt);
                has_answered = false;
            }
        }
    }
    (void, all)
}

#[test]
fn costs_of_void_attempts_are_in_the_manifest() {
    let run = run_of(COST, "costs = true", "");
    let text = fs::read_to_string(&run.config).expect("a config");
    let text = text.replace("\"instant\"", "\"flaky\", \"--one-in\", \"12\"");
    let text = text.replace("games = 20", "games = 60");
    fs::write(&run.config, format!("{text}[output]\ntranscripts = \"all\"\n")).expect("written");
    let output = run.play(4);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let manifest = fs::read_to_string(run.out().join("manifest.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let void_cost = manifest["void_cost"].as_f64().expect("some attempts are void");
    let (void, all) = costs_of_lines(&run);
    assert_eq!((void_cost * 1000.0).round() as u64, void);
    assert_eq!(run.costs().iter().sum::<u64>() + void, all);
}

#[test]
fn shards_divide_the_limit() {
    let run = run_of(COST, "costs = true", "max_cost = 0.8");
    for shard in ["1/2", "2/2"] {
        let output = run.play_with(1, &["--shard", shard]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(10), "{said}");
        assert!(said.contains("would exceed `max_cost` = 0.4: the games"), "{said}");
    }
}
