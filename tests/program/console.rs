//! Console blocks in the pages: every command runs, and the page shows its real output.

use std::fs;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder in which the commands of a page work: the configs, and the results of the reference run
/// at the path that its config names.
fn workplace() -> tempfile::TempDir {
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

/// Runs a line like a shell and returns the output.
fn run(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_agon")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .output()
        .expect("a shell");
    let code = output.status.code();
    let errors = String::from_utf8_lossy(&output.stderr);
    // A verdict, forfeited games or a check that fails may also set the exit code.
    assert!(matches!(code, Some(0 | 3..=7)), "{line}: {code:?}\n{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs the console blocks of a page and returns the number of commands. Each line of a block must
/// be part of an output line, in the same order; `…` matches any lines.
fn check(page: &str) -> usize {
    check_text(page, &fs::read_to_string(root().join(page)).expect("the page"))
}

fn check_text(page: &str, text: &str) -> usize {
    check_within(&workplace(), page, text)
}

fn check_within(place: &tempfile::TempDir, page: &str, text: &str) -> usize {
    let mut commands = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        let (mut printed, mut at) = (String::new(), 0);
        for line in block.lines().map(str::trim_end) {
            if let Some(command) = line.strip_prefix("$ ") {
                printed = run(command, place.path());
                (commands, at) = (commands + 1, 0);
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
    commands
}

#[test]
fn the_tutorial_shows_what_is_printed() {
    assert!(check("docs/tutorial.md") >= 10);
    assert!(check("docs/tutorial-chance.md") >= 6);
}

#[test]
fn the_korean_tutorial_shows_what_is_printed() {
    assert!(check("docs/ko/tutorial.md") >= 10);
    assert!(check("docs/ko/tutorial-chance.md") >= 6);
}

#[test]
fn the_readme_shows_what_is_printed() {
    let place = workplace();
    let pruning = "agon run configs/tutorial/pruning.toml -q --out";
    run(&format!("{pruning} before"), place.path());
    run(&format!("{pruning} after --set agents.full.ordering=static"), place.path());
    let text = fs::read_to_string(root().join("README.md")).expect("the page");
    assert!(check_within(&place, "README.md", &text) >= 6);
}

#[test]
fn the_pages_on_starting_show_what_is_printed() {
    assert!(check("docs/from-fastchess.md") >= 1);
    assert!(check("docs/configs.md") >= 1);
    assert!(check("docs/luck.md") >= 4);
    assert!(check("docs/tune.md") >= 2);
}

/// The blocks of the page on a class that need no Python; the others begin with `console python`.
#[test]
fn the_page_on_a_class_shows_what_is_printed() {
    assert!(check("docs/class.md") >= 5);
    let page = fs::read_to_string(root().join("docs/class.md")).expect("the page");
    let program = page.split("```py\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(program, Some(include_str!("../../src/cli/commands/init/agent.py")));
}

#[test]
#[ignore = "needs python3: run by .ci/run"]
fn the_page_on_a_class_works_with_python() {
    let page = fs::read_to_string(root().join("docs/class.md")).expect("the page");
    let page = page.replace("```console python\n", "```console\n");
    assert!(check_text("docs/class.md", &page) >= 9);
}

#[test]
#[ignore = "needs python3: run by .ci/run"]
fn the_page_on_python_shows_what_is_printed() {
    let page = fs::read_to_string(root().join("docs/python.md")).expect("the page");
    let program = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    let place = workplace();
    fs::write(place.path().join("elo.py"), program.expect("a program")).expect("written");
    let page = page.replace("```console python\n", "```console\n");
    assert_eq!(check_within(&place, "docs/python.md", &page), 1);
}
