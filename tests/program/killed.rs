//! What killed commands, and other people, leave in a results folder. The same command continues, and
//! no file outside the folder is written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::endure::{content, experiment, same};
use crate::support::{agon, ok, stderr, write};

/// A config, and the folder of its results.
struct Place {
    dir: tempfile::TempDir,
    config: String,
    out: PathBuf,
}

impl Place {
    fn new(text: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let config = write(dir.path(), "c.toml", text);
        let out = dir.path().join("out");
        Place { dir, config, out }
    }

    fn out(&self) -> &str {
        self.out.to_str().expect("text")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.out.join(name)
    }

    fn run(&self) -> (Option<i32>, String) {
        let output = agon(&["--config", &self.config, "--out", self.out(), "-q"]);
        (output.status.code(), stderr(&output))
    }

    /// An empty folder with these files.
    fn with(&self, files: &[(&str, &[u8])]) {
        let _ = fs::remove_dir_all(&self.out);
        fs::create_dir(&self.out).expect("writable");
        for (name, content) in files {
            fs::write(self.file(name), content).expect(name);
        }
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.out).expect("a folder");
        entries
            .map(|entry| entry.expect("a file").file_name().into_string().expect("text"))
            .collect()
    }

    fn no_traces(&self, what: &str) {
        let is_trace = |name: &String| name.starts_with('.') || name.ends_with(".part");
        let traces: Vec<String> = self.names().into_iter().filter(is_trace).collect();
        assert!(traces.is_empty(), "{what}: {traces:?}");
    }
}

fn lines(count: usize, text: &[u8]) -> Vec<u8> {
    text.split_inclusive(|&byte| byte == b'\n').take(count).flatten().copied().collect()
}

#[test]
fn a_run_continues_from_every_state_of_its_files() {
    let place = Place::new(&experiment("match", 6));
    assert_eq!(place.run().0, Some(0));
    let whole = content(&place.out);
    let read = |name: &str| fs::read(place.file(name)).expect(name);
    let [config, resolved, manifest] = ["config.toml", "resolved.toml", "manifest.json"].map(read);
    let [games, moves] = ["games.csv", "moves.csv"].map(read);
    let [games_header, moves_header] = [lines(1, &games), lines(1, &moves)];
    let again = |what: &str| {
        let (code, said) = place.run();
        assert_eq!(code, Some(0), "{what}: {said}");
        same(&place.out, &whole);
        place.no_traces(what);
    };

    // Before a manifest is there: files without content, in every combination.
    let parts =
        |header: &[u8]| [None, Some(0), Some(1), Some(header.len() / 2), Some(header.len())];
    for wal in [None, Some("games.ahead"), Some("games.ahead.part")] {
        for games_length in parts(&games_header) {
            for moves_length in parts(&moves_header) {
                let wal = wal.map(|name| (name, &b""[..]));
                let games = games_length.map(|n| ("games.csv", &games_header[..n]));
                let moves = moves_length.map(|n| ("moves.csv", &moves_header[..n]));
                let files: Vec<_> = wal.into_iter().chain(games).chain(moves).collect();
                place.with(&files);
                again(&format!("{files:?}"));
            }
        }
    }
    place.with(&[(".lock", b"process 1"), (".agon-x", b"half"), ("manifest.json", b"")]);
    again("an empty manifest");

    // With a manifest: each file is missing, empty, cut somewhere, or whole.
    let cut = |text: &[u8]| [None, Some(0), Some(text.len() / 3), Some(text.len())];
    for games_length in cut(&games) {
        for moves_length in cut(&moves) {
            // A game is written after its moves: no command leaves games and none of the moves.
            if games_length > Some(games_header.len()) && moves_length.is_none_or(|n| n == 0) {
                continue;
            }
            for has_config in [false, true] {
                let mut files = vec![("manifest.json", &manifest[..]), (".agon-y", b"half")];
                files.extend(games_length.map(|n| ("games.csv", &games[..n])));
                files.extend(moves_length.map(|n| ("moves.csv", &moves[..n])));
                if has_config {
                    files.extend([("config.toml", &config[..]), ("resolved.toml", &resolved[..])]);
                }
                place.with(&files);
                again(&format!("{games_length:?} {moves_length:?} {has_config}"));
            }
        }
    }
}

