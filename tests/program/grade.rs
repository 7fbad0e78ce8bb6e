//! Tests of `moves.csv`, `[grading]` and `agon grade` against independent counts.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use crate::engines::ROGUE;
use crate::support::{
    agon, ok, play, play_with_page, resealed, rows, rows_without_times, stderr, stdout, write,
};

const CONFIG: &str = "name = \"g\"\nseed = 3\n[game]\nkind = \"tictactoe\"\n\
    [[agents]]\nkind = \"perfect\"\nties = \"random\"\n\
    [[agents]]\nkind = \"random\"\n\
    [[agents]]\nname = \"ab2\"\nkind = \"alphabeta\"\ndepth = 2\nties = \"random\"\n\
    [schedule]\ngames = 40\ninclude_self = true\n[openings]\nkind = \"start\"\n";

type Table = Vec<BTreeMap<String, String>>;

fn played(more: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), CONFIG, more));
    dir
}

fn moves(dir: &Path) -> Table {
    rows(&dir.join("out/moves.csv"))
}

fn number(row: &BTreeMap<String, String>, key: &str) -> f64 {
    row[key].parse().unwrap_or_else(|_| panic!("{key} is no number in {row:?}"))
}

/// An independent tic-tac-toe solver: points and plies to the end for the side to move, by plain
/// search.
fn value(board: &mut [i8; 9], known: &mut HashMap<[i8; 9], (f64, i32)>) -> (f64, i32) {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    if LINES.iter().any(|line| line.iter().map(|&i| board[i]).sum::<i8>() == -3) {
        return (0.0, 0);
    }
    if let Some(&value) = known.get(board) {
        return value;
    }
    let mut best: Option<(f64, i32)> = None;
    for square in 0..9 {
        if board[square] == 0 {
            let (points, plies) = after(board, square, known);
            let rank = |(points, plies): (f64, i32)| {
                (
                    points,
                    if points == 1.0 {
                        -plies
                    } else if points == 0.0 {
                        plies
                    } else {
                        0
                    },
                )
            };
            let value = (1.0 - points, plies + 1);
            if best.is_none_or(|best| rank(value) > rank(best)) {
                best = Some(value);
            }
        }
    }
    let value = best.unwrap_or((0.5, 0));
    known.insert(*board, value);
    value
}

/// The value of a move for the side that makes it.
fn after(board: &[i8; 9], square: usize, known: &mut HashMap<[i8; 9], (f64, i32)>) -> (f64, i32) {
    let mut next = board.map(|stone| -stone);
    next[square] = -1;
    value(&mut next, known)
}

#[test]
fn grades_are_those_of_an_independent_search() {
    let dir = played(&["--set", "grading.games=1000000"]);
    let mut known = HashMap::new();
    let mut board = [0; 9];
    let (mut game, mut seen) = (String::new(), 0);
    for row in moves(dir.path()) {
        if row["game"] != game {
            (game, board) = (row["game"].clone(), [0; 9]);
            assert_eq!(row["ply"], "1");
        }
        let square = row["move"].parse::<usize>().expect("a square");
        let (before, plies) = value(&mut board, &mut known);
        let (points, later) = after(&board, square, &mut known);
        let in_first_frame =
            |points: f64| if row["player"] == "first" { points } else { 1.0 - points };
        assert_eq!(number(&row, "value_before"), in_first_frame(before), "{row:?}");
        assert_eq!(number(&row, "value_after"), in_first_frame(1.0 - points), "{row:?}");
        assert_eq!(number(&row, "regret"), before - (1.0 - points), "{row:?}");
        let best = before == 1.0 - points && (before == 0.5 || plies == later + 1);
        assert_eq!(row["best"] == "1", best, "{row:?}");
        // Every first move is a draw.
        assert!(row["ply"] != "1" || row["regret"] == "0", "{row:?}");
        board = board.map(|stone| -stone);
        board[square] = -1;
        seen += 1;
    }
    let answers: f64 = rows(&dir.path().join("out/games.csv"))
        .iter()
        .map(|row| number(row, "moves_first") + number(row, "moves_second"))
        .sum();
    assert_eq!(f64::from(seen), answers);
}

