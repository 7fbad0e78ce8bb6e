//! The key `illegal`: engines that are asked again after an illegal move, in all protocols.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::engine_run::EngineRun;
use crate::engines::ROGUE;
use crate::support::{agon, games_without_times, rows, stderr, stdout, write};

/// A run of an engine, named `bot`, against `random`.
fn run_of(game: &str, protocol: &str, command: &str, keys: &str) -> EngineRun {
    let keys = format!(
        "protocol = \"{protocol}\"\ncommand = {command}\nmovetime = 20000\n\
         max_consecutive_forfeits = 0\n{keys}"
    );
    let rest = "[[agents]]\nkind = \"random\"\n[openings]\nkind = \"random\"\nplies = 4\n\
                [schedule]\ngames = 20\nallow_duplicates = true\n[limits]\nmax_plies = 60";
    EngineRun::of_game(game, &keys, rest)
}

/// A faulty engine that speaks UGI and plays Connect Four.
fn rogue_run(fault: &str, keys: &str) -> EngineRun {
    let command = format!("\"{ROGUE} {fault} --game connect4\"");
    run_of("kind = \"connect4\"", "ugi", &command, keys)
}

impl EngineRun {
    /// The row of the engine in `agents.csv`.
    fn bot(&self) -> BTreeMap<String, String> {
        rows(&self.out().join("agents.csv")).remove(0)
    }
}

/// The number in the column of one side: of the engine, or of its opponent.
fn number(row: &BTreeMap<String, String>, column: &str, of_bot: bool) -> u64 {
    let side = if (row["first"] == "bot") == of_bot { "first" } else { "second" };
    row[&format!("{column}_{side}")].parse().expect("a number")
}

/// The games without their times and without the columns about illegal moves.
fn plain(folder: &Path) -> Vec<String> {
    let kept = ["game", "first", "second", "result", "reason", "moves", "rng_draws"];
    let line = |row: BTreeMap<String, String>| kept.map(|key| row[key].clone()).join(",");
    rows(&folder.join("games.csv")).into_iter().map(line).collect()
}

/// The agents in the table of illegal moves.
fn agents_of_table(summary: &str) -> Vec<&str> {
    let table = summary.split("Illegal moves").nth(1).expect("the table");
    let rows = table.lines().skip(1).take_while(|line| !line.is_empty());
    let first_words = rows.filter_map(|line| line.split_whitespace().next());
    first_words.filter(|word| ["bot", "random"].contains(word)).collect()
}

/// An engine in the protocol of Gomocup. With `$1` its first answer to each question is illegal.
const GOMOCUP: &str = r#"
answer() {
    tries=$((tries + 1))
    if [ $# -gt 0 ] && [ $((tries % 2)) -eq 1 ]; then echo 9,9; return; fi
    for y in 0 1 2 3 4 5 6 7 8; do
        for x in 0 1 2 3 4 5 6 7 8; do
            case "$used" in *" $x,$y "*) ;; *) echo "$x,$y"; return;; esac
        done
    done
}
while read -r line; do
    case "$line" in
        START*|RESTART) echo OK;;
        BOARD) used=" ";;
        BEGIN) used=" "; answer "$@";;
        DONE) answer "$@";;
        INFO*) ;;
        END) exit;;
        *) used="$used${line%,*} ";;
    esac
done
"#;

