//! Console blocks in the pages: every command runs, and the page shows its real output.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Pages whose `console` blocks need nothing but the configs and the reference run, in parts that a
/// test can check at the same time.
pub const PAGES: [&[&str]; 4] = [
    &["docs/tutorial.md", "docs/tutorial-chance.md"],
    &["docs/ko/tutorial.md", "docs/ko/tutorial-chance.md"],
    &["docs/configs.md", "docs/from-fastchess.md", "docs/luck.md", "docs/tune.md"],
    &["docs/class.md", "docs/your-own-game.md"],
];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder in which the commands of a page work: the configs, and the results of the reference run
/// at the path that its config names.
pub fn workplace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let copy = |from: &Path, to: &Path| {
        fs::create_dir_all(to).expect("a folder");
        for file in fs::read_dir(from).expect("files").map(|file| file.expect("a file").path()) {
            if file.is_file() {
                fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("copied");
            }
        }
    };
    for folder in ["configs", "configs/tutorial", "configs/trees", "configs/layouts"] {
        copy(&root().join(folder), &dir.path().join(folder));
    }
    copy(&root().join("results/reference"), &dir.path().join("results/c4_depth"));
    dir
}

/// Runs a line like a shell and returns the exit code, the output and the errors.
pub fn run_any(line: &str, folder: &Path) -> (i32, String, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_agon")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .output()
        .expect("a shell");
    let [text, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code().expect("no signal"), text, errors)
}

/// Runs a line like a shell and returns the output.
pub fn run(line: &str, folder: &Path) -> String {
    let (code, text, errors) = run_any(line, folder);
    // A verdict, forfeited games or a check that fails may also set the exit code.
    assert!(matches!(code, 0 | 3..=7), "{line}: {code}\n{errors}");
    text
}

fn text(page: &str) -> String {
    fs::read_to_string(root().join(page)).expect("the page")
}

/// The fenced blocks of a page in this language.
pub fn blocks(page: &str, language: &str) -> Vec<String> {
    blocks_of(&text(page), language)
}

fn blocks_of(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    (text.split(&fence).skip(1))
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// Runs the console blocks of pages. Each line of a block must be part of an output line, in the
/// same order; `…` matches any lines.
fn check(pages: &[&str]) {
    for page in pages {
        check_within(&workplace(), page, &blocks(page, "console"));
    }
}

/// Runs also the blocks that need Python.
fn check_with_python(place: &tempfile::TempDir, page: &str) {
    let text = text(page).replace("```console python\n", "```console\n");
    check_within(place, page, &blocks_of(&text, "console"));
}

fn check_within(place: &tempfile::TempDir, page: &str, blocks: &[String]) {
    assert!(!blocks.is_empty(), "{page} shows no command");
    for block in blocks {
        let (mut printed, mut at) = (String::new(), 0);
        for line in block.lines().map(str::trim_end) {
            if let Some(command) = line.strip_prefix("$ ") {
                printed = run(command, place.path());
                at = 0;
                continue;
            }
            if line.is_empty() || line == "…" {
                continue;
            }
            let found = printed[at..].find(line);
            assert!(found.is_some(), "{page}: not printed there: {line}\n{printed}");
            at += found.unwrap_or(0) + line.len();
        }
    }
}

#[test]
fn the_tutorial_shows_what_is_printed() {
    check(PAGES[0]);
}

#[test]
fn the_korean_tutorial_shows_what_is_printed() {
    check(PAGES[1]);
}

#[test]
fn the_pages_on_starting_show_what_is_printed() {
    check(PAGES[2]);
}

/// The blocks that need no Python; the others begin with `console python`.
#[test]
fn the_pages_on_programs_show_what_is_printed() {
    check(PAGES[3]);
    let program = include_str!("../../src/cli/commands/init/agent.py");
    assert_eq!(blocks("docs/class.md", "py"), [program]);
}

#[test]
fn the_readme_shows_what_is_printed() {
    let place = workplace();
    let pruning = "agon run configs/tutorial/pruning.toml -q --out";
    run(&format!("{pruning} before"), place.path());
    run(&format!("{pruning} after --set agents.full.ordering=static"), place.path());
    check_within(&place, "README.md", &blocks("README.md", "console"));
}

#[test]
#[ignore = "needs python3: run by .ci/run"]
fn the_page_on_a_class_works_with_python() {
    check_with_python(&workplace(), "docs/class.md");
}

#[test]
#[ignore = "needs python3: run by .ci/run"]
fn the_page_on_python_shows_what_is_printed() {
    let place = workplace();
    fs::write(place.path().join("elo.py"), &blocks("docs/python.md", "python")[0])
        .expect("written");
    check_with_python(&place, "docs/python.md");
}
