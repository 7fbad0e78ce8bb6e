//! Tests of the text in tables, for results with invented counts.

use std::fs;

use crate::support::{agon, made, ok, pairs, play, play_with_page, reported, rows, stdout};

/// The line of a text with this prefix.
fn line<'a>(text: &'a str, begin: &str) -> &'a str {
    (text.lines().map(str::trim).find(|line| line.starts_with(begin)))
        .unwrap_or_else(|| panic!("no line {begin}: {text}"))
}

const MATCH: &str = "seed = 3\n[game]\nkind = \"tictactoe\"\n\
    [[agents]]\nname = \"better\"\nkind = \"minimax\"\ndepth = 2\nties = \"random\"\n\
    [[agents]]\nname = \"worse\"\nkind = \"minimax\"\ndepth = 1\nties = \"random\"\n\
    [schedule]\nformat = \"match\"\ngames = 40\n";

#[test]
fn a_verdict_for_a_fixed_length_needs_to_know_that_it_was_fixed() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), MATCH, &["--format", "json"]));
    let out = dir.path().join("out");
    // 62 to 40 is significant only by the fixed-length interval.
    let games = pairs((1, "better", "worse"), [[30, 0, 3], [0, 0, 0], [3, 0, 51]], 0);
    let forty = made(dir.path(), "made", &games[..], 5);
    let text = reported(&forty, &[]);
    assert!(line(&text, "verdict").contains("undecided"), "{text}");
    assert!(text.contains("the planned number of games is unknown"), "{text}");
    // With the config and all games, the length is known.
    fs::copy(out.join("resolved.toml"), forty.join("resolved.toml")).expect("copied");
    let resolved = fs::read_to_string(forty.join("resolved.toml")).expect("a config");
    let longer = resolved.replace("games = 40", &format!("games = {}", games.len()));
    assert_ne!(longer, resolved);
    fs::write(forty.join("resolved.toml"), longer).expect("written");
    let text = reported(&forty, &[]);
    assert!(!text.contains("undecided") && !text.contains("planned"), "{text}");
    assert!(line(&text, "verdict").contains("(fixed-length test)"), "{text}");
    // Only the manifest shows whether the run was stopped.
    fs::remove_file(forty.join("resolved.toml")).expect("removed");
    let manifest = fs::read_to_string(out.join("manifest.json")).expect("a manifest");
    for (status, said) in [("running", "stopped early"), ("interrupted", "stopped early")] {
        let there = manifest.replace("\"complete\"", &format!("\"{status}\""));
        fs::write(forty.join("manifest.json"), there).expect("written");
        let text = reported(&forty, &[]);
        assert!(text.contains(said) && text.contains("undecided"), "{text}");
    }
}

#[test]
fn an_elo_that_says_nothing_is_empty_in_all_tables() {
    let dir = tempfile::tempdir().expect("a folder");
    // Four pairs are too few for a rating, twenty are not.
    for (games, is_known) in [(8, false), (40, true)] {
        let config = format!(
            "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"d{{depth}}\"\n\
             kind = \"alphabeta\"\ndepth = [1, 2]\n[openings]\nkind = \"random\"\n\
             plies = 8\n[schedule]\ngames = {games}\n"
        );
        ok(play(dir.path(), &config, &[]));
        let out = dir.path().join("out");
        for table in ["agents.csv", "pairings.csv"] {
            let rows = rows(&out.join(table));
            let known = ["elo", "elo_low", "elo_high"].map(|key| !rows[0][key].is_empty());
            assert_eq!(known, [is_known; 3], "{table}: {:?}", rows[0]);
        }
        let text = reported(&out, &["-v"]);
        let line = text.lines().find(|line| line.trim().starts_with("Elo ")).expect("a line");
        assert_eq!(line.contains('['), is_known, "{text}");
    }
}