#[test]
fn an_engine_is_asked_again_in_every_protocol() {
    let scripts = tempfile::tempdir().expect("a folder");
    let script = write(scripts.path(), "gomocup.sh", GOMOCUP);
    let rogue = |game: &str, fault: &str| format!("\"{ROGUE} {fault} --game {game}\"");
    let mistaken = "mistaken --one-in 1";
    let go = "go:size=5";
    let square = "kind = \"mnk\"\nm = 9\nn = 9\nk = 5";
    for (protocol, game, good, bad) in [
        ("ugi", "kind = \"connect4\"", rogue("connect4", "instant"), rogue("connect4", mistaken)),
        ("uci", "kind = \"chess\"", rogue("chess", "instant"), rogue("chess", mistaken)),
        ("gtp", "kind = \"go\"\nsize = 5", rogue(go, "instant"), rogue(go, mistaken)),
        (
            "gomocup",
            square,
            format!("[\"sh\", \"{script}\"]"),
            format!("[\"sh\", \"{script}\", \"wrong\"]"),
        ),
    ] {
        let expected = run_of(game, protocol, &good, "");
        let (code, said) = expected.finish(2);
        assert_eq!(code, Some(0), "{protocol}: {said}");
        let header = fs::read_to_string(expected.out().join("games.csv")).expect("games.csv");
        assert!(!header.contains("illegal"), "only runs with the key have the columns");
        let run = run_of(game, protocol, &bad, "illegal = { retries = 1 }");
        let (code, said) = run.finish(2);
        assert_eq!(code, Some(0), "{protocol}: {said}");
        assert_eq!(plain(&run.out()), plain(&expected.out()), "{protocol}");
        for row in run.games() {
            let moves = number(&row, "moves", true);
            let counts = ["illegal", "retries"].map(|column| number(&row, column, true));
            assert_eq!(counts, [moves, moves], "{protocol}: one mistake in each move: {row:?}");
            assert_eq!(number(&row, "illegal", false), 0);
        }
        assert_eq!(run.bot()["legal_share"], "0.5", "{protocol}");
        // Without a retry each of these games is lost.
        let run = run_of(game, protocol, &bad, "");
        assert_eq!(run.finish(2).0, Some(5), "{protocol}");
        assert!(run.games().iter().all(|row| row["reason"] == "illegal move"), "{protocol}");
    }
}

#[test]
fn a_random_move_takes_the_place_of_an_illegal_one() {
    let keys = "illegal = { retries = 2, then = \"random\" }";
    let new = || rogue_run("mistaken --wrong 9 --one-in 3", keys);
    let whole = new();
    let (code, said) = whole.finish(1);
    assert_eq!(code, Some(0), "{said}");
    let (mut illegal, mut requests) = (0, 0);
    for row in whole.games() {
        let counts = ["illegal", "retries"].map(|column| number(&row, column, true));
        assert_eq!(counts[0] * 2, counts[1] * 3, "three illegal answers, two of them to retries");
        illegal += counts[0];
        requests += number(&row, "moves", true) + counts[1];
    }
    assert!(illegal > 60, "{illegal}");
    let bot = whole.bot();
    let number = |column: &str| bot[column].parse::<f64>().expect("a number");
    let share = 1.0 - illegal as f64 / requests as f64;
    assert!((number("legal_share") - share).abs() < 1e-12);
    assert!(number("legal_low") < share && share < number("legal_high"));
    assert_eq!(bot["illegal_moves"], illegal.to_string());
    assert_eq!(bot["move_requests"], requests.to_string());
    let summary = stdout(&agon(&["report", "-v", whole.out().to_str().expect("text")]));
    assert_eq!(agents_of_table(&summary), ["bot"], "a built-in agent plays legal moves only");
    let page = fs::read_to_string(whole.out().join("report.html")).expect("a page");
    assert!(page.contains("<h2>Illegal moves</h2>"));
    let verified = agon(&["report", "--verify", whole.out().to_str().expect("text")]);
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    // The columns are also known to a folder with `games.csv` only.
    let alone = tempfile::tempdir().expect("a folder");
    fs::copy(whole.out().join("games.csv"), alone.path().join("games.csv")).expect("a copy");
    let summary = stdout(&agon(&["report", "-v", alone.path().to_str().expect("text")]));
    assert!(summary.contains("Illegal moves"), "{summary}");
    // The random moves come from the seed of the game.
    let expected = games_without_times(&whole.out());
    for jobs in [2, 16] {
        let run = new();
        assert_eq!(run.finish(jobs).0, Some(0));
        assert_eq!(games_without_times(&run.out()), expected, "{jobs} threads");
    }
    let run = new();
    run.kill_after(4, &[100, 200, 300]);
    assert_eq!(run.finish(4).0, Some(0));
    assert_eq!(games_without_times(&run.out()), expected, "after kills");
}

