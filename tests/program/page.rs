//! Tests of `report.html`: one page without external resources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{agon, ok, play_with_page, stderr, write};

const FOUR: &str = "question = \"Is <b>this</b> & that escaped?\"\nseed = 3\n[game]\n\
    kind = \"connect4\"\ncolumns = 5\nrows = 4\n[[agents]]\nname = \"</script>\"\nkind = \"random\"\n\
    [[agents]]\nname = \"ab{depth}\"\nkind = \"alphabeta\"\ndepth = [1, 2, 3]\nties = \"random\"\n\
    [schedule]\ngames = 12\ninclude_self = true\n[openings]\nkind = \"random\"\nplies = 2\n\
    [output]\nmoves = true\n[grading]\ngames = 24\n";

fn page(dir: &Path) -> String {
    fs::read_to_string(dir.join("out/report.html")).expect("a page")
}

/// HTML elements without a closing tag.
const VOID: [&str; 3] = ["meta", "link", "input"];

/// Parses a page tag by tag: every element is closed at the right place, ids are unique, and text
/// has no `<`. Returns the tags in order.
fn tags(page: &str) -> Vec<String> {
    let (mut open, mut all, mut ids) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a doctype");
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag that ends");
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "before: {}", &rest[..rest.len().min(80)]);
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
        let name = tag.split(' ').next().unwrap_or_default();
        let word = |c: char| c.is_ascii_alphanumeric();
        assert!(!name.is_empty() && name.chars().all(word), "<{tag}>");
        if let Some(id) = tag.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next()) {
            assert!(ids.insert(id.to_owned()), "the id {id} comes twice");
        }
        all.push(tag.to_owned());
        if name == "script" || name == "style" {
            let close = format!("</{name}>");
            let at = rest.find(&close).expect("a script that ends");
            rest = &rest[at + close.len()..];
        } else if !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    all
}

/// The games on a page.
fn replays(page: &str) -> Value {
    let (_, rest) =
        page.split_once("<script type=\"application/json\" id=\"replays\">").expect("games");
    serde_json::from_str(rest.split_once("</script>").expect("an end").0).expect("JSON")
}

/// All targets of links and resources are on the page itself.
fn needs_nothing(page: &str) {
    for (at, _) in page.match_indices("http") {
        let rest = &page[at..];
        let space = rest.starts_with("http://www.w3.org/2000/svg");
        let word = !rest.starts_with("http://") && !rest.starts_with("https://");
        assert!(space || word, "{}", &rest[..60]);
    }
    for tag in tags(page) {
        assert!(!tag.contains(" src=") && !tag.contains("url("), "<{tag}>");
        if let Some(href) = tag.split(" href=\"").nth(1) {
            assert!(href.starts_with('#') || href.starts_with("data:"), "<{tag}>");
        }
    }
    let style = page.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>"));
    let style = style.expect("a style").0;
    assert!(!style.contains("@import") && !style.contains("url("));
}

fn has_no_strange_numbers(page: &str) {
    let words = page.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-');
    for word in words {
        assert!(!["NaN", "nan", "inf", "-inf", "-0", "-0.0"].contains(&word), "{word}");
    }
}

#[test]
fn a_page_is_whole_and_needs_nothing_but_itself() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play_with_page(dir.path(), FOUR, &[]));
    let page = page(dir.path());
    assert!(page.len() < 1_000_000, "{}", page.len());
    needs_nothing(&page);
    has_no_strange_numbers(
        &page.replace(include_str!("../../crates/report/src/html/replay.js"), ""),
    );
    let all = tags(&page);
    for id in ["strength", "seats", "depth", "cost", "moves-graded", "endings", "board", "origin"] {
        assert!(all.iter().any(|tag| *tag == format!("section id=\"{id}\"")), "{id}");
    }
    // Each chart can be found by its id, and the numbers need no click.
    assert!(all.iter().any(|tag| tag == "figure id=\"chart-ratings\""));
    assert!(all.iter().any(|tag| tag == "details open") && !all.iter().any(|t| t == "details"));
    assert!(page.contains("Points: a win is 1, a draw is ½"), "four agents met each other");
    // User input is escaped everywhere.
    assert!(page.contains("Is &lt;b&gt;this&lt;/b&gt; &amp; that escaped?"));
    // The games, the viewer script, and the tooltip script.
    assert_eq!(page.matches("</script>").count(), 3);
    // Every mark of every chart has its value as text.
    let svg = page.split("<svg").skip(1).filter_map(|svg| svg.split_once("</svg>"));
    for (svg, _) in svg.filter(|(svg, _)| svg.contains("class=\"chart\"")) {
        assert!(svg.contains("<title>") && svg.contains("aria-label="), "{}", &svg[..200]);
    }
}