#[test]
fn the_columns_of_agents_csv_count_the_rows_of_moves_csv() {
    let dir = played(&["--set", "grading.games=1000"]);
    let moves = moves(dir.path());
    let agents = rows(&dir.path().join("out/agents.csv"));
    for agent in &agents {
        for (suffix, player) in [("", None), ("_first", Some("first")), ("_second", Some("second"))]
        {
            let own: Vec<_> = moves
                .iter()
                .filter(|row| row["agent"] == agent["agent"])
                .filter(|row| player.is_none_or(|player| row["player"] == player))
                .collect();
            let column = |name: &str| number(agent, &format!("{name}{suffix}"));
            let count = |test: &dyn Fn(&BTreeMap<String, String>) -> bool| {
                own.iter().filter(|row| test(row)).count() as f64
            };
            let loses = |row: &BTreeMap<String, String>| number(row, "regret") > 0.0;
            let holds = |row: &BTreeMap<String, String>, points: f64| {
                let before = number(row, "value_before");
                points == if row["player"] == "first" { before } else { 1.0 - before }
            };
            let mut sides: BTreeMap<(&str, &str), Option<u32>> = BTreeMap::new();
            for row in &own {
                let first = sides.entry((&row["game"], &row["player"])).or_default();
                if first.is_none() && loses(row) {
                    *first = Some(row["ply"].parse().expect("a ply"));
                }
            }
            assert_eq!(column("graded_moves"), own.len() as f64);
            assert_eq!(column("graded_games"), sides.len() as f64);
            let optimal = 1.0 - count(&loses) / own.len() as f64;
            assert!((column("optimal_share") - optimal).abs() < 1e-12);
            let best = count(&|row| row["best"] == "1") / own.len() as f64;
            assert!((column("best_share") - best).abs() < 1e-12);
            let lost: f64 = own.iter().map(|row| number(row, "regret")).sum();
            assert!((column("regret_per_game") - lost / sides.len() as f64).abs() < 1e-12);
            for (positions, missed, points) in
                [("won_positions", "wins_missed", 1.0), ("drawn_positions", "draws_missed", 0.5)]
            {
                assert_eq!(column(positions), count(&|row| holds(row, points)));
                assert_eq!(column(missed), count(&|row| holds(row, points) && loses(row)));
            }
            let mut firsts: Vec<u32> =
                sides.values().map(|first| first.unwrap_or(u32::MAX)).collect();
            firsts.sort_unstable();
            let median = Some(firsts[(firsts.len() - 1) / 2]).filter(|&ply| ply < u32::MAX);
            let text = median.map(|ply| ply.to_string()).unwrap_or_default();
            assert_eq!(agent[&format!("first_mistake_ply_median{suffix}")], text);
            let flawless = firsts.iter().filter(|&&ply| ply == u32::MAX).count();
            assert_eq!(column("flawless_games"), flawless as f64);
        }
    }
    let perfect = &agents[0];
    assert_eq!((perfect["optimal_share"].as_str(), perfect["best_share"].as_str()), ("1", "1"));
    assert_eq!((perfect["regret_per_game"].as_str(), perfect["wins_missed"].as_str()), ("0", "0"));
    assert!(number(&agents[1], "optimal_share") < 0.9 && number(&agents[1], "wins_missed") > 10.0);
    let text = fs::read_to_string(dir.path().join("out/summary.txt")).expect("summary.txt");
    assert!(text.contains("How good are the moves?\n"), "{text}");
    assert!(text.contains("graded with exact values: all 240 games\n"), "{text}");
}

