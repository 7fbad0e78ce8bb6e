//! Engines that write without end, that hang before a game, and that begin with a byte-order mark.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::engines::AGON;
use crate::support::{agon, rows, stderr, write};

/// The largest memory of agon while an engine writes without end, in megabytes.
const MEMORY: u64 = 45;

/// A table of an engine that is a shell script.
pub fn engine(dir: &Path, name: &str, protocol: &str, script: &str, limits: &str) -> String {
    let path = write(dir, &format!("{name}.sh"), script);
    format!(
        "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\nprotocol = \"{protocol}\"\n\
         command = [\"sh\", \"{path}\"]\nmax_consecutive_forfeits = 0\n{limits}\n"
    )
}

/// A GTP engine that passes. `special` are further cases for `$word`.
pub fn gtp(special: &str) -> String {
    format!(
        "while read -r id word rest; do sign='='; text=''; case $word in {special} \
         protocol_version) text=2;; genmove) text=pass;; final_score) text='W+7';; \
         list_commands) text='boardsize\nclear_board\nplay\ngenmove';; \
         quit) exit;; esac; printf '%s%s %s\\n\\n' \"$sign\" \"$id\" \"$text\"; done"
    )
}

/// A UCI engine for the last cell of tic-tac-toe. `special` are further cases for `$word`.
pub fn uci(special: &str) -> String {
    format!(
        "while read -r word rest; do case $word in {special} uci) echo uciok;; \
         isready) echo readyok;; go) echo bestmove 8;; quit) exit;; esac; done"
    )
}

pub const GO: &str = "kind = \"go\"\nsize = 5";
pub const TICTACTOE: &str = "kind = \"tictactoe\"";

/// A config of agents for `games` games.
pub fn config(game: &str, agents: &str, games: u64, more: &str) -> String {
    let openings = match game {
        // The player to move can only fill the last cell.
        TICTACTOE => "kind = \"list\"\nlist = [\"0 1 2 4 7 5 3 6\"]",
        _ => "kind = \"start\"",
    };
    format!(
        "seed = 5\n[game]\n{game}\n{agents}[[agents]]\nname = \"r\"\nkind = \"random\"\n\
         [openings]\n{openings}\n[schedule]\ngames = {games}\nallow_duplicates = true\n{more}\n\
         [output]\nreport = false\n"
    )
}