#[test]
fn what_is_exact_has_no_interval_p_or_los() {
    let dir = tempfile::tempdir().expect("a folder");
    let three = "seed = 3\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"mm{depth}\"\n\
        kind = \"minimax\"\ndepth = [1, 2, 4]\n[schedule]\ngames = 8\n\
        [openings]\nkind = \"list\"\nlist = [\"1\", \"2\", \"5\", \"4\"]\n";
    ok(play(dir.path(), three, &[]));
    let out = dir.path().join("out");
    let text = reported(&out, &["-v"]);
    let list = text.split("Cross table").next().expect("a list");
    assert!(list.contains("exact over the opening set: no sampling error"), "{text}");
    assert!(!list.contains('[') && !list.contains("significant"), "{text}");
    for agent in rows(&out.join("agents.csv")) {
        assert!(agent["elo_low"].is_empty() && agent["elo_high"].is_empty(), "{agent:?}");
        assert_eq!(agent["group"], "1");
    }
    for table in ["pairings.csv", "seats.csv"] {
        for row in rows(&out.join(table)) {
            assert_eq!(row["verdict"], "exact over the opening set");
            for column in
                ["score_low", "anytime_low", "anytime_high", "e_value", "p_value", "p_holm"]
            {
                assert!(row.get(column).is_none_or(String::is_empty), "{column}: {row:?}");
            }
        }
    }
    let two = three.replace("[1, 2, 4]", "[1, 4]");
    ok(play(dir.path(), &two, &[]));
    let text = reported(&out, &["-v"]);
    let head_to_head = text.split("Who is stronger?").next().expect("two agents");
    assert!(
        head_to_head.contains("exact over the opening set") && !head_to_head.contains("p 0."),
        "{text}"
    );
    assert!(
        line(head_to_head, "LOS %").contains('—') && !head_to_head.contains("at any time"),
        "{text}"
    );
    assert_eq!(head_to_head.matches('[').count(), 1, "the pairs by points only: {text}");
}

#[test]
fn intervals_and_e_values_that_hold_at_any_time_stand_beside_the_others() {
    let dir = tempfile::tempdir().expect("a folder");
    // 250 pairs: `a` wins more than it loses, and the first mover wins more.
    let table = [[16, 14, 12], [38, 40, 30], [30, 35, 35]];
    let folder = made(dir.path(), "ex", &pairs((1, "a", "b"), table, 0), 5);
    let text = reported(&folder, &[]);
    for begin in ["score %", "first mover's score %"] {
        let line = line(&text, begin);
        assert!(line.contains("at any time [") && line.contains(", e-value "), "{line}");
    }
    assert!(line(&text, "first mover's Elo").contains("at any time ["), "{text}");
    assert!(line(&text, "pairs ").contains("250 complete"), "{text}");
    assert!(text.contains("The intervals hold at any time."), "{text}");
    let head = line(&text, "games ");
    assert!(head.contains("at any time") && head.contains("e-value"), "{text}");
    // One pairing has all games, so both have the same text.
    let seats = rows(&folder.join("seats.csv"));
    assert_eq!(seats.len(), 2);
    for column in seats[0].keys().filter(|column| *column != "scope") {
        assert_eq!(seats[0][column], seats[1][column], "{column}");
    }
    let number = |row: &std::collections::BTreeMap<String, String>, column: &str| -> f64 {
        row[column].parse().unwrap_or_else(|_| panic!("no {column}: {row:?}"))
    };
    assert!(number(&seats[0], "anytime_low") < number(&seats[0], "score_low"));
    let met = &rows(&folder.join("pairings.csv"))[0];
    let significant = number(met, "anytime_low") > 0.5 || number(met, "anytime_high") < 0.5;
    assert_eq!(number(met, "e_value") >= 20.0, significant);
    // Several pairings share their openings: each opening counts once.
    let mut games = pairs((1, "a", "b"), table, 0);
    games.extend(pairs((2, "b", "c"), table, 0));
    let folder = made(dir.path(), "three", &games, 5);
    reported(&folder, &[]);
    let all = &rows(&folder.join("seats.csv"))[0];
    assert!(number(all, "anytime_low") < number(all, "score_low"), "{all:?}");
    assert!(number(all, "e_value") > 0.0);
}