#[test]
fn moves_are_the_same_for_every_number_of_threads_and_agree_with_the_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = CONFIG.to_owned() + "[output]\nmoves = true\n";
    let files = |jobs: &str, more: &[&str]| {
        ok(play(dir.path(), &config, &[&["-j", jobs][..], more].concat()));
        rows_without_times(&dir.path().join("out/moves.csv"))
    };
    let one = files("1", &[]);
    assert_eq!(one, files("3", &[]));
    let mut sums: BTreeMap<(String, String), [f64; 3]> = BTreeMap::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in moves(dir.path()) {
        let sum = sums.entry((row["game"].clone(), row["player"].clone())).or_default();
        for (sum, key) in sum.iter_mut().zip(["nodes", "depth", "time_ns"]) {
            *sum += row[key].parse::<f64>().unwrap_or(0.0);
        }
        texts.entry(row["game"].clone()).or_default().push(row["move"].clone());
        assert_eq!(row["nodes"].is_empty(), row["agent"] != "ab2", "{row:?}");
        assert_eq!(row["value"].is_empty(), row["agent"] != "ab2", "{row:?}");
        assert!(row["regret"].is_empty() && row["value_before"].is_empty());
    }
    for row in rows(&dir.path().join("out/games.csv")) {
        assert_eq!(texts[&row["game"]].join(" "), row["moves"]);
        for side in ["first", "second"] {
            let columns =
                [format!("nodes_{side}"), format!("depth_sum_{side}"), format!("time_{side}_ns")];
            let sum = sums[&(row["game"].clone(), side.to_owned())];
            assert_eq!(sum, columns.map(|column| number(&row, &column)), "{row:?}");
        }
    }
    // Grading fills the recorded rows and leaves other rows unchanged.
    let graded = files("2", &["--set", "grading.games=60"]);
    assert_eq!(graded, files("1", &["--set", "grading.games=60"]));
    assert_eq!(graded.lines().count(), one.lines().count());
    for (graded, bare) in graded.lines().zip(one.lines()).skip(1) {
        assert_eq!(graded.split(',').count(), bare.split(',').count(), "{graded}");
        for (graded_field, field) in graded.split(',').zip(bare.split(',')) {
            assert!(field.is_empty() || field == graded_field, "{bare} became {graded}");
        }
    }
    let games: std::collections::BTreeSet<String> = (moves(dir.path()).into_iter())
        .filter(|row| !row["regret"].is_empty())
        .map(|row| row["game"].clone())
        .collect();
    assert_eq!(games.len(), 60);
}

#[test]
fn moves_survive_an_interruption() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &(CONFIG.to_owned() + "[output]\nmoves = true\n"));
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text"), "-q"];
    assert_eq!(agon(&arguments).status.code(), Some(0));
    let files = ["games.csv", "moves.csv"].map(|name| out.join(name));
    let whole = files.each_ref().map(|file| rows_without_times(file));
    let bytes = files.each_ref().map(|file| fs::read(file).expect("a file"));
    let stale = || {
        let manifest = fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
        let manifest = manifest.replace("\"complete\"", "\"running\"");
        fs::write(out.join("manifest.json"), manifest).expect("writable");
    };
    // As after a kill: moves are ahead of the games, or the last line is torn.
    let torn = bytes[1].len() * 2 / 3;
    for (games, moves) in [(bytes[0].len() / 2, bytes[1].len()), (bytes[0].len() / 3, torn), (0, 7)]
    {
        fs::write(&files[0], &bytes[0][..games]).expect("writable");
        fs::write(&files[1], &bytes[1][..moves]).expect("writable");
        stale();
        ok(agon(&arguments));
        assert_eq!(files.each_ref().map(|file| rows_without_times(file)), whole);
    }
    // Games without moves are played again, and the warning counts them.
    fs::write(&files[0], &bytes[0][..bytes[0].len() / 2]).expect("writable");
    fs::write(&files[1], &bytes[1][..bytes[1].len() / 4]).expect("writable");
    stale();
    let output = ok(agon(&arguments));
    assert!(stderr(&output).contains("incomplete game"), "{}", stderr(&output));
    assert_eq!(files.each_ref().map(|file| rows_without_times(file)), whole);
    // If no game has moves, no file is deleted or truncated.
    fs::write(&files[0], &bytes[0][..bytes[0].len() / 2]).expect("writable");
    fs::write(&files[1], "").expect("writable");
    stale();
    let output = agon(&arguments);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("without `moves = true`"), "{}", stderr(&output));
    assert_eq!(fs::read(&files[0]).expect("games").len(), bytes[0].len() / 2);
}

