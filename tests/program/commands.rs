//! The commands of the pages: each block of commands is run by a test or by a script of `.ci/`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::console;
use crate::engines::{AGON, Example};

/// Pages whose `sh` blocks are run here, in parts that run at the same time. Commands of cargo are
/// run by `.ci/run`.
const PAGES: [&[&str]; 3] = [
    &["docs/ci.md", "docs/from-fastchess.md", "docs/play.md", "docs/tutorial.md"],
    &["docs/search.md"],
    &[
        "CONTRIBUTING.md",
        "README.md",
        "docs/README.md",
        "docs/formats.md",
        "docs/ko/tutorial.md",
        "docs/report.md",
        "docs/solver.md",
    ],
];

/// Pages with commands that need Python, Slurm or files of their own: the number of their `sh`
/// blocks, and the file that runs them.
const RUN_ELSEWHERE: [(&str, usize, &str); 8] = [
    ("docs/add-a-game.md", 1, "tests/library/examples.rs"),
    ("docs/add-an-agent.md", 1, "tests/library/examples.rs"),
    ("docs/endurance.md", 6, ".ci/slurm"),
    ("docs/ko/tutorial-chance.md", 1, ".ci/install"),
    ("docs/python.md", 1, ".ci/install"),
    ("docs/services.md", 1, ".ci/bridge"),
    ("docs/tutorial-chance.md", 1, ".ci/install"),
    // The block with `pip install` is run by `.ci/adapters`.
    ("docs/your-own-game.md", 4, ".ci/own-game"),
];

/// The languages of blocks that are no commands; the empty one is for lines of a protocol.
const NO_COMMANDS: [&str; 11] =
    ["", "csv", "ignore", "js", "json", "py", "python", "rust", "text", "toml", "yaml"];

/// Changes of a block, so that it is a matter of seconds and does not meet the project's own configs.
const CHANGES: [(&str, &str); 12] = [
    ("--clock 8+0.08", "--clock 0.1+0.001"),
    ("--sprt -5,0 --out", "--sprt -5,0 --games 4 --out"),
    ("--games 1000", "--games 4"),
    ("--nodes 5000", "--nodes 5000 --games 4"),
    ("--budget 10m", "--set schedule.games=8"),
    ("--limit strength=-50", "--limit strength=off"),
    ("--limit time=1.05", "--limit time=off"),
    ("--out out/gate --fresh", "--out out/gate --limit time=off"),
    ("book.epd --sprt 0,5", "book.epd --games 4 --sprt 0,5"),
    ("--games 200", "--games 10"),
    ("--save configs", "--save course"),
    ("configs/pig.toml", "configs/pig.toml --games 40"),
];

