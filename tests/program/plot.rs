//! Tests of `agon plot`: charts of the page as files.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{agon, ok, play, stderr, stdout};

const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results/reference");

#[test]
fn each_listed_chart_is_an_svg_of_its_own() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"mm{depth}\"\n\
                  kind = \"minimax\"\ndepth = [1, 2, 3]\nties = \"random\"\n[[agents]]\n\
                  name = \"a <b> & c\"\nkind = \"random\"\n[schedule]\ngames = 20\n\
                  [grading]\ngames = 40\n[output]\nmoves = true\n";
    ok(play(dir.path(), config, &[]));
    let out = dir.path().join("out");
    let run = out.to_str().expect("text");
    let list = stdout(&ok(agon(&["plot", run])));
    let ids: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(ids.len() > 10 && ids.contains(&"ratings"), "{list}");
    for id in ids {
        let svg = stdout(&ok(agon(&["plot", run, id, "--to", "svg", "--out", "-"])));
        assert!(svg.starts_with("<?xml") && svg.ends_with("</svg>\n"), "{id}: {svg}");
        assert!(svg.contains("xmlns=\"http://www.w3.org/2000/svg\""), "{id}");
        // Colours are values, and nothing comes from outside.
        assert!(!svg.contains("var(") && !svg.contains("@import") && !svg.contains("href"), "{id}");
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count(), "{id}");
        assert_eq!(svg.matches("<svg").count(), 1, "{id}");
        let numbers = svg.split('"').skip(1).step_by(2);
        assert!(!numbers.into_iter().any(|value| value == "NaN" || value == "inf"), "{id}");
    }
}

#[test]
fn the_file_has_the_name_of_the_chart_unless_it_is_given() {
    let dir = tempfile::tempdir().expect("a folder");
    let within = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(arguments)
            .current_dir(dir.path())
            .output()
            .expect("the program runs");
        stdout(&ok(output))
    };
    assert_eq!(within(&["plot", RUN, "ratings"]), "ratings.svg is written\n");
    assert_eq!(within(&["plot", RUN, "ratings", "--out", "mine.svg"]), "mine.svg is written\n");
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("a picture");
    assert_eq!(read("ratings.svg"), read("mine.svg"));
    assert!(read("mine.svg").contains("Rating list") && read("mine.svg").contains("ab8"));
}

/// Runs the program where only the programs of a folder are found.
fn with_path(path: &Path, arguments: &[&str]) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_agon");
    Command::new(program).args(arguments).env("PATH", path).output().expect("the program runs")
}

#[test]
fn without_a_converter_png_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let png = ["plot", RUN, "ratings", "--to", "png", "--out", "-"];
    let output = with_path(dir.path(), &png);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("none is installed"), "{said}");
    for program in ["rsvg-convert", "inkscape", "magick", "convert", "--to svg"] {
        assert!(said.contains(program), "{said}");
    }
    // A converter that fails is named.
    let broken = dir.path().join("inkscape");
    fs::write(&broken, "#!/bin/sh\nexit 1\n").expect("written");
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(&broken, fs::Permissions::from_mode(0o755)).expect("executable");
    let output = with_path(dir.path(), &png);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("these failed: inkscape"), "{}", stderr(&output));
}

#[test]
#[ignore = "needs rsvg-convert (Debian: librsvg2-bin)"]
fn an_installed_converter_draws_a_png() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("ratings.png");
    ok(agon(&["plot", RUN, "ratings", "--out", file.to_str().expect("text")]));
    let bytes = fs::read(&file).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000, "{}", bytes.len());
    let wide = u32::from_be_bytes(bytes[16..20].try_into().expect("four bytes"));
    assert_eq!(wide, 3 * 428);
}

#[test]
fn mistakes_of_a_plot_are_explained() {
    for (arguments, message) in [
        (&["plot", RUN, "ratngs"][..], "did you mean `ratings`?"),
        (&["plot", RUN, "llr"], "this run has nothing to show in `llr`"),
        (&["plot", RUN, "ratings", "--to", "png", "--out", "x.svg"], "leave `--to` out"),
        (&["plot", RUN, "ratings", "--out", "Cargo.toml/x.svg"], "a folder that exists"),
        (&["plot", "nowhere"], "nowhere does not exist"),
        (&["plot", RUN, "ratings", "--out", "x.pdf"], "as SVG or PNG, not as `pdf`"),
        (&["plot", RUN, "ratings", "--to", "gif"], "possible values: svg, png"),
    ] {
        let output = agon(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}