#[test]
fn a_run_in_waves_begins_again_from_every_state_of_its_files() {
    let text = "[game]\nkind = \"pig\"\n[[agents]]\nname = \"hold-{at}\"\nkind = \"hold\"\n\
                at = [5, 25, 10]\n[schedule]\nformat = \"best\"\n";
    let place = Place::new(text);
    let next = || agon(&["next", "--config", &place.config, "--out", place.out(), "--shards", "2"]);
    ok(next());
    let read = |name: &str| fs::read(place.file(name)).expect(name);
    let names = ["manifest.json", "config.toml", "resolved.toml", "games.csv", "wave.json"];
    let contents = names.map(read);
    // The files appear one after another, each as a whole.
    for count in 0..names.len() {
        let files: Vec<_> = names.into_iter().zip(&contents).take(count).collect();
        let files: Vec<_> = files.iter().map(|(name, content)| (*name, &content[..])).collect();
        place.with(&files);
        fs::write(place.file(".agon-z"), "half").expect("writable");
        ok(next());
        place.no_traces(&format!("{count} files"));
        assert_eq!(names[1..].iter().map(|name| read(name)).collect::<Vec<_>>(), contents[1..]);
    }
}

#[test]
fn temporary_files_of_a_killed_command_are_removed_by_the_next() {
    let place = Place::new(&experiment("match", 4));
    assert_eq!(place.run().0, Some(0));
    for command in ["report", "grade", "run"] {
        fs::write(place.file(".agon-killed"), "half").expect("writable");
        // A living process holds the lock of its file.
        let living = fs::File::create(place.file(".agon-living")).expect("writable");
        living.lock().expect("a lock");
        let code = match command {
            "run" => place.run().0,
            _ => agon(&[command, place.out(), "-q"]).status.code(),
        };
        assert_eq!(code, Some(0), "{command}");
        assert!(!place.file(".agon-killed").exists(), "{command}");
        assert!(place.file(".agon-living").exists(), "{command}");
    }
}

/// Changes the order of the columns of a CSV file: the checksum comes first.
fn checksum_first(text: &str) -> String {
    let turned = |line: &str| {
        let (rest, last) = line.rsplit_once(',').expect("columns");
        format!("{last},{rest}\n")
    };
    text.lines().map(turned).collect()
}

#[test]
fn a_checksum_that_cannot_be_checked_is_an_error() {
    let place = Place::new(&experiment("match", 4));
    assert_eq!(place.run().0, Some(0));
    for name in ["games.csv", "moves.csv"] {
        let whole = fs::read_to_string(place.file(name)).expect(name);
        let with_note = |text: &str| -> String {
            let note = |row: usize| if row == 0 { "note" } else { "\"x, y\"" };
            text.lines().enumerate().map(|(row, line)| format!("{line},{}\n", note(row))).collect()
        };
        // Columns after the checksum are a user's; the others are still checked.
        fs::write(place.file(name), with_note(&whole)).expect("writable");
        ok(agon(&["report", place.out(), "-q"]));
        let damaged = with_note(&whole.replacen("\n1,", "\n2,", 1));
        let of_rows = [checksum_first(&whole), damaged];
        let of_header =
            [("checksum", "Checksum"), ("checksum", "checksum "), ("game,", "checksum,")]
                .map(|(from, to)| whole.replacen(from, to, 1));
        for change in of_rows.iter().chain(&of_header) {
            assert_ne!(change, &whole);
            fs::write(place.file(name), change).expect("writable");
            let header = change.lines().next().unwrap_or_default();
            for command in ["report", "grade"] {
                let output = agon(&[command, place.out(), "-q"]);
                let said = stderr(&output);
                assert_eq!(output.status.code(), Some(2), "{header}: {said}");
                assert!(said.contains(name) && said.contains("help: "), "{header}: {said}");
            }
            let (code, said) = place.run();
            assert!(said.contains(name), "{header}: {said}");
            let now = fs::read_to_string(place.file(name)).expect(name);
            match of_header.contains(change) {
                // The checksums of the rows show what the header was.
                true => assert_eq!((code, now), (Some(0), whole.clone()), "{header}: {said}"),
                false => assert_eq!((code, &now), (Some(2), change), "{header}: {said}"),
            }
        }
        // Without the column nothing can be checked, and this is said.
        let without: String = (whole.lines())
            .map(|line| format!("{}\n", line.rsplit_once(',').expect("columns").0))
            .collect();
        fs::write(place.file(name), without).expect("writable");
        let said = stderr(&ok(agon(&["report", place.out(), "-q"])));
        assert!(said.contains(&format!("{name} has no checksums")), "{said}");
        fs::write(place.file(name), &whole).expect("writable");
    }
}