/// Makes what a reader of the pages has: engines, builds, configs, openings, positions and results.
fn prepare(place: &Path) {
    let write = |name: &str, text: &str| fs::write(place.join(name), text).expect("written");
    let program = |name: &str, command: &str| {
        write(name, &format!("#!/bin/sh\n{command}\n"));
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(place.join(name), executable).expect("executable");
    };
    let link = |to: &str, name: &str| symlink(to, place.join(name)).expect("a link");
    fs::create_dir(place.join("bin")).expect("a folder");

    let engine = "agon serve --game chess --agent alphabeta:depth=1";
    for name in ["engine", "engine.base", "new", "old"] {
        program(name, &format!("exec {engine}"));
    }
    let option = "option name Skill Level type spin default 20 min 0 max 20";
    program("bin/stockfish", &format!("{engine} | sed -u 's/^option name Hash/{option}\\n&/'"));
    program("bin/fastchess", "");
    program("nim.py", &format!("exec {} tictactoe", Example("game_program")));
    for build in ["agon", "agon.release", "new-agon", "old-agon"] {
        link(AGON, build);
    }

    let config = &console::blocks("docs/ci.md", "toml")[0];
    write("gate.toml", config);
    write("changed.toml", config);
    link("configs/smoke.toml", "FILE");
    write("book.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    write("early.txt", "44444433\n");
}

/// The text of a file of the project, without the option with which scripts call cargo.
fn unlocked(file: &str) -> String {
    fs::read_to_string(console::root().join(file)).expect(file).replace(" --locked", "")
}

fn check(pages: &[&str]) {
    let script = unlocked(".ci/run");
    for page in pages {
        for mut block in console::blocks(page, "sh") {
            for (from, to) in CHANGES {
                block = block.replace(from, to);
            }
            let place = console::workplace();
            prepare(place.path());
            if block.contains("results/earlier") {
                console::run("agon run configs/best.toml --out results/earlier -q", place.path());
            }
            for line in block.replace("\\\n", "").lines() {
                if line.starts_with("cargo ") {
                    let command = line.split(" #").next().unwrap_or_default().trim_end();
                    let command = command.replace(" --locked", "");
                    let is_run = script.lines().any(|line| line.starts_with(&command));
                    assert!(is_run, "`.ci/run` has no `{command}` of {page}");
                    continue;
                }
                let line = format!("PATH=$PWD/bin:$PATH HOME=$PWD; {line}");
                let (code, _, errors) = console::run_any(&line, place.path());
                // The verdict of a sequential test sets the exit code.
                let is_verdict = line.contains("--sprt") && matches!(code, 3 | 4);
                assert!(code == 0 || is_verdict, "{page}: {line}: {code}\n{errors}");
            }
        }
    }
}

#[test]
fn blocks_of_commands_run() {
    check(PAGES[0]);
}

#[test]
fn blocks_of_experiments_run() {
    check(PAGES[1]);
}

#[test]
fn the_other_blocks_of_commands_run() {
    check(PAGES[2]);
}

#[test]
fn no_page_has_commands_that_nothing_runs() {
    let mut pages = vec!["CONTRIBUTING.md".to_owned(), "README.md".to_owned()];
    for folder in ["docs", "docs/ko"] {
        let files = fs::read_dir(console::root().join(folder)).expect("a folder");
        let names = files.map(|file| file.expect("a file").file_name());
        pages.extend(names.map(|name| format!("{folder}/{}", name.display())));
    }
    let commands = [PAGES.concat(), RUN_ELSEWHERE.map(|(page, ..)| page).to_vec()].concat();
    let shown = [console::PAGES.concat(), vec!["README.md", "docs/rate.md"]].concat();
    let with_python = ["docs/class.md", "docs/python.md"];
    for page in pages.iter().filter(|page| page.ends_with(".md")) {
        let text = fs::read_to_string(console::root().join(page)).expect("the page");
        assert!(!text.contains("~~~") && !text.contains("````"), "{page} has other fences");
        let mut inside = None;
        for line in text.lines().map(str::trim_start) {
            match (inside, line.strip_prefix("```")) {
                (None, Some(language)) => {
                    let is_run = match language {
                        "sh" => commands.contains(&page.as_str()),
                        "console" => shown.contains(&page.as_str()),
                        "console python" => with_python.contains(&page.as_str()),
                        language => NO_COMMANDS.contains(&language),
                    };
                    assert!(is_run, "nothing runs the blocks `{language}` of {page}");
                    inside = Some(language);
                }
                (Some(_), Some(_)) => inside = None,
                (Some("" | "text"), None) => {
                    let word = line.strip_prefix("$ ").unwrap_or(line).strip_prefix("agon ");
                    let is_command = word.is_some_and(|word| !word.starts_with(' '));
                    assert!(!is_command, "{page}: the language of `{line}` is `sh`");
                }
                _ => {}
            }
        }
    }
    for (page, count, script) in RUN_ELSEWHERE {
        assert_eq!(console::blocks(page, "sh").len(), count, "{script} runs the blocks of {page}");
        let name = page.rsplit('/').next().unwrap_or_default();
        assert!(unlocked(script).contains(name), "{script} does not read {page}");
    }
}