#[test]
fn the_games_on_a_page_are_those_of_the_run_position_by_position() {
    let dir = tempfile::tempdir().expect("a folder");
    play_with_page(dir.path(), FOUR, &[]);
    let replays = replays(&page(dir.path()));
    let games = replays["games"].as_array().expect("games");
    // All games: four agents have ten pairings of twelve games.
    assert_eq!(games.len(), 120);
    let rows = crate::support::rows(&dir.path().join("out/games.csv"));
    for game in games {
        let row = &rows[game["n"].as_u64().expect("a number") as usize - 1];
        let shots = game["f"].as_array().expect("positions");
        let moves: Vec<&str> = shots.iter().filter_map(|shot| shot["m"].as_str()).collect();
        assert_eq!(moves.join(" "), format!("{} {}", row["opening_moves"], row["moves"]));
        assert_eq!(shots.len() as u64, game["l"].as_u64().expect("plies") + 1);
        // Each move puts one stone of the mover on an empty cell.
        let mut taken = BTreeSet::new();
        for shot in &shots[1..] {
            let changed = shot["c"].as_array().expect("a cell");
            assert_eq!(changed.len(), 2);
            assert!(taken.insert(changed[0].as_u64()), "{changed:?}");
            let stone = replays["pieces"][changed[1].as_u64().expect("a piece") as usize].as_str();
            let side = ["", "first", "second"][shot["p"].as_u64().expect("a side") as usize];
            assert_eq!(stone, Some(&*format!("stone of the {side} player")));
        }
        let known = shots.iter().filter(|shot| shot["s"].is_u64()).count();
        assert_eq!(known as u64 + 2, game["l"].as_u64().expect("plies"), "all but the opening");
    }
    let groups = replays["groups"].as_array().expect("groups");
    assert_eq!(groups[0][0], "selected games");
    assert!(groups.iter().any(|group| group[0] == "opening 1"));
}

#[test]
fn agon_report_writes_the_same_page_and_games_alone_make_one_too() {
    let dir = tempfile::tempdir().expect("a folder");
    play_with_page(dir.path(), FOUR, &["-j", "2"]);
    let before = page(dir.path());
    let out = dir.path().join("out");
    fs::remove_file(out.join("report.html")).expect("removed");
    let out = out.to_str().expect("text");
    assert_eq!(agon(&["report", out, "-q"]).status.code(), Some(0));
    assert!(page(dir.path()) == before, "the page has changed");
    let bare = dir.path().join("bare/out");
    fs::create_dir_all(&bare).expect("a folder");
    fs::copy(dir.path().join("out/games.csv"), bare.join("games.csv")).expect("copied");
    ok(agon(&["report", bare.to_str().expect("text"), "-q"]));
    let page = page(&dir.path().join("bare"));
    needs_nothing(&page);
    has_no_strange_numbers(&page);
    assert!(page.contains("id=\"strength\"") && !page.contains("id=\"board\""));
}