#[test]
fn a_games_csv_of_another_program_is_kept() {
    let place = Place::new(&experiment("match", 4));
    assert_eq!(place.run().0, Some(0));
    for foreign in ["date,kilometres\n", "x", "1,2,3\n4,5,6\n", "game;pairing\n"] {
        fs::write(place.file("games.csv"), foreign).expect("writable");
        let (code, said) = place.run();
        assert_eq!(code, Some(2), "{foreign}: {said}");
        assert!(said.contains("games.csv") && said.contains("help: "), "{said}");
        assert_eq!(fs::read_to_string(place.file("games.csv")).expect("kept"), foreign);
    }
}

#[test]
fn each_repair_keeps_a_copy() {
    let place = Place::new(&experiment("match", 4));
    assert_eq!(place.run().0, Some(0));
    let whole = fs::read_to_string(place.file("games.csv")).expect("games.csv");
    for copy in ["games.csv.damaged", "games.csv.damaged-2", "games.csv.damaged-3"] {
        let damaged = whole.replacen("\n1,", &format!("\n{copy},"), 1);
        fs::write(place.file("games.csv"), &damaged).expect("writable");
        assert_eq!(place.run().0, Some(0));
        assert_eq!(fs::read_to_string(place.file(copy)).expect(copy), damaged);
    }
    let output = agon(&["--config", &place.config, "--out", place.out(), "-q", "--fresh"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(!place.names().iter().any(|name| name.contains("damaged")));
}

#[test]
fn nothing_is_written_through_links() {
    let text = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"bad\"\nkind = \"engine\"\n\
                command = \"./nothing\"\nnodes = 1\n[[agents]]\nkind = \"random\"\n\
                [schedule]\ngames = 4\non_start_failure = \"forfeit\"\n[output]\nmoves = true\n";
    let written = [
        ".lock",
        "games.csv",
        "moves.csv",
        "games.ahead",
        "games.ahead.part",
        "config.toml",
        "resolved.toml",
        "manifest.json",
        "agents.csv",
        "pairings.csv",
        "seats.csv",
        "summary.txt",
        "report.html",
        "engine-bad-game-1.log",
        "engine-bad-game-2.log",
    ];
    let target = |place: &Place| write(place.dir.path(), "target", "precious");
    let precious = |place: &Place, what: &str| {
        let target = place.dir.path().join("target");
        assert_eq!(fs::read_to_string(&target).expect(what), "precious", "{what}");
    };
    let commands = |place: &Place, what: &str| {
        for command in [&["report"][..], &["grade"], &["report", "--verify"]] {
            agon(&[command, &[place.out(), "-q"]].concat());
            precious(place, what);
        }
        let out = ["--config", &place.config, "--out", place.out(), "-q"];
        for more in [&[][..], &["--games", "8"], &["--fresh"]] {
            agon(&[&out[..], more].concat());
            precious(place, what);
        }
    };
    for name in written {
        let text = if name.starts_with("engine-") { text } else { &experiment("match", 4) };
        {
            // The link is in the folder of a complete run, or of one that has to go on.
            for is_complete in [true, false] {
                let place = Place::new(text);
                agon(&["--config", &place.config, "--out", place.out(), "-q"]);
                let target = target(&place);
                if !is_complete {
                    let games = fs::read(place.file("games.csv")).expect("games.csv");
                    fs::write(place.file("games.csv"), lines(3, &games)).expect("writable");
                }
                let _ = fs::remove_file(place.file(name));
                symlink(&target, place.file(name)).expect("a link");
                commands(&place, name);
            }
            // A link without a target creates no file.
            let place = Place::new(text);
            fs::create_dir(&place.out).expect("writable");
            let target = place.dir.path().join("new");
            symlink(&target, place.file(name)).expect("a link");
            let (code, said) = place.run();
            assert!(!target.exists(), "{name}");
            if [".lock", "games.csv", "moves.csv"].contains(&name) {
                assert_eq!(code, Some(2), "{name}: {said}");
                assert!(said.contains("is a symbolic link"), "{name}: {said}");
            }
        }
    }
}

#[test]
fn folders_that_are_links_are_refused() {
    let place = Place::new(&experiment("match", 4));
    fs::create_dir(&place.out).expect("writable");
    let elsewhere = place.dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("writable");
    symlink(&elsewhere, place.file("shard-1-of-2.part")).expect("a link");
    let shard = ["--config", &place.config, "--out", place.out(), "--shard", "1/2", "-q"];
    let output = agon(&shard);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is a symbolic link"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(&elsewhere).expect("a folder").count(), 0);
    // The results folder itself may be a link of its owner.
    let linked = place.dir.path().join("linked");
    symlink(&elsewhere, &linked).expect("a link");
    ok(agon(&["--config", &place.config, "--out", linked.to_str().expect("text"), "-q"]));
    let here = elsewhere.join("here");
    fs::create_dir(&here).expect("writable");
    let target = write(place.dir.path(), "target", "precious");
    symlink(&target, here.join("lengths.svg")).expect("a link");
    let mut plot = Command::new(env!("CARGO_BIN_EXE_agon"));
    let output =
        plot.args(["plot", "..", "lengths"]).current_dir(&here).output().expect("a program");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&target).expect("a file"), "precious");
}

