//! The commands of the pages: each block of commands is run by a test or by a script of `.ci/`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::console;
use crate::engines::{AGON, Example};

/// Pages whose `sh` blocks are run here, in parts that run at the same time. Commands of cargo are
/// run by `.ci/run`.
const PAGES: [&[&str]; 2] = [
    &["docs/ci.md", "docs/from-fastchess.md", "docs/play.md", "docs/tutorial.md"],
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

/// Pages with commands that need Python, Slurm or files of their own, and the file that runs them.
const RUN_ELSEWHERE: [(&str, &str); 8] = [
    ("docs/add-a-game.md", "tests/library/examples.rs"),
    ("docs/add-an-agent.md", "tests/library/examples.rs"),
    ("docs/endurance.md", ".ci/slurm"),
    ("docs/ko/tutorial-chance.md", ".ci/install"),
    ("docs/python.md", ".ci/install"),
    ("docs/services.md", ".ci/bridge"),
    ("docs/tutorial-chance.md", ".ci/install"),
    ("docs/your-own-game.md", ".ci/own-game"),
];

/// Changes of a block, so that it is a matter of seconds and does not meet the project's own configs.
const CHANGES: [(&str, &str); 11] = [
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
    console::run("agon run configs/best.toml --out results/earlier -q", place);
}

/// The text of a file of the project, without the option with which scripts call cargo.
fn unlocked(file: &str) -> String {
    fs::read_to_string(console::root().join(file)).expect(file).replace(" --locked", "")
}

fn check(pages: &[&str]) {
    let scripted = unlocked(".ci/run");
    for page in pages {
        for mut block in console::blocks(page, "sh") {
            for (from, to) in CHANGES {
                block = block.replace(from, to);
            }
            let place = console::workplace();
            prepare(place.path());
            for line in block.replace("\\\n", "").lines() {
                if line.starts_with("cargo ") {
                    let command = line.split(" #").next().unwrap_or_default().trim_end();
                    let command = command.replace(" --locked", "");
                    assert!(scripted.contains(&command), "`.ci/run` has no `{command}` of {page}");
                    continue;
                }
                console::run(&format!("PATH=$PWD/bin:$PATH HOME=$PWD; {line}"), place.path());
            }
        }
    }
}

#[test]
fn blocks_of_commands_run() {
    check(PAGES[0]);
}

#[test]
fn the_other_blocks_of_commands_run() {
    check(PAGES[1]);
}

#[test]
fn no_page_has_commands_that_nothing_runs() {
    let mut pages = vec!["CONTRIBUTING.md".to_owned(), "README.md".to_owned()];
    for folder in ["docs", "docs/ko"] {
        let files = fs::read_dir(console::root().join(folder)).expect("a folder");
        let names = files.map(|file| file.expect("a file").file_name());
        pages.extend(names.map(|name| format!("{folder}/{}", name.display())));
    }
    let commands = [PAGES.concat(), RUN_ELSEWHERE.map(|(page, _)| page).to_vec()].concat();
    let shown = [console::PAGES.concat(), vec!["README.md", "docs/rate.md"]].concat();
    for page in pages.iter().filter(|page| page.ends_with(".md")) {
        let any = |language: &str| !console::blocks(page, language).is_empty();
        let run = |pages: &[&str]| pages.contains(&page.as_str());
        assert_eq!(any("sh"), run(&commands), "the `sh` blocks of {page}");
        assert_eq!(any("console"), run(&shown), "the `console` blocks of {page}");
        assert!(!any("bash") && !any("shell"), "commands of {page} are not in `sh` blocks");
    }
    for (page, script) in RUN_ELSEWHERE {
        let name = page.rsplit('/').next().unwrap_or_default();
        assert!(unlocked(script).contains(name), "{script} does not read {page}");
    }
}