#[test]
fn a_page_of_games_that_went_by_is_that_of_games_read_again() {
    let games = "seed = 5\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"a, \\\"b\\\"\"\n\
        kind = \"random\"\n[[agents]]\nkind = \"random\"\n[openings]\nkind = \"start\"\n\
        [schedule]\nformat = \"match\"\ngames = 6000\n";
    // More games than the page stores moves of, and a test that ends inside a chunk of a worker.
    for more in ["", "[sprt]\nelo0 = -80\nelo1 = 0\n"] {
        let dir = tempfile::tempdir().expect("a folder");
        ok(play_with_page(dir.path(), &format!("{games}{more}"), &["-j", "2"]));
        let before = page(dir.path());
        let out = dir.path().join("out");
        assert_eq!(agon(&["report", out.to_str().expect("text"), "-q"]).status.code(), Some(0));
        assert!(page(dir.path()) == before, "the page has changed");
    }
}

#[test]
fn games_of_every_kind_have_a_page() {
    let dir = tempfile::tempdir().expect("a folder");
    let random = "[[agents]]\nname = \"a\"\nkind = \"random\"\n[[agents]]\nname = \"b\"\n\
        kind = \"random\"\n[schedule]\ngames = 20\n[openings]\nkind = \"start\"\n";
    for (game, key) in [
        ("kind = \"tictactoe\"", "c"),
        ("kind = \"mnk\"\nm = 15\nn = 15\nk = 5", "c"),
        ("kind = \"chess\"", "c"),
        ("kind = \"pig\"\ngoal = 40", "b"),
        ("kind = \"pig\"\ngoal = 40", "q"),
        ("kind = \"backgammon\"", "c"),
        ("kind = \"backgammon\"", "q"),
        ("kind = \"go\"", "c"),
        ("kind = \"einstein\"", "c"),
        ("kind = \"pacman\"", "c"),
        ("kind = \"tree\"", "g"),
    ] {
        let config = format!("[game]\n{game}\n{random}[limits]\nmax_plies = 60\n");
        let output = play_with_page(dir.path(), &config, &[]);
        assert_eq!(output.status.code(), Some(0), "{game}: {}", stderr(&output));
        let page = page(dir.path());
        needs_nothing(&page);
        let replays = replays(&page);
        let games = replays["games"].as_array().expect("games");
        assert_eq!(games.len(), 20, "{game}");
        let changes = games[0]["f"].as_array().expect("positions");
        let shown = |shot: &&Value| shot[key].as_array().is_some_and(|all| !all.is_empty());
        assert!(changes.iter().filter(shown).count() > 0, "{game}");
        // The dice show the last roll, also after the moves that follow it.
        let mut rolled: Option<Vec<String>> = None;
        for shot in changes.iter().filter(|_| key == "q") {
            if shot["p"] == 0 && shot["m"].is_string() {
                let faces = shot["m"].as_str().expect("a roll").trim_start_matches('d').chars();
                rolled = Some(faces.map(|face| format!("die {face}")).collect());
            }
            let dice = shot["q"].as_array().expect("dice").iter();
            let dice = dice.map(|die| &replays["pieces"][die.as_u64().expect("a number") as usize]);
            let dice: Vec<&str> = dice.map(|name| name.as_str().expect("a name")).collect();
            let blank = vec!["die 0".to_owned(); dice.len()];
            let mut expected = rolled.clone().unwrap_or(blank);
            if game.contains("backgammon") {
                expected.sort_by(|a, b| b.cmp(a));
            }
            let mut sorted = dice.clone();
            sorted.sort_by(|a, b| b.cmp(a));
            assert_eq!(sorted, expected, "{shot}");
        }
    }
}

#[test]
fn a_run_without_a_page_has_none_until_it_is_asked_for() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = format!("{}report = false\n", FOUR.replace("[grading]\ngames = 24\n", ""));
    play_with_page(dir.path(), &config, &[]);
    let out = dir.path().join("out");
    assert!(out.join("summary.txt").exists() && !out.join("report.html").exists());
    assert_eq!(agon(&["report", out.to_str().expect("text"), "-q"]).status.code(), Some(0));
    assert!(out.join("report.html").exists());
    // The key does not affect the games: the folder is complete with and without it.
    let config = write(dir.path(), "d.toml", &config.replace("report = false\n", ""));
    let output = agon(&["--config", &config, "--out", out.to_str().expect("text")]);
    assert!(stderr(&output).contains("is complete"), "{}", stderr(&output));
}