/// Runs a config; returns its exit code, its messages, the reasons of its games, and the largest
/// memory of agon in megabytes.
pub fn run(dir: &Path, name: &str, config: &str) -> (Option<i32>, String, Vec<String>, u64) {
    let config = write(dir, &format!("{name}.toml"), config);
    let out = dir.join(name);
    let child = Command::new(AGON)
        .args(["run", &config, "-q", "-j1", "--out", out.to_str().expect("text")])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon");
    let status = format!("/proc/{}/status", child.id());
    let watch = std::thread::spawn(move || {
        let mut peak = 0;
        loop {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            let Some(line) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) else {
                return peak >> 10;
            };
            let kilobytes = line.trim().trim_end_matches(" kB").parse::<u64>();
            peak = kilobytes.expect("a number").max(peak);
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let output = child.wait_with_output().expect("an end");
    let peak = watch.join().expect("no panic");
    let reasons = match out.join("games.csv").exists() {
        true => rows(&out.join("games.csv")).iter().map(|row| row["reason"].clone()).collect(),
        false => Vec::new(),
    };
    (output.status.code(), stderr(&output), reasons, peak)
}

/// Lines without end, in the words of a shell.
const LINES: &str = "exec yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
/// A line without end.
const LINE: &str = "exec tr '\\0' x </dev/zero";

#[test]
fn an_answer_without_end_costs_the_game_in_bounded_memory() {
    let dir = tempfile::tempdir().expect("a folder");
    let limit = "movetime = 20000\nstartup_timeout = 20";
    for (name, special, expected) in [
        ("lines", format!("genmove) printf '=%s D4\\n' $id; {LINES};;"), "illegal move"),
        ("empty", "genmove) printf '=%s' $id; exec yes ' .';;".to_owned(), "illegal move"),
        ("refusal", format!("genmove) printf '?%s no\\n' $id; {LINES};;"), "illegal move"),
        ("play", format!("play) printf '?%s no\\n' $id; {LINES};;"), "illegal move"),
        ("score", format!("final_score) printf '=%s W+7\\n' $id; {LINES};;"), "two passes"),
    ] {
        // The other engine passes too, so each game ends by the rules.
        let other = engine(dir.path(), "other", "gtp", &gtp("play) ;;"), limit);
        let agents = engine(dir.path(), name, "gtp", &gtp(&special), limit) + &other;
        let text = config(GO, &agents, 2, "format = \"match\"")
            .replace("[[agents]]\nname = \"r\"\nkind = \"random\"\n", "");
        let (_, said, reasons, peak) = run(dir.path(), name, &text);
        assert!(
            reasons.len() == 2 && reasons.iter().any(|it| it == expected),
            "{reasons:?} {said}"
        );
        assert!(reasons.iter().all(|it| [expected, "two passes"].contains(&it.as_str())), "{name}");
        assert!(peak <= MEMORY, "{name}: {peak} MB");
    }
}

#[test]
fn an_engine_that_writes_without_end_before_a_game_is_refused_in_bounded_memory() {
    let dir = tempfile::tempdir().expect("a folder");
    let limit = "movetime = 20000\nstartup_timeout = 20";
    let option = "exec yes 'option name x type spin default 1 min 0 max 9'";
    let long = "its answer is longer than 1 MiB";
    for (name, protocol, script, expected) in [
        ("first", "gtp", gtp(&format!("protocol_version) printf '=%s 2\\n' $id; {LINES};;")), long),
        ("name", "gtp", gtp(&format!("name) printf '=%s a\\n' $id; {LINES};;")), long),
        ("board", "gtp", gtp(&format!("boardsize) printf '=%s\\n' $id; {LINES};;")), long),
        ("options", "uci", uci(&format!("uci) {option};;")), long),
    ] {
        let game = if protocol == "gtp" { GO } else { TICTACTOE };
        let agents = engine(dir.path(), name, protocol, &script, limit);
        let (code, said, reasons, peak) = run(dir.path(), name, &config(game, &agents, 2, ""));
        assert_eq!((code, reasons.len()), (Some(2), 0), "{name}: {said}");
        assert!(said.contains(expected), "{name}: {said}");
        assert!(peak <= MEMORY, "{name}: {peak} MB");
    }
}

/// What is not part of an answer is dropped until the deadline, or does no harm.
#[test]
fn other_output_without_end_costs_no_memory() {
    let dir = tempfile::tempdir().expect("a folder");
    let info = "exec yes 'info depth 1 nodes 1 score cp 1 pv a b c'";
    let late = "movetime = 700\nstartup_timeout = 20\ntime_margin = 200";
    let calm = "nodes = 1\nstartup_timeout = 20";
    for (name, protocol, script, limit, expected) in [
        ("info", "uci", uci(&format!("go) {info};;")), late, "timeout"),
        ("line", "uci", uci(&format!("go) {LINE};;")), late, "timeout"),
        ("gtp-line", "gtp", gtp(&format!("genmove) {LINE};;")), late, "timeout"),
        ("stderr", "uci", uci("go) yes >&2 & sleep 0.5; echo bestmove 8;;"), calm, "board full"),
        (
            "between",
            "uci",
            uci("go) echo bestmove 8; yes & sleep 0.5; kill $!;;"),
            calm,
            "board full",
        ),
    ] {
        let game = if protocol == "gtp" { GO } else { TICTACTOE };
        let agents = engine(dir.path(), name, protocol, &script, limit);
        let (_, said, reasons, peak) = run(dir.path(), name, &config(game, &agents, 4, ""));
        assert!(reasons.contains(&expected.to_owned()), "{name}: {reasons:?} {said}");
        assert!(peak <= MEMORY, "{name}: {peak} MB");
    }
}

/// Names and scores are kept for the results, so they are cut.
#[test]
fn long_names_and_scores_fill_no_files() {
    let dir = tempfile::tempdir().expect("a folder");
    let long = "text=\"$(head -c 60000 /dev/zero | tr '\\0' x)\";;";
    let script = gtp(&format!(
        "name) {long} final_score) text=\"B+99 $(head -c 60000 /dev/zero | tr '\\0' y)\";;"
    ));
    let limit = "movetime = 20000\nstartup_timeout = 20";
    let one = engine(dir.path(), "one", "gtp", &script, limit);
    let other = engine(dir.path(), "other", "gtp", &gtp("play) ;;"), limit);
    let text = config(GO, &(one + &other), 2, "format = \"match\"");
    let text = text.replace("[[agents]]\nname = \"r\"\nkind = \"random\"\n", "");
    let (code, said, ..) = run(dir.path(), "long", &text);
    assert_eq!(code, Some(0), "{said}");
    let out = dir.path().join("long");
    let manifest = std::fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
    assert!(manifest.contains("xxxx") && manifest.contains("B+99 yyyy"), "{manifest:.9000}");
    assert!(manifest.len() < 20_000, "{}", manifest.len());
}

/// The end of a line of more than 64 KiB is dropped. Its beginning is read.
#[test]
fn a_long_line_is_read_up_to_the_limit() {
    let dir = tempfile::tempdir().expect("a folder");
    let long = "head -c 200000 /dev/zero | tr '\\0' ' '; echo x";
    let limit = "nodes = 1\nstartup_timeout = 20\nhang_timeout = 20";
    let script =
        uci(&format!("go) printf 'info depth 7 '; {long}; printf 'bestmove 8 '; {long};;"));
    let agents = engine(dir.path(), "long", "uci", &script, limit);
    let (code, said, reasons, _) = run(dir.path(), "long", &config(TICTACTOE, &agents, 2, ""));
    assert_eq!(
        (code, &reasons[..]),
        (Some(0), &["board full"; 2].map(str::to_owned)[..]),
        "{said}"
    );
}

#[test]
fn an_engine_that_hangs_after_a_game_loses_no_game() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, special, restart) in [
        ("hang", "final_score) exec sleep 600;;", "auto"),
        ("never", "final_score) exec sleep 600;;", "never"),
        ("exit", "final_score) exit 4;;", "auto"),
    ] {
        let limit = format!("movetime = 20000\nstartup_timeout = 2\nrestart = \"{restart}\"");
        let one = engine(dir.path(), name, "gtp", &gtp(special), &limit);
        let other = engine(dir.path(), "other", "gtp", &gtp("play) ;;"), &limit);
        let text = config(GO, &(one + &other), 4, "format = \"match\"");
        let text = text.replace("[[agents]]\nname = \"r\"\nkind = \"random\"\n", "");
        let (code, said, reasons, _) = run(dir.path(), name, &text);
        assert_eq!((code, reasons), (Some(0), vec!["two passes".to_owned(); 4]), "{name}: {said}");
    }
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_skipped_in_every_protocol() {
    let dir = tempfile::tempdir().expect("a folder");
    let mark = "printf '\\357\\273\\277'; ";
    let gomocup = "while read -r word rest; do case $word in START|RESTART) echo OK;; \
                   BEGIN) echo 7,7;; DONE) echo $((i%15)),$((i/15)); i=$((i+1));; END) exit;; esac; done";
    let ugi = uci("ugi) echo ugiok;;");
    let mnk = "kind = \"mnk\"\nm = 15\nn = 15\nk = 5";
    for (protocol, script, game) in [
        ("uci", uci(""), TICTACTOE),
        ("ugi", ugi, TICTACTOE),
        ("gtp", gtp(""), GO),
        ("gomocup", gomocup.to_owned(), mnk),
    ] {
        let limit = "movetime = 20000\nstartup_timeout = 5";
        let agents = engine(dir.path(), protocol, protocol, &format!("{mark}{script}"), limit);
        let (code, said, reasons, _) = run(dir.path(), protocol, &config(game, &agents, 2, ""));
        // The random agent may occupy the cell that the simple script names.
        assert!([Some(0), Some(5)].contains(&code), "{protocol}: {said}");
        assert_eq!(reasons.len(), 2, "{protocol}: {said}");
        assert!(reasons.iter().all(|it| it != "handshake failure"), "{protocol}: {reasons:?}");
    }
}

/// One deadline for all: the engines are greeted at the same time.
#[test]
fn engines_that_hang_are_waited_for_together() {
    let dir = tempfile::tempdir().expect("a folder");
    let limit = "nodes = 1\nstartup_timeout = 6";
    let agents: String = (0..9)
        .map(|i| engine(dir.path(), &format!("e{i}"), "ugi", "exec sleep 600", limit))
        .collect();
    let text = config(TICTACTOE, &agents, 2, "");
    let path = write(dir.path(), "hung.toml", &text);
    for arguments in [&["run", &path, "--dry-run"][..], &["plan", &path]] {
        let begin = Instant::now();
        let output = agon(arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("`e0` does not start") && said.contains("9 mistakes"), "{said}");
        // One after another they would take 54 seconds.
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    }
}

#[test]
fn an_engine_that_is_not_ready_in_time_is_told_from_one_of_another_protocol() {
    let dir = tempfile::tempdir().expect("a folder");
    let limit = "movetime = 1000\nstartup_timeout = 1";
    for (name, protocol, script, expected) in [
        ("uci", "uci", uci("isready) sleep 600;;"), "it answered `uciok`, but not `isready`"),
        ("ready", "uci", uci("isready) sleep 600;;"), "with `readyok`"),
        ("newgame", "uci", uci("ucinewgame) sleep 600;;"), "with `readyok`"),
        ("gtp", "gtp", gtp("boardsize) sleep 600;;"), "but not `boardsize 5`"),
    ] {
        let game = if protocol == "gtp" { GO } else { TICTACTOE };
        let agents = engine(dir.path(), name, protocol, &script, limit);
        let (code, said, ..) = run(dir.path(), name, &config(game, &agents, 2, ""));
        assert_eq!(code, Some(2), "{name}: {said}");
        assert!(said.contains(expected), "{name}: {said}");
        assert!(said.contains("not ready within 1 s (`startup_timeout`)"), "{name}: {said}");
        assert!(!said.contains("does not speak"), "{name}: {said}");
    }
}

#[test]
fn an_xboard_engine_is_named_whatever_it_writes_last() {
    let dir = tempfile::tempdir().expect("a folder");
    let limit = "nodes = 1\nstartup_timeout = 1";
    let features = "echo 'feature myname=\"x\" ping=1'; echo 'feature done=1'; echo '# ready'";
    for (name, script) in [
        ("feature", format!("read -r line; {features}; exec sleep 600")),
        (
            "error",
            "while read -r l; do echo \"Error (unknown command): $l\"; echo; done".to_owned(),
        ),
        ("illegal", "while read -r l; do echo \"Illegal move: $l\"; echo '> '; done".to_owned()),
    ] {
        let agents = engine(dir.path(), name, "uci", &script, limit);
        let (code, said, ..) = run(dir.path(), name, &config(TICTACTOE, &agents, 2, ""));
        assert_eq!(code, Some(2), "{name}: {said}");
        assert!(said.contains("speaks the xboard protocol, not UCI"), "{name}: {said}");
        assert!(said.contains("start the UCI mode of the engine"), "{name}: {said}");
    }
}

#[test]
fn a_byte_order_mark_of_a_host_is_skipped_too() {
    for (protocol, game, said, heard) in [
        ("ugi", "chess", "ugi\n", "ugiok"),
        ("gtp", "go:size=5", "1 name\n", "=1 agon"),
        ("gomocup", "mnk:m=15,n=15,k=5", "START 15\n", "OK"),
    ] {
        let serve = ["serve", "--protocol", protocol, "--game", game, "--agent", "random"];
        let mut child = Command::new(AGON)
            .args(serve)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("agon");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(format!("\u{feff}{said}").as_bytes()).expect("written");
        drop(input);
        let output = child.wait_with_output().expect("an end");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.lines().any(|line| line.starts_with(heard)), "{protocol}: {text}");
    }
}
