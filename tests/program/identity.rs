//! The identity of external programs: games of two builds are never mixed in silence.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{ok, stderr, write};

/// Runs the program in a folder, whose subfolder `bin` comes first on PATH.
fn within(folder: &Path, arguments: &[&str]) -> Output {
    let path = format!("{}/bin:{}", folder.display(), std::env::var("PATH").expect("a PATH"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(arguments).current_dir(folder).env("PATH", path);
    command.output().expect("the program runs")
}

/// Writes an executable script.
fn script(folder: &Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, text).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
}

/// A script that plays random moves of Connect Four.
fn player(comment: &str) -> String {
    let agon = env!("CARGO_BIN_EXE_agon");
    format!(
        "#!/bin/sh\n# {comment}\nexec {agon} serve --game connect4 --agent random --protocol ugi\n"
    )
}

#[track_caller]
fn refused(output: &Output, words: &[&str]) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    words.iter().for_each(|word| assert!(said.contains(word), "{word}: {said}"));
    let help = said.split("help: ").nth(1).expect("a help");
    assert!(help.starts_with("`--out DIR`") && !help.contains("--fresh"), "{said}");
}

#[test]
fn a_rebuilt_program_is_another_program() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    script(dir, "dev", &player("1"));
    script(dir, "base", &player("1"));
    let command = ["match", "./dev", "./base", "--nodes", "5", "--game", "connect4", "--out", "o"];
    let play = |games: &str| within(dir, &[&command[..], &["--games", games]].concat());
    ok(play("2"));
    let manifest = fs::read_to_string(dir.join("o/manifest.json")).expect("a manifest");
    let json: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let file = &json["programs"]["dev"]["files"][0];
    assert_eq!(file["bytes"].as_u64(), Some(player("1").len() as u64));
    let sum = Command::new("sha256sum").arg(dir.join("dev")).output().expect("sha256sum runs");
    let sum = String::from_utf8(sum.stdout).expect("text");
    assert_eq!(file["sha256"].as_str(), sum.split(' ').next());
    let name = concat!("agon ", env!("CARGO_PKG_VERSION"), " random");
    assert_eq!(json["programs"]["dev"]["name"], name);

    script(dir, "dev", &player("2"));
    let games = fs::read(dir.join("o/games.csv")).expect("games");
    for more in ["2", "4"] {
        refused(&play(more), &["another program of `dev`", "/dev", "under a new name"]);
    }
    assert!(!stderr(&play("2")).contains("`base`"));
    assert_eq!(fs::read(dir.join("o/games.csv")).expect("games"), games);
    assert_eq!(fs::read_to_string(dir.join("o/manifest.json")).expect("a manifest"), manifest);

    // The same bytes with another time, and at another place.
    script(dir, "dev", &player("1"));
    ok(play("2"));
    fs::create_dir(dir.join("elsewhere")).expect("a folder");
    for name in ["dev", "base", "o"] {
        fs::rename(dir.join(name), dir.join("elsewhere").join(name)).expect("moved");
    }
    ok(within(&dir.join("elsewhere"), &[&command[..], &["--games", "4"]].concat()));
}

#[test]
fn a_folder_of_an_earlier_version_knows_no_programs() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    script(dir, "dev", &player("1"));
    let command = ["match", "./dev", "random", "--nodes", "5", "--game", "connect4", "--out", "o"];
    let play = |games: &str| within(dir, &[&command[..], &["--games", games]].concat());
    ok(play("2"));
    let path = dir.join("o/manifest.json");
    let text = fs::read_to_string(&path).expect("a manifest");
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    json.as_object_mut().expect("a table").remove("programs").expect("programs");
    fs::write(&path, json.to_string()).expect("a manifest");
    script(dir, "dev", &player("2"));
    ok(play("2"));
    ok(play("4"));
    // From here on the program is known.
    script(dir, "dev", &player("3"));
    refused(&play("4"), &["another program of `dev`"]);
}

const CLASS: &str = "[game]\nkind = \"connect4\"\n[[agents]]\nkind = \"engine\"\nprotocol = \"ugi\"\n\
                     nodes = 5\ndir = \"class/*\"\ncommand = \"inter agent.sh notes.txt\"\n[schedule]\n\
                     games = 2\n";

#[test]
fn a_script_is_a_program_and_its_interpreter_may_be_updated() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let interpreter = |comment: &str| format!("#!/bin/sh\n# {comment}\nexec /bin/sh \"$@\"\n");
    script(dir, "bin/inter", &interpreter("1"));
    for name in ["alice", "carol"] {
        script(dir, &format!("class/{name}/agent.sh"), &player("1"));
    }
    let config = write(dir, "c.toml", CLASS);
    let play = || within(dir, &["run", &config, "--out", "o"]);
    ok(play());
    script(dir, "class/carol/agent.sh", &player("2"));
    refused(&play(), &["another program of `carol`", "agent.sh"]);
    script(dir, "class/carol/agent.sh", &player("1"));
    script(dir, "bin/inter", &interpreter("2"));
    let output = ok(play());
    let warning = "bin/inter has changed";
    assert_eq!(stderr(&output).matches(warning).count(), 1, "{}", stderr(&output));
    script(dir, "class/carol/notes.txt", "a new argument that is a file");
    refused(&play(), &["another program of `carol`", "notes.txt", "no such file"]);
}

#[test]
fn a_file_that_a_program_writes_is_no_part_of_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    script(dir, "bin/inter", "#!/bin/sh\nexec /bin/sh \"$@\"\n");
    let logging = player("1").replace("exec ", "echo started >> notes.txt\nexec ");
    for name in ["alice", "carol"] {
        script(dir, &format!("class/{name}/agent.sh"), &logging);
        write(&dir.join("class").join(name), "notes.txt", "");
    }
    let config = write(dir, "c.toml", CLASS);
    ok(within(dir, &["run", &config, "--out", "o"]));
    ok(within(dir, &["run", &config, "--out", "o", "--games", "4"]));
}

#[test]
fn shards_of_two_programs_are_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    script(dir, "dev", &player("1"));
    let text = "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"dev\"\nkind = \"engine\"\n\
                protocol = \"ugi\"\nnodes = 5\ncommand = \"./dev\"\n[[agents]]\nkind = \"random\"\n\
                [schedule]\ngames = 8\n";
    let config = write(dir, "c.toml", text);
    let shard =
        |shard: &str, out: &str| within(dir, &["run", &config, "--out", out, "--shard", shard]);
    ok(shard("1/2", "o"));
    script(dir, "dev", &player("2"));
    refused(&shard("2/2", "o"), &["another program of `dev`"]);
    refused(&shard("1/2", "o"), &["another program of `dev`"]);
    ok(shard("2/2", "other"));
    let output = ok(within(dir, &["merge", "all", "o", "other"]));
    let said = stderr(&output);
    assert!(
        said.contains("warning: the shards were played by different programs of `dev`"),
        "{said}"
    );
}