#[test]
fn faults_of_engines_name_their_logs() {
    let dir = tempfile::tempdir().expect("a folder");
    let script = "while read -r word rest; do case $word in ugi) echo ugiok;; \
        isready) echo readyok;; go) echo bestmove none;; quit) exit;; esac; done";
    let config = format!(
        "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"e 1\"\nkind = \"engine\"\n\
         protocol = \"ugi\"\ncommand = [\"sh\", \"-c\", '''{script}''']\nnodes = 5\nstartup_timeout = 20\n\
         max_consecutive_forfeits = 0\n[[agents]]\nkind = \"random\"\n[schedule]\ngames = 4\n"
    );
    let output = play_with_page(dir.path(), &config, &["-j", "1"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let out = dir.path().join("out");
    let logs: Vec<String> = (1..=4).map(|game| format!("engine-e_1-game-{game}.log")).collect();
    let before = page(dir.path());
    needs_nothing(&before);
    for log in &logs {
        assert!(out.join(log).exists(), "{log}");
        assert_eq!(before.matches(&format!("<code>{log}</code>")).count(), 1, "{log}");
    }
    let kinds = "<tr><td class=\"left\">e 1</td><td>4</td><td>4</td><td>4</td></tr>";
    assert!(before.contains(">illegal move</th></tr>") && before.contains(kinds), "by kind");
    let all = agon(&["report", out.to_str().expect("text"), "-v"]);
    assert!(crate::support::stdout(&all).contains("Forfeits by kind"), "in the tables, too");
    // Missing files are not named.
    fs::remove_file(out.join(&logs[1])).expect("removed");
    assert_eq!(agon(&["report", out.to_str().expect("text"), "-q"]).status.code(), Some(0));
    assert_eq!(page(dir.path()), before.replace(&format!("<code>{}</code> ", logs[1]), ""));
    // The command that replays the game must not delete the results.
    let faults = before.split("<section id=\"faults\"").nth(1).expect("a section");
    let faults = &faults[..faults.find("</section>").expect("its end")];
    assert!(!faults.contains("--fresh"), "{faults}");
    for advice in ["agon replay", "agon watch --config FILE --game N", "--out"] {
        assert!(faults.contains(advice), "{advice}: {faults}");
    }
}

#[test]
fn runs_of_nothing_but_void_or_drawn_games_have_a_page() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = crate::support::made(
        dir.path(),
        "out",
        &[(1, 1, "a", "b", "draw"), (1, 1, "b", "a", "draw"), (1, 2, "a", "b", "void")],
        0,
    );
    ok(agon(&["report", folder.to_str().expect("text"), "-q"]));
    let page = page(dir.path());
    needs_nothing(&page);
    has_no_strange_numbers(&page);
    assert!(page.contains("id=\"faults\""), "void games are the program's fault");
    let none = crate::support::made(dir.path(), "none/out", &[], 0);
    assert_eq!(agon(&["report", none.to_str().expect("text"), "-q"]).status.code(), Some(0));
    needs_nothing(&fs::read_to_string(none.join("report.html")).expect("a page"));
}

#[test]
fn the_page_of_many_agents_with_long_names_keeps_its_bounds() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut config = "[game]\nkind = \"tictactoe\"\n[schedule]\ngames = 2\n".to_owned();
    for number in 0..60 {
        let name = format!("an_agent_with_a_rather_long_name_that_fills_columns_number_{number}");
        config += &format!("[[agents]]\nname = \"{name}\"\nkind = \"random\"\n");
    }
    ok(play_with_page(dir.path(), &config, &[]));
    let page = page(dir.path());
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    // The board is still there, and each agent has an interval for each seat.
    assert!(!replays(&page)["games"].as_array().expect("games").is_empty());
    let seats = page.split("aria-label=\"Score by seat\"").nth(1).expect("a chart of seats");
    let seats = seats.split("</svg>").next().unwrap_or_default();
    assert_eq!(seats.matches("<title>").count(), 60);
    assert_eq!(seats.matches("; moving second ").count(), 60);
}
