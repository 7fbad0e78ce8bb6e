//! Every kind of config error with its exact message.
//!
//! `tests/data/config/wrong/NAME.toml` is read and its message compared with `NAME.txt`. A first
//! line `# options: --set a=1 --seed 2` gives options of the command line. After a change,
//! `UPDATE_EXPECT=1 cargo test --test library config_errors` writes the messages again. `git diff`
//! then shows the differences.

use std::path::Path;

use agon::config::{ConfigError, Overrides, parse};
use agon::play::Registry;

const FOLDER: &str = "tests/data/config/wrong";

/// The options in the first line of a fixture.
fn overrides(text: &str) -> Overrides {
    let mut overrides = Overrides::default();
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix("# options: ")) else {
        return overrides;
    };
    let mut words = line.split(" --").map(|word| word.trim_start_matches("--"));
    for word in &mut words {
        match word.split_once(' ').expect("an option and its value") {
            ("set", value) => overrides.set.push(value.to_owned()),
            ("seed", value) => overrides.seed = Some(value.parse().expect("a number")),
            ("games", value) => overrides.games = Some(value.parse().expect("a number")),
            (other, _) => panic!("unknown option {other}"),
        }
    }
    overrides
}

/// The message for the user. One word replaces the list of all games, so a new game changes
/// nothing.
fn message(error: &ConfigError, registry: &Registry) -> String {
    let kinds: Vec<_> = registry.games.iter().map(|entry| format!("`{}`", entry.kind)).collect();
    // Long lists are shortened.
    let (first, others) = kinds.split_at(12);
    let all = format!("{} and {} more", first.join(", "), others.len());
    format!("{}\n{}", error.render(false), error.short()).replace(&all, "GAMES")
}

#[test]
fn every_mistake_has_its_message() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let registry = Registry::builtin();
    let mut files: Vec<_> = std::fs::read_dir(FOLDER)
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut different = Vec::new();
    for file in files {
        let bytes = std::fs::read(&file).expect("readable");
        let text = String::from_utf8(bytes).expect("UTF-8");
        let name = format!("{FOLDER}/{}", file.file_name().unwrap().to_str().unwrap());
        let found = match parse(&text, &name, &overrides(&text), &registry) {
            Ok(_) => panic!("{name} is read without a mistake"),
            Err(error) => message(&error, &registry),
        };
        let expected = file.with_extension("txt");
        if update {
            std::fs::write(&expected, &found).expect("writable");
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            different.push(format!("{name} gives\n{found}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let registry = Registry::builtin();
    let folder = tempfile::tempdir().expect("a folder");
    let error = |path: &Path| {
        let error = agon::config::load(path, &Overrides::default(), &registry);
        let error = error.expect_err("not a config");
        error.short().replace(&folder.path().display().to_string(), "DIR")
    };
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("writable");
        path
    };
    write("c4_depth.toml", b"");
    assert_eq!(
        error(&folder.path().join("c4_dept.toml")),
        "cannot read the config `DIR/c4_dept.toml`: there is no such file (did you mean \
         `DIR/c4_depth.toml`?)\n"
    );
    assert_eq!(
        error(&folder.path().join("c4_depth")),
        "cannot read the config `DIR/c4_depth`: there is no such file (did you mean \
         `DIR/c4_depth.toml`?)\n"
    );
    assert_eq!(
        error(&folder.path().join("no/such/folder.toml")),
        "cannot read the config `DIR/no/such/folder.toml`: there is no such file (there is no \
         folder `DIR/no/such` either)\n"
    );
    assert_eq!(
        error(folder.path()),
        "cannot read the config `DIR`: it is a folder (name a file inside it)\n"
    );
    assert_eq!(
        error(&write("latin1.toml", b"seed = 1\nquestion = \"na\xefve\"\n")),
        "cannot read the config `DIR/latin1.toml`: line 2 is not UTF-8 text (save the file as \
         UTF-8)\n"
    );
    let wide: Vec<u8> = "\u{feff}seed = 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(
        error(&write("wide.toml", &wide)),
        "cannot read the config `DIR/wide.toml`: it is text in UTF-16 (save the file as UTF-8)\n"
    );
    let unmarked: Vec<u8> = "seed = 1\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let said = error(&write("unmarked.toml", &unmarked));
    assert!(said.contains("it is text in UTF-16"), "{said}");
    // Two entries of a Polyglot book: hash, move, weight, learning data.
    let mut book = 0x463b_9618_1691_fc9c_u64.to_be_bytes().to_vec();
    book.extend([0x03, 0x1C, 0, 1, 0, 0, 0, 0]);
    book.extend(0x823c_9b50_fd11_4196_u64.to_be_bytes());
    book.extend([0x0B, 0x6F, 0, 3, 0, 0, 0, 0]);
    write("book.bin", &book);
    for entry in book.chunks_mut(16) {
        entry[12..].copy_from_slice(&[0, 7, 0xFF, 3]);
    }
    write("learned.bin", &book);
    // Text in another encoding, with the length and the order of two entries.
    write("latin1.txt", b"e4 e5 \xe9 a4 a6\n#z4 e5 d4 a3 a6 a\n");
    write("book.pgn", &wide);
    for (file, kind) in [
        ("book.bin", "it is an opening book in the format of Polyglot"),
        ("learned.bin", "it is an opening book in the format of Polyglot"),
        ("latin1.txt", "the line is not UTF-8 text"),
        ("book.pgn", "it is text in UTF-16"),
    ] {
        let text = format!(
            "[game]\nkind = \"chess\"\n[[agents]]\nkind = \"random\"\n[schedule]\n\
             format = \"self-play\"\n[openings]\nkind = \"file\"\nfile = \"{file}\"\n"
        );
        let config = write("openings.toml", text.as_bytes());
        let error = agon::config::load(&config, &Overrides::default(), &registry);
        let said = error.expect_err("no openings").render(false);
        assert!(said.contains(kind) && said.contains("= help: "), "{said}");
    }
}