#[test]
fn grading_after_the_fact_is_grading_at_the_end_of_the_run() {
    let dir = played(&["--set", "grading.games=50", "-j", "1"]);
    let out = dir.path().join("out");
    let files = ["moves.csv", "agents.csv", "summary.txt"];
    let read = || files.map(|name| fs::read_to_string(out.join(name)).expect(name));
    let at_the_end = read();
    let name = out.to_str().expect("text");
    let grade = |more: &[&str]| ok(agon(&[&["grade", name][..], more].concat()));
    // Grades from the games alone, with fewer and more games, and with any number of threads.
    fs::remove_file(out.join("moves.csv")).expect("removed");
    let output = grade(&["-j", "3"]);
    assert_eq!(read(), at_the_end);
    assert!(stdout(&output).contains("optimal %"), "{}", stdout(&output));
    assert!(stderr(&output).contains("grading 50 games"), "{}", stderr(&output));
    // The second time, there is nothing to grade and no other output.
    let said = stderr(&grade(&[]));
    assert!(
        said.contains("50 games had their grades already") && !said.contains("grading"),
        "{said}"
    );
    for steps in [["20", "50"], ["1000", "50"]] {
        for games in steps {
            grade(&["--games", games, "-q"]);
        }
        assert_eq!(read(), at_the_end);
    }
    grade(&["--fresh", "-j", "2"]);
    assert_eq!(read(), at_the_end);
    // The tables are restored from the files.
    fs::remove_file(out.join("agents.csv")).expect("removed");
    assert_eq!(agon(&["report", name, "-q"]).status.code(), Some(0));
    assert_eq!(read(), at_the_end);
    let manifest = fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
    assert!(manifest.contains("\"asked\": 50"), "{manifest}");
    assert!(at_the_end[2].contains("50 of 240 games, a random sample"), "{}", at_the_end[2]);
}

#[test]
fn a_complete_run_is_graded_when_the_config_asks_for_it_later() {
    let dir = played(&[]);
    let out = dir.path().join("out");
    assert!(!out.join("moves.csv").exists());
    let config = dir.path().join("c.toml");
    let arguments =
        ["--config", config.to_str().expect("text"), "--out", out.to_str().expect("text")];
    let more = ["--set", "grading.oracle=perfect"];
    let output = ok(agon(&[&arguments[..], &more].concat()));
    assert!(stdout(&output).contains("optimal %"), "{}", stdout(&output));
    let said = stderr(&output);
    assert!(said.contains("nothing is played") && said.contains("grading 240 games"), "{said}");
    // One pass is enough, and the tables stay.
    for more in [&more[..], &[]] {
        let again = agon(&[&arguments[..], more].concat());
        assert!(!stderr(&again).contains("grading"), "{}", stderr(&again));
        assert_eq!(stdout(&again), stdout(&output));
    }
}

#[test]
fn where_dice_decide_points_are_thrown_away_but_no_wins_are_counted() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = "seed = 1\n[game]\nkind = \"pig\"\ngoal = 30\n[[agents]]\nkind = \"perfect\"\n\
        [[agents]]\nkind = \"hold\"\nat = 5\n[schedule]\ngames = 100\n[grading]\n";
    ok(play(dir.path(), config, &[]));
    let agents = rows(&dir.path().join("out/agents.csv"));
    assert_eq!(
        (agents[0]["optimal_share"].as_str(), agents[0]["flawless_games"].as_str()),
        ("1", "100")
    );
    let lost = number(&agents[1], "regret_per_game");
    assert!(lost > 0.05 && lost < 1.0 && number(&agents[1], "optimal_share") < 1.0, "{lost}");
    for agent in &agents {
        assert_eq!((agent["wins_missed"].as_str(), agent["won_positions"].as_str()), ("", ""));
    }
    // games.csv has dice rolls but no moves of an agent.
    let moves = moves(dir.path());
    assert!(moves.len() > 200, "{} moves", moves.len());
    assert!(moves.iter().all(|row| row["move"] == "roll" || row["move"] == "hold"));
}