/// For 20 draws in 20 games, Wilson's interval begins at 83.9 % draws. `agon plan` uses this value
/// too.
#[test]
fn the_resolution_is_that_of_the_interval() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, table, range, said) in [
        (
            "draws",
            [[0, 0, 0], [0, 10, 0], [0, 0, 0]],
            "[−116, +116]",
            "±116 Elo; ±10 Elo needs about 728 more games",
        ),
        (
            "split",
            [[100, 0, 0], [0, 0, 0], [0, 0, 100]],
            "[−49, +49]",
            "±49 Elo; ±10 Elo needs about 8 882 more games",
        ),
    ] {
        let games = pairs((1, "better", "worse"), table, 0);
        let folder = made(dir.path(), name, &games, 5);
        let said = format!("precision: {said}");
        assert!(reported(&folder, &[]).contains(&said), "of a run of unknown length too");
        // The config and the number of games show whether the run was complete.
        let config = MATCH.replace("games = 40", &format!("games = {}", games.len()));
        play(dir.path(), &config, &[]);
        fs::copy(dir.path().join("out/resolved.toml"), folder.join("resolved.toml"))
            .expect("copied");
        let text = reported(&folder, &[]);
        assert!(line(&text, "Elo ").contains(range), "{text}");
        assert!(text.contains(&said) && text.contains("no difference shown"), "{text}");
    }
}

#[test]
fn groups_that_results_do_not_connect_are_ranked_apart() {
    let dir = tempfile::tempdir().expect("a folder");
    let (ab, cd) = ([[3, 1, 3], [1, 3, 1], [3, 1, 4]], [[3, 1, 3], [1, 3, 1], [3, 1, 8]]);
    let all_won = [[0, 0, 0], [0, 0, 0], [0, 0, 8]];
    let mut games = pairs((1, "A", "B"), ab, 0);
    games.extend(pairs((2, "C", "D"), cd, 100));
    let strangers = made(dir.path(), "strangers", &games, 5);
    let text = reported(&strangers, &[]);
    assert!(text.contains("groups 1 and 2 played no games: nothing compares them"), "{text}");
    for label in ["1.1", "1.2", "2.1", "2.2"] {
        line(&text, &format!("{label}  "));
    }
    assert!(text.contains("relative to the mean of each group"), "{text}");
    games.extend(pairs((3, "A", "C"), all_won, 200));
    games.extend(pairs((4, "B", "D"), all_won, 300));
    let met = made(dir.path(), "met", &games, 5);
    let text = reported(&met, &[]);
    assert!(text.contains("groups 1 and 2 played, and group 1 won every game"), "{text}");
    // The value of the first move has no interval if there are several groups.
    assert!(!text.contains("moving first is worth"), "{text}");
    let group: Vec<String> =
        rows(&met.join("agents.csv")).into_iter().map(|row| row["group"].clone()).collect();
    assert_eq!(group, ["1", "1", "2", "2"]);
    // Comparisons of both groups are there, and corrected together.
    let p: Vec<String> =
        rows(&met.join("pairings.csv")).into_iter().map(|row| row["p_holm"].clone()).collect();
    assert!(p.iter().all(|p| !p.is_empty()), "{p:?}");
    assert!(text.contains("95 % at any time") && !text.contains("LOS next"), "{text}");
}

#[test]
fn a_bound_names_its_opponent_and_is_not_shown_as_0() {
    let dir = tempfile::tempdir().expect("a folder");
    let all_won = [[0, 0, 0], [0, 0, 0], [0, 0, 20]];
    let mut games = pairs((1, "A", "B"), all_won, 0);
    games.extend(pairs((2, "B", "C"), all_won, 100));
    games.extend(pairs((3, "A", "C"), all_won, 200));
    let chain = made(dir.path(), "chain", &games, 5);
    let text = reported(&chain, &[]);
    for (begin, bound) in
        [("1  A", "≥ +57 against B"), ("2  B", "≥ +57 against C"), ("3  C", "≤ −57 against B")]
    {
        assert!(line(&text, begin).contains(&format!("—   {bound}")), "{text}");
    }
    assert!(text.contains("so only a bound is known, from the score against the named agent"));
    assert!(!text.contains("relative to the mean"), "{text}");
    for (row, against) in rows(&chain.join("agents.csv")).iter().zip(["B", "C", "B"]) {
        assert!(row["elo"].is_empty() && row["group"] == "1", "{row:?}");
        assert_eq!(row["elo_against"], against);
    }
    // For a group with known ratings, the bound is on its scale.
    let mut games = pairs((1, "A", "B"), all_won, 0);
    games.extend(pairs((2, "B", "C"), [[3, 1, 3], [1, 3, 1], [3, 1, 8]], 100));
    let text = reported(&made(dir.path(), "unbeaten", &games, 5), &[]);
    assert!(line(&text, "1  A").contains("≥ +94"), "{text}");
    assert!(text.contains("so only a bound is known, on the same scale"), "{text}");
}

