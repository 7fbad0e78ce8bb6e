//! Tables in a terminal of 80 columns: no line is longer, and no column is a table of its own.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::{agon, stderr, write};

const WIDTH: usize = 80;

/// What the program shows in a terminal of 80 columns, without colours.
fn shown(arguments: &[&str]) -> String {
    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&main).and_then(|()| unlockpt(&main)).expect("an open pseudo-terminal");
    let size = Winsize { ws_row: 40, ws_col: WIDTH as u16, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&main, size).expect("a size");
    let name = ptsname(&main, Vec::new()).expect("a name").into_string().expect("text");
    let screen = OpenOptions::new().read(true).write(true).open(name).expect("the other side");
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(screen.try_clone().expect("a handle"))
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut reader = File::from(main);
    let reading = std::thread::spawn(move || {
        let (mut all, mut bytes) = (Vec::new(), [0; 4096]);
        // The end is an error here.
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            all.extend_from_slice(&bytes[..count]);
        }
        all
    });
    child.wait().expect("it ends");
    drop(screen);
    let bytes = reading.join().expect("the screen");
    let text = anstream::adapter::strip_bytes(&bytes).into_vec();
    String::from_utf8(text).expect("text").replace("\r\n", "\n")
}

/// The heads of parts of tables that have one column beside the names of the rows.
fn lone_columns(text: &str) -> Vec<&str> {
    let head = |line: &&str| {
        let heads: Vec<&str> = line.trim().split("  ").filter(|head| !head.is_empty()).collect();
        let names = ["#", "agent", "against", "round", "winner", "games", "figure", "parameter"];
        let others = heads.iter().filter(|head| !names.contains(&head.trim())).count();
        line.starts_with("  ")
            && heads.len() > 1
            && heads.len() - others > 0
            && others == 1
            && heads.iter().all(|head| !head.contains(". "))
    };
    let lines: Vec<&str> = text.lines().collect();
    let after_gap = lines.windows(2).filter(|two| two[0].is_empty()).map(|two| two[1]);
    after_gap.filter(head).collect()
}

const START: &str =
    "seed = 5\n[game]\nkind = \"tictactoe\"\n[openings]\nkind = \"random\"\nplies = 2\n";

fn config(names: &[&str], schedule: &str) -> String {
    let agent = |(i, name): (usize, &&str)| {
        let kind = if i % 2 == 0 { "\"alphabeta\"\ndepth = 2" } else { "\"random\"" };
        format!("[[agents]]\nname = \"{name}\"\nkind = {kind}\n")
    };
    format!("{START}{}{schedule}", names.iter().enumerate().map(agent).collect::<String>())
}

#[test]
fn no_line_is_too_long_and_no_column_is_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    let format = |format: &str| format!("[schedule]\nformat = \"{format}\"\ngames = 4\n");
    let short = ["ab2", "r", "x"];
    let middle = ["alphabeta_2", "random_one", "alphabeta_b"];
    let long = [
        "alphabeta_with_a_very_long_name_2",
        "a_random_agent_with_a_longer_name_2",
        "another_alphabeta_with_a_name_3",
    ];
    let graded = "[grading]\ngames = 4\n[output]\nmoves = true\n[schedule]\ngames = 4\n";
    let sprt = "[sprt]\nelo0 = 0\nelo1 = 100\nmax_games = 20\n";
    let best = "[schedule]\nformat = \"best\"\n[adaptive]\nmax_games = 60\n";
    let mut kinds: Vec<(String, String)> = Vec::new();
    for (length, names) in [("short", short), ("middle", middle), ("long", long)] {
        let two = &names[..2];
        for word in ["round-robin", "gauntlet", "self-play", "swiss", "knockout"] {
            kinds.push((format!("{word}-{length}"), config(&names, &format(word))));
        }
        kinds.push((format!("two-{length}"), config(two, &format("match"))));
        kinds.push((format!("sprt-{length}"), config(two, sprt)));
        kinds.push((format!("graded-{length}"), config(&names, graded)));
        kinds.push((format!("best-{length}"), config(&names, best)));
    }
    for (kind, text) in kinds {
        let path = write(dir.path(), &format!("{kind}.toml"), &text);
        let out = dir.path().join(&kind);
        let run = agon(&["run", &path, "--out", out.to_str().expect("text"), "-q"]);
        assert!(matches!(run.status.code(), Some(0 | 3 | 4)), "{kind}: {}", stderr(&run));
        // Paths of temporary folders would be too long.
        let out = out.to_str().expect("text");
        let folder = Path::new(out);
        for arguments in [
            vec!["report", out],
            vec!["report", out, "-v"],
            vec!["table", out],
            vec!["compare", out, out],
        ] {
            let text = shown(&arguments);
            for line in text.lines().filter(|line| !line.contains(folder.to_str().expect("text"))) {
                let wide = line.chars().count();
                assert!(wide <= WIDTH, "{arguments:?}: {wide} columns: {line}\n{text}");
            }
            assert_eq!(lone_columns(&text), [""; 0], "{arguments:?}\n{text}");
        }
    }
}