#[test]
fn a_pipe_in_the_place_of_a_file_blocks_nothing() {
    for name in ["games.csv", "resolved.toml", "manifest.json", "moves.csv", "games.ahead", ".lock"]
    {
        let place = Place::new(&experiment("match", 2));
        assert_eq!(place.run().0, Some(0));
        let _ = fs::remove_file(place.file(name));
        let made = Command::new("mkfifo").arg(place.file(name)).status().expect("mkfifo");
        assert!(made.success());
        let parent = place.dir.path().to_str().expect("text");
        for command in
            [&["report"][..], &["grade"], &["table"], &["plot"], &["compare", place.out()]]
        {
            let output = agon(&[command, &[place.out()]].concat());
            assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
            assert!(stderr(&output).contains("not a regular file"), "{}", stderr(&output));
        }
        assert_eq!(agon(&["table", parent]).status.code(), Some(2), "{name}");
        let (code, said) = place.run();
        assert_eq!(code, Some(2), "{name}: {said}");
        assert!(said.contains("not a regular file"), "{name}: {said}");
    }
}

#[test]
fn a_help_for_damaged_files_helps() {
    let place = Place::new(&experiment("match", 4));
    assert_eq!(place.run().0, Some(0));
    let whole = fs::read_to_string(place.file("games.csv")).expect("games.csv");
    for (damaged, helps) in
        [(checksum_first(&whole), false), (whole.replacen("\n1,", "\n2,", 1), true)]
    {
        for command in [&["report"][..], &["report", "--verify"]] {
            fs::write(place.file("games.csv"), &damaged).expect("writable");
            let said = stderr(&agon(&[command, &[place.out()]].concat()));
            let help = said.lines().find_map(|line| line.strip_prefix("help: ")).expect("a help");
            assert_eq!(help.contains("plays damaged games again"), helps, "{said}");
            if !helps {
                // No command repairs the file, so all games are played again.
                assert!(help.contains("`--fresh` deletes these results"), "{said}");
                continue;
            }
            let (command, _) = help.split_once("` ").expect("a command");
            let command: Vec<&str> = command.trim_start_matches("`agon ").split(' ').collect();
            ok(agon(&[&command[..], &["-q"]].concat()));
        }
    }
    let fresh = ["--config", &place.config, "--out", place.out(), "--fresh", "-q"];
    ok(agon(&fresh));
}

#[test]
fn files_have_the_permissions_that_the_user_chose() {
    let text = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"bad\"\nkind = \"engine\"\n\
                command = \"./nothing\"\nnodes = 1\n[agents.env]\nTOKEN = \"secret\"\n[[agents]]\n\
                kind = \"random\"\n[schedule]\ngames = 2\non_start_failure = \"forfeit\"\n\
                [output]\nmoves = true\n";
    for umask in [0o077, 0o027, 0o022, 0o002] {
        let place = Place::new(text);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("umask {umask:o}; exec \"$@\""), "sh"]);
        command.arg(env!("CARGO_BIN_EXE_agon"));
        command.args(["--config", &place.config, "--out", place.out(), "-q"]);
        command.output().expect("a shell");
        assert!(place.names().len() > 8, "{:?}", place.names());
        for name in place.names() {
            let mode = fs::metadata(place.file(&name)).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o666 & !umask, "{name} with umask {umask:o}");
        }
        assert!(
            fs::read_to_string(place.file("resolved.toml")).is_ok_and(|t| t.contains("secret"))
        );
    }
}

#[test]
fn a_foreign_folder_is_refused() {
    let place = Place::new(&experiment("match", 2));
    for name in ["config.toml", "games.csv", "games.ahead", "summary.txt", "report.html"] {
        place.with(&[(name, b"my own text\n")]);
        let (code, said) = place.run();
        assert_eq!(code, Some(2), "{name}: {said}");
        assert_eq!(place.names(), [name]);
        assert!(said.contains(&format!("holds `{name}`")), "{said}");
    }
    assert!(Path::new(&place.config).exists());
}