#[test]
fn pairs_from_few_openings_speak_of_these_openings_only() {
    let dir = tempfile::tempdir().expect("a folder");
    let few = MATCH.to_owned()
        + "[openings]\nkind = \"list\"\nlist = [\"5\", \"1\", \"2\", \"3\", \"4\", \"6\"]\n";
    ok(play(dir.path(), &few, &["--games", "600"]));
    let out = dir.path().join("out");
    let text = reported(&out, &[]);
    assert!(text.contains("better and worse played 300 distinct pairs from 6 openings"), "{text}");
    assert!(text.contains("intervals and verdicts are valid for these openings only"), "{text}");
    let votes = line(&text, "openings as samples %");
    assert!(votes.contains("6 openings with equal weight"), "{text}");
    // Six samples give a much wider interval than three hundred.
    let width = |line: &str| -> f64 {
        let range = line.split(['[', ']']).nth(1).expect("a range");
        let (lo, hi) = range.split_once(", ").expect("two ends");
        hi.parse::<f64>().expect("a number") - lo.parse::<f64>().expect("a number")
    };
    assert!(width(votes) > 2.0 * width(line(&text, "score %")), "{text}");
    // No text if each opening has only one pair, or if there is only one opening.
    for more in [&["--set", "openings.list=[\"5\"]"][..], &["--games", "6"]] {
        play(dir.path(), &few, more);
        let text = reported(&out, &[]);
        assert!(!text.contains("these openings only") && !text.contains("equal weight"), "{text}");
    }
}

#[test]
fn each_agent_is_asked_whether_moving_first_helps_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let table = [[16, 14, 12], [38, 40, 30], [30, 35, 35]];
    let mut games = Vec::new();
    // In rounds, as in a schedule: all pairings play an opening before the next opening begins.
    let all = [(1, "a", "b"), (2, "a", "c"), (3, "b", "c")].map(|who| pairs(who, table, 0));
    for i in (0..all[0].len()).step_by(2) {
        games.extend(all.iter().flat_map(|games| games[i..i + 2].iter().copied()));
    }
    let folder = made(dir.path(), "three", &games, 5);
    let text = reported(&folder, &[]);
    for name in ["a", "b", "c"] {
        line(&text, &format!("{name} vs all others  "));
    }
    let seats = rows(&folder.join("seats.csv"));
    let of = |scope: &str| seats.iter().find(|row| row["scope"] == scope).expect("a row");
    assert_eq!((seats.len(), &of("a vs all others")["games"][..]), (7, "1000"));
    // All pairings have the same results, so each agent and all games have the same score.
    let score = |scope: &str| of(scope)["first_score"].parse::<f64>().expect("a score");
    for scope in ["a vs all others", "b vs all others", "c vs all others", "all games"] {
        assert!((score(scope) - score("a vs b")).abs() < 1e-9, "{scope}");
    }
    // Openings are shared, so 500 pairs of two pairings are only 250 samples.
    let width = |scope: &str| {
        let end = |column: &str| of(scope)[column].parse::<f64>().expect("an end");
        end("score_high") - end("score_low")
    };
    assert!((width("a vs all others") / width("a vs b") - 1.0).abs() < 0.05);
}