#[test]
fn an_engine_without_retries_left_forfeits_or_voids_the_game() {
    for (then, result, reason) in
        [("forfeit", "", "illegal move"), ("void", "void", "illegal move")]
    {
        let keys = format!("illegal = {{ retries = 3, then = \"{then}\" }}");
        let run = rogue_run("illegal", &keys);
        let (code, said) = run.finish(2);
        assert_eq!(code, Some(5), "{then}: {said}");
        for row in run.games() {
            assert_eq!(row["reason"], reason, "{then}");
            let lost = if row["first"] == "bot" { "second" } else { "first" };
            assert_eq!(row["result"], if result.is_empty() { lost } else { result }, "{then}");
            let counts = ["illegal", "retries"].map(|column| number(&row, column, true));
            assert_eq!(counts, [4, 3], "{then}");
        }
        let faults = if then == "void" { "0" } else { "20" };
        assert_eq!((&*run.bot()["faults"], &*run.bot()["legal_share"]), (faults, "0"), "{then}");
    }
}

#[test]
fn the_page_of_a_run_is_that_of_its_report() {
    let run = rogue_run("mistaken --one-in 3", "illegal = { retries = 9 }");
    assert_eq!(run.finish(2).0, Some(0));
    let page = || fs::read_to_string(run.out().join("report.html")).expect("a page");
    let played = page();
    let output = agon(&["report", run.out().to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(played == page(), "the same replays");
}

/// An answer that is no move is illegal, too. A crash is not asked again.
#[test]
fn other_faults_are_no_illegal_moves() {
    for (fault, reason, illegal) in [("none", "illegal move", 2), ("exit", "crash", 0)] {
        let run = rogue_run(fault, "illegal = { retries = 1 }");
        let (code, said) = run.finish(2);
        assert_eq!(code, Some(5), "{said}");
        for row in run.games() {
            assert_eq!((&*row["reason"], number(&row, "illegal", true)), (reason, illegal));
        }
    }
}

/// The line `illegal` of UGI says why.
#[test]
fn the_log_has_the_lines_of_the_retries() {
    let run = rogue_run("illegal", "illegal = { retries = 1 }");
    assert_eq!(run.finish(1).0, Some(5));
    let log = fs::read_to_string(run.out().join("engine-bot-game-1.log")).expect("a log");
    let line = log.lines().find(|line| line.contains("> illegal ")).expect("the line");
    assert!(line.contains("it answered `z9z9`: "), "{line}");
    assert_eq!(log.matches("> go ").count(), 2, "{log}");
    let first = fs::read_to_string(run.out().join("engine-bot-illegal-game-1.log"));
    assert!(first.expect("a log").starts_with("# illegal move of `bot` in game 1: "));
}

#[test]
fn retries_take_the_time_of_the_clock() {
    let script = "while read -r word rest; do case $word in ugi) echo ugiok;; \
                  isready) echo readyok;; go) sleep 0.3; echo bestmove z9;; quit) exit;; esac; done";
    let run = run_of(
        "kind = \"connect4\"",
        "ugi",
        &format!("[\"sh\", \"-c\", \"{script}\"]"),
        "illegal = { retries = 9 }",
    );
    let text = fs::read_to_string(&run.config).expect("a config");
    fs::write(&run.config, text.replace("movetime = 20000", "clock = \"1\"")).expect("written");
    let output = run.command(2).args(["--games", "2"]).output().expect("agon runs");
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    for row in run.games() {
        assert_eq!(row["reason"], "timeout", "{row:?}");
        assert_eq!(number(&row, "illegal", true), 3, "{row:?}");
    }
}

#[test]
fn mistakes_in_the_key_are_named() {
    for (keys, words) in [
        ("{ retries = -1 }", "`illegal.retries` must be a whole number from 0 to 100"),
        ("{ retries = 1000 }", "`illegal.retries` must be a whole number from 0 to 100"),
        ("{ then = \"radnom\" }", "did you mean `random`?"),
        ("{ than = \"void\" }", "`illegal` has no key `than`"),
        ("{ retries = [1, 2] }", "`agents.bot.illegal.retries` must be text, a number or a switch"),
        ("2", "must be a table with `retries` and `then`"),
    ] {
        let run = rogue_run("instant", &format!("illegal = {keys}"));
        let (code, said) = run.finish(1);
        assert_eq!(code, Some(2), "{said}");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(words) && said.contains("c.toml:"), "{said}");
    }
}