#[test]
fn what_cannot_be_graded_is_said_with_help() {
    let dir = tempfile::tempdir().expect("a folder");
    let big = "[game]\nkind = \"mnk\"\nm = 15\nn = 15\nk = 5\n[[agents]]\nkind = \"random\"\n\
        [schedule]\nformat = \"self-play\"\n"
        .to_owned();
    let output = play(dir.path(), &(big.clone() + "[grading]\noracle = \"perfect\"\n"), &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("cannot be graded") && text.contains("leave `[grading]` out"), "{text}");
    assert!(text.contains("oracle = \"perfect\""), "{text}");
    let output = play(dir.path(), &(CONFIG.to_owned() + "[grading]\noracle = \"me\"\n"), &[]);
    assert!(stderr(&output).contains("\"perfect\""), "{}", stderr(&output));
    ok(play(dir.path(), &big, &["--games", "2", "--set", "limits.max_plies=4"]));
    let out = dir.path().join("out");
    let output = agon(&["grade", out.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot be graded"), "{}", stderr(&output));
    let output = agon(&["grade", dir.path().join("none").to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("none does not exist"), "{}", stderr(&output));
}

#[test]
fn a_moves_csv_of_other_games_is_refused() {
    let dir = played(&["--set", "grading.games=50"]);
    let out = dir.path().join("out");
    let path = out.join("moves.csv");
    let text = fs::read_to_string(&path).expect("moves.csv");
    let first = text.lines().nth(1).expect("a row").to_owned();
    let name = out.to_str().expect("text");
    for (row, said) in [
        (first.replacen(",first,", ",third,", 1), "`third` is not a valid player"),
        (first.clone() + "\n" + &first, "is out of its place"),
        // The second move without the first: grades of half a game do not count.
        (String::new(), "the moves of game"),
    ] {
        let text = text.replacen(&first, &row, 1).replacen("\n\n", "\n", 1);
        fs::write(&path, resealed(&text)).expect("writable");
        let output = agon(&["grade", name]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

/// The recursion of solvers is as deep as the number of cells of a board, in playing and grading
/// threads. In unoptimized builds, this needs a large stack.
#[test]
fn workers_have_the_stack_that_solvers_need() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = "seed = 1\n[game]\nkind = \"connect4\"\ncolumns = 5\nrows = 4\n\
        [[agents]]\nkind = \"perfect\"\nties = \"random\"\n\
        [schedule]\nformat = \"self-play\"\ngames = 4\n[grading]\n";
    ok(play(dir.path(), config, &["-j", "2"]));
    let agents = rows(&dir.path().join("out/agents.csv"));
    assert_eq!((number(&agents[0], "best_share"), number(&agents[0], "graded_games")), (1.0, 8.0));
}

/// Games that are lost before the first move have no grades. They do not count as left out by the
/// random sample.
#[test]
fn games_without_a_move_are_not_said_to_be_left_out_at_random() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = format!(
        "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"rogue\"\nkind = \"engine\"\n\
         command = [\"{ROGUE}\", \"illegal\"]\nprotocol = \"ugi\"\nmovetime = 5000\n\
         max_consecutive_forfeits = 0\n[[agents]]\nkind = \"random\"\n[schedule]\ngames = 4\n\
         allow_duplicates = true\n[grading]\n"
    );
    let output = play_with_page(dir.path(), &config, &[]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let text = fs::read_to_string(dir.path().join("out/summary.txt")).expect("summary.txt");
    let expected = "graded with exact values: all 2 games that have a move\n";
    assert!(text.contains(expected), "{text}");
    let page = fs::read_to_string(dir.path().join("out/report.html")).expect("report.html");
    assert!(page.contains("graded: all 2 games that have a move"), "{text}");
}