#[test]
fn games_without_a_partner_are_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut games = pairs((1, "a", "b"), [[0, 0, 1], [0, 0, 0], [1, 0, 0]], 0);
    games.extend((10..110).map(|opening| (1, opening, "a", "b", "first")));
    let text = reported(&made(dir.path(), "lone", &games, 5), &[]);
    let pairs = line(&text, "pairs ");
    assert!(pairs.contains("2 complete"), "{text}");
    assert!(pairs.contains("100 games unpaired: score and intervals do not count them"), "{text}");
}

#[test]
fn ten_equal_agents_are_not_said_to_differ() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents: String =
        (0..10).map(|i| format!("[[agents]]\nname = \"r{i}\"\nkind = \"random\"\n")).collect();
    let config = "seed = 5\n[game]\nkind = \"tictactoe\"\n[openings]\nkind = \"start\"\n\
         [schedule]\ngames = 40\n"
        .to_owned();
    ok(play(dir.path(), &(config + &agents), &[]));
    let all = rows(&dir.path().join("out/pairings.csv"));
    assert_eq!(all.len(), 45);
    let number = |row: &std::collections::BTreeMap<String, String>, column: &str| -> f64 {
        row[column].parse().unwrap_or_else(|_| panic!("no {column}: {row:?}"))
    };
    let seeming = all.iter().filter(|row| number(row, "p_value") < 0.05).count();
    assert!(seeming > 0, "by luck some pairings look different");
    for row in &all {
        assert!(number(row, "p_holm") >= number(row, "p_value"), "{row:?}");
        assert_eq!(row["verdict"], "no difference shown", "{row:?}");
    }
}

#[test]
fn ten_equal_agents_are_not_said_to_gain_by_moving_first() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents: String =
        (0..10).map(|i| format!("[[agents]]\nname = \"r{i}\"\nkind = \"random\"\n")).collect();
    // The first of two agents that roll at random scores 50.9 % here: too little to be significant.
    let config = "seed = 5\n[game]\nkind = \"pig\"\n[schedule]\ngames = 40\ninclude_self = true\n";
    ok(play(dir.path(), &(config.to_owned() + &agents), &[]));
    let seats = rows(&dir.path().join("out/seats.csv"));
    let number = |row: &std::collections::BTreeMap<String, String>, column: &str| -> f64 {
        row[column].parse().unwrap_or_else(|_| panic!("no {column}: {row:?}"))
    };
    // The row of all games is one test by itself, so its p value is not adjusted.
    assert_eq!((&seats[0]["scope"][..], seats.len()), ("all games", 66));
    assert_eq!(seats[0]["p_holm"], seats[0]["p_value"]);
    let mut p: Vec<[f64; 2]> = seats[1..]
        .iter()
        .map(|row| ["p_value", "p_holm"].map(|column| number(row, column)))
        .collect();
    p.sort_by(|a, b| a[0].total_cmp(&b[0]));
    assert!(p[0][0] < 0.05, "by luck some rows look different");
    // Holm: the smallest p value is multiplied by the number of rows, the next by one less, and
    // adjusted values never decrease.
    let mut raised: f64 = 0.0;
    for (i, [alone, holm]) in p.into_iter().enumerate() {
        raised = raised.max(alone * (65 - i) as f64).min(1.0);
        assert!((holm - raised).abs() < 1e-12, "{i}: {alone} {holm} {raised}");
    }
    for row in &seats[1..] {
        assert_eq!(row["verdict"], "no difference shown", "{row:?}");
    }
}

