//! The whole program with engines: early errors, exit codes, signals.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::engines::{AGON, ROGUE, processes_left, processes_with};
use agon::play::{GameEntry, Registry};

/// A folder with a config of one engine against a random agent.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new(game: &str, engine: &str, games: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let text = format!(
            "name = \"t\"\n[game]\nkind = \"{game}\"\n[[agents]]\nname = \"e\"\nkind = \"engine\"\n\
             protocol = \"ugi\"\nstartup_timeout = 20\n{engine}\n[[agents]]\nkind = \"random\"\n\
             [schedule]\nformat = \"match\"\ngames = {games}\nallow_duplicates = true\n"
        );
        std::fs::write(folder.path().join("t.toml"), text).expect("a config");
        Bench { folder }
    }

    fn results(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(AGON);
        command.arg("--config").arg(self.folder.path().join("t.toml"));
        command.arg("--out").arg(self.results()).args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("agon runs")
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.results().join(name)).unwrap_or_default()
    }
}

/// Expects a failure before the first game; returns the message.
fn refused(engine: &str) -> String {
    let bench = Bench::new("connect4", engine, 2);
    let output = bench.run(&[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!bench.results().exists(), "{said}");
    said
}

#[test]
fn what_is_no_engine_is_refused_before_the_first_game() {
    let said = refused("command = \"stokfish-missing\"\nnodes = 1");
    assert!(said.contains("there is no program `stokfish-missing`"), "{said}");
    assert!(said.contains("/usr/games") && said.contains("t.toml:9:"), "{said}");
    let said = refused("command = \"/bin/slep\"\nnodes = 1");
    assert!(said.contains("did you mean `/bin/sleep`"), "{said}");
    let said = refused("command = \"true\"\nnodes = 1");
    assert!(said.contains("`true` does not speak UGI: exit status 0"), "{said}");
    assert!(said.contains("a UCI engine needs the game `chess`"), "{said}");
    let said =
        refused(&format!("command = \"{ROGUE} no-handshake\"\nstart_timeout = 1\nnodes = 1"));
    assert!(said.contains("did you mean `startup_timeout`?"), "{said}");
    let engine = format!("command = \"{ROGUE} instant\"\nnodes = 1\noptions = {{ Gam = 1 }}");
    let said = refused(&engine);
    assert!(
        said.contains("has no option `Gam`") && said.contains("did you mean `Game`?"),
        "{said}"
    );
    let said = refused("command = \"true\"\nclock = \"8+0.08\"\ndepth = 3");
    assert!(said.contains("`combine = true`"), "{said}");
    let said = refused("command = \"true\"");
    assert!(said.contains("give `nodes`, `depth`, `movetime` or `clock`"), "{said}");
}

/// A Python engine that does not flush its output seems to hang.
#[test]
fn python_engines_do_not_buffer_their_output() {
    let engine = |value: &str, more: &str| {
        let script = format!("[ $PYTHONUNBUFFERED = {value} ] && exec {ROGUE} instant");
        format!("command = [\"sh\", \"-c\", \"{script}\"]\nnodes = 1\n{more}")
    };
    for (value, more) in [("1", ""), ("mine", "env = { PYTHONUNBUFFERED = \"mine\" }")] {
        let output = Bench::new("connect4", &engine(value, more), 2).run(&["-q"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let silent = format!("command = \"{ROGUE} no-handshake\"\nnodes = 1");
    let bench = Bench::new("connect4", &silent, 2);
    let output = bench.run(&["--set", "agents.e.startup_timeout=0.3"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("it said nothing; does it flush its output after each line?"), "{said}");
}

#[test]
fn the_error_shows_why_a_program_has_ended() {
    let script = "for n in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo line $n >&2; done; \
                  echo ModuleNotFoundError: No module named chess >&2; exit 1";
    let said = refused(&format!("command = [\"sh\", \"-c\", \"{script}\"]\nnodes = 1"));
    assert!(said.contains("exit status 1") && said.contains("line 4"), "{said}");
    assert!(said.contains("ModuleNotFoundError: No module named chess"), "{said}");
    assert!(!said.contains("line 1\n"), "{said}");
}

/// A config of one good engine and two that do not start.
fn three(schedule: &str) -> Bench {
    let bench = Bench::new("tictactoe", "", 2);
    let agent = |name: &str, command: &str| {
        format!(
            "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\nprotocol = \"ugi\"\n\
             command = {command}\nnodes = 1\n"
        )
    };
    let good = agent("good", &format!("\"{ROGUE} instant --game tictactoe\""));
    let broken = agent("broken", "[\"sh\", \"-c\", \"echo ImportError: chess >&2; exit 1\"]");
    let missing = agent("missing", "\"stokfish-missing\"");
    let text = format!(
        "name = \"t\"\n[game]\nkind = \"tictactoe\"\n{broken}{good}{missing}\
         [[agents]]\nkind = \"random\"\n[openings]\nkind = \"random\"\nplies = 2\n\
         [schedule]\ngames = 6\n{schedule}\n"
    );
    std::fs::write(bench.folder.path().join("t.toml"), text).expect("a config");
    bench
}

/// The program used to name only the first engine that failed, and played nothing.
#[test]
fn all_programs_that_do_not_start_are_named() {
    let output = three("").run(&[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("`broken` does not start") && said.contains("ImportError"), "{said}");
    assert!(said.contains("`missing` does not start: there is no program"), "{said}");
    assert!(said.contains("2 mistakes"), "{said}");
}

#[test]
fn what_does_not_start_forfeits_its_games_where_the_config_says_so() {
    let games = |args: &[&str]| {
        let bench = three("on_start_failure = \"forfeit\"");
        let output = bench.run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{said}");
        assert!(said.contains("does not start and forfeits its games: "), "{said}");
        let log = bench.read("engine-broken-game-1.log");
        assert!(log.contains("\n#   ImportError: chess\n"), "{log}");
        bench.read("games.csv")
    };
    let text = games(&["-j1"]);
    // Only one of the six pairings has no agent that forfeits.
    assert_eq!(text.lines().count(), 1 + 6 * 6);
    assert_eq!(text.matches(",handshake failure,").count(), 5 * 6, "{text}");
    let kept = |text: &str| -> Vec<Vec<String>> {
        let columns = |line: &str| line.split(',').take(10).map(str::to_owned).collect();
        text.lines().map(columns).collect()
    };
    assert_eq!(kept(&text), kept(&games(&["-j3"])));
}

#[test]
fn an_engine_for_xboard_is_named_as_such() {
    // The script ends where a real engine would wait for another command.
    let answer = "read line; echo 'Error (unknown command):' $line";
    let said = refused(&format!("command = [\"sh\", \"-c\", \"{answer}\"]\nnodes = 1"));
    assert!(said.contains("speaks the xboard protocol, not UGI"), "{said}");
    assert!(said.contains("UCI mode"), "{said}");
}

#[test]
fn faults_are_counted_and_logged_and_the_run_goes_on() {
    let engine =
        format!("command = \"{ROGUE} exit --after 1\"\nnodes = 1\nmax_consecutive_forfeits = 0");
    let bench = Bench::new("connect4", &engine, 6);
    let output = bench.run(&["-q"]);
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(bench.read("games.csv").matches(",crash,").count(), 6);
    let agents = bench.read("agents.csv");
    let mut lines = agents.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let column = lines.next().expect("a header").iter().position(|c| *c == "faults");
    assert_eq!(lines.next().expect("a row")[column.expect("a column")], "6");
    assert!(bench.read("summary.txt").contains("forfeited games: e 6"));
    for game in 1..=6 {
        assert!(bench.read(&format!("engine-e-game-{game}.log")).contains("exit status 3"));
    }
    assert_eq!(bench.run(&["-q", "--fresh", "--games=2"]).status.code(), Some(5));
    let logs = |path: &Path| {
        let all = path.read_dir().expect("a folder").flatten();
        all.filter(|entry| entry.path().extension().is_some_and(|e| e == "log")).count()
    };
    assert_eq!(logs(&bench.results()), 2);
    // The limit applies to a run and to the runs that resume it. The first fault of each kind and
    // engine has a log in any case, so one bad engine does not take the logs of the others.
    let most = "output.fault_logs=3";
    let output = bench.run(&["--fresh", "--games=4", "--set", most]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(logs(&bench.results()), 3, "{said}");
    assert!(
        said.contains("for 3 games and one of each kind of fault (`[output] fault_logs`)"),
        "{said}"
    );
}

#[test]
fn too_many_faults_in_a_row_end_the_run() {
    let engine = format!("command = \"{ROGUE} illegal\"\nnodes = 1\nmax_consecutive_forfeits = 3");
    let bench = Bench::new("connect4", &engine, 100);
    let output = bench.run(&["-j1"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains("given up after 4 of 100 games: `e` forfeited 3 in a row"), "{said}");
    assert_eq!(bench.read("games.csv").lines().count(), 5);
    // The result is the same for any number of threads, and the same command resumes the run.
    assert_eq!(bench.run(&["-q", "-j2"]).status.code(), Some(5));
    assert_eq!(bench.read("games.csv").lines().count(), 9);
}

/// The engine that passes the handshake before the first game is the one that plays.
#[test]
fn an_engine_is_started_once_unless_asked() {
    let starts = |more: &str, args: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("starts");
        let script = format!("echo x >>{}; exec {ROGUE} instant", list.display());
        let engine = format!("command = [\"sh\", \"-c\", \"{script}\"]\nnodes = 1\n{more}");
        let bench = Bench::new("connect4", &engine, 6);
        let output = bench.run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        std::fs::read_to_string(list).expect("starts").lines().count()
    };
    assert_eq!(starts("", &["-q", "-j1"]), 1);
    // One start for the handshake, and one before every game.
    assert_eq!(starts("restart = \"always\"", &["-q", "-j1"]), 7);
    // Pinned engines start on their own core.
    assert_eq!(starts("", &["-q", "-j1", "--pin"]), 2);
    assert_eq!(starts("", &["-q", "--dry-run"]), 1);
}

#[test]
fn every_game_is_played_with_dice_and_several_movers() {
    for game in Registry::builtin().games.iter().filter(|entry| entry.has_defaults()) {
        let GameEntry { kind: game, .. } = game;
        let seat = if *game == "pacman" { "seat = \"first\"" } else { "" };
        let engine = format!("command = \"{ROGUE} instant\"\ndepth = 1\n{seat}");
        let bench = Bench::new(game, &engine, 2);
        let args = ["-q", "--seed=3", "--set", "limits.max_plies=60"];
        let output = bench.run(&args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{game}: {said}");
        assert_eq!(bench.read("games.csv").lines().count(), 3, "{game}");
    }
}

#[test]
fn an_engine_that_does_not_keep_its_budget_is_told_of() {
    let script = "while read -r w r; do case $w in ugi) echo ugiok;; isready) echo readyok;; \
                  go) echo info depth 9 nodes 1000000; echo bestmove 1;; quit) exit;; esac; done";
    let engine = format!("command = [\"sh\", \"-c\", '''{script}''']\nnodes = 100");
    let bench = Bench::new("connect4", &engine, 2);
    bench.run(&["-q"]);
    let summary = bench.read("summary.txt");
    assert!(summary.contains("note: e exceeds `nodes = 100`"), "{summary}");
}

#[test]
fn a_pinned_run_plays_the_same_games() {
    let engine = format!("command = \"{ROGUE} instant\"\nnodes = 1");
    let bench = Bench::new("connect4", &engine, 4);
    assert_eq!(bench.run(&["-q", "-j1", "--pin"]).status.code(), Some(0));
    let moves = |text: String| -> Vec<String> {
        text.lines().filter_map(|line| line.split(',').nth(9).map(str::to_owned)).collect()
    };
    let pinned = moves(bench.read("games.csv"));
    assert_eq!(bench.run(&["-q", "-j2", "--fresh"]).status.code(), Some(0));
    assert_eq!(moves(bench.read("games.csv")), pinned);
    let output = bench.run(&["-j1024", "--pin", "--fresh"]);
    assert_eq!(output.status.code(), Some(2));
}

/// Processes that had called `setsid` used to survive the run.
#[test]
fn a_run_leaves_no_process_of_another_session() {
    for (name, restart) in [("auto", "auto"), ("always", "always")] {
        let mark = format!("AGON_ESCAPED={name}-{}", std::process::id());
        let engine = format!(
            "command = \"{ROGUE} escape\"\nnodes = 1\nrestart = \"{restart}\"\n\
             env = {{ AGON_ESCAPED = \"{name}-{}\" }}",
            std::process::id()
        );
        let bench = Bench::new("tictactoe", &engine, 4);
        let output = bench.run(&["-q", "-j2"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(processes_left(&mark), Vec::<String>::new());
        // Also when agon is stopped between its moves.
        let mut child = bench
            .command(&["-q", "--fresh", "--games=100000"])
            .stdout(Stdio::null())
            .spawn()
            .expect("agon");
        let begin = Instant::now();
        while processes_with(&mark).len() < 6 {
            assert!(begin.elapsed() < Duration::from_secs(60), "the engine does not start");
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = Command::new("kill").arg(child.id().to_string()).status();
        assert!(kill.expect("kill runs").success());
        assert_eq!(child.wait().expect("it ends").code(), Some(143));
        assert_eq!(processes_left(&mark), Vec::<String>::new());
    }
}

/// The warning of a busy machine used to be shown once, and no file stored it.
#[test]
fn the_worst_delay_of_agon_is_kept_and_shown() {
    let bench = Bench::new("tictactoe", &format!("command = \"{ROGUE} instant\"\nnodes = 1"), 4);
    assert_eq!(bench.run(&["-q"]).status.code(), Some(0));
    let read = || -> serde_json::Value {
        serde_json::from_str(&bench.read("manifest.json")).expect("a manifest")
    };
    let mut manifest = read();
    assert_eq!(manifest.get("delay"), None);
    let delay = serde_json::json!({ "agent": "e", "delay_us": 6_200, "margin_us": 50_000 });
    manifest["delay"] = delay.clone();
    std::fs::write(bench.results().join("manifest.json"), manifest.to_string()).expect("written");
    let note = "agon was woken 6.2ms late while `e` was thinking, and its time margin is 50ms";
    // A resumed run, a run with nothing left to play, and a report show it.
    let games = bench.read("games.csv");
    let last = games.trim_end().rfind('\n').expect("rows");
    std::fs::write(bench.results().join("games.csv"), &games[..=last]).expect("written");
    assert_eq!(bench.run(&["-q"]).status.code(), Some(0));
    assert_eq!(read()["delay"], delay);
    assert!(bench.read("summary.txt").contains(note), "{}", bench.read("summary.txt"));
    assert!(String::from_utf8_lossy(&bench.run(&["-q"]).stdout).contains(note));
    let report = Command::new(AGON).arg("report").arg(bench.results()).output().expect("agon runs");
    assert!(String::from_utf8_lossy(&report.stdout).contains(note));
}

/// A shell that ran `exec agon` lost its own processes, such as a `tee` that read the output.
#[test]
fn a_run_ends_no_process_of_the_shell_before_it() {
    let mark = format!("AGON_SHELL={}", std::process::id());
    let bench = Bench::new("tictactoe", &format!("command = \"{ROGUE} escape\"\nnodes = 1"), 2);
    let agon = bench.command(&["-q"]);
    let output = Command::new("sh")
        .args(["-c", "env \"$0\" sleep 3600 >/dev/null 2>&1 & exec \"$@\"", &mark])
        .arg(agon.get_program())
        .args(agon.get_args())
        .output()
        .expect("sh runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let left = processes_with(&mark);
    assert_eq!(left.len(), 1);
    let kill = Command::new("kill").args(&left).status();
    assert!(kill.expect("kill runs").success());
}

#[test]
fn a_stopped_run_leaves_no_process_and_goes_on_later() {
    let engine = format!(
        "command = \"{ROGUE} sleep --after 1\"\nnodes = 1\nhang_timeout = 60\n\
         env = {{ AGON_STOPPED = \"{}\" }}",
        std::process::id()
    );
    let mark = format!("AGON_STOPPED={}", std::process::id());
    let bench = Bench::new("connect4", &engine, 10);
    for signal in ["INT", "TERM"] {
        let mut child = bench.command(&["-q", "-j2"]).stdout(Stdio::null()).spawn().expect("agon");
        let begin = Instant::now();
        let waiting = |list: Vec<String>| list.len() >= 2;
        while !(waiting(processes_with(&mark)) && bench.results().join("games.csv").exists()) {
            assert!(begin.elapsed() < Duration::from_secs(60), "the engines do not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(100));
        let kill =
            Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        let asked = Instant::now();
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, Some(if signal == "INT" { 130 } else { 143 }));
        assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
        assert_eq!(processes_left(&mark), Vec::<String>::new());
        assert_eq!(bench.read("games.csv").lines().count(), 1);
    }
}

/// Two engines of this kind play tic-tac-toe from the start. Returns the exit code, the messages,
/// and the pairing's verdict with its number of distinct games.
fn two_engines(kind: &str, limit: &str, more: &str, games: u64) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let agents: String = ["a", "b"]
        .iter()
        .map(|name| {
            format!(
                "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\nprotocol = \"ugi\"\nstartup_timeout = 20\n\
                 command = [\"{ROGUE}\", \"{kind}\"]\n{limit}\n{more}\n"
            )
        })
        .collect();
    let text = format!(
        "name = \"t\"\n[game]\nkind = \"tictactoe\"\n{agents}[schedule]\ngames = {games}\n\
         [openings]\nkind = \"start\"\n"
    );
    let (config, out) = (folder.path().join("t.toml"), folder.path().join("out"));
    std::fs::write(&config, text).expect("a config");
    let mut run = Command::new(AGON);
    run.arg("-q").arg("--config").arg(config).arg("--out").arg(&out);
    let output = run.output().expect("agon runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut pairings = match csv::Reader::from_path(out.join("pairings.csv")) {
        Ok(pairings) => pairings,
        Err(_) => return (output.status.code(), said, String::new()),
    };
    let head = pairings.headers().expect("a header").clone();
    let row = pairings.records().next().expect("a pairing").expect("CSV");
    let cell = |name| &row[head.iter().position(|column| column == name).expect("a column")];
    let shown = format!("{}, {} distinct", cell("verdict"), cell("distinct_games"));
    // A later report shows the same.
    let again = Command::new(AGON).arg("report").arg(&out).output().expect("agon runs");
    let summary = String::from_utf8_lossy(&again.stdout).into_owned();
    assert_eq!(summary.contains("exact over"), shown.contains("exact over"), "{summary}");
    (output.status.code(), said, shown)
}

#[test]
fn engines_are_exact_only_where_the_config_vouches_for_them() {
    for limit in ["movetime = 60000", "nodes = 1", "clock = \"60+1\""] {
        let (code, said, shown) = two_engines("instant", limit, "", 2);
        assert_eq!(
            (code, shown.as_str()),
            (Some(0), "too few distinct games, 2 distinct"),
            "{said}"
        );
        let (code, said, shown) = two_engines("instant", limit, "deterministic = true", 2);
        let exact = "exact over the opening set, 2 distinct";
        assert_eq!((code, shown.as_str()), (Some(0), exact), "{said}");
    }
    // Two identical games do not prove that the next ones are identical, so nothing is refused.
    let (code, said, shown) = two_engines("instant", "nodes = 1", "", 20);
    assert_eq!((code, shown.as_str()), (Some(0), "too few distinct games, 2 distinct"), "{said}");
    let (code, said, _) = two_engines("instant", "nodes = 1", "deterministic = true", 20);
    assert!(code == Some(2) && said.contains("at most 2 of 20 games can be different"), "{said}");
}

#[test]
fn all_games_of_engines_that_play_at_random_count() {
    let (code, said, shown) = two_engines("random", "movetime = 60000", "", 40);
    assert!(code == Some(0) && shown.ends_with(", 40 distinct"), "{shown}: {said}");
    assert!(!shown.contains("exact"), "{shown}");
    // The games contradict the config.
    let (code, said, shown) = two_engines("random", "nodes = 1", "deterministic = true", 20);
    assert!(code == Some(0) && shown.ends_with(", 20 distinct"), "{shown}: {said}");
    assert!(!shown.contains("exact"), "{shown}");
}