/// The first lines that a reader sees must not claim more than the tables.
#[test]
fn the_short_summary_claims_no_more_than_the_tables() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), MATCH, &["--format", "json"]));
    let manifest = fs::read_to_string(dir.path().join("out/manifest.json")).expect("a manifest");
    let short = |folder: &std::path::Path| {
        let folder = folder.to_str().expect("text");
        stdout(&ok(agon(&["report", folder])))
    };
    let stop = |folder: &std::path::Path| {
        let status = manifest.replace("\"complete\"", "\"interrupted\"");
        fs::write(folder.join("manifest.json"), status).expect("written");
    };
    // 62 to 40 pairs is significant only if the number of games was fixed in advance.
    let two = pairs((1, "better", "worse"), [[30, 0, 3], [0, 0, 0], [3, 0, 51]], 0);
    let folder = made(dir.path(), "two", &two, 5);
    stop(&folder);
    let text = short(&folder);
    let row = &rows(&folder.join("pairings.csv"))[0];
    let low: f64 = row["anytime_low"].parse().expect("a number");
    assert!(low < 0.5, "{row:?}");
    assert!(
        text.contains(&format!("Undecided. better scores 62.1 % [{:.1}, ", 100.0 * low)),
        "{text}"
    );
    assert!(text.contains("stopped early"), "{text}");
    // Ratings of several agents have intervals for a fixed length only.
    let mut three = pairs((1, "A", "B"), [[3, 1, 3], [1, 3, 1], [3, 1, 40]], 0);
    three.extend(pairs((2, "B", "C"), [[3, 1, 3], [1, 3, 1], [3, 1, 40]], 100));
    three.extend(pairs((3, "A", "C"), [[3, 1, 3], [1, 3, 1], [3, 1, 90]], 200));
    let folder = made(dir.path(), "three", &three, 5);
    stop(&folder);
    let text = short(&folder);
    assert!(text.contains("A leads so far.") && !text.contains('±'), "{text}");
    assert!(!text.contains("significant"), "{text}");
}

#[test]
fn the_short_summary_calls_exact_results_exact() {
    let dir = tempfile::tempdir().expect("a folder");
    let three = "seed = 3\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"mm{depth}\"\n\
        kind = \"minimax\"\ndepth = [1, 2, 4]\n[schedule]\ngames = 8\n\
        [openings]\nkind = \"list\"\nlist = [\"1\", \"2\", \"5\", \"4\"]\n";
    for config in [three, &three.replace("[1, 2, 4]", "[1, 4]")] {
        let text = stdout(&ok(play(dir.path(), config, &[])));
        assert!(text.contains("exact over the opening set, not a sample"), "{text}");
        assert!(!text.contains(['±', '[']) && !text.contains("significant"), "{text}");
    }
}

#[test]
fn the_strongest_agent_is_significantly_better_than_all_others() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = "seed = 3\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"one\"\n\
        kind = \"minimax\"\ndepth = 2\nties = \"random\"\n[[agents]]\nname = \"same\"\n\
        kind = \"minimax\"\ndepth = 2\nties = \"random\"\n[[agents]]\nname = \"weak\"\n\
        kind = \"random\"\n[schedule]\ngames = 60\n";
    let text = stdout(&ok(play(dir.path(), config, &[])));
    assert!(text.contains(" leads, but its lead over "), "{text}");
    let two = config.replace(
        "name = \"same\"\nkind = \"minimax\"\ndepth = 2\nties = \"random\"",
        "name = \"same\"\nkind = \"random\"",
    );
    let text = stdout(&ok(play(dir.path(), &two, &[])));
    assert!(text.contains("one is the strongest. 2 of 3 differences"), "{text}");
}

/// Intervals that say nothing are not shown: `[< 0.1, 100.0]`, and "139587.4 times the games".
#[test]
fn few_games_have_no_interval_of_all_scores_and_no_tenth_of_a_factor() {
    let dir = tempfile::tempdir().expect("a folder");
    let agent = |name: &str| format!("[[agents]]\nname = \"{name}\"\nkind = \"random\"\n");
    let config = format!(
        "seed = 3\n[game]\nkind = \"connect4\"\n{}{}{}[schedule]\ngames = 4\n",
        agent("a"),
        agent("b"),
        agent("c"),
    );
    let text = stdout(&ok(play_with_page(dir.path(), &config, &["-v"])));
    let page = fs::read_to_string(dir.path().join("out/report.html")).expect("the page");
    assert!(!text.contains("[< 0.1, 100.0]"), "{text}");
    assert!(!page.contains("&lt; 0.1, 100.0]"), "{page}");
    assert!(page.contains("too few openings or pairs for an interval"), "{page}");
    // Intervals of thousands of Elo do not say how many games are needed.
    assert!(text.contains("too wide to say how many games ±10 Elo needs"), "{text}");
    assert!(!text.contains("times the games"), "{text}");
}
